use proptest::prelude::*;

use super::*;

mod sense;

fn matches(text: &str, unit: Unit, quantity: impl Into<Quantity>) -> Match {
    let found = numbers(text);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    found[0].matches(unit, quantity.into())
}

#[test]
fn a_number_agrees_at_its_own_precision() {
    use Match::{Agrees, Differs};
    use Unit::{PercentChange, Ratio};
    let tokens = Unit::UsdPerMillionTokens(TokenKind::Output);
    for (text, unit, value, verdict) in [
        ("14%", Ratio, 0.141, Agrees),
        ("15%", Ratio, 0.141, Differs),
        ("+57%", PercentChange, 56.716, Agrees),
        ("+56.7%", PercentChange, 56.716, Agrees),
        ("+56.8%", PercentChange, 56.716, Differs),
        ("-0%", PercentChange, -0.1866, Agrees),
        ("−36%", PercentChange, -36.16, Agrees),
        ("-36%", PercentChange, 36.16, Differs),
        ("36%", PercentChange, -36.16, Differs),
        ("36% less", PercentChange, -36.16, Agrees),
        ("down 36%", PercentChange, -36.16, Agrees),
        ("less than 40% cheaper", PercentChange, -36.16, Agrees),
        ("less than 30% cheaper", PercentChange, -36.16, Differs),
        ("over 50%", PercentChange, 56.716, Agrees),
        ("over 57%", PercentChange, 56.716, Differs),
        ("under 57%", PercentChange, 56.716, Agrees),
        ("$0.289", tokens, 0.28928, Agrees),
        ("$0.29 per 1M output tokens", tokens, 0.28928, Agrees),
        ("$0.28", tokens, 0.28928, Differs),
        ("about 140,250 tokens", Unit::Tokens, 140_250.0, Agrees),
        ("140,000 tokens", Unit::Tokens, 140_250.0, Differs),
        ("~140,000 tokens", Unit::Tokens, 140_250.0, Agrees),
        ("140K tokens", Unit::Tokens, 140_250.0, Agrees),
        ("33.5 million tokens", Unit::Tokens, 33_540_000.0, Agrees),
        ("33.5M", Unit::Tokens, 33_540_000.0, Agrees),
        ("5.9B", Unit::Tokens, 5.93e9, Agrees),
        ("23x", Ratio, 23.13, Agrees),
        ("1.54×", Ratio, 1.537, Agrees),
        ("1.54 times", Ratio, 1.537, Agrees),
        ("$5,891 a month", Unit::UsdPerMonth, 5891.1, Agrees),
        ("5 replicas", Unit::Count("replicas"), 5.0, Agrees),
        ("5 replicas", Unit::Count("replicas"), 8.0, Differs),
        ("2.3 s", Unit::Milliseconds, 2300.0, Agrees),
        ("607 W", Unit::Kilowatts, 0.607, Agrees),
        ("8,508 output tok/s", Unit::TokensPerSecond(TokenKind::Output), 8508.3, Agrees),
        ("8.5k tokens per second", Unit::TokensPerSecond(TokenKind::Output), 8508.3, Agrees),
        ("21 requests per second", Unit::RequestsPerSecond, 21.0, Agrees),
        ("72 KiB", Unit::BytesPerToken, 73_728.0, Agrees),
        ("73.7 kB", Unit::BytesPerToken, 73_728.0, Agrees),
        ("73.8 kB", Unit::BytesPerToken, 73_728.0, Differs),
        ("$9.8k", Unit::UsdPerMonth, 9818.5, Agrees),
        ("$9.9k", Unit::UsdPerMonth, 9818.5, Differs),
        ("47% lower", PercentChange, -47.015, Agrees),
        ("47% higher", PercentChange, -47.015, Differs),
    ] {
        assert_eq!(matches(text, unit, value), verdict, "{text} {value}");
    }
}

