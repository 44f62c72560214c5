//! Typed records, one file a kind; Rust field names are the keys of the files.

pub mod accuracy;
pub mod audit;
pub mod collection;
pub mod curator_note;
mod decode;
pub mod engine;
pub mod flags;
pub mod hardware;
pub mod kv_efficiency;
pub mod model;
pub mod page;
pub mod price;
pub mod run;
pub mod site;
pub mod storage;
pub mod sweep;
pub mod variables;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::quantity::Quantity;

pub use audit::Audit;
pub use collection::Collection;

pub use curator_note::CuratorNote;
pub use decode::{Entry, Settings, decode, decode_settings};

pub use hardware::Hardware;
pub use kv_efficiency::KvEfficiency;
pub use model::Model;
pub use page::Page;
pub use price::Price;
pub use run::Run;
pub use sweep::Requests;

/// A calendar date; never a moment, so no time zone can shift it.
pub type Date = jiff::civil::Date;

/// Latency limits by name: `ttft_p99_ms` and the like, milliseconds. A limit is set, not measured, so it is one number.
pub type LatencyLimits = BTreeMap<String, f64>;

/// Measured latencies by name, milliseconds.
pub type Latencies = BTreeMap<String, Quantity>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Draft,
    #[default]
    Published,
}

/// A name as a source writes it, optionally tied to an entry of ours.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct NamedReference {
    pub name: String,
    /// Address of the entry, `models/…` or `hardware/…`; else `name` is looked up.
    pub reference: Option<String>,
}

/// Where a fact was read.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Citation {
    pub title: String,
    pub url: Option<String>,
    /// Date of the source, as precise as it is known: `2026`, `2026-08`, `2026-08-19`.
    pub date: Option<String>,
    /// How the source was reached and read.
    pub accessed: Option<String>,
    pub note: Option<String>,
}

/// A warning that the author knows of, and why it stands.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Acknowledgement {
    pub rule: String,
    /// The numbers that it is about, as they are written, where the rule is of stated numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stated: Vec<String>,
    /// JSON pointers of the places that it is about, where it is not about the whole record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<String>,
    pub reason: String,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Withdrawn {
    pub date: Date,
    pub reason: String,
    /// Address of the record that takes its place.
    pub replacement: Option<String>,
}

/// The record that another replaces, by its address.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Supersedes {
    Record(String),
    Because { record: String, reason: String },
}

impl Supersedes {
    pub fn record(&self) -> &str {
        match self {
            Supersedes::Record(record) | Supersedes::Because { record, .. } => record,
        }
    }

    pub fn reason(&self) -> Option<&str> {
        match self {
            Supersedes::Record(_) => None,
            Supersedes::Because { reason, .. } => Some(reason),
        }
    }

    /// JSON pointer of the address.
    pub fn pointer(&self) -> &'static str {
        match self {
            Supersedes::Record(_) => "/supersedes",
            Supersedes::Because { .. } => "/supersedes/record",
        }
    }
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Change {
    pub date: Date,
    pub what: String,
}

/// Who measured, as seen from what was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub enum Relation {
    /// Who publishes the record.
    #[serde(rename = "author")]
    Author,
    /// The maker of the model, engine, card, service or method.
    #[serde(rename = "vendor")]
    Vendor,
    #[serde(rename = "third party")]
    ThirdParty,
}

impl Relation {
    /// As files and pages write it.
    pub fn words(self) -> &'static str {
        match self {
            Relation::Author => "author",
            Relation::Vendor => "vendor",
            Relation::ThirdParty => "third party",
        }
    }
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Provenance {
    pub measured_by: Option<String>,
    pub submitted_by: Option<String>,
    pub relation: Option<Relation>,
    /// Address of the record that this one measures again.
    pub reproduces: Option<String>,
}

/// What people say of a record: whose it is, what is known about it, what became of it.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
pub struct Curation {
    #[serde(default)]
    pub acknowledges: Vec<Acknowledgement>,
    /// Parts of the comparability key that the record itself does not state, by id.
    #[serde(default)]
    pub setting: BTreeMap<String, SetPart>,
    pub provenance: Option<Provenance>,
    /// Licence of the source.
    pub license: Option<String>,
    #[serde(default)]
    pub sources: Vec<Citation>,
    pub supersedes: Option<Supersedes>,
    pub withdrawn: Option<Withdrawn>,
    #[serde(default)]
    pub changes: Vec<Change>,
    /// Old addresses that lead here.
    #[serde(default)]
    pub aliases: Vec<String>,
}

/// A part of a result's setting in words, as others write it.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct SetPart {
    pub value: String,
    pub basis: SetBasis,
    /// Where it is stated, or why it is assumed.
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SetBasis {
    Stated,
    Assumed,
}

/// A derived number as the source itself states it, in its own wording.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct StatedFigure {
    /// Anchor of a config, variant or host; `record` for the whole record.
    pub subject: String,
    /// Formula id.
    pub figure: String,
    /// The source's wording, such as `+57%`.
    pub as_written: String,
    /// Words of the record that hold the wording, verbatim; a curator's note gives them.
    pub quote: Option<String>,
}

