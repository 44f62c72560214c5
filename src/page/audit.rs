//! What the page of a cost audit shows.

use crate::catalog::Item;
use crate::chart::{Chart, Frontier, Kind as Drawing, Point, Scatter, Series, TickStyle, Trace};
use crate::diagnostic::counted;
use crate::figures::Figure;
use crate::formula::{Formula, capacity, cost, memory, requests, token_price};
use crate::metric;
use crate::quantity::{Quantity, Unit};
use crate::record::Audit;
use crate::record::audit::{AtCapacity, AuditConfig, Capacity};
use crate::source::Kind;

use super::derived;
use super::figure::{self, Drawn, Value};
use super::frame::{Here, Link};
use super::part::Strand;
use super::record::{Body, Fact, long_date, provenance};
use super::reproduce;
use super::steps;
use super::table::{Cell, Heading, Row, Table, without_empty_columns, written};

pub fn body(here: &Here, item: &Item, audit: &Audit) -> Body {
    let page = AuditPage { here, item, audit };
    Body {
        finding: page.finding(),
        summary: audit.summary.clone(),
        facts: page.facts(),
        figures: page.figures(),
        method: Vec::new(),
        reproduce: Some(reproduce::of_audit(item, audit)),
    }
}

pub fn strands<'a>(here: &'a Here, item: &'a Item, audit: &'a Audit) -> Vec<Strand<'a>> {
    let page = AuditPage { here, item, audit };
    let configs = page.ordered();
    vec![
        Strand::new(configs.len(), CONFIG_ROWS, move |range| page.tables(&configs[range.clone()], range.start == 0)),
        steps::strand(here, item, audit.sweeps()),
    ]
}

/// The finding in one sentence.
pub fn finding(here: &Here, item: &Item, audit: &Audit) -> String {
    AuditPage { here, item, audit }.finding()
}

