//! What the words around a number make of it: a bound, a denial, a rough number, the way of a change.

use super::super::{Better, Sense, Way};
use super::{money, units};

/// Where a value lies by the words at a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// `over 50%`, which 50% is not.
    Above,
    /// `at least 50%`
    AtLeast,
    /// `under 50%`, which 50% is not.
    Below,
    /// `up to 50%`
    AtMost,
}

impl Bound {
    /// What is left once it is denied: `no more than` is `at most`.
    fn denied(self) -> Self {
        match self {
            Bound::Above => Bound::AtMost,
            Bound::AtLeast => Bound::Below,
            Bound::Below => Bound::AtLeast,
            Bound::AtMost => Bound::Above,
        }
    }
}

/// Which way a change goes by its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// `36% less`
    Falls,
    /// `36% more`
    Rises,
    /// `36% faster`: up or down, as is better for what changed.
    Improves,
    /// `36% slower`
    Worsens,
    /// `a loss of 36%`: for the worse, and down where that is not known.
    Loses,
}

impl Turn {
    /// Whether a number of this sense is more than nothing, or more than once; `None` where the word does not say.
    pub fn goes_up(self, sense: Sense) -> Option<bool> {
        let is_more = match (self, sense.better) {
            (Turn::Falls, _) => false,
            (Turn::Rises, _) => true,
            (Turn::Loses, Better::Neither) => return Some(false),
            (_, Better::Neither) => return None,
            (turn, better) => return Some((turn == Turn::Improves) == (better == Better::Higher)),
        };
        match sense.way {
            Way::Rises => Some(is_more),
            Way::Falls => Some(!is_more),
            Way::Either => None,
        }
    }
}

/// What the words on either side of a number say of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said {
    pub approximate: bool,
    pub bound: Option<Bound>,
    /// `not 5`: another number than this. A bound that is denied is the opposite bound instead.
    pub denied: bool,
    pub turn: Option<Turn>,
    /// The same by the word right after the number alone.
    pub next_turn: Option<Turn>,
}

const BEFORE: [(Bound, &[&str]); 4] = [
    (Bound::Above, &["over", "above", "beyond", "exceed", "exceeds", "exceeded", "exceeding"]),
    (Bound::AtLeast, &["at least", "minimum of", "as little as", "as few as", "≥", ">="]),
    (Bound::Below, &["under", "below", "beneath", "short of"]),
    (Bound::AtMost, &["at most", "up to", "maximum of", "as many as", "as much as", "≤", "<="]),
];

/// Before `than`.
const MORE: [&str; 6] = ["more", "greater", "higher", "larger", "bigger", "longer"];
const LESS: [&str; 6] = ["less", "fewer", "lower", "smaller", "shorter", "cheaper"];

const AFTER: [(Bound, &[&str]); 2] = [
    (Bound::AtLeast, &["or more", "or higher", "or greater", "or longer", "or above", "at least", "at the least"]),
    (Bound::AtMost, &["or less", "or fewer", "or lower", "or shorter", "or below", "at most", "at the most"]),
];

const ROUGHLY: [&str; 8] = ["about", "roughly", "around", "approximately", "some", "nearly", "almost", "circa"];

impl Said {
    /// Reads the text before the digits, from the number before them on, and that after them.
    pub fn around(before: &str, after: &str) -> Self {
        let own =
            before.trim_end_matches(|sign: char| sign.is_whitespace() || "+-−".contains(sign) || money::is_sign(sign));
        let rough = own.strip_suffix(['~', '≈']).or_else(|| ROUGHLY.iter().find_map(|word| without(own, word)));
        let left = rough.unwrap_or(own).trim_end();
        let (bound, left) = bound_before(left).map_or((None, left), |(bound, left)| (Some(bound), left));
        let clause = clause_after(after);
        let later = bound_after(clause, after);
        let until_number = &after[..after.find(|part: char| part.is_ascii_digit()).unwrap_or(after.len())];
        let turn_after = later.map_or(until_number, |(_, at)| &clause[..at]);
        let bound = bound.or(later.map(|(bound, _)| bound));
        let denied = is_denied(left, bound.is_some());
        let own = own_after(turn_after);
        // `5 more replicas`, `5 replicas more`
        let mut next = words(own).map(|(word, _)| word);
        let next_turn = next.next().and_then(|first| {
            let is_counted = units::counted(first).is_some();
            turn([first, ""]).or_else(|| turn([next.next().filter(|_| is_counted)?, ""]))
        });
        Said {
            approximate: rough.is_some(),
            bound: if denied { bound.map(Bound::denied) } else { bound },
            denied: denied && bound.is_none(),
            turn: next_turn.or_else(|| turn([own_before(left), own])).or_else(|| side(own)).or_else(|| up(left)),
            next_turn,
        }
    }
}

