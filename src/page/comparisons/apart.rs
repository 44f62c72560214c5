//! Records that may not be compared: how often each reason stands between two of them, then pair by pair.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::anchor::slug;
use crate::catalog::Item;
use crate::compare::Part;
use crate::figures::{Withheld, heading_of};
use crate::page::frame::{Here, badges};
use crate::page::gathering::by_age;
use crate::page::part::{self, Strand};
use crate::page::table::{Cell, Heading, Row, Table};
use crate::route::Route;

/// Records of a page whose pairs are looked at: of more, the newest.
const PAIRED: usize = 60;

/// Pairs that all stand on the first part. More are counted there by reason, and follow on parts of their own.
const LISTED: usize = 12;

/// Rows of a pair: a heading may stand before each.
const PAIR_ROWS: usize = 2;

/// Records elsewhere that stand nearest to those of a page on which nothing may be compared.
const NEAREST: usize = 8;

/// Two records, and what stands between the nearest of their results.
struct Pair<'a> {
    one: &'a Item,
    other: &'a Item,
    withheld: Withheld,
}

/// Pairs between which the same parts stand.
struct Reason<'a> {
    words: String,
    /// Their positions among all pairs.
    pairs: Range<usize>,
    /// Where they stand one by one.
    href: String,
    /// The first of them.
    one: &'a Item,
    other: &'a Item,
}

/// The pairs of a page, after the strands that stand before them. Where nothing of it may be compared, those with the
/// nearest records elsewhere are among them.
pub fn strands<'a>(here: &'a Here, page: &Route, items: &[&'a Item], may: bool, before: &[Strand]) -> Vec<Strand<'a>> {
    let mut pairs = within(here, items);
    if !may {
        pairs.extend(elsewhere(here, items));
    }
    let pairs = most_frequent_first(pairs);
    if pairs.len() <= LISTED {
        return vec![one_by_one(here, pairs)];
    }
    let ends: Vec<_> =
        pairs.chunk_by(|one, other| one.withheld.parts == other.withheld.parts).map(<[_]>::len).collect();
    // The pairs begin a part of their own, after the table that counts them.
    let first = part::count_with(before, ends.len());
    let parts = part::cut(&[Strand::new(pairs.len(), PAIR_ROWS, |_| Vec::new())]);
    let mut next = 0;
    let reasons = ends.into_iter().map(|length| {
        let own = next..next + length;
        next = own.end;
        let Pair { one, other, withheld } = &pairs[own.start];
        let place = page.part(first + parts.holding(own.start));
        let href = here.to_anchor(&place, &anchor(withheld));
        Reason { words: words(withheld), pairs: own, href, one, other }
    });
    let reasons: Vec<_> = reasons.collect();
    let counted = Strand::new(reasons.len(), 1, move |range| vec![counted(here, &reasons[range])]);
    vec![counted, one_by_one(here, pairs).later(true)]
}

/// The parts that stand between two results, as a heading.
fn words(withheld: &Withheld) -> String {
    withheld.parts.iter().map(|part| part.name()).collect::<Vec<_>>().join(", ")
}

fn anchor(withheld: &Withheld) -> String {
    format!("apart:{}", slug(&words(withheld)))
}

/// All pairs of these records that nothing may be compared between.
fn within<'a>(here: &Here, items: &[&'a Item]) -> Vec<Pair<'a>> {
    let items = &items[..items.len().min(PAIRED)];
    let pairs = items.iter().enumerate().flat_map(|(at, one)| items[at + 1..].iter().map(move |other| (*one, *other)));
    pairs.filter_map(|(one, other)| pair(here, one, other)).collect()
}

fn pair<'a>(here: &Here, one: &'a Item, other: &'a Item) -> Option<Pair<'a>> {
    let withheld = here.site.figures.comparisons().withheld(&one.address, &other.address)?;
    Some(Pair { one, other, withheld })
}

