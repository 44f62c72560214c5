//! Numbers in words, written in digits: `six`, `twice`, `a third less`, `half a dollar`.

use std::ops::Range;

use super::super::{Unit, plain};
use super::units::{Suffix, counted, multiplier};
use super::words::{is_turn, words};

/// A text with its numbers in digits.
pub struct InDigits {
    pub text: String,
    /// Where it had words for shares and multiples, each with the size that it is roughly of.
    pub rough: Vec<(Range<usize>, f64)>,
}

/// A word, and the rest of the text from its end on.
type Word<'a> = (&'a str, &'a str);

/// What some words at the begin of a text say.
struct Found {
    /// How many words.
    words: usize,
    digits: String,
    /// The size that a share or a multiple is roughly of, in the unit that it is written in.
    rough: Option<f64>,
}

impl Found {
    fn count(words: usize, number: f64) -> Self {
        Found { words, digits: plain(number.into()).replace(',', ""), rough: None }
    }
}

/// Writes the numbers that a text has in words in digits, as they are said of a value in a unit.
pub fn in_digits(text: &str, unit: Unit) -> InDigits {
    let all: Vec<Word> = words(text).collect();
    let mut read = InDigits { text: String::new(), rough: Vec::new() };
    let (mut at, mut written) = (0, 0);
    while let Some((word, after)) = all.get(at) {
        let start = text.len() - after.len() - word.len();
        let is_first = !text[..start].contains(|part: char| part.is_ascii_digit());
        let found = multiple(&all[at..], unit).or_else(|| share(&all, at, unit));
        let Some(found) = found.or_else(|| cardinal(&all[at..], is_first)) else {
            at += 1;
            continue;
        };
        read.text.push_str(&text[written..start]);
        let begin = read.text.len();
        read.text.push_str(&found.digits);
        read.rough.extend(found.rough.map(|size| (begin..read.text.len(), size)));
        at += found.words.max(1);
        written = text.len() - all[at - 1].1.len();
    }
    read.text.push_str(&text[written..]);
    read
}

/// Counts up to nineteen; titles write those up to a dozen.
const COUNTS: [&str; 19] = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const MULTIPLES: [(f64, &[&str]); 5] = [
    (0.5, &["halve", "halves", "halved", "halving"]),
    (2.0, &["twice", "double", "doubles", "doubled", "doubling"]),
    (3.0, &["thrice", "triple", "triples", "tripled", "tripling"]),
    (4.0, &["quadruple", "quadruples", "quadrupled", "quadrupling"]),
    (5.0, &["quintuple", "quintuples", "quintupled"]),
];
const SHARES: [(f64, &[&str]); 10] = [
    (2.0, &["half", "halves"]),
    (3.0, &["third", "thirds"]),
    (4.0, &["quarter", "quarters", "fourth", "fourths"]),
    (5.0, &["fifth", "fifths"]),
    (6.0, &["sixth", "sixths"]),
    (7.0, &["seventh", "sevenths"]),
    (8.0, &["eighth", "eighths"]),
    (9.0, &["ninth", "ninths"]),
    (10.0, &["tenth", "tenths"]),
    (100.0, &["hundredth", "hundredths"]),
];

fn number(entries: &[(f64, &[&str])], word: &str) -> Option<f64> {
    let lower = word.to_lowercase();
    entries.iter().find(|(_, words)| words.contains(&&*lower)).map(|(number, _)| *number)
}

fn position(names: &[&str], word: &str) -> Option<f64> {
    let lower = word.to_lowercase();
    names.iter().position(|name| *name == lower).map(|position| position as f64)
}

fn is_article(word: &str) -> bool {
    word.eq_ignore_ascii_case("a") || word.eq_ignore_ascii_case("an")
}

fn is_one_of(word: &str, of: &[&str]) -> bool {
    of.iter().any(|one| word.eq_ignore_ascii_case(one))
}

/// The count up to a dozen that a word is.
pub fn count_in_words(word: &str) -> Option<u8> {
    let count = if word.eq_ignore_ascii_case("single") { 1.0 } else { position(&COUNTS, word)? + 1.0 };
    (count <= 12.0).then_some(count as u8)
}

/// `twice`, `doubled`, `tenfold`: how many times as much.
fn multiple(words: &[Word], unit: Unit) -> Option<Found> {
    let (word, _) = words.first()?;
    let fold = || {
        let lower = word.to_lowercase();
        let count = lower.strip_suffix("fold").filter(|count| !count.is_empty())?.to_owned();
        position(&COUNTS, &count).map(|position| position + 1.0).or((count == "hundred").then_some(100.0))
    };
    Some(times(1, number(&MULTIPLES, word).or_else(fold)?, unit))
}

