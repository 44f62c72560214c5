//! How a cache is stored, and where a record says so.

use std::sync::Arc;

use super::super::{Fact, Missing};
use crate::formula::storage::{BF16, Format, KvDtype};
use crate::quantity::Quantity;
use crate::schema::Document;

/// The storage types of K and V, and where they are stated.
#[derive(Debug, Clone)]
pub struct Stored {
    pub dtype: KvDtype,
    document: Arc<Document>,
    pointer: String,
    /// Why it is taken to be so, where no record says it.
    assumed: Option<String>,
}

/// The stated KV dtype; bf16, assumed, where none is stated or the engine chose.
pub fn stored(document: &Arc<Document>, pointer: &str, dtype: Option<&str>, silence: &str) -> Result<Stored, Missing> {
    match dtype {
        None => {
            let reason = format!("{silence}, so the cache is taken to be bf16");
            Ok(Stored::assumed(document, pointer, &BF16, reason))
        }
        Some("auto") => {
            let reason = "the engine was left to choose the KV dtype, so the cache is taken to be bf16";
            Ok(Stored::assumed(document, pointer, &BF16, reason.to_owned()))
        }
        Some(dtype) => {
            let dtype = KvDtype::parse(dtype).map_err(Missing::because)?;
            Ok(Stored { dtype, document: Arc::clone(document), pointer: pointer.to_owned(), assumed: None })
        }
    }
}

impl Stored {
    pub fn assumed(document: &Arc<Document>, pointer: &str, format: &'static Format, reason: String) -> Self {
        let dtype = KvDtype::of(format);
        Stored { dtype, document: Arc::clone(document), pointer: pointer.to_owned(), assumed: Some(reason) }
    }

    /// A size that follows from the storage type.
    pub fn fact(&self, bytes: f64) -> Fact {
        Fact {
            quantity: Quantity::exact(bytes),
            document: Arc::clone(&self.document),
            pointer: self.pointer.clone(),
            assumed: self.assumed.clone(),
            derivation: None,
        }
    }
}
