//! `site explain`: a rule with its examples, or how a figure was computed.

use clap::{Args, ValueEnum};
use results_site::diagnostic::Report;
use results_site::{Format, Query};

use super::options::ContentOptions;
use super::{Exit, terminal};

/// Explain a rule, or the figures of a record: formula, inputs with their lines, limits
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Explain {
    #[command(flatten)]
    content: ContentOptions,
    /// Code of a rule, or address of a record
    #[arg(value_name = "CODE|ADDRESS")]
    what: String,
    /// Anchor of one figure, `subject/id`, or only its id or its subject
    #[arg(value_name = "FIGURE")]
    figure: Option<String>,
    /// What is printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: PrintedAs,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum PrintedAs {
    #[default]
    Text,
    Json,
}

const EXAMPLES: &str = "\
Examples:
  site explain figure/stated
  site explain audits/x
  site explain audits/x fp8_kv/capacity_change_pct
  site explain audits/x usd_per_mtok_output --format json";

impl Explain {
    pub fn run(&self) -> Exit {
        let format = match self.format {
            PrintedAs::Text => Format::Text,
            PrintedAs::Json => Format::Json,
        };
        let query = Query { what: self.what.clone(), figure: self.figure.clone(), format };
        let mut report = Report::new();
        let outcome = results_site::explain(&self.content.options(), &query, &mut report);
        terminal::outcome(&report, outcome)
    }
}
