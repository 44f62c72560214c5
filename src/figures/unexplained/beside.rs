//! The words beside a number that say what it is of.

use crate::metric::{self, Family};
use crate::quantity::written::Written;

/// What the words right at a number name, those behind it before those in front of it.
#[derive(Default)]
pub struct Beside {
    pub metric: Option<&'static Family>,
    /// Of the metric: `p99`, `mean`.
    pub statistic: Option<&'static str>,
}

/// Statistics of times as fields name them.
const STATISTICS: [&str; 6] = ["p50", "p90", "p95", "p99", "p999", "mean"];

/// The statistic that a word of prose is.
pub fn statistic(word: &str) -> Option<&'static str> {
    let own = match word {
        "median" => "p50",
        "average" => "mean",
        own => own,
    };
    STATISTICS.into_iter().find(|name| *name == own)
}

/// What the words beside a number say that it is of.
pub fn beside(text: &str, number: &Written) -> Beside {
    /// Words that begin another phrase.
    const OTHERS: [&str; 26] = [
        "and", "or", "but", "while", "where", "with", "within", "without", "against", "than", "after", "before", "at",
        "under", "over", "in", "on", "by", "to", "from", "for", "as", "when", "per", "until", "if",
    ];
    /// Those of them that join a metric to its number: `TTFT at 380 ms`, `falls by 5%`.
    const JOINS: [&str; 8] = ["at", "under", "over", "in", "by", "to", "from", "as"];
    /// How many words are looked at.
    const REACH: usize = 6;
    let behind = &text[number.span.end..];
    let behind = &behind[..cuts(behind).next().map_or(behind.len(), |(at, _)| at)];
    let behind: Vec<_> = behind.split_whitespace().take(REACH).take_while(|word| !OTHERS.contains(word)).collect();
    let before = &text[..number.span.start];
    let before = &before[cuts(before).last().map_or(0, |(at, part)| at + part.len_utf8())..];
    let before = before.trim_start_matches(|part: char| part.is_ascii_digit());
    let is_other = |word: &&str| OTHERS.contains(word) && !JOINS.contains(word);
    let before: Vec<_> = before.split_whitespace().rev().take(REACH).take_while(|word| !is_other(word)).collect();
    let before: Vec<_> = before.into_iter().rev().collect();
    let is_comparison = number.is_comparison();
    let named = |words: &[&str], is_behind| metric::named_in(&words.join(" "), is_behind, is_comparison);
    let statistic = |words: &[&str]| {
        let mut found = words.iter().filter_map(|word| statistic(&word.to_lowercase()));
        found.next_back()
    };
    match (named(&behind, true), named(&before, false)) {
        (Some(metric), _) => Beside { metric: Some(metric), statistic: statistic(&behind) },
        (None, Some(metric)) => Beside { metric: Some(metric), statistic: statistic(&before) },
        (None, None) => Beside::default(),
    }
}

/// Where another phrase or another number begins; the digits of a name, `p99`, are none.
fn cuts(text: &str) -> impl Iterator<Item = (usize, char)> {
    text.char_indices().filter(|(at, part)| match part {
        ',' | ';' | ':' | '.' | '(' | ')' | '–' | '—' => true,
        digit => digit.is_ascii_digit() && !text[..*at].ends_with(char::is_alphanumeric),
    })
}
