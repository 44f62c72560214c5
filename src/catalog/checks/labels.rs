//! Whether commands and spec yield what the labels of configs say: a share of a prefix, a load, a budget, a dtype.

mod claims;

use serde_json::Value;

use super::repeated::fields::{CACHE, NO_CACHE};
use super::reproduce::{by_label, strings, without_names, words};
use crate::diagnostic::{Diagnostic, Report, quoted, rules};
use crate::quantity::plain;
use crate::record::{Audit, Run, storage};
use crate::schema::Document;
use claims::{Claim, Setting, is_set_in, numbers};

/// Parts of a spec in which a number is none of the load or the engine.
const OTHER_PARTS: [&str; 4] = ["accuracy", "import", "power", "slo"];

/// What the commands or the spec say: numbers under a name, and words.
#[derive(Debug, Default)]
struct Said {
    /// Numbers with the settings that their name is of; none of a name that is not known.
    numbers: Vec<(Vec<Setting>, f64)>,
    /// All of it in small letters.
    text: String,
}

impl Said {
    /// The words of a command: options with their values, variables, and, where they are a `bare` one's own and no words
    /// of a text, whatever stands between them.
    fn command(&mut self, command: &[&str], bare: bool) {
        let mut of = Vec::new();
        let mut is_value = false;
        for word in command {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (Some(name), value),
                None if word.starts_with('-') && word.parse::<f64>().is_err() => (Some(*word), ""),
                None => (None, *word),
            };
            if let Some(name) = name {
                of = Setting::of_name(name);
            }
            // A file is often named for what is in it.
            let of_word = if of.is_empty() { Setting::of_name(value) } else { of.clone() };
            if bare || name.is_some() || is_value {
                self.numbers.extend(numbers(value).map(|number| (of_word.clone(), number)));
            }
            is_value = name.is_some() && value.is_empty();
            if !is_value {
                of = Vec::new();
            }
        }
        self.text.push_str(&command.join(" ").to_lowercase());
        self.text.push('\n');
    }

    /// What a spec says under the names of settings, and the commands that stand in it.
    fn spec(&mut self, spec: &Value) {
        let Value::Object(parts) = spec else { return };
        for (name, part) in parts.iter().filter(|(name, _)| !OTHER_PARTS.contains(&name.as_str())) {
            self.below(name, part);
        }
    }

    fn below(&mut self, name: &str, value: &Value) {
        match value {
            Value::Object(members) => members.iter().for_each(|(name, member)| self.below(name, member)),
            Value::Array(items) => {
                let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
                match texts {
                    Some(texts) => self.command(&texts, false),
                    None => items.iter().for_each(|item| self.below(name, item)),
                }
            }
            Value::Number(number) => {
                let of = Setting::of_name(name);
                self.numbers.extend(number.as_f64().filter(|_| !of.is_empty()).map(|number| (of, number)));
            }
            Value::String(text) if text.contains("--") => {
                let words = words(text);
                self.command(&words.iter().map(String::as_str).collect::<Vec<_>>(), false);
            }
            Value::String(text) => {
                let of = Setting::of_name(name);
                if !of.is_empty() {
                    self.numbers.extend(numbers(text).map(|number| (of.clone(), number)));
                }
                self.text.push_str(&text.to_lowercase());
                self.text.push('\n');
            }
            Value::Bool(value) if name.contains("prefix_cach") || name.contains("radix_cache") => {
                let is_on = *value != name.contains("disable");
                self.text.push_str(if is_on { CACHE[0] } else { NO_CACHE[0] });
                self.text.push('\n');
            }
            Value::Bool(_) | Value::Null => {}
        }
    }

    /// What a command runs.
    fn program(&self) -> Option<&str> {
        self.text.split_whitespace().next()
    }

    /// Whether an option turns the prefix cache on, or off.
    fn turns_cache(&self, on: bool) -> bool {
        let options: &[&str] = if on { &CACHE } else { &NO_CACHE };
        self.text.split_whitespace().any(|word| options.contains(&word))
    }

    /// Whether it says what a label claims: the number under a name of its setting, or under one that is not known.
    fn says(&self, claim: &Claim) -> bool {
        match claim {
            Claim::Word(word) => is_set_in(&self.text, word),
            Claim::PrefixCache(is_on) => self.turns_cache(*is_on),
            Claim::Number { setting, values, .. } => self.numbers.iter().any(|(of, number)| {
                (of.is_empty() || setting.is_among(of)) && values.iter().any(|value| (value - number).abs() < 1e-9)
            }),
        }
    }

    /// Whether it has another value of the setting.
    fn denies(&self, claim: &Claim) -> bool {
        !self.says(claim)
            && match claim {
                Claim::Number { setting, .. } => self.numbers.iter().any(|(of, _)| setting.is_among(of)),
                Claim::PrefixCache(is_on) => self.turns_cache(!is_on),
                Claim::Word(_) => false,
            }
    }
}

