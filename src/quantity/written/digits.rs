//! Digits read as a number, with the size of their last place.

/// Digits with their value and the size of their last place.
pub struct Digits {
    pub end: usize,
    pub value: f64,
    /// Step of the last digit.
    pub step: f64,
    /// The same where zeros at the end of a whole number do not count, all but the second digit.
    pub coarse_step: f64,
    /// Whether only the first digit counts, and its step.
    pub is_round: bool,
    pub round_step: f64,
}

/// Fractions that are one character.
const FRACTIONS: [(char, f64); 15] = [
    ('½', 1.0 / 2.0),
    ('⅓', 1.0 / 3.0),
    ('⅔', 2.0 / 3.0),
    ('¼', 1.0 / 4.0),
    ('¾', 3.0 / 4.0),
    ('⅕', 1.0 / 5.0),
    ('⅖', 2.0 / 5.0),
    ('⅗', 3.0 / 5.0),
    ('⅘', 4.0 / 5.0),
    ('⅙', 1.0 / 6.0),
    ('⅚', 5.0 / 6.0),
    ('⅛', 1.0 / 8.0),
    ('⅜', 3.0 / 8.0),
    ('⅝', 5.0 / 8.0),
    ('⅞', 7.0 / 8.0),
];

/// The same in three.
const SLASHED: [(&str, f64); 6] = [
    ("1/2", 1.0 / 2.0),
    ("1/3", 1.0 / 3.0),
    ("2/3", 2.0 / 3.0),
    ("1/4", 1.0 / 4.0),
    ("3/4", 3.0 / 4.0),
    ("1/8", 1.0 / 8.0),
];

/// Whether a number may begin with it.
pub fn begins_a_number(part: char) -> bool {
    part.is_ascii_digit() || FRACTIONS.iter().any(|(fraction, _)| *fraction == part)
}

/// The fraction that begins a text, and its length; one of `slashed` form is no part of a longer word.
fn fraction(text: &str) -> Option<(f64, usize)> {
    let first = text.chars().next()?;
    let single = FRACTIONS.iter().find(|(fraction, _)| *fraction == first).map(|(_, value)| (*value, first.len_utf8()));
    let slashed = || {
        let (written, value) = SLASHED.iter().find(|(written, _)| text.starts_with(written))?;
        let ends = |part: char| !part.is_alphanumeric() && !"/.,".contains(part);
        text[written.len()..].chars().next().is_none_or(ends).then_some((*value, written.len()))
    };
    single.or_else(slashed)
}

/// `½` and `5½`: a fraction behind the whole number that ends at a place, with the place where it ends.
fn with_fraction(text: &str, start: usize, end: usize) -> Option<Digits> {
    let whole = &text[start..end];
    let blank = if whole.is_empty() { 0 } else { text[end..].len() - text[end..].trim_start_matches(' ').len() };
    let (value, length) = match fraction(&text[end + blank..]) {
        None if whole.len() == 1 => fraction(&text[start..]).map(|(value, length)| (value, start + length))?,
        found => found.map(|(value, length)| (whole.parse().unwrap_or(0.0) + value, end + blank + length))?,
    };
    // To how much less it is right nobody says.
    const STEP: f64 = 0.1;
    Some(Digits { end: length, value, step: STEP, coarse_step: STEP, is_round: false, round_step: STEP })
}

/// Digits with thousands separators, decimals and an exponent, and fractions; `None` for a version, a date or a time of
/// day.
pub fn digits(text: &str, start: usize) -> Option<Digits> {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let run = |mut at: usize| {
        while digit(at) {
            at += 1;
        }
        at
    };
    if let Some(fraction) = with_fraction(text, start, run(start)) {
        return Some(fraction);
    }
    // `.289`
    let has_whole = digit(start);
    let has_point = bytes.get(start) == Some(&b'.') && digit(start + 1);
    if !has_whole && !has_point {
        return None;
    }
    let mut end = run(start);
    let groups = |at: usize| bytes.get(at) == Some(&b',') && run(at + 1) == at + 4;
    if has_whole && end - start <= 3 {
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
        round_step: places(whole.len().saturating_sub(1))?,
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
