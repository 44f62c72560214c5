//! Builds a linked static site from published LLM-inference results.
//!
//! ```text
//! disk ──load──▶ Source ──validate──▶ Document ──decode──▶ Record ──link──▶ Catalog
//!                                                                             │ derive
//! disk ◀─publish─ Files ◀──render──── Page ◀──compose──── Figures + Chart ◀───┘
//! ```
#![forbid(unsafe_code)]

pub mod anchor;
pub mod catalog;
pub mod chart;
pub mod compare;
pub mod diagnostic;
mod explain;
pub mod export;
pub mod figures;
pub mod formula;
pub mod import;
pub mod markdown;
pub mod metric;
pub mod output;
pub mod page;
pub mod quantity;
pub mod record;
pub mod route;
pub mod schema;
pub mod source;
mod summary;

use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use catalog::Catalog;
use diagnostic::{Diagnostic, Location, Report, Severity, counted, rules};
use figures::Figures;
use output::{Claim, OutputError, Paths, Staging};
use record::Settings;
use source::{Kind, Sources};

pub use catalog::Drafts;
pub use explain::{Format, Query, explain};
pub use summary::Summary;

/// What a build is asked to do.
#[derive(Debug, Clone)]
pub struct Options {
    pub root: PathBuf,
    pub output: PathBuf,
    /// In place of `base_url` in `site.toml`.
    pub base_url: Option<String>,
    /// In place of `source_ref` in `site.toml`.
    pub source_ref: Option<String>,
    pub drafts: Drafts,
    pub warnings: Warnings,
    /// The day on the caller's clock, for a notice about dates after it; nothing that is written depends on it.
    pub today: Option<record::Date>,
}

impl Options {
    fn check_root(&self) -> Result<(), Failure> {
        if source::is_root(&self.root) {
            return Ok(());
        }
        Err(Failure::Usage {
            message: format!("the root `{}` is not a folder", diagnostic::printable(&self.root.to_string_lossy())),
            help: "name the folder that holds site.toml".to_owned(),
        })
    }

    /// The settings with what the command line says in their place.
    fn override_settings(&self, mut settings: Settings) -> Result<Settings, Failure> {
        if let Some(base_url) = override_of("--base-url", "base_url", &self.base_url)? {
            settings.site.base_url = base_url;
        }
        if let Some(source_ref) = override_of("--source-ref", "source_ref", &self.source_ref)? {
            settings.site.source_ref = Some(source_ref);
        }
        Ok(settings)
    }
}

/// A value of the command line, which must be one that the setting may have.
fn override_of(option: &str, setting: &str, value: &Option<String>) -> Result<Option<String>, Failure> {
    match value.as_deref().and_then(|value| schema::setting(setting, value.into())) {
        Some(fault) => Err(Failure::Usage {
            message: format!("{option}: {}", fault.message),
            help: fault.help.unwrap_or_else(|| format!("the same holds as for {setting} in {SETTINGS}")),
        }),
        None => Ok(value.clone()),
    }
}

/// What warnings do to a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Warnings {
    #[default]
    Show,
    /// They refuse it as errors do.
    Deny,
}

/// Why there is no site; the published one is as it was.
#[derive(Debug)]
pub enum Failure {
    /// The content is refused; why is in the report.
    Content,
    /// Files of an import are refused, and others with them that could be had alone.
    Import { message: String, help: String },
    /// The command or the settings ask for what cannot be.
    Usage { message: String, help: String },
    /// The disk, its permissions, or another build.
    System { message: String, help: String },
}

/// Builds the site and publishes it in one step.
pub fn build(options: &Options, report: &mut Report) -> Result<Summary, Failure> {
    options.check_root()?;
    let mut claim = Claim::take(&options.root, &options.output)?;
    let read = read(options, report)?;
    let figures = figures::derive(&read.catalog, report);
    let staging = Staging::begin(&mut claim)?;
    let files = read.render(&figures, options, report, |path, make| staging.write(path, make))?;
    let published = staging.publish()?;
    if let Some(leftover) = &published.leftover {
        // The new site stands; only the old one is still in the way.
        let location = Location::File(options.output.display().to_string());
        report.push(Diagnostic::new(&rules::OUTPUT_LEFTOVER, location, leftover.to_string()).help(leftover.help()));
    }
    Ok(read.summary(&figures, files).published(&options.output, &published))
}

