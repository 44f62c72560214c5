//! Prose: pages of their own, and the bodies of records; links in Markdown resolve or are refused.

use std::collections::BTreeSet;
use std::ops::Range;

use askama::Template;

use crate::catalog::{self, Catalog, Item, leads_to_draft};
use crate::diagnostic::{Diagnostic, Location, Report, printable, quoted, rules};
use crate::figures::{Agreement, Figure};
use crate::formula;
use crate::markdown::{Html, LinkKind, Markdown, percent_decode};
use crate::quantity::Quantity;
use crate::quantity::written::{number_word, numbers, words};
use crate::record::run::PowerKind;
use crate::route::Route;
use crate::schema::Document;

use super::frame::{Frame, Here, source_route};
use super::table::Priced;
use super::{Site, claim};

#[derive(Debug, Template)]
#[template(path = "prose.html")]
pub struct ProsePage {
    frame: Frame,
    title: String,
    body: Option<Html>,
    source: String,
    repository: Option<String>,
}

/// Composes a page of prose.
pub fn compose(here: &Here, item: &Item) -> ProsePage {
    ProsePage {
        frame: here.frame(item.title(), item.summary().unwrap_or_default()).made_from(here, &item.document),
        title: item.title().to_owned(),
        body: body(here, item),
        source: here.to(&source_route(&item.document)),
        repository: here.to_repository(&item.document, None),
    }
}

/// The body beside a record, `None` where there is none.
pub fn body(here: &Here, item: &Item) -> Option<Html> {
    let document = item.prose();
    let markdown = markdown(document)?;
    // A link that leads nowhere was refused by `check`, so nothing is printed with one.
    let resolve = |destination: &str| href(here, document, destination).unwrap_or_default();
    let data = |destination: &str| {
        let figure = Claim::of(document, destination)?.figure(here.site)?;
        Priced::of(figure).map(|priced| (priced.attribute, priced.value))
    };
    Some(markdown.to_html_with(&resolve, &data))
}

fn markdown(document: &Document) -> Option<Markdown> {
    let range = document.body.clone()?;
    let body = document.text.text.get(range.clone())?;
    (!body.trim().is_empty()).then(|| Markdown::parse(body, range.start))
}

/// Reports every link and image of every body that does not resolve, and what the Markdown itself gets wrong.
pub fn check(site: &Site, report: &mut Report) {
    let faulty: BTreeSet<String> = report.paths_with_errors().map(str::to_owned).collect();
    for item in site.catalog.items() {
        let document = item.prose();
        let Some(markdown) = markdown(document) else { continue };
        let here = Here::at(site, Route::record(&item.address));
        let at = |span: &Range<usize>| Location::Span { text: document.text.clone(), span: span.clone() };
        for problem in markdown.problems() {
            report.push(Diagnostic::new(problem.rule, at(&problem.span), &problem.message).help(problem.help));
        }
        for link in markdown.links().iter().chain(markdown.images()) {
            if link.kind == LinkKind::External {
                continue;
            }
            if let Err(broken) = href(&here, document, &link.destination) {
                report.push(Diagnostic::new(&rules::LINK_BROKEN, at(&link.span), broken.message).help(broken.help));
            } else if let Some(claim) = Claim::behind(site, document, &link.destination, &link.text) {
                claim.check(site, &faulty, &link.text, at(&link.span), report);
            }
        }
    }
}

/// Why a link leads nowhere.
struct Broken {
    message: String,
    help: String,
}

