//! The evidence ledger of a note: on its page, in lists, and the rule behind it on the methodology page.

use crate::catalog::Item;
use crate::figures::evidence::{Evidence, FIELDS, Ledger, Line, Place, RULE};
use crate::quantity::{Quantity, Unit};
use crate::route::Route;

use super::frame::{Here, Link};
use super::record::Fact;
use super::table::{Cell, Heading, Row, Table};

/// Fragment of the ledger on a note's page.
const LEDGER: &str = "page:evidence";
/// Fragment of the rule on the methodology page.
const COMPLETENESS: &str = "page:completeness";

/// What a note's page says of its evidence.
#[derive(Debug)]
pub struct EvidencePart {
    /// Values of all fields by how they are known.
    pub counts: String,
    pub completeness: String,
    /// The rule that the score follows.
    pub rule: String,
    /// How far its author trusts the note.
    pub confidence: String,
    pub table: Table,
}

/// The ledger of a note.
pub fn part(here: &Here, item: &Item) -> Option<EvidencePart> {
    let (note, ledger) = (item.kv_efficiency()?, here.site.figures.evidence(&item.address)?);
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
    Some(EvidencePart {
        counts: counted(ledger.counts(), Evidence::words),
        completeness: completeness(ledger),
        rule: here.to_anchor(&Route::methodology(), COMPLETENESS),
        confidence: item.document.digits("/confidence", Quantity::exact(note.confidence)),
        table: Table {
            id: "evidence".to_owned(),
            caption: "How each field is known, and what it earns of its weight".into(),
            head: ["Field", "Evidence", "Earns", "Weight"].into_iter().map(Heading::plain).collect(),
            rows: rows.collect(),
        },
    })
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

/// The score among the facts of a note, beside its author's confidence.
pub fn fact(here: &Here, item: &Item) -> Option<Fact> {
    let ledger = here.site.figures.evidence(&item.address)?;
    let link = Link { text: format!("{} by rule", completeness(ledger)), href: Some(format!("#{LEDGER}")) };
    Some(Fact::new("Completeness", vec![link]))
}

/// Headings of [`cells`].
pub const HEAD: [&str; 2] = ["Confidence", "Completeness, %"];

/// What a list says of a result's evidence; dashes for what is no note.
pub fn cells(here: &Here, item: &Item) -> [Cell; 2] {
    let ledger = item.kv_efficiency().zip(here.site.figures.evidence(&item.address));
    let Some((note, ledger)) = ledger else { return [Cell::text("–"), Cell::text("–")] };
    let confidence = Some(Quantity::exact(note.confidence));
    let completeness = Cell {
        text: Unit::Percent.digits(ledger.completeness_pct()),
        href: Some(here.to_anchor(&Route::record(&item.address), LEDGER)),
        numeric: true,
        ..Cell::default()
    };
    [Cell::measured(here, &item.document, "/confidence", confidence), completeness]
}

/// The rule and what each field weighs.
#[derive(Debug)]
pub struct Rule {
    pub says: &'static str,
    pub fields: Table,
}

pub fn rule() -> Rule {
    let rows = FIELDS.iter().map(|field| Row {
        anchor: None,
        head: field.name.to_owned(),
        head_href: None,
        marks: Vec::new(),
        cells: vec![Cell::text(field.of), Cell { numeric: true, ..Cell::text(field.weight.to_string()) }],
    });
    Rule {
        says: RULE,
        fields: Table {
            id: "completeness".to_owned(),
            caption: "Fields of a note".into(),
            head: ["Field", "Values", "Weight"].into_iter().map(Heading::plain).collect(),
            rows: rows.collect(),
        },
    }
}
