//! The charts of a run record.

use super::RunPage;
use crate::chart::{Chart, Kind as Drawing, LeftOut, Limit, Point, Scatter, Series, Standing, TickStyle, Tie, Trace};
use crate::figures::Figure;
use crate::formula::{comparison, cost, uncertainty};
use crate::metric;
use crate::page::figure::{self, Value};
use crate::page::{drawing, steps, tradeoff};
use crate::quantity::Unit;

impl RunPage<'_> {
    /// The finding's first.
    pub(super) fn charts(&self) -> Vec<Chart> {
        let (sweeps, source_line) = (self.run.sweeps(), self.source_line());
        let mut drawn = Vec::new();
        drawn.extend(self.goodput_bars().or_else(|| self.output_bars()));
        drawn.extend(self.cost_bars());
        drawn.extend(self.latency_against_throughput());
        drawn.extend(self.hit_rate_curves());
        drawn.extend(tradeoff::of_record(self.here, self.item, &source_line));
        drawn.extend(steps::brackets(self.here, self.item, &sweeps, &source_line));
        drawn.extend(self.run.slo.as_ref().and_then(|slo| steps::curves(self.item, &sweeps, slo, &source_line)));
        drawing::limited(self.here, self.item, drawn)
    }

    pub(super) fn source_line(&self) -> String {
        let power = if self.run.power.is_some() { self.power() } else { "power not measured".to_owned() };
        format!("{}; {power}; accuracy gate: {}", self.item.address, self.gate())
    }

    fn goodput_bars(&self) -> Option<Chart> {
        let unit = comparison::GOODPUT_CHANGE_PCT.inputs[0].unit;
        let rows = self.run.configs.iter().enumerate().map(|(position, config)| {
            let between_repeats = self.figure(position, &uncertainty::GOODPUT_BAND_TOK_S);
            let value = match (self.unranked(position), config.goodput_tok_s) {
                (Some(reason), _) => Value::Words(reason.to_owned()),
                (None, Some(goodput)) => Value::Number {
                    quantity: between_repeats.and_then(Figure::quantity).unwrap_or(goodput.into()),
                    unit,
                    text: self.written(position, "goodput_tok_s", goodput),
                },
                (None, None) => Value::Words(config.failed.clone().unwrap_or_else(|| "not stated".to_owned())),
            };
            (config.label.clone(), value)
        });
        let band = self.run.variance_band_pct.map(|band| self.stated("/variance_band_pct", Unit::Percent, band));
        let whiskers = band.map(|band| format!("; whiskers ±{band} between repeats")).unwrap_or_default();
        let chart = figure::bars(
            "chart:goodput",
            format!(
                "Goodput in output tokens per second{}{whiskers}",
                if self.run.has_slo() { " within the SLO" } else { ", no SLO set" }
            ),
            self.source_line(),
            figure::axis("Goodput", unit, crate::quantity::Better::Higher, TickStyle::Plain),
            rows.collect(),
            self.item.baseline,
        )?;
        let limit = self.tied_lead().map(|(position, tie, _)| format!("{}: its {tie}", self.label(position)));
        Some(self.tied(Chart { limits: limit.into_iter().collect(), ..chart }))
    }

    /// The config with the most goodput of those that are ranked, where it leads by nothing to speak of: its position, the
    /// lead in words, and what the next one is.
    fn tied_lead(&self) -> Option<(usize, String, Tie)> {
        let ranked = self.run.configs.iter().enumerate().filter(|(position, _)| self.unranked(*position).is_none());
        let rates = ranked.filter_map(|(position, config)| Some((position, config.goodput_tok_s?)));
        let (position, _) = rates.max_by(|one, other| one.1.total_cmp(&other.1))?;
        let (words, lead) = (self.tie(position)?, self.figure(position, &comparison::GOODPUT_LEAD_PCT)?);
        let next = lead.remarks.first()?.strip_prefix("over ")?;
        let next = self.run.configs.iter().position(|config| config.label == next)?;
        Some((position, words, Tie { rows: [position, next], words: lead.remarks.last()?.clone() }))
    }

    /// A chart of all configs whose order is that of their goodput, with what keeps the first two from being told apart.
    fn tied(&self, mut chart: Chart) -> Chart {
        if let Drawing::Bars(bars) = &mut chart.kind {
            bars.tie = self.tied_lead().map(|(.., tie)| tie);
        }
        chart
    }

    /// Where no goodput is stated, the rate at which output came.
    fn output_bars(&self) -> Option<Chart> {
        let unit = comparison::OUTPUT_CHANGE_PCT.inputs[0].unit;
        let rows = self.run.configs.iter().enumerate().map(|(position, config)| {
            let value = match (self.unranked(position), config.output_tok_s) {
                (Some(reason), _) => Value::Words(reason.to_owned()),
                (None, Some(rate)) => {
                    let text = self.written(position, "output_tok_s", rate);
                    Value::Number { quantity: rate.into(), unit, text }
                }
                (None, None) => Value::Words(config.failed.clone().unwrap_or_else(|| "not stated".to_owned())),
            };
            (config.label.clone(), value)
        });
        figure::bars(
            "chart:output",
            "Output tokens per second".to_owned(),
            self.source_line(),
            figure::axis("Output throughput", unit, crate::quantity::Better::Higher, TickStyle::Plain),
            rows.collect(),
            self.item.baseline,
        )
    }

    fn cost_bars(&self) -> Option<Chart> {
        let stated = self.item.stated_price().map(|(stated, document)| stated.hour.words(document, "/price"));
        let quoted = || self.item.price.as_deref().map(|address| self.here.to_address(address).text);
        let price = stated.or_else(quoted);
        let rows = (0..self.run.configs.len()).map(|position| {
            let figure = self.figure(position, &cost::USD_PER_MTOK_OUTPUT);
            let priced = figure.and_then(|figure| Some((figure, figure.quantity()?)));
            let value = match (priced, self.unranked(position)) {
                (Some(_), Some(reason)) => Value::Words(reason.to_owned()),
                (Some((figure, quantity)), None) => Value::of(figure.formula.unit, quantity),
                (None, _) => Value::Words(figure.map_or_else(|| "not priced".to_owned(), Figure::shown)),
            };
            (self.label(position).to_owned(), value)
        });
        let formula = &cost::USD_PER_MTOK_OUTPUT;
        let chart = figure::bars(
            "chart:cost",
            match price {
                Some(price) => format!("Cost per 1M output tokens at {price}"),
                None => "Cost per 1M output tokens".to_owned(),
            },
            format!("{}; accuracy gate: {}", self.item.address, self.gate()),
            figure::axis("Cost", formula.unit, formula.better, TickStyle::Dollars),
            rows.collect(),
            self.item.baseline,
        )?;
        let limit = self.tied_lead();
        let limit = limit
            .map(|(position, tie, _)| format!("{}: its cost follows its goodput, and {tie}", self.label(position)));
        Some(self.tied(Chart { limits: limit.into_iter().collect(), ..chart }))
    }

    /// The tail latency that binds, or else the first with a limit, against goodput.
    fn latency_against_throughput(&self) -> Option<Chart> {
        let slo = self.run.slo.as_ref()?;
        let (name, limit) = slo.iter().find(|(name, _)| name.starts_with("tpot")).or_else(|| slo.iter().next())?;
        let mut points = Vec::new();
        let mut left_out = Vec::new();
        for (position, config) in self.run.configs.iter().enumerate() {
            let reason = self.unranked(position).map(str::to_owned).or_else(|| config.too_few_requests(name));
            match (reason, config.goodput_tok_s, config.latency_ms(name)) {
                (None, Some(goodput), Some(latency)) => points.push(Point {
                    label: config.label.clone(),
                    x: goodput.into(),
                    y: latency.into(),
                    x_text: self.written(position, "goodput_tok_s", goodput),
                    y_text: self.written(position, name, latency),
                    standing: Standing::Unranked,
                }),
                (reason, _, _) => {
                    let reason = config.failed.clone().or(reason).unwrap_or_else(|| "not stated".to_owned());
                    left_out.push(LeftOut { series: String::new(), label: config.label.clone(), reason });
                }
            }
        }
        if points.len() < 2 {
            return None;
        }
        let heading = metric::heading(name);
        let scatter = Scatter {
            subject: "config".to_owned(),
            x: figure::axis(
                "Goodput",
                comparison::GOODPUT_CHANGE_PCT.inputs[0].unit,
                crate::quantity::Better::Higher,
                TickStyle::Plain,
            ),
            y: figure::axis(&heading, Unit::Milliseconds, crate::quantity::Better::Lower, TickStyle::Plain),
            series: vec![Series { name: String::new(), points }],
            trace: Trace::Points,
            left_out,
            x_limit: None,
            y_limit: Some(Limit {
                value: *limit,
                label: format!("limit {} ms", self.item.document.digits(&format!("/slo/{name}"), (*limit).into())),
            }),
        };
        Some(Chart {
            id: "chart:latency".to_owned(),
            caption: format!("{heading} against goodput in output tokens per second"),
            source_line: self.source_line(),
            limits: Vec::new(),
            kind: Drawing::Scatter(scatter),
        })
    }
}
