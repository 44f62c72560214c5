//! Comparability: what must be equal before a ratio between two results may be shown.

mod variants;

use crate::catalog::Item;
use crate::quantity::{self, Quantity};
use crate::record::Run;

pub use variants::{caches_of_variants, readings_of_variants};

/// A part of a result's setting that decides what it may be compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Engine,
    Environment,
    PrefixShare,
}

impl Part {
    pub const ALL: [Part; 3] = [Part::Engine, Part::Environment, Part::PrefixShare];

    /// As a curator's `varies` names it.
    pub fn id(self) -> &'static str {
        match self {
            Part::Engine => "engine",
            Part::Environment => "environment",
            Part::PrefixShare => "prefix_share",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Part::ALL.into_iter().find(|part| part.id() == text)
    }

    /// The two sides in words: `0% against 89.2% from cache`.
    fn words(self, baseline: &str, other: &str) -> String {
        match self {
            Part::Engine => format!("engine {baseline} against {other}"),
            Part::Environment => format!("environment {baseline} against {other}"),
            Part::PrefixShare => format!("{baseline} against {other} from cache"),
        }
    }
}

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

/// Two configs of one run record, the baseline first. Parts named in the curator's `varies` do not forbid.
pub fn configs_of_run(item: &Item, baseline: usize, other: usize) -> Comparison {
    let Some(run) = item.run() else { return Comparison::default() };
    let varies: Vec<_> =
        item.curator_note().into_iter().flat_map(|note| &note.varies).filter_map(|part| Part::parse(part)).collect();
    let mut comparison = Comparison::default();
    for part in Part::ALL {
        let (left, right) = (value(part, item, run, baseline), value(part, item, run, other));
        if left == right || part == Part::PrefixShare && prefix_shares_equal(item, run, baseline, other) {
            continue;
        }
        let side = |value: Option<String>| value.unwrap_or_else(|| "not stated".to_owned());
        let words = part.words(&side(left), &side(right));
        if varies.contains(&part) {
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
        // No variable set says as much as no environment stated.
        Part::Environment => {
            entry.environment.as_ref().filter(|environment| !environment.is_empty()).map(|environment| {
                let pairs: Vec<_> = environment.iter().map(|(name, value)| format!("{name}={value}")).collect();
                pairs.join(" ")
            })
        }
        Part::PrefixShare => prefix_share(item, config).map(|share| format!("{share}%")),
    }
}

/// Whether two hit rates are one number, however each is written.
fn prefix_shares_equal(item: &Item, run: &Run, one: usize, other: usize) -> bool {
    let rate = |config: usize| {
        let own = run.configs.get(config).and_then(|entry| entry.prefix_cache_hit_pct).map(Quantity::exact);
        own.or_else(|| Some(item.observation(&item.subjects.get(config)?.anchor, "prefix_cache_hit_pct")?.1.value))
    };
    rate(one).is_some() && rate(one) == rate(other)
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
