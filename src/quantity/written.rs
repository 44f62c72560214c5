//! Numbers as prose writes them: `−36%`, `$0.289`, `about 140,250`, `43–45%`.

use std::ops::Range;

/// A number in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Written<'t> {
    pub value: f64,
    /// Bytes of its digits in the text.
    pub at: Range<usize>,
    /// Digits after the point, which say how precise it is.
    pub decimals: usize,
    /// The word after it: `%`, `x`, `ms`, `K`; empty where there is none.
    pub unit: &'t str,
}

impl<'t> Written<'t> {
    /// The numbers of a text in order. Digits that belong to a name, as in `p99` and `H100`, or to a version are none.
    pub fn all(text: &'t str) -> Vec<Self> {
        let mut numbers = Vec::new();
        let mut at = 0;
        while let Some(found) = text[at..].find(|part: char| part.is_ascii_digit()) {
            let start = at + found;
            let end = start + length(&text[start..]);
            at = end;
            if text[..start].ends_with(|part: char| part.is_ascii_alphanumeric() || matches!(part, '.' | '_')) {
                continue;
            }
            let digits = text[start..end].replace(',', "");
            let Ok(value) = digits.parse::<f64>() else { continue };
            numbers.push(Written {
                value: if is_negative(&text[..start]) { -value } else { value },
                at: start..end,
                decimals: digits.split_once('.').map_or(0, |(_, part)| part.len()),
                unit: unit(&text[end..]),
            });
        }
        numbers
    }
}

/// How far a number reaches: digits, points within, and commas before groups of three.
fn length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let inside = |at: usize| match bytes.get(at) {
        Some(b'.') => is_digit(at + 1),
        Some(b',') => (1..=3).all(|step| is_digit(at + step)) && !is_digit(at + 4),
        _ => is_digit(at),
    };
    (0..).find(|at| !inside(*at)).unwrap_or(text.len())
}

/// Whether a minus stands before a number, and not a dash between two or within a word.
fn is_negative(before: &str) -> bool {
    let before = before.trim_end_matches(['$', '~']);
    let rest = before.strip_suffix('-').or_else(|| before.strip_suffix('−'));
    rest.is_some_and(|rest| !rest.ends_with(|part: char| part.is_alphanumeric() || part == '%'))
}

fn unit(after: &str) -> &str {
    let after = after.strip_prefix([' ', '\u{a0}', '\u{202f}']).unwrap_or(after);
    let end = after.find(|part: char| !part.is_alphabetic()).unwrap_or(after.len());
    if after.starts_with('%') { "%" } else { &after[..end] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_names_dashes_and_lists() {
        let values = |text| Written::all(text).into_iter().map(|number| number.value).collect::<Vec<_>>();
        for (text, expected) in [
            ("about 140,250 tokens.", &[140_250.0][..]),
            ("$0.289, then $1,234,567.80", &[0.289, 1_234_567.8]),
            ("43–45%, 43-45% or 43%-45%", &[43.0, 45.0, 43.0, 45.0, 43.0, 45.0]),
            ("−36% and (-0.2%) of -$5", &[-36.0, -0.2, -5.0]),
            ("p99 of an H100 on v0.22.1 and vllm 0.22.1: 7", &[7.0]),
            ("1,2 and 1,2345", &[1.0, 2.0, 1.0, 2345.0]),
            ("fp8-12, 4x, ~3000", &[12.0, 4.0, 3000.0]),
            ("达到89.2%", &[89.2]),
            ("none passed", &[]),
        ] {
            assert_eq!(values(text), expected, "{text}");
        }
    }

    #[test]
    fn precision_and_unit_are_kept() {
        let of = |text| Written::all(text).first().map(|number| (number.decimals, number.unit));
        assert_eq!(of("8.40 req/s"), Some((2, "req")));
        assert_eq!(of("150K-token"), Some((0, "K")));
        assert_eq!(of("74.0% of"), Some((1, "%")));
        assert_eq!(of("21"), Some((0, "")));
    }
}