/// Does everything that [`build`] does, and writes nothing.
pub fn check(options: &Options, report: &mut Report) -> Result<Summary, Failure> {
    options.check_root()?;
    output::check(&options.root, &options.output)?;
    let read = read(options, report)?;
    let figures = figures::derive(&read.catalog, report);
    let paths = std::sync::Mutex::new(Paths::default());
    let files = read.render(&figures, options, report, |path, make| {
        paths.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take(path)?;
        make(&mut io::sink()).map_err(|source| OutputError::Io { action: "make", path: path.into(), source })
    })?;
    Ok(read.summary(&figures, files))
}

/// What an import is asked to do.
#[derive(Debug, Clone)]
pub struct ImportOptions {
    pub root: PathBuf,
    /// Files, and folders of them.
    pub files: Vec<PathBuf>,
    /// Name of the format of all files; recognised file by file where it is `None`.
    pub format: Option<String>,
    /// Folder for the records; that of their kind under the root's `content/` where it is `None`.
    pub into: Option<PathBuf>,
    /// File of answers; the one beside the files where it is `None`.
    pub answers: Option<PathBuf>,
}

/// Makes records of other tools' files and adds them to the content; all of them, or none. What the files leave open,
/// `ask` is asked for; it answers in TOML, or not at all.
pub fn import(
    options: &ImportOptions,
    ask: impl FnOnce(&[import::Question]) -> Option<String>,
    report: &mut Report,
) -> Result<import::Summary, Failure> {
    let unknown = |message| Failure::Usage { message, help: "give one of the formats that `--list` lists".to_owned() };
    let format = options.format.as_deref().map(import::format).transpose().map_err(unknown)?;
    let request = import::Request { paths: &options.files, format, answers: options.answers.as_deref() };
    let mut gathered = import::gather(&request, report);
    let open = gathered.questions();
    if !report.has_errors()
        && !open.is_empty()
        && let Some(toml) = ask(&open)
    {
        gathered.answer(&toml, report);
    }
    let good = if report.has_errors() { gathered.good() } else { 0 };
    gathered.report_open(report);
    if report.has_errors() {
        return Err(match (refused(report), good) {
            (Failure::Content, 1..) => Failure::Import {
                message: format!("nothing is written, though {} could be imported", counted(good, "other result")),
                help: "leave out the files that are refused, or take them out of their folder".to_owned(),
            },
            (failure, _) => failure,
        });
    }
    let place = |kind, id: &str| options.place(kind, id);
    let passed_over = std::mem::take(&mut gathered.passed_over);
    let standing = |kind, id: &str| Some(source::foreign(&place(kind, id)).ok()?.text.text);
    let records = gathered.records(standing, report);
    if report.has_errors() {
        return Err(refused(report));
    }
    let summary = import::Summary::new(records, passed_over, place);
    output::add(&summary.files())?;
    Ok(summary)
}

impl ImportOptions {
    /// Where a record's file goes: into the folder that was named, else into that of its kind. Of a root, of its
    /// `content/` and of a folder in that, it is the folder of the kind too.
    fn place(&self, kind: Kind, id: &str) -> PathBuf {
        let of_kind = |content: PathBuf| content.join(kind.folder());
        let folder = match &self.into {
            None => of_kind(self.root.join("content")),
            Some(into) if source::is_file(&into.join(SETTINGS)) => of_kind(into.join("content")),
            Some(into) if into.ends_with("content") => of_kind(into.clone()),
            // One file may give records of several kinds, and each kind has one folder.
            Some(into) if into.parent().is_some_and(|parent| parent.ends_with("content")) => {
                of_kind(into.parent().map(Path::to_owned).unwrap_or_default())
            }
            Some(into) => into.clone(),
        };
        folder.strip_prefix(".").unwrap_or(&folder).join(format!("{id}.{}", kind.extension()))
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        let (message, help) = (error.to_string(), error.help());
        match error {
            // A name that no file system takes was asked for.
            OutputError::Io { source, .. } if source.kind() == std::io::ErrorKind::InvalidFilename => {
                Failure::Usage { message, help }
            }
            OutputError::Io { .. } | OutputError::Busy { .. } => Failure::System { message, help },
            _ => Failure::Usage { message, help },
        }
    }
}

