//! A list of everything of one kind, and the tables of results that other pages share with it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use askama::Template;

use crate::catalog::{Item, Named, RECORD};
use crate::formula::{cost, memory};
use crate::quantity::{Quantity, Unit};
use crate::record::Record;
use crate::record::kv_efficiency::Technique;
use crate::record::price::HourPrice;
use crate::route::Route;
use crate::source::Kind;

use super::collection::{self, Folder, Introduction};
use super::entity;
use super::evidence;
use super::facet::{self, Facet, Trait};
use super::frame::{Frame, Here, badges};
use super::gathering::ByName;
use super::part::{self, PartLinks, Strand};
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
    facets: Vec<Facet>,
    tables: Vec<Table>,
    parts: Option<PartLinks>,
}

/// What is listed.
#[derive(Debug, Clone, Copy)]
pub enum Listed<'a> {
    Folder(&'a Folder<'a>),
    /// The results of a folder that have something in common.
    Narrowed(&'a Folder<'a>, Trait),
    Engines,
    Techniques,
}

impl<'a> Listed<'a> {
    pub fn route(self) -> Route {
        match self {
            Listed::Folder(folder) => Route::folder(&folder.path),
            Listed::Narrowed(folder, own) => Route::narrowed(&folder.path, own.id(), &own.value()),
            Listed::Engines => Route::engines(),
            Listed::Techniques => Route::techniques(),
        }
    }

    pub fn title(self) -> String {
        match self {
            Listed::Folder(folder) => folder.title().to_owned(),
            Listed::Narrowed(folder, own) => format!("{}, {}", folder.title(), own.words()),
            Listed::Engines => "Engines".to_owned(),
            Listed::Techniques => "Techniques".to_owned(),
        }
    }

    fn introduction(self, here: &Here) -> String {
        match self {
            Listed::Folder(folder) => folder.introduction().to_owned(),
            Listed::Narrowed(folder, own) => {
                let (some, all) = (self.items(here).len(), entity::results(folder.items.len()));
                format!("{some} of {all}: {}.", own.words())
            }
            Listed::Engines => "Serving engines that results were measured on.".to_owned(),
            Listed::Techniques => "Ways to spend less on the KV cache.".to_owned(),
        }
    }

    /// The records of a folder that are listed.
    fn items(self, here: &Here) -> Vec<&'a Item> {
        match self {
            Listed::Folder(folder) => folder.items.clone(),
            Listed::Narrowed(folder, own) => {
                let has = |item: &&&Item| Trait::of(here.site, item).any(|found| found == own);
                folder.items.iter().filter(has).copied().collect()
            }
            Listed::Engines | Listed::Techniques => Vec::new(),
        }
    }
}

pub fn compose(here: &Here, listed: Listed) -> ListPage {
    let strands = strands(here, listed);
    let (title, introduction) = (listed.title(), listed.introduction(here));
    let frame = here.frame(&title, &introduction);
    ListPage {
        frame: match listed {
            Listed::Folder(Folder { collection: Some(item), .. }) => frame.made_from(here, &item.document),
            _ => frame,
        },
        title,
        introduction,
        of: match listed {
            Listed::Folder(folder) => collection::introduction(here, folder),
            Listed::Narrowed(folder, _) => Introduction { around: Some(folder.link(here)), ..Introduction::default() },
            Listed::Engines | Listed::Techniques => Introduction::default(),
        },
        facets: match listed {
            Listed::Folder(folder) => facet::of(here, folder),
            _ => Vec::new(),
        },
        tables: part::tables(&strands, 1),
        parts: PartLinks::of(here, &listed.route(), 1, part::cut(&strands).count()),
    }
}

pub fn is_of_results(kind: Kind) -> bool {
    matches!(kind, Kind::Run | Kind::Audit | Kind::KvEfficiency)
}

