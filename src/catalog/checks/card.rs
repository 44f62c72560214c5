//! What a run says of its cards, against their entries.

use std::collections::BTreeMap;

use crate::catalog::Item;
use crate::diagnostic::{Diagnostic, Report, rules};
use crate::quantity::plain;
use crate::record::hardware::Hardware;
use crate::record::run::PowerKind;
use crate::record::{Record, Run};

/// A rated bandwidth may be from that of the entry by so much: sheets round.
const RATED: f64 = 0.05;
/// Boards may draw so much over their rated power for a moment, and sensors read too high.
const DRAWN: f64 = 0.1;
/// Boards draw a tenth of their rated power idle, an H100 some 70 W of 700; what serves anything draws more than this share.
const IDLE: f64 = 0.15;

/// Rated bandwidth, and power of boards, against the card that the run names.
pub fn runs_against_cards(items: &BTreeMap<String, Item>, report: &mut Report) {
    for item in items.values() {
        let card = item.cards.first().and_then(|card| items.get(card.entry()?));
        let (Record::Run(run), Some(entry)) = (&item.record, card) else { continue };
        let Record::Hardware(card) = &entry.record else { continue };
        rated_bandwidth(item, run, entry, card, report);
        board_power(item, run, entry, card, report);
    }
}

fn rated_bandwidth(item: &Item, run: &Run, entry: &Item, card: &Hardware, report: &mut Report) {
    let (Some(rated), Some(known)) = (run.hardware.rated_bw_tbs_per_gpu, card.memory_bandwidth_tb_s) else { return };
    if (rated - known).abs() <= RATED * known {
        return;
    }
    let pointer = "/hardware/rated_bw_tbs_per_gpu";
    let message = format!(
        "the record rates a GPU at {} TB/s, `{}` at {} TB/s",
        plain(rated.into()),
        entry.address,
        plain(known.into())
    );
    report.push(
        Diagnostic::new(&rules::RUN_RECORD_AGAINST_CARD, item.document.location(pointer), message)
            .pointer(pointer)
            .help("ask the harness for the bandwidth of one GPU; shares of bandwidth and the decode floor rest on it"),
    );
}

/// Boards draw no more than they are rated at, and what holds them draws no less than they do idle.
fn board_power(item: &Item, run: &Run, entry: &Item, card: &Hardware, report: &mut Report) {
    let kind = run.power.as_ref().and_then(|power| power.kind);
    let Some(board_w) = card.board_power_w else { return };
    let boards_kw = board_w * f64::from(run.hardware.count) / 1000.0;
    for (position, config) in run.configs.iter().enumerate() {
        let Some(power_kw) = config.node_power_kw.filter(|power| *power > 0.0) else { continue };
        let too_much = kind == Some(PowerKind::Board) && power_kw > (1.0 + DRAWN) * boards_kw;
        if !too_much && power_kw >= IDLE * boards_kw {
            continue;
        }
        let pointer = format!("/configs/{position}/node_power_kw");
        let message = format!(
            "`{}`: {} kW of {}, {} {} of `{}` are rated {} kW together{}",
            config.label,
            plain(power_kw.into()),
            PowerKind::words(kind),
            if too_much { "and" } else { "while" },
            run.hardware.count,
            entry.address,
            plain(boards_kw.into()),
            if too_much { "" } else { " and draw hardly less idle" }
        );
        report.push(
            Diagnostic::new(&rules::RUN_RECORD_AGAINST_CARD, item.document.location(&pointer), message)
                .pointer(pointer)
                .help("ask the harness what the power covers, and of how many GPUs it is"),
        );
    }
}
