//! Results of different records beside each other: which may be compared, for which metric, and what the change is.

mod history;
mod nearest;
mod shown;
mod values;
mod within;

#[cfg(test)]
mod tests;

pub use history::Reproduction;
pub use shown::{Change, Shown};

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::sheet::compute;
use super::{Fact, Figure, Figures, bracket};
use crate::catalog::{Catalog, Item};
use crate::compare::{self, CONTRACT, Clause, Part, Setting, Spellings, clause};
use crate::diagnostic::{Diagnostic, Report, rules};
use crate::formula::comparison::{Uncertainty, is_tie};
use crate::formula::{self, Formula, uncertainty};
use crate::metric::{self, Latency};
use crate::quantity::reckonable;
use crate::record::audit::Capacity;
use crate::record::{Audit, Date, Record, engine};

/// One result: a config of a run or an audit, or a variant of a note.
#[derive(Debug)]
pub struct Contender {
    /// Address of its record.
    pub address: String,
    /// Its anchor on the record's page.
    pub subject: String,
    pub label: String,
    pub published: Option<Date>,
    pub setting: Setting,
    /// What results are compared for: accelerator, engine version, by name.
    pub beside: Vec<(&'static str, String)>,
    /// Whose measurement it is: author, vendor, third party.
    pub relation: Option<&'static str>,
    /// What limits every number of it: whether its accuracy was checked, and what its record does not cover.
    pub limits: Vec<String>,
    /// Since what happened it is no longer to be relied on: it was superseded or withdrawn.
    pub standing: Option<String>,
    /// Why it is shown and not ranked: it met the SLO in some of its repeats only, or lost too much accuracy.
    pub unranked: Option<String>,
    /// Why it has no values: it failed, or no load met the SLO.
    pub failed: Option<String>,
    /// Parts in which the results of its record differ on purpose, which withholds no ratio between those.
    pub varies: Vec<Part>,
    /// Half the width of what the result could be off by, percent.
    pub uncertainty_pct: Option<f64>,
    /// The rates between which its capacity lies.
    ends: Option<[Fact; 2]>,
    values: BTreeMap<String, Arc<Fact>>,
}

/// Results of several records that may all be compared for a metric. Changes are measured against the first: the oldest
/// that is ranked.
#[derive(Debug, Clone)]
pub struct Group {
    /// Formula or field: `goodput_tok_s`, `ttft_p99_ms`.
    pub metric: String,
    pub clause: &'static Clause,
    /// Positions in [`Comparisons::contenders`].
    pub members: Vec<usize>,
    /// Those that differ in nothing but the version of their engine, in the order of the versions.
    pub versions: Vec<Vec<usize>>,
}

/// Two results that may be compared, with the changes of one against the other.
#[derive(Debug)]
pub struct Pair {
    pub own: usize,
    pub other: usize,
    /// What differs, in words, whether it matters or not.
    pub differences: Vec<String>,
    /// Of the other against the own: metric and figure, of each latency its slowest statistic alone.
    pub changes: Vec<(String, Figure)>,
}

/// What stands in place of a ratio.
#[derive(Debug)]
pub struct Withheld {
    pub metric: String,
    /// The parts that differ or are not stated.
    pub parts: Vec<Part>,
    /// The same in words, with both sides.
    pub differences: Vec<String>,
}

/// Everything that results of different records have to do with each other.
#[derive(Debug, Default)]
pub struct Comparisons {
    pub contenders: Vec<Contender>,
    pub groups: Vec<Group>,
    index: nearest::Index,
    shown: Shown,
}

impl Comparisons {
    pub(super) fn of(catalog: &Catalog, figures: &Figures) -> Self {
        let mut contenders: Vec<_> = catalog
            .items()
            .filter(|item| item.status() == crate::record::Status::Published)
            .flat_map(|item| contenders(catalog, figures, item))
            .collect();
        // One spelling for all records, that of the first.
        let mut known = Spellings::new();
        contenders.iter_mut().for_each(|contender| contender.setting.respell(&mut known));
        let mut comparisons = Comparisons { contenders, ..Comparisons::default() };
        comparisons.groups = comparisons.grouped();
        comparisons.index = nearest::Index::of(&comparisons);
        comparisons
    }

