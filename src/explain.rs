//! A figure or a rule in words: the claim card of a page, for a terminal.

use std::sync::Arc;

use crate::catalog::Item;
use crate::diagnostic::rules::{self, Rule};
use crate::diagnostic::{Report, nearest, printable};
use crate::figures::{Derivation, Figure, Figures, Unfolded};
use crate::source::Kind;
use crate::{Failure, Options, export, figures, page, read};

/// What is to be explained.
#[derive(Debug, Clone)]
pub struct Query {
    /// A rule's code, or a record's address.
    pub what: String,
    /// A figure's anchor, or only its id or its subject; all figures of the record where there is none.
    pub figure: Option<String>,
    pub format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    #[default]
    Text,
    /// As in the record's data file.
    Json,
}

/// Explains a rule, or figures of a record; content that a build refuses is refused here too.
pub fn explain(options: &Options, query: &Query, report: &mut Report) -> Result<String, Failure> {
    let group = query.what.split('/').next().unwrap_or_default();
    if query.figure.is_none() && !Kind::ALL.into_iter().any(|kind| kind.folder() == group || group == "content") {
        return rule(&query.what, query.format);
    }
    let read = read(options, report)?;
    let figures = figures::derive(&read.catalog, report);
    let site = read.site(&figures, options, report)?;
    let address = query.what.strip_prefix("content/").unwrap_or(&query.what);
    let address = address.trim_end_matches(".json").trim_end_matches(".md");
    let item = site.catalog.get(address).ok_or_else(|| {
        let known = site.catalog.items().map(|item| item.address.as_str());
        let help = "an address is the path under `content/` without its ending";
        unknown(format!("no record has the address `{}`", printable(address)), address, known, help)
    })?;
    let chosen = chosen(&figures, item, query.figure.as_deref())?;
    match query.format {
        Format::Json => Ok(String::from_utf8_lossy(&export::derivations(item, &chosen)).into_owned()),
        Format::Text if chosen.is_empty() => Ok(format!("`{}` has no figures", item.address)),
        Format::Text => {
            let cards: Vec<_> = chosen.iter().map(|figure| card(&site, item, figure)).collect();
            Ok(cards.join("\n"))
        }
    }
}

fn rule(code: &str, format: Format) -> Result<String, Failure> {
    let Some(rule) = rules::find(code) else {
        let message = format!("there is no rule and no record `{}`", printable(code));
        let codes = rules::all().map(|rule| rule.code);
        return Err(unknown(message, code, codes, "a rule's code stands in brackets before its message"));
    };
    let Rule { code, severity, says, why, place, bad, good } = rule;
    let (severity, says, place) = (severity.name(), says.trim(), place.words());
    if format == Format::Json {
        let value = serde_json::json!({
            "code": code, "severity": severity, "says": says, "why": why, "place": place, "bad": bad, "good": good,
        });
        return Ok(String::from_utf8_lossy(&export::pretty(&value)).into_owned());
    }
    let why = if why.is_empty() { String::new() } else { format!("{why}\n") };
    let indented = |text: &str| text.lines().map(|line| format!("  {line}\n")).collect::<String>();
    Ok(format!("{severity}[{code}]\n{says}\n{why}\nBad, {place}:\n{}\nGood:\n{}", indented(bad), indented(good)))
}

/// The figures that a word means: an anchor, an id, or a subject.
fn chosen(figures: &Figures, item: &Item, wanted: Option<&str>) -> Result<Vec<Arc<Figure>>, Failure> {
    let all = figures.of(&item.address);
    let Some(wanted) = wanted else { return Ok(all.to_vec()) };
    let means =
        |figure: &&Arc<Figure>| figure.anchor() == wanted || figure.formula.id == wanted || figure.subject == wanted;
    let chosen: Vec<_> = all.iter().filter(means).cloned().collect();
    if !chosen.is_empty() {
        return Ok(chosen);
    }
    let anchors: Vec<_> = all.iter().map(|figure| figure.anchor()).collect();
    let parts = all.iter().flat_map(|figure| [figure.formula.id, figure.subject.as_str()]);
    let message = format!("`{}` has no figure `{}`", item.address, printable(wanted));
    let known = anchors.iter().map(String::as_str).chain(parts);
    Err(unknown(message, wanted, known, "a figure is `subject/id`, or only one of the two"))
}

fn unknown<'a>(message: String, wanted: &str, known: impl Iterator<Item = &'a str>, help: &str) -> Failure {
    let help = match nearest(wanted, known) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => help.to_owned(),
    };
    Failure::Usage { message, help }
}

/// One figure with everything that its claim card says.
fn card(site: &page::Site, item: &Item, figure: &Figure) -> String {
    let formula = figure.formula;
    let subject = page::subject_label(item, &figure.subject);
    let about = if subject.is_empty() { item.title() } else { &subject };
    let mut out = format!("{}#{}\n{about}: {}\n", item.address, figure.anchor(), formula.name);
    let mut line = |text: String| out.extend(["  ", text.as_str(), "\n"]);
    if let Err(missing) = &figure.outcome {
        // Who asks here looks for the field.
        line(format!("missing: {}", missing.reason.replace('`', "")));
    } else {
        let indent = " ".repeat(formula.id.len());
        let direction = formula.better.words();
        let direction = if direction.is_empty() { String::new() } else { format!(", {direction}") };
        line(format!("{} ({}{direction})", figure.shown(), figure.basis().word()));
        figure.label.iter().chain(&figure.remarks).for_each(|words| line(words.clone()));
        line(format!("{} = {}", formula.id, formula.written()));
        line(format!("{indent} = {}", figure.filled()));
        if let Some(unrounded) = figure.unrounded() {
            line(format!("{indent} = {unrounded} before rounding"));
        }
        inputs(&site.figures.unfold(&item.address, figure), "  ", &mut line);
    }
    if let Some(sample) = &figure.sample {
        line(format!("sample: {}", sample.words()));
    }
    for limit in figure.caveats() {
        line(format!("limit: {limit}"));
    }
    for stated in &figure.stated {
        line(format!("stated by the source: “{}”, {}", stated.as_written, stated.agreement.words()));
    }
    line(format!("cite: {}", page::citation(site, item, Some(figure))));
    out
}

/// A line for each input, what it was computed from right below it.
fn inputs(unfolded: &Unfolded, indent: &str, line: &mut impl FnMut(String)) {
    for step in &unfolded.steps {
        let value = format!("{indent}{} = {}", step.name, step.value());
        match &step.derivation {
            Derivation::None if step.fact.missing().is_some() => {
                line(format!("{indent}{}: {}", step.name, step.number))
            }
            Derivation::None => {
                let (fact, path) = (step.fact, &step.fact.document.text.path);
                let place = fact.document.line(&fact.pointer);
                line(format!("{value}, {}, {path}:{place}", fact.basis().word()));
            }
            Derivation::Figure(figure) => line(format!("{value}, computed: {}", figure.anchor())),
            Derivation::Unfolded(below) => {
                line(format!("{value} = {}", below.filled));
                inputs(below, &format!("{indent}  "), line);
            }
        }
    }
}
