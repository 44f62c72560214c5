//! What belongs together: records by kind, model, card, engine and technique.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::anchor;
use crate::catalog::{Catalog, Item};
use crate::record::engine;
use crate::record::kv_efficiency::Technique;
use crate::source::Kind;

/// Every list of the site, each in the order that it is shown in.
#[derive(Debug)]
pub struct Gatherings<'a> {
    lists: BTreeMap<Kind, Vec<&'a Item>>,
    /// Results by the address of a model or card entry.
    by_entry: BTreeMap<&'a str, Vec<&'a Item>>,
    by_technique: BTreeMap<Technique, Vec<&'a Item>>,
    engines: Vec<ByName<'a>>,
    unlisted_models: Vec<ByName<'a>>,
    unlisted_cards: Vec<ByName<'a>>,
}

/// A name, and the results that use it.
#[derive(Debug)]
pub struct ByName<'a> {
    pub slug: String,
    pub name: &'a str,
    pub items: Vec<&'a Item>,
}

impl<'a> Gatherings<'a> {
    pub fn of(catalog: &'a Catalog) -> Self {
        let lists = Kind::ALL.into_iter().map(|kind| (kind, newest_first(catalog.of_kind(kind)))).collect();
        let results = newest_first(catalog.items().filter(|item| item.is_result()));
        let mut by_entry = BTreeMap::<_, Vec<_>>::new();
        let mut by_technique = BTreeMap::<_, Vec<_>>::new();
        let mut engines = BTreeMap::<String, (&str, Vec<&Item>)>::new();
        let mut models = BTreeMap::<&str, Vec<&Item>>::new();
        let mut cards = BTreeMap::<&str, Vec<&Item>>::new();
        for item in results {
            for (named, unlisted) in item
                .models
                .iter()
                .map(|named| (named, Kind::Model))
                .chain(item.cards.iter().map(|named| (named, Kind::Hardware)))
            {
                let group = match (named.entry(), unlisted) {
                    (Some(address), _) => by_entry.entry(address).or_default(),
                    (None, Kind::Model) => models.entry(named.name.as_str()).or_default(),
                    (None, _) => cards.entry(named.name.as_str()).or_default(),
                };
                push_once(group, item);
            }
            for technique in &item.techniques {
                push_once(by_technique.entry(*technique).or_default(), item);
            }
            if let Some(engine) = &item.engine {
                let group = engines.entry(engine::id(&engine.name)).or_insert((engine.title(), Vec::new()));
                push_once(&mut group.1, item);
            }
        }
        Gatherings {
            lists,
            by_entry,
            by_technique,
            engines: named(engines.into_values()),
            unlisted_models: named(models),
            unlisted_cards: named(cards),
        }
    }

    /// The records of a kind: results newest first, the others by address.
    pub fn list(&self, kind: Kind) -> &[&'a Item] {
        self.lists.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// Results of a model or card entry.
    pub fn of_entry(&self, address: &str) -> &[&'a Item] {
        self.by_entry.get(address).map_or(&[], Vec::as_slice)
    }

    pub fn of_technique(&self, technique: Technique) -> &[&'a Item] {
        self.by_technique.get(&technique).map_or(&[], Vec::as_slice)
    }

    pub fn techniques(&self) -> impl Iterator<Item = Technique> {
        self.by_technique.keys().copied()
    }

    pub fn engines(&self) -> &[ByName<'a>] {
        &self.engines
    }

    /// The engine that a record's name means, which writes it in one of several ways: `vLLM`, `vllm`, `vllm 0.31.0`.
    pub fn engine(&self, name: &str) -> Option<&ByName<'a>> {
        let id = engine::id(name);
        let found = self.engines.binary_search_by(|known| engine::id(known.name).cmp(&id)).ok()?;
        Some(&self.engines[found])
    }

    /// Results on a model or card that has no entry.
    pub fn of_unlisted(&self, kind: Kind, name: &str) -> Option<&ByName<'a>> {
        let names = self.unlisted(kind);
        Some(&names[names.binary_search_by(|found| found.name.cmp(name)).ok()?])
    }

    /// Names of models or cards that have no entry, in order.
    pub fn unlisted(&self, kind: Kind) -> &[ByName<'a>] {
        if kind == Kind::Model { &self.unlisted_models } else { &self.unlisted_cards }
    }
}

fn push_once<'a>(group: &mut Vec<&'a Item>, item: &'a Item) {
    if group.last().is_none_or(|last| last.address != item.address) {
        group.push(item);
    }
}

fn newest_first<'a>(items: impl Iterator<Item = &'a Item>) -> Vec<&'a Item> {
    let mut items: Vec<_> = items.collect();
    items.sort_by(|one, other| by_age(one, other));
    items
}

/// The newest first, those of one day by address.
pub fn by_age(one: &Item, other: &Item) -> Ordering {
    other.published().cmp(&one.published()).then_with(|| one.address.cmp(&other.address))
}

fn named<'a>(groups: impl IntoIterator<Item = (&'a str, Vec<&'a Item>)>) -> Vec<ByName<'a>> {
    let groups: Vec<_> = groups.into_iter().collect();
    let slugs = anchor::unique_slugs(groups.iter().map(|(name, _)| *name));
    slugs.into_iter().zip(groups).map(|(slug, (name, items))| ByName { slug, name, items }).collect()
}