/// Hazard K6: the label must match the divisor.
#[test]
fn gigabytes_are_not_gibibytes() {
    let gib = 9_830_400_000.0 / 1_073_741_824.0;
    assert_eq!(matches("9.16 GiB", Unit::Gib, gib), Match::Agrees);
    assert_eq!(matches("9.83 GB", Unit::Gib, gib), Match::Agrees);
    assert_eq!(matches("9.16 GB", Unit::Gib, gib), Match::Differs);
    assert_eq!(matches("9.83 GiB", Unit::Gib, gib), Match::Differs);
    assert_eq!(matches("64 KiB per token", Unit::BytesPerToken, 65_536.0), Match::Agrees);
    assert_eq!(matches("64 KB per token", Unit::BytesPerToken, 65_536.0), Match::Differs);
    assert_eq!(matches("65,536 B/token", Unit::BytesPerToken, 65_536.0), Match::Agrees);
}

#[test]
fn another_kind_of_unit_is_never_the_same_number() {
    assert_eq!(matches("1.57x", Unit::PercentChange, 1.57), Match::OtherUnit);
    // A percentage of something is a hundredth as many times it.
    assert_eq!(matches("57%", Unit::Ratio, 57.0), Match::Differs);
    assert_eq!(matches("57%", Unit::Milliseconds, 57.0), Match::OtherUnit);
    assert_eq!(matches("$5", Unit::RequestsPerSecond, 5.0), Match::OtherUnit);
    let output = Unit::TokensPerSecond(TokenKind::Output);
    assert_eq!(matches("9,216 total tok/s", output, 9216.0), Match::OtherUnit);
    assert_eq!(matches("1,024 tokens", output, 1024.0), Match::OtherUnit);
    let price = Unit::UsdPerMillionTokens(TokenKind::Output);
    assert_eq!(matches("$0.29 per million input tokens", price, 0.289), Match::OtherUnit);
}

