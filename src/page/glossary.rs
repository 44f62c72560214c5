//! The glossary, generated from the metrics.

use askama::Template;

use crate::metric::METRICS;

use super::frame::{Frame, Here};

#[derive(Debug, Template)]
#[template(path = "glossary.html")]
pub struct GlossaryPage {
    frame: Frame,
    terms: Vec<Term>,
}

#[derive(Debug)]
struct Term {
    id: &'static str,
    name: &'static str,
    unit: &'static str,
    direction: &'static str,
    definition: &'static str,
    source: &'static str,
}

pub fn compose(here: &Here) -> GlossaryPage {
    let mut terms: Vec<_> = METRICS
        .iter()
        .map(|metric| Term {
            id: metric.id,
            name: metric.name,
            unit: metric.unit.heading(),
            direction: metric.better.words(),
            definition: metric.definition,
            source: metric.source,
        })
        .collect();
    terms.sort_by_key(|term| term.name.to_lowercase());
    GlossaryPage { frame: here.frame("Glossary", "The words of this site, one meaning each"), terms }
}
