//! Readings: the numbers that a record itself has, as its source measured them or states them of the setting.

use std::borrow::Cow;

use super::basis::is_measured;
use super::run::GOODPUT_TOKENS;
use super::{Basis, Figures, Sample, sample};
use crate::catalog::{Item, RECORD, anchor_of_key};
use crate::metric;
use crate::quantity::{Better, Quantity, Unit};
use crate::record::kv_efficiency::{HitRate, MeasuredValue, ValueBasis};
use crate::record::sweep::{Step, Sweep};
use crate::record::{KvEfficiency, Record};
use crate::schema::{Document, StatedNumber};
use crate::source::Kind;

/// One number, with what must be known of it.
#[derive(Debug)]
pub struct Reading<'a> {
    pub document: &'a Document,
    /// JSON pointer in `document`.
    pub pointer: String,
    /// Anchor of the config, variant, host or hit rate that it is of, or `record`.
    pub subject: String,
    /// The fields that lead to it from its subject, joined by dots: `requests.failed`.
    pub field: String,
    pub name: String,
    /// Which of several it is: an element of a list, a context, a kind of traffic.
    pub label: Option<String>,
    pub quantity: Quantity,
    pub unit: Cow<'a, str>,
    pub better: Better,
    pub basis: Basis,
    /// How much was measured, where it is a measurement.
    pub sample: Option<Sample>,
    pub limits: Vec<String>,
    pub remarks: Vec<String>,
}

impl Figures {
    /// Every number of a record that its schema gives a unit, then what a note's variants and a curator's observations
    /// have under names of their own.
    pub fn readings<'a>(&self, item: &'a Item) -> Vec<Reading<'a>> {
        let sweeps = match &item.record {
            Record::Run(run) => run.sweeps(),
            Record::Audit(audit) => audit.sweeps(),
            _ => Vec::new(),
        };
        let reader = Reader { figures: self, item, sweeps };
        let fields = item.documents().flat_map(|document| {
            let stated = document.quantities().into_iter();
            // A place in a list is no quantity.
            stated.filter(|stated| stated.unit != "index").map(|stated| reader.field(document, stated))
        });
        let mut readings: Vec<_> = fields.collect();
        readings.extend(item.kv_efficiency().map(|note| reader.values(note)).into_iter().flatten());
        readings.extend(reader.observations());
        readings
    }
}

/// Fields that say where a metric was measured, and not of what: they stand in the path and the label.
const PLACES: [&str; 4] = ["capacity", "latencies", "steps", "sweep"];

struct Reader<'a, 'f> {
    figures: &'f Figures,
    item: &'a Item,
    /// One a config.
    sweeps: Vec<Sweep<'a>>,
}

/// Where a number stands: of what, and under which names below that.
struct Place<'p> {
    subject: Cow<'p, str>,
    /// Position of the config, variant or host among the subjects.
    position: Option<usize>,
    names: Vec<&'p str>,
    label: Option<String>,
}