/// The bound that ends a text, with what stands before it.
fn bound_before(text: &str) -> Option<(Bound, &str)> {
    if let Some(rest) = without(text, "than") {
        let than = |words: &[&str], bound| words.iter().find_map(|word| Some((bound, without(rest, word)?)));
        return than(&MORE, Bound::Above).or_else(|| than(&LESS, Bound::Below));
    }
    let phrase =
        |(bound, words): &(Bound, &[&'static str])| words.iter().find_map(|word| Some((*bound, without(text, word)?)));
    let sign = || {
        // An arrow is no bound.
        let above = text.strip_suffix('>').filter(|rest| !rest.ends_with(['-', '=', '>']));
        let below = || text.strip_suffix('<').filter(|rest| !rest.ends_with('<'));
        above.map(|rest| (Bound::Above, rest)).or_else(|| Some((Bound::Below, below()?)))
    };
    // `measured over 720 requests`
    const SPANS: [&str; 6] = ["measured", "averaged", "averages", "mean", "sampled", "run"];
    let is_span = without(text, "over").is_some_and(|rest| SPANS.iter().any(|word| ends_with_word(rest, word)));
    let found = BEFORE.iter().find_map(phrase).filter(|_| !is_span).or_else(sign);
    found.map(|(bound, rest)| (bound, rest.trim_end()))
}

/// What follows a number, up to the next one or the end of the clause.
fn clause_after(after: &str) -> &str {
    let ends = |part: char| part.is_ascii_digit() || matches!(part, ',' | ';' | ':' | '.' | '(' | ')');
    &after[..after.find(ends).unwrap_or(after.len())]
}

/// What begins another statement, which has words of its own for where it goes.
const STATEMENTS: [&str; 7] = [". ", "; ", ": ", " and ", " but ", " while ", " so "];

/// What the words after a number still say of it: `57%, a rise`, but not `57%, cost falls`.
fn own_after(after: &str) -> &str {
    /// What goes on with the same statement behind a comma.
    const GO_ON: [&str; 4] = ["a", "an", "which", "that"];
    let is_other = |rest: &str| {
        let mut words = rest.split_whitespace();
        words.next().is_some_and(|word| !GO_ON.contains(&word)) && words.next().is_some()
    };
    let commas = after.match_indices(", ").filter(|(at, comma)| is_other(&after[at + comma.len()..]));
    let end = commas.map(|(at, _)| at).chain(STATEMENTS.iter().filter_map(|next| after.find(next))).min();
    &after[..end.unwrap_or(after.len())]
}

/// What the words before a number already say of it.
fn own_before(before: &str) -> &str {
    let begins = STATEMENTS.iter().chain([&", "]).filter_map(|sign| Some(before.rfind(sign)? + sign.len()));
    &before[begins.max().unwrap_or(0)..]
}

/// `5 or more`, `5 s at most`, `5+`: a bound in a clause, and where it begins. One right before another number is of that.
fn bound_after(clause: &str, after: &str) -> Option<(Bound, usize)> {
    /// Words of a unit between number and bound.
    const WORDS: usize = 4;
    if clause.strip_prefix('+').is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)) && clause.len() > 1
        || clause == "+" && after.len() == 1
    {
        return Some((Bound::AtLeast, 0));
    }
    let next_is_number = after[clause.len()..].starts_with(|part: char| part.is_ascii_digit());
    let lower = clause.to_ascii_lowercase();
    let is_ours = |phrase: &str, at: usize| {
        let rest = &lower[at + phrase.len()..];
        let whole = !lower[..at].ends_with(char::is_alphanumeric) && !rest.starts_with(char::is_alphanumeric);
        let is_of_next = next_is_number && !rest.contains(char::is_alphabetic);
        whole && !is_of_next && lower[..at].split_whitespace().count() <= WORDS
    };
    AFTER.iter().find_map(|(bound, phrases)| {
        let found = phrases.iter().find_map(|phrase| lower.find(phrase).filter(|at| is_ours(phrase, *at)));
        Some((*bound, found?))
    })
}

/// Whether the words that end a text deny what follows: right before a number, or a few words before its bound, as in
/// `never rises above`.
fn is_denied(text: &str, is_bound: bool) -> bool {
    const DENIALS: [&str; 5] = ["not", "never", "cannot", "nor", "neither"];
    const BETWEEN: [&str; 16] = [
        "is", "be", "exactly", "quite", "even", "the", "a", "an", "at", "by", "of", "to", "in", "equal", "between",
        "from",
    ];
    /// How many words before a number are looked at.
    const REACH: usize = 3;
    if text.ends_with('≠') || text.ends_with("!=") {
        return true;
    }
    let clause = text.rsplit([',', ';', ':', '.', '(', ')']).next().unwrap_or_default();
    let denies = |word: &str| DENIALS.contains(&word) || word.ends_with("n't") || word.ends_with("n’t");
    let lower: Vec<String> = clause.split_whitespace().rev().take(REACH).map(str::to_lowercase).collect();
    let words: Vec<&str> = lower.iter().map(String::as_str).collect();
    if words.iter().any(|word| matches!(*word, "only" | "just" | "merely")) {
        return false;
    }
    // `with no cache over` denies the cache.
    words.first() == Some(&"no")
        || match is_bound {
            true => words.iter().any(|word| denies(word)),
            false => words.iter().find(|word| !BETWEEN.contains(word)).is_some_and(|word| denies(word)),
        }
}

