//! Free-text names of models and cards, and the entries they mean.

use std::collections::BTreeMap;

use super::{LeftOut, Named};
use crate::diagnostic::{Diagnostic, Location, Report, nearest, printable, rules};
use crate::record::{Entry, Record};
use crate::source::Kind;

/// The exact strings that entries of one kind go by.
#[derive(Debug)]
pub struct Names {
    kind: Kind,
    by_name: BTreeMap<String, String>,
    /// Some entry was refused, and with it its names.
    lacking: bool,
}

impl Names {
    /// Collects `names` of all entries of a kind; a name of two entries is refused.
    pub fn of(kind: Kind, entries: &[Entry], left_out: &LeftOut, report: &mut Report) -> Self {
        let mut by_name = BTreeMap::<String, String>::new();
        for entry in entries {
            let names = match &entry.record {
                Record::Model(model) if kind == Kind::Model => &model.names,
                Record::Hardware(card) if kind == Kind::Hardware => &card.names,
                _ => continue,
            };
            let address = &entry.document.address;
            for (position, name) in names.iter().enumerate() {
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
        Names { kind, by_name, lacking: left_out.refused_some_of(kind.folder()) }
    }

    /// The entry of a name as a record writes it; an unknown one is a warning with the nearest, unless a refused entry
    /// may have it.
    pub fn resolve(&self, name: &str, location: Location, pointer: &str, report: &mut Report) -> Named {
        let entry = self.by_name.get(name).cloned();
        let lost = entry.is_none() && self.lacking;
        if entry.is_none() && !lost {
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
