//! The one rounding rule: digits, separators, true minus, and never minus zero.
//!
//! What is rounded is the decimal number that reads back as the same value with the fewest digits, and halves go away
//! from zero: 12.85 is 12.9 and 9818.5 is 9,819, whichever side of the half binary puts them on.

use super::Quantity;

/// From here on a number has more digits than anyone reads, and is printed with an exponent.
const LONG: f64 = 1e15;

/// Three significant digits; from 1,000 on whole numbers with separators.
pub fn significant(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let rounded = scientific(value, 2);
    // Rounding can carry into the next decade (9.996 is 10.0), so ask the rounded text.
    let exponent: i32 = rounded.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    if exponent < -6 {
        return minus(rounded);
    }
    fixed(value, usize::try_from(2 - exponent).unwrap_or(0))
}

/// A fixed number of decimals, grouped, with a true minus and never minus zero.
pub fn fixed(value: f64, decimals: usize) -> String {
    if value.abs() >= LONG { minus(scientific(value, 2)) } else { grouped(&rounded(&value.to_string(), decimals)) }
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
        grouped(&rounded(&exact, usize::try_from(decimals.clamp(0, 20)).unwrap_or(0)))
    };
    ends(quantity, one)
}

/// A quantity with all its digits.
pub fn unrounded(quantity: Quantity) -> String {
    ends(quantity, unrounded_one)
}

fn unrounded_one(value: f64) -> String {
    if value.abs() >= LONG { minus(format!("{value:e}")) } else { value.to_string() }
}

/// `9.82e3`, with as many decimals.
fn scientific(value: f64, decimals: usize) -> String {
    let shortest = format!("{value:e}");
    let Some((digits, exponent)) = shortest.split_once('e') else { return shortest };
    let digits = rounded(digits, decimals);
    match digits.strip_prefix("10").or_else(|| digits.strip_prefix("-10")) {
        Some(_) => format!("{}e{}", digits.replacen("10", "1", 1), exponent.parse::<i32>().unwrap_or(0) + 1),
        None => format!("{digits}e{exponent}"),
    }
}

/// A decimal number to as many decimals, halves away from zero.
fn rounded(number: &str, decimals: usize) -> String {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if !whole.ends_with(|last: char| last.is_ascii_digit()) {
        return number.to_owned();
    }
    let mut digits: Vec<u8> =
        whole.bytes().chain(fraction.bytes().chain(std::iter::repeat(b'0')).take(decimals)).collect();
    if fraction.as_bytes().get(decimals).is_some_and(|next| *next >= b'5') {
        let nines = digits.iter().rev().take_while(|digit| **digit == b'9').count();
        let end = digits.len() - nines;
        digits[end..].fill(b'0');
        match digits[..end].last_mut().filter(|digit| digit.is_ascii_digit()) {
            Some(digit) => *digit += 1,
            None => digits.insert(end, b'1'),
        }
    }
    let mut text: String = digits.into_iter().map(char::from).collect();
    if decimals > 0 {
        text.insert(text.len() - decimals, '.');
    }
    text
}

/// The text of a quantity from that of its ends.
pub(super) fn ends(quantity: Quantity, text: impl Fn(f64) -> String) -> String {
    let about = if quantity.approximate { "~" } else { "" };
    if quantity.is_interval() {
        format!("{about}{}–{}", text(quantity.low), text(quantity.high))
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
    let decimals = if value.abs() >= 99.995 { 0 } else { 2 };
    with_dollar(value, fixed(value.abs(), decimals))
}

pub(super) fn with_dollar(value: f64, digits: String) -> String {
    let nothing = digits.chars().all(|digit| matches!(digit, '0' | '.'));
    if value < 0.0 && !nothing { format!("−${digits}") } else { format!("${digits}") }
}

/// Whole numbers whole; what is not whole is printed as it is, to four decimals.
pub(super) fn whole_or_as_is(value: f64) -> String {
    if value.fract() == 0.0 {
        return fixed(value, 0);
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
