use super::*;

#[test]
fn a_text_names_what_its_figure_is_of() {
    let own = |words: &str| words_of(words).collect();
    for (text, figure, expected) in [
        ("TTFT 56.7% faster", "capacity_change_pct", Some("TTFT")),
        ("TTFT 56.7% faster", "ttft_p99_ms", None),
        ("56.7% within the TTFT limit", "capacity_change_pct", None),
        ("56.7% at p99 TTFT", "ttft_p95_ms", Some("p99")),
        ("56.7% at p99 TTFT", "ttft_p99_ms", None),
        ("56.7% within the p99 TTFT limit", "ttft_p95_ms", None),
        ("56.7% within the p99 limit", "ttft_p95_ms", None),
        ("56.7% at p99", "capacity_change_pct", None),
        ("19% of the TPOT limit", "ttft_slo_used_pct", Some("TPOT")),
        ("19% of the TTFT limit", "ttft_slo_used_pct", None),
        ("20% more input tokens", "output_tok_s", Some("input tokens")),
        ("20% more output tokens", "output_tok_s", None),
        ("20% more output", "input_tok_s", None),
        ("20% more input tok/s", "output_tok_s", Some("input tokens")),
        ("20% more input tokens", "capacity_change_pct", None),
        ("56.7% less energy", "capacity_change_pct", Some("energy")),
        ("a hit rate of 56.7%", "capacity_change_pct", Some("the hit rate")),
        ("56.7% more capacity", "capacity_change_pct", None),
    ] {
        assert_eq!(other_metric(text, &own(figure), true).as_deref(), expected, "{text} {figure}");
    }
}
