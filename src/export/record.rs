//! `<address>.json`: a record as it is, its figures, and the inputs they rest on.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use crate::catalog::{Catalog, Item};
use crate::figures::evidence::{Evidence, Ledger};
use crate::figures::{Fact, Figure, Figures};
use crate::formula::FigureValue;
use crate::quantity::Quantity;

#[derive(Debug, Serialize)]
struct Data<'a> {
    format: u32,
    id: &'a str,
    kind: &'static str,
    /// What became of it, by what and why, where it no longer stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    fate: Option<String>,
    /// Of this data.
    #[serde(skip_serializing_if = "Option::is_none")]
    license: Option<&'a str>,
    source: Source<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<Value>,
    formulas: BTreeMap<&'static str, String>,
    inputs: Vec<Input>,
    figures: Vec<Value>,
    /// How each field of a result is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Value>,
}

#[derive(Debug, Serialize)]
struct Source<'a> {
    path: &'a str,
    sha256: &'a str,
    /// Of what the record is made from, where it is known.
    license: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct Input {
    name: &'static str,
    /// `null` where it is missing.
    value: Option<Quantity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<&'static str>,
    /// Left out where the value is exact.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    approximate: bool,
    unit: &'static str,
    path: String,
    line: usize,
    pointer: String,
    /// The source's own words, where they are no number: a dtype that stands for a size.
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<String>,
    basis: &'static str,
    /// Why it is taken to be so, where the source does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    assumed: Option<String>,
    /// Formula that the input was computed by, with the inputs of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<usize>,
}

/// The record's data file. Values are unrounded, in the unit beside them; an interval is `[low, high]`, and what is not
/// exact says `approximate`.
pub fn record(item: &Item, catalog: &Catalog, figures: &Figures, out: &mut dyn Write) -> io::Result<()> {
    let data = Data {
        fate: catalog.fate(item).map(|fate| fate.words(|address| address)),
        license: Some(&catalog.site.license),
        evidence: figures.evidence(&item.address).map(evidence),
        ..data(item, figures.of(&item.address), Some(item.document.record()))
    };
    write_pretty(&data, out)
}

/// Some of a record's figures with what they rest on, as its data file has them.
pub fn derivations(item: &Item, figures: &[Arc<Figure>]) -> Vec<u8> {
    pretty(&data(item, figures, None))
}

fn data<'a>(item: &'a Item, figures: &[Arc<Figure>], record: Option<Value>) -> Data<'a> {
    let mut collected = Collected::default();
    let lines: Vec<_> = figures.iter().map(|figure| collected.figure(figure)).collect();
    Data {
        format: 1,
        id: &item.address,
        kind: item.kind().name(),
        fate: None,
        license: None,
        source: Source { path: &item.document.text.path, sha256: &item.document.sha256, license: item.license() },
        record,
        formulas: collected.formulas,
        inputs: collected.inputs,
        figures: lines,
        evidence: None,
    }
}

fn evidence(ledger: &Ledger) -> Value {
    let counted = |mut line: Value, counts: [usize; 4]| {
        for (known, count) in Evidence::ALL.into_iter().zip(counts) {
            line[known.word()] = json!(count);
        }
        line
    };
    let fields = ledger.lines.iter().map(|line| {
        let said = json!({ "field": line.field.id, "weight": line.field.weight, "points": line.points() });
        counted(said, line.counts)
    });
    let fields: Vec<_> = fields.collect();
    counted(json!({ "completeness_pct": ledger.completeness_pct(), "fields": fields }), ledger.counts())
}

/// JSON with an end of line, so that tools that show lines show it well.
pub fn pretty(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_pretty(value, &mut bytes).expect("our data has string keys and finite numbers");
    bytes
}

pub fn write_pretty(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    out.write_all(b"\n")
}

/// A classic script that sets one global: pages that are opened from disk may load it, and no JSON.
pub fn write_script(global: &str, value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "window.{global} = ")?;
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b";\n")
}

