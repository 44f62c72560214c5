//! The page of a model, card, quote, engine or technique: what it is, and every result that uses it.

use std::collections::BTreeSet;

use askama::Template;

use crate::catalog::Item;
use crate::diagnostic::counted;
use crate::quantity::Unit;
use crate::record::{Hardware, Price, Record};
use crate::route::Route;
use crate::source::Kind;

use super::claim::Derived;
use super::comparisons::{self, Compared};
use super::derived;
use super::frame::{Frame, Here, Link};
use super::linked_data::{self, LinkedData};
use super::list::{self, Listed};
use super::model;
use super::part::{self, PartLinks, Strand};
use super::record::{CitationLine, Fact, SourceFile, citations, long_date, sources};
use super::table::{Table, alike_once};

/// The table of results, which has a heading of its own.
const RESULTS: &str = "results";

#[derive(Debug, Template)]
#[template(path = "entity.html")]
pub struct EntityPage {
    frame: Frame,
    linked_data: Option<LinkedData>,
    kind: Link,
    title: String,
    finding: String,
    facts: Vec<Fact>,
    /// The results that refer to it, then its own.
    tables: Vec<Table>,
    parts: Option<PartLinks>,
    derived: Derived,
    compared: Option<Link>,
    notes: Vec<String>,
    citations: Vec<CitationLine>,
    sources: Vec<SourceFile>,
    data: Option<String>,
}

/// Composes the page of a model, card or quote entry.
pub fn of_item(here: &Here, item: &Item) -> EntityPage {
    let (finding, facts, note) = match &item.record {
        Record::Model(model) => (model::finding(here, item), model::facts(here, item, model), &model.note),
        Record::Hardware(card) => (card_finding(item, card), card_facts(here, item, card), &card.note),
        Record::Price(price) => (price_finding(here, item, price), price_facts(here, item, price), &price.note),
        _ => (String::new(), Vec::new(), &None),
    };
    let strands = strands(here, item);
    let tables = part::tables(&strands, 1);
    EntityPage {
        linked_data: Some(linked_data::dataset(here, item, &finding)),
        frame: here.frame(item.title(), &finding).made_from(here, &item.document),
        kind: here.site.folders.around(&item.address).map(|folder| folder.link(here)).unwrap_or_default(),
        title: item.title().to_owned(),
        finding,
        facts,
        parts: PartLinks::of(here, &Route::record(&item.address), 1, part::cut(&strands).count()),
        derived: Derived::of(here, item, &tables),
        compared: comparisons::link(here, Compared::Entry(item)),
        tables,
        notes: note.iter().cloned().collect(),
        citations: citations(item),
        sources: sources(here, item),
        data: Some(here.to(&Route::data(&item.address))),
    }
}

/// Results that use an entry, then its own tables.
pub fn strands<'a>(here: &'a Here, item: &'a Item) -> Vec<Strand<'a>> {
    let results = match item.kind() {
        Kind::Price => priced(here, item),
        _ => here.site.gatherings.of_entry(&item.address).to_vec(),
    };
    let mut strands = vec![list::results(here, RESULTS, "Results that use it", results)];
    match &item.record {
        Record::Model(model) => strands.extend(model::strands(here, item, model)),
        Record::Hardware(_) => strands.extend([quotes(here, item), model::on_card(here, item)]),
        Record::Price(_) => strands.push(derived::ledger(here, item)),
        _ => {}
    }
    strands.into_iter().map(|strand| strand.each(alike_once)).collect()
}

