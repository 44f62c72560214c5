//! `data/<kind>.csv` and `data/<kind>.jsonl`: every figure of a kind, one a line.
//!
//! A column is defined once: its name is the header and the key, its cell is printed in both forms, and its description
//! stands in the data dictionary.

use std::io::{self, Write};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::catalog::Item;
use crate::figures::{Figure, Sample};
use crate::formula::FigureValue;
use crate::quantity::Better;
use crate::quantity::Quantity;
use crate::record::run::PowerKind;
use crate::record::site::Site;
use crate::route::Route;
use crate::source::visible;

/// A figure with what its line says of it.
#[derive(Debug)]
pub struct Claim<'a> {
    pub settings: &'a Site,
    pub item: &'a Item,
    pub figure: &'a Figure,
    /// What it is about, in words; empty for the record as a whole.
    pub subject: String,
    /// Address of the quote that it rests on.
    pub quote: Option<&'a str>,
    /// The page that it is cited on.
    pub page: Route,
}

/// One column of the tables.
#[derive(Debug)]
pub struct Column {
    pub name: &'static str,
    pub form: Form,
    pub description: &'static str,
    cell: fn(&Claim) -> Cell,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Text,
    Number,
    Flag,
    /// Texts: an array in JSON, joined by [`SEPARATOR`] in CSV.
    Texts,
}

impl Form {
    pub fn word(self) -> &'static str {
        match self {
            Form::Text => "text",
            Form::Number => "number",
            Form::Flag => "true or false",
            Form::Texts => "list of texts",
        }
    }
}

/// Between the texts of a list in a cell of CSV.
pub const SEPARATOR: &str = " | ";

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Cell {
    Empty,
    Text(String),
    Number(Quantity),
    Flag(bool),
    Texts(Vec<String>),
}

impl Cell {
    /// A text in which everything can be seen, on one line.
    fn text(text: impl AsRef<str>) -> Self {
        Cell::some(Some(text))
    }

    /// What is empty says nothing.
    fn some(text: Option<impl AsRef<str>>) -> Self {
        match text.as_ref().map(AsRef::as_ref) {
            None | Some("") => Cell::Empty,
            Some(text) => Cell::Text(shown(text)),
        }
    }

    fn texts<'a>(texts: impl IntoIterator<Item = &'a String>) -> Self {
        Cell::Texts(texts.into_iter().map(|text| shown(text)).collect())
    }

    fn number(value: Option<f64>) -> Self {
        value.map_or(Cell::Empty, |value| Cell::Number(value.into()))
    }
}