#[test]
fn an_amount_is_for_what_its_words_say() {
    use Match::{Agrees, Differs, OtherUnit};
    let cost = Unit::UsdPerMillionTokens(TokenKind::Output);
    for (text, unit, value, verdict) in [
        ("$0.924 per 1M output tokens", cost, 0.924, Agrees),
        ("$0.924 per 1K output tokens", cost, 0.924, Differs),
        ("$0.000924 per 1K output tokens", cost, 0.924, Agrees),
        ("$0.924/Mtok", cost, 0.924, Agrees),
        ("$0.924 per million tokens", cost, 0.924, Agrees),
        ("$0.924 per thousand tokens", cost, 0.924, Differs),
        ("$0.924 per 1,000,000 tokens", cost, 0.924, Agrees),
        ("$0.924 per token", cost, 0.924, Differs),
        ("$0.924 per 1,000 requests", cost, 0.924, OtherUnit),
        ("$0.924 an hour", cost, 0.924, OtherUnit),
        ("$0.924 per 1,000 requests", Unit::UsdPerThousandRequests, 0.924, Agrees),
        ("$0.924 per request", Unit::UsdPerThousandRequests, 0.924, Differs),
        ("$2.69 per GPU-hour", Unit::UsdPerGpuHour, 2.69, Agrees),
        ("$2.69/h", Unit::UsdPerGpuHour, 2.69, Agrees),
        ("$2.69 per node-hour", Unit::UsdPerGpuHour, 2.69, OtherUnit),
        ("$2.69 per month", Unit::UsdPerHour, 2.69, OtherUnit),
        ("$5,891 a month", Unit::UsdPerMonth, 5891.0, Agrees),
        ("$5,891 a year", Unit::UsdPerMonth, 5891.0, Differs),
        ("$70,692 a year", Unit::UsdPerMonth, 5891.0, Agrees),
        ("$0.289/1K tokens", cost, 0.289, Differs),
        ("$0.289/1M tokens", cost, 0.289, Agrees),
        ("€0.289", cost, 0.289, OtherUnit),
        ("0.289 EUR", cost, 0.289, OtherUnit),
        ("0.289 $", cost, 0.289, Agrees),
        ("56.7 $", Unit::PercentChange, 56.7, OtherUnit),
        ("5%", Unit::Count("replicas"), 5.0, OtherUnit),
        ("5x", Unit::Count("replicas"), 5.0, OtherUnit),
        ("5 GPUs", Unit::Count("replicas"), 5.0, OtherUnit),
        ("5 layers", Unit::Count("requests"), 5.0, OtherUnit),
        ("8 GPUs", Unit::Count("cards"), 8.0, Agrees),
        ("5 heads", Unit::Layers, 5.0, OtherUnit),
        ("8 concurrent", Unit::Count("concurrent requests"), 8.0, Agrees),
        ("5 replicas", Unit::Count("replicas"), 5.0, Agrees),
        ("about $6,000", Unit::UsdPerMonth, 5891.0, Agrees),
        ("about $6,000", Unit::UsdPerMonth, 5600.0, Differs),
        ("$6,000", Unit::UsdPerMonth, 5891.0, Differs),
        ("a loss of 56.7%", Unit::PercentChange, 56.7, Differs),
        ("$0.10 per kWh", Unit::UsdPerKwh, 0.1, Agrees),
        ("$2.69", Unit::UsdPerGpuHour, 2.69, Agrees),
        ("$2.69 per whatever", Unit::UsdPerGpuHour, 2.69, Agrees),
        ("5.81 output tokens per joule", Unit::TokensPerJoule(TokenKind::Output), 5.81, Agrees),
        ("5.81 tokens a joule", Unit::TokensPerJoule(TokenKind::Output), 5.81, Agrees),
        ("5.81 tokens per J", Unit::TokensPerJoule(TokenKind::Output), 5.82, Differs),
        ("5.81 input tokens per joule", Unit::TokensPerJoule(TokenKind::Output), 5.81, OtherUnit),
        ("20,916 tokens per watt-hour", Unit::TokensPerJoule(TokenKind::Output), 5.81, Agrees),
        ("20,916 output tokens per Wh", Unit::TokensPerWattHour(TokenKind::Output), 20_916.0, Agrees),
        ("3,020,979 output tokens per $1", Unit::TokensPerUsd(TokenKind::Output), 3_020_979.0, Agrees),
        ("3,020,979 output tokens per $1.", Unit::TokensPerUsd(TokenKind::Output), 3_020_979.0, Agrees),
        ("3,020,979 output tokens per $1.50", Unit::TokensPerUsd(TokenKind::Output), 3_020_979.0, OtherUnit),
        ("3,020,979 output tokens per dollar", Unit::TokensPerUsd(TokenKind::Output), 3_020_979.0, Agrees),
        ("3.02 million output tokens per dollar", Unit::TokensPerUsd(TokenKind::Output), 3_020_979.0, Agrees),
        ("172 millijoules", Unit::JoulesPerToken(TokenKind::Output), 0.172, Agrees),
        ("172 joules", Unit::JoulesPerToken(TokenKind::Output), 0.172, Differs),
        ("0.4 J/token", Unit::JoulesPerToken(TokenKind::Output), 0.4, Agrees),
        ("0.4 kJ per 1K tokens", Unit::JoulesPerToken(TokenKind::Output), 0.4, Agrees),
        ("0.4 J per 1K tokens", Unit::JoulesPerToken(TokenKind::Output), 0.4, Differs),
        ("5.36 req/min", Unit::RequestsPerSecond, 5.36, Differs),
        ("321.6 requests per minute", Unit::RequestsPerSecond, 5.36, Agrees),
        ("400 Gbit/s", Unit::GbPerSecond, 50.0, Agrees),
    ] {
        assert_eq!(matches(text, unit, value), verdict, "{text}");
    }
}

/// A point of a percentage is no percent of it.
#[test]
fn points_are_no_percent() {
    assert_eq!(matches("5.8 points", Unit::PercentChange, 5.8), Match::OtherUnit);
    assert_eq!(matches("5.8 percentage points", Unit::PercentChange, 5.8), Match::OtherUnit);
    assert_eq!(matches("5.8%", Unit::Points, 5.8), Match::OtherUnit);
    assert_eq!(matches("5.8 points", Unit::Points, 5.8), Match::Agrees);
    assert_eq!(matches("loses 1.4 to 5.2 points", Unit::Points, Quantity::between(-5.2, -1.4)), Match::Agrees);
    assert_eq!(matches("72 GB200", Unit::Number, 72.0), Match::Agrees);
    assert!(!numbers("72 GB200")[0].has_unit());
}

