//! The table of a run's configs: measured values by their line, derived ones by their claim card.

use std::ops::Range;

use super::{RunPage, pairs};
use crate::formula::{self, Formula, capacity, comparison, cost, energy, fleet, requests, throughput};
use crate::metric::{self, Latency};
use crate::page::claim::subject_label;
use crate::page::derived::{self, Theme};
use crate::page::steps;
use crate::page::table::{Cell, Heading, Row, Table, without_empty_columns};
use crate::quantity::Quantity;
use crate::record::run::{PowerKind, RunConfig};

/// Rows that a config has in [`tables`](RunPage::tables), at most.
pub(super) const CONFIG_ROWS: usize = 1 + derived::ROWS_PER_CONFIG;

impl RunPage<'_> {
    /// Some configs with what was measured, then the figures that were derived from it.
    pub(super) fn tables(&self, configs: Range<usize>) -> Vec<Table> {
        let subjects: Vec<_> = self.item.subjects.get(configs.clone()).unwrap_or_default().iter().collect();
        let mut tables = vec![self.table(configs)];
        tables.extend(derived::of_configs(self.here, self.item, &subjects, &THEMES, &tables));
        tables
    }

    fn table(&self, configs: Range<usize>) -> Table {
        let band = self.run.variance_band_pct.map(|band| format!(" ±{band}%")).unwrap_or_default();
        let latencies: Vec<String> = Latency::METRICS
            .iter()
            .flat_map(|metric| Latency::STATISTICS.iter().map(move |statistic| format!("{metric}_{statistic}_ms")))
            .filter(|name| self.run.configs.iter().any(|config| config.latency_ms(name).is_some()))
            .collect();
        // What no config has stands with its reason among the derived figures.
        let capacity = CAPACITY.into_iter().filter(|formula| self.any(formula)).collect();
        let known = DERIVED.into_iter().filter(|formula| self.any(formula)).map(|formula| formula.id).collect();
        let columns = Columns { latencies, capacity, known };
        let measured = Heading::measured;
        let derived = |formula: &Formula| Heading::derived(self.here, &self.item.address, formula);
        let power = PowerKind::words(self.run.power.as_ref().and_then(|power| power.kind));
        let mut head = vec![Heading::plain("Config"), measured("prefix_cache_hit_pct"), measured("goodput_tok_s")];
        head[2].unit.push_str(&band);
        head.push(derived(&comparison::GOODPUT_CHANGE_PCT));
        head.push(derived(&comparison::GOODPUT_LEAD_PCT));
        head.extend(columns.capacity.iter().copied().map(derived));
        head.extend(FIELDS.map(measured));
        head.push(Heading::plain("Concurrency"));
        head.push(derived(&requests::MEAN_OUTPUT_TOK_S));
        let slo = self.run.slo.as_ref();
        head.extend(
            columns
                .latencies
                .iter()
                .map(|name| Heading::limited(&self.item.document, name, slo.and_then(|slo| slo.get(name)).copied())),
        );
        head.push(Heading { name: power.to_owned(), ..measured("node_power_kw") });
        head.push(derived(&energy::GOODPUT_TOK_PER_J));
        head.push(derived(&cost::USD_PER_MTOK_OUTPUT));
        head.push(measured("mbu_pct"));
        head.push(Heading::plain("SLO passes"));
        head.push(Heading::plain("Requests"));
        head.extend([&requests::DELIVERED_RPS, &requests::SLO_ATTAINMENT_PCT].map(derived));
        head.push(Heading { unit: "s".to_owned(), ..Heading::plain("Duration") });
        head.push(Heading { unit: "samples".to_owned(), ..Heading::plain("Clock limits") });
        head.extend(["Engine", "Environment"].map(Heading::plain));
        let configs = self.run.configs.iter().enumerate().take(configs.end).skip(configs.start);
        let rows = configs.map(|(position, config)| self.row(position, config, &columns));
        without_empty_columns(Table {
            id: "configs".to_owned(),
            caption: format!(
                "Configs of {}. Measured values lead to their line, derived ones or their headings to how they were computed.{}",
                self.item.address,
                if self.run.configs.iter().any(|config| config.requests.is_some()) || columns.latencies.is_empty() {
                    ""
                } else {
                    " The number of requests behind the percentiles is not stated."
                }
            )
            .into(),
            head,
            rows: rows.collect(),
        })
    }

    fn row(&self, position: usize, config: &RunConfig, columns: &Columns) -> Row {
        let measured = |field: &str, value: Option<f64>| {
            let pointer = format!("/configs/{position}/{field}");
            Cell::measured(self.here, &self.item.document, &pointer, value.map(Quantity::exact))
        };
        let figure = |formula: &Formula| match self.figure(position, formula) {
            Some(figure) => Cell::figure(self.here, &self.item.address, figure),
            None => Cell::text("–"),
        };
        let if_known = |formula: &Formula| match columns.known.contains(&formula.id) {
            true => figure(formula),
            false => Cell::text("–"),
        };
        let mut cells = vec![self.hit_rate(position, config), measured("goodput_tok_s", config.goodput_tok_s)];
        cells.push(if_known(&comparison::GOODPUT_CHANGE_PCT));
        cells.push(if_known(&comparison::GOODPUT_LEAD_PCT));
        cells.extend(columns.capacity.iter().map(|formula| figure(formula)));
        let others = [
            config.output_tok_s,
            config.input_tok_s,
            config.total_tok_s,
            config.request_throughput_rps,
            config.request_rate_rps,
        ];
        cells.extend(FIELDS.iter().zip(others).map(|(field, value)| {
            // Where the rate itself is not stated, it may follow from what is.
            let derived = formula::by_id(field).and_then(|formula| self.figure(position, formula));
            match derived.filter(|_| value.is_none()) {
                Some(figure) => Cell::figure(self.here, &self.item.address, figure),
                None => measured(field, value),
            }
        }));
        cells.push(measured("concurrency", config.concurrency.map(|count| count as f64)));
        cells.push(if_known(&requests::MEAN_OUTPUT_TOK_S));
        cells.extend(columns.latencies.iter().map(|name| {
            let value = config.latency_ms(name);
            measured(name, value).noted(value.and_then(|_| config.too_few_requests(name)))
        }));
        cells.push(measured("node_power_kw", config.node_power_kw));
        cells.push(if_known(&energy::GOODPUT_TOK_PER_J));
        cells.push(if_known(&cost::USD_PER_MTOK_OUTPUT));
        cells.push(measured("mbu_pct", config.mbu_pct));
        cells.push(match (config.slo_pass_count, config.repeats) {
            (Some(passed), Some(repeats)) => Cell::text(format!("{passed} of {repeats}")),
            (Some(passed), None) => Cell::text(format!("{passed}")),
            _ => Cell::text("–"),
        });
        cells.push(self.requests(position, config));
        cells.extend([&requests::DELIVERED_RPS, &requests::SLO_ATTAINMENT_PCT].map(if_known));
        cells.push(measured("duration_s", config.duration_s));
        cells.push(self.clock_limits(position, config));
        cells.push(Cell::text(config.engine.clone().unwrap_or_else(|| "–".to_owned())));
        cells.push(Cell::text(config.environment.as_ref().map_or_else(|| "–".to_owned(), pairs)));
        let subject = self.item.subjects.get(position);
        Row {
            anchor: subject.map(|subject| subject.anchor.clone()),
            head: config.label.clone(),
            head_href: subject.map(|subject| self.here.to_subject(&self.item.address, &subject.anchor)),
            marks: self.marks(position, config),
            cells,
        }
    }

    /// Words beside a config's name that say how far it counts.
    fn marks(&self, position: usize, config: &RunConfig) -> Vec<String> {
        let baseline = (self.item.baseline == Some(position)).then(|| "baseline".to_owned());
        let ungated = self.run.gates().of(position).ungated().map(str::to_owned);
        let failed = config.failed.as_ref().map(|reason| format!("failed: {reason}"));
        let unranked = self.unranked(position).map(|reason| format!("not ranked: {reason}"));
        baseline.into_iter().chain(failed).chain(unranked).chain(ungated).collect()
    }

    /// Whether one config at least has a value.
    fn any(&self, formula: &Formula) -> bool {
        let mut configs = 0..self.run.configs.len();
        configs.any(|position| self.figure(position, formula).is_some_and(|figure| figure.outcome.is_ok()))
    }

    /// How the requests ended, leading to the share that failed.
    fn requests(&self, position: usize, config: &RunConfig) -> Cell {
        let Some(requests) = &config.requests else { return Cell::not_stated() };
        let mut cell = Cell::text(self.ends(position, config));
        if let (Some(figure), true) = (self.figure(position, &requests::FAILED_PCT), requests.any_unfinished()) {
            cell.href = Cell::figure(self.here, &self.item.address, figure).href;
        }
        cell
    }

    /// `20 of 200 failed (10.0%)`, or what completed where nothing went wrong.
    pub(super) fn ends(&self, position: usize, config: &RunConfig) -> String {
        let words = config.requests.as_ref().map_or_else(|| "–".to_owned(), steps::ends);
        let failed = self.figure(position, &requests::FAILED_PCT).filter(|figure| figure.outcome.is_ok());
        match failed.filter(|_| config.requests.as_ref().and_then(|requests| requests.failed) > Some(0)) {
            Some(figure) => words.replacen(" failed", &format!(" failed ({})", figure.shown()), 1),
            None => words,
        }
    }

    /// Samples in which a clock limit was active, by reason.
    fn clock_limits(&self, position: usize, config: &RunConfig) -> Cell {
        let Some(counts) = &config.throttle_counts else { return Cell::text("–") };
        let words: Vec<_> = counts.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        let href = self.here.to_source(&self.item.document, &format!("/configs/{position}/throttle_counts"));
        let text = if words.is_empty() { "none counted".to_owned() } else { words.join(", ") };
        Cell { text, href: Some(href), ..Cell::default() }
    }

    /// What the curator found in the record's prose, with the words it stands in.
    pub(super) fn observations(&self, range: Range<usize>) -> Option<Table> {
        let note = self.item.note.as_ref()?;
        let observations = note.note.observations.iter().enumerate().take(range.end).skip(range.start);
        let rows = observations.map(|(position, observation)| {
            let pointer = format!("/observations/{position}/value");
            let mut value = Cell::measured(self.here, &note.document, &pointer, Some(observation.value));
            value.notes.extend(metric::metric(&observation.metric).map(|metric| metric.unit.heading().to_owned()));
            Row {
                anchor: None,
                head: metric::heading(&observation.metric),
                head_href: None,
                marks: Vec::new(),
                cells: vec![
                    value,
                    Cell::text(match subject_label(self.item, &observation.subject) {
                        label if label.is_empty() => "the record".to_owned(),
                        label => label,
                    }),
                    Cell::text(format!("“{}”", observation.quote)),
                    Cell::text(observation.note.clone().unwrap_or_else(|| "–".to_owned())),
                ],
            }
        });
        Some(without_empty_columns(Table {
            id: "observations".to_owned(),
            caption: "Values that the record has only in prose, found there by the curator".into(),
            head: ["Value", "Reading", "Of", "In the record's words", "Note"].map(Heading::plain).to_vec(),
            rows: rows.collect(),
        }))
    }

    /// The config's own hit rate, else what the curator found in the record's prose.
    pub(super) fn hit_rate_of(&self, position: usize) -> Option<Quantity> {
        let anchor = self.item.subjects.get(position).map_or("", |subject| &subject.anchor);
        let observed = || self.item.observation(anchor, "prefix_cache_hit_pct");
        let own = self.run.configs.get(position)?.prefix_cache_hit_pct;
        own.map(Quantity::exact).or_else(|| observed().map(|(_, observation)| observation.value))
    }

    pub(super) fn hit_rate(&self, position: usize, config: &RunConfig) -> Cell {
        let anchor = self.item.subjects.get(position).map_or("", |subject| &subject.anchor);
        match (config.prefix_cache_hit_pct, self.item.observation(anchor, "prefix_cache_hit_pct"), &self.item.note) {
            (None, Some((found, observation)), Some(note)) => {
                let pointer = format!("/observations/{found}/value");
                Cell::measured(self.here, &note.document, &pointer, Some(observation.value))
            }
            (own, _, _) => {
                let pointer = format!("/configs/{position}/prefix_cache_hit_pct");
                Cell::measured(self.here, &self.item.document, &pointer, own.map(Quantity::exact))
            }
        }
    }
}

