//! Words beside a number that say which way a change goes, and what it is of.

use super::super::super::Better::{Higher, Lower, Neither};
use super::*;

/// `faster` is more of a rate and less of a time.
#[test]
fn faster_and_slower_are_ways_that_a_change_goes() {
    use Unit::{PercentChange, Ratio};
    for (text, unit, value, better, agrees) in [
        ("20% faster", PercentChange, 20.0, Higher, true),
        ("20% slower", PercentChange, 20.0, Higher, false),
        ("20% slower", PercentChange, -20.0, Higher, true),
        ("20% faster", PercentChange, -20.0, Lower, true),
        ("improves by 20%", PercentChange, -20.0, Lower, true),
        ("20% slower", PercentChange, 20.0, Lower, true),
        ("20% worse", PercentChange, -20.0, Lower, false),
        ("20% slower", PercentChange, 20.0, Neither, true),
        ("20% lower, which is better", PercentChange, -20.0, Lower, true),
        ("1.2x faster", Ratio, 1.2, Higher, true),
        ("1.2x slower", Ratio, 1.2, Higher, false),
        ("0.8x, faster", Ratio, 0.8, Higher, false),
        ("1.2x slower", Ratio, 1.2, Neither, true),
    ] {
        let sense = Sense { better, way: Way::Rises };
        let matched = numbers(text)[0].matches_change(unit, value.into(), sense);
        assert_eq!(matched == Match::Agrees, agrees, "{text} of {value}, {better:?}");
    }
}

/// `less` of what is more, `dearer` of a saving.
#[test]
fn words_for_a_change_are_held_against_its_way() {
    use Unit::{PercentChange, Points, Ratio, UsdPerMonth};
    use Way::{Either, Falls, Rises};
    for (text, unit, value, better, way, agrees) in [
        ("1.57 times less", Ratio, 1.57, Higher, Rises, false),
        ("1.57 times more", Ratio, 1.57, Higher, Rises, true),
        ("1.57 times cheaper", Ratio, 1.57, Higher, Rises, false),
        ("1.57x slower", Ratio, 1.57, Higher, Rises, false),
        ("1.57x slower", Ratio, 1.57, Lower, Rises, true),
        ("1.57x faster", Ratio, 1.57, Lower, Rises, false),
        ("0.54 of it, which is less", Ratio, 0.54, Neither, Rises, true),
        ("0.54x more", Ratio, 0.54, Neither, Rises, false),
        ("5.63 times less", Ratio, 5.63, Neither, Falls, true),
        ("5.63 times more", Ratio, 5.63, Neither, Falls, false),
        ("36% below the baseline", PercentChange, -36.0, Lower, Rises, true),
        ("36% under the baseline", PercentChange, -36.0, Lower, Rises, true),
        ("36% over the baseline", PercentChange, -36.0, Lower, Rises, false),
        ("36% under that of the other", PercentChange, -36.0, Lower, Rises, true),
        ("36% under the SLO", PercentChange, 36.0, Higher, Rises, true),
        ("36% off the bill", PercentChange, -36.0, Lower, Rises, true),
        ("3.56x smaller", Ratio, 3.56, Higher, Either, true),
        ("3.56x larger", Ratio, 3.56, Higher, Either, true),
        ("saves $5,891 a month", UsdPerMonth, 5891.0, Higher, Falls, true),
        ("$5,891 a month less", UsdPerMonth, 5891.0, Higher, Falls, true),
        ("$5,891 a month cheaper", UsdPerMonth, 5891.0, Higher, Falls, true),
        ("costs $5,891 a month more", UsdPerMonth, 5891.0, Higher, Falls, false),
        ("$5,891 a month dearer", UsdPerMonth, 5891.0, Higher, Falls, false),
        ("$5,891 a month more expensive", UsdPerMonth, 5891.0, Higher, Falls, false),
        ("a loss of $5,891 a month", UsdPerMonth, 5891.0, Higher, Falls, false),
        ("costs $500 a month more", UsdPerMonth, -500.0, Higher, Falls, true),
        ("saves $500 a month", UsdPerMonth, -500.0, Higher, Falls, false),
        ("loses 1.5 points", Points, 1.5, Lower, Falls, true),
        ("gains 1.5 points, 1.5 points more", Points, 1.5, Lower, Falls, false),
        ("36% dearer", PercentChange, -36.0, Lower, Rises, false),
        ("36% dearer", PercentChange, 36.0, Lower, Rises, true),
        ("-36% dearer", PercentChange, -36.0, Lower, Rises, false),
        ("+36% cheaper", PercentChange, 36.0, Lower, Rises, false),
        ("-36% cheaper", PercentChange, -36.0, Lower, Rises, true),
        ("+36% with less memory", PercentChange, 36.0, Higher, Rises, true),
        // What is lost is for the worse: less of a rate, more of a perplexity.
        ("loses 2.4%", PercentChange, 2.4, Lower, Rises, true),
        ("loses 2.4%", PercentChange, 2.4, Higher, Rises, false),
        ("a loss of 2.4%", PercentChange, 2.4, Neither, Rises, false),
    ] {
        let sense = Sense { better, way };
        let all = numbers(text).iter().all(|number| number.matches_change(unit, value.into(), sense) == Match::Agrees);
        assert_eq!(all, agrees, "{text} of {value}, {sense:?}");
    }
}

