//! Long pages in parts: what goes onto which of them, and the links between them.

use std::ops::Range;

use crate::chart::Chart;
use crate::route::Route;

use super::frame::{Here, Link};
use super::table::{Table, anchored_once};

/// Table rows of one part: more would keep a phone busy.
const ROWS: usize = 500;

/// What a drawing with its data weighs, in rows: four of them are what a page of a record may hold.
const CHART: usize = 120;

/// What a chart weighs that names many rows, or rows of long names, which stand in both drawings and in the data.
fn weight(chart: &Chart) -> usize {
    let rows = chart.table().rows;
    let names: usize = rows.iter().filter_map(|row| row.first()).map(String::len).sum();
    CHART.max(25 + 3 * rows.len() + names / 10)
}

/// Parts that are all named on each of them; of more, the first, the last, and those around.
const NAMED: usize = 40;

/// A list cut into parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// Position of the first entry of each part.
    firsts: Vec<usize>,
    length: usize,
}

impl Parts {
    /// As many entries a part as weigh no more than `most` together, and one at least; one part of no entries.
    pub fn of(weights: impl IntoIterator<Item = usize>, most: usize) -> Self {
        let (mut firsts, mut length, mut weight) = (vec![0], 0, 0);
        for own in weights {
            if length > firsts[firsts.len() - 1] && weight + own > most {
                firsts.push(length);
                weight = 0;
            }
            weight += own;
            length += 1;
        }
        Parts { firsts, length }
    }

    pub fn count(&self) -> usize {
        self.firsts.len()
    }

    /// The entries of a part, which counts from 1.
    pub fn range(&self, part: usize) -> Range<usize> {
        let first = |part: usize| self.firsts.get(part - 1).copied().unwrap_or(self.length);
        first(part)..first(part + 1)
    }

    /// These parts and after them those of another list.
    fn then(mut self, next: Parts) -> Self {
        if self.length == 0 || next.length == 0 {
            return if self.length == 0 { next } else { self };
        }
        self.firsts.extend(next.firsts.iter().map(|first| self.length + first));
        self.length += next.length;
        self
    }

    /// The part that has an entry.
    pub fn holding(&self, entry: usize) -> usize {
        self.firsts.partition_point(|first| *first <= entry).max(1)
    }
}

/// Tables over the entries of one list, which stand together wherever the list is cut.
pub struct Strand<'a> {
    entries: usize,
    /// Table rows of one entry, at most.
    rows: usize,
    /// What each entry weighs, where that is not its rows.
    weights: Option<Vec<usize>>,
    tables: Box<dyn Fn(Range<usize>) -> Vec<Table> + 'a>,
    /// Drawings over the same entries, before all tables.
    charts: Box<dyn Fn(Range<usize>) -> Vec<Chart> + 'a>,
    is_of_charts: bool,
    /// Whether nothing of it is on the first part; all strands after such a one are later too.
    later: bool,
}

impl<'a> Strand<'a> {
    pub fn new(entries: usize, rows: usize, tables: impl Fn(Range<usize>) -> Vec<Table> + 'a) -> Self {
        Strand {
            entries,
            rows,
            weights: None,
            tables: Box::new(tables),
            charts: Box::new(|_| Vec::new()),
            is_of_charts: false,
            later: false,
        }
    }

    /// Drawings, each with its own data table.
    pub fn of_charts(charts: Vec<Chart>) -> Self {
        let count = charts.len();
        let weights = charts.iter().map(weight).collect();
        let charts: Box<dyn Fn(Range<usize>) -> Vec<Chart>> = Box::new(move |range| charts[range].to_vec());
        Strand { charts, is_of_charts: true, ..Strand::new(count, CHART, |_| Vec::new()).weighing(weights) }
    }

    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    pub fn later(self, later: bool) -> Self {
        Strand { later, ..self }
    }

    /// Entries that differ in weight, one each.
    pub fn weighing(self, weights: Vec<usize>) -> Self {
        Strand { weights: Some(weights), ..self }
    }

    fn weights(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.entries).map(|at| self.weights.as_ref().and_then(|own| own.get(at)).map_or(self.rows, |own| *own))
    }

    /// With something done to each of its tables.
    pub fn each(self, change: fn(Table) -> Table) -> Self {
        let tables = self.tables;
        Strand { tables: Box::new(move |range| tables(range).into_iter().map(change).collect()), ..self }
    }
}

/// How one page is cut whose tables follow upon each other.
pub fn cut(strands: &[Strand]) -> Parts {
    let weights = |later: bool| {
        let own = strands.iter().filter(move |strand| strand.later == later);
        own.flat_map(Strand::weights)
    };
    Parts::of(weights(false), ROWS).then(Parts::of(weights(true), ROWS))
}

/// How many parts these strands have with so many rows after them.
pub fn count_with(strands: &[Strand], rows: usize) -> usize {
    let weights = strands.iter().flat_map(Strand::weights);
    Parts::of(weights.chain(std::iter::repeat_n(1, rows)), ROWS).count()
}

