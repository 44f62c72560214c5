//! What a result was measured on and how, part by part, as far as its record says.

use std::collections::BTreeMap;

use super::Part;
use crate::catalog::{Catalog, Item, Named};
use crate::metric;
use crate::quantity::{Quantity, Unit, plain};
use crate::record::audit::{AuditConfig, Capacity};
use crate::record::kv_efficiency::Variant;
use crate::record::price::HourPrice;
use crate::record::run::{PowerKind, RunConfig, RunWorkload};
use crate::record::{Audit, KvEfficiency, LatencyLimits, Run, SetBasis, SetPart, engine, flags, storage, variables};

/// One result's comparability key. What neither the record nor its curator says is not in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Setting {
    parts: BTreeMap<Part, String>,
    /// Why a part is taken to be so.
    assumed: BTreeMap<Part, String>,
    /// What the record itself calls a part and writes of it, where that says more.
    written: BTreeMap<Part, Written>,
}

/// How a part is spelled, by its words without case and blanks.
pub type Spellings = BTreeMap<(Part, String), String>;

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The version of an engine, the cards of a host.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Written {
    name: &'static str,
    value: String,
}

impl Setting {
    /// Of a config of a run or an audit, or a variant of a note, by its position, with what its curator adds; `None` for
    /// other kinds.
    pub fn of(catalog: &Catalog, item: &Item, position: usize) -> Option<Setting> {
        let mut setting = Setting::of_record(catalog, item, position)?;
        for (part, added) in added(item) {
            if setting.parts.contains_key(&part) {
                continue;
            }
            setting.put(part, Some(&*added.value));
            if part == Part::Load {
                setting.put(Part::HeldLoad, Some(&*added.value));
            }
            if added.basis == SetBasis::Assumed {
                setting.assumed.insert(part, added.reason.clone());
            }
        }
        Some(setting)
    }

    /// What a curator adds although the record says otherwise of every result: the part, what is added, and what the
    /// record says.
    pub fn contradicted(catalog: &Catalog, item: &Item) -> Vec<(Part, String, String)> {
        let settings: Vec<_> = match added(item).next() {
            Some(_) => (0..item.subjects.len()).filter_map(|at| Setting::of_record(catalog, item, at)).collect(),
            None => return Vec::new(),
        };
        let says = |(part, added): (Part, &SetPart)| {
            let own: Option<Vec<_>> = settings.iter().map(|setting| setting.get(part)).collect();
            let other = own?.into_iter().find(|own| *own != added.value)?;
            Some((part, added.value.clone(), other.to_owned()))
        };
        added(item).filter_map(says).collect()
    }

    /// As the record itself has it, without what its curator adds.
    pub fn of_record(catalog: &Catalog, item: &Item, position: usize) -> Option<Setting> {
        let mut setting = Setting::default();
        if let Some(run) = item.run() {
            setting.of_run(item, run, run.configs.get(position)?, position);
        } else if let Some(audit) = item.audit() {
            setting.of_audit(audit, audit.configs.get(position)?, position);
            setting.put(Part::Model, model_of_config(item, audit.configs.get(position)?));
        } else {
            let note = item.kv_efficiency()?;
            setting.of_variant(item, note, note.variants.get(position)?, position);
        }
        setting.put(Part::PriceBasis, price_basis(catalog, item));
        Some(setting)
    }

    /// Why a part is taken to be so, where nobody states it.
    pub fn assumed(&self, part: Part) -> Option<&str> {
        self.assumed.get(&part).map(String::as_str)
    }

    /// All that is stated, by part.
    pub fn parts(&self) -> &BTreeMap<Part, String> {
        &self.parts
    }

    pub fn get(&self, part: Part) -> Option<&str> {
        self.parts.get(&part).map(String::as_str)
    }

    pub(super) fn written(&self, part: Part) -> Option<&str> {
        self.written.get(&part).map(|written| written.value.as_str())
    }

    /// What this and another say of a part: `engine vLLM 0.9 against SGLang`.
    pub(super) fn against(&self, part: Part, other: &Setting) -> String {
        let name = [self, other].into_iter().find_map(|setting| Some(setting.written.get(&part)?.name));
        let [left, right] = [self, other].map(|setting| setting.written(part).or_else(|| setting.get(part)));
        part.words_under(name.unwrap_or_else(|| part.name()), left, right)
    }