/// What is listed; for models and cards, names without an entry too.
pub fn strands<'a>(here: &'a Here, listed: Listed<'a>) -> Vec<Strand<'a>> {
    let gatherings = &here.site.gatherings;
    match listed {
        Listed::Folder(folder) | Listed::Narrowed(folder, _) => {
            let (kind, items) = (folder.kind, listed.items(here));
            let list = match kind {
                Kind::Model => Strand::new(items.len(), 1, move |range| vec![models(here, &items[range])]),
                Kind::Hardware => Strand::new(items.len(), 1, move |range| vec![cards(here, &items[range])]),
                Kind::Price => prices(here, items),
                _ => results(here, "list", folder.title(), items),
            };
            let unlisted = match kind {
                Kind::Model | Kind::Hardware if !folder.is_nested() => gatherings.unlisted(kind),
                _ => &[],
            };
            let unlisted =
                Strand::new(unlisted.len(), 1, move |range| vec![without_entry(here, kind, &unlisted[range])]);
            vec![list, unlisted]
        }
        Listed::Engines => {
            let engines = gatherings.engines();
            let rows = |engine: &ByName| gathered(engine, here.to(&Route::engine(&engine.slug)));
            let table = move |range: Range<usize>| {
                table("list", "Engines", &["Engine", "Results"], engines[range].iter().map(rows).collect())
            };
            vec![Strand::new(engines.len(), 1, move |range| vec![table(range)])]
        }
        Listed::Techniques => {
            let techniques: Vec<_> = gatherings.techniques().collect();
            let row = |technique: &Technique| {
                let link = here.to_technique(*technique);
                let results = gatherings.of_technique(*technique).len();
                linked(&link.text, link.href.unwrap_or_default(), vec![Cell::text(entity::results(results))])
            };
            let table = move |range: Range<usize>| {
                table("list", "Techniques", &["Technique", "Results"], techniques[range].iter().map(row).collect())
            };
            vec![Strand::new(gatherings.techniques().count(), 1, move |range| vec![table(range)])]
        }
    }
}

/// Names of models or cards that results use and no entry has.
fn without_entry(here: &Here, kind: Kind, names: &[ByName]) -> Table {
    let rows = names.iter().map(|name| gathered(name, here.to(&Route::unlisted(kind, &name.slug))));
    let caption =
        "Names without an entry: nothing in the content says what they mean, so figures that need it are missing";
    table("unlisted", caption, &["Name", "Results"], rows.collect())
}

fn gathered(name: &ByName, href: String) -> Row {
    linked(name.name, href, vec![Cell::text(entity::results(name.items.len()))])
}

/// Results of any kind, with the finding of each.
pub fn results<'a>(here: &'a Here, id: &'static str, caption: &'a str, items: Vec<&'a Item>) -> Strand<'a> {
    Strand::new(items.len(), 1, move |range| vec![results_of(here, id, caption, &items[range])])
}

fn results_of<'a>(here: &Here<'a>, id: &str, caption: &str, items: &[&'a Item]) -> Table {
    let differences = Differences::of(here, items);
    let is_mixed = items.windows(2).any(|pair| pair[0].kind() != pair[1].kind());
    let rows = items.iter().map(|item| {
        let day = item.published().map(long_date).unwrap_or_default();
        let engine = item.engine.as_ref().map(|engine| match engine.version() {
            Some(version) => format!("{} {version}", engine.title()),
            None => engine.title().to_owned(),
        });
        let mut row = linked(
            item.title(),
            here.to_item(item),
            vec![
                Cell::text(if is_mixed { kind_word(item.kind()) } else { "–" }),
                Cell::text(day),
                Cell::text(finding(here, item)),
                Cell::text(or_dash(names(here, &item.models).join(", "))),
                Cell::text(or_dash(names(here, &item.cards).join(", "))),
                Cell::text(or_dash(engine.unwrap_or_default())),
                Cell::text(measured_by(item)),
            ],
        );
        row.anchor = Some(format!("{id}:{}", item.address));
        row.cells.extend(evidence::cells(here, item));
        row.marks.extend(badges(item));
        let ungated = item.gates().and_then(|gates| gates.first_ungated());
        row.marks.extend(ungated.map(str::to_owned));
        row.marks.extend(differences.own(here, item));
        row
    });
    let head = ["Result", "Kind", "Published", "Finding", "Model", "Accelerator", "Engine", "Measured by"];
    let head: Vec<_> = head.into_iter().chain(evidence::HEAD).collect();
    let table = table(id, caption, &head, rows.collect());
    without_empty_columns(table)
}

/// The names of models or cards, however a record spells them; its own page keeps the spelling.
fn names<'a>(here: &Here<'a>, named: &'a [Named]) -> Vec<&'a str> {
    let mut names: Vec<_> = named.iter().map(|named| here.site.catalog.title_of(named)).collect();
    names.dedup();
    names
}

