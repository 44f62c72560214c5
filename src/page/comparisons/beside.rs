//! Results of other records beside those of one, on that record's page: the nearest, and what it measures again.

use std::collections::{BTreeMap, BTreeSet};

use super::{for_all_rows, marks, name, notes};
use crate::catalog::Item;
use crate::figures::{Contender, Figure, Pair, Reproduction, heading_of};
use crate::page::frame::Here;
use crate::page::table::{Caption, Cell, Heading, Row, Table};

/// The nearest comparable results of a record.
const NEAREST: usize = 8;

/// A record's nearest comparable results of others; nothing where it has none.
pub fn nearest(here: &Here, item: &Item) -> Option<Table> {
    let all = here.site.figures.comparisons();
    let pairs = all.nearest(&item.address, NEAREST);
    let first = pairs.first()?;
    // What limits both sides of all pairs, and every change, is said once.
    let of_both = |pair: &Pair| [pair.own, pair.other].map(|at| &all.contenders[at].limits);
    let limits_all = |limit: &&String| pairs.iter().all(|pair| of_both(pair).iter().all(|own| own.contains(limit)));
    let changes = || pairs.iter().flat_map(|pair| &pair.changes).map(|(_, change)| change);
    let mut once = changes().next().map(notes).unwrap_or_default();
    once.retain(|note| changes().all(|change| notes(change).contains(note)));
    once.extend(all.contenders[first.own].limits.iter().filter(limits_all).cloned());

    let rows = pairs.iter().map(|pair| {
        let label = |at: usize| &all.contenders[at].label;
        let differs = match pair.differences.is_empty() {
            true if label(pair.own) == label(pair.other) => "nothing stated".to_owned(),
            true => format!("labels alone: “{}” against “{}”", label(pair.own), label(pair.other)),
            false => pair.differences.join("; "),
        };
        let mut notes: Vec<_> = pair.changes.iter().map(|(metric, change)| told(metric, change, &once)).collect();
        let limits = pair.changes.iter().flat_map(|(_, change)| &change.limits).map(|limit| limit.to_string());
        let mut seen = BTreeSet::new();
        notes.extend(limits.filter(|limit| !once.contains(limit) && seen.insert(limit.clone())));
        let words = if pair.changes.is_empty() { "they share no metric of which a change is reckoned" } else { "" };
        let change = Cell { notes, ..Cell::text(words) };
        let mut row = beside(here, pair.other, pair.own, vec![Cell::text(differs), change]);
        row.marks.retain(|mark| !once.contains(mark));
        let [own, other] = [pair.own, pair.other].map(|at| &all.contenders[at]);
        // What this record does not cover stands on this page.
        let is_new = |limit: &&String| !once.contains(limit);
        row.cells[0].notes.extend(own.limits.iter().filter(is_new).filter(|limit| !is_not_covered(limit)).cloned());
        row.cells[1].notes.extend(not_covered(other, &once));
        row
    });
    let rows = rows.collect();
    let caption = Caption {
        title: "Nearest comparable results of other records".to_owned(),
        limits: for_all_rows(&joined(&once)),
        alike: String::new(),
    };
    let head = ["Result", "against", "Differs in", "Change"].map(Heading::plain).into();
    Some(Table { id: "nearest".to_owned(), caption, head, rows })
}

/// The same with all that is not covered as one.
fn joined(limits: &[String]) -> Vec<String> {
    let (not_covered, others): (Vec<_>, Vec<_>) = limits.iter().cloned().partition(|limit| is_not_covered(limit));
    let not_covered: Vec<_> = not_covered.iter().filter_map(|limit| limit.strip_prefix(NOT_COVERED)).collect();
    let last = (!not_covered.is_empty()).then(|| format!("{NOT_COVERED}{}", not_covered.join("; ")));
    others.into_iter().chain(last).collect()
}

fn is_not_covered(limit: &str) -> bool {
    limit.starts_with(NOT_COVERED)
}

const NOT_COVERED: &str = "not covered: ";

/// What the other record does not cover, as one note.
fn not_covered(other: &Contender, once: &[String]) -> Option<String> {
    let limits = other.limits.iter().filter(|limit| !once.contains(limit));
    let limits: Vec<_> = limits.filter_map(|limit| limit.strip_prefix(NOT_COVERED)).collect();
    (!limits.is_empty()).then(|| format!("not covered there: {}", limits.join("; ")))
}

/// `Output throughput +0.7%, better, outside ±0.5%`.
fn told(metric: &str, change: &Figure, once: &[String]) -> String {
    let unranked = change.unranked.as_ref().map(|_| "not ranked".to_owned());
    let judgement = change.judgement().map(str::to_owned);
    let remarks = change.remarks.iter().filter(|remark| !once.contains(remark)).cloned();
    let words: Vec<_> = [change.shown()].into_iter().chain(judgement).chain(remarks).chain(unranked).collect();
    format!("{} {}", heading_of(metric), words.join(", "))
}

/// A record's results over those of the one that it measures again: ratios, and differences in place of those that are
/// withheld. Nothing for a record that measures none again.
pub fn reproduction(here: &Here, item: &Item) -> Option<Table> {
    let mut by_pair = BTreeMap::<_, (Vec<String>, BTreeSet<String>)>::new();
    for Reproduction { own, original, metric, ratio } in here.site.figures.comparisons().reproductions_of(&item.address)
    {
        let heading = heading_of(metric);
        let (ratios, apart) = by_pair.entry((*original, *own)).or_default();
        match ratio {
            Ok(figure) => {
                ratios.push(format!("{heading} {} of the original", figure.shown()));
                apart.extend(notes(figure));
            }
            Err(differences) => {
                ratios.push(format!("{heading}: the ratio is withheld"));
                apart.extend(differences.iter().cloned());
            }
        }
    }
    let rows = by_pair.into_iter().map(|((original, own), (ratios, apart))| {
        let apart = if apart.is_empty() { "–".to_owned() } else { Vec::from_iter(apart).join("; ") };
        beside(here, original, own, vec![Cell { notes: ratios, ..Cell::default() }, Cell::text(apart)])
    });
    let rows: Vec<_> = rows.collect();
    let head = ["Original", "measured again", "Ratio", "What stands between them"];
    (!rows.is_empty()).then(|| Table {
        id: "reproduction".to_owned(),
        caption: "Against the result that it measures again".into(),
        head: head.into_iter().map(Heading::plain).collect(),
        rows,
    })
}

/// Another record's result, with a result of the page's own that it is held against.
fn beside(here: &Here, other: usize, own: usize, cells: Vec<Cell>) -> Row {
    let all = here.site.figures.comparisons();
    let [own, other] = [own, other].map(|at| &all.contenders[at]);
    let own = Cell { href: Some(here.to_subject(&own.address, &own.subject)), ..Cell::text(own.label.clone()) };
    Row {
        anchor: None,
        head: name(here, other),
        head_href: Some(here.to_subject(&other.address, &other.subject)),
        marks: marks(here, other),
        cells: [own].into_iter().chain(cells).collect(),
    }
}
