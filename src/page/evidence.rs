//! The evidence ledger of a result: on its page, in lists, and the rule behind it on the methodology page.

use crate::catalog::Item;
use crate::figures::evidence::{Evidence, FIELDS, Ledger, Line, Place, RULE};
use crate::quantity::{Quantity, Unit};
use crate::route::Route;

use super::frame::{Here, Link};
use super::record::Fact;
use super::table::{Cell, Heading, Row, Table};

/// Fragment of the ledger on a result's page.
const LEDGER: &str = "page:evidence";
/// Fragment of the rule on the methodology page.
const COMPLETENESS: &str = "page:completeness";

/// What a result's page says of its evidence.
#[derive(Debug)]
pub struct EvidencePart {
    /// Values of all fields by how they are known.
    pub counts: String,
    pub completeness: String,
    /// The rule that the score follows.
    pub rule: String,
    /// How far its author trusts it, where that is stated.
    pub confidence: Option<String>,
    /// Field by field.
    pub table: Option<Table>,
    /// Where there is no such table, what is not there.
    pub lacking: Vec<String>,
}

/// The ledger of a result: of a note field by field, of a run or an audit what it lacks, since the rest stands on its page.
pub fn part(here: &Here, item: &Item) -> Option<EvidencePart> {
    let ledger = here.site.figures.evidence(&item.address)?;
    let note = item.kv_efficiency();
    Some(EvidencePart {
        counts: counted(ledger.counts(), Evidence::words),
        completeness: completeness(ledger),
        rule: here.to_anchor(&Route::methodology(), COMPLETENESS),
        confidence: note.map(|note| item.document.digits("/confidence", Quantity::exact(note.confidence))),
        table: note.map(|_| field_by_field(here, item, ledger)),
        lacking: if note.is_some() { Vec::new() } else { lacking(ledger) },
    })
}

fn field_by_field(here: &Here, item: &Item, ledger: &Ledger) -> Table {
    let rows = ledger.lines.iter().map(|line| Row {
        anchor: None,
        head: line.field.name.to_owned(),
        head_href: line.place.as_ref().map(|place| href(here, item, place)),
        marks: Vec::new(),
        cells: vec![
            Cell::text(evidence(line)),
            Cell { numeric: true, ..Cell::text(Unit::Number.digits(line.points())) },
            Cell { numeric: true, ..Cell::text(line.field.weight.to_string()) },
        ],
    });
    Table {
        id: "evidence".to_owned(),
        caption: "How each field is known, and what it earns of its weight".into(),
        head: ["Field", "Evidence", "Earns", "Weight"].into_iter().map(Heading::plain).collect(),
        rows: rows.collect(),
    }
}

/// Fields that are absent or assumed: of all configs, then of some.
fn lacking(ledger: &Ledger) -> Vec<String> {
    let of = |word: &str, known: Evidence, all: bool| {
        let count = |line: &Line| Evidence::ALL.into_iter().zip(line.counts).find(|(own, _)| *own == known);
        let is_of = |line: &&Line| {
            let own = count(line).map_or(0, |(_, count)| count);
            own > 0 && (own == line.counts.iter().sum::<usize>()) == all
        };
        let names: Vec<_> = ledger.lines.iter().filter(is_of).map(|line| line.field.name).collect();
        (!names.is_empty()).then(|| format!("{word}: {}", names.join(", ")))
    };
    let all = [
        of("Absent", Evidence::Absent, true),
        of("Absent of some configs", Evidence::Absent, false),
        of("Assumed", Evidence::Assumed, true),
        of("Assumed of some configs", Evidence::Assumed, false),
    ];
    all.into_iter().flatten().collect()
}

fn href(here: &Here, item: &Item, place: &Place) -> String {
    match place {
        Place::Field(pointer) => here.to_source(&item.document, pointer),
        Place::Figure(anchor) => here.to_anchor(&Route::record(&item.address), anchor),
    }
}

/// `stated`, or `2 stated, 1 absent` of several values.
fn evidence(line: &Line) -> String {
    let only = Evidence::ALL.into_iter().zip(line.counts).find(|(_, count)| *count == 1);
    match only.filter(|_| line.counts.iter().sum::<usize>() == 1) {
        Some((known, _)) => known.word().to_owned(),
        None => counted(line.counts, Evidence::word),
    }
}

fn counted(counts: [usize; 4], word: fn(Evidence) -> &'static str) -> String {
    let counts = Evidence::ALL.into_iter().zip(counts).filter(|(_, count)| *count > 0);
    counts.map(|(known, count)| format!("{count} {}", word(known))).collect::<Vec<_>>().join(", ")
}

fn completeness(ledger: &Ledger) -> String {
    Unit::Percent.show(ledger.completeness_pct())
}

/// The score among the facts of a result.
pub fn fact(here: &Here, item: &Item) -> Option<Fact> {
    let ledger = here.site.figures.evidence(&item.address)?;
    let link = Link { text: format!("{} by rule", completeness(ledger)), href: Some(format!("#{LEDGER}")) };
    Some(Fact::new("Completeness", vec![link]))
}

/// Headings of [`cells`].
pub const HEAD: [&str; 2] = ["Confidence", "Completeness, %"];

/// What a list says of a result's evidence; runs and audits state no confidence.
pub fn cells(here: &Here, item: &Item) -> [Cell; 2] {
    let confidence = item.kv_efficiency().map(|note| Quantity::exact(note.confidence));
    let completeness = |ledger: &Ledger| Cell {
        text: Unit::Percent.digits(ledger.completeness_pct()),
        href: Some(here.to_anchor(&Route::record(&item.address), LEDGER)),
        numeric: true,
        ..Cell::default()
    };
    let ledger = here.site.figures.evidence(&item.address);
    let confidence = Cell::measured(here, &item.document, "/confidence", confidence);
    [confidence, ledger.map_or_else(Cell::not_stated, completeness)]
}

/// The rule and what each field weighs: of notes, of runs and audits.
#[derive(Debug)]
pub struct Rule {
    pub says: &'static str,
    pub fields: [Table; 2],
}

pub fn rule() -> Rule {
    Rule {
        says: RULE,
        fields: [
            fields("completeness", "Fields of a note", true),
            fields("served", "Fields of a run or an audit", false),
        ],
    }
}

fn fields(id: &str, caption: &str, of_notes: bool) -> Table {
    let rows = FIELDS.iter().filter(|field| field.is_of_notes() == of_notes).map(|field| Row {
        anchor: None,
        head: field.name.to_owned(),
        head_href: None,
        marks: Vec::new(),
        cells: vec![Cell::text(field.of), Cell { numeric: true, ..Cell::text(field.weight.to_string()) }],
    });
    Table {
        id: id.to_owned(),
        caption: caption.into(),
        head: ["Field", "Values", "Weight"].into_iter().map(Heading::plain).collect(),
        rows: rows.collect(),
    }
}
