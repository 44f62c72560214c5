//! The least time between two tokens of a request, and times that are below it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::sheet::{Found, compute, field, missing};
use super::{Figure, Missing};
use crate::catalog::{Catalog, Item, Named, RECORD};
use crate::diagnostic::{Diagnostic, Report, counted, rules};
use crate::formula::bandwidth;
use crate::metric::Latency;
use crate::quantity::{Quantity, TokenKind, Unit};
use crate::record::audit::Capacity;
use crate::record::model::Shape;
use crate::record::run::RunConfig;
use crate::record::{Record, storage};

/// What the floor of a result or config depends on.
pub struct Setting<'a> {
    pub model: Option<&'a Named>,
    pub weight_dtype: Option<&'a str>,
    pub bandwidth: Found,
    pub gpus: Found,
    /// Whether a curator says that tokens were drafted.
    pub drafts: bool,
    /// Texts that would name speculative decoding.
    pub flags: Vec<Option<&'a str>>,
}

/// What a floor of several GPUs takes for granted, since records seldom say how the weights are laid out.
const SHARED: &str = "all GPUs are taken to share the reading of the weights; replicas would each read all of them, so that \
    their floor is higher";

/// The floor, or the reason why there is none. All GPUs are taken to read together, which no replica of fewer can beat.
pub fn figure(catalog: &Catalog, subject: &str, setting: Setting) -> Figure {
    let formula = &bandwidth::DECODE_FLOOR_MS;
    if setting.drafts || setting.flags.iter().flatten().any(|flags| speculates(flags)) {
        return missing(
            formula,
            subject,
            "speculative decoding gives several tokens a step, so no floor holds for one",
        );
    }
    let weights = weights_read(catalog, setting.model, setting.weight_dtype);
    let several = setting.gpus.as_ref().is_ok_and(|gpus| gpus.quantity.high() > 1.0);
    let figure = compute(formula, subject, [weights, setting.bandwidth, setting.gpus]);
    let is_known = figure.outcome.is_ok();
    figure.limited((several && is_known).then(|| SHARED.to_owned()))
}

/// Bandwidth of the first card that a record names.
pub fn bandwidth_of_card(catalog: &Catalog, item: &Item) -> Found {
    let entry = item.cards.first().and_then(|card| catalog.hardware(card.entry()?));
    let Some((card_item, card)) = entry else {
        return Err(Missing::because("the bandwidth of the accelerator is not in content"));
    };
    field(&card_item.document, "/memory_bandwidth_tb_s", card.memory_bandwidth_tb_s)
}

/// Bytes of weights that a step reads for one token: never guessed where the model is, or may be, a mixture.
fn weights_read(catalog: &Catalog, model: Option<&Named>, dtype: Option<&str>) -> Found {
    let because = |reason: String| Err(Missing::because(reason));
    let Some((item, model)) = model.and_then(|named| catalog.model(named.entry()?)) else {
        return because("the model is not in content".to_owned());
    };
    let Some(dtype) = dtype else {
        return because("the record does not say the storage type of its weights".to_owned());
    };
    let bytes =
        |name: &str, (dtype, bytes): (&str, u64)| field(&item.document, format!("/{name}/{dtype}"), Some(bytes as f64));
    match (of_size(&model.active_weights_bytes, dtype), of_size(&model.weights_bytes, dtype), model.shape) {
        (Some(active), _, _) => bytes("active_weights_bytes", active),
        (None, Some(all), Some(Shape::Dense)) => bytes("weights_bytes", all),
        (None, None, Some(Shape::Dense) | None) => because(format!("the model entry states no weights in `{dtype}`")),
        (None, _, Some(Shape::Moe)) => because(format!(
            "a mixture of experts reads its active weights, and the model entry states none in `{dtype}`"
        )),
        (None, Some(_), None) => because("the model entry does not say whether a token passes all weights".to_owned()),
    }
}

/// The bytes of a storage type, or of one whose weights take as many: all types of 16 bits do.
fn of_size<'a>(bytes: &'a BTreeMap<String, u64>, dtype: &str) -> Option<(&'a str, u64)> {
    let is_own = |name: &str| name.eq_ignore_ascii_case(dtype);
    let own = bytes.iter().find(|(name, _)| is_own(name));
    let alike = || bytes.iter().find(|(name, _)| storage::is_of_16_bits(dtype) && storage::is_of_16_bits(name));
    own.or_else(alike).map(|(name, bytes)| (name.as_str(), *bytes))
}