/// Where a destination within the site leads from this page: a content file to its page, a file of `static/` as it is.
/// To what was refused it leads nowhere, which is no fault of the link.
fn href(here: &Here, document: &Document, destination: &str) -> Result<String, Broken> {
    if let Some(claim) = destination.strip_prefix("figure:") {
        let broken = || Broken {
            message: format!("no figure has the address `{}`", printable(claim)),
            help: "write `figure:` and the record's address, `#`, the subject's anchor, `/`, the formula's id"
                .to_owned(),
        };
        return Claim::of(document, destination).ok_or_else(broken)?.href(here).unwrap_or_else(|| Err(broken()));
    }
    let (path, fragment) = match destination.split_once('#') {
        Some((path, fragment)) => (path, Some(fragment)),
        None => (destination, None),
    };
    let target = target(document, path);
    if let Some(file) = target.strip_prefix("static/") {
        if here.site.catalog.left_out.refused_static(file) {
            return Ok(String::new());
        }
        return here.static_file(file).ok_or_else(|| Broken {
            message: format!("there is no file `{}`", printable(&target)),
            help: "put it under `static/`, or correct the path".to_owned(),
        });
    }
    let address = address_of(&target);
    let Some(item) = here.site.catalog.get(address) else {
        return without_item(here.site.catalog, address).unwrap_or_else(|| {
            Err(Broken {
                message: format!("`{}` leads to no content file", printable(destination)),
                help: "link to the file as it lies beside this one, `../audits/name.md`".to_owned(),
            })
        });
    };
    match fragment {
        None => Ok(here.to_item(item)),
        Some(fragment) => match anchor_of(here.site, item, &percent_decode(fragment)) {
            Some(Anchor::Figure(figure)) => Ok(here.to_figure(&item.address, figure)),
            Some(Anchor::Other(anchor)) => Ok(here.to_subject(&item.address, &anchor)),
            None if may_be_lost(item, &percent_decode(fragment)) => Ok(String::new()),
            None => Err(Broken {
                message: format!("`{}` has no part `{}`", target, printable(fragment)),
                help: "a part is a heading, a config's anchor, or `config/figure`".to_owned(),
            }),
        },
    }
}

/// The file that a path leads to, from the file that it stands in.
fn target(document: &Document, path: &str) -> String {
    let path = percent_decode(path);
    if path.is_empty() { document.text.path.clone() } else { joined(&document.text.path, &path) }
}

/// The address of a content file; empty for any other file.
fn address_of(target: &str) -> &str {
    let address = target.strip_prefix("content/").map(|path| path.trim_end_matches(".md").trim_end_matches(".json"));
    address.filter(|_| target.ends_with(".md") || target.ends_with(".json")).unwrap_or_default()
}

/// Where a link leads to an address that the content has and the site has not.
fn without_item(catalog: &Catalog, address: &str) -> Option<Result<String, Broken>> {
    if catalog.left_out.refused(address) {
        return Some(Ok(String::new()));
    }
    let (message, help) = catalog.left_out.is_draft(address).then(|| leads_to_draft(address))?;
    Some(Err(Broken { message, help }))
}

/// A link to a figure: `figure:audits/x#config/formula`, or `figure:#config/formula` within its own record.
struct Claim {
    address: String,
    anchor: String,
}

impl Claim {
    fn of(document: &Document, destination: &str) -> Option<Self> {
        let (address, anchor) = destination.strip_prefix("figure:")?.split_once('#')?;
        let address = if address.is_empty() { &document.address } else { address };
        Some(Claim { address: address.to_owned(), anchor: percent_decode(anchor) })
    }

    /// The claim that a link makes; one by a path, `x.md#config/formula`, makes it only where its text says a number.
    fn behind(site: &Site, document: &Document, destination: &str, text: &str) -> Option<Self> {
        let by_path = || {
            let (path, fragment) = destination.split_once('#').filter(|_| !numbers(text).is_empty())?;
            let item = site.catalog.get(address_of(&target(document, path)))?;
            let Anchor::Figure(figure) = anchor_of(site, item, &percent_decode(fragment))? else { return None };
            Some(Claim { address: item.address.clone(), anchor: figure.anchor() })
        };
        Claim::of(document, destination).or_else(by_path)
    }

