//! Reads a site's root from disk, sorted — the only reader.

use std::sync::Arc;

use crate::diagnostic::SourceText;

mod address;
mod foreign;
mod load;
mod text;

pub use address::{AddressFault, address_fault};
pub use foreign::{ForeignText, foreign, foreign_files, is_file};
pub use load::{is_root, load};
pub use text::{barred, visible};

/// What a file is: under `content/` by its folder and ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Run,
    CuratorNote,
    Audit,
    KvEfficiency,
    Model,
    Hardware,
    Price,
    Page,
    /// The `index.md` of a folder of any kind but pages.
    Collection,
    /// `site.toml`, which stands beside `content/`.
    Site,
}

impl Kind {
    /// The kinds of content that have a folder; a collection stands in that of another kind.
    pub const ALL: [Kind; 8] = [
        Kind::Run,
        Kind::CuratorNote,
        Kind::Audit,
        Kind::KvEfficiency,
        Kind::Model,
        Kind::Hardware,
        Kind::Price,
        Kind::Page,
    ];

    /// The folder under `content/`; empty for what stands elsewhere.
    pub fn folder(self) -> &'static str {
        match self {
            Kind::Run | Kind::CuratorNote => "runs",
            Kind::Audit => "audits",
            Kind::KvEfficiency => "kv-efficiency",
            Kind::Model => "models",
            Kind::Hardware => "hardware",
            Kind::Price => "prices",
            Kind::Page => "pages",
            Kind::Collection | Kind::Site => "",
        }
    }

    /// The kind whose records lie in a folder under `content/`, or below it.
    pub fn of_folder(path: &str) -> Option<Kind> {
        let top = path.split('/').next();
        Kind::ALL.into_iter().find(|kind| Some(kind.folder()) == top)
    }

    /// The file ending, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Kind::Run | Kind::Model | Kind::Hardware | Kind::Price => "json",
            Kind::CuratorNote | Kind::Audit | Kind::KvEfficiency | Kind::Page | Kind::Collection => "md",
            Kind::Site => "toml",
        }
    }

    /// As sentences call it.
    pub fn noun(self) -> &'static str {
        match self {
            Kind::Run => "a run",
            Kind::CuratorNote => "a curator's note",
            Kind::Audit => "an audit",
            Kind::KvEfficiency => "a KV-efficiency note",
            Kind::Model => "a model",
            Kind::Hardware => "a hardware entry",
            Kind::Price => "a price",
            Kind::Page => "a page",
            Kind::Collection => "a collection",
            Kind::Site => "the settings",
        }
    }

    /// Name of the schema file without its ending, and of the kind in data files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Run => "run",
            Kind::CuratorNote => "curator-note",
            Kind::Audit => "audit",
            Kind::KvEfficiency => "kv-efficiency",
            Kind::Model => "model",
            Kind::Hardware => "hardware",
            Kind::Price => "price",
            Kind::Page => "page",
            Kind::Collection => "collection",
            Kind::Site => "site",
        }
    }
}

/// One file of `content/`, read and placed.
#[derive(Debug, Clone)]
pub struct Source {
    pub kind: Kind,
    /// Path under `content/` without its ending: `runs/h100-…`.
    pub address: String,
    pub text: Arc<SourceText>,
    /// SHA-256 of the text in hex. The text has no byte-order mark and LF line ends, so the
    /// digest is the file's own where the file is saved that way, and the site does not change
    /// with how an editor saves.
    pub sha256: String,
}

/// Everything that was read of a root.
#[derive(Debug, Default)]
pub struct Sources {
    /// `site.toml`.
    pub site: Option<Source>,
    /// In order of path.
    pub content: Vec<Source>,
    /// Files of the root's `static/`: path below it, bytes.
    pub static_files: Vec<(String, Vec<u8>)>,
    /// Files under `content/` that are of no kind: path and why.
    pub ignored: Vec<(String, String)>,
}
