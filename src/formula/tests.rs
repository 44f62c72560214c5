//! Formulas against their own examples.

use super::*;

#[test]
fn every_worked_example_comes_out() {
    for (formula, example) in ALL.iter().flat_map(|formula| formula.examples.iter().map(move |one| (formula, one))) {
        let values: Vec<_> = example.inputs.iter().map(|value| Quantity::exact(*value)).collect();
        match (&example.value, formula.compute(&values)) {
            (ExampleValue::Rounded(written), FigureValue::Quantity(quantity)) => {
                assert_eq!(rounded_like(written, quantity.low()), *written, "{}", formula.id);
                assert!(!quantity.is_interval(), "{}", formula.id);
            }
            (ExampleValue::Between(low, high), FigureValue::Quantity(quantity)) => {
                let ends = [rounded_like(low, quantity.low()), rounded_like(high, quantity.high())];
                assert_eq!(ends, [*low, *high], "{}", formula.id);
            }
            (ExampleValue::Verdict(written), FigureValue::Verdict(verdict)) => {
                assert_eq!(verdict, *written, "{}", formula.id);
            }
            (expected, found) => panic!("{}: {expected:?} against {found:?}", formula.id),
        }
    }
}

fn rounded_like(written: &str, value: f64) -> String {
    let decimals = written.split_once('.').map_or(0, |(_, part)| part.len());
    format!("{value:.decimals$}")
}

#[test]
fn names_say_which_tokens() {
    for formula in ALL {
        if let Some(kind) = formula.unit.token_kind() {
            assert!(formula.name.to_lowercase().contains(kind.word()), "{} counts {kind:?} tokens", formula.name);
            assert!(formula.unit.symbol().contains(kind.word()), "{}", formula.unit);
        }
    }
}

#[test]
fn ids_are_unique() {
    let ids: std::collections::BTreeSet<_> = ALL.iter().map(|formula| formula.id).collect();
    assert_eq!(ids.len(), ALL.len());
}

#[test]
fn intervals_go_through_whole() {
    let values = [Quantity::exact(150_000.0), Quantity::between(43.0, 45.0)];
    assert_eq!(memory::TOKENS_REUSED.compute(&values), FigureValue::Quantity(Quantity::between(64_500.0, 67_500.0)));
}

#[test]
fn a_formula_rests_on_what_its_inputs_are_computed_from() {
    for (formula, input, rests) in [
        (&energy::GOODPUT_TOK_PER_J, "power_kw", true),
        (&comparison::TOKENS_PER_JOULE_CHANGE_PCT, "power_kw", true),
        (&cost::USD_PER_MTOK_OUTPUT, "usd_per_gpu_hour", true),
        (&cost::USD_PER_MTOK_OUTPUT, "power_kw", false),
        (&cost::USD_PER_MTOK_OUTPUT, "usd_per_mtok_output", false),
    ] {
        assert_eq!(formula.rests_on(input), rests, "{} on {input}", formula.id);
    }
}

#[test]
fn steps_are_known_by_what_makes_them() {
    for (formula, stepped) in [
        (&capacity::REPLICAS_AT_PEAK, true),
        (&card::SEQUENCES_AT_CONTEXT, true),
        (&uncertainty::UNCERTAINTY_PCT, true),
        (&cost::USD_PER_HOUR, false),
    ] {
        assert_eq!(formula.is_stepped(), stepped, "{}", formula.id);
    }
}
