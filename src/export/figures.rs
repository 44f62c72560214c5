//! `data/<kind>.csv` and `data/<kind>.jsonl`: every number of a kind, the records' own and the figures, one a line.
//!
//! A column is defined once: its name is the header and the key, its cell is printed in both forms, and its description
//! stands in the data dictionary.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::catalog::Item;
use crate::figures::{Basis, Figure, Reading, Sample};
use crate::formula::FigureValue;
use crate::quantity::{Better, Quantity, TokenKind};
use crate::record::run::PowerKind;
use crate::record::site::Site;
use crate::route::Route;
use crate::source::visible;

/// What a line is about, and where it leads.
#[derive(Debug)]
pub struct Subject<'a> {
    pub settings: &'a Site,
    pub item: &'a Item,
    /// What became of the record.
    pub fate: Option<&'a str>,
    /// In words; empty for the record as a whole.
    pub label: String,
    /// The page with the number, and its anchor there.
    pub page: Route,
    pub anchor: String,
}

/// A number with what its line says of it.
#[derive(Debug)]
pub struct Claim<'a> {
    of: Subject<'a>,
    origin: &'static str,
    subject: &'a str,
    figure: &'a str,
    name: &'a str,
    qualifier: Option<&'a str>,
    quantity: Option<Quantity>,
    verdict: Option<&'static str>,
    missing: Option<&'a str>,
    unit: &'a str,
    better: Better,
    basis: Option<Basis>,
    /// Whether it rests on a measured power.
    is_of_power: bool,
    sample: Option<&'a Sample>,
    quote: Option<&'a str>,
    limits: Cow<'a, [String]>,
    remarks: &'a [String],
    /// File and line that it stands on.
    place: Option<(&'a str, usize)>,
}

impl<'a> Claim<'a> {
    /// `quote` is the address of the price quote that the figure rests on.
    pub fn of_figure(figure: &'a Figure, quote: Option<&'a str>, of: Subject<'a>) -> Self {
        let verdict = match figure.outcome.as_ref().map(|computed| &computed.value) {
            Ok(FigureValue::Verdict(words)) => Some(*words),
            _ => None,
        };
        Claim {
            of,
            origin: "formula",
            subject: &figure.subject,
            figure: figure.formula.id,
            name: figure.formula.name,
            qualifier: figure.label.as_deref(),
            quantity: figure.quantity(),
            verdict,
            missing: figure.outcome.as_ref().err().map(|missing| &*missing.reason),
            unit: figure.formula.unit.symbol(),
            better: figure.formula.better,
            basis: figure.outcome.is_ok().then(|| figure.basis()),
            is_of_power: figure.formula.rests_on("power_kw"),
            sample: figure.sample.as_ref(),
            quote,
            limits: figure.caveats().into(),
            remarks: &figure.remarks,
            place: None,
        }
    }

    pub fn of_reading(reading: &'a Reading, of: Subject<'a>) -> Self {
        Claim {
            of,
            origin: "record",
            subject: &reading.subject,
            figure: &reading.field,
            name: &reading.name,
            qualifier: reading.label.as_deref(),
            quantity: Some(reading.quantity),
            verdict: None,
            missing: None,
            unit: &reading.unit,
            better: reading.better,
            basis: Some(reading.basis),
            is_of_power: reading.field == "node_power_kw",
            sample: reading.sample.as_ref(),
            quote: None,
            limits: (&*reading.limits).into(),
            remarks: &reading.remarks,
            place: Some((&reading.document.text.path, reading.document.line(&reading.pointer))),
        }
    }
}

/// One column of the tables.
#[derive(Debug)]
pub struct Column {
    pub name: &'static str,
    pub holds: Holds,
    pub description: &'static str,
    cell: fn(&Claim) -> Cell,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    Text,
    Number,
    Flag,
    /// Texts: an array in JSON, joined by [`SEPARATOR`] in CSV.
    Texts,
}

