//! A site is replaced whole or not at all, and nothing else is ever touched.

mod leftovers;
mod refusals;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rayon::prelude::*;
use rustix::io::Errno;
use tempfile::TempDir;
use walkdir::WalkDir;

use super::swap::{self, NEW, OWNER};
use super::*;

/// A root with sources, and its output directory.
struct Root {
    folder: TempDir,
}

impl Root {
    fn new() -> Self {
        let root = Root { folder: tempfile::tempdir().expect("a temporary directory") };
        for file in ["site.toml", "content/runs/a.json", "static/CNAME", "schemas/run.json"] {
            root.put(file, "source");
        }
        root
    }

    fn path(&self, below: &str) -> PathBuf {
        self.folder.path().canonicalize().expect("it exists").join(below)
    }

    fn put(&self, below: &str, text: &str) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().expect("below the root")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn claim(&self, output: &str) -> Result<Claim, OutputError> {
        Claim::take(&self.path(""), &self.path(output))
    }

    fn build(&self, site: &[(&str, &str)]) -> Result<Published, OutputError> {
        self.build_by(site, swap::exchange)
    }

    fn build_by(&self, site: &[(&str, &str)], exchange: swap::Exchange) -> Result<Published, OutputError> {
        let mut claim = self.claim("public")?;
        let staging = Staging::begin(&mut claim)?;
        site.iter().try_for_each(|(path, text)| staging.write(path, |out| out.write_all(text.as_bytes())))?;
        staging.publish_by(exchange)
    }

    /// Every file below a folder and its text, without the manifest.
    fn tree(&self, below: &str) -> BTreeMap<String, String> {
        let folder = self.path(below);
        WalkDir::new(&folder)
            .into_iter()
            .map(|entry| entry.expect("readable"))
            .filter(|entry| entry.file_type().is_file() && entry.file_name() != manifest::NAME)
            .map(|entry| {
                let path = entry.path().strip_prefix(&folder).expect("below").to_str().expect("UTF-8").to_owned();
                (path, fs::read_to_string(entry.path()).expect("readable"))
            })
            .collect()
    }

    /// Names in the root, by which leftovers show.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path("")).expect("readable");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("readable").file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }

    fn refusal(&self, output: &str) -> String {
        let before = self.tree("");
        let error = self.claim(output).expect_err("refused");
        assert!(matches!(error, OutputError::Refused(_)), "{error}");
        assert_eq!(self.tree(""), before, "a refusal touches nothing");
        error.to_string().replace(self.path("").to_str().expect("UTF-8").trim_end_matches('/'), "ROOT")
    }
}

fn tree(site: &[(&str, &str)]) -> BTreeMap<String, String> {
    site.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

const OLD: &[(&str, &str)] = &[("index.html", "old"), ("runs/a.html", "same"), ("runs/gone.html", "gone")];
const NEXT: &[(&str, &str)] = &[("index.html", "new"), ("runs/a.html", "same"), ("data/index.json", "[]")];
const CLEAN: [&str; 5] = ["content", "public", "schemas", "site.toml", "static"];

fn unknown_call(_: &Path, _: &Path) -> io::Result<()> {
    Err(Errno::NOSYS.into())
}

fn broken_disk(_: &Path, _: &Path) -> io::Result<()> {
    Err(Errno::IO.into())
}

#[test]
fn a_site_is_written_whole_with_plain_modes() {
    let root = Root::new();
    let published = root.build(OLD).expect("published");
    assert_eq!((published.outcome, published.files, published.bytes), (Outcome::Replaced, 3, 11));
    assert_eq!(root.tree("public"), tree(OLD));
    assert_eq!(root.names(), CLEAN);
    let mode = |below: &str| root.path(below).metadata().expect("there").permissions().mode() & 0o7777;
    assert_eq!([mode("public"), mode("public/runs"), mode("public/runs/a.html")], [0o755, 0o755, 0o644]);
}

#[test]
fn the_manifest_lists_every_file() {
    let root = Root::new();
    root.build(OLD).expect("published");
    let text = fs::read_to_string(root.path("public/.site-manifest")).expect("there");
    let paths: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split(' ').nth(2)).collect();
    assert_eq!(paths, ["index.html", "runs/a.html", "runs/gone.html"]);
}

#[test]
fn pages_that_are_gone_disappear_with_their_folders() {
    let root = Root::new();
    root.build(OLD).expect("published");
    assert_eq!(root.build(NEXT).expect("published").outcome, Outcome::Replaced);
    assert_eq!(root.tree("public"), tree(NEXT));
    root.build(&[("a", "1")]).expect("published");
    assert!(!root.path("public/runs").exists());
    assert_eq!(root.names(), CLEAN);
}

