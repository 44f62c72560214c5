//! Numbers as people write them, read back with the precision and the unit that they are written with.

mod units;

use std::ops::Range;

use super::rounding::{ends, significant};
use super::{Better, Quantity, TokenKind, Unit};
use units::{Dimension, Per, Suffix};

/// A number in a text: `+57%`, `$0.289`, `43–45%`, `about 140,250`, `9.16 GiB`, `over 1.5x`.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// Bytes of the text, from the first digit to the last.
    pub span: Range<usize>,
    /// Ends as written, with what `k`, `M` or `million` multiply them by; equal where it is no interval.
    low: f64,
    high: f64,
    /// Half a step of the last digit that counts.
    half: f64,
    signed: bool,
    /// Whether the words around it say that it is a rough one.
    approximate: bool,
    /// Which way the words around it say that something went.
    turn: Option<Turn>,
    bound: Bound,
    dimension: Option<(Dimension, f64)>,
    /// What an amount is for, where the words after it say so.
    per: Option<Per>,
    /// `B` right after the digits is bytes or billions, which only the figure beside it can tell.
    billions: bool,
    tokens: Option<TokenKind>,
    /// What it counts, where the word after it says so: `5 replicas`.
    counted: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    None,
    /// `over 50%`
    AtLeast,
    /// `under 50%`
    AtMost,
}

/// Which way a change goes by its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// `36% less`
    Falls,
    /// `36% faster`: up or down, as is better for what changed.
    Improves,
    /// `36% slower`
    Worsens,
}

/// As a share of a value, what is near it.
const NEAR: f64 = 0.05;

/// How a number as written stands to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match {
    /// The value rounds to it, or lies on the side of it that the words say.
    Agrees,
    Differs,
    /// It is of another kind: bytes against a share, input tokens against output tokens.
    OtherUnit,
}

/// Every number of a text that is no part of a name, a version or a date, nor of a unit such as `per 1M tokens`.
pub fn numbers(text: &str) -> Vec<Written> {
    let mut found: Vec<Written> = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(|part: char| part.is_ascii_digit()).map(|offset| at + offset) {
        let read = Read { text, start, after: found.last().map_or(0, |last| last.span.end) };
        match read.number() {
            Some(number) => {
                at = number.span.end;
                if !read.is_part_of_a_unit() {
                    found.push(number);
                }
            }
            None => at = end_of_word(text, start),
        }
    }
    found
}

/// Whether a text says a number in words, which nothing here reads.
pub fn number_word(text: &str) -> Option<&str> {
    const WORDS: &[&str] = &[
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
        "dozen",
        "hundred",
        "thousand",
        "half",
        "halved",
        "halves",
        "third",
        "thirds",
        "quarter",
        "twice",
        "double",
        "doubled",
        "doubles",
        "triple",
        "tripled",
        "triples",
        "tenfold",
        "twofold",
        "threefold",
    ];
    text.split(|part: char| !part.is_alphanumeric()).find(|word| WORDS.contains(&word.to_lowercase().as_str()))
}

impl Written {
    /// Whether a value in a unit is what is written, at the precision it is written with.
    pub fn matches(&self, unit: Unit, quantity: Quantity) -> Match {
        self.matches_change(unit, quantity, Better::Neither)
    }

    /// The same of a change, by which way is better for what changed: it says what `faster` and `worse` mean.
    pub fn matches_change(&self, unit: Unit, quantity: Quantity, better: Better) -> Match {
        let Some(scale) = self.scale(unit) else { return Match::OtherUnit };
        let falls = self.falls(better);
        if unit == Unit::Ratio && self.contradicts_ratio(quantity, better) {
            return Match::Differs;
        }
        let is_change = matches!(unit, Unit::PercentChange | Unit::Points);
        let sign = if is_change && falls && !self.signed { -1.0 } else { 1.0 };
        let (low, high) = (self.low * scale * sign, self.high * scale * sign);
        let (low, high, half) = (low.min(high), low.max(high), self.half * scale);
        let slack = 1e-9 * high.abs().max(low.abs()) + f64::MIN_POSITIVE;
        let near = |value: f64, written: f64| (value - written).abs() <= half + slack;
        let agrees = match self.bound {
            // A bound on what falls is one on how far it falls.
            Bound::AtLeast if sign < 0.0 => quantity.high() <= high + slack,
            Bound::AtMost if sign < 0.0 => quantity.low() >= low - slack,
            Bound::AtLeast => quantity.low() >= low - slack,
            Bound::AtMost => quantity.high() <= high + slack,
            Bound::None if low < high && quantity.is_interval() => {
                near(quantity.low(), low) && near(quantity.high(), high)
            }
            Bound::None => quantity.low() <= high + half + slack && quantity.high() >= low - half - slack,
        };
        if agrees { Match::Agrees } else { Match::Differs }
    }

