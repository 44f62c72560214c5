//! What a variant's pool of caches comes to.

use super::super::Figure;
use super::super::sheet::{compute, field};
use super::{Row, Sheet};
use crate::formula::pool::{KV_POOL_BYTES_PER_TOKEN, KV_POOL_SEQUENCES};

impl Sheet<'_> {
    /// The price of a token where the pool's memory is known, and the sequences where their context is.
    pub(super) fn pool(&self, row: &Row) -> Vec<Figure> {
        if row.variant.measured_kv_pool_tokens.is_none() {
            return Vec::new();
        }
        let subject = &*row.subject.anchor;
        let document = &self.item.document;
        let tokens = || field(document, row.at("measured_kv_pool_tokens"), row.variant.measured_kv_pool_tokens);
        let per_token = row.variant.measured_kv_pool_gib.map(|gib| {
            let gib = field(document, row.at("measured_kv_pool_gib"), Some(gib));
            compute(&KV_POOL_BYTES_PER_TOKEN, subject, [gib, tokens()])
        });
        let context = self.context(Some(row)).ok();
        let sequences = context.map(|context| compute(&KV_POOL_SEQUENCES, subject, [tokens(), Ok(context)]));
        per_token.into_iter().chain(sequences).collect()
    }
}