    pub(super) fn hold(&mut self, shown: Shown) {
        self.shown = shown;
    }

    /// Results with one key each, metric by metric; those of a single record are compared on its own page.
    fn grouped(&self) -> Vec<Group> {
        let mut alike = BTreeMap::<(&str, Vec<&str>), Vec<usize>>::new();
        for (position, contender) in self.contenders.iter().enumerate() {
            for name in contender.values.keys() {
                let key: Option<Vec<_>> =
                    clause(name).and_then(|clause| clause.parts().map(|part| contender.setting.get(part)).collect());
                if let Some(key) = key {
                    alike.entry((name, key)).or_default().push(position);
                }
            }
        }
        let group = |((metric, _), mut members): ((&str, _), Vec<usize>)| {
            let records: BTreeSet<_> = members.iter().map(|at| &self.contenders[*at].address).collect();
            if records.len() < 2 {
                return None;
            }
            members.sort_by_key(|at| {
                let contender = &self.contenders[*at];
                (!contender.is_ranked(), contender.published, *at)
            });
            let versions = self.over_time(&members);
            Some(Group { metric: metric.to_owned(), clause: clause(metric)?, members, versions })
        };
        alike.into_iter().filter_map(group).collect()
    }

    /// Every part in which two results differ, what they are compared for included.
    pub fn differences(&self, one: usize, other: usize) -> Vec<String> {
        let (one, other) = (&self.contenders[one], &self.contenders[other]);
        // The load that was held is the load once more.
        let parts = Part::ALL.into_iter().filter(|part| *part != Part::HeldLoad).filter_map(|part| {
            let (left, right) = (one.setting.get(part), other.setting.get(part));
            (left != right).then(|| part.words(left, right))
        });
        let own: BTreeMap<_, _> = one.beside.iter().map(|(name, value)| (*name, value)).collect();
        let beside = other.beside.iter().filter_map(|(name, value)| {
            let left = own.get(name).copied()?;
            (left != value).then(|| format!("{name} {left} against {value}"))
        });
        beside.chain(parts).collect()
    }

    /// Positions of a record's results.
    pub fn of_record(&self, address: &str) -> Range<usize> {
        let first = self.contenders.partition_point(|contender| &*contender.address < address);
        let length = self.contenders[first..].partition_point(|contender| contender.address == address);
        first..first + length
    }

    /// Whether a record has results with values to compare.
    pub fn has(&self, address: &str) -> bool {
        self.of_record(address).any(|at| !self.contenders[at].values.is_empty())
    }

    /// Whether a record has a result that may be compared with one of another record.
    pub fn is_in_a_group(&self, address: &str) -> bool {
        self.groups_of(address, |_| true).next().is_some()
    }

