//! What the text of a link to a figure says of its number, and the few words around the link: of which metric it is, of how
//! much of a system, which way a change goes.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::catalog::{self, Item};
use crate::figures::Figure;
use crate::metric::{FAMILIES, Family};
use crate::quantity::written::{
    GPUS, Match, Per, Written, counted_after_turn, counted_soon, in_digits, is_money_sign, is_side, is_turn, numbers,
    numbers_and_words, words,
};
use crate::quantity::{Quantity, TokenKind, Unit, Way};
use crate::record::run::PowerKind;

/// The text of a link with the words around it that belong to it.
pub struct Around {
    pub text: String,
    own: String,
    before: Vec<String>,
    behind: Vec<String>,
    /// A sign, a digit or a letter stands right beside the number: `−[56.7%]`, `[$0.289]M`.
    is_glued: bool,
}

impl Around {
    /// Of a link that stands in a file, up to the next sign, conjunction or phrase of its own.
    pub fn of(file: &str, span: &Range<usize>, own: &str) -> Self {
        /// How many words.
        const REACH: usize = 4;
        const OTHERS: [&str; 30] = [
            "and", "or", "but", "while", "where", "which", "that", "because", "if", "since", "when", "until", "so",
            "as", "than", "with", "within", "without", "against", "after", "before", "at", "under", "over", "by", "to",
            "from", "into", "not", "no",
        ];
        let ends = |part: char| ".,;:!?()[]|*`\"“”–—0123456789".contains(part);
        let is_own_phrase = |word: &str| OTHERS.contains(&word.to_lowercase().as_str());
        /// How many characters, of which these begin another block: a paragraph, an item, a heading, a quote, a row.
        const WINDOW: usize = 300;
        const BLOCKS: [&str; 7] = ["\n\n", "\n- ", "\n* ", "\n+ ", "\n#", "\n>", "\n|"];
        let window = file[..span.start].char_indices().rev().nth(WINDOW).map_or(0, |(at, _)| at);
        let before = &file[window..span.start];
        let begin = BLOCKS.iter().filter_map(|block| Some(before.rfind(block)? + block.len())).max();
        let before = &before[begin.unwrap_or(0)..];
        let before = before.rsplit(ends).next().unwrap_or_default();
        // `falls by [56.7%]` goes the way of its verb.
        let before = before.trim_end();
        let before = before.strip_suffix(" by").or(before.strip_suffix("\nby")).unwrap_or(before);
        let before: Vec<_> =
            before.split_whitespace().rev().take(REACH).take_while(|word| !is_own_phrase(word)).collect();
        // `at less cost it serves [56.7%]`: a statement begins with what it is of.
        let begin = before.iter().position(|word| matches!(word.to_lowercase().as_str(), "it" | "they" | "we"));
        let before = before.iter().take(begin.map_or(REACH, |at| at + 1));
        let before: Vec<_> = before.rev().map(|word| (*word).to_owned()).collect();
        let behind = &file[span.end..];
        let behind = &behind[..behind.char_indices().nth(WINDOW).map_or(behind.len(), |(at, _)| at)];
        let end = BLOCKS.iter().filter_map(|block| behind.find(block)).min();
        let behind = &behind[..end.unwrap_or(behind.len())];
        let unit = per_digits(behind);
        let behind = &behind[..behind[unit..].find(ends).map_or(behind.len(), |at| unit + at)];
        let is_joined = behind.starts_with(|part: char| part.is_alphanumeric() || part == '-');
        // `[36%] below that of the baseline`
        let goes_on = is_side(behind);
        let behind = behind.split_whitespace().take(REACH).take_while(|word| goes_on || !is_own_phrase(word));
        let behind: Vec<_> = if is_joined { Vec::new() } else { behind.map(str::to_owned).collect() };
        let text = format!("{} {own} {}", before.join(" "), behind.join(" ")).trim().to_owned();
        let at_number = |part: char| part.is_numeric() || "+−-~$%".contains(part);
        let joins = |part: char| part.is_alphanumeric() || is_money_sign(part) || "+−-~×÷^".contains(part);
        let joins_right = |part: char| joins(part) && part != '-';
        let [left, right] = [file[..span.start].chars().next_back(), file[span.end..].chars().next()];
        // A hyphen behind a number makes a word of it: `[8.40]-request`.
        let is_glued = (own.starts_with(at_number) && left.is_some_and(joins))
            || (own.ends_with(at_number) && right.is_some_and(joins_right));
        Around { text, own: own.to_owned(), before, behind, is_glued }
    }

    /// Whether a number of the link's text, which is the figure's by itself, is another one by the words around it: `[36%]
    /// less` of what is 36% more, `[64 KiB] per layer`.
    pub fn makes_another_number(&self, figure: &Figure) -> bool {
        let Some(quantity) = figure.quantity() else { return false };
        self.is_glued
            || self.read(figure.formula.unit).is_some_and(|all| all.iter().any(|it| !agrees(it, figure, quantity)))
    }

