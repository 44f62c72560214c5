//! What two results of one record must be alike in: the one rule, for the figures of runs and notes, for the page that
//! sets a record's results beside each other and, by way of `data/comparisons.json`, for `compare.html`.

use super::{Clause, Comparison, Part, Setting};
use crate::catalog::{Catalog, Item};

/// What two results of one record have to be alike in before a ratio between them may be shown.
#[derive(Debug, Clone, Copy)]
pub enum Alike {
    /// Configs of a run, whatever is measured.
    Configs,
    /// Variants of a note, for what they were measured to have.
    Readings,
    /// Variants of a note, for the sizes of their caches: these do not depend on where it runs, and how each stores its
    /// cache is what their ratio is of.
    Caches,
    /// Results of any kind, for the metrics of a clause.
    Metric(&'static Clause),
}

/// What the configs of one record may differ in.
const OF_CONFIGS: [Part; 6] =
    [Part::Engine, Part::Environment, Part::InputTokens, Part::OutputTokens, Part::PrefixShare, Part::HeldLoad];

/// What the variants of a note may differ in; their hosts stand in the environment.
const OF_VARIANTS: [Part; 5] = [Part::Context, Part::Model, Part::Engine, Part::Environment, Part::KvDtype];

/// What each result of a search is measured at. Two of them share no load, though neither states one.
const OWN_CAPACITY: &str = "each at its own capacity";

impl Alike {
    /// The parts in question, in the order in which differences are named.
    pub fn parts(self) -> Vec<Part> {
        match self {
            Alike::Configs => OF_CONFIGS.to_vec(),
            Alike::Readings => OF_VARIANTS.to_vec(),
            Alike::Caches => vec![Part::Model],
            Alike::Metric(clause) => {
                let matter: Vec<_> = clause.parts().collect();
                let of_configs = |part: &Part| clause.is_of_serving() && OF_CONFIGS.contains(part);
                Part::ALL.into_iter().filter(|part| matter.contains(part) || of_configs(part)).collect()
            }
        }
    }

    /// What is said of a part that two results do not share though neither states it.
    pub fn never_shared(self, part: Part) -> Option<&'static str> {
        let matters = matches!(self, Alike::Metric(clause) if clause.parts().any(|own| own == part));
        (matters && part == Part::HeldLoad).then_some(OWN_CAPACITY)
    }

    /// Whether results of a record are there to be compared for it.
    fn is_compared_for(self, part: Part) -> bool {
        matches!(self, Alike::Metric(clause) if clause.within.contains(&part))
    }

    /// What stands between two results of a record that `varies` some parts on purpose. What a record does not say is the
    /// same for all of its results.
    pub fn compare(self, one: &Setting, other: &Setting, varies: &[Part]) -> Comparison {
        let mut comparison = Comparison::default();
        for part in self.parts() {
            let (left, right) = (one.get(part), other.get(part));
            let unstated = if left.is_none() && right.is_none() { self.never_shared(part) } else { None };
            if let Some(words) = unstated {
                comparison.forbidding.push(words.to_owned());
                continue;
            }
            // A number is one in whichever digits it is written.
            let is_written_alike = part == Part::PrefixShare || one.written(part) == other.written(part);
            if left == right && is_written_alike {
                continue;
            }
            // Another version of an engine is what results are compared for, and another spelling is none.
            let is_spelling = left == right && matches!(part, Part::Engine | Part::KvDtype);
            let on_purpose = varies.contains(&part) || self.is_compared_for(part);
            let side = if is_spelling || on_purpose { &mut comparison.varied } else { &mut comparison.forbidding };
            side.push(one.against(part, other));
        }
        comparison
    }
}

