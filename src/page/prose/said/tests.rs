use super::*;

#[test]
fn a_text_names_what_its_figure_is_of() {
    let own = |words: &str| Own { all: words_of(words).collect(), formula: words_of(words).collect() };
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
        ("36.2% lower throughput", "cost_change_pct usd_per_mtok_output", Some("throughput")),
        ("36.2% faster", "cost_change_pct usd_per_mtok_output", Some("speed")),
        ("36.2% faster", "ttft_change_pct", None),
        ("36.2% more throughput", "goodput_change_pct", None),
        ("36.2% lower latency", "capacity_change_pct", Some("latency")),
        ("36.2% lower latency", "ttft_change_pct", None),
        ("36.2% more memory", "cost_change_pct usd_per_mtok_output", Some("memory")),
        ("36.2% less power", "cost_change_pct usd_per_mtok_output", Some("power")),
        ("40% at p50", "output tok s per user at p99 tpot", Some("p50")),
        ("a median of 40%", "output tok s per user at p99 tpot", Some("median")),
    ] {
        assert_eq!(other_metric(text, &own(figure), true).as_deref(), expected, "{text} {figure}");
    }
}

#[test]
fn words_around_a_link_are_those_of_its_phrase() {
    for (file, expected) in [
        ("It costs [36%](x) less.", "It costs 36% less"),
        ("It is so — while it costs [36%](x), less", "it costs 36%"),
        ("at [36%](x) at a lower price", "36%"),
        ("\n\n[36%](x)\n\nless", "36%"),
        ("“[36%](x)” less", "36%"),
        ("- the one before\n- [36%](x)\n- less", "36%"),
        ("It is [36%](x)\nless", "It is 36% less"),
        ("At less cost it serves [36%](x) more", "it serves 36% more"),
        ("[36%](x)-less", "36%"),
        ("Of all the many words only these four [36%](x) are looked at", "words only these four 36% are looked"),
        ("64 [36%](x) of 24", "36% of"),
        ("It falls by [36%](x)", "It falls 36%"),
        ("[36%](x) per 1,000 output tokens, so", "36% per 1,000 output tokens"),
        ("[36%](x) / 1M output tokens", "36% / 1M output tokens"),
    ] {
        let start = file.find('[').expect("a link");
        let span = start..file.find(')').expect("its end") + 1;
        let around = Around::of(file, &span, "36%");
        assert_eq!(around.text, expected, "{file}");
    }
}

#[test]
fn what_stands_right_beside_a_number_makes_another_one() {
    for (file, own, expected) in [
        ("a [36%](x) b", "36%", false),
        ("(“[36%](x)”)", "36%", false),
        ("— [36%](x), so", "36%", false),
        ("**[36%](x)**", "36%", false),
        ("[8.40](x)-request", "8.40", false),
        ("pre[more](x)s", "more", false),
        ("−[36%](x)", "36%", true),
        ("1[36%](x)", "36%", true),
        ("€[0.289](x)", "0.289", true),
        ("₹[0.289](x)", "0.289", true),
        ("[0.289](x)M", "0.289", true),
        ("10×[0.289](x)", "0.289", true),
    ] {
        let start = file.find('[').expect("a link");
        let span = start..file.find("(x)").expect("its end") + 3;
        assert_eq!(Around::of(file, &span, own).is_glued, expected, "{file}");
    }
}