    /// The groups that results of a record are in: those of its results that are asked for by their anchors.
    pub fn groups_of<'a>(
        &'a self,
        address: &str,
        is_asked_for: impl Fn(&str) -> bool + 'a,
    ) -> impl Iterator<Item = &'a Group> {
        let asked_for = self.of_record(address).filter(move |at| is_asked_for(&self.contenders[*at].subject));
        asked_for.flat_map(|at| self.index.groups_of(at)).map(|group| &self.groups[*group])
    }

    /// What stands between two records: the metric that nothing of theirs may be compared for, and the two results with the
    /// fewest differences that forbid it. `None` where they may be compared for each metric that both have, or have none
    /// in common.
    pub fn withheld(&self, one: &str, other: &str) -> Option<Withheld> {
        let mut nearest: Option<Withheld> = None;
        // What two machines did says more than how large their caches are.
        let (of_serving, of_sizes): (Vec<_>, Vec<_>) = CONTRACT.iter().partition(|clause| clause.is_of_serving());
        for clause in of_serving.into_iter().chain(of_sizes) {
            if nearest.is_some() && !clause.is_of_serving() {
                break;
            }
            let of_clause = self.withheld_by(clause, self.of_record(one), self.of_record(other));
            if let Some(found) = of_clause
                && nearest.as_ref().is_none_or(|nearest| found.differences.len() < nearest.differences.len())
            {
                nearest = Some(found);
            }
        }
        nearest
    }

    fn withheld_by(&self, clause: &Clause, one: Range<usize>, other: Range<usize>) -> Option<Withheld> {
        let mut nearest: Option<Withheld> = None;
        for (left, right) in one.flat_map(|left| other.clone().map(move |right| (left, right))) {
            let [left, right] = [left, right].map(|at| &self.contenders[at]);
            let of_clause = |name: &&String| self::clause(name).is_some_and(|own| std::ptr::eq(own, clause));
            let mut shared = left.values.keys().filter(|name| right.values.contains_key(*name)).filter(of_clause);
            let Some(metric) = shared.next() else { continue };
            let parts: Vec<_> = clause.differing(&left.setting, &right.setting).collect();
            if parts.is_empty() {
                return None;
            }
            if nearest.as_ref().is_none_or(|found| parts.len() < found.parts.len()) {
                let differences = clause.compare(&left.setting, &right.setting).forbidding;
                nearest = Some(Withheld { metric: metric.clone(), parts, differences });
            }
        }
        nearest
    }

    pub fn value(&self, metric: &str, contender: usize) -> Option<&Fact> {
        self.contenders[contender].values.get(metric).map(|fact| &**fact)
    }

    /// Change of a result against another that it may be compared with.
    fn reckoned(&self, (metric, baseline, other): (&str, usize, usize)) -> Option<Figure> {
        let formula = change_of(metric)?;
        let [old, new] = [baseline, other].map(|at| &self.contenders[at]);
        let values = [new, old].map(|side| side.values.get(metric).map(|fact| Ok((**fact).clone())));
        let [Some(value), Some(against)] = values else { return None };
        let subject = format!("{}/{}", new.address.replace('/', "."), new.subject);
        let mut figure = compute(formula, subject, [value, against]).labelled(heading_of(metric));
        figure = figure.limited(self.limits(metric, baseline, other));
        let off = match (new.uncertainty_pct, old.uncertainty_pct) {
            (Some(one), Some(other)) if is_of_a_rate(metric) => Some(one.max(other)),
            _ => None,
        };
        // Not again in the same cell: it is among the limits, with its name.
        let reason = |side: &Contender| side.unranked.clone().or_else(|| side.standing.clone());
        figure.unranked = reason(new).or_else(|| reason(old));
        if let (Some(own), Some(against)) = (new.bracket(metric), old.bracket(metric)) {
            let over = bracket::change(&figure.subject, &Ok(own.clone()), &Ok(against.clone()));
            return Some(bracket::bounded(figure, &over));
        }
        figure.tie = match (off, figure.quantity()) {
            (Some(off), Some(change)) => is_tie(change / 100.0 + 1.0, Uncertainty::Band(off)),
            _ => false,
        };
        let words = match off {
            Some(off) => format!("{} ±{off}%", if figure.tie { "a tie inside" } else { "outside" }),
            None => OFF_IS_NOT_STATED.to_owned(),
        };
        // What neither an error nor a difference is stated of may be chance.
        let may_be_chance =
            || off.is_none() && old.address != new.address && self.differences(baseline, other).is_empty();
        let chance = may_be_chance().then(|| NOTHING_DIFFERS.to_owned());
        figure.unranked = figure.unranked.or_else(|| chance.clone());
        Some(figure.remarked(chance).remarked([words]))
    }

    /// What limits a change of a result against another, each limit once.
    fn limits(&self, metric: &str, baseline: usize, other: usize) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let both = [other, baseline].into_iter().flat_map(|at| self.contenders[at].limits(metric));
        both.filter(|limit| seen.insert(limit.clone())).collect()
    }
}

/// What is said of a change where no band or grid of both sides is known.
const OFF_IS_NOT_STATED: &str = "how far either could be off is not stated";

/// What is said of a change between records that say the same of all that results are compared by and for.
const NOTHING_DIFFERS: &str = "the records state no difference";

/// Whether how far the rate of a result could be off is how far this could be: it is that rate, or divided by it alone.
pub fn is_of_a_rate(metric: &str) -> bool {
    let rates = ["goodput_tok_s", "capacity_rps", "output_tok_s", "total_tok_s", "output_tok_s_per_gpu"];
    let over_rates =
        ["goodput_tok_per_j", "energy_j_per_output_token", "electricity_usd_per_mtok_output", "usd_per_mtok_output"];
    rates.contains(&metric) || over_rates.contains(&metric)
}

