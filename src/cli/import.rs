//! `site import`: records made of other tools' files.

use clap::Args;
use results_site::diagnostic::Report;
use results_site::{ImportOptions, import};
use std::path::PathBuf;

use super::{Exit, terminal};

/// Make records of other tools' files, such as a model entry of a config.json
#[derive(Debug, Args)]
#[command(after_help = FORMATS)]
pub struct Import {
    /// Files to read
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Format of the files [default: recognised file by file]
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
    /// Folder for the records [default: the folder of their kind under content/]
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// Folder that holds site.toml and content/
    #[arg(short = 'C', long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
}

const FORMATS: &str = "\
Formats:
  hf-config  config.json of a model on Hugging Face, as a model entry

Nothing is overwritten, and what a file does not say is named, not guessed.";

impl Import {
    pub fn run(self) -> Exit {
        let Import { files, format, into, root } = self;
        let mut report = Report::new();
        let outcome = import(&ImportOptions { root, files, format, into }, &mut report);
        terminal::outcome(&report, outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_format() {
        for format in results_site::import::FORMATS {
            assert!(FORMATS.contains(format.name()), "{}", format.name());
        }
    }
}
