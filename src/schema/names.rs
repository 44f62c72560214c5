//! The names that a schema allows at a place, so that a misspelt one finds its neighbour.

use serde_json::Value;
use std::collections::BTreeSet;

/// Field names of a schema object: its properties, and what its patterns spell out.
pub(super) fn fields(schema: &Value) -> Vec<String> {
    let keys = |keyword: &str| schema.get(keyword).and_then(Value::as_object).into_iter().flat_map(|map| map.keys());
    let mut names: Vec<String> = keys("properties").cloned().collect();
    names.extend(keys("patternProperties").filter_map(|pattern| spelled_out(pattern)).flatten());
    if let Some(rule) = schema.get("propertyNames") {
        names.extend(texts(rule));
    }
    names
}

/// Every field name of a schema file, wherever it stands.
pub(super) fn everywhere(schema: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    collect(schema, &mut names);
    names
}

fn collect(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            let properties = members.get("properties").and_then(Value::as_object);
            names.extend(properties.into_iter().flat_map(|properties| properties.keys().cloned()));
            members.values().for_each(|member| collect(member, names));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, names)),
        _ => {}
    }
}

/// Texts that a schema lists: the options of `enum`, or what its `pattern` spells out.
pub(super) fn texts(schema: &Value) -> Vec<String> {
    let listed = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    let mut texts: Vec<String> = listed.filter_map(Value::as_str).map(str::to_owned).collect();
    texts.extend(schema.get("pattern").and_then(Value::as_str).and_then(spelled_out).into_iter().flatten());
    texts
}

/// All texts of a pattern that consists of letters and groups of alternatives alone.
fn spelled_out(pattern: &str) -> Option<Vec<String>> {
    let inner = pattern.strip_prefix('^')?.strip_suffix('$')?;
    let mut rest = inner;
    let texts = alternatives(&mut rest)?;
    rest.is_empty().then_some(texts)
}

const MOST: usize = 500;

fn alternatives(rest: &mut &str) -> Option<Vec<String>> {
    let mut texts = sequence(rest)?;
    while let Some(after) = rest.strip_prefix('|') {
        *rest = after;
        texts.extend(sequence(rest)?);
    }
    (texts.len() <= MOST).then_some(texts)
}

fn sequence(rest: &mut &str) -> Option<Vec<String>> {
    let mut texts = vec![String::new()];
    loop {
        let pieces = match rest.chars().next() {
            None | Some('|' | ')') => return Some(texts),
            Some('(') => {
                *rest = &rest[1..];
                *rest = rest.strip_prefix("?:").unwrap_or(rest);
                let pieces = alternatives(rest)?;
                *rest = rest.strip_prefix(')')?;
                pieces
            }
            Some(letter) if letter.is_alphanumeric() || matches!(letter, '_' | '-' | ' ' | '/') => {
                *rest = &rest[letter.len_utf8()..];
                vec![letter.to_string()]
            }
            Some(_) => return None,
        };
        if texts.len() * pieces.len() > MOST {
            return None;
        }
        texts = texts.iter().flat_map(|text| pieces.iter().map(move |piece| format!("{text}{piece}"))).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn patterns_of_alternatives_are_spelled_out_and_others_are_not() {
        let spelled = spelled_out("^(ttft|tpot)_(?:p(50|99)|mean)_ms$").expect("only alternatives");
        let expected = ["ttft_p50_ms", "ttft_p99_ms", "ttft_mean_ms", "tpot_p50_ms", "tpot_p99_ms", "tpot_mean_ms"];
        assert_eq!(spelled, expected);
        for pattern in ["^[a-z]+$", "a|b", "^a?$", "^(a$", "^a)$", "^a.b$"] {
            assert_eq!(spelled_out(pattern), None, "{pattern}");
        }
        let many = format!("^{}$", "(a|b)".repeat(40));
        assert_eq!(spelled_out(&many), None);
    }

    #[test]
    fn fields_come_from_properties_patterns_and_name_rules() {
        let schema = json!({
            "properties": {"label": {}}, "patternProperties": {"^x_(a|b)$": {}}, "propertyNames": {"enum": ["y"]}
        });
        assert_eq!(fields(&schema), ["label", "x_a", "x_b", "y"]);
    }
}