/// Columns that depend on what the configs of a run have.
struct Columns {
    latencies: Vec<String>,
    capacity: Vec<&'static Formula>,
    /// Which of the others any config has.
    known: Vec<&'static str>,
}

const DERIVED: [&Formula; 7] = [
    &comparison::GOODPUT_CHANGE_PCT,
    &comparison::GOODPUT_LEAD_PCT,
    &requests::MEAN_OUTPUT_TOK_S,
    &energy::GOODPUT_TOK_PER_J,
    &cost::USD_PER_MTOK_OUTPUT,
    &requests::DELIVERED_RPS,
    &requests::SLO_ATTAINMENT_PCT,
];

/// Figures of capacity after those of goodput.
const CAPACITY: [&Formula; 4] = [
    &capacity::CAPACITY_BRACKET_RPS,
    &capacity::CAPACITY_BRACKET_CONCURRENCY,
    &capacity::USD_PER_MTOK_OVER_BRACKET,
    &requests::DELIVERED_SHARE_PCT,
];
const THEMES: [Theme; 4] = [
    Theme { id: "costs", caption: "What it costs, at each price", formulas: &COSTS },
    Theme { id: "energy", caption: "Energy within the power boundary that each heading names", formulas: &ENERGY },
    Theme {
        id: "per-gpu",
        caption: "Rates per GPU. Those of one role are not comparable with those over all GPUs.",
        formulas: &PER_GPU,
    },
    Theme {
        id: "fleet",
        caption: "A fleet of such cards, if output and power grow linearly with cards, which is assumed",
        formulas: &FLEET,
    },
];