impl Holds {
    pub fn word(self) -> &'static str {
        match self {
            Holds::Text => "text",
            Holds::Number => "number",
            Holds::Flag => "true or false",
            Holds::Texts => "list of texts",
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

const fn column(name: &'static str, holds: Holds, description: &'static str, cell: fn(&Claim) -> Cell) -> Column {
    Column { name, holds, description, cell }
}

/// All columns, in their order.
pub static COLUMNS: &[Column] = &[
    column("id", Holds::Text, "Address of the record: its kind's folder, and its name.", |claim| {
        Cell::text(&claim.of.item.address)
    }),
    column(
        "published",
        Holds::Text,
        "Day the record was published, as 2026-10-29; empty for kinds without a day.",
        |claim| Cell::some(claim.of.item.published().map(|date| date.to_string())),
    ),
    column(
        "subject",
        Holds::Text,
        "Anchor of the config, variant, host, hit rate or model that the number is about; “record” for the record as a whole.",
        |claim| Cell::text(claim.subject),
    ),
    column("label", Holds::Text, "The subject in words; empty for the record as a whole.", |claim| {
        Cell::text(&claim.of.label)
    }),
    column(
        "origin",
        Holds::Text,
        "`record` where the number stands in the record, as it was measured or stated; `formula` where this site computed it, or would have.",
        |claim| Cell::text(claim.origin),
    ),
    column(
        "figure",
        Holds::Text,
        "Of a formula its id, under which the methodology explains it. Of a record's own number its field, after those that lead there from the subject: `goodput_tok_s`, `requests.failed`, `sweep.ttft_p99_ms`; or the name that a note gives it.",
        |claim| Cell::text(claim.figure),
    ),
    column("name", Holds::Text, "Name of the formula, or of the metric.", |claim| Cell::text(claim.name)),
    column(
        "qualifier",
        Holds::Text,
        "What the number is of, or at which price: words that stand beside it wherever it is shown. Of an element of a list its place: `sweep 3`.",
        |claim| Cell::some(claim.qualifier),
    ),
    column(
        "value",
        Holds::Number,
        "The number, unrounded; empty where it is an interval, words, or missing.",
        |claim| Cell::number(claim.quantity.filter(|quantity| !quantity.is_interval()).map(Quantity::low)),
    ),
    column(
        "low",
        Holds::Number,
        "Low end of an interval, unrounded; the number itself where it is one number.",
        |claim| Cell::number(claim.quantity.map(Quantity::low)),
    ),
    column(
        "high",
        Holds::Number,
        "High end of an interval, unrounded; the number itself where it is one number.",
        |claim| Cell::number(claim.quantity.map(Quantity::high)),
    ),
    column(
        "approximate",
        Holds::Flag,
        "Whether the number or an input of it is approximate; empty where there is no number.",
        |claim| claim.quantity.map_or(Cell::Empty, |quantity| Cell::Flag(quantity.is_approximate())),
    ),
    column("verdict", Holds::Text, "The words that a formula gives in place of a number.", |claim| {
        Cell::some(claim.verdict)
    }),
    column(
        "unit",
        Holds::Text,
        "Unit of value, low and high: one for each formula and each field. Units of tokens say which, unless a note's source does not; empty for a pure number.",
        |claim| Cell::some(Some(claim.unit)),
    ),
    column(
        "tokens",
        Holds::Text,
        "Which tokens the unit counts: input, output or total; empty where it counts none, or does not say.",
        |claim| Cell::some(TokenKind::named_in(claim.unit).map(TokenKind::word)),
    ),
    column(
        "power_boundary",
        Holds::Text,
        "What the power covers that the number is, or rests on, as the record says; empty where it rests on none. Numbers of different boundaries are never to be ranked together.",
        |claim| {
            let power = claim.of.item.run().filter(|_| claim.is_of_power);
            Cell::some(power.map(|run| PowerKind::words(run.power.as_ref().and_then(|power| power.kind))))
        },
    ),
    column("better", Holds::Text, "Which direction is better: higher or lower; empty where neither is.", |claim| {
        match claim.better {
            Better::Higher => Cell::text("higher"),
            Better::Lower => Cell::text("lower"),
            Better::Neither => Cell::Empty,
        }
    }),
    column(
        "basis",
        Holds::Text,
        "`measured` by the source, or `stated` by it without a measurement: settings, limits, prices, claims. `computed` from such numbers, or `assumed` where the number or one that it rests on is; empty where there is nothing.",
        |claim| Cell::some(claim.basis.map(Basis::word)),
    ),
    column(
        "standing",
        Holds::Text,
        "`superseded` or `withdrawn` where the record is no longer to be relied on, `draft` where it is not yet; empty where it stands.",
        |claim| Cell::some(claim.of.item.standing()),
    ),
    column(
        "fate",
        Holds::Text,
        "What became of a record that no longer stands, with the address of what took its place, and why.",
        |claim| Cell::some(claim.of.fate),
    ),
    column(
        "sample",
        Holds::Text,
        "How much was measured, where the number is or rests on a measurement: requests, iterations, repeats.",
        |claim| Cell::some(claim.sample.map(Sample::words)),
    ),
    column("quote", Holds::Text, "Address of the price quote that the figure rests on.", |claim| {
        Cell::some(claim.quote)
    }),
    column(
        "missing",
        Holds::Text,
        "Why a formula gives neither a number nor words; a missing figure is never zero. What a record does not state has no line of its own.",
        |claim| Cell::some(claim.missing),
    ),
    column(
        "limits",
        Holds::Texts,
        "What must be known before acting on the number, each assumption included. They go wherever the number goes.",
        |claim| Cell::texts(&*claim.limits),
    ),
    column(
        "remarks",
        Holds::Texts,
        "What else stands beside the number: what differs between two settings, a tie, whether a step met the SLO, the words of the source.",
        |claim| Cell::texts(claim.remarks),
    ),
    column("file", Holds::Text, "File of the record that the number stands in; empty for what is computed.", |claim| {
        Cell::some(claim.place.map(|(file, _)| file))
    }),
    column("line", Holds::Number, "Line of that file.", |claim| Cell::number(claim.place.map(|(_, line)| line as f64))),
    column("license", Holds::Text, "Licence of this data.", |claim| Cell::text(&claim.of.settings.license)),
    column("source_license", Holds::Text, "Licence of the record's source; empty where it is not known.", |claim| {
        Cell::some(claim.of.item.license())
    }),
    column(
        "path",
        Holds::Text,
        "Where a figure unfolds, or the line of the record is shown, relative to the root of the site.",
        |claim| Cell::text(Route::home().link_to_anchor(&claim.of.page, &claim.of.anchor)),
    ),
    column("url", Holds::Text, "The same as a whole address.", |claim| {
        Cell::text(claim.of.page.absolute_to_anchor(&claim.of.settings.base_url, &claim.of.anchor))
    }),
];

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// After RFC 4180, with LF line ends; no cell has a line end.
    Csv,
    /// An object a line, whose keys are the columns.
    JsonLines,
}

impl Form {
    pub const ALL: [Form; 2] = [Form::Csv, Form::JsonLines];

