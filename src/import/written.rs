//! A record as text, the way that content is written: what matters first, and what is short on one line.

use serde_json::{Map, Value};

/// Keys that come before others, in their order.
const FIRST: &[&str] = &[
    "$schema",
    "id",
    "status",
    "title",
    "names",
    "developer",
    "published",
    "engine",
    "engine_version",
    "kind",
    "key",
    "label",
    "sent",
    "completed",
    "failed",
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
    "hardware",
    "software",
    "model",
    "accelerator",
    "count",
    "name",
    "price",
    "usd_per_gpu_hour",
    "slo",
    "workload",
    "power",
    "variance_band_pct",
    "offered_rps",
    "delivered_rps",
    "concurrency",
    "request_rate_rps",
    "request_throughput_rps",
    "goodput_tok_s",
    "output_tok_s",
    "input_tok_s",
    "total_tok_s",
    "duration_s",
    "requests",
];

/// Keys that come after others.
const LAST: &[&str] = &["repeats", "configs", "steps", "capacity", "not_covered", "spec", "assumed", "note", "sources"];

/// Widest line that an object or a list is kept on.
const WIDTH: usize = 110;

/// The text of a JSON record, with a line end.
pub fn json(record: &Value) -> String {
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

/// The text of a Markdown record: its front matter, and the body below it.
pub fn markdown(front_matter: &Value, body: &str) -> String {
    let mut out = "---\n".to_owned();
    for (key, value) in front_matter.as_object().map(ordered).unwrap_or_default() {
        yaml(&format!("{key}:"), value, 0, &mut out);
    }
    out.push_str("---\n");
    if !body.is_empty() {
        out.push('\n');
        out.push_str(body.trim_end());
        out.push('\n');
    }
    out
}

/// One entry of a block: on its line where it fits, else with what it holds below it.
fn yaml(lead: &str, value: &Value, indent: usize, out: &mut String) {
    let flow = flow(value);
    let blanks = " ".repeat(indent);
    let is_short = indent + lead.len() + flow.len() < WIDTH;
    // What the first member of a list's item holds lies below that member, not below the dash.
    let inner = if lead.starts_with("- ") { indent + 4 } else { indent + 2 };
    match value {
        Value::Object(members) if !is_short => {
            let mut members = ordered(members).into_iter();
            // The first member of a list's item stands on the line of its dash.
            if lead == "-" {
                if let Some((key, value)) = members.next() {
                    yaml(&format!("- {key}:"), value, indent, out);
                }
            } else {
                out.push_str(&format!("{blanks}{lead}\n"));
            }
            members.for_each(|(key, value)| yaml(&format!("{key}:"), value, inner, out));
        }
        Value::Array(items) if !is_short => {
            out.push_str(&format!("{blanks}{lead}\n"));
            items.iter().for_each(|item| yaml("-", item, inner, out));
        }
        _ => out.push_str(&format!("{blanks}{lead} {flow}\n")),
    }
}

/// A value on one line of YAML; JSON is YAML, and only plain words go without quotation marks.
fn flow(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members = ordered(members);
            let members = members.iter().map(|(key, value)| format!("{key}: {}", flow(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::String(text) if is_plain(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Whether text reads the same with and without quotation marks: what could be a number, a date or a truth could not.
fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let plain = |one: char| one.is_ascii_alphanumeric() || " ._/-".contains(one);
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(plain)
        && !text.ends_with(' ')
        && !WORDS.contains(&text.to_ascii_lowercase().as_str())
}

fn ordered(members: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut members: Vec<_> = members.iter().collect();
    let place = |list: &[&str], key: &str| list.iter().position(|known| *known == key);
    members.sort_by_key(|(key, _)| {
        let last = place(LAST, key);
        (last, place(FIRST, key).unwrap_or(FIRST.len()))
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
        assert_eq!(json(&record), expected);
        let again: Value = serde_json::from_str(&json(&record)).expect("it is JSON");
        assert_eq!(again, record);
    }

    #[test]
    fn front_matter_is_yaml_that_reads_back_the_same() {
        let long = "b".repeat(WIDTH);
        let record = json!({
            "published": "2026-10-08",
            "engine": "vllm",
            "engine_version": "1.10",
            "model": {"name": "Qwen/Qwen3-8B"},
            "configs": [
                {"key": "no", "capacity": "none passed", "steps": [{"offered_rps": 0.5, "latencies": {"a": [1, 2.5]}}, {"remark": long}]},
                {"key": "b", "remark": long},
            ],
            "sources": [{"title": "a: b # c", "note": long}],
        });
        let expected = format!(
            "---\npublished: \"2026-10-08\"\nengine: vllm\nengine_version: \"1.10\"\nmodel: {{name: Qwen/Qwen3-8B}}\nconfigs:\n\
             \u{20}\u{20}- key: \"no\"\n    steps:\n      - {{offered_rps: 0.5, latencies: {{a: [1, 2.5]}}}}\n      - remark: {long}\n\
             \u{20}\u{20}\u{20}\u{20}capacity: none passed\n  - key: b\n    remark: {long}\nsources:\n  - title: \"a: b # c\"\n    note: {long}\n---\n\nBody.\n"
        );
        assert_eq!(markdown(&record, "Body.\n"), expected);
    }
}
