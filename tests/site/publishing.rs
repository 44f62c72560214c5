//! The published folder is the old site or the new one, and nothing of others is ever touched.

use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::program::{Folder, Outcome, Site, skip};
use crate::tree::{self, Tree, assert_same};

#[test]
fn an_output_that_holds_or_is_something_else_is_refused() {
    let site = Site::of_runs(&["a"]).file("theirs/note.txt", "keep me").file("ours/.git/HEAD", "keep me");
    symlink(site.path("content"), site.path("link")).expect("folder is ours");
    let before = Tree::of(&site.path(""));
    let home = site.path("theirs");
    let long = "x".repeat(250);
    let outputs = [
        ".",
        "..",
        "content",
        "content/runs",
        "content/runs/x",
        "theirs",
        "ours",
        "link",
        "/",
        "site.toml",
        "site.toml/x",
        "/dev/null",
        &long,
    ];
    for output in outputs {
        let mut build = site.program(&["build", "--output", output]);
        build.env("HOME", &home);
        let outcome = Outcome::of(build, &site.path(""));
        assert_eq!(outcome.exit, Some(2), "--output {output}: {outcome:?}");
        assert!(outcome.stderr.contains("error:"), "--output {output}: {outcome:?}");
        assert_same(&before, &Tree::of(&site.path("")), &format!("--output {output}"));
    }
}

#[test]
fn a_home_folder_is_refused_even_when_it_is_empty() {
    let site = Site::of_runs(&["a"]);
    fs::create_dir(site.path("home")).expect("folder is ours");
    let mut build = site.program(&["build", "--output", "home"]);
    build.env("HOME", site.path("home"));
    let outcome = Outcome::of(build, &site.path(""));
    assert!(matches!(outcome.exit, Some(2 | 3)), "{outcome:?}");
    assert_eq!(tree::names(&site.path("home")), [""; 0]);
}

#[test]
fn a_foreign_file_in_the_published_folder_is_named_and_kept() {
    for foreign in ["notes/draft.txt", ".git/HEAD"] {
        let site = Site::of_runs(&["a"]);
        site.build().good();
        site.write(&format!("public/{foreign}"), "keep me");
        let before = site.published();
        let outcome = site.build();
        assert!(matches!(outcome.exit, Some(2 | 3)), "{outcome:?}");
        let outer = foreign.split('/').next().expect("a path has a start");
        outcome.says(&[outer]);
        assert_same(&before, &site.published(), foreign);
    }
}

#[test]
fn pages_of_removed_and_renamed_records_disappear() {
    let site = Site::of_runs(&["a", "b", "c"]);
    site.build().good();
    site.remove("content/runs/b.json");
    site.remove("content/runs/c.json");
    let site = site.run("d");
    site.build().good();

    let fresh = Site::of_runs(&["a", "d"]);
    fresh.build().good();
    assert_same(&fresh.published(), &site.published(), "after removing b and renaming c");
    assert!(!site.published().has("runs/b.html"));
}

#[test]
fn a_refused_build_leaves_the_old_site_untouched() {
    let site = Site::of_runs(&["a", "z"]);
    site.build().good();
    let (before, times) = (site.published(), tree::times(&site.path("public")));
    site.write("content/runs/z.json", "{");
    site.build().refused(&["content/runs/z.json"]);
    assert_same(&before, &site.published(), "after a refused build");
    assert_eq!(times, tree::times(&site.path("public")));
}

#[test]
fn a_killed_build_leaves_the_old_site_or_the_new_one() {
    let [old, new] = [&["a", "b"][..], &["a", "c", "d"]].map(|ids| {
        let site = Site::of_runs(ids);
        let start = Instant::now();
        site.build().good();
        (site.published(), start.elapsed())
    });
    let site = Site::of_runs(&["a", "b"]);
    site.build().good();
    let beside = tree::names(&site.path(""));
    let content = |keep: &[&str]| {
        for id in ["a", "b", "c", "d"] {
            let path = format!("content/runs/{id}.json");
            if keep.contains(&id) {
                site.write(&path, crate::program::run_record(id));
            } else if site.path(&path).exists() {
                site.remove(&path);
            }
        }
    };
    for round in 0..20 {
        content(&["a", "c", "d"]);
        let mut build = site.program(&["build"]);
        let mut child = build.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program is built");
        thread::sleep(new.1.mul_f64(f64::from(round) / 18.0));
        child.kill().expect("a child can be killed");
        child.wait().expect("a child can be waited for");
        let found = site.published();
        assert!(found == old.0 || found == new.0, "round {round}: neither the old nor the new site");

        content(&["a", "b"]);
        site.build().good();
        assert_same(&old.0, &site.published(), "the build after a killed one");
        assert_eq!(tree::names(&site.path("")), beside, "round {round} left something behind");
    }
}

