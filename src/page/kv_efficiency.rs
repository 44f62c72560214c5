//! What the page of a KV-efficiency note shows.

use std::ops::Range;

use crate::catalog::{Item, anchor_of_key};
use crate::chart::{Amount, Axis, Better, Chart, Kind as Drawing, Limit, Stack, Stacked, TickStyle};
use crate::figures::Figure;
use crate::formula::{Formula, latency, memory};
use crate::quantity::{Quantity, Unit};
use crate::record::KvEfficiency;
use crate::record::kv_efficiency::{DtypeBasis, HitRateKind};
use crate::source::Kind;

use super::claim::subject_label;
use super::figure::Drawn;
use super::frame::{Here, Link};
use super::part::Strand;
use super::record::{Body, Fact, long_date, provenance};
use super::reproduce;
use super::table::{Cell, Heading, Row, Table, without_empty_columns, written};

pub fn body(here: &Here, item: &Item, note: &KvEfficiency) -> Body {
    let page = NotePage { here, item, note };
    Body {
        finding: finding(item, note),
        summary: page.summary(),
        facts: page.facts(),
        figures: page.memory().into_iter().collect(),
        method: Vec::new(),
        reproduce: reproduce::of_note(item, note),
    }
}

pub fn strands<'a>(here: &'a Here, item: &'a Item, note: &'a KvEfficiency) -> Vec<Strand<'a>> {
    let page = NotePage { here, item, note };
    let values = note.variants.iter().map(|variant| variant.values.len()).sum();
    vec![
        Strand::new(note.variants.len(), 1, move |range| vec![page.variants(range)]),
        Strand::new(note.hit_rates.len(), 1, move |range| vec![page.hit_rates(range)]),
        Strand::new(values, 1, move |range| vec![page.values(range)]),
    ]
}

/// The number that the note says is the one to quote.
pub fn finding(item: &Item, note: &KvEfficiency) -> String {
    let Some(headline) = &note.headline else {
        return note.summary.clone().unwrap_or_else(|| note.title.clone());
    };
    let value = written(&item.document, "/headline/value", headline.value);
    let unit = if headline.unit == "%" { "%".to_owned() } else { format!(" {}", headline.unit) };
    let rate = note.hit_rates.iter().find(|rate| rate.key == headline.subject);
    let of = rate.map(|rate| format!(" of {}", rate.of)).unwrap_or_default();
    format!("{}: {value}{unit}{of}", crate::metric::heading(&headline.metric))
}

#[derive(Clone, Copy)]
struct NotePage<'a> {
    here: &'a Here<'a>,
    item: &'a Item,
    note: &'a KvEfficiency,
}

