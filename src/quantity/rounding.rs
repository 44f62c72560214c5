//! The one rounding rule: digits, separators, true minus, and never minus zero.

use super::Quantity;

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
    ends(quantity, one)
}

/// A quantity with all its digits.
pub fn unrounded(quantity: Quantity) -> String {
    ends(quantity, |value| value.to_string())
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
