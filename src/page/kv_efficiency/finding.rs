//! What a note found, in one sentence: the number that its headline says is the one to quote.

use std::collections::BTreeSet;

use crate::catalog::{Item, RECORD, anchor_of_key};
use crate::formula::{latency, memory, transfer};
use crate::metric::uncapitalised;
use crate::page::claim::subject_label;
use crate::page::frame::{Here, checkpoint};
use crate::quantity::Unit;
use crate::record::KvEfficiency;
use crate::record::kv_efficiency::{Headline, Variant};

use super::{name_of, readings};

/// What a subject does with the number of a metric: the words before and after it.
struct Deed {
    metric: &'static str,
    before: &'static str,
    after: &'static str,
    /// Whether the number is already one against the baseline.
    is_ratio: bool,
}

const fn deed(metric: &'static str, before: &'static str, after: &'static str) -> Deed {
    Deed { metric, before, after, is_ratio: false }
}

const fn ratio(metric: &'static str, before: &'static str, after: &'static str) -> Deed {
    Deed { metric, before, after, is_ratio: true }
}

/// Of other metrics a sentence says what they came to.
const DEEDS: [Deed; 14] = [
    deed(memory::KV_BYTES_PER_TOKEN.id, "holds", "of KV cache per token"),
    deed(memory::KV_GIB_AT_CONTEXT.id, "holds", "of KV cache in one sequence"),
    deed(transfer::KV_TRANSFER_GB_S.id, "moves the KV cache at", ""),
    ratio(memory::KV_RATIO.id, "takes", "less KV cache per token"),
    ratio(latency::TTFT_SPEEDUP.id, "gives the first token", "sooner"),
    ratio("memory_saved", "takes", "less memory"),
    ratio("peak_memory_saved", "takes", "less memory at its peak"),
    deed("ttft", "gives the first token after", ""),
    deed("kv_pool_tokens", "has room in the KV pool for", ""),
    deed("output_tok_s", "generates", ""),
    deed("output_throughput", "generates", ""),
    deed("decode_tok_s", "decodes at", ""),
    deed("prefill_tok_s", "reads prompts at", ""),
    deed("perplexity", "has a perplexity of", ""),
];

/// The finding of a note; one without a headline says it itself.
pub fn finding(here: &Here, item: &Item, note: &KvEfficiency) -> String {
    let Some(headline) = &note.headline else {
        return note.summary.clone().unwrap_or_else(|| note.title.clone());
    };
    let page = Found { here, item, note, headline };
    let value = page.value(&item.document.digits("/headline/value", headline.value));
    let name = uncapitalised(&name_of(&headline.metric));
    if let Some(rate) = note.hit_rates.iter().find(|rate| rate.key == headline.subject) {
        return format!("The {name} is {value} of {}.", rate.of);
    }
    let (subject, setting) = (page.subject(), page.setting());
    let beside = readings::beside_headline(here, item, note, headline);
    let beside = beside.map(|(label, digits)| (page.value(&digits), label));
    match DEEDS.iter().find(|deed| deed.metric == headline.metric).filter(|_| !subject.is_empty()) {
        Some(deed) => {
            let against = match (beside, page.baseline().filter(|_| deed.is_ratio)) {
                (Some((value, label)), _) => format!(", against {value} of “{label}”"),
                (None, Some(label)) => format!(" than “{label}”"),
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
        match unit {
            joined @ ("%" | "x") => format!("{digits}{joined}"),
            // `a perplexity of 8.15`
            same if same.eq_ignore_ascii_case(&name_of(&self.headline.metric)) => digits.to_owned(),
            _ if self.headline.metric == memory::KV_BYTES_PER_TOKEN.id => {
                format!("{digits} {}", unit.trim_end_matches("/token"))
            }
            apart => format!("{digits} {apart}"),
        }
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

    /// For which model, on which cards and in which storage type, as far as there is one and the subject does not say so.
    fn setting(&self) -> String {
        let plain = |text: &str| text.chars().filter(|char| char.is_alphanumeric()).collect::<String>().to_lowercase();
        let subject = plain(&self.subject());
        let is_new = |text: &&str| !subject.contains(&plain(text));
        let model = match &self.item.models[..] {
            [only] => Some(checkpoint(&only.name)).filter(is_new),
            _ => None,
        };
        let cards = self.note.hosts.iter().zip(&self.item.cards);
        let cards: BTreeSet<String> =
            cards.map(|(host, named)| host.cards_named(self.here.site.catalog.title_of(named))).collect();
        let cards = cards.first().filter(|_| cards.len() == 1);
        let is_size = [memory::KV_BYTES_PER_TOKEN.id, memory::KV_GIB_AT_CONTEXT.id].contains(&&*self.headline.metric);
        let own = self.variant().and_then(|(_, variant)| variant.kv_dtype.as_deref());
        let dtype = own.or(self.note.kv_dtype.as_deref()).filter(|_| is_size).filter(is_new);
        let said = [
            model.map(|model| format!("for {model}")),
            cards.map(|cards| format!("on {cards}")),
            dtype.map(|dtype| format!("in {dtype}")),
        ];
        let said: Vec<_> = said.into_iter().flatten().collect();
        if said.is_empty() { String::new() } else { format!(", {}", said.join(" ")) }
    }
}
