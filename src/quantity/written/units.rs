//! The words for units after a number, and what each unit of ours measures.

use super::super::{TokenKind, Unit};

/// What can be compared with what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    Percent,
    /// Points of a share or score in percent.
    Points,
    Ratio,
    Dollars,
    /// Money that is no dollars.
    OtherMoney,
    Bytes,
    BytesPerSecond,
    Seconds,
    Tokens,
    TokensPerSecond,
    RequestsPerSecond,
    Watts,
    Joules,
    TokensPerJoule,
}

/// What follows the digits: a multiplier, a unit, the kind of tokens.
pub struct Suffix {
    pub factor: f64,
    pub dimension: Option<(Dimension, f64)>,
    /// Whether the unit is a bare `B` at the digits, which may be billions.
    pub billions: bool,
    /// What follows the unit: `per 1K tokens`.
    pub per: Option<Per>,
    pub tokens: Option<TokenKind>,
}

impl Suffix {
    /// Reads what follows the digits; `None` where the digits are the start of a name, as in `4th` or `3D`.
    pub fn of(text: &str) -> Option<Self> {
        let plain = Suffix { factor: 1.0, dimension: None, billions: false, per: None, tokens: None };
        let length = text.find(|part: char| !is_of_a_unit(part)).unwrap_or(text.len());
        let (attached, rest) = text.split_at(length);
        let is_joined = rest.starts_with(|part: char| part.is_ascii_digit() || part == '_');
        // `$0.29/1M tokens`
        if is_joined && !attached.is_empty() && attached != "/" {
            return None;
        }
        let suffix = match attached {
            "" => plain,
            // `$2.69/GPU-hour`
            _ if attached.starts_with('/') => return Some(plain),
            _ if unit(attached).is_some() => {
                let (dimension, billions) = (unit(attached), attached == "B");
                Suffix { dimension, billions, per: Per::of(attached, rest), tokens: kind_near(rest), ..plain }
            }
            _ => Suffix { factor: multiplier(attached)?, ..plain },
        };
        if suffix.dimension.is_some() {
            return Some(suffix);
        }
        let mut words = rest.trim_start_matches(['-', ' ', '\u{a0}', '\u{202f}']);
        let mut factor = suffix.factor;
        let first = word(words);
        if let ("thousand" | "million" | "billion" | "trillion", Some(by)) = (first, multiplier(first)) {
            factor *= by;
            words = words[first.len()..].trim_start();
        }
        let per = Per::of(word(words), &words[word(words).len()..]);
        // `72 GB200` are cards.
        let is_name = words[word(words).len()..].starts_with(|part: char| part.is_ascii_digit());
        let dimension = unit_phrase(words).filter(|_| !is_name);
        Some(Suffix { factor, dimension, billions: false, per, tokens: kind_near(words) })
    }
}

/// Days of an average month: 730 hours, as prices by the month are reckoned.
const MONTH_DAYS: f64 = 730.0 / 24.0;

/// What an amount of dollars or joules is for, with how many of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Per {
    Tokens(f64),
    Requests(f64),
    Hour,
    GpuHour,
    NodeHour,
    KilowattHour,
    Days(f64),
}

impl Per {
    /// Reads what follows an amount: ` per 1K output tokens`, `/Mtok`, ` per GPU-hour`.
    pub fn after(text: &str) -> Option<Self> {
        let text = text.trim_start();
        let text = ["/", "per ", "a ", "an ", "each "].iter().find_map(|each| text.strip_prefix(each))?;
        let mut words = text.split(|part: char| part.is_whitespace() || part == '-').filter(|word| !word.is_empty());
        let mut word = words.next()?;
        let mut count = 1.0;
        let digits = word.find(|part: char| !part.is_ascii_digit() && part != ',').unwrap_or(word.len());
        if digits > 0 {
            count = word[..digits].replace(',', "").parse().ok()?;
            word = if digits < word.len() { &word[digits..] } else { words.next()? };
        }
        // `per GPU-hour`, `per 1M cached input tokens`
        let mut of = "";
        for _ in 0..4 {
            let plain = word.trim_matches(|part: char| !part.is_alphanumeric());
            match plain.to_lowercase().trim_end_matches('s') {
                "tok" | "token" => return Some(Per::Tokens(count)),
                "ktok" => return Some(Per::Tokens(1e3 * count)),
                "mtok" => return Some(Per::Tokens(1e6 * count)),
                "req" | "request" => return Some(Per::Requests(count)),
                "h" | "hr" | "hour" if of == "gpu" => return Some(Per::GpuHour),
                "h" | "hr" | "hour" if of == "node" => return Some(Per::NodeHour),
                "h" | "hr" | "hour" => return Some(Per::Hour),
                "kwh" => return Some(Per::KilowattHour),
                "day" => return Some(Per::Days(count)),
                "week" => return Some(Per::Days(7.0 * count)),
                "month" => return Some(Per::Days(MONTH_DAYS * count)),
                "year" => return Some(Per::Days(12.0 * MONTH_DAYS * count)),
                "gpu" => of = "gpu",
                "node" => of = "node",
                "input" | "output" | "total" | "cached" | "uncached" | "prompt" | "generated" | "blended" => {}
                _ => count *= multiplier(plain)?,
            }
            word = words.next()?;
        }
        None
    }

