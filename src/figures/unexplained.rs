//! Numbers in a result's title and summary that nothing else in the record explains.

mod beside;

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::{Map, Value};

use beside::{Beside, beside, statistic};

use super::{Fact, Figure};
use crate::catalog::Item;
use crate::diagnostic::{Diagnostic, Report, quoted, rules};
use crate::formula;
use crate::metric::{self, Family};
use crate::quantity::written::{self, CONFIGS, GPUS, Match, Per, Written};
use crate::quantity::{Better, Quantity, Sense, TokenKind, Unit, Way, plain};

/// Warns of each number that is no figure and no value of the record or its note of the same kind, none of them counted,
/// and no part of a name or date.
pub fn check(item: &Item, figures: &[Figure], report: &mut Report) {
    // Without its models, half of the figures are missing.
    if !item.is_result() || !item.knows_its_models() {
        return;
    }
    let record = item.document.record();
    let mut known = None;
    for pointer in ["/title", "/summary"] {
        let Some(text) = record.pointer(pointer).and_then(Value::as_str) else { continue };
        if !text.contains(|part: char| part.is_ascii_digit()) && pointer != "/title" {
            continue;
        }
        let known = known.get_or_insert_with(|| Explanations::of(item, figures));
        for span in known.unexplained(text, pointer == "/title") {
            let message = format!("nothing in the record explains {}", quoted(&excerpt(text, &span)));
            let problem = Diagnostic::new(&rules::CLAIM_UNEXPLAINED, item.document.location(pointer), message);
            report.push(problem.pointer(pointer).stated(&text[span.clone()]).help(
                "correct it, or carry it as a field, an observation or a stated figure; a number that must stand \
                 by itself is acknowledged with the reason",
            ));
        }
    }
}

/// A number with a word on either side.
fn excerpt(text: &str, span: &Range<usize>) -> String {
    let before = text[..span.start].trim_end().rsplit(' ').next().unwrap_or_default();
    let start = text[..span.start].trim_end().len() - before.len();
    let rest = &text[span.end..];
    let words = rest.char_indices().filter(|(_, part)| *part == ' ').map(|(at, _)| at).nth(1);
    text[start..span.end + words.unwrap_or(rest.len())].trim().to_owned()
}

/// The sentence, or the part of one, that a number stands in.
fn sentence<'a>(text: &'a str, span: &Range<usize>) -> &'a str {
    const ENDS: [&str; 2] = [". ", "; "];
    let start = ENDS.iter().filter_map(|end| text[..span.start].rfind(end)).max();
    let end = ENDS.iter().filter_map(|end| text[span.end..].find(end)).min();
    &text[start.map_or(0, |at| at + 2)..end.map_or(text.len(), |at| span.end + at)]
}

/// Everything that a number of the prose may be.
#[derive(Default)]
struct Explanations {
    values: Vec<Number>,
    /// Numbers within texts, each with the unit that stands at it there, and what it is of.
    texts: Vec<(Written, Name)>,
    /// Numbers of fields that have no unit, such as lengths of lists: no dollars, and no percent.
    plain: Vec<Quantity>,
    /// How many configs, and how many GPUs of each host or run.
    configs: Option<usize>,
    gpus: BTreeSet<u64>,
    /// Parts of names, versions, dates and flags that hold a digit.
    words: BTreeSet<String>,
    /// Words of the accelerators' names, before which a number counts cards: `H100`, `RTX`.
    cards: BTreeSet<String>,
    /// How far latencies of configs are from those of the baseline, each with its metric. No figure is made of them, and
    /// so they explain a number only in a sentence that names the metric.
    latency_changes: Vec<(String, Quantity)>,
}

/// By which name a number is known: that of its field or formula, or the record's own words.
#[derive(Debug, Clone)]
struct Name {
    words: String,
    is_ours: bool,
}

impl Name {
    fn of_ours(words: impl Into<String>) -> Self {
        Name { words: words.into(), is_ours: true }
    }

    fn of_record(words: impl Into<String>) -> Self {
        Name { words: words.into(), is_ours: false }
    }

    /// What a figure is of; of a value that a note compares, its subject says that.
    fn of_figure(figure: &Figure) -> Self {
        let is_ours = !figure.formula.id.starts_with("value_");
        Name { words: format!("{} {}", figure.formula.id, if is_ours { "" } else { &figure.subject }), is_ours }
    }

