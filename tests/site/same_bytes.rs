//! The same content gives the same bytes, wherever and however it is built.

use std::process::Command;

use crate::program::{Outcome, Site, run_record, skip};
use crate::tree::{Tree, assert_same};

#[test]
fn threads_time_zones_and_folders_leave_no_mark() {
    let expected = Site::of_repository_built().published();
    let zones = ["UTC", "America/Los_Angeles", "Asia/Tokyo", "Pacific/Kiritimati"];
    for round in 0..4 {
        let site = Site::of_repository();
        let jobs = ["1", "2", "8", "1"][round];
        let mut build = site.program(&["build", "--jobs", jobs]);
        build.env("TZ", zones[round]).env("LC_ALL", "tr_TR.UTF-8").env("COLUMNS", "40");
        Outcome::of(build, &site.path("")).good();
        assert_same(&expected, &site.published(), &format!("round {round}, {jobs} jobs"));
    }
}

#[test]
fn the_order_in_which_files_were_made_leaves_no_mark() {
    let [forwards, backwards] = [["a", "b", "c"], ["c", "b", "a"]].map(|ids| {
        let site = Site::of_runs(&ids);
        site.build().good();
        site.published()
    });
    assert_same(&forwards, &backwards, "files made in another order");
}

#[test]
fn the_root_may_be_named_or_stood_in() {
    let site = Site::of_runs(&["a"]);
    site.build().good();
    let elsewhere = Site::new();
    let root = site.path("");
    elsewhere.ask(&["build", "-C", root.to_str().expect("plain names"), "--output", "out"]).good();
    assert_same(&site.published(), &Tree::of(&elsewhere.path("out")), "with -C and --output");
}

#[test]
fn byte_order_marks_and_line_ends_leave_no_mark() {
    let plain = Site::of_repository_built();
    let odd = Site::of_repository();
    let marked = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    for path in Tree::of(&odd.path("content")).files.into_keys() {
        let path = format!("content/{path}");
        odd.write(&path, marked(&odd.read(&path)));
    }
    odd.write("site.toml", marked(&odd.read("site.toml")));
    odd.build().good();
    assert_same(&plain.published(), &odd.published(), "with a byte-order mark and CRLF");
}

#[test]
fn without_a_network_the_same_site_comes_out() {
    let online = Site::of_repository_built().published();
    let alone = Site::of_repository();
    let mut command = Command::new("unshare");
    command.args(["-rn", env!("CARGO_BIN_EXE_site"), "build"]).current_dir(alone.path(""));
    let outcome = Outcome::of(command, &alone.path(""));
    if outcome.stderr.starts_with("unshare:") {
        return skip("without a network", "no network namespace can be made here");
    }
    outcome.good();
    assert_same(&online, &alone.published(), "without a network");
}

#[test]
fn no_socket_is_opened_and_no_program_started() {
    let elsewhere = "\"$schema\": \"https://example.invalid/run.json\", \"id\"";
    let site = Site::new().file("content/runs/a.json", run_record("a").replacen("\"id\"", elsewhere, 1));
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", "trace=network,execve", "-o", "calls"]);
    command.arg(env!("CARGO_BIN_EXE_site")).arg("build").current_dir(site.path(""));
    if !command.output().is_ok_and(|output| output.status.success()) {
        return skip("no socket is opened", "strace does not work here");
    }
    let calls = site.read("calls");
    let calls: Vec<&str> = calls.lines().filter(|line| line.contains('(')).collect();
    assert!(calls.len() == 1 && calls[0].contains("execve("), "{calls:#?}");
}
