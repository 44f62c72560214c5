//! The evidence ledger of a result: of each field whether the source states it, it is computed here, it is assumed, or
//! nobody says it; and by one rule how complete the result is.

mod noted;
mod served;

use std::sync::Arc;

use super::Figure;
use super::basis::Basis;
use crate::catalog::{Catalog, Item};
use crate::compare::Part;
use crate::quantity::Quantity;
use crate::record::Record;
use Values::{OfNote, OfServed};
use noted::{Noted, absent, or_one};
use served::Served;

/// How a value of a result is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// The source says it, measured or not.
    Stated,
    /// It follows from what the source says.
    Computed,
    /// It is not the source's, or rests on something that is not.
    Assumed,
    Absent,
}

impl Evidence {
    pub const ALL: [Evidence; 4] = [Evidence::Stated, Evidence::Computed, Evidence::Assumed, Evidence::Absent];

    pub fn word(self) -> &'static str {
        match self {
            Evidence::Stated => "stated",
            Evidence::Computed => "computed",
            Evidence::Assumed => "assumed",
            Evidence::Absent => "absent",
        }
    }

    /// The word in a sentence of its own.
    pub fn words(self) -> &'static str {
        match self {
            Evidence::Stated => "stated by the source",
            Evidence::Computed => "computed here",
            Evidence::Assumed | Evidence::Absent => self.word(),
        }
    }

    /// What part of a field's weight a value of it earns.
    pub fn share(self) -> f64 {
        match self {
            Evidence::Stated | Evidence::Computed => 1.0,
            Evidence::Assumed => 0.5,
            Evidence::Absent => 0.0,
        }
    }
}

/// The rule of the score, as the methodology prints it: [`Evidence::share`], [`Line::points`] and
/// [`Ledger::completeness_pct`] in words.
pub const RULE: &str = "A value that the source states, or that is computed from what it states, earns its share of its \
    field's weight; an assumed one earns half of that share, an absent one nothing. Completeness is what all fields earn, \
    in percent of what they weigh. A field that a result cannot have does not count.";

/// A field of the ledger.
#[derive(Debug)]
pub struct Field {
    /// Name in data files.
    pub id: &'static str,
    pub name: &'static str,
    /// What its values are, and when it counts.
    pub of: &'static str,
    pub weight: u32,
    values: Values,
}

/// The values that a result has or lacks; none where the field does not count.
#[derive(Debug, Clone, Copy)]
enum Values {
    OfNote(fn(&Noted) -> Vec<Value>),
    /// Of a run or an audit.
    OfServed(fn(&Served) -> Vec<Value>),
}

impl Field {
    /// Whether notes have it; runs and audits have the others.
    pub fn is_of_notes(&self) -> bool {
        matches!(self.values, Values::OfNote(_))
    }
}

