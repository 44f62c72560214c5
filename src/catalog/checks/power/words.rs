//! Which boundary of power a text names, and whether it denies it.

use crate::record::run::PowerKind;

/// Words that name a boundary by themselves, and the kinds that they are right for.
const NAMES: [(&str, &[PowerKind]); 14] = [
    ("gpu board", &[PowerKind::Board]),
    ("board power", &[PowerKind::Board]),
    ("node power", &[PowerKind::Node]),
    ("power of the node", &[PowerKind::Node]),
    ("power of the whole node", &[PowerKind::Node]),
    ("system power", &[PowerKind::Node]),
    ("power supply", &[PowerKind::Node, PowerKind::Wall]),
    ("wall power", &[PowerKind::Wall]),
    ("wall plug", &[PowerKind::Wall]),
    ("wall socket", &[PowerKind::Wall]),
    ("wall outlet", &[PowerKind::Wall]),
    ("at the wall", &[PowerKind::Wall]),
    ("from the wall", &[PowerKind::Wall]),
    ("at the plug", &[PowerKind::Wall]),
];

/// More than boards: what stands beside a power is of the node or of the wall.
const MACHINES: [&str; 9] = ["node", "machine", "server", "system", "host", "chassis", "rack", "workstation", "box"];
/// Those of them, and parts, that are named for nothing but their power where a power stands beside them.
const SUPPLIES: [&str; 4] = ["chassis", "rack", "psu", "pdu"];
/// What is said of all of a machine.
const WHOLE: [&str; 4] = ["whole", "entire", "complete", "full"];
const POWER: [&str; 14] = [
    "power",
    "draw",
    "draws",
    "drew",
    "drawn",
    "drawing",
    "consumes",
    "consumed",
    "consumption",
    "energy",
    "watt",
    "watts",
    "joule",
    "joules",
];
const UNITS: [&str; 10] = ["w", "kw", "mw", "j", "kj", "mj", "wh", "kwh", "watts", "joules"];
/// What leads from a power to what it is of.
const OF: [&str; 6] = ["of", "by", "for", "from", "at", "across"];
/// What says that a power is of boards, whatever else is named.
const BOARDS: [&str; 8] = ["board", "boards", "gpu", "gpus", "card", "cards", "accelerator", "accelerators"];
const DENIALS: [&str; 15] = [
    "no",
    "not",
    "nor",
    "never",
    "neither",
    "none",
    "without",
    "excluding",
    "except",
    "beside",
    "besides",
    "cannot",
    "would",
    "could",
    "might",
];

/// What has to stand in a sentence beside the name of a boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    /// A number of power or energy: prose speaks of nodes and walls for many reasons.
    Number,
}

/// A word in small letters, with its place in the text; a number and its unit of power are one, `#`.
struct Word {
    at: usize,
    end: usize,
    text: String,
    /// The number of the clause that it stands in.
    clause: usize,
}

/// The first words that name another boundary, with their place, unless the text denies them: "not node power".
pub fn other_boundary(text: &str, kind: PowerKind, needs: Needs) -> Option<(usize, String)> {
    sentences(text).into_iter().find_map(|words| {
        if needs == Needs::Number && !words.iter().any(|word| word.text == "#") {
            return None;
        }
        let (first, last) = named(&words, kind).or_else(|| beside_a_power(&words, kind))?;
        let (at, end) = (words[first].at, words[last].end);
        Some((at, text[at..end].split_whitespace().collect::<Vec<_>>().join(" ")))
    })
}

/// The words that name a boundary by themselves, by their positions.
fn named(words: &[Word], kind: PowerKind) -> Option<(usize, usize)> {
    NAMES.iter().filter(|(_, kinds)| !kinds.contains(&kind)).find_map(|(name, _)| {
        let name: Vec<_> = name.split(' ').collect();
        let mut starts = words.windows(name.len()).enumerate();
        let found = starts.find(|(at, window)| {
            window.iter().zip(&name).all(|(word, part)| word.text == *part) && !is_denied(words, *at)
        });
        found.map(|(at, _)| (at, at + name.len() - 1))
    })
}

