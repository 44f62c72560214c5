//! `data/comparisons.json`: the comparability key of every result, what matters for which metric, and which results may be
//! compared. `data/comparisons.js` is the same for `compare.html`, which decides by it in the browser.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde::{Serialize, Serializer};

use crate::catalog::{Catalog, Item};
use crate::compare::{Alike, CONTRACT, Part, clause};
use crate::figures::{AtAnyPrice, Comparisons, Contender, Figure, at_any_price, change_of, heading_of, is_of_a_rate};
use crate::formula;
use crate::metric;
use crate::quantity::Quantity;
use crate::route::Route;

#[derive(Debug, Serialize)]
struct File<'a> {
    format: u32,
    /// Of this data; that of a record's source stands with its results.
    license: &'a str,
    /// Parts of a setting by id with their names, in the order in which differences are named.
    parts: Vec<(&'static str, &'static str)>,
    contract: Vec<Clause>,
    metrics: BTreeMap<&'a str, Metric>,
    results: Results<'a>,
    groups: Vec<Group<'a>>,
}

#[derive(Debug, Serialize)]
struct Clause {
    metrics: &'static [&'static str],
    parts: Vec<&'static str>,
    /// Of these, what the results of one record are there to compare.
    within: Vec<&'static str>,
    /// What the results of one record have to be alike in, unless it varies that.
    within_record: Vec<&'static str>,
    /// Of these, what two results never share where neither states it, with what is said of them then.
    never_shared: BTreeMap<&'static str, &'static str>,
    because: &'static str,
}

/// What is measured, and whether a change of it is reckoned.
#[derive(Debug, Serialize)]
struct Metric {
    name: String,
    unit: &'static str,
    /// `higher`, `lower`, or nothing where neither is better.
    better: &'static str,
    /// Whether how far a result's rate could be off is how far this could be.
    of_rate: bool,
    /// Position in `contract`.
    clause: Option<usize>,
    /// Formula of a change.
    change: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Result<'a> {
    id: &'a str,
    subject: &'a str,
    /// Title of its record.
    title: &'a str,
    label: &'a str,
    /// Path of its place on the record's page, from the top of the site.
    page: String,
    relation: Option<&'static str>,
    /// What became of its record, where that no longer stands as it is.
    standing: Option<&'a str>,
    source_license: Option<&'a str>,
    published: Option<String>,
    /// Parts that neither the record nor its curator states are absent.
    setting: BTreeMap<&'static str, &'a str>,
    /// Why a part is taken to be so.
    assumed: BTreeMap<&'static str, &'a str>,
    /// What results are compared for.
    beside: BTreeMap<&'static str, &'a str>,
    limits: &'a [String],
    /// Parts in which the results of its record differ on purpose.
    varies: Vec<&'static str>,
    unranked: Option<&'a str>,
    /// Why it has no values.
    failed: Option<&'a str>,
    /// Half the width of what it could be off by.
    uncertainty_pct: Option<f64>,
    /// The values at the highest load that passed and at the next, which failed, where a metric lies between the two.
    brackets: BTreeMap<&'a str, [Quantity; 2]>,
    /// An interval is `[low, high]`.
    values: BTreeMap<&'a str, Quantity>,
    /// The same as pages print them.
    shown: BTreeMap<&'a str, String>,
    /// What costs are at any price.
    priced: BTreeMap<&'a str, Priced>,
}

/// All of them, each made when it is written: there are as many as configs.
#[derive(Debug)]
struct Results<'a> {
    catalog: &'a Catalog,
    contenders: &'a [Contender],
}

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq(self.contenders.iter().map(|contender| result(self.catalog, contender)))
    }
}

/// A cost as a multiple of a price: of a `GPU-hour`, or of a `kWh`.
#[derive(Debug, Serialize)]
struct Priced {
    per: &'static str,
    amount: Quantity,
}

/// Results that may all be compared for a metric, the oldest first.
#[derive(Debug, Serialize)]
struct Group<'a> {
    metric: &'a str,
    /// Positions in `results`.
    results: &'a [usize],
}

pub fn comparisons(catalog: &Catalog, comparisons: &Comparisons, out: &mut dyn Write) -> io::Result<()> {
    super::record::write_pretty(&file(catalog, comparisons), out)
}

/// The same as a classic script, which a page may load from disk.
pub fn comparisons_script(catalog: &Catalog, comparisons: &Comparisons, out: &mut dyn Write) -> io::Result<()> {
    super::record::write_script("comparisons", &file(catalog, comparisons), out)
}