    /// Whether a number that is said to be of a metric may be this one. Of a name in a record's own words nobody knows what
    /// it is of, unless it names a metric itself.
    fn may_be_of(&self, beside: &Beside) -> bool {
        let is_of = |metric: &Family| metric.owns(&self.words) || !self.is_ours && !metric::is_named(&self.words);
        let own = || written::words(&self.words).flat_map(|(word, _)| word.split('_')).find_map(statistic);
        let is_other = beside.statistic.is_some_and(|said| own().is_some_and(|own| own != said));
        beside.metric.is_none_or(is_of) && !(is_other && self.is_ours)
    }
}

/// A value in the unit of its field or formula.
struct Number {
    unit: Unit,
    quantity: Quantity,
    name: Name,
    /// What words for a change mean of it.
    sense: Sense,
    /// Whether a rate is that of one user.
    of_a_user: bool,
}

impl Explanations {
    fn of(item: &Item, figures: &[Figure]) -> Self {
        let mut known = Explanations::default();
        for document in item.documents() {
            known.value("", &document.record());
            for stated in document.quantities() {
                known.push_of_field(&stated.pointer, stated.unit, stated.quantity);
            }
        }
        for figure in figures {
            if let Some(quantity) = figure.quantity() {
                let of_a_user = figure.formula.id.contains("_per_user");
                let name = Name::of_figure(figure);
                // What changes by +20% is 1.2x.
                if figure.formula.unit == Unit::PercentChange {
                    let times = Quantity::exact(1.0) + quantity / Quantity::exact(100.0);
                    known.push(name.clone(), Unit::Ratio, times);
                }
                known.values.push(Number {
                    unit: figure.formula.unit,
                    quantity,
                    name,
                    sense: figure.sense(),
                    of_a_user,
                });
            }
            known.inputs(figure);
        }
        let record = item.document.value();
        let configs = record.pointer("/configs").and_then(Value::as_array);
        known.latency_changes(configs.map_or(&[], Vec::as_slice), item.baseline);
        known
    }

    fn latency_changes(&mut self, configs: &[Value], baseline: Option<usize>) {
        let Some(baseline) = baseline.and_then(|at| configs.get(at)?.as_object()) else { return };
        let latencies = baseline.iter().filter_map(|(name, value)| {
            let latency = metric::Latency::parse(name)?;
            Some((name, latency.metric, value.as_f64().filter(|own| *own > 0.0)?))
        });
        for (name, metric, own) in latencies {
            let others = configs.iter().filter_map(|config| config.get(name)?.as_f64());
            self.latency_changes
                .extend(others.map(|other| (metric.to_owned(), Quantity::exact((other / own - 1.0) * 100.0))));
        }
    }

    fn inputs(&mut self, figure: &Figure) {
        for (definition, Fact { quantity, derivation, .. }) in figure.inputs() {
            self.push(Name::of_ours(definition.name), definition.unit, *quantity);
            if let Some(derivation) = derivation {
                self.inputs(derivation);
            }
        }
    }

    fn push(&mut self, name: Name, unit: Unit, quantity: Quantity) {
        self.values.push(Number { unit, quantity, name, sense: Sense::ANY, of_a_user: false });
    }

    /// A number whose schema says its unit.
    fn push_of_field(&mut self, pointer: &str, unit: &str, quantity: Quantity) {
        let field = pointer.rsplit('/').next().unwrap_or_default();
        let unit = match unit {
            "GPUs" => {
                self.gpus.extend([quantity.low(), quantity.high()].map(|count| count as u64));
                Unit::Count(GPUS)
            }
            "requests" => Unit::Count("requests"),
            "repeats" => Unit::Count("repeats"),
            "heads" => Unit::Count("heads"),
            "layers" => Unit::Layers,
            "tokens" => Unit::Tokens,
            "B" => Unit::Bytes,
            _ => metric::unit_of(field),
        };
        // One stream is one user.
        let of_a_user = field == "measured_tps_at_ctx";
        self.values.push(Number { unit, quantity, name: Name::of_ours(pointer), sense: Sense::ANY, of_a_user });
    }

