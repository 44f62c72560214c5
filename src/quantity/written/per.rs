//! What an amount is for: `per 1K output tokens`, `/GPU-hour`, `a month`.

use super::super::{TokenKind, Unit};
use super::units::{kind_near, multiplier};

/// Days of an average month: 730 hours, as prices by the month are reckoned.
const MONTH_DAYS: f64 = 730.0 / 24.0;

/// What an amount of dollars, joules or tokens a second is for, with how many of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Per {
    Tokens(f64),
    Requests(f64),
    User,
    Gpu,
    Node,
    Hour,
    GpuHour,
    NodeHour,
    KilowattHour,
    Days(f64),
    /// What no amount of ours is for: `per layer`.
    Other(&'static str),
}

/// Things that amounts of others are for.
const OTHERS: [&str; 16] = [
    "layer",
    "head",
    "sequence",
    "second",
    "minute",
    "replica",
    "config",
    "configuration",
    "block",
    "page",
    "expert",
    "question",
    "element",
    "value",
    "watt",
    "conversation",
];

impl Per {
    /// Reads what follows an amount: ` per 1K output tokens`, `/Mtok`, ` per GPU-hour`, ` for each request`.
    pub fn after(text: &str) -> Option<Self> {
        const EACH: [&str; 12] = [
            "/",
            "per ",
            "a ",
            "an ",
            "each ",
            "every ",
            "for each ",
            "for every ",
            "for a ",
            "in each ",
            "in every ",
            "of each ",
        ];
        let text = text.trim_start();
        // `$0.29 for 1,000 tokens`
        let is_number = |text: &&str| text.starts_with(|part: char| part.is_ascii_digit());
        let of_number = || text.strip_prefix("for ").filter(is_number);
        let text = EACH.iter().find_map(|each| text.strip_prefix(each)).or_else(of_number)?;
        let mut words = text.split(|part: char| part.is_whitespace() || part == '-').filter(|word| !word.is_empty());
        let mut word = words.next()?;
        let mut count = 1.0;
        let digits = word.find(|part: char| !part.is_ascii_digit() && part != ',').unwrap_or(word.len());
        if digits > 0 {
            count = word[..digits].replace(',', "").parse().ok()?;
            word = if digits < word.len() { &word[digits..] } else { words.next()? };
        }
        // `per 1M cached input tokens`
        for _ in 0..4 {
            let plain = word.trim_matches(|part: char| !part.is_alphanumeric());
            match plain.to_lowercase().trim_end_matches('s') {
                "tok" | "token" => return Some(Per::Tokens(count)),
                "ktok" => return Some(Per::Tokens(1e3 * count)),
                "mtok" => return Some(Per::Tokens(1e6 * count)),
                "req" | "request" => return Some(Per::Requests(count)),
                "user" | "stream" | "session" | "client" => return Some(Per::User),
                "h" | "hr" | "hour" => return Some(Per::Hour),
                "kwh" => return Some(Per::KilowattHour),
                "day" => return Some(Per::Days(count)),
                "week" => return Some(Per::Days(7.0 * count)),
                "month" => return Some(Per::Days(MONTH_DAYS * count)),
                "year" => return Some(Per::Days(12.0 * MONTH_DAYS * count)),
                // `per GPU-hour`
                of @ ("gpu" | "card" | "accelerator" | "node") => {
                    let is_hour = words.next().is_some_and(|word| {
                        let word = word.trim_matches(|part: char| !part.is_alphanumeric());
                        matches!(word, "h" | "hr" | "hour" | "hours")
                    });
                    return Some(match (of, is_hour) {
                        ("node", true) => Per::NodeHour,
                        ("node", false) => Per::Node,
                        (_, true) => Per::GpuHour,
                        (_, false) => Per::Gpu,
                    });
                }
                "input" | "output" | "total" | "cached" | "uncached" | "prompt" | "generated" | "blended" => {}
                other if OTHERS.contains(&other) => {
                    return OTHERS.into_iter().find(|known| *known == other).map(Per::Other);
                }
                "b" => count *= 1e9,
                _ => count *= multiplier(plain)?,
            }
            word = words.next()?;
        }
        None
    }

    /// What one amount is worth in another's terms; `None` where they are for unlike things.
    pub fn in_terms_of(self, other: Self) -> Option<f64> {
        match (self, other) {
            (Per::Tokens(own), Per::Tokens(other))
            | (Per::Requests(own), Per::Requests(other))
            | (Per::Days(own), Per::Days(other)) => Some(other / own),
            // An hour of what is often left unsaid.
            (Per::Hour, Per::GpuHour | Per::NodeHour) => Some(1.0),
            _ => (self == other).then_some(1.0),
        }
    }
}

/// What a price is for by the words before it, and the tokens that it counts: `a million output tokens cost`.
pub fn before_price(text: &str) -> (Option<Per>, Option<TokenKind>) {
    let Some((before, after)) = text.rsplit_once(" cost") else { return (None, None) };
    // `cost about`
    if after.trim_start_matches('s').split_whitespace().count() > 1 {
        return (None, None);
    }
    let words: Vec<&str> = before.split_whitespace().collect();
    let near = &words[words.len().saturating_sub(5)..];
    let each =
        near.iter().rposition(|word| matches!(*word, "a" | "an" | "one" | "each" | "every" | "per" | "A" | "One"));
    let what = near[each.map_or(0, |at| at + 1)..].join(" ");
    let tokens = kind_near(&what).filter(|_| what.ends_with("tokens") || what.ends_with("token"));
    (each.and_then(|_| Per::after(&format!("per {what}"))), tokens)
}

/// What an amount in a unit is for.
pub fn per_of(unit: Unit) -> Option<Per> {
    Some(match unit {
        Unit::UsdPerMillionTokens(_) => Per::Tokens(1e6),
        Unit::UsdPerThousandRequests => Per::Requests(1e3),
        Unit::UsdPerHour => Per::Hour,
        Unit::UsdPerGpuHour => Per::GpuHour,
        Unit::UsdPerNodeHour => Per::NodeHour,
        Unit::UsdPerKwh => Per::KilowattHour,
        Unit::UsdPerMonth => Per::Days(MONTH_DAYS),
        Unit::JoulesPerToken(_) | Unit::BytesPerToken | Unit::TrafficBytesPerOutputToken => Per::Tokens(1.0),
        Unit::TokensPerSecondPerGpu(_) => Per::Gpu,
        Unit::TokensPerRequest(_) => Per::Requests(1.0),
        _ => return None,
    })
}
