//! The nearest known name to a misspelt one, and foreign text made fit to print.

/// The candidate that takes the fewest edits, when those are few enough to be a slip.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length > LONGEST_WORD {
        return None;
    }
    let allowed = (length / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= 4 * LONGEST_WORD)
        .filter_map(|candidate| {
            let starts = length >= 3 && (candidate.starts_with(word) || word.starts_with(candidate));
            let edits = distance(&word.to_lowercase(), &candidate.to_lowercase());
            (edits <= allowed || starts).then_some((edits, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// Foreign text between double quotes, on one line and short.
pub fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(LONGEST_QUOTE).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("\"{}\"", printable(&short))
}

/// Text with everything that could move a cursor or turn its direction written as an escape.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if moves(character) { out.extend(character.escape_default()) } else { out.push(character) }
    }
    out
}

const LONGEST_WORD: usize = 60;
const LONGEST_QUOTE: usize = 60;

/// Control characters, and the invisible ones that reorder or split a line.
fn moves(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, left) in one.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, right) in other.iter().enumerate() {
            let replaced = last[column] + usize::from(left != right);
            let mut best = replaced.min(last[column + 1] + 1).min(next[column] + 1);
            if row > 0 && column > 0 && *left == other[column - 1] && one[row - 1] == *right {
                best = best.min(before[column - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut last, next);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_a_stranger_is_not() {
        let names = ["repeats", "requests", "label"];
        assert_eq!(nearest("repeets", names), Some("repeats"));
        assert_eq!(nearest("lable", names), Some("label"));
        assert_eq!(nearest("LABEL", names), Some("label"));
        assert_eq!(nearest("ttft_p99", ["ttft_p99_ms", "tpot_p99_ms"]), Some("ttft_p99_ms"));
        assert_eq!(nearest("colour", names), None);
        assert_eq!(nearest("", names), None);
    }

    #[test]
    fn foreign_text_cannot_move_the_cursor() {
        assert_eq!(printable("a\u{1b}[2Jb\u{202e}\n é"), "a\\u{1b}[2Jb\\u{202e}\\n é");
        assert_eq!(quoted(&"x".repeat(80)), format!("\"{}…\"", "x".repeat(60)));
    }
}