#[test]
fn an_unchanged_site_is_not_touched() {
    let root = Root::new();
    root.build(OLD).expect("published");
    let times = || -> BTreeMap<PathBuf, (u64, SystemTime, i64)> {
        WalkDir::new(root.path("public"))
            .into_iter()
            .map(|entry| {
                let entry = entry.expect("readable");
                let there = entry.metadata().expect("there");
                (entry.into_path(), (there.ino(), there.modified().expect("known"), there.ctime_nsec()))
            })
            .collect()
    };
    let before = times();
    assert_eq!(root.build(OLD).expect("published").outcome, Outcome::Unchanged);
    assert_eq!(times(), before);
    assert_eq!(root.names(), CLEAN);
}

#[test]
fn an_unchanged_file_keeps_its_place_on_disk_and_one_name() {
    let root = Root::new();
    root.build(OLD).expect("published");
    let file = root.path("public/runs/a.html");
    let before = file.metadata().expect("there");
    root.build(NEXT).expect("published");
    let after = file.metadata().expect("there");
    assert_eq!((after.ino(), after.mtime_nsec(), after.nlink()), (before.ino(), before.mtime_nsec(), 1));
}

#[test]
fn a_published_file_that_was_edited_or_removed_is_written_again() {
    let root = Root::new();
    root.build(OLD).expect("published");
    root.put("public/runs/a.html", "edit");
    assert_eq!(root.build(OLD).expect("published").outcome, Outcome::Replaced);
    assert_eq!(root.tree("public"), tree(OLD));
    fs::remove_file(root.path("public/index.html")).expect("removed");
    root.build(OLD).expect("published");
    assert_eq!(root.tree("public"), tree(OLD));
}

#[test]
fn a_build_that_fails_midway_leaves_the_old_site() {
    let root = Root::new();
    root.build(OLD).expect("published");
    let mut claim = root.claim("public").expect("ours");
    let staging = Staging::begin(&mut claim).expect("begun");
    staging.write("index.html", |out| out.write_all(b"new")).expect("written");
    let clash = staging.write("Index.html", |out| out.write_all(b"other")).expect_err("two producers");
    assert_eq!(clash.to_string(), "`Index.html` and `index.html` would be written to one place");
    assert!(matches!(staging.write("../escape", |out| out.write_all(b"x")), Err(OutputError::Unsafe(_))));
    drop(staging);
    drop(claim);
    assert_eq!(root.tree("public"), tree(OLD));
    assert_eq!(root.names(), CLEAN);
}

#[test]
fn a_fault_of_the_swap_leaves_the_old_site() {
    let root = Root::new();
    root.build(OLD).expect("published");
    let error = root.build_by(NEXT, broken_disk).expect_err("failed");
    assert!(error.to_string().starts_with("cannot exchange `"), "{error}");
    assert_eq!(root.tree("public"), tree(OLD));
    assert_eq!(root.names(), CLEAN);
}

#[test]
fn without_exchange_the_old_site_is_set_aside() {
    let root = Root::new();
    root.build(OLD).expect("published");
    assert_eq!(root.build_by(NEXT, unknown_call).expect("published").outcome, Outcome::Replaced);
    assert_eq!(root.tree("public"), tree(NEXT));
    assert_eq!(root.names(), CLEAN);
}

#[test]
fn threads_write_together() {
    let root = Root::new();
    let mut claim = root.claim("public").expect("ours");
    let staging = Staging::begin(&mut claim).expect("begun");
    let write = |number: u32| {
        staging.write(&format!("deep/er/{}/{number}.html", number % 7), |out| out.write_all(&number.to_le_bytes()))
    };
    (0..200).into_par_iter().try_for_each(write).expect("written");
    let same = (0..8).into_par_iter().filter(|_| staging.write("one.html", |out| out.write_all(b"x")).is_ok()).count();
    assert_eq!(same, 1);
    assert_eq!(staging.publish().expect("published").files, 201);
}

#[test]
fn what_is_too_large_to_be_held_is_the_same_on_disk_and_not_touched_where_it_is_there() {
    let root = Root::new();
    let long = "0123456789abcdef".repeat(1 << 17);
    let build = |end: &str| {
        let mut claim = root.claim("public").expect("ours");
        let staging = Staging::begin(&mut claim).expect("begun");
        let parts = long.as_bytes().chunks(1 << 16).chain([end.as_bytes()]);
        let made = staging.write("data/long.csv", |out| parts.into_iter().try_for_each(|part| out.write_all(part)));
        made.expect("written");
        staging.publish().expect("published").outcome
    };
    assert_eq!(build("end"), Outcome::Replaced);
    assert_eq!(root.tree("public")["data/long.csv"], format!("{long}end"));
    assert_eq!(build("end"), Outcome::Unchanged);
    assert_eq!(build("other"), Outcome::Replaced);
    assert_eq!(root.tree("public")["data/long.csv"], format!("{long}other"));
    assert_eq!(root.names(), CLEAN);
}

#[test]
fn two_builds_do_not_share_an_output() {
    let root = Root::new();
    let claim = root.claim("public").expect("ours");
    let second = root.claim("public").expect_err("claimed");
    assert!(matches!(second, OutputError::Busy { .. }));
    root.claim("elsewhere").expect("another directory");
    drop(claim);
    root.claim("public").expect("free again");
}