#[test]
fn one_number_does_not_say_an_interval() {
    let (unit, grid) = (Unit::Percent, Quantity::between(4.7, 7.5));
    for (text, says) in
        [("5%", false), ("4.7–7.5%", true), ("about 6%", true), ("under 8%", true), ("5% and less", false)]
    {
        assert_eq!(numbers(text)[0].says_all_of(unit, grid, Sense::PLAIN), says, "{text}");
    }
    assert!(numbers("6%")[0].says_all_of(unit, Quantity::between(5.6, 6.4), Sense::PLAIN));
    assert!(numbers("5.8%")[0].says_all_of(unit, 5.8.into(), Sense::PLAIN));
    // Nor is a value an interval, though it may lie in one.
    for (text, says) in
        [("56.7% to 99%", false), ("50–60%", false), ("between 50% and 60%", true), ("about 50–60%", true)]
    {
        assert_eq!(numbers(text)[0].says_all_of(unit, 56.7.into(), Sense::PLAIN), says, "{text}");
    }
}

#[test]
fn intervals_agree_end_by_end_and_hold_what_lies_inside() {
    let rate = Quantity::between(43.0, 45.0);
    assert_eq!(matches("43–45%", Unit::Percent, rate), Match::Agrees);
    assert_eq!(matches("43-45%", Unit::Percent, rate), Match::Agrees);
    assert_eq!(matches("42–45%", Unit::Percent, rate), Match::Differs);
    assert_eq!(matches("43 to 45%", Unit::Percent, rate), Match::Agrees);
    assert_eq!(matches("43% - 45%", Unit::Percent, rate), Match::Agrees);
    assert_eq!(matches("$0.28–$0.30", Unit::UsdPerHour, 0.2893), Match::Agrees);
    assert_eq!(matches("−47 to −36%", Unit::PercentChange, -40.0), Match::Agrees);
    assert_eq!(matches("5 replicas", Unit::Count("replicas"), Quantity::between(5.0, 6.0)), Match::Agrees);
    assert_eq!(matches("4 replicas", Unit::Count("replicas"), Quantity::between(5.0, 6.0)), Match::Differs);
    assert_eq!(matches("16-bit", Unit::Number, 16.0), Match::Agrees);
    assert_eq!(matches("44%", Unit::Percent, rate), Match::Agrees);
    assert_eq!(matches("46%", Unit::Percent, rate), Match::Differs);
    assert_eq!(matches("43–45%", Unit::Percent, 44.2), Match::Agrees);
    assert_eq!(matches("33.5–35.1M tokens", Unit::Tokens, Quantity::between(33.54e6, 35.1e6)), Match::Agrees);
    assert_eq!(matches("over 40%", Unit::Percent, rate), Match::Agrees);
    assert_eq!(matches("over 44%", Unit::Percent, rate), Match::Differs);
}

#[test]
fn names_versions_dates_and_denominators_are_no_numbers() {
    for text in [
        "H100 p99 FP8 Qwen3-30B-A3B-Instruct-2507 Qwen3.8-27B",
        "vLLM 0.31.0",
        "2026-10-29 and 2026-10",
        "at 12:30, the 4th",
        "per 1M tokens, per 1,000 requests",
        "none passed",
    ] {
        assert_eq!(numbers(text), [], "{text}");
    }
    let found = |text: &str| numbers(text).into_iter().map(|number| text[number.span].to_owned()).collect::<Vec<_>>();
    assert_eq!(found("a 150,000-token replay in 2.3 s instead of 53.2 s"), ["150,000", "2.3", "53.2"]);
    assert_eq!(found("p99 TTFT ≤ 2 s, 4 x 4 heads, ±1.5% (16)."), ["2", "4", "4", "1.5", "16"]);
    assert_eq!(found("from 5.36 to 8.40, then 43–45%"), ["5.36 to 8.40", "43–45"]);
    assert_eq!(found("by 13.5% to 32,768 tokens"), ["13.5", "32,768"]);
    assert_eq!(found("from 8.40 to 5.36"), ["8.40", "5.36"]);
    assert_eq!(found("8 - 5, a fall - 36%"), ["8", "5", "36"]);
    assert_eq!(numbers("a fall - 36%")[0].ends(), Quantity::exact(36.0));
}

