//! Axes: what one measures, which way is better, its range, and ticks at round numbers.

use crate::quantity::fixed;

/// What an axis shows. The title names the unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    pub title: String,
    pub better: Better,
    pub ticks: TickStyle,
}

/// Which way along an axis is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    Higher,
    Lower,
    Neither,
}

/// How the numbers along an axis are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TickStyle {
    Plain,
    Dollars,
    /// Values are bytes; ticks are whole steps in KiB, MiB, GiB …
    Bytes,
}

impl Axis {
    /// The title with the direction in words.
    pub(super) fn heading(&self) -> String {
        match self.better {
            Better::Higher => format!("{} (higher is better)", self.title),
            Better::Lower => format!("{} (lower is better)", self.title),
            Better::Neither => self.title.clone(),
        }
    }

    /// The heading of an axis that is drawn, which says where equal steps are no equal amounts.
    pub(super) fn heading_on(&self, scale: &Scale) -> String {
        match scale.spacing {
            Spacing::Linear => self.heading(),
            Spacing::Logarithmic => format!("{}, log scale", self.heading()),
        }
    }

    /// What it measures, without the unit.
    pub(super) fn name(&self) -> &str {
        self.title.split(", ").next().unwrap_or_default()
    }

    fn unit(&self) -> &str {
        self.title.rsplit_once(", ").map_or("", |(_, unit)| unit)
    }

    /// What it measures and in what, as a sentence has it: `Goodput in output tok/s`.
    pub(super) fn measured(&self) -> String {
        match (self.name(), self.unit()) {
            // These are written at the values, and `tokens` stands in `KV pool tokens`.
            (name, "" | "%" | "x") => name.to_owned(),
            (name, unit) if name.to_lowercase().ends_with(&unit.to_lowercase()) => name.to_owned(),
            (name, unit) => format!("{name} in {unit}"),
        }
    }

    /// A value as it stands beside what is [`measured`](Self::measured): `62%`.
    pub(super) fn valued(&self, text: &str) -> String {
        match self.unit() {
            joined @ ("%" | "x") if text.ends_with(|last: char| last.is_ascii_digit()) => format!("{text}{joined}"),
            _ => text.to_owned(),
        }
    }

    /// A value with its unit: `614 ms`.
    pub(super) fn with_unit(&self, text: &str) -> String {
        match self.unit() {
            "" | "%" | "x" => self.valued(text),
            // Its sign is in the text already.
            money if money.starts_with('$') => text.to_owned(),
            unit => format!("{text} {unit}"),
        }
    }
}

/// A range of finite numbers, linear or logarithmic, with the ticks on it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scale {
    pub low: f64,
    pub high: f64,
    pub spacing: Spacing,
    pub ticks: Vec<Tick>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spacing {
    Linear,
    Logarithmic,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub value: f64,
    pub label: String,
}

impl Scale {
    /// From zero to the farthest value; zero-based as lengths have to be.
    pub fn from_zero(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = ends(values.chain([0.0]));
        let high = if low == high { 1.0 } else { high };
        Scale { low, high, spacing: Spacing::Linear, ticks: Vec::new() }
    }

    /// Around the values with some air; logarithmic when those above zero span more than a decade.
    pub fn around(values: impl Iterator<Item = f64> + Clone) -> Self {
        let (least, most) = ends(values.clone().filter(|value| *value > 0.0));
        if least > 0.0 && most / 10.0 > least {
            let air = (most.ln() - least.ln()) * 0.06;
            let (low, high) = ((least.ln() - air).exp(), (most.ln() + air).exp());
            let (low, high) = (low.max(f64::MIN_POSITIVE), high.min(f64::MAX));
            return Scale { low, high, spacing: Spacing::Logarithmic, ticks: Vec::new() };
        }
        let (least, most) = ends(values);
        // Equal values, or so close that a float cannot tell their ticks apart, get an eighth of air.
        let size = least.abs().max(most.abs());
        let span = most / 2.0 - least / 2.0;
        let air = if span > size * 1e-9 { span * 0.16 } else { size * 0.12 }.max(f64::MIN_POSITIVE);
        let low = (least - air).max(if least >= 0.0 { 0.0 } else { f64::MIN });
        let high = if size == 0.0 { 1.0 } else { (most + air).min(f64::MAX) };
        Scale { low, high, spacing: Spacing::Linear, ticks: Vec::new() }
    }

