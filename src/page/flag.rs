//! Text in pieces, so that no line ends inside of a flag such as `--kv-cache-dtype`, and names of fields look like code.

use crate::chart::has_right_to_left;

#[derive(Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    pub text: &'a str,
    /// Whether it is a flag, or code.
    pub is_apart: bool,
}

impl<'a> Piece<'a> {
    fn text(text: &'a str) -> Self {
        Piece { text, is_apart: false }
    }
}

/// The same text in pieces: flags that have a hyphen within, and what stands between them.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut from = 0;
    let mut at = 0;
    for word in text.split(' ') {
        let name = word.trim_start_matches('-');
        if name.len() < word.len() && name.contains('-') {
            pieces.extend([Piece::text(&text[from..at]), Piece { text: word, is_apart: true }]);
            from = at + word.len();
        }
        at += word.len() + 1;
    }
    pieces.push(Piece::text(&text[from..]));
    pieces.retain(|piece| !piece.text.is_empty());
    pieces
}

/// Text of ours in pieces: what stands between backticks, without them, and what does not.
pub fn coded(text: &str) -> Vec<Piece<'_>> {
    let parts: Vec<_> = text.split('`').collect();
    // A backtick without another one is a sign like any.
    if parts.len() % 2 == 0 {
        return vec![Piece::text(text)];
    }
    let pieces = parts.into_iter().enumerate().map(|(at, text)| Piece { text, is_apart: at % 2 == 1 });
    pieces.filter(|piece| !piece.text.is_empty()).collect()
}

/// The same text in pieces that keep their own direction: names of content that are written from right to left, which
/// sentences have in quotation marks and cells alone.
pub fn said(text: &str) -> Vec<Piece<'_>> {
    if !has_right_to_left(text) {
        return vec![Piece::text(text)];
    }
    let parts: Vec<_> = text
        .split_inclusive('“')
        .flat_map(|part| match part.split_once('”') {
            Some((name, _)) => [Piece { text: name, is_apart: true }, Piece::text(&part[name.len()..])],
            None => [Piece::text(part), Piece::text("")],
        })
        .collect();
    if parts.iter().all(|part| !part.is_apart) {
        return vec![Piece { text, is_apart: true }];
    }
    parts.into_iter().filter(|piece| !piece.text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_from_right_to_left_keeps_its_direction() {
        for (text, expected) in [
            ("“A” is 5", &[("“A” is 5", false)][..]),
            ("מטמון 8", &[("מטמון 8", true)]),
            (
                "is 5 for “מטמון 8” and “A”.",
                &[("is 5 for “", false), ("מטמון 8", true), ("” and “", false), ("A", true), ("”.", false)],
            ),
        ] {
            let pieces: Vec<_> = said(text).into_iter().map(|piece| (piece.text, piece.is_apart)).collect();
            assert_eq!(pieces, expected, "{text}");
        }
    }

    #[test]
    fn backticks_make_code() {
        for (text, expected) in [
            ("plain", &[("plain", false)][..]),
            ("`a` and `b_c`", &[("a", true), (" and ", false), ("b_c", true)]),
            ("one ` alone", &[("one ` alone", false)]),
        ] {
            let pieces: Vec<_> = coded(text).into_iter().map(|piece| (piece.text, piece.is_apart)).collect();
            assert_eq!(pieces, expected, "{text}");
        }
    }

    #[test]
    fn flags_stay_whole_and_no_sign_is_lost() {
        for (text, flags) in [
            ("", &[][..]),
            ("fp8 – no flag, e4m3-fn and -O3", &[]),
            ("--kv-cache-dtype fp8", &["--kv-cache-dtype"]),
            (
                "with --max-model-len 16384 --gpu-memory-utilization=0.90",
                &["--max-model-len", "--gpu-memory-utilization=0.90"],
            ),
            ("é --a-b  --c", &["--a-b"]),
        ] {
            let pieces = pieces(text);
            assert_eq!(pieces.iter().map(|piece| piece.text).collect::<String>(), text);
            let found: Vec<_> = pieces.iter().filter(|piece| piece.is_apart).map(|piece| piece.text).collect();
            assert_eq!(found, flags, "{text}");
        }
    }
}
