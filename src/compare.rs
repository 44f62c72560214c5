//! Comparability: what must be equal before a ratio between two results may be shown.

mod contract;
mod part;
mod setting;
mod tradeoff;
mod version;
mod within;

use crate::catalog::{Catalog, Item};

pub use contract::{CONTRACT, Clause, clause};
pub use part::{NOT_STATED, Part};
pub use setting::{Setting, Spellings, limits};
pub use tradeoff::{TRADEOFFS, Tradeoff, Within};
pub use version::order as order_of_versions;
pub use within::{Alike, variants};

/// What stands between two results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Differences that forbid a ratio, in words.
    pub forbidding: Vec<String>,
    /// Differences on purpose, printed beside the ratio.
    pub varied: Vec<String>,
}

impl Comparison {
    pub fn is_allowed(&self) -> bool {
        self.forbidding.is_empty()
    }
}

/// Parts in which the results of one record differ on purpose: those that a run's curator names, all in which the configs
/// of an audit differ, since those are what it audits, and what a note says that its variants vary.
pub fn varies(catalog: &Catalog, item: &Item) -> Vec<Part> {
    let named: Vec<_> = item.curator_note().into_iter().flat_map(|note| &note.varies).collect();
    let note = item.kv_efficiency();
    let settings: Vec<_> = match item.audit() {
        Some(_) => (0..item.subjects.len()).filter_map(|at| Setting::of(catalog, item, at)).collect(),
        None => Vec::new(),
    };
    let differs = |part: Part| settings.iter().any(|setting| setting.get(part) != settings[0].get(part));
    let of_note = |part: Part| note.zip(part.of_variants()).is_some_and(|(note, part)| note.varies(part));
    let is_varied = |part: &Part| named.iter().any(|name| *name == part.id()) || differs(*part) || of_note(*part);
    Part::ALL.into_iter().filter(is_varied).collect()
}
