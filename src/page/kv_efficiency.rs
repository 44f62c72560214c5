//! What the page of a KV-efficiency note shows.

mod finding;
mod readings;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::catalog::{Item, Subject, anchor_of_key};
use crate::chart::{Amount, Axis, Better, Ceiling, Chart, Kind as Drawing, Stack, Stacked, TickStyle};
use crate::figures::Figure;
use crate::formula::{self, Formula, card, comparison, latency, memory, pool, transfer};
use crate::quantity::{Quantity, Unit};
use crate::record::KvEfficiency;
use crate::record::kv_efficiency::{DtypeBasis, Variant};
use crate::source::Kind;

use super::claim::subject_label;
use super::drawing;
use super::evidence;
use super::frame::{Here, Link};
use super::part::Strand;
use super::record::{Body, Fact, long_date, provenance};
use super::reproduce;
use super::table::{Cell, Heading, Row, Table, without_empty_columns};

pub use finding::finding;

pub fn body(here: &Here, item: &Item, note: &KvEfficiency) -> Body {
    let page = NotePage { here, item, note };
    Body {
        finding_price: None,
        finding: finding(here, item, note),
        summary: page.summary(),
        facts: page.facts(),
        figures: page.charts(),
        method: Vec::new(),
        spec: None,
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

/// A metric, a figure, or a value in some unit that only the note has a name for.
fn name_of(metric: &str, unit: &str) -> String {
    let formula = formula::ALL.iter().find(|formula| formula.id == metric);
    match (crate::metric::metric(metric), formula) {
        (Some(_), _) => crate::metric::heading(metric),
        (None, Some(formula)) => formula.name.to_owned(),
        (None, None) => {
            let words = crate::metric::words_beside(metric, unit);
            // A unit keeps its letters.
            match words.chars().next().filter(|_| !words.split(' ').next().unwrap_or_default().contains('/')) {
                Some(first) => first.to_uppercase().chain(words.chars().skip(1)).collect(),
                None => words,
            }
        }
    }
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
                link.text = host.described_as(&link.text);
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
        facts.extend(text("Context", self.context().as_deref()));
        facts.extend(text("Flags", (!note.flags.is_empty()).then(|| note.flags.join(" ")).as_deref()));
        let confidence = format!("{}: {}", note.confidence, note.confidence_reason);
        facts.push(Fact::new("Confidence", vec![Link::plain(confidence)]));
        facts.extend(evidence::fact(here, self.item));
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

    fn context(&self) -> Option<String> {
        let (tokens, basis) = self.note.context(None)?;
        let stated = self.item.document.stated("/context_tokens", Unit::Tokens, tokens);
        let assumed = basis.map(|reason| format!(" (assumed: {reason})")).unwrap_or_default();
        Some(stated + &assumed)
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
            None if self.note.variants.iter().any(|variant| variant.kv_dtype.is_some()) => {
                format!("each variant's own ({basis})")
            }
            None => "not stated; bf16 assumed".to_owned(),
        }
    }

    fn variants(&self, range: Range<usize>) -> Table {
        let text = |value: Option<&String>| Cell::text(value.map_or("–", String::as_str));
        let all = &self.note.variants;
        // What no variant has of its own stands once above, and the table has no column of it.
        let engine = self.note.engine.as_ref().filter(|_| all.iter().any(|variant| variant.engine.is_some()));
        let kv_dtype = self.note.kv_dtype.as_ref().filter(|_| all.iter().any(|variant| variant.kv_dtype.is_some()));
        let has_contexts = all.iter().any(|variant| variant.context_tokens.is_some());
        let rows = all.iter().enumerate().take(range.end).skip(range.start).map(|(position, variant)| {
            let at = |field: &str| format!("/variants/{position}/{field}");
            let measured = |field: &str, value: Option<Quantity>| {
                Cell::measured(self.here, &self.item.document, &at(field), value)
            };
            let anchor = self.item.subjects.get(position).map(|subject| subject.anchor.clone());
            let figure_of = |subject: &str, formula: &Formula| {
                let found = self.here.site.figures.find(&self.item.address, subject, formula)?;
                Some(Cell::figure(self.here, &self.item.address, found))
            };
            let figure = |formula: &Formula| figure_of(anchor.as_deref()?, formula);
            let host = variant.host.as_deref().and_then(|key| self.note.hosts.iter().find(|host| host.key == key));
            let host = host.map(|host| host.cards());
            Row {
                head: variant.label.clone(),
                head_href: anchor.as_ref().map(|anchor| self.here.to_subject(&self.item.address, anchor)),
                marks: (self.item.baseline == Some(position)).then(|| "baseline".to_owned()).into_iter().collect(),
                cells: vec![
                    text(host.as_ref()),
                    text(variant.model.as_ref()),
                    text(variant.engine.as_ref().or(engine)),
                    text(variant.kv_dtype.as_ref().or(kv_dtype)),
                    self.context_cell(position, variant, has_contexts),
                    figure(&memory::KV_GIB_AT_CONTEXT)
                        .or_else(|| figure_of(&self.shared_size(position)?, &memory::KV_GIB_AT_CONTEXT))
                        .unwrap_or_else(|| text(None)),
                    measured("measured_ttft_ms_at_ctx", variant.measured_ttft_ms_at_ctx),
                    figure(&latency::TTFT_SPEEDUP).unwrap_or_else(|| text(None)),
                    measured("measured_tps_at_ctx", variant.measured_tps_at_ctx),
                    measured("measured_kv_pool_tokens", variant.measured_kv_pool_tokens),
                    measured("measured_kv_pool_gib", variant.measured_kv_pool_gib),
                    figure(&pool::KV_POOL_BYTES_PER_TOKEN).unwrap_or_else(|| text(None)),
                    figure(&pool::KV_POOL_SEQUENCES).unwrap_or_else(|| text(None)),
                    measured("measured_kv_transfer_ms", variant.measured_kv_transfer_ms),
                    figure(&transfer::KV_TRANSFER_GB_S).unwrap_or_else(|| text(None)),
                    text(variant.note.as_ref()),
                ],
                anchor,
            }
        });
        let heading = |name: &str, unit: &str, direction: &'static str| Heading {
            unit: unit.to_owned(),
            direction,
            ..Heading::plain(name)
        };
        let mut table = without_empty_columns(Table {
            id: "variants".to_owned(),
            caption: "What was measured".into(),
            head: vec![
                Heading::plain("Variant"),
                Heading::plain("Host"),
                Heading::plain("Model"),
                Heading::plain("Engine"),
                Heading::plain("KV dtype"),
                heading("Context", "tokens", ""),
                heading("KV cache at this context", memory::KV_GIB_AT_CONTEXT.unit.heading(), "lower is better"),
                heading("TTFT at this context", "ms", "lower is better"),
                heading("TTFT speed-up", "x", "higher is better"),
                heading("Decode at this context", "output tok/s", "higher is better"),
                heading("KV pool", "tokens", "higher is better"),
                heading("Memory of the pool", "GiB", ""),
                heading("Price of a token in it", pool::KV_POOL_BYTES_PER_TOKEN.unit.heading(), "lower is better"),
                heading("Sequences of this context in it", pool::KV_POOL_SEQUENCES.unit.heading(), "higher is better"),
                heading("KV transfer", "ms", "lower is better"),
                heading("Rate of the KV transfer", transfer::KV_TRANSFER_GB_S.unit.heading(), "higher is better"),
                Heading::plain("Note"),
            ],
            rows: rows.collect(),
        });
        // Their values stand in the table below.
        if table.head.len() == 1 {
            table.caption = "Variants".into();
        }
        table
    }

    /// The variant's own context, else the note's where others have one of their own.
    fn context_cell(&self, position: usize, variant: &Variant, has_contexts: bool) -> Cell {
        let own = variant.context_tokens.map(|_| format!("/variants/{position}/context_tokens"));
        if own.is_none() && !has_contexts {
            return Cell::text("–");
        }
        let pointer = own.unwrap_or_else(|| "/context_tokens".to_owned());
        let context = self.note.context(Some(variant));
        let assumption = context.and_then(|(_, basis)| basis).map(|reason| format!("assumed: {reason}"));
        let tokens = context.map(|(tokens, _)| tokens);
        Cell::measured(self.here, &self.item.document, &pointer, tokens).noted(assumption)
    }

    /// The subject with the size of a variant that has none of its own: its model. Nothing where no variant has one.
    fn shared_size(&self, position: usize) -> Option<String> {
        let has_own = |subject: &Subject| {
            let found = self.here.site.figures.find(&self.item.address, &subject.anchor, &memory::KV_GIB_AT_CONTEXT);
            found.is_some()
        };
        let variants = self.item.subjects.iter().take(self.note.variants.len());
        let model = self.item.arms.get(position)?.model.filter(|_| variants.into_iter().any(has_own))?;
        Some(self.item.model_subjects.get(model)?.anchor.clone())
    }

    fn hit_rates(&self, range: Range<usize>) -> Table {
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
                    Cell::text(rate.kind.words()),
                    figure(&memory::TOKENS_REUSED),
                    figure(&memory::KV_GIB_NOT_RECOMPUTED),
                    figure(&latency::TTFT_SPEEDUP_CEILING),
                    Cell::text(rate.note.clone().unwrap_or_else(|| "–".to_owned())),
                ],
            }
        });
        without_empty_columns(Table {
            id: "hit-rates".to_owned(),
            caption: "Hit rates, each with what it is a rate of".into(),
            head: vec![
                Heading::plain("Rate of"),
                Heading { unit: "%".to_owned(), ..Heading::plain("Hit rate") },
                Heading::plain("Kind"),
                Heading::derived(self.here, &self.item.address, &memory::TOKENS_REUSED),
                Heading::derived(self.here, &self.item.address, &memory::KV_GIB_NOT_RECOMPUTED),
                Heading::derived(self.here, &self.item.address, &latency::TTFT_SPEEDUP_CEILING),
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
                let against = |formulas: &[&Formula]| {
                    let reading = format!("{}.{}", self.item.subjects.get(position)?.anchor, value.name);
                    let find = |formula: &&Formula| self.here.site.figures.find(&self.item.address, &reading, formula);
                    let figure = formulas.iter().find_map(find)?;
                    Some(Cell { text: figure.shown(), ..Cell::figure(self.here, &self.item.address, figure) })
                };
                Row {
                    anchor: None,
                    head: format!("{}: {}", variant.label, crate::metric::words_beside(&value.name, &value.unit)),
                    head_href: None,
                    marks: Vec::new(),
                    cells: vec![
                        Cell::measured(self.here, &self.item.document, &pointer, Some(value.value)),
                        Cell::text(value.unit.clone()),
                        against(&[&comparison::VALUE_RATIO]).unwrap_or_else(|| Cell::text("–")),
                        against(&[&comparison::VALUE_CHANGE_PCT, &comparison::VALUE_POINTS])
                            .unwrap_or_else(|| Cell::text("–")),
                        Cell::text(value.note.clone().unwrap_or_else(|| "–".to_owned())),
                    ],
                }
            })
        });
        without_empty_columns(Table {
            id: "values".to_owned(),
            caption: "Other measured values".into(),
            head: ["Value", "Reading", "Unit", "Times the baseline", "Change", "Note"].map(Heading::plain).to_vec(),
            rows: rows.take(range.end).skip(range.start).collect(),
        })
    }

    fn charts(&self) -> Vec<Chart> {
        let mut charts: Vec<_> = self.readings_of_headline().into_iter().chain(self.memory()).collect();
        if charts.is_empty() {
            charts.extend(self.most_readings());
        }
        drawing::limited(self.here, self.item, charts)
    }

    /// The cache of one sequence against the memory of the cards that hold it: one chart a host.
    fn memory(&self) -> Vec<Chart> {
        let mut by_host = BTreeMap::<Option<usize>, Vec<&Figure>>::new();
        for figure in self.here.site.figures.of(&self.item.address) {
            if figure.formula.id == memory::KV_GIB_AT_CONTEXT.id && figure.quantity().is_some() {
                by_host.entry(self.host_of(&figure.subject)).or_default().push(figure);
            }
        }
        let hosts = by_host.into_iter().enumerate();
        hosts.map(|(position, (host, sizes))| self.memory_of(position, host, &sizes)).collect()
    }

    /// The host that a size is held against: a variant's own, else the first.
    fn host_of(&self, subject: &str) -> Option<usize> {
        match self.variant_of(subject) {
            Some(position) => self.item.arms.get(position)?.host,
            None => (!self.note.hosts.is_empty()).then_some(0),
        }
    }

    fn variant_of(&self, subject: &str) -> Option<usize> {
        let variants = self.item.subjects.iter().take(self.note.variants.len());
        variants.into_iter().position(|variant| variant.anchor == subject)
    }

    fn context_of(&self, subject: &str) -> String {
        let variant = self.variant_of(subject).and_then(|position| self.note.variants.get(position));
        let Some((tokens, basis)) = self.note.context(variant) else { return String::new() };
        format!("{}{}", Unit::Tokens.show(tokens), basis.map_or("", |_| " (assumed)"))
    }

    fn memory_of(&self, position: usize, host: Option<usize>, sizes: &[&Figure]) -> Chart {
        let contexts: BTreeSet<_> = sizes.iter().map(|figure| self.context_of(&figure.subject)).collect();
        let one_context = contexts.first().filter(|_| contexts.len() == 1);
        let rows = sizes.iter().filter_map(|figure| {
            let bytes = figure.formula.unit.in_bytes(figure.quantity()?)?;
            let label = subject_label(self.item, &figure.subject);
            Some(Stack {
                label: match (one_context, self.context_of(&figure.subject)) {
                    (None, context) if context != label => format!("{label}, {context}"),
                    _ => label,
                },
                amounts: vec![Amount { value: bytes.middle(), text: figure.shown() }],
                total: figure.shown(),
            })
        });
        let verdict = sizes
            .iter()
            .find_map(|figure| self.here.site.figures.find(&self.item.address, &figure.subject, &card::FITS_CARD));
        let memory = verdict.and_then(|verdict| verdict.memory_of_cards_bytes());
        let cards = host.and_then(|host| Some((self.note.hosts.get(host)?.cards(), self.item.cards.get(host)?)));
        let limit = memory.zip(cards.as_ref()).map(|(bytes, (cards, named))| {
            let card = named.entry().and_then(|address| self.here.site.catalog.hardware(address));
            let sold = card.map(|(item, card)| {
                format!(" ({} each)", item.document.stated("/memory_gb", Unit::Gb, card.memory_gb.into()))
            });
            Ceiling {
                low: bytes.low(),
                high: bytes.high(),
                label: format!("{cards}{}: {}", sold.unwrap_or_default(), Unit::Bytes.show(bytes)),
            }
        });
        let against = match (&cards, &limit) {
            (Some((cards, _)), Some(_)) => format!(" against {cards}"),
            (Some((cards, _)), None) => format!(", on {cards}, whose memory in all is not known"),
            (None, _) => ", not held against a card".to_owned(),
        };
        let of = one_context.map(|tokens| format!(" of {tokens}")).unwrap_or_default();
        let own_dtype = |figure: &&Figure| {
            let variant = self.variant_of(&figure.subject).and_then(|position| self.note.variants.get(position));
            variant.is_some_and(|variant| variant.kv_dtype.is_some())
        };
        let dtype = match sizes.iter().any(own_dtype) {
            true => "each variant's own where it has one".to_owned(),
            false => self.dtype(),
        };
        Chart {
            id: if position == 0 { "chart:memory".to_owned() } else { format!("chart:memory-{}", position + 1) },
            caption: format!("KV cache of one sequence{of}{against}; weights come on top"),
            source_line: format!("{}; KV dtype {dtype}", self.item.address),
            limits: Vec::new(),
            kind: Drawing::Stacked(Stacked {
                subject: "cache".to_owned(),
                axis: Axis {
                    title: "KV cache of one sequence".to_owned(),
                    better: Better::Lower,
                    ticks: TickStyle::Bytes,
                },
                parts: vec!["KV cache".to_owned()],
                rows: rows.collect(),
                limit,
            }),
        }
    }
}
