//! Whether a reader could repeat a run from its commands and spec, and whether they say more than they should.

use serde_json::Value;

use crate::diagnostic::{Diagnostic, Report, counted, quoted, rules};
use crate::record::Run;
use crate::schema::Document;

/// Options that name a result or say where it goes. Commands that differ in nothing else measure the same thing.
const NAMING: [&str; 12] = [
    "--label",
    "--name",
    "--title",
    "--out",
    "--output",
    "-o",
    "--output-file",
    "--output-dir",
    "--result-dir",
    "--result-filename",
    "--save-as",
    "--tag",
];

/// Folders that every machine of a kind has.
const COMMON: [&str; 8] = ["usr", "bin", "sbin", "etc", "dev", "proc", "sys", "lib"];

/// Where the software of a card stands on every machine that has it. What else is below `/opt` is somebody's own.
const INSTALLED: [&str; 3] = ["nvidia", "rocm", "intel"];

/// The commands must be there, one for each config, and give different configs.
pub fn commands(run: &Run, document: &Document, report: &mut Report) {
    let pointer = "/reproduce";
    let Some(text) = run.reproduce.as_deref().filter(|text| !text.trim().is_empty()) else {
        report.push(
            Diagnostic::new(&rules::REPRODUCE_MISSING, document.location(pointer), "the record gives no commands")
                .help("ask the author for them, or acknowledge the rule with the reason"),
        );
        return;
    };
    let configs = run.configs.len();
    let groups = alike(text);
    let alike = groups.iter().map(Vec::len).max().unwrap_or_default();
    // What follows a program is not always a subcommand: `bench one` and `bench two` are two.
    let program = |name: &String| groups.iter().flatten().filter(|command| command.first() == Some(name)).count();
    let of_program = groups.iter().filter_map(|group| Some(program(group.first()?.first()?))).max();
    let most = if alike > 1 { alike } else { of_program.unwrap_or_default() };
    if most < configs && (alike > 1 || !goes_through(run, text)) {
        let message = format!("{} for {}", counted(most, "command"), counted(configs, "config"));
        report.push(
            Diagnostic::new(&rules::REPRODUCE_TOO_FEW, document.location(pointer), message)
                .pointer(pointer)
                .help("give the command of each config, or acknowledge the rule with the reason"),
        );
    }
    for commands in groups {
        if commands.len() < 2 || configs < 2 {
            continue;
        }
        let settings: Vec<_> = commands.iter().map(|command| without_names(command)).collect();
        if settings.windows(2).all(|pair| pair[0] == pair[1]) {
            let message = format!(
                "the {} of `{}` differ only in names and output files, so they cannot give {}",
                counted(commands.len(), "command"),
                commands[0].iter().take(2).map(String::as_str).collect::<Vec<_>>().join(" "),
                counted(configs, "config")
            );
            let mut problem = Diagnostic::new(&rules::REPRODUCE_SAME, document.location(pointer), message);
            // What a shared prefix was, the spec says once for all configs.
            if let Some(span) = document.spans.value("/spec/workload/shared_prefix") {
                problem = problem.related(span, "the one spec says this for all of them");
            }
            report.push(
                problem
                    .pointer(pointer)
                    .help("say what sets the configs apart, or acknowledge the rule with how it was done"),
            );
        }
    }
}

/// Whether the spec, a loop of the shell or a list of numbers lets one command measure several configs.
fn goes_through(run: &Run, text: &str) -> bool {
    let is_list = |word: &str| {
        let list = word.rsplit('=').next().unwrap_or(word);
        list.contains(',') && list.split(',').all(|part| part.parse::<f64>().is_ok())
    };
    run.spec().value("/sweep").is_some()
        || text.lines().map(words).any(|words| {
            words.first().is_some_and(|first| ["for", "while", "until"].contains(&first.as_str()))
                || words.iter().any(|word| is_list(word))
        })
}

/// The commands of a text by program and subcommand, each as its words.
fn alike(text: &str) -> Vec<Vec<Vec<String>>> {
    let mut groups: Vec<Vec<Vec<String>>> = Vec::new();
    for line in text.replace("\\\n", " ").lines() {
        let words = words(line);
        if words.first().is_none_or(|first| first.starts_with('#')) {
            continue;
        }
        match groups.iter_mut().find(|group| group[0].iter().take(2).eq(words.iter().take(2))) {
            Some(group) => group.push(words),
            None => groups.push(vec![words]),
        }
    }
    groups
}

/// The words of a command; quotes hold a word together and are no part of it.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = None::<String>;
    let mut quote = None;
    for letter in line.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            None if matches!(letter, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// A command without the options that only name its result.
fn without_names(command: &[String]) -> Vec<&str> {
    let mut kept = Vec::new();
    let mut words = command.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let option = word.split('=').next().unwrap_or(word);
        if !NAMING.contains(&option) {
            kept.push(word);
        } else if option == word {
            words.next();
        }
    }
    kept
}

