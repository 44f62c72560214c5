//! What a label says of settings, as far as it says it in numbers or in the name of a dtype.

/// The rate of cache hits that a label says, in percent, and half of its last digit.
pub fn hits(label: &str) -> Option<(f64, f64)> {
    clauses(label).iter().find_map(|clause| {
        let clause = clause.to_lowercase();
        let mut words = clause.split([' ', '=', ':']).filter(|word| !word.is_empty());
        let says_hits =
            clause.split(|letter: char| !letter.is_alphabetic()).any(|word| ["hit", "hits"].contains(&word));
        let rate = words.find_map(|word| word.trim_matches(['~', '≈', '.']).strip_suffix('%').filter(|_| says_hits))?;
        let decimals = rate.split_once('.').map_or(0, |(_, part)| part.len());
        Some((rate.parse().ok()?, 0.5 * 10f64.powi(-i32::try_from(decimals).ok()?)))
    })
}

/// What a number of a label can be of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// A share of the prompt that is another's too.
    Prefix,
    /// Requests a second.
    Rate,
    /// Requests in flight.
    Concurrency,
    /// A length in tokens, of which there is no telling what is so long.
    Tokens,
    /// Tokens that a step may take.
    Budget,
    Input,
    Output,
    Context,
    /// Requests of a step.
    Batch,
    /// GPUs that each layer is split over.
    Tensors,
}

/// Parts of names of options and fields by the setting that they are of; with a star those that begin so.
const NAMES: [(Setting, &[&str]); 10] = [
    (Setting::Prefix, &["prefix*", "share*", "reuse*", "overlap*"]),
    (Setting::Rate, &["rate", "rates", "rps", "qps"]),
    (Setting::Concurrency, &["concurren*", "users", "clients", "streams", "flight", "inflight", "parallel"]),
    (Setting::Tokens, &["token*", "len", "length", "context", "ctx", "budget", "chunk*", "prefill", "isl", "osl"]),
    (Setting::Budget, &["batched", "budget", "chunk*", "prefill"]),
    (Setting::Input, &["input", "prompt", "isl"]),
    (Setting::Output, &["output", "generate", "osl"]),
    (Setting::Context, &["context", "ctx"]),
    (Setting::Batch, &["batch", "batches", "bs", "seqs", "sequences"]),
    (Setting::Tensors, &["tensor", "tp"]),
];

/// Dtypes and what else a checkpoint or a cache is stored in. Those of 16 bits are what engines use unasked.
const DTYPES: [&str; 19] = [
    "fp8", "fp6", "fp4", "mxfp8", "mxfp6", "mxfp4", "nvfp4", "int8", "int4", "int2", "awq", "gptq", "w8a8", "w4a16",
    "q8_0", "q5_1", "q5_0", "q4_1", "q4_0",
];

/// Ways to speculate, and what else a command that sets one says.
const SPECULATION: [&str; 4] = ["eagle", "eagle3", "mtp", "medusa"];
const SPECULATES: [&str; 3] = ["specul", "draft", "nextn"];

/// Whether a text sets what a label names in a word.
pub fn is_set_in(text: &str, word: &str) -> bool {
    text.contains(word) || (SPECULATION.contains(&word) && SPECULATES.iter().any(|stem| text.contains(stem)))
}

impl Setting {
    /// The settings that the name of an option or a field is of.
    pub fn of_name(name: &str) -> Vec<Self> {
        let name = name.to_lowercase();
        let parts: Vec<_> = name.split(|letter: char| !letter.is_ascii_alphabetic()).collect();
        let is_of = |names: &[&str]| {
            names.iter().any(|known| match known.strip_suffix('*') {
                Some(stem) => parts.iter().any(|part| part.starts_with(stem)),
                None => parts.contains(known),
            })
        };
        let mut found: Vec<_> = NAMES.iter().filter(|(_, names)| is_of(names)).map(|(setting, _)| *setting).collect();
        if found.contains(&Setting::Tensors) {
            return vec![Setting::Tensors];
        }
        // An input or an output that is not so many tokens is a file.
        if !found.contains(&Setting::Tokens) {
            found.retain(|setting| !setting.is_of_tokens());
        }
        found
    }

    /// Whether it is a kind of [`Setting::Tokens`].
    pub fn is_of_tokens(self) -> bool {
        matches!(self, Setting::Budget | Setting::Input | Setting::Output | Setting::Context)
    }

    /// Whether a number under a name of these settings may be one of this.
    pub fn is_among(self, of: &[Self]) -> bool {
        match self {
            Setting::Tokens => of.contains(&Setting::Tokens),
            kind if kind.is_of_tokens() => {
                of.contains(&kind) || (of.contains(&Setting::Tokens) && !of.iter().any(|other| other.is_of_tokens()))
            }
            other => of.contains(&other),
        }
    }
}

