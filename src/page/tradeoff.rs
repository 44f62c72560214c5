//! What one metric costs in another, drawn: the frontier of results that may be compared.

use std::collections::BTreeSet;

use crate::catalog::Item;
use crate::chart::{self, Axis, Chart, Kind as Drawing, LeftOut, Point, Scatter, Series, TickStyle, Trace};
use crate::compare::Part;
use crate::diagnostic::counted;
use crate::figures::tradeoff::Standing;
use crate::figures::{Contender, Fact, Frontier};
use crate::formula;
use crate::metric;

use super::figure;
use super::frame::Here;

/// Series that differ in colour or in shape.
const SERIES: usize = 24;
/// Addresses that a source line names.
const NAMED: usize = 4;

/// The trade-offs between the configs of one record.
pub fn of_record(here: &Here, item: &Item, source_line: &str) -> Vec<Chart> {
    let frontiers = here.site.figures.frontiers_of(&item.address);
    let drawn = frontiers.iter().map(|frontier| {
        let page = Drawn { here, frontier };
        let configs = counted(frontier.points.len(), "config");
        let caption = format!("{}: {configs}{}", page.title(), page.varied());
        page.chart(caption, source_line.to_owned())
    });
    numbered(drawn.collect())
}

/// The trade-offs between results of several records, of which some are among these.
pub fn across(here: &Here, items: &[&Item]) -> Vec<Chart> {
    let own: BTreeSet<&str> = items.iter().map(|item| item.address.as_str()).collect();
    let all = here.site.figures.comparisons();
    let has_own = |frontier: &&Frontier| {
        frontier.points.iter().any(|point| own.contains(&*all.contenders[point.contender].address))
    };
    let drawn = here.site.figures.frontiers().iter().filter(has_own).map(|frontier| {
        let page = Drawn { here, frontier };
        let (results, records) = (counted(frontier.points.len(), "result"), counted(page.records().len(), "record"));
        let caption = format!("{}: {results} of {records} that may be compared", page.title());
        page.chart(caption, page.source_line())
    });
    numbered(drawn.collect())
}

/// Several charts of one trade-off have ids of their own.
fn numbered(mut charts: Vec<Chart>) -> Vec<Chart> {
    let ids: Vec<String> = charts.iter().map(|chart| chart.id.clone()).collect();
    for (at, chart) in charts.iter_mut().enumerate() {
        let before = ids[..at].iter().filter(|id| **id == ids[at]).count();
        if before > 0 {
            chart.id = format!("{}-{}", chart.id, before + 1);
        }
    }
    charts
}

#[derive(Clone, Copy)]
struct Drawn<'a> {
    here: &'a Here<'a>,
    frontier: &'a Frontier,
}