/// What the ledger looks at, and what each weighs.
#[rustfmt::skip]
pub static FIELDS: [Field; 44] = [
    Field { id: "model", name: "Model", of: "each model", weight: 2, values: OfNote(noted::models) },
    Field { id: "accelerator", name: "Accelerator", of: "each machine", weight: 2, values: OfNote(noted::accelerators) },
    Field { id: "count", name: "Number of cards", of: "each machine", weight: 1, values: OfNote(noted::counts) },
    Field { id: "engine", name: "Engine", of: "the note's, else each variant's", weight: 1, values: OfNote(noted::engines) },
    Field { id: "engine_version", name: "Engine version", of: "the note's", weight: 1, values: OfNote(noted::engine_version) },
    Field { id: "flags", name: "Flags", of: "the note's", weight: 1, values: OfNote(noted::flags) },
    Field { id: "kv_dtype", name: "KV dtype", of: "each variant's, else the note's", weight: 2, values: OfNote(noted::dtypes) },
    Field { id: "kv_bytes_basis", name: "Basis of the bytes", of: "the note's; assumed where a KV dtype is", weight: 1, values: OfNote(noted::bytes_basis) },
    Field { id: "context_tokens", name: "Context", of: "each variant's, else the note's; assumed where it says why it was taken", weight: 2, values: OfNote(noted::contexts) },
    Field { id: "kv_bytes_per_token", name: "KV bytes per token", of: "each figure", weight: 2, values: OfNote(noted::bytes_per_token) },
    Field { id: "kv_gib_at_context", name: "KV cache at the context", of: "each figure", weight: 2, values: OfNote(noted::at_context) },
    Field { id: "fits_card", name: "Whether it fits", of: "each figure", weight: 1, values: OfNote(noted::fits) },
    Field { id: "measured", name: "Something measured", of: "each variant, else the note", weight: 3, values: OfNote(noted::measured) },
    Field { id: "measured_ttft_ms_at_ctx", name: "TTFT at the context", of: "each variant", weight: 1, values: OfNote(noted::ttft) },
    Field { id: "measured_tps_at_ctx", name: "Decode speed at the context", of: "each variant", weight: 1, values: OfNote(noted::decode) },
    Field { id: "hit_rates", name: "Hit rates", of: "each rate; counts where there is one, or the technique is prefix caching or hit rates in production", weight: 2, values: OfNote(noted::hit_rates) },
    Field { id: "workload", name: "Tokens behind the hit rates", of: "each rate; counts as the rates do", weight: 1, values: OfNote(noted::workloads) },
    Field { id: "baseline", name: "Baseline", of: "the note's; counts where there are several variants", weight: 1, values: OfNote(noted::baseline) },
    Field { id: "figures", name: "Other figures", of: "each figure; counts where there is one", weight: 2, values: OfNote(noted::other_figures) },
    Field { id: "measured_by", name: "Who measured", of: "the note's", weight: 1, values: OfNote(|of| measured_by(of.item)) },
    Field { id: "sources", name: "Source with day and address", of: "each source: its day, and its address", weight: 2, values: OfNote(|of| sources(of.item)) },
    Field { id: "license", name: "Licence of the source", of: "the note's", weight: 1, values: OfNote(|of| license(of.item)) },
    Field { id: "weights_dtype", name: "Weights dtype", of: "each config", weight: 2, values: OfServed(|of| of.part(Part::WeightsDtype)) },
    Field { id: "kv_dtype", name: "KV dtype", of: "each config", weight: 2, values: OfServed(|of| of.part(Part::KvDtype)) },
    Field { id: "parallelism", name: "Parallelism", of: "each config", weight: 1, values: OfServed(|of| of.part(Part::Parallelism)) },
    Field { id: "engine_version", name: "Engine version", of: "the record's", weight: 1, values: OfServed(|of| of.engine_version()) },
    Field { id: "flags", name: "Flags", of: "the record's, or those of its configs", weight: 1, values: OfServed(|of| of.flags()) },
    Field { id: "trace", name: "Trace", of: "each config", weight: 2, values: OfServed(|of| of.part(Part::Trace)) },
    Field { id: "input_tokens", name: "Input tokens", of: "each config", weight: 1, values: OfServed(|of| of.part(Part::InputTokens)) },
    Field { id: "output_tokens", name: "Output tokens", of: "each config", weight: 1, values: OfServed(|of| of.part(Part::OutputTokens)) },
    Field { id: "prefix_share", name: "Share from cache", of: "each config", weight: 2, values: OfServed(|of| of.part(Part::PrefixShare)) },
    Field { id: "forced_lengths", name: "Output length", of: "each config", weight: 1, values: OfServed(|of| of.part(Part::ForcedLengths)) },
    Field { id: "arrival", name: "Arrival", of: "each config", weight: 1, values: OfServed(|of| of.part(Part::Arrival)) },
    Field { id: "load", name: "Load", of: "each config", weight: 2, values: OfServed(|of| of.part(Part::Load)) },
    Field { id: "slo", name: "SLO", of: "each config; counts where it has goodput or a capacity", weight: 2, values: OfServed(|of| of.part_where(Part::Slo, &["goodput_tok_s", "capacity_rps"])) },
    Field { id: "power_boundary", name: "Power boundary", of: "each config; counts where its energy is known", weight: 1, values: OfServed(|of| of.part_where(Part::PowerBoundary, &["energy_j_per_output_token"])) },
    Field { id: "window", name: "Measuring window", of: "each config; counts where its energy is known", weight: 1, values: OfServed(|of| of.part_where(Part::Window, &["energy_j_per_output_token"])) },
    Field { id: "price_basis", name: "Price basis", of: "each config; counts where its cost is known", weight: 1, values: OfServed(|of| of.part_where(Part::PriceBasis, &["usd_per_mtok_output"])) },
    Field { id: "accuracy", name: "Accuracy", of: "each config: whether it was checked", weight: 2, values: OfServed(served::accuracy) },
    Field { id: "sample", name: "Size of the sample", of: "each config with a figure that rests on one", weight: 1, values: OfServed(served::samples) },
    Field { id: "uncertainty", name: "Uncertainty", of: "each config", weight: 2, values: OfServed(served::uncertainties) },
    Field { id: "measured_by", name: "Who measured", of: "the record's", weight: 1, values: OfServed(|of| measured_by(of.item)) },
    Field { id: "sources", name: "Source with day and address", of: "each source: its day, and its address", weight: 2, values: OfServed(|of| sources(of.item)) },
    Field { id: "license", name: "Licence of the source", of: "the record's", weight: 1, values: OfServed(|of| license(of.item)) },
];