/// So many times as much, as a change where the value is one.
fn times(words: usize, factor: f64, unit: Unit) -> Found {
    match unit {
        Unit::PercentChange => {
            Found { words, digits: format!("{:+}%", 100.0 * (factor - 1.0)), rough: Some(100.0 * factor) }
        }
        _ => Found { words, digits: format!("{factor}x"), rough: Some(factor) },
    }
}

/// `half`, `a third`, `two thirds`, with what follows: `half a dollar`, `a third less`, `half as much again`.
fn share(all: &[Word], at: usize, unit: Unit) -> Option<Found> {
    let (first, _) = all[at];
    let count = if is_article(first) { Some(1.0) } else { position(&COUNTS, first).map(|position| position + 1.0) };
    let part = |at: usize| number(&SHARES, all.get(at)?.0);
    let (words, share) = match (part(at), count.zip(part(at + 1))) {
        (Some(2.0), _) => (1, 0.5),
        (_, Some((count, part))) if count < part => (2, count / part),
        _ => return None,
    };
    let (last, after) = all[at + words - 1];
    // A third config is no third.
    let of = after.trim_start().split(|part: char| !part.is_alphanumeric()).next().unwrap_or_default();
    let is_share = is_one_of(last, &["half"]) || count != Some(1.0) || of.is_empty() || is_turn(of);
    if !is_share && !is_one_of(of, &["of", "the", "a", "an", "as", "again", "to", "in", "at", "for", "that", "what"]) {
        return None;
    }
    let next = |offset: usize| all.get(at + words + offset).map_or("", |(word, _)| word);
    if is_one_of(next(0), &["dozen"]) || is_article(next(0)) && is_one_of(next(1), &["dozen"]) {
        return Some(Found::count(words + 1 + usize::from(is_article(next(0))), 12.0 * share));
    }
    // `a quarter of a million tokens`
    let of = usize::from(is_one_of(next(0), &["of"]));
    if is_article(next(of)) {
        let rest = all[at + words + of].1;
        let suffix = Suffix::of(rest).filter(|suffix| suffix.dimension.is_some() || suffix.factor != 1.0);
        if suffix.is_some() {
            return Some(Found::count(words + of + 1, share));
        }
    }
    if (0..4).any(|offset| is_one_of(next(offset), &["again"])) {
        return Some(times(words, 1.0 + share, unit));
    }
    let before = at.checked_sub(1).map_or("", |before| all[before].0);
    let is_change = is_turn(next(0)) || is_turn(before) || is_one_of(before, &["by"]);
    let percent = |share: f64| format!("{}%", plain((100.0 * share).into()));
    Some(match unit {
        Unit::PercentChange if is_change => Found { words, digits: percent(share), rough: Some(100.0 * share) },
        Unit::Percent => Found { words, digits: percent(share), rough: Some(100.0 * share) },
        Unit::Ratio if is_change && is_one_of(next(0), &["more", "higher", "larger", "longer", "dearer"]) => {
            times(words, 1.0 + share, unit)
        }
        Unit::Ratio if is_change => times(words, 1.0 - share, unit),
        _ => times(words, share, unit),
    })
}

/// `six`, `twenty-five`, `two dozen`, `a million`, `no replicas`.
fn cardinal(words: &[Word], is_first: bool) -> Option<Found> {
    let (first, after) = *words.first()?;
    let next = |at: usize| words.get(at).map_or("", |(word, _)| word);
    if is_one_of(first, &["zero", "none", "nil"]) || is_one_of(first, &["no"]) && counted(after).is_some() {
        return Some(Found::count(1, 0.0));
    }
    // `$0.29 a million tokens` and `a million tokens cost $0.29` say what the price is for.
    let is_scaled = || scale(next(1)).is_some() && is_first && !after.contains(" cost");
    // `one and a half`
    if is_one_of(next(1), &["and"]) && is_article(next(2)) && is_one_of(next(3), &["half"]) {
        let whole = position(&COUNTS, first)? + 1.0;
        return Some(Found { words: 4, digits: plain((whole + 0.5).into()), rough: Some(whole + 0.5) });
    }
    // `one` is a number only of things.
    let is_of_things = || counted(after).is_some() || is_one_of(next(1), &["percent"]) || is_scaled();
    if is_one_of(first, &["one", "single"]) && !is_of_things() || is_article(first) && !is_scaled() {
        return None;
    }
    if is_article(first) || is_one_of(first, &["single"]) {
        return Some(scaled(words, 1, 1.0));
    }
    if let Some(tens) = position(&TENS, first).map(|position| 10.0 * (position + 2.0)) {
        let ones = position(&COUNTS[..9], next(1)).map(|position| position + 1.0);
        return Some(scaled(words, 1 + usize::from(ones.is_some()), tens + ones.unwrap_or(0.0)));
    }
    let count = position(&COUNTS, first)? + 1.0;
    Some(scaled(words, 1, count))
}