/// What kind of failure the report's errors are: of the disk, of the settings, or of the content.
fn refused(report: &Report) -> Failure {
    let error = |found: &&Diagnostic| found.severity() == Severity::Error;
    let errors = || report.diagnostics().filter(error);
    if errors().any(|found| *found.rule == rules::FILE_IO) {
        return Failure::System {
            message: "a file could not be read".to_owned(),
            help: "mend what is said of it".to_owned(),
        };
    }
    if errors().any(|found| found.location.path() == SETTINGS) {
        return Failure::Usage {
            message: format!("{SETTINGS} cannot be used"),
            help: "mend what is said of it".to_owned(),
        };
    }
    Failure::Content
}

const SETTINGS: &str = "site.toml";

/// Writes the bytes of a file.
type Make<'a> = dyn Fn(&mut dyn io::Write) -> io::Result<()> + 'a;

/// Sources and the catalog made of them.
struct Read {
    sources: Sources,
    catalog: Catalog,
}

/// From disk to catalog. Settings that do not fit refuse the site, and what is sound in them serves to find the problems
/// of the content; without any there is no catalog, and only what each file says by itself is looked at.
fn read(options: &Options, report: &mut Report) -> Result<Read, Failure> {
    let sources = source::load(&options.root, report);
    let settings = sources.site.as_ref().and_then(|source| schema::validate_site(source, report));
    let documents = schema::validate(&sources.content, report);
    let entries = record::decode(documents, report);
    let sound = || sources.site.as_ref().and_then(schema::sound_settings);
    let settings = settings.or_else(sound).and_then(|document| record::decode_settings(document, report));
    let settings = options.override_settings(settings.ok_or_else(|| refused(report))?)?;
    let catalog = catalog::link(settings, entries, options.drafts, report);
    Ok(Read { sources, catalog })
}

impl Read {
    /// What pages are composed from, unless the report refuses the content.
    fn site<'a>(
        &'a self,
        figures: &'a Figures,
        options: &Options,
        report: &mut Report,
    ) -> Result<page::Site<'a>, Failure> {
        let statics = &self.sources.static_files;
        let mut site = page::Site::new(&self.catalog, figures, statics.iter().map(|(path, _)| path.clone()).collect());
        page::check(&site, report);
        self.catalog.acknowledge(report);
        site.warn(report);
        if let Some(today) = options.today {
            self.catalog.notice_dates_after(today, report);
        }
        let denied = options.warnings == Warnings::Deny && report.count(Severity::Warning) > 0;
        if report.has_errors() || denied { Err(refused(report)) } else { Ok(site) }
    }

    /// From figures to files; each goes to `write` as a function that makes it. Gives the number of files.
    fn render(
        &self,
        figures: &Figures,
        options: &Options,
        report: &mut Report,
        write: impl Fn(&str, &Make) -> Result<(), OutputError> + Sync,
    ) -> Result<usize, Failure> {
        let site = self.site(figures, options, report)?;
        let statics = &self.sources.static_files;
        let plan = site.plan();
        plan.par_iter().try_for_each(|file| write(site.route(*file).path(), &|out| site.render(*file, out)))?;
        statics.par_iter().try_for_each(|(path, bytes)| write(path, &|out| out.write_all(bytes)))?;
        Ok(plan.len() + statics.len())
    }
}
