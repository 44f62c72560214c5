//! The smallest run records and audits, and what is published of them.

use serde_json::{Value, json};

use crate::program::{Outcome, Site};

const CARD: &str = r#"{"id": "test-card", "title": "Test card", "names": ["Test card"], "memory_gb": 80, "memory_bandwidth_tb_s": 2,
    "board_power_w": 500}"#;
pub const MODEL: &str = r#"{"id": "test-model", "title": "Test model", "names": ["Test model"], "layers": 2,
  "groups": [{"kind": "full", "layers": 2, "kv_heads": 2, "k_dim": 64, "v_dim": 64}]}"#;

/// A site with one run record of one config, made of the smallest and these fields.
pub fn run(record: Value, config: Value) -> Site {
    let mut whole = json!({
        "id": "a", "status": "published", "title": "Run a", "published": "2026-10-29",
        "hardware": {"accelerator": "Test card", "count": 1},
        "software": {"engine": "vllm"}, "model": {"name": "Test model"},
        "configs": [merged(json!({"key": "only", "label": "Only"}), config)]
    });
    whole = merged(whole, record);
    with_entries().file("content/runs/a.json", whole.to_string())
}

/// A site with one audit of one config, made of the smallest and these fields.
pub fn audit(record: Value, capacity: Value) -> Site {
    let whole = json!({
        "id": "a", "title": "Audit a", "published": "2026-10-08", "engine": "vllm",
        "model": {"name": "Test model"}, "hardware": {"accelerator": "Test card", "count": 1},
        "workload": {}, "slo": {}, "configs": [{"key": "only", "capacity": capacity}]
    });
    with_entries().file("content/audits/a.md", format!("---\n{}\n---\n", merged(whole, record)))
}

pub fn with_entries() -> Site {
    Site::new().file("content/hardware/test-card.json", CARD).file("content/models/test-model.json", MODEL)
}

pub fn merged(mut whole: Value, parts: Value) -> Value {
    let members = whole.as_object_mut().expect("records are objects");
    members.extend(parts.as_object().expect("parts are objects").clone());
    whole
}

/// A published record: its data file and its page.
pub struct Published {
    pub data: Value,
    pub page: String,
}

impl Published {
    #[track_caller]
    pub fn of(site: &Site, address: &str) -> Self {
        site.build().good();
        Published {
            data: site.json(&format!("public/{address}.json")),
            page: site.read(&format!("public/{address}.html")),
        }
    }

    pub fn figure(&self, id: &str, subject: &str, quote: Option<&str>) -> &Value {
        let figures = self.data["figures"].as_array().expect("figures are a list");
        let same =
            |figure: &&Value| figure["id"] == id && figure["subject"] == subject && figure["quote"].as_str() == quote;
        figures.iter().find(same).unwrap_or_else(|| panic!("no {id} of {subject} at {quote:?}"))
    }

    #[track_caller]
    pub fn gives(&self, expected: &[(&str, f64, &str)]) -> &Self {
        for (id, value, unit) in expected {
            let figure =
                if self.has(id, "only") { self.figure(id, "only", None) } else { self.figure(id, "record", None) };
            let found = figure["value"].as_f64().unwrap_or_else(|| panic!("{figure}"));
            assert!((found - value).abs() <= 0.5e-2 * value.abs(), "{id}: expected {value}, found {figure}");
            assert_eq!(figure["unit"], *unit, "{figure}");
        }
        self
    }

    pub fn has(&self, id: &str, subject: &str) -> bool {
        let figures = self.data["figures"].as_array().expect("figures are a list");
        figures.iter().any(|figure| figure["id"] == id && figure["subject"] == subject)
    }

    #[track_caller]
    pub fn lacks(&self, id: &str, subject: &str, reason: &str) -> &Self {
        let missing = self.figure(id, subject, None)["missing"].as_str().unwrap_or_else(|| panic!("{id} has a value"));
        assert!(missing.contains(reason), "{id}: {missing}");
        self
    }

    #[track_caller]
    pub fn shows(&self, words: &[&str]) -> &Self {
        for word in words {
            assert!(self.page.contains(word), "the page does not show `{word}`");
        }
        self
    }

    #[track_caller]
    pub fn hides(&self, words: &[&str]) -> &Self {
        let data = self.data["figures"].to_string();
        for word in words {
            assert!(!self.page.contains(word), "the page shows `{word}`");
            assert!(!data.contains(&word.replace(',', "")), "the figures hold `{word}`");
        }
        self
    }

    /// The headings of the columns in which a text stands as a cell.
    pub fn headings_over(&self, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        for table in self.page.split("<table").skip(1).filter_map(|rest| rest.split("</table>").next()) {
            let (head, body) = table.split_once("</thead>").expect("tables have a head");
            let headings: Vec<_> = head.split("<th").skip(3).map(str::to_owned).collect();
            for row in body.split("<tr").skip(1) {
                let cells = row.split("<td").skip(1).enumerate();
                found.extend(
                    cells.filter(|(_, cell)| cell.contains(&format!(">{text}<"))).map(|(at, _)| headings[at].clone()),
                );
            }
        }
        found
    }
}

#[track_caller]
pub fn refused(site: &Site, words: &[&str]) -> Outcome {
    site.check().refused(words)
}
