//! Input that is broken, huge, or means harm: refused by name, quickly, and never followed.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::program::{Site, run_record};
use crate::tree::Tree;

#[test]
fn bytes_that_are_no_utf_8_are_placed() {
    let mut bytes = run_record("a").into_bytes();
    let at = bytes.windows(3).position(|part| part == b"Run").expect("the title has it");
    bytes[at] = 0xff;
    Site::new().file("content/runs/a.json", bytes).check().refused(&["content/runs/a.json:4:13", "UTF-8"]);
}

#[test]
fn wider_encodings_are_called_by_their_names() {
    let text = format!("\u{feff}{}", run_record("a"));
    let in_16 = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let in_32 = |bytes: fn(u32) -> [u8; 4]| text.chars().map(u32::from).flat_map(bytes).collect::<Vec<u8>>();
    for (name, bytes) in [
        ("UTF-16", in_16(u16::to_le_bytes)),
        ("UTF-16", in_16(u16::to_be_bytes)),
        ("UTF-32", in_32(u32::to_le_bytes)),
        ("UTF-32", in_32(u32::to_be_bytes)),
    ] {
        Site::new().file("content/runs/a.json", bytes).check().refused(&["content/runs/a.json", name]);
    }
}

/// A page of prose and the smallest settings, with one of the characters in a place where text may stand.
#[test]
fn what_cannot_be_seen_is_refused_wherever_text_may_stand() {
    let page = |title: &str, body: &str| format!("---\ntitle: {title}\n---\n\n{body}\n");
    let model = |title: &str| format!("{{\"id\": \"a\", \"title\": \"{title}\"}}");
    let settings = |title: &str| format!("title = \"{title}\"\nbase_url = \"https://results.example/\"\n");
    for (path, text, place, name) in [
        ("content/models/a.json", model("a\\u0000b"), "1:22", "U+0000"),
        ("content/models/a.json", model("a\\u001b[31mb"), "1:22", "U+001B"),
        ("content/models/a.json", model("a\\u202eb"), "1:22", "U+202E"),
        ("content/models/a.json", model("a\u{7f}b"), "1:24", "U+007F"),
        ("content/models/a.json", model("a\u{9b}b"), "1:24", "U+009B"),
        ("content/models/a.json", model("a\u{2066}b"), "1:24", "U+2066"),
        ("content/pages/a.md", page("a", "x\u{200b}y"), "5:2", "U+200B"),
        ("content/pages/a.md", page("\"a\\u0001b\"", "x"), "2:8", "U+0001"),
        ("content/pages/a.md", page("\"a\\x1bb\"", "x"), "2:8", "U+001B"),
        ("content/pages/a.md", page("a\u{202b}b", "x"), "2:9", "U+202B"),
        ("content/pages/a.md", page("a", "x\u{1b}y"), "5:2", "U+001B"),
        ("content/pages/a.md", page("a", "x\u{202e}y"), "5:2", "U+202E"),
        ("content/pages/a.md", page("a", "x&#x1b;y"), "5:2", "U+001B"),
        ("content/pages/a.md", page("a", "x&#8238;y"), "5:2", "U+202E"),
        ("content/pages/a.md", page("a", "[x](https://x.example \"&#1;\")"), "5:1", "U+0001"),
    ] {
        let outcome = Site::of_runs(&["b"]).file(path, text).build();
        outcome.refused(&[&format!("{path}:{place}"), "error[", "/character]", name]);
    }
    for (title, place) in [("a\\u0007b", "1:9"), ("a\u{2067}b", "1:11")] {
        let outcome = Site::of_runs(&["a"]).file("site.toml", settings(title)).build();
        outcome.ended(2, &[&format!("site.toml:{place}"), "file/character"]);
    }
    Site::of_runs(&["a"]).file("content/pages/a.md", page("a\u{200d}b\u{200f}", "x\ty")).build().good();
}

