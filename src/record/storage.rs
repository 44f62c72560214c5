//! Storage types of weights and caches, from the fields, flags and texts that records have for them.

use super::audit::AuditConfig;
use super::{Audit, Run, flags};

/// A storage type as a record has it, with the JSON pointer of where it says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    pub dtype: String,
    pub pointer: String,
}

fn said(dtype: impl Into<String>, pointer: impl Into<String>) -> Said {
    Said { dtype: dtype.into(), pointer: pointer.into() }
}

impl Run {
    /// The cache's: of the spec, else of the engine's flags, else of what the record says in words.
    pub fn kv_dtype(&self) -> Option<Said> {
        let of_spec = self.spec().text("/model/kv_dtype").map(|dtype| said(dtype, "/spec/model/kv_dtype"));
        let of_flags = || Some(said(of_cache_flags(self.software.kernels.as_deref()?)?, "/software/kernels"));
        let of_words = || Some(said(of_cache(self.model.quantization.as_deref()?)?, "/model/quantization"));
        let of_engines = || {
            let mut all = self.configs.iter().map(|config| of_cache(config.engine.as_deref()?));
            let first = all.next()??;
            all.all(|other| other.as_ref() == Some(&first)).then(|| said(first, "/configs/0/engine"))
        };
        of_spec.or_else(of_flags).or_else(of_words).or_else(of_engines)
    }

    /// The cache's, wherever the record says it beside the spec: in flags, in words, and of each config.
    pub fn kv_dtypes_said(&self) -> Vec<Said> {
        let of_flags = self
            .software
            .kernels
            .as_deref()
            .and_then(of_cache_flags)
            .map(|dtype| (dtype, "/software/kernels".to_owned()));
        let of_words = self
            .model
            .quantization
            .as_deref()
            .and_then(of_cache)
            .map(|dtype| (dtype, "/model/quantization".to_owned()));
        let of_configs = self.configs.iter().enumerate().filter_map(|(position, config)| {
            let text = config.engine.as_deref()?;
            Some((of_cache(text).or_else(|| of_cache_flags(text))?, format!("/configs/{position}/engine")))
        });
        of_flags.into_iter().chain(of_words).chain(of_configs).map(|(dtype, pointer)| said(dtype, pointer)).collect()
    }

    /// The weights', where the record says it in words.
    pub fn weight_dtypes_said(&self) -> Vec<Said> {
        let of_words = self.model.quantization.as_deref().and_then(of_weights);
        of_words.into_iter().map(|dtype| said(dtype, "/model/quantization")).collect()
    }

    /// The weights': of the spec, else of what the record says in words.
    pub fn weight_dtype(&self) -> Option<String> {
        let of_spec = self.spec().text("/model/weight_dtype").map(str::to_owned);
        of_spec.or_else(|| of_weights(self.model.quantization.as_deref()?))
    }
}

impl Audit {
    /// The cache's of a config: its field, else its flags, else those of every config.
    pub fn kv_dtype(&self, config: &AuditConfig, position: usize) -> Option<Said> {
        let at = |field: &str| format!("/configs/{position}/{field}");
        let of_field = config.kv_dtype.as_deref().map(|dtype| said(dtype, at("kv_dtype")));
        let of_flags = || Some(said(of_cache_flags(config.flags.as_deref()?)?, at("flags")));
        let of_all = || Some(said(of_cache_flags(self.baseline_flags.as_deref()?)?, "/baseline_flags"));
        of_field.or_else(of_flags).or_else(of_all)
    }

