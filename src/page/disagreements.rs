//! Every number that a record states and the build recomputes: how many agree, which differ, which agree only because
//! they are rounded, which cannot be checked.

use crate::catalog::Item;
use crate::diagnostic::{counted, rules};
use crate::figures::{Agreement, Figure, Stated};
use crate::record::Acknowledgement;
use crate::route::Route;

use super::claim::subject_label;
use super::frame::{Here, badges};
use super::part::Strand;
use super::table::{Cell, Heading, Row, Table};
use super::tables::TablesPage;

pub const TITLE: &str = "Stated against recomputed";

pub fn compose(here: &Here) -> TablesPage {
    let agrees = |pair: &Pair| pair.stated.agreement == Agreement::Agrees;
    let rounded = |pair: &Pair| pair.stated.agreement == Agreement::AgreesRounded;
    let agreeing = match pairs(here).filter(agrees).count() {
        0 => "No stated number agrees, or there is none to compare.".to_owned(),
        1 => "1 stated number agrees.".to_owned(),
        count => format!("{} agree.", counted(count, "stated number")),
    };
    let rounded = match pairs(here).filter(rounded).count() {
        0 => String::new(),
        1 => " 1 ratio agrees only when rounded to one digit.".to_owned(),
        count => format!(" {} agree only when rounded to one digit.", counted(count, "ratio")),
    };
    let differing =
        if pairs(here).any(|pair| pair.stated.agreement.is_disagreement()) { "" } else { " No number differs." };
    let summary = format!(
        "What a source states and its own inputs determine is computed again and compared at the precision it is written \
         with. {agreeing}{rounded}{differing}"
    );
    TablesPage::of(here, TITLE, &summary, &Route::disagreements(), &strands(here))
}

/// The numbers that differ, then those that agree only when rounded, then those that cannot be checked.
pub fn strands<'a>(here: &'a Here) -> Vec<Strand<'a>> {
    let of = |is: &dyn Fn(&Agreement) -> bool| pairs(here).filter(|pair| is(&pair.stated.agreement)).collect();
    let differing = of(&Agreement::is_disagreement);
    let rounded = of(&|agreement| *agreement == Agreement::AgreesRounded);
    let unchecked = of(&|agreement| matches!(agreement, Agreement::NotCheckable(_)));
    vec![
        strand(here, "differing", "Numbers that differ", &["Recomputed", "Verdict", "Why both stand"], differing),
        strand(here, "rounded", "Ratios that agree only when rounded to one digit", &["Recomputed"], rounded),
        strand(here, "unchecked", "Numbers that cannot be checked", &["Why not"], unchecked),
    ]
}

/// A number that a record states, and the figure that it is.
struct Pair<'a> {
    item: &'a Item,
    figure: &'a Figure,
    stated: &'a Stated,
}

fn pairs<'a>(here: &Here<'a>) -> impl Iterator<Item = Pair<'a>> {
    let site = here.site;
    let figures =
        site.catalog.items().flat_map(|item| site.figures.of(&item.address).iter().map(move |figure| (item, figure)));
    figures.flat_map(|(item, figure)| figure.stated.iter().map(move |stated| Pair { item, figure, stated }))
}

fn strand<'a>(
    here: &'a Here,
    id: &'static str,
    caption: &'static str,
    last: &'static [&str],
    pairs: Vec<Pair<'a>>,
) -> Strand<'a> {
    Strand::new(pairs.len(), 1, move |range| {
        let head = ["Result", "Figure", "Stated"].iter().chain(last).copied().map(Heading::plain).collect();
        let rows = pairs[range].iter().map(|pair| row(here, pair)).collect();
        vec![Table { id: id.to_owned(), caption: caption.into(), head, rows }]
    })
}

fn row(here: &Here, Pair { item, figure, stated }: &Pair) -> Row {
    let subject = subject_label(item, &figure.subject);
    let card = here.to_figure(&item.address, figure);
    let parts = [Some(figure.formula.name), figure.label.as_deref(), Some(&*subject)];
    let name = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    let statement = here.to_source(item.prose(), &stated.pointer);
    let mut cells = vec![
        Cell { text: name, href: Some(card), ..Cell::default() },
        Cell { text: format!("“{}”", stated.as_written), href: Some(statement), ..Cell::default() },
    ];
    match &stated.agreement {
        Agreement::NotCheckable(reason) => cells.push(Cell::text(reason)),
        Agreement::AgreesRounded => cells.push(Cell::text(figure.beside(&stated.as_written))),
        agreement => {
            cells.extend(
                [figure.beside(&stated.as_written), agreement.words(), reasons(item, &stated.as_written)]
                    .map(Cell::text),
            );
        }
    }
    Row { anchor: None, head: item.title().to_owned(), head_href: Some(here.to_item(item)), marks: badges(item), cells }
}

/// Why a record's author lets a differing number stand.
fn reasons(item: &Item, as_written: &str) -> String {
    let is_of = |known: &&Acknowledgement| {
        known.rule == rules::FIGURE_STATED.code && known.stated.iter().any(|stated| stated == as_written)
    };
    let known = item.acknowledgements().iter().filter(is_of);
    known.map(|known| known.reason.as_str()).collect::<Vec<_>>().join("; ")
}
