//! Free-text names of models and cards, and the entries they mean.

use std::collections::BTreeMap;

use super::{LeftOut, Named, leads_to_draft};
use crate::diagnostic::{Diagnostic, Location, Report, nearest, printable, rules};
use crate::record::{Entry, Record};
use crate::source::Kind;

fn names_of(kind: Kind, record: &Record) -> &[String] {
    match record {
        Record::Model(model) if kind == Kind::Model => &model.names,
        Record::Hardware(card) if kind == Kind::Hardware => &card.names,
        _ => &[],
    }
}

/// The exact strings that entries of one kind go by.
#[derive(Debug)]
pub struct Names {
    kind: Kind,
    by_name: BTreeMap<String, String>,
    /// Names that only entries have which are drafts.
    of_drafts: BTreeMap<String, String>,
    /// Some entry was refused, and with it its names.
    lacking: bool,
}

impl Names {
    /// Collects `names` of all entries of a kind; a name of two entries is refused.
    pub fn of(kind: Kind, entries: &[Entry], drafts: &[Entry], left_out: &LeftOut, report: &mut Report) -> Self {
        let mut by_name = BTreeMap::<String, String>::new();
        for entry in entries {
            let address = &entry.document.address;
            for (position, name) in names_of(kind, &entry.record).iter().enumerate() {
                if let Some(other) = by_name.insert(name.clone(), address.clone())
                    && other != *address
                {
                    let pointer = format!("/names/{position}");
                    report.push(
                        Diagnostic::new(
                            &rules::NAME_AMBIGUOUS,
                            entry.document.location(&pointer),
                            format!("the name `{name}` belongs to two entries, `{other}` and `{address}`"),
                        )
                        .pointer(pointer)
                        .help("keep it in the one that results mean by it"),
                    );
                }
            }
        }
        let mut of_drafts = BTreeMap::new();
        for entry in drafts {
            let names = names_of(kind, &entry.record).iter().filter(|name| !by_name.contains_key(*name));
            of_drafts.extend(names.map(|name| (name.clone(), entry.document.address.clone())));
        }
        Names { kind, by_name, of_drafts, lacking: left_out.refused_some_of(kind.folder()) }
    }

    /// The entry of a name as a record writes it; an unknown one is a warning with the nearest or with the draft that has
    /// it, unless a refused entry may have it.
    pub fn resolve(&self, name: &str, location: Location, pointer: &str, report: &mut Report) -> Named {
        let entry = self.by_name.get(name).cloned();
        let draft = self.of_drafts.get(name);
        let lost = entry.is_none() && (self.lacking || draft.is_some());
        if let Some(draft) = draft {
            let message = format!("the name `{}` is that of `{draft}`, which is a draft", printable(name));
            let (_, help) = leads_to_draft(draft);
            report.push(Diagnostic::new(&rules::NAME_UNMATCHED, location, message).pointer(pointer).help(help));
        } else if entry.is_none() && !lost {
            let help = match nearest(name, self.by_name.keys().map(String::as_str)) {
                Some(nearest) => format!("did you mean `{nearest}`? else add the name to an entry's `names`"),
                None => format!("add an entry to `content/{}/` that has it in `names`", self.kind.folder()),
            };
            report.push(
                Diagnostic::new(
                    &rules::NAME_UNMATCHED,
                    location,
                    format!("no {} entry has the name `{}`", self.kind.name(), printable(name)),
                )
                .pointer(pointer)
                .help(help),
            );
        }
        Named { name: name.to_owned(), entry, lost }
    }

    /// The entry of a name, without a word when there is none.
    pub fn find(&self, name: &str) -> Option<&str> {
        self.by_name.get(name).map(String::as_str)
    }
}
