//! The words for units after a number, and what each unit of ours measures.

use super::super::{TokenKind, Unit};
use super::money;
use super::per::Per;
use super::words::is_turn;

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
    TokensPerDollar,
    Hertz,
}

impl Dimension {
    /// Whether a number of it means nothing before it is said what it is per.
    pub fn is_an_amount(self) -> bool {
        use Dimension as D;
        matches!(self, D::Dollars | D::OtherMoney | D::Joules | D::TokensPerSecond | D::RequestsPerSecond)
    }
}

/// What follows the digits: a multiplier, a unit, the kind of tokens.
#[derive(Default)]
pub struct Suffix {
    pub factor: f64,
    pub dimension: Option<(Dimension, f64)>,
    /// Whether the unit is a bare `B` at the digits, which may be billions.
    pub billions: bool,
    /// What follows the unit: `per 1K tokens`.
    pub per: Option<Per>,
    pub tokens: Option<TokenKind>,
    /// A unit that nothing here knows.
    pub unknown: Option<String>,
}

impl Suffix {
    /// Reads what follows the digits; `None` where the digits are the start of a name, as in `4th` or `3D`.
    pub fn of(text: &str) -> Option<Self> {
        let plain = Suffix { factor: 1.0, ..Suffix::default() };
        let length = text.find(|part: char| !is_of_a_unit(part)).unwrap_or(text.len());
        let (attached, rest) = text.split_at(length);
        let is_joined = rest.starts_with(|part: char| part.is_ascii_digit() || part == '_');
        // `$0.29/1M tokens`
        if is_joined && !attached.is_empty() && attached != "/" {
            return None;
        }
        // `$2.69/GPU-hour`
        if attached.starts_with('/') {
            return Some(Suffix { per: Per::after(text), tokens: kind_near(text), ..plain });
        }
        if let Some((dimension, after)) = unit_at(text) {
            let (per, tokens) = (Per::after(after), kind_near(rest));
            return Some(Suffix { dimension: Some(dimension), billions: attached == "B", per, tokens, ..plain });
        }
        if !attached.is_empty() && is_unknown(attached) {
            return Some(Suffix { unknown: Some(attached.to_owned()), ..plain });
        }
        let mut factor = if attached.is_empty() { 1.0 } else { multiplier(attached)? };
        let mut words = rest.trim_start_matches(['-', ' ', '\u{a0}', '\u{202f}']);
        let first = word(words);
        if let ("thousand" | "million" | "billion" | "trillion", Some(by)) = (first, multiplier(first)) {
            factor *= by;
            words = words[first.len()..].trim_start();
        }
        // `72 GB200` are cards.
        let is_name = words[word(words).len()..].starts_with(|part: char| part.is_ascii_digit());
        let phrase = unit_phrase(words).filter(|_| !is_name);
        let unknown = if phrase.is_none() && !is_name { unknown_unit(words) } else { None };
        let per = Per::after(phrase.map_or(words, |(_, after)| after));
        let dimension = phrase.map(|(dimension, _)| dimension);
        Some(Suffix { factor, dimension, per, tokens: kind_near(words), unknown, ..plain })
    }
}

fn is_of_a_unit(part: char) -> bool {
    part.is_alphabetic() || matches!(part, '%' | '×' | '/') || money::is_sign(part)
}

fn word(text: &str) -> &str {
    &text[..text.find(|part: char| !is_of_a_unit(part)).unwrap_or(text.len())]
}

pub fn multiplier(word: &str) -> Option<f64> {
    Some(match word {
        "k" | "K" | "thousand" => 1e3,
        "M" | "million" => 1e6,
        "bn" | "billion" => 1e9,
        "T" | "trillion" => 1e12,
        _ => return None,
    })
}

