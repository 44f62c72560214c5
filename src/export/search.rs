//! `data/search.js`: what the search of every page looks through.

use std::io::{self, Write};

use crate::route::Route;

/// A page that is found.
#[derive(Debug)]
pub struct Entry<'a> {
    pub title: &'a str,
    pub route: Route,
    /// What it is, in a word or two.
    pub kind: &'static str,
    /// What else it is found by: id, models, cards, engine, techniques.
    pub words: Vec<&'a str>,
}

/// The script that sets `window.searchIndex`, a list of `[title, path, kind, words]`, and `window.searchLicense`, that of
/// the list; paths are from the top of the site.
pub fn search(entries: &[Entry], license: &str, out: &mut dyn Write) -> io::Result<()> {
    super::record::write_script("searchLicense", &license, out)?;
    let line =
        |entry: &Entry| (entry.title.to_owned(), Route::home().link(&entry.route), entry.kind, entry.words.join(" "));
    super::record::write_script("searchIndex", &entries.iter().map(line).collect::<Vec<_>>(), out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_a_line_with_a_path_from_the_top() {
        let entry =
            Entry { title: "\"A\" < b", route: Route::record("runs/a b"), kind: "run record", words: vec!["x", "y"] };
        let mut script = Vec::new();
        search(&[entry], "CC-BY-4.0", &mut script).expect("a vector takes all");
        let script = String::from_utf8(script).expect("it is text");
        let list = "window.searchIndex = [[\"\\\"A\\\" < b\",\"runs/a%20b.html\",\"run record\",\"x y\"]];\n";
        assert_eq!(script, format!("window.searchLicense = \"CC-BY-4.0\";\n{list}"));
    }
}
