//! Text of other tools that may be published: one line without what nobody sees, paths by their last part, no secrets.

use crate::anchor;
use crate::catalog;
use crate::source::barred;

/// Longest text that is a name and no document.
const LONGEST: usize = 300;

/// A name or a few words as one line; `None` where nothing is left, and for what looks like a key to a service.
pub fn words(text: &str) -> Option<String> {
    Some(prose(text)?.chars().take(LONGEST).collect())
}

/// The same of a text of any length.
pub fn prose(text: &str) -> Option<String> {
    let seen: String = text.chars().filter(|character| barred(*character).is_none()).collect();
    let line = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    (!line.is_empty() && catalog::secret(&line).is_none()).then_some(line)
}

/// The last part of a path, whichever slashes it has; a name without a slash as it is.
pub fn last_part(path: &str) -> Option<String> {
    words(path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next()?)
}

/// A model's name out of what was typed: a name of the hub as it is, of a path what names the model.
pub fn model(typed: &str) -> Option<String> {
    let typed = words(typed)?;
    let is_path = typed.starts_with(['/', '.', '~']) || typed.contains('\\') || typed.matches('/').count() > 1;
    if !is_path {
        return Some(typed);
    }
    let slashes = typed.replace('\\', "/");
    let name = of_path(slashes.trim_end_matches('/'));
    words(&name.replacen("--", "/", 1))
}

/// The part of a path that names what the file is of. Files called `config.json` go by their folder, and the folders
/// of a download cache by the one above them: `models--Qwen--Qwen3-8B/snapshots/<revision>/config.json`.
fn of_path(path: &str) -> &str {
    let tells_nothing = |part: &&str| {
        let revision = part.len() == 40 && part.chars().all(|digit| digit.is_ascii_hexdigit());
        !matches!(*part, "" | "." | ".." | "config" | "snapshots") && !revision
    };
    let named = path.rsplit('/').find(tells_nothing).unwrap_or(path);
    named.strip_prefix("models--").unwrap_or(named)
}

/// What a file is called by its owner: its own name without its ending, or that of the folder which it stands in.
pub fn of_file(path: &str) -> String {
    let stem = path.rsplit_once('.').filter(|(_, ending)| !ending.contains('/')).map_or(path, |(stem, _)| stem);
    let stem = stem.trim_end_matches("_config").trim_end_matches("-config");
    of_path(stem).replacen("--", "/", 1)
}

/// A name that a file or folder stands under, as an id: of several parts the last.
pub fn id(name: &str) -> String {
    slug(name.rsplit('/').next().unwrap_or(name))
}

/// An id made of words: letters and digits that every file system bears.
pub fn slug(words: &str) -> String {
    if words.is_ascii() {
        return anchor::slug(words);
    }
    let ascii: String = words.chars().map(|one| if one.is_ascii() { one } else { '-' }).collect();
    anchor::slug(&format!("{ascii} {}", anchor::short_digest(words.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_goes_by_the_part_of_its_path_that_names_it() {
        for (path, expected) in [
            ("downloads/Qwen3-8B.json", "Qwen3-8B"),
            ("Qwen3-8B/config.json", "Qwen3-8B"),
            ("configs/Qwen--Qwen3-8B_config.json", "Qwen/Qwen3-8B"),
            (
                "hub/models--Qwen--Qwen3-8B/snapshots/b968826d9c46dd6066d109eabc6255188de91218/config.json",
                "Qwen/Qwen3-8B",
            ),
            ("qwen3.5-27b.json", "qwen3.5-27b"),
            ("config.json", "config"),
        ] {
            assert_eq!(of_file(path), expected, "{path}");
        }
    }

    #[test]
    fn a_model_is_a_name_of_the_hub_or_the_part_of_a_path_that_names_it() {
        for (typed, expected) in [
            ("openai/gpt-oss-20b", "openai/gpt-oss-20b"),
            ("gpt-oss-20b", "gpt-oss-20b"),
            ("/home/someone/models/deepseek-r1", "deepseek-r1"),
            ("/home/models/openai--gpt-oss-120b", "openai/gpt-oss-120b"),
            (
                "/models/models--openai--gpt-oss-120b/snapshots/b5c939de8f754692c1647ca79fbf85e8c1e70f8a/",
                "openai/gpt-oss-120b",
            ),
            ("~/models/Meta-Llama-3-8B-Instruct/", "Meta-Llama-3-8B-Instruct"),
            ("C:\\Users\\someone\\x.gguf", "x.gguf"),
            ("https://host.example/v1/some-model", "some-model"),
        ] {
            assert_eq!(model(typed).as_deref(), Some(expected), "{typed}");
        }
        assert_eq!(model(" \u{202e}\n"), None);
    }

    #[test]
    fn what_looks_like_a_key_is_no_text() {
        for secret in
            ["Bearer 0123456789abcdef0123", concat!("key sk", "-0123456789abcdef0123"), "password=0123456789abc"]
        {
            assert_eq!(words(secret), None, "{secret}");
        }
        assert_eq!(
            words("task-1 disk-0123456789abcdef0123 sk-short").as_deref(),
            Some("task-1 disk-0123456789abcdef0123 sk-short")
        );
    }

    #[test]
    fn ids_are_plain_names() {
        for (name, expected) in [("Qwen/Qwen3-8B", "qwen3-8b"), ("a b.c", "a-b-c")] {
            assert_eq!(id(name), expected);
        }
        let ids = [slug("模型 a"), slug("模 a")];
        assert!(ids.iter().all(|id| id.starts_with("a-") && id.is_ascii()) && ids[0] != ids[1], "{ids:?}");
    }
}