/// Whether a spec sets up speculative decoding, under a name of its own or in the flags of an engine.
pub fn is_set_in(spec: &Value) -> bool {
    match spec {
        Value::Object(members) => members.iter().any(|(name, value)| {
            let is_own = speculates(&name.replace('_', " ")) && is_on(value);
            is_own || is_set_in(value)
        }),
        Value::Array(items) => items.iter().any(is_set_in),
        Value::String(text) => text.contains("--") && speculates(text),
        _ => false,
    }
}

/// Whether a value switches something on.
fn is_on(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !["", "none", "off", "false", "null", "{}"].contains(&text.to_lowercase().trim()),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Bool(true) => true,
    }
}

/// Whether an engine's flags or a label speak of speculative decoding as of something that is on.
fn speculates(text: &str) -> bool {
    const WORDS: [&str; 8] = ["mtp", "eagle", "eagle2", "eagle3", "medusa", "nextn", "ngram", "specdec"];
    const PAIRS: [(&str, &str); 5] =
        [("draft", "model"), ("model", "draft"), ("draft", "tokens"), ("num", "draft"), ("spec", "decode")];
    let text = text.to_lowercase();
    let words: Vec<_> = text.split(|part: char| !part.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let says = |at: &usize| {
        WORDS.contains(&word(*at)) || word(*at).starts_with("speculat") || PAIRS.contains(&(word(*at), word(at + 1)))
    };
    const WITHOUT: [&str; 6] = ["no", "non", "without", "disable", "disabled", "not"];
    const OFF: [&str; 5] = ["off", "disabled", "none", "false", "no"];
    // `no speculative decoding`, `MTP off`, `speculative decoding: none`.
    let is_off = |at: usize| {
        (1..=2).any(|back| at.checked_sub(back).is_some_and(|at| WITHOUT.contains(&word(at))))
            || (1..=2).any(|on| OFF.contains(&word(at + on)))
    };
    (0..words.len()).filter(says).any(|at| !is_off(at))
}

/// Whether a config's own words speak of it.
fn is_speculating(config: &RunConfig) -> bool {
    [Some(&config.label), config.engine.as_ref()].into_iter().flatten().any(|text| speculates(text))
}

/// Refuses a TPOT below the floor: each token of a request is a step of its own, and each step reads the weights.
pub fn check(item: &Item, figures: &[Figure], report: &mut Report) {
    let floor = |anchor: &str| {
        let mut of_formula = figures.iter().filter(|figure| figure.formula.id == bandwidth::DECODE_FLOOR_MS.id);
        of_formula.find(|figure| figure.subject == anchor || figure.subject == RECORD)?.quantity()
    };
    check_rates(item, floor, report);
    for tpot in tpots(item) {
        let Some(floor) = floor(tpot.anchor).filter(|floor| tpot.value.high() < floor.low()) else { continue };
        let message = format!(
            "a TPOT of {} is below the decode floor of {}: no step can read the weights so fast",
            Unit::Milliseconds.show(tpot.value),
            Unit::Milliseconds.show(floor)
        );
        report.push(
            Diagnostic::new(&rules::LATENCY_BELOW_FLOOR, item.document.location(&tpot.pointer), message)
                .pointer(tpot.pointer)
                .help("correct the latency, or the weights and bandwidth that the floor rests on; where speculative decoding ran, say so in the flags, the label, the spec, or the curator's note"),
        );
    }
}

/// Refuses a rate that a number of requests at once cannot have: each step gives each of them one token.
fn check_rates(item: &Item, floor: impl Fn(&str) -> Option<Quantity>, report: &mut Report) {
    let Some(run) = item.run() else { return };
    for ((position, config), subject) in run.configs.iter().enumerate().zip(&item.subjects) {
        let (Some(rate), Some(concurrency)) = (config.output_tok_s, config.concurrency) else { continue };
        let Some(floor) = floor(&subject.anchor).filter(|_| !is_speculating(config)) else { continue };
        let most = concurrency as f64 * 1000.0 / floor.low();
        if rate <= most {
            continue;
        }
        let unit = Unit::TokensPerSecond(TokenKind::Output);
        let message = format!(
            "{} of {} at once is more than a decode floor of {} allows, {}",
            unit.show(rate.into()),
            counted(usize::try_from(concurrency).unwrap_or(usize::MAX), "request"),
            Unit::Milliseconds.show(floor),
            unit.show(most.into()),
        );
        let pointer = format!("/configs/{position}/output_tok_s");
        report.push(
            Diagnostic::new(&rules::LATENCY_BELOW_FLOOR, item.document.location(&pointer), message)
                .pointer(pointer)
                .help("correct the rate or the concurrency, or the weights and bandwidth that the floor rests on; where speculative decoding ran, say so in the flags, the label, or the curator's note"),
        );
    }
}

/// A measured TPOT and where it stands.
struct Tpot<'a> {
    anchor: &'a str,
    pointer: String,
    value: Quantity,
}

