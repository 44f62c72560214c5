//! Figures of a KV-efficiency note.

mod pool;
mod readings;
mod transfer;

use std::sync::Arc;

use super::card::Cards;
use super::geometry::{self, Cache};
use super::sheet::{Found, compute, derived, field, missing};
use super::{Fact, Figure, Missing};
use crate::catalog::{Arm, Catalog, Item, ModelSubject, Named, Subject, anchor_of_key};
use crate::compare::{self, Alike, Comparison};
use crate::diagnostic::counted;
use crate::formula::{Formula, card, latency, memory};
use crate::quantity::Unit;
use crate::record::KvEfficiency;
use crate::record::kv_efficiency::{HitRate, HitRateKind, Variant};

/// Sizes first, of each model and then of what variants and hosts have of their own; then what was reused, and how fast.
pub fn figures(catalog: &Catalog, item: &Item, note: &KvEfficiency) -> Vec<Figure> {
    let sheet = Sheet { catalog, item, note };
    let mut figures = Vec::new();
    for (position, subject) in item.model_subjects.iter().enumerate() {
        figures.extend(sheet.of_model(position, subject));
    }
    for row in sheet.rows().filter(|row| sheet.has_own_sizes(row)) {
        figures.extend(sheet.of_variant(&row));
    }
    figures.extend(sheet.of_further_hosts());
    figures.extend(sheet.reused());
    figures.extend(sheet.ceilings());
    // Where no first token was timed, none is missing.
    if note.variants.iter().any(|variant| variant.measured_ttft_ms_at_ctx.is_some()) {
        figures.extend(sheet.rows().map(|row| sheet.speedup(&row)));
    }
    figures.extend(sheet.rows().flat_map(|row| sheet.pool(&row)));
    figures.extend(sheet.rows().flat_map(|row| sheet.transfer(&row)));
    figures.extend(sheet.rows().flat_map(|row| sheet.readings(&row)));
    figures
}

struct Sheet<'a> {
    catalog: &'a Catalog,
    item: &'a Item,
    note: &'a KvEfficiency,
}

/// A variant with its place in the record.
#[derive(Clone, Copy)]
struct Row<'a> {
    position: usize,
    subject: &'a Subject,
    variant: &'a Variant,
    arm: &'a Arm,
}

impl Row<'_> {
    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.subject.pointer)
    }
}