/// The unit that begins a text, `requests per second`, `output tok/s`, `GiB`, with what follows it.
fn unit_phrase(text: &str) -> Option<((Dimension, f64), &str)> {
    const KINDS: [&str; 9] =
        ["input", "output", "total", "prompt", "generated", "prefill", "decode", "cached", "uncached"];
    let first = word(text);
    let rest = text[first.len()..].trim_start();
    if KINDS.contains(&first) {
        return unit_phrase(rest);
    }
    match first {
        "percentage" if matches!(word(rest), "points" | "point") => {
            return Some(((Dimension::Points, 1.0), &rest[word(rest).len()..]));
        }
        // `4 x 4` multiplies.
        "x" | "×" => return None,
        _ => {}
    }
    if let Some((seconds, after)) = per_time(rest) {
        let rate = match (first, unit(first)) {
            ("tokens" | "token" | "tok", _) => Some((Dimension::TokensPerSecond, 1.0 / seconds)),
            ("requests" | "request", _) => Some((Dimension::RequestsPerSecond, 1.0 / seconds)),
            (_, Some((Dimension::Bytes, bytes))) => Some((Dimension::BytesPerSecond, bytes / seconds)),
            _ => None,
        };
        if let Some(rate) = rate {
            return Some((rate, after));
        }
    }
    if let ("tokens" | "token" | "tok", Some(found)) = (first, per_energy_or_money(rest)) {
        return Some(found);
    }
    unit_at(text).or_else(|| money::of_a_country(text)).or_else(|| rate_soon(text))
}

/// What tokens are counted for, with what follows it: `per joule`, `per watt-hour`, `per dollar`.
fn per_energy_or_money(text: &str) -> Option<((Dimension, f64), &str)> {
    let rest = PER.iter().find_map(|per| text.strip_prefix(per))?;
    let is_one = |after: &&str| {
        let mut letters = after.chars();
        let first = letters.next();
        let goes_on = first.is_some_and(|point| matches!(point, '.' | ','))
            && letters.next().is_some_and(|next| next.is_ascii_digit());
        !goes_on && !first.is_some_and(|first| first.is_ascii_digit())
    };
    if let Some(after) = rest.strip_prefix("$1").filter(is_one) {
        return Some(((Dimension::TokensPerDollar, 1.0), after));
    }
    let first = word(rest);
    let after = &rest[first.len()..];
    let of_hours = ["-hour", " hour"].iter().find_map(|hour| after.strip_prefix(hour));
    Some(match (first, of_hours) {
        ("joule" | "J", _) => ((Dimension::TokensPerJoule, 1.0), after),
        ("kilojoule" | "kJ", _) => ((Dimension::TokensPerJoule, 1e-3), after),
        ("watt", Some(after)) => ((Dimension::TokensPerJoule, 1.0 / 3.6e3), after),
        ("kilowatt", Some(after)) => ((Dimension::TokensPerJoule, 1.0 / 3.6e6), after),
        ("Wh", _) => ((Dimension::TokensPerJoule, 1.0 / 3.6e3), after),
        ("kWh", _) => ((Dimension::TokensPerJoule, 1.0 / 3.6e6), after),
        // `per $1.50` is for more than one of them.
        ("$", _) if after.starts_with(|next: char| next.is_ascii_digit()) => return None,
        ("dollar" | "$" | "USD", _) => ((Dimension::TokensPerDollar, 1.0), after),
        _ => return None,
    })
}

const PER: [&str; 5] = ["per ", "a ", "an ", "each ", "every "];

/// A rate of tokens or requests that other words stand before: `completed requests per second`.
fn rate_soon(text: &str) -> Option<((Dimension, f64), &str)> {
    let mut rest = text;
    for _ in 0..2 {
        let (_, after) = next_word(rest).filter(|(word, _)| !STOPS.contains(word))?;
        let noun = word(after);
        let dimension = match noun {
            "tokens" | "token" => Some(Dimension::TokensPerSecond),
            "requests" | "request" => Some(Dimension::RequestsPerSecond),
            _ => None,
        };
        if let Some((dimension, (seconds, left))) = dimension.zip(per_time(after[noun.len()..].trim_start())) {
            return Some(((dimension, 1.0 / seconds), left));
        }
        rest = after;
    }
    None
}

/// Words that end what may be the name of a unit.
const STOPS: [&str; 16] =
    ["of", "in", "at", "on", "for", "with", "to", "and", "or", "after", "behind", "per", "a", "an", "is", "the"];

/// The next word of a text, with what stands after it and its blank.
fn next_word(text: &str) -> Option<(&str, &str)> {
    let first = word(text);
    let rest = text[first.len()..].strip_prefix([' ', '-'])?;
    (!first.is_empty()).then_some((first, rest))
}

