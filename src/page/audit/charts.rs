//! The charts of an audit.

use super::AuditPage;
use crate::chart::{Chart, Kind as Drawing, Point, Scatter, Series, Standing, TickStyle, Trace};
use crate::figures::Figure;
use crate::formula::{Formula, cost};
use crate::metric;
use crate::page::figure::{self, Value};
use crate::page::{accuracy, drawing, steps, tradeoff};
use crate::quantity::{Quantity, Unit};
use crate::record::audit::{AuditConfig, Capacity};

impl AuditPage<'_> {
    /// The finding's first.
    pub(super) fn charts(&self) -> Vec<Chart> {
        let cost = self.figure_bars(
            "chart:cost",
            format!("Cost per 1M output tokens at {}", self.price().text),
            &cost::USD_PER_MTOK_OUTPUT,
            TickStyle::Dollars,
        );
        let bars: Vec<_> = cost.into_iter().chain(self.capacity_bars()).collect();
        let sweeps = self.audit.sweeps();
        let curves = steps::curves(self.item, &sweeps, &self.audit.slo, &self.source_line()).into_iter().collect();
        // A bar alone says less than what each load gave.
        let [mut drawn, last] = if self.audit.configs.len() > 1 { [bars, curves] } else { [curves, bars] };
        drawn.extend(steps::brackets(self.here, self.item, &sweeps, &self.source_line()));
        drawn.extend(self.latency_against_throughput());
        drawn.extend(tradeoff::of_record(self.here, self.item, &self.source_line()));
        drawn.extend(last);
        drawing::limited(self.here, self.item, drawn)
    }

    fn source_line(&self) -> String {
        let gate = accuracy::gate(&self.item.document, self.audit.accuracy.as_ref());
        format!("{}; capacity within the SLO; accuracy gate: {gate}", self.item.address)
    }

    fn figure_bars(&self, id: &str, caption: String, formula: &Formula, ticks: TickStyle) -> Option<Chart> {
        let rows = self.ordered().into_iter().map(|(position, config)| {
            let figure = self.figure(position, formula);
            let known = figure.and_then(|figure| Some((figure, figure.quantity()?)));
            let value = match (known, self.unranked(position)) {
                (Some(_), Some(reason)) => Value::Words(reason.to_owned()),
                (Some((figure, quantity)), None) => Value::of(figure.formula.unit, quantity),
                (None, _) => self.words(config, figure),
            };
            (self.label(position).to_owned(), value)
        });
        let axis = figure::axis("Cost", formula.unit, formula.better, ticks);
        figure::bars(id, caption, self.source_line(), axis, rows.collect(), self.baseline())
    }

    /// The baseline's place among the configs as they are shown.
    fn baseline(&self) -> Option<usize> {
        let baseline = self.item.baseline?;
        self.ordered().iter().position(|(position, _)| *position == baseline)
    }

    fn words(&self, config: &AuditConfig, figure: Option<&Figure>) -> Value {
        Value::Words(match config.capacity {
            Capacity::Without(state) => state.words().to_owned(),
            Capacity::At(_) => figure.map_or_else(|| "not stated".to_owned(), Figure::shown),
        })
    }

    fn capacity_bars(&self) -> Option<Chart> {
        let rows = self.ordered().into_iter().map(|(position, config)| {
            let value = match (&config.capacity, self.unranked(position)) {
                (Capacity::Without(state), _) => Value::Words(state.words().to_owned()),
                (Capacity::At(_), Some(reason)) => Value::Words(reason.to_owned()),
                (Capacity::At(at), None) => match at.request_rate_rps {
                    Some(quantity) => {
                        let pointer = format!("/configs/{position}/capacity/request_rate_rps");
                        let text = self.item.document.digits(&pointer, quantity);
                        Value::Number { quantity, unit: Unit::RequestsPerSecond, text }
                    }
                    None => Value::Words("only tokens were counted".to_owned()),
                },
            };
            (self.label(position).to_owned(), value)
        });
        let axis = figure::axis("Capacity", Unit::RequestsPerSecond, crate::quantity::Better::Higher, TickStyle::Plain);
        let untested = |config| self.audit.capacity_is_tested(config) == Some(false);
        let caption = if self.audit.configs.iter().any(untested) {
            "Capacity as the audit states it, which is none of the rates tested: a delivered rate, or one that it does not list"
        } else if self.audit.configs.iter().any(|config| self.audit.capacity_is_delivered(config)) {
            "Capacity: the rate delivered at the highest tested load within the SLO; the true one lies between that load and the next"
        } else {
            "Capacity: the highest tested rate within the SLO; the true one lies between it and the next rate"
        };
        figure::bars("chart:capacity", caption.to_owned(), self.source_line(), axis, rows.collect(), self.baseline())
    }

    /// The first TTFT-like limit's metric at capacity, against output throughput there.
    fn latency_against_throughput(&self) -> Option<Chart> {
        let slo = &self.audit.slo;
        let (name, _) = slo.iter().find(|(name, _)| name.starts_with("tpot")).or_else(|| slo.iter().next())?;
        let points = self.audit.configs.iter().enumerate().filter_map(|(position, config)| {
            let Capacity::At(at) = &config.capacity else { return None };
            let (rate, latency) = (at.output_tok_s?, *at.latencies.get(name)?);
            let text = |field: &str, value: Quantity| {
                self.item.document.digits(&format!("/configs/{position}/capacity/{field}"), value)
            };
            Some(Point {
                label: self.label(position).to_owned(),
                x: rate,
                y: latency,
                x_text: text("output_tok_s", rate),
                y_text: text(&format!("latencies/{name}"), latency),
                standing: Standing::Unranked,
            })
        });
        let points: Vec<_> = points.collect();
        if points.len() < 2 {
            return None;
        }
        let heading = metric::heading(name);
        let rate = cost::USD_PER_MTOK_OUTPUT.inputs[1].unit;
        let scatter = Scatter {
            subject: "config".to_owned(),
            x: figure::axis("Throughput at capacity", rate, crate::quantity::Better::Higher, TickStyle::Plain),
            y: figure::axis(&heading, Unit::Milliseconds, crate::quantity::Better::Lower, TickStyle::Plain),
            series: vec![Series { name: String::new(), points }],
            trace: Trace::Points,
            left_out: Vec::new(),
            x_limit: None,
            y_limit: None,
        };
        Some(Chart {
            id: "chart:latency".to_owned(),
            caption: match self.audit.workload.too_few_requests(name) {
                Some(few) => format!("{heading} against output throughput, both at capacity; {few}"),
                None => format!("{heading} against output throughput, both at capacity"),
            },
            source_line: self.source_line(),
            limits: Vec::new(),
            kind: Drawing::Scatter(scatter),
        })
    }
}
