//! Characters that may not stand in content: as they are written, and as an escape stands for them.

use serde_json::Value;
use std::ops::Range;
use std::sync::Arc;

use super::parsed::{Parsed, span};
use super::spans::joined;
use crate::diagnostic::{Diagnostic, Report, SourceText, rules};
use crate::source::barred;

/// Reports every such character of a file, its body and comments included, and every text that an escape brings one into.
pub(super) fn check(text: &Arc<SourceText>, parsed: &Parsed, report: &mut Report) {
    for (at, character) in text.text.char_indices() {
        if let Some(what) = barred(character) {
            report.push(refusal(text, at..at + character.len_utf8(), &what));
        }
    }
    // Escapes of JSON, YAML and TOML begin alike.
    if text.text.contains('\\') {
        Escapes { text, parsed, report }.value(&parsed.value, "");
    }
}

struct Escapes<'a> {
    text: &'a Arc<SourceText>,
    parsed: &'a Parsed,
    report: &'a mut Report,
}

impl Escapes<'_> {
    fn value(&mut self, value: &Value, pointer: &str) {
        match value {
            Value::String(read) => self.read(read, self.parsed.spans.value(pointer), pointer),
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.value(item, &format!("{pointer}/{index}"));
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    let pointer = joined(pointer, name);
                    self.read(name, self.parsed.spans.key(&pointer), &pointer);
                    self.value(member, &pointer);
                }
            }
            _ => {}
        }
    }

    /// A text as it was read, against the same text as it is written, whose own characters are reported already.
    fn read(&mut self, read: &str, at: Option<Range<usize>>, pointer: &str) {
        let Some(at) = at else { return };
        let written = &self.text.text[at.clone()];
        let all = read.chars().filter_map(|character| Some((character, barred(character)?)));
        let escaped = all.into_iter().find(|(character, _)| !written.contains(*character));
        if let Some((_, what)) = escaped {
            self.report.push(refusal(self.text, at, &what).pointer(pointer));
        }
    }
}

fn refusal(text: &Arc<SourceText>, at: Range<usize>, what: &str) -> Diagnostic {
    Diagnostic::new(&rules::FILE_CHARACTER, span(text, at), format!("expected text that can be seen, found {what}"))
        .help("remove it; what nobody can see, nobody can check")
}
