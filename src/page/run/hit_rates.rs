//! What a hit rate buys: capacity, energy and cost of a run's configs against their hit rates.

use super::RunPage;
use crate::chart::{Chart, Kind as Drawing, Panel, PanelRow, Panels, Reading, TickStyle};
use crate::formula::{Formula, comparison, cost, energy};
use crate::metric;
use crate::page::figure;
use crate::page::table::{Cell, Heading, Row, Table, without_empty_columns};
use crate::quantity::Quantity;

/// What is shown against the hit rate.
const BOUGHT: [&Formula; 3] =
    [&comparison::GOODPUT_CHANGE_PCT, &energy::ENERGY_J_PER_OUTPUT_TOKEN, &cost::USD_PER_MTOK_OUTPUT];

impl RunPage<'_> {
    /// Positions of the configs with a hit rate, lowest first; none where the rates do not differ.
    pub(super) fn by_hit_rate(&self) -> Vec<(usize, Quantity)> {
        let configs = 0..self.run.configs.len();
        let mut rates: Vec<_> = configs.filter_map(|position| Some((position, self.hit_rate_of(position)?))).collect();
        rates.sort_by(|one, other| one.1.middle().total_cmp(&other.1.middle()));
        if rates.first().map(|(_, rate)| *rate) == rates.last().map(|(_, rate)| *rate) {
            return Vec::new();
        }
        rates
    }

    pub(super) fn bought(&self, rates: &[(usize, Quantity)]) -> Table {
        let mut head = vec![Heading::plain("Config"), Heading::measured("shared_prefix_pct")];
        head.extend(["prefix_cache_hit_pct", "capacity_rps", "goodput_tok_s"].map(Heading::measured));
        head.extend(BOUGHT.map(|formula| Heading::derived(self.here, &self.item.address, formula)));
        let rows = rates.iter().map(|(position, _)| {
            let config = &self.run.configs[*position];
            let pointer = format!("/configs/{position}/goodput_tok_s");
            let goodput = config.goodput_tok_s.map(Quantity::exact);
            let mut cells = vec![
                self.observed(*position, "shared_prefix_pct"),
                self.hit_rate(*position, config),
                self.observed(*position, "capacity_rps"),
                Cell::measured(self.here, &self.item.document, &pointer, goodput),
            ];
            cells.extend(BOUGHT.map(|formula| match self.figure(*position, formula) {
                Some(figure) => Cell::figure(self.here, &self.item.address, figure),
                None => Cell::text("–"),
            }));
            Row { anchor: None, head: config.label.clone(), head_href: None, marks: Vec::new(), cells }
        });
        without_empty_columns(Table {
            id: "hit-rates".to_owned(),
            caption: "What a hit rate buys".into(),
            head,
            rows: rows.collect(),
        })
    }

    /// A value that the curator found in the record's prose.
    fn observed(&self, position: usize, metric: &str) -> Cell {
        let anchor = self.item.subjects.get(position).map_or("", |subject| &subject.anchor);
        match (self.item.observation(anchor, metric), &self.item.note) {
            (Some((found, observation)), Some(note)) => {
                let pointer = format!("/observations/{found}/value");
                Cell::measured(self.here, &note.document, &pointer, Some(observation.value))
            }
            _ => Cell::text("–"),
        }
    }

    /// What the table says, over one axis of hit rates: goodput, energy and cost, each in a panel of its own.
    pub(super) fn hit_rate_curves(&self) -> Option<Chart> {
        let measured = |field: &str| {
            let metric = metric::metric(field)?;
            Some(figure::axis(metric.name, metric.unit, metric.better, TickStyle::Plain))
        };
        let mut panels = vec![Panel { y: measured("goodput_tok_s")?, limit: None }];
        panels.extend(CURVES.map(|(formula, ticks)| {
            let y = figure::axis(formula.name, formula.unit, formula.better, ticks);
            Panel { y, limit: None }
        }));
        let rows = self.by_hit_rate().into_iter().map(|(position, rate)| {
            let config = &self.run.configs[position];
            let goodput = config.goodput_tok_s.map(|goodput| Reading::Value {
                value: goodput,
                text: self.written(position, "goodput_tok_s", goodput),
                band: None,
            });
            let mut readings = vec![goodput.unwrap_or_else(|| Reading::Words("not stated".to_owned()))];
            readings.extend(CURVES.map(|(formula, _)| figure::reading(self.figure(position, formula))));
            if let Some(reason) = self.unranked(position) {
                readings.fill(Reading::Words(reason.to_owned()));
            }
            let x_text = self.hit_rate(position, config).text;
            PanelRow { series: 0, label: config.label.clone(), x: rate, x_text, readings }
        });
        let mut curves = Panels {
            subject: "config".to_owned(),
            x: measured("prefix_cache_hit_pct")?,
            panels,
            series: vec![String::new()],
            rows: rows.collect(),
        };
        curves.leave_out_empty_panels();
        if curves.rows.len() < 2 || curves.panels.is_empty() {
            return None;
        }
        let names = curves.panels.iter().filter_map(|panel| panel.y.title.split(", ").next());
        let names: Vec<_> = names.map(str::to_lowercase).collect();
        Some(Chart {
            id: "chart:hit-rate".to_owned(),
            caption: format!("What a hit rate buys: {} against the prefix-cache hit rate", names.join(", ")),
            source_line: self.source_line(),
            limits: Vec::new(),
            kind: Drawing::Panels(curves),
        })
    }
}

/// What is drawn below goodput, against the hit rate.
const CURVES: [(&Formula, TickStyle); 2] =
    [(&energy::ENERGY_J_PER_OUTPUT_TOKEN, TickStyle::Plain), (&cost::USD_PER_MTOK_OUTPUT, TickStyle::Dollars)];
