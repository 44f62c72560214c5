//! What the search finds: every page that is about something.

use std::collections::BTreeSet;

use crate::catalog::Item;
use crate::export::Entry;
use crate::record::kv_efficiency::Technique;
use crate::route::Route;
use crate::source::Kind;

use super::{Site, corrections, disagreements, gaps, list};

/// What results are of, the results, the newest first, the site's own pages, and prices, of which there are many.
pub fn entries<'a>(site: &'a Site) -> Vec<Entry<'a>> {
    let gatherings = &site.gatherings;
    let of_kinds =
        |kinds: &'static [Kind]| kinds.iter().flat_map(|kind| gatherings.list(*kind)).map(|item| of_item(item));
    let of_name = |title, route, kind| Entry { title, route, kind, words: Vec::new() };
    let engines = gatherings.engines().iter();
    let engines = engines.map(|engine| of_name(engine.name, Route::engine(&engine.slug), "engine"));
    let techniques = gatherings.techniques();
    let techniques = techniques.map(|technique| Entry {
        title: technique.name(),
        route: Route::technique(&technique.slug()),
        kind: "technique",
        words: [technique.id()].iter().chain(technique.spellings()).copied().collect(),
    });
    let models = gatherings.unlisted(Kind::Model).iter();
    let models =
        models.map(|name| of_name(name.name, Route::unlisted(Kind::Model, &name.slug), "model without an entry"));
    let cards = gatherings.unlisted(Kind::Hardware).iter();
    let cards =
        cards.map(|name| of_name(name.name, Route::unlisted(Kind::Hardware, &name.slug), "card without an entry"));
    let own = [
        ("Methodology", Route::methodology()),
        ("Glossary", Route::glossary()),
        ("Checks", Route::checks()),
        ("Compare any results", Route::compare()),
        (gaps::TITLE, Route::gaps()),
        (corrections::TITLE, Route::corrections()),
        (disagreements::TITLE, Route::disagreements()),
        ("Data files", Route::data_dictionary()),
    ];
    let own = own.into_iter().map(|(title, route)| of_name(title, route, "page"));
    let gathered = engines.chain(techniques).chain(models).chain(cards);
    let results = of_kinds(&[Kind::Run, Kind::Audit, Kind::KvEfficiency]);
    let rest = own.chain(of_kinds(&[Kind::Page, Kind::Price]));
    of_kinds(&[Kind::Model, Kind::Hardware]).chain(gathered).chain(results).chain(rest).collect()
}

fn of_item(item: &Item) -> Entry<'_> {
    let kind = match item.kind() {
        Kind::Model => "model",
        Kind::Hardware => "accelerator",
        Kind::Price => "price",
        Kind::Page => "page",
        result => list::kind_word(result),
    };
    let named = item.models.iter().chain(&item.cards).map(|named| named.name.as_str());
    let of_engine =
        item.engine.iter().flat_map(|engine| [Some(engine.name.as_str()), Some(engine.title()), engine.version()]);
    let engine: BTreeSet<_> = of_engine.flatten().collect();
    let names = |technique: &Technique| [technique.name()].into_iter().chain(technique.spellings().iter().copied());
    let techniques = item.techniques.iter().flat_map(names);
    let words = std::iter::once(item.address.as_str()).chain(named).chain(engine).chain(techniques);
    Entry { title: item.title(), route: Route::record(&item.address), kind, words: words.collect() }
}
