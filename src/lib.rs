//! Builds a linked static site from published LLM-inference results.
#![forbid(unsafe_code)]

pub mod anchor;
pub mod diagnostic;
pub mod markdown;
pub mod output;
pub mod quantity;
pub mod record;
pub mod route;
pub mod schema;
pub mod source;
