//! Every rule that a diagnostic can break: code, severity, meaning, an example that breaks it and one that does not.

mod content;
mod importing;
mod loading;
mod measured;
mod schemas;
mod syntax;

use super::Severity;
use super::suggest::nearest;

pub use content::*;
pub use importing::*;
pub use loading::*;
pub use measured::*;
pub use schemas::*;
pub use syntax::*;

/// What a diagnostic is an instance of. Codes are stable: contents name them in `acknowledges`.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// `group/name`.
    pub code: &'static str,
    pub severity: Severity,
    /// What is wrong, in one sentence.
    pub says: &'static str,
    /// Why that matters, where it is not plain; empty else.
    pub why: &'static str,
    /// Where the examples stand.
    pub place: Place,
    pub bad: &'static str,
    pub good: &'static str,
}

/// Where an example stands. A test puts each into a site and sees that the rule tells bad from good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Run,
    CuratorNote,
    Audit,
    KvEfficiency,
    Model,
    Hardware,
    Settings,
    /// A whole file of prose.
    Page,
    /// The Markdown below the front matter of any file.
    Body,
    /// Several records together. Not tested by its example.
    Records,
    /// No text of a file: names, sizes, bytes. Not tested by its example.
    Files,
    /// A schema, which only the program itself has. Not tested by its example.
    Schema,
}

impl Place {
    pub fn words(self) -> &'static str {
        match self {
            Place::Run => "in content/runs/x.json",
            Place::CuratorNote => "in the front matter of content/runs/x.md",
            Place::Audit => "in the front matter of content/audits/x.md",
            Place::KvEfficiency => "in the front matter of content/kv-efficiency/x.md",
            Place::Model => "in content/models/m.json",
            Place::Hardware => "in content/hardware/h.json",
            Place::Settings => "in site.toml",
            Place::Page => "the whole of content/pages/x.md",
            Place::Body => "in Markdown",
            Place::Records => "across records",
            Place::Files => "among the files",
            Place::Schema => "in a schema of the program",
        }
    }
}

impl Rule {
    /// Whether what breaks it may stand once its author says why: every warning, and a number as its source states it.
    pub fn can_be_acknowledged(&self) -> bool {
        self.severity == Severity::Warning || self.is_of_stated_numbers()
    }

    /// Whether what breaks it is a stated number that its inputs do not give. Each is acknowledged by itself, so that the
    /// next one is an error again.
    pub fn is_of_stated_numbers(&self) -> bool {
        [&FIGURE_STATED, &RUN_TOKEN_RATES, &CLAIM_UNEXPLAINED].contains(&self)
    }

    /// Whether it is broken by a record as a whole, whatever place is shown.
    pub fn is_of_whole_record(&self) -> bool {
        [&REPRODUCE_MISSING, &RUN_DUPLICATE_KEY].contains(&self)
    }
}

/// All rules, by stage and then by code.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    [loading::ALL, syntax::ALL, schemas::ALL, content::ALL, measured::ALL, importing::ALL]
        .into_iter()
        .flatten()
        .copied()
}

/// The rule of a code.
pub fn find(code: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.code == code)
}

/// The code that was most likely meant.
pub fn nearest_code(code: &str) -> Option<&'static str> {
    nearest(code, all().map(|rule| rule.code))
}

/// Defines rules and lists them in `ALL`; one without examples does not compile.
macro_rules! rules {
    ($(
        $(#[doc = $says:literal])+
        $name:ident = $severity:ident $code:literal, $place:ident;
        $(why $why:literal;)?
        bad $bad:literal;
        good $good:literal;
    )+) => {
        $(
            $(#[doc = $says])+
            pub static $name: $crate::diagnostic::Rule = $crate::diagnostic::Rule {
                code: $code,
                severity: $crate::diagnostic::Severity::$severity,
                says: concat!($($says),+),
                why: concat!($($why)?),
                place: $crate::diagnostic::rules::Place::$place,
                bad: $bad,
                good: $good,
            };
        )+
        pub(super) static ALL: &[&$crate::diagnostic::Rule] = &[$(&$name),+];
    };
}
use rules;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_are_unique_and_shaped_alike() {
        let mut seen = BTreeSet::new();
        for rule in all() {
            assert!(seen.insert(rule.code), "{} stands twice", rule.code);
            let (group, name) = rule.code.split_once('/').expect("a group and a name");
            let fits = |part: &str| {
                part.starts_with(|first: char| first.is_ascii_lowercase())
                    && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            };
            assert!(fits(group) && fits(name), "{}", rule.code);
        }
    }

    #[test]
    fn every_rule_is_a_sentence_with_two_examples() {
        for rule in all() {
            let says = rule.says.trim();
            assert!(says.ends_with('.') && says.starts_with(|first: char| first.is_uppercase()), "{}", rule.code);
            assert!(rule.bad != rule.good && !rule.bad.is_empty() && !rule.good.is_empty(), "{}", rule.code);
        }
    }

    #[test]
    fn a_slip_in_a_code_is_recognised() {
        assert_eq!(nearest_code("figure/statd"), Some("figure/stated"));
        assert_eq!(find("figure/stated"), Some(&FIGURE_STATED));
        assert_eq!(find("figure/statd"), None);
    }
}