/// A harness's file is never edited, so that what it holds is shown as a sign.
#[test]
fn what_cannot_be_seen_has_a_sign_on_the_pages_of_a_run() {
    let text = run_record("a")
        .replace("Run a", "a\\u001b[31mb\\u202e")
        .replace("\"configs\"", "\"spec\": {\"engine\": {\"endpoint\": \"x\u{7f}y\\u0000\"}},\n  \"configs\"");
    let site = Site::new().file("content/runs/a.json", text);
    site.build().good();
    let published = site.published();
    for path in ["runs/a.html", "runs/a.source.html", "runs/index.html", "index.html"] {
        let page = String::from_utf8_lossy(&published.files[path]);
        assert!(!page.contains(['\u{1b}', '\u{7f}', '\u{202e}', '\0']), "{path}");
    }
    let page = String::from_utf8_lossy(&published.files["runs/a.html"]);
    assert!(page.contains("a\u{241b}[31mb\u{fffd}") && page.contains("x\u{2421}y\u{2400}"), "{page}");
}

#[test]
fn deep_nesting_is_refused() {
    let deep = |open: &str, close: &str| open.repeat(200) + &close.repeat(200);
    for spec in [deep("[", "]"), "[".repeat(1_000_000), "{\"a\":".repeat(1_000_000)] {
        let text = run_record("a").replace("\"configs\"", &format!("\"spec\": {spec},\n  \"configs\""));
        within(Duration::from_secs(5), || {
            Site::new().file("content/runs/a.json", &text).check().refused(&["content/runs/a.json", "nesting"]);
        });
    }
}

#[test]
fn deep_files_to_import_are_refused() {
    for text in ["[".repeat(1_000_000), "{\"model_id\":".repeat(100_000), "a: {".repeat(100_000)] {
        let site = Site::new().file("deep.json", &text);
        within(Duration::from_secs(5), || {
            site.ask(&["import", "deep.json"]).refused(&["deep.json", "not recognised"]);
        });
    }
}

#[test]
fn deep_front_matter_is_refused() {
    let nested = format!("---\ntitle: {}\n---\n", "[".repeat(100_000));
    within(Duration::from_secs(5), || {
        Site::new().file("content/pages/a.md", &nested).check().refused(&["content/pages/a.md"]);
    });
}

#[test]
fn deep_markdown_is_refused_or_shown() {
    for part in ["> ", "- ", "*", "[", "<!--", "![a]("] {
        let page = format!("---\ntitle: Deep\n---\n\n{}x\n", part.repeat(100_000));
        within(Duration::from_secs(10), || {
            let outcome = Site::new().file("content/pages/a.md", &page).build();
            assert!(matches!(outcome.exit, Some(0 | 1)), "{part}: {:?}", outcome.exit);
        });
    }
}

/// Texts of which readers of Markdown are known to take the square of their length, a line each.
#[test]
fn openings_that_are_never_closed_are_read_in_time() {
    for line in ["a <!-- x", "<!-- x", "<?x", "[x](<b", "[a](b \"", "[^a]:", "*a **a", "`a``b", "- *a"] {
        let lines = format!("{line}\n").repeat((256 << 10) / (line.len() + 1));
        let site = Site::new().file("content/pages/a.md", format!("---\ntitle: Long\n---\n\n{lines}"));
        within(Duration::from_secs(10), || {
            site.check().good();
        });
    }
}

#[test]
fn files_over_the_limit_are_refused_unread() {
    let site = Site::new();
    let file = fs::File::create(site.path("content/runs/a.json")).expect("folder is ours");
    file.set_len(1 << 30).expect("a sparse file takes no room");
    within(Duration::from_secs(2), || {
        site.check().refused(&["content/runs/a.json", "16 MiB"]);
    });
    let note = format!("---\ntitle: Long\n---\n{}", "x\n".repeat(600_000));
    Site::new().file("content/pages/a.md", note).check().refused(&["content/pages/a.md", "1 MiB"]);
}

