//! The reproduce block: a record's own commands, else its settings as it states them and the names of those it does not.

use crate::catalog::Item;
use crate::compare;
use crate::quantity::Quantity;
use crate::record::audit::AuditConfig;
use crate::record::{Audit, KvEfficiency, variables};

/// What repeats the measurement.
#[derive(Debug)]
pub struct Reproduce {
    /// What the text is, where it is no commands.
    pub hint: Option<&'static str>,
    pub text: String,
}

/// Shell commands of the source's own.
pub fn commands(commands: &str) -> Reproduce {
    Reproduce { hint: None, text: commands.to_owned() }
}

/// The settings of an audit: of all configs, of the traffic, and what each config changes.
pub fn of_audit(item: &Item, audit: &Audit) -> Reproduce {
    let mut settings = Settings::default();
    settings.engine(&audit.engine, audit.engine_version.as_deref());
    settings.stated("image", audit.image.clone());
    settings.stated("driver", audit.driver.clone());
    settings.stated("provider", audit.provider.clone());
    settings.add("hardware", &format!("{} × {}", audit.hardware.count, audit.hardware.accelerator));
    settings.add("model", &audit.model.name);
    settings.stated("parallelism", audit.parallelism.clone());
    settings.stated("flags of every config", audit.baseline_flags.clone());

    let workload = &audit.workload;
    let number = |field: &str, value: Option<Quantity>| {
        value.map(|value| item.document.digits(&format!("/workload/{field}"), value))
    };
    settings.section("workload");
    settings.stated("dataset", workload.dataset.clone());
    settings.stated("input tokens", number("input_tokens", workload.input_tokens));
    settings.stated("output tokens", number("output_tokens", workload.output_tokens));
    settings.stated("range ratio", number("range_ratio", workload.range_ratio.map(Quantity::exact)));
    settings.stated("shared prefix tokens", number("shared_prefix_tokens", workload.shared_prefix_tokens));
    let requests = workload.requests_per_rate.map(|requests| Quantity::exact(requests as f64));
    settings.stated("requests per rate", number("requests_per_rate", requests));
    let everywhere = workload.rates_rps.as_deref().map(|tested| rates(item, "/workload/rates_rps", tested));
    let each_says = audit.configs.iter().all(|config| config.rates_rps.is_some());
    settings.given("rates in req/s", everywhere, !each_says);
    settings.add("SLO", &compare::limits(&audit.slo).unwrap_or_default());

    for (position, config) in audit.configs.iter().enumerate() {
        settings.config(item, position, config);
    }
    settings.reproduce()
}

/// Engine, machines and flags of a note; nothing where it names none of them.
pub fn of_note(item: &Item, note: &KvEfficiency) -> Option<Reproduce> {
    if note.engine.is_none() && note.hosts.is_empty() && note.flags.is_empty() {
        return None;
    }
    let mut settings = Settings::default();
    match &note.engine {
        Some(engine) => settings.engine(engine, note.engine_version.as_deref()),
        None => settings.stated("engine", None),
    }
    for model in &note.models {
        settings.add("model", &model.name);
    }
    for host in &note.hosts {
        settings.add(&format!("host {}", host.key), &host.described());
    }
    if note.hosts.is_empty() {
        settings.stated("host", None);
    }
    settings.stated("KV dtype", note.kv_dtype.clone());
    for flag in &note.flags {
        settings.add("flag", flag);
    }
    if note.flags.is_empty() {
        settings.stated("flags", None);
    }
    let context = |pointer: &str, tokens: Option<Quantity>, basis: &Option<String>| {
        let digits = item.document.digits(&format!("{pointer}/context_tokens"), tokens?);
        Some(format!("{digits}{}", basis.as_ref().map_or("", |_| " (assumed)")))
    };
    settings.given("context tokens", context("", note.context_tokens, &note.context_basis), false);
    for (position, variant) in note.variants.iter().enumerate() {
        settings.section(&format!("variant {}", variant.key));
        settings.given("engine", variant.engine.clone(), false);
        settings.given("model", variant.model.clone(), false);
        settings.given("host", variant.host.clone(), false);
        settings.given("KV dtype", variant.kv_dtype.clone(), false);
        let tokens = context(&format!("/variants/{position}"), variant.context_tokens, &variant.context_basis);
        settings.given("context tokens", tokens, false);
    }
    Some(settings.reproduce())
}

/// Lines of settings under sections, and the names of what is not stated.
#[derive(Default)]
struct Settings {
    lines: Vec<String>,
    /// Name of a section that has no line yet.
    opened: Option<String>,
    absent: Vec<&'static str>,
}

impl Settings {
    /// A section without a line is left out.
    fn section(&mut self, name: &str) {
        self.opened = Some(name.to_owned());
    }

    fn add(&mut self, name: &str, value: &str) {
        if let Some(section) = self.opened.take() {
            self.lines.extend([String::new(), format!("# {section}")]);
        }
        self.lines.push(format!("{name}: {value}"));
    }

    /// A setting that a reader needs: stated, or named among those that are not.
    fn stated(&mut self, name: &'static str, value: Option<String>) {
        self.given(name, value, true);
    }

    fn given(&mut self, name: &'static str, value: Option<String>, needed: bool) {
        match value {
            Some(value) => self.add(name, &value),
            None => self.absent.extend(needed.then_some(name)),
        }
    }

    fn engine(&mut self, name: &str, version: Option<&str>) {
        self.add("engine", name);
        self.stated("engine version", version.map(str::to_owned));
    }

    /// What a config changes; absent flags change nothing.
    fn config(&mut self, item: &Item, position: usize, config: &AuditConfig) {
        self.section(&format!("config {}", config.key));
        self.given("model", config.model.as_ref().map(|model| model.name.clone()), false);
        self.given("weights dtype", config.weight_dtype.clone(), false);
        self.given("KV dtype", config.kv_dtype.clone(), false);
        self.given("flags", config.flags.clone(), false);
        for (name, value) in config.environment.iter().flatten() {
            self.add("environment", &variables::assigned(name, value));
        }
        let tested = config.rates_rps.as_deref();
        let tested = tested.map(|tested| rates(item, &format!("/configs/{position}/rates_rps"), tested));
        self.given("rates in req/s", tested, false);
        if self.opened.is_some() {
            self.add("changes", "none stated");
        }
    }

    fn reproduce(mut self) -> Reproduce {
        if !self.absent.is_empty() {
            self.lines.extend([String::new(), format!("# not stated: {}", self.absent.join(", "))]);
        }
        let hint = "Settings as the record states them. It gives no commands as data; its text may say more.";
        Reproduce { hint: Some(hint), text: self.lines.join("\n") }
    }
}

/// Tested rates as they are written, `0` too.
fn rates(item: &Item, pointer: &str, rates: &[f64]) -> String {
    let rates = rates.iter().enumerate();
    let texts = rates.map(|(at, rate)| item.document.digits(&format!("{pointer}/{at}"), (*rate).into()));
    texts.collect::<Vec<_>>().join(", ")
}
