//! llama.cpp's `llama-bench`: one entry a test, as JSON, JSON lines, a table with commas or one of Markdown.
//!
//! These are speeds of one sequence without requests: there are no latencies and nothing arrives. A test is prompt
//! processing (`pp512`), generation (`tg128`) or both (`pp512+tg128`), at a depth of tokens that are in the cache already.

use serde_json::{Map, Value};

use super::json::{self, Fields};
use super::measured::{Measured, TestTokens};
use super::table::{self, Table};
use super::{Content, Foreign, Format, named, serving};
use crate::diagnostic::{Diagnostic, Location, Report, rules};
use crate::quantity::fixed;

pub struct LlamaBench;

impl Format for LlamaBench {
    fn name(&self) -> &'static str {
        "llama-bench"
    }

    fn about(&self) -> &'static str {
        "results of llama.cpp's `llama-bench`, 2023 on: json, jsonl, csv and md, also after the lines of a log"
    }

    fn known_by(&self) -> &'static str {
        "build_commit and avg_ts as keys or columns, a Markdown table with test and t/s, or a log of llama-bench without one"
    }

    fn recognises(&self, file: &Foreign) -> bool {
        let text = &file.text.text;
        file.fields().next().is_some_and(is_test)
            || with_commas(text).is_some()
            || !tables(text).is_empty()
            || died(text)
    }

    fn read(&self, file: &Foreign, report: &mut Report) -> Option<Content> {
        let text = &file.text.text;
        let problem = |message: String, help: &str| {
            Diagnostic::new(&rules::IMPORT_CONTENT, Location::File(file.text.path.clone()), message).help(help)
        };
        let runs: Vec<Measured> = if let Some(table) = with_commas(text) {
            if let Some(message) = table.uneven(text) {
                report.push(problem(message, "which value is missing cannot be known; write the file anew"));
                return None;
            }
            table.rows.iter().map(|(_, row)| test(Fields(&typed(&table, row)))).collect()
        } else if file.fields().next().is_some_and(is_test) {
            let tests = file.objects(report)?;
            if let Some(position) = tests.iter().position(|fields| !is_test(*fields)) {
                let message = format!("object {} of the file is no test of llama-bench", position + 1);
                report.push(problem(message, "take it out of the file"));
                return None;
            }
            tests.into_iter().map(test).collect()
        } else {
            let tables = tables(text);
            let runs: Vec<_> = tables.iter().flat_map(|table| shown(table, tables.len() > 1)).collect();
            if runs.is_empty() { vec![failed(text)] } else { runs }
        };
        Some(Content { runs, ..Content::default() })
    }
}

fn is_test(fields: Fields) -> bool {
    ["build_commit", "avg_ts", "n_prompt", "n_gen"].iter().all(|key| fields.has(key))
}

fn with_commas(text: &str) -> Option<Table> {
    let names = text.lines().find(|line| !line.trim().is_empty())?;
    if !["build_commit", "avg_ts", "n_prompt", "n_gen"].iter().all(|name| names.contains(name)) || names.contains('{') {
        return None;
    }
    table::commas(text)
}

fn tables(text: &str) -> Vec<Table> {
    let is_ours = |table: &Table| {
        ["model", "test", "t/s"].iter().all(|name| table.has(name)) && !table.has("ttfr (ms)") && !table.rows.is_empty()
    };
    table::markdown(text).into_iter().filter(is_ours).collect()
}

/// The log of a run that ended before its table.
fn died(text: &str) -> bool {
    text.contains("llama-bench") && text.lines().any(|line| line.starts_with("ggml_"))
}

/// A row as the object that JSON would have: numbers are numbers.
fn typed(table: &Table, row: &[String]) -> Map<String, Value> {
    let cell = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from);
    let cells = table.cells(row).map(|(name, text)| (name.to_owned(), cell(text).unwrap_or_else(|| text.into())));
    cells.collect()
}

