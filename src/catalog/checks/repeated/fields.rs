//! What the options of commands set, against the fields that a record has for it.

use super::values;
use crate::catalog::checks::reproduce::{by_label, words};
use crate::diagnostic::quoted;
use crate::metric::heading;
use crate::quantity::plain;
use crate::record::run::RunConfig;
use crate::record::{Run, engine, storage};

/// Something that an option and a field both say.
struct Field {
    options: &'static [&'static str],
    /// Where a config says it, and in which words.
    pointer: &'static str,
    words: &'static str,
    value: fn(&RunConfig) -> Option<f64>,
}

const FIELDS: [Field; 5] = [
    Field {
        options: &["--num-prompts", "--num-prompt", "--num_prompts", "--num-requests", "--request-count"],
        pointer: "requests/sent",
        words: "requests",
        value: |config| Some(config.requests.as_ref()?.sent? as f64),
    },
    Field {
        options: &["--max-concurrency", "--max_concurrency", "--concurrency"],
        pointer: "concurrency",
        words: "requests in flight",
        value: |config| Some(config.concurrency? as f64),
    },
    Field {
        options: &["--request-rate", "--request_rate", "--rate"],
        pointer: "request_rate_rps",
        words: "requests a second",
        value: |config| config.request_rate_rps.filter(|rate| *rate > 0.0),
    },
    Field {
        options: &["--random-input-len", "--random-input", "--input-len", "--input-length", "--isl"],
        pointer: "input_tokens_requested",
        words: "input tokens",
        value: |config| config.input_tokens_requested,
    },
    Field {
        options: &["--random-output-len", "--random-output", "--output-len", "--output-length", "--osl"],
        pointer: "output_tokens_requested",
        words: "output tokens",
        value: |config| config.output_tokens_requested,
    },
];

const KV_DTYPE: [&str; 2] = ["--kv-cache-dtype", "--kv_cache_dtype"];
const WEIGHT_DTYPE: [&str; 2] = ["--quantization", "--weight-dtype"];

/// A sentence on a contradiction, and where the record says the other thing.
pub type Found = (String, String);

/// Each number of a config that no command which sets it has.
pub fn numbers(run: &Run, commands: &[Vec<String>]) -> Vec<Found> {
    let mut found = Vec::new();
    let labelled = by_label(commands);
    for field in &FIELDS {
        let of_all = set_to(field, commands);
        for (position, config) in run.configs.iter().enumerate() {
            let Some(stated) = (field.value)(config) else { continue };
            let own = labelled.get(&config.label.trim().to_lowercase());
            let own = own.and_then(|own| set_to(field, own.iter().map(|at| &commands[*at])));
            let Some(set) = own.or_else(|| of_all.clone()) else { continue };
            // Each repeat sends as many.
            let repeats = config.repeats.map_or(1.0, f64::from);
            if set.iter().any(|set| *set == stated || *set * repeats == stated) {
                continue;
            }
            let set: Vec<_> = set.into_iter().map(|set| plain(set.into())).collect();
            let message = format!(
                "`{}`: the commands set {} {}, the record says {}",
                config.label,
                set.join(" or "),
                field.words,
                plain(stated.into())
            );
            found.push((message, format!("/configs/{position}/{}", field.pointer)));
        }
    }
    found
}

/// The numbers that commands set a field to; `None` where none does, or one is a variable, a gap or a word.
fn set_to<'a>(field: &Field, commands: impl IntoIterator<Item = &'a Vec<String>>) -> Option<Vec<f64>> {
    let texts: Vec<_> = commands.into_iter().flat_map(|command| values(command, field.options)).collect();
    let numbers = texts.iter().flat_map(|text| text.split(',')).map(|number| number.trim().parse().ok());
    let mut numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    (!numbers.is_empty()).then_some(numbers)
}

/// A storage type that every command which sets one has otherwise than the record.
pub fn storage_types(run: &Run, commands: &[Vec<String>]) -> Vec<Found> {
    let cache = run.kv_dtype().into_iter().chain(run.kv_dtypes_said());
    let cache: Vec<_> = cache.map(|said| (said.dtype, said.pointer)).collect();
    let weights = run.spec().text("/model/weight_dtype").map(|dtype| (dtype.to_owned(), "/spec/model/weight_dtype"));
    let weights = weights.map(|(dtype, pointer)| (dtype, pointer.to_owned()));
    let weights =
        weights.into_iter().chain(run.weight_dtypes_said().into_iter().map(|said| (said.dtype, said.pointer)));
    let weights: Vec<_> = weights.collect();
    let mut found = Vec::new();
    for (what, options, said) in [("a cache", &KV_DTYPE, cache), ("weights", &WEIGHT_DTYPE, weights)] {
        let set: Vec<_> = commands.iter().flat_map(|command| values(command, options)).collect();
        let other = said.into_iter().find(|(dtype, _)| set.iter().all(|set| storage::differ(set, dtype)));
        if let (Some((dtype, pointer)), Some(set)) = (other, set.first()) {
            let message = format!("a command sets {what} in {}, the record says {}", quoted(set), quoted(&dtype));
            found.push((message, pointer));
        }
    }
    found
}

