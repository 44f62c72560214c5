//! What a plain YAML scalar means: YAML 1.2 core, without the forms that readers disagree on.

use serde_json::{Number, Value};

/// The value of a scalar that has no quotes.
#[derive(Debug, PartialEq)]
pub(super) enum Plain {
    Value(Value),
    /// Text that one reader takes for a number and another for text or another number.
    Ambiguous,
}

pub(super) fn resolve(text: &str) -> Plain {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Plain::Value(Value::Null),
        "true" | "True" | "TRUE" => return Plain::Value(Value::Bool(true)),
        "false" | "False" | "FALSE" => return Plain::Value(Value::Bool(false)),
        _ if is_ambiguous(unsigned) => return Plain::Ambiguous,
        _ => {}
    }
    let value = if is_number(unsigned) { number(text) } else { Some(Value::String(text.to_owned())) };
    value.map_or(Plain::Ambiguous, Plain::Value)
}

/// Octal, hexadecimal, leading zeros, grouped digits, and what is not a number.
fn is_ambiguous(unsigned: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let hexadecimal = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
    let grouped = unsigned.contains('_') && unsigned.starts_with(|first: char| first.is_ascii_digit());
    unsigned.strip_prefix("0o").is_some_and(digits)
        || unsigned.strip_prefix("0x").is_some_and(hexadecimal)
        || (unsigned.starts_with('0')
            && unsigned.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
            && is_number(unsigned))
        || (grouped && is_number(&unsigned.replace('_', "")))
        || matches!(unsigned, ".inf" | ".Inf" | ".INF" | ".nan" | ".NaN" | ".NAN")
}

/// Digits, a point among, before or after them, and an exponent.
fn is_number(unsigned: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => (unsigned, "0"),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    digits(whole) && digits(part) && whole.len() + part.len() > 0 && digits(exponent) && !exponent.is_empty()
}

/// `None` when no finite number is as large.
fn number(text: &str) -> Option<Value> {
    let text = text.strip_prefix('+').unwrap_or(text);
    if let Ok(whole) = text.parse::<i64>() {
        return Some(whole.into());
    }
    if let Ok(whole) = text.parse::<u64>() {
        return Some(whole.into());
    }
    Number::from_f64(text.parse().ok()?).map(Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn plain_scalars_follow_the_core_schema() {
        for (text, value) in [
            ("", json!(null)),
            ("~", json!(null)),
            ("True", json!(true)),
            ("yes", json!("yes")),
            ("12", json!(12)),
            ("-3", json!(-3)),
            ("+3", json!(3)),
            ("0", json!(0)),
            ("18446744073709551615", json!(18_446_744_073_709_551_615_u64)),
            ("0.50", json!(0.5)),
            (".5", json!(0.5)),
            ("1.", json!(1.0)),
            ("1e3", json!(1000.0)),
            ("1.10", json!(1.1)),
            ("2026-10-08", json!("2026-10-08")),
            ("~3000", json!("~3000")),
            ("0.31.0", json!("0.31.0")),
            ("e5", json!("e5")),
            (".", json!(".")),
            ("1e", json!("1e")),
            ("10_a", json!("10_a")),
            ("none passed", json!("none passed")),
        ] {
            assert_eq!(resolve(text), Plain::Value(value), "{text:?}");
        }
    }

    #[test]
    fn what_readers_disagree_on_is_ambiguous() {
        for text in ["0123", "-007", "00.5", "0o17", "0x1F", ".inf", "-.INF", ".nan", "1_000", "1e999"] {
            assert_eq!(resolve(text), Plain::Ambiguous, "{text:?}");
        }
    }
}
