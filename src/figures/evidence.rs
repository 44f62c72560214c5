//! The evidence ledger of a KV-efficiency note: of each field whether the source states it, it is computed here, it is
//! assumed, or nobody says it; and by one rule how complete the note is.

use std::sync::Arc;

use super::Figure;
use super::basis::Basis;
use super::sheet::IS_BASELINE;
use crate::catalog::Item;
use crate::formula::{Formula, card, memory};
use crate::quantity::Quantity;
use crate::record::KvEfficiency;
use crate::record::kv_efficiency::{DtypeBasis, HitRateKind, Technique, Variant};

/// How a value of a note is known.
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
    in percent of what they weigh. A field that a note cannot have does not count.";

/// A field of the ledger.
#[derive(Debug)]
pub struct Field {
    /// Name in data files.
    pub id: &'static str,
    pub name: &'static str,
    /// What its values are, and when it counts.
    pub of: &'static str,
    pub weight: u32,
    /// The values that a note has or lacks; none where the field does not count.
    values: fn(&Noted) -> Vec<Value>,
}

/// What the ledger looks at, and what each weighs.
#[rustfmt::skip]
pub static FIELDS: [Field; 22] = [
    Field { id: "model", name: "Model", of: "each model", weight: 2, values: models },
    Field { id: "accelerator", name: "Accelerator", of: "each machine", weight: 2, values: accelerators },
    Field { id: "count", name: "Number of cards", of: "each machine", weight: 1, values: counts },
    Field { id: "engine", name: "Engine", of: "the note's, else each variant's", weight: 1, values: engines },
    Field { id: "engine_version", name: "Engine version", of: "the note's", weight: 1, values: engine_version },
    Field { id: "flags", name: "Flags", of: "the note's", weight: 1, values: flags },
    Field { id: "kv_dtype", name: "KV dtype", of: "each variant's, else the note's", weight: 2, values: dtypes },
    Field { id: "kv_bytes_basis", name: "Basis of the bytes", of: "the note's; assumed where a KV dtype is", weight: 1, values: bytes_basis },
    Field { id: "context_tokens", name: "Context", of: "each variant's, else the note's; assumed where it says why it was taken", weight: 2, values: contexts },
    Field { id: "kv_bytes_per_token", name: "KV bytes per token", of: "each figure", weight: 2, values: bytes_per_token },
    Field { id: "kv_gib_at_context", name: "KV cache at the context", of: "each figure", weight: 2, values: at_context },
    Field { id: "fits_card", name: "Whether it fits", of: "each figure", weight: 1, values: fits },
    Field { id: "measured", name: "Something measured", of: "each variant, else the note", weight: 3, values: measured },
    Field { id: "measured_ttft_ms_at_ctx", name: "TTFT at the context", of: "each variant", weight: 1, values: ttft },
    Field { id: "measured_tps_at_ctx", name: "Decode speed at the context", of: "each variant", weight: 1, values: decode },
    Field { id: "hit_rates", name: "Hit rates", of: "each rate; counts where there is one, or the technique is prefix caching or hit rates in production", weight: 2, values: hit_rates },
    Field { id: "workload", name: "Tokens behind the hit rates", of: "each rate; counts as the rates do", weight: 1, values: workloads },
    Field { id: "baseline", name: "Baseline", of: "the note's; counts where there are several variants", weight: 1, values: baseline },
    Field { id: "figures", name: "Other figures", of: "each figure; counts where there is one", weight: 2, values: other_figures },
    Field { id: "measured_by", name: "Who measured", of: "the note's", weight: 1, values: measured_by },
    Field { id: "sources", name: "Source with day and address", of: "each source: its day, and its address", weight: 2, values: sources },
    Field { id: "license", name: "Licence of the source", of: "the note's", weight: 1, values: license },
];

/// A note with its figures.
struct Noted<'a> {
    item: &'a Item,
    note: &'a KvEfficiency,
    figures: &'a [Arc<Figure>],
}

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

/// What the ledger says of a note.
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

/// The ledger of a note.
pub fn ledger(item: &Item, note: &KvEfficiency, figures: &[Arc<Figure>]) -> Ledger {
    let noted = Noted { item, note, figures };
    let line = |field: &'static Field| {
        let values = (field.values)(&noted);
        let count = |wanted: Evidence| values.iter().filter(|value| value.evidence == wanted).count();
        let known = values.iter().find(|value| value.evidence != Evidence::Absent);
        let counts = Evidence::ALL.map(count);
        (!values.is_empty()).then(|| Line { field, counts, place: known.and_then(|value| value.place.clone()) })
    };
    Ledger { lines: FIELDS.iter().filter_map(line).collect() }
}

impl Line {
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

