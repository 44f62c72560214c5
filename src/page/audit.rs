//! What the page of a cost audit shows.

mod finding;

use crate::catalog::Item;
use crate::chart::{Chart, Kind as Drawing, Point, Scatter, Series, Standing, TickStyle, Trace};
use crate::figures::Figure;
use crate::formula::{Formula, capacity, cost, memory, requests, token_price};
use crate::metric;
use crate::quantity::{Quantity, Unit};
use crate::record::Audit;
use crate::record::audit::{AtCapacity, AuditConfig, Capacity};
use crate::source::Kind;

use super::accuracy;
use super::derived::{self, Theme};
use super::drawing;
use super::evidence;
use super::figure::{self, Value};
use super::frame::{Here, Link};
use super::part::Strand;
use super::record::{self, Body, Fact, long_date, provenance};
use super::reproduce;
use super::steps;
use super::table::{Cell, Heading, Row, Table, offered, without_empty_columns};
use super::tradeoff;

pub fn body(here: &Here, item: &Item, audit: &Audit) -> Body {
    let page = AuditPage { here, item, audit };
    Body {
        finding: page.finding(),
        summary: audit.summary.clone(),
        facts: page.facts(),
        figures: record::first(here, item, page.charts()),
        method: Vec::new(),
        spec: None,
        reproduce: Some(reproduce::of_audit(item, audit)),
    }
}

pub fn strands<'a>(here: &'a Here, item: &'a Item, audit: &'a Audit) -> Vec<Strand<'a>> {
    let page = AuditPage { here, item, audit };
    let configs = page.ordered();
    let token_prices = page.token_prices();
    vec![
        Strand::new(configs.len(), CONFIG_ROWS, move |range| page.tables(&configs[range])),
        derived::prices(here, item),
        Strand::new(usize::from(token_prices.is_some()), TOKEN_PRICES.len(), move |_| {
            page.token_prices().into_iter().collect()
        }),
        steps::strand(here, item, audit.sweeps()),
        record::rest(here, item, page.charts()),
    ]
}

/// The finding in one sentence.
pub fn finding(here: &Here, item: &Item, audit: &Audit) -> String {
    AuditPage { here, item, audit }.finding()
}

/// Rows that a config has in [`tables`](AuditPage::tables), at most.
const CONFIG_ROWS: usize = 2 + derived::ROWS_PER_CONFIG;

#[derive(Clone, Copy)]
struct AuditPage<'a> {
    here: &'a Here<'a>,
    item: &'a Item,
    audit: &'a Audit,
}

