//! What prose calls metrics, and the words by which names of fields and formulas are of them.

use crate::quantity::Better;

/// What prose calls a metric, or several that are one thing to it.
#[derive(Debug)]
pub struct Family {
    pub name: &'static str,
    /// Words for it in prose.
    said: &'static [&'static str],
    /// Words of names that are of it.
    own: &'static [&'static str],
    /// Whether a number in any unit may be of it by a word beside it. Else one in percent, points or times: `a token costs
    /// 64 KiB` is no price.
    in_any_unit: bool,
    /// Words of what is of another family, whatever else its name says: a cost of output tokens is no throughput.
    never: &'static [&'static str],
}

const fn latency(name: &'static str, words: &'static [&'static str]) -> Family {
    Family { name, said: words, own: words, in_any_unit: true, never: &[] }
}

const fn shared(name: &'static str, said: &'static [&'static str], own: &'static [&'static str]) -> Family {
    Family { name, said, own, in_any_unit: false, never: &[] }
}

/// Neither how much of anything something costs nor how much it takes is a rate or a speed.
const fn of_a_rate(family: Family) -> Family {
    Family { never: &["cost", "usd", "price", "saving", "energy", "joule", "j", "bytes", "gib", "accuracy"], ..family }
}

pub static FAMILIES: [Family; 17] = [
    latency("TTFT", &["ttft"]),
    latency("TPOT", &["tpot"]),
    latency("ITL", &["itl"]),
    latency("E2E", &["e2e", "e2el"]),
    latency("MBU", &["mbu"]),
    latency("MFU", &["mfu"]),
    latency("goodput", &["goodput"]),
    of_a_rate(shared(
        "throughput",
        &["throughput"],
        &["throughput", "goodput", "output", "input", "total", "tok", "tps", "rps", "req", "rate", "speed", "capacity"],
    )),
    of_a_rate(shared(
        "speed",
        &["faster", "quicker", "slower"],
        &[
            "throughput",
            "goodput",
            "output",
            "input",
            "total",
            "tok",
            "tps",
            "rps",
            "req",
            "rate",
            "speed",
            "speedup",
            "capacity",
            "ttft",
            "tpot",
            "itl",
            "e2e",
            "e2el",
            "latency",
            "time",
            "ms",
            "s",
            "mbu",
            "mfu",
            "value",
        ],
    )),
    shared(
        "latency",
        &["latency"],
        &["latency", "ttft", "tpot", "itl", "e2e", "e2el", "time", "wait", "ms", "s", "seconds", "value"],
    ),
    shared("memory", &["memory"], &["memory", "kv", "cache", "pool", "bytes", "gib", "mib", "weights", "value"]),
    shared("power", &["power"], &["power", "watt", "watts", "kw", "w", "energy", "value"]),
    shared(
        "capacity",
        &["capacity"],
        &["capacity", "rps", "sequences", "pool", "tokens", "concurrency", "kv", "gain", "memory"],
    ),
    shared("cost", &["cost", "cheaper", "dearer"], &["cost", "usd", "price", "saving", "discount", "kv", "bytes"]),
    shared("energy", &["energy"], &["energy", "joule", "joules", "j", "wh", "kwh", "power", "kw", "watts"]),
    shared("the hit rate", &["hit rate", "hit rates"], &["hit", "hits", "reused", "cached", "prefix"]),
    shared("accuracy", &["accuracy"], &["accuracy", "score", "questions"]),
];

/// The words of a text in small letters.
fn words_of(text: &str) -> Vec<String> {
    text.split(|part: char| !part.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

impl Family {
    /// Where prose names it: the position of the phrase's last word among its words.
    pub fn positions<'a>(&'a self, said: &'a [String]) -> impl Iterator<Item = usize> + 'a {
        let is_phrase = |phrase: &str, at: usize| {
            phrase.split(' ').rev().enumerate().all(|(back, word)| at >= back && said[at - back] == word)
        };
        (0..said.len()).filter(move |at| self.said.iter().any(|phrase| is_phrase(phrase, *at)))
    }

    /// Whether a word, in small letters, is of it.
    pub fn has(&self, word: &str) -> bool {
        self.own.contains(&word)
    }

    /// Whether the words of a name, in small letters, say that what it names is of another one.
    pub fn is_never_of<'a>(&self, words: impl IntoIterator<Item = &'a String>) -> bool {
        words.into_iter().any(|word| self.never.contains(&word.as_str()))
    }

    /// Whether the name of a field or a formula is of it.
    pub fn owns(&self, name: &str) -> bool {
        let words = words_of(name);
        words.iter().any(|word| self.has(word)) && !self.is_never_of(&words)
    }

    /// Whether a number may be of it: one in percent, points or times, or one in another unit.
    pub fn is_of_a_number(&self, is_comparison: bool) -> bool {
        self.in_any_unit || is_comparison
    }
}

/// The last of the families that a text names; the first, where it stands behind a number.
pub fn named_in(text: &str, is_behind: bool, is_comparison: bool) -> Option<&'static Family> {
    let said = words_of(text);
    let families = FAMILIES.iter().filter(|family| family.is_of_a_number(is_comparison));
    let found = families.flat_map(|family| family.positions(&said).map(move |at| (at, family)));
    let found = if is_behind { found.min_by_key(|(at, _)| *at) } else { found.max_by_key(|(at, _)| *at) };
    found.map(|(_, family)| family)
}

/// Whether a name is of some family.
pub fn is_named(name: &str) -> bool {
    FAMILIES.iter().any(|family| family.owns(name))
}

/// Which way is better for a value, by its name in a source: `burst_ttft_p99`, `output_throughput`.
pub fn better_by_name(name: &str) -> Better {
    const LOWER: [&str; 14] = [
        "ttft",
        "tpot",
        "itl",
        "e2e",
        "e2el",
        "latency",
        "wait",
        "time",
        "gap",
        "perplexity",
        "ppl",
        "cost",
        "usd",
        "missed",
    ];
    const HIGHER: [&str; 9] = ["throughput", "goodput", "output", "tok", "rps", "req", "hit", "hits", "accuracy"];
    let words = words_of(name);
    let has = |any: &[&str]| words.iter().any(|word| any.contains(&word.as_str()));
    match () {
        () if has(&LOWER) => Better::Lower,
        () if has(&HIGHER) => Better::Higher,
        () => Better::Neither,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_names_a_family_beside_a_number() {
        for (text, is_behind, is_comparison, expected) in [
            ("% more goodput than TTFT", true, true, Some("goodput")),
            ("TTFT and goodput by ", false, true, Some("goodput")),
            ("a hit rate of ", false, true, Some("the hit rate")),
            ("a rate of ", false, true, None),
            ("its cost falls by ", false, true, Some("cost")),
            ("at a cost of ", false, false, None),
            ("fp4 costs ", false, true, None),
            (" ms of TTFT", true, false, Some("TTFT")),
        ] {
            assert_eq!(named_in(text, is_behind, is_comparison).map(|family| family.name), expected, "{text}");
        }
    }

    #[test]
    fn names_are_of_families_and_say_which_way_is_better() {
        let owner = |family: &str, name: &str| FAMILIES.iter().any(|own| own.name == family && own.owns(name));
        assert!(owner("cost", "usd_per_mtok_output") && owner("TTFT", "/slo/ttft_p99_ms"));
        assert!(!owner("throughput", "usd_per_mtok_output") && owner("throughput", "output_tok_s"));
        assert!(!owner("goodput", "cost_change_pct") && is_named("cost_change_pct") && !is_named("gsm8k"));
        for (name, better) in [
            ("burst_ttft_p99", Better::Lower),
            ("decode_tok_s", Better::Higher),
            ("time_per_output_token", Better::Lower),
            ("kv_values", Better::Neither),
        ] {
            assert_eq!(better_by_name(name), better, "{name}");
        }
    }
}