    fn value(&mut self, field: &str, value: &Value) {
        match value {
            Value::Number(number) => {
                let Some(number) = number.as_f64().map(Quantity::exact) else { return };
                match metric::unit_of(field) {
                    Unit::Number => self.plain.push(number),
                    unit => self.push(Name::of_ours(field), unit, number),
                }
            }
            Value::String(text) => self.text(field, text),
            Value::Array(items) => {
                // How many there are is a number of the record too.
                self.plain.push(Quantity::exact(items.len() as f64));
                if matches!(field, "configs" | "variants") {
                    self.configs = Some(items.len());
                }
                if let Some(interval) = Quantity::read(value) {
                    self.push(Name::of_ours(field), metric::unit_of(field), interval);
                }
                items.iter().for_each(|item| self.value(field, item));
            }
            Value::Object(members) => self.members(field, members),
            Value::Bool(_) | Value::Null => {}
        }
    }

    fn members(&mut self, field: &str, members: &Map<String, Value>) {
        let is_measured = self.measured(members);
        self.answers(members);
        let is_stated = self.stated(members);
        for (name, value) in members {
            // What a host has besides its cards has no other field.
            let is_prose = PROSE.contains(&name.as_str()) && (field, name.as_str()) != ("hosts", "note");
            let is_read = is_measured && name == "value" || is_stated && name == "as_written";
            if !is_prose && !is_read {
                self.value(name, value);
            }
        }
    }

    /// A value beside which its unit stands in words of the record's own: `{name: prefill, unit: tok/s, value: 8658.33}`.
    fn measured(&mut self, members: &Map<String, Value>) -> bool {
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        let Some(quantity) = members.get("value").and_then(Quantity::read) else { return false };
        let Some(unit) = text("unit") else {
            // An observation is of a metric of ours, in its unit.
            let named = text("metric").map(|metric| (metric, metric::unit_of(metric)));
            let named = named.filter(|(_, unit)| *unit != Unit::Number);
            named.into_iter().for_each(|(metric, unit)| self.push(Name::of_ours(metric), unit, quantity));
            return named.is_some();
        };
        let name = text("name").or(text("metric")).unwrap_or_default();
        // `time_for_24_gib_ms`
        let known = Name::of_record(name);
        let named = |number| (number, known.clone());
        self.texts.extend(written::numbers(&metric::words(name)).into_iter().map(named));
        let says = |words: &[&str]| name.split('_').any(|part| words.contains(&part));
        let tokens = match () {
            () if says(&["input", "prompt", "prefill"]) => Some(TokenKind::Input),
            () if says(&["output", "decode", "generated"]) => Some(TokenKind::Output),
            () if says(&["total"]) => Some(TokenKind::Total),
            () => None,
        };
        if unit.starts_with("of ") {
            self.push(known.clone(), Unit::Ratio, quantity);
        }
        let blank = if matches!(unit, "x" | "%") { "" } else { " " };
        for end in [quantity.low(), quantity.high()] {
            let numbers = written::numbers(&format!("{}{blank}{unit}", plain(end.into())));
            let numbers = numbers.into_iter().take(1);
            let numbers = numbers.map(|number| tokens.map_or(number.clone(), |tokens| number.of_tokens(tokens)));
            self.texts.extend(numbers.map(named));
        }
        true
    }

    /// How many questions of a score were answered rightly, and how many were not.
    fn answers(&mut self, members: &Map<String, Value>) {
        let number = |name: &str| members.get(name).and_then(Value::as_f64);
        let Some((score_pct, questions)) = number("score_pct").zip(number("questions")) else { return };
        let right = (score_pct / 100.0 * questions).round();
        self.plain.extend([right, questions - right].map(Quantity::exact));
    }

    /// A stated number, which is of the kind of its figure, whatever of that its wording leaves out.
    fn stated(&mut self, members: &Map<String, Value>) -> bool {
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        let formula = text("figure").and_then(formula::by_id);
        let Some((formula, wording)) = formula.zip(text("as_written")) else { return false };
        let numbers = written::numbers(wording);
        let numbers = numbers.iter().flat_map(Written::each).map(|number| number.or_of(formula.unit));
        self.texts.extend(numbers.map(|number| (number, Name::of_ours(formula.id))));
        true
    }

