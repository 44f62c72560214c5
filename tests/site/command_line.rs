//! Arguments, exit codes, and what goes to which stream.

use std::fs::OpenOptions;
use std::process::Stdio;

use crate::program::{Outcome, Site, program, run_record};

#[test]
fn wrong_use_ends_with_2_and_the_nearest_right_one() {
    let site = Site::new();
    for (arguments, words) in [
        (&["biuld"][..], &["biuld", "build"][..]),
        (&["build", "--jobs", "0"], &["--jobs", "0"]),
        (&["build", "--jobs", "many"], &["--jobs", "many"]),
        (&["build", "--base-url", ""], &["--base-url"]),
        (&["build", "--output", ""], &["--output"]),
        (&["check", "--draft"], &["--draft", "--drafts"]),
        (&[], &["Usage"]),
    ] {
        site.ask(arguments).ended(2, words);
    }
}

#[test]
fn a_setting_that_site_toml_may_not_have_is_wrong_use() {
    let site = Site::of_runs(&["a"]);
    let base_urls = ["results.example", "https://", "https://results.example/?q", "https://me:word@results.example/"];
    for base_url in base_urls {
        site.ask(&["build", "--base-url", base_url]).ended(2, &["--base-url", base_url]);
    }
    for source_ref in ["a b", "../x", "main?plain=1"] {
        site.ask(&["build", "--source-ref", source_ref]).ended(2, &["--source-ref", source_ref]);
    }
    assert!(!site.path("public").exists());
}

#[test]
fn a_root_that_is_not_there_or_has_no_settings_is_named() {
    let site = Site::new();
    for (command, root) in [("check", "nowhere"), ("build", "nowhere"), ("build", "site.toml")] {
        site.ask(&[command, "-C", root]).ended(2, &[root, "not a folder"]);
    }
    site.remove("site.toml");
    site.check().ended(2, &["site.toml"]);
}

#[test]
fn the_two_keys_and_an_empty_folder_of_runs_are_a_site() {
    let site = Site::new();
    let outcome = site.build().good();
    assert_eq!(outcome.stderr, "");
    assert!(site.published().has("index.html"));
}

#[test]
fn help_has_examples_and_exit_codes_and_goes_to_stdout() {
    for arguments in [&["--help"][..], &["help"], &["build", "--help"], &["--version"]] {
        let outcome = Site::new().ask(arguments).good();
        assert!(outcome.stderr.is_empty() && !outcome.stdout.is_empty(), "{outcome:?}");
    }
    let help = Site::new().ask(&["--help"]).stdout;
    assert!(help.contains("site check") && help.contains("Exit codes"), "{help}");
}

#[test]
fn check_writes_nothing() {
    let site = Site::of_runs(&["a"]);
    site.check().good();
    assert_eq!(crate::tree::names(&site.path("")), ["content", "site.toml"]);
}

#[test]
fn check_refuses_the_output_that_build_refuses() {
    let site = Site::of_runs(&["a"]).file("foreign/thesis.txt", "years of work");
    for output in ["content", "/", "foreign"] {
        for command in ["build", "check"] {
            site.ask(&[command, "--output", output]).ended(2, &["output directory"]);
        }
    }
}

#[test]
fn the_last_line_accounts_for_every_file() {
    let ids = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let draft = run_record("k").replace("published\",\n  \"title", "draft\",\n  \"title");
    let site = Site::of_runs(&ids).file("content/runs/k.json", draft).file("content/runs/run.jsn", "{}");
    let outcome = site.build().good();
    let line = "12 files: 10 published, 1 draft, 1 not recognised (run.jsn)";
    assert!(outcome.stdout.contains(line), "{outcome:?}");
    outcome.says(&["warning", "content/runs/run.jsn"]);
}

#[test]
fn drafts_are_hidden_until_they_are_asked_for() {
    let draft = run_record("unready").replace("\"status\": \"published\"", "\"status\": \"draft\"");
    let site = Site::of_runs(&["a"]).file("content/runs/unready.json", draft);
    site.build().good();
    let hidden = site.published();
    let named = hidden.files.iter().filter(|(_, bytes)| String::from_utf8_lossy(bytes).contains("unready"));
    assert_eq!(named.map(|(path, _)| path).collect::<Vec<_>>(), [""; 0]);
    site.ask(&["build", "--drafts"]).good();
    assert!(site.published().has("runs/unready.html"));
}

#[test]
fn warnings_pass_unless_they_are_denied() {
    let slow = run_record("a").replace("\"only\"", "\"only\", \"tpot_p99_ms\": 0.0406");
    let site = Site::new().file("content/runs/a.json", slow);
    site.check().good().says(&["warning", "tpot_p99_ms", "0.0406 ms", "is this in seconds"]);
    site.ask(&["check", "--deny-warnings"]).refused(&["warning", "--deny-warnings"]);
}

#[test]
fn denied_warnings_leave_the_old_site() {
    let site = Site::new();
    site.ask(&["build", "--deny-warnings"]).good();
    let before = site.published();
    let site = site.file("content/runs/stray.jsn", "{}");
    site.ask(&["build", "--deny-warnings"]).refused(&["stray.jsn"]);
    crate::tree::assert_same(&before, &site.published(), "after denied warnings");
}

#[test]
fn colour_is_for_terminals_and_for_those_who_ask() {
    let site = Site::new().file("content/runs/a.json", "{");
    let coloured = |variables: &[(&str, &str)]| {
        let mut check = site.program(&["check"]);
        check.envs(variables.iter().copied());
        Outcome::of(check, &site.path("")).refused(&["error"]).stderr.contains('\u{1b}')
    };
    assert!(!coloured(&[]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn a_full_device_as_standard_output_is_a_fault_of_the_system() {
    let site = Site::of_runs(&["a"]);
    for arguments in [&["check"][..], &["--help"]] {
        let Ok(full) = OpenOptions::new().write(true).open("/dev/full") else {
            return crate::program::skip("a full device", "there is no /dev/full");
        };
        let mut command = site.program(arguments);
        let status = command.stdout(full).stderr(Stdio::null()).status().expect("the program is built");
        assert_eq!(status.code(), Some(3), "{arguments:?}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let site = Site::of_runs(&["a"]);
    let (reader, writer) = std::io::pipe().expect("a pipe can be made");
    drop(reader);
    let mut command = site.program(&["check"]);
    let output = command.stdout(writer).output().expect("the program is built");
    assert_eq!(output.status.code(), Some(0));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("could not print"));
}

#[test]
fn control_characters_of_others_do_not_reach_the_terminal() {
    let site = Site::new().file("content/runs/a\u{1b}[31m.json", "{");
    let outcome = site.check().refused(&["content/runs/a"]);
    assert!(!outcome.stderr.contains('\u{1b}'), "{outcome:?}");
}

#[test]
fn the_program_needs_no_environment() {
    let output = program().arg("--version").output().expect("the program is built");
    assert_eq!(String::from_utf8_lossy(&output.stdout), concat!("site ", env!("CARGO_PKG_VERSION"), "\n"));
}
