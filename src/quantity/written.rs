//! Numbers as people write them, read back with the precision and the unit that they are written with.

mod digits;
mod in_words;
mod money;
mod per;
mod units;
mod words;

use std::ops::Range;

use super::rounding::{ends, significant};
use super::{Quantity, Sense, TokenKind, Unit, Way};
use digits::{Digits, begins_a_number, digits};
use units::{Dimension, Suffix};
use words::{Bound, Said, Turn, ends_with_word};

pub use in_words::{count_in_words, in_digits, number_word};
pub use money::is_sign as is_money_sign;
pub use per::Per;
pub use units::{CONFIGS, GPUS, counted_after_turn, counted_soon};
pub use words::{is_side, is_turn, words};

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
    pub signed: bool,
    /// Whether the words around it say that it is a rough one.
    approximate: bool,
    /// Which way the words around it say that something went.
    turn: Option<Turn>,
    /// The same by the word right after it, which a sign must not contradict.
    next_turn: Option<Turn>,
    /// `between 4 and 6`, where the value is and which it is not.
    is_between: bool,
    bound: Option<Bound>,
    /// Whether they say that it is not this number: it is no statement of what the value is, and never agrees.
    denied: bool,
    dimension: Option<(Dimension, f64)>,
    /// What an amount is for, where the words after it say so.
    pub per: Option<Per>,
    /// A unit that nothing here knows: `tok/W`, `samples per second`.
    unknown: Option<String>,
    /// `B` right after the digits is bytes or billions, which only the figure beside it can tell.
    billions: bool,
    tokens: Option<TokenKind>,
    /// What it counts, where the word after it says so: `5 replicas`.
    pub counted: Option<&'static str>,
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
    while let Some(start) = text[at..].find(begins_a_number).map(|offset| at + offset) {
        let start = start - usize::from(begins_with_point(&text[at..start]));
        let read = Read { text, start, after: found.last().map_or(0, |last| last.span.end) };
        match read.number() {
            Some(number) => {
                at = number.span.end;
                if !read.is_part_of_a_unit() && !found.last().is_some_and(|last| read.is_what_it_is_for(last)) {
                    found.push(number);
                }
            }
            None => at = end_of_word(text, start),
        }
    }
    found
}

/// The numbers of a text, those in words too, as they are said of a value in a unit: `twice`, `a third less`, `six`.
pub fn numbers_and_words(text: &str, unit: Unit) -> Vec<Written> {
    let read = in_digits(text, unit);
    let mut found = numbers(&read.text);
    for number in &mut found {
        let own = read.rough.iter().find(|(span, _)| span.contains(&number.span.start));
        // `about twice` may be twice as far off as `twice`.
        let slack = if number.approximate { 2.0 * NEAR } else { NEAR };
        number.half = own.map_or(number.half, |(_, of)| slack * of);
    }
    found
}

impl Written {
    /// Whether a value in a unit is what is written, at the precision it is written with.
    pub fn matches(&self, unit: Unit, quantity: Quantity) -> Match {
        self.matches_change(unit, quantity, Sense::PLAIN)
    }

    /// The same of a change, by its sense: that says what `faster`, `less` and `a loss` mean of it.
    pub fn matches_change(&self, unit: Unit, quantity: Quantity, sense: Sense) -> Match {
        let Some(scale) = self.scale(unit) else { return Match::OtherUnit };
        let goes_up = |turn: Option<Turn>| turn.and_then(|turn| turn.goes_up(sense));
        // A saving is a difference of two amounts.
        let is_difference = match unit {
            Unit::PercentChange | Unit::Points => true,
            Unit::Ratio => false,
            _ => sense.way == Way::Falls,
        };
        let (said, from) = if unit == Unit::Ratio {
            (self.turn, 1.0)
        } else {
            // What has a sign is turned by nothing, and must not be denied.
            (self.next_turn.filter(|_| is_difference && self.signed), 0.0)
        };
        // What is more than nothing is not written as nothing, and `8 more replicas` are not 8.
        let is_nothing = self.low == 0.0 && self.high == 0.0 && self.bound.is_none() && !self.approximate;
        let has_no_difference = units::is_count(unit) && sense.way == Way::Rises && self.next_turn.is_some();
        if is_nothing && unit.is_money() && quantity.low() > 0.0 || has_no_difference && self.bound.is_none() {
            return Match::Differs;
        }
        let contradicted = match goes_up(said) {
            Some(true) => quantity.high() < from,
            Some(false) => quantity.low() > from,
            None => false,
        };
        if contradicted {
            return Match::Differs;
        }
        // What falls is written as how far it falls.
        let falls = is_difference && !self.signed && goes_up(self.turn) == Some(false);
        let quantity = if falls { -quantity } else { quantity };
        if self.agrees(scale, quantity) { Match::Agrees } else { Match::Differs }
    }