/// The results of an engine, of a technique, or of a name that has no entry.
pub fn gathered<'a>(here: &'a Here, items: &[&'a Item]) -> Vec<Strand<'a>> {
    vec![list::results(here, RESULTS, "What is known", items.to_vec()).each(alike_once)]
}

/// Composes the page of an engine, of a technique, or of a name that has no entry; `list` is where it is listed.
pub fn of_name(
    here: &Here,
    title: &str,
    list: Listed,
    finding: String,
    items: &[&Item],
    compared: Compared,
) -> EntityPage {
    let strands = gathered(here, items);
    EntityPage {
        frame: here.frame(title, &finding),
        linked_data: None,
        kind: Link { text: list.title(), href: Some(here.to(&list.route())) },
        title: title.to_owned(),
        finding,
        facts: Vec::new(),
        tables: part::tables(&strands, 1),
        parts: PartLinks::of(here, here.route(), 1, part::cut(&strands).count()),
        derived: Derived::default(),
        compared: comparisons::link(here, compared),
        notes: Vec::new(),
        citations: Vec::new(),
        sources: Vec::new(),
        data: None,
    }
}

/// How much is known of an engine or a technique, in a sentence.
pub fn gathered_words(name: &str, count: usize) -> String {
    format!("{} of {name} {} published here.", results(count), if count == 1 { "is" } else { "are" })
}

/// `1 result`, `7 results`.
pub fn results(count: usize) -> String {
    counted(count, "result")
}

fn card_finding(item: &Item, card: &Hardware) -> String {
    let stated = |field: &str, unit: Unit, value: f64| item.document.stated(&format!("/{field}"), unit, value.into());
    let bandwidth = card.memory_bandwidth_tb_s.map(|rate| stated("memory_bandwidth_tb_s", Unit::TbPerSecond, rate));
    let memory = stated("memory_gb", Unit::Gb, card.memory_gb);
    let bandwidth = bandwidth.map(|rate| format!(" and reads it at {rate}")).unwrap_or_default();
    format!("{} has {memory} of memory{bandwidth}.", item.title())
}

fn card_facts(here: &Here, item: &Item, card: &Hardware) -> Vec<Fact> {
    let text = |label: &str, value: Option<&str>| value.map(|value| Fact::new(label, vec![Link::plain(value)]));
    let number = |label: &str, field: &str, unit: Unit, value: Option<f64>| {
        let pointer = format!("/{field}");
        let text = |value: f64| item.document.stated(&pointer, unit, value.into());
        let href = Some(here.to_source(&item.document, &pointer));
        value.map(|value| Fact::new(label, vec![Link { text: text(value), href }]))
    };
    let mut facts = Vec::new();
    facts.extend(text("Vendor", card.vendor.as_deref()));
    facts.extend(text("Form", card.form.as_deref()));
    facts.extend(number("Memory as sold (1 GB = 10⁹ B)", "memory_gb", Unit::Gb, Some(card.memory_gb)));
    facts.extend(number("Memory usable", "memory_usable_mib", Unit::Mib, card.memory_usable_mib));
    facts.extend(text("Memory type", card.memory_type.as_deref()));
    facts.extend(number("Memory bandwidth", "memory_bandwidth_tb_s", Unit::TbPerSecond, card.memory_bandwidth_tb_s));
    facts.extend(number("Board power", "board_power_w", Unit::Watts, card.board_power_w));
    let names: Vec<_> = card.names.iter().map(Link::plain).collect();
    facts.extend((!names.is_empty()).then(|| Fact::new("Known as", names)));
    facts
}

/// All quotes for a card, newest first.
fn quotes<'a>(here: &'a Here, card: &Item) -> Strand<'a> {
    let of_card = |item: &&&Item| item.cards.iter().any(|named| named.entry() == Some(card.address.as_str()));
    list::prices(here, here.site.gatherings.list(Kind::Price).iter().filter(of_card).copied().collect())
}

fn price_finding(here: &Here, item: &Item, price: &Price) -> String {
    let (hour, card) = (price.hour.words(&item.document, ""), here.to_address(&price.accelerator).text);
    format!("{} ({}) asked {hour} for {card} on {}.", price.provider, price.tier, long_date(price.date))
}

fn price_facts(here: &Here, item: &Item, price: &Price) -> Vec<Fact> {
    vec![
        Fact::new("Accelerator", vec![here.to_address(&price.accelerator)]),
        Fact::new("Provider", vec![Link::plain(&price.provider)]),
        Fact::new("Tier", vec![Link::plain(&price.tier)]),
        Fact::new("Price", vec![Link::plain(price.hour.words(&item.document, ""))]),
        Fact::new("Read on", vec![Link::plain(long_date(price.date))]),
    ]
}

/// Results with a figure at this quote, or that name it.
fn priced<'a>(here: &Here<'a>, quote: &Item) -> Vec<&'a Item> {
    let resting = here.site.figures.resting_on(&quote.address).iter().map(|(address, _)| address.as_str());
    let resting: BTreeSet<_> = resting.collect();
    let rests =
        |item: &&Item| item.price.as_deref() == Some(quote.address.as_str()) || resting.contains(item.address.as_str());
    let kinds = [Kind::Run, Kind::Audit, Kind::KvEfficiency];
    kinds.into_iter().flat_map(|kind| here.site.gatherings.list(kind)).copied().filter(rests).collect()
}