/// One thing that a label says.
#[derive(Debug, Clone, PartialEq)]
pub enum Claim {
    Number {
        words: String,
        setting: Setting,
        values: Vec<f64>,
    },
    Word(String),
    /// Whether prefixes are cached. Engines do so unasked.
    PrefixCache(bool),
}

impl Claim {
    pub fn is_of(&self, setting: Setting) -> bool {
        matches!(self, Claim::Number { setting: of, .. } if *of == setting)
    }

    /// The claim as a sentence goes on with it.
    pub fn words(&self) -> String {
        let (word, setting) = match self {
            Claim::Word(word) => return format!("`{word}`"),
            Claim::PrefixCache(is_on) => {
                return format!("a prefix cache that is {}", if *is_on { "on" } else { "off" });
            }
            Claim::Number { words, setting, .. } => (words, setting),
        };
        match setting {
            Setting::Prefix => format!("`{word}` of a shared prefix"),
            Setting::Rate => format!("a rate of `{word}`"),
            Setting::Concurrency => format!("a concurrency of `{word}`"),
            Setting::Tokens => format!("`{word}` of tokens"),
            Setting::Budget => format!("a budget of `{word}`"),
            Setting::Input => format!("an input of `{word}`"),
            Setting::Output => format!("an output of `{word}`"),
            Setting::Context => format!("a context of `{word}`"),
            Setting::Batch => format!("a batch of `{word}`"),
            Setting::Tensors => format!("`{word}` GPUs by tensors"),
        }
    }
}

/// What a label says. A share of zero and a dtype of 16 bits need no saying.
pub fn of(label: &str) -> Vec<Claim> {
    let mut claims = Vec::new();
    for clause in clauses(label) {
        let clause = clause.to_lowercase().replace(['=', ':'], " ");
        let words: Vec<&str> = clause.split_whitespace().map(|word| word.trim_matches(['.', '"', '\'', '`'])).collect();
        claims.extend(prefix_cache(&clause, &words).map(Claim::PrefixCache));
        for (at, word) in words.iter().enumerate() {
            let before = |back: usize| at.checked_sub(back).and_then(|at| words.get(at)).copied().unwrap_or_default();
            let after = |on: usize| words.get(at + on).copied().unwrap_or_default();
            if let Some(number) = word.strip_prefix("tp").and_then(|number| number.parse().ok()) {
                claims.push(Claim::Number {
                    words: (*word).to_owned(),
                    setting: Setting::Tensors,
                    values: vec![number],
                });
            }
            let parts = word.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            claims.extend(
                parts
                    .filter(|part| DTYPES.contains(part) || SPECULATION.contains(part))
                    .map(|part| Claim::Word(part.to_owned())),
            );
            let Some((number, suffix)) = number(word).filter(|(number, _)| *number > 0.0) else { continue };
            let setting = match suffix {
                "%" => share(&words),
                _ => setting([before(2), before(1)], [after(1), after(2), after(3)], suffix),
            };
            let values = match suffix {
                "%" => vec![number / 100.0, number],
                "k" => vec![number * 1000.0, number * 1024.0, number],
                _ => vec![number],
            };
            let words = (*word).to_owned();
            claims.extend(setting.map(|setting| Claim::Number { words, setting, values }));
        }
    }
    claims
}

/// `prefix caching off`, `with a prefix cache`
fn prefix_cache(clause: &str, words: &[&str]) -> Option<bool> {
    const NAMES: [&str; 4] = ["prefix cach", "prefix-cach", "radix cach", "radix-cach"];
    let says = |any: &[&str]| words.iter().any(|word| any.contains(word));
    match NAMES.iter().any(|name| clause.contains(name)) {
        true if says(&["off", "disabled", "no", "without"]) => Some(false),
        true if says(&["on", "enabled", "with"]) => Some(true),
        _ => None,
    }
}

/// A percentage of a prompt; one of hits is a result.
fn share(clause: &[&str]) -> Option<Setting> {
    let says = |stems: &[&str]| clause.iter().any(|word| stems.iter().any(|stem| word.starts_with(stem)));
    (says(&["prefix", "shared", "reuse", "overlap"]) && !says(&["hit"])).then_some(Setting::Prefix)
}

