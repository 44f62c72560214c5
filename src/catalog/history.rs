//! What replaced what: a record's history leads to other records, to one successor each, and never round in a circle.

use std::collections::BTreeMap;

use super::link::Links;
use super::{Item, Successor};
use crate::diagnostic::{Diagnostic, Report, Rule, rules};
use crate::record::Supersedes;
use crate::source::Kind;

impl Links<'_> {
    pub(super) fn history(&mut self, item: &Item) {
        let curation = item.curation();
        let withdrawn = curation.and_then(|curation| curation.withdrawn.as_ref());
        let supersedes = curation.and_then(|curation| curation.supersedes.as_ref());
        let references = [
            (supersedes.map_or("", Supersedes::pointer), supersedes.map(Supersedes::record), Some(item.kind())),
            ("/withdrawn/replacement", withdrawn.and_then(|withdrawn| withdrawn.replacement.as_deref()), None),
            ("/provenance/reproduces", item.provenance().and_then(|known| known.reproduces.as_deref()), None),
        ];
        for (pointer, address, kind) in references {
            let Some(address) = address else { continue };
            self.other(item, pointer, address, kind);
        }
        self.order_of_changes(item);
    }

    /// The address of a record that is not the one which names it.
    pub(super) fn other(&mut self, item: &Item, pointer: &str, address: &str, kind: Option<Kind>) {
        let document = item.prose();
        if address == item.address {
            let message = format!("`{address}` is this record itself");
            let problem = Diagnostic::new(&rules::HISTORY_ITSELF, document.location(pointer), message);
            self.report.push(problem.pointer(pointer).help("name another record, or leave the field out"));
        } else {
            self.reference(document, pointer, address, kind);
        }
    }

    fn order_of_changes(&mut self, item: &Item) {
        let changes = item.curation().map_or(&[][..], |curation| &curation.changes);
        let document = item.prose();
        for (position, pair) in changes.windows(2).enumerate() {
            let [earlier, later] = pair else { continue };
            if earlier.date <= later.date {
                continue;
            }
            let pointer = format!("/changes/{}/date", position + 1);
            let message = format!("the change of {} stands after that of {}", later.date, earlier.date);
            let problem = Diagnostic::new(&rules::HISTORY_ORDER, document.location(&pointer), message);
            self.report.push(problem.pointer(pointer).help("changes stand oldest first"));
        }
    }
}

/// Tells each record which one supersedes it.
pub fn supersede(items: &mut BTreeMap<String, Item>, report: &mut Report) {
    let pair = |item: &Item| {
        let curation = item.curation()?;
        let supersedes = curation.supersedes.as_ref()?;
        let old = supersedes.record();
        if curation.withdrawn.as_ref().is_some_and(|withdrawn| withdrawn.replacement.as_deref() == Some(old)) {
            // It was withdrawn in favour of what it replaced, which stands again.
            return None;
        }
        // One of another kind was refused as a reference.
        let new = Successor { address: item.address.clone(), reason: supersedes.reason().map(str::to_owned) };
        (items.get(old)?.kind() == item.kind()).then(|| (old.to_owned(), new))
    };
    let pairs: Vec<_> = items.values().filter_map(pair).collect();
    for (old, new) in pairs {
        if let Some(other) = items.get(&old).and_then(|item| item.superseded_by.as_ref()) {
            let message = format!("`{old}` is superseded by `{}` already", other.address);
            report.push(problem(
                &items[&new.address],
                &rules::HISTORY_TWO_SUCCESSORS,
                message,
                "let the newer supersede the older",
            ));
        } else if let Some(item) = items.get_mut(&old) {
            item.superseded_by = Some(new);
        }
    }
    for item in items.values() {
        // Every record of a circle is superseded; the one with the first address reports it.
        let mut circle = vec![&*item.address];
        let mut next = successor(item);
        while let Some(address) = next.filter(|address| !circle.contains(address)) {
            circle.push(address);
            next = items.get(address).and_then(successor);
        }
        let closed = next == Some(&item.address) && circle.len() > 1;
        if closed && circle.iter().min() == circle.first() {
            let message = format!("these supersede each other: `{}`", circle.join("`, `"));
            report.push(problem(
                item,
                &rules::HISTORY_CIRCLE,
                message,
                "the newest record supersedes, the oldest does not",
            ));
        }
    }
}

fn successor(item: &Item) -> Option<&str> {
    item.superseded_by.as_ref().map(|by| by.address.as_str())
}

fn problem(item: &Item, rule: &'static Rule, message: String, help: &'static str) -> Diagnostic {
    Diagnostic::new(rule, item.prose().location("/supersedes"), message).pointer("/supersedes").help(help)
}