/// Dies at every call that changes names on the disk, one after the other.
#[test]
fn a_build_killed_at_any_change_of_names_leaves_a_whole_site() {
    let traced = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).output();
    if !traced.is_ok_and(|output| output.status.success()) {
        return skip("killed at each change of names", "strace does not work here");
    }
    let old = Site::of_runs(&["a"]);
    old.build().good();
    let new = Site::of_runs(&["b"]);
    new.build().good();
    let (mut reached_end, mut killed) = (0, 0);
    for call in ["rename", "renameat", "renameat2", "unlink", "unlinkat", "rmdir", "fsync"] {
        for count in 1..100 {
            let site = Site::of_runs(&["a"]);
            site.build().good();
            let beside = tree::names(&site.path(""));
            site.remove("content/runs/a.json");
            let site = site.run("b");
            let mut traced = Command::new("strace");
            traced.args(["-f", "-qq", "-o", "/dev/null", "-e", "signal=none"]);
            traced.args(["-e", &format!("inject={call}:signal=KILL:when={count}")]);
            traced.arg(env!("CARGO_BIN_EXE_site")).arg("build").current_dir(site.path("")).env_clear();
            let exit = traced.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("strace works");
            let found = site.published();
            assert!(found == old.published() || found == new.published(), "{call} {count}: half a site");
            site.build().good();
            assert_same(&new.published(), &site.published(), &format!("the build after {call} {count}"));
            assert_eq!(tree::names(&site.path("")), beside, "{call} {count} left something behind");
            if exit.success() {
                reached_end += 1;
                break;
            }
            killed += 1;
        }
    }
    assert_eq!(reached_end, 7, "a call that never stops coming");
    assert!(killed > 5, "{killed} builds were killed");
}

#[test]
fn builds_at_once_take_turns_or_say_so() {
    let site = Site::of_runs(&["a", "b"]);
    site.build().good();
    let whole = site.published();
    let beside = tree::names(&site.path(""));
    for _ in 0..5 {
        let builds: Vec<_> = (0..4)
            .map(|_| {
                let mut build = site.program(&["build"]);
                build.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program is built")
            })
            .collect();
        for build in builds {
            let output = build.wait_with_output().expect("a child can be waited for");
            let said = String::from_utf8_lossy(&output.stderr);
            let turned_away = output.status.code() == Some(3) && said.contains("another build");
            assert!(output.status.success() || turned_away, "{said}");
        }
        assert_same(&whole, &site.published(), "after four builds at once");
        assert_eq!(tree::names(&site.path("")), beside);
    }
}

#[test]
fn a_full_disk_is_said_and_leaves_the_old_site() {
    let small = Site::of_runs(&["a"]);
    let big = Site::of_runs(&["a"])
        .file("static/big/1.bin", vec![b'x'; 12 << 20])
        .file("static/big/2.bin", vec![b'x'; 12 << 20]);
    let folder = Folder::new();
    let script = r#"
        mkdir disk && mount -t tmpfs -o size=16m tmpfs disk || exit 99
        "$0" build -C "$1" --output disk/public || exit 98
        cp -r disk/public before
        "$0" build -C "$2" --output disk/public
        exit=$?
        cp -r disk/public after
        ls -A disk > left
        exit $exit"#;
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_site")]);
    command.args([small.path(""), big.path("")]).current_dir(folder.path());
    let outcome = Outcome::of(command, folder.path());
    if outcome.exit == Some(99) || outcome.stderr.starts_with("unshare:") {
        return skip("a full disk", "no small file system can be mounted here");
    }
    outcome.ended(3, &["ROOT/disk"]);
    let after = Tree::of(&folder.path().join("after"));
    assert!(after.has("index.html"));
    assert_same(&Tree::of(&folder.path().join("before")), &after, "after a full disk");
}

#[test]
fn a_write_that_is_cut_short_is_said_and_leaves_the_old_site() {
    let site = Site::of_runs(&["a"]);
    site.build().good();
    let before = site.published();
    let site = site.file("static/big.bin", vec![b'x'; 4 << 20]);
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 2048; exec \"$0\" build", env!("CARGO_BIN_EXE_site")]);
    command.current_dir(site.path(""));
    Outcome::of(command, &site.path("")).ended(3, &["big.bin"]);
    assert_same(&before, &site.published(), "after a write that was cut short");
}

#[test]
fn an_output_in_a_folder_that_may_not_be_written_is_a_fault_of_the_system() {
    let site = Site::of_runs(&["a"]);
    let outcome = site.ask(&["build", "--output", "/proc/nothing/public"]);
    outcome.ended(3, &["/proc/nothing"]);
}

#[test]
fn a_reader_never_sees_the_published_folder_missing() {
    let site = Site::of_runs(&["a"]);
    site.build().good();
    let mut build = site.program(&["build"]);
    let mut child = build.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program is built");
    let started = Instant::now();
    while child.try_wait().expect("a child can be asked").is_none() {
        assert!(site.path("public/index.html").exists());
        assert!(started.elapsed() < Duration::from_secs(60), "a build that does not end");
    }
}
