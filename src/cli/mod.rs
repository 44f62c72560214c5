//! The command line: what may be typed, what is printed where, and the exit code.

mod build;
mod check;
mod explain;
mod import;
mod options;
mod terminal;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Runs the command that was typed.
pub fn run() -> ExitCode {
    let exit = match Cli::try_parse() {
        Ok(cli) => match cli.command {
            Command::Build(build) => build.run(),
            Command::Check(check) => check.run(),
            Command::Import(import) => import.run(),
            Command::Explain(explain) => explain.run(),
        },
        Err(usage) => terminal::usage(&usage),
    };
    ExitCode::from(exit as u8)
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    Good = 0,
    ContentRefused = 1,
    WrongUse = 2,
    System = 3,
}

/// Turn published LLM-inference results into a linked static site
#[derive(Debug, Parser)]
#[command(name = "site", version, help_template = HELP, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Build(build::Build),
    Check(check::Check),
    Import(import::Import),
    Explain(explain::Explain),
}

const HELP: &str = "\
{about}

Examples:
  site build                            build this folder's content into public/
  site check                            the same without writing anything
  site build -C results --output dist   another root, another output folder
  site check --drafts --deny-warnings   be strict, drafts included
  site import results/                  make records of a load generator's results
  site import Qwen3-8B/config.json      make a model entry in content/models/
  site explain audits/x                 how each figure of a record was computed

{usage-heading} {usage}

{all-args}{after-help}";

const EXIT_CODES: &str = "\
Exit codes:
  0  good
  1  the content has errors, or warnings under --deny-warnings
  2  wrong use: the command line or site.toml
  3  the system: disk, permissions, another build";

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