    /// The same number with what other words say of it: those around a link, in which nothing is said of its bounds.
    pub fn beside(&self, other: &Written) -> Written {
        let Written { low, high, half, approximate, is_between, bound, denied, .. } = *self;
        Written { low, high, half, approximate, is_between, bound, denied, ..other.clone() }
    }

    /// Whether a value that is beyond the bound which the words make of it is so by no more than a factor of ten, as whoever
    /// names a bound means it.
    pub fn bounds_closely(&self, unit: Unit, quantity: Quantity) -> bool {
        let bound = self.scale(unit).map(|scale| self.low * scale).filter(|_| self.bound.is_some());
        bound.is_none_or(|bound| (0.1..=10.0).contains(&(quantity.middle() / bound)))
    }

    /// Whether words at it say which way something goes.
    pub fn has_way(&self) -> bool {
        self.turn.is_some()
    }

    /// Whether words at it say that something is less.
    pub fn is_less(&self) -> bool {
        self.turn == Some(Turn::Falls)
    }

    /// Whether a quantity is what is written, once that is multiplied by a scale.
    fn agrees(&self, scale: f64, quantity: Quantity) -> bool {
        let (low, high, half) = (self.low * scale, self.high * scale, self.half * scale);
        let slack = 1e-9 * high.abs().max(low.abs()) + f64::MIN_POSITIVE;
        let near = |value: f64, written: f64| (value - written).abs() <= half + slack;
        // `at most about $6,000`
        let slack_of_bound = if self.approximate { half + slack } else { slack };
        match self.bound {
            Some(Bound::Above) => quantity.low() > low + slack,
            Some(Bound::AtLeast) => quantity.low() >= low - slack_of_bound,
            Some(Bound::Below) => quantity.high() < high - slack,
            Some(Bound::AtMost) => quantity.high() <= high + slack_of_bound,
            None => {
                let agrees = if low < high && quantity.is_interval() {
                    near(quantity.low(), low) && near(quantity.high(), high)
                } else {
                    quantity.low() <= high + half + slack && quantity.high() >= low - half - slack
                };
                agrees && !self.denied
            }
        }
    }

    /// Whether it says both ends of a value that is an interval, or that it is a rough number or a bound; and of a value
    /// that is none, no interval but one that it lies in.
    pub fn says_all_of(&self, unit: Unit, quantity: Quantity, sense: Sense) -> bool {
        if self.low < self.high && !quantity.is_interval() {
            return self.is_between || self.approximate;
        }
        let ends = [quantity.low(), quantity.high()];
        let says = |end: f64| self.matches_change(unit, end.into(), sense) == Match::Agrees;
        let is_single = self.low == self.high && self.bound.is_none() && !self.approximate;
        !is_single || ends.into_iter().all(says)
    }

