//! Walks and reads a root, within limits and without following links.
#![allow(clippy::disallowed_methods, reason = "the one module that reads the disk")]

use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use walkdir::WalkDir;

use super::address::{self, Placed};
use super::text::{self, barred};
use super::{Kind, Source, Sources};
use crate::diagnostic::{Diagnostic, Location, Report, SourceText, rules};

const FILE_MIB: u64 = 16;
const MARKDOWN_MIB: u64 = 1;
const MAX_RECORDS: usize = 100_000;

/// Whether there is a folder to read.
pub fn is_root(root: &Path) -> bool {
    root.is_dir()
}

/// Reads `site.toml`, `content/` and `static/` of a root; what cannot be read is reported.
pub fn load(root: &Path, report: &mut Report) -> Sources {
    let mut sources = Sources { site: site(root, report), ..Sources::default() };
    let mut records = Vec::new();
    for found in walk(root, "content", report) {
        place(found, &mut records, &mut sources.ignored, report);
    }
    refuse_shared(&records, report);
    let read: Vec<_> = records.into_par_iter().map(read_record).collect();
    sources.content = read.into_iter().filter_map(|result| kept(result, report)).collect();
    sources.static_files = static_files(root, report);
    sources
}

/// A file that the walk found.
pub(super) struct Found {
    /// Below the root, with `/`.
    pub path: String,
    pub disk: PathBuf,
}

struct Record {
    found: Found,
    kind: Kind,
    address: String,
}

fn site(root: &Path, report: &mut Report) -> Option<Source> {
    const NAME: &str = "site.toml";
    let disk = root.join(NAME);
    let read = match fs::symlink_metadata(&disk) {
        Ok(metadata) if metadata.is_file() => {
            let found = Found { path: NAME.to_owned(), disk };
            read_record(Record { found, kind: Kind::Site, address: "site".to_owned() })
        }
        Ok(metadata) => Err(not_a_file(NAME, metadata.file_type())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(Diagnostic::new(&rules::FILE_MISSING, whole(NAME), "site.toml is missing")
                .help("create it with two lines: title = \"…\" and base_url = \"https://…\""))
        }
        Err(error) => Err(io_error(NAME, &error)),
    };
    kept(read, report)
}

/// Files below a folder of the root, by name; links and devices are refused, leftovers kept for the caller.
fn walk(root: &Path, folder: &str, report: &mut Report) -> Vec<Found> {
    let top = root.join(folder);
    if fs::symlink_metadata(&top).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        if folder == "content" {
            report.push(
                Diagnostic::new(&rules::FILE_MISSING, whole(folder), "the folder content/ is missing")
                    .help("create content/runs/ and put a run record into it"),
            );
        }
        return Vec::new();
    }
    let mut files = Vec::new();
    for entry in WalkDir::new(&top).follow_root_links(false).sort_by_file_name() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().unwrap_or(&top);
                let below = path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
                // walkdir's own wording holds the whole path on disk.
                let cause = error.into_io_error().unwrap_or_else(|| io::Error::other("the walk failed"));
                report.push(io_error(&below, &cause));
                continue;
            }
        };
        let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
        let Some(path) = with_slashes(below) else {
            let shown = below.to_string_lossy();
            report.push(Diagnostic::new(&rules::FILE_NAME, whole(&shown), "the name of the file is not UTF-8"));
            continue;
        };
        let kind = entry.file_type();
        let passed_over = address::leftover(&path).is_some();
        if kind.is_dir() || (passed_over && !kind.is_file()) {
            continue;
        }
        if kind.is_file() {
            files.push(Found { path, disk: entry.into_path() });
        } else {
            report.push(not_a_file(&path, kind));
        }
    }
    files
}

fn place(found: Found, records: &mut Vec<Record>, ignored: &mut Vec<(String, String)>, report: &mut Report) {
    let below = found.path.strip_prefix("content/").unwrap_or(&found.path);
    if let Some(reason) = address::leftover(below) {
        ignored.push((found.path, reason.to_owned()));
        return;
    }
    match address::place(below) {
        Placed::Record { .. } if records.len() == MAX_RECORDS => {
            let message = format!("expected at most {MAX_RECORDS} files in content/, found more");
            report.push(
                Diagnostic::new(&rules::FILE_COUNT, whole(&found.path), message)
                    .help("split the content into two sites"),
            );
        }
        Placed::Record { kind, address } => records.push(Record { found, kind, address }),
        Placed::Unknown { reason, help } => {
            let message = format!("not recognised: {reason}");
            report.push(Diagnostic::new(&rules::FILE_UNKNOWN, whole(&found.path), message).help(help));
            ignored.push((found.path, reason));
        }
        Placed::Refused { rule, reason, help } => {
            report.push(Diagnostic::new(rule, whole(&found.path), reason).help(help));
        }
    }
}

