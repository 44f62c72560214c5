//! Builds a linked static site from published LLM-inference results.
#![forbid(unsafe_code)]

pub mod diagnostic;
pub mod quantity;
pub mod record;
pub mod metric;
pub mod formula;
pub mod schema;
pub mod source;