    pub fn ending(self) -> &'static str {
        match self {
            Form::Csv => "csv",
            Form::JsonLines => "jsonl",
        }
    }

    pub fn media_type(self) -> &'static str {
        match self {
            Form::Csv => "text/csv",
            Form::JsonLines => "application/jsonl",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Form::Csv => "CSV",
            Form::JsonLines => "JSON Lines",
        }
    }
}

/// A table that is written line by line, since the largest would not be held.
pub struct Table<'a> {
    form: Form,
    out: &'a mut dyn Write,
    /// The line of CSV that is being put together.
    line: String,
}

impl<'a> Table<'a> {
    pub fn begin(form: Form, out: &'a mut dyn Write) -> io::Result<Self> {
        if form == Form::Csv {
            let names: Vec<_> = COLUMNS.iter().map(|column| column.name).collect();
            writeln!(out, "{}", names.join(","))?;
        }
        Ok(Table { form, out, line: String::new() })
    }

    pub fn write(&mut self, claim: &Claim) -> io::Result<()> {
        self.line.clear();
        match self.form {
            Form::JsonLines => serde_json::to_writer(&mut *self.out, &Line(claim))?,
            Form::Csv => {
                for (position, column) in COLUMNS.iter().enumerate() {
                    if position > 0 {
                        self.line.push(',');
                    }
                    match (column.cell)(claim) {
                        Cell::Empty => {}
                        Cell::Text(text) => push_text(&mut self.line, &text),
                        Cell::Texts(texts) => push_text(&mut self.line, &texts.join(SEPARATOR)),
                        cell @ (Cell::Number(_) | Cell::Flag(_)) => self.line.push_str(&json(&cell)),
                    }
                }
            }
        }
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes())
    }
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