impl<'a> AuditPage<'a> {
    fn figure(&self, position: usize, formula: &Formula) -> Option<&'a Figure> {
        self.here.figure(self.item, position, formula)
    }

    fn label(&self, position: usize) -> &str {
        self.item.label(position)
    }

    fn facts(&self) -> Vec<Fact> {
        let (audit, here) = (self.audit, self.here);
        let text = |label: &str, value: Option<&str>| value.map(|value| Fact::new(label, vec![Link::plain(value)]));
        let document = &self.item.document;
        let stated = |label: &str, field: &str, unit: Unit, value: Option<Quantity>| {
            let pointer = format!("/{field}");
            let link = |value| Link {
                text: document.stated(&pointer, unit, value),
                href: Some(here.to_source(document, &pointer)),
            };
            value.map(|value| Fact::new(label, vec![link(value)]))
        };
        let mut facts = vec![Fact::new("Published", vec![Link::plain(long_date(audit.published))])];
        facts.extend(self.item.models.first().map(|named| Fact::new("Model", vec![here.to_named(named, Kind::Model)])));
        if let Some(named) = self.item.cards.first() {
            let mut link = here.to_named(named, Kind::Hardware);
            link.text = format!("{} × {} per replica", audit.hardware.count, link.text);
            facts.push(Fact::new("Accelerator", vec![link]));
        }
        facts.extend(text("Parallelism", audit.parallelism.as_deref()));
        facts.extend(text("Provider", audit.provider.as_deref()));
        facts.extend(here.engine_fact(self.item));
        facts.extend(text("Image", audit.image.as_deref()));
        facts.extend(text("Driver", audit.driver.as_deref()));
        facts.extend(text("Flags of every config", audit.baseline_flags.as_deref()));
        facts.push(Fact::new("Price", vec![self.price()]));
        facts.push(Fact::new("SLO", here.limits(document, &audit.slo)));
        facts.push(Fact::new("Accuracy gate", vec![Link::plain(accuracy::gate(document, audit.accuracy.as_ref()))]));
        facts.extend(evidence::fact(here, self.item));
        let peak = audit.peak_request_rate_rps;
        facts.extend(stated("Peak load", "peak_request_rate_rps", Unit::RequestsPerSecond, peak));
        let workload = &audit.workload;
        facts.extend(text("Dataset", workload.dataset.as_deref()));
        facts.extend(stated("Input", "workload/input_tokens", Unit::Tokens, workload.input_tokens));
        facts.extend(stated("Output", "workload/output_tokens", Unit::Tokens, workload.output_tokens));
        let ratio = workload.range_ratio.map(Quantity::exact);
        facts.extend(stated("Range ratio", "workload/range_ratio", Unit::Number, ratio));
        let prefix = workload.shared_prefix_tokens;
        facts.extend(stated("Shared prefix", "workload/shared_prefix_tokens", Unit::Tokens, prefix));
        facts.extend(self.here.record_fact(self.item, &memory::HIT_RATE_CEILING_PCT));
        let requests = workload.requests_per_rate.map(|requests| Quantity::exact(requests as f64));
        facts.extend(stated("Requests per rate", "workload/requests_per_rate", Unit::Number, requests));
        let rates = workload.rates_rps.as_deref().map(|rates| self.rates("/workload/rates_rps", rates));
        facts.extend(text("Rates tested", rates.as_deref()));
        facts.extend(self.attribution());
        facts.extend(here.technique_fact(self.item));
        facts.extend(provenance(self.item));
        facts
    }

    /// The changes that bring the largest part of what a larger config gains.
    fn attribution(&self) -> Option<Fact> {
        let shares = (0..self.audit.configs.len()).filter_map(|position| {
            let figure = self.figure(position, &capacity::GAIN_SHARE_PCT)?;
            Some((position, figure, figure.quantity()?.middle()))
        });
        let (position, share, _) = shares.max_by(|one, other| one.2.total_cmp(&other.2))?;
        let rest = self.figure(position, &capacity::REST_GAIN_PCT).map(Figure::shown).unwrap_or_default();
        let remarks = share.remarks.join(", ");
        let text = format!("{}: {} {remarks}; the rest adds {rest}", self.label(position), share.shown());
        Some(Fact::new(
            "Most of the gain",
            vec![Link { text, href: Some(self.here.to_figure(&self.item.address, share)) }],
        ))
    }

    /// Some configs, what each changes, then the figures that were derived from it.
    fn tables(&self, configs: &[(usize, &AuditConfig)]) -> Vec<Table> {
        let subjects: Vec<_> = configs.iter().filter_map(|(at, _)| self.item.subjects.get(*at)).collect();
        let mut tables = vec![self.results(configs), self.changes(configs)];
        tables.extend(derived::of_configs(self.here, self.item, &subjects, &THEMES, &tables));
        tables
    }

    fn token_prices(&self) -> Option<Table> {
        let caption = "A thousand requests at token prices: each token is charged once, cached or not";
        derived::of_record(self.here, self.item, "token-prices", caption, &TOKEN_PRICES)
    }

    fn rates(&self, pointer: &str, rates: &[f64]) -> String {
        let rates = rates.iter().enumerate();
        let words = rates.map(|(at, rate)| offered(&self.item.document, &format!("{pointer}/{at}"), (*rate).into()));
        words.collect::<Vec<_>>().join(", ")
    }

    fn price(&self) -> Link {
        match &self.audit.price {
            None => Link::plain("not stated"),
            Some(price) => Link {
                text: price.hour.words(&self.item.document, "/price"),
                href: Some(self.here.to_source(&self.item.document, &format!("/price/{}", price.hour.field()))),
            },
        }
    }

    fn results(&self, configs: &[(usize, &AuditConfig)]) -> Table {
        let latencies: Vec<String> = self.audit.slo.keys().cloned().collect();
        let derived = |formula: &Formula| Heading::derived(self.here, &self.item.address, formula);
        let mut head = vec![Heading::plain("Config"), Heading::measured("capacity_rps")];
        head.extend(BRACKETS.map(derived));
        head.push(derived(&capacity::CAPACITY_CHANGE_PCT));
        head.push(Heading::measured("output_tok_s"));
        head.extend(COLUMNS.iter().map(|formula| derived(formula)));
        head.extend(
            latencies.iter().map(|name| Heading::limited(&self.item.document, name, self.audit.slo.get(name).copied())),
        );
        head.push(Heading::measured("decode_ms_per_token"));
        let rows = configs.iter().map(|(position, config)| self.result_row(*position, config, &latencies));
        without_empty_columns(Table {
            id: "configs".to_owned(),
            caption: format!("Capacity within the SLO and what it costs, {}", self.item.address).into(),
            head,
            rows: rows.collect(),
        })
    }

    /// The configs in the audit's order, those without a capacity after all that have one.
    fn ordered(&self) -> Vec<(usize, &'a AuditConfig)> {
        let state = |config: &AuditConfig| match config.capacity {
            Capacity::At(_) => None,
            Capacity::Without(state) => Some(state),
        };
        let mut configs: Vec<_> = self.audit.configs.iter().enumerate().collect();
        configs.sort_by_key(|(_, config)| state(config));
        configs
    }

    fn result_row(&self, position: usize, config: &AuditConfig, latencies: &[String]) -> Row {
        let figure = |formula: &Formula| match self.figure(position, formula) {
            Some(figure) => {
                let mut cell = Cell::figure(self.here, &self.item.address, figure);
                cell.notes.extend(figure.stated.iter().map(|stated| format!("stated “{}”", stated.as_written)));
                cell
            }
            None => Cell::text("–"),
        };
        let measured = |field: &str, value: fn(&AtCapacity) -> Option<Quantity>| match &config.capacity {
            Capacity::Without(state) => Cell::text(state.words()),
            Capacity::At(at) => {
                let pointer = format!("/configs/{position}/capacity/{field}");
                Cell::measured(self.here, &self.item.document, &pointer, value(at))
            }
        };
        let mut capacity = measured("request_rate_rps", |at| at.request_rate_rps);
        if self.audit.capacity_is_tested(config) == Some(false) {
            capacity.notes.push("none of the rates tested".to_owned());
        }
        let mut cells = vec![capacity];
        let passed = matches!(config.capacity, Capacity::At(_));
        let derived = |formula: &Formula| match self.figure(position, formula) {
            Some(_) if !passed => Cell::text("n/a"),
            _ => figure(formula),
        };
        cells.extend(BRACKETS.map(figure));
        cells.push(derived(&capacity::CAPACITY_CHANGE_PCT));
        cells.push(measured("output_tok_s", |at| at.output_tok_s));
        cells.extend(COLUMNS.iter().map(|formula| derived(formula)));
        for name in latencies {
            cells.push(match &config.capacity {
                Capacity::Without(_) => Cell::text("n/a"),
                Capacity::At(at) => {
                    let pointer = format!("/configs/{position}/capacity/latencies/{name}");
                    let value = at.latencies.get(name).copied();
                    let few = value.and_then(|_| self.audit.workload.too_few_requests(name));
                    Cell::measured(self.here, &self.item.document, &pointer, value).noted(few)
                }
            });
        }
        cells.push(match config.decode_ms_per_token {
            Some(ms) => {
                let pointer = format!("/configs/{position}/decode_ms_per_token");
                Cell::measured(self.here, &self.item.document, &pointer, Some(ms))
            }
            None => Cell::text("–"),
        });
        self.named_row(position, config, cells)
    }

    /// What each config changes.
    fn changes(&self, configs: &[(usize, &AuditConfig)]) -> Table {
        let head = ["Config", "Flags", "Environment", "Checkpoint", "KV dtype", "Rates tested, req/s"];
        let mut head: Vec<_> = head.into_iter().map(Heading::plain).collect();
        head.extend(ATTRIBUTION.map(|formula| Heading::derived(self.here, &self.item.address, formula)));
        head.extend(["Remark", "To be rerun"].map(Heading::plain));
        let rows = configs.iter().map(|(position, config)| {
            let dash = |text: Option<String>| Cell::text(text.unwrap_or_else(|| "–".to_owned()));
            let environment = config.environment.as_ref().map(|environment| {
                let pairs: Vec<_> = environment.iter().map(|(name, value)| format!("{name}={value}")).collect();
                if pairs.is_empty() { "none set".to_owned() } else { pairs.join(" ") }
            });
            let brings = ATTRIBUTION.map(|formula| match self.figure(*position, formula) {
                Some(figure) => Cell::figure(self.here, &self.item.address, figure),
                None => Cell::text("–"),
            });
            let mut cells = vec![
                dash(config.flags.clone()),
                dash(environment),
                dash(config.model.as_ref().map(|model| model.name.clone())),
                dash(config.kv_dtype.clone()),
                dash(
                    config
                        .rates_rps
                        .as_deref()
                        .map(|rates| self.rates(&format!("/configs/{position}/rates_rps"), rates)),
                ),
            ];
            cells.extend(brings);
            cells.extend([dash(config.remark.clone()), dash(config.rerun.clone())]);
            Row { anchor: None, ..self.named_row(*position, config, cells) }
        });
        without_empty_columns(Table {
            id: "changes".to_owned(),
            caption: "What each config changes, and what it brings".into(),
            head,
            rows: rows.collect(),
        })
    }

    /// Words beside a config's name that say how far it counts.
    fn marks(&self, position: usize) -> Vec<String> {
        let baseline = (self.item.baseline == Some(position)).then_some("baseline");
        let ungated = self.audit.gates().of(position).ungated();
        baseline.into_iter().chain(ungated).map(str::to_owned).collect()
    }

    fn named_row(&self, position: usize, config: &AuditConfig, cells: Vec<Cell>) -> Row {
        let subject = self.item.subjects.get(position);
        Row {
            anchor: subject.map(|subject| subject.anchor.clone()),
            head: config.label.clone().unwrap_or_else(|| config.key.clone()),
            head_href: subject.map(|subject| self.here.to_subject(&self.item.address, &subject.anchor)),
            marks: self.marks(position),
            cells,
        }
    }

    fn charts(&self) -> Vec<Chart> {
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
        format!("{}; capacity within the SLO; quality effects not measured here", self.item.address)
    }

    fn figure_bars(&self, id: &str, caption: String, formula: &Formula, ticks: TickStyle) -> Option<Chart> {
        let rows = self.ordered().into_iter().map(|(position, config)| {
            let figure = self.figure(position, formula);
            let value = match figure.and_then(|figure| Some((figure, figure.quantity()?))) {
                Some((figure, quantity)) => Value::of(figure.formula.unit, quantity),
                None => self.words(config, figure),
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
            let value = match &config.capacity {
                Capacity::Without(state) => Value::Words(state.words().to_owned()),
                Capacity::At(at) => match at.request_rate_rps {
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

/// Figures of the results table, in its order.
const COLUMNS: [&Formula; 10] = [
    &cost::USD_PER_MTOK_OUTPUT,
    &capacity::USD_PER_MTOK_OVER_BRACKET,
    &cost::COST_CHANGE_PCT,
    &cost::USD_PER_1K_REQUESTS,
    &capacity::REPLICAS_AT_PEAK,
    &capacity::REPLICAS_OVER_BRACKET,
    &cost::USD_PER_MONTH,
    &cost::SAVING_USD_PER_MONTH,
    &requests::OUTPUT_TOK_PER_REQUEST,
    &memory::KV_BYTES_PER_TOKEN,
];

/// Where the capacity lies, on the axis of the search.
const BRACKETS: [&Formula; 2] = [&capacity::CAPACITY_BRACKET_RPS, &capacity::CAPACITY_BRACKET_CONCURRENCY];
/// Figures of what the changes of a config bring.
const ATTRIBUTION: [&Formula; 2] = [&capacity::GAIN_SHARE_PCT, &capacity::REST_GAIN_PCT];
const THEMES: [Theme; 1] = [Theme { id: "costs", caption: "What it costs, at each price", formulas: &COSTS }];

const COSTS: [&Formula; 3] = [&cost::USD_PER_MTOK_OUTPUT, &cost::OUTPUT_TOK_PER_USD, &cost::USD_PER_1K_REQUESTS];

const TOKEN_PRICES: [&Formula; 4] = [
    &token_price::UNCACHED_INPUT_USD_PER_1K_REQUESTS,
    &token_price::CACHED_INPUT_USD_PER_1K_REQUESTS,
    &token_price::OUTPUT_USD_PER_1K_REQUESTS,
    &token_price::TOKEN_USD_PER_1K_REQUESTS,
];
