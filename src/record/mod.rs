//! Typed records, one file a kind; Rust field names are the keys of the files.

pub mod audit;
pub mod curator_note;
mod decode;
pub mod hardware;
pub mod kv_efficiency;
pub mod model;
pub mod page;
pub mod price;
pub mod run;
pub mod site;

use serde::Deserialize;
use std::collections::BTreeMap;

use crate::quantity::Quantity;

pub use audit::Audit;
pub use curator_note::CuratorNote;
pub use decode::{Entry, SiteEntry, decode, decode_site};
pub use hardware::Hardware;
pub use kv_efficiency::KvEfficiency;
pub use model::Model;
pub use page::Page;
pub use price::Price;
pub use run::Run;

/// A calendar date; never a moment, so no time zone can shift it.
pub type Date = jiff::civil::Date;

/// Latency limits or values by name: `ttft_p99_ms` and the like, milliseconds.
pub type LatencyMap = BTreeMap<String, f64>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Draft,
    #[default]
    Published,
}

/// A name as a source writes it, optionally tied to an entry of ours.
#[derive(Debug, Clone, Deserialize)]
pub struct NamedReference {
    pub name: String,
    /// Address of the entry, `models/…` or `hardware/…`; else `name` is looked up.
    pub reference: Option<String>,
}

/// Where a fact was read.
#[derive(Debug, Clone, Deserialize)]
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
#[derive(Debug, Clone, Deserialize)]
pub struct Acknowledgement {
    pub rule: String,
    pub reason: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Withdrawn {
    pub date: Date,
    pub reason: String,
    /// Address of the record that takes its place.
    pub replacement: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Change {
    pub date: Date,
    pub what: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Relation {
    #[serde(rename = "author")]
    Author,
    #[serde(rename = "vendor")]
    Vendor,
    #[serde(rename = "third party")]
    ThirdParty,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Provenance {
    pub measured_by: Option<String>,
    pub submitted_by: Option<String>,
    pub relation: Option<Relation>,
    /// Address of the record that this one measures again.
    pub reproduces: Option<String>,
}

/// What every curated record may say of its own life.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct History {
    pub supersedes: Option<String>,
    pub withdrawn: Option<Withdrawn>,
    #[serde(default)]
    pub changes: Vec<Change>,
    /// Old addresses that lead here.
    #[serde(default)]
    pub aliases: Vec<String>,
}

/// A derived number as the source itself states it, in its own wording.
#[derive(Debug, Clone, Deserialize)]
pub struct StatedFigure {
    /// Anchor of a config, variant or host; `record` for the whole record.
    pub subject: String,
    /// Formula id.
    pub figure: String,
    /// The source's wording, such as `+57%`.
    pub as_written: String,
}

/// A value that the source has only in prose, with the words it stands in.
#[derive(Debug, Clone, Deserialize)]
pub struct Observation {
    pub subject: String,
    pub metric: String,
    pub value: Quantity,
    /// Verbatim; must occur in the record.
    pub quote: String,
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
}

impl Record {
    /// The id as the record itself says it; a curator's note has none.
    pub fn id(&self) -> Option<&str> {
        match self {
            Record::Run(run) => Some(&run.id),
            Record::CuratorNote(_) => None,
            Record::Audit(audit) => Some(&audit.id),
            Record::KvEfficiency(note) => Some(&note.id),
            Record::Model(model) => Some(&model.id),
            Record::Hardware(card) => Some(&card.id),
            Record::Price(price) => Some(&price.id),
            Record::Page(page) => page.id.as_deref(),
        }
    }
}