impl Contender {
    /// Whether it counts among others: it met its limits, and still stands.
    pub fn is_ranked(&self) -> bool {
        self.unranked.is_none() && self.standing.is_none()
    }

    pub fn accelerator(&self) -> &str {
        self.compared_for("accelerator")
    }

    pub fn engine_version(&self) -> &str {
        self.compared_for("engine version")
    }

    /// The rates between which a capacity lies, as a value of a metric.
    pub fn bracket(&self, metric: &str) -> Option<&[Fact; 2]> {
        self.ends.as_ref().filter(|_| metric == "capacity_rps")
    }

    fn compared_for(&self, name: &str) -> &str {
        let own = self.beside.iter().find(|(own, _)| *own == name);
        own.map_or(compare::NOT_STATED, |(_, value)| value.as_str())
    }

    /// Its values by metric.
    pub fn values(&self) -> impl Iterator<Item = (&str, &Fact)> {
        self.values.iter().map(|(metric, fact)| (metric.as_str(), &**fact))
    }

    /// Which of some parts of its setting are assumed, and why.
    pub fn assumed(&self, parts: impl IntoIterator<Item = Part>) -> impl Iterator<Item = String> {
        parts.into_iter().filter_map(|part| {
            let reason = self.setting.assumed(part)?;
            Some(format!("{} {} is assumed: {reason}", part.name(), self.setting.get(part).unwrap_or_default()))
        })
    }

    /// What limits every comparison of it: why it is not ranked, what became of it, and what of its setting is assumed.
    fn limits(&self, metric: &str) -> Vec<String> {
        let unranked = self.unranked.iter().map(|reason| format!("not ranked: {}, {reason}", self.label));
        let assumed = self.assumed(clause(metric).into_iter().flat_map(Clause::parts));
        let standing = self.standing.iter().map(|standing| format!("{} is {standing}", self.label));
        unranked.chain(standing).chain(assumed).collect()
    }
}

/// What a metric of the contract is called: as the formula that gives it, else as its field.
pub fn heading_of(metric: &str) -> String {
    formula::by_id(metric).map_or_else(|| metric::heading(metric), |formula| formula.name.to_owned())
}

/// The formula of a change in a metric.
pub fn change_of(name: &str) -> Option<&'static Formula> {
    use crate::formula::{capacity, comparison, cost};
    let name = Latency::parse(name).map_or(name, |latency| latency.metric);
    Some(match name {
        "goodput_tok_s" => &comparison::GOODPUT_CHANGE_PCT,
        "output_tok_s" => &comparison::OUTPUT_CHANGE_PCT,
        "total_tok_s" => &comparison::TOTAL_CHANGE_PCT,
        "ttft" => &comparison::TTFT_CHANGE_PCT,
        "tpot" => &comparison::TPOT_CHANGE_PCT,
        "itl" => &comparison::ITL_CHANGE_PCT,
        "e2el" => &comparison::E2EL_CHANGE_PCT,
        "measured_ttft_ms_at_ctx" => &comparison::TTFT_CHANGE_PCT,
        "measured_tps_at_ctx" => &comparison::OUTPUT_CHANGE_PCT,
        "output_tok_s_per_gpu" => &comparison::PER_GPU_CHANGE_PCT,
        "energy_j_per_output_token" => &comparison::ENERGY_CHANGE_PCT,
        "kv_bytes_per_token" => &comparison::KV_BYTES_CHANGE_PCT,
        "kv_gib_at_context" => &comparison::KV_SIZE_CHANGE_PCT,
        "goodput_tok_per_j" => &comparison::TOKENS_PER_JOULE_CHANGE_PCT,
        "capacity_rps" => &capacity::CAPACITY_CHANGE_PCT,
        "usd_per_mtok_output" | "electricity_usd_per_mtok_output" => &cost::COST_CHANGE_PCT,
        _ => return None,
    })
}

