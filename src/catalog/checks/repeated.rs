//! Whether what the commands of a run would repeat is what its record is of: its model, its GPUs, its loads.

pub mod fields;

use std::collections::BTreeMap;

use super::parallelism::degrees;
use super::reproduce::alike;
use crate::catalog::Item;
use crate::diagnostic::{Diagnostic, Report, quoted, rules};
use crate::record::{Record, Run};
use fields::Found;

const MODEL: [&str; 4] = ["--model", "--model-path", "--model_path", "--hf-repo"];
const SERVED: [&str; 2] = ["--served-model-name", "--alias"];
pub(super) const TENSORS: [&str; 6] =
    ["--tensor-parallel-size", "--tensor_parallel_size", "--tensor-parallel", "--tp-size", "--tp", "-tp"];
pub(super) const REPLICAS: [&str; 5] = ["--data-parallel-size", "--data_parallel_size", "--dp-size", "--dp", "-dp"];
pub(super) const STAGES: [&str; 5] =
    ["--pipeline-parallel-size", "--pipeline_parallel_size", "--pp-size", "--pp", "-pp"];

/// Model, GPUs, engine, storage types, limits and loads of the commands of every run.
pub fn commands_are_of_the_record(items: &BTreeMap<String, Item>, report: &mut Report) {
    for item in items.values() {
        let Record::Run(run) = &item.record else { continue };
        let Some(text) = run.reproduce.as_deref() else { continue };
        let commands: Vec<_> = alike(text).into_iter().flatten().collect();
        let entry = item.models.first().and_then(|model| items.get(model.entry()?));
        let one = [
            other_model(run, entry, &commands),
            more_gpus(run, &commands),
            other_degree(run, &commands),
            fields::no_cache(run, &commands),
            fields::other_engine(run, &commands),
            fields::other_version(run, &commands),
            fields::other_limit(run, &commands),
        ];
        let found = one.into_iter().flatten().chain(fields::storage_types(run, &commands));
        for (message, pointer) in found.chain(fields::numbers(run, &commands)) {
            let at = "/reproduce";
            report.push(
                Diagnostic::new(&rules::REPRODUCE_CONTRADICTS, item.document.location(at), message)
                    .pointer(at)
                    .related(item.document.spans.nearest(&pointer), "what the record says")
                    .help("give the commands of this run, or acknowledge the rule with what they are of"),
            );
        }
    }
}

/// The first model that a command names as neither the record nor the entry does.
fn other_model(run: &Run, entry: Option<&Item>, commands: &[Vec<String>]) -> Option<Found> {
    let mut names = vec![run.model.name.as_str()];
    names.extend(run.spec().text("/engine/model"));
    names.extend(run.spec().text("/model/name"));
    if let Some((entry, Record::Model(model))) = entry.map(|entry| (entry, &entry.record)) {
        names.extend([entry.title(), entry.address.as_str()]);
        names.extend(model.names.iter().map(String::as_str));
    }
    let names: Vec<_> = names.into_iter().map(essence).collect();
    // What a command itself serves a model as may be anything, and is that model.
    let served = |command: &Vec<String>| values(command, &SERVED).into_iter().map(essence).collect::<Vec<_>>();
    let aliases: Vec<_> = commands
        .iter()
        .filter(|command| models(command).iter().any(|model| is_known(&names, model)))
        .flat_map(served)
        .collect();
    let mut named = commands.iter().flat_map(|command| models(command)).filter(|model| is_named(model));
    let other = named.find(|model| !is_known(&names, model) && !aliases.contains(&essence(model)))?;
    let message = format!("a command names the model {}, the record is of {}", quoted(other), quoted(&run.model.name));
    Some((message, "/model/name".to_owned()))
}

/// Whether a name is one of these: whoever shortens one leaves out its owner, its date, its dtype, and no more.
fn is_known(names: &[String], model: &str) -> bool {
    let model = essence(model);
    let is_same = |name: &String| {
        let (long, short) = if name.len() < model.len() { (&model, name) } else { (name, &model) };
        let rest = long.split_once(short.as_str());
        rest.is_some_and(|(before, after)| ![before, after].into_iter().any(is_another))
    };
    model.is_empty() || names.iter().any(|name| !name.is_empty() && is_same(name))
}

/// Whether what one name has beyond another makes it that of another model: a size, a family, a variant that is trained
/// further.
fn is_another(rest: &str) -> bool {
    const OTHERS: [&str; 14] = [
        "distill",
        "qwen",
        "llama",
        "mistral",
        "gemma",
        "phi",
        "mini",
        "nano",
        "tiny",
        "lite",
        "coder",
        "vision",
        "thinking",
        "reasoning",
    ];
    let is_size = |at: usize| {
        let before = &rest[..at];
        let digits = before.len() - before.trim_end_matches(|part: char| part.is_ascii_digit()).len();
        // `128e8b` and `a3b` count experts and what is active of a model.
        let first = before[..at - digits].chars().next_back();
        digits > 0 && !matches!(first, Some('a' | 'e'))
    };
    OTHERS.iter().any(|other| rest.contains(other)) || rest.match_indices('b').any(|(at, _)| is_size(at))
}

