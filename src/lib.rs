//! Builds a linked static site from published LLM-inference results.
#![forbid(unsafe_code)]

pub mod anchor;
pub mod catalog;
pub mod chart;
pub mod compare;
pub mod diagnostic;
pub mod export;
pub mod figures;
pub mod formula;
pub mod markdown;
pub mod metric;
pub mod output;
pub mod page;
pub mod quantity;
pub mod record;
pub mod route;
pub mod schema;
pub mod source;
