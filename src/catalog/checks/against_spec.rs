//! A run record against the spec that its harness embeds, and the words of the record against its fields.

use serde_json::Value;

use crate::diagnostic::{Diagnostic, Report, quoted, rules};
use crate::metric::Latency;
use crate::record::{Run, engine, storage};
use crate::schema::Document;

/// Where a run record and its embedded spec speak of the same thing they must agree, or warn; and the words of the record
/// with its fields.
pub fn record_against_spec(run: &Run, document: &Document, report: &mut Report) {
    texts(run, document, report);
    numbers(run, document, report);
    limits(run, document, report);
    storage(run, document, report);
    engines(run, document, report);
}

fn texts(run: &Run, document: &Document, report: &mut Report) {
    let spec = run.spec();
    let power = run.power.as_ref();
    let kind = power.and_then(|power| power.kind).map(|kind| format!("{kind:?}").to_lowercase());
    let texts: [(&str, Option<&str>, &str); 8] = [
        ("/software/engine", Some(&run.software.engine), "/spec/engine/name"),
        ("/software/engine_version", run.software.engine_version.as_deref(), "/spec/engine/version"),
        ("/software/kernels", run.software.kernels.as_deref(), "/spec/engine/kernels"),
        ("/model/name", Some(&run.model.name), "/spec/model/name"),
        ("/hardware/host", run.hardware.host.as_deref(), "/spec/hardware/host"),
        (
            "/workload/trace",
            run.workload.as_ref().and_then(|workload| workload.trace.as_deref()),
            "/spec/workload/trace",
        ),
        ("/power/kind", kind.as_deref(), "/spec/power/source"),
        (
            "/accuracy/suite",
            run.accuracy.as_ref().and_then(|accuracy| accuracy.suite.as_deref()),
            "/spec/accuracy/name",
        ),
    ];
    for (pointer, found, in_spec) in texts {
        let stated = spec.text(in_spec.trim_start_matches("/spec"));
        if let (Some(found), Some(stated)) = (found, stated)
            && !is_same(pointer, found, stated)
        {
            disagree(document, pointer, &quoted(found), in_spec, &quoted(stated), report);
        }
    }
}

/// Whether two texts name one thing: `vLLM` and `vllm`, `v0.31.0` and `0.31`, a model with its owner and without.
fn is_same(pointer: &str, one: &str, other: &str) -> bool {
    let essence = |text: &str| {
        let text = text.trim().to_lowercase();
        let text = match pointer {
            "/model/name" => text.rsplit('/').next().unwrap_or_default(),
            "/software/engine_version" => {
                let version = text.strip_prefix('v').unwrap_or(&text);
                version.strip_suffix(".0").filter(|version| version.contains('.')).unwrap_or(version)
            }
            _ => &text,
        };
        text.to_owned()
    };
    essence(one) == essence(other)
}

fn numbers(run: &Run, document: &Document, report: &mut Report) {
    let spec = run.spec();
    let power = run.power.as_ref();
    let accuracy = run.accuracy.as_ref();
    let mut numbers = vec![
        (
            "/power/sampling_hz".to_owned(),
            power.and_then(|power| power.sampling_hz),
            "/spec/power/sampling_hz".to_owned(),
        ),
        (
            "/hardware/rated_bw_tbs_per_gpu".to_owned(),
            run.hardware.rated_bw_tbs_per_gpu,
            "/spec/hardware/rated_bw_tbs_per_gpu".to_owned(),
        ),
        ("/hardware/count".to_owned(), Some(f64::from(run.hardware.count)), "/spec/hardware/gpus".to_owned()),
        (
            "/power/window".to_owned(),
            power.and_then(|power| seconds(power.window.as_deref()?)),
            "/spec/measurement/window_s".to_owned(),
        ),
        (
            "/accuracy/threshold_pts".to_owned(),
            accuracy.and_then(|accuracy| accuracy.threshold_pts),
            "/spec/accuracy/max_drop_pts".to_owned(),
        ),
        (
            "/accuracy/questions".to_owned(),
            accuracy.and_then(|accuracy| accuracy.questions).map(|questions| questions as f64),
            "/spec/accuracy/limit".to_owned(),
        ),
        ("/runs".to_owned(), run.runs.map(f64::from), "/spec/measurement/repeats".to_owned()),
    ];
    for (name, limit) in run.slo.iter().flatten() {
        numbers.push((format!("/slo/{name}"), Some(*limit), format!("/spec/slo/{name}")));
    }
    for (position, config) in run.configs.iter().enumerate() {
        let pointer = format!("/configs/{position}/repeats");
        numbers.push((pointer, config.repeats.map(f64::from), "/spec/measurement/repeats".to_owned()));
    }
    for (pointer, found, in_spec) in numbers {
        let stated = spec.number(in_spec.trim_start_matches("/spec"));
        if let (Some(found), Some(stated)) = (found, stated)
            && found != stated
        {
            disagree(document, &pointer, &found.to_string(), &in_spec, &stated.to_string(), report);
        }
    }
}