fn file<'a>(catalog: &'a Catalog, comparisons: &'a Comparisons) -> File<'a> {
    let clause = |clause: &'static crate::compare::Clause| {
        let alike = Alike::Metric(clause);
        let never_shared = alike.parts().into_iter().filter_map(|part| Some((part.id(), alike.never_shared(part)?)));
        Clause {
            metrics: clause.metrics,
            parts: clause.parts().map(Part::id).collect(),
            within: clause.within.iter().map(|part| part.id()).collect(),
            within_record: alike.parts().into_iter().map(Part::id).collect(),
            never_shared: never_shared.collect(),
            because: clause.because,
        }
    };
    let groups = comparisons.groups.iter().map(|group| Group { metric: &group.metric, results: &group.members });
    let values = || comparisons.contenders.iter().flat_map(Contender::values);
    let priced = values().filter_map(|(name, fact)| Some(priced(name, fact.derivation.as_deref()?)?.0));
    let named: BTreeSet<_> = values().map(|(name, _)| name).chain(priced).collect();
    let metrics = named.into_iter().map(|name| (name, metric(name)));
    File {
        format: 1,
        license: &catalog.site.license,
        parts: Part::ALL.map(|part| (part.id(), part.name())).to_vec(),
        contract: CONTRACT.iter().map(clause).collect(),
        metrics: metrics.collect(),
        results: Results { catalog, contenders: &comparisons.contenders },
        groups: groups.collect(),
    }
}

fn metric(name: &str) -> Metric {
    let (unit, better) = match (formula::by_id(name), metric::metric(name)) {
        (Some(formula), _) => (formula.unit.heading(), formula.better),
        (None, Some(known)) => (known.unit.heading(), known.better),
        (None, None) => ("", crate::quantity::Better::Neither),
    };
    let better = match better {
        crate::quantity::Better::Higher => "higher",
        crate::quantity::Better::Lower => "lower",
        crate::quantity::Better::Neither => "",
    };
    let position = clause(name).and_then(|found| CONTRACT.iter().position(|clause| std::ptr::eq(clause, found)));
    let change = change_of(name).map(|formula| formula.id);
    Metric { name: heading_of(name), unit, better, of_rate: is_of_a_rate(name), clause: position, change }
}

fn result<'a>(catalog: &'a Catalog, contender: &'a Contender) -> Result<'a> {
    let of = |get: fn(&Contender, Part) -> Option<&str>| {
        Part::ALL.into_iter().filter_map(|part| Some((part.id(), get(contender, part)?))).collect()
    };
    Result {
        id: &contender.address,
        subject: &contender.subject,
        title: catalog.get(&contender.address).map_or(&*contender.address, Item::title),
        label: &contender.label,
        page: Route::home().link_to_anchor(&Route::record(&contender.address), &contender.subject),
        relation: contender.relation,
        standing: contender.standing.as_deref(),
        source_license: catalog.get(&contender.address).and_then(Item::license),
        published: contender.published.map(|date| date.to_string()),
        setting: of(|contender, part| contender.setting.get(part)),
        assumed: of(|contender, part| contender.setting.assumed(part)),
        beside: contender.beside.iter().map(|(name, value)| (*name, value.as_str())).collect(),
        limits: &contender.limits,
        varies: contender.varies.iter().map(|part| part.id()).collect(),
        unranked: contender.unranked.as_deref(),
        failed: contender.failed.as_deref(),
        uncertainty_pct: contender.uncertainty_pct,
        brackets: contender
            .values()
            .filter_map(|(name, _)| Some((name, contender.bracket(name)?.each_ref().map(|end| end.quantity))))
            .collect(),
        values: contender.values().map(|(name, fact)| (name, fact.quantity)).collect(),
        shown: contender.values().map(|(name, fact)| (name, fact.digits())).collect(),
        priced: contender.values().filter_map(|(name, fact)| priced(name, fact.derivation.as_deref()?)).collect(),
    }
}

/// A cost at any price, and the metric that it is: energy is one too, where somebody has a price for it.
fn priced<'a>(name: &'a str, figure: &Figure) -> Option<(&'a str, Priced)> {
    let electricity = formula::energy::ELECTRICITY_USD_PER_MTOK_OUTPUT.id;
    Some(match at_any_price(figure)? {
        AtAnyPrice::GpuHours(amount) => (name, Priced { per: "GPU-hour", amount }),
        AtAnyPrice::Kwh(amount) | AtAnyPrice::KwhPerMtok(amount) => (electricity, Priced { per: "kWh", amount }),
        AtAnyPrice::TokensPerGpuHour(_) => return None,
    })
}
