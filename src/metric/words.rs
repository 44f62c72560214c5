//! Names that only a source has for what it measured, and names of fields, as words.

use crate::quantity::Unit;

/// Units at the end of a name, which stand beside the value anyway, with what is left in their place.
const ENDINGS: [(&str, &str); 17] = [
    ("_tok_s", " speed"),
    ("_req_s", " request rate"),
    ("_tokens", " tokens"),
    ("_tb_s", ""),
    ("_gb_s", ""),
    ("_rps", ""),
    ("_pct", ""),
    ("_pts", ""),
    ("_hz", ""),
    ("_ms", ""),
    ("_gib", ""),
    ("_mib", ""),
    ("_gb", ""),
    ("_kw", ""),
    ("_usd", ""),
    ("_w", ""),
    ("_s", ""),
];

/// Parts of a name that are written otherwise: units inside of it, and what has capitals.
const PARTS: [(&str, &str); 26] = [
    ("gpqa", "GPQA"),
    ("usd per mtok output", "price of 1M output tokens"),
    ("usd per mtok input", "price of 1M input tokens"),
    ("usd per mtok cached input", "price of 1M cached input tokens"),
    ("tok s", "tok/s"),
    ("req s", "req/s"),
    ("gb s", "GB/s"),
    ("pct", "%"),
    ("gib", "GiB"),
    ("mib", "MiB"),
    ("gb", "GB"),
    ("usd", "$"),
    ("ttft", "TTFT"),
    ("tpot", "TPOT"),
    ("itl", "ITL"),
    ("e2el", "E2E latency"),
    ("kv", "KV"),
    ("gpu", "GPU"),
    ("gpus", "GPUs"),
    ("cpu", "CPU"),
    ("ssd", "SSD"),
    ("slo", "SLO"),
    ("gqa", "GQA"),
    ("mrcr", "MRCR"),
    ("auc", "AUC"),
    ("llama cpp", "llama.cpp"),
];

/// A measured value's name as words, without the unit that it is printed with: `decode_tok_s` is the decode speed.
pub fn words(name: &str) -> String {
    let is_all = ENDINGS.iter().any(|(ending, _)| ending.trim_start_matches('_') == name);
    let ending = ENDINGS.iter().find_map(|(ending, words)| Some((name.strip_suffix(ending)?, *words)));
    let (name, ending) = match ending.filter(|_| !is_all) {
        // The percent belong to a number of the name's own.
        Some((rest, "")) if name.ends_with("_pct") && rest.ends_with(|last: char| last.is_ascii_digit()) => (rest, "%"),
        found => found.unwrap_or((name, "")),
    };
    // Blanks around everything, so that only whole words are found.
    let spaced = format!(" {} ", name.replace('_', " "));
    let spelled =
        PARTS.iter().fold(spaced, |text, (part, written)| text.replace(&format!(" {part} "), &format!(" {written} ")));
    format!("{}{ending}", spelled.trim())
}

/// The same beside a value whose unit the name may end with: `ttft_min` in min is the TTFT, and in ms the least one.
pub fn words_beside(name: &str, unit: &str) -> String {
    let own = format!("_{}", unit.to_lowercase().replace(['/', ' '], "_"));
    match name.strip_suffix(&own).filter(|rest| !rest.is_empty() && !ENDINGS.iter().any(|(ending, _)| *ending == own)) {
        Some(rest) => words(rest),
        None => words(name),
    }
}

/// Fields whose names say too little for a sentence, or say it in signs.
const FIELDS: [(&str, &str); 29] = [
    ("bisect_steps", "number of bisections"),
    ("cached_input_tokens", "cached input tokens"),
    ("cards", "number of cards"),
    ("completed", "number of completed requests"),
    ("context_tokens", "length of the context"),
    ("count", "number of cards"),
    ("decode", "number of GPUs for decode"),
    ("electricity_usd_per_kwh", "price of electricity"),
    ("failed", "number of failed requests"),
    ("growth", "growth of the search"),
    ("hours_per_month", "hours of a month"),
    ("link_gb_s", "bandwidth of the link"),
    ("measured_kv_pool_gib", "measured size of the KV pool"),
    ("measured_kv_pool_tokens", "measured size of the KV pool"),
    ("measured_kv_transfer_ms", "measured time of the KV transfer"),
    ("memory_bandwidth_tb_s", "memory bandwidth"),
    ("memory_overhead_bytes", "memory overhead"),
    ("offered_rps", "offered rate"),
    ("output_tokens_mean", "mean output length"),
    ("peak_request_rate_rps", "request rate at the peak"),
    ("prefill", "number of GPUs for prefill"),
    ("questions", "number of questions"),
    ("rate_pct", "hit rate"),
    ("rated_bw_tbs_per_gpu", "rated bandwidth per GPU"),
    ("repeats", "number of repeats"),
    ("sampling_hz", "sampling rate"),
    ("sent", "number of requests sent"),
    ("throttle_counts", "count of clock limits"),
    ("window_s", "measuring window"),
];

