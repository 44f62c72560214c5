//! Built-in files that pages load: the style sheet and the scripts, under names with a digest of their bytes.

use crate::catalog::Catalog;
use crate::chart;
use crate::route::Route;

use super::brand;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asset {
    Style,
    /// Search, sorting, filters and prices, on every page.
    Script,
    /// The comparison of what a reader chooses.
    Compare,
}

/// The text of each.
#[derive(Debug)]
pub struct Assets {
    /// With the styles of the charts and of the brand.
    style: String,
    script: String,
    compare: String,
}

const STYLE: &str = include_str!("../../templates/style.css");
const SCRIPT: &str = include_str!("../../templates/site.js");
const COMPARE: &str = include_str!("../../templates/compare.js");

impl Asset {
    pub const ALL: [Asset; 3] = [Asset::Style, Asset::Script, Asset::Compare];
}

impl Assets {
    pub fn of(catalog: &Catalog) -> Self {
        Assets {
            style: tight(&served(&format!("{STYLE}\n{}{}", chart::CSS, brand::style(catalog)))),
            script: tight(&narrow(&served(SCRIPT))),
            compare: narrow(&served(COMPARE)),
        }
    }

    pub fn text(&self, asset: Asset) -> &str {
        match asset {
            Asset::Style => &self.style,
            Asset::Script => &self.script,
            Asset::Compare => &self.compare,
        }
    }

    pub fn route(&self, asset: Asset) -> Route {
        let (name, extension) = match asset {
            Asset::Style => ("style", "css"),
            Asset::Script => ("site", "js"),
            Asset::Compare => ("compare", "js"),
        };
        Route::asset(name, extension, self.text(asset).as_bytes())
    }
}

/// A text without what only its authors read: indentation, lines of comments, and ends of lines that stand after a sign
/// which says itself that more follows.
fn served(text: &str) -> String {
    let is_comment = |line: &&str| line.starts_with("//") || line.starts_with("/*") && line.ends_with("*/");
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_comment(line));
    lines.flat_map(|line| [line, if line.ends_with(['{', '}', '(', ',', ';']) { "" } else { "\n" }]).collect()
}

/// Scripts without the blanks around these signs; none of our strings has one with them.
fn narrow(script: &str) -> String {
    let blanks = [
        " => ", " = ", " === ", " !== ", " > ", " || ", " && ", " ?? ", " ? ", " : ", " + ", " - ", " * ", " < ", "{ ",
        " }", ") {", "if (",
    ];
    let script = blanks.iter().fold(script.to_owned(), |script, sign| script.replace(sign, &sign.replace(' ', "")));
    script.replace(";}", "}")
}

/// Styles, and the script that has such strings nowhere, without the blanks that separate nothing.
fn tight(style: &str) -> String {
    let blanks = [(" {", "{"), ("{ ", "{"), ("; }", "}"), ("} }", "}}"), (": ", ":"), ("; ", ";"), (", ", ",")];
    blanks.iter().fold(style.to_owned(), |style, (wide, narrow)| style.replace(wide, narrow))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_keep_the_blanks_that_mean_something() {
        let style = "@media (min-width: 4rem) { a b, i::after { margin: 0 .2rem; content: \" ↗\"; } }\n";
        assert_eq!(tight(style), "@media (min-width:4rem){a b,i::after{margin:0 .2rem;content:\" ↗\"}}\n");
        let strings = [STYLE, chart::CSS].into_iter().flat_map(|style| style.split('"').skip(1).step_by(2));
        let changed: Vec<_> = strings.filter(|string| tight(string) != *string).collect();
        assert_eq!(changed, [""; 0]);
    }

    #[test]
    fn scripts_keep_the_blanks_of_their_strings() {
        let lines = [SCRIPT, COMPARE].into_iter().flat_map(str::lines);
        let changed: Vec<_> = lines
            .flat_map(|line| line.split('"').skip(1).step_by(2))
            .filter(|string| narrow(string) != *string)
            .collect();
        assert_eq!(changed, [""; 0]);
        let of_site = SCRIPT.lines().flat_map(|line| line.split('"').skip(1).step_by(2));
        assert_eq!(of_site.filter(|string| tight(string) != *string).collect::<Vec<_>>(), [""; 0]);
        assert_eq!(narrow("const f = (a) => a === b;"), "const f=(a)=>a===b;");
    }

    #[test]
    fn what_is_served_has_no_comments() {
        let text = "// What it is\nf(() => {\n  /* why */\n\n  g(\"/* text */\"); // not alone\n});\n";
        assert_eq!(served(text), "f(() => {g(\"/* text */\"); // not alone\n});");
    }
}
