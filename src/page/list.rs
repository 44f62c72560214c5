//! A list of everything of one kind, and the tables of results that other pages share with it.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;

use crate::catalog::{Item, Named};
use crate::formula::memory;
use crate::quantity::Quantity;
use crate::record::{Record, Relation};
use crate::route::Route;
use crate::source::Kind;

use super::collection::{self, Folder, Introduction};
use super::entity;
use super::evidence;
use super::frame::{Frame, Here, Link, standing};
use super::record::long_date;
use super::table::{Cell, Heading, Row, Table, without_empty_columns};
use super::{audit, kv_efficiency, run};

#[derive(Debug, Template)]
#[template(path = "list.html")]
pub struct ListPage {
    frame: Frame,
    title: String,
    introduction: String,
    of: Introduction,
    tables: Vec<Table>,
    /// Names without an entry, for lists of models and cards.
    unlisted: Vec<Link>,
}

/// Composes the list of a folder.
pub fn of_folder(here: &Here, folder: &Folder) -> ListPage {
    let (kind, items, title) = (folder.kind, &folder.items, folder.title());
    let table = match kind {
        Kind::Model => models(here, items),
        Kind::Hardware => cards(here, items),
        Kind::Price => prices(here, items),
        _ => results(here, "list", title, items),
    };
    let unlisted = here.site.gatherings.unlisted(kind).iter().map(|found| {
        let route = match kind {
            Kind::Hardware => Route::unlisted_hardware(&found.slug),
            _ => Route::unlisted_model(&found.slug),
        };
        Link { text: format!("{} ({})", found.name, entity::results(found.items.len())), href: Some(here.to(&route)) }
    });
    ListPage {
        frame: here.frame(title, folder.introduction()),
        title: title.to_owned(),
        introduction: folder.introduction().to_owned(),
        of: collection::introduction(here, folder),
        tables: if items.is_empty() { Vec::new() } else { vec![table] },
        unlisted: match kind {
            Kind::Model | Kind::Hardware if !folder.is_nested() => unlisted.collect(),
            _ => Vec::new(),
        },
    }
}

/// Composes the list of engines.
pub fn engines(here: &Here) -> ListPage {
    let rows = here.site.gatherings.engines().iter().map(|engine| {
        linked(
            engine.name,
            here.to(&Route::engine(&engine.slug)),
            vec![Cell::text(entity::results(engine.items.len()))],
        )
    });
    named(here, "Engines", "Serving engines that results were measured on.", "Engine", rows.collect())
}

/// Composes the list of techniques.
pub fn techniques(here: &Here) -> ListPage {
    let gatherings = &here.site.gatherings;
    let rows = gatherings.techniques().map(|technique| {
        let link = here.to_technique(technique);
        let results = gatherings.of_technique(technique).len();
        linked(&link.text, link.href.unwrap_or_default(), vec![Cell::text(entity::results(results))])
    });
    named(here, "Techniques", "Ways to spend less on the KV cache.", "Technique", rows.collect())
}

/// Results of any kind, with the finding of each.
pub fn results(here: &Here, id: &str, caption: &str, items: &[&Item]) -> Table {
    let differences = Differences::of(items);
    let rows = items.iter().map(|item| {
        let day = item.published().map(long_date).unwrap_or_default();
        let engine = item.engine.as_ref().map(|engine| match &engine.version {
            Some(version) => format!("{} {version}", engine.name),
            None => engine.name.clone(),
        });
        let mut row = linked(
            item.title(),
            here.to_item(item),
            vec![
                Cell::text(kind_word(item.kind())),
                Cell::text(day),
                Cell::text(finding(here, item)),
                Cell::text(or_dash(names(&item.models).join(", "))),
                Cell::text(or_dash(names(&item.cards).join(", "))),
                Cell::text(or_dash(engine.unwrap_or_default())),
                Cell::text(measured_by(item)),
            ],
        );
        row.cells.extend(evidence::cells(here, item));
        row.marks.extend(standing(item).map(str::to_owned));
        row.marks.extend(differences.own(item));
        row
    });
    let head = ["Result", "Kind", "Published", "Finding", "Model", "Accelerator", "Engine", "Measured by"];
    let head: Vec<_> = head.into_iter().chain(evidence::HEAD).collect();
    let table = table(id, caption, &head, rows.collect());
    without_empty_columns(table)
}

fn names(named: &[Named]) -> Vec<&str> {
    named.iter().map(|named| named.name.as_str()).collect()
}

/// Flags that tell a result from those that are alike in kind, model, card and engine.
struct Differences<'a>(BTreeMap<Likeness<'a>, BTreeSet<String>>);

/// What two results of a list have to share before their flags are held against each other.
type Likeness<'a> = (Kind, Vec<&'a str>, Vec<&'a str>, Option<(&'a str, Option<&'a str>)>);

impl<'a> Differences<'a> {
    /// Keeps the flags that all results of a likeness share.
    fn of(items: &[&'a Item]) -> Self {
        let mut shared: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
        for item in items {
            let flags = item.flags();
            match shared.get_mut(&likeness(item)) {
                Some(common) => common.retain(|flag| flags.contains(flag)),
                None => drop(shared.insert(likeness(item), flags)),
            }
        }
        Differences(shared)
    }

    fn own(&self, item: &'a Item) -> Vec<String> {
        let shared = self.0.get(&likeness(item));
        item.flags().into_iter().filter(|flag| !shared.is_some_and(|shared| shared.contains(flag))).collect()
    }
}

fn likeness(item: &Item) -> Likeness<'_> {
    let engine = item.engine.as_ref().map(|engine| (engine.name.as_str(), engine.version.as_deref()));
    (item.kind(), names(&item.models), names(&item.cards), engine)
}

