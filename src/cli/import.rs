//! `site import`: records made of other tools' files.

use clap::Args;
use results_site::ImportOptions;
use results_site::diagnostic::Report;
use results_site::import::{self, Question};
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use super::{Exit, terminal};

/// Make records of other tools' result files, and model entries of config.json files
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct Import {
    /// Files to read, or folders of them; the files of one folder become configs of one record where they belong together
    #[arg(required_unless_present = "list", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// List the formats with their versions
    #[arg(long, exclusive = true)]
    list: bool,
    /// Format of the files [default: recognised by content, file by file]
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
    /// Folder for the records, or a root [default: the folder of their kind under content/]
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// What the files do not say [default: import.toml beside them]
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// Folder that holds site.toml and content/
    #[arg(short = 'C', long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
}

const AFTER: &str = "\
import.toml answers what files leave open, in the record's own names:
  published = \"2026-11-05\"
  [hardware]  accelerator, count      [software]  engine, engine_version
  [model]     name, quantization, kv_dtype, parallelism
  [workload]  trace, input_tokens, output_tokens (as asked for)
  [slo]       ttft_p95_ms and the like
  [price]     usd_per_gpu_hour, provider, tier, date, source
  [note]      technique, confidence, confidence_reason

Nothing is overwritten, and what a file does not say is asked for or absent, not guessed.";

impl Import {
    pub fn run(self) -> Exit {
        let Import { files, list, format, into, answers, root } = self;
        if list {
            return terminal::outcome(&Report::new(), Ok(import::list()));
        }
        let mut report = Report::new();
        let outcome = results_site::import(&ImportOptions { root, files, format, into, answers }, ask, &mut report);
        terminal::outcome(&report, outcome)
    }
}

/// Asks at the terminal where there is one, and gives the answers as lines of `import.toml`. What needs no answer may
/// stay open: an empty line.
fn ask(questions: &[Question]) -> Option<String> {
    if !io::stdin().is_terminal() {
        return None;
    }
    let mut toml = String::new();
    let mut table = "";
    for question in questions {
        let need = question.without.map(|without| format!("; empty: {without}")).unwrap_or_default();
        // Without a terminal to write to, there is nobody to ask.
        write!(io::stderr(), "{} ({}), such as {}{need}: ", question.path(), question.asks, question.example).ok()?;
        let mut answer = String::new();
        if io::stdin().lock().read_line(&mut answer).ok()? == 0 {
            break;
        }
        let answer = answer.trim();
        if answer.is_empty() {
            continue;
        }
        if question.table != table {
            table = question.table;
            toml.push_str(&format!("[{table}]\n"));
        }
        toml.push_str(&format!("{} = {}\n", question.key, question.written(answer)));
    }
    writeln!(
        io::stderr(),
        "\nWritten into import.toml beside the files, these answers are not asked for again:\n{toml}"
    )
    .ok()?;
    Some(toml)
}
