//! The page of rules that content is held to, generated from the registry.

use askama::Template;

use crate::diagnostic::rules::{self, Rule};

use super::frame::{Frame, Here};

#[derive(Debug, Template)]
#[template(path = "checks.html")]
pub struct ChecksPage {
    frame: Frame,
    rules: Vec<&'static Rule>,
}

pub fn compose(here: &Here) -> ChecksPage {
    let mut rules: Vec<_> = rules::all().collect();
    rules.sort_by_key(|rule| rule.code);
    ChecksPage {
        frame: here.frame("Checks", "What the build refuses and what it warns of, with an example of each"),
        rules,
    }
}
