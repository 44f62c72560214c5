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

/// Digits with thousands separators, decimals and an exponent; `None` for a version, a date or a time of day.
pub fn digits(text: &str, start: usize) -> Option<Digits> {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let run = |mut at: usize| {
        while digit(at) {
            at += 1;
        }
        at
    };
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