/// What a number is of by the words around it.
fn setting([second_before, before]: [&str; 2], [after, second, third]: [&str; 3], suffix: &str) -> Option<Setting> {
    let in_flight = (after, second) == ("in", "flight") || (after, second, third) == ("requests", "in", "flight");
    let many = ["user", "users", "client", "clients", "streams"];
    if after.starts_with("concurren") || before.starts_with("concurren") || in_flight {
        return Some(Setting::Concurrency);
    }
    if many.contains(&after) || many.contains(&before) {
        return Some(Setting::Concurrency);
    }
    let per_second = ["req/s", "reqs/s", "requests/s", "rps", "qps"].contains(&after);
    if per_second || (after == "requests" && second == "per") || ["rate", "rps", "qps"].contains(&before) {
        return Some(Setting::Rate);
    }
    let sequences = ["seqs", "sequences", "max-num-seqs"];
    if after.starts_with("batch")
        || ["batch", "bs"].contains(&before)
        || (second_before, before) == ("batch", "size")
        || sequences.contains(&after)
        || sequences.contains(&before)
    {
        return Some(Setting::Batch);
    }
    if before == "tp" || (second_before, before) == ("tensor", "parallel") {
        return Some(Setting::Tensors);
    }
    let a_second = second == "per" || (second, third) == ("a", "second");
    let of_tokens = ["token", "tokens"].contains(&after) && !a_second;
    let is = |word: &str, names: &[&str]| names.contains(&word);
    const BUDGET: [&str; 4] = ["budget", "chunk", "chunks", "chunked"];
    const INPUT: [&str; 3] = ["input", "prompt", "prompts"];
    const CONTEXT: [&str; 2] = ["context", "ctx"];
    // `16k in, 1k out`; a small number without a `k` counts other things too.
    let long = suffix == "k";
    let of_kind = |word: &str| {
        [(Setting::Budget, &BUDGET[..]), (Setting::Context, &CONTEXT)]
            .into_iter()
            .chain(long.then_some((Setting::Input, &INPUT[..])))
            .chain(long.then_some((Setting::Output, &["output"][..])))
            .find(|(_, names)| is(word, names))
            .map(|(setting, _)| setting)
    };
    // Of `16k tokens of context` and `input 16k tokens` too.
    let further = if of_tokens { of_kind(second).or_else(|| of_kind(third)) } else { None };
    // `16k prefill budget`
    let after = if after == "prefill" { second } else { after };
    of_kind(after)
        .or_else(|| of_kind(before))
        .or(further)
        .or_else(|| (of_tokens || (long && is(before, &["tokens", "token"]))).then_some(Setting::Tokens))
}

/// A label by its clauses: a comma within a number is none.
fn clauses(label: &str) -> Vec<String> {
    let letters: Vec<char> = label.chars().collect();
    let digit = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
    let mut clauses = vec![String::new()];
    for (at, letter) in letters.iter().enumerate() {
        let thousands = *letter == ',' && digit(at.checked_sub(1)) && digit(Some(at + 1));
        if matches!(letter, ',' | ';' | '(' | ')' | '[' | ']' | '·' | '|' | '+') && !thousands {
            clauses.push(String::new());
        } else if let Some(clause) = clauses.last_mut().filter(|_| !thousands) {
            clause.push(*letter);
        }
    }
    clauses
}

/// A number that stands by itself, and `%` or `k` behind it.
fn number(word: &str) -> Option<(f64, &str)> {
    let word = word.trim_start_matches(['~', '≈']);
    let end = word.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(word.len());
    let (number, suffix) = word.split_at(end);
    let suffix = suffix.strip_suffix("-token").unwrap_or(suffix);
    ["", "%", "k"].contains(&suffix).then(|| Some((number.parse().ok()?, suffix)))?
}