    /// The context that requests begin after, as the load names it: a load of another depth is no other load of the same
    /// work.
    pub fn depth(&self) -> Option<&str> {
        let load = self.get(Part::Load)?;
        load.rfind(AFTER).map(|at| &load[at..])
    }

    fn put(&mut self, part: Part, value: Option<impl Into<String>>) {
        if let Some(value) = value.map(Into::into).filter(|text: &String| !text.trim().is_empty()) {
            self.parts.insert(part, spelled(part, value.trim()));
        }
    }

    fn write(&mut self, part: Part, name: &'static str, value: Option<impl Into<String>>) {
        self.written.extend(value.map(|value| (part, Written { name, value: value.into() })));
    }

    /// With the spelling of each part that is known for it, where two differ in letter case or blanks alone.
    pub fn respell(&mut self, known: &mut Spellings) {
        for (part, value) in &mut self.parts {
            // A model's file and a flag are told apart by the case of their letters.
            if !matches!(part, Part::Model | Part::Flags | Part::Environment) {
                value.clone_from(known.entry((*part, folded(value))).or_insert_with(|| value.clone()));
            }
        }
    }

    /// The same with a part as given.
    #[cfg(test)]
    pub(super) fn with(mut self, part: Part, value: &str) -> Self {
        self.put(part, Some(value));
        self
    }

    #[cfg(test)]
    pub(super) fn with_written(mut self, part: Part, name: &'static str, value: &str) -> Self {
        self.write(part, name, Some(value));
        self
    }

    fn of_run(&mut self, item: &Item, run: &Run, config: &RunConfig, position: usize) {
        let (spec, workload) = (run.spec(), run.workload.as_ref());
        self.put(Part::Model, item.models.first().map(model_name));
        self.put(Part::WeightsDtype, run.weight_dtype().and_then(|own| storage::one_name(&own)));
        self.put(Part::KvDtype, run.kv_dtype().and_then(|own| storage::one_name(&own.dtype)));
        let engine = config.engine.as_deref().unwrap_or(&run.software.engine);
        let (name, _) = engine::name_and_version(engine);
        self.put(Part::Engine, Some(engine::id(name)));
        // What else a harness writes there is as much of its doing as a variable.
        let more = (name != engine).then(|| engine.to_owned());
        let variables = config.environment.iter().flatten().map(|(name, value)| variables::set_to(name, value));
        let environment: Vec<_> = more.into_iter().chain(variables).collect();
        self.put(Part::Environment, Some(environment.join(" ")));
        self.put(Part::Parallelism, parallelism(run.hardware.count, run.model.parallelism.as_deref()));
        self.put(Part::Trace, workload.and_then(|workload| workload.trace.clone()));
        let of_all = |of: fn(&RunWorkload) -> &Option<String>| workload.and_then(|workload| of(workload).clone());
        self.put(Part::InputTokens, asked(config.input_tokens_requested).or_else(|| of_all(|all| &all.input_tokens)));
        self.put(
            Part::OutputTokens,
            asked(config.output_tokens_requested).or_else(|| of_all(|all| &all.output_tokens)),
        );
        self.put(Part::PrefixShare, share_from_cache(item, run, position).map(share));
        self.write(Part::PrefixShare, Part::PrefixShare.name(), share_as_written(item, position));
        let forced = spec.value("/engine/ignore_eos").and_then(serde_json::Value::as_bool);
        self.put(Part::ForcedLengths, forced.map(forced_words).or_else(|| all_as_asked(config)));
        self.put(Part::Arrival, workload.and_then(|workload| workload.arrival.clone()));
        let held = held_load(config);
        self.put(Part::Load, held.clone().or_else(|| at_capacity(run.slo.as_ref()?)));
        self.put(Part::HeldLoad, held);
        self.put(Part::Slo, run.slo.as_ref().and_then(limits));
        self.put(Part::TokenBasis, Some("output tokens"));
        let mean = |name: &str| config.latency_ms(name).map(Quantity::exact);
        let told = || stream_interval(run.software.kernels.iter().flat_map(|line| flags::of(line)));
        self.put(Part::TokensPerChunk, tokens_per_chunk(mean).or_else(told));
        let kind = run.power.as_ref().and_then(|power| power.kind);
        self.put(Part::PowerBoundary, kind.map(|kind| PowerKind::words(Some(kind))));
        self.put(Part::Window, run.power.as_ref().and_then(|power| power.window.clone()));
        let suite = [&config.accuracy, &run.accuracy].into_iter().flatten().find_map(|accuracy| accuracy.suite.clone());
        self.put(Part::AccuracySuite, suite.filter(|suite| suite != "none"));
    }