impl NotePage<'_> {
    fn facts(&self) -> Vec<Fact> {
        let (note, here) = (self.note, self.here);
        let text = |label: &str, value: Option<&str>| value.map(|value| Fact::new(label, vec![Link::plain(value)]));
        let mut facts = vec![Fact::new("Published", vec![Link::plain(long_date(note.published))])];
        facts.extend(here.technique_fact(self.item));
        let models: Vec<_> = self.item.models.iter().map(|named| here.to_named(named, Kind::Model)).collect();
        facts.extend((!models.is_empty()).then(|| Fact::new("Model", models)));
        let hosts: Vec<_> = self
            .note
            .hosts
            .iter()
            .zip(&self.item.cards)
            .map(|(host, named)| {
                let mut link = here.to_named(named, Kind::Hardware);
                let label = host.label.as_ref().map(|label| format!(" ({label})")).unwrap_or_default();
                link.text = format!("{}{}{label}", times(host.count), link.text);
                link
            })
            .collect();
        if hosts.is_empty() {
            facts.extend(text("Card", note.no_card.as_deref()));
        } else {
            facts.push(Fact::new("Cards", hosts));
        }
        facts.extend(here.engine_fact(self.item));
        facts.push(Fact::new("KV dtype", vec![Link::plain(self.dtype())]));
        facts.extend(text("KV bytes basis", note.kv_bytes_basis.as_deref()));
        facts.extend(text("Context", note.context_tokens.map(|tokens| Unit::Tokens.show(tokens)).as_deref()));
        facts.extend(text("Flags", (!note.flags.is_empty()).then(|| note.flags.join(" ")).as_deref()));
        let confidence = format!("{}: {}", note.confidence, note.confidence_reason);
        facts.push(Fact::new("Confidence", vec![Link::plain(confidence)]));
        facts.extend(text("Closes", note.closes.as_deref()));
        facts.extend(provenance(self.item));
        facts
    }

    /// Why the headline is the number to quote, then what was found.
    fn summary(&self) -> Option<String> {
        let reason = self.note.headline.as_ref().and_then(|headline| headline.reason.as_deref());
        let parts: Vec<_> = [reason, self.note.summary.as_deref()].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    fn dtype(&self) -> String {
        let basis = match self.note.kv_dtype_basis {
            Some(DtypeBasis::Stated) => "stated",
            Some(DtypeBasis::Default) => "the engine's default",
            Some(DtypeBasis::Assumed) => "assumed",
            None => "basis not given",
        };
        match &self.note.kv_dtype {
            Some(dtype) => format!("{dtype} ({basis})"),
            None => "not stated; bf16 assumed".to_owned(),
        }
    }

    fn variants(&self, range: Range<usize>) -> Table {
        let text = |value: Option<&String>| Cell::text(value.map_or("–", String::as_str));
        let variants = self.note.variants.iter().enumerate().take(range.end).skip(range.start);
        let rows = variants.map(|(position, variant)| {
            let at = |field: &str| format!("/variants/{position}/{field}");
            let measured = |field: &str, value: Option<Quantity>| {
                Cell::measured(self.here, &self.item.document, &at(field), value)
            };
            let anchor = self.item.subjects.get(position).map(|subject| subject.anchor.clone());
            let figure = |formula: &Formula| {
                let found = self.here.site.figures.find(&self.item.address, anchor.as_deref()?, formula)?;
                Some(Cell::figure(self.here, &self.item.address, found))
            };
            let host = variant.host.as_deref().and_then(|key| self.note.hosts.iter().find(|host| host.key == key));
            let host = host.map(|host| format!("{}{}", times(host.count), host.accelerator));
            Row {
                head: variant.label.clone(),
                head_href: anchor.as_ref().map(|anchor| self.here.to_subject(&self.item.address, anchor)),
                marks: (self.item.baseline == Some(position)).then(|| "baseline".to_owned()).into_iter().collect(),
                cells: vec![
                    text(host.as_ref()),
                    text(variant.model.as_ref()),
                    text(variant.engine.as_ref()),
                    text(variant.kv_dtype.as_ref()),
                    measured("context_tokens", variant.context_tokens),
                    figure(&memory::KV_GIB_AT_CONTEXT).unwrap_or_else(|| text(None)),
                    measured("measured_ttft_ms_at_ctx", variant.measured_ttft_ms_at_ctx),
                    figure(&latency::TTFT_SPEEDUP).unwrap_or_else(|| text(None)),
                    measured("measured_tps_at_ctx", variant.measured_tps_at_ctx),
                    text(variant.note.as_ref()),
                ],
                anchor,
            }
        });
        let heading = |name: &str, unit: &str, direction: &'static str| Heading {
            name: name.to_owned(),
            unit: unit.to_owned(),
            direction,
        };
        without_empty_columns(Table {
            id: "variants".to_owned(),
            caption: "What was measured".to_owned(),
            head: vec![
                Heading::plain("Variant"),
                Heading::plain("Host"),
                Heading::plain("Model"),
                Heading::plain("Engine"),
                Heading::plain("KV dtype"),
                heading("Context", "tokens", ""),
                heading("KV cache at this context", "", "lower is better"),
                heading("TTFT at this context", "ms", "lower is better"),
                heading("TTFT speed-up", "x", "higher is better"),
                heading("Decode at this context", "output tok/s", "higher is better"),
                Heading::plain("Note"),
            ],
            rows: rows.collect(),
        })
    }

    fn hit_rates(&self, range: Range<usize>) -> Table {
        let figures = self.here.site.figures.of(&self.item.address);
        let rates = self.note.hit_rates.iter().enumerate().take(range.end).skip(range.start);
        let rows = rates.map(|(position, rate)| {
            let at = |field: &str| format!("/hit_rates/{position}/{field}");
            let measured = |field: &str, value: Option<Quantity>| {
                Cell::measured(self.here, &self.item.document, &at(field), value)
            };
            let anchor = anchor_of_key(self.note.key_of_figures(rate));
            let figure = |formula: &Formula| {
                let found = self.here.site.figures.find(&self.item.address, &anchor, formula);
                match found {
                    Some(figure) => Cell::figure(self.here, &self.item.address, figure),
                    None => Cell::text("–"),
                }
            };
            Row {
                anchor: None,
                head: rate.of.clone(),
                head_href: None,
                marks: self
                    .note
                    .headline
                    .as_ref()
                    .filter(|headline| headline.subject == rate.key)
                    .map(|_| "to quote".to_owned())
                    .into_iter()
                    .collect(),
                cells: vec![
                    measured("rate_pct", Some(rate.rate_pct)),
                    Cell::text(kind(rate.kind)),
                    figure(&memory::TOKENS_REUSED),
                    figure(&memory::KV_GIB_NOT_RECOMPUTED),
                    figure(&latency::TTFT_SPEEDUP_CEILING),
                    Cell::text(rate.note.clone().unwrap_or_else(|| "–".to_owned())),
                ],
            }
        });
        without_empty_columns(Table {
            id: "hit-rates".to_owned(),
            caption: "Hit rates, each with what it is a rate of".to_owned(),
            head: vec![
                Heading::plain("Rate of"),
                Heading { name: "Hit rate".to_owned(), unit: "%".to_owned(), direction: "" },
                Heading::plain("Kind"),
                Heading::derived(&memory::TOKENS_REUSED, figures),
                Heading::derived(&memory::KV_GIB_NOT_RECOMPUTED, figures),
                Heading::derived(&latency::TTFT_SPEEDUP_CEILING, figures),
                Heading::plain("Note"),
            ],
            rows: rows.collect(),
        })
    }

    fn values(&self, range: Range<usize>) -> Table {
        let variants = self.note.variants.iter().enumerate();
        let rows = variants.flat_map(|(position, variant)| {
            variant.values.iter().enumerate().map(move |(at, value)| {
                let pointer = format!("/variants/{position}/values/{at}/value");
                Row {
                    anchor: None,
                    head: format!("{}: {}", variant.label, value.name),
                    head_href: None,
                    marks: Vec::new(),
                    cells: vec![
                        Cell::measured(self.here, &self.item.document, &pointer, Some(value.value)),
                        Cell::text(value.unit.clone()),
                        Cell::text(value.note.clone().unwrap_or_else(|| "–".to_owned())),
                    ],
                }
            })
        });
        without_empty_columns(Table {
            id: "values".to_owned(),
            caption: "Other measured values".to_owned(),
            head: ["Value", "Reading", "Unit", "Note"].into_iter().map(Heading::plain).collect(),
            rows: rows.take(range.end).skip(range.start).collect(),
        })
    }

    /// The cache at the stated context against the memory of the first card.
    fn memory(&self) -> Option<Drawn> {
        let figures = self.here.site.figures.of(&self.item.address);
        let sized = |figure: &&std::sync::Arc<Figure>| figure.formula.id == memory::KV_GIB_AT_CONTEXT.id;
        let rows: Vec<_> = figures
            .iter()
            .filter(sized)
            .filter_map(|figure| {
                let gib = figure.quantity()?;
                let bytes = figure.formula.unit.in_bytes(gib)?;
                Some(Stack {
                    label: subject_label(self.item, &figure.subject),
                    amounts: vec![Amount { value: bytes.middle(), text: figure.shown() }],
                    total: figure.shown(),
                })
            })
            .collect();
        if rows.is_empty() {
            return None;
        }
        let card = self.item.cards.first().and_then(|named| self.here.site.catalog.hardware(named.entry()?));
        let limit = card.and_then(|(item, card)| {
            let bytes = Unit::Gb.in_bytes(card.memory_gb.into())?;
            Some(Limit {
                value: bytes.middle(),
                label: format!(
                    "{}: {} = {}",
                    item.title(),
                    Unit::Gb.show(card.memory_gb.into()),
                    Unit::Bytes.show(bytes)
                ),
            })
        });
        let context = self.note.context_tokens.map(|tokens| Unit::Tokens.show(tokens)).unwrap_or_default();
        let stacked = Stacked {
            subject: "cache".to_owned(),
            axis: Axis { title: "Memory".to_owned(), better: Better::Lower, ticks: TickStyle::Bytes },
            parts: vec!["KV cache".to_owned()],
            rows,
            limit,
        };
        Some(Drawn::new(&Chart {
            id: "chart:memory".to_owned(),
            caption: format!("KV cache of one sequence of {context} against the card; weights come on top"),
            source_line: format!("{}; KV dtype {}", self.item.address, self.dtype()),
            kind: Drawing::Stacked(stacked),
        }))
    }
}

fn kind(kind: HitRateKind) -> &'static str {
    match kind {
        HitRateKind::Replay => "one replayed prompt",
        HitRateKind::Aggregate => "all traffic of a span of time",
        HitRateKind::EngineCounter => "the engine's counter over a run",
        HitRateKind::RequestedShare => "the share the workload asked for",
        HitRateKind::Ceiling => "the most the workload allows",
        HitRateKind::RequestClass => "one class of requests",
    }
}

/// The number of cards before their name, where it is known.
pub fn times(count: Option<u32>) -> String {
    count.map(|count| format!("{count} × ")).unwrap_or_default()
}
