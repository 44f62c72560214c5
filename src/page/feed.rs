//! The Atom feed: new records, and what became of those that were there, each with the day that content gives.

use askama::Template;

use crate::anchor::short_digest;
use crate::catalog::Item;
use crate::record::Date;
use crate::route::Route;

use super::Site;
use super::frame::{Here, license};
use super::list;

#[derive(Debug, Template)]
#[template(path = "feed.xml")]
pub struct Feed {
    lang: String,
    title: String,
    home: String,
    own: String,
    rights: String,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    /// Stays the same as long as what it says does.
    id: String,
    title: String,
    href: String,
    day: Date,
    summary: String,
}

/// Entries of a feed: readers keep the older ones.
const ENTRIES: usize = 100;

pub fn compose(here: &Here) -> Feed {
    let settings = &here.site.catalog.site;
    let mut entries: Vec<_> = results(here.site).flat_map(|item| entries(here, item)).collect();
    entries.sort_by(|one, other| other.day.cmp(&one.day).then_with(|| one.id.cmp(&other.id)));
    entries.truncate(ENTRIES);
    Feed {
        lang: settings.lang.clone(),
        title: settings.title.clone(),
        home: Route::home().absolute(&settings.base_url),
        own: Route::feed().absolute(&settings.base_url),
        rights: license(&settings.license).text,
        entries,
    }
}

impl Site<'_> {
    /// Whether there is something to follow: a feed needs the day of its newest entry.
    pub(super) fn has_feed(&self) -> bool {
        results(self).next().is_some()
    }
}

fn results<'a>(site: &Site<'a>) -> impl Iterator<Item = &'a Item> {
    site.catalog.items().filter(|item| item.is_result())
}

fn entries(here: &Here, item: &Item) -> Vec<Entry> {
    let href = Route::record(&item.address).absolute(&here.site.catalog.site.base_url);
    let new = item.published().map(|day| Entry {
        id: href.clone(),
        title: item.title().to_owned(),
        href: href.clone(),
        day,
        summary: list::finding(here, item),
    });
    let became = |word: &str, day: Date, known_by: &str, summary: String| Entry {
        id: format!("{href}#{word}-{day}-{}", short_digest(known_by.as_bytes())),
        title: format!("{}: {word}", item.title()),
        href: href.clone(),
        day,
        summary,
    };
    let changes = item.curation().into_iter().flat_map(|curation| &curation.changes);
    let changes = changes.map(|change| became("changed", change.date, &change.what, change.what.clone()));
    let catalog = here.site.catalog;
    let title = |address| catalog.get(address).map_or(address, Item::title);
    // A title may be written anew, an address is not.
    let fates = catalog
        .fates(item)
        .filter_map(|fate| Some(became(fate.word, fate.date?, &fate.words(|address| address), fate.words(title))));
    new.into_iter().chain(changes).chain(fates).collect()
}
