//! Bytes of a file into text: UTF-8 only, without byte-order mark, line ends as LF.

use std::borrow::Cow;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Location, SourceText, rules};

/// The text of a file, or why it is none.
pub(super) fn decode(path: &str, bytes: Vec<u8>) -> Result<SourceText, Diagnostic> {
    if let Some(encoding) = wider_encoding(&bytes) {
        let location = Location::File(path.to_owned());
        return Err(Diagnostic::new(&rules::FILE_ENCODING, location, format!("expected UTF-8, found {encoding}"))
            .help("save the file as UTF-8, without a choice of byte order"));
    }
    let bytes = with_lf(without_bom(bytes));
    String::from_utf8(bytes).map(|text| SourceText::new(path, text)).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let byte = error.as_bytes().get(at).copied().unwrap_or_default();
        // Up to the first bad byte this text has the same offsets; the byte itself shows as U+FFFD.
        let shown = Arc::new(SourceText::new(path, String::from_utf8_lossy(error.as_bytes())));
        let location = Location::Span { text: shown, span: at..at + char::REPLACEMENT_CHARACTER.len_utf8() };
        Diagnostic::new(&rules::FILE_UTF_8, location, format!("expected UTF-8, found the byte 0x{byte:02x}"))
            .help("save the file as UTF-8")
    })
}

/// The encoding that a byte-order mark names, or the NULs around a first character of ASCII: no text of ours begins so.
fn wider_encoding(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        // Before UTF-16, whose little-endian mark these four bytes begin with.
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] | [_, 0, 0, 0, ..] | [0, 0, 0, _, ..] => Some("UTF-32"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..] => Some("UTF-16"),
        _ => None,
    }
}

/// What a character is that may not stand in content, in words. HTML's text holds no control characters but tabs and line
/// ends, and no noncharacters; what turns the direction of text makes a page read otherwise than its source.
pub fn barred(character: char) -> Option<String> {
    let what = match character {
        '\t' | '\n' | '\r' => return None,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => "which turns the direction of text",
        // Joiners (U+200C, U+200D) shape letters and pictures beside them, so they are seen.
        '\u{ad}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' => "which has no width",
        '\u{fdd0}'..='\u{fdef}' => "which is no character",
        _ if u32::from(character) & 0xfffe == 0xfffe => "which is no character",
        _ if character.is_control() => "a control character",
        _ => return None,
    };
    Some(format!("U+{:04X}, {what}", u32::from(character)))
}

/// Text with a sign in place of every barred character: of a control character its picture.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(|character| barred(character).is_none()) {
        return text.into();
    }
    let picture = |character| match u32::from(character) {
        code @ 0..=0x1f => char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER),
        0x7f => '\u{2421}',
        _ => char::REPLACEMENT_CHARACTER,
    };
    text.chars().map(|character| if barred(character).is_some() { picture(character) } else { character }).collect()
}

fn without_bom(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    bytes
}

fn with_lf(bytes: Vec<u8>) -> Vec<u8> {
    if !bytes.contains(&b'\r') {
        return bytes;
    }
    let next = bytes.iter().skip(1).map(Some).chain([None]);
    let kept = bytes.iter().zip(next).filter(|(byte, next)| (**byte, next.copied()) != (b'\r', Some(b'\n')));
    kept.map(|(byte, _)| *byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_and_crlf_change_nothing() {
        let plain = decode("a", b"{\n\"a\": 1\n}\n".to_vec()).expect("plain text");
        let saved_elsewhere = decode("a", b"\xef\xbb\xbf{\r\n\"a\": 1\r\n}\r\n".to_vec()).expect("same text");
        assert_eq!(saved_elsewhere, plain);
        assert_eq!(decode("a", b"a\rb\r".to_vec()).expect("a lone CR stays").text, "a\rb\r");
    }

    #[test]
    fn what_cannot_be_seen_is_barred() {
        for character in "\0\u{1}\u{8}\u{b}\u{c}\u{e}\u{1b}\u{1f}\u{7f}\u{80}\u{85}\u{9f}".chars() {
            assert!(barred(character).is_some_and(|what| what.ends_with("a control character")), "{character:?}");
        }
        for character in
            "\u{ad}\u{200b}\u{2060}\u{feff}\u{202a}\u{202e}\u{2066}\u{2069}\u{fdd0}\u{fdef}\u{fffe}\u{1ffff}\u{10ffff}"
                .chars()
        {
            assert!(barred(character).is_some(), "{character:?}");
        }
        // Marks that join or part letters belong to the writing of many languages.
        for character in "\t\n\r a~\u{a0}é缓\u{200d}\u{200f}\u{2029}\u{202f}\u{2065}\u{206a}\u{fffd}\u{1f600}".chars()
        {
            assert_eq!(barred(character), None, "{character:?}");
        }
        assert_eq!(barred('\u{1b}').as_deref(), Some("U+001B, a control character"));
    }

    #[test]
    fn what_is_barred_has_a_sign_to_show() {
        assert_eq!(visible("a\u{1b}[1m\u{7f}\u{9b}\u{202e}\tb"), "a\u{241b}[1m\u{2421}\u{fffd}\u{fffd}\tb");
        assert!(matches!(visible("plain\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn the_first_bad_byte_is_pointed_at() {
        let problem = decode("a", b"\xef\xbb\xbf{\r\n\"\xc3\xa9\xe9\": 1}".to_vec()).expect_err("Latin-1 inside");
        assert_eq!(
            (problem.rule.code, problem.message.as_str()),
            ("file/utf-8", "expected UTF-8, found the byte 0xe9")
        );
        let Location::Span { text, span } = &problem.location else { panic!("a place is known") };
        let place = text.place(span.start);
        assert_eq!((place.line, place.column), (2, 3));
    }

    #[test]
    fn wider_encodings_are_named() {
        for (name, bytes) in [
            ("UTF-16", &b"\xff\xfe{\0"[..]),
            ("UTF-16", b"\xfe\xff\0{"),
            ("UTF-16", b"{\0\"\0"),
            ("UTF-16", b"\0{"),
            ("UTF-32", b"\xff\xfe\0\0{\0\0\0"),
            ("UTF-32", b"\0\0\xfe\xff\0\0\0{"),
            ("UTF-32", b"{\0\0\0\"\0\0\0"),
            ("UTF-32", b"\0\0\0{"),
        ] {
            let problem = decode("a", bytes.to_vec()).expect_err(name);
            assert_eq!(problem.message, format!("expected UTF-8, found {name}"), "{bytes:?}");
        }
        assert!(decode("a", Vec::new()).is_ok());
    }
}