/// What stands between two variants of a note, the baseline first.
pub fn variants(catalog: &Catalog, item: &Item, alike: Alike, baseline: usize, other: usize) -> Comparison {
    let setting = |position| Setting::of_record(catalog, item, position);
    match (setting(baseline), setting(other)) {
        (Some(one), Some(other)) => alike.compare(&one, &other, &super::varies(catalog, item)),
        _ => Comparison::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::clause;
    use super::*;

    fn setting(parts: &[(Part, &str)]) -> Setting {
        parts.iter().fold(Setting::default(), |setting, (part, value)| setting.with(*part, value))
    }

    fn words(alike: Alike, one: &Setting, other: &Setting, varies: &[Part]) -> (String, String) {
        let Comparison { forbidding, varied } = alike.compare(one, other, varies);
        (forbidding.join("; "), varied.join("; "))
    }

    fn said(forbidding: &str, varied: &str) -> (String, String) {
        (forbidding.to_owned(), varied.to_owned())
    }

    #[test]
    fn what_a_record_varies_is_said_and_what_it_does_not_say_forbids_nothing() {
        let words = |metric: &str, one: &[(Part, &str)], other: &[(Part, &str)], varies: &[Part]| {
            let clause = clause(metric).expect("it is in the contract");
            words(Alike::Metric(clause), &setting(one), &setting(other), varies)
        };
        assert_eq!(words("goodput_tok_s", &[], &[], &[]), said("", ""));
        let (warm, cold) = ([(Part::PrefixShare, "89%")], [(Part::PrefixShare, "0%")]);
        assert_eq!(words("goodput_tok_s", &cold, &warm, &[]), said("0% against 89% from cache", ""));
        assert_eq!(words("goodput_tok_s", &cold, &warm, &[Part::PrefixShare]), said("", "0% against 89% from cache"));
        // A part of the metric's clause, and one of no clause that configs may differ in.
        let (four, eight) = ([(Part::Load, "4 at once")], [(Part::Load, "8 at once")]);
        assert_eq!(words("output_tok_s", &four, &eight, &[]), said("load 4 at once against 8 at once", ""));
        let set = [(Part::Environment, "A=1")];
        assert_eq!(words("output_tok_s", &set, &[], &[]), said("environment A=1 against not stated", ""));
        assert_eq!(words("accuracy_pct", &set, &cold, &[]), said("", ""));
        // What the results of a record are there to compare.
        let (fp8, bf16) = ([(Part::KvDtype, "fp8")], [(Part::KvDtype, "bf16")]);
        assert_eq!(words("kv_bytes_per_token", &bf16, &fp8, &[]), said("", "KV dtype bf16 against fp8"));
        // A latency is of a load that was held.
        let (held, more) = ([(Part::HeldLoad, "4 at once")], [(Part::HeldLoad, "8 at once")]);
        assert_eq!(words("tpot_p99_ms", &[], &[], &[Part::HeldLoad]), said("each at its own capacity", ""));
        assert_eq!(words("tpot_p99_ms", &held, &held, &[]), said("", ""));
        assert_eq!(words("tpot_p99_ms", &held, &[], &[]), said("load held 4 at once against not stated", ""));
        assert_eq!(
            words("tpot_p99_ms", &held, &more, &[Part::HeldLoad]),
            said("", "load held 4 at once against 8 at once")
        );
    }

    #[test]
    fn configs_and_variants_differ_in_which_parts_are_asked() {
        let two = [(Part::Context, "1,000 tokens"), (Part::HeldLoad, "4 at once"), (Part::Model, "m")];
        let one = setting(&two);
        let longer = setting(&[(Part::Context, "9,000 tokens"), two[1], two[2]]);
        let busier = setting(&[two[0], (Part::HeldLoad, "8 at once"), two[2]]);
        let larger = setting(&[two[0], two[1], (Part::Model, "n")]);
        let context = "context 1,000 tokens against 9,000 tokens";
        let load = "load held 4 at once against 8 at once";
        for (alike, other, expected) in [
            (Alike::Configs, &longer, ""),
            (Alike::Configs, &busier, load),
            (Alike::Configs, &larger, ""),
            (Alike::Readings, &longer, context),
            (Alike::Readings, &busier, ""),
            (Alike::Readings, &larger, "model m against n"),
            (Alike::Caches, &longer, ""),
            (Alike::Caches, &larger, "model m against n"),
        ] {
            assert_eq!(words(alike, &one, other, &[]), said(expected, ""), "{alike:?}");
        }
        assert_eq!(words(Alike::Readings, &one, &longer, &[Part::Context]), said("", context));
        // Of configs nothing is measured at a load of its own.
        assert_eq!(words(Alike::Configs, &setting(&[]), &setting(&[]), &[]), said("", ""));
    }

    #[test]
    fn a_version_is_said_and_forbids_nothing_while_another_model_or_machine_of_one_kind_does() {
        let part = |part, value, written| setting(&[(part, value)]).with_written(part, part.name(), written);
        let (old, new) = (part(Part::Engine, "vllm", "vllm 0.9"), part(Part::Engine, "vllm", "vllm 0.10"));
        let versions = "engine vllm 0.9 against vllm 0.10";
        assert_eq!(words(Alike::Readings, &old, &new, &[]), said("", versions));
        assert_eq!(words(Alike::Readings, &old, &setting(&[]), &[]), said("engine vllm 0.9 against not stated", ""));
        let (one, other) = (part(Part::Model, "m", "M"), part(Part::Model, "m", "M, tuned"));
        assert_eq!(words(Alike::Caches, &one, &other, &[]), said("model M against M, tuned", ""));
        let share = |value, written| part(Part::PrefixShare, value, written);
        assert_eq!(words(Alike::Configs, &share("0%", "0%"), &share("0%", "0.0%"), &[]), said("", ""));
        let digits = words(Alike::Configs, &share("0%", "0.0%"), &share("74%", "74.0%"), &[]);
        assert_eq!(digits, said("0.0% against 74.0% from cache", ""));
    }
}
