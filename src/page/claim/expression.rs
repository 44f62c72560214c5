//! Expressions of claim cards: with names once for all cards of a formula, with numbers in each card.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::catalog::Item;
use crate::figures::{Derivation, Step, Unfolded};
use crate::formula::{Formula, Piece};
use crate::route::Route;
use crate::schema::Document;

use super::super::frame::Here;
use super::super::record::SourceFile;

/// An expression with the names of its inputs.
#[derive(Debug)]
pub struct Expression {
    /// The input that it computes, where that is no figure of its own.
    pub name: Option<&'static str>,
    pub written: String,
    /// Its entry on the methodology page.
    pub methodology: String,
    /// How its inputs came to be, where that is the same in all cards: `measured: ttft_ms; stated: ttft_slo_ms`.
    pub inputs: String,
}

impl Expression {
    /// An expression that no card has.
    pub fn of(here: &Here, formula: &'static Formula) -> Self {
        Expression {
            name: None,
            written: formula.written(),
            methodology: here.to_anchor(&Route::methodology(), formula.id),
            inputs: String::new(),
        }
    }
}

/// The same expression with its numbers, each leading to where it stands.
#[derive(Debug)]
pub struct Line {
    formula: &'static Formula,
    pub name: Option<&'static str>,
    /// How deep in the derivation, 0 for the figure's own expression.
    pub depth: usize,
    pub parts: Vec<Part>,
    pub result: Part,
}

/// Text or a number of an expression.
#[derive(Debug, Default)]
pub struct Part {
    pub text: String,
    pub href: Option<String>,
    /// How a number that stands somewhere came to be, unless that is said for all cards at once.
    pub basis: Option<&'static str>,
    name: &'static str,
    /// File and line of a number that stands somewhere.
    place: Option<(Arc<Document>, usize)>,
}

impl Part {
    pub fn to(text: String, href: String) -> Self {
        Part { text, href: Some(href), ..Part::default() }
    }
}

/// The figure's own expression, then those of inputs that are no figures, each below the one that it belongs to.
pub fn lines(here: &Here, address: &str, unfolded: &Unfolded, result: Part) -> Vec<Line> {
    let mut lines = Vec::new();
    collect(
        here,
        address,
        unfolded,
        Line { formula: unfolded.formula, name: None, depth: 0, parts: Vec::new(), result },
        &mut lines,
    );
    lines
}

fn collect(here: &Here, address: &str, unfolded: &Unfolded, mut line: Line, lines: &mut Vec<Line>) {
    let steps = &unfolded.steps;
    let depth = line.depth + 1;
    let parts = line.formula.pieces(steps.len()).into_iter().map(|piece| match piece {
        Piece::Text(text) => Part { text, ..Part::default() },
        Piece::Input(position) => number(here, address, &steps[position]),
    });
    line.parts = parts.collect();
    lines.push(line);
    for step in steps {
        if let Derivation::Unfolded(below) = &step.derivation {
            let result = Part { text: step.number.clone(), ..Part::default() };
            let line = Line { formula: below.formula, name: Some(step.name), depth, parts: Vec::new(), result };
            collect(here, address, below, line, lines);
        }
    }
}

/// A number that stands in a file leads to its line, a figure to its card; any other is computed in a line below.
fn number(here: &Here, address: &str, step: &Step) -> Part {
    let word = step.fact.word().map(|word| format!(" ({word})")).unwrap_or_default();
    let text = format!("{}{word}", step.number);
    match &step.derivation {
        // What is missing stands nowhere.
        Derivation::None if step.fact.missing().is_some() => Part { text, ..Part::default() },
        Derivation::None => {
            let fact = step.fact;
            let href = Some(here.to_source(&fact.document, &fact.pointer));
            let place = Some((fact.document.clone(), fact.document.line(&fact.pointer)));
            Part { text, href, basis: Some(fact.basis().word()), name: step.name, place }
        }
        Derivation::Figure(figure) => Part::to(text, here.to_figure(address, figure)),
        Derivation::Unfolded(_) => Part { text, ..Part::default() },
    }
}

fn standing<'a>(lines: impl Iterator<Item = &'a Line>) -> impl Iterator<Item = (&'a Document, usize)> {
    lines
        .flat_map(|line| &line.parts)
        .filter_map(|part| part.place.as_ref().map(|(document, line)| (&**document, *line)))
}

/// Where the numbers of one card stand: `lines 27, 59; content/models/x.json line 17`.
pub fn places(item: &Item, lines: &[Line]) -> String {
    let mut files: Vec<(&str, Vec<usize>)> = Vec::new();
    for (document, line) in standing(lines.iter()) {
        let path = &*document.text.path;
        match files.iter_mut().find(|(known, _)| *known == path) {
            Some((_, lines)) if lines.contains(&line) => {}
            Some((_, lines)) => lines.push(line),
            None => files.push((path, vec![line])),
        }
    }
    let words = files.iter().map(|(path, lines)| {
        let numbers: Vec<_> = lines.iter().map(usize::to_string).collect();
        let file = if *path == item.document.text.path { String::new() } else { format!("{path} ") };
        format!("{file}{} {}", if lines.len() == 1 { "line" } else { "lines" }, numbers.join(", "))
    });
    words.collect::<Vec<_>>().join("; ")
}

/// The files that the numbers of some cards stand in, each once.
pub fn files<'a>(here: &Here, lines: impl Iterator<Item = &'a Line>) -> Vec<SourceFile> {
    let mut files: Vec<SourceFile> = Vec::new();
    for (document, _) in standing(lines) {
        if !files.iter().any(|known| known.path == document.text.path) {
            files.push(SourceFile::of(here, document));
        }
    }
    files
}

/// The expressions of some cards' lines, each once; what is the same in all cards is said here and no more there.
pub fn shared<'a>(here: &Here, lines: impl Iterator<Item = &'a mut Line>) -> Vec<Expression> {
    let mut known: Vec<Vec<&mut Line>> = Vec::new();
    for line in lines {
        match known.iter_mut().find(|known| known[0].name == line.name && known[0].formula.id == line.formula.id) {
            Some(known) => known.push(line),
            None => known.push(vec![line]),
        }
    }
    let expressions = known.into_iter().map(|mut lines| {
        let (name, formula) = (lines[0].name, lines[0].formula);
        Expression { name, inputs: origins(formula, &mut lines), ..Expression::of(here, formula) }
    });
    expressions.collect()
}

/// How the inputs of one formula came to be. An input that has one origin in all lines is taken out of them.
fn origins(formula: &Formula, lines: &mut [&mut Line]) -> String {
    let mut by_basis: Vec<(&str, Vec<&str>)> = Vec::new();
    for input in formula.inputs {
        let own = |part: &&mut Part| part.name == input.name && part.basis.is_some();
        let parts = || lines.iter().flat_map(|line| &line.parts);
        let found: BTreeSet<_> = parts().filter(|part| part.name == input.name).filter_map(|part| part.basis).collect();
        let Some(basis) = found.first().copied().filter(|_| found.len() == 1) else { continue };
        lines.iter_mut().flat_map(|line| &mut line.parts).filter(own).for_each(|part| part.basis = None);
        match by_basis.iter_mut().find(|(known, _)| *known == basis) {
            Some((_, names)) => names.push(input.name),
            None => by_basis.push((basis, vec![input.name])),
        }
    }
    let texts = by_basis.iter().map(|(basis, names)| format!("{basis}: {}", names.join(", ")));
    texts.collect::<Vec<_>>().join("; ")
}
