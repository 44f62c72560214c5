//! What the results of a list are of, with counts: links to the pages of each, and filters where scripts run.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::catalog::{Item, Named};
use crate::compare::NOT_STATED;
use crate::diagnostic::counted;
use crate::route::Route;
use crate::source::Kind;

use super::frame::{Here, Link};

/// One way to tell the results of a list apart.
#[derive(Debug)]
pub struct Facet {
    /// As the fragment of a filtered list names it.
    pub id: &'static str,
    pub title: &'static str,
    pub values: Vec<Value>,
    /// That there are more values than are named here.
    pub more: Option<String>,
}

#[derive(Debug)]
pub struct Value {
    pub link: Link,
    pub count: usize,
    /// Positions of its results in the list, separated by blanks.
    pub rows: String,
}

/// Values of a facet that are named: those with the most results.
const NAMED: usize = 24;

/// How values are put in order.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    MostFirst,
    /// By name, the last first: years.
    LastFirst,
    /// How far results are to be believed, the best first; named also where all are of one grade, or of none.
    Grades,
}

/// The facets in which results differ.
pub fn of(here: &Here, items: &[&Item]) -> Vec<Facet> {
    let named = |kind, of: fn(&Item) -> &[Named]| {
        move |item: &Item| of(item).iter().map(|named| link(here, named, kind)).collect()
    };
    let facets = [
        facet("model", "Model", Order::MostFirst, items, named(Kind::Model, |item| &item.models)),
        facet("accelerator", "Accelerator", Order::MostFirst, items, named(Kind::Hardware, |item| &item.cards)),
        facet("engine", "Engine", Order::MostFirst, items, |item| engine(here, item).into_iter().collect()),
        facet("technique", "Technique", Order::MostFirst, items, |item| {
            item.techniques.iter().map(|technique| here.to_technique(*technique)).collect()
        }),
        facet("year", "Year", Order::LastFirst, items, |item| {
            item.published().map(|date| Link::plain(date.strftime("%Y").to_string())).into_iter().collect()
        }),
        facet("confidence", "Confidence", Order::Grades, items, |item| {
            let grade = item.kv_efficiency().map(|note| grade(note.confidence, [0.6, 0.8]));
            vec![Link::plain(grade.unwrap_or_else(|| NOT_STATED.to_owned()))]
        }),
        facet("completeness", "Completeness", Order::Grades, items, |item| {
            let ledger = here.site.figures.evidence(&item.address);
            let grade = ledger.map(|ledger| grade(ledger.completeness_pct().middle(), [50.0, 75.0]));
            vec![Link::plain(grade.unwrap_or_else(|| NOT_STATED.to_owned()))]
        }),
    ];
    facets.into_iter().flatten().collect()
}

/// Nothing where all results are of one value and it says nothing of each.
fn facet(
    id: &'static str,
    title: &'static str,
    order: Order,
    items: &[&Item],
    of: impl Fn(&Item) -> Vec<Link>,
) -> Option<Facet> {
    let mut rows = BTreeMap::<String, (Link, Vec<usize>)>::new();
    for (row, item) in items.iter().enumerate() {
        for link in of(item) {
            let (_, own) = rows.entry(link.text.clone()).or_insert((link, Vec::new()));
            if own.last() != Some(&row) {
                own.push(row);
            }
        }
    }
    let mut values: Vec<_> = rows.into_values().collect();
    match order {
        Order::MostFirst => values.sort_by_key(|(_, rows)| Reverse(rows.len())),
        Order::LastFirst => values.reverse(),
        Order::Grades => values.sort_by_key(|(link, _)| rank(&link.text)),
    }
    let more = values.len().checked_sub(NAMED).filter(|more| *more > 0);
    let is_told_apart = values.len() > 1 || order == Order::Grades && !values.is_empty();
    let value = |(link, rows): (Link, Vec<usize>)| Value {
        link,
        count: rows.len(),
        rows: rows.iter().map(usize::to_string).collect::<Vec<_>>().join(" "),
    };
    is_told_apart.then(|| Facet {
        id,
        title,
        values: values.into_iter().take(NAMED).map(value).collect(),
        more: more.map(|more| format!("and {} with fewer results", counted(more, "more value"))),
    })
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

/// Below both bounds, between them, or from the upper one on.
fn grade(value: f64, [low, high]: [f64; 2]) -> String {
    if value < low {
        format!("below {low}")
    } else if value < high {
        format!("{low} to below {high}")
    } else {
        format!("{high} or more")
    }
}

/// The best grade first, what is not stated last.
fn rank(grade: &str) -> usize {
    [" or more", " to below "].iter().position(|words| grade.contains(words)).unwrap_or(if grade == NOT_STATED {
        3
    } else {
        2
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_grade_stands_first() {
        let mut grades = vec![
            grade(49.0, [50.0, 75.0]),
            NOT_STATED.to_owned(),
            grade(50.0, [50.0, 75.0]),
            grade(80.0, [50.0, 75.0]),
        ];
        grades.sort_by_key(|grade| rank(grade));
        assert_eq!(grades, ["75 or more", "50 to below 75", "below 50", "not stated"]);
    }

    #[test]
    fn a_grade_begins_at_its_bound() {
        let grades = [0.59, 0.6, 0.79, 0.8].map(|value| grade(value, [0.6, 0.8]));
        assert_eq!(grades, ["below 0.6", "0.6 to below 0.8", "0.6 to below 0.8", "0.8 or more"]);
    }
}