/// Formulas and inputs that figures refer to, each once.
#[derive(Debug, Default)]
struct Collected<'a> {
    formulas: BTreeMap<&'static str, String>,
    inputs: Vec<Input>,
    /// Position of each input, since a long record has a hundred thousand.
    positions: BTreeMap<Identity<'a>, usize>,
}

/// What tells an input from the others.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Identity<'a> {
    name: &'static str,
    unit: &'static str,
    /// Bits of both ends.
    value: [u64; 2],
    path: &'a str,
    pointer: &'a str,
    assumed: Option<&'a str>,
    formula: Option<&'static str>,
    inputs: Vec<usize>,
}

impl<'a> Collected<'a> {
    fn figure(&mut self, figure: &'a Figure) -> Value {
        self.formulas.insert(figure.formula.id, figure.formula.written());
        let mut line = json!({ "id": figure.formula.id, "subject": figure.subject });
        if let Some(quote) = &figure.quote {
            line["quote"] = json!(quote);
        }
        match &figure.outcome {
            Ok(computed) => {
                line["value"] = match &computed.value {
                    FigureValue::Quantity(quantity) => json!(quantity),
                    FigureValue::Verdict(verdict) => json!(verdict),
                };
                if figure.quantity().is_some_and(Quantity::is_approximate) {
                    line["approximate"] = json!(true);
                }
                line["unit"] = json!(figure.formula.unit.symbol());
                line["basis"] = json!(figure.basis().word());
                line["inputs"] = json!(self.inputs_of(figure));
                line["limits"] = json!(figure.limits.iter().map(|limit| &**limit).collect::<Vec<_>>());
            }
            Err(missing) => line["missing"] = json!(missing.reason),
        }
        if let Some(label) = &figure.label {
            line["label"] = json!(label);
        }
        if let Some(sample) = &figure.sample {
            line["sample"] = json!(sample.words());
        }
        if !figure.remarks.is_empty() {
            line["remarks"] = json!(figure.remarks);
        }
        if !figure.stated.is_empty() {
            let stated = figure.stated.iter();
            let stated =
                stated.map(|stated| json!({ "as_written": stated.as_written, "verdict": stated.agreement.words() }));
            line["stated"] = stated.collect();
        }
        line
    }

    fn inputs_of(&mut self, figure: &'a Figure) -> Vec<usize> {
        figure.inputs().map(|(definition, fact)| self.input(definition.name, definition.unit.symbol(), fact)).collect()
    }

    fn input(&mut self, name: &'static str, unit: &'static str, fact: &'a Fact) -> usize {
        let (formula, inputs) = match &fact.derivation {
            Some(derivation) => {
                self.formulas.insert(derivation.formula.id, derivation.formula.written());
                (Some(derivation.formula.id), self.inputs_of(derivation))
            }
            None => (None, Vec::new()),
        };
        let identity = Identity {
            name,
            unit,
            value: [fact.quantity.low(), fact.quantity.high()].map(f64::to_bits),
            path: &fact.document.text.path,
            pointer: &fact.pointer,
            assumed: fact.assumed.as_deref(),
            formula,
            inputs: inputs.clone(),
        };
        if let Some(known) = self.positions.get(&identity) {
            return *known;
        }
        let position = self.inputs.len();
        self.positions.insert(identity, position);
        self.inputs.push(Input {
            name,
            value: fact.missing().is_none().then_some(fact.quantity),
            missing: fact.missing(),
            approximate: fact.quantity.is_approximate(),
            unit,
            path: fact.document.text.path.clone(),
            line: fact.document.line(&fact.pointer),
            pointer: fact.pointer.clone(),
            written: fact.word().map(str::to_owned),
            basis: fact.basis().word(),
            assumed: fact.assumed.clone(),
            formula,
            inputs,
        });
        position
    }
}
