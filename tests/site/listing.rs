//! The figures of a site in lines, so that a change of one shows as a line.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::tree::Tree;

/// Every figure of every record with the positions of its inputs and limits, which follow.
pub fn listing(tree: &Tree) -> String {
    let data = tree.with_ending(".json").filter_map(|path| {
        let record: Value = serde_json::from_str(tree.text(path)).ok()?;
        record["figures"].is_array().then(|| of_record(path, &record))
    });
    data.collect()
}

fn of_record(path: &str, record: &Value) -> String {
    let figures = list(&record["figures"]);
    let limits: BTreeSet<&str> = figures.iter().flat_map(|figure| texts(&figure["limits"])).collect();
    let limits: Vec<_> = limits.into_iter().collect();
    let mut lines = vec![path.to_owned()];
    lines.extend(figures.iter().map(|figure| of_figure(figure, &limits)));
    lines
        .extend(list(&record["inputs"]).iter().enumerate().map(|(at, input)| format!("  {at} is {}", of_input(input))));
    lines.extend(list(&record["evidence"]["fields"]).iter().map(|field| format!("  evidence {field}")));
    lines.extend(limits.iter().enumerate().map(|(at, limit)| format!("  limit {at} is {limit}")));
    lines.join("\n") + "\n"
}

fn of_figure(figure: &Value, limits: &[&str]) -> String {
    let names = ["subject", "id", "quote"].iter().filter_map(|name| figure[name].as_str());
    let mut line = names.collect::<Vec<_>>().join("/");
    match figure["missing"].as_str() {
        Some(reason) => line.push_str(&format!(" is missing: {reason}")),
        None => {
            let about = if figure["approximate"] == true { "about " } else { "" };
            line.push_str(&format!(" = {about}{}", number(figure)));
            let inputs: Vec<_> = list(&figure["inputs"]).iter().map(Value::to_string).collect();
            let own = |limit: &str| limits.iter().position(|known| *known == limit).map(|at| at.to_string());
            let limits: Vec<_> = texts(&figure["limits"]).filter_map(own).collect();
            let basis = figure["basis"].as_str().unwrap_or_default();
            line.push_str(&format!(" {basis} from {} limits {}", inputs.join(" "), limits.join(" ")));
        }
    }
    let label = figure["label"].as_str().map(|label| format!("label {label}"));
    let sample = figure["sample"].as_str().map(|sample| format!("sample {sample}"));
    let remarks = texts(&figure["remarks"]).map(|remark| format!("remark {remark}"));
    let stated =
        list(&figure["stated"]).iter().map(|stated| format!("stated {} {}", stated["as_written"], stated["verdict"]));
    label.into_iter().chain(sample).chain(remarks).chain(stated).fold(line, |line, more| format!("{line}; {more}"))
}

fn of_input(input: &Value) -> String {
    let place = format!("{}:{} {}", text(input, "path"), input["line"], text(input, "pointer"));
    let mut line = format!("{} {} {} {place}", text(input, "name"), number(input), text(input, "basis"));
    if let Some(formula) = input["formula"].as_str() {
        line.push_str(&format!(" {formula} of {}", input["inputs"]));
    }
    for field in ["assumed", "written", "missing"] {
        line.push_str(&input[field].as_str().map(|found| format!(" {field}: {found}")).unwrap_or_default());
    }
    line
}

fn number(of: &Value) -> String {
    format!("{} {}", of["value"], text(of, "unit"))
}

fn text<'a>(of: &'a Value, field: &str) -> &'a str {
    of[field].as_str().unwrap_or_default()
}

fn texts(of: &Value) -> impl Iterator<Item = &str> {
    list(of).iter().filter_map(Value::as_str)
}

fn list(of: &Value) -> &[Value] {
    of.as_array().map_or(&[], Vec::as_slice)
}