#[test]
fn of_very_many_faults_the_first_are_explained_and_all_are_counted() {
    let unknown: String = (0..100_000).map(|number| format!("\"k{number}\": 1, ")).collect();
    let wrong = "1, ".repeat(100_000);
    for fields in [unknown, format!("\"not_covered\": [{}1], ", &wrong[3..])] {
        let record = run_record("a").replace("\"id\"", &format!("{fields}\"id\""));
        within(Duration::from_secs(10), || {
            let outcome = Site::new().file("content/runs/a.json", &record).check();
            outcome.refused(&["and 99950 more problems in content/runs/a.json", "100000 errors in 1 file"]);
        });
    }
}

#[test]
fn links_in_content_are_named_and_not_followed() {
    let outside = Site::new().file("secret.json", run_record("secret"));
    let targets = [outside.path("secret.json"), outside.path(""), ".".into(), "nowhere".into(), "/dev/zero".into()];
    for target in targets {
        let site = Site::of_runs(&["a"]);
        symlink(&target, site.path("content/runs/secret.json")).expect("folder is ours");
        within(Duration::from_secs(2), || {
            site.build().refused(&["content/runs/secret.json", "link"]);
        });
        assert!(!site.path("public").exists(), "{}", target.display());
    }
}

#[test]
fn what_leads_to_a_refused_file_or_folder_is_no_second_fault() {
    let page = "---\ntitle: P\n---\n[a](../audits/x.md) [b](../../static/big.pdf) ![c](../../static/img/c.png)\n";
    let settings = format!("{}\n[brand]\nlogo = \"logo.svg\"\n", crate::program::SETTINGS);
    let site = Site::new().file("content/pages/p.md", page).file("site.toml", settings).file("static/big.pdf", "");
    let big = fs::File::options().write(true).open(site.path("static/big.pdf")).expect("just made");
    big.set_len(1 << 30).expect("a sparse file takes no room");
    for link in ["content/audits", "static/img", "static/logo.svg"] {
        symlink("/tmp", site.path(link)).expect("folder is ours");
    }
    site.check().refused(&["\n4 errors in 4 files\n"]);
}

#[test]
fn ids_that_try_to_leave_are_refused() {
    for id in ["/abs/escape", "../../escape", "..", ".", "a/../../b", "a\\u0000", "runs/../a", "A", ""] {
        let site = Site::new().file("content/runs/a.json", run_record("a").replacen("\"a\"", &format!("\"{id}\""), 1));
        let before = Tree::of(&site.path(""));
        site.build().refused(&["content/runs/a.json:2:", "/id"]);
        assert!(before == Tree::of(&site.path("")), "{id}");
    }
}

#[test]
fn file_names_that_are_no_address_are_refused() {
    for name in ["a b", "a..b", "a\\b", "ä", "a%2e", "a#b", "a?b", "con:", "-"] {
        let site = Site::new().file(&format!("content/runs/{name}.json"), run_record("a"));
        site.build().refused(&["content/runs/"]);
        assert!(!site.path("public").exists(), "{name}");
    }
}

#[test]
fn aliases_that_try_to_leave_are_refused() {
    for alias in ["/abs", "../escape", "a/../../b", "index", "runs/a", ""] {
        let settings = format!("{}\n[aliases]\n\"{alias}\" = \"runs/a\"\n", crate::program::SETTINGS);
        let site = Site::of_runs(&["a"]).file("site.toml", settings);
        let outcome = site.build();
        assert!(matches!(outcome.exit, Some(1 | 2)), "{alias}: {outcome:?}");
        outcome.says(&["site.toml"]);
        assert!(!site.path("public").exists(), "{alias}");
    }
}

#[test]
fn ids_that_differ_by_case_only_name_both_files() {
    let site = Site::of_runs(&["h100-fp8"]).file("content/runs/H100-FP8.json", run_record("H100-FP8"));
    site.check().refused(&["content/runs/H100-FP8.json", "content/runs/h100-fp8.json"]);
}