/// `no more than` is `at most`, and what is not a number is another.
#[test]
fn a_denial_turns_a_bound_around() {
    let cost = Unit::UsdPerMillionTokens(TokenKind::Output);
    let replicas = Unit::Count("replicas");
    for (text, unit, value, agrees) in [
        ("no more than $0.20", cost, 0.289, false),
        ("no more than $0.30", cost, 0.289, true),
        ("not more than $0.20", cost, 0.289, false),
        ("no less than $0.40", cost, 0.289, false),
        ("no less than $0.20", cost, 0.289, true),
        ("not under $0.40", cost, 0.289, false),
        ("never above $0.20", cost, 0.289, false),
        ("never rises above $0.30", cost, 0.289, true),
        ("no higher than $0.30", cost, 0.289, true),
        ("no lower than $0.30", cost, 0.289, false),
        ("does not exceed $0.30", cost, 0.289, true),
        ("doesn't exceed $0.20", cost, 0.289, false),
        ("exceeds $0.20", cost, 0.289, true),
        ("exceeds $0.30", cost, 0.289, false),
        ("not only over $0.20", cost, 0.289, true),
        ("with no cache over $0.20", cost, 0.289, true),
        ("no more than about $0.30", cost, 0.302, true),
        ("not $0.289", cost, 0.289, false),
        ("is not exactly $0.289", cost, 0.289, false),
        ("≠ $0.289", cost, 0.289, false),
        ("not $0.30", cost, 0.289, false),
        ("no more than 3 replicas", replicas, 5.0, false),
        ("no more than 5 replicas", replicas, 5.0, true),
        ("no fewer than 9 replicas", replicas, 5.0, false),
        ("no fewer than 5 replicas", replicas, 5.0, true),
        ("not 5 replicas", replicas, 5.0, false),
        ("not fewer than 5 or so, 5 replicas", replicas, 5.0, true),
        ("not at least 5 replicas", replicas, 5.0, false),
        ("not at most 5 replicas", replicas, 5.0, false),
        ("not between 4 and 6 replicas", replicas, 5.0, false),
        ("no less than 30% cheaper", Unit::PercentChange, -36.16, true),
        ("no less than 40% cheaper", Unit::PercentChange, -36.16, false),
    ] {
        let agree = numbers(text).iter().all(|number| number.matches(unit, value.into()) == Match::Agrees);
        assert_eq!(agree, agrees, "{text} of {value}");
    }
}