/// Refuses addresses that are one where case does not count; a record and its curator's note share theirs.
fn refuse_shared(records: &[Record], report: &mut Report) {
    let mut seen: BTreeMap<String, &Record> = BTreeMap::new();
    for record in records {
        let lower = record.address.to_lowercase();
        let message = match seen.get(&lower) {
            Some(first) if first.address != record.address => {
                format!("shares the address `{lower}` with {} where case does not count", first.found.path)
            }
            Some(_) => continue,
            None => {
                seen.insert(lower, record);
                continue;
            }
        };
        let help = "rename one of the two; on some hosts and file systems one page would overwrite the other";
        report.push(Diagnostic::new(&rules::ADDRESS_CASE, whole(&record.found.path), message).help(help));
    }
}

fn read_record(record: Record) -> Result<Source, Diagnostic> {
    let Record { found, kind, address } = record;
    let limit = if kind.extension() == "json" { FILE_MIB } else { MARKDOWN_MIB };
    let text = read_text(&found, limit)?;
    let sha256 = Sha256::digest(text.text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Source { kind, address, text: Arc::new(text), sha256 })
}

/// The root's `static/`, without leftovers; `.well-known/` is the one hidden name that hosts ask for.
fn static_files(root: &Path, report: &mut Report) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for found in walk(root, "static", report) {
        let below = found.path.strip_prefix("static/").unwrap_or(&found.path).to_owned();
        if address::leftover(below.strip_prefix(".well-known/").unwrap_or(&below)).is_some() {
            continue;
        }
        if below.chars().any(|character| barred(character).is_some() || character.is_control() || character == '\\') {
            let message = "the name of the file cannot stand in an address";
            report.push(Diagnostic::new(&rules::FILE_NAME, whole(&found.path), message));
            continue;
        }
        files.extend(kept(read(&found, FILE_MIB), report).map(|bytes| (below, bytes)));
    }
    files
}

fn read_text(found: &Found, limit_mib: u64) -> Result<SourceText, Diagnostic> {
    text::decode(&found.path, read(found, limit_mib)?)
}