#[test]
fn a_unit_and_what_it_is_for_are_those_of_the_value() {
    use Match::{Agrees, Differs, OtherUnit};
    let token = Unit::BytesPerToken;
    for (text, unit, value, verdict) in [
        ("98,304 bytes per token", token, 98_304.0, Agrees),
        ("98,304 bits per token", token, 98_304.0, Differs),
        ("786,432 bits per token", token, 98_304.0, Agrees),
        ("98,304 bits", token, 98_304.0, Differs),
        ("4-bit", Unit::Bytes, 0.5, Agrees),
        ("98,304 Kbit", token, 98_304.0, OtherUnit),
        ("98,304 bytes per layer", token, 98_304.0, OtherUnit),
        ("98,304 bytes a layer", token, 98_304.0, OtherUnit),
        ("98,304 B/head", token, 98_304.0, OtherUnit),
        ("98,304 B for a token", token, 98_304.0, Agrees),
        ("98,304 B for each sequence", token, 98_304.0, OtherUnit),
        ("9.16 GiB per token", Unit::Gib, 9.16, OtherUnit),
        ("9.16 GiB for each layer", Unit::Gib, 9.16, OtherUnit),
        ("9.16 GiB per sequence", Unit::Gib, 9.16, Agrees),
        ("9.16 GiB per 150,000 tokens", Unit::Gib, 9.16, Agrees),
        ("56.7 GPUs", Unit::PercentChange, 56.7, OtherUnit),
        ("56.7 GPUs", Unit::TokensPerSecond(TokenKind::Output), 56.7, OtherUnit),
        ("21 requests", Unit::RequestsPerSecond, 21.0, Agrees),
        ("1.44 sequences", Unit::Ratio, 1.44, Agrees),
        ("307 tokens per request", Unit::TokensPerRequest(TokenKind::Output), 307.0, Agrees),
        ("307 tokens per user", Unit::TokensPerRequest(TokenKind::Output), 307.0, OtherUnit),
        ("$0.289 per second", Unit::UsdPerMillionTokens(TokenKind::Output), 0.289, OtherUnit),
        ("$289 per 1B output tokens", Unit::UsdPerMillionTokens(TokenKind::Output), 0.289, Agrees),
        ("$0.289 per 1B output tokens", Unit::UsdPerMillionTokens(TokenKind::Output), 0.289, Differs),
        ("$0.289 for 1,000 output tokens", Unit::UsdPerMillionTokens(TokenKind::Output), 0.289, Differs),
        ("$0.289 for every 1,000 tokens", Unit::UsdPerMillionTokens(TokenKind::Output), 0.289, Differs),
        ("$0.289 for 1M output tokens", Unit::UsdPerMillionTokens(TokenKind::Output), 0.289, Agrees),
        ("5 replicas more", Unit::Count("replicas"), 5.0, Differs),
        ("5½ replicas", Unit::Count("replicas"), 5.0, Differs),
        ("5 ½ replicas", Unit::Count("replicas"), 5.0, Differs),
        ("5 1/2 replicas", Unit::Count("replicas"), 5.0, Differs),
        ("½ of it", Unit::Ratio, 0.5, Agrees),
        ("1/2 of it", Unit::Ratio, 1.0, Differs),
        ("1/2 of it", Unit::Ratio, 0.52, Agrees),
        ("2½ times", Unit::Ratio, 2.48, Agrees),
        ("2½ times", Unit::Ratio, 2.0, Differs),
        ("48/50", Unit::Number, 48.0, Agrees),
    ] {
        assert_eq!(matches(text, unit, value), verdict, "{text}");
    }
}
