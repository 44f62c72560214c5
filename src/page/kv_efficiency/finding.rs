//! What a note found, in one sentence: the number that its headline says is the one to quote.

use std::collections::BTreeSet;

use crate::catalog::{Item, RECORD, anchor_of_key};
use crate::formula::{latency, memory, transfer};
use crate::metric::uncapitalised;
use crate::page::claim::subject_label;
use crate::page::frame::{Here, checkpoint};
use crate::quantity::Unit;
use crate::record::KvEfficiency;
use crate::record::kv_efficiency::{Bound, Headline, MeasuredValue, Variant};

use super::{name_of, readings};

/// What a subject does with the number of a metric: the words before and after it.
struct Deed {
    metric: &'static str,
    before: &'static str,
    after: &'static str,
    /// What stands before the baseline, where the number is already one against it.
    than: Option<&'static str>,
    /// Whether it depends on the model: how fast bytes are read does not.
    is_of_model: bool,
}

const fn deed(metric: &'static str, before: &'static str, after: &'static str) -> Deed {
    Deed { metric, before, after, than: None, is_of_model: true }
}

const fn of_bytes(metric: &'static str, before: &'static str, after: &'static str) -> Deed {
    Deed { is_of_model: false, ..deed(metric, before, after) }
}

const fn ratio(metric: &'static str, before: &'static str, after: &'static str, than: &'static str) -> Deed {
    Deed { than: Some(than), ..deed(metric, before, after) }
}

/// Of other metrics a sentence says what they came to.
const DEEDS: [Deed; 46] = [
    deed(memory::KV_BYTES_PER_TOKEN.id, "holds", "of KV cache per token"),
    deed(memory::KV_GIB_AT_CONTEXT.id, "holds", "of KV cache in one sequence"),
    deed("kv_values_per_token", "holds", "of KV cache"),
    deed("latent_bytes_per_layer", "stores", "in each layer"),
    deed("cache_kept", "keeps", "of the KV cache"),
    deed("kv_waste", "wastes", "of the KV cache"),
    ratio(memory::KV_RATIO.id, "takes", "less KV cache per token", "than"),
    ratio("cache_saved", "takes", "less KV cache", "than"),
    ratio("memory_saved", "takes", "less memory", "than"),
    ratio("peak_memory_saved", "takes", "less memory at its peak", "than"),
    deed("size_gain", "makes stored caches", "smaller"),
    deed("kv_pool_tokens", "has room in the KV pool for", ""),
    ratio("pool_gain", "has room in the KV pool for", "as many tokens", "as"),
    deed("max_concurrency", "has room for", "at once"),
    deed("state_slots", "has state slots for", ""),
    deed(transfer::KV_TRANSFER_GB_S.id, "moves the KV cache at", ""),
    of_bytes("read_rate", "reads", ""),
    of_bytes("read_rate_mean", "moves", "on average"),
    ratio(latency::TTFT_SPEEDUP.id, "gives the first token", "sooner", "than"),
    deed("ttft", "gives the first token after", ""),
    deed("ttft_s", "gives the first token after", ""),
    deed("ttft_min", "gives the first token after", ""),
    deed("ttft_mean", "gives the first token after", "on average"),
    deed("ttft_mean_s", "gives the first token after", "on average"),
    deed("itl_slope", "adds", "to the ITL"),
    deed("time_per_output_token", "takes", "for an output token"),
    deed("output_tok_s", "generates", ""),
    deed("output_throughput", "generates", ""),
    deed("batch_tok_s", "generates", "in a batch"),
    deed("burst_output", "generates", "in a burst"),
    deed("fleet_output_tok_s", "generates", "on the whole fleet"),
    deed("tok_s_per_gpu", "generates", "per GPU"),
    deed("total_tok_s", "reads and generates", ""),
    deed("throughput_per_gpu", "reaches", "per GPU"),
    deed("throughput_against_flexgen", "reaches", "the throughput of FlexGen"),
    deed("throughput_lost", "loses", "of its throughput"),
    deed("goodput_of_100_sent", "answers", "of 100 within the limits"),
    deed("decode_tok_s", "decodes at", ""),
    ratio("decode_speed", "decodes", "as fast", "as"),
    ratio("model_speed_fp16_weights", "runs the model with fp16 weights", "as fast", "as"),
    deed("prefill_tok_s", "reads prompts at", ""),
    deed("stream", "stays stable over", ""),
    deed("cached_input", "takes", "of its input from the cache"),
    deed("perplexity", "has a perplexity of", ""),
    deed("gpqa", "scores", "on GPQA"),
    deed("mrcr_auc", "scores", "on MRCR, by its AUC"),
];

/// The finding of a note; one without a headline says it itself.
pub fn finding(here: &Here, item: &Item, note: &KvEfficiency) -> String {
    let Some(headline) = &note.headline else {
        return note.summary.clone().unwrap_or_else(|| note.title.clone());
    };
    let page = Found { here, item, note, headline };
    let deed = DEEDS.iter().find(|deed| deed.metric == headline.metric);
    let value = page.value(&item.document.digits("/headline/value", headline.value));
    let value = page.bound().map_or_else(|| value.clone(), |bound| format!("{} {value}", bound.words()));
    if let Some(rate) = note.hit_rates.iter().find(|rate| rate.key == headline.subject) {
        let served = if rate.kind.is_measured() { "The prefix cache served" } else { "A prefix cache could serve" };
        return format!("{served} {value} of {}.", rate.of);
    }
    let name = uncapitalised(&name_of(&headline.metric, &headline.unit));
    let (subject, setting) = (page.subject(), page.setting(deed.is_none_or(|deed| deed.is_of_model)));
    let beside = readings::beside_headline(here, item, note, headline);
    let beside = beside.map(|(label, digits)| (page.value(&digits), label));
    match deed.filter(|_| !subject.is_empty()) {
        Some(deed) => {
            let against = match (beside, page.baseline().zip(deed.than)) {
                (Some((value, label)), _) => format!(", against {value} with “{label}”"),
                (None, Some((label, than))) => format!(" {than} “{label}”"),
                (None, None) => String::new(),
            };
            let after = if deed.after.is_empty() { String::new() } else { format!(" {}", deed.after) };
            format!("{subject} {} {value}{after}{}{against}{setting}.", deed.before, page.context())
        }
        None => {
            let with = if subject.is_empty() { format!("The {name}") } else { format!("With {subject}, the {name}") };
            let against = beside.map(|(value, label)| format!(", against {value} with “{label}”")).unwrap_or_default();
            format!("{with} came to {value}{against}{setting}.")
        }
    }
}

