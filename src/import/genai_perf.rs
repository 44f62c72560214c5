//! genai-perf's tables: `profile_export_genai_perf.csv`, and the table that `genai-perf analyze` writes of several runs.
//!
//! A table has the metrics of the JSON under titles, `Request Latency (ms)`: each becomes what the JSON says of it, and is
//! read as such. Numbers have two decimals, and commas between thousands.

use serde_json::{Map, Value, json};

use super::json::Fields;
use super::measured::{Measured, Offered};
use super::{Content, Foreign, Format, aiperf, named, run_record};
use crate::diagnostic::{Diagnostic, Location, Report, rules};

pub struct GenAiPerf;

impl Format for GenAiPerf {
    fn name(&self) -> &'static str {
        "genai-perf-csv"
    }

    fn about(&self) -> &'static str {
        "tables of NVIDIA genai-perf: profile_export CSV, and the CSV of `genai-perf analyze`"
    }

    fn known_by(&self) -> &'static str {
        "CSV whose first line is Metric,avg,min,max,p99 or Config Name and p99 columns"
    }

    fn recognises(&self, file: &Foreign) -> bool {
        let head = cells(file.text.lines().next().unwrap_or_default());
        is_profile(&head) || is_analysis(&head)
    }

    fn read(&self, file: &Foreign, report: &mut Report) -> Option<Content> {
        let lines: Vec<Vec<String>> = file.text.lines().map(cells).collect();
        let tables: Vec<&[Vec<String>]> = lines.split(|cells| cells.iter().all(String::is_empty)).collect();
        let profile = tables.first().and_then(|table| table.first()).is_some_and(|head| is_profile(head));
        let runs = if profile { vec![one(&tables)] } else { several(&tables) };
        if runs.is_empty() {
            let location = Location::File(file.text.path.clone());
            report.push(Diagnostic::new(&rules::IMPORT_CONTENT, location, "no row of the table is a run"));
            return None;
        }
        Some(Content { runs, ..Content::default() })
    }
}

/// Percentiles come down from p99; AIPerf's go up, and have JSON beside them that says more.
fn is_profile(head: &[String]) -> bool {
    let at = |name: &str| head.iter().position(|cell| cell == name);
    let falls = match (at("p99"), at("p25")) {
        (Some(high), Some(low)) => high < low,
        _ => false,
    };
    head.first().is_some_and(|cell| cell == "Metric") && falls
}

fn is_analysis(head: &[String]) -> bool {
    head.first().is_some_and(|cell| cell == "Config Name") && head.iter().any(|cell| cell.starts_with("p99 "))
}

/// The cells of a line; quotation marks keep commas together.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for character in line.trim_start_matches('\u{feff}').trim_end().chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            other => cells.last_mut().into_iter().for_each(|cell| cell.push(other)),
        }
    }
    cells.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

/// A number with commas between its thousands.
fn number(cell: &str) -> Option<f64> {
    cell.replace(',', "").parse().ok().filter(|number: &f64| number.is_finite())
}

/// `Time To First Token (ms)` as `time_to_first_token` and `ms`.
fn metric(title: &str) -> (String, &str) {
    let (name, unit) = title.rsplit_once(" (").unwrap_or((title, ""));
    (name.to_lowercase().replace(' ', "_"), unit.trim_end_matches(')'))
}

/// The one run of a profile: a table of statistics, and one of single values.
fn one(tables: &[&[Vec<String>]]) -> Measured {
    let mut metrics = Map::new();
    for table in tables {
        let Some((head, rows)) = table.split_first() else { continue };
        for row in rows {
            let Some((title, values)) = row.split_first() else { continue };
            let (name, unit) = metric(title);
            let named = head.iter().skip(1).zip(values);
            let mut values: Map<String, Value> =
                named.filter_map(|(statistic, cell)| Some((statistic.clone(), number(cell)?.into()))).collect();
            // The second table has one column.
            if let Some(value) = values.remove("Value") {
                values.insert("avg".to_owned(), value);
            }
            values.insert("unit".to_owned(), unit.into());
            metrics.insert(name, values.into());
        }
    }
    let mut run = aiperf::run(Fields(&metrics));
    run.remark("read from a table of two decimals; the JSON beside it has them all");
    run
}

