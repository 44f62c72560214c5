//! What the page of a cost audit shows.

mod charts;
mod finding;

use crate::catalog::Item;
use crate::figures::Figure;
use crate::formula::{Formula, capacity, cost, memory, requests, token_price};
use crate::quantity::{Quantity, Unit};
use crate::record::audit::{AtCapacity, AuditConfig, Capacity};
use crate::record::{Audit, variables};
use crate::source::Kind;

use super::accuracy;
use super::derived::{self, Theme};
use super::evidence;
use super::frame::{Here, Link};
use super::part::Strand;
use super::record::{self, Body, Fact, FindingPrice, long_date, provenance};
use super::reproduce;
use super::steps;
use super::table::{Cell, Heading, Row, Table, offered, without_empty_columns};

pub fn body(here: &Here, item: &Item, audit: &Audit) -> Body {
    let page = AuditPage { here, item, audit };
    let finding = page.finding();
    Body {
        finding_price: page.lowest_cost().and_then(|figure| FindingPrice::of(&finding, figure)),
        finding,
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
    let weights = derived::weights(here, item, CONFIG_ROWS);
    let weights = configs.iter().filter_map(|(position, _)| weights.get(*position).copied()).collect();
    vec![
        Strand::new(configs.len(), CONFIG_ROWS, move |range| page.tables(&configs[range])).weighing(weights),
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
                let pairs: Vec<_> = environment.iter().map(|(name, value)| variables::assigned(name, value)).collect();
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
        let unranked = self.unranked(position).map(|reason| format!("not ranked: {reason}"));
        baseline.map(str::to_owned).into_iter().chain(unranked).chain(ungated.map(str::to_owned)).collect()
    }

    /// Why a config is shown and not ranked.
    fn unranked(&self, position: usize) -> Option<&'a str> {
        let subject = self.item.subjects.get(position)?;
        self.here.site.figures.unranked(&self.item.address, &subject.anchor)
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