    fn of_audit(&mut self, audit: &Audit, config: &AuditConfig, position: usize) {
        let workload = &audit.workload;
        self.put(Part::WeightsDtype, config.weight_dtype.as_deref().and_then(storage::one_name));
        self.put(Part::KvDtype, audit.kv_dtype(config, position).and_then(|own| storage::one_name(&own.dtype)));
        self.put(Part::Engine, Some(engine::id(&audit.engine)));
        let set = config.environment.iter().flatten().map(|(name, value)| variables::assigned(name, value));
        self.put(Part::Environment, Some(set.collect::<Vec<_>>().join(" ")));
        self.put(Part::Parallelism, parallelism(audit.hardware.count, audit.parallelism.as_deref()));
        self.put(Part::Trace, workload.dataset.clone());
        let spread = workload.range_ratio.map(|ratio| format!(", range ratio {}", plain(ratio.into())));
        let lengths = |tokens: Option<Quantity>| {
            tokens.map(|tokens| format!("{}{}", plain(tokens), spread.as_deref().unwrap_or_default()))
        };
        self.put(Part::InputTokens, lengths(workload.input_tokens));
        self.put(Part::OutputTokens, lengths(workload.output_tokens));
        let lines = [audit.baseline_flags.as_deref(), config.flags.as_deref()];
        let flags: Vec<_> = lines.into_iter().flatten().flat_map(flags::of).collect();
        self.put(Part::PrefixShare, shared_prefix(audit, &flags));
        self.put(Part::Flags, Some(flags.join(" ")));
        self.put(Part::Load, at_capacity(&audit.slo));
        self.put(Part::Slo, limits(&audit.slo));
        self.put(Part::TokenBasis, Some("output tokens"));
        let mean = |name: &str| match &config.capacity {
            Capacity::At(at) => at.latencies.get(name).copied(),
            Capacity::Without(_) => None,
        };
        self.put(Part::TokensPerChunk, tokens_per_chunk(mean).or_else(|| stream_interval(flags)));
    }

    fn of_variant(&mut self, item: &Item, note: &KvEfficiency, variant: &Variant, position: usize) {
        let arm = item.arms.get(position);
        let model = arm.and_then(|arm| arm.model).and_then(|at| item.models.get(at));
        // Two that share an entry are told apart by the names that the note has for them.
        let shares = |own: &Named| item.models.iter().filter(|other| other.entry() == own.entry()).count() > 1;
        let name = |own: &Named| match own.entry().is_some() && shares(own) {
            true => format!("{} ({})", model_name(own), own.name),
            false => model_name(own),
        };
        self.put(Part::Model, model.map(name));
        self.write(Part::Model, Part::Model.name(), model.map(|named| &*named.name));
        let dtype = variant.kv_dtype.as_deref().or(note.kv_dtype.as_deref());
        self.put(Part::KvDtype, dtype.and_then(storage::one_name));
        self.write(Part::KvDtype, Part::KvDtype.name(), dtype);
        let engine = variant.engine.as_deref().or(note.engine.as_deref());
        self.put(Part::Engine, engine.map(engine::id));
        self.write(Part::Engine, Part::Engine.name(), engine);
        self.put(Part::PrefixShare, note.rate_of(variant).map(|(_, rate)| share(rate.rate_pct)));
        self.put(Part::Flags, Some(note.flags.join(" ")));
        let context = note.context(Some(variant));
        self.put(Part::Context, context.map(|(tokens, _)| Unit::Tokens.show(tokens)));
        if let Some(reason) = context.and_then(|(_, basis)| basis) {
            self.assumed.insert(Part::Context, reason.to_owned());
        }
        let host = arm.and_then(|arm| arm.host).and_then(|at| note.hosts.get(at));
        // Two machines with the same cards may differ in what the note says of them.
        let one_of_several = host.filter(|_| note.hosts.len() > 1);
        self.put(Part::Environment, one_of_several.map(|host| format!("host {}", host.key)));
        let cards = one_of_several.map(|host| format!("{} ({})", host.cards(), host.key));
        self.write(Part::Environment, "hardware", cards);
        self.put(Part::Parallelism, host.and_then(|host| parallelism(host.count?, None)));
    }
}

/// What a curator says of parts that the record does not state.
fn added(item: &Item) -> impl Iterator<Item = (Part, &SetPart)> {
    let setting = item.curation().into_iter().flat_map(|curation| &curation.setting);
    setting.filter_map(|(id, added)| Some((Part::ALL.into_iter().find(|part| part.id() == id)?, added)))
}