    /// Whether the words around the link complete its one number, which alone says how far and not which way, or how much and
    /// not what for: `falls by [36%]`, `[$289] per billion tokens`.
    pub fn completes(&self, figure: &Figure) -> bool {
        let Some(quantity) = figure.quantity().filter(|_| !self.is_glued) else { return false };
        let numbers = self.read(figure.formula.unit).unwrap_or_default();
        let is_completed = |number: &Written| !number.signed && number.has_way() || number.per.is_some();
        matches!(&numbers[..], [number] if is_completed(number) && agrees(number, figure, quantity))
    }

    /// The numbers of the link's text with what the words around it say of them.
    fn read(&self, unit: Unit) -> Option<Vec<Written>> {
        let alone = numbers_and_words(&self.own, unit);
        let read = in_digits(&self.own, unit).text;
        // A change goes the way of the word right behind its number, or of those right before it.
        const NEAR: usize = 2;
        let before = self.before[self.before.len().saturating_sub(NEAR)..].join(" ") + " ";
        let counts = self.behind.first().is_some_and(|word| counted_soon(word).is_some());
        let behind = self.behind.iter().enumerate();
        let behind = behind.filter(|(at, word)| *at <= usize::from(counts) || !is_turn(word));
        let behind: Vec<_> = behind.map(|(_, word)| word.as_str()).collect();
        let whole = format!("{before}{read} {}", behind.join(" "));
        let own = before.len()..before.len() + read.len();
        let together: Vec<_> = numbers(&whole).into_iter().filter(|number| own.contains(&number.span.start)).collect();
        let all = alone.iter().zip(&together).map(|(alone, together)| alone.beside(together));
        (alone.len() == together.len()).then(|| all.collect())
    }
}

fn agrees(number: &Written, figure: &Figure, quantity: Quantity) -> bool {
    number.matches_change(figure.formula.unit, quantity, figure.sense()) == Match::Agrees
}

/// How much of a text is what a number before it is per, where that is in digits: ` per 1,000` of ` per 1,000 tokens`.
fn per_digits(text: &str) -> usize {
    const PER: [&str; 8] = ["per ", "/ ", "/", "for every ", "for each ", "for ", "every ", "each "];
    let number = PER.iter().find_map(|per| text.trim_start().strip_prefix(per)).unwrap_or_default();
    let digits = number.find(|part: char| !part.is_ascii_digit() && part != ',').unwrap_or(number.len());
    if digits == 0 { 0 } else { text.len() - number.len() + digits }
}

/// The words of a text in small letters.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    words(text).map(|(word, _)| word.to_lowercase())
}

/// The words that say what a figure is of.
struct Own {
    /// Of its formula, of the fields that it rests on, of what stands beside it.
    all: BTreeSet<String>,
    /// Of its formula's name alone.
    formula: BTreeSet<String>,
}

impl Own {
    fn of(figure: &Figure) -> Self {
        let formula = figure.formula;
        let inputs = formula.inputs.iter().map(|input| input.name);
        let fields = figure.inputs().filter_map(|(_, fact)| fact.pointer.rsplit('/').next());
        let beside = figure.label.iter().chain(&figure.remarks).map(String::as_str);
        let beside = beside.chain([figure.subject.as_str()]);
        let all = [formula.id, formula.name, formula.sentence].into_iter().chain(inputs).chain(fields).chain(beside);
        Own {
            all: all.flat_map(words_of).collect(),
            formula: [formula.id, formula.name].into_iter().flat_map(words_of).collect(),
        }
    }
}

/// What a text names and a figure is not of: another metric, another power boundary, money of another kind.
pub fn another(text: &str, item: &Item, figure: &Figure) -> Option<String> {
    let unit = figure.formula.unit;
    // What a value is that a note compares, its own words say.
    let is_comparison = matches!(unit, Unit::Percent | Unit::PercentChange | Unit::Points | Unit::Ratio)
        && !figure.formula.id.starts_with("value_");
    let own = Own::of(figure);
    other_metric(text, &own, is_comparison)
        .or_else(|| other_boundary(text, item, figure))
        .or_else(|| other_money(text, figure).map(str::to_owned))
        .or_else(|| other_things(text, unit, &own))
}

/// Another power boundary than that of a figure which rests on a power.
fn other_boundary(text: &str, item: &Item, figure: &Figure) -> Option<String> {
    let kind = item.run()?.power.as_ref()?.kind?;
    let rests_on_it = figure.label.as_deref() == Some(PowerKind::words(Some(kind)));
    catalog::another_boundary(text, kind).filter(|_| rests_on_it)
}