/// A number with the dozens, hundreds and thousands that follow its words.
fn scaled(words: &[Word], mut taken: usize, mut number: f64) -> Found {
    while let Some(by) = words.get(taken).and_then(|(word, _)| scale(word)) {
        number *= by;
        taken += 1;
    }
    Found::count(taken, number)
}

fn scale(word: &str) -> Option<f64> {
    match word.to_lowercase().as_str() {
        "dozen" => Some(12.0),
        "hundred" => Some(100.0),
        "thousand" | "million" | "billion" | "trillion" => multiplier(word),
        _ => None,
    }
}

/// A word for more or fewer that says no number.
pub fn number_word(text: &str) -> Option<&str> {
    const VAGUE: &[&str] = &["couple", "dozens", "tens", "hundreds", "thousands", "millions", "billions", "several"];
    words(text).map(|(word, _)| word).find(|word| is_one_of(word, VAGUE))
}

#[cfg(test)]
mod tests {
    use super::super::{Match, numbers_and_words};
    use super::*;

    #[test]
    fn numbers_in_words_are_those_that_they_say() {
        use Unit::{Percent, PercentChange, Ratio};
        let replicas = Unit::Count("replicas");
        let usd = Unit::UsdPerMonth;
        for (text, unit, value, agrees) in [
            ("six replicas", replicas, 6.0, true),
            ("six replicas", replicas, 5.0, false),
            ("$5,891 for six replicas", replicas, 6.0, false),
            ("Twenty-five of them", replicas, 25.0, true),
            ("two dozen", replicas, 24.0, true),
            ("half a dozen", replicas, 6.0, true),
            ("a dozen", replicas, 12.0, true),
            ("no replicas", replicas, 0.0, true),
            ("no fewer than five", replicas, 5.0, true),
            ("none", replicas, 5.0, false),
            ("one replica", replicas, 2.0, false),
            ("a single replica", replicas, 1.0, true),
            ("five million tokens", Unit::Tokens, 5e6, true),
            ("half a million tokens", Unit::Tokens, 5e5, true),
            ("a million tokens", Unit::Tokens, 2e6, false),
            ("half a dollar", usd, 0.5, true),
            ("half a dollar", usd, 0.44, false),
            ("twice as much", Ratio, 2.04, true),
            ("twice as much", Ratio, 1.57, false),
            ("about twice", Ratio, 1.85, true),
            ("doubled", Ratio, 2.0, true),
            ("triple", Ratio, 2.0, false),
            ("tenfold", Ratio, 10.0, true),
            ("half the time", Ratio, 0.51, true),
            ("half the time", Ratio, 0.57, false),
            ("a third of it", Ratio, 0.333, true),
            ("two thirds", Ratio, 0.667, true),
            ("a third less", Ratio, 0.667, true),
            ("half as much again", Ratio, 1.5, true),
            ("one and a half times", Ratio, 1.57, true),
            ("three times", Ratio, 2.0, false),
            ("two and a half replicas", replicas, 2.0, false),
            ("half as much again", Ratio, 1.7, false),
            ("doubles", PercentChange, 100.0, true),
            ("doubles", PercentChange, 56.7, false),
            ("halved", PercentChange, -50.0, true),
            ("half the cost", PercentChange, -36.0, false),
            ("a third less", PercentChange, -33.0, true),
            ("falls by a third", PercentChange, -33.0, true),
            ("a third more", PercentChange, -33.0, false),
            ("to a third", PercentChange, -67.0, true),
            ("a quarter of the prompts", Percent, 25.0, true),
            ("half of them", Percent, 75.0, false),
            ("$0.29 a million tokens", Unit::UsdPerMillionTokens(crate::quantity::TokenKind::Output), 0.29, true),
            ("a million tokens cost $0.29", Unit::UsdPerMillionTokens(crate::quantity::TokenKind::Output), 0.29, true),
        ] {
            let numbers = numbers_and_words(text, unit);
            let all = numbers.iter().all(|number| number.matches(unit, value.into()) == Match::Agrees);
            assert!(!numbers.is_empty(), "{text}");
            assert_eq!(all, agrees, "{text} of {value}: {numbers:?}");
        }
        for text in ["no such thing", "the cheapest one", "a third config", "the cheapest of them"] {
            assert_eq!(numbers_and_words(text, Percent), [], "{text}");
        }
    }

    #[test]
    fn vague_words_say_no_number() {
        for (text, word) in [("dozens of cents", Some("dozens")), ("Several", Some("Several")), ("half a dozen", None)]
        {
            assert_eq!(number_word(text), word, "{text}");
        }
        for (word, count) in
            [("one", Some(1)), ("Single", Some(1)), ("twelve", Some(12)), ("thirteen", None), ("no", None)]
        {
            assert_eq!(count_in_words(word), count, "{word}");
        }
    }
}
