//! Whether a reader could repeat a run from its commands and spec.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::labels;
use crate::diagnostic::{Diagnostic, Report, counted, rules};
use crate::record::Run;
use crate::schema::Document;

/// Options that name a result or say where it goes. Commands that differ in nothing else measure the same thing.
const NAMING: [&str; 17] = [
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
    "--run-name",
    "--log-file",
    ">",
    ">>",
    "tee",
];

/// Those of them that say what a result is called.
const LABEL: [&str; 4] = ["--label", "--name", "--title", "--tag"];

/// Whether commands differ in nothing but names and output files.
fn are_same(commands: &[Vec<String>]) -> bool {
    let settings: Vec<_> = commands.iter().map(|command| without_names(command)).collect();
    settings.windows(2).all(|pair| pair[0] == pair[1])
}

/// The commands must be there, one for each config, and give different configs.
pub fn commands(run: &Run, document: &Document, report: &mut Report) {
    let pointer = "/reproduce";
    let stated = run.reproduce.as_deref().filter(|text| !text.trim().is_empty());
    let Some(text) = stated.filter(|text| has_commands(text)) else {
        labels::against_spec(run, document, report);
        let message = match stated {
            Some(_) => "the text on how to repeat it holds no command",
            None => "the record gives no commands",
        };
        report.push(
            Diagnostic::new(&rules::REPRODUCE_MISSING, document.location(pointer), message)
                .help("ask the author for them, or acknowledge the rule with the reason"),
        );
        return;
    };
    let configs = run.configs.len();
    let groups = alike(text);
    let alike = groups.iter().map(Vec::len).max().unwrap_or_default();
    // What follows a program is not always a subcommand: `bench one` and `bench two` are two.
    let of_name =
        |name: &String| groups.iter().flatten().filter(|command| program(command).first() == Some(name)).count();
    let of_program = groups.iter().filter_map(|group| Some(of_name(program(group.first()?).first()?))).max();
    let most = if alike > 1 { alike } else { of_program.unwrap_or_default() };
    if most < configs && (alike > 1 || !goes_through(run, text)) {
        let message = format!("{} for {}", counted(most, "command"), counted(configs, "config"));
        report.push(
            Diagnostic::new(&rules::REPRODUCE_TOO_FEW, document.location(pointer), message)
                .pointer(pointer)
                .help("give the command of each config, or acknowledge the rule with the reason"),
        );
    }
    let mut all_same = false;
    for commands in &groups {
        if commands.len() < 2 || configs < 2 {
            continue;
        }
        // A server that is started in another way gives another config to the same benchmark.
        let server_differs = groups.iter().any(|other| !std::ptr::eq(other, commands) && !are_same(other));
        let distinct = commands.iter().map(|command| without_names(command)).collect::<BTreeSet<_>>().len();
        let too_few = distinct < commands.len().min(configs) && (distinct == 1 || !goes_through(run, text));
        if too_few && !server_differs {
            all_same = distinct == 1;
            let message = format!(
                "{} of `{}` differ only in names and output files, so they cannot give {}",
                if all_same {
                    format!("the {}", counted(commands.len(), "command"))
                } else {
                    format!("{} of the {}", commands.len() - distinct + 1, counted(commands.len(), "command"))
                },
                program(&commands[0]).iter().take(2).map(String::as_str).collect::<Vec<_>>().join(" "),
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
    // Commands that say nothing of their differences are named above, and need not be for each config again.
    if !all_same {
        labels::against_commands(run, &groups, document, report);
    }
}

/// Whether a line of a text is a command: no comment, and no sentence. A command may begin with a capital letter or end in
/// a full stop, and hardly both without an option, a path or a setting.
fn has_commands(text: &str) -> bool {
    text.replace("\\\n", " ").lines().any(|line| {
        let line = line.trim();
        let words = words(line);
        let is_comment = words.first().is_none_or(|first| first.starts_with('#'));
        let is_address = |word: &str| word.contains("://");
        let is_setting = |word: &str| word.starts_with(['-', '/']) || word.starts_with("./") || word.contains('=');
        let says_how = words.iter().any(|word| word.len() > 1 && is_setting(word) && !is_address(word));
        let begins = line.starts_with(|first: char| first.is_uppercase());
        let ends = line.ends_with(['.', '!', '?', ':']);
        !is_comment && (says_how || !((begins || ends) && words.len() > 1))
    })
}

/// Whether the spec, a loop of the shell or a list of numbers lets one command measure several configs.
fn goes_through(run: &Run, text: &str) -> bool {
    let is_list = |word: &str| {
        let list = word.rsplit('=').next().unwrap_or(word);
        list.contains(',') && list.split(',').all(|part| part.parse::<f64>().is_ok())
    };
    let lines: Vec<_> = text.lines().map(words).collect();
    // A loop over labels measures one config under several names.
    let is_used = |variable: &str| {
        let says = [format!("${variable}"), format!("${{{variable}}}")];
        lines.iter().any(|line| without_names(line).iter().any(|word| says.iter().any(|used| word.contains(used))))
    };
    run.spec().value("/sweep").is_some()
        || lines.iter().any(|words| match words.first().map(String::as_str) {
            Some("for") => words.get(1).is_none_or(|variable| is_used(variable)),
            Some("while" | "until") => true,
            _ => words.iter().any(|word| is_list(word)),
        })
}

/// The commands of a text by program and subcommand, each as its words.
pub(super) fn alike(text: &str) -> Vec<Vec<Vec<String>>> {
    let mut groups: Vec<Vec<Vec<String>>> = Vec::new();
    for line in text.replace("\\\n", " ").lines() {
        let words = words(line);
        if words.first().is_none_or(|first| first.starts_with('#')) {
            continue;
        }
        let begins = |command: &[String]| program(command).iter().take(2).cloned().collect::<Vec<_>>();
        match groups.iter_mut().find(|group| begins(&group[0]) == begins(&words)) {
            Some(group) => group.push(words),
            None => groups.push(vec![words]),
        }
    }
    groups
}

/// Positions of commands by the label that they give their result, in small letters.
pub(super) fn by_label(commands: &[Vec<String>]) -> BTreeMap<String, Vec<usize>> {
    let mut found = BTreeMap::<_, Vec<_>>::new();
    for (position, command) in commands.iter().enumerate() {
        let value = |at: usize| match command[at].split_once('=') {
            Some((option, value)) => LABEL.contains(&option).then_some(value),
            None => LABEL.contains(&&*command[at]).then(|| command.get(at + 1).map(String::as_str))?,
        };
        for label in (0..command.len()).filter_map(value) {
            found.entry(label.trim().to_lowercase()).or_default().push(position);
        }
    }
    found
}

/// A command from its program on, without the variables that are set before it: `KV=fp8 ./run.sh`.
fn program(command: &[String]) -> &[String] {
    let is_variable = |word: &String| {
        let name = word.split_once('=').map_or("", |(name, _)| name);
        !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    let at = command.iter().position(|word| !is_variable(word) && word != "env").unwrap_or(command.len());
    &command[at..]
}

/// The words of a command; quotes hold a word together and are no part of it.
pub(super) fn words(line: &str) -> Vec<String> {
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
pub(super) fn without_names(command: &[String]) -> Vec<&str> {
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

pub(super) fn strings(value: &Value, pointer: &str, found: &mut impl FnMut(&str, &str)) {
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
    fn variables_before_a_program_are_none_of_its_words() {
        for (text, expected) in [
            ("KV=auto ./run.sh\nKV=fp8 ./run.sh", &[2][..]),
            ("env KV=auto ./run.sh\nKV=fp8 N_1=2 ./run.sh\n./run.sh", &[3]),
            ("KV=auto ./run.sh\nKV=fp8 ./other.sh", &[1, 1]),
            ("--a=b ./run.sh\n--a=c ./run.sh", &[1, 1]),
            ("=b ./run.sh\n=c ./run.sh", &[1, 1]),
            ("KV=auto\nKV=fp8", &[2]),
        ] {
            let lengths: Vec<_> = alike(text).iter().map(Vec::len).collect();
            assert_eq!(lengths, expected, "{text}");
        }
    }

    #[test]
    fn sentences_and_comments_are_no_commands() {
        for (text, expected) in [
            ("bench one", true),
            ("Bench", true),
            ("bench --rate 4", true),
            ("Run the benchmark as usual", false),
            ("see the blog for the commands.", false),
            ("# only a comment", false),
            ("See the blog - there.", false),
            ("See https://a.example/?b=c for more.", false),
            ("Run this:\nbench one", true),
            ("Run this:\n# bench one", false),
            ("./Bench.sh all", true),
            ("MODEL=a bench", true),
            ("Set --rate to 4", true),
        ] {
            assert_eq!(has_commands(text), expected, "{text}");
        }
    }

    #[test]
    fn quotes_hold_a_word_together() {
        assert_eq!(words("a 'b c' \"d 'e\" f''g  'h"), ["a", "b c", "d 'e", "fg", "h"]);
        assert_eq!(words("''"), [""]);
    }
}