/// Names of machines that a power is said to be of. Of boards alone they say more than the reading covers.
fn beside_a_power(words: &[Word], kind: PowerKind) -> Option<(usize, usize)> {
    if kind != PowerKind::Board {
        return None;
    }
    let is = |at: usize, of: &[&str]| words.get(at).is_some_and(|word| of.contains(&word.text.as_str()));
    let is_power = |at: usize| is(at, &POWER) || is(at, &["#"]);
    let of_sentence = (0..words.len()).any(is_power);
    let place = (0..words.len()).find(|at| {
        let at = *at;
        let is_machine = is(at, &MACHINES);
        if !(is_machine || is(at, &SUPPLIES)) || is_denied(words, at) {
            return false;
        }
        let of_boards =
            words.iter().any(|word| word.clause == words[at].clause && BOARDS.contains(&word.text.as_str()));
        if of_boards {
            return false;
        }
        let whole = at.checked_sub(1).is_some_and(|before| is(before, &WHOLE));
        if of_sentence && (whole || is(at, &SUPPLIES)) {
            return true;
        }
        let follows =
            is_power(at + 1) || is_power(at + 2) || at.checked_sub(1).is_some_and(|before| is(before, &["#"]));
        // "0.6 kW for the server", "power drawn by the machine".
        let led_to = (at.saturating_sub(3)..at).any(|of| is(of, &OF) && (of.saturating_sub(3)..of).any(is_power));
        follows || led_to
    })?;
    let whole = place.checked_sub(1).is_some_and(|before| is(before, &WHOLE));
    Some((if whole { place - 1 } else { place }, place))
}

/// Whether the clause that a word stands in denies it, or says what would be and was not measured.
fn is_denied(words: &[Word], at: usize) -> bool {
    let clause = words[at].clause;
    words.iter().any(|word| word.clause == clause && DENIALS.contains(&word.text.as_str()))
}

/// The words of each sentence. Lines may break inside of one; an empty line, an item of a list and a heading may not.
fn sentences(text: &str) -> Vec<Vec<Word>> {
    let mut sentences = vec![Vec::<Word>::new()];
    let mut clause = 0;
    let mut rest = text.char_indices().peekable();
    while let Some((at, letter)) = rest.next() {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let after = &text[at + letter.len_utf8()..];
        if is_part(letter) {
            let mut end = at + letter.len_utf8();
            while let Some((next, letter)) = rest.peek().copied() {
                let in_number =
                    matches!(letter, '.' | ',') && text[next + 1..].starts_with(|next: char| next.is_ascii_digit());
                let goes_on = in_number && text[at..next].ends_with(|last: char| last.is_ascii_digit());
                if !is_part(letter) && !goes_on {
                    break;
                }
                end = next + letter.len_utf8();
                rest.next();
            }
            if let Some(sentence) = sentences.last_mut() {
                push(sentence, Word { at, end, text: text[at..end].to_lowercase(), clause });
            }
            continue;
        }
        let ends_line = letter == '\n' && after.trim_start_matches([' ', '\t']).starts_with(['\n', '-', '*', '#', '|']);
        if ends_line
            || letter == ';'
            || (matches!(letter, '.' | '!' | '?') && !after.starts_with(char::is_alphanumeric))
        {
            sentences.push(Vec::new());
            clause += 1;
        } else if matches!(letter, ',' | ':' | '(' | ')' | '—' | '–' | '|') {
            clause += 1;
        }
    }
    sentences
}