    fn text(&mut self, field: &str, text: &str) {
        let unit = metric::unit_of(field);
        for number in written::numbers(text).iter().flat_map(Written::each) {
            match (NAMES.contains(&field), number.has_unit()) {
                // `H100 80GB`
                (true, true) if field == "accelerator" => self.texts.push((number, Name::of_record(text))),
                (true, _) => {}
                (false, false) if unit != Unit::Number => self.push(Name::of_ours(field), unit, number.ends()),
                (false, _) => self.texts.push((number, Name::of_record(format!("{field} {text}")))),
            }
        }
        let parts = text.split(|part: char| !part.is_alphanumeric() && part != '.');
        let parts = parts.filter(|part| part.contains(|part: char| part.is_ascii_digit()) || *part == "RTX");
        if field == "accelerator" {
            let is_name = |part: &&str| part.starts_with(|part: char| part.is_ascii_alphabetic());
            self.cards.extend(parts.clone().filter(is_name).map(str::to_lowercase));
        }
        self.words.extend(parts.map(str::to_owned));
    }

    /// Where in a text there are numbers, in a title in words too, that are none of the record's.
    fn unexplained(&self, text: &str, is_title: bool) -> Vec<Range<usize>> {
        let numbers = written::numbers(text);
        let mut found: Vec<_> =
            numbers.into_iter().filter(|number| !self.explains(number, text)).map(|number| number.span).collect();
        for (word, after) in written::words(text).filter(|_| is_title) {
            let end = text.len() - after.len();
            let counted = self.counted(after).and_then(|counts| Some((counts, written::count_in_words(word)?)));
            if counted.is_some_and(|(counts, count)| !counts.contains(&count.into())) {
                found.push(end - word.len()..end);
            }
        }
        found.sort_by_key(|span| span.start);
        found
    }

    /// What a number may be that these words follow, where they are configs or cards; `None` where they are not, or the
    /// record has no count of them.
    fn counted(&self, after: &str) -> Option<BTreeSet<u64>> {
        const MACHINES: [&str; 10] =
            ["node", "nodes", "server", "servers", "box", "boxes", "machine", "machines", "host", "hosts"];
        let after = after.trim_start_matches(['-', ' ']);
        let mut words = written::words(after).map(|(word, _)| word.to_lowercase());
        let card = words.next().filter(|_| after.starts_with(char::is_alphanumeric)).unwrap_or_default();
        let is_card = (self.cards.contains(&card) || self.cards.contains(card.trim_end_matches('s')))
            // `one MI300X node`
            && !words.next().is_some_and(|word| MACHINES.contains(&word.as_str()));
        match written::counted_soon(after) {
            Some(CONFIGS) => self.configs.map(|count| BTreeSet::from([count as u64])),
            Some(GPUS) => Some(self.gpus.clone()),
            _ => is_card.then(|| self.gpus.clone()),
        }
        .filter(|counts| !counts.is_empty())
    }

    fn explains(&self, number: &Written, text: &str) -> bool {
        let ends = number.each();
        // `8x H100` are cards too.
        let after = &text[number.span.end..];
        let counts = if number.has_unit() { after.strip_prefix(['x', '×']) } else { Some(after) };
        if let Some(counts) = counts.and_then(|after| self.counted(after)) {
            return ends.iter().all(|end| counts.iter().any(|count| end.ends() == Quantity::exact(*count as f64)));
        }
        let beside = if number.has_unit() { beside(text, number) } else { Beside::default() };
        let value = |value: &Number| {
            (value.quantity.is_interval() || ends.len() == 1) && value.explains(number) && value.name.may_be_of(&beside)
        };
        self.is_name(number, text)
            || self.values.iter().any(value)
            || ends.iter().all(|end| self.explains_end(end, &beside))
            || self.is_latency_change(number, text, &beside)
    }

    /// Whether a number is how far a latency, which its sentence names, is from the baseline's.
    fn is_latency_change(&self, number: &Written, text: &str, beside: &Beside) -> bool {
        let sentence = sentence(text, &number.span);
        self.latency_changes.iter().any(|(metric, change)| {
            let is_named = || written::words(sentence).any(|(word, _)| word.eq_ignore_ascii_case(metric));
            let name = Name::of_ours(metric.as_str());
            let sense = Sense { better: Better::Lower, way: Way::Rises };
            let change = Number { unit: Unit::PercentChange, quantity: *change, name, sense, of_a_user: false };
            change.explains(number) && is_named() && change.name.may_be_of(beside)
        })
    }