/// Options that turn a prefix cache off and on.
pub const NO_CACHE: [&str; 3] = ["--no-enable-prefix-caching", "--disable-radix-cache", "--no-prefix-caching"];
pub const CACHE: [&str; 2] = ["--enable-prefix-caching", "--enable-radix-cache"];

/// Hits of a prefix cache that every command which sets one turns off.
pub fn no_cache(run: &Run, commands: &[Vec<String>]) -> Option<Found> {
    let of_server = run.software.kernels.as_deref().map(words);
    let all: Vec<_> = commands.iter().chain(&of_server).flatten().map(String::as_str).collect();
    let off = all.iter().find(|word| NO_CACHE.contains(word))?;
    let hits = run.configs.iter().position(|config| config.prefix_cache_hit_pct.is_some_and(|hits| hits > 0.0))?;
    let config = &run.configs[hits];
    let set_by_config = config.engine.as_deref().is_some_and(|text| CACHE.iter().any(|on| text.contains(on)));
    if set_by_config || all.iter().any(|word| CACHE.contains(word)) {
        return None;
    }
    let message = format!(
        "`{off}` turns the prefix cache off, and of `{}` the record says {}% of hits",
        config.label,
        plain(config.prefix_cache_hit_pct?.into())
    );
    Some((message, format!("/configs/{hits}/prefix_cache_hit_pct")))
}

/// The first version of the record's engine in a command, an image or a package, that is not the record's.
pub fn other_version(run: &Run, commands: &[Vec<String>]) -> Option<Found> {
    let own = run.software.engine_version.as_deref()?;
    let engine = engine::known_id(&run.software.engine)?;
    let of_configs = run.configs.iter().filter_map(|config| engine::name_and_version(config.engine.as_deref()?).1);
    let known: Vec<_> = of_configs.chain([own]).map(number_of_version).collect();
    let named = commands.iter().flatten().filter_map(|word| {
        let (name, version) = word.split_once("==").or_else(|| word.rsplit_once(':'))?;
        let is_own = name.to_lowercase().contains(engine);
        Some(number_of_version(version)).filter(|version| is_own && version.contains('.'))
    });
    let is_known = |version: &&str| known.iter().any(|own| own.starts_with(version) || version.starts_with(own));
    let other = named.into_iter().find(|version| !is_known(version))?;
    Some((
        format!("a command names {} {other}, the record says {own}", run.software.engine),
        "/software/engine_version".to_owned(),
    ))
}

/// Programs that start a server, and whose they are.
const SERVERS: [(&str, &str); 8] = [
    ("vllm serve", "vllm"),
    ("vllm.entrypoints", "vllm"),
    ("sglang.launch_server", "sglang"),
    ("sglang serve", "sglang"),
    ("llama-server", "llama.cpp"),
    ("trtllm-serve", "tensorrt-llm"),
    ("text-generation-launcher", "tgi"),
    ("lmdeploy serve", "lmdeploy"),
];

/// The first server that a command starts and that is another engine than the record's or any config's.
pub fn other_engine(run: &Run, commands: &[Vec<String>]) -> Option<Found> {
    let own = engine::known_id(&run.software.engine)?;
    let of_configs = run.configs.iter().filter_map(|config| engine::known_id(config.engine.as_deref()?));
    let known: Vec<_> = of_configs.chain([own]).collect();
    let started = commands.iter().flat_map(|command| {
        let line = command.join(" ");
        SERVERS.iter().filter(move |(program, _)| line.contains(program)).map(|(_, engine)| *engine)
    });
    let ids: Vec<_> = started.collect();
    // A command may start a server beside the one that is measured.
    let other = ids.iter().find(|_| !ids.iter().any(|id| known.contains(id)))?;
    Some((format!("a command starts {other}, the record is of {own}"), "/software/engine".to_owned()))
}

/// `0.8.5` of `v0.8.5-cu124`; nothing of `latest`.
fn number_of_version(version: &str) -> &str {
    let version = version.strip_prefix('v').unwrap_or(version);
    let end = version.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(version.len());
    version[..end].trim_end_matches('.')
}

/// The first limit that a command counts goodput by and that is none of the record's for that latency.
pub fn other_limit(run: &Run, commands: &[Vec<String>]) -> Option<Found> {
    let limits = commands.iter().flat_map(|command| {
        let at = command.iter().position(|word| word == "--goodput").map_or(command.len(), |at| at + 1);
        command[at..].iter().map_while(|word| word.split_once(':'))
    });
    limits.into_iter().find_map(|(metric, limit)| {
        let limit: f64 = limit.parse().ok()?;
        let own = run.slo.iter().flatten().filter(|(name, _)| name.split('_').next() == Some(metric));
        let own: Vec<_> = own.collect();
        let (name, value) = own.first().filter(|_| own.iter().all(|(_, own)| **own != limit))?;
        let message = format!(
            "a command counts goodput within {metric} of {} ms, the record's limit of {} is {} ms",
            plain(limit.into()),
            heading(name),
            plain((**value).into())
        );
        Some((message, format!("/slo/{name}")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_its_numbers() {
        for (text, expected) in
            [("v0.8.5-cu124", "0.8.5"), ("0.4.6.post1", "0.4.6"), ("24.07", "24.07"), ("latest", ""), ("v1", "1")]
        {
            assert_eq!(number_of_version(text), expected, "{text}");
        }
    }
}