    /// What a config says of its cache and of its weights, wherever it does: in a field, in its flags, in its label.
    pub fn storage_types_said(&self, config: &AuditConfig, position: usize) -> [(&'static str, Vec<Said>); 2] {
        let at = |field: &str| format!("/configs/{position}/{field}");
        let label = config.label.as_deref();
        let of_label = label.and_then(of_cache).map(|dtype| said(dtype, at("label")));
        let cache = self.kv_dtype(config, position).into_iter();
        let of_flags = config.flags.as_deref().and_then(of_cache_flags).map(|dtype| said(dtype, at("flags")));
        let weights = config.weight_dtype.as_deref().map(|dtype| said(dtype, at("weight_dtype")));
        let named = label.filter(|label| label.to_lowercase().contains(" weights")).and_then(of_weights);
        let set = config.flags.as_deref().and_then(|flags| value_of(flags, &["--quantization"]));
        let set = set.map(|dtype| said(dtype, at("flags")));
        [
            ("the cache", cache.chain(of_flags).chain(of_label).collect()),
            (
                "the checkpoint",
                weights.into_iter().chain(set).chain(named.map(|dtype| said(dtype, at("label")))).collect(),
            ),
        ]
    }
}

/// `fp8` of `--kv-cache-dtype fp8`, `q8_0/q4_0` of `-ctk q8_0 -ctv q4_0`.
fn of_cache_flags(line: &str) -> Option<String> {
    let value = |names: &[&str]| value_of(line, names);
    let keys = || value(&["-ctk", "--cache-type-k"]);
    let values = || value(&["-ctv", "--cache-type-v"]);
    value(&["--kv-cache-dtype", "--kv_cache_dtype"]).or_else(|| match (keys(), values()) {
        (Some(keys), Some(values)) if keys == values => Some(keys),
        (Some(keys), Some(values)) => Some(format!("{keys}/{values}")),
        // What is not set is the engine's default.
        _ => None,
    })
}

/// The last value that a line gives a flag, in small letters.
fn value_of(line: &str, names: &[&str]) -> Option<String> {
    flags::of(line).iter().rev().find_map(|flag| {
        let (name, value) = flag.split_once([' ', '='])?;
        let value = value.split_whitespace().next()?;
        names.contains(&name).then(|| value.trim_matches(['"', '\'']).to_lowercase())
    })
}

/// `fp8` of `FP8 weights, BF16 KV cache`; a text that speaks of no cache is of the weights as a whole.
fn of_weights(text: &str) -> Option<String> {
    let text = text.to_lowercase();
    match text.split_once(" weights") {
        Some((before, _)) => before.rsplit([',', ' ']).next().map(str::to_owned),
        None => (!text.contains("kv")).then_some(text),
    }
}

/// `bf16` of `FP8 weights, BF16 KV cache`, `fp8` of `vllm 0.31.0 · KV FP8`.
fn of_cache(text: &str) -> Option<String> {
    let text = text.to_lowercase();
    let words: Vec<_> = text.split([' ', ',', ';', ':', '(', ')', '·']).filter(|word| !word.is_empty()).collect();
    let at = words.iter().position(|word| matches!(*word, "kv" | "kv-cache" | "kvcache"))?;
    let before = at.checked_sub(1).map(|before| words[before]).filter(|word| is_dtype(word));
    let after = || words[at + 1..].iter().copied().find(|word| *word != "cache").filter(|word| is_dtype(word));
    before.or_else(after).map(str::to_owned)
}

/// What engines call a storage type beside its usual name.
const SPELLINGS: [(&str, &str); 6] = [
    ("bfloat16", "bf16"),
    ("float16", "fp16"),
    ("f16", "fp16"),
    ("half", "fp16"),
    ("float32", "fp32"),
    ("f32", "fp32"),
];

/// A storage type under its usual name; `None` where the engine was left to choose, which states none. Types of one size
/// stay apart.
pub fn one_name(dtype: &str) -> Option<String> {
    let name = dtype.to_lowercase();
    if matches!(name.as_str(), "auto" | "default") {
        return None;
    }
    Some(SPELLINGS.iter().find(|(other, _)| *other == name).map_or(name, |(_, usual)| (*usual).to_owned()))
}

/// Whether values of a storage type take 16 bits and nothing more, under whatever name.
pub fn is_of_16_bits(dtype: &str) -> bool {
    one_name(dtype).is_some_and(|name| matches!(name.as_str(), "bf16" | "fp16"))
}

/// Whether two names are of different storage types, as far as both are names of one: `fp8_e4m3` is an `fp8`, `mxfp4` an
/// `fp4`, and `auto` may be any.
pub fn differ(one: &str, other: &str) -> bool {
    let spelled = |name: &str| {
        let name = name.trim().to_lowercase();
        // As GGUF files spell them out.
        let name = [(" - small", "_s"), (" - medium", "_m"), (" - large", "_l")]
            .into_iter()
            .fold(name, |name, (long, short)| name.replace(long, short));
        one_name(&name).unwrap_or(name)
    };
    let (one, other) = (spelled(one), spelled(other));
    let is_kind = |narrow: &str, wide: &str| {
        narrow.strip_prefix(wide).is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', '-', ' ']))
            || (narrow.ends_with(wide) && wide.starts_with("fp"))
    };
    is_dtype(&one) && is_dtype(&other) && !is_kind(&one, &other) && !is_kind(&other, &one)
}

/// Whether a word has the form of a storage type: letters that stand for a number's kind, and its bits.
fn is_dtype(word: &str) -> bool {
    const KINDS: [&str; 8] = ["nvfp", "mxfp", "float", "bf", "fp", "int", "f", "q"];
    let rest = KINDS.iter().find_map(|kind| word.strip_prefix(kind));
    rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit())) || word == "bfloat16"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_types_are_read_from_what_a_harness_writes() {
        for (text, weights, cache) in [
            ("FP8 weights, BF16 KV cache", Some("fp8"), Some("bf16")),
            ("BF16 weights", Some("bf16"), None),
            ("Q4_K_M", Some("q4_k_m"), None),
            ("fp8 KV cache", None, Some("fp8")),
            ("float16 weights, F16 KV cache", Some("float16"), Some("f16")),
            ("vllm 0.31.0 · KV FP8", None, Some("fp8")),
            ("KV cache: q8_0", None, Some("q8_0")),
            ("a KV cache of some kind", None, None),
        ] {
            assert_eq!((of_weights(text).as_deref(), of_cache(text).as_deref()), (weights, cache), "{text}");
        }
    }

    #[test]
    fn what_an_engine_was_left_to_choose_is_no_type() {
        for (dtype, name, is_of_16) in [
            ("auto", None, false),
            ("BFloat16", Some("bf16"), true),
            ("f16", Some("fp16"), true),
            ("half", Some("fp16"), true),
            ("float32", Some("fp32"), false),
            ("fp8_e4m3", Some("fp8_e4m3"), false),
        ] {
            assert_eq!((one_name(dtype).as_deref(), is_of_16_bits(dtype)), (name, is_of_16), "{dtype}");
        }
    }

    #[test]
    fn names_differ_where_they_are_of_other_types() {
        for (one, other, expected) in [
            ("fp8", "bf16", true),
            ("BF16", "bfloat16", false),
            ("fp16", "bf16", true),
            ("float16", "F16", false),
            ("fp8_e4m3", "FP8", false),
            ("fp8_e4m3", "fp8_e5m2", true),
            ("mxfp4", "fp4", false),
            ("nvfp4", "mxfp4", true),
            ("int4", "fp4", true),
            ("Q4_K - Medium", "q4_k_m", false),
            ("Q4_K - Medium", "q4_k_s", true),
            ("q4_0", "q4_0", false),
            ("auto", "fp8", false),
            ("fp8", "awq", false),
        ] {
            assert_eq!((differ(one, other), differ(other, one)), (expected, expected), "{one} {other}");
        }
    }

    #[test]
    fn flags_say_how_the_cache_is_stored() {
        for (line, cache) in [
            ("--kv-cache-dtype fp8 --max-num-batched-tokens 16384", Some("fp8")),
            ("vllm serve m --kv-cache-dtype=fp8_e4m3", Some("fp8_e4m3")),
            ("--kv-cache-dtype auto --kv-cache-dtype fp8", Some("fp8")),
            ("-fa 1 -ctk q8_0 -ctv q4_0", Some("q8_0/q4_0")),
            ("--cache-type-k q8_0 --cache-type-v q8_0", Some("q8_0")),
            ("-ctk q8_0", None),
            ("--dtype fp8", None),
        ] {
            assert_eq!(of_cache_flags(line).as_deref(), cache, "{line}");
        }
    }
}
