//! A record as text, the way that content is written: what matters first, and what is short on one line.

use serde_json::{Map, Value};

/// Keys that come before others, in their order.
const FIRST: [&str; 18] = [
    "$schema",
    "id",
    "title",
    "names",
    "developer",
    "kind",
    "layers",
    "attention_heads",
    "hidden_size",
    "max_context_tokens",
    "shape",
    "groups",
    "draft_groups",
    "kv_heads",
    "k_dim",
    "v_dim",
    "dim",
    "rope_dim",
];

/// Keys that come after others.
const LAST: [&str; 3] = ["assumed", "note", "sources"];

/// Widest line that an object or a list is kept on.
const WIDTH: usize = 110;

/// The text of a record, with a line end.
pub fn written(record: &Value) -> String {
    let mut out = String::new();
    write(record, 0, &mut out);
    out.push('\n');
    out
}

fn write(value: &Value, indent: usize, out: &mut String) {
    let line = on_one_line(value);
    // The record itself is never one line.
    if indent > 0 && indent + line.len() <= WIDTH {
        return out.push_str(&line);
    }
    match value {
        Value::Object(members) => {
            let members = ordered(members);
            block('{', '}', members.len(), indent, out, |position, out| {
                let (key, value) = members[position];
                out.push_str(&format!("{}: ", Value::from(key.as_str())));
                write(value, indent + 2, out);
            });
        }
        Value::Array(items) => block('[', ']', items.len(), indent, out, |position, out| {
            write(&items[position], indent + 2, out);
        }),
        _ => out.push_str(&line),
    }
}

/// So many items between brackets, a line each.
fn block(
    open: char,
    close: char,
    count: usize,
    indent: usize,
    out: &mut String,
    mut item: impl FnMut(usize, &mut String),
) {
    out.push(open);
    for position in 0..count {
        out.push_str(if position == 0 { "\n" } else { ",\n" });
        out.push_str(&" ".repeat(indent + 2));
        item(position, out);
    }
    out.push('\n');
    out.push_str(&" ".repeat(indent));
    out.push(close);
}

fn on_one_line(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members = ordered(members);
            let members =
                members.iter().map(|(key, value)| format!("{}: {}", Value::from(key.as_str()), on_one_line(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(on_one_line).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn ordered(members: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut members: Vec<_> = members.iter().collect();
    let place = |list: &[&str], key: &str| list.iter().position(|known| *known == key);
    members.sort_by_key(|(key, _)| {
        let last = place(&LAST, key);
        (last, place(&FIRST, key).unwrap_or(FIRST.len()))
    });
    members
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_matters_comes_first_and_what_is_short_stays_on_a_line() {
        let record = json!({
            "sources": [{"title": "a", "note": "b".repeat(WIDTH)}],
            "groups": [{"layers": 36, "kind": "full", "window": 4, "kv_heads": 8}],
            "id": "x",
        });
        let expected = format!(
            "{{\n  \"id\": \"x\",\n  \"groups\": [{{\"kind\": \"full\", \"layers\": 36, \"kv_heads\": 8, \"window\": 4}}],\n  \
             \"sources\": [\n    {{\n      \"title\": \"a\",\n      \"note\": \"{}\"\n    }}\n  ]\n}}\n",
            "b".repeat(WIDTH)
        );
        assert_eq!(written(&record), expected);
        let again: Value = serde_json::from_str(&written(&record)).expect("it is JSON");
        assert_eq!(again, record);
    }
}