/// Paths of one machine in the commands, the flags, the environment and the spec: nobody else has them.
pub fn machine_paths(run: &Run, document: &Document, report: &mut Report) {
    let record = document.value();
    let of_config = |position| ["engine", "environment"].map(|name| format!("/configs/{position}/{name}"));
    let of_record = ["/reproduce", "/software/kernels", "/environment", "/spec"].map(str::to_owned);
    let mut paths = Vec::new();
    for whole in of_record.into_iter().chain((0..run.configs.len()).flat_map(of_config)) {
        let Some(value) = record.pointer(&whole) else { continue };
        strings(value, &whole, &mut |pointer, text| {
            paths.extend(machine_path(text).map(|path| (pointer.to_owned(), path)));
        });
    }
    for (pointer, path) in paths {
        let message = format!("{} is a path of one machine", quoted(&path));
        report.push(
            Diagnostic::new(&rules::REPRODUCE_MACHINE_PATH, document.location(&pointer), message)
                .pointer(pointer)
                .help("say where a reader gets the file, or acknowledge the rule with that"),
        );
    }
}

/// The first absolute path that other machines need not have: from the root, from somebody's home, or from a drive.
fn machine_path(text: &str) -> Option<String> {
    let opens = |letter: char| letter.is_whitespace() || matches!(letter, '=' | '\'' | '"' | ':' | ',' | '(');
    let ends = |letter: char| letter.is_whitespace() || matches!(letter, '\'' | '"' | ',' | ':' | ')');
    let starts = text.char_indices().filter(|(at, _)| text[..*at].chars().next_back().is_none_or(opens));
    starts.map(|(at, _)| &text[at..]).find_map(|rest| {
        let (before, path) = match rest.strip_prefix("file://") {
            Some(path) => ("file://", path),
            None => ("", rest),
        };
        let drive = path.get(1..3) == Some(":\\") && path.starts_with(|first: char| first.is_ascii_alphabetic());
        let from = if drive { 2 } else { 0 };
        let path = &path[..path[from..].find(ends).map_or(path.len(), |end| from + end)];
        let mut parts = path.split(['/', '\\']);
        let (root, first, second) = (parts.next()?, parts.next()?, parts.next()?);
        let own = match root {
            "" => path.starts_with('/') && !COMMON.contains(&first) && !(first == "opt" && INSTALLED.contains(&second)),
            "~" => true,
            _ => drive,
        };
        (own && !first.is_empty() && !second.is_empty()).then(|| format!("{before}{path}"))
    })
}

fn strings(value: &Value, pointer: &str, found: &mut impl FnMut(&str, &str)) {
    match value {
        Value::String(text) => found(pointer, text),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| strings(item, &format!("{pointer}/{at}"), found));
        }
        Value::Object(members) => members.iter().for_each(|(name, member)| {
            let name = name.replace('~', "~0").replace('/', "~1");
            strings(member, &format!("{pointer}/{name}"), found);
        }),
        _ => {}
    }
}

/// Keys and passwords in any file of content. The message names the line and never the secret.
pub fn secrets(document: &Document, report: &mut Report) {
    for (number, line) in document.text.lines().enumerate() {
        let Some(kind) = secret(line) else { continue };
        let path = format!("{}:{}", document.text.path, number + 1);
        report.push(
            Diagnostic::new(
                &rules::FILE_SECRET,
                crate::diagnostic::Location::File(document.text.path.clone()),
                format!("{path}: this line holds what looks like {kind}"),
            )
            .help("take it out, and make it void where it was issued: whoever had this file has it"),
        );
    }
}

/// What kind of secret a line seems to hold.
pub fn secret(line: &str) -> Option<&'static str> {
    const TOKENS: [(&str, usize, &str); 9] = [
        ("sk-", 20, "an API key"),
        ("hf_", 30, "a Hugging Face token"),
        ("ghp_", 30, "a GitHub token"),
        ("github_pat_", 30, "a GitHub token"),
        ("glpat-", 20, "a GitLab token"),
        ("AKIA", 16, "an AWS key"),
        ("xoxb-", 20, "a Slack token"),
        ("nvapi-", 30, "an NVIDIA API key"),
        ("Bearer ", 20, "an authorization header"),
    ];
    let body = |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    for (prefix, least, kind) in TOKENS {
        for (at, _) in line.match_indices(prefix) {
            let apart = line[..at].chars().next_back().is_none_or(|before| !before.is_ascii_alphanumeric());
            let secret: String = line[at + prefix.len()..].chars().take_while(body).collect();
            // Words of prose and masks have no digit.
            if apart && secret.len() >= least && secret.contains(|letter: char| letter.is_ascii_digit()) {
                return Some(kind);
            }
        }
    }
    if line.contains("-----BEGIN") && line.contains("PRIVATE KEY-----") {
        return Some("a private key");
    }
    if password_in_url(line) {
        return Some("a password in an address");
    }
    const NAMES: [&str; 6] = ["api_key", "api-key", "apikey", "password", "access_token", "secret_key"];
    let lower = line.to_ascii_lowercase();
    NAMES.iter().find_map(|name| {
        let (at, _) = lower.match_indices(name).next()?;
        let rest = line[at + name.len()..].trim_start_matches(['"', '\'']);
        let value = rest.trim_start().strip_prefix([':', '=']).or_else(|| rest.strip_prefix(' '))?;
        let value: String = value.trim_start().trim_start_matches(['"', '\'']).chars().take_while(body).collect();
        let digits = value.contains(|letter: char| letter.is_ascii_digit());
        (value.len() >= 12 && digits).then_some("a password or key")
    })
}