/// Seconds of what a rate is per, with what follows: `per minute`, `a second`.
fn per_time(text: &str) -> Option<(f64, &str)> {
    let rest = PER.iter().find_map(|per| text.strip_prefix(per))?;
    let seconds = match word(rest) {
        "second" | "s" | "sec" => 1.0,
        "minute" | "min" => 60.0,
        "hour" | "h" => 3600.0,
        "day" => 86_400.0,
        _ => return None,
    };
    Some((seconds, &rest[word(rest).len()..]))
}

/// The unit that is the first word of a text, with what follows it: `tok/s`, and `J` of `J/token`.
fn unit_at(text: &str) -> Option<((Dimension, f64), &str)> {
    let first = word(text);
    if let Some(known) = unit(first) {
        return Some((known, &text[first.len()..]));
    }
    let slash = first.rfind('/')?;
    let (known, after) = (unit(&first[..slash])?, &text[slash..]);
    match known {
        (Dimension::Bytes, bytes) if &first[slash..] == "/s" => {
            Some(((Dimension::BytesPerSecond, bytes), &text[first.len()..]))
        }
        _ => Per::after(after).map(|_| (known, after)),
    }
}

/// A unit that nothing here knows, at the begin of a text: `tok/W`, `samples per second`, `TFLOPS`.
fn unknown_unit(text: &str) -> Option<String> {
    let first = word(text);
    if is_unknown(first) {
        return Some(first.to_owned());
    }
    let mut rest = text;
    for _ in 0..3 {
        let (noun, after) = next_word(rest).filter(|(noun, _)| !STOPS.contains(noun))?;
        if let Some((seconds, _)) = per_time(after) {
            return Some(format!("{noun} in {seconds} s"));
        }
        rest = after;
    }
    None
}

/// Whether a word is a unit by its looks.
fn is_unknown(word: &str) -> bool {
    const UNITS: [&str; 22] = [
        "TFLOPS", "PFLOPS", "GFLOPS", "FLOPS", "TFLOP", "PFLOP", "TOPS", "fps", "FPS", "V", "dB", "VA", "kVA", "°C",
        "kbit", "Kbit", "Mbit", "Gbit", "Kibit", "Mibit", "Gibit", "kilobits",
    ];
    const OF: [&str; 20] = [
        "s", "sec", "second", "min", "h", "hour", "day", "W", "kW", "J", "kJ", "Wh", "kWh", "GPU", "node", "user",
        "token", "request", "layer", "$",
    ];
    UNITS.contains(&word) || word.split_once('/').is_some_and(|(what, per)| !what.is_empty() && OF.contains(&per))
}