    /// One end of a number, or a number without the bound that words make of it.
    fn explains_end(&self, end: &Written, beside: &Beside) -> bool {
        self.values.iter().any(|value| value.explains(end) && value.name.may_be_of(beside))
            || self.texts.iter().any(|(text, name)| end.is_said_by(text) && name.may_be_of(beside))
            || !end.has_unit() && self.plain.iter().any(|value| end.matches(Unit::Number, *value) == Match::Agrees)
    }

    /// Whether a number without a unit is part of a name or a date of the record: `Llama 3.3 70B`, `RTX 5090`, `in 2023`.
    fn is_name(&self, number: &Written, text: &str) -> bool {
        let rest = &text[number.span.start..];
        let word = &rest[..rest.find(|part: char| !part.is_alphanumeric() && part != '.').unwrap_or(rest.len())];
        let word = word.trim_end_matches('.');
        let version = format!("{word}.");
        let is_word = || self.words.iter().any(|known| known.eq_ignore_ascii_case(word) || known.starts_with(&version));
        if number.is_billions() {
            return is_word();
        }
        let before = text[..number.span.start].trim_end_matches([' ', '-']);
        let before = before.rsplit(|part: char| !part.is_alphanumeric()).next().unwrap_or_default();
        let follows_name = before.contains(char::is_uppercase) && !NO_NAMES.contains(&before.to_lowercase().as_str())
            || self.words.iter().any(|known| known.eq_ignore_ascii_case(before));
        let is_year = word.len() == 4 && (1990..2100).contains(&word.parse().unwrap_or(0));
        !number.has_unit() && number.counted.is_none() && (follows_name || is_year) && is_word()
    }
}

impl Number {
    fn explains(&self, number: &Written) -> bool {
        if number.per == Some(Per::User) {
            let mut alone = number.clone();
            alone.per = None;
            return self.of_a_user && self.explains(&alone);
        }
        let is = |quantity, sense| number.matches_change(self.unit, quantity, sense) == Match::Agrees;
        // `shrinks the pool by 29%`: how far something falls is written without a sign, and the way of a figure is known.
        let is_change = matches!(self.unit, Unit::PercentChange | Unit::Points) && !number.signed;
        // `1.57 times less`, `costs $500 a month more`
        let is_difference = is_change || self.unit == Unit::Ratio || self.sense.way == Way::Falls;
        let agrees = match number.has_way() && self.sense.way != Way::Either {
            true if is_difference => is(self.quantity, self.sense),
            _ => is(self.quantity, Sense::ANY) || is_change && is(-self.quantity, Sense::ANY),
        };
        number.is_of(self.unit) && agrees && number.bounds_closely(self.unit, self.quantity)
    }
}

/// Fields that hold names and versions: a number there is no value.
const NAMES: [&str; 25] = [
    "id",
    "key",
    "name",
    "names",
    "model",
    "engine",
    "engine_version",
    "version",
    "driver",
    "image",
    "kernels",
    "accelerator",
    "vendor",
    "host",
    "hosts",
    "reference",
    "references",
    "repository",
    "commit",
    "sha256",
    "file",
    "url",
    "accessed",
    "published",
    "endpoint",
];

/// Words that a capital letter makes no name.
const NO_NAMES: [&str; 24] = [
    "a", "after", "an", "and", "at", "before", "between", "by", "for", "from", "in", "no", "of", "on", "only", "over",
    "than", "the", "to", "under", "up", "with", "within", "without",
];

/// Fields that hold prose: a number there is a claim itself.
const PROSE: [&str; 16] = [
    "title",
    "summary",
    "body",
    "not_covered",
    "note",
    "quote",
    "reason",
    "remark",
    "rerun",
    "closes",
    "confidence_reason",
    "kv_bytes_basis",
    "acknowledges",
    "sources",
    "changes",
    "withdrawn",
];

#[cfg(test)]
mod tests;
