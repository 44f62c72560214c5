//! The one rounding rule: digits, separators, true minus, and never minus zero.
//!
//! What is rounded is the decimal number that reads back as the same value with the fewest digits, and halves go away
//! from zero: 12.85 is 12.9 and 9818.5 is 9,819, whichever side of the half binary puts them on.

use super::Quantity;

/// From here on a number has more digits than anyone reads, and is printed with an exponent.
const LONG: f64 = 1e15;

/// How far binary arithmetic may be off, as a part of the result: 100 × 3 ÷ 2000 is 0.15, a tie, and 1 ÷ (1 − 0.9) is
/// 10, whatever their last bits say.
const HAIR: f64 = 1e-12;

/// A number with all digits that tell it from others: `digits` × 10^`last`.
struct Decimal {
    digits: u64,
    last: i32,
}

impl Decimal {
    const DIGITS: usize = 17;

    /// The size of a finite number, without its sign.
    fn of(value: f64) -> Option<Self> {
        let text = format!("{:.*e}", Self::DIGITS - 1, value.abs());
        let (digits, exponent) = text.split_once('e')?;
        let digits = digits.replace('.', "").parse().ok()?;
        Some(Decimal { digits, last: exponent.parse::<i32>().ok()? + 1 - Self::DIGITS as i32 })
    }

    /// Power of ten of the first digit.
    fn first(&self) -> i32 {
        self.last + Self::DIGITS as i32 - 1
    }

    /// Multiples of 10^`last`, halves away from zero; `None` where there are not so many digits.
    fn rounded(&self, last: i32) -> Option<u64> {
        let dropped = u32::try_from(last - self.last).ok()?;
        let Some(unit) = 10_u64.checked_pow(dropped) else { return Some(0) };
        let (kept, rest) = (self.digits / unit, self.digits % unit);
        // Of a number with very many digits a hair would be no hair any more.
        let hair = ((2.0 * self.digits as f64 * HAIR) as u64).min(unit / 1000);
        Some(kept + u64::from(2 * rest + hair >= unit))
    }
}

/// The size of a number in whole units of 10^`last`; `None` where it has not so many digits.
fn rounded(value: f64, last: i32) -> Option<u64> {
    Decimal::of(value)?.rounded(last)
}

/// Three significant digits; from 1,000 on whole numbers with separators.
pub fn significant(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let Some(decimal) = Decimal::of(value) else { return value.to_string() };
    if value.abs() >= LONG {
        return exponential(value);
    }
    let three = decimal.rounded(decimal.first() - 2).unwrap_or(0);
    // Rounding can carry into the next decade: 9.996 is 10.0.
    let (three, first) = if three == 1000 { (100, decimal.first() + 1) } else { (three, decimal.first()) };
    if first < -6 {
        let sign = if value < 0.0 { "−" } else { "" };
        return format!("{sign}{}.{:02}e−{}", three / 100, three % 100, -first);
    }
    fixed(value, usize::try_from(2 - first).unwrap_or(0))
}

/// A fixed number of decimals, grouped, with a true minus and never minus zero.
pub fn fixed(value: f64, decimals: usize) -> String {
    if value.abs() >= LONG {
        return exponential(value);
    }
    let Some(digits) = rounded(value, -(decimals as i32)) else { return grouped(&format!("{value:.decimals$}")) };
    let sign = if value < 0.0 { "-" } else { "" };
    let text = format!("{digits:0width$}", width = decimals + 1);
    let (whole, part) = text.split_at(text.len() - decimals);
    grouped(&if decimals == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") })
}

/// A quantity as it goes into an expression: all its digits where they are few, else six significant ones.
pub fn plain(quantity: Quantity) -> String {
    let one = |value: f64| {
        let exact = value.to_string();
        if exact.len() <= 12 {
            return grouped(&exact);
        }
        if value.abs() >= LONG {
            return unrounded_one(value);
        }
        let decimals = 5 - value.abs().log10().floor() as i32;
        fixed(value, usize::try_from(decimals.clamp(0, 20)).unwrap_or(0))
    };
    ends(quantity, one)
}

/// A quantity for a program to reckon with: six significant digits, an interval as two numbers.
pub fn reckonable(quantity: Quantity) -> String {
    let one = |value: f64| format!("{value:.5e}").parse().unwrap_or(value).to_string();
    if quantity.is_interval() { format!("{} {}", one(quantity.low), one(quantity.high)) } else { one(quantity.low) }
}

/// A quantity with all its digits.
pub fn unrounded(quantity: Quantity) -> String {
    ends(quantity, unrounded_one)
}

fn unrounded_one(value: f64) -> String {
    if value.abs() >= LONG { minus(format!("{value:e}")) } else { value.to_string() }
}

/// The text of a quantity from that of its ends.
pub(super) fn ends(quantity: Quantity, text: impl Fn(f64) -> String) -> String {
    let about = if quantity.approximate { "~" } else { "" };
    if quantity.is_interval() {
        let (low, high) = (text(quantity.low), text(quantity.high));
        // A dash beside a sign reads as another sign.
        let joint = if high.starts_with(['+', '−']) { " to " } else { "–" };
        format!("{about}{low}{joint}{high}")
    } else {
        format!("{about}{}", text(quantity.low))
    }
}

/// A change: always signed, except when it rounds to nothing.
pub(super) fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    let nothing = text.chars().all(|digit| matches!(digit, '0' | '.'));
    if value > 0.0 && !nothing { format!("+{text}") } else { text }
}

