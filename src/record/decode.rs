//! Documents into typed records; the values are given up, texts and places stay.

use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;

use super::site::Site;
use super::{Record, Run};
use crate::diagnostic::{Diagnostic, Report, rules};
use crate::schema::Document;
use crate::source::Kind;

/// A record and the document that it stands in.
#[derive(Debug)]
pub struct Entry {
    pub document: Arc<Document>,
    pub record: Record,
}

/// The site's settings and the file that they stand in.
#[derive(Debug)]
pub struct Settings {
    pub document: Arc<Document>,
    pub site: Site,
}

/// The record of every document, in the same order, drafts included.
pub fn decode(documents: Vec<Document>, report: &mut Report) -> Vec<Entry> {
    let decoded: Vec<Result<Entry, Diagnostic>> = documents.into_par_iter().map(entry).collect();
    decoded.into_iter().filter_map(|result| result.map_err(|problem| report.push(problem)).ok()).collect()
}

/// The settings of a site.
pub fn decode_settings(mut document: Document, report: &mut Report) -> Option<Settings> {
    let site: Result<Site, _> = serde_json::from_value(document.take_value());
    let site = site.map_err(|error| report.push(our_fault(document.location(""), &error))).ok()?;
    Some(Settings { document: Arc::new(document), site })
}

fn entry(mut document: Document) -> Result<Entry, Diagnostic> {
    let value = document.take_value();
    let record = record(document.kind, value).map_err(|error| our_fault(document.location(""), &error))?;
    let kind = document.kind;
    if let Some(id) = record.id().filter(|id| !is_id_of(id, &document.address, kind)) {
        let name = document.address.rsplit('/').next().unwrap_or(&document.address);
        let message = format!("expected the id `{name}`, found `{id}`");
        return Err(Diagnostic::new(&rules::ID_PATH, document.location("/id"), message)
            .pointer("/id")
            .help("an id repeats the name of its file or its address; rename one of the two"));
    }
    Ok(Entry { document: Arc::new(document), record })
}

fn record(kind: Kind, value: Value) -> Result<Record, serde_json::Error> {
    fn read<T: DeserializeOwned>(value: Value) -> Result<Box<T>, serde_json::Error> {
        serde_json::from_value(value).map(Box::new)
    }
    Ok(match kind {
        Kind::Run => {
            let mut run: Box<Run> = read(value)?;
            let runs = run.runs;
            run.configs.iter_mut().for_each(|config| config.runs = runs);
            Record::Run(run)
        }
        Kind::CuratorNote => Record::CuratorNote(read(value)?),
        Kind::Audit => Record::Audit(read(value)?),
        Kind::KvEfficiency => Record::KvEfficiency(read(value)?),
        Kind::Model => Record::Model(read(value)?),
        Kind::Hardware => Record::Hardware(read(value)?),
        Kind::Price => Record::Price(read(value)?),
        Kind::Collection => Record::Collection(read(value)?),
        // Settings are no content: `decode_settings` reads them.
        Kind::Page | Kind::Site => Record::Page(read(value)?),
    })
}

/// What a schema accepts and a record cannot hold is a fault of this program, said as one.
fn our_fault(location: crate::diagnostic::Location, error: &serde_json::Error) -> Diagnostic {
    Diagnostic::new(&rules::RECORD_DECODE, location, format!("fits its schema but cannot be read: {error}"))
        .help("this is a fault of the program; please report it with the file")
}

/// Whether an id is the name of the file, its path below the kind's folder, or its whole address.
fn is_id_of(id: &str, address: &str, kind: Kind) -> bool {
    let below = address.strip_prefix(kind.folder()).and_then(|rest| rest.strip_prefix('/')).unwrap_or(address);
    id == address || id == below || Some(id) == below.rsplit('/').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_file_name_the_path_or_the_address() {
        for id in ["x", "2026/x", "prices/2026/x"] {
            assert!(is_id_of(id, "prices/2026/x", Kind::Price), "{id}");
        }
        for id in ["y", "X", "/x", "prices/x", "6/x", ""] {
            assert!(!is_id_of(id, "prices/2026/x", Kind::Price), "{id}");
        }
    }

    #[test]
    fn what_a_record_cannot_hold_is_called_our_fault() {
        let error = record(Kind::Price, serde_json::json!({"id": 3})).expect_err("an id is text");
        let location = crate::diagnostic::Location::File("content/prices/x.json".to_owned());
        assert_eq!(our_fault(location, &error).rule.code, "record/decode");
    }
}