/// These records with the nearest of all others that share a model, a card or the engine with them.
fn elsewhere<'a>(here: &Here<'a>, items: &[&'a Item]) -> Vec<Pair<'a>> {
    let gatherings = &here.site.gatherings;
    let own: BTreeSet<&str> = items.iter().map(|item| &*item.address).collect();
    let items = &items[..items.len().min(NEAREST)];
    let akin = |item: &'a Item| {
        let entries = item.models.iter().chain(&item.cards).filter_map(|named| named.entry());
        let entries = entries.flat_map(|address| gatherings.of_entry(address));
        let engine = item.engine.as_ref().and_then(|engine| gatherings.engine(&engine.name));
        let all = entries.chain(engine.into_iter().flat_map(|engine| &engine.items)).copied();
        let mut akin: Vec<&Item> = all.filter(|other| !own.contains(&*other.address)).collect();
        akin.sort_by(|one, other| by_age(one, other));
        akin.dedup_by_key(|other| &other.address);
        akin.truncate(PAIRED);
        akin
    };
    let pairs = items.iter().flat_map(|item| akin(item).into_iter().map(move |other| (*item, other)));
    let mut pairs: Vec<_> = pairs.filter_map(|(one, other)| pair(here, one, other)).collect();
    pairs.sort_by_key(|pair| pair.withheld.parts.len());
    pairs.truncate(NEAREST);
    pairs
}

/// Pairs of one reason together, those of the most frequent first; of equal ones that of the fewest parts.
fn most_frequent_first(pairs: Vec<Pair>) -> Vec<Pair> {
    let mut by_reason = BTreeMap::<Vec<Part>, Vec<Pair>>::new();
    for pair in pairs {
        by_reason.entry(pair.withheld.parts.clone()).or_default().push(pair);
    }
    let mut reasons: Vec<_> = by_reason.into_iter().collect();
    reasons.sort_by_key(|(parts, pairs)| (Reverse(pairs.len()), parts.len()));
    reasons.into_iter().flat_map(|(_, pairs)| pairs).collect()
}

fn counted(here: &Here, reasons: &[Reason]) -> Table {
    let item = |item: &Item| Cell { href: Some(here.to_item(item)), ..Cell::text(item.title()) };
    let rows = reasons.iter().map(|Reason { words, pairs, href, one, other }| Row {
        anchor: None,
        head: words.clone(),
        head_href: None,
        marks: Vec::new(),
        cells: vec![
            Cell { numeric: true, href: Some(href.clone()), ..Cell::text(pairs.len().to_string()) },
            item(one),
            item(other),
        ],
    });
    let head = ["Parts that differ or are not stated", "Pairs", "For example", "and"];
    Table {
        id: "reasons".to_owned(),
        caption: "Not comparable: what stands between how many pairs of records".into(),
        head: head.into_iter().map(Heading::plain).collect(),
        rows: rows.collect(),
    }
}

/// Each pair with what stands between the two, below what all of its reason have in common.
fn one_by_one<'a>(here: &'a Here, pairs: Vec<Pair<'a>>) -> Strand<'a> {
    Strand::new(pairs.len(), PAIR_ROWS, move |range| {
        let mut rows = Vec::new();
        for of_reason in pairs[range].chunk_by(|one, other| one.withheld.parts == other.withheld.parts) {
            let withheld = &of_reason[0].withheld;
            rows.push(Row { anchor: Some(anchor(withheld)), ..Row::heading(&words(withheld)) });
            rows.extend(of_reason.iter().map(|pair| row(here, pair)));
        }
        let head = ["Result", "and", "Nearest in", "What stands between them"];
        vec![Table {
            id: "apart".to_owned(),
            caption: "Not comparable: the ratio is withheld".into(),
            head: head.into_iter().map(Heading::plain).collect(),
            rows,
        }]
    })
}

fn row(here: &Here, Pair { one, other, withheld }: &Pair) -> Row {
    Row {
        anchor: Some(format!("apart:{}", super::key(&[&one.address, &other.address]))),
        head: one.title().to_owned(),
        head_href: Some(here.to_item(one)),
        marks: badges(one),
        cells: vec![
            Cell { href: Some(here.to_item(other)), ..Cell::text(other.title()) }.noted(badges(other)),
            Cell::text(heading_of(&withheld.metric)),
            Cell::text(withheld.differences.join("; ")),
        ],
    }
}