fn contenders(catalog: &Catalog, figures: &Figures, item: &Item) -> Vec<Contender> {
    // Hosts of a note are subjects too, after its variants.
    let count = match &item.record {
        Record::Run(run) => run.configs.len(),
        Record::Audit(audit) => audit.configs.len(),
        Record::KvEfficiency(note) => note.variants.len(),
        _ => 0,
    };
    let varies = compare::varies(catalog, item);
    let sweeps = item.audit().map(Audit::sweeps).unwrap_or_default();
    let contender = |position: usize| {
        let subject = item.subjects.get(position)?;
        let off = figures.find(&item.address, &subject.anchor, &uncertainty::UNCERTAINTY_PCT);
        Some(Contender {
            address: item.address.clone(),
            subject: subject.anchor.clone(),
            label: subject.label.clone(),
            published: item.published(),
            setting: Setting::of(catalog, item, position)?,
            beside: beside(catalog, item, position),
            limits: {
                let ungated = item.gates().and_then(|gates| gates.of(position).ungated());
                let lost = item.run().and_then(|run| run.configs.get(position)?.requests.as_ref()?.lost());
                let few = item.run().and_then(|run| run.slo_on_too_few_requests(run.configs.get(position)?));
                let not_covered = item.not_covered().iter().map(|limit| format!("not covered: {limit}"));
                ungated.map(str::to_owned).into_iter().chain(lost).chain(few).chain(not_covered).collect()
            },
            relation: item.provenance().and_then(|provenance| Some(provenance.relation?.words())),
            varies: varies.clone(),
            standing: standing(catalog, item),
            failed: failed(item, position),
            unranked: figures.unranked(&item.address, &subject.anchor).map(str::to_owned),
            // Without the noise of the machine's last digits.
            uncertainty_pct: off.and_then(|figure| reckonable(figure.quantity()?.high().into()).parse().ok()),
            ends: sweeps.get(position).and_then(|sweep| bracket::ends(&item.document, sweep).ok()),
            values: values::of(figures, item, position),
        })
    };
    (0..count).filter_map(contender).collect()
}

/// Refuses what a curator adds to a setting against the record's own words.
pub fn check(catalog: &Catalog, item: &Item, report: &mut Report) {
    for (part, added, own) in Setting::contradicted(catalog, item) {
        let document = item.prose();
        let pointer = format!("/setting/{}", part.id());
        let message = format!("the record itself says “{own}” for its {}, and not “{added}”", part.name());
        report.push(
            Diagnostic::new(&rules::NOTE_SETTING, document.location(&pointer), message)
                .pointer(pointer)
                .help("leave out of `setting` what the record states"),
        );
    }
}

fn failed(item: &Item, position: usize) -> Option<String> {
    match (item.run(), item.audit()) {
        (Some(run), _) => run.configs.get(position)?.failed.as_ref().map(|reason| format!("failed: {reason}")),
        (None, Some(audit)) => match audit.configs.get(position)?.capacity {
            Capacity::Without(state) => Some(state.words().to_owned()),
            Capacity::At(_) => None,
        },
        (None, None) => None,
    }
}

/// What became of a record that no longer stands as it is.
fn standing(catalog: &Catalog, item: &Item) -> Option<String> {
    let Some(fate) = catalog.fate(item) else { return item.standing().map(str::to_owned) };
    Some(fate.words(|address| catalog.get(address).map_or(address, Item::title)))
}

/// What results are compared for, by name.
fn beside(catalog: &Catalog, item: &Item, position: usize) -> Vec<(&'static str, String)> {
    // The cards of a note are those of its hosts, and each variant is on one of them.
    let card = match item.arms.get(position) {
        Some(arm) => arm.host.and_then(|host| item.cards.get(host)),
        None => item.cards.first(),
    };
    let card = card.map(|named| catalog.title_of(named).to_owned());
    let own = match &item.record {
        Record::Run(run) => run.configs.get(position).and_then(|config| config.engine.as_deref()),
        Record::KvEfficiency(note) => note.variants.get(position).and_then(|variant| variant.engine.as_deref()),
        _ => None,
    };
    let written = own.and_then(|engine| engine::name_and_version(engine).1);
    // A variant on another engine has not the version of its note's.
    let of_record = || {
        let engine = item.engine.as_ref().filter(|_| own.is_none() || item.run().is_some())?;
        engine.version()
    };
    let version = written.or_else(of_record).map(str::to_owned);
    let or_not = |value: Option<String>| value.unwrap_or_else(|| compare::NOT_STATED.to_owned());
    vec![("accelerator", or_not(card)), ("engine version", or_not(version))]
}