/// The numbers in a word of a command: of `16k` both meanings.
pub fn numbers(word: &str) -> impl Iterator<Item = f64> {
    let mut found = Vec::new();
    let mut rest = word;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let from = &rest[start..];
        let end = from.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(from.len());
        let (digits, after) = from.split_at(end);
        if let Ok(number) = digits.trim_end_matches('.').parse::<f64>() {
            found.push(number);
            if after.starts_with(['k', 'K']) {
                found.extend([number * 1000.0, number * 1024.0]);
            }
        }
        rest = after;
    }
    found.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_say_what_they_are_of() {
        for (label, expected) in [
            ("90% shared prefix (89.2% cache hits)", &["`90%` of a shared prefix"][..]),
            ("prefix share 50%", &["`50%` of a shared prefix"]),
            ("No prompt reuse (0% cache hits)", &[]),
            ("0% shared prefix", &[]),
            ("a prefix of 512, 50% cached", &[]),
            ("4 concurrent", &["a concurrency of `4`"]),
            ("concurrency=64", &["a concurrency of `64`"]),
            ("32 requests in flight", &["a concurrency of `32`"]),
            ("8 users", &["a concurrency of `8`"]),
            ("1.5 req/s, 25 concurrent", &["a rate of `1.5`", "a concurrency of `25`"]),
            ("rate: 8", &["a rate of `8`"]),
            ("11.5 requests per second", &["a rate of `11.5`"]),
            ("FP8 KV, 16k budget", &["`fp8`", "a budget of `16k`"]),
            ("16,384 tokens a step", &["`16384` of tokens"]),
            ("8,192-token budget", &["a budget of `8192-token`"]),
            ("1,024 tokens per second", &[]),
            ("batch size 32", &["a batch of `32`"]),
            ("batch 16", &["a batch of `16`"]),
            ("bs 8", &["a batch of `8`"]),
            ("8 batches", &["a batch of `8`"]),
            ("users: 5", &["a concurrency of `5`"]),
            ("concurrency 3", &["a concurrency of `3`"]),
            ("9 in flight", &["a concurrency of `9`"]),
            ("qps 3", &["a rate of `3`"]),
            ("3 qps", &["a rate of `3`"]),
            ("500 requests in all", &[]),
            ("16,384-token prefill budget", &["a budget of `16384-token`"]),
            ("budget 8192", &["a budget of `8192`"]),
            ("8192 context", &["a context of `8192`"]),
            ("input 16k", &["an input of `16k`"]),
            ("8k input", &["an input of `8k`"]),
            ("1k output", &["an output of `1k`"]),
            ("16k tokens of context", &["a context of `16k`"]),
            ("max-num-seqs 64", &["a batch of `64`"]),
            ("128 sequences", &["a batch of `128`"]),
            ("input 16", &[]),
            ("16k of it", &[]),
            ("1,024 tokens a second", &[]),
            ("a second of 1,024 tokens", &["`1024` of tokens"]),
            ("size 32", &[]),
            ("parallel 4", &[]),
            ("tp 4", &["`4` GPUs by tensors"]),
            ("TP2 + EP2", &["`tp2` GPUs by tensors"]),
            ("tensor parallel 4", &["`4` GPUs by tensors"]),
            ("Qwen3-30B on H100, v0.31.0", &[]),
            ("pp4096+tg256", &[]),
            ("pp512 @ d1024", &[]),
            ("BF16", &[]),
            ("97% accuracy", &[]),
            ("12 ms TPOT", &[]),
            ("Prefix caching off", &["a prefix cache that is off"]),
            ("FP8, no prefix cache", &["`fp8`", "a prefix cache that is off"]),
            ("prefix-cache: on", &["a prefix cache that is on"]),
            ("prefix caching in GPU memory", &[]),
            ("without a cache", &[]),
        ] {
            let found: Vec<_> = of(label).iter().map(Claim::words).collect();
            assert_eq!(found, expected, "{label}");
        }
    }

    #[test]
    fn labels_say_how_much_was_hit() {
        for (label, expected) in [
            ("90% shared prefix (89.2% cache hits)", Some((89.2, 0.05))),
            ("hit rate: 74%", Some((74.0, 0.5))),
            ("90% shared prefix", None),
            ("white 90%", None),
        ] {
            let found = hits(label).map(|(rate, half)| (rate, (half * 1000.0).round() / 1000.0));
            assert_eq!(found, expected, "{label}");
        }
    }

    #[test]
    fn names_are_of_settings() {
        use Setting::{Budget, Concurrency, Input, Prefix, Rate, Tensors, Tokens};
        for (name, expected) in [
            ("--shared-prefix", &[Prefix][..]),
            ("prefix_pool", &[Prefix]),
            ("--random-prefix-len", &[Prefix, Tokens]),
            ("--request-rate", &[Rate]),
            ("--random-input-len", &[Tokens, Input]),
            ("--max-num-batched-tokens", &[Tokens, Budget]),
            ("--max-model-len", &[Tokens]),
            ("--max-num-seqs", &[Setting::Batch]),
            ("--max-concurrency", &[Concurrency]),
            ("--tensor-parallel-size", &[Tensors]),
            ("-tp", &[Tensors]),
            ("--output-file", &[]),
            ("--generate", &[]),
            ("http", &[]),
        ] {
            assert_eq!(Setting::of_name(name), expected, "{name}");
        }
    }

    #[test]
    fn numbers_of_commands_stand_in_words() {
        for (word, expected) in [
            ("prefix-0.9.jsonl", &[0.9][..]),
            ("1,2,4", &[1.0, 2.0, 4.0]),
            ("16k", &[16.0, 16_000.0, 16_384.0]),
            ("a.b", &[]),
            ("127.0.0.1", &[]),
        ] {
            assert_eq!(numbers(word).collect::<Vec<_>>(), expected, "{word}");
        }
    }
}
