//! Builds a linked static site from published LLM-inference results.
#![forbid(unsafe_code)]

pub mod chart;
pub mod diagnostic;
pub mod quantity;
pub mod record;
pub mod schema;
pub mod source;