/// What sets the labels apart, each config by itself: of one config all that its label says.
fn claims(run: &Run) -> Vec<Vec<Claim>> {
    let all: Vec<Vec<Claim>> = run.configs.iter().map(|config| claims::of(&config.label)).collect();
    let apart = |claim: &Claim| all.len() < 2 || !all.iter().all(|claims| claims.contains(claim));
    all.iter().map(|claims| claims.iter().filter(|claim| apart(claim)).cloned().collect()).collect()
}

/// What a label says must stand in the commands or in the spec.
pub fn against_commands(run: &Run, groups: &[Vec<Vec<String>>], document: &Document, report: &mut Report) {
    let spec = spec(run);
    // A search finds the rates by itself.
    let searched = run.spec().value("/sweep").is_some();
    let commands = groups.iter().map(|group| {
        let said = |command: &Vec<String>| {
            let mut said = Said::default();
            said.command(&without_names(command), true);
            said
        };
        (group.iter().map(said).collect::<Vec<_>>(), by_label(group))
    });
    let commands: Vec<(Vec<Said>, _)> = commands.collect();
    for (position, claims) in claims(run).into_iter().enumerate() {
        let mut own = Said::default();
        of_server(run, position, &mut own);
        let mut open: Vec<_> = claims.iter().filter(|claim| !(searched && claim.is_of(Setting::Rate))).collect();
        open.retain(|claim| !spec.says(claim) && !own.says(claim));
        // A cache that is on needs no saying.
        let (on, mut open): (Vec<&Claim>, Vec<_>) =
            open.into_iter().partition(|claim| **claim == Claim::PrefixCache(true));
        let mut is_denied = on.iter().any(|claim| spec.denies(claim) || own.denies(claim));
        let mut candidates = Vec::new();
        // Where no label says whose command is whose, the one of each program that says most is the config's.
        let label = run.configs[position].label.trim().to_lowercase();
        for (group, labelled) in &commands {
            let own = labelled.get(&label).map(|own| own.iter().map(|at| &group[*at]).collect::<Vec<_>>());
            let says = |said: &&Said| open.iter().filter(|claim| said.says(claim)).count();
            let own = own.unwrap_or_else(|| group.iter().collect());
            let Some(best) = own.iter().copied().max_by_key(says) else { continue };
            open.retain(|claim| !best.says(claim));
            candidates.extend(own);
        }
        // Whoever starts the server turns it off, each time.
        let all_deny = |claim: &Claim, denying: &Said| {
            candidates.iter().filter(|said| said.program() == denying.program()).all(|said| said.denies(claim))
        };
        is_denied |= on.iter().any(|claim| candidates.iter().any(|said| said.denies(claim) && all_deny(claim, said)));
        if !open.is_empty() {
            missing(run, position, &open, "neither its command nor the spec says", document, report);
        }
        if is_denied {
            missing(run, position, &on, "its command or the spec does not say", document, report);
        }
    }
}

/// Where there are no commands, a label may still say what the spec denies.
pub fn against_spec(run: &Run, document: &Document, report: &mut Report) {
    let spec = spec(run);
    for (position, claims) in claims(run).into_iter().enumerate() {
        let is_of_cache = |claim: &Claim| claim.is_of(Setting::Prefix) || matches!(claim, Claim::PrefixCache(_));
        let denied: Vec<_> = claims.iter().filter(|claim| is_of_cache(claim) && spec.denies(claim)).collect();
        if !denied.is_empty() {
            missing(run, position, &denied, "the spec does not say", document, report);
        }
    }
}

