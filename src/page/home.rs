//! The home page: what this is, the newest findings, the ways in.

use askama::Template;

use crate::catalog::Item;
use crate::diagnostic::counted;
use crate::route::Route;
use crate::source::Kind;

use super::drawing;
use super::entity;
use super::figure::Drawn;
use super::frame::{Frame, Here, Link};
use super::gathering::by_age;
use super::list;
use super::record::long_date;

#[derive(Debug, Template)]
#[template(path = "home.html")]
pub struct HomePage {
    frame: Frame,
    title: String,
    /// What is measured of how many things.
    size: String,
    newest: Option<Finding>,
    /// The chart of the newest.
    figure: Option<Drawn>,
    before: Vec<Finding>,
    compare: String,
    ways: Vec<Way>,
    methodology: String,
    glossary: String,
    disagreements: String,
    gaps: String,
    corrections: String,
    data: String,
}

/// A result in a sentence.
#[derive(Debug)]
struct Finding {
    link: Link,
    kind: &'static str,
    day: String,
    sentence: String,
}

/// A list to enter by.
#[derive(Debug)]
struct Way {
    link: Link,
    size: String,
    entries: Vec<Link>,
}

/// Findings on the home page.
const NEWEST: usize = 6;
/// Entries named beside the way to their list.
const NAMED: usize = 6;

pub fn compose(here: &Here) -> HomePage {
    let title = &here.site.catalog.site.title;
    let description = "How fast, at what cost and in how much memory language models run: published results, \
                       every derived number recomputed and traced to its source line";
    let mut results: Vec<&Item> = [Kind::Run, Kind::Audit, Kind::KvEfficiency]
        .into_iter()
        .flat_map(|kind| here.site.gatherings.list(kind))
        .copied()
        .filter(|item| !matches!(item.standing(), Some("withdrawn" | "superseded")))
        .collect();
    results.sort_by(|one, other| by_age(one, other));
    let mut newest = results.iter().take(NEWEST).map(|item| Finding {
        link: Link { text: item.title().to_owned(), href: Some(here.to_item(item)) },
        kind: list::kind_word(item.kind()),
        day: item.published().map(long_date).unwrap_or_default(),
        sentence: list::finding(here, item),
    });
    let drawn = |item: &&Item| Some(Drawn::new(&drawing::chart_of(here, item)?));
    HomePage {
        frame: here.frame(title, description),
        title: title.clone(),
        size: counted(results.len(), "published result"),
        newest: newest.next(),
        figure: results.first().and_then(drawn),
        before: newest.collect(),
        compare: here.to(&Route::compare()),
        ways: ways(here),
        methodology: here.to(&Route::methodology()),
        glossary: here.to(&Route::glossary()),
        disagreements: here.to(&Route::disagreements()),
        gaps: here.to(&Route::gaps()),
        corrections: here.to(&Route::corrections()),
        data: here.to(&Route::data_dictionary()),
    }
}

fn ways(here: &Here) -> Vec<Way> {
    let gatherings = &here.site.gatherings;
    let of_kind = |kind: Kind| {
        let folder = here.site.folders.of_kind(kind);
        let entry = |item: &&Item| Link { text: item.title().to_owned(), href: Some(here.to_item(item)) };
        Way {
            link: folder.link(here),
            size: folder.items.len().to_string(),
            entries: folder.items.iter().take(NAMED).map(entry).collect(),
        }
    };
    let mut ways: Vec<_> = [Kind::Run, Kind::Audit, Kind::KvEfficiency, Kind::Model, Kind::Hardware, Kind::Price]
        .into_iter()
        .filter(|kind| !gatherings.list(*kind).is_empty())
        .map(of_kind)
        .collect();
    let engines = gatherings.engines().iter().take(NAMED).map(|engine| Link {
        text: format!("{} ({})", engine.name, entity::results(engine.items.len())),
        href: Some(here.to(&Route::engine(&engine.slug))),
    });
    ways.push(Way {
        link: Link { text: "Engines".to_owned(), href: Some(here.to(&Route::engines())) },
        size: gatherings.engines().len().to_string(),
        entries: engines.collect(),
    });
    ways.push(Way {
        link: Link { text: "Techniques".to_owned(), href: Some(here.to(&Route::techniques())) },
        size: gatherings.techniques().count().to_string(),
        entries: gatherings.techniques().take(NAMED).map(|technique| here.to_technique(technique)).collect(),
    });
    let pages = here.site.catalog.of_kind(Kind::Page);
    let pages = pages.map(|item| Link { text: item.title().to_owned(), href: Some(here.to_item(item)) });
    ways.push(Way { link: Link::plain("Pages"), size: String::new(), entries: pages.collect() });
    ways.retain(|way| !way.entries.is_empty());
    ways
}