#[test]
fn a_file_cut_at_any_point_is_refused_with_its_place() {
    let whole = run_record("a");
    for at in (0..whole.trim_end().len()).step_by(7) {
        Site::new().file("content/runs/a.json", &whole[..at]).check().refused(&["content/runs/a.json"]);
    }
}

/// A built site with a run of that title, and with a measured config of that label.
pub fn site_of(text: &str) -> Site {
    let measured = run_record("a").replace("\"only\"", "\"only\", \"output_tok_s\": 100");
    let record = measured.replace("Run a", text).replace("only", text);
    let site = Site::new().file("content/runs/a.json", record);
    site.build().good();
    site
}

pub const MARKUP: &str = "</script></td>--><img src=x onerror=alert(1)>";

#[test]
fn text_of_a_record_never_runs() {
    let text = MARKUP;
    let site = site_of(text);
    let faults = crate::walker::faults(&site.published(), "https://results.example/");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let page = crate::walker::Page::parse(&site.read("public/runs/a.html"));
    assert!(page.text.contains(text));
    assert!(page.elements.iter().all(|element| element.get("src") != Some("x")));
}

/// A spreadsheet runs a cell that begins so; a negative number is one all the same.
#[test]
fn a_label_in_a_download_is_no_formula() {
    for label in ["=HYPERLINK('http://x.example','y')", "@alpha", "+1 replica", "-O3 build"] {
        let rows = crate::data::rows(&site_of(label).read("public/data/runs.csv"));
        assert!(rows.iter().any(|row| row["label"] == format!("'{label}")), "{label}");
        assert!(rows.iter().flat_map(|row| row.values()).all(|cell| !cell.starts_with(label)), "{label}");
    }
    let configs = json!({"configs": [{"label": "a", "goodput_tok_s": 100}, {"label": "b", "goodput_tok_s": 63.8}]});
    let site = crate::records::run(configs, json!({}));
    site.build().good();
    let rows = crate::data::rows(&site.read("public/data/runs.csv"));
    let fell =
        |row: &BTreeMap<String, String>| row["value"].parse().is_ok_and(|value: f64| (value + 36.2).abs() < 1e-9);
    assert!(rows.iter().any(fell), "a negative number stays one");
}

#[test]
fn text_is_escaped_once_wherever_it_stands() {
    let text = "R&D: TTFT <= 2 s, p99 & p95";
    let published = site_of(text).published();
    for (path, bytes) in &published.files {
        assert!(!String::from_utf8_lossy(bytes).contains("&amp;amp;"), "{path}");
    }
    let page = crate::walker::Page::parse(published.text("runs/a.html"));
    assert!(page.text.contains(text));
    for path in ["runs/a.html", "runs/a.svg", "feed.xml"] {
        let escaped = ["R&amp;D: TTFT &lt;= 2 s", "R&#38;D: TTFT &#60;= 2 s"];
        assert!(escaped.iter().any(|text| published.text(path).contains(text)), "{path}");
    }
    assert!(published.text("data/runs.csv").contains(text));
}

/// The clock is for a word on the terminal, and for nothing else.
#[test]
fn a_date_ahead_is_told_and_changes_nothing() {
    let dated = |day: &str| {
        let site = Site::new().file("content/runs/a.json", run_record("a").replace("2026-10-29", day));
        (site.build().good(), site)
    };
    let (ahead, site) = dated("2999-01-01");
    ahead.says(&["notice[date/ahead]", "content/runs/a.json", "published on 2999-01-01"]);
    assert!(site.read("public/runs/a.html").contains("1 January 2999"));
    assert!(!site.read("public/runs/a.html").contains("date/ahead"));
    let (past, _) = dated("2026-01-01");
    assert!(!past.stderr.contains("date/ahead"), "{}", past.stderr);
}

#[track_caller]
fn within(limit: Duration, action: impl FnOnce()) {
    let start = Instant::now();
    action();
    let took = start.elapsed();
    assert!(took < limit, "took {took:?}");
}