/// The models that a command names: behind an option, or served by `vllm serve`.
fn models(command: &[String]) -> Vec<&str> {
    let mut found = values(command, &MODEL);
    let served = command.windows(3).find(|words| words[0].ends_with("vllm") && words[1] == "serve");
    found.extend(served.map(|words| words[2].as_str()).filter(|word| !word.starts_with('-')));
    found
}

/// Whether a text names a model, and is no file, no variable and no gap to be filled in.
fn is_named(model: &str) -> bool {
    let is_path = model.starts_with(['/', '.', '~', '\\']) || model.get(1..2) == Some(":");
    let is_open = model.contains(['$', '<', '{', '*', '%']);
    !is_path && !is_open
}

/// What is left of a name without its owner, in small letters and digits.
fn essence(name: &str) -> String {
    let name = name.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The first command that splits the model over more GPUs than the record covers.
fn more_gpus(run: &Run, commands: &[Vec<String>]) -> Option<Found> {
    let degree = |command: &Vec<String>, options: &[&str]| number(command, options).unwrap_or(1);
    let gpus = commands.iter().map(|command| {
        // Attention by data may use the GPUs of the tensors.
        degree(command, &TENSORS).saturating_mul(degree(command, &STAGES)).max(degree(command, &REPLICAS))
    });
    let gpus = gpus.max().filter(|gpus| *gpus > u64::from(run.hardware.count))?;
    let count = run.hardware.count;
    Some((
        format!("a command splits the model over {gpus} GPUs, the record covers {count}"),
        "/hardware/count".to_owned(),
    ))
}

/// The one degree of tensors that the record names, where every command which sets one sets another.
fn other_degree(run: &Run, commands: &[Vec<String>]) -> Option<Found> {
    let [own] = degrees(run.model.parallelism.as_deref()?, "tp")[..] else { return None };
    let set: Vec<_> = commands.iter().filter_map(|command| number(command, &TENSORS)).collect();
    let other = set.first().filter(|_| !set.contains(&own))?;
    Some((
        format!("a command splits each layer over {other} GPUs, the record over {own}"),
        "/model/parallelism".to_owned(),
    ))
}

pub(super) fn number(command: &[String], options: &[&str]) -> Option<u64> {
    values(command, options).last()?.parse().ok()
}

/// What stands behind options, each spelled in one of these ways.
fn values<'a>(command: &'a [String], options: &[&str]) -> Vec<&'a str> {
    let joined =
        |word: &'a String| word.split_once('=').filter(|(option, _)| options.contains(option)).map(|(_, value)| value);
    let apart =
        |at: usize| options.contains(&command[at].as_str()).then(|| command.get(at + 1).map(String::as_str)).flatten();
    (0..command.len()).filter_map(|at| joined(&command[at]).or_else(|| apart(at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_name_models() {
        for (command, expected) in [
            ("vllm serve Qwen/Qwen3-8B --port 1", &["Qwen/Qwen3-8B"][..]),
            ("bench --model=Qwen/Qwen3-8B", &["Qwen/Qwen3-8B"]),
            ("bench --model a --model-path b", &["a", "b"]),
            ("vllm serve --model a", &["a"]),
            ("bench --model", &[]),
            ("bench a", &[]),
            ("vllm bench a", &[]),
            ("python serve a", &[]),
            ("vllm serve -h", &[]),
        ] {
            let command = super::super::reproduce::words(command);
            assert_eq!(models(&command), expected, "{command:?}");
        }
        for (name, expected) in [
            ("Qwen/Qwen3-8B", true),
            ("/models/a", false),
            ("./a", false),
            ("C:\\a", false),
            ("$MODEL", false),
            ("<model>", false),
        ] {
            assert_eq!(is_named(name), expected, "{name}");
        }
        assert_eq!(essence("Qwen/Qwen3-8B_FP8/"), "qwen38bfp8");
        for (own, model, expected) in [
            ("DeepSeek-R1-0528", "deepseek-ai/DeepSeek-R1", true),
            ("DeepSeek-R1-0528", "deepseek-ai/DeepSeek-R1-0528-Qwen3-8B", false),
            ("DeepSeek-R1", "nvidia/DeepSeek-R1-0528-FP4-v2", true),
            ("Llama-3.1-8B", "Meta-Llama-3.1-8B-Instruct", true),
            ("Llama-3.1", "Llama-3.1-70B", false),
            ("Qwen3-30B", "Qwen3-30B-A3B", true),
            ("Qwen3-30B-A3B", "Qwen3-30B-A3B-Thinking-2507", false),
            ("Llama-4-Scout", "Llama-4-Scout-17B-16E", false),
            ("gpt-oss", "gpt-4", false),
        ] {
            assert_eq!(is_known(&[essence(own)], model), expected, "{own} {model}");
        }
    }
}
