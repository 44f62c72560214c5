//! What a power reading covers, as the record's words and its `power.kind` say it.

mod words;

use crate::diagnostic::{Diagnostic, Location, Report, quoted, rules};
use crate::record::Run;
use crate::record::run::PowerKind;
use crate::schema::Document;
use words::{Needs, other_boundary};

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
        let Some((_, words)) = text.and_then(|text| other_boundary(text, kind, Needs::Nothing)) else { continue };
        let mut problem = other(&words, kind, document.location(pointer));
        if let Some(span) = document.spans.value("/power/kind") {
            problem = problem.related(span, "what the reading covers");
        }
        report.push(problem.pointer(pointer));
    }
}

/// The words of a text that name another boundary than a power has.
pub fn another_boundary(text: &str, kind: PowerKind) -> Option<String> {
    other_boundary(text, kind, Needs::Nothing).map(|(_, words)| words)
}

/// What the curator's note says of a power in its body names the same boundary.
pub fn boundary_in_prose(run: &Run, note: &Document, report: &mut Report) {
    let kind = run.power.as_ref().and_then(|power| power.kind);
    let (Some(kind), Some(body)) = (kind, note.body.clone()) else { return };
    let text = note.text.text.get(body.clone()).unwrap_or_default();
    let Some((at, words)) = other_boundary(text, kind, Needs::Number) else { return };
    let span = body.start + at..body.start + at + words.len();
    report.push(other(&words, kind, Location::Span { text: note.text.clone(), span }));
}

fn other(words: &str, kind: PowerKind, location: Location) -> Diagnostic {
    let message = format!("{} is named here, but `power.kind` says {}", quoted(words), PowerKind::words(Some(kind)));
    Diagnostic::new(&rules::POWER_BOUNDARY, location, message)
        .help("ask the harness where the power was read; acknowledge the rule where the words are of another power")
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
