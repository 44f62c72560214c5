//! What a power reading covers, as the record's words and its `power.kind` say it.

use crate::diagnostic::{Diagnostic, Report, quoted, rules};
use crate::record::Run;
use crate::record::run::PowerKind;
use crate::schema::Document;

/// Words that name a boundary, in small letters and with spaces for hyphens.
const NAMES: [(&str, PowerKind); 9] = [
    ("gpu board", PowerKind::Board),
    ("board power", PowerKind::Board),
    ("node power", PowerKind::Node),
    ("power of the node", PowerKind::Node),
    ("power of the whole node", PowerKind::Node),
    ("system power", PowerKind::Node),
    ("wall power", PowerKind::Wall),
    ("at the wall", PowerKind::Wall),
    ("wall plug", PowerKind::Wall),
];

/// Title, summary and source of the power name the boundary that `power.kind` says, and a power has one.
pub fn boundary(run: &Run, document: &Document, report: &mut Report) {
    let power = run.power.as_ref();
    let Some(kind) = power.and_then(|power| power.kind) else {
        return unstated(run, document, report);
    };
    let texts = [
        ("/title", Some(run.title.as_str())),
        ("/summary", run.summary.as_deref()),
        ("/power/source", power.and_then(|power| power.source.as_deref())),
    ];
    for (pointer, text) in texts {
        let Some(words) = text.and_then(|text| other_boundary(text, kind)) else { continue };
        let message =
            format!("{} is named here, but `power.kind` says {}", quoted(words), PowerKind::words(Some(kind)));
        let mut problem = Diagnostic::new(&rules::POWER_BOUNDARY, document.location(pointer), message);
        if let Some(span) = document.spans.value("/power/kind") {
            problem = problem.related(span, "what the reading covers");
        }
        report.push(problem.pointer(pointer).help(
            "ask the harness where the power was read; acknowledge the rule where the words are of another power",
        ));
    }
}

/// Once for all configs: the record says what its power covers for all of them.
fn unstated(run: &Run, document: &Document, report: &mut Report) {
    let Some(position) = run.configs.iter().position(|config| config.node_power_kw.is_some()) else { return };
    let pointer = format!("/configs/{position}/node_power_kw");
    report.push(
        Diagnostic::new(&rules::POWER_BOUNDARY, document.location(&pointer), "a power, and no `power.kind` that says what it covers")
            .pointer(pointer)
            .help("say `board`, `node` or `wall`: the name of the field is no boundary, and no energy is compared without one"),
    );
}

/// The first words that name another boundary, unless the text denies them: "not node power".
fn other_boundary(text: &str, kind: PowerKind) -> Option<&'static str> {
    let text = text.to_lowercase().replace('-', " ");
    let named = |words: &str| {
        text.match_indices(words).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + words.len()..]);
            let apart = !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
            let denied =
                before.split_whitespace().next_back().is_some_and(|word| ["no", "not", "without"].contains(&word));
            apart && !denied
        })
    };
    NAMES.into_iter().find(|(words, of)| *of != kind && named(words)).map(|(words, _)| words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_of_a_boundary() {
        use PowerKind::{Board, Node, Wall};
        for (text, kind, expected) in [
            ("38.8 kW of node power", Board, Some("node power")),
            ("38.8 kW of Node-Power.", Board, Some("node power")),
            ("38.8 kW of node power", Node, None),
            ("0.6 kW at the wall", Node, Some("at the wall")),
            ("0.6 kW at the wall", Wall, None),
            ("GPU board sum", Wall, Some("gpu board")),
            ("GPU board sum, not node power", Board, None),
            ("a dashboard power view", Node, None),
            ("one node powers it", Board, None),
            ("GPU power", Node, None),
        ] {
            assert_eq!(other_boundary(text, kind), expected, "{text}");
        }
    }
}