/// A limit of the spec that a record with others does not have is one that nothing was held against.
fn limits(run: &Run, document: &Document, report: &mut Report) {
    let spec = run.spec();
    let Some(limits) = spec.value("/slo").and_then(Value::as_object).filter(|_| run.slo.is_some()) else { return };
    for (name, limit) in limits.iter().filter(|(name, _)| Latency::parse(name).is_some()) {
        let is_own = run.slo.iter().flatten().any(|(own, _)| own == name);
        if let Some(limit) = limit.as_f64().filter(|_| !is_own) {
            let in_spec = format!("/spec/slo/{name}");
            disagree(
                document,
                "/slo",
                &format!("nothing of a limit of `{name}`"),
                &in_spec,
                &limit.to_string(),
                report,
            );
        }
    }
}

fn disagree(document: &Document, pointer: &str, found: &str, in_spec: &str, stated: &str, report: &mut Report) {
    let mut diagnostic = Diagnostic::new(
        &rules::RUN_RECORD_AGAINST_SPEC,
        document.location(pointer),
        format!("the record says {found}, its spec says {stated} at {in_spec}"),
    )
    .pointer(pointer)
    .help("ask the harness which holds; acknowledge the rule in the curator's note with the reason");
    if let Some(span) = document.spans.value(in_spec) {
        diagnostic = diagnostic.related(span, "the spec says");
    }
    report.push(diagnostic);
}

/// What the record says of storage types beside the spec: in words, in flags, and of each config.
fn storage(run: &Run, document: &Document, report: &mut Report) {
    for (in_spec, said) in
        [("/spec/model/kv_dtype", run.kv_dtypes_said()), ("/spec/model/weight_dtype", run.weight_dtypes_said())]
    {
        let Some(stated) = run.spec().text(in_spec.trim_start_matches("/spec")) else { continue };
        for said in said.iter().filter(|said| storage::differ(&said.dtype, stated)) {
            disagree(document, &said.pointer, &quoted(&said.dtype), in_spec, &quoted(stated), report);
        }
    }
}

/// The engine that a config names is that of the record, as far as both are known by name.
fn engines(run: &Run, document: &Document, report: &mut Report) {
    let Some(own) = engine::known_id(&run.software.engine) else { return };
    for (position, config) in run.configs.iter().enumerate() {
        let Some(other) = config.engine.as_deref().and_then(engine::known_id).filter(|other| *other != own) else {
            continue;
        };
        let pointer = format!("/configs/{position}/engine");
        let message = format!("`{}` ran on `{other}`, the record says `{own}` at /software/engine", config.label);
        report.push(
            Diagnostic::new(&rules::RUN_RECORD_AGAINST_SPEC, document.location(&pointer), message)
                .pointer(pointer)
                .related(document.spans.nearest("/software/engine"), "the engine of the record")
                .help("ask the harness which holds; what ran on another engine is a record of its own"),
        );
    }
}

/// The seconds that a text begins with: `120 s steady state`.
fn seconds(text: &str) -> Option<f64> {
    let text = text.trim_start();
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let (number, unit) = text.split_at(end);
    let unit = unit.trim_start().split(|letter: char| !letter.is_alphanumeric()).next()?;
    ["s", "sec", "seconds"].contains(&unit).then(|| number.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_has_several_spellings() {
        for (pointer, one, other, expected) in [
            ("/software/engine", "vLLM", "vllm", true),
            ("/software/engine", "vllm", "sglang", false),
            ("/software/engine_version", "v0.31.0", "0.31", true),
            ("/software/engine_version", "0.31.0", "0.31.1", false),
            ("/software/engine_version", "2.0", "2", false),
            ("/model/name", "Qwen/Qwen3-8B", "qwen3-8b", true),
            ("/model/name", "Qwen/Qwen3-8B", "Qwen/Qwen3-4B", false),
            ("/hardware/host", "a/b", "b", false),
        ] {
            assert_eq!(is_same(pointer, one, other), expected, "{one} {other}");
        }
    }

    #[test]
    fn a_window_begins_with_its_seconds() {
        for (text, expected) in [
            ("120 s steady state", Some(120.0)),
            (" 60s", Some(60.0)),
            ("1.5 seconds", Some(1.5)),
            ("60", None),
            ("60 samples", None),
            ("the last 60 s", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }
}