impl<'a> Sheet<'a> {
    fn rows(&self) -> impl Iterator<Item = Row<'a>> {
        let variants = self.item.subjects.iter().zip(&self.note.variants).zip(&self.item.arms).enumerate();
        variants.map(|(position, ((subject, variant), arm))| Row { position, subject, variant, arm })
    }

    /// The variant that another is held against.
    fn baseline(&self, row: &Row) -> Option<Row<'a>> {
        self.rows().nth(row.arm.baseline?)
    }

    fn compared(&self, alike: Alike, baseline: &Row, row: &Row) -> Comparison {
        compare::variants(self.catalog, self.item, alike, baseline.position, row.position)
    }

    fn row(&self, anchor: &str) -> Option<Row<'a>> {
        self.rows().find(|row| row.subject.anchor == anchor)
    }

    /// One of the note's models; an open one is missing.
    fn model(&self, position: Option<usize>) -> Result<&'a Named, Missing> {
        if let Some(named) = position.and_then(|position| self.item.models.get(position)) {
            return Ok(named);
        }
        Err(Missing::because(match self.item.models.len() {
            0 => "the note names no model".to_owned(),
            models => format!("which of {} it is of is not stated", counted(models, "model")),
        }))
    }

    /// Storage type and context of a variant are its own where it has them, else the note's.
    fn cache(&self, named: &Named, row: Option<&Row>) -> Result<Cache<'_>, Missing> {
        let own = row.and_then(|row| Some((row.at("kv_dtype"), row.variant.kv_dtype.as_deref()?)));
        let (pointer, dtype) = match (own, self.note.kv_dtype.as_deref()) {
            (Some((pointer, dtype)), _) => (pointer, Some(dtype)),
            (None, Some(dtype)) => ("/kv_dtype".to_owned(), Some(dtype)),
            (None, None) => ("/kv_dtype_basis".to_owned(), None),
        };
        let stored = geometry::stored(&self.item.document, &pointer, dtype, "the source does not say its KV dtype");
        Cache::of(self.catalog, named, stored)
    }

    fn context(&self, row: Option<&Row>) -> Found {
        let own = row.filter(|row| row.variant.context_tokens.is_some());
        let pointer = own.map_or_else(|| "/context_tokens".to_owned(), |row| row.at("context_tokens"));
        let context = self.note.context(row.map(|row| row.variant));
        let fact = field(&self.item.document, pointer, context.map(|(tokens, _)| tokens))?;
        let basis = context.and_then(|(_, basis)| basis);
        let assumed = basis.map(|reason| format!("a context of {}: {reason}", Unit::Tokens.show(fact.quantity)));
        Ok(Fact { assumed, ..fact })
    }

    fn of_model(&self, position: usize, model: &ModelSubject) -> Vec<Figure> {
        let subject = &*model.anchor;
        let cache = match self.model(Some(position)).and_then(|named| self.cache(named, None)) {
            Ok(cache) => cache,
            Err(reason) => {
                let formulas = [
                    &memory::KV_BYTES_PER_TOKEN,
                    &memory::KV_GIB_AT_CONTEXT,
                    &card::FITS_CARD,
                    &memory::KV_ALL_LAYERS_BYTES_PER_TOKEN,
                    &memory::KV_RATIO,
                ];
                return formulas.map(|formula| missing(formula, subject, &*reason.reason)).into();
            }
        };
        let host = (!self.note.hosts.is_empty()).then_some(0);
        let per_token = Arc::new(cache.bytes_per_token(subject));
        let mut figures = self.at_context(cache.gib_at_context(subject, &self.context(None)), host);
        figures.push(Figure::clone(&per_token));
        if let Some(contrast) = cache.all_layers_bytes_per_token(subject) {
            let contrast = Arc::new(contrast);
            let facts = [derived(&contrast), derived(&per_token)];
            figures.push(compute(&memory::KV_RATIO, subject, facts).limited(contrast.limits.clone()));
            figures.push(Figure::clone(&contrast));
            let size = Cache::contrast_gib_at_context(&model.all_layers, &contrast, &self.context(None));
            figures.extend(self.at_context(size, host));
        }
        figures
    }

    /// Whether a variant's cache differs from what stands under the note's models.
    fn has_own_sizes(&self, row: &Row) -> bool {
        let variant = row.variant;
        let context = variant.context_tokens.is_some_and(|tokens| Some(tokens) != self.note.context_tokens);
        let model = variant.model.is_some() && self.item.models.len() > 1;
        variant.kv_dtype.is_some() || context || model || row.arm.host.is_some_and(|host| host > 0)
    }

    /// The cache of a variant, and how it compares with the cache of the variant it is held against.
    fn of_variant(&self, row: &Row) -> Vec<Figure> {
        let subject = &*row.subject.anchor;
        let per_token = Arc::new(self.bytes_per_token(row));
        let size = match self.cache_of(row) {
            Ok(cache) => cache.gib_at_context(subject, &self.context(Some(row))),
            Err(reason) => missing(&memory::KV_GIB_AT_CONTEXT, subject, reason.reason),
        };
        let mut figures = self.at_context(size, row.arm.host);
        figures.push(Figure::clone(&per_token));
        if let Some(baseline) = self.baseline(row).filter(|baseline| baseline.position != row.position) {
            let other = Arc::new(self.bytes_per_token(&baseline));
            let comparison = self.compared(Alike::Caches, &baseline, row);
            if !comparison.is_allowed() {
                figures.push(withheld(&memory::KV_RATIO, subject, &comparison));
            } else if other.quantity().is_none() || other.quantity() != per_token.quantity() {
                let ratio = compute(&memory::KV_RATIO, subject, [derived(&other), derived(&per_token)]);
                let against = format!("against {}", baseline.subject.label);
                figures.push(ratio.remarked([against]).remarked(comparison.varied));
            }
        }
        figures
    }

    fn cache_of(&self, row: &Row) -> Result<Cache<'_>, Missing> {
        self.model(row.arm.model).and_then(|named| self.cache(named, Some(row)))
    }

    fn bytes_per_token(&self, row: &Row) -> Figure {
        let subject = &*row.subject.anchor;
        match self.cache_of(row) {
            Ok(cache) => cache.bytes_per_token(subject),
            Err(reason) => missing(&memory::KV_BYTES_PER_TOKEN, subject, reason.reason),
        }
    }

    /// The cache of one sequence, and whether it fits the host.
    fn at_context(&self, size: Figure, host: Option<usize>) -> Vec<Figure> {
        let mut figures = self.fits(&Arc::new(size.clone()), host);
        figures.push(size);
        figures
    }

    fn fits(&self, size: &Arc<Figure>, host: Option<usize>) -> Vec<Figure> {
        let subject = &*size.subject;
        let hosts = &self.note.hosts;
        let Some((position, host, named)) = host.and_then(|at| Some((at, hosts.get(at)?, self.item.cards.get(at)?)))
        else {
            let reason = match (&self.note.no_card, hosts.len()) {
                (Some(reason), _) => format!("no card: {reason}"),
                (None, 0) => "the note names no card".to_owned(),
                (None, hosts) => format!("which of {} it is on is not stated", counted(hosts, "host")),
            };
            return vec![missing(&card::FITS_CARD, subject, reason)];
        };
        let count = field(&self.item.document, format!("/hosts/{position}/count"), host.count.map(f64::from));
        let weights = Err(Missing::because("the size of the weights is not stated"));
        let figures = match Cards::of(self.catalog, named, subject, count) {
            Ok(cards) => cards.fit(subject, size, &weights),
            Err(reason) => vec![missing(&card::FITS_CARD, subject, reason.reason)],
        };
        if hosts.len() < 2 {
            return figures;
        }
        let label = host.label.as_ref().unwrap_or(&host.key);
        figures.into_iter().map(|figure| figure.labelled(label)).collect()
    }

    /// The first host stands with the models; each further one has a verdict of its own at the note's context.
    fn of_further_hosts(&self) -> Vec<Figure> {
        let hosts = self.item.subjects.iter().skip(self.note.variants.len()).enumerate().skip(1);
        let verdict = |(position, subject): (usize, &Subject)| {
            let only = (self.item.models.len() == 1).then_some(0);
            let size = match self.model(only).and_then(|named| self.cache(named, None)) {
                Ok(cache) => cache.gib_at_context(&subject.anchor, &self.context(None)),
                Err(reason) => missing(&memory::KV_GIB_AT_CONTEXT, &*subject.anchor, reason.reason),
            };
            self.fits(&Arc::new(size), Some(position))
        };
        hosts.flat_map(verdict).collect()
    }

    /// What each rate took from the cache, of those whose tokens are known: a replay's are its context.
    fn reused(&self) -> Vec<Figure> {
        let counted = |rate: &HitRate| rate.kind == HitRateKind::Replay || rate.tokens.is_some();
        let rates = self.note.hit_rates.iter().enumerate().filter(|(_, rate)| counted(rate));
        rates.flat_map(|(position, rate)| self.reused_by(position, rate)).collect()
    }

    fn reused_by(&self, position: usize, rate: &HitRate) -> [Figure; 2] {
        let anchor = self.anchor_of(rate);
        let row = self.replayed(rate);
        let tokens = match rate.tokens {
            Some(tokens) => field(&self.item.document, format!("/hit_rates/{position}/tokens"), Some(tokens)),
            None => self.context(row.as_ref()),
        };
        let reused = Arc::new(compute(&memory::TOKENS_REUSED, &*anchor, [tokens, self.hit_rate(position, rate)]));
        let model = row.map_or((self.item.models.len() == 1).then_some(0), |row| row.arm.model);
        let bytes = self.model(model).and_then(|named| {
            let cache = self.cache(named, row.as_ref())?;
            let shown_under = model.and_then(|position| self.item.model_subjects.get(position));
            let own = row.filter(|row| self.has_own_sizes(row)).map(|row| &row.subject.anchor);
            let subject = own.or(shown_under.map(|model| &model.anchor)).unwrap_or(&anchor);
            derived(&Arc::new(cache.bytes_per_token(subject)))
        });
        let figure = compute(&memory::KV_GIB_NOT_RECOMPUTED, &*anchor, [derived(&reused), bytes]);
        let only = (row.is_none() && model.is_some() && figure.outcome.is_ok())
            .then(|| "the traffic is taken to be of the one model that the note names".to_owned());
        [figure.limited(only), Figure::clone(&reused)]
    }

    fn hit_rate(&self, position: usize, rate: &HitRate) -> Found {
        field(&self.item.document, format!("/hit_rates/{position}/rate_pct"), Some(rate.rate_pct))
    }

    /// The variant that a rate was measured on.
    fn replayed(&self, rate: &HitRate) -> Option<Row<'a>> {
        self.row(&anchor_of_key(rate.subject.as_deref()?))
    }

    fn anchor_of(&self, rate: &HitRate) -> String {
        anchor_of_key(self.note.key_of_figures(rate))
    }

    /// How much sooner the first token can come at the hit rate of each replay.
    fn ceilings(&self) -> Vec<Figure> {
        let replays = self.note.hit_rates.iter().enumerate().filter(|(_, rate)| rate.kind == HitRateKind::Replay);
        replays.map(|(position, rate)| self.ceiling(position, rate)).collect()
    }

    fn ceiling(&self, position: usize, rate: &HitRate) -> Figure {
        let formula = &latency::TTFT_SPEEDUP_CEILING;
        if rate.rate_pct.high() >= 100.0 {
            return missing(formula, self.anchor_of(rate), "nothing was left to compute, so there is no ceiling");
        }
        compute(formula, self.anchor_of(rate), [self.hit_rate(position, rate)])
    }

    /// Says of a speed-up that it is above what its hit rate can bring.
    fn held_against_ceiling(&self, figure: Figure, row: &Row) -> Figure {
        let own =
            |rate: &&HitRate| rate.kind == HitRateKind::Replay && rate.subject.as_deref() == Some(&row.variant.key);
        let mut rates = self.note.hit_rates.iter().enumerate().filter(|(_, rate)| own(rate));
        // Of several replays none is known to be the one that was timed.
        let (Some((position, rate)), None) = (rates.next(), rates.next()) else { return figure };
        let ceiling = self.ceiling(position, rate);
        let above = figure.quantity().zip(ceiling.quantity()).is_some_and(|(found, most)| found.low() > most.high());
        let limit = above.then(|| {
            format!(
                "above {}, the ceiling at a hit rate of {}: the cold time holds more than prefill, or the rate is not one of prompt tokens",
                ceiling.shown(),
                Unit::Percent.show(rate.rate_pct)
            )
        });
        let remark = above.then(|| format!("above the ceiling of {}", ceiling.shown()));
        figure.limited(limit).remarked(remark)
    }

    /// A variant's time to first token against the baseline's, where nothing else that decides about times differs.
    fn speedup(&self, row: &Row) -> Figure {
        let formula = &latency::TTFT_SPEEDUP;
        let subject = &*row.subject.anchor;
        let Some(baseline) = self.baseline(row) else {
            return missing(formula, subject, "the baseline is not known");
        };
        if baseline.position == row.position {
            return missing(formula, subject, "this is the baseline");
        }
        let ttft = |row: &Row| {
            let value = row.variant.measured_ttft_ms_at_ctx;
            field(&self.item.document, row.at("measured_ttft_ms_at_ctx"), value)
        };
        let times = [ttft(&baseline), ttft(row)];
        let comparison = self.compared(Alike::Readings, &baseline, row);
        if times.iter().all(Result::is_ok) && !comparison.is_allowed() {
            return withheld(formula, subject, &comparison);
        }
        let figure = self.held_against_ceiling(compute(formula, subject, times), row);
        if figure.outcome.is_ok() { figure.remarked(comparison.varied) } else { figure }
    }
}

/// A ratio of what must not be divided: the differences in its place.
fn withheld(formula: &'static Formula, subject: &str, comparison: &Comparison) -> Figure {
    missing(formula, subject, format!("not comparable: {}", comparison.forbidding.join("; ")))
}
