//! A site in a temporary folder, and the real program run over it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, io};

use crate::tree::{self, Tree};

/// The two keys that every site needs.
pub const SETTINGS: &str = "title = \"Test site\"\nbase_url = \"https://results.example/\"\n";

/// The smallest run record, under the given id.
pub fn run_record(id: &str) -> String {
    format!(
        r#"{{
  "id": "{id}",
  "status": "published",
  "title": "Run {id}",
  "published": "2026-10-29",
  "hardware": {{"accelerator": "Test card", "count": 1}},
  "software": {{"engine": "vllm"}},
  "model": {{"name": "Test model"}},
  "configs": [{{"label": "only"}}]
}}
"#
    )
}

/// The top folder of the repository.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder that goes away with its owner.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        // What was killed left its folders, and its number may be ours by now.
        loop {
            let name = format!("site-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
            let path = env::temp_dir().join(name);
            match fs::create_dir(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => {
                    made.expect("temporary folder is writable");
                    return Folder(fs::canonicalize(path).expect("it was just made"));
                }
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A root folder; `new` has the smallest settings and an empty `content/runs/`.
pub struct Site {
    folder: Folder,
}

impl Site {
    pub fn new() -> Self {
        let site = Site { folder: Folder::new() }.file("site.toml", SETTINGS);
        fs::create_dir_all(site.path("content/runs")).expect("folder is ours");
        site
    }

    /// A site with the smallest run records of these ids.
    pub fn of_runs(ids: &[&str]) -> Self {
        ids.iter().fold(Site::new(), |site, id| site.run(id))
    }

    /// The repository's own site, built once for all tests that only read it.
    pub fn of_repository_built() -> &'static Self {
        static BUILT: OnceLock<Site> = OnceLock::new();
        BUILT.get_or_init(|| {
            let site = Site::of_repository();
            site.ask(&["build", "--deny-warnings"]).good();
            site
        })
    }

    /// The repository's own content and settings.
    pub fn of_repository() -> Self {
        let site = Site::new();
        for part in ["content", "static", "site.toml"] {
            tree::copy(&repository().join(part), &site.path(part));
        }
        site
    }

    pub fn run(self, id: &str) -> Self {
        self.file(&format!("content/runs/{id}.json"), run_record(id))
    }

    pub fn file(self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.write(path, bytes);
        self
    }

    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("below the root")).expect("folder is ours");
        fs::write(path, bytes).expect("folder is ours");
    }

    pub fn remove(&self, path: &str) {
        fs::remove_file(self.path(path)).expect("the test made it");
    }

    pub fn path(&self, path: &str) -> PathBuf {
        if path.is_empty() { self.folder.path().to_owned() } else { self.folder.path().join(path) }
    }

    /// The text of a file below the root, such as `public/index.html`.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub fn json(&self, path: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The published files.
    pub fn published(&self) -> Tree {
        Tree::of(&self.path("public"))
    }

    /// The program with the root as its working folder and nothing of the tester's environment.
    pub fn program(&self, arguments: &[&str]) -> Command {
        let mut program = program();
        program.args(arguments).current_dir(self.folder.path());
        program
    }

    pub fn ask(&self, arguments: &[&str]) -> Outcome {
        Outcome::of(self.program(arguments), self.folder.path())
    }

    pub fn build(&self) -> Outcome {
        self.ask(&["build"])
    }

    pub fn check(&self) -> Outcome {
        self.ask(&["check"])
    }
}

/// The program with an empty environment.
pub fn program() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_site"));
    // A tester's terminal is nobody to ask.
    program.env_clear().stdin(Stdio::null());
    program
}

/// What a run of the program left behind.
#[derive(Debug)]
pub struct Outcome {
    /// `None`: ended by a signal.
    pub exit: Option<i32>,
    /// With the root written as `ROOT`.
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    pub fn of(mut command: Command, root: &Path) -> Self {
        let Output { status, stdout, stderr } = command.output().expect("the program is built");
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).expect("the program prints UTF-8");
            text.replace(root.to_str().expect("the tests' folders have plain names"), "ROOT")
        };
        Outcome { exit: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }

    #[track_caller]
    pub fn good(self) -> Self {
        assert_eq!(self.exit, Some(0), "{}{}", self.stdout, self.stderr);
        self
    }

    /// Content refused, with each of these words said on stderr.
    #[track_caller]
    pub fn refused(self, words: &[&str]) -> Self {
        self.ended(1, words)
    }

    #[track_caller]
    pub fn ended(self, exit: i32, words: &[&str]) -> Self {
        assert_eq!(self.exit, Some(exit), "{}{}", self.stdout, self.stderr);
        self.says(words)
    }

    #[track_caller]
    pub fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.stderr.contains(word), "`{word}` is not said in:\n{}", self.stderr);
        }
        self
    }

    #[track_caller]
    pub fn silent_about(self, words: &[&str]) -> Self {
        for word in words {
            assert!(!self.stderr.contains(word), "`{word}` is said in:\n{}", self.stderr);
        }
        self
    }
}

/// Why a test cannot run here, said where a person sees it.
pub fn skip(test: &str, reason: &str) {
    eprintln!("skipped: {test}: {reason}");
}