#[test]
fn a_strict_bound_is_not_the_value_itself() {
    let replicas = Unit::Count("replicas");
    for (text, of_four, of_five, of_six) in [
        ("<5", true, false, false),
        ("< 5 replicas", true, false, false),
        ("fewer than 5 replicas", true, false, false),
        ("less than 5", true, false, false),
        ("under 5", true, false, false),
        ("below 5", true, false, false),
        ("lower than 5", true, false, false),
        (">5", false, false, true),
        ("more than 5 replicas", false, false, true),
        ("over 5", false, false, true),
        ("above 5", false, false, true),
        ("exceeds 5", false, false, true),
        ("beyond 5", false, false, true),
        ("at least 5", false, true, true),
        ("≥ 5", false, true, true),
        (">= 5", false, true, true),
        ("5 or more", false, true, true),
        ("5 replicas or more", false, true, true),
        ("5+ replicas", false, true, true),
        ("5 replicas at least", false, true, true),
        ("at most 5", true, true, false),
        ("up to 5", true, true, false),
        ("≤ 5", true, true, false),
        ("<= 5", true, true, false),
        ("5 replicas at most", true, true, false),
        ("5 or fewer replicas", true, true, false),
        ("-> 5 replicas", false, true, false),
        ("between 4 and 6 replicas", true, true, true),
        ("between 4 replicas and 6 replicas", true, true, true),
        ("from 5 to 6 replicas", false, true, true),
        ("between 5 and 6", false, true, true),
    ] {
        for (value, agrees) in [(4.0, of_four), (5.0, of_five), (6.0, of_six)] {
            assert_eq!(matches(text, replicas, value) == Match::Agrees, agrees, "{text} of {value}");
        }
    }
    assert_eq!(matches("over 50%", Unit::PercentChange, 50.0), Match::Differs);
    assert_eq!(matches("more than 36% cheaper", Unit::PercentChange, -36.0), Match::Differs);
    assert_eq!(matches("more than 35% cheaper", Unit::PercentChange, -36.0), Match::Agrees);
    let ends: Vec<_> = numbers("5 users at most 9").iter().map(|number| number.bound).collect();
    assert_eq!(ends, [None, Some(Bound::AtMost)]);
}

#[test]
fn money_is_written_in_many_ways() {
    let cost = Unit::UsdPerMillionTokens(TokenKind::Output);
    for (text, verdict) in [
        ("$.289", Match::Agrees),
        ("$.28", Match::Differs),
        ("¢28.9", Match::Agrees),
        ("28.9¢", Match::Agrees),
        ("28.9 cents", Match::Agrees),
        ("¢0.289", Match::Differs),
        ("a million output tokens cost $0.289", Match::Agrees),
        ("one million tokens cost about $0.289", Match::Agrees),
        ("a million input tokens cost $0.289", Match::OtherUnit),
        ("a thousand output tokens cost $0.289", Match::Differs),
        ("output tokens cost $0.289", Match::Agrees),
        ("input tokens cost $0.289", Match::OtherUnit),
        ("a GPU-hour costs $0.289", Match::OtherUnit),
        ("$0.289 for each request", Match::OtherUnit),
        ("USD 0.289", Match::Agrees),
        ("US$0.289", Match::Agrees),
        ("USD $0.289", Match::Agrees),
        ("FP8 $0.289", Match::Agrees),
        ("FP8 at 0.289", Match::Agrees),
        ("A$0.289", Match::OtherUnit),
        ("CAD $0.289", Match::OtherUnit),
        ("CAD 0.289", Match::OtherUnit),
        ("$0.289 Canadian", Match::OtherUnit),
        ("0.289 Canadian dollars", Match::OtherUnit),
        ("0.289 Hong Kong dollars", Match::OtherUnit),
        ("28.9 Australian cents", Match::OtherUnit),
        ("₹0.289", Match::OtherUnit),
        ("₩0.289", Match::OtherUnit),
        ("0.289 €", Match::OtherUnit),
        ("0.289 kr", Match::OtherUnit),
        ("Rs 0.289", Match::OtherUnit),
    ] {
        assert_eq!(matches(text, cost, 0.289), verdict, "{text}");
    }
    assert_eq!(numbers("section 3.5")[0].ends(), Quantity::exact(3.5));
    assert_eq!(numbers("… .5")[0].ends(), Quantity::exact(0.5));
}