/// One value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Value {
    evidence: Evidence,
    place: Option<Place>,
}

/// Where a value stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// JSON pointer in the note.
    Field(String),
    /// Anchor of a figure of the note.
    Figure(String),
}

/// What the ledger says of a result.
#[derive(Debug)]
pub struct Ledger {
    /// The fields that count, in order.
    pub lines: Vec<Line>,
}

#[derive(Debug)]
pub struct Line {
    pub field: &'static Field,
    /// Values by how they are known, as [`Evidence::ALL`] has it.
    pub counts: [usize; 4],
    /// Where the first value stands that is not absent.
    pub place: Option<Place>,
}

/// The ledger of a result; `None` for what is none.
pub fn ledger(catalog: &Catalog, item: &Item, figures: &[Arc<Figure>]) -> Option<Ledger> {
    let lines: Vec<_> = match &item.record {
        Record::KvEfficiency(note) => {
            let noted = Noted { item, note, figures };
            let values = |field: &Field| match field.values {
                OfNote(values) => values(&noted),
                OfServed(_) => Vec::new(),
            };
            FIELDS.iter().filter_map(|field| Line::of(field, &values(field))).collect()
        }
        Record::Run(_) | Record::Audit(_) => {
            let served = Served::of(catalog, item, figures);
            let values = |field: &Field| match field.values {
                OfServed(values) => values(&served),
                OfNote(_) => Vec::new(),
            };
            FIELDS.iter().filter_map(|field| Line::of(field, &values(field))).collect()
        }
        _ => return None,
    };
    Some(Ledger { lines })
}

impl Line {
    /// Nothing where the field has no values, and so does not count.
    fn of(field: &'static Field, values: &[Value]) -> Option<Self> {
        let count = |wanted: Evidence| values.iter().filter(|value| value.evidence == wanted).count();
        let known = values.iter().find(|value| value.evidence != Evidence::Absent);
        let place = known.and_then(|value| value.place.clone());
        (!values.is_empty()).then(|| Line { field, counts: Evidence::ALL.map(count), place })
    }

    /// What the field earns of its weight.
    pub fn points(&self) -> Quantity {
        let values: usize = self.counts.iter().sum();
        let earned: f64 =
            Evidence::ALL.iter().zip(self.counts).map(|(known, count)| known.share() * count as f64).sum();
        Quantity::exact(f64::from(self.field.weight) * earned / values as f64)
    }
}

impl Ledger {
    /// Values of all fields, by how they are known.
    pub fn counts(&self) -> [usize; 4] {
        std::array::from_fn(|at| self.lines.iter().map(|line| line.counts[at]).sum())
    }

    /// How complete the result is, in percent, by [`RULE`].
    pub fn completeness_pct(&self) -> Quantity {
        let weight: u32 = self.lines.iter().map(|line| line.field.weight).sum();
        let points: f64 = self.lines.iter().map(|line| line.points().middle()).sum();
        Quantity::exact(100.0 * points / f64::from(weight))
    }
}

