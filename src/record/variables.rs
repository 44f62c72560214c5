//! Environment variables, as people set them.

use serde_json::Value;

/// `X=1`, in quotation marks where the value has blanks or is empty: `X="a b"`.
pub fn assigned(name: &str, value: &str) -> String {
    let needs_quotes = value.is_empty() || value.contains(char::is_whitespace);
    if needs_quotes { format!("{name}={value:?}") } else { format!("{name}={value}") }
}

/// The same of a harness that writes numbers and truths without quotation marks.
pub fn set_to(name: &str, value: &Value) -> String {
    match value {
        Value::String(text) => assigned(name, text),
        other => assigned(name, &other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_in_quotation_marks_where_it_would_not_be_seen_whole() {
        for (value, expected) in [
            (json!("1"), "X=1"),
            (json!(1), "X=1"),
            (json!(true), "X=true"),
            (json!("--a=b"), "X=--a=b"),
            (json!("a b"), "X=\"a b\""),
            (json!(""), "X=\"\""),
            (json!("a \"b\""), "X=\"a \\\"b\\\"\""),
        ] {
            assert_eq!(set_to("X", &value), expected, "{value}");
        }
    }
}
