//! Units, and the text of a quantity in each.

use std::fmt;

use super::Quantity;
use super::rounding::{ends, fixed, iec, money, signed, significant, whole, whole_or_as_is, with_dollar};

/// Which tokens a rate or a price counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    Input,
    Output,
    Total,
}

impl TokenKind {
    pub fn word(self) -> &'static str {
        match self {
            TokenKind::Input => "input",
            TokenKind::Output => "output",
            TokenKind::Total => "total",
        }
    }

    /// The tokens that the words of a unit count: `input tok/s`, `$/1M output tokens`.
    pub fn named_in(unit: &str) -> Option<Self> {
        // Traffic for an output token counts none.
        let counts = |kind: &TokenKind| unit.contains(kind.word()) && unit != "B/output token";
        [TokenKind::Input, TokenKind::Output, TokenKind::Total].into_iter().find(counts)
    }
}

/// What a number is of. The symbol is part of it, so no number is shown bare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A count of things, whole.
    Count(&'static str),
    Tokens,
    Layers,
    Bytes,
    /// Bytes of cache that one more token costs.
    BytesPerToken,
    /// Memory traffic of one output token.
    TrafficBytesPerOutputToken,
    Gib,
    Tib,
    Mib,
    /// 10^9 bytes, as cards are sold.
    Gb,
    TbPerSecond,
    /// 10^9 bytes a second, as links are sold.
    GbPerSecond,
    Milliseconds,
    Seconds,
    Hours,
    HoursPerMonth,
    TokensPerSecond(TokenKind),
    /// Of one GPU's share.
    TokensPerSecondPerGpu(TokenKind),
    RequestsPerSecond,
    TokensPerRequest(TokenKind),
    Samples,
    Kilowatts,
    Watts,
    Hertz,
    TokensPerJoule(TokenKind),
    TokensPerWattHour(TokenKind),
    JoulesPerToken(TokenKind),
    /// All GPUs of a result together.
    UsdPerHour,
    UsdPerGpuHour,
    UsdPerNodeHour,
    UsdPerKwh,
    TokensPerUsd(TokenKind),
    UsdPerMonth,
    UsdPerMillionTokens(TokenKind),
    UsdPerThousandRequests,
    /// 0 to 100 of a whole.
    Percent,
    /// Points of a score in percent.
    Points,
    /// A signed change in percent.
    PercentChange,
    /// One over another.
    Ratio,
    /// A pure number in a formula.
    Number,
}