    /// The same after a unit, which may hold it: `J/token`.
    fn of(unit: &str, rest: &str) -> Option<Self> {
        let joined = unit.split_once('/').map(|(_, what)| format!("/{what}{rest}"));
        Per::after(joined.as_deref().unwrap_or(rest))
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
        Unit::JoulesPerToken(_) => Per::Tokens(1.0),
        _ => return None,
    })
}

fn is_of_a_unit(part: char) -> bool {
    part.is_alphabetic() || matches!(part, '%' | '×' | '/' | '$' | '€' | '£' | '¥')
}

fn word(text: &str) -> &str {
    &text[..text.find(|part: char| !is_of_a_unit(part)).unwrap_or(text.len())]
}

fn multiplier(word: &str) -> Option<f64> {
    Some(match word {
        "k" | "K" | "thousand" => 1e3,
        "M" | "million" => 1e6,
        "bn" | "billion" => 1e9,
        "T" | "trillion" => 1e12,
        _ => return None,
    })
}

/// The unit that begins a text: `requests per second`, `output tok/s`, `GiB`.
fn unit_phrase(text: &str) -> Option<(Dimension, f64)> {
    let first = word(text);
    let rest = text[first.len()..].trim_start();
    let kind = matches!(first, "input" | "output" | "total" | "prompt" | "generated");
    if kind {
        return unit_phrase(rest);
    }
    let per_second = rest.strip_prefix("per ").and_then(|rest| match word(rest) {
        "second" | "s" => Some(1.0),
        "minute" => Some(1.0 / 60.0),
        "hour" => Some(1.0 / 3600.0),
        "day" => Some(1.0 / 86_400.0),
        _ => None,
    });
    match (first, per_second) {
        ("tokens" | "token", Some(scale)) => return Some((Dimension::TokensPerSecond, scale)),
        ("requests", Some(scale)) => return Some((Dimension::RequestsPerSecond, scale)),
        _ => {}
    }
    match first {
        "percentage" if matches!(word(rest), "points" | "point") => Some((Dimension::Points, 1.0)),
        // `4 x 4` multiplies.
        "x" | "×" => None,
        _ => unit(first),
    }
}

fn unit(word: &str) -> Option<(Dimension, f64)> {
    use Dimension as D;
    let word = word.trim_end_matches('/');
    let word = word.strip_suffix("/token").or_else(|| word.strip_suffix("/output")).unwrap_or(word);
    let word = word.strip_suffix("/input").unwrap_or(word);
    if let Some((_, bytes)) = SIZES.iter().find(|(symbol, _)| *symbol == word) {
        return Some((D::Bytes, *bytes));
    }
    Some(match word {
        "%" | "percent" => (D::Percent, 1.0),
        "points" | "point" | "pts" | "pp" => (D::Points, 1.0),
        "x" | "×" | "times" | "fold" => (D::Ratio, 1.0),
        "byte" | "bytes" => (D::Bytes, 1.0),
        "KB" => (D::Bytes, 1e3),
        "MB/s" => (D::BytesPerSecond, 1e6),
        "GB/s" => (D::BytesPerSecond, 1e9),
        "GiB/s" => (D::BytesPerSecond, 1_073_741_824.0),
        "TB/s" => (D::BytesPerSecond, 1e12),
        "Gbit/s" | "Gb/s" | "Gbps" => (D::BytesPerSecond, 0.125e9),
        "$" | "USD" | "dollar" | "dollars" => (D::Dollars, 1.0),
        "€" | "EUR" | "euro" | "euros" | "£" | "GBP" | "¥" | "JPY" | "CNY" | "RMB" => (D::OtherMoney, 1.0),
        "cent" | "cents" | "¢" => (D::Dollars, 0.01),
        "µs" | "us" | "microseconds" => (D::Seconds, 1e-6),
        "ms" | "milliseconds" => (D::Seconds, 1e-3),
        "s" | "sec" | "second" | "seconds" => (D::Seconds, 1.0),
        "minute" | "minutes" => (D::Seconds, 60.0),
        "hour" | "hours" => (D::Seconds, 3600.0),
        "token" | "tokens" | "tok/request" => (D::Tokens, 1.0),
        "tok/s" | "tokens/s" => (D::TokensPerSecond, 1.0),
        "tok/min" | "tokens/min" | "tokens/minute" => (D::TokensPerSecond, 1.0 / 60.0),
        "req/s" | "requests/s" | "rps" | "QPS" => (D::RequestsPerSecond, 1.0),
        "req/min" | "requests/min" | "requests/minute" | "rpm" => (D::RequestsPerSecond, 1.0 / 60.0),
        "W" | "watts" => (D::Watts, 1.0),
        "kW" => (D::Watts, 1e3),
        "MW" => (D::Watts, 1e6),
        "J" => (D::Joules, 1.0),
        "kJ" => (D::Joules, 1e3),
        "Wh" => (D::Joules, 3.6e3),
        "kWh" => (D::Joules, 3.6e6),
        "mJ" => (D::Joules, 1e-3),
        "tok/J" | "tokens/J" => (D::TokensPerJoule, 1.0),
        "tok/Wh" | "tokens/Wh" => (D::TokensPerJoule, 1.0 / 3600.0),
        _ => return None,
    })
}