/// The bytes of a file, its size looked at before it is read and while it is.
pub(super) fn read(found: &Found, limit_mib: u64) -> Result<Vec<u8>, Diagnostic> {
    let limit = limit_mib << 20;
    let too_large = |size: u64| {
        let message = format!("expected at most {limit_mib} MiB, found {size} bytes");
        Diagnostic::new(&rules::FILE_SIZE, whole(&found.path), message).help("split the file")
    };
    let failed = |error: io::Error| io_error(&found.path, &error);
    let mut file = File::open(&found.disk).map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len();
    if size > limit {
        return Err(too_large(size));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    let read = file.by_ref().take(limit + 1).read_to_end(&mut bytes).map_err(failed)?;
    if read as u64 > limit { Err(too_large(read as u64)) } else { Ok(bytes) }
}

fn not_a_file(path: &str, kind: fs::FileType) -> Diagnostic {
    if kind.is_symlink() {
        Diagnostic::new(&rules::FILE_LINK, whole(path), "symbolic links are not followed")
            .help("put the file itself here")
    } else {
        let found = if kind.is_dir() { "a folder" } else { "a pipe, socket or device" };
        Diagnostic::new(&rules::FILE_SPECIAL, whole(path), format!("expected a file, found {found}")).help("remove it")
    }
}

pub(super) fn io_error(path: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::new(&rules::FILE_IO, whole(path), format!("cannot be read: {error}"))
}

fn with_slashes(path: &Path) -> Option<String> {
    let segments: Option<Vec<&str>> = path.iter().map(|segment| segment.to_str()).collect();
    segments.map(|segments| segments.join("/"))
}

fn whole(path: &str) -> Location {
    Location::File(path.to_owned())
}

fn kept<T>(result: Result<T, Diagnostic>, report: &mut Report) -> Option<T> {
    result.map_err(|problem| report.push(problem)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root of its own for one test, removed at the end.
    struct Root(PathBuf);

    impl Root {
        fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let root = std::env::temp_dir().join(format!("results-site-load-{}-{name}", std::process::id()));
            let root = Root(root);
            for (path, text) in files {
                let path = root.0.join(path);
                fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("temporary folder");
                fs::write(path, text).expect("temporary file");
            }
            root
        }

        fn load(&self) -> (Sources, Vec<String>) {
            let mut report = Report::new();
            let sources = load(&self.0, &mut report);
            let said =
                report.diagnostics().map(|one| format!("{}: {}: {}", one.location.path(), one.rule.code, one.message));
            (sources, said.collect())
        }
    }

    impl Drop for Root {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn content_comes_in_order_and_every_file_is_accounted_for() {
        let root = Root::new(
            "order",
            &[
                ("site.toml", "title = \"t\"\r\n"),
                ("content/runs/b.json", "\u{feff}{}"),
                ("content/runs/a.json", "{}"),
                ("content/runs/a.md", "---\n---\n"),
                ("content/audits/2026/x.md", "---\n---\n"),
                ("content/runs/a.json~", ""),
                ("content/.DS_Store", ""),
                ("content/run.jsn", ""),
                ("static/CNAME", "x"),
                ("static/.well-known/a.txt", "y"),
                ("static/.hidden", "z"),
            ],
        );
        let (sources, said) = root.load();
        let read: Vec<_> = sources.content.iter().map(|source| (source.kind, source.address.as_str())).collect();
        let expected = [
            (Kind::Audit, "audits/2026/x"),
            (Kind::Run, "runs/a"),
            (Kind::CuratorNote, "runs/a"),
            (Kind::Run, "runs/b"),
        ];
        assert_eq!(read, expected);
        assert_eq!(sources.content[1].sha256, sources.content[3].sha256, "a byte-order mark is not content");
        assert_eq!(
            sources.content[1].sha256, "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
            "sha256sum of {{}}"
        );
        let ignored: Vec<_> = sources.ignored.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(ignored, ["content/.DS_Store", "content/run.jsn", "content/runs/a.json~"]);
        assert_eq!(said, ["content/run.jsn: file/unknown: not recognised: no kind of file lies directly in content/"]);
        assert_eq!(sources.site.map(|site| site.text.text.clone()).as_deref(), Some("title = \"t\"\n"));
        let expected = [(".well-known/a.txt".to_owned(), b"y".to_vec()), ("CNAME".to_owned(), b"x".to_vec())];
        assert_eq!(sources.static_files, expected);
    }

    #[test]
    fn an_empty_root_says_what_to_create() {
        let root = Root::new("empty", &[("readme", "")]);
        let (_, said) = root.load();
        let expected =
            ["content: file/missing: the folder content/ is missing", "site.toml: file/missing: site.toml is missing"];
        assert_eq!(said, expected);
        let roots = ["", "readme", "nowhere"].map(|path| is_root(&root.0.join(path)));
        assert_eq!(roots, [true, false, false]);
    }

    #[test]
    fn addresses_that_differ_by_case_only_are_refused_with_both_files() {
        let root =
            Root::new("case", &[("site.toml", ""), ("content/runs/H100.json", "{}"), ("content/runs/h100.json", "{}")]);
        let (_, said) = root.load();
        let expected = "content/runs/h100.json: address/case: shares the address `runs/h100` \
                        with content/runs/H100.json where case does not count";
        assert_eq!(said, [expected]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_sockets_are_refused_by_name_and_never_followed() {
        use std::os::unix::{fs::symlink, net::UnixListener};
        let root = Root::new("links", &[("outside/runs/x.json", "{}"), ("content/runs/a.json", "{}")]);
        symlink(root.0.join("outside"), root.0.join("content/audits")).expect("link to a folder");
        symlink(&root.0, root.0.join("content/runs/loop")).expect("link to a folder above");
        symlink("nowhere", root.0.join("content/runs/dangling.json")).expect("dangling link");
        symlink("nowhere", root.0.join("content/runs/.#a.json")).expect("an editor's lock");
        symlink(root.0.join("outside/runs/x.json"), root.0.join("site.toml")).expect("link to a file");
        let _socket = UnixListener::bind(root.0.join("content/runs/s.json")).expect("socket");
        let (sources, said) = root.load();
        assert_eq!(sources.content.len(), 1);
        let link = "file/link: symbolic links are not followed";
        assert_eq!(
            said,
            [
                format!("content/audits: {link}"),
                format!("content/runs/dangling.json: {link}"),
                format!("content/runs/loop: {link}"),
                "content/runs/s.json: file/special: expected a file, found a pipe, socket or device".to_owned(),
                format!("site.toml: {link}"),
            ]
        );
    }

    #[test]
    fn a_file_over_its_limit_is_refused_unread() {
        let root = Root::new("size", &[("site.toml", ""), ("content/runs/a.json", ""), ("content/pages/a.md", "")]);
        for (path, size) in [("content/runs/a.json", 1 << 40), ("content/pages/a.md", (1 << 20) + 1)] {
            let file = File::options().write(true).open(root.0.join(path)).expect("just created");
            file.set_len(size).expect("a file with a hole");
        }
        let (sources, said) = root.load();
        assert!(sources.content.is_empty());
        let expected = [
            "content/pages/a.md: file/size: expected at most 1 MiB, found 1048577 bytes",
            "content/runs/a.json: file/size: expected at most 16 MiB, found 1099511627776 bytes",
        ];
        assert_eq!(said, expected);
    }
}