struct Found<'a> {
    here: &'a Here<'a>,
    item: &'a Item,
    note: &'a KvEfficiency,
    headline: &'a Headline,
}

impl Found<'_> {
    /// A number with the headline's unit, of which the words around it may say a part.
    fn value(&self, digits: &str) -> String {
        let unit = self.headline.unit.as_str();
        // `1 layer`
        let unit = match unit.strip_suffix('s') {
            Some(one) if digits == "1" && one.len() > 3 && one.chars().all(char::is_alphabetic) => one,
            _ => unit,
        };
        match unit {
            joined @ ("%" | "x") => format!("{digits}{joined}"),
            // `a perplexity of 8.15`
            same if same.eq_ignore_ascii_case(&name_of(&self.headline.metric, unit)) => digits.to_owned(),
            _ if self.headline.metric == memory::KV_BYTES_PER_TOKEN.id => {
                format!("{digits} {}", unit.trim_end_matches("/token"))
            }
            apart => format!("{digits} {apart}"),
        }
    }

    /// Whether the source gives the number as a limit.
    fn bound(&self) -> Option<Bound> {
        let (_, variant) = self.variant()?;
        let is_it = |value: &&MeasuredValue| value.name == self.headline.metric && value.value == self.headline.value;
        variant.values.iter().find(is_it)?.bound
    }

    /// The variant that the headline is about, where it is one.
    fn variant(&self) -> Option<(usize, &Variant)> {
        self.note.variants.iter().enumerate().find(|(_, variant)| variant.key == self.headline.subject)
    }

    /// Who does it: a variant as the note calls it, or a model; empty for the note as a whole.
    fn subject(&self) -> String {
        match self.variant() {
            Some((_, variant)) => format!("“{}”", variant.label),
            None if self.headline.subject == RECORD => String::new(),
            None => subject_label(self.item, &anchor_of_key(&self.headline.subject)),
        }
    }

    /// What the variant is held against.
    fn baseline(&self) -> Option<&str> {
        let (position, _) = self.variant()?;
        let at = self.item.arms.get(position)?.baseline.filter(|at| *at != position)?;
        Some(&self.note.variants.get(at)?.label)
    }

    /// The length of the sequence that a size is of.
    fn context(&self) -> String {
        let context = self.note.context(self.variant().map(|(_, variant)| variant));
        let tokens = context.filter(|_| self.headline.metric == memory::KV_GIB_AT_CONTEXT.id);
        tokens.map(|(tokens, _)| format!(" of {}", Unit::Tokens.show(tokens))).unwrap_or_default()
    }

    /// For which model, on which cards and in which storage type, as far as there is one and the subject does not say so: of
    /// a variant those that it was measured with, and not those of the note's other parts.
    fn setting(&self, is_of_model: bool) -> String {
        let plain = |text: &str| text.chars().filter(|char| char.is_alphanumeric()).collect::<String>().to_lowercase();
        let subject = plain(&self.subject());
        let is_new = |text: &str| !subject.contains(&plain(text));
        let arm = self.variant().and_then(|(position, _)| self.item.arms.get(position));
        let models: Vec<_> = match arm {
            Some(arm) => arm.model.and_then(|at| self.item.models.get(at)).into_iter().collect(),
            None => self.item.models.iter().collect(),
        };
        let model = match models[..] {
            [only] => Some(checkpoint(&only.name)).filter(|model| is_of_model && is_new(model)),
            _ => None,
        };
        let hosts = self.note.hosts.iter().zip(&self.item.cards).enumerate();
        let hosts = hosts.filter(|(at, _)| arm.is_none_or(|arm| arm.host == Some(*at)));
        let hosts = hosts.filter(|(_, (host, _))| is_new(&host.accelerator));
        let cards: BTreeSet<String> =
            hosts.map(|(_, (host, named))| host.cards_named(self.here.site.catalog.title_of(named))).collect();
        let cards = cards.first().filter(|_| cards.len() == 1);
        let is_size = [memory::KV_BYTES_PER_TOKEN.id, memory::KV_GIB_AT_CONTEXT.id].contains(&&*self.headline.metric);
        let own = self.variant().and_then(|(_, variant)| variant.kv_dtype.as_deref());
        let dtype = own.or(self.note.kv_dtype.as_deref()).filter(|dtype| is_size && is_new(dtype));
        let said = [
            model.map(|model| format!("for {model}")),
            cards.map(|cards| format!("on {cards}")),
            dtype.map(|dtype| format!("in {dtype}")),
        ];
        let said: Vec<_> = said.into_iter().flatten().collect();
        if said.is_empty() { String::new() } else { format!(", {}", said.join(" ")) }
    }
}