#[test]
fn a_unit_that_nothing_knows_is_none_of_ours() {
    let rate = Unit::TokensPerSecond(TokenKind::Output);
    for (text, unit, value, verdict) in [
        ("1.6 tok/W", Unit::TokensPerJoule(TokenKind::Output), 1.6, Match::OtherUnit),
        ("55 samples per second", rate, 55.0, Match::OtherUnit),
        ("55 samples/s", Unit::RequestsPerSecond, 55.0, Match::OtherUnit),
        ("55 TFLOPS", rate, 55.0, Match::OtherUnit),
        ("55 tokens a second", rate, 55.0, Match::Agrees),
        ("55 t/s", rate, 55.0, Match::Agrees),
        ("3,300 generated text tokens per minute", rate, 55.0, Match::Agrees),
        ("55 prefill tokens per second", rate, 55.0, Match::OtherUnit),
        ("8 completed requests a second", Unit::RequestsPerSecond, 8.0, Match::Agrees),
        ("34 mW", Unit::Watts, 0.034, Match::Agrees),
        ("50 GB per second", Unit::GbPerSecond, 50.0, Match::Agrees),
        ("72 B a token", Unit::BytesPerToken, 72.0, Match::Agrees),
        ("72 B per 1K tokens", Unit::BytesPerToken, 72.0, Match::Differs),
        ("2 V100", Unit::Number, 2.0, Match::Agrees),
        ("4 prompt/answer pairs", Unit::Count("pairs"), 4.0, Match::Agrees),
    ] {
        assert_eq!(matches(text, unit, value), verdict, "{text}");
    }
}

#[test]
fn gigabytes_may_be_meant_in_powers_of_1024() {
    let binary = |text: &str| numbers(text)[0].matches_in_binary(Unit::Gib, 9.155.into());
    for (text, agrees) in
        [("9.16 GB", true), ("9,375 MB", true), ("9.83 GB", false), ("9.16 GiB", false), ("9.16", false)]
    {
        assert_eq!(binary(text), agrees, "{text}");
    }
}

fn any_unit() -> impl Strategy<Value = Unit> {
    prop::sample::select(vec![
        Unit::Percent,
        Unit::PercentChange,
        Unit::Ratio,
        Unit::Gib,
        Unit::Bytes,
        Unit::BytesPerToken,
        Unit::TrafficBytesPerOutputToken,
        Unit::Tokens,
        Unit::TbPerSecond,
        Unit::GbPerSecond,
        Unit::Milliseconds,
        Unit::Kilowatts,
        Unit::RequestsPerSecond,
        Unit::TokensPerSecond(TokenKind::Output),
        Unit::TokensPerJoule(TokenKind::Output),
        Unit::JoulesPerToken(TokenKind::Output),
        Unit::UsdPerHour,
        Unit::UsdPerGpuHour,
        Unit::UsdPerNodeHour,
        Unit::UsdPerKwh,
        Unit::TokensPerUsd(TokenKind::Output),
        Unit::TokensPerWattHour(TokenKind::Output),
        Unit::TokensPerRequest(TokenKind::Output),
        Unit::TokensPerSecondPerGpu(TokenKind::Total),
        Unit::Tib,
        Unit::Points,
        Unit::UsdPerMonth,
        Unit::UsdPerMillionTokens(TokenKind::Output),
        Unit::UsdPerThousandRequests,
        Unit::Count("replicas"),
    ])
}

proptest! {
    /// What we print reads back as what we printed.
    #[test]
    fn every_figure_as_shown_agrees_with_itself(unit in any_unit(), mantissa in 1.0..10f64, power in -3..9i32) {
        let quantity = Quantity::exact(mantissa * 10f64.powi(power));
        prop_assert_eq!(matches(&unit.show(quantity), unit, quantity), Match::Agrees, "{}", unit.show(quantity));
    }

    /// Any text is read without a panic.
    #[test]
    fn any_text_is_read(text in "[-–−+~$%×. ,a-z0-9kMBé]{0,40}") {
        let _ = numbers(&text);
    }
}

#[test]
fn one_digit_far_from_the_value_is_coarse() {
    for (text, value, coarse) in [
        ("4x", 3.56, true),
        ("2x", 1.88, true),
        ("2x", 1.91, false),
        ("5x", 4.97, false),
        ("4.0x", 3.56, false),
        ("23x", 23.4, false),
        ("up to 4x", 3.56, false),
        ("3–4x", 3.2, false),
    ] {
        assert_eq!(numbers(text)[0].is_coarse(Unit::Ratio, value.into()), coarse, "{text} of {value}");
    }
}
