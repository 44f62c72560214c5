//! llama-benchy: what `llama-bench` measures, of any server with an OpenAI interface, with the time to the first token.
//!
//! It prints Markdown tables. The row of a prompt and the row of the generation after it are one run: speed and TTFT at a
//! depth of context and a number of requests at once.

use super::llama_bench::{Test, mean};
use super::measured::{Measured, Time};
use super::table::{self, Table};
use super::{Content, Foreign, Format, named};
use crate::diagnostic::{Diagnostic, Location, Report, rules};
use crate::record::Date;

pub struct LlamaBenchy;

impl Format for LlamaBenchy {
    fn name(&self) -> &'static str {
        "llama-benchy"
    }

    fn about(&self) -> &'static str {
        "Markdown tables of llama-benchy, with context depths and concurrency, alone or in a report"
    }

    fn known_by(&self) -> &'static str {
        "a Markdown table with test, t/s and ttfr"
    }

    fn recognises(&self, file: &Foreign) -> bool {
        !tables(&file.text.text).is_empty()
    }

    fn read(&self, file: &Foreign, report: &mut Report) -> Option<Content> {
        let mut content = Content::default();
        for table in tables(&file.text.text) {
            let date = table.below.lines().find_map(day);
            let first = content.runs.len();
            let mut before: Option<Test> = None;
            for (line, row) in &table.rows {
                let cell = |column: &str| {
                    let found = table.cells(row).find(|(name, cell)| *name == column && !cell.is_empty());
                    found.map(|(_, cell)| cell)
                };
                let Some(test) = cell("test").and_then(Test::parse) else {
                    let message = format!("line {line} names no test such as `tg128 @ d4096`");
                    let location = Location::File(file.text.path.clone());
                    let problem = Diagnostic::new(&rules::IMPORT_CONTENT, location, message);
                    report.push(problem.help("take the line out of the table"));
                    return None;
                };
                let speed = cell("t/s").or_else(|| cell("t/s (total)")).and_then(mean);
                let is_next =
                    |before: &Test| before.generated == 0 && test.prompt == 0 && of_load(before) == of_load(&test);
                let joined = before.filter(is_next).and_then(|before| Some((before, content.runs.last_mut()?)));
                if let Some((before, run)) = joined {
                    let whole = Test { generated: test.generated, ..before };
                    run.label = Some(whole.label());
                    run.load.test = Some(whole.tokens());
                    run.output_tok_s = run.rate("output_tok_s", speed, None);
                } else {
                    content.runs.push(run(test, speed, cell("model"), date));
                }
                // `ttfr` is the first response of any kind, not the first token.
                if let Some(run) = content.runs.last_mut() {
                    let ttft = cell("e2e_ttft (ms)").and_then(mean);
                    run.latency("ttft", "mean", Time::Milliseconds, ttft);
                }
                before = Some(test);
            }
            content.runs[first..].iter_mut().for_each(failed);
        }
        Some(content)
    }
}

fn tables(text: &str) -> Vec<Table> {
    let is_ours = |table: &Table| {
        let speed = table.has("t/s") || table.has("t/s (total)");
        speed && table.has("test") && table.has("ttfr (ms)") && !table.rows.is_empty()
    };
    table::markdown(text).into_iter().filter(is_ours).collect()
}

fn of_load(test: &Test) -> (u64, Option<u64>) {
    (test.depth, test.concurrency)
}

fn run(test: Test, speed: Option<f64>, model: Option<&str>, date: Option<Date>) -> Measured {
    let mut run = Measured { label: Some(test.label()), date, ..Measured::default() };
    run.subject.model = model.and_then(named::model);
    run.load.test = Some(test.tokens());
    run.load.concurrency = Some(test.concurrency.unwrap_or(1));
    run.load.arrival = Some("as fast as the concurrency allows".to_owned());
    if test.generated == 0 {
        run.input_tok_s = run.rate("input_tok_s", speed, None);
    } else {
        run.output_tok_s = run.rate("output_tok_s", speed, None);
    }
    run.remark("input and output rates are those of the prompt and of the generation alone, not of the whole run");
    run
}

