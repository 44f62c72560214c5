//! What stands between two results of one record.

use super::{Clause, Comparison, OF_CONFIGS, Part, Setting};

/// What each result of a search is measured at. Two of them share no load, though neither states one.
const OWN_CAPACITY: &str = "each at its own capacity";

/// Whether two results of one record may be compared for the metrics of a clause. What a record does not say is the same
/// for all of its results, and parts in which they differ on purpose forbid nothing.
pub fn within(clause: &Clause, one: &Setting, other: &Setting, varies: &[Part]) -> Comparison {
    let matter: Vec<_> = clause.parts().collect();
    let of_configs = |part: &Part| clause.is_of_serving() && OF_CONFIGS.contains(part);
    let is_varied = |part: Part| varies.contains(&part) || clause.within.contains(&part);
    let mut comparison = Comparison::default();
    for part in Part::ALL.into_iter().filter(|part| matter.contains(part) || of_configs(part)) {
        let (left, right) = (one.get(part), other.get(part));
        let is_held = part == Part::HeldLoad && matter.contains(&part);
        if is_held && left.is_none() && right.is_none() {
            comparison.forbidding.push(OWN_CAPACITY.to_owned());
        } else if left != right && is_varied(part) {
            comparison.varied.push(part.words(left, right));
        } else if left != right {
            comparison.forbidding.push(part.words(left, right));
        }
    }
    comparison
}

#[cfg(test)]
mod tests {
    use super::super::clause;
    use super::*;

    #[test]
    fn what_a_record_varies_is_said_and_what_it_does_not_say_forbids_nothing() {
        let setting = |parts: &[(Part, &str)]| {
            parts.iter().fold(Setting::default(), |setting, (part, value)| setting.with(*part, value))
        };
        let words = |metric: &str, one: &[(Part, &str)], other: &[(Part, &str)], varies: &[Part]| {
            let clause = clause(metric).expect("it is in the contract");
            let Comparison { forbidding, varied } = within(clause, &setting(one), &setting(other), varies);
            (forbidding.join("; "), varied.join("; "))
        };
        let said = |forbidding: &str, varied: &str| (forbidding.to_owned(), varied.to_owned());
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
}
