//! Over how many GPUs a record says that its model is spread, against those that it covers.

use serde_json::Value;

use super::repeated::{STAGES, TENSORS, number};
use super::reproduce::words;
use crate::diagnostic::{Diagnostic, Report, rules};
use crate::record::{Audit, Run};
use crate::schema::Document;

/// A model is spread over no more GPUs than the results cover: by tensors and by stages, in replicas, and by data or
/// experts, which may be the same GPUs as those of its tensors.
pub fn fits(run: &Run, document: &Document, report: &mut Report) {
    let count = u64::from(run.hardware.count);
    let of_text = run.model.parallelism.as_deref().map(|text| ("/model/parallelism", of_text(text)));
    for (pointer, gpus) in of_spec(run).into_iter().chain(of_text).filter(|(_, gpus)| *gpus > count) {
        let message = format!("the model is spread over {gpus} GPUs, the record covers {count}");
        report.push(on_more(pointer, message, document).help(
            "count every GPU that the results are of; acknowledge the rule where the rates are those of one of several",
        ));
    }
}

/// The same of an audit, which counts the GPUs of one replica.
pub fn of_audit(audit: &Audit, document: &Document, report: &mut Report) {
    let count = u64::from(audit.hardware.count);
    let of_text = audit.parallelism.as_deref().map(|text| ("/parallelism".to_owned(), of_replica(text)));
    let of_all = audit.baseline_flags.as_deref().map(|flags| ("/baseline_flags".to_owned(), of_flags(flags)));
    let of_configs = audit.configs.iter().enumerate().filter_map(|(position, config)| {
        Some((format!("/configs/{position}/flags"), of_flags(config.flags.as_deref()?)))
    });
    other_degree(audit, document, report);
    for (pointer, gpus) in of_text.into_iter().chain(of_all).chain(of_configs).filter(|(_, gpus)| *gpus > count) {
        let message = format!("a replica is spread over {gpus} GPUs, and has {count} by its count");
        report.push(on_more(&pointer, message, document).help("count every GPU of a replica in `hardware.count`"));
    }
}

/// The one degree of tensors that an audit states is that of its flags.
fn other_degree(audit: &Audit, document: &Document, report: &mut Report) {
    let [own] = degrees(audit.parallelism.as_deref().unwrap_or_default(), "tp")[..] else { return };
    let of_configs = audit
        .configs
        .iter()
        .enumerate()
        .filter_map(|(position, config)| Some((format!("/configs/{position}/flags"), config.flags.as_deref()?)));
    let of_all = audit.baseline_flags.as_deref().map(|flags| ("/baseline_flags".to_owned(), flags));
    for (pointer, flags) in of_all.into_iter().chain(of_configs) {
        let Some(other) = number(&words(flags), &TENSORS).filter(|other| *other != own) else { continue };
        let message = format!("the flags split each layer over {other} GPUs, `parallelism` says {own}");
        report.push(
            Diagnostic::new(&rules::AUDIT_FLAGS, document.location(&pointer), message)
                .pointer(&pointer)
                .related(document.spans.nearest("/parallelism"), "what the audit says")
                .help("correct the one that is wrong"),
        );
    }
}

/// The GPUs that the flags of an engine split a model over.
fn of_flags(flags: &str) -> u64 {
    let words = words(flags);
    [&TENSORS[..], &STAGES].iter().map(|options| number(&words, options).unwrap_or(1)).fold(1, u64::saturating_mul)
}

fn on_more(pointer: &str, message: String, document: &Document) -> Diagnostic {
    let problem = Diagnostic::new(&rules::RUN_PARALLELISM, document.location(pointer), message).pointer(pointer);
    problem.related(document.spans.nearest("/hardware/count"), "the GPUs that the results cover")
}

/// The GPUs of all replicas that a spec sets, and where it says so.
fn of_spec(run: &Run) -> Option<(&'static str, u64)> {
    let degree = |name: &str| run.spec().value(&format!("/model/{name}")).and_then(Value::as_u64);
    let (tensors, replicas) = (degree("tensor_parallel"), degree("replicas"));
    let pointer = if tensors.is_some() { "/spec/model/tensor_parallel" } else { "/spec/model/replicas" };
    let degrees = [tensors, degree("pipeline_parallel"), replicas];
    let gpus = degrees.into_iter().flatten().fold(1, u64::saturating_mul);
    (tensors.is_some() || replicas.is_some()).then_some((pointer, gpus))
}

/// The fewest GPUs that a text such as `2 replicas × TP4 PP2` can be of.
fn of_text(text: &str) -> u64 {
    // Several degrees are those of several roles, each of which has GPUs of its own.
    let roles = degrees(text, "tp").len() > 1;
    let replicas = if roles { 1 } else { replicas(text).unwrap_or(1) };
    of_replica(text).saturating_mul(replicas)
}

/// The fewest GPUs of one replica, or of one of several roles.
fn of_replica(text: &str) -> u64 {
    let [tensors, stages, data, experts] = ["tp", "pp", "dp", "ep"].map(|name| degrees(text, name));
    let most = |degrees: &[u64]| degrees.iter().copied().max().unwrap_or(1);
    let stages = if let ([_], [stages]) = (&tensors[..], &stages[..]) { *stages } else { 1 };
    most(&tensors).saturating_mul(stages).max(most(&data)).max(most(&experts))
}

/// The number before `replicas`.
fn replicas(text: &str) -> Option<u64> {
    let text = text.to_ascii_lowercase();
    let (before, _) = text.split_once("replica")?;
    let number = before.trim_end_matches([' ', '-', '×', 'x']);
    let digits = number.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
    number.get(digits..)?.parse().ok()
}

/// The numbers behind a name, as in `TP8` or `TP=8`.
pub(super) fn degrees(text: &str, name: &str) -> Vec<u64> {
    let text = text.to_ascii_lowercase();
    let number = |(at, name): (usize, &str)| {
        let apart = !text[..at].ends_with(|letter: char| letter.is_ascii_alphanumeric());
        let rest = text[at + name.len()..].trim_start_matches(['=', '-', ' ', ':']);
        let digits = &rest[..rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len())];
        if apart { digits.parse().ok() } else { None }
    };
    text.match_indices(name).filter_map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_stand_behind_their_name() {
        for (text, expected) in [
            ("1 replica × TP1", &[1][..]),
            ("TP8 DP8 EP64", &[8]),
            ("prefill TP4, decode tp=16", &[4, 16]),
            ("TP-2 PP2", &[2]),
            ("http8", &[]),
            ("TP over all", &[]),
            ("one GPU", &[]),
        ] {
            assert_eq!(degrees(text, "tp"), expected, "{text}");
        }
    }

    #[test]
    fn a_text_is_of_some_gpus_at_least() {
        for (text, gpus) in [
            ("one GPU", 1),
            ("1 replica × TP1", 1),
            ("8 replicas × TP1", 8),
            ("2 replicas x TP4 PP2", 16),
            ("2-replica TP4", 8),
            ("replicas of TP2", 2),
            ("TP4×PP2", 8),
            ("DP8", 8),
            ("EP8", 8),
            // Attention by data and experts use the GPUs of the tensors.
            ("TP8 DP8 EP8", 8),
            ("TP4 EP1", 4),
            ("prefill TP4, decode TP16 PP2", 16),
            ("4 replicas: prefill TP4, decode TP16", 16),
            ("step 8", 1),
        ] {
            assert_eq!(of_text(text), gpus, "{text}");
        }
    }
}
