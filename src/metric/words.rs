//! Names that only a source has for what it measured, as words.

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
const PARTS: [(&str, &str); 25] = [
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

#[cfg(test)]
mod tests {
    use super::words;

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