/// Units of size with their bytes.
const SIZES: [(&str, f64); 11] = [
    ("B", 1.0),
    ("kB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("TB", 1e12),
    ("PB", 1e15),
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
    ("TiB", 1_099_511_627_776.0),
    ("PiB", 1_125_899_906_842_624.0),
];

/// The unit of size that is so many bytes.
pub fn symbol_of_bytes(bytes: f64) -> Option<&'static str> {
    SIZES.iter().find(|(_, size)| *size == bytes).map(|(symbol, _)| *symbol)
}

/// The power of 1,024 in the place of a power of 1,000: 2³⁰ for 10⁹.
pub fn in_binary(scale: f64) -> Option<f64> {
    (1..=5).find(|power| scale == 1e3_f64.powi(*power)).map(|power| 1024_f64.powi(power))
}

/// The kind of tokens that the next few words name.
fn kind_near(text: &str) -> Option<TokenKind> {
    let next = text.split(|part: char| !part.is_alphanumeric()).filter(|word| !word.is_empty()).take(5);
    next.into_iter().find_map(|word| match word {
        "input" | "prompt" => Some(TokenKind::Input),
        "output" | "generated" => Some(TokenKind::Output),
        "total" => Some(TokenKind::Total),
        _ => None,
    })
}

/// What a word after a number says that it counts; cards and GPUs are one.
pub fn counted(text: &str) -> Option<&'static str> {
    let first = word(text.trim_start_matches(['-', ' ', '\u{a0}', '\u{202f}']));
    Some(match first.to_lowercase().trim_end_matches('s') {
        "gpu" | "card" | "accelerator" => "GPUs",
        "replica" => "replicas",
        "node" | "server" => "nodes",
        "request" => "requests",
        "question" => "questions",
        "repeat" => "repeats",
        "layer" => "layers",
        "head" => "heads",
        "sequence" => "sequences",
        _ => return None,
    })
}

/// What a unit counts, in the words of [`counted`].
pub fn counts(unit: Unit) -> Option<&'static str> {
    match unit {
        Unit::Count(things) => counted(things.rsplit(' ').next().unwrap_or(things)),
        Unit::Layers => Some("layers"),
        _ => None,
    }
}

/// Whether a unit counts things.
pub fn is_count(unit: Unit) -> bool {
    matches!(unit, Unit::Count(_) | Unit::Layers | Unit::Samples)
}

/// What a unit measures and how much of it one is; `None` where any word may follow its number.
pub fn dimension_of(unit: Unit) -> Option<(Dimension, f64)> {
    use Dimension as D;
    Some(match unit {
        Unit::Percent | Unit::PercentChange => (D::Percent, 1.0),
        Unit::Points => (D::Points, 1.0),
        Unit::Ratio => (D::Ratio, 1.0),
        Unit::UsdPerHour
        | Unit::UsdPerGpuHour
        | Unit::UsdPerNodeHour
        | Unit::UsdPerKwh
        | Unit::UsdPerMonth
        | Unit::UsdPerMillionTokens(_)
        | Unit::UsdPerThousandRequests => (D::Dollars, 1.0),
        Unit::Bytes | Unit::BytesPerToken | Unit::TrafficBytesPerOutputToken => (D::Bytes, 1.0),
        Unit::Mib => (D::Bytes, 1_048_576.0),
        Unit::Gib => (D::Bytes, 1_073_741_824.0),
        Unit::Tib => (D::Bytes, 1_099_511_627_776.0),
        Unit::Gb => (D::Bytes, 1e9),
        Unit::TbPerSecond => (D::BytesPerSecond, 1e12),
        Unit::GbPerSecond => (D::BytesPerSecond, 1e9),
        Unit::Milliseconds => (D::Seconds, 1e-3),
        Unit::Seconds => (D::Seconds, 1.0),
        Unit::Tokens | Unit::TokensPerRequest(_) | Unit::TokensPerUsd(_) => (D::Tokens, 1.0),
        Unit::TokensPerSecond(_) | Unit::TokensPerSecondPerGpu(_) => (D::TokensPerSecond, 1.0),
        Unit::RequestsPerSecond => (D::RequestsPerSecond, 1.0),
        Unit::Watts => (D::Watts, 1.0),
        Unit::Kilowatts => (D::Watts, 1e3),
        Unit::JoulesPerToken(_) => (D::Joules, 1.0),
        Unit::TokensPerJoule(_) => (D::TokensPerJoule, 1.0),
        Unit::TokensPerWattHour(_) => (D::TokensPerJoule, 1.0 / 3600.0),
        _ => return None,
    })
}