/// `://user:password@host`, unless a variable or a mask stands for the password.
fn password_in_url(line: &str) -> bool {
    line.match_indices("://").any(|(at, sign)| {
        let ends = |letter: char| letter.is_whitespace() || matches!(letter, '/' | '?' | '#' | '"' | '\'' | '`');
        let authority = line[at + sign.len()..].split(ends).next().unwrap_or_default();
        let password = authority.rsplit_once('@').and_then(|(user, _)| Some(user.split_once(':')?.1));
        password.is_some_and(|password| {
            let masked = password.chars().all(|letter| matches!(letter, '*' | 'x' | 'X' | '.' | '…'));
            !masked && !password.starts_with(['$', '<', '{', '%', '['])
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_outputs_do_not_count() {
        let text = "tool run --spec s.yaml --label 'a b' --out=a.json\ntool run --spec s.yaml --label c -o c.json\ntool report a.json\n";
        let groups = alike(text);
        assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(without_names(&groups[0][0]), ["tool", "run", "--spec", "s.yaml"]);
        assert_eq!(without_names(&groups[0][0]), without_names(&groups[0][1]));
    }

    #[test]
    fn quotes_hold_a_word_together() {
        assert_eq!(words("a 'b c' \"d 'e\" f''g  'h"), ["a", "b c", "d 'e", "fg", "h"]);
        assert_eq!(words("''"), [""]);
    }

    #[test]
    fn paths_of_one_machine() {
        for (text, expected) in [
            ("--config /workspace/hf/config.json", Some("/workspace/hf/config.json")),
            ("-v /models/a:/models", Some("/models/a")),
            ("http://127.0.0.1:8000/v1/completions", None),
            ("/usr/bin/env python3", None),
            ("--model ~/models/a", Some("~/models/a")),
            ("~/.bashrc", None),
            ("a ~b/c/d", None),
            ("file:///home/me/a.json", Some("file:///home/me/a.json")),
            ("file:///usr/share/a.json", None),
            (r"--model C:\Users\me\a.gguf -t 4", Some(r"C:\Users\me\a.gguf")),
            (r"a:C:\a", None),
            (r"\n\tab", None),
            ("--model /opt/models/x", Some("/opt/models/x")),
            ("/opt/rocm/bin/rocm-smi", None),
            ("LD_LIBRARY_PATH=/usr/lib:/home/me/lib", Some("/home/me/lib")),
            ("runs/a.json > /dev/null", None),
            ("a / b", None),
            ("vllm/vllm-openai:v0.31.0", None),
        ] {
            assert_eq!(machine_path(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn secrets_are_told_from_settings() {
        for (line, expected) in [
            (r#""header": "Authorization: Bearer abcdefghij0123456789""#, true),
            ("export OPENAI_API_KEY=abcdefghij0123456789", true),
            (concat!("token: hf", "_abcdefghijABCDEFGHIJ0123456789"), true),
            (r#""api_key_env": null,"#, false),
            ("--api-key $KEY", false),
            ("--api-key EMPTY", false),
            ("--api-key abcdefghij0123456789", true),
            (r#""api_key" : "abcdefghij0123456789""#, true),
            ("--api-keyabcdefghij0123456789", false),
            (r#""password_env": "PASSWORD""#, false),
            ("risk-adjusted-capacity-planning-2026", false),
            ("sk-learn and other words", false),
            ("risk-abcdefghij0123456789", false),
            ("sk-abcdefghij012345678", false),
            ("sk-abcdefghij0123456789", true),
            ("sk-abcdefghijabcdefghij", false),
            ("-----BEGIN OPENSSH PRIVATE KEY-----", true),
            ("-----BEGIN CERTIFICATE-----", false),
            ("the last line is PRIVATE KEY-----", false),
            ("password=abcdefghij01", true),
            ("--endpoint http://me:hunter@10.0.0.1:8000/v1", true),
            (r#""url": "https://me:geheim@host""#, true),
            ("http://127.0.0.1:8000/v1/a@b", false),
            ("https://me@host:443/", false),
            ("https://me:$PASSWORD@host", false),
            ("https://me:***@host", false),
            ("https://me:@host", false),
            ("password=abcdefghij0", false),
            ("password=abcdefghijab", false),
        ] {
            assert_eq!(secret(line).is_some(), expected, "{line}");
        }
    }
}