    /// The finest ticks that fit, at most about `most` of them.
    pub fn ticked(mut self, style: TickStyle, most: u32, fits: impl Fn(&Scale) -> bool) -> Self {
        for count in (1..=most.max(1)).rev() {
            self.ticks = match self.spacing {
                Spacing::Linear => linear_ticks(&self, style, count),
                Spacing::Logarithmic => logarithmic_ticks(&self, style, count),
            };
            if fits(&self) {
                return self;
            }
        }
        self.ticks.clear();
        self
    }

    /// Whether a value has a place on this scale at all.
    pub fn takes(&self, value: f64) -> bool {
        value.is_finite() && (self.spacing == Spacing::Linear || value > 0.0)
    }

    /// Position of a value: 0 at the low end, 1 at the high end, never outside.
    pub fn share(&self, value: f64) -> f64 {
        let share = match self.spacing {
            // Halves, because the difference of two finite numbers may not be finite.
            Spacing::Linear => (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0),
            Spacing::Logarithmic => (value.ln() - self.low.ln()) / (self.high.ln() - self.low.ln()),
        };
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// Words for the values that have no place on their scale.
pub(super) fn undrawn<'a>(values: impl Iterator<Item = (&'a Scale, f64)>) -> Vec<String> {
    let (mut not_positive, mut not_finite) = (0, 0);
    for (scale, value) in values {
        if !value.is_finite() {
            not_finite += 1;
        } else if !scale.takes(value) {
            not_positive += 1;
        }
    }
    let said = |count: usize, what: &str| {
        (count > 0).then(|| format!("{count} {} {what} not drawn", if count == 1 { "value" } else { "values" }))
    };
    said(not_positive, "at or below zero").into_iter().chain(said(not_finite, "without a finite number")).collect()
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values
        .filter(|value| value.is_finite())
        .fold(None, |ends: Option<(f64, f64)>, value| {
            Some(ends.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
        })
        .unwrap_or((0.0, 0.0))
}

/// A round number `digits` × 10^`exponent`, kept in whole numbers so that no tick reads 0.6000000000000001.
#[derive(Clone, Copy)]
struct Round {
    digits: i64,
    exponent: i32,
}

impl Round {
    fn value(self) -> f64 {
        format!("{}e{}", self.digits, self.exponent).parse().unwrap_or(f64::INFINITY)
    }
}

/// Multiples of 1, 2 or 5 × 10^n.
fn linear_ticks(scale: &Scale, style: TickStyle, count: u32) -> Vec<Tick> {
    let span = scale.high / 2.0 - scale.low / 2.0;
    let wanted = span / f64::from(count) * 2.0;
    if style == TickStyle::Bytes && (1.0..1e24).contains(&wanted) {
        return byte_ticks(scale, wanted);
    }
    let Some(step) = steps_from(wanted).find(|step| step.value() >= wanted) else { return Vec::new() };
    let size = step.value();
    if !(size.is_normal() && (scale.low / size).abs() < 1e12 && (scale.high / size).abs() < 1e12) {
        return Vec::new();
    }
    let first = (scale.low / size - 1e-6).ceil() as i64;
    let last = (scale.high / size + 1e-6).floor() as i64;
    let ticks: Vec<Round> =
        (first..=last).map(|times| Round { digits: times * step.digits, exponent: step.exponent }).collect();
    // One notation along the whole axis.
    let notation = Notation::of(ticks.iter().map(|tick| tick.value()), step.exponent);
    ticks.iter().map(|tick| Tick { value: tick.value(), label: notation.write(*tick, style) }).collect()
}

/// 1, 2 and 5 in each decade while they fit, then every decade, then every second, third …
fn logarithmic_ticks(scale: &Scale, style: TickStyle, count: u32) -> Vec<Tick> {
    let (first, last) = (scale.low.log10().floor() as i32, scale.high.log10().ceil() as i32);
    let decades = scale.high.log10() - scale.low.log10();
    let (digits, stride): (&[i64], usize) = if f64::from(count) >= decades * 3.0 {
        (&[1, 2, 5], 1)
    } else {
        (&[1], (decades / f64::from(count)).ceil().max(1.0) as usize)
    };
    // Decades are counted from one, so that thousands and millions are among them.
    let from = first - first.rem_euclid(i32::try_from(stride).unwrap_or(1));
    let ticks: Vec<Round> = (from..=last)
        .step_by(stride)
        .flat_map(|exponent| digits.iter().map(move |digits| Round { digits: *digits, exponent }))
        .filter(|tick| (scale.low..=scale.high).contains(&tick.value()))
        .collect();
    let finest = ticks.first().map_or(0, |tick| tick.exponent);
    let long = matches!(Notation::of(ticks.iter().map(|tick| tick.value()), finest), Notation::Power);
    let notation = |tick: &Round| if long { Notation::Power } else { Notation::of([].into_iter(), tick.exponent) };
    ticks.iter().map(|tick| Tick { value: tick.value(), label: notation(tick).write(*tick, style) }).collect()
}

/// Powers of two of a binary unit, named in that unit.
fn byte_ticks(scale: &Scale, wanted: f64) -> Vec<Tick> {
    let step = wanted.log2().ceil().exp2();
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"];
    let (mut unit, mut size) = (0, 1.0);
    while unit + 1 < units.len() && size * 1024.0 <= step * 4.0 {
        unit += 1;
        size *= 1024.0;
    }
    let (first, last) = ((scale.low / step).ceil() as i64, (scale.high / step + 1e-6).floor() as i64);
    (first..=last)
        .map(|times| times as f64 * step)
        .map(|value| Tick {
            value,
            label: if value == 0.0 { "0".to_owned() } else { format!("{} {}", fixed_short(value / size), units[unit]) },
        })
        .collect()
}

/// A binary fraction as it is: 0.25, 0.5, 1, 1,024.
fn fixed_short(value: f64) -> String {
    let decimals = if value.fract() == 0.0 {
        0
    } else if (value * 2.0).fract() == 0.0 {
        1
    } else {
        2
    };
    fixed(value, decimals)
}

/// The round steps from the decade of `size` up.
fn steps_from(size: f64) -> impl Iterator<Item = Round> {
    let exponent = if size > 0.0 { size.log10().floor() as i32 } else { -400 };
    [(1, 0), (2, 0), (5, 0), (1, 1), (2, 1)]
        .into_iter()
        .map(move |(digits, decade)| Round { digits, exponent: exponent.saturating_add(decade) })
}

/// Plain decimals, or a power of ten where those would be long.
enum Notation {
    Decimal { decimals: usize },
    Power,
}

impl Notation {
    fn of(values: impl Iterator<Item = f64>, exponent: i32) -> Self {
        let largest = values.fold(0.0_f64, |largest, value| largest.max(value.abs()));
        if largest >= 1e7 || exponent < -4 {
            return Notation::Power;
        }
        Notation::Decimal { decimals: usize::try_from(-exponent).unwrap_or(0) }
    }

    fn write(&self, tick: Round, style: TickStyle) -> String {
        let sign = if tick.digits < 0 { "−" } else { "" };
        let dollar = if style == TickStyle::Dollars { "$" } else { "" };
        let unit = if style == TickStyle::Bytes { " B" } else { "" };
        let digits = match self {
            // Zero is zero in any unit.
            _ if tick.digits == 0 => return "0".to_owned(),
            // $0.5 reads as a slip; cents have two digits.
            Notation::Decimal { decimals: 1 } if style == TickStyle::Dollars => fixed(tick.value().abs(), 2),
            Notation::Decimal { decimals } => fixed(tick.value().abs(), *decimals),
            Notation::Power => power_of_ten(tick),
        };
        format!("{sign}{dollar}{digits}{unit}")
    }
}

/// `2×10⁷`, `1.5×10⁷`, `10⁷`.
fn power_of_ten(tick: Round) -> String {
    let digits = tick.digits.unsigned_abs().to_string();
    let exponent = tick.exponent + i32::try_from(digits.len()).unwrap_or(1) - 1;
    let mantissa = format!("{}.{}", &digits[..1], &digits[1..]);
    let raised: String = exponent
        .to_string()
        .chars()
        .map(|digit| match digit {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            '0' | '4'..='9' => char::from_u32(0x2070 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
            other => other,
        })
        .collect();
    match mantissa.trim_end_matches('0').trim_end_matches('.') {
        "1" => format!("10{raised}"),
        mantissa => format!("{mantissa}×10{raised}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, style: TickStyle, count: u32) -> String {
        let ticked = scale.ticked(style, count, |_| true);
        ticked.ticks.iter().map(|tick| tick.label.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn around(values: &[f64]) -> Scale {
        Scale::around(values.iter().copied())
    }

    fn from_zero(high: f64) -> Scale {
        Scale::from_zero([high].into_iter())
    }

    #[test]
    fn ticks_are_round_and_no_longer_than_they_must_be() {
        use TickStyle::{Bytes, Dollars, Plain};
        assert_eq!(labels(from_zero(8508.0), Plain, 5), "0 2,000 4,000 6,000 8,000");
        assert_eq!(labels(around(&[0.2, 1.0]), Plain, 5), "0.2 0.4 0.6 0.8 1.0");
        assert_eq!(labels(from_zero(0.856), Dollars, 5), "0 $0.20 $0.40 $0.60 $0.80");
        assert_eq!(labels(from_zero(36.6 * 1024f64.powi(3)), Bytes, 5), "0 8 GiB 16 GiB 24 GiB 32 GiB");
        assert_eq!(labels(from_zero(1.3 * 1024f64.powi(3)), Bytes, 6), "0 0.25 GiB 0.5 GiB 0.75 GiB 1 GiB 1.25 GiB");
        assert_eq!(labels(from_zero(1e18), Plain, 5), "0 2×10¹⁷ 4×10¹⁷ 6×10¹⁷ 8×10¹⁷ 10¹⁸");
        assert_eq!(labels(from_zero(3e-6), Plain, 3), "0 10⁻⁶ 2×10⁻⁶ 3×10⁻⁶");
        assert_eq!(labels(from_zero(-47.0), Plain, 3), "−40 −20 0");
        assert_eq!(labels(around(&[1.0, 30.0]), Plain, 9), "1 2 5 10 20");
        assert_eq!(labels(around(&[0.1, 1e6]), Plain, 9), "0.1 1 10 100 1,000 10,000 100,000 1,000,000");
        assert_eq!(labels(around(&[0.1, 1e8]), Plain, 5), "1 1,000 1,000,000");
    }

    #[test]
    fn a_range_over_one_decade_is_logarithmic_and_takes_nothing_below_zero() {
        let scale = around(&[0.0, 10.0, 1000.0]);
        assert_eq!(scale.spacing, Spacing::Logarithmic);
        assert!(!scale.takes(0.0) && !scale.takes(-1.0) && scale.takes(10.0));
        assert_eq!(around(&[10.0, 100.0]).spacing, Spacing::Linear);
    }

    #[test]
    fn equal_values_lie_inside_a_padded_range() {
        for value in [0.0, 100.0, -3.0, 1e18, 1e-6, f64::MAX, f64::MIN_POSITIVE] {
            let scale = around(&[value, value]);
            assert!(scale.low < scale.high, "{value}");
            assert!((0.0..=1.0).contains(&scale.share(value)), "{value}");
        }
        assert_eq!(around(&[100.0]).share(100.0), 0.5);
    }

    #[test]
    fn ticks_lie_on_the_scale_whatever_its_ends() {
        let hostile = [
            0.0,
            -0.0,
            5e-324,
            1e-300,
            -1e-6,
            1.0,
            1.0 + 1e-12,
            3.3e18,
            -1e300,
            f64::MAX,
            f64::MIN,
            f64::NAN,
            f64::INFINITY,
        ];
        for low in hostile {
            for high in hostile {
                for style in [TickStyle::Plain, TickStyle::Dollars, TickStyle::Bytes] {
                    for scale in [around(&[low, high]), Scale::from_zero([low, high].into_iter())] {
                        let scale = scale.ticked(style, 8, |_| true);
                        assert!(scale.low < scale.high, "{low} {high}");
                        assert!(scale.ticks.len() < 40, "{low} {high} {}", scale.ticks.len());
                        assert!(scale.ticks.iter().all(|tick| tick.value.is_finite()), "{scale:?}");
                    }
                }
            }
        }
    }
}
