//! Units, quantities and rounding: the one place where a number becomes text.

use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

/// A value or an interval, exact or approximate, in a unit that its owner names.
///
/// Arithmetic is interval arithmetic: the result holds every value that the
/// operands can give, and is approximate when one of them is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantity {
    low: f64,
    high: f64,
    approximate: bool,
}

impl Quantity {
    pub const fn exact(value: f64) -> Self {
        Quantity { low: value, high: value, approximate: false }
    }

    pub const fn about(value: f64) -> Self {
        Quantity { low: value, high: value, approximate: true }
    }

    /// The interval between two ends, in whichever order they come.
    pub fn between(one: f64, other: f64) -> Self {
        Quantity { low: one.min(other), high: one.max(other), approximate: false }
    }

    pub fn low(self) -> f64 {
        self.low
    }

    pub fn high(self) -> f64 {
        self.high
    }

    pub fn middle(self) -> f64 {
        if self.is_interval() { self.low / 2.0 + self.high / 2.0 } else { self.low }
    }

    pub fn is_interval(self) -> bool {
        self.low < self.high
    }

    pub fn is_approximate(self) -> bool {
        self.approximate
    }

    /// Neither infinite nor NaN at either end.
    pub fn is_finite(self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// The next whole number up, at both ends.
    pub fn ceil(self) -> Self {
        // A quotient such as 33.6 / 8.4 comes out a hair above 4 in binary; that hair is not a replica.
        let up = |value: f64| {
            let near = value.round();
            if (value - near).abs() <= 1e-9 * near.abs().max(1.0) { near } else { value.ceil() }
        };
        Quantity { low: up(self.low), high: up(self.high), ..self }
    }

    fn from_ends(ends: [f64; 4], approximate: bool) -> Self {
        let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // `min` and `max` skip NaN; an undefined end must stay visible.
        if ends.iter().any(|end| end.is_nan()) {
            return Quantity { low: f64::NAN, high: f64::NAN, approximate };
        }
        Quantity { low, high, approximate }
    }
}

impl From<f64> for Quantity {
    fn from(value: f64) -> Self {
        Quantity::exact(value)
    }
}

impl Add for Quantity {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Quantity {
            low: self.low + other.low,
            high: self.high + other.high,
            approximate: self.approximate || other.approximate,
        }
    }
}

impl Neg for Quantity {
    type Output = Self;
    fn neg(self) -> Self {
        Quantity { low: -self.high, high: -self.low, ..self }
    }
}

impl Sub for Quantity {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Quantity {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let ends = [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        Quantity::from_ends(ends, self.approximate || other.approximate)
    }
}

impl Div for Quantity {
    type Output = Self;
    /// A divisor that holds zero gives infinite or undefined ends; see [`Quantity::is_finite`].
    fn div(self, other: Self) -> Self {
        if other.low <= 0.0 && other.high >= 0.0 && other.is_interval() {
            return Quantity { low: f64::NEG_INFINITY, high: f64::INFINITY, approximate: true };
        }
        let ends = [self.low / other.low, self.low / other.high, self.high / other.low, self.high / other.high];
        Quantity::from_ends(ends, self.approximate || other.approximate)
    }
}

macro_rules! with_plain_numbers {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait<f64> for Quantity {
            type Output = Quantity;
            fn $method(self, other: f64) -> Quantity {
                self.$method(Quantity::exact(other))
            }
        }
        impl $trait<Quantity> for f64 {
            type Output = Quantity;
            fn $method(self, other: Quantity) -> Quantity {
                Quantity::exact(self).$method(other)
            }
        }
    )*};
}
with_plain_numbers!(Add add, Sub sub, Mul mul, Div div);

impl std::iter::Sum for Quantity {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Quantity::exact(0.0), Add::add)
    }
}

/// In files: a number, `[low, high]`, or text `~3000` for an approximate one.
impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wrong = || D::Error::custom("expected a number, [low, high] or \"~number\"");
        match Value::deserialize(deserializer)? {
            Value::Number(number) => number.as_f64().map(Quantity::exact).ok_or_else(wrong),
            Value::String(text) => text
                .strip_prefix('~')
                .and_then(|rest| rest.trim().replace(',', "").parse::<f64>().ok())
                .filter(|value| value.is_finite())
                .map(Quantity::about)
                .ok_or_else(wrong),
            Value::Array(ends) => match ends.as_slice() {
                [low, high] => match (low.as_f64(), high.as_f64()) {
                    (Some(low), Some(high)) => Ok(Quantity::between(low, high)),
                    _ => Err(wrong()),
                },
                _ => Err(wrong()),
            },
            _ => Err(wrong()),
        }
    }
}