    fn figure<'s>(&self, site: &'s Site) -> Option<&'s Figure> {
        site.figures.at_anchor(&self.address, &self.anchor).map(AsRef::as_ref)
    }

    /// The card of the figure; `None` where there is none.
    fn href(&self, here: &Here) -> Option<Result<String, Broken>> {
        let Some(item) = here.site.catalog.get(&self.address) else {
            return without_item(here.site.catalog, &self.address);
        };
        match self.figure(here.site) {
            Some(figure) => Some(Ok(here.to_figure(&self.address, figure))),
            None if may_be_lost(item, &self.anchor) => Some(Ok(String::new())),
            None => None,
        }
    }

    /// A number in the text of the link is that of the figure; one in words cannot be told. What is missing because of
    /// another fault, in a file of `faulty`, is no fault of the text.
    fn check(&self, site: &Site, faulty: &BTreeSet<String>, text: &str, at: Location, report: &mut Report) {
        let Some((item, figure)) = site.catalog.get(&self.address).zip(self.figure(site)) else { return };
        let is_faulty = || item.documents().any(|own| faulty.contains(&own.text.path));
        if figure.outcome.is_err() && (is_faulty() || !item.knows_its_models()) {
            return;
        }
        let agreement = Agreement::of(text, figure);
        let says_all = |quantity: Quantity| {
            quantity.is_approximate()
                || numbers(text).iter().all(|number| number.says_all_of(figure.formula.unit, quantity))
        };
        if matches!(agreement, Agreement::Agrees | Agreement::AgreesRounded) && figure.quantity().is_none_or(says_all) {
            let other = other_metric(text, &words_of_figure(figure)).or_else(|| other_boundary(text, item, figure));
            if let Some(metric) = other {
                let message = format!("the text names {}, and the figure is {}", metric, figure.formula.name);
                let help = "name what the figure is of, or leave the other out of the link";
                report.push(Diagnostic::new(&rules::CLAIM_METRIC, at, message).help(help));
            }
            return;
        }
        // Words differ only where they say the opposite of a verdict.
        if numbers(text).is_empty() && agreement != Agreement::Differs {
            if let Some(word) = number_word(text) {
                let message = format!("the number `{word}` is in words, and so is not checked");
                report.push(Diagnostic::new(&rules::CLAIM_IN_WORDS, at, message).help("write it in digits"));
            }
            return;
        }
        let found = match &figure.outcome {
            Ok(_) => format!("the figure is {}", figure.shown()),
            Err(_) => format!("there is no such figure: {}", figure.shown()),
        };
        report.push(
            Diagnostic::new(&rules::FIGURE_CLAIM, at, format!("the text says {}, {found}", quoted(text)))
                .help("write the figure's number with as many digits as you like, `about` before a round one, and leave other numbers out of the link"),
        );
    }
}

/// The words of a text in small letters.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    words(text).map(|(word, _)| word.to_lowercase())
}

/// The words that say what a figure is of: of its formula, of the fields that it rests on, of what stands beside it.
fn words_of_figure(figure: &Figure) -> BTreeSet<String> {
    let formula = figure.formula;
    let inputs = formula.inputs.iter().map(|input| input.name);
    let fields = figure.inputs().filter_map(|(_, fact)| fact.pointer.rsplit('/').next());
    let beside = figure.label.iter().chain(&figure.remarks).map(String::as_str);
    let all = [formula.id, formula.name, formula.sentence].into_iter().chain(inputs).chain(fields).chain(beside);
    all.flat_map(words_of).collect()
}

/// Another power boundary than that of a figure which rests on a power.
fn other_boundary(text: &str, item: &Item, figure: &Figure) -> Option<String> {
    let kind = item.run()?.power.as_ref()?.kind?;
    let rests_on_it = figure.label.as_deref() == Some(PowerKind::words(Some(kind)));
    catalog::another_boundary(text, kind).filter(|_| rests_on_it)
}

/// What a text names and a figure has nothing to do with, by the `own` words of that: another metric, or another
/// percentile or kind of token than the figure's. The limit of a metric may go with any figure.
fn other_metric(text: &str, own: &BTreeSet<String>) -> Option<String> {
    const METRICS: [&str; 7] = ["TTFT", "TPOT", "ITL", "E2E", "MBU", "MFU", "goodput"];
    const PERCENTILES: [&str; 5] = ["p50", "p90", "p95", "p99", "p999"];
    const TOKENS: [&str; 3] = ["input", "output", "total"];
    const LIMITS: [&str; 6] = ["limit", "limits", "slo", "target", "gate", "budget"];
    let said: Vec<String> = words_of(text).collect();
    let next_is = |at: usize, is: &dyn Fn(&str) -> bool| said.get(at + 1).is_some_and(|next| is(next));
    // Of a share of one limit, the limit of another metric is another number.
    let is_of_a_limit = own.contains("slo") && METRICS[..4].iter().any(|name| own.contains(&name.to_lowercase()));
    let is_limit = |word: &str| LIMITS.contains(&word) && !is_of_a_limit;
    // `p99 TTFT limit`
    let sets_limit = |at: usize| next_is(at, &is_limit) || next_is(at + 1, &is_limit);
    let positions = |name: &str| {
        let name = name.to_lowercase();
        said.iter().enumerate().filter(move |(_, word)| **word == name).map(|(at, _)| at).collect::<Vec<_>>()
    };
    let is_own = |name: &str| own.contains(&name.to_lowercase());
    let metric =
        METRICS.into_iter().find(|name| !is_own(name) && positions(name).iter().any(|at| !next_is(*at, &is_limit)));
    // Of what has no percentile and no kind of token, each may be said.
    let has_one = |names: &[&str]| names.iter().any(|name| is_own(name));
    let percentile = || {
        let other = |name: &&&str| !is_own(name) && positions(name).iter().any(|at| !sets_limit(*at));
        PERCENTILES.iter().find(other).filter(|_| has_one(&PERCENTILES)).map(|name| (*name).to_owned())
    };
    let tokens = || {
        let is_token = |word: &str| word.starts_with("tok");
        let other = |name: &&&str| !is_own(name) && positions(name).iter().any(|at| next_is(*at, &is_token));
        TOKENS.iter().find(other).filter(|_| has_one(&TOKENS)).map(|name| format!("{name} tokens"))
    };
    metric.map(str::to_owned).or_else(percentile).or_else(tokens)
}