impl Value {
    fn at(evidence: Evidence, pointer: impl Into<String>) -> Self {
        Value { evidence, place: Some(Place::Field(pointer.into())) }
    }

    /// Stated where it is there.
    fn stated(is_there: bool, pointer: impl Into<String>) -> Self {
        if is_there { Value::at(Evidence::Stated, pointer) } else { Value { evidence: Evidence::Absent, place: None } }
    }

    fn of_figure(figure: &Figure) -> Self {
        let place = Some(Place::Figure(figure.anchor()));
        let evidence = match (&figure.outcome, figure.basis()) {
            (Ok(_), Basis::Assumed) => Evidence::Assumed,
            (Ok(_), _) => Evidence::Computed,
            (Err(_), _) if figure.stated.is_empty() => Evidence::Absent,
            (Err(_), _) => Evidence::Stated,
        };
        Value { evidence, place }
    }
}

fn measured_by(item: &Item) -> Vec<Value> {
    let named = item.provenance().is_some_and(|provenance| provenance.measured_by.is_some());
    vec![Value::stated(named, "/provenance/measured_by")]
}

fn sources(item: &Item) -> Vec<Value> {
    let sources = item.citations().iter().enumerate().flat_map(|(at, source)| {
        [
            Value::stated(source.date.is_some(), format!("/sources/{at}/date")),
            Value::stated(source.url.is_some(), format!("/sources/{at}/url")),
        ]
    });
    or_one(sources.collect(), absent)
}

fn license(item: &Item) -> Vec<Value> {
    vec![Value::stated(item.license().is_some(), "/license")]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn fields_have_names_of_their_own() {
        for of_notes in [true, false] {
            let own: Vec<_> = FIELDS.iter().filter(|field| field.is_of_notes() == of_notes).collect();
            for name in [|field: &&Field| field.id, |field: &&Field| field.name] {
                assert_eq!(own.iter().map(name).collect::<BTreeSet<_>>().len(), own.len());
            }
        }
    }

    #[test]
    fn how_a_field_is_known_is_said_in_words() {
        let all = [Evidence::Stated, Evidence::Computed, Evidence::Assumed, Evidence::Absent];
        assert_eq!(all.map(Evidence::words), ["stated by the source", "computed here", "assumed", "absent"]);
        assert_eq!(all.map(Evidence::word), ["stated", "computed", "assumed", "absent"]);
    }

    #[test]
    fn a_field_is_shown_where_the_first_value_that_is_known_stands() {
        let value = |evidence, pointer: &str| Value::at(evidence, pointer);
        let values = [
            Value::stated(false, "/a"),
            value(Evidence::Absent, "/b"),
            value(Evidence::Assumed, "/c"),
            Value::stated(true, "/d"),
        ];
        let line = Line::of(&FIELDS[0], &values).expect("it has values");
        assert_eq!(line.counts, [1, 0, 1, 2]);
        assert!(matches!(&line.place, Some(Place::Field(pointer)) if pointer == "/c"));
        let nowhere = Line::of(&FIELDS[0], &values[..1]).expect("it has a value");
        assert!(nowhere.place.is_none());
        assert!(Line::of(&FIELDS[0], &[]).is_none());
    }

    #[test]
    fn a_field_earns_the_mean_of_what_its_values_earn() {
        // Of four values one each: (1 + 1 + ½ + 0) ÷ 4 of a weight of 2.
        let line = Line { field: &FIELDS[0], counts: [1, 1, 1, 1], place: None };
        assert_eq!((line.field.weight, line.points()), (2, Quantity::exact(1.25)));
        let bare = Line { field: &FIELDS[2], counts: [0, 0, 0, 3], place: None };
        let ledger = Ledger { lines: vec![line, bare] };
        // 1.25 of 2 and 0 of 1.
        assert_eq!(ledger.completeness_pct(), Quantity::exact(125.0 / 3.0));
        assert_eq!(ledger.counts(), [1, 1, 1, 4]);
    }
}