fn unit(word: &str) -> Option<(Dimension, f64)> {
    use Dimension as D;
    if let Some((_, bytes)) = SIZES.iter().find(|(symbol, _)| *symbol == word) {
        return Some((D::Bytes, *bytes));
    }
    Some(match word {
        "%" | "percent" => (D::Percent, 1.0),
        "points" | "point" | "pts" | "pp" => (D::Points, 1.0),
        "x" | "×" | "times" | "fold" => (D::Ratio, 1.0),
        "byte" | "bytes" => (D::Bytes, 1.0),
        "KB" => (D::Bytes, 1e3),
        "Gbit/s" | "Gb/s" | "Gbps" => (D::BytesPerSecond, 0.125e9),
        "ns" => (D::Seconds, 1e-9),
        "µs" | "us" | "microseconds" => (D::Seconds, 1e-6),
        "ms" | "milliseconds" => (D::Seconds, 1e-3),
        "s" | "sec" | "second" | "seconds" => (D::Seconds, 1.0),
        "min" | "minute" | "minutes" => (D::Seconds, 60.0),
        "h" | "hour" | "hours" => (D::Seconds, 3600.0),
        "Hz" => (D::Hertz, 1.0),
        "kHz" => (D::Hertz, 1e3),
        "MHz" => (D::Hertz, 1e6),
        "GHz" => (D::Hertz, 1e9),
        "token" | "tokens" | "tok/request" => (D::Tokens, 1.0),
        "tok/s" | "tokens/s" | "tok/sec" | "tokens/sec" | "tokens/second" | "t/s" | "tps" => (D::TokensPerSecond, 1.0),
        "tok/min" | "tokens/min" | "tokens/minute" => (D::TokensPerSecond, 1.0 / 60.0),
        "req/s" | "requests/s" | "req/sec" | "requests/sec" | "requests/second" | "rps" | "QPS" => {
            (D::RequestsPerSecond, 1.0)
        }
        "req/min" | "requests/min" | "requests/minute" | "rpm" => (D::RequestsPerSecond, 1.0 / 60.0),
        "mW" => (D::Watts, 1e-3),
        "W" | "watt" | "watts" => (D::Watts, 1.0),
        "kW" => (D::Watts, 1e3),
        "MW" => (D::Watts, 1e6),
        "J" | "joule" | "joules" => (D::Joules, 1.0),
        "kJ" => (D::Joules, 1e3),
        "Wh" => (D::Joules, 3.6e3),
        "kWh" => (D::Joules, 3.6e6),
        "millijoule" | "millijoules" | "mJ" => (D::Joules, 1e-3),
        "tok/J" | "tokens/J" => (D::TokensPerJoule, 1.0),
        "tok/Wh" | "tokens/Wh" => (D::TokensPerJoule, 1.0 / 3600.0),
        "tok/$" | "tokens/$" => (D::TokensPerDollar, 1.0),
        word => return money::unit(word),
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
pub fn kind_near(text: &str) -> Option<TokenKind> {
    let next = text.split(|part: char| !part.is_alphanumeric()).filter(|word| !word.is_empty()).take(5);
    next.enumerate().find_map(|(position, word)| match word {
        "input" | "prompt" => Some(TokenKind::Input),
        "output" | "generated" => Some(TokenKind::Output),
        "total" => Some(TokenKind::Total),
        // `1,000 prefill tokens`; later it is what came before.
        "prefill" if position == 0 => Some(TokenKind::Input),
        "decode" if position == 0 => Some(TokenKind::Output),
        _ => None,
    })
}

pub const GPUS: &str = "GPUs";
pub const CONFIGS: &str = "configurations";
pub const BITS: &str = "bits";

/// What a word after a number says that it counts; cards and GPUs are one.
pub fn counted(text: &str) -> Option<&'static str> {
    let first = word(text.trim_start_matches(['-', ' ', '\u{a0}', '\u{202f}']));
    Some(match first.to_lowercase().trim_end_matches('s') {
        "gpu" | "card" | "accelerator" => GPUS,
        "config" | "configuration" => CONFIGS,
        "replica" => "replicas",
        "node" | "server" => "nodes",
        "request" => "requests",
        "question" => "questions",
        "repeat" => "repeats",
        "layer" => "layers",
        "head" => "heads",
        "sequence" => "sequences",
        "bit" => BITS,
        "expert" => "experts",
        "page" => "pages",
        "block" => "blocks",
        _ => return None,
    })
}

/// The same where a name may stand between: `six vLLM configurations`, `8 H100 GPUs`.
pub fn counted_soon(text: &str) -> Option<&'static str> {
    let is_name = |name: &str| name.contains(|part: char| part.is_uppercase()) || name == "different";
    let after_names = || {
        let mut rest = text.trim_start();
        for _ in 0..2 {
            let name = &rest[..rest.find(' ')?];
            rest = rest[name.len()..].trim_start();
            let found = is_name(name).then(|| counted(rest))?;
            if let Some(GPUS | CONFIGS) = found {
                return found;
            }
        }
        None
    };
    counted(text).or_else(after_names)
}

/// The same behind a word for more or fewer: `% fewer GPUs`.
pub fn counted_after_turn(text: &str) -> Option<&'static str> {
    let (turn, after) = next_word(text.trim_start_matches(['%', ' ', '\u{a0}', '\u{202f}']))?;
    is_turn(turn).then(|| counted(after))?
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
        Unit::Hours => (D::Seconds, 3600.0),
        Unit::Hertz => (D::Hertz, 1.0),
        Unit::Tokens | Unit::TokensPerRequest(_) => (D::Tokens, 1.0),
        Unit::TokensPerUsd(_) => (D::TokensPerDollar, 1.0),
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