/// One entry of JSON or of a table with commas.
fn test(fields: Fields) -> Measured {
    let mut run = Measured::default();
    let count = |key: &str| fields.count(key).unwrap_or_default();
    let test =
        Test { prompt: count("n_prompt"), generated: count("n_gen"), depth: count("n_depth"), ..Test::default() };
    test.speed(fields.number("avg_ts"), &mut run);
    let repetitions = fields.list("samples_ts").map(<[Value]>::len);
    if let (Some(count @ 2..), Some(deviation)) = (repetitions, fields.number("stddev_ts")) {
        run.remark(format!("mean of {count} repetitions with a standard deviation of {} tok/s", fixed(deviation, 2)));
    }
    // Of a zone there is only Z.
    run.date = fields.text("test_time").and_then(|text| text.get(..10)?.parse().ok());
    let subject = &mut run.subject;
    subject.model = fields.value("model_filename").and_then(Value::as_str).and_then(of_file);
    subject.quantization = fields.text("model_type").and_then(|kind| quantization(&kind));
    subject.kv_dtype = fields
        .text("type_k")
        .zip(fields.text("type_v"))
        .map(|(keys, values)| if keys == values { keys } else { format!("{keys} keys, {values} values") });
    subject.engine_version = version(fields.number("build_number"), fields.text("build_commit"));
    cards(&fields.text("gpu_info").unwrap_or_default(), fields.text("split_mode").as_deref(), &mut run);
    serving::settings(fields, RESULTS, &WORDS, &mut run);
    common(&mut run);
    run
}

/// The rows of a Markdown table. With several tables in a file the heading above tells them apart.
fn shown(table: &Table, several: bool) -> Vec<Measured> {
    let heading = table.above.lines().rev().find(|line| line.starts_with('#'));
    let heading = heading.filter(|_| several).and_then(|line| named::words(line.trim_matches(['#', ' '])));
    let build = table.below.lines().find_map(|line| line.trim().strip_prefix("build:"));
    let build = build.and_then(|build| build.trim().split_once(" ("));
    let devices: Vec<String> = table.above.lines().filter_map(device).collect();
    let row = |row: &[String]| {
        let mut run = Measured::default();
        for (name, cell) in table.cells(row) {
            match name {
                "model" => {
                    run.subject.model = named::words(cell);
                    run.subject.quantization = quantization(cell);
                }
                "test" | "size" | "params" => {}
                "t/s" => {
                    Test::parse(table.cells(row).find(|(name, _)| *name == "test")?.1)?.speed(mean(cell), &mut run)
                }
                "backend" => run.settings.extend(named::words(cell).map(|words| ("backends".to_owned(), words.into()))),
                _ => run.settings.extend(named::words(cell).map(|words| {
                    let number = words.parse::<i64>().map(Value::from);
                    (name.to_owned(), number.unwrap_or_else(|_| words.into()))
                })),
            }
        }
        if let (Some(heading), Some(label)) = (&heading, &mut run.label) {
            *label = format!("{heading}, {label}");
        }
        run.subject.engine_version =
            build.and_then(|(commit, number)| version(number.trim_end_matches(')').parse().ok(), named::words(commit)));
        cards(&devices.join(", "), None, &mut run);
        common(&mut run);
        Some(run)
    };
    table.rows.iter().filter_map(|(_, cells)| row(cells)).collect()
}

fn failed(text: &str) -> Measured {
    let mut run = Measured { failed: Some("llama-bench ended without a result".to_owned()), ..Measured::default() };
    let devices: Vec<String> = text.lines().filter_map(device).collect();
    cards(&devices.join(", "), None, &mut run);
    common(&mut run);
    run
}

fn common(run: &mut Measured) {
    run.subject.engine = Some("llama.cpp".to_owned());
    run.load.concurrency = Some(1);
    run.load.arrival = Some("one sequence without requests".to_owned());
}

/// What was tested, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Test {
    pub prompt: u64,
    pub generated: u64,
    /// Tokens in the cache before the test begins.
    pub depth: u64,
    /// Requests at once, of llama-benchy alone.
    pub concurrency: Option<u64>,
}

impl Test {
    /// `pp512`, formerly `pp 512`, `tg128 @ d8192`, `pp512+tg128`, of llama-benchy `tg128 @ d8192 (c5)`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.replace(' ', "");
        let (text, concurrency) = match text.split_once("(c") {
            Some((text, rest)) => (text.to_owned(), Some(rest.strip_suffix(')')?.parse().ok()?)),
            None => (text, None),
        };
        let (tests, depth) = match text.split_once("@d") {
            Some((tests, depth)) => (tests, depth.parse().ok()?),
            None => (text.as_str(), 0),
        };
        let mut test = Test { depth, concurrency, ..Test::default() };
        for part in tests.split('+') {
            let (kind, count) = part.split_at_checked(2)?;
            match kind {
                "pp" => test.prompt = count.parse().ok()?,
                "tg" => test.generated = count.parse().ok()?,
                _ => return None,
            }
        }
        Some(test)
    }

    /// `tg128 @ d8192`.
    pub fn label(self) -> String {
        let part = |name: &str, count: u64| (count > 0).then(|| format!("{name}{count}"));
        let parts: Vec<_> = [part("pp", self.prompt), part("tg", self.generated)].into_iter().flatten().collect();
        let depth = if self.depth > 0 { format!(" @ d{}", self.depth) } else { String::new() };
        parts.join("+") + &depth
    }

    pub fn tokens(self) -> TestTokens {
        TestTokens { context: self.depth, input: self.prompt, output: self.generated }
    }

    /// Takes the speed of the test, tok/s, as that of the tokens which it is of.
    fn speed(self, tok_s: Option<f64>, run: &mut Measured) {
        run.label = Some(self.label());
        run.load.test = Some(self.tokens());
        match (self.prompt > 0, self.generated > 0) {
            (true, false) => run.input_tok_s = run.rate("input_tok_s", tok_s, None),
            (false, true) => run.output_tok_s = run.rate("output_tok_s", tok_s, None),
            _ => run.total_tok_s = run.rate("total_tok_s", tok_s, None),
        }
        if run.input_tok_s.or(run.output_tok_s).or(run.total_tok_s).is_none() {
            run.fail("the file has no speed of this test");
        }
    }
}

