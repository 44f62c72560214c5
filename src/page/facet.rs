//! What the results of a list are of, with counts: links to the pages of each, and filters where scripts run.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::catalog::{Item, Named};
use crate::compare::NOT_STATED;
use crate::diagnostic::counted;
use crate::route::Route;
use crate::source::Kind;

use super::Site;
use super::collection::Folder;
use super::frame::{Here, Link};
use super::list::{self, Listed};

/// One way to tell the results of a list apart.
#[derive(Debug)]
pub struct Facet {
    /// As the fragment of a filtered list names it.
    pub id: &'static str,
    pub title: &'static str,
    pub values: Vec<Value>,
    /// That there are more values than are named here, leading to all of them.
    pub more: Option<Link>,
}

#[derive(Debug)]
pub struct Value {
    pub link: Link,
    pub count: usize,
    /// Positions of its results in the list, separated by blanks.
    pub rows: String,
}

impl Value {
    fn of(link: Link, rows: &[usize]) -> Self {
        let positions = rows.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
        Value { link, count: rows.len(), rows: positions }
    }
}

/// Values with pages of their own that are named: those with the most results.
const NAMED: usize = 24;

/// The facets in which the results of a folder differ.
pub fn of(here: &Here, folder: &Folder) -> Vec<Facet> {
    if !list::is_of_results(folder.kind) {
        return Vec::new();
    }
    let named = |kind, of: fn(&Item) -> &[Named]| {
        move |item: &Item| -> Vec<Link> { of(item).iter().map(|named| link(here, named, kind)).collect() }
    };
    let facet = |id, title, all: Route, of: &dyn Fn(&Item) -> Vec<Link>| of_pages(here, folder, (id, title), &all, of);
    let facets = [
        facet("model", "Model", Route::list(Kind::Model), &named(Kind::Model, |item| &item.models)),
        facet("accelerator", "Accelerator", Route::list(Kind::Hardware), &named(Kind::Hardware, |item| &item.cards)),
        facet("engine", "Engine", Route::engines(), &|item| engine(here, item).into_iter().collect()),
        facet("technique", "Technique", Route::techniques(), &|item| {
            item.techniques.iter().map(|technique| here.to_technique(*technique)).collect()
        }),
    ];
    facets.into_iter().flatten().chain(of_traits(here, folder)).collect()
}

/// Values that have pages of their own, those with the most results first; `all` lists every one of them. Nothing where
/// all results are of one.
fn of_pages(
    here: &Here,
    folder: &Folder,
    (id, title): (&'static str, &'static str),
    all: &Route,
    of: &dyn Fn(&Item) -> Vec<Link>,
) -> Option<Facet> {
    let mut rows = BTreeMap::<(String, String), Vec<usize>>::new();
    for (row, item) in folder.items.iter().enumerate() {
        for Link { text, href } in of(item) {
            let own = rows.entry((text, href.unwrap_or_else(|| here.to(all)))).or_default();
            if own.last() != Some(&row) {
                own.push(row);
            }
        }
    }
    let mut values: Vec<_> = rows.into_iter().collect();
    values.sort_by_key(|(_, rows)| Reverse(rows.len()));
    let more = values.len().checked_sub(NAMED).filter(|more| *more > 0);
    let more = more.map(|more| format!("and {} with fewer results", counted(more, "more value")));
    let value = |((text, href), rows): &((String, String), Vec<usize>)| {
        Value::of(Link { text: text.clone(), href: Some(href.clone()) }, rows)
    };
    (values.len() > 1).then(|| Facet {
        id,
        title,
        values: values.iter().take(NAMED).map(value).collect(),
        more: more.map(|text| Link { text, href: Some(here.to(all)) }),
    })
}

/// What a result has in common with others, and no page but a part of their list is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trait {
    /// Year of publication, the latest first.
    Year(Reverse<i16>),
    Confidence(Grade),
    Completeness(Grade),
}

/// How far a result is to be believed, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    High,
    Middle,
    Low,
    NotStated,
}

/// Where a low grade ends and a high one begins: of confidence, and of completeness in percent.
const CONFIDENCE: [f64; 2] = [0.6, 0.8];
const COMPLETENESS: [f64; 2] = [50.0, 75.0];

impl Trait {
    pub fn of(site: &Site, item: &Item) -> impl Iterator<Item = Trait> {
        let year = item.published().map(|date| Trait::Year(Reverse(date.year())));
        let confidence = item.kv_efficiency().map(|note| note.confidence);
        let completeness = site.figures.evidence(&item.address).map(|ledger| ledger.completeness_pct().middle());
        let grades = [
            Trait::Confidence(Grade::of(confidence, CONFIDENCE)),
            Trait::Completeness(Grade::of(completeness, COMPLETENESS)),
        ];
        year.into_iter().chain(grades)
    }

