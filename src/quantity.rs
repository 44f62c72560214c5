//! Units, quantities and rounding: the one place where a number becomes text.

mod better;
mod rounding;
mod unit;
pub mod written;

use std::ops::{Add, Div, Mul, Neg, Sub};

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

pub use better::{Better, Sense, Way};
pub use rounding::{fixed, grouped, plain, reckonable, significant, unrounded};
pub use unit::{TokenKind, Unit};

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

    /// The interval between two computed ends, in whichever order they come.
    pub const fn between(one: f64, other: f64) -> Self {
        Quantity { low: one.min(other), high: one.max(other), approximate: false }
    }

    /// As files write it: a number, `[low, high]`, or text `~3000` for an approximate one.
    pub fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Number(number) => number.as_f64().map(Quantity::exact),
            Value::String(text) => {
                let digits = text.strip_prefix('~')?.trim().replace(',', "");
                digits.parse().ok().filter(|value: &f64| value.is_finite()).map(Quantity::about)
            }
            Value::Array(ends) => {
                let [low, high] = ends.as_slice() else { return None };
                let (low, high) = (low.as_f64()?, high.as_f64()?);
                (low <= high).then(|| Quantity::between(low, high))
            }
            _ => None,
        }
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
        let up = |value: f64| rounding::whole(value).unwrap_or(value.ceil());
        Quantity { low: up(self.low), high: up(self.high), ..self }
    }

    /// The next whole number down, at both ends.
    ///
    /// Of sizes in bytes, which are exact: a sequence that is a byte too large does not fit.
    pub fn floor(self) -> Self {
        Quantity { low: self.low.floor(), high: self.high.floor(), ..self }
    }

    /// 2 to the power, at both ends.
    pub fn exp2(self) -> Self {
        Quantity { low: self.low.exp2(), high: self.high.exp2(), ..self }
    }

    /// The larger of two: each end the larger of theirs.
    pub fn larger(self, other: Self) -> Self {
        Quantity {
            low: self.low.max(other.low),
            high: self.high.max(other.high),
            approximate: self.approximate || other.approximate,
        }
    }

    /// The smaller of two: each end the smaller of theirs.
    pub fn smaller(self, other: Self) -> Self {
        Quantity {
            low: self.low.min(other.low),
            high: self.high.min(other.high),
            approximate: self.approximate || other.approximate,
        }
    }

    /// With what is off from it by up to a share of it.
    pub fn give_or_take(self, share: f64) -> Self {
        self * Quantity::between(1.0 - share, 1.0 + share)
    }

    /// Whether some value lies in both.
    pub fn overlaps(self, other: Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }

    /// The smallest interval that holds both.
    pub fn around(self, other: Self) -> Self {
        Quantity {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            approximate: self.approximate || other.approximate,
        }
    }

    /// The low end alone, as what the value is at least.
    pub fn at_least(self) -> Self {
        Quantity { high: self.low, ..self }
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

/// See [`Quantity::read`].
impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Quantity::read(&value)
            .ok_or_else(|| D::Error::custom("expected a number, [low, high] with the low end first, or \"~number\""))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_off_by_a_share_lies_on_either_side() {
        assert_eq!(Quantity::exact(200.0).give_or_take(0.25), Quantity::between(150.0, 250.0));
        assert_eq!(Quantity::between(100.0, 200.0).give_or_take(0.5), Quantity::between(50.0, 300.0));
    }

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
            (Unit::UsdPerGpuHour, 2.69, "$2.69/GPU-hour"),
            (Unit::UsdPerHour, 21.52, "$21.52 an hour"),
            (Unit::TokensPerUsd(TokenKind::Output), 3_456_802.97, "3,456,803 output tokens/$"),
            (Unit::TokensPerWattHour(TokenKind::Output), 28_113.8, "28,114 output tokens/Wh"),
            (Unit::JoulesPerToken(TokenKind::Output), 0.0123, "0.0123 J/output token"),
            (Unit::JoulesPerToken(TokenKind::Output), 0.0148, "0.0148 J/output token"),
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
            (Unit::Gib, 1023.4, "1,023 GiB"),
            (Unit::Gib, 2047.12, "2.00 TiB"),
            (Unit::TokensPerRequest(TokenKind::Output), 307.649, "308 output tok/request"),
            (Unit::TrafficBytesPerOutputToken, 428_974_854.0, "429 MB per output token"),
            (Unit::TbPerSecond, 2.03345, "2.03 TB/s"),
            (Unit::GbPerSecond, 152.66, "153 GB/s"),
            (Unit::Bytes, 9_830_400_000.0, "9.16 GiB"),
            (Unit::Bytes, 1023.0, "1,023 B"),
            (Unit::Bytes, 1_048_500.0, "1.00 MiB"),
            (Unit::Tokens, 140_250.0, "140,250 tokens"),
            (Unit::Tokens, 7372.8, "7,373 tokens"),
            (Unit::Count("cards"), 35.66, "36 cards"),
        ] {
            assert_eq!(show(unit, value), text, "{unit:?} {value}");
        }
    }

    /// In binary 0.15 is less than the tie that it is and 43.45 more, and 1 ÷ (1 − 0.9) is more than 10.
    #[test]
    fn a_tie_and_a_whole_number_are_seen_in_decimal() {
        for (unit, value, text) in [
            (Unit::Percent, 0.15, "0.2%"),
            (Unit::Percent, 43.45, "43.5%"),
            (Unit::Percent, 43.4499999999, "43.4%"),
            (Unit::PercentChange, 100.0 * (0.9995 - 1.0), "−0.1%"),
            (Unit::UsdPerGpuHour, 1.015, "$1.02/GPU-hour"),
            (Unit::UsdPerGpuHour, 99.995, "$100/GPU-hour"),
            (Unit::Kilowatts, 9.975, "9.98 kW"),
            (Unit::Kilowatts, 9.995, "10.0 kW"),
            (Unit::Kilowatts, 998.5, "999 kW"),
            (Unit::Ratio, 1.0 / (1.0 - 0.9), "10x"),
            (Unit::Points, 95.4 - 94.4, "1 point"),
            (Unit::Tokens, 33.6 / 8.4, "4 tokens"),
            (Unit::Gib, 1023.5, "1.00 TiB"),
            (Unit::Bytes, 999.5 * 1024.0, "0.976 MiB"),
        ] {
            assert_eq!(show(unit, value), text, "{unit:?} {value}");
        }
    }

    #[test]
    fn what_is_very_small_or_very_large_is_not_rounded_away() {
        for (unit, value, text) in [
            (Unit::BytesPerToken, 0.00001, "0.0000100 B/token"),
            (Unit::Kilowatts, 9.996e-7, "0.00000100 kW"),
            (Unit::Kilowatts, -2.775e-7, "−2.78e−7 kW"),
            (Unit::Kilowatts, f64::MIN_POSITIVE, "2.23e−308 kW"),
            (Unit::Tokens, 12_345_678_901_234.0, "12,345,678,901,234 tokens"),
            (Unit::Kilowatts, 26_031_776_855.46, "26,031,776,855 kW"),
            (Unit::Kilowatts, 1e21, "1.00e21 kW"),
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
    fn files_write_a_number_an_interval_or_an_approximate_number() {
        let read = |text: &str| Quantity::read(&serde_json::from_str(text).expect("it is JSON"));
        assert_eq!(read("8.40"), Some(Quantity::exact(8.4)));
        assert_eq!(read("[43, 45]"), Some(Quantity::between(43.0, 45.0)));
        assert_eq!(read("[45, 45]"), Some(Quantity::exact(45.0)));
        assert_eq!(read("\"~ 3,000\""), Some(Quantity::about(3000.0)));
        for wrong in ["[45, 43]", "[1]", "[1, 2, 3]", "[1, \"x\"]", "\"3000\"", "\"~x\"", "\"~inf\"", "null", "true"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_hair_above_a_whole_number_is_not_a_replica() {
        assert_eq!((Quantity::exact(33.6) / Quantity::exact(8.4)).ceil(), Quantity::exact(4.0));
        assert_eq!((Quantity::exact(40.0) / Quantity::exact(8.4)).ceil(), Quantity::exact(5.0));
        assert_eq!((Quantity::exact(1e10 + 1.0) / Quantity::exact(1e10)).ceil(), Quantity::exact(2.0), "no hair");
    }

    #[test]
    fn dividing_by_an_interval_around_zero_is_not_finite() {
        assert!(!(Quantity::exact(1.0) / Quantity::between(-1.0, 1.0)).is_finite());
        assert!(!(Quantity::exact(0.0) / Quantity::exact(0.0)).is_finite());
    }
}
