//! What is printed: results on stdout, everything else on stderr.

use anstream::{AutoStream, ColorChoice};
use results_site::Failure;
use results_site::diagnostic::{Color, Report};
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use super::Exit;

/// Prints the problems, then what came of the command.
pub fn outcome(report: &Report, outcome: Result<impl Display, Failure>) -> Exit {
    let (exit, result, complaint) = match outcome {
        Ok(result) => (Exit::Good, format!("{}\n", result.to_string().trim_end()), String::new()),
        Err(Failure::Content) if report.has_errors() => (Exit::ContentRefused, String::new(), String::new()),
        Err(Failure::Content) => (Exit::ContentRefused, String::new(), DENIED.to_owned()),
        Err(Failure::Import { message, help }) => (Exit::ContentRefused, String::new(), complaint(&message, &help)),
        Err(Failure::Usage { message, help }) => (Exit::WrongUse, String::new(), complaint(&message, &help)),
        Err(Failure::System { message, help }) => (Exit::System, String::new(), complaint(&message, &help)),
    };
    let color = match AutoStream::choice(&io::stderr()) {
        ColorChoice::Never => Color::Plain,
        _ => Color::Ansi,
    };
    let problems = format!("{}{complaint}", report.render(color));
    let written = write(io::stderr(), &problems).and_then(|()| write(io::stdout(), &result));
    ending(written, exit)
}

const DENIED: &str = "error: warnings are refused by --deny-warnings\n";

/// Prints what clap has to say: help and version on stdout, faults on stderr.
pub fn usage(error: &clap::Error) -> Exit {
    let exit = if error.use_stderr() { Exit::WrongUse } else { Exit::Good };
    ending(error.print(), exit)
}

fn complaint(message: &str, help: &str) -> String {
    format!("error: {message}\nhelp: {help}\n")
}

fn write(mut stream: impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes()).and_then(|()| stream.flush())
}

/// A reader that went away is no fault; any other failed write is.
fn ending(written: io::Result<()>, exit: Exit) -> Exit {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            // Where this cannot be printed either, the exit code still says it.
            let _ = writeln!(io::stderr(), "error: could not print: {error}");
            Exit::System
        }
        _ => exit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_ends_quietly_and_a_full_disk_does_not() {
        let ended = |kind: ErrorKind| ending(Err(kind.into()), Exit::Good);
        assert_eq!(ended(ErrorKind::BrokenPipe), Exit::Good);
        assert_eq!(ended(ErrorKind::StorageFull), Exit::System);
    }
}