    fn falls(&self, better: Better) -> bool {
        matches!(
            (self.turn, better),
            (Some(Turn::Falls), _) | (Some(Turn::Improves), Better::Lower) | (Some(Turn::Worsens), Better::Higher)
        )
    }

    /// `1.5x slower` of a rate that has grown.
    fn contradicts_ratio(&self, quantity: Quantity, better: Better) -> bool {
        match (self.turn, better) {
            (Some(Turn::Worsens), Better::Higher) => quantity.low() > 1.0,
            (Some(Turn::Improves), Better::Higher) => quantity.high() < 1.0,
            _ => false,
        }
    }

    /// Whether it says both ends of a value that is an interval, or that it is a rough number or a bound.
    pub fn says_all_of(&self, unit: Unit, quantity: Quantity) -> bool {
        let ends = [quantity.low(), quantity.high()];
        let says = |end: f64| self.matches(unit, end.into()) == Match::Agrees;
        let is_single = self.low == self.high && self.bound == Bound::None && !self.approximate;
        !is_single || ends.into_iter().all(says)
    }

    /// Whether it is one digit that is more than a twentieth off the value, so that only rounding makes the two agree: `4x`
    /// of 3.56.
    pub fn is_coarse(&self, unit: Unit, quantity: Quantity) -> bool {
        let single = self.bound == Bound::None && self.low == self.high && self.low.abs() < 20.0 * self.half;
        let Some(scale) = self.scale(unit).filter(|_| single) else { return false };
        let written = self.low * scale;
        let off = (quantity.low() - written).max(written - quantity.high());
        off > NEAR * quantity.low().abs()
    }

    /// Whether it is the value once its kB, MB, GB are taken for powers of 1,024, as much software prints them.
    pub fn matches_in_binary(&self, unit: Unit, quantity: Quantity) -> bool {
        let Some((Dimension::Bytes, scale)) = self.dimension else { return false };
        let Some(binary) = units::in_binary(scale) else { return false };
        let read = Written { dimension: Some((Dimension::Bytes, binary)), ..self.clone() };
        read.matches(unit, quantity) == Match::Agrees
    }

    /// A size in the unit that this one is written in, so that the two can be held against each other.
    pub fn size_in_its_unit(&self, unit: Unit, quantity: Quantity) -> Option<String> {
        let (Dimension::Bytes, bytes) = self.dimension? else { return None };
        let symbol = units::symbol_of_bytes(bytes)?;
        Some(format!("{} {symbol}", ends(quantity / self.scale(unit)?, significant)))
    }

    /// Whether it, or an end of it, is this very value in the unit.
    pub fn holds(&self, unit: Unit, value: f64) -> bool {
        let same = |end: f64, scale: f64| (end * scale - value).abs() <= 1e-9 * value.abs().max(1.0);
        self.scale(unit).is_some_and(|scale| same(self.low, scale) || same(self.high, scale))
    }

    /// Whether a unit or a currency stands at it.
    pub fn has_unit(&self) -> bool {
        self.dimension.is_some()
    }

    /// Both ends as written.
    pub fn ends(&self) -> Quantity {
        Quantity { low: self.low, high: self.high, approximate: false }
    }

    /// What one step of it is in the unit; `None` where the two cannot be compared.
    fn scale(&self, unit: Unit) -> Option<f64> {
        if let (Some(written), Some(own)) = (self.tokens, unit.token_kind())
            && written != own
        {
            return None;
        }
        if let (Some(written), Some(own)) = (self.counted, units::counts(unit))
            && written != own
        {
            return None;
        }
        let per = match (self.per, units::per_of(unit)) {
            (Some(written), Some(own)) => written.in_terms_of(own)?,
            _ => 1.0,
        };
        let own = units::dimension_of(unit);
        match (self.dimension, own) {
            (Some((Dimension::Bytes, _)), Some((own, _))) if self.billions && own != Dimension::Bytes => Some(1e9),
            (Some((Dimension::Bytes, _)), None) if self.billions => Some(1e9),
            // `5x` is no count of replicas.
            (Some((written, _)), None) if units::is_count(unit) && written != Dimension::Tokens => None,
            // `14% of it`
            (Some((Dimension::Percent, _)), Some((Dimension::Ratio, _))) => Some(0.01),
            (Some((written, scale)), Some((own, own_scale))) => (written == own).then_some(scale / own_scale * per),
            _ => Some(1.0),
        }
    }
}

/// One number, from its first digit on.
struct Read<'a> {
    text: &'a str,
    start: usize,
    /// Where the number before it ends.
    after: usize,
}

/// Digits with their value and the size of their last place.
struct Digits {
    end: usize,
    value: f64,
    /// Step of the last digit.
    step: f64,
    /// The same where zeros at the end of a whole number do not count, all but the second digit.
    coarse_step: f64,
    /// Whether only the first digit counts, and its step.
    is_round: bool,
    round_step: f64,
}