/// The finding of a result, in a sentence.
pub fn finding(here: &Here, item: &Item) -> String {
    match &item.record {
        Record::Run(record) => run::finding(here, item, record),
        Record::Audit(record) => audit::finding(here, item, record),
        Record::KvEfficiency(record) => kv_efficiency::finding(item, record),
        _ => item.summary().unwrap_or_default().to_owned(),
    }
}

/// Quotes, with the price of an hour.
pub fn prices(here: &Here, items: &[&Item]) -> Table {
    let rows = items.iter().filter_map(|item| {
        let Record::Price(price) = &item.record else { return None };
        let href = here.to_source(&item.document, &format!("/{}", price.hour.field()));
        let hour = Cell { text: price.hour.words(&item.document, ""), href: Some(href), ..Cell::default() };
        Some(linked(
            item.title(),
            here.to_item(item),
            vec![
                Cell::text(here.to_address(&price.accelerator).text),
                Cell::text(&price.provider),
                Cell::text(&price.tier),
                hour,
                Cell::text(long_date(price.date)),
            ],
        ))
    });
    table(
        "prices",
        "Quotes, newest first",
        &["Quote", "Accelerator", "Provider", "Tier", "Price", "Read on"],
        rows.collect(),
    )
}

fn models(here: &Here, items: &[&Item]) -> Table {
    let rows = items.iter().filter_map(|item| {
        let Record::Model(model) = &item.record else { return None };
        let figure = here.site.figures.find(&item.address, crate::catalog::RECORD, memory::KV_BYTES_PER_TOKEN.id);
        let layers = Quantity::exact(model.layers as f64);
        Some(linked(
            &model.title,
            here.to_item(item),
            vec![
                Cell::measured(here, &item.document, "/layers", Some(layers)),
                figure.map_or_else(|| Cell::text("–"), |figure| Cell::figure(here, &item.address, figure)),
                Cell::text(entity::results(here.site.gatherings.of_entry(&item.address).len())),
            ],
        ))
    });
    table("list", "Models", &["Model", "Layers", "KV cache in bf16, B/token", "Results"], rows.collect())
}

fn cards(here: &Here, items: &[&Item]) -> Table {
    let rows = items.iter().filter_map(|item| {
        let Record::Hardware(card) = &item.record else { return None };
        let cell = |field: &str, value: Option<f64>| {
            Cell::measured(here, &item.document, &format!("/{field}"), value.map(Quantity::exact))
        };
        Some(linked(
            &card.title,
            here.to_item(item),
            vec![
                cell("memory_gb", Some(card.memory_gb)),
                cell("memory_bandwidth_tb_s", card.memory_bandwidth_tb_s),
                cell("board_power_w", card.board_power_w),
                Cell::text(entity::results(here.site.gatherings.of_entry(&item.address).len())),
            ],
        ))
    });
    let head = ["Accelerator", "Memory as sold, GB", "Bandwidth, TB/s", "Board power, W", "Results"];
    table("list", "Accelerators", &head, rows.collect())
}

fn named(here: &Here, title: &str, introduction: &str, column: &str, rows: Vec<Row>) -> ListPage {
    ListPage {
        frame: here.frame(title, introduction),
        title: title.to_owned(),
        introduction: introduction.to_owned(),
        of: Introduction::default(),
        tables: if rows.is_empty() { Vec::new() } else { vec![table("list", title, &[column, "Results"], rows)] },
        unlisted: Vec::new(),
    }
}

fn table(id: &str, caption: &str, head: &[&str], rows: Vec<Row>) -> Table {
    Table {
        id: id.to_owned(),
        caption: caption.to_owned(),
        head: head.iter().copied().map(Heading::plain).collect(),
        rows,
    }
}

fn linked(head: &str, href: String, cells: Vec<Cell>) -> Row {
    Row { anchor: None, head: head.to_owned(), head_href: Some(href), marks: Vec::new(), cells }
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "–".to_owned() } else { text }
}

pub fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Audit => "cost audit",
        Kind::KvEfficiency => "KV-efficiency note",
        _ => "run record",
    }
}

/// Who measured, with the badge that says how near they stand to the result.
fn measured_by(item: &Item) -> String {
    let Some(provenance) = item.provenance() else { return "–".to_owned() };
    let relation = provenance.relation.map(Relation::words);
    match (&provenance.measured_by, relation) {
        (Some(name), Some(relation)) => format!("{name} ({relation})"),
        (Some(name), None) => name.clone(),
        (None, Some(relation)) => relation.to_owned(),
        (None, None) => "–".to_owned(),
    }
}

/// What a list is of, where no collection says it.
pub fn introduction(kind: Kind) -> &'static str {
    match kind {
        Kind::Run | Kind::CuratorNote => "Records of a benchmark harness: throughput within an SLO, latency, power.",
        Kind::Audit => "Capacity at an SLO, and what a million output tokens costs there.",
        Kind::KvEfficiency => "How many bytes of KV cache a token costs, and what it buys not to recompute them.",
        Kind::Model => "Geometry of the models that results refer to, with the KV cache it implies.",
        Kind::Hardware => "Accelerators that results were measured on.",
        Kind::Price => {
            "Dated quotes for an hour of one GPU; every $ on this site names one, or the price its source states."
        }
        Kind::Page | Kind::Collection | Kind::Site => "Prose.",
    }
}
