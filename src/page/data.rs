//! The numbers of each kind as tables, and the data dictionary: the page that says what stands in them.

use std::io::{self, Write};

use askama::Template;

use crate::diagnostic::counted;
use crate::export::figures::{self, COLUMNS, Claim, Column, Form, SEPARATOR};
use crate::route::Route;
use crate::source::Kind;

use super::claim::Labels;
use super::frame::{Frame, Here, Link, license};
use super::record::kind_title;
use super::{Planned, Site};

#[derive(Debug, Template)]
#[template(path = "data.html")]
pub struct DataPage {
    frame: Frame,
    license: Link,
    tables: Vec<Listed>,
    others: Vec<Other>,
    columns: &'static [Column],
    separator: &'static str,
    methodology: String,
    snippets: [Snippet; 3],
}

/// The table of a kind.
#[derive(Debug)]
struct Listed {
    kind: &'static str,
    size: String,
    files: Vec<Link>,
}

/// A data file of another form.
#[derive(Debug)]
struct Other {
    link: Link,
    what: &'static str,
}

/// Two lines that read a table.
#[derive(Debug)]
struct Snippet {
    tool: &'static str,
    /// The version that the lines were run with, on the files of this site.
    run_with: &'static str,
    lines: &'static str,
}

const SNIPPETS: [Snippet; 3] = [
    Snippet {
        tool: "DuckDB",
        run_with: "2.0.1",
        lines: "SELECT id, label, value, unit, power_boundary, limits FROM 'runs.csv'\n\
                WHERE figure = 'goodput_tok_per_j' AND value IS NOT NULL ORDER BY power_boundary, value DESC;",
    },
    Snippet {
        tool: "pandas",
        run_with: "3.1.1",
        lines: "numbers = pandas.read_json('runs.jsonl', lines=True)\n\
                numbers[numbers.basis == 'measured'].pivot(index=['id', 'subject', 'qualifier'], columns='figure', values='value')",
    },
    Snippet {
        tool: "Spark",
        run_with: "4.3.0",
        lines: "figures = spark.read.csv('runs.csv', header=True, inferSchema=True, escape='\"')\n\
                figures.where(\"missing IS NULL\").groupBy('figure', 'unit').count().show()",
    },
];

pub fn compose(here: &Here) -> DataPage {
    let site = here.site;
    let tables = site.tabled().map(|kind| {
        let figures = site.catalog.of_kind(kind).map(|item| site.figures.of(&item.address).len()).sum();
        let file = |form: Form| Link {
            text: form.name().to_owned(),
            href: Some(here.to(&Route::figures_table(kind, form.ending()))),
        };
        Listed { kind: kind_title(kind), size: counted(figures, "figure"), files: Form::ALL.map(file).into() }
    });
    let other = |text: &str, route: Route, what| Other {
        link: Link { text: text.to_owned(), href: Some(here.to(&route)) },
        what,
    };
    DataPage {
        frame: here.frame("Data files", "Every number of this site as CSV and JSON Lines, and what each column holds"),
        license: license(&site.catalog.site.license),
        tables: tables.collect(),
        others: vec![
            other("index.json", Route::data_index(), "Every record with its addresses."),
            other(
                "comparisons.json",
                Route::comparisons_data(),
                "The setting of every result, and which results may be compared for which metric.",
            ),
        ],
        columns: COLUMNS,
        separator: SEPARATOR.trim(),
        methodology: here.to(&Route::methodology()),
        snippets: SNIPPETS,
    }
}

impl Site<'_> {
    /// Kinds whose records have numbers.
    fn tabled(&self) -> impl Iterator<Item = Kind> {
        let kinds = [Kind::Run, Kind::Audit, Kind::KvEfficiency, Kind::Model, Kind::Hardware, Kind::Price];
        kinds.into_iter().filter(move |kind| self.catalog.of_kind(*kind).next().is_some())
    }

    pub(super) fn tables(&self) -> impl Iterator<Item = Planned<'_>> {
        self.tabled().flat_map(|kind| Form::ALL.map(|form| Planned::DataTable(kind, form)))
    }

    /// Writes the numbers of each record, then its figures.
    pub(super) fn table(&self, kind: Kind, form: Form, out: &mut dyn Write) -> io::Result<()> {
        let mut table = figures::Table::begin(form, out)?;
        for item in self.catalog.of_kind(kind) {
            let labels = Labels::of(item);
            let fate = self.catalog.fate(item).map(|fate| fate.words(|address| address));
            let of = |subject: &str, page: Route, anchor: String| figures::Subject {
                settings: &self.catalog.site,
                item,
                fate: fate.as_deref(),
                label: labels.of_subject(subject),
                page,
                anchor,
            };
            for reading in self.figures.readings(item) {
                let line = reading.document.line(&reading.pointer);
                let page = self.line_route(reading.document, line);
                table.write(&Claim::of_reading(&reading, of(&reading.subject, page, format!("L{line}"))))?;
            }
            for figure in self.figures.of(&item.address) {
                let page = self.anchor_route(&item.address, &figure.anchor());
                let quote = self.figures.quote(item, figure);
                table.write(&Claim::of_figure(figure, quote, of(&figure.subject, page, figure.anchor())))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::Basis;

    #[test]
    fn the_snippets_are_of_two_lines_and_name_what_there_is() {
        let known = |word: &str| {
            let is_column = COLUMNS.iter().any(|column| column.name == word);
            is_column || crate::formula::by_id(word).is_some() || word == Basis::Measured.word()
        };
        for Snippet { tool, lines, .. } in SNIPPETS {
            assert_eq!(lines.lines().count(), 2, "{tool}");
            let quoted =
                lines.split('\'').skip(1).step_by(2).filter(|word| word.len() > 1 && !word.starts_with("runs."));
            let unknown: Vec<_> = quoted.filter(|word| !known(word)).collect();
            assert!(unknown.is_empty(), "{tool}: {unknown:?}");
        }
    }
}