fn shown(text: &str) -> String {
    visible(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

const fn column(name: &'static str, form: Form, description: &'static str, cell: fn(&Claim) -> Cell) -> Column {
    Column { name, form, description, cell }
}

/// All columns, in their order.
pub static COLUMNS: &[Column] = &[
    column("id", Form::Text, "Address of the record: its kind's folder, and its name.", |claim| {
        Cell::text(&claim.item.address)
    }),
    column(
        "published",
        Form::Text,
        "Day the record was published, as 2026-10-29; empty for kinds without a day.",
        |claim| Cell::some(claim.item.published().map(|date| date.to_string())),
    ),
    column(
        "subject",
        Form::Text,
        "Anchor of the config, variant, host or model that the figure is about; “record” for the record as a whole.",
        |claim| Cell::text(&claim.figure.subject),
    ),
    column("label", Form::Text, "The subject in words; empty for the record as a whole.", |claim| {
        Cell::text(&claim.subject)
    }),
    column("figure", Form::Text, "Id of the formula, under which the methodology explains it.", |claim| {
        Cell::text(claim.figure.formula.id)
    }),
    column("name", Form::Text, "Name of the formula.", |claim| Cell::text(claim.figure.formula.name)),
    column(
        "qualifier",
        Form::Text,
        "What the number is of, or at which price: words that stand beside it wherever it is shown.",
        |claim| Cell::some(claim.figure.label.as_deref()),
    ),
    column(
        "value",
        Form::Number,
        "The number, unrounded; empty where it is an interval, words, or missing.",
        |claim| {
            let one = claim.figure.quantity().filter(|quantity| !quantity.is_interval());
            Cell::number(one.map(Quantity::low))
        },
    ),
    column(
        "low",
        Form::Number,
        "Low end of an interval, unrounded; the number itself where it is one number.",
        |claim| Cell::number(claim.figure.quantity().map(Quantity::low)),
    ),
    column(
        "high",
        Form::Number,
        "High end of an interval, unrounded; the number itself where it is one number.",
        |claim| Cell::number(claim.figure.quantity().map(Quantity::high)),
    ),
    column("approximate", Form::Flag, "Whether an input is approximate; empty where there is no number.", |claim| {
        claim.figure.quantity().map_or(Cell::Empty, |quantity| Cell::Flag(quantity.is_approximate()))
    }),
    column("verdict", Form::Text, "The words that a formula gives in place of a number.", |claim| {
        match claim.figure.outcome.as_ref().map(|computed| &computed.value) {
            Ok(FigureValue::Verdict(words)) => Cell::text(words),
            _ => Cell::Empty,
        }
    }),
    column(
        "unit",
        Form::Text,
        "Unit of value, low and high: one for each formula. Units of tokens say which; empty for a pure number.",
        |claim| Cell::text(claim.figure.formula.unit.symbol()),
    ),
    column(
        "tokens",
        Form::Text,
        "Which tokens the unit counts: input, output or total; empty where it counts none.",
        |claim| Cell::some(claim.figure.formula.unit.token_kind().map(|kind| kind.word())),
    ),
    column(
        "power_boundary",
        Form::Text,
        "What the power covers that the figure rests on, as the record says; empty where it rests on none. Figures of different boundaries are never to be ranked together.",
        |claim| {
            let power = claim.item.run().filter(|_| claim.figure.formula.rests_on("power_kw"));
            Cell::some(power.map(|run| PowerKind::words(run.power.as_ref().and_then(|power| power.kind))))
        },
    ),
    column("better", Form::Text, "Which direction is better: higher or lower; empty where neither is.", |claim| {
        match claim.figure.formula.better {
            Better::Higher => Cell::text("higher"),
            Better::Lower => Cell::text("lower"),
            Better::Neither => Cell::Empty,
        }
    }),
    column(
        "basis",
        Form::Text,
        "Computed from the source's own numbers, or assumed where at least one of them is; empty where there is nothing.",
        |claim| Cell::some(claim.figure.outcome.is_ok().then(|| claim.figure.basis().word())),
    ),
    column(
        "standing",
        Form::Text,
        "`superseded` or `withdrawn` where the record is no longer to be relied on, `draft` where it is not yet; empty where it stands.",
        |claim| Cell::some(claim.item.standing()),
    ),
    column(
        "sample",
        Form::Text,
        "How much was measured, where the figure rests on a measurement: requests, iterations, repeats.",
        |claim| Cell::some(claim.figure.sample.as_ref().map(Sample::words)),
    ),
    column("quote", Form::Text, "Address of the price quote that the figure rests on.", |claim| {
        Cell::some(claim.quote)
    }),
    column(
        "missing",
        Form::Text,
        "Why there is neither a number nor words; a missing figure is never zero.",
        |claim| Cell::some(claim.figure.outcome.as_ref().err().map(|missing| &missing.reason)),
    ),
    column(
        "limits",
        Form::Texts,
        "What must be known before acting on the number, each assumption included. They go wherever the number goes.",
        |claim| Cell::texts(&claim.figure.caveats()),
    ),
    column(
        "remarks",
        Form::Texts,
        "What else stands beside the number: what differs between two settings, a tie.",
        |claim| Cell::texts(&claim.figure.remarks),
    ),
    column("license", Form::Text, "Licence of this data.", |claim| Cell::text(&claim.settings.license)),
    column("source_license", Form::Text, "Licence of the record's source; empty where it is not known.", |claim| {
        Cell::some(claim.item.license())
    }),
    column("path", Form::Text, "Where the figure unfolds, relative to the root of the site.", |claim| {
        Cell::text(Route::home().link_to_anchor(&claim.page, &claim.figure.anchor()))
    }),
    column("url", Form::Text, "The same as a whole address.", |claim| {
        Cell::text(claim.page.absolute_to_anchor(&claim.settings.base_url, &claim.figure.anchor()))
    }),
];

/// Writes the figures as CSV after RFC 4180, with LF line ends; no cell has a line end.
pub fn csv<'a>(claims: impl Iterator<Item = Claim<'a>>, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<_> = COLUMNS.iter().map(|column| column.name).collect();
    writeln!(out, "{}", names.join(","))?;
    let mut line = String::new();
    for claim in claims {
        line.clear();
        for (position, column) in COLUMNS.iter().enumerate() {
            if position > 0 {
                line.push(',');
            }
            match (column.cell)(&claim) {
                Cell::Empty => {}
                Cell::Text(text) => push_text(&mut line, &text),
                Cell::Texts(texts) => push_text(&mut line, &texts.join(SEPARATOR)),
                cell @ (Cell::Number(_) | Cell::Flag(_)) => line.push_str(&json(&cell)),
            }
        }
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}

/// Writes the figures as JSON Lines: an object a line, whose keys are the columns.
pub fn json_lines<'a>(claims: impl Iterator<Item = Claim<'a>>, out: &mut dyn Write) -> io::Result<()> {
    for claim in claims {
        serde_json::to_writer(&mut *out, &Line(&claim))?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

struct Line<'a>(&'a Claim<'a>);

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut line = serializer.serialize_map(Some(COLUMNS.len()))?;
        for column in COLUMNS {
            line.serialize_entry(column.name, &(column.cell)(self.0))?;
        }
        line.end()
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("our data has string keys and finite numbers")
}

/// Text in quotes where it needs them. A spreadsheet takes what begins with one of four signs for a formula, so there an
/// apostrophe stands before it.
fn push_text(out: &mut String, text: &str) {
    let guard = if text.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    if text.contains([',', '"', '\n']) {
        out.push_str(&format!("\"{guard}{}\"", text.replace('"', "\"\"")));
    } else {
        out.push_str(guard);
        out.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_quoted_and_is_no_formula() {
        for (text, cell) in [
            ("a b", "a b"),
            ("a, b", "\"a, b\""),
            ("a \"b\"", "\"a \"\"b\"\"\""),
            ("=1+1", "'=1+1"),
            ("+57%, best", "\"'+57%, best\""),
            ("−3", "−3"),
            ("", ""),
        ] {
            let mut out = String::new();
            push_text(&mut out, text);
            assert_eq!(out, cell);
        }
    }

    #[test]
    fn a_number_has_all_its_digits_and_a_list_is_an_array() {
        assert_eq!(json(&Cell::number(Some(0.1 + 0.2))), "0.30000000000000004");
        assert_eq!(json(&Cell::number(Some(4096.0))), "4096");
        assert_eq!(json(&Cell::number(None)), "null");
        assert_eq!(json(&Cell::texts(&["a\u{202e}b\nc".to_owned()])), "[\"a\u{fffd}b c\"]");
    }

    #[test]
    fn columns_differ_and_are_described() {
        let names: std::collections::BTreeSet<_> = COLUMNS.iter().map(|column| column.name).collect();
        assert_eq!(names.len(), COLUMNS.len());
        assert!(COLUMNS.iter().all(|column| column.description.ends_with('.')));
    }
}