/// `36% less`, `down 36%`, `36% slower`: words for the way of a change on either side, up to the numbers beside it.
fn turn(texts: [&str; 2]) -> Option<Turn> {
    let says = |wanted: &[&str]| {
        let mut words = texts.into_iter().flat_map(|text| text.split(|part: char| !part.is_alphabetic()));
        words.any(|word| wanted.contains(&word.to_lowercase().as_str()))
    };
    match () {
        () if says(FALLS) => Some(Turn::Falls),
        () if says(LOSES) => Some(Turn::Loses),
        () => match (says(IMPROVES), says(WORSENS)) {
            (true, false) => Some(Turn::Improves),
            (false, true) => Some(Turn::Worsens),
            (true, true) => None,
            (false, false) => says(RISES).then_some(Turn::Rises),
        },
    }
}

/// `up 36%`, `up by 36%`: the word is one for the way only right there.
fn up(before: &str) -> Option<Turn> {
    let before = without(before, "by").unwrap_or(before);
    ends_with_word(before.trim_end(), "up").then_some(Turn::Rises)
}

/// `36% below the baseline`: on which side of something a number puts a value.
fn side(after: &str) -> Option<Turn> {
    words(after).find_map(|(word, rest)| side_by(word, rest))
}

/// The same of the text's first word alone.
pub fn is_side(text: &str) -> bool {
    words(text).next().is_some_and(|(word, rest)| side_by(word, rest).is_some())
}

/// A side by its word, and by what stands behind it: one right before a number is its bound, and `under the SLO` says when.
fn side_by(word: &str, rest: &str) -> Option<Turn> {
    /// How many words say that of something else.
    const REACH: usize = 3;
    let is_of_another = || {
        let mut next = words(rest).take(REACH).map(|(word, _)| word);
        next.any(|word| matches!(word, "baseline" | "that" | "those"))
    };
    match word {
        _ if !rest.contains(char::is_alphabetic) => None,
        "below" | "beneath" | "off" => Some(Turn::Falls),
        "above" => Some(Turn::Rises),
        "under" if is_of_another() => Some(Turn::Falls),
        "over" if is_of_another() => Some(Turn::Rises),
        _ => None,
    }
}

/// Whether a word is one for the way of a change.
pub fn is_turn(word: &str) -> bool {
    turn([word, ""]).is_some()
}

const FALLS: &[&str] = &[
    "less",
    "lower",
    "fewer",
    "cheaper",
    "smaller",
    "shorter",
    "down",
    "fall",
    "falls",
    "fell",
    "drop",
    "drops",
    "dropped",
    "decrease",
    "decreases",
    "decreased",
    "reduction",
    "reduces",
    "reduced",
    "cut",
    "cuts",
    "save",
    "saves",
    "saved",
    "saving",
    "savings",
    "shrinks",
    "shrank",
    "decline",
    "declines",
    "declined",
];
const RISES: &[&str] = &[
    "more",
    "higher",
    "larger",
    "bigger",
    "longer",
    "greater",
    "dearer",
    "pricier",
    "costlier",
    "rise",
    "rises",
    "rose",
    "grow",
    "grows",
    "grew",
    "increase",
    "increases",
    "increased",
    "extra",
    "additional",
];
const LOSES: &[&str] = &["loss", "lose", "loses", "lost"];
const IMPROVES: &[&str] = &["faster", "quicker", "sooner", "better", "improves", "improved", "improvement"];
const WORSENS: &[&str] = &["slower", "later", "worse", "worsens", "worsened", "regression", "regresses"];

/// A text without the word or sign that it ends with.
fn without<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.get(..text.len().checked_sub(word.len())?)?;
    let is_word = word.starts_with(char::is_alphabetic);
    let ends = text[rest.len()..].eq_ignore_ascii_case(word) && !(is_word && rest.ends_with(char::is_alphanumeric));
    ends.then(|| rest.trim_end())
}

pub fn ends_with_word(text: &str, word: &str) -> bool {
    without(text, word).is_some()
}

/// Each word of a text with what follows it.
pub fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let from = &rest[rest.find(char::is_alphanumeric)?..];
        let (word, after) = from.split_at(from.find(|part: char| !part.is_alphanumeric()).unwrap_or(from.len()));
        rest = after;
        Some((word, after))
    })
}