    /// How complete the note is, in percent, by [`RULE`].
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

impl Noted<'_> {
    /// A value of each variant; of the note as a whole where it has none.
    fn of_variants(&self, value: impl Fn(usize, &Variant) -> Value, otherwise: impl Fn() -> Value) -> Vec<Value> {
        let variants = self.note.variants.iter().enumerate();
        or_one(variants.map(|(position, variant)| value(position, variant)).collect(), otherwise)
    }

    fn figures(&self, wanted: impl Fn(&Formula) -> bool) -> Vec<Value> {
        let is_baseline = |figure: &Figure| figure.outcome.as_ref().is_err_and(|missing| missing.reason == IS_BASELINE);
        let figures = self.figures.iter().filter(|figure| wanted(figure.formula) && !is_baseline(figure));
        figures.map(|figure| Value::of_figure(figure)).collect()
    }

    fn dtype_of_note(&self) -> Value {
        let evidence = match (&self.note.kv_dtype, self.note.kv_dtype_basis) {
            (Some(_), Some(DtypeBasis::Stated)) => Evidence::Stated,
            // Without one, sizes are those at bf16.
            (None, _) if self.note.models.is_empty() => Evidence::Absent,
            _ => Evidence::Assumed,
        };
        let field = if self.note.kv_dtype.is_some() { "/kv_dtype" } else { "/kv_dtype_basis" };
        Value::at(evidence, field)
    }

    fn asks_for_hit_rates(&self) -> bool {
        matches!(self.note.technique, Technique::PrefixCaching | Technique::ProductionHitRate)
    }
}

fn or_one(values: Vec<Value>, otherwise: impl Fn() -> Value) -> Vec<Value> {
    if values.is_empty() { vec![otherwise()] } else { values }
}

fn absent() -> Value {
    Value { evidence: Evidence::Absent, place: None }
}

fn models(noted: &Noted) -> Vec<Value> {
    let models = (0..noted.note.models.len()).map(|at| Value::at(Evidence::Stated, format!("/models/{at}/name")));
    or_one(models.collect(), absent)
}

fn accelerators(noted: &Noted) -> Vec<Value> {
    let hosts = (0..noted.note.hosts.len()).map(|at| Value::at(Evidence::Stated, format!("/hosts/{at}/accelerator")));
    or_one(hosts.collect(), absent)
}

fn counts(noted: &Noted) -> Vec<Value> {
    let hosts = noted.note.hosts.iter().enumerate();
    or_one(hosts.map(|(at, host)| Value::stated(host.count.is_some(), format!("/hosts/{at}/count"))).collect(), absent)
}

fn engines(noted: &Noted) -> Vec<Value> {
    if noted.note.engine.is_some() {
        return vec![Value::at(Evidence::Stated, "/engine")];
    }
    let own = |at: usize, variant: &Variant| Value::stated(variant.engine.is_some(), format!("/variants/{at}/engine"));
    noted.of_variants(own, absent)
}

fn engine_version(noted: &Noted) -> Vec<Value> {
    vec![Value::stated(noted.note.engine_version.is_some(), "/engine_version")]
}

fn flags(noted: &Noted) -> Vec<Value> {
    vec![Value::stated(!noted.note.flags.is_empty(), "/flags")]
}

fn dtypes(noted: &Noted) -> Vec<Value> {
    let own = |at: usize, variant: &Variant| match variant.kv_dtype {
        Some(_) => Value::at(Evidence::Stated, format!("/variants/{at}/kv_dtype")),
        None => noted.dtype_of_note(),
    };
    noted.of_variants(own, || noted.dtype_of_note())
}

fn bytes_basis(noted: &Noted) -> Vec<Value> {
    let assumed = dtypes(noted).iter().any(|value| value.evidence == Evidence::Assumed);
    let evidence = if assumed { Evidence::Assumed } else { Evidence::Stated };
    let words = noted.note.kv_bytes_basis.as_ref();
    vec![words.map_or_else(absent, |_| Value::at(evidence, "/kv_bytes_basis"))]
}

fn contexts(noted: &Noted) -> Vec<Value> {
    let value = |variant: Option<&Variant>, folder: String| match noted.note.context(variant) {
        Some((_, Some(_))) => Value::at(Evidence::Assumed, folder + "/context_basis"),
        Some((_, None)) => Value::at(Evidence::Stated, folder + "/context_tokens"),
        None => absent(),
    };
    let of_note = || value(None, String::new());
    let own = |at: usize, variant: &Variant| match variant.context_tokens {
        Some(_) => value(Some(variant), format!("/variants/{at}")),
        None => of_note(),
    };
    noted.of_variants(own, of_note)
}

fn bytes_per_token(noted: &Noted) -> Vec<Value> {
    or_one(noted.figures(|formula| formula.id == memory::KV_BYTES_PER_TOKEN.id), absent)
}