fn tpots(item: &Item) -> Vec<Tpot<'_>> {
    let mut found = Vec::new();
    let mut add = |position: usize, pointer: String, name: &str, value: Quantity| {
        let is_tpot = Latency::parse(name).is_some_and(|latency| latency.metric == "tpot");
        if let Some(subject) = item.subjects.get(position).filter(|_| is_tpot) {
            found.push(Tpot { anchor: &subject.anchor, pointer, value });
        }
    };
    let sweeps = match &item.record {
        Record::Run(run) => {
            for (position, config) in run.configs.iter().enumerate() {
                let values = config.latencies.iter().filter_map(|(name, value)| Some((name, value.as_f64()?)));
                values.for_each(|(name, value)| {
                    add(position, format!("/configs/{position}/{name}"), name, value.into());
                });
            }
            run.sweeps()
        }
        Record::Audit(audit) => {
            for (position, config) in audit.configs.iter().enumerate() {
                if let Capacity::At(at) = &config.capacity {
                    at.latencies.iter().for_each(|(name, value)| {
                        add(position, format!("/configs/{position}/capacity/latencies/{name}"), name, *value);
                    });
                }
                if let Some(ms) = config.decode_ms_per_token {
                    add(position, format!("/configs/{position}/decode_ms_per_token"), "tpot_mean_ms", ms);
                }
            }
            audit.sweeps()
        }
        _ => Vec::new(),
    };
    for (position, step) in
        sweeps.iter().enumerate().flat_map(|(at, sweep)| sweep.steps.iter().map(move |step| (at, step)))
    {
        step.latencies.iter().for_each(|(name, (value, path))| {
            add(position, format!("{}/{path}", step.pointer), name, *value);
        });
    }
    // Of what speculates, no floor holds.
    let speculating: Vec<_> = match &item.record {
        Record::Run(run) => run.configs.iter().map(is_speculating).collect(),
        _ => Vec::new(),
    };
    found.retain(|tpot| {
        let position = item.subjects.iter().position(|subject| subject.anchor == tpot.anchor);
        !position.and_then(|position| speculating.get(position)).is_some_and(|speculates| *speculates)
    });
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn weights_of_16_bits_are_as_large_in_either_type() {
        let bytes = BTreeMap::from([("bf16".to_owned(), 16), ("fp8".to_owned(), 8)]);
        for (dtype, expected) in [
            ("bf16", Some(("bf16", 16))),
            ("FP16", Some(("bf16", 16))),
            ("float16", Some(("bf16", 16))),
            ("fp8", Some(("fp8", 8))),
            ("int8", None),
        ] {
            assert_eq!(of_size(&bytes, dtype), expected, "{dtype}");
        }
        let own = BTreeMap::from([("bf16".to_owned(), 16), ("fp16".to_owned(), 17)]);
        assert_eq!(of_size(&own, "fp16"), Some(("fp16", 17)));
    }

    #[test]
    fn a_spec_speculates_where_it_is_switched_on() {
        for (spec, expected) in [
            (json!({"engine": {"speculative_config": {"method": "eagle3"}}}), true),
            (json!({"engine": {"speculative_config": null}}), false),
            (json!({"engine": {"speculative_num_steps": 0}}), false),
            (json!({"engine": {"num_draft_tokens": 3}}), true),
            (json!({"engine": {"speculative_algorithm": "none"}}), false),
            (json!({"engine": {"args": ["serve", "--speculative-config x"]}}), true),
            (json!({"workload": {"name": "speculative questions"}}), false),
        ] {
            assert_eq!(is_set_in(&spec), expected, "{spec}");
        }
    }

    #[test]
    fn speculation_is_told_by_words() {
        for (text, expected) in [
            ("--speculative-config '{...}'", true),
            ("--speculative-algorithm EAGLE", true),
            ("--model-draft x.gguf", true),
            ("draft model, 3 tokens", true),
            ("FP8 with MTP", true),
            ("first draft of the run", false),
            ("an MTPL run", false),
            ("Baseline, no speculative decoding", false),
            ("without MTP", false),
            ("speculative decoding: off", false),
            ("no prefix cache, with EAGLE", true),
        ] {
            assert_eq!(speculates(text), expected, "{text}");
        }
    }
}
