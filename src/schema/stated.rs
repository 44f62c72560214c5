//! A stated number as its file writes it, which pages show in place of a rounded one.

use super::Document;
use crate::quantity::{Quantity, Unit, grouped, plain};

impl Document {
    /// The digits of a quantity as the file writes them, of an interval at both ends, with thousands separators.
    pub fn digits(&self, pointer: &str, quantity: Quantity) -> String {
        let end = |at: &str| digits(self.written(&format!("{pointer}{at}"))?);
        match end("/0").zip(end("/1")).filter(|_| quantity.is_interval()) {
            Some((low, high)) => format!("{low}–{high}"),
            None => end("").unwrap_or_else(|| plain(quantity)),
        }
    }

    /// The same with its unit.
    pub fn stated(&self, pointer: &str, unit: Unit, quantity: Quantity) -> String {
        unit.stated(&self.digits(pointer, quantity))
    }

    /// Pointers and values of all numbers, approximate ones too, in the order of the file.
    pub fn numbers(&self) -> impl Iterator<Item = (String, f64)> {
        let leaves = self.spans.leaves().into_iter();
        leaves.filter_map(|(pointer, text)| Some((pointer, number(text)?)))
    }
}

/// `8.40` and `"~ 3,000"` as pages print them; `None` for what is no plain or approximate number, or has too many digits.
fn digits(written: &str) -> Option<String> {
    let text = written.trim_matches(['"', '\'']);
    let (about, number) = text.strip_prefix('~').map_or(("", text), |rest| ("~", rest.trim_start()));
    let number = number.replace(',', "");
    let is_plain = !number.is_empty() && number.chars().all(|part| part.is_ascii_digit() || matches!(part, '.' | '-'));
    // The sixteen digits that a program prints of a division are no precision.
    let is_readable = number.len() <= READABLE || !number.contains('.');
    // A zero has no sign, whatever a program wrote.
    let is_zero = number.parse::<f64>().is_ok_and(|value| value == 0.0);
    let number = if is_zero { number.trim_start_matches('-') } else { &number };
    (is_plain && is_readable).then(|| format!("{about}{}", grouped(number)))
}

/// Characters of a number with decimals that people read as they are written.
const READABLE: usize = 12;

/// `8.40` and `"~ 3,000"`; `None` for other texts, with digits or not.
fn number(written: &str) -> Option<f64> {
    let about = written.trim_matches(['"', '\'']).strip_prefix('~').map(|rest| rest.trim().replace(',', ""));
    let text = about.as_deref().unwrap_or(written);
    text.starts_with(|first: char| first.is_ascii_digit() || first == '-').then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stay_as_they_are_written() {
        for (written, shown) in [
            ("1.792", Some("1.792")),
            ("40", Some("40")),
            ("8.40", Some("8.40")),
            ("\"~ 3,000\"", Some("~3,000")),
            ("150000", Some("150,000")),
            ("-0.20", Some("−0.20")),
            ("-0", Some("0")),
            ("-0.0", Some("0.0")),
            ("1e3", None),
            ("1310720000000", Some("1,310,720,000,000")),
            ("700.1480787161026", None),
            ("null", None),
        ] {
            assert_eq!(digits(written).as_deref(), shown, "{written}");
        }
    }
}
