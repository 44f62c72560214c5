//! What there is not: costs that no token has, by a slip of a unit somewhere, and storage types that nobody knows.

use super::Figure;
use crate::catalog::Item;
use crate::diagnostic::{Diagnostic, Report, printable, rules};
use crate::formula::{Formula, storage, transfer};
use crate::quantity::Unit;
use crate::record::Record;

/// Dollars for a million tokens, below and above which something must be wrong.
const LEAST: f64 = 0.0001;
const MOST: f64 = 10_000.0;

/// Costs and storage types of a record.
pub fn check(item: &Item, figures: &[Figure], report: &mut Report) {
    costs(item, figures, report);
    over_all(figures, report);
    storage_types(item, report);
}

/// Warns of each storage type of a cache that nobody knows: what rests on its size is missing, and may be for a slip.
fn storage_types(item: &Item, report: &mut Report) {
    let said: Vec<(String, String)> = match &item.record {
        Record::Run(run) => run.kv_dtype().into_iter().map(|said| (said.dtype, said.pointer)).collect(),
        Record::Audit(audit) => {
            let configs = audit.configs.iter().enumerate();
            configs
                .filter_map(|(at, config)| audit.kv_dtype(config, at))
                .map(|said| (said.dtype, said.pointer))
                .collect()
        }
        Record::KvEfficiency(note) => {
            let own = note.kv_dtype.clone().map(|dtype| (dtype, "/kv_dtype".to_owned()));
            let variants = note.variants.iter().enumerate();
            let variants =
                variants.filter_map(|(at, one)| Some((one.kv_dtype.clone()?, format!("/variants/{at}/kv_dtype"))));
            own.into_iter().chain(variants).collect()
        }
        _ => return,
    };
    let mut told = Vec::new();
    for (dtype, pointer) in said.into_iter().filter(|(dtype, _)| !storage::is_heard_of(dtype)) {
        // What all configs share is said once.
        if told.contains(&pointer) {
            continue;
        }
        let known: Vec<_> = storage::FORMATS.iter().map(|format| format.name).collect();
        let message = format!("no storage type of a KV cache is called `{}`", printable(&dtype));
        report.push(
            Diagnostic::new(&rules::STORAGE_UNKNOWN, item.document.location(&pointer), message)
                .pointer(&pointer)
                .help(format!("known are {}; acknowledge the rule where it is a new one", known.join(", "))),
        );
        told.push(pointer);
    }
}

/// Shares of what carries no more than all of it.
const SHARES: [&Formula; 2] = [&transfer::LINK_USED_PCT, &transfer::KV_TRANSFER_OF_TTFT_PCT];

/// Warns of each share of more than all there is.
fn over_all(figures: &[Figure], report: &mut Report) {
    for figure in figures.iter().filter(|figure| SHARES.iter().any(|formula| formula.id == figure.formula.id)) {
        let Some(share) = figure.quantity().filter(|share| share.low() > 100.0) else { continue };
        let Some((_, fact)) = figure.inputs().last() else { continue };
        let message = format!("{}: {} for `{}`", figure.formula.name, Unit::Percent.show(share), figure.subject);
        report.push(
            Diagnostic::new(&rules::UNIT_SUSPICIOUS, fact.document.location(&fact.pointer), message)
                .pointer(&fact.pointer)
                .help("nothing uses more than all there is: look at the units, and at what each number is of"),
        );
    }
}

/// Warns of each implausible cost at the record's own price, where the record has the number that the price is divided by.
fn costs(item: &Item, figures: &[Figure], report: &mut Report) {
    let own = figures.iter().filter(|figure| figure.quote.is_none());
    for figure in own.filter(|figure| matches!(figure.formula.unit, Unit::UsdPerMillionTokens(_))) {
        let Some(cost) = figure.quantity() else { continue };
        // Nothing paid is a price of its own kind.
        if cost.high() == 0.0 || (cost.high() >= LEAST && cost.low() <= MOST) {
            continue;
        }
        let here = figure.inputs().filter(|(_, fact)| fact.document.address == item.address);
        let Some((_, fact)) = here.last() else { continue };
        report.push(
            Diagnostic::new(
                &rules::COST_IMPLAUSIBLE,
                fact.document.location(&fact.pointer),
                format!("{} for `{}`, expected {LEAST} to 10,000 dollars", figure.shown(), figure.subject),
            )
            .pointer(&fact.pointer)
            .help("look at the units of price and rate, and at what the number of GPUs covers"),
        );
    }
}