fn at_context(noted: &Noted) -> Vec<Value> {
    or_one(noted.figures(|formula| formula.id == memory::KV_GIB_AT_CONTEXT.id), absent)
}

fn fits(noted: &Noted) -> Vec<Value> {
    or_one(noted.figures(|formula| formula.id == card::FITS_CARD.id), absent)
}

fn other_figures(noted: &Noted) -> Vec<Value> {
    let own = [memory::KV_BYTES_PER_TOKEN.id, memory::KV_GIB_AT_CONTEXT.id, card::FITS_CARD.id];
    noted.figures(|formula| !own.contains(&formula.id))
}

/// A variant has times, other values, or a hit rate of its own.
fn measured(noted: &Noted) -> Vec<Value> {
    let rates = &noted.note.hit_rates;
    let any_rate = || Value::stated(!rates.is_empty(), "/hit_rates");
    let own = |at: usize, variant: &Variant| {
        let times = variant.measured_ttft_ms_at_ctx.is_some() || variant.measured_tps_at_ctx.is_some();
        let rate = rates.iter().any(|rate| rate.subject.as_ref() == Some(&variant.key));
        Value::stated(times || rate || !variant.values.is_empty(), format!("/variants/{at}"))
    };
    noted.of_variants(own, any_rate)
}

fn ttft(noted: &Noted) -> Vec<Value> {
    let own = |at: usize, variant: &Variant| {
        let pointer = format!("/variants/{at}/measured_ttft_ms_at_ctx");
        Value::stated(variant.measured_ttft_ms_at_ctx.is_some(), pointer)
    };
    noted.of_variants(own, absent)
}

fn decode(noted: &Noted) -> Vec<Value> {
    let own = |at: usize, variant: &Variant| {
        let pointer = format!("/variants/{at}/measured_tps_at_ctx");
        Value::stated(variant.measured_tps_at_ctx.is_some(), pointer)
    };
    noted.of_variants(own, absent)
}

fn hit_rates(noted: &Noted) -> Vec<Value> {
    let rates = 0..noted.note.hit_rates.len();
    let rates: Vec<_> = rates.map(|at| Value::at(Evidence::Stated, format!("/hit_rates/{at}/rate_pct"))).collect();
    if noted.asks_for_hit_rates() { or_one(rates, absent) } else { rates }
}

/// Those of a replay are its context.
fn workloads(noted: &Noted) -> Vec<Value> {
    let contexts = contexts(noted).into_iter().all(|value| value.evidence == Evidence::Stated);
    let rates = noted.note.hit_rates.iter().enumerate().map(|(at, rate)| {
        let is_there = rate.tokens.is_some() || (rate.kind == HitRateKind::Replay && contexts);
        let field = if rate.tokens.is_some() { "tokens" } else { "of" };
        Value::stated(is_there, format!("/hit_rates/{at}/{field}"))
    });
    let rates: Vec<_> = rates.collect();
    if noted.asks_for_hit_rates() { or_one(rates, absent) } else { rates }
}

/// Where the note names none, the first variant is taken.
fn baseline(noted: &Noted) -> Vec<Value> {
    let variants = &noted.note.variants;
    if variants.len() < 2 {
        return Vec::new();
    }
    let named = noted.note.baseline.is_some() || variants.iter().any(|variant| variant.baseline.is_some());
    let place = noted.item.baseline.map(|at| Place::Field(format!("/variants/{at}")));
    vec![Value { evidence: if named { Evidence::Stated } else { Evidence::Assumed }, place }]
}

fn measured_by(noted: &Noted) -> Vec<Value> {
    let named = noted.item.provenance().is_some_and(|provenance| provenance.measured_by.is_some());
    vec![Value::stated(named, "/provenance/measured_by")]
}

fn sources(noted: &Noted) -> Vec<Value> {
    let sources = noted.item.citations().iter().enumerate().flat_map(|(at, source)| {
        [
            Value::stated(source.date.is_some(), format!("/sources/{at}/date")),
            Value::stated(source.url.is_some(), format!("/sources/{at}/url")),
        ]
    });
    or_one(sources.collect(), absent)
}

fn license(noted: &Noted) -> Vec<Value> {
    vec![Value::stated(noted.item.license().is_some(), "/license")]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn fields_have_names_of_their_own() {
        for name in [|field: &Field| field.id, |field: &Field| field.name] {
            assert_eq!(FIELDS.iter().map(name).collect::<BTreeSet<_>>().len(), FIELDS.len());
        }
    }

    #[test]
    fn how_a_field_is_known_is_said_in_words() {
        let all = [Evidence::Stated, Evidence::Computed, Evidence::Assumed, Evidence::Absent];
        assert_eq!(all.map(Evidence::words), ["stated by the source", "computed here", "assumed", "absent"]);
        assert_eq!(all.map(Evidence::word), ["stated", "computed", "assumed", "absent"]);
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
