//! The address and kind of a file, from its path under `content/`.

use super::Kind;
use crate::diagnostic::{Rule, nearest, printable, rules};

/// What a path under `content/` stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Placed {
    Record {
        kind: Kind,
        address: String,
    },
    /// Of no kind: the reason, and what may have been meant.
    Unknown {
        reason: String,
        help: String,
    },
    /// A kind's file whose name cannot be an address.
    Refused {
        rule: &'static Rule,
        reason: String,
        help: &'static str,
    },
}

/// Why a name is passed over without a word; `None` for all others.
pub(super) fn leftover(path: &str) -> Option<&'static str> {
    if path.split('/').any(|segment| segment.starts_with('.')) {
        return Some("hidden");
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let endings = ["~", "#", ".swp", ".bak", ".orig"];
    endings.iter().any(|ending| name.ends_with(ending)).then_some("left over by an editor")
}

/// Places a path, written below `content/` with `/`.
pub(super) fn place(path: &str) -> Placed {
    let Some((folder, below)) = path.split_once('/') else {
        return unknown("no kind of file lies directly in content/", "move it into the folder of its kind");
    };
    let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| kind.folder() == folder).collect();
    if kinds.is_empty() {
        let folders = Kind::ALL.map(Kind::folder);
        let help = match nearest(folder, folders) {
            Some(near) => format!("did you mean content/{near}/?"),
            None => format!("the folders are {}", listed(&folders)),
        };
        return unknown(format!("content/{}/ is the folder of no kind", printable(folder)), help);
    }
    let introduces = below.rsplit('/').next() == Some("index.md") && folder != Kind::Page.folder();
    let found = introduces.then_some(Kind::Collection).into_iter().chain(kinds.iter().copied()).find_map(|kind| {
        let stem = below.strip_suffix(kind.extension())?.strip_suffix('.')?;
        Some((kind, stem))
    });
    let Some((kind, stem)) = found else {
        let endings: Vec<&str> = kinds.iter().map(|kind| kind.extension()).collect();
        let reason = format!("content/{folder}/ holds files that end in .{}", endings.join(" or ."));
        return unknown(reason, "rename it, or move it out of content/");
    };
    let address = format!("{folder}/{stem}");
    match address_fault(stem) {
        Some(AddressFault { reason, help }) => Placed::Refused { rule: &rules::ADDRESS_NAME, reason, help },
        None if kind != Kind::Collection && stem.to_ascii_lowercase().split('/').next_back() == Some("index") => {
            Placed::Refused {
                rule: &rules::ADDRESS_RESERVED,
                reason: "`index` is the list of its folder".to_owned(),
                help: "choose another name; in a folder of records, `index.md` is what introduces the folder",
            }
        }
        None => Placed::Record { kind, address },
    }
}

fn unknown(reason: impl Into<String>, help: impl Into<String>) -> Placed {
    Placed::Unknown { reason: reason.into(), help: help.into() }
}

/// What is wrong with an address, and what to do.
#[derive(Debug, PartialEq, Eq)]
pub struct AddressFault {
    pub reason: String,
    pub help: &'static str,
}

/// What keeps a path, without its ending, from being an address.
pub fn address_fault(path: &str) -> Option<AddressFault> {
    path.split('/').find_map(fault)
}

/// What keeps a segment from standing in a web address and in any file system.
fn fault(segment: &str) -> Option<AddressFault> {
    const LONGEST: usize = 100;
    let bare = segment.split('.').next().unwrap_or(segment).to_ascii_lowercase();
    let shown = printable(segment);
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let (reason, help) = if segment.len() > LONGEST {
        let found = segment.len();
        (format!("expected a name of at most {LONGEST} bytes, found {found}"), "shorten it")
    } else if !segment.bytes().all(allowed)
        || !segment.starts_with(|first: char| first.is_ascii_alphanumeric())
        || segment.ends_with('.')
    {
        let help = "use the letters a to z, digits, `-`, `_` and `.`; begin with a letter or digit, end without a dot";
        (format!("`{shown}` cannot be part of an address"), help)
    } else if segment.to_ascii_lowercase().ends_with(".source") {
        (format!("`{shown}` ends like the address of a source view"), "choose a name that does not end in `.source`")
    } else if is_reserved(&bare) {
        (format!("`{shown}` is the name of a device on Windows"), "choose another name")
    } else {
        return None;
    };
    Some(AddressFault { reason, help })
}

fn is_reserved(bare: &str) -> bool {
    let numbered = bare.strip_prefix("com").or_else(|| bare.strip_prefix("lpt"));
    matches!(bare, "con" | "prn" | "aux" | "nul")
        || numbered.is_some_and(|number| number.len() == 1 && number.as_bytes()[0].is_ascii_digit())
}

/// Folder names once each, in order.
fn listed(folders: &[&str]) -> String {
    let mut folders = folders.to_vec();
    folders.dedup();
    folders.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kind_and_address_come_from_the_path() {
        let record = |kind, address: &str| Placed::Record { kind, address: address.to_owned() };
        assert_eq!(place("runs/a-1.0.json"), record(Kind::Run, "runs/a-1.0"));
        assert_eq!(place("runs/2026/a.md"), record(Kind::CuratorNote, "runs/2026/a"));
        assert_eq!(place("runs/2026/index.md"), record(Kind::Collection, "runs/2026/index"));
        assert_eq!(place("audits/index.md"), record(Kind::Collection, "audits/index"));
    }

    #[test]
    fn names_that_no_file_system_or_address_bears_are_refused() {
        let long = format!("runs/{}.json", "a".repeat(101));
        for path in [
            "runs/a b.json",
            "runs/é.json",
            "runs/_a.json",
            "runs/a..json",
            "runs/con.json",
            "runs/COM1.x.json",
            "runs/a.source.json",
            "runs/-x/a.json",
            "runs/..\\x.json",
            "runs/a\u{0}.json",
            "runs/.json",
            "runs/index.json",
            "runs/2026/INDEX.md",
            "pages/index.md",
            &long,
        ] {
            assert!(matches!(place(path), Placed::Refused { .. }), "{path}: {:?}", place(path));
        }
        for path in ["runs/console.json", "runs/sources.json", "runs/com10.json"] {
            assert!(matches!(place(path), Placed::Record { .. }), "{path}");
        }
    }

    #[test]
    fn what_is_of_no_kind_says_why_and_what_is_near() {
        let Placed::Unknown { reason, help } = place("run/a.json") else { panic!("`run` is no folder of ours") };
        assert_eq!(reason, "content/run/ is the folder of no kind");
        assert_eq!(help, "did you mean content/runs/?");
        let Placed::Unknown { reason, .. } = place("runs/a.jsn") else { panic!("`jsn` is no ending of ours") };
        assert_eq!(reason, "content/runs/ holds files that end in .json or .md");
        assert!(matches!(place("a.json"), Placed::Unknown { .. }));
    }

    #[test]
    fn leftovers_are_told_from_content() {
        assert_eq!(leftover(".git/config"), Some("hidden"));
        assert_eq!(leftover("runs/a.json~"), Some("left over by an editor"));
        assert_eq!(leftover("runs/a.json"), None);
    }
}
