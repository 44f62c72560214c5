//! What the words around a number make of it: a bound, a denial, a rough number, the way of a change.

use super::super::{Better, Sense, Way};

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
        let own = before.trim_end_matches(|sign: char| sign.is_whitespace() || "$€£¥¢+-−".contains(sign));
        let rough = own.strip_suffix(['~', '≈']).or_else(|| ROUGHLY.iter().find_map(|word| without(own, word)));
        let left = rough.unwrap_or(own).trim_end();
        let (bound, left) = bound_before(left).map_or((None, left), |(bound, left)| (Some(bound), left));
        let clause = clause_after(after);
        let later = bound_after(clause, after);
        let until_number = &after[..after.find(|part: char| part.is_ascii_digit()).unwrap_or(after.len())];
        let turn_after = later.map_or(until_number, |(_, at)| &clause[..at]);
        let bound = bound.or(later.map(|(bound, _)| bound));
        let denied = is_denied(left, bound.is_some());
        Said {
            approximate: rough.is_some(),
            bound: if denied { bound.map(Bound::denied) } else { bound },
            denied: denied && bound.is_none(),
            turn: turn([left, turn_after]).or_else(|| side(turn_after)),
            next_turn: turn([words(turn_after).next().map_or("", |(word, _)| word), ""]),
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

/// `36% below the baseline`: on which side of something a number puts a value. One right before a number is its bound.
fn side(after: &str) -> Option<Turn> {
    words(after).find_map(|(word, rest)| match word {
        _ if !rest.contains(char::is_alphabetic) => None,
        "below" | "beneath" => Some(Turn::Falls),
        "above" => Some(Turn::Rises),
        _ => None,
    })
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