const COSTS: [&Formula; 5] = [
    &cost::USD_PER_MTOK_OUTPUT,
    &cost::USD_PER_MTOK_INPUT,
    &cost::USD_PER_MTOK_TOTAL,
    &cost::OUTPUT_TOK_PER_USD,
    &cost::USD_PER_1K_REQUESTS,
];

const ENERGY: [&Formula; 4] = [
    &energy::ENERGY_J_PER_OUTPUT_TOKEN,
    &energy::ENERGY_J_PER_TOTAL_TOKEN,
    &energy::OUTPUT_TOK_PER_WH,
    &energy::ELECTRICITY_USD_PER_MTOK_OUTPUT,
];

const PER_GPU: [&Formula; 5] = [
    &throughput::OUTPUT_TOK_S_PER_GPU,
    &throughput::INPUT_TOK_S_PER_GPU,
    &throughput::TOTAL_TOK_S_PER_GPU,
    &throughput::OUTPUT_TOK_S_PER_DECODE_GPU,
    &throughput::INPUT_TOK_S_PER_PREFILL_GPU,
];

const FLEET: [&Formula; 3] =
    [&fleet::FLEET_OUTPUT_TOK_S, &fleet::FLEET_POWER_KW, &fleet::FLEET_CARDS_FOR_BASELINE_OUTPUT];

/// Measured fields of the table between goodput and the latencies, in its order.
const FIELDS: [&str; 5] = ["output_tok_s", "input_tok_s", "total_tok_s", "request_throughput_rps", "request_rate_rps"];
