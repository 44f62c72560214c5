//! Which money a number is, by the signs and words beside it.

use super::units::Dimension;
use super::words::words;

/// What money is, as a number is written in it.
type Money = (Dimension, f64);

const DOLLARS: Money = (Dimension::Dollars, 1.0);
const CENTS: Money = (Dimension::Dollars, 0.01);
const OTHER: Money = (Dimension::OtherMoney, 1.0);

/// What countries call their own dollars and cents.
const COUNTRIES: [&str; 9] =
    ["Australian", "Canadian", "Singapore", "Hong", "Kong", "New", "Zealand", "Taiwan", "Taiwanese"];

/// The money that a word is.
pub fn unit(word: &str) -> Option<Money> {
    const OTHERS: [&str; 30] = [
        "EUR", "euro", "euros", "GBP", "JPY", "yen", "CNY", "RMB", "yuan", "AUD", "BRL", "CAD", "CHF", "DKK", "HKD",
        "INR", "rupees", "Rs", "KRW", "MXN", "NOK", "NZD", "PLN", "SEK", "kr", "SGD", "THB", "TRY", "TWD", "ZAR",
    ];
    let is_one_sign = || word.chars().all(is_sign) && word.chars().count() == 1;
    match word {
        "$" | "USD" | "dollar" | "dollars" => Some(DOLLARS),
        "¢" | "cent" | "cents" => Some(CENTS),
        _ if OTHERS.contains(&word) || is_one_sign() => Some(OTHER),
        _ => None,
    }
}

/// The money of a number by what stands before it, `$`, `A$`, `CAD`, and by what stands behind: `$0.45 CAD`.
pub fn around(before: &str, behind: Option<Money>, after: &str) -> Option<Money> {
    let is_other = || {
        let is_named = |word: &str| COUNTRIES.contains(&word);
        behind.is_some_and(|money| money == OTHER) || words(after).next().is_some_and(|(word, _)| is_named(word))
    };
    match before.chars().next_back() {
        Some('$') if is_of_a_country(before.trim_end_matches('$')) || is_other() => Some(OTHER),
        Some('$') => Some(DOLLARS),
        Some('¢') => Some(CENTS),
        Some(sign) if is_sign(sign) => Some(OTHER),
        _ => {
            let before = before.trim_end();
            let rest = before.trim_end_matches(char::is_alphabetic);
            let word = &before[rest.len()..];
            // A currency's code comes before its number, its name does not.
            let is_code = word.chars().all(|letter| letter.is_ascii_uppercase()) || matches!(word, "Rs" | "kr");
            unit(word).filter(|_| is_code && !rest.ends_with(char::is_alphanumeric))
        }
    }
}

/// Another country's dollars that a text begins with: `Canadian dollars`, with what follows them.
pub fn of_a_country(text: &str) -> Option<(Money, &str)> {
    let mut read = words(text).skip_while(|(word, _)| COUNTRIES.contains(word));
    let (word, after) = read.next()?;
    let begins_with_one = words(text).next().is_some_and(|(first, _)| COUNTRIES.contains(&first));
    (begins_with_one && matches!(word, "dollars" | "dollar" | "cents" | "cent")).then_some((OTHER, after))
}

/// Whether letters at a dollar sign make it another country's: `A$`, `CAD $`, and not `US$`.
fn is_of_a_country(before: &str) -> bool {
    let spaced = before.trim_end();
    let rest = spaced.trim_end_matches(|part: char| part.is_ascii_uppercase());
    let letters = &spaced[rest.len()..];
    if letters.is_empty() || matches!(letters, "US" | "USD") || rest.ends_with(char::is_alphanumeric) {
        return false;
    }
    // With a blank between, `FP8 $0.29` is of no country.
    spaced.len() == before.len() || unit(letters) == Some(OTHER)
}

/// Whether a character is a sign of money, of whichever country.
pub fn is_sign(sign: char) -> bool {
    matches!(sign, '$' | '¢' | '£' | '¥' | '¤' | '฿' | '\u{20a0}'..='\u{20cf}')
}
