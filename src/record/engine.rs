//! Engines: one name for each, however a record spells it, with the version apart.

/// Engines with names of their own: the id, the name, and what else harnesses call them, in small letters.
const ENGINES: [(&str, &str, &[&str]); 4] = [
    ("llama.cpp", "llama.cpp", &["llama-cpp", "llamacpp"]),
    ("sglang", "SGLang", &[]),
    ("tensorrt-llm", "TensorRT-LLM", &["trt", "trtllm", "trt-llm"]),
    ("vllm", "vLLM", &[]),
];

/// `vllm` and `0.31.0` of `vllm 0.31.0 · kv bf16`; a name alone has no version.
pub fn name_and_version(engine: &str) -> (&str, Option<&str>) {
    let is_version = |word: &str| word.trim_start_matches(['v', 'b']).starts_with(|first: char| first.is_ascii_digit());
    let mut spaces = engine.match_indices(' ').map(|(at, _)| engine.split_at(at));
    let found = spaces.find(|(_, after)| after.split_whitespace().next().is_some_and(is_version));
    found.map_or((engine.trim(), None), |(name, after)| (name.trim(), after.split_whitespace().next()))
}

/// What spellings of one engine share.
pub fn id(engine: &str) -> String {
    let name = name_and_version(engine).0.to_lowercase();
    known(&name).map_or(name, |(id, _)| id.to_owned())
}

/// What pages call an engine: its own name, else the record's without the version.
pub fn title(engine: &str) -> &str {
    let name = name_and_version(engine).0;
    known(&name.to_lowercase()).map_or(name, |(_, title)| title)
}

/// The id of the engine that a text begins with, where it is one with a name of its own.
pub fn known_id(engine: &str) -> Option<&'static str> {
    let first = engine.split([' ', ',', ':', '/', '@']).next().unwrap_or_default().to_lowercase();
    known(&first).map(|(id, _)| id)
}

fn known(name: &str) -> Option<(&'static str, &'static str)> {
    let found = ENGINES.iter().find(|(id, _, others)| *id == name || others.contains(&name));
    found.map(|(id, title, _)| (*id, *title))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_a_name_and_maybe_a_version() {
        for (text, name, version) in [
            ("vllm", "vllm", None),
            ("vllm 0.31.0 · kv bf16", "vllm", Some("0.31.0")),
            ("llama.cpp b10488", "llama.cpp", Some("b10488")),
            ("TensorRT-LLM v0.20.0", "TensorRT-LLM", Some("v0.20.0")),
            ("3fs", "3fs", None),
            ("SGLang with HiCache", "SGLang with HiCache", None),
        ] {
            assert_eq!(name_and_version(text), (name, version), "{text}");
        }
    }

    #[test]
    fn spellings_of_one_engine_have_one_id_and_one_name() {
        for (text, id_of, title_of) in [
            ("trt", "tensorrt-llm", "TensorRT-LLM"),
            ("TensorRT-LLM v0.20.0", "tensorrt-llm", "TensorRT-LLM"),
            ("llama.cpp b10488", "llama.cpp", "llama.cpp"),
            ("VLLM 0.31.0", "vllm", "vLLM"),
            ("Ollama", "ollama", "Ollama"),
            // Another part of the stack makes it another one.
            ("vllm with llm-d", "vllm with llm-d", "vllm with llm-d"),
        ] {
            assert_eq!((id(text).as_str(), title(text)), (id_of, title_of), "{text}");
        }
        for (text, expected) in [
            ("sglang 0.5.0", Some("sglang")),
            ("vllm with llm-d", Some("vllm")),
            ("TRT", Some("tensorrt-llm")),
            ("vllm:0.31.0", Some("vllm")),
            ("3fs", None),
        ] {
            assert_eq!(known_id(text), expected, "{text}");
        }
        for (own, _, others) in ENGINES {
            assert!(others.iter().all(|other| id(other) == own));
        }
    }
}