impl<'a> Reader<'a, '_> {
    fn field(&self, document: &'a Document, StatedNumber { pointer, quantity, unit }: StatedNumber) -> Reading<'a> {
        let segments: Vec<_> = pointer.split('/').skip(1).collect();
        let place = self.place(document.kind, &segments);
        let is_result = is_measured(document.kind, &pointer) && self.is_of_traffic(&segments);
        let assumed = self.assumed(&segments);
        let (above, last) = named(&place.names);
        let step = self.step(&segments);
        let mut limits: Vec<_> = assumed.iter().map(|reason| format!("assumed: {reason}")).collect();
        let mut remarks = Vec::new();
        if is_result {
            limits.extend(self.limits(place.position, last, step));
            let verdict = step.and_then(Step::verdict);
            remarks.extend(verdict.map(|met| if met { "met the SLO" } else { "did not meet the SLO" }.to_owned()));
            let unranked = self.figures.unranked(&self.item.address, &place.subject);
            remarks.extend(unranked.map(|reason| format!("not ranked: {reason}")));
        }
        remarks.extend(self.hit_rate_words(&segments));
        let above = above.iter().filter(|name| !PLACES.contains(name)).map(|name| metric::words(name));
        let above: Vec<_> = above.collect();
        let better = metric::metric(last).filter(|_| is_result).map_or(Better::Neither, |metric| metric.better);
        Reading {
            document,
            subject: place.subject.into_owned(),
            field: place.names.join("."),
            name: match &above[..] {
                [] => metric::name(last),
                above => format!("{}: {}", above.join(", "), metric::name(last)),
            },
            label: place.label,
            quantity,
            unit: unit.into(),
            better,
            basis: match (assumed, is_result) {
                (Some(_), _) => Basis::Assumed,
                (None, true) => Basis::Measured,
                (None, false) => Basis::Stated,
            },
            sample: is_result.then(|| self.sample(place.position, step)),
            limits,
            remarks,
            pointer,
        }
    }

    fn place<'p>(&'p self, kind: Kind, segments: &[&'p str]) -> Place<'p> {
        let at = |position: &str| position.parse::<usize>().ok();
        let of = |position: Option<usize>, below: &[&'p str]| {
            let anchor = position.and_then(|position| self.item.subjects.get(position)).map(|subject| &*subject.anchor);
            let (names, label) = names(below);
            Place { subject: anchor.unwrap_or(RECORD).into(), position, names, label }
        };
        let by_key = |key: &str, names: Vec<&'p str>, label| {
            let subject = if key == RECORD { RECORD.to_owned() } else { anchor_of_key(key) };
            Place { subject: subject.into(), position: None, names, label }
        };
        let note = self.item.kv_efficiency();
        match (kind, segments) {
            (Kind::Run | Kind::Audit, ["configs", position, below @ ..]) => of(at(position), below),
            (_, ["variants", position, "values", value, name]) => {
                let position = at(position);
                let variant = note.zip(position).and_then(|(note, position)| note.variants.get(position));
                let value = variant.zip(at(value)).and_then(|(variant, value)| variant.values.get(value));
                let names = value.map(|value| &*value.name).into_iter().chain([*name]).collect();
                Place { names, label: value.and_then(context), ..of(position, &[]) }
            }
            (_, ["variants", position, below @ ..]) => of(at(position), below),
            (_, ["hosts", position, below @ ..]) => {
                of(at(position).map(|position| note.map_or(0, |note| note.variants.len()) + position), below)
            }
            (_, ["hit_rates", ..]) => match self.hit_rate(segments) {
                Some((key, rate)) => by_key(key, [&segments[..1], &segments[2..]].concat(), Some(rate.of.clone())),
                None => of(None, segments),
            },
            (Kind::CuratorNote, ["observations", position, name]) => {
                let note = self.item.curator_note();
                match note.zip(at(position)).and_then(|(note, position)| note.observations.get(position)) {
                    Some(of) => by_key(&of.subject, vec![&of.metric, name], of.key.clone()),
                    None => of(None, segments),
                }
            }
            _ => of(None, segments),
        }
    }

    /// The hit rate that a number belongs to, and the key that its figures go by.
    fn hit_rate(&self, segments: &[&str]) -> Option<(&'a str, &'a HitRate)> {
        let ["hit_rates", position, ..] = segments else { return None };
        let note = self.item.kv_efficiency()?;
        let rate = note.hit_rates.get(position.parse::<usize>().ok()?)?;
        Some((note.key_of_figures(rate), rate))
    }

    /// Whether it is not a hit rate that a workload only allows or asks for.
    fn is_of_traffic(&self, segments: &[&str]) -> bool {
        self.hit_rate(segments).is_none_or(|(_, rate)| rate.kind.is_measured())
    }

    fn hit_rate_words(&self, segments: &[&str]) -> Vec<String> {
        let rate = self.hit_rate(segments);
        rate.into_iter()
            .flat_map(|(_, rate)| [Some(rate.kind.words().to_owned()), rate.note.clone()])
            .flatten()
            .collect()
    }

    fn step(&self, segments: &[&str]) -> Option<&Step<'a>> {
        let ["configs", config, "sweep" | "steps", step, ..] = segments else { return None };
        self.sweeps.get(config.parse::<usize>().ok()?)?.steps.get(step.parse::<usize>().ok()?)
    }

    /// Why a number is taken to be so, where the source does not say it.
    fn assumed(&self, segments: &[&str]) -> Option<String> {
        match (&self.item.record, segments) {
            (_, ["price", ..]) => self.item.stated_price()?.0.assumed.clone(),
            (Record::KvEfficiency(note), ["context_tokens"]) => note.context_basis.clone(),
            (Record::KvEfficiency(note), ["variants", position, "context_tokens"]) => {
                note.variants.get(position.parse::<usize>().ok()?)?.context_basis.clone()
            }
            (Record::Model(model), ["groups" | "draft_groups", ..]) => model.assumed.clone(),
            (_, ["observations", position, "questions"]) => {
                let observations = &self.item.curator_note()?.observations;
                observations.get(position.parse::<usize>().ok()?)?.questions_assumed.clone()
            }
            _ => None,
        }
    }

    /// What limits a result: whether accuracy was checked, what did not complete, percentiles of too few requests.
    fn limits(&self, position: Option<usize>, field: &str, step: Option<&Step>) -> Vec<String> {
        let gates = self.item.gates().zip(position);
        let mut limits: Vec<_> =
            gates.and_then(|(gates, at)| gates.of(at).limit()).map(str::to_owned).into_iter().collect();
        let config = self.item.run().zip(position).and_then(|(run, at)| run.configs.get(at));
        let requests = match step {
            Some(step) => step.requests,
            None => config.and_then(|config| config.requests.as_ref()),
        };
        limits.extend(requests.and_then(|requests| requests.lost()));
        limits.extend(match (step, config, self.item.audit()) {
            (Some(step), ..) => step.too_few_requests(field),
            (None, Some(config), _) => config.too_few_requests(field),
            (None, None, Some(audit)) => audit.workload.too_few_requests(field),
            _ => None,
        });
        if field == "goodput_tok_s" {
            limits.push(format!("assumed: {GOODPUT_TOKENS}"));
        }
        if step.is_some_and(|step| step.includes_warmup) {
            limits.push("start-up or compilation fell into this step".to_owned());
        }
        limits.extend(self.not_covered());
        limits
    }

    fn not_covered(&self) -> impl Iterator<Item = String> {
        self.item.not_covered().iter().map(|limit| format!("not covered: {limit}"))
    }

    fn sample(&self, position: Option<usize>, step: Option<&Step>) -> Sample {
        match step.map(|step| step.requests.and_then(|requests| requests.measured())) {
            Some(Some(requests)) => Sample::of_requests(requests),
            Some(None) if self.item.run().is_some() => Sample::NotStated,
            _ => sample::of_position(self.item, position),
        }
    }

    /// What variants have that no field is for.
    fn values(&self, note: &'a KvEfficiency) -> Vec<Reading<'a>> {
        let subjects = self.item.subjects.iter();
        let all = note.variants.iter().zip(subjects).flat_map(|(variant, subject)| {
            variant.values.iter().enumerate().map(move |(at, value)| {
                let bound = value.bound.map(|bound| format!("the source gives it as a limit: {}", bound.words()));
                let drawn = value.basis == Some(ValueBasis::Chart);
                Reading {
                    document: &self.item.document,
                    pointer: format!("{}/values/{at}/value", subject.pointer),
                    subject: subject.anchor.clone(),
                    field: value.name.clone(),
                    name: metric::words_beside(&value.name, &value.unit),
                    label: context(value),
                    quantity: value.value,
                    unit: value.unit.as_str().into(),
                    better: Better::Neither,
                    basis: if value.basis == Some(ValueBasis::Stated) { Basis::Stated } else { Basis::Measured },
                    sample: (value.basis != Some(ValueBasis::Stated)).then_some(Sample::NotStated),
                    limits: bound
                        .into_iter()
                        .chain(drawn.then(|| ValueBasis::READ_OFF.to_owned()))
                        .chain(self.not_covered())
                        .collect(),
                    remarks: value.note.iter().cloned().collect(),
                }
            })
        });
        all.collect()
    }

    /// What a curator found in the record's prose.
    fn observations(&self) -> Vec<Reading<'a>> {
        let Some(attached) = &self.item.note else { return Vec::new() };
        let all = attached.note.observations.iter().enumerate().map(|(at, found)| Reading {
            document: &attached.document,
            pointer: format!("/observations/{at}/value"),
            subject: if found.subject == RECORD { RECORD.to_owned() } else { anchor_of_key(&found.subject) },
            field: found.metric.clone(),
            name: metric::name(&found.metric),
            label: found.key.clone(),
            quantity: found.value,
            unit: metric::unit_of(&found.metric).symbol().into(),
            better: Better::Neither,
            basis: Basis::Stated,
            sample: None,
            limits: self.not_covered().collect(),
            remarks: [Some(format!("“{}”", found.quote)), found.note.clone()].into_iter().flatten().collect(),
        });
        all.collect()
    }
}

/// The names on a way, and the place in each list on it: `sweep 3`.
fn names<'p>(below: &[&'p str]) -> (Vec<&'p str>, Option<String>) {
    let is_position = |name: &str| name.parse::<usize>().is_ok();
    let places =
        below.windows(2).filter_map(|pair| Some(format!("{} {}", pair[0], pair[1].parse::<usize>().ok()? + 1)));
    let places: Vec<_> = places.collect();
    let names = below.iter().copied().filter(|name| !is_position(name)).collect();
    (names, (!places.is_empty()).then(|| places.join(", ")))
}

/// The names above that of a metric, and that: a rate at capacity is another metric than the rate that a run is offered.
fn named<'n, 'p>(names: &'n [&'p str]) -> (&'n [&'p str], &'p str) {
    match names {
        ["capacity", "request_rate_rps"] => (&[], "capacity_rps"),
        [above @ .., last] => (above, last),
        [] => (&[], ""),
    }
}

/// The context of a value where it is another than its variant's.
fn context(value: &MeasuredValue) -> Option<String> {
    value.context_tokens.map(|tokens| format!("at {}", Unit::Tokens.show(tokens)))
}

#[cfg(test)]
mod tests;