/// A run for every row of the first table; the second has the power of GPUs, of which p99 says nothing of the run.
fn several(tables: &[&[Vec<String>]]) -> Vec<Measured> {
    let Some((head, rows)) = tables.first().and_then(|table| table.split_first()) else { return Vec::new() };
    let run = |row: &Vec<String>| {
        let mut metrics = Map::new();
        let mut settings = Map::new();
        for (title, cell) in head.iter().zip(row).skip(1) {
            let Some(value) = number(cell) else { continue };
            let stated =
                title.split_once(' ').filter(|(statistic, _)| statistic.starts_with('p') || *statistic == "Avg.");
            let (statistic, title) = stated.unwrap_or(("avg", title));
            let (name, unit) = metric(title);
            if unit.is_empty() {
                settings.insert(name, run_record::whole(value));
                continue;
            }
            let statistic = if statistic == "Avg." { "avg" } else { statistic };
            let values = metrics.entry(name).or_insert_with(|| json!({"unit": unit}));
            values[statistic] = value.into();
        }
        let mut run = aiperf::run(Fields(&metrics));
        let whole = |name: &str| Fields(&settings).count(name).filter(|count| *count > 0);
        run.label = row.first().and_then(|label| named::words(label));
        run.load.concurrency = whole("concurrency");
        run.load.offered = run.load.concurrency.map(|_| Offered::Unlimited);
        run.load.input_tokens_requested = Fields(&settings).number("isl");
        run.load.output_tokens_requested = Fields(&settings).number("osl");
        settings.retain(|name, _| !["concurrency", "isl", "osl"].contains(&name.as_str()));
        run.settings = settings;
        run
    };
    let measured = |run: &Measured| run.output_tok_s.is_some() || !run.latencies_ms.is_empty();
    rows.iter().filter(|row| row.len() == head.len()).map(run).filter(measured).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROFILE: &str = "Metric,avg,min,max,p99,p95,p90,p75,p50,p25\r\n\
        Time To First Token (ms),30.00,1.00,90.00,60.00,31.00,30.00,30.00,30.00,30.00\r\n\
        Inter Token Latency (ms),20.00,1.00,90.00,22.00,21.00,20.00,20.00,20.00,20.00\r\n\
        Request Latency (ms),\"5,494.07\",1.00,9.00,\"52,725.20\",9.00,9.00,9.00,\"2,613.88\",9.00\r\n\
        Output Sequence Length (tokens),20.00,20.00,20.00,20.00,20.00,20.00,20.00,20.00,20.00\r\n\
        \r\nMetric,Value\r\nOutput Token Throughput (per sec),55.52\r\nRequest Throughput (per sec),0.18\r\n\
        Request Count (count),39.00\r\n";

    fn read(text: &str) -> Vec<Measured> {
        let file = Foreign::of("a.csv", text);
        assert!(GenAiPerf.recognises(&file));
        GenAiPerf.read(&file, &mut Report::new()).expect("it is a table").runs
    }

    #[test]
    fn a_profile_is_read_as_its_json() {
        let runs = read(PROFILE);
        let [run] = &runs[..] else { panic!("one run: {runs:?}") };
        assert_eq!((run.output_tok_s, run.request_throughput_rps), (Some(55.52), Some(0.18)));
        let found = ["ttft_p99_ms", "tpot_p50_ms", "e2el_mean_ms", "e2el_p99_ms"].map(|name| run.latencies_ms[name]);
        assert_eq!(found, [60.0, 20.0, 5494.07, 52725.2]);
        assert_eq!((run.requests.completed, run.load.output_tokens), (Some(39), Some(20.0)));
    }

    #[test]
    fn early_tables_have_nanoseconds() {
        let text = "Metric,avg,min,max,p99,p95,p90,p75,p50,p25\nRequest latency (ns),\"5,000,000\",1,2,3,4,5,6,7,8\n";
        assert_eq!(read(text)[0].latencies_ms["e2el_mean_ms"], 5.0);
    }

    #[test]
    fn an_analysis_has_a_run_a_row() {
        let text = "Config Name,Concurrency,ISL,Num Prompts,p99 Time To First Token (ms),p99 Request Latency (ms),\
                    Avg. Output Token Throughput (tokens/sec),Request Throughput (requests/sec)\n\
                    run_0,32,200,100,230.99,3346.72,1135.38,10.09\nrun_1,32,200,125,231.23,3387.44,1121.66,10.03\n\
                    cut,32,200\n\nConfig Name,GPU,p99 GPU Power Usage (W)\nrun_0,gpu0,80.43\n";
        let runs = read(text);
        let [run, other] = &runs[..] else { panic!("two runs: {runs:?}") };
        assert_eq!((run.label.as_deref(), run.load.concurrency), (Some("run_0"), Some(32)));
        assert_eq!((run.output_tok_s, run.latencies_ms["ttft_p99_ms"]), (Some(1135.38), 230.99));
        assert_eq!((&run.settings["num_prompts"], other.load.input_tokens_requested), (&json!(100), Some(200.0)));
        assert_eq!(run.power, None);
    }

    #[test]
    fn other_tables_are_none_of_these() {
        for other in ["Metric,avg,min,max,sum,p1,p5,p25,p99,std\nRequest Latency (ms),1\n", "a,b\n1,2\n", ""] {
            assert!(!GenAiPerf.recognises(&Foreign::of("a.csv", other)), "{other}");
        }
        let empty = Foreign::of("a.csv", "Config Name,p99 Request Latency (ms)\n");
        assert!(GenAiPerf.read(&empty, &mut Report::new()).is_none());
    }
}