/// A saving of what is a cost, and a cost of what is a saving.
fn other_money(text: &str, figure: &Figure) -> Option<&'static str> {
    let formula = figure.formula;
    let says = |any: &[&str]| words_of(text).any(|word| any.contains(&word.as_str()));
    let is_saving = formula.sense().way == Way::Falls;
    match formula.unit.is_money() {
        true if !is_saving && says(&["saves", "saved", "saving", "savings"]) => Some("a saving"),
        true if is_saving && says(&["cost", "costs", "price", "bill"]) => {
            let is_less = numbers(text).iter().any(Written::is_less);
            (!is_less).then_some("a cost")
        }
        _ => None,
    }
}

/// Things that a ratio or a change is none of: `1.57 GPUs`, `36% fewer GPUs`.
fn other_things(text: &str, unit: Unit, own: &Own) -> Option<String> {
    // Most figures rest on a number of GPUs somewhere.
    let words = |things: &str| if things.eq_ignore_ascii_case(GPUS) { &own.formula } else { &own.all };
    let is_own = |things: &str| words(things).contains(things) || words(things).contains(things.trim_end_matches('s'));
    let numbers = numbers(text).into_iter();
    let counted: Vec<_> = match unit {
        Unit::Ratio => numbers.filter(|number| !number.has_unit()).filter_map(|number| number.counted).collect(),
        Unit::PercentChange => numbers.filter_map(|number| counted_after_turn(&text[number.span.end..])).collect(),
        _ => Vec::new(),
    };
    let mut other = counted.into_iter().filter(|things| !is_own(&things.to_lowercase()));
    other.next().map(str::to_owned)
}

/// What a text names and a figure has nothing to do with, by the `own` words of that: another metric, or another
/// percentile or kind of token than the figure's. The limit of a metric may go with any figure.
fn other_metric(text: &str, of_figure: &Own, is_comparison: bool) -> Option<String> {
    let own = &of_figure.all;
    const PERCENTILES: [&str; 5] = ["p50", "p90", "p95", "p99", "p999"];
    const MEDIAN: &str = "median";
    const TOKENS: [&str; 3] = ["input", "output", "total"];
    const LIMITS: [&str; 6] = ["limit", "limits", "slo", "target", "gate", "budget"];
    let said: Vec<String> = words_of(text).collect();
    let next_is = |at: usize, is: &dyn Fn(&str) -> bool| said.get(at + 1).is_some_and(|next| is(next));
    // Of a share of one limit, the limit of another metric is another number.
    let is_of_a_limit = own.contains("slo") && ["ttft", "tpot", "itl", "e2el"].iter().any(|name| own.contains(*name));
    let is_limit = |word: &str| LIMITS.contains(&word) && !is_of_a_limit;
    // `p99 TTFT limit`
    let sets_limit = |at: usize| next_is(at, &is_limit) || next_is(at + 1, &is_limit);
    let positions = |name: &str| {
        let name = name.to_lowercase();
        said.iter().enumerate().filter(move |(_, word)| **word == name).map(|(at, _)| at).collect::<Vec<_>>()
    };
    let is_own = |name: &str| own.contains(&name.to_lowercase());
    let families = FAMILIES.iter().filter(|family| family.is_of_a_number(is_comparison));
    let has_own = |family: &Family| own.iter().any(|word| family.has(word));
    let mut others = families.filter(|family| !has_own(family) || family.is_never_of(&of_figure.formula));
    let metric = others.find(|family| family.positions(&said).any(|at| !next_is(at, &is_limit)));
    // Of what has no percentile and no kind of token, each may be said.
    let has_one = |names: &[&str]| names.iter().any(|name| is_own(name));
    let percentile = || {
        let is_said = |name: &str| positions(name).iter().any(|at| !sets_limit(*at));
        let other = PERCENTILES.into_iter().find(|name| !is_own(name) && is_said(name));
        let median = || Some(MEDIAN).filter(|name| !is_own("p50") && !is_own(name) && is_said(name));
        other.or_else(median).filter(|_| has_one(&PERCENTILES)).map(str::to_owned)
    };
    let tokens = || {
        let is_token = |word: &str| word.starts_with("tok");
        let other = |name: &&&str| !is_own(name) && positions(name).iter().any(|at| next_is(*at, &is_token));
        TOKENS.iter().find(other).filter(|_| has_one(&TOKENS)).map(|name| format!("{name} tokens"))
    };
    metric.map(|family| family.name.to_owned()).or_else(percentile).or_else(tokens)
}

/// Of how much of a system a number is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Basis {
    Fleet,
    /// All GPUs of a result.
    System,
    /// One sequence, over all GPUs.
    Sequence,
    Gpu,
    User,
    Request,
}