/// Flags that tell a result from those of its table that are alike in kind, model, card and engine.
struct Differences<'a>(BTreeMap<Likeness<'a>, BTreeSet<String>>);

/// What two results of a list have to share before their flags are held against each other.
type Likeness<'a> = (Kind, Vec<&'a str>, Vec<&'a str>, Option<(&'a str, Option<&'a str>)>);

impl<'a> Differences<'a> {
    /// Keeps the flags that all results of a likeness share.
    fn of(here: &Here<'a>, items: &[&'a Item]) -> Self {
        let mut shared: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
        for item in items {
            let flags = item.flags();
            match shared.get_mut(&likeness(here, item)) {
                Some(common) => common.retain(|flag| flags.contains(flag)),
                None => drop(shared.insert(likeness(here, item), flags)),
            }
        }
        Differences(shared)
    }

    fn own(&self, here: &Here<'a>, item: &'a Item) -> Vec<String> {
        let shared = self.0.get(&likeness(here, item));
        item.flags().into_iter().filter(|flag| !shared.is_some_and(|shared| shared.contains(flag))).collect()
    }
}

fn likeness<'a>(here: &Here<'a>, item: &'a Item) -> Likeness<'a> {
    let engine = item.engine.as_ref().map(|engine| (engine.title(), engine.version()));
    (item.kind(), names(here, &item.models), names(here, &item.cards), engine)
}

/// The finding of a result, in a sentence.
pub fn finding(here: &Here, item: &Item) -> String {
    match &item.record {
        Record::Run(record) => run::finding(here, item, record),
        Record::Audit(record) => audit::finding(here, item, record),
        Record::KvEfficiency(record) => kv_efficiency::finding(here, item, record),
        _ => item.summary().unwrap_or_default().to_owned(),
    }
}

/// Quotes, with the price of an hour.
pub fn prices<'a>(here: &'a Here, items: Vec<&'a Item>) -> Strand<'a> {
    Strand::new(items.len(), 1, move |range| vec![prices_of(here, &items[range])])
}

fn prices_of(here: &Here, items: &[&Item]) -> Table {
    let rows = items.iter().filter_map(|item| {
        let Record::Price(price) = &item.record else { return None };
        let href = here.to_source(&item.document, &format!("/{}", price.hour.field()));
        let of_gpu = here.site.figures.find(&item.address, RECORD, &cost::USD_PER_GPU_HOUR);
        let hour = match (price.hour, of_gpu) {
            (HourPrice::Gpu { usd_per_gpu_hour }, _) => {
                let digits = item.document.digits("/usd_per_gpu_hour", usd_per_gpu_hour);
                Cell { text: format!("${digits}"), href: Some(href), numeric: true, ..Cell::default() }
            }
            (HourPrice::Node { .. }, Some(figure)) => {
                Cell::figure(here, &item.address, figure).noted([price.hour.words(&item.document, "")])
            }
            (HourPrice::Node { .. }, None) => Cell::text(price.hour.words(&item.document, "")),
        };
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
    let mut quotes = table(
        "prices",
        "Quotes, newest first",
        &["Quote", "Accelerator", "Provider", "Tier", "Price", "Read on"],
        rows.collect(),
    );
    quotes.head[PRICE].unit = Unit::UsdPerGpuHour.symbol().to_owned();
    quotes
}

/// The column of quotes that is in dollars.
const PRICE: usize = 4;

fn models(here: &Here, items: &[&Item]) -> Table {
    let rows = items.iter().filter_map(|item| {
        let Record::Model(model) = &item.record else { return None };
        let figure = here.site.figures.find(&item.address, RECORD, &memory::KV_BYTES_PER_TOKEN);
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

fn table(id: &str, caption: &str, head: &[&str], rows: Vec<Row>) -> Table {
    Table { id: id.to_owned(), caption: caption.into(), head: head.iter().copied().map(Heading::plain).collect(), rows }
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

/// Who measured; how near they stand to the result is a badge beside its name.
fn measured_by(item: &Item) -> String {
    let name = item.provenance().and_then(|provenance| provenance.measured_by.clone());
    name.unwrap_or_else(|| "–".to_owned())
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
