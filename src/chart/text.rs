//! How wide text is and how it is made to fit, from a table of Helvetica-class advance widths.

/// Width reserved for `text` at a font size, both in px.
///
/// Fonts with Arial's metrics need 92 % of it; the rest is for a fallback font.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size * 1.08 / 1000.0
}

/// `text` if it fits, else its beginning and end around an ellipsis, so that labels which begin alike stay apart.
pub(super) fn shorten(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let (head, tail) = (prefix(text, size, (room - width("…", size)) * 0.6), "…");
    let room = room - width(head, size) - width(tail, size);
    format!("{}…{}", head.trim_end(), suffix(text, size, room).trim_start())
}

/// At most `lines` lines of text broken at spaces, or inside a word that is wider than a line; the last is shortened.
pub(super) fn wrap(text: &str, size: f64, room: f64, lines: usize) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = text.trim();
    while out.len() + 1 < lines && width(rest, size) > room {
        let fits = prefix(rest, size, room);
        // The space after a word that just fits counts as a break.
        let end = if rest[fits.len()..].starts_with(' ') { fits.len() } else { fits.rfind(' ').unwrap_or(fits.len()) };
        if end == 0 {
            break;
        }
        out.push(rest[..end].trim_end().to_owned());
        rest = rest[end..].trim_start();
    }
    if !rest.is_empty() {
        out.push(shorten(rest, size, room));
    }
    out
}

/// One line without control characters: those are illegal in XML or would break the line.
pub(super) fn tidy(text: &str) -> String {
    let spaced: String = text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands before a name that is written from right to left, and after it, in the text of a drawing.
pub(super) const APART: [&str; 2] = ["<tspan unicode-bidi=\"plaintext\">", "</tspan>"];

/// A text as markup, with each name apart that is written from right to left, so that what stands beside it keeps its
/// place: names in quotation marks, or the whole line.
pub(super) fn isolated(text: &str, escape: impl Fn(&str) -> String) -> String {
    let apart = |name: &str| match has_right_to_left(name) {
        true => format!("{}{}{}", APART[0], escape(name), APART[1]),
        false => escape(name),
    };
    if !text.contains('“') {
        return apart(text);
    }
    let part = |part: &str| match part.split_once('”') {
        Some((name, rest)) => format!("{}”{}", apart(name), escape(rest)),
        None => apart(part),
    };
    text.split_inclusive('“')
        .map(|piece| piece.strip_suffix('“').map_or_else(|| part(piece), |piece| part(piece) + "“"))
        .collect()
}

/// Whether text has letters of a script that is written from right to left.
pub fn has_right_to_left(text: &str) -> bool {
    text.chars().any(is_right_to_left)
}

/// Hebrew, Arabic and their neighbours, and the blocks of their older relatives.
fn is_right_to_left(char: char) -> bool {
    matches!(u32::from(char), 0x590..0x900 | 0xfb1d..0xfe00 | 0xfe70..0xff00 | 0x1_0800..0x1_1000 | 0x1_e800..0x1_f000)
}

fn prefix(text: &str, size: f64, room: f64) -> &str {
    let mut used = 0.0;
    for (at, char) in text.char_indices() {
        used += width(char.encode_utf8(&mut [0; 4]), size);
        if used > room {
            return &text[..at];
        }
    }
    text
}

fn suffix(text: &str, size: f64, room: f64) -> &str {
    let mut used = 0.0;
    let mut start = text.len();
    for (at, char) in text.char_indices().rev() {
        used += width(char.encode_utf8(&mut [0; 4]), size);
        if used > room {
            break;
        }
        // A mark that combines with the character before it cannot begin the text.
        if advance(char) > 0.0 {
            start = at;
        }
    }
    &text[start..]
}

/// Thousandths of the font size; outside ASCII the widest of each block, rounded.
fn advance(char: char) -> f64 {
    let code = u32::from(char);
    if let Some(width) = code.checked_sub(0x20).and_then(|at| ASCII.get(usize::try_from(at).ok()?)) {
        return f64::from(*width);
    }
    match code {
        // Controls, combining marks, joiners, direction marks, variation selectors.
        0..0xa0 | 0x300..0x370 | 0x483..0x48a | 0x591..0x5be | 0x64b..0x660 | 0x200b..0x2010 | 0x202a..0x202f => 0.0,
        0x2060..0x2070 | 0xfe00..0xfe10 | 0x20d0..0x2100 | 0xe0100..0xe01f0 => 0.0,
        0xa0 | 0xb7 => 278.0,
        0xb0 | 0xb2 | 0xb3 | 0xb9 => 400.0,
        0xb1 | 0xb5 | 0xd7 | 0xf7 | 0x2212 | 0x2248 | 0x2260..0x2266 => 584.0,
        0xdf..0xe6 | 0xe7..0x100 => 611.0,
        0xc6 | 0x2014 | 0x2026 => 1000.0,
        0xa1..0x250 => 834.0,
        0x370..0x400 => 780.0,
        0x400..0x530 => 840.0,
        0x2013 | 0x2018..0x2020 => 556.0,
        0x2009 | 0x202f => 250.0,
        0x2070..0x20a0 => 460.0,
        0x1f000.. => 1380.0,
        _ => 1000.0,
    }
}

#[rustfmt::skip]
const ASCII: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_begin_alike_stay_apart() {
        let [one, two] =
            ["1", "2"].map(|end| shorten(&format!("--max-num-batched-tokens 16384 --tp {end}"), 12.0, 120.0));
        assert_ne!(one, two);
        assert!(width(&one, 12.0) <= 120.0, "{one}");
    }

    #[test]
    fn wrapped_lines_fit_whatever_the_words_are() {
        for text in
            ["90% shared prefix (89.2% cache hits)", &"x".repeat(300), "", "  ", &"कि".repeat(90), &"漢字".repeat(40)]
        {
            let lines = wrap(text, 12.0, 100.0, 2);
            assert!(lines.len() <= 2);
            assert!(lines.iter().all(|line| width(line, 12.0) <= 100.0), "{lines:?}");
        }
        assert_eq!(
            wrap("90% shared prefix (89.2% cache hits)", 12.0, 130.0, 3).join(" "),
            "90% shared prefix (89.2% cache hits)"
        );
    }

    #[test]
    fn names_from_right_to_left_are_kept_apart_from_what_stands_beside_them() {
        for (text, expected) in [
            ("A (8) & “B”", "A (8) & “B”"),
            ("מטמון 8 FP8", "<tspan unicode-bidi=\"plaintext\">מטמון 8 FP8</tspan>"),
            ("12 at “מטמון 8”, 5 at “B”.", "12 at “<tspan unicode-bidi=\"plaintext\">מטמון 8</tspan>”, 5 at “B”."),
            ("", ""),
        ] {
            assert_eq!(isolated(text, str::to_owned), expected);
        }
    }

    #[test]
    fn no_room_is_no_panic() {
        assert_eq!(shorten("label", 12.0, -5.0), "…");
        assert_eq!(wrap("two words", 12.0, 0.0, 2), ["…"]);
    }
}
