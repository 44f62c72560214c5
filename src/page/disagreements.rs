//! Every number that a record states and the build recomputes: how many agree, which differ, which cannot be checked.

use askama::Template;

use crate::catalog::Item;
use crate::diagnostic::{counted, rules};
use crate::figures::{Agreement, Figure, Stated};
use crate::route::Route;

use super::claim::subject_label;
use super::frame::{Frame, Here};
use super::table::{Cell, Heading, Row, Table};

#[derive(Debug, Template)]
#[template(path = "disagreements.html")]
pub struct DisagreementsPage {
    frame: Frame,
    agreeing: String,
    differing: Option<Table>,
    unchecked: Option<Table>,
}

pub fn compose(here: &Here) -> DisagreementsPage {
    let mut agreeing = 0;
    let (mut differing, mut unchecked) = (Vec::new(), Vec::new());
    for item in here.site.catalog.items() {
        for figure in here.site.figures.of(&item.address) {
            for stated in &figure.stated {
                match &stated.agreement {
                    Agreement::Agrees => agreeing += 1,
                    Agreement::Differs | Agreement::DiffersInUnit => {
                        let recomputed = Cell::text(figure.shown());
                        let verdict = Cell::text(stated.agreement.words());
                        let why = Cell::text(reasons(item));
                        differing.push(row(here, item, figure, stated, vec![recomputed, verdict, why]));
                    }
                    Agreement::NotCheckable(reason) => {
                        unchecked.push(row(here, item, figure, stated, vec![Cell::text(reason)]));
                    }
                }
            }
        }
    }
    let description = "Every number that a result states and the build recomputes otherwise";
    DisagreementsPage {
        frame: here.frame("Stated against recomputed", description),
        agreeing: match agreeing {
            0 => "No stated number agrees, or there is none to compare.".to_owned(),
            1 => "1 stated number agrees.".to_owned(),
            _ => format!("{} agree.", counted(agreeing, "stated number")),
        },
        differing: table("differing", "Numbers that differ", &["Recomputed", "Verdict", "Why both stand"], differing),
        unchecked: table("unchecked", "Numbers that cannot be checked", &["Why not"], unchecked),
    }
}

fn row(here: &Here, item: &Item, figure: &Figure, stated: &Stated, rest: Vec<Cell>) -> Row {
    let subject = subject_label(item, &figure.subject);
    let card = here.to_anchor(&Route::record(&item.address), &figure.anchor());
    let parts = [Some(figure.formula.name), figure.label.as_deref(), Some(&*subject)];
    let name = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    let statement = here.to_source(item.prose(), &stated.pointer);
    let mut cells = vec![
        Cell { text: name, href: Some(card), ..Cell::default() },
        Cell { text: format!("“{}”", stated.as_written), href: Some(statement), ..Cell::default() },
    ];
    cells.extend(rest);
    Row { anchor: None, head: item.title().to_owned(), head_href: Some(here.to_item(item)), marks: Vec::new(), cells }
}

/// Why a record's author lets differing numbers stand.
fn reasons(item: &Item) -> String {
    let known = item.acknowledgements().iter().filter(|known| known.rule == rules::FIGURE_STATED.code);
    known.map(|known| known.reason.as_str()).collect::<Vec<_>>().join("; ")
}

fn table(id: &str, caption: &str, last: &[&str], rows: Vec<Row>) -> Option<Table> {
    let head = ["Result", "Figure", "Stated"].iter().chain(last).copied().map(Heading::plain).collect();
    (!rows.is_empty()).then(|| Table { id: id.to_owned(), caption: caption.to_owned(), head, rows })
}
