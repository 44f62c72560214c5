//! Documents to records: serde, since the schema has said all that can be wrong.
use std::sync::Arc;
use serde::de::DeserializeOwned;
use super::{Entry, Record, Settings};
use crate::diagnostic::{Diagnostic, Report};
use crate::schema::Document;
use crate::source::Kind;

pub fn decode(documents: Vec<Document>, report: &mut Report) -> Vec<Entry> {
    documents.into_iter().filter_map(|mut document| {
        let value = document.take_value();
        let document_kind = document.kind;
        let record = match document_kind {
            Kind::Run => one(value).map(|r| Record::Run(Box::new(r))),
            Kind::CuratorNote => one(value).map(|r| Record::CuratorNote(Box::new(r))),
            Kind::Audit => one(value).map(|r| Record::Audit(Box::new(r))),
            Kind::KvEfficiency => one(value).map(|r| Record::KvEfficiency(Box::new(r))),
            Kind::Model => one(value).map(|r| Record::Model(Box::new(r))),
            Kind::Hardware => one(value).map(|r| Record::Hardware(Box::new(r))),
            Kind::Price => one(value).map(|r| Record::Price(Box::new(r))),
            _ => one(value).map(|r| Record::Page(Box::new(r))),
        };
        match record {
            Ok(record) => Some(Entry { document: Arc::new(document), record }),
            Err(message) => { report.push(Diagnostic::error("record/decode", document.location(""), message)); None }
        }
    }).collect()
}

pub fn decode_settings(mut document: Document, report: &mut Report) -> Option<Settings> {
    match one(document.take_value()) {
        Ok(site) => Some(Settings { site, document: Arc::new(document) }),
        Err(message) => { report.push(Diagnostic::error("record/decode", document.location(""), message)); None }
    }
}

pub fn one<T: DeserializeOwned>(value: serde_json::Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|e| e.to_string())
}
