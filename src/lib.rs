//! Builds a linked static site from published LLM-inference results.
#![forbid(unsafe_code)]

pub mod anchor;
pub mod catalog;
pub mod compare;
pub mod diagnostic;
pub mod figures;
pub mod formula;
pub mod metric;
pub mod quantity;
pub mod record;
pub mod schema;
pub mod source;
