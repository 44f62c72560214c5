//! Comparability: what must be equal before a ratio between two results may be shown.

mod contract;
mod part;
mod setting;
mod tradeoff;
mod variants;
mod version;
mod within;

use crate::catalog::{Catalog, Item};
use crate::quantity::{self, Quantity};
use crate::record::run::RunConfig;
use crate::record::{Run, variables};

pub use contract::{CONTRACT, Clause, clause};
pub use part::{NOT_STATED, Part};
pub use setting::{Setting, limits};
pub use tradeoff::{TRADEOFFS, Tradeoff, Within};
pub use variants::{caches_of_variants, readings_of_variants};
pub use version::order as order_of_versions;
pub use within::within;

/// What the configs of one record may differ in.
pub const OF_CONFIGS: [Part; 6] =
    [Part::Engine, Part::Environment, Part::InputTokens, Part::OutputTokens, Part::PrefixShare, Part::HeldLoad];

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

/// Two configs of one run record, the baseline first. Parts named in the curator's `varies` do not forbid.
pub fn configs_of_run(item: &Item, baseline: usize, other: usize) -> Comparison {
    let Some(run) = item.run() else { return Comparison::default() };
    let varies: Vec<_> = item.curator_note().into_iter().flat_map(|note| &note.varies).collect();
    let mut comparison = Comparison::default();
    for part in OF_CONFIGS {
        let (left, right) = (value(part, item, run, baseline), value(part, item, run, other));
        if left == right || part == Part::PrefixShare && prefix_shares_equal(item, run, baseline, other) {
            continue;
        }
        let words = part.words(left.as_deref(), right.as_deref());
        if varies.iter().any(|varied| *varied == part.id()) {
            comparison.varied.push(words);
        } else {
            comparison.forbidding.push(words);
        }
    }
    comparison
}

fn value(part: Part, item: &Item, run: &Run, config: usize) -> Option<String> {
    let entry = run.configs.get(config)?;
    match part {
        Part::Engine => entry.engine.clone(),
        Part::Environment => environment(entry),
        Part::InputTokens => setting::asked(entry.input_tokens_requested),
        Part::OutputTokens => setting::asked(entry.output_tokens_requested),
        Part::PrefixShare => prefix_share(item, config).map(|share| format!("{share}%")),
        Part::HeldLoad => setting::held_load(entry),
        _ => None,
    }
}

/// Variables that the config sets; none says as much as no environment stated.
fn environment(config: &RunConfig) -> Option<String> {
    let set = config.environment.as_ref().filter(|environment| !environment.is_empty())?;
    let pairs: Vec<_> = set.iter().map(|(name, value)| variables::set_to(name, value)).collect();
    Some(pairs.join(" "))
}

/// Whether two hit rates are one number, however each is written.
fn prefix_shares_equal(item: &Item, run: &Run, one: usize, other: usize) -> bool {
    let [one, other] = [one, other].map(|config| share_from_cache(item, run, config));
    one.is_some() && one == other
}

/// The config's hit rate in percent: its own field, else what the curator found in the record's prose.
fn share_from_cache(item: &Item, run: &Run, config: usize) -> Option<Quantity> {
    let own = run.configs.get(config).and_then(|entry| entry.prefix_cache_hit_pct).map(Quantity::exact);
    own.or_else(|| Some(item.observation(&item.subjects.get(config)?.anchor, "prefix_cache_hit_pct")?.1.value))
}

/// The config's hit rate as written: its own field, else what the curator found in the record's prose.
fn prefix_share(item: &Item, config: usize) -> Option<String> {
    let own = item.document.written(&format!("/configs/{config}/prefix_cache_hit_pct")).filter(|text| *text != "null");
    own.map(str::to_owned).or_else(|| {
        let subject = item.subjects.get(config)?;
        let (position, observation) = item.observation(&subject.anchor, "prefix_cache_hit_pct")?;
        let text = item.note.as_ref()?.document.written(&format!("/observations/{position}/value"))?;
        let plain = text.starts_with(|first: char| first.is_ascii_digit());
        Some(if plain { text.to_owned() } else { quantity::plain(observation.value) })
    })
}