/// The rate of cache hits that a label says is that of the config, where it states one.
pub fn hits(run: &Run, document: &Document, report: &mut Report) {
    for (position, config) in run.configs.iter().enumerate() {
        let (Some((said, half)), Some(stated)) = (claims::hits(&config.label), config.prefix_cache_hit_pct) else {
            continue;
        };
        if (said - stated).abs() <= half + 1e-9 {
            continue;
        }
        let pointer = format!("/configs/{position}/label");
        let stated = plain(stated.into());
        let message =
            format!("`{}`: {}% of hits, and `prefix_cache_hit_pct` is {stated}", config.label, plain(said.into()));
        report.push(
            Diagnostic::new(&rules::RUN_LABEL_HITS, document.location(&pointer), message)
                .pointer(pointer)
                .related(document.spans.nearest(&format!("/configs/{position}/prefix_cache_hit_pct")), "the field")
                .help("ask the harness which of the two holds; figures take the field"),
        );
    }
}

/// What the label of an audit's config says and its flags deny, and storage types that field, flags and label have otherwise.
pub fn of_audit(audit: &Audit, document: &Document, report: &mut Report) {
    for (position, config) in audit.configs.iter().enumerate() {
        let mut said = Said::default();
        for flags in [config.flags.as_deref(), audit.baseline_flags.as_deref()].into_iter().flatten() {
            let words = words(flags);
            said.command(&words.iter().map(String::as_str).collect::<Vec<_>>(), false);
        }
        for (name, value) in config.environment.iter().flatten() {
            said.command(&[&format!("{name}={value}")], false);
        }
        let label = config.label.as_deref().unwrap_or_default();
        let denied = claims::of(label).into_iter().filter(|claim| said.denies(claim));
        let denied = denied.map(|claim| {
            let message = format!("`{label}`: the flags do not say {}", claim.words());
            (message, format!("/configs/{position}/label"), format!("/configs/{position}/flags"))
        });
        let differing = audit.storage_types_said(config, position).into_iter().filter_map(|(what, said)| {
            let first = said.first()?;
            let other = said.iter().find(|other| storage::differ(&first.dtype, &other.dtype))?;
            let message = format!(
                "`{}`: {what} is {} here and {} there",
                config.label.as_deref().unwrap_or(&config.key),
                quoted(&first.dtype),
                quoted(&other.dtype)
            );
            Some((message, first.pointer.clone(), other.pointer.clone()))
        });
        for (message, pointer, there) in denied.chain(differing) {
            report.push(
                Diagnostic::new(&rules::AUDIT_FLAGS, document.location(&pointer), message)
                    .pointer(pointer)
                    .related(document.spans.nearest(&there), "what says something else")
                    .help("correct the one that is wrong; figures take the field, then the flags"),
            );
        }
    }
}

fn spec(run: &Run) -> Said {
    let mut said = Said::default();
    run.spec.iter().for_each(|spec| said.spec(spec));
    said
}

/// The flags and the environment that servers ran with, which are commands in a place of their own, and their model.
fn of_server(run: &Run, position: usize, said: &mut Said) {
    let config = &run.configs[position];
    let model = [Some(run.model.name.as_str()), run.model.quantization.as_deref()];
    for text in [run.software.kernels.as_deref(), config.engine.as_deref()].into_iter().chain(model).flatten() {
        let words = words(text);
        said.command(&words.iter().map(String::as_str).collect::<Vec<_>>(), false);
    }
    for (name, value) in [&run.environment, &config.environment].into_iter().flatten().flatten() {
        strings(value, name, &mut |_, text| said.command(&[&format!("{name}={text}")], false));
        said.below(name, value);
    }
}

fn missing(run: &Run, position: usize, claims: &[&Claim], who_says: &str, document: &Document, report: &mut Report) {
    let pointer = format!("/configs/{position}/label");
    let words: Vec<_> = claims.iter().map(|claim| claim.words()).collect();
    let message = format!("`{}`: {who_says} {}", run.configs[position].label, words.join(", or "));
    let mut problem = Diagnostic::new(&rules::REPRODUCE_LABEL, document.location(&pointer), message).pointer(pointer);
    let prefix = claims.iter().any(|claim| claim.is_of(Setting::Prefix));
    if let Some(span) = document.spans.value("/spec/workload/shared_prefix").filter(|_| prefix) {
        problem = problem.related(span, "the spec says this of it");
    }
    report
        .push(problem.help("give the option or the field that sets it, or acknowledge the rule with how it was done"));
}