/// Whether a fragment may be that of a figure which is not there because a model is lost.
fn may_be_lost(item: &Item, fragment: &str) -> bool {
    let id = fragment.split('/').nth(1);
    !item.knows_its_models() && id.is_some_and(|id| formula::by_id(id).is_some())
}

/// What a fragment means on the pages of a record.
enum Anchor<'a> {
    Figure(&'a Figure),
    /// A heading of its prose, a subject, a section.
    Other(String),
}

fn anchor_of<'s>(site: &'s Site, item: &Item, fragment: &str) -> Option<Anchor<'s>> {
    let prose = markdown(item.prose());
    if let Some(heading) = prose.as_ref().and_then(|prose| prose.heading_id(fragment)) {
        return Some(Anchor::Other(heading.to_owned()));
    }
    if let Some(figure) = site.figures.at_anchor(&item.address, fragment) {
        return Some(Anchor::Figure(figure));
    }
    let mut others = item.subjects.iter().map(|subject| subject.anchor.as_str()).chain(claim::SECTIONS);
    others.find(|anchor| *anchor == fragment).map(|anchor| Anchor::Other(anchor.to_owned()))
}

/// A relative path from a file, with its dots resolved; what would lead above the root leads nowhere.
fn joined(from: &str, path: &str) -> String {
    let mut segments: Vec<&str> = from.split('/').collect();
    segments.pop();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                if segments.pop().is_none() {
                    return String::new();
                }
            }
            name => segments.push(name),
        }
    }
    segments.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_what_its_figure_is_of() {
        let own = |words: &str| words_of(words).collect();
        for (text, figure, expected) in [
            ("TTFT 56.7% faster", "capacity_change_pct", Some("TTFT")),
            ("TTFT 56.7% faster", "ttft_p99_ms", None),
            ("56.7% within the TTFT limit", "capacity_change_pct", None),
            ("56.7% at p99 TTFT", "ttft_p95_ms", Some("p99")),
            ("56.7% at p99 TTFT", "ttft_p99_ms", None),
            ("56.7% within the p99 TTFT limit", "ttft_p95_ms", None),
            ("56.7% within the p99 limit", "ttft_p95_ms", None),
            ("56.7% at p99", "capacity_change_pct", None),
            ("19% of the TPOT limit", "ttft_slo_used_pct", Some("TPOT")),
            ("19% of the TTFT limit", "ttft_slo_used_pct", None),
            ("20% more input tokens", "output_tok_s", Some("input tokens")),
            ("20% more output tokens", "output_tok_s", None),
            ("20% more output", "input_tok_s", None),
            ("20% more input tok/s", "output_tok_s", Some("input tokens")),
            ("20% more input tokens", "capacity_change_pct", None),
        ] {
            assert_eq!(other_metric(text, &own(figure)).as_deref(), expected, "{text} {figure}");
        }
    }

    #[test]
    fn a_path_is_resolved_against_its_file() {
        assert_eq!(joined("content/pages/about.md", "../audits/x.md"), "content/audits/x.md");
        assert_eq!(joined("content/pages/about.md", "y.md"), "content/pages/y.md");
        assert_eq!(joined("content/pages/about.md", "../../../../etc/x.md"), "");
    }
}