impl<'a> Drawn<'a> {
    fn contender(self, at: usize) -> &'a Contender {
        &self.here.site.figures.comparisons().contenders[at]
    }

    /// The records of the points, in their order.
    fn records(self) -> Vec<&'a str> {
        let addresses = self.frontier.points.iter().map(|point| &*self.contender(point.contender).address);
        let mut seen = BTreeSet::new();
        addresses.filter(|address| seen.insert(*address)).collect()
    }

    fn title(self) -> String {
        let [up, across] = [self.frontier.up, self.frontier.across].map(name);
        let labels = self.labels();
        let labels = if labels.is_empty() { String::new() } else { format!(" ({})", labels.join("; ")) };
        format!("{up} against {}{labels}", metric::uncapitalised(&across))
    }

    /// What the numbers are of, or at which price.
    fn labels(self) -> Vec<String> {
        let facts = self.frontier.points.iter().flat_map(|point| [&point.up, &point.across]);
        let labels = facts.filter_map(|fact| fact.derivation.as_ref()?.label.clone());
        let mut seen = BTreeSet::new();
        labels.filter(|label| seen.insert(label.clone())).collect()
    }

    /// The parts in which the configs of a record differ on purpose.
    fn varied(self) -> String {
        let settings: Vec<_> = self.frontier.points.iter().map(|point| self.contender(point.contender)).collect();
        let differs = |part: &Part| settings.iter().any(|own| own.setting.get(*part) != settings[0].setting.get(*part));
        let parts = self.frontier.tradeoff.parts().into_iter().filter(differs).map(Part::name);
        let parts: Vec<_> = parts.collect();
        if parts.is_empty() { String::new() } else { format!(", which differ on purpose in {}", parts.join(", ")) }
    }

    /// What results of several records have in common.
    fn alike(self) -> Option<String> {
        let parts = self.frontier.alike(self.here.site.figures.comparisons());
        let parts: Vec<_> = parts.into_iter().map(|(part, value)| format!("{} {value}", part.name())).collect();
        (!parts.is_empty() && self.records().len() > 1).then(|| format!("Alike in all: {}", parts.join("; ")))
    }

    fn bounds(self) -> &'static str {
        match self.frontier.all_bounded {
            true => "A lead inside of what both results could be off does not count.",
            false => "How far they could be off is not stated of all results, so any lead counts.",
        }
    }

    fn source_line(self) -> String {
        let records = self.records();
        let more = match records.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{}{more}", records.iter().take(NAMED).copied().collect::<Vec<_>>().join(", "))
    }

    /// What limits the results and the figures derived from them, and what of their settings is assumed, each once. What is
    /// not covered stands on the page of the record that does not cover it.
    fn limits(self) -> Option<String> {
        let mut limits = Vec::<String>::new();
        for point in &self.frontier.points {
            let derived = [&point.up, &point.across].into_iter().filter_map(|fact| fact.derivation.as_ref());
            let derived = derived.flat_map(|figure| &figure.limits).map(|limit| limit.to_string());
            // A figure says of the result what the result says of itself.
            let measured = point.up.derivation.is_none() && point.across.derivation.is_none();
            let contender = self.contender(point.contender);
            let own = contender.limits.iter().filter(|_| measured).cloned();
            let assumed = contender.assumed(self.frontier.tradeoff.parts());
            for limit in own.chain(derived).chain(assumed).filter(|limit| !limit.starts_with("not covered")) {
                if !limits.contains(&limit) {
                    limits.push(limit);
                }
            }
        }
        (!limits.is_empty()).then(|| format!("Limits: {}", limits.join("; ")))
    }

    fn chart(self, caption: String, source_line: String) -> Chart {
        let frontier = self.frontier;
        let records = self.records();
        let names = self.series_names(&records);
        // More series than can be told apart are one, whose points name their record.
        let apart = records.len() <= SERIES;
        let series_of = |address: &str| match apart {
            true => records.iter().position(|record| *record == address).unwrap_or_default(),
            false => 0,
        };
        let of_address = |address: &str| names.get(series_of(address)).cloned().unwrap_or_default();
        let mut series: Vec<Series> = match apart {
            true => names.iter().map(|name| Series { name: name.clone(), points: Vec::new() }).collect(),
            false => vec![Series { name: String::new(), points: Vec::new() }],
        };
        let label = |contender: &Contender| match apart {
            true => contender.label.clone(),
            false => format!("{}: {}", contender.address, contender.label),
        };
        for point in &frontier.points {
            let contender = self.contender(point.contender);
            series[series_of(&contender.address)].points.push(Point {
                label: label(contender),
                x: point.across.quantity,
                y: point.up.quantity,
                x_text: point.across.digits(),
                y_text: point.up.digits(),
                standing: match point.standing {
                    Standing::Frontier => chart::Standing::Frontier,
                    Standing::Close => chart::Standing::Close,
                    Standing::Beaten => chart::Standing::Beaten,
                },
            });
        }
        let mut told = BTreeSet::new();
        let left_out = frontier.left_out.iter().filter_map(|out| {
            let contender = self.contender(out.contender);
            // What became of a record is the same of all its results.
            if contender.standing.as_ref() == Some(&out.reason) {
                let title = || self.here.site.catalog.get(&contender.address).map_or(&*contender.address, Item::title);
                let label = told.insert(&contender.address).then(title)?.to_owned();
                return Some(LeftOut { series: String::new(), label, reason: out.reason.clone() });
            }
            let is_drawn = records.iter().any(|record| *record == contender.address);
            let series =
                if is_drawn && records.len() > 1 && apart { of_address(&contender.address) } else { String::new() };
            // A record of which nothing is drawn has no series to be known by.
            let label = if is_drawn { label(contender) } else { format!("{}: {}", contender.address, contender.label) };
            Some(LeftOut { series, label, reason: out.reason.clone() })
        });
        let side = |metric: &str, fact: &Fact| axis(metric, fact);
        let first = &frontier.points[0];
        Chart {
            id: format!("chart:{}", frontier.tradeoff.id),
            caption,
            source_line,
            limits: [Some(self.bounds().to_owned()), self.alike(), self.limits()].into_iter().flatten().collect(),
            kind: Drawing::Scatter(Scatter {
                subject: if records.len() > 1 { "result" } else { "config" }.to_owned(),
                x: side(frontier.across, &first.across),
                y: side(frontier.up, &first.up),
                left_out: left_out.collect(),
                series,
                trace: Trace::Points,
                x_limit: None,
                y_limit: None,
            }),
        }
    }

    /// What tells the records apart: their cards, with their engine's version where that is not enough, else the address.
    fn series_names(self, records: &[&str]) -> Vec<String> {
        if records.len() < 2 {
            return vec![String::new()];
        }
        let item = |address: &str| self.here.site.catalog.get(address);
        let card = |address: &str| {
            let named = item(address)?.cards.first()?;
            Some(self.here.site.catalog.title_of(named).to_owned())
        };
        let version = |address: &str| item(address)?.engine.as_ref()?.version().map(str::to_owned);
        let cards: Option<Vec<_>> = records.iter().map(|address| card(address)).collect();
        let with_version = |(address, card): (&&str, &String)| match version(address) {
            Some(version) => format!("{card}, {version}"),
            None => card.clone(),
        };
        let versions = cards.as_ref().map(|cards| records.iter().zip(cards).map(with_version).collect::<Vec<_>>());
        let is_distinct = |names: &Vec<String>| names.iter().collect::<BTreeSet<_>>().len() == names.len();
        let own = || records.iter().map(|address| (*address).to_owned()).collect();
        [cards, versions].into_iter().flatten().find(is_distinct).unwrap_or_else(own)
    }
}

/// A metric by name: measured, or a formula's.
fn name(metric: &str) -> String {
    formula::by_id(metric).map_or_else(|| metric::heading(metric), |formula| formula.name.to_owned())
}

/// The axis of a metric, with its unit and direction.
fn axis(metric: &str, fact: &Fact) -> Axis {
    match (&fact.derivation, metric::metric(metric)) {
        (Some(figure), _) => {
            let formula = figure.formula;
            let ticks = if formula.unit.is_money() { TickStyle::Dollars } else { TickStyle::Plain };
            figure::axis(formula.name, formula.unit, formula.better, ticks)
        }
        (None, Some(measured)) => {
            figure::axis(&metric::heading(metric), measured.unit, measured.better, TickStyle::Plain)
        }
        (None, None) => Axis { title: metric.to_owned(), better: chart::Better::Neither, ticks: TickStyle::Plain },
    }
}