/// Rows that a config has in [`tables`](AuditPage::tables), at most.
const CONFIG_ROWS: usize = 3;

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

    /// The cheapest config against the baseline, else what was audited.
    fn finding(&self) -> String {
        let by = |formula: &'static Formula| {
            (0..self.audit.configs.len())
                .filter_map(move |position| Some((position, self.figure(position, formula)?.quantity()?.middle())))
        };
        let cheapest = by(&cost::USD_PER_MTOK_OUTPUT).min_by(|one, other| one.1.total_cmp(&other.1));
        let Some((position, _)) = cheapest else {
            let configs = self.audit.configs.len();
            return format!(
                "{} of {} on {}",
                counted(configs, "config"),
                self.audit.model.name,
                self.audit.hardware.accelerator
            );
        };
        let shown = |formula: &Formula| self.figure(position, formula).map(Figure::shown).unwrap_or_default();
        let against = match self.item.baseline {
            Some(baseline) if baseline != position => {
                let change = shown(&cost::COST_CHANGE_PCT);
                let capacity = shown(&capacity::CAPACITY_CHANGE_PCT);
                format!(", {change} against {} at {capacity} capacity within the SLO", self.label(baseline))
            }
            _ => String::new(),
        };
        format!("{}: {}{against}", self.label(position), shown(&cost::USD_PER_MTOK_OUTPUT))
    }

    fn facts(&self) -> Vec<Fact> {
        let (audit, here) = (self.audit, self.here);
        let text = |label: &str, value: Option<&str>| value.map(|value| Fact::new(label, vec![Link::plain(value)]));
        let count = |quantity: Option<Quantity>| quantity.map(|quantity| Unit::Tokens.show(quantity));
        let mut facts = vec![Fact::new("Published", vec![Link::plain(long_date(audit.published))])];
        facts.extend(self.item.models.first().map(|named| Fact::new("Model", vec![here.to_named(named, Kind::Model)])));
        if let Some(named) = self.item.cards.first() {
            let mut link = here.to_named(named, Kind::Hardware);
            link.text = format!("{} × {} per replica", audit.hardware.count, link.text);
            facts.push(Fact::new("Accelerator", vec![link]));
        }
        facts.extend(text("Provider", audit.provider.as_deref()));
        facts.extend(here.engine_fact(self.item));
        facts.extend(text("Image", audit.image.as_deref()));
        facts.extend(text("Driver", audit.driver.as_deref()));
        facts.extend(text("Flags of every config", audit.baseline_flags.as_deref()));
        facts.push(Fact::new("Price", vec![self.price()]));
        let limits = audit.slo.iter().map(|(name, limit)| {
            Link::plain(format!("{} ≤ {} ms", metric::heading(name), crate::quantity::plain((*limit).into())))
        });
        facts.push(Fact::new("SLO", limits.collect()));
        let peak = audit.peak_request_rate_rps.map(|peak| Unit::RequestsPerSecond.show(peak));
        facts.extend(text("Peak load", peak.as_deref()));
        let workload = &audit.workload;
        facts.extend(text("Dataset", workload.dataset.as_deref()));
        facts.extend(text("Input", count(workload.input_tokens).as_deref()));
        facts.extend(text("Output", count(workload.output_tokens).as_deref()));
        facts.extend(text("Range ratio", workload.range_ratio.map(|ratio| ratio.to_string()).as_deref()));
        facts.extend(text("Shared prefix", count(workload.shared_prefix_tokens).as_deref()));
        facts.extend(self.here.record_fact(self.item, &memory::HIT_RATE_CEILING_PCT));
        facts.extend(text(
            "Requests per rate",
            workload.requests_per_rate.map(|requests| requests.to_string()).as_deref(),
        ));
        facts.extend(text("Rates tested", workload.rates_rps.as_deref().map(rates).as_deref()));
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

    /// Some configs, and what they cost at prices that the table of results has no room for. Beside the first of them
    /// stand the prices, and costs at token prices.
    fn tables(&self, configs: &[(usize, &AuditConfig)], first: bool) -> Vec<Table> {
        let (here, item) = (self.here, self.item);
        let subjects = configs.iter().filter_map(|(position, _)| item.subjects.get(*position));
        let caption = "A thousand requests at token prices: each token is charged once, cached or not";
        let tables = [
            Some(self.results(configs)),
            Some(self.changes(configs)),
            derived::prices(here, item).filter(|_| first),
            derived::by_config(here, item, subjects, "costs", "What it costs, at each price", &COSTS),
            derived::of_record(here, item, "token-prices", caption, &TOKEN_PRICES).filter(|_| first),
        ];
        tables.into_iter().flatten().collect()
    }

    fn price(&self) -> Link {
        match &self.audit.price {
            None => Link::plain("not stated"),
            Some(price) => Link {
                text: price.hour.words(),
                href: Some(self.here.to_source(&self.item.document, &format!("/price/{}", price.hour.field()))),
            },
        }
    }

    fn results(&self, configs: &[(usize, &AuditConfig)]) -> Table {
        let latencies: Vec<String> = self.audit.slo.keys().cloned().collect();
        let figures = self.here.site.figures.of(&self.item.address);
        let derived = |formula: &Formula| Heading::derived(formula, figures);
        let mut head = vec![Heading::plain("Config"), Heading::measured("capacity_rps")];
        head.push(derived(&capacity::CAPACITY_BRACKET_RPS));
        head.push(derived(&capacity::CAPACITY_CHANGE_PCT));
        head.push(Heading::measured("output_tok_s"));
        head.extend(COLUMNS.iter().map(|formula| derived(formula)));
        head.extend(latencies.iter().map(|name| Heading::limited(name, self.audit.slo.get(name).copied())));
        head.push(Heading::measured("decode_ms_per_token"));
        let rows = configs.iter().map(|(position, config)| self.result_row(*position, config, &latencies));
        without_empty_columns(Table {
            id: "configs".to_owned(),
            caption: format!("Capacity within the SLO and what it costs, {}", self.item.address),
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
        let mut capacity = measured("request_rate_rps", |at| Some(at.request_rate_rps));
        if self.audit.capacity_is_tested(config) == Some(false) {
            capacity.notes.push("none of the rates tested".to_owned());
        }
        let mut cells = vec![capacity];
        let passed = matches!(config.capacity, Capacity::At(_));
        let derived = |formula: &Formula| match self.figure(position, formula) {
            Some(_) if !passed => Cell::text("n/a"),
            _ => figure(formula),
        };
        cells.push(figure(&capacity::CAPACITY_BRACKET_RPS));
        cells.push(derived(&capacity::CAPACITY_CHANGE_PCT));
        cells.push(measured("output_tok_s", |at| at.output_tok_s));
        cells.extend(COLUMNS.iter().map(|formula| derived(formula)));
        for name in latencies {
            cells.push(match &config.capacity {
                Capacity::Without(_) => Cell::text("n/a"),
                Capacity::At(at) => {
                    let pointer = format!("/configs/{position}/capacity/latencies/{name}");
                    Cell::measured(self.here, &self.item.document, &pointer, at.latencies.get(name).copied())
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
        let figures = self.here.site.figures.of(&self.item.address);
        let mut head: Vec<_> = head.into_iter().map(Heading::plain).collect();
        head.extend(ATTRIBUTION.map(|formula| Heading::derived(formula, figures)));
        head.extend(["Remark", "To be rerun"].map(Heading::plain));
        let rows = configs.iter().map(|(position, config)| {
            let dash = |text: Option<String>| Cell::text(text.unwrap_or_else(|| "–".to_owned()));
            let environment = config.environment.as_ref().map(|environment| {
                let pairs: Vec<_> = environment.iter().map(|(name, value)| format!("{name}={value}")).collect();
                pairs.join(" ")
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
                dash(config.rates_rps.as_deref().map(rates)),
            ];
            cells.extend(brings);
            cells.extend([dash(config.remark.clone()), dash(config.rerun.clone())]);
            Row { anchor: None, ..self.named_row(*position, config, cells) }
        });
        without_empty_columns(Table {
            id: "changes".to_owned(),
            caption: "What each config changes, and what it brings".to_owned(),
            head,
            rows: rows.collect(),
        })
    }

    fn named_row(&self, position: usize, config: &AuditConfig, cells: Vec<Cell>) -> Row {
        let subject = self.item.subjects.get(position);
        Row {
            anchor: subject.map(|subject| subject.anchor.clone()),
            head: config.label.clone().unwrap_or_else(|| config.key.clone()),
            head_href: subject.map(|subject| self.here.to_subject(&self.item.address, &subject.anchor)),
            marks: (self.item.baseline == Some(position)).then(|| "baseline".to_owned()).into_iter().collect(),
            cells,
        }
    }

    fn figures(&self) -> Vec<Drawn> {
        let mut drawn = Vec::new();
        drawn.extend(self.figure_bars(
            "chart:cost",
            format!("Cost per 1M output tokens at {}", self.price().text),
            &cost::USD_PER_MTOK_OUTPUT,
            TickStyle::Dollars,
        ));
        drawn.extend(self.capacity_bars());
        drawn.extend(self.latency_against_throughput());
        drawn
    }

    fn source_line(&self) -> String {
        format!("{}; capacity within the SLO; quality effects not measured here", self.item.address)
    }

    fn figure_bars(&self, id: &str, caption: String, formula: &Formula, ticks: TickStyle) -> Option<Drawn> {
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

    fn capacity_bars(&self) -> Option<Drawn> {
        let rows = self.ordered().into_iter().map(|(position, config)| {
            let value = match &config.capacity {
                Capacity::Without(state) => Value::Words(state.words().to_owned()),
                Capacity::At(at) => {
                    let pointer = format!("/configs/{position}/capacity/request_rate_rps");
                    let quantity = at.request_rate_rps;
                    let text = written(&self.item.document, &pointer, quantity);
                    Value::Number { quantity, unit: Unit::RequestsPerSecond, text }
                }
            };
            (self.label(position).to_owned(), value)
        });
        let axis = figure::axis("Capacity", Unit::RequestsPerSecond, metric::Better::Higher, TickStyle::Plain);
        let untested = |config| self.audit.capacity_is_tested(config) == Some(false);
        let caption = if self.audit.configs.iter().any(untested) {
            "Capacity as the audit states it, which is none of the rates tested: a delivered rate, or one that it does not list"
        } else {
            "Capacity: the highest tested rate within the SLO; the true one lies between it and the next rate"
        };
        figure::bars("chart:capacity", caption.to_owned(), self.source_line(), axis, rows.collect(), self.baseline())
    }

    /// The first TTFT-like limit's metric at capacity, against output throughput there.
    fn latency_against_throughput(&self) -> Option<Drawn> {
        let slo = &self.audit.slo;
        let (name, _) = slo.iter().find(|(name, _)| name.starts_with("tpot")).or_else(|| slo.iter().next())?;
        let points = self.audit.configs.iter().enumerate().filter_map(|(position, config)| {
            let Capacity::At(at) = &config.capacity else { return None };
            let (rate, latency) = (at.output_tok_s?, *at.latencies.get(name)?);
            let text = |field: &str, value: Quantity| {
                written(&self.item.document, &format!("/configs/{position}/capacity/{field}"), value)
            };
            Some(Point {
                label: self.label(position).to_owned(),
                x: rate,
                y: latency,
                x_text: text("output_tok_s", rate),
                y_text: text(&format!("latencies/{name}"), latency),
            })
        });
        let points: Vec<_> = points.collect();
        if points.is_empty() {
            return None;
        }
        let heading = metric::heading(name);
        let rate = cost::USD_PER_MTOK_OUTPUT.inputs[1].unit;
        let scatter = Scatter {
            subject: "config".to_owned(),
            x: figure::axis("Throughput at capacity", rate, metric::Better::Higher, TickStyle::Plain),
            y: figure::axis(&heading, Unit::Milliseconds, metric::Better::Lower, TickStyle::Plain),
            series: vec![Series { name: String::new(), points }],
            trace: Trace::Points,
            frontier: Frontier::Absent,
            x_limit: None,
            y_limit: None,
        };
        Some(Drawn::new(&Chart {
            id: "chart:latency".to_owned(),
            caption: format!("{heading} against output throughput, both at capacity"),
            source_line: self.source_line(),
            kind: Drawing::Scatter(scatter),
        }))
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

/// Figures of what the changes of a config bring.
const ATTRIBUTION: [&Formula; 2] = [&capacity::GAIN_SHARE_PCT, &capacity::REST_GAIN_PCT];
const COSTS: [&Formula; 3] = [&cost::USD_PER_MTOK_OUTPUT, &cost::OUTPUT_TOK_PER_USD, &cost::USD_PER_1K_REQUESTS];

const TOKEN_PRICES: [&Formula; 4] = [
    &token_price::UNCACHED_INPUT_USD_PER_1K_REQUESTS,
    &token_price::CACHED_INPUT_USD_PER_1K_REQUESTS,
    &token_price::OUTPUT_USD_PER_1K_REQUESTS,
    &token_price::TOKEN_USD_PER_1K_REQUESTS,
];

/// Rates in words; `0` is how load generators write that there is no limit.
fn rates(rates: &[f64]) -> String {
    let words = rates
        .iter()
        .map(|rate| if *rate == 0.0 { "no limit (written 0, assumed)".to_owned() } else { rate.to_string() });
    words.collect::<Vec<_>>().join(", ")
}