/// From $100 whole dollars, below that cents.
pub(super) fn money(value: f64) -> String {
    let is_below = rounded(value, -2).is_some_and(|cents| cents < 10_000);
    let decimals = if is_below { 2 } else { 0 };
    with_dollar(value, fixed(value.abs(), decimals))
}

pub(super) fn with_dollar(value: f64, digits: String) -> String {
    let nothing = digits.chars().all(|digit| matches!(digit, '0' | '.'));
    if value < 0.0 && !nothing { format!("−${digits}") } else { format!("${digits}") }
}

/// The whole number that a value is but for a hair.
pub(super) fn whole(value: f64) -> Option<f64> {
    let near = value.round();
    ((value - near).abs() <= HAIR * near.abs()).then_some(near)
}

/// Whole numbers whole; what is not whole is printed as it is, to four decimals, and never as nothing.
pub(super) fn whole_or_as_is(value: f64) -> String {
    if whole(value).is_some() {
        return fixed(value, 0);
    }
    if rounded(value, -4) == Some(0) {
        return significant(value);
    }
    let text = fixed(value, 4);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Bytes at three digits in the largest fitting binary unit.
pub(super) fn iec(value: f64) -> String {
    let mut scaled = value;
    let mut unit = "B";
    for next in ["KiB", "MiB", "GiB", "TiB", "PiB"] {
        // Whole bytes stay bytes; scaled sizes move on before they would need four digits.
        let fits = if unit == "B" { scaled.abs() < 1024.0 } else { rounded(scaled, 0).is_some_and(|size| size < 1000) };
        if fits {
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

/// Three significant digits and an exponent.
fn exponential(value: f64) -> String {
    minus(format!("{value:.2e}"))
}

fn minus(text: String) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_away_from_zero_as_they_are_printed() {
        for (value, decimals, text) in [
            (9818.5, 0, "9,819"),
            (29_455.5, 0, "29,456"),
            (12.85, 1, "12.9"),
            (-12.85, 1, "−12.9"),
            (12.849_999, 1, "12.8"),
            (0.05, 1, "0.1"),
            (-0.04, 1, "0.0"),
            (9.996, 2, "10.00"),
            (999.5, 0, "1,000"),
            (2.5, 3, "2.500"),
            (99.995, 2, "100.00"),
        ] {
            assert_eq!(fixed(value, decimals), text, "{value} to {decimals}");
        }
    }

    #[test]
    fn three_digits_carry_into_the_next_decade() {
        for (value, text) in [
            (9.996, "10.0"),
            (9.995, "10.0"),
            (0.2345, "0.235"),
            (99.95, "100"),
            (999.5, "1,000"),
            (1234.5, "1,235"),
            (0.000_000_999_6, "0.00000100"),
            (1.005e-9, "1.01e−9"),
            (1e300, "1.00e300"),
            (0.0, "0"),
        ] {
            assert_eq!(significant(value), text, "{value}");
        }
    }

    #[test]
    fn a_number_of_hundreds_of_digits_has_an_exponent() {
        assert_eq!(plain(1e300.into()), "1e300");
        assert_eq!(unrounded((-1.5e300).into()), "−1.5e300");
        assert_eq!(plain(123_456_789_012.0.into()), "123,456,789,012");
    }
}