/// In data files: a number, or `[low, high]`.
impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_interval() {
            [End(self.low), End(self.high)].serialize(serializer)
        } else {
            End(self.low).serialize(serializer)
        }
    }
}

/// Which tokens a rate or a price counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    Input,
    Output,
    Total,
}

/// A number without the `.0` of a whole one.
struct End(f64);

impl Serialize for End {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Every whole number up to here is a float exactly.
        if self.0.fract() == 0.0 && self.0.abs() < 9_007_199_254_740_992.0 {
            (self.0 as i64).serialize(serializer)
        } else {
            self.0.serialize(serializer)
        }
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
    Mib,
    /// 10^9 bytes, as cards are sold.
    Gb,
    TbPerSecond,
    Milliseconds,
    Seconds,
    Hours,
    HoursPerMonth,
    TokensPerSecond(TokenKind),
    RequestsPerSecond,
    Samples,
    Kilowatts,
    Watts,
    Hertz,
    TokensPerJoule(TokenKind),
    JoulesPerToken(TokenKind),
    UsdPerHour,
    UsdPerMonth,
    UsdPerMillionTokens(TokenKind),
    UsdPerThousandRequests,
    /// 0 to 100 of a whole.
    Percent,
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
            Unit::Mib => "MiB",
            Unit::Gb => "GB",
            Unit::TbPerSecond => "TB/s",
            Unit::Milliseconds => "ms",
            Unit::Seconds => "s",
            Unit::Hours => "h",
            Unit::HoursPerMonth => "h/month",
            Unit::TokensPerSecond(TokenKind::Input) => "input tok/s",
            Unit::TokensPerSecond(TokenKind::Output) => "output tok/s",
            Unit::TokensPerSecond(TokenKind::Total) => "total tok/s",
            Unit::RequestsPerSecond => "req/s",
            Unit::Samples => "samples",
            Unit::Kilowatts => "kW",
            Unit::Watts => "W",
            Unit::Hertz => "Hz",
            Unit::TokensPerJoule(TokenKind::Input) => "input tok/J",
            Unit::TokensPerJoule(TokenKind::Output) => "output tok/J",
            Unit::TokensPerJoule(TokenKind::Total) => "total tok/J",
            Unit::JoulesPerToken(TokenKind::Input) => "J/input token",
            Unit::JoulesPerToken(TokenKind::Output) => "J/output token",
            Unit::JoulesPerToken(TokenKind::Total) => "J/token of either kind",
            Unit::UsdPerHour => "$/GPU-hour",
            Unit::UsdPerMonth => "$/month",
            Unit::UsdPerMillionTokens(TokenKind::Input) => "$/1M input tokens",
            Unit::UsdPerMillionTokens(TokenKind::Output) => "$/1M output tokens",
            Unit::UsdPerMillionTokens(TokenKind::Total) => "$/1M total tokens",
            Unit::UsdPerThousandRequests => "$/1,000 requests",
            Unit::Percent | Unit::PercentChange => "%",
            Unit::Ratio => "x",
            Unit::Number => "",
        }
    }

    /// A size in bytes; `None` for what is no size.
    pub fn in_bytes(self, quantity: Quantity) -> Option<Quantity> {
        let bytes = match self {
            Unit::Bytes => 1.0,
            Unit::Mib => 1_048_576.0,
            Unit::Gib => 1_073_741_824.0,
            Unit::Gb => 1e9,
            _ => return None,
        };
        Some(quantity * bytes)
    }

    /// Text of a quantity in this unit, rounded by the one rule, unit included.
    pub fn show(self, quantity: Quantity) -> String {
        let digits = self.digits(quantity);
        match self {
            Unit::UsdPerHour => format!("{digits}/GPU-hour"),
            Unit::UsdPerMonth => format!("{digits} a month"),
            Unit::UsdPerMillionTokens(_) => format!("{digits} per {}", self.symbol().trim_start_matches("$/")),
            Unit::UsdPerThousandRequests => format!("{digits} per 1,000 requests"),
            Unit::Percent | Unit::PercentChange => format!("{digits}%"),
            Unit::Ratio => format!("{digits}x"),
            Unit::TrafficBytesPerOutputToken => format!("{digits} MB per output token"),
            Unit::Bytes => digits,
            Unit::Number => digits,
            _ => format!("{digits} {}", self.symbol()),
        }
    }

    /// Text of a quantity for a column that already names the unit. Money keeps its `$`.
    pub fn digits(self, quantity: Quantity) -> String {
        let about = if quantity.approximate { "~" } else { "" };
        if !quantity.is_interval() {
            return format!("{about}{}", self.one(quantity.low));
        }
        let (low, high) = (self.one(quantity.low), self.one(quantity.high));
        if low == high { format!("~{low}") } else { format!("{about}{low}–{high}") }
    }

    /// The short heading under a column's name.
    pub fn heading(self) -> &'static str {
        match self {
            Unit::TrafficBytesPerOutputToken => "MB/output token",
            _ => self.symbol(),
        }
    }

    fn one(self, value: f64) -> String {
        if !value.is_finite() {
            return "undefined".to_owned();
        }
        match self {
            Unit::Count(_) | Unit::Tokens | Unit::Samples | Unit::Layers | Unit::BytesPerToken => whole_or_as_is(value),
            Unit::Bytes => iec(value),
            Unit::TrafficBytesPerOutputToken => significant(value / 1e6),
            Unit::UsdPerHour | Unit::UsdPerMonth => money(value),
            Unit::UsdPerMillionTokens(_) | Unit::UsdPerThousandRequests => with_dollar(value, significant(value.abs())),
            Unit::Percent => fixed(value, 1),
            Unit::PercentChange => signed(value, 1),
            Unit::Ratio if value.fract() == 0.0 => whole_or_as_is(value),
            Unit::HoursPerMonth
            | Unit::Hours
            | Unit::Mib
            | Unit::Gb
            | Unit::Watts
            | Unit::Hertz
            | Unit::Seconds
            | Unit::Number
                if value.fract() == 0.0 =>
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

/// Three significant digits; from 1,000 on whole numbers with separators.
pub fn significant(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs();
    // Rounding can carry into the next decade (9.996 is 10.0), so ask the rounded text.
    let scientific = format!("{magnitude:.2e}");
    let exponent: i32 = scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    if exponent >= 3 || exponent == 2 {
        return grouped(&format!("{value:.0}"));
    }
    if exponent < -6 {
        return minus(format!("{value:.2e}"));
    }
    let decimals = usize::try_from(2 - exponent).unwrap_or(0);
    fixed(value, decimals)
}

/// A fixed number of decimals, grouped, with a true minus and never minus zero.
pub fn fixed(value: f64, decimals: usize) -> String {
    grouped(&format!("{value:.decimals$}"))
}

/// A quantity as it goes into an expression: all its digits where they are few, else six significant ones.
pub fn plain(quantity: Quantity) -> String {
    let one = |value: f64| {
        let exact = value.to_string();
        let text = if exact.len() <= 12 {
            exact
        } else {
            let decimals = 5 - value.abs().log10().floor() as i32;
            format!("{value:.*}", usize::try_from(decimals.clamp(0, 20)).unwrap_or(0))
        };
        grouped(&text)
    };
    let about = if quantity.approximate { "~" } else { "" };
    if quantity.is_interval() {
        format!("{about}{}–{}", one(quantity.low), one(quantity.high))
    } else {
        format!("{about}{}", one(quantity.low))
    }
}

/// A change: always signed, except when it rounds to nothing.
fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    let nothing = text.chars().all(|digit| matches!(digit, '0' | '.'));
    if value > 0.0 && !nothing { format!("+{text}") } else { text }
}

/// From $100 whole dollars, below that cents.
fn money(value: f64) -> String {
    let decimals = if value.abs() >= 99.995 { 0 } else { 2 };
    with_dollar(value, fixed(value.abs(), decimals))
}

fn with_dollar(value: f64, digits: String) -> String {
    let nothing = digits.chars().all(|digit| matches!(digit, '0' | '.'));
    if value < 0.0 && !nothing { format!("−${digits}") } else { format!("${digits}") }
}

/// Whole numbers whole; what is not whole is printed as it is, to four decimals.
fn whole_or_as_is(value: f64) -> String {
    if value.fract() == 0.0 {
        return fixed(value, 0);
    }
    let text = fixed(value, 4);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Bytes at three digits in the largest fitting binary unit.
fn iec(value: f64) -> String {
    let mut scaled = value;
    let mut unit = "B";
    for next in ["KiB", "MiB", "GiB", "TiB", "PiB"] {
        // Whole bytes stay bytes; scaled sizes move on before they would need four digits.
        if scaled.abs() < if unit == "B" { 1024.0 } else { 999.5 } {
            break;
        }
        scaled /= 1024.0;
        unit = next;
    }
    let digits = if unit == "B" { whole_or_as_is(scaled) } else { significant(scaled) };
    format!("{digits} {unit}")
}

/// Thousands separators, a true minus, and no minus before zero.
pub fn grouped(text: &str) -> String {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (rest.chars().any(|digit| matches!(digit, '1'..='9')), rest),
        None => (false, text),
    };
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(whole, part)| (whole, Some(part)));
    let mut out = String::with_capacity(text.len() + 4);
    if negative {
        out.push('−');
    }
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

fn minus(text: String) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(unit: Unit, value: f64) -> String {
        unit.show(Quantity::exact(value))
    }

    #[test]
    fn one_rounding_rule() {
        for (unit, value, text) in [
            (Unit::TokensPerJoule(TokenKind::Output), 7.8094, "7.81 output tok/J"),
            (Unit::TokensPerJoule(TokenKind::Output), 13.657, "13.7 output tok/J"),
            (Unit::TokensPerJoule(TokenKind::Output), 9.996, "10.0 output tok/J"),
            (Unit::TokensPerSecond(TokenKind::Output), 4740.3, "4,740 output tok/s"),
            (Unit::TokensPerSecond(TokenKind::Output), 999.6, "1,000 output tok/s"),
            (Unit::UsdPerMillionTokens(TokenKind::Output), 0.23381, "$0.234 per 1M output tokens"),
            (Unit::UsdPerMillionTokens(TokenKind::Output), 0.1296, "$0.130 per 1M output tokens"),
            (Unit::UsdPerMillionTokens(TokenKind::Output), 0.09291, "$0.0929 per 1M output tokens"),
            (Unit::UsdPerHour, 2.69, "$2.69/GPU-hour"),
            (Unit::UsdPerMonth, 5891.1, "$5,891 a month"),
            (Unit::UsdPerMonth, 99.996, "$100 a month"),
            (Unit::Percent, 93.5, "93.5%"),
            (Unit::PercentChange, 40.873, "+40.9%"),
            (Unit::PercentChange, -0.1866, "−0.2%"),
            (Unit::PercentChange, -0.01, "0.0%"),
            (Unit::PercentChange, 0.0, "0.0%"),
            (Unit::Ratio, 1.826, "1.83x"),
            (Unit::Ratio, 4.0, "4x"),
            (Unit::Ratio, 23.13, "23.1x"),
            (Unit::BytesPerToken, 98304.0, "98,304 B/token"),
            (Unit::BytesPerToken, 5511.4375, "5,511.4375 B/token"),
            (Unit::Gib, 9.1552734375, "9.16 GiB"),
            (Unit::TrafficBytesPerOutputToken, 428_974_854.0, "429 MB per output token"),
            (Unit::TbPerSecond, 2.03345, "2.03 TB/s"),
            (Unit::Bytes, 9_830_400_000.0, "9.16 GiB"),
            (Unit::Bytes, 1023.0, "1,023 B"),
            (Unit::Bytes, 1_048_500.0, "1.00 MiB"),
            (Unit::Tokens, 140_250.0, "140,250 tokens"),
        ] {
            assert_eq!(show(unit, value), text, "{unit:?} {value}");
        }
    }

    #[test]
    fn an_interval_stays_one() {
        let rate = Quantity::between(43.0, 45.0);
        assert_eq!(Unit::Percent.show(rate), "43.0–45.0%");
        let tokens = Quantity::exact(78e6) * rate / 100.0;
        assert_eq!((tokens.low().round(), tokens.high().round()), (33_540_000.0, 35_100_000.0));
        assert!((rate - rate).low() < 0.0, "no correlation is assumed");
        assert_eq!(Unit::Tokens.show(Quantity::about(3000.0)), "~3,000 tokens");
    }

    #[test]
    fn a_hair_above_a_whole_number_is_not_a_replica() {
        assert_eq!((Quantity::exact(33.6) / Quantity::exact(8.4)).ceil(), Quantity::exact(4.0));
        assert_eq!((Quantity::exact(40.0) / Quantity::exact(8.4)).ceil(), Quantity::exact(5.0));
    }

    #[test]
    fn dividing_by_an_interval_around_zero_is_not_finite() {
        assert!(!(Quantity::exact(1.0) / Quantity::between(-1.0, 1.0)).is_finite());
        assert!(!(Quantity::exact(0.0) / Quantity::exact(0.0)).is_finite());
    }
}