/// A value that the source has only in prose, with the words it stands in.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Observation {
    /// Name of the value where a subject has several of one metric; its figures go by it.
    pub key: Option<String>,
    pub subject: String,
    pub metric: String,
    pub value: Quantity,
    /// Verbatim; must occur in the record.
    pub quote: String,
    /// Questions behind a score.
    pub questions: Option<u64>,
    /// Why that many questions are taken, when the record does not say.
    pub questions_assumed: Option<String>,
    pub note: Option<String>,
}

/// Any record, after its schema accepted it.
#[derive(Debug)]
pub enum Record {
    Run(Box<Run>),
    CuratorNote(Box<CuratorNote>),
    Audit(Box<Audit>),
    KvEfficiency(Box<KvEfficiency>),
    Model(Box<Model>),
    Hardware(Box<Hardware>),
    Price(Box<Price>),
    Page(Box<Page>),
    Collection(Box<Collection>),
}

impl Record {
    /// A curator's note goes with its record.
    pub fn status(&self) -> Status {
        match self {
            Record::Run(run) => run.status,
            Record::Audit(audit) => audit.status,
            Record::KvEfficiency(note) => note.status,
            Record::Model(model) => model.status,
            Record::Hardware(card) => card.status,
            Record::Price(price) => price.status,
            Record::Page(page) => page.status,
            Record::Collection(collection) => collection.status,
            Record::CuratorNote(_) => Status::Published,
        }
    }

    /// The id as the record itself says it; a curator's note and a collection have none.
    pub fn id(&self) -> Option<&str> {
        match self {
            Record::Run(run) => Some(&run.id),
            Record::CuratorNote(_) | Record::Collection(_) => None,
            Record::Audit(audit) => Some(&audit.id),
            Record::KvEfficiency(note) => Some(&note.id),
            Record::Model(model) => Some(&model.id),
            Record::Hardware(card) => Some(&card.id),
            Record::Price(price) => Some(&price.id),
            Record::Page(page) => page.id.as_deref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;
    use serde_json::{Map, Value, json};

    use super::*;

    /// What a record says, however it is written: no nulls, no empty lists, numbers as numbers.
    fn meaning(value: Value) -> Value {
        let says_nothing = |value: &Value| value.is_null() || *value == json!([]) || *value == json!({});
        match value {
            Value::Object(members) => members
                .into_iter()
                .map(|(key, value)| (key, meaning(value)))
                .filter(|(key, value)| key != "$schema" && !says_nothing(value))
                .collect::<Map<_, _>>()
                .into(),
            Value::Array(items) => items.into_iter().map(meaning).collect(),
            Value::Number(number) => json!(number.as_f64()),
            Value::String(text) => match text.strip_prefix('~').and_then(|digits| digits.parse::<f64>().ok()) {
                Some(about) => json!(about),
                None => Value::String(text),
            },
            other => other,
        }
    }

    /// Decoding loses no field: a field of the schema that no struct has would be missing afterwards.
    fn examples_survive<T: DeserializeOwned + Serialize>(schema: &str) {
        let schema: Value = serde_json::from_str(schema).expect("schemas are JSON");
        let examples = schema["examples"].as_array().expect("every kind has examples");
        assert!(!examples.is_empty());
        for example in examples {
            let record: T = serde_json::from_value(example.clone()).expect("examples decode");
            let again = serde_json::to_value(&record).expect("records encode");
            assert_eq!(meaning(again), meaning(example.clone()), "{}", schema["title"]);
        }
    }

    #[test]
    fn schema_examples_decode_and_encode_again() {
        examples_survive::<Run>(include_str!("../../schemas/run.json"));
        examples_survive::<CuratorNote>(include_str!("../../schemas/curator-note.json"));
        examples_survive::<Audit>(include_str!("../../schemas/audit.json"));
        examples_survive::<KvEfficiency>(include_str!("../../schemas/kv-efficiency.json"));
        examples_survive::<Model>(include_str!("../../schemas/model.json"));
        examples_survive::<Hardware>(include_str!("../../schemas/hardware.json"));
        examples_survive::<Price>(include_str!("../../schemas/price.json"));
        examples_survive::<Page>(include_str!("../../schemas/page.json"));
        examples_survive::<Collection>(include_str!("../../schemas/collection.json"));
        examples_survive::<site::Site>(include_str!("../../schemas/site.json"));
    }

    #[test]
    fn null_under_a_name_is_no_value() {
        let run = json!({
            "id": "a", "status": "published", "title": "a", "published": "2026-01-01",
            "hardware": {"accelerator": "a", "count": 1}, "software": {"engine": "a"}, "model": {"name": "a"},
            "slo": {"ttft_p99_ms": 2000, "tpot_p99_ms": null},
            "configs": [{"label": "a", "throttle_counts": {"sw_power_cap": null}, "ttft_p99_ms": null}]
        });
        let run: Run = serde_json::from_value(run).expect("null is allowed under any optional name");
        assert_eq!(run.slo, Some(LatencyLimits::from([("ttft_p99_ms".to_owned(), 2000.0)])));
        let config = run.configs.first().expect("one config was given");
        assert_eq!((config.throttle_counts.as_ref(), config.latency_ms("ttft_p99_ms")), (Some(&BTreeMap::new()), None));
    }
}