    pub fn id(self) -> &'static str {
        match self {
            Trait::Year(_) => "year",
            Trait::Confidence(_) => "confidence",
            Trait::Completeness(_) => "completeness",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Trait::Year(_) => "Year",
            Trait::Confidence(_) => "Confidence",
            Trait::Completeness(_) => "Completeness",
        }
    }

    /// As a value of its facet.
    pub fn value(self) -> String {
        match self {
            Trait::Year(Reverse(year)) => year.to_string(),
            Trait::Confidence(grade) => grade.words(CONFIDENCE),
            Trait::Completeness(grade) => grade.words(COMPLETENESS),
        }
    }

    /// What is said of the results that have it.
    pub fn words(self) -> String {
        match self {
            Trait::Year(_) => format!("published in {}", self.value()),
            Trait::Confidence(_) => format!("confidence {}", self.value()),
            Trait::Completeness(_) => format!("completeness {}", self.value()),
        }
    }
}

impl Grade {
    fn of(value: Option<f64>, [low, high]: [f64; 2]) -> Self {
        match value {
            None => Grade::NotStated,
            Some(value) if value < low => Grade::Low,
            Some(value) if value < high => Grade::Middle,
            Some(_) => Grade::High,
        }
    }

    fn words(self, [low, high]: [f64; 2]) -> String {
        match self {
            Grade::High => format!("{high} or more"),
            Grade::Middle => format!("{low} to below {high}"),
            Grade::Low => format!("below {low}"),
            Grade::NotStated => NOT_STATED.to_owned(),
        }
    }
}

/// The traits of a folder's results with the positions of those that have each. A year says nothing where all are of it;
/// a grade does.
fn traits(site: &Site, folder: &Folder) -> BTreeMap<Trait, Vec<usize>> {
    let mut rows = BTreeMap::<_, Vec<usize>>::new();
    for (row, item) in folder.items.iter().enumerate() {
        for own in Trait::of(site, item) {
            rows.entry(own).or_default().push(row);
        }
    }
    rows.retain(|own, rows| !matches!(own, Trait::Year(_)) || rows.len() < folder.items.len());
    rows
}

/// The lists of those results of a folder that share a trait which others of it do not have.
pub fn narrowed<'a>(site: &Site, folder: &'a Folder<'a>) -> Vec<Listed<'a>> {
    if !list::is_of_results(folder.kind) {
        return Vec::new();
    }
    let some = traits(site, folder).into_iter().filter(|(_, rows)| rows.len() < folder.items.len());
    some.map(|(own, _)| Listed::Narrowed(folder, own)).collect()
}

/// Each value leads to the list of those that have it, which is the whole one where that is all.
fn of_traits(here: &Here, folder: &Folder) -> Vec<Facet> {
    let mut facets: Vec<Facet> = Vec::new();
    for (own, rows) in traits(here.site, folder) {
        let is_all = rows.len() == folder.items.len();
        let listed = if is_all { Listed::Folder(folder) } else { Listed::Narrowed(folder, own) };
        let value = Value::of(Link { text: own.value(), href: Some(here.to(&listed.route())) }, &rows);
        match facets.last_mut().filter(|facet| facet.id == own.id()) {
            Some(facet) => facet.values.push(value),
            None => facets.push(Facet { id: own.id(), title: own.title(), values: vec![value], more: None }),
        }
    }
    facets
}

/// Under the name of its entry, in whichever words a result has it.
fn link(here: &Here, named: &Named, kind: Kind) -> Link {
    match named.entry() {
        Some(address) => here.to_address(address),
        None => here.to_named(named, kind),
    }
}

fn engine(here: &Here, item: &Item) -> Option<Link> {
    let engine = here.site.gatherings.engine(&item.engine.as_ref()?.name)?;
    Some(Link { text: engine.name.to_owned(), href: Some(here.to(&Route::engine(&engine.slug))) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grade_begins_at_its_bound_and_the_best_stands_first() {
        let values = [None, Some(0.59), Some(0.6), Some(0.79), Some(0.8)];
        let mut grades = values.map(|value| Grade::of(value, CONFIDENCE));
        grades.sort();
        let words = grades.map(|grade| grade.words(CONFIDENCE));
        assert_eq!(words, ["0.8 or more", "0.6 to below 0.8", "0.6 to below 0.8", "below 0.6", "not stated"]);
    }
}