impl Read<'_> {
    fn number(&self) -> Option<Written> {
        if self.is_inside_a_word() {
            return None;
        }
        let first = digits(self.text, self.start)?;
        let before = &self.text[self.after..self.start];
        let low = sign(before) * first.value;
        let second = self.second(&first, low);
        let high = second.as_ref().map_or(low, |(high, _)| *high);
        let last = second.as_ref().map_or(&first, |(_, digits)| digits);
        let suffix = Suffix::of(&self.text[last.end..])?;
        let approximate = self.is_approximate();
        let half = match approximate {
            // `about $6,000` is near, and how near no digit says.
            true if last.is_round => (0.5 * last.round_step).min(NEAR * last.value),
            true => 0.5 * last.coarse_step,
            false => 0.5 * first.step.min(last.step),
        };
        let money = before.ends_with('$');
        let foreign = before.ends_with(['€', '£', '¥']);
        Some(Written {
            span: self.start..last.end,
            low: low * suffix.factor,
            high: high * suffix.factor,
            half: half * suffix.factor,
            signed: before.trim_end_matches(['$', '~', '≈']).ends_with(['+', '-', '−']),
            approximate,
            turn: self.turn(last.end),
            bound: self.bound(),
            dimension: match (money, foreign) {
                (true, _) => Some((Dimension::Dollars, 1.0)),
                (_, true) => Some((Dimension::OtherMoney, 1.0)),
                _ => suffix.dimension,
            },
            per: if money { Per::after(&self.text[last.end..]) } else { suffix.per },
            billions: suffix.billions && !money,
            tokens: suffix.tokens,
            counted: units::counted(&self.text[last.end..]),
        })
    }

    /// The higher end of an interval: `43–45%`, `43% - 45%`, `$0.28 to $0.30`, but not `from 0.30 to 0.28`.
    fn second(&self, first: &Digits, low: f64) -> Option<(f64, Digits)> {
        let rest = self.text[first.end..].trim_start_matches('%').trim_start();
        let rest = ["–", "—", "-", "to "].iter().find_map(|between| rest.strip_prefix(between))?.trim_start();
        let number = rest.trim_start_matches(['$', '~', '+', '-', '−']);
        let found = digits(self.text, self.text.len() - number.len())?;
        let high = sign(&rest[..rest.len() - number.len()]) * found.value;
        let from = ends_with_word(self.text[self.after..self.start].trim_end_matches(['$', ' ']), "from");
        (high >= low && !from).then_some((high, found))
    }

    /// `H100`, `p99`, `Qwen3-30B`, `v1.2`: digits that a letter or a joined part comes before.
    fn is_inside_a_word(&self) -> bool {
        let mut before = self.text[..self.start].chars().rev();
        match before.next() {
            // Scripts without blanks between words join their letters to digits.
            Some(last) if last.is_ascii_alphanumeric() || last == '_' => true,
            Some('-' | '.' | '/' | ':' | '#' | '@') => before.next().is_some_and(|part| part.is_ascii_alphanumeric()),
            _ => false,
        }
    }

    /// `per 1M tokens`, `per 1,000 requests`
    fn is_part_of_a_unit(&self) -> bool {
        self.text[..self.start].ends_with("per ") || self.text[..self.start].ends_with('/')
    }

    fn is_approximate(&self) -> bool {
        const WORDS: &[&str] = &["about", "roughly", "around", "approximately", "some", "nearly", "almost", "circa"];
        let before = self.text[self.after..self.start].trim_end_matches(['$', ' ']);
        before.ends_with(['~', '≈']) || WORDS.iter().any(|word| ends_with_word(before, word))
    }

    fn bound(&self) -> Bound {
        const LEAST: &[&str] = &["over", "above", "more than", "at least", "beyond"];
        const MOST: &[&str] = &["under", "below", "less than", "fewer than", "at most", "up to"];
        let before = self.text[self.after..self.start].trim_end_matches(['$', ' ']);
        let ends = |words: &[&str]| words.iter().any(|word| ends_with_word(before, word));
        if before.ends_with(['≥', '>']) || ends(LEAST) {
            Bound::AtLeast
        } else if before.ends_with(['≤', '<']) || ends(MOST) {
            Bound::AtMost
        } else {
            Bound::None
        }
    }

    /// `36% less`, `down 36%`, `36% slower`: words for the way of a change on either side, up to the numbers beside it.
    fn turn(&self, end: usize) -> Option<Turn> {
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
            "reduction",
            "reduces",
            "cut",
            "cuts",
            "saves",
            "saved",
            "saving",
            "loss",
            "loses",
            "lost",
            "decline",
            "declines",
            "declined",
            "reduced",
            "decreased",
        ];
        const IMPROVES: &[&str] = &["faster", "quicker", "sooner", "better", "improves", "improved", "improvement"];
        const WORSENS: &[&str] = &["slower", "later", "worse", "worsens", "worsened", "regression", "regresses"];
        let after = &self.text[end..];
        let after = &after[..after.find(|part: char| part.is_ascii_digit()).unwrap_or(after.len())];
        let before = &self.text[self.after..self.start];
        // `less than 36%` is a bound.
        let before = before.trim_end().strip_suffix("less than").unwrap_or(before);
        let says = |wanted: &[&str]| {
            let words = [before, after].into_iter().flat_map(|text| text.split(|part: char| !part.is_alphabetic()));
            words.into_iter().any(|word| wanted.contains(&word.to_lowercase().as_str()))
        };
        match (says(FALLS), says(IMPROVES), says(WORSENS)) {
            (true, ..) => Some(Turn::Falls),
            (false, true, false) => Some(Turn::Improves),
            (false, false, true) => Some(Turn::Worsens),
            _ => None,
        }
    }
}