/// Adds a word; what belongs to a name by an apostrophe is no word, and a unit behind a number makes one of both.
fn push(sentence: &mut Vec<Word>, word: Word) {
    let is_number = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
    match sentence.last_mut() {
        Some(last) if UNITS.contains(&word.text.as_str()) && is_number(&last.text) => {
            (last.text, last.end) = ("#".to_owned(), word.end);
        }
        _ if word.text == "s" => {}
        _ => {
            let unit = word.text.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
            let is_power = is_number(&word.text) && UNITS.contains(&unit);
            sentence.push(if is_power { Word { text: "#".to_owned(), ..word } } else { word });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_of_a_boundary() {
        use PowerKind::{Board, Node, Wall};
        for (text, kind, expected) in [
            ("38.8 kW of node power", Board, Some("node power")),
            ("38.8 kW of Node-Power.", Board, Some("Node-Power")),
            ("38.8 kW of node power", Node, None),
            ("0.6 kW at the wall", Node, Some("at the wall")),
            ("0.6 kW at the wall", Wall, None),
            ("GPU board sum", Wall, Some("GPU board")),
            ("GPU board sum, not node power", Board, None),
            ("a dashboard power view", Node, None),
            ("one node powers it", Board, None),
            ("GPU power", Node, None),
            ("no node power was read", Board, None),
            ("whole-node power would be higher", Board, None),
            ("whole-node power could be higher", Board, None),
            ("whole-node power might be higher", Board, None),
            ("whole-node power will be higher", Board, Some("node power")),
            ("the power of the whole machine was not read", Board, None),
            ("34 W from the wall", Board, Some("from the wall")),
            ("34 W at the wall-socket", Node, Some("wall-socket")),
            ("34 W at the plug", Board, Some("at the plug")),
            ("34 W for the whole server", Board, Some("whole server")),
            ("34 W for the whole server", Wall, None),
            ("34 W, whole machine", Board, Some("whole machine")),
            ("34W (the entire system)", Board, Some("entire system")),
            ("the system draw is 34 W", Board, Some("system")),
            ("the server's draw", Board, Some("server")),
            ("The machine itself drew 34 W", Board, Some("machine")),
            ("34 W, chassis", Board, Some("chassis")),
            ("PSU: 34 W", Board, Some("PSU")),
            ("PSU: 34 W", Node, None),
            ("a rack at 40 kW", Board, Some("rack")),
            ("a 34 W node", Board, Some("node")),
            ("Node at 0.034 kW", Board, Some("Node")),
            ("energy per token of the node", Board, Some("node")),
            ("power drawn by the host", Board, Some("host")),
            ("read at the power supply", Board, Some("power supply")),
            // A machine without a power, or beside the power of its boards.
            ("141 tokens per second for the whole node", Board, None),
            ("four searches ran on one node; the boards drew 34 W", Board, None),
            ("34 W of GPU power in a server", Board, None),
            ("One node under a power cap", Board, None),
            ("`node_power_kw` is 0.6 kW", Board, None),
            ("a rack of eight", Board, None),
            ("It drew 34. The whole node is new", Board, None),
            ("It drew 34.5 in the whole node", Board, Some("whole node")),
            ("34 W. The node has eight", Board, None),
            ("without the rest of the server, 34 W", Board, None),
            ("the host gives no power", Board, None),
            ("the server drew 34 W, its boards less", Board, Some("server")),
            ("GPU power of the server: 34 W", Board, None),
        ] {
            let found = other_boundary(text, kind, Needs::Nothing).map(|(_, words)| words);
            assert_eq!(found.as_deref(), expected, "{text} {kind:?}");
        }
    }

    #[test]
    fn prose_names_a_boundary_beside_a_number() {
        for (text, expected) in [
            ("Node power was 34 W.", Some((0, "Node power"))),
            ("It ran.\n\nNode power\nwas 34 W.", Some((9, "Node power"))),
            ("Node power is more than this.", None),
            ("Node power is more\n\n34 W", None),
            ("Node power is more; 34 W", None),
            ("Node power is more. 34 W", None),
            ("Is node power more? 34 W", None),
            ("Node power is more.\n\n- 34 W", None),
            ("A node draws more.", None),
            ("The server\ndrew 1.5 kWh", Some((4, "server"))),
        ] {
            let found = other_boundary(text, PowerKind::Board, Needs::Number);
            assert_eq!(found.as_ref().map(|(at, words)| (*at, words.as_str())), expected, "{text}");
        }
    }
}