fn failed(run: &mut Measured) {
    if run.input_tok_s.or(run.output_tok_s).is_none() {
        run.fail("the file has no speed of this test");
    }
}

/// `date: 2026-08-14 11:45:39 | latency mode: generation`.
fn day(line: &str) -> Option<Date> {
    line.trim().strip_prefix("date: ")?.get(..10)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEPTHS: &str = "\
| model | test | t/s | peak t/s | ttfr (ms) | est_ppt (ms) | e2e_ttft (ms) |
|:--|--:|--:|--:|--:|--:|--:|
| org/m | pp2048 | 5000.00 ± 5.00 | | 500.00 ± 4.00 | 400.00 ± 4.00 | 510.00 ± 4.00 |
| org/m | tg480 | 60.00 ± 2.00 | 70.00 ± 5.00 | | | |
| org/m | pp2048 @ d1000 | 4000.00 ± 6.00 | | 700.00 ± 7.00 | 600.00 ± 7.00 | 710.00 ± 7.00 |
| org/m | tg480 @ d1000 | 50.00 ± 2.00 | 80.00 ± 2.00 | | | |
";

    const CONCURRENT: &str = "\
| model | test | t/s (total) | t/s (req) | peak t/s | peak t/s (req) | ttfr (ms) | est_ppt (ms) | e2e_ttft (ms) |
|:--|--:|--:|--:|--:|--:|--:|--:|--:|
| m | pp1024 (c1) | 100.00 ± 5.00 | 100.00 ± 5.00 | | | 15.00 ± 4.00 | 7.00 ± 4.00 | 16.00 ± 4.00 |
| m | tg1024 (c5) | 30.00 ± 2.00 | 6.00 ± 2.00 | 7.00 ± 5.00 | 7.00 ± 1.00 | | | |

llama-benchy (0.4.0)
date: 2026-08-14 11:45:39 | latency mode: generation
";

    fn read(text: &str) -> Vec<Measured> {
        let file = Foreign::of("a.md", text);
        assert!(LlamaBenchy.recognises(&file));
        LlamaBenchy.read(&file, &mut Report::new()).expect("it is a result").runs
    }

    #[test]
    fn prompt_and_generation_at_a_depth_are_one_run() {
        let runs = read(DEPTHS);
        let of =
            |run: &Measured| (run.label.clone(), run.input_tok_s, run.output_tok_s, run.latencies_ms["ttft_mean_ms"]);
        let runs: Vec<_> = runs.iter().map(of).collect();
        let expected = [
            (Some("pp2048+tg480".to_owned()), Some(5000.0), Some(60.0), 510.0),
            (Some("pp2048+tg480 @ d1000".to_owned()), Some(4000.0), Some(50.0), 710.0),
        ];
        assert_eq!(runs, expected);
    }

    #[test]
    fn another_load_is_another_run() {
        let runs = read(CONCURRENT);
        let of = |run: &Measured| (run.load.concurrency, run.input_tok_s, run.output_tok_s, run.latencies_ms.len());
        assert_eq!(
            runs.iter().map(of).collect::<Vec<_>>(),
            [(Some(1), Some(100.0), None, 1), (Some(5), None, Some(30.0), 0)]
        );
        assert_eq!((runs[0].date, runs[0].subject.engine.as_ref()), (Some(Date::constant(2026, 8, 14)), None));
    }

    #[test]
    fn a_row_without_a_test_is_refused() {
        let mut report = Report::new();
        let file = Foreign::of("a.md", DEPTHS.replace("tg480 @ d1000", "tg480 at 1000"));
        assert!(LlamaBenchy.read(&file, &mut report).is_none());
        assert!(report.diagnostics().all(|one| one.message.starts_with("line 6 names no test")));
    }
}
