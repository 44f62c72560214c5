//! The options that every command over a whole site takes.

use clap::Args;
use clap::builder::{NonEmptyStringValueParser, RangedU64ValueParser};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use results_site::diagnostic::Report;
use results_site::{Drafts, Failure, Options, Summary, Warnings};
use std::path::{Path, PathBuf};

use super::{Exit, terminal};

/// Where the content is and what of it is looked at.
#[derive(Debug, Args)]
pub struct ContentOptions {
    /// Folder that holds site.toml and content/
    #[arg(short = 'C', long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
    /// Where the site will stand, instead of base_url in site.toml
    #[arg(long, value_name = "URL", value_parser = NonEmptyStringValueParser::new())]
    base_url: Option<String>,
    /// Publish drafts too
    #[arg(long)]
    drafts: bool,
}

#[derive(Debug, Args)]
pub struct SiteOptions {
    #[command(flatten)]
    content: ContentOptions,
    /// Folder to publish into [default: public under the root]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Branch, tag or commit that source links point at, instead of source_ref in site.toml
    #[arg(long, value_name = "REV", value_parser = NonEmptyStringValueParser::new())]
    source_ref: Option<String>,
    /// Refuse the site for warnings as for errors
    #[arg(long)]
    deny_warnings: bool,
    /// Threads to use [default: one per processor]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    jobs: Option<usize>,
}

impl ContentOptions {
    pub fn options(&self) -> Options {
        let output = self.root.join("public");
        Options {
            root: self.root.clone(),
            output: output.strip_prefix(".").map(Path::to_owned).unwrap_or(output),
            base_url: self.base_url.clone(),
            source_ref: None,
            drafts: if self.drafts { Drafts::Publish } else { Drafts::Leave },
            warnings: Warnings::Show,
            today: None,
        }
    }
}

impl SiteOptions {
    /// Runs stages over the site and says what came of them.
    pub fn run(&self, stages: fn(&Options, &mut Report) -> Result<Summary, Failure>) -> Exit {
        let mut report = Report::new();
        let outcome = self.start_threads().and_then(|()| stages(&self.options(), &mut report));
        terminal::outcome(&report, outcome)
    }

    fn options(&self) -> Options {
        let defaults = self.content.options();
        Options {
            output: self.output.clone().unwrap_or(defaults.output),
            source_ref: self.source_ref.clone(),
            warnings: if self.deny_warnings { Warnings::Deny } else { Warnings::Show },
            today: Some(TimeZone::UTC.to_datetime(Timestamp::now()).date()),
            ..defaults
        }
    }

    fn start_threads(&self) -> Result<(), Failure> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs.unwrap_or(0));
        pool.build_global().map_err(|error| Failure::System {
            message: format!("could not start the threads: {error}"),
            help: "ask for fewer with --jobs".to_owned(),
        })
    }
}