const AFTER: &str = "after ";

/// One spelling of a number, whoever wrote it: `1024` and `1,024`, `0%` and `0.0%` are the same.
fn spelled(part: Part, text: &str) -> String {
    match part {
        Part::PrefixShare => {
            let pct = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
            pct.map_or_else(|| text.to_owned(), |pct| share(pct.into()))
        }
        Part::InputTokens
        | Part::OutputTokens
        | Part::Context
        | Part::Load
        | Part::HeldLoad
        | Part::Arrival
        | Part::Window => with_separators(text),
        _ => text.to_owned(),
    }
}

fn with_separators(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    let mut rest = text;
    let is_digit = |part: char| part.is_ascii_digit();
    while let Some(start) = rest.find(is_digit) {
        let digits = &rest[start..];
        let whole = digits.find(|part| !is_digit(part)).unwrap_or(digits.len());
        let decimals = digits[whole..].strip_prefix('.').filter(|rest| rest.starts_with(is_digit));
        let decimals = decimals.map_or(0, |rest| 1 + rest.find(|part| !is_digit(part)).unwrap_or(rest.len()));
        let (before, number, after) = (&rest[..start], &digits[..whole + decimals], &digits[whole + decimals..]);
        let joins = |part: char| part.is_alphanumeric() || matches!(part, '.' | ',' | '_');
        // Of a version, or an address, no part is a number.
        let goes_on = |part: char| part.is_alphanumeric() || part == '_';
        let goes_on =
            after.starts_with(goes_on) || after.strip_prefix('.').is_some_and(|rest| rest.starts_with(goes_on));
        spelled.push_str(before);
        match number.parse::<f64>() {
            Ok(value) if !before.ends_with(joins) && !goes_on && (decimals > 0 || whole > 3) => {
                spelled.push_str(&plain(value.into()));
            }
            _ => spelled.push_str(number),
        }
        rest = after;
    }
    spelled + rest
}

/// Of the input, in all the digits that it is stated with.
fn share(pct: Quantity) -> String {
    format!("{}%", plain(pct))
}

fn asked(tokens: Option<f64>) -> Option<String> {
    tokens.map(|tokens| format!("{} asked for", plain(tokens.into())))
}

/// The config's hit rate in percent: its own field, else what the curator found in the record's prose.
fn share_from_cache(item: &Item, run: &Run, config: usize) -> Option<Quantity> {
    let own = run.configs.get(config).and_then(|entry| entry.prefix_cache_hit_pct).map(Quantity::exact);
    own.or_else(|| Some(item.observation(&item.subjects.get(config)?.anchor, "prefix_cache_hit_pct")?.1.value))
}

/// The same in the digits that it is written with.
fn share_as_written(item: &Item, config: usize) -> Option<String> {
    let own = item.document.written(&format!("/configs/{config}/prefix_cache_hit_pct")).filter(|text| *text != "null");
    let written = own.or_else(|| {
        let (position, _) = item.observation(&item.subjects.get(config)?.anchor, "prefix_cache_hit_pct")?;
        item.note.as_ref()?.document.written(&format!("/observations/{position}/value"))
    });
    // An interval or an approximate number is written in more than digits.
    written.filter(|text| text.starts_with(|first: char| first.is_ascii_digit())).map(|text| format!("{text}%"))
}

fn model_name(named: &Named) -> String {
    named.entry().map_or_else(|| named.name.clone(), |address| address.trim_start_matches("models/").to_owned())
}

fn model_of_config(item: &Item, config: &AuditConfig) -> Option<String> {
    let own = config.model.as_ref().and_then(|own| item.models.iter().find(|named| named.name == own.name));
    own.or_else(|| item.models.first()).map(model_name)
}

/// One GPU leaves no choice; of more, as the record writes it.
fn parallelism(gpus: u32, stated: Option<&str>) -> Option<String> {
    if gpus == 1 { Some("1 GPU".to_owned()) } else { stated.map(|words| format!("{gpus} GPUs, {}", words.trim())) }
}

fn forced_words(forced: bool) -> String {
    if forced { "forced" } else { "the model ends" }.to_owned()
}

/// Outputs that on average are exactly as long as asked for were all of that length: none can be longer. Shorter ones say
/// nothing: a harness may ask for lengths around the one that it names.
fn all_as_asked(config: &RunConfig) -> Option<String> {
    (config.output_tokens_requested? == config.output_tokens_mean?).then(|| forced_words(true))
}