/// The tables of one part.
pub fn tables(strands: &[Strand], part: usize) -> Vec<Table> {
    let wanted = cut(strands).range(part);
    let mut before = 0;
    let mut tables = Vec::new();
    for strand in strands {
        let within = |at: usize| at.clamp(before, before + strand.entries) - before;
        let own = within(wanted.start)..within(wanted.end);
        if !own.is_empty() {
            let own = (strand.tables)(own);
            // The fragments of figures lead to where a reader of the first part finds them.
            tables.extend(if strand.later {
                own.into_iter().map(Table::without_anchored_cells).collect()
            } else {
                own
            });
        }
        before += strand.entries;
    }
    anchored_once(tables)
}

/// The charts of one part.
pub fn charts(strands: &[Strand], part: usize) -> Vec<Chart> {
    let wanted = cut(strands).range(part);
    let mut before = 0;
    let mut charts = Vec::new();
    for strand in strands {
        let within = |at: usize| at.clamp(before, before + strand.entries) - before;
        let own = within(wanted.start)..within(wanted.end);
        if !own.is_empty() {
            charts.extend((strand.charts)(own));
        }
        before += strand.entries;
    }
    charts
}

/// The part on which the charts of a page begin, and how many they are; `None` where there are none.
pub fn first_charts(strands: &[Strand]) -> Option<(usize, usize)> {
    let at = strands.iter().position(|strand| strand.is_of_charts && !strand.is_empty())?;
    let before = strands[..at].iter().map(|strand| strand.entries).sum();
    Some((cut(strands).holding(before), strands[at].entries))
}

/// The way from one part to the others.
#[derive(Debug)]
pub struct PartLinks {
    pub number: usize,
    pub count: usize,
    pub previous: Option<String>,
    pub next: Option<String>,
    /// Numbers of parts; one without a link is this part, or stands for those that are left out.
    pub parts: Vec<Link>,
}

impl PartLinks {
    /// The links between the parts of the page at a route; `None` where there is but one.
    pub fn of(here: &Here, page: &Route, number: usize, count: usize) -> Option<Self> {
        if count < 2 {
            return None;
        }
        let to = |part: usize| here.to(&page.part(part));
        let mut parts = Vec::new();
        for part in 1..=count {
            if part == number {
                parts.push(Link::plain(part.to_string()));
            } else if count <= NAMED || part == 1 || part == count || part.abs_diff(number) <= NAMED / 4 {
                parts.push(Link { text: part.to_string(), href: Some(to(part)) });
            } else if parts.last().is_some_and(|last: &Link| last.text != "…") {
                parts.push(Link::plain("…"));
            }
        }
        let previous = (number > 1).then(|| to(number - 1));
        Some(PartLinks { number, count, previous, next: (number < count).then(|| to(number + 1)), parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_weighs_no_more_than_it_may() {
        for (weights, ends) in [(&[][..], &[0][..]), (&[9], &[1]), (&[2, 3, 1], &[2, 3]), (&[9, 9, 1, 4], &[1, 2, 4])] {
            let parts = Parts::of(weights.iter().copied(), 5);
            let ranges: Vec<_> = (1..=parts.count()).map(|part| parts.range(part)).collect();
            assert_eq!(ranges.iter().map(|range| range.end).collect::<Vec<_>>(), ends, "{weights:?}");
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start), "{weights:?}");
            for (part, mut range) in (1..).zip(ranges) {
                assert!(range.all(|entry| parts.holding(entry) == part), "{weights:?}");
            }
        }
    }

    #[test]
    fn every_entry_is_in_one_part_with_all_its_tables() {
        let table = |id: &str, range: Range<usize>| {
            let row = |entry: usize| super::super::table::Row {
                anchor: None,
                head: entry.to_string(),
                head_href: None,
                marks: Vec::new(),
                cells: Vec::new(),
            };
            Table { id: id.to_owned(), caption: "".into(), head: Vec::new(), rows: range.map(row).collect() }
        };
        let strands = [
            Strand::new(600, 2, |range| vec![table("a", range.clone()), table("b", range)]),
            Strand::new(30, 1, |range| vec![table("c", range)]),
        ];
        let parts: Vec<Vec<Table>> = (1..=cut(&strands).count()).map(|part| tables(&strands, part)).collect();
        assert!(parts.iter().all(|tables| tables.iter().map(|table| table.rows.len()).sum::<usize>() <= ROWS));
        for (id, entries) in [("a", 600), ("b", 600), ("c", 30)] {
            let rows = parts.iter().flatten().filter(|table| table.id == id).flat_map(|table| &table.rows);
            let rows: Vec<_> = rows.map(|row| row.head.clone()).collect();
            assert_eq!(rows, (0..entries).map(|entry| entry.to_string()).collect::<Vec<_>>());
        }
    }
}