/// The mean of `407.51 ± 1.36`.
pub fn mean(cell: &str) -> Option<f64> {
    json::number(&cell.split(['±', ' ']).next()?.into())
}

/// A model out of the name of its file, without the number of the part.
fn of_file(path: &str) -> Option<String> {
    let name = named::last_part(path)?;
    let name = name.split(".gguf").next()?;
    let part = name.rsplit_once("-of-").filter(|(_, count)| count.chars().all(|one| one.is_ascii_digit()));
    let stem = part.and_then(|(before, _)| Some(before.rsplit_once('-')?.0));
    named::words(stem.unwrap_or(name))
}

/// What stands behind the size: `llama 1B Q4_K - Medium`, `deepseek2 30B.A3B BF16`.
fn quantization(kind: &str) -> Option<String> {
    let is_size = |word: &str| word.starts_with(|one: char| one.is_ascii_digit()) && word.ends_with(['B', 'M', 'T']);
    let words: Vec<&str> = kind.split_whitespace().collect();
    let size = words.iter().rposition(|word| is_size(word))?;
    let rest = words[size + 1..].iter().filter(|word| **word != "mostly").copied().collect::<Vec<_>>().join(" ");
    named::words(&rest)
}

/// `b9187 (0253fb21f)`, after the tag of llama.cpp's releases.
fn version(number: Option<f64>, commit: Option<String>) -> Option<String> {
    match (number.filter(|number| *number > 0.0), commit) {
        (Some(number), Some(commit)) => Some(format!("b{number} ({commit})")),
        (Some(number), None) => Some(format!("b{number}")),
        (None, commit) => commit,
    }
}

/// The name in `Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9` and `ggml_vulkan: 0 = AMD Radeon (radv) | uma: 0`.
fn device(line: &str) -> Option<String> {
    let line = line.trim();
    let cuda = line.strip_prefix("Device ").and_then(|rest| rest.split_once(": "));
    let vulkan = line.strip_prefix("ggml_vulkan: ").and_then(|rest| rest.split_once(" = "));
    let (number, rest) = cuda.or(vulkan)?;
    let is_number = !number.is_empty() && number.chars().all(|one| one.is_ascii_digit());
    let end = if cuda.is_some() { rest.find(',') } else { rest.rfind(" (").or_else(|| rest.find(" |")) };
    named::words(&rest[..end.unwrap_or(rest.len())]).filter(|_| is_number)
}

/// The cards of a list. All are used, unless the model was not split.
fn cards(list: &str, split: Option<&str>, run: &mut Measured) {
    let names: Vec<&str> = list.split(", ").map(str::trim).filter(|name| !name.is_empty()).collect();
    let Some(first) = names.first() else { return };
    let names = if split == Some("none") { &names[..1] } else { &names[..] };
    let alike = names.iter().all(|name| name == first);
    run.subject.accelerator = named::words(&if alike { (*first).to_owned() } else { names.join(", ") });
    run.subject.gpus = u32::try_from(names.len()).ok();
}

/// Settings whose values are words.
const WORDS: [&str; 6] = ["backends", "type_k", "type_v", "split_mode", "devices", "load_mode"];

/// What is no setting: read above, or of no use to a record.
const RESULTS: &[&str] = &[
    "build_commit",
    "build_number",
    "cpu_info",
    "cpu_mask",
    "cpu_strict",
    "gpu_info",
    "model_filename",
    "model_type",
    "model_size",
    "model_n_params",
    "n_prompt",
    "n_gen",
    "n_depth",
    "poll",
    "tensor_buft_overrides",
    "tensor_split",
    "test_time",
    "avg_ns",
    "stddev_ns",
    "avg_ts",
    "stddev_ts",
];

#[cfg(test)]
mod tests;