/// That of a sign right before the digits; a hyphen that joins words or stands by itself is none.
fn sign(before: &str) -> f64 {
    let before = before.trim_end_matches(['$', '~', '≈']).strip_suffix(['-', '−']);
    if before.is_some_and(|before| !before.ends_with(char::is_alphanumeric)) { -1.0 } else { 1.0 }
}

fn ends_with_word(text: &str, word: &str) -> bool {
    let Some(at) = text.len().checked_sub(word.len()) else { return false };
    let end = text.get(at..).is_some_and(|end| end.eq_ignore_ascii_case(word));
    end && !text[..at].ends_with(char::is_alphanumeric)
}

/// Digits with thousands separators, decimals and an exponent; `None` for a version, a date or a time of day.
fn digits(text: &str, start: usize) -> Option<Digits> {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let run = |mut at: usize| {
        while digit(at) {
            at += 1;
        }
        at
    };
    if !digit(start) {
        return None;
    }
    let mut end = run(start);
    let groups = |at: usize| bytes.get(at) == Some(&b',') && run(at + 1) == at + 4;
    if end - start <= 3 {
        while groups(end) {
            end += 4;
        }
    }
    let whole: String = text[start..end].chars().filter(|part| *part != ',').collect();
    let decimals = if bytes.get(end) == Some(&b'.') && digit(end + 1) { run(end + 1) - end - 1 } else { 0 };
    let mut number = whole.clone();
    if decimals > 0 {
        number.push_str(&text[end..=end + decimals]);
        end += decimals + 1;
    }
    let joined = matches!(bytes.get(end), Some(b'.' | b':')) && digit(end + 1);
    let day = bytes.get(end) == Some(&b'-') && digit(end + 1) && bytes.get(run(end + 1)) == Some(&b'-');
    let month = whole.len() == 4 && decimals == 0 && bytes.get(end) == Some(&b'-') && run(end + 1) == end + 3;
    if joined || day || month {
        return None;
    }
    let zeros = whole.len() - whole.trim_end_matches('0').len();
    let zeros = if decimals > 0 { 0 } else { zeros.min(whole.len().saturating_sub(2)) };
    let exponent = exponent(&text[end..]);
    let (exponent, length) = exponent.unwrap_or((0, 0));
    let step = 10f64.powi(exponent - i32::try_from(decimals).ok()?);
    let value: f64 = format!("{number}e{exponent}").parse().ok()?;
    let places = |count: usize| Some(step * 10f64.powi(i32::try_from(count).ok()?));
    Some(Digits {
        end: end + length,
        value,
        step,
        coarse_step: places(zeros)?,
        is_round: decimals == 0 && whole.len() > 1 && whole[1..].bytes().all(|digit| digit == b'0'),
        round_step: places(whole.len() - 1)?,
    })
}

/// The exponent that `e-7` is, and its length.
fn exponent(text: &str) -> Option<(i32, usize)> {
    let rest = text.strip_prefix(['e', 'E'])?;
    let (sign, rest) = match rest.strip_prefix(['-', '−']) {
        Some(rest) => (-1, rest),
        None => (1, rest.strip_prefix('+').unwrap_or(rest)),
    };
    let length = rest.bytes().take_while(u8::is_ascii_digit).count();
    let power: i32 = rest[..length].parse().ok()?;
    Some((sign * power, text.len() - rest.len() + length))
}

fn end_of_word(text: &str, start: usize) -> usize {
    let inside = |part: char| part.is_alphanumeric() || matches!(part, '_' | '-' | '.' | '/' | ':');
    let length = text[start..].find(|part: char| !inside(part)).unwrap_or(text.len() - start);
    start + length
}

#[cfg(test)]
mod tests;
