//! The chart of a record's finding, or of what compares with what of a model or card, as one file, for pages that are not ours: what must be known goes with it.

use crate::catalog::Item;
use crate::chart::{self, Chart};
use crate::formula::{Formula, cost, memory};
use crate::record::Record;
use crate::route::Route;

use super::comparisons::Compared;
use super::frame::{Here, license};
use super::record::{self, Body};
use super::{audit, kv_efficiency, run, tradeoff};

/// Charts whose values are figures.
const OF_FIGURES: [(&str, &Formula); 2] =
    [("chart:cost", &cost::USD_PER_MTOK_OUTPUT), ("chart:memory", &memory::KV_GIB_AT_CONTEXT)];

/// The first chart of a result, or that of the results of a model or card; `None` where there is nothing to draw.
pub fn chart_of(here: &Here, item: &Item) -> Option<Chart> {
    let charts = match &item.record {
        Record::Model(_) | Record::Hardware(_) => tradeoff::across(here, here.site.gatherings.of_entry(&item.address)),
        _ => body(here, item).figures,
    };
    charts.into_iter().next()
}

/// What the page of a result shows.
pub fn body(here: &Here, item: &Item) -> Body {
    match &item.record {
        Record::Run(record) => run::body(here, item, record),
        Record::Audit(record) => audit::body(here, item, record),
        Record::KvEfficiency(record) => kv_efficiency::body(here, item, record),
        _ => Body::default(),
    }
}

pub fn compose(here: &Here, item: &Item) -> String {
    let Some(chart) = chart_of(here, item) else { return String::new() };
    let settings = &here.site.catalog.site;
    let standing = record::standing_of(here, item).map(|standing| standing.words());
    let page = if item.is_result() { Route::record(&item.address) } else { Compared::Entry(item).route() };
    let place = page.absolute(&settings.base_url);
    let own = format!("{place} · {} · {}", settings.title, license(&settings.license).text);
    let foot: Vec<_> = standing.into_iter().chain([own]).collect();
    chart::standalone(&chart, item.title(), &foot)
}

/// The charts of a result with what must be known of each.
pub fn limited(here: &Here, item: &Item, mut charts: Vec<Chart>) -> Vec<Chart> {
    for chart in &mut charts {
        let of_figures = sentence("Limits", &limits(here, item, chart));
        let not_covered = sentence("Not covered", item.not_covered());
        chart.limits.extend(of_figures.into_iter().chain(not_covered));
    }
    charts
}

/// What limits the figures that a chart shows, each once; what is not covered has a sentence of its own.
fn limits(here: &Here, item: &Item, chart: &Chart) -> Vec<String> {
    let Some((_, formula)) = OF_FIGURES.iter().find(|(id, _)| *id == chart.id) else { return Vec::new() };
    let figures = here.site.figures.of(&item.address).iter();
    let shown = figures.filter(|figure| figure.formula.id == formula.id && figure.quote.is_none());
    let mut limits: Vec<String> = Vec::new();
    for limit in shown.flat_map(|figure| figure.caveats()) {
        if !limits.contains(&limit) && !limit.starts_with("not covered") {
            limits.push(limit);
        }
    }
    limits
}

fn sentence(of: &str, parts: &[String]) -> Option<String> {
    (!parts.is_empty()).then(|| format!("{of}: {}", parts.join("; ")))
}