impl Basis {
    /// That of a figure; `None` where it is of nothing of the kind, such as a share.
    fn of(figure: &Figure) -> Option<Self> {
        let id = figure.formula.id;
        Some(match figure.formula.unit {
            _ if id.starts_with("fleet_output") || id.starts_with("fleet_power") => Basis::Fleet,
            Unit::TokensPerSecondPerGpu(_) | Unit::UsdPerGpuHour => Basis::Gpu,
            _ if id.contains("_per_gpu") => Basis::Gpu,
            _ if id.contains("_per_user") => Basis::User,
            Unit::TokensPerRequest(_) => Basis::Request,
            Unit::BytesPerToken | Unit::Gib if id.starts_with("kv_") && !id.contains("pool") => Basis::Sequence,
            Unit::TokensPerSecond(_)
            | Unit::RequestsPerSecond
            | Unit::Kilowatts
            | Unit::Watts
            | Unit::TbPerSecond
            | Unit::UsdPerHour
            | Unit::UsdPerMonth => Basis::System,
            _ => return None,
        })
    }

    fn words(self) -> &'static str {
        match self {
            Basis::Fleet => "of the whole fleet",
            Basis::System => "of all GPUs together",
            Basis::Sequence => "of a sequence over all GPUs",
            Basis::Gpu => "of one GPU",
            Basis::User => "of one user",
            Basis::Request => "of one request",
        }
    }
}

/// What a text says that a number is of, where a figure is of something else: `per GPU` of a fleet, `in all` of one user.
pub fn other_basis(text: &str, item: &Item, figure: &Figure) -> Option<String> {
    let own = Basis::of(figure)?;
    let gpus = gpus(item);
    let differs = |said: Basis| match (said, own) {
        // Of one GPU, all are one.
        (Basis::Gpu, Basis::System) => gpus != Some(1),
        (Basis::Gpu, Basis::Sequence) => gpus.is_some_and(|gpus| gpus > 1),
        (Basis::User, Basis::System) => !is_alone(item, figure),
        (_, Basis::Sequence) | (Basis::Request, Basis::User) => false,
        (Basis::System, Basis::Fleet) => false,
        (said, own) => said != own,
    };
    let said = said_bases(text, figure.formula.unit);
    let (_, phrase) = said.into_iter().find(|(said, _)| differs(*said))?;
    Some(format!("`{phrase}`, and the figure is {}", own.words()))
}

fn gpus(item: &Item) -> Option<u32> {
    let run = item.run().map(|run| run.hardware.count);
    run.or_else(|| item.audit().map(|audit| audit.hardware.count))
}

/// Whether a figure is of a config with one request at a time.
fn is_alone(item: &Item, figure: &Figure) -> bool {
    let position = item.subjects.iter().position(|subject| subject.anchor == figure.subject);
    let config = position.zip(item.run()).and_then(|(at, run)| run.configs.get(at));
    config.and_then(|config| config.concurrency) == Some(1)
}

/// What a text says that a number is of, with its words.
fn said_bases(text: &str, unit: Unit) -> Vec<(Basis, String)> {
    const EACH: [&str; 5] = ["per", "each", "every", "one", "single"];
    let mut found: Vec<_> = numbers(text)
        .iter()
        .filter_map(|number| match number.per? {
            Per::Gpu => Some((Basis::Gpu, "per GPU".to_owned())),
            Per::User => Some((Basis::User, "per user".to_owned())),
            Per::Requests(1.0) => Some((Basis::Request, "per request".to_owned())),
            _ => None,
        })
        .collect();
    let all: Vec<_> = words_of(text).collect();
    let word = |at: usize| all.get(at).map_or("", String::as_str);
    for at in 0..all.len() {
        let two = || format!("{} {}", word(at), word(at + 1));
        match word(at) {
            each if EACH.contains(&each) => match word(at + 1).trim_end_matches('s') {
                // `per GPU-hour` is no share of them.
                "gpu" | "card" | "accelerator" if !word(at + 2).starts_with("hour") => found.push((Basis::Gpu, two())),
                "user" | "stream" | "session" | "client" => found.push((Basis::User, two())),
                "request" => found.push((Basis::Request, two())),
                _ => {}
            },
            "fleet" => found.push((Basis::Fleet, "fleet".to_owned())),
            "in" if matches!(word(at + 1), "all" | "total") && at + 2 >= all.len() => {
                found.push((Basis::System, two()))
            }
            "altogether" | "combined" | "aggregate" => found.push((Basis::System, word(at).to_owned())),
            // Of all tokens, input and output, is another thing.
            "total" if unit.token_kind() != Some(TokenKind::Total) && !word(at + 1).starts_with("tok") => {
                found.push((Basis::System, "total".to_owned()));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests;