impl Unit {
    /// The unit as data files and headings name it.
    pub fn symbol(self) -> &'static str {
        match self {
            Unit::Count(of) => of,
            Unit::Tokens => "tokens",
            Unit::Layers => "layers",
            Unit::Bytes => "B",
            Unit::BytesPerToken => "B/token",
            Unit::TrafficBytesPerOutputToken => "B/output token",
            Unit::Gib => "GiB",
            Unit::Tib => "TiB",
            Unit::Mib => "MiB",
            Unit::Gb => "GB",
            Unit::TbPerSecond => "TB/s",
            Unit::GbPerSecond => "GB/s",
            Unit::Milliseconds => "ms",
            Unit::Seconds => "s",
            Unit::Hours => "h",
            Unit::HoursPerMonth => "h/month",
            Unit::TokensPerSecond(TokenKind::Input) => "input tok/s",
            Unit::TokensPerSecond(TokenKind::Output) => "output tok/s",
            Unit::TokensPerSecond(TokenKind::Total) => "total tok/s",
            Unit::TokensPerSecondPerGpu(TokenKind::Input) => "input tok/s per GPU",
            Unit::TokensPerSecondPerGpu(TokenKind::Output) => "output tok/s per GPU",
            Unit::TokensPerSecondPerGpu(TokenKind::Total) => "total tok/s per GPU",
            Unit::RequestsPerSecond => "req/s",
            Unit::TokensPerRequest(TokenKind::Input) => "input tok/request",
            Unit::TokensPerRequest(TokenKind::Output) => "output tok/request",
            Unit::TokensPerRequest(TokenKind::Total) => "total tok/request",
            Unit::Samples => "samples",
            Unit::Kilowatts => "kW",
            Unit::Watts => "W",
            Unit::Hertz => "Hz",
            Unit::TokensPerJoule(TokenKind::Input) => "input tok/J",
            Unit::TokensPerJoule(TokenKind::Output) => "output tok/J",
            Unit::TokensPerJoule(TokenKind::Total) => "total tok/J",
            Unit::TokensPerWattHour(TokenKind::Input) => "input tokens/Wh",
            Unit::TokensPerWattHour(TokenKind::Output) => "output tokens/Wh",
            Unit::TokensPerWattHour(TokenKind::Total) => "total tokens/Wh",
            Unit::JoulesPerToken(TokenKind::Input) => "J/input token",
            Unit::JoulesPerToken(TokenKind::Output) => "J/output token",
            Unit::JoulesPerToken(TokenKind::Total) => "J/total token",
            Unit::UsdPerHour => "$/hour",
            Unit::UsdPerGpuHour => "$/GPU-hour",
            Unit::UsdPerNodeHour => "$/node-hour",
            Unit::UsdPerKwh => "$/kWh",
            Unit::TokensPerUsd(TokenKind::Input) => "input tokens/$",
            Unit::TokensPerUsd(TokenKind::Output) => "output tokens/$",
            Unit::TokensPerUsd(TokenKind::Total) => "total tokens/$",
            Unit::UsdPerMonth => "$/month",
            Unit::UsdPerMillionTokens(TokenKind::Input) => "$/1M input tokens",
            Unit::UsdPerMillionTokens(TokenKind::Output) => "$/1M output tokens",
            Unit::UsdPerMillionTokens(TokenKind::Total) => "$/1M total tokens",
            Unit::UsdPerThousandRequests => "$/1,000 requests",
            Unit::Percent | Unit::PercentChange => "%",
            Unit::Points => "points",
            Unit::Ratio => "x",
            Unit::Number => "",
        }
    }

    /// Which tokens it counts; `None` for what counts none.
    pub fn token_kind(self) -> Option<TokenKind> {
        match self {
            Unit::TokensPerSecond(kind)
            | Unit::TokensPerSecondPerGpu(kind)
            | Unit::TokensPerRequest(kind)
            | Unit::TokensPerJoule(kind)
            | Unit::TokensPerWattHour(kind)
            | Unit::JoulesPerToken(kind)
            | Unit::TokensPerUsd(kind)
            | Unit::UsdPerMillionTokens(kind) => Some(kind),
            _ => None,
        }
    }

    /// A size in bytes; `None` for what is no size.
    pub fn in_bytes(self, quantity: Quantity) -> Option<Quantity> {
        let bytes = match self {
            Unit::Bytes => 1.0,
            Unit::Mib => 1_048_576.0,
            Unit::Gib => 1_073_741_824.0,
            Unit::Tib => 1_099_511_627_776.0,
            Unit::Gb => 1e9,
            _ => return None,
        };
        Some(quantity * bytes)
    }

    /// Text of a quantity in this unit, rounded by the one rule, unit included.
    pub fn show(self, quantity: Quantity) -> String {
        let digits = self.digits(quantity);
        match self {
            Unit::TrafficBytesPerOutputToken => format!("{digits} MB per output token"),
            Unit::Bytes => digits,
            // From what rounds to 1,024 GiB on the next unit says the same in three digits.
            Unit::Gib if quantity.low.abs() >= 1023.5 => Unit::Tib.show(quantity / 1024.0),
            _ => self.beside(&digits),
        }
    }

    /// Digits that a file states, unrounded, as text with the unit: `1.792 TB/s`, `$2.685/GPU-hour`.
    pub fn stated(self, digits: &str) -> String {
        if self.is_money() {
            let ends: Vec<_> = digits.trim_start_matches('~').split('–').map(|end| format!("${end}")).collect();
            let about = if digits.starts_with('~') { "~" } else { "" };
            return self.beside(&format!("{about}{}", ends.join("–")));
        }
        self.beside(digits)
    }

    /// Whether its digits begin with the sign of the currency.
    pub fn is_money(self) -> bool {
        self.symbol().starts_with("$/")
    }

    fn beside(self, digits: &str) -> String {
        match self {
            Unit::UsdPerHour => format!("{digits} an hour"),
            Unit::UsdPerGpuHour => format!("{digits}/GPU-hour"),
            Unit::UsdPerNodeHour => format!("{digits}/node-hour"),
            Unit::UsdPerKwh => format!("{digits}/kWh"),
            Unit::UsdPerMonth => format!("{digits} a month"),
            Unit::UsdPerMillionTokens(_) => format!("{digits} per {}", self.symbol().trim_start_matches("$/")),
            Unit::UsdPerThousandRequests => format!("{digits} per 1,000 requests"),
            Unit::Percent | Unit::PercentChange => format!("{digits}%"),
            Unit::Ratio => format!("{digits}x"),
            Unit::Points if matches!(digits, "1" | "1.0") => format!("{digits} point"),
            Unit::TrafficBytesPerOutputToken => format!("{digits} MB per output token"),
            Unit::Bytes | Unit::Number => digits.to_owned(),
            _ => format!("{digits} {}", self.symbol()),
        }
    }

    /// Text of a quantity for a column that already names the unit. Money keeps its `$`.
    pub fn digits(self, quantity: Quantity) -> String {
        let one = |value| self.one(value);
        let alike = quantity.is_interval() && one(quantity.low) == one(quantity.high);
        // An interval that rounding closes is still not one exact number.
        ends(if alike { Quantity::about(quantity.low) } else { quantity }, one)
    }

    /// The short heading under a column's name.
    pub fn heading(self) -> &'static str {
        match self {
            Unit::TrafficBytesPerOutputToken => "MB/output token",
            // Each size has its own unit beside it.
            Unit::Bytes => "",
            _ => self.symbol(),
        }
    }

    fn one(self, value: f64) -> String {
        if !value.is_finite() {
            return "undefined".to_owned();
        }
        match self {
            Unit::Count(_) | Unit::Tokens | Unit::Samples | Unit::Layers => fixed(value, 0),
            // A byte is no smallest part of a token's cost: packed formats share bytes between values.
            Unit::BytesPerToken => whole_or_as_is(value),
            Unit::Bytes => iec(value),
            Unit::TrafficBytesPerOutputToken => significant(value / 1e6),
            Unit::UsdPerHour | Unit::UsdPerGpuHour | Unit::UsdPerNodeHour | Unit::UsdPerMonth => money(value),
            Unit::UsdPerMillionTokens(_) | Unit::UsdPerThousandRequests | Unit::UsdPerKwh => {
                with_dollar(value, significant(value.abs()))
            }
            Unit::Percent => fixed(value, 1),
            Unit::PercentChange => signed(value, 1),
            Unit::Ratio if whole(value).is_some() => whole_or_as_is(value),
            Unit::HoursPerMonth
            | Unit::Points
            | Unit::Hours
            | Unit::Mib
            | Unit::Gb
            | Unit::Watts
            | Unit::Hertz
            | Unit::Seconds
            | Unit::Number
                if whole(value).is_some() =>
            {
                whole_or_as_is(value)
            }
            _ => significant(value),
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.symbol())
    }
}