    /// Whether it is one digit that is more than a twentieth off the value, so that only rounding makes the two agree: `4x`
    /// of 3.56.
    pub fn is_coarse(&self, unit: Unit, quantity: Quantity) -> bool {
        let single = self.bound.is_none() && self.low == self.high && self.low.abs() < 20.0 * self.half;
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

    /// Whether it may be a value in a unit: one of the same dimension, for an amount per what it is said to be per. A
    /// number without a unit may be any, one that counts things only a count.
    pub fn is_of(&self, unit: Unit) -> bool {
        let own = units::dimension_of(unit);
        let Some((written, _)) = self.dimension else {
            return self.unknown.is_none() && self.may_count(unit);
        };
        let per = !written.is_an_amount() || self.per.is_none() || per::per_of(unit).is_some();
        let same =
            own.is_some_and(|(own, _)| own == written || (written, own) == (Dimension::Percent, Dimension::Ratio));
        per && same || self.billions && own.is_none_or(|(own, _)| own == Dimension::Tokens)
    }

    /// Whether what it counts may be in a unit: `217 requests and 27,785 tokens per second`.
    fn may_count(&self, unit: Unit) -> bool {
        match (self.counted, units::dimension_of(unit)) {
            (None, _) | (_, None) => true,
            // `4-bit` is part of a name, too.
            (Some(units::BITS), _) => true,
            (counted, Some((own, _))) => counted == Some("requests") && own == Dimension::RequestsPerSecond,
        }
    }

    /// Whether it is a number that another text says, which may leave out what this one has a word for.
    pub fn is_said_by(&self, other: &Written) -> bool {
        let differ = |one: Option<&str>, other: Option<&str>| one.zip(other).is_some_and(|(one, other)| one != other);
        if self.tokens.zip(other.tokens).is_some_and(|(one, other)| one != other) || differ(self.counted, other.counted)
        {
            return false;
        }
        let scale = match (self.dimension, other.dimension) {
            (Some((one, by)), Some((other, of))) if one == other => by / of,
            (Some(_), _) => return false,
            (None, _) if self.unknown.is_some() && self.unknown != other.unknown => return false,
            (None, _) => 1.0,
        };
        let per = self.per.zip(other.per).map_or(Some(1.0), |(one, other)| one.in_terms_of(other));
        // `-29%` may be said as how far something falls.
        let ends = other.ends();
        per.is_some_and(|per| self.agrees(scale * per, ends) || !self.signed && self.agrees(scale * per, -ends))
    }

    /// Each end of it by itself, without what the words around it say.
    pub fn each(&self) -> Vec<Written> {
        let plain = Written { bound: None, denied: false, ..self.clone() };
        match self.low < self.high {
            true => vec![Written { high: self.low, ..plain.clone() }, Written { low: self.high, ..plain }],
            false => vec![plain],
        }
    }

    /// The same of a kind of tokens, which a name beside it says.
    pub fn of_tokens(self, tokens: TokenKind) -> Written {
        Written { tokens: Some(tokens), ..self }
    }

    /// The same with what a unit says where its own words leave that out: which tokens, and what it is per.
    pub fn or_of(self, unit: Unit) -> Written {
        Written { tokens: self.tokens.or(unit.token_kind()), per: self.per.or(per::per_of(unit)), ..self }
    }

    /// Whether a unit or a currency stands at it, known or not.
    pub fn has_unit(&self) -> bool {
        self.dimension.is_some() || self.unknown.is_some()
    }

    /// Whether it says how two values compare, or a share, and so nothing of what they are.
    pub fn is_comparison(&self) -> bool {
        matches!(self.dimension, Some((Dimension::Percent | Dimension::Points | Dimension::Ratio, _)))
    }

    /// Whether it may be billions, as in `70B`, and so part of a model's name.
    pub fn is_billions(&self) -> bool {
        self.billions
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
        match (self.counted, units::counts(unit)) {
            (Some(written), Some(own)) if written != own => return None,
            // `56.7 GPUs` is no percentage. A ratio may be one of sequences.
            (_, None) if self.dimension.is_none() && unit != Unit::Ratio && !self.may_count(unit) => return None,
            _ => {}
        }
        let own = units::dimension_of(unit);
        let is_size = own.is_some_and(|(own, _)| own == Dimension::Bytes);
        let per = match (self.per, per::per_of(unit)) {
            (Some(written), Some(own)) => written.in_terms_of(own)?,
            // `9 GiB per token` is no size of a whole cache, and `9 GiB per 32,768 tokens` may be.
            (Some(Per::Tokens(1.0) | Per::Other("layer" | "head")), None) if is_size => return None,
            _ => 1.0,
        };
        if self.unknown.is_some() && (own.is_some() || units::is_count(unit)) {
            return None;
        }
        match (self.dimension, own) {
            (Some((Dimension::Bytes, _)), Some((own, _))) if self.billions && own != Dimension::Bytes => Some(1e9),
            (Some((Dimension::Bytes, _)), None) if self.billions => Some(1e9),
            // `5x` is no count of replicas.
            (Some((written, _)), None) if units::is_count(unit) && written != Dimension::Tokens => None,
            // `14% of it`
            (Some((Dimension::Percent, _)), Some((Dimension::Ratio, _))) => Some(0.01),
            (None, Some((Dimension::Bytes, own_scale))) if self.counted == Some(units::BITS) => {
                Some(per / (8.0 * own_scale))
            }
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
        let is_between = second.is_some() && self.follows("between");
        let last = second.as_ref().map_or(&first, |(_, digits)| digits);
        let after = &self.text[last.end..];
        let suffix = Suffix::of(after)?;
        let said = Said::around(before, after);
        let half = match said.approximate {
            // `about $6,000` is near, and how near no digit says.
            // Of shares, `about 60%` is said of 56.7% too.
            true if last.is_round => {
                let near = if after.starts_with('%') { 2.0 * NEAR } else { NEAR };
                (0.5 * last.round_step).min(near * last.value)
            }
            true => 0.5 * last.coarse_step,
            false => 0.5 * first.step.min(last.step),
        };
        let money = money::around(before, suffix.dimension, after);
        let dimension = money.or(suffix.dimension);
        let is_money = matches!(dimension, Some((Dimension::Dollars | Dimension::OtherMoney, _)));
        // `a million output tokens cost $0.29`
        let priced = before.trim_end_matches(|part: char| money::is_sign(part) || part == ' ');
        let (per_before, tokens_before) = if is_money { per::before_price(priced) } else { (None, None) };
        Some(Written {
            span: self.start..last.end,
            low: low * suffix.factor,
            high: high * suffix.factor,
            half: half * suffix.factor,
            signed: before.trim_end_matches(['$', '~', '≈']).ends_with(['+', '-', '−']),
            approximate: said.approximate,
            turn: said.turn,
            next_turn: said.next_turn,
            is_between,
            bound: said.bound,
            denied: said.denied,
            dimension,
            per: suffix.per.or(per_before),
            unknown: suffix.unknown.filter(|_| dimension.is_none()),
            billions: suffix.billions && money.is_none(),
            tokens: suffix.tokens.or(tokens_before),
            counted: if dimension.is_some() { units::counted(after) } else { units::counted_soon(after) },
        })
    }

    /// The higher end of an interval: `43–45%`, `43% - 45%`, `$0.28 to $0.30`, `between 4 and 6`, but not `from 0.30 to
    /// 0.28`.
    fn second(&self, first: &Digits, low: f64) -> Option<(f64, Digits)> {
        let (from, between) = (self.follows("from"), self.follows("between"));
        let rest = &self.text[first.end..];
        let joined = |rest: &str, signs: &[&str]| {
            let rest = rest.trim_start();
            signs.iter().find_map(|sign| rest.strip_prefix(sign)).map(|rest| rest.trim_start().len())
        };
        let after_percent = rest.trim_start_matches('%');
        let rest_is_percent = after_percent.len() < rest.len();
        let left = match (from, between) {
            (_, true) => joined(after_percent, &["and "]),
            (true, _) => joined(after_percent, &["to "]),
            _ => joined(after_percent, &["–", "—", "-", "to "]),
        };
        // `between 4 replicas and 6 replicas`
        let unit = || {
            let end = rest.find(if between { " and " } else { " to " }).filter(|_| from || between)?;
            let unit = rest[..end].trim();
            let left = rest[end..].trim_start().split_once(' ')?.1.len();
            (unit.split_whitespace().count() <= 2 && !unit.contains(char::is_numeric)).then_some((left, unit))
        };
        let (left, unit) = left.map(|left| (left, "")).or_else(unit)?;
        let rest = &self.text[self.text.len() - left..];
        let number = rest.trim_start_matches(['$', '¢', '~', '+', '-', '−']);
        let found = digits(self.text, self.text.len() - number.len())?;
        let high = sign(&rest[..rest.len() - number.len()]) * found.value;
        // `falls by 13.5% to 32,768 tokens`
        let unit = if unit.is_empty() && rest_is_percent { "%" } else { unit };
        let same_unit = self.text[found.end..].trim_start().starts_with(unit);
        (high >= low && !(from && high == low) && same_unit).then_some((high, found))
    }

    /// Whether a word stands right before it, or before its sign.
    fn follows(&self, word: &str) -> bool {
        let before = self.text[self.after..self.start].trim_end_matches(['$', '¢', '~', '+', '-', '−', ' ']);
        ends_with_word(before, word)
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

    /// `$0.29 for 1,000 tokens`
    fn is_what_it_is_for(&self, last: &Written) -> bool {
        let between = self.text[self.after..self.start].trim();
        let is_amount = last.dimension.is_some_and(|(dimension, _)| dimension.is_an_amount());
        is_amount && last.per.is_some() && matches!(between, "for" | "for every" | "for each")
    }

    /// `per 1M tokens`, `per 1,000 requests`
    fn is_part_of_a_unit(&self) -> bool {
        let before = self.text[..self.start].trim_end_matches('$');
        before.ends_with("per ") || before.trim_end().ends_with('/')
    }
}

/// `$.289`: whether what stands before digits ends with the point of their decimals, and not with that of a name.
fn begins_with_point(before: &str) -> bool {
    before.strip_suffix('.').is_some_and(|before| !before.ends_with(|part: char| part.is_alphanumeric() || part == '.'))
}

/// That of a sign right before the digits; a hyphen that joins words or stands by itself is none.
fn sign(before: &str) -> f64 {
    let before = before.trim_end_matches(['$', '¢', '~', '≈']).strip_suffix(['-', '−']);
    if before.is_some_and(|before| !before.ends_with(char::is_alphanumeric)) { -1.0 } else { 1.0 }
}

fn end_of_word(text: &str, start: usize) -> usize {
    let inside = |part: char| part.is_alphanumeric() || matches!(part, '_' | '-' | '.' | '/' | ':');
    let length = text[start..].find(|part: char| !inside(part)).unwrap_or(text.len() - start);
    start + length
}

#[cfg(test)]
mod tests;
