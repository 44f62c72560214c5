//! How fast a variant's cache moved.

use std::sync::Arc;

use super::super::sheet::{Found, compute, derived, field};
use super::super::{Figure, Missing};
use super::{Row, Sheet};
use crate::diagnostic::counted;
use crate::formula::transfer::{KV_TRANSFER_GB_S, KV_TRANSFER_OF_TTFT_PCT, LINK_USED_PCT};
use crate::quantity::Quantity;

impl Sheet<'_> {
    /// The rate of a transfer that was timed, and its share of the first token and of the links where those are known.
    pub(super) fn transfer(&self, row: &Row) -> Vec<Figure> {
        let Some(time) = row.variant.measured_kv_transfer_ms else { return Vec::new() };
        let subject = &*row.subject.anchor;
        let field = |pointer: String, value: Quantity| field(&self.item.document, pointer, Some(value));
        let time = field(row.at("measured_kv_transfer_ms"), time);
        let rate = Arc::new(compute(&KV_TRANSFER_GB_S, subject, [self.size(row), time.clone()]));
        let of_ttft = row.variant.measured_ttft_ms_at_ctx.map(|ttft| {
            let ttft = field(row.at("measured_ttft_ms_at_ctx"), ttft);
            compute(&KV_TRANSFER_OF_TTFT_PCT, subject, [time, ttft])
        });
        let linked = row.arm.host.and_then(|host| Some((host, self.note.hosts.get(host)?.link_gb_s?)));
        let used = linked.map(|(host, link)| {
            let link = field(format!("/hosts/{host}/link_gb_s"), link);
            compute(&LINK_USED_PCT, subject, [derived(&rate), link])
        });
        [Figure::clone(&rate)].into_iter().chain(of_ttft).chain(used).collect()
    }

    /// The cache of the variant's context, under the subject that has it.
    fn size(&self, row: &Row) -> Found {
        let Some(position) = row.arm.model else {
            let models = counted(self.item.models.len(), "model");
            return Err(Missing::because(format!("which of {models} it is of is not stated")));
        };
        let of_model = self.item.model_subjects.get(position).filter(|_| !self.has_own_sizes(row));
        let subject = of_model.map_or(&row.subject.anchor, |model| &model.anchor);
        let cache = self.cache_of(row)?;
        derived(&Arc::new(cache.gib_at_context(subject, &self.context(Some(row)))))
    }
}