/// Further from a whole number than this share of it, chunks are of several lengths. Both means weigh requests differently,
/// and the last chunk of an answer is a short one.
const WHOLE: f64 = 0.05;

/// Output tokens of a chunk of the stream: its mean gap over the mean time of a token, by their fields. `None` where either
/// is not stated, or the gap is the shorter one.
fn tokens_per_chunk(mean_ms: impl Fn(&str) -> Option<Quantity>) -> Option<String> {
    let tokens = mean_ms("itl_mean_ms")?.middle() / mean_ms("tpot_mean_ms")?.middle();
    let whole = tokens.round();
    if !tokens.is_finite() || whole < 1.0 {
        None
    } else if (tokens / whole - 1.0).abs() <= WHOLE {
        Some(plain(whole.into()))
    } else {
        (tokens > 1.0).then(|| format!("{} on average", plain(((tokens * 10.0).round() / 10.0).into())))
    }
}

/// The same as a server was told, which holds where it drafts no tokens besides.
fn stream_interval(flags: impl IntoIterator<Item = String>) -> Option<String> {
    let flags: Vec<_> = flags.into_iter().collect();
    let told = flags
        .iter()
        .find_map(|flag| flag.strip_prefix("--stream-interval")?.trim_start_matches([' ', '=']).parse::<u32>().ok());
    let drafts = flags.iter().any(|flag| flag.starts_with("--spec") || flag.starts_with("--num-speculative"));
    told.filter(|tokens| *tokens > 0 && !drafts).map(|tokens| tokens.to_string())
}

/// The load that a config was measured at; `None` where a search found its own.
fn held_load(config: &RunConfig) -> Option<String> {
    let rate = config.request_rate_rps.map(|rate| Unit::RequestsPerSecond.show(rate.into()));
    let most = config.concurrency.map(|most| format!("{most} at once"));
    let depth = config.context_tokens.filter(|tokens| *tokens > 0.0);
    let depth = depth.map(|tokens| format!("{AFTER}{}", Unit::Tokens.show(tokens.into())));
    let all: Vec<_> = rate.into_iter().chain(most).chain(depth).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// The load that a search within limits ends at is another one with other limits.
fn at_capacity(slo: &LatencyLimits) -> Option<String> {
    Some(format!("the highest within {}", limits(slo)?))
}

/// `p99 TPOT ≤ 50 ms, p99 TTFT ≤ 2,000 ms`; `None` where no limit is set.
pub fn limits(slo: &LatencyLimits) -> Option<String> {
    let limits = slo.iter().map(|(name, limit)| {
        format!("{} ≤ {}", metric::heading(name), Unit::Milliseconds.stated(&plain((*limit).into())))
    });
    let limits: Vec<_> = limits.collect();
    (!limits.is_empty()).then(|| limits.join(", "))
}

/// Tokens of the input that all requests begin with, of all its tokens; none where the engine is told to keep no prefix.
fn shared_prefix(audit: &Audit, flags: &[String]) -> Option<String> {
    const NO_CACHE: [&str; 3] = ["--no-enable-prefix-caching", "--disable-radix-cache", "--no-prefix-caching"];
    if flags.iter().any(|flag| NO_CACHE.contains(&flag.as_str())) {
        return Some(share(0.0.into()));
    }
    let (shared, input) = (audit.workload.shared_prefix_tokens?, audit.workload.input_tokens?);
    let of_input_pct = shared.middle() / input.middle() * 100.0;
    // How much of it came from a cache is each config's own.
    of_input_pct.is_finite().then(|| format!("at most {}", Unit::Percent.show(of_input_pct.into())))
}

/// Who rents it and as what: one offer's price moves over time, and is still of one kind.
fn price_basis(catalog: &Catalog, item: &Item) -> Option<String> {
    let words = |provider: &str, tier: &str, hour: HourPrice| {
        let per = if matches!(hour, HourPrice::Gpu { .. }) { "GPU" } else { "node" };
        format!("{provider} {tier}, per {per}")
    };
    if let Some((stated, _)) = item.stated_price() {
        return Some(words(stated.provider.as_deref()?, stated.tier.as_deref()?, stated.hour));
    }
    let (_, quote) = catalog.price(item.price.as_deref()?)?;
    Some(words(&quote.provider, &quote.tier, quote.hour))
}

#[cfg(test)]
mod tests;