/// A text whose names in backticks are read by people: those of fields as [`named`] has them, all others plain.
pub fn in_words(text: &str) -> String {
    let pieces = text.split('`').enumerate();
    let read = |(at, piece): (usize, &str)| match at % 2 {
        1 => named(piece).unwrap_or_else(|| piece.to_owned()),
        _ => piece.to_owned(),
    };
    pieces.map(read).collect()
}

/// A field within a sentence: `goodput (output tok/s)`; `None` for what is no field of ours, such as a storage format.
fn named(field: &str) -> Option<String> {
    let unit = super::unit_of(field);
    let own = FIELDS.iter().find(|(name, _)| *name == field).map(|(_, words)| (*words).to_owned());
    let heading = super::heading(field);
    let metric = || super::metric(field).map(|_| uncapitalised(heading.split(" (").next().unwrap_or_default()));
    let is_plain = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_';
    let spelled = || (unit != Unit::Number && field.chars().all(is_plain)).then(|| words(field));
    let words = own.or_else(metric).or_else(spelled)?;
    let unit = unit.heading();
    Some(if unit.is_empty() || words.ends_with(unit) { words } else { format!("{words} ({unit})") })
}

/// A name inside of a sentence; one that begins with capitals keeps them.
pub fn uncapitalised(name: &str) -> String {
    let mut letters = name.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() => first.to_lowercase().chain(letters).collect(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{in_words, words, words_beside};

    #[test]
    fn names_of_fields_in_a_reason_are_read_as_words() {
        for (reason, expected) in [
            ("`goodput_tok_s` is not stated", "goodput (output tok/s) is not stated"),
            ("`ttft_p99_ms` is not stated; no SLO set", "p99 TTFT (ms) is not stated; no SLO set"),
            ("`mbu_pct` is not stated", "MBU (%) is not stated"),
            ("`rated_bw_tbs_per_gpu` is not stated", "rated bandwidth per GPU (TB/s) is not stated"),
            ("`context_tokens` is not stated", "length of the context (tokens) is not stated"),
            ("`throttle_counts` is not stated", "count of clock limits is not stated"),
            ("`input_tokens` is not stated", "input tokens is not stated"),
            ("`count` is not stated", "number of cards is not stated"),
            (
                "the size of a cache in `turboquant_4bit` is not known",
                "the size of a cache in turboquant_4bit is not known",
            ),
            ("the memory of `RTX 4070 Ti 16GB` is not in content", "the memory of RTX 4070 Ti 16GB is not in content"),
            ("no name at all", "no name at all"),
        ] {
            assert_eq!(in_words(reason), expected);
        }
    }

    #[test]
    fn a_unit_that_a_name_ends_with_is_said_once() {
        for (name, unit, expected) in [
            ("ttft_min", "min", "TTFT"),
            ("ttft_min", "ms", "TTFT min"),
            ("cost_usd_h", "USD/h", "cost"),
            ("decode_tok_s", "tok/s", "decode speed"),
            ("min", "min", "min"),
            ("wait", "", "wait"),
        ] {
            assert_eq!(words_beside(name, unit), expected, "{name} in {unit}");
        }
    }

    #[test]
    fn a_name_reads_as_words_and_leaves_its_unit_to_the_value() {
        for (name, expected) in [
            ("decode_tok_s", "decode speed"),
            ("decode_tok_s_per_node", "decode tok/s per node"),
            ("tok_s_per_gpu", "tok/s per GPU"),
            ("req_s", "req/s"),
            ("tok_s", "tok/s"),
            ("hit_pct", "hit"),
            ("memory_bandwidth_tb_s", "memory bandwidth"),
            ("offered_rps", "offered"),
            ("turns_that_reuse_90_pct", "turns that reuse 90%"),
            ("ttft_mean_s", "TTFT mean"),
            ("ttft_p90", "TTFT p90"),
            ("kv_pool_tokens", "KV pool tokens"),
            ("usd_per_mtok_input", "price of 1M input tokens"),
            ("mrcr_auc", "MRCR AUC"),
            ("gain_over_llama_cpp", "gain over llama.cpp"),
            ("itl_slope", "ITL slope"),
            ("latency_s", "latency"),
            ("s", "s"),
            ("", ""),
        ] {
            assert_eq!(words(name), expected, "{name}");
        }
    }
}
