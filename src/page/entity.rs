//! The page of a model, card, quote, engine or technique: what it is, and every result that uses it.

use askama::Template;

use crate::catalog::Item;
use crate::diagnostic::counted;
use crate::quantity::Unit;
use crate::record::{Hardware, Price, Record};
use crate::route::Route;
use crate::source::Kind;

use super::claim::{self, Claims};
use super::derived;
use super::frame::{Frame, Here, Link};
use super::gathering::ByName;
use super::record::{CitationLine, Fact, SourceFile, citations, long_date, sources};
use super::table::Table;
use super::{list, model};
use crate::record::kv_efficiency::Technique;

#[derive(Debug, Template)]
#[template(path = "entity.html")]
pub struct EntityPage {
    frame: Frame,
    kind: Link,
    title: String,
    finding: String,
    facts: Vec<Fact>,
    tables: Vec<Table>,
    /// Results that refer to it.
    results: Option<Table>,
    claims: Claims,
    notes: Vec<String>,
    citations: Vec<CitationLine>,
    sources: Vec<SourceFile>,
    data: Option<String>,
}

/// Composes the page of a model, card or quote entry.
pub fn of_item(here: &Here, item: &Item) -> EntityPage {
    let (finding, facts, tables, note) = match &item.record {
        Record::Model(model) => {
            (model::finding(here, item), model::facts(here, item, model), model::tables(here, item, model), &model.note)
        }
        Record::Hardware(card) => {
            (card_finding(item, card), card_facts(here, item, card), card_tables(here, item), &card.note)
        }
        Record::Price(price) => (
            price_finding(item, price),
            price_facts(here, item, price),
            derived::ledger(here, item).into_iter().collect(),
            &price.note,
        ),
        _ => (String::new(), Vec::new(), Vec::new(), &None),
    };
    let results = match item.kind() {
        Kind::Price => priced(here, item),
        _ => here.site.gatherings.of_entry(&item.address).to_vec(),
    };
    EntityPage {
        frame: here.frame(item.title(), &finding),
        kind: here.site.folders.around(&item.address).map(|folder| folder.link(here)).unwrap_or_default(),
        title: item.title().to_owned(),
        finding,
        facts,
        tables,
        results: (!results.is_empty()).then(|| list::results(here, "results", "Results that use it", &results)),
        claims: claim::claims(here, item),
        notes: note.iter().cloned().collect(),
        citations: citations(item),
        sources: sources(here, item),
        data: Some(here.to(&Route::data(&item.address))),
    }
}

/// Composes the page of an engine, or of a name that has no entry.
pub fn of_name(here: &Here, name: &ByName, kind: Link, finding: String) -> EntityPage {
    gathered(here, name.name, kind, finding, &name.items)
}

/// Composes the page of a technique.
pub fn of_technique(here: &Here, technique: Technique) -> EntityPage {
    let items = here.site.gatherings.of_technique(technique);
    let kind = Link { text: "Techniques".to_owned(), href: Some(here.to(&Route::techniques())) };
    gathered(here, technique.name(), kind, results(items.len()), items)
}

/// `1 result`, `7 results`.
pub fn results(count: usize) -> String {
    counted(count, "result")
}

fn gathered(here: &Here, title: &str, kind: Link, finding: String, items: &[&Item]) -> EntityPage {
    EntityPage {
        frame: here.frame(title, &finding),
        kind,
        title: title.to_owned(),
        finding,
        facts: Vec::new(),
        tables: Vec::new(),
        results: Some(list::results(here, "results", "What is known", items)),
        claims: Claims::default(),
        notes: Vec::new(),
        citations: Vec::new(),
        sources: Vec::new(),
        data: None,
    }
}

fn card_finding(item: &Item, card: &Hardware) -> String {
    let stated = |field: &str, unit: Unit, value: f64| item.document.stated(&format!("/{field}"), unit, value.into());
    let bandwidth = card.memory_bandwidth_tb_s.map(|rate| stated("memory_bandwidth_tb_s", Unit::TbPerSecond, rate));
    let memory = stated("memory_gb", Unit::Gb, card.memory_gb);
    format!("{memory} of memory{}", bandwidth.map(|rate| format!(" at {rate}")).unwrap_or_default())
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

fn card_tables(here: &Here, card: &Item) -> Vec<Table> {
    quotes(here, card).into_iter().chain(model::on_card(here, card)).collect()
}

/// All quotes for a card, newest first.
fn quotes(here: &Here, card: &Item) -> Option<Table> {
    let of_card = |item: &&&Item| item.cards.iter().any(|named| named.entry() == Some(card.address.as_str()));
    let quotes: Vec<_> = here.site.gatherings.list(Kind::Price).iter().filter(of_card).copied().collect();
    (!quotes.is_empty()).then(|| list::prices(here, &quotes))
}

fn price_finding(item: &Item, price: &Price) -> String {
    format!("{} {}: {} on {}", price.provider, price.tier, price.hour.words(&item.document, ""), long_date(price.date))
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

/// Results with a figure at this quote.
fn priced<'a>(here: &Here<'a>, quote: &Item) -> Vec<&'a Item> {
    let rests = |item: &&Item| {
        let figures = here.site.figures.of(&item.address);
        item.price.as_deref() == Some(quote.address.as_str())
            || figures.iter().any(|figure| figure.quote.as_deref() == Some(quote.address.as_str()))
    };
    let kinds = [Kind::Run, Kind::Audit, Kind::KvEfficiency];
    kinds.into_iter().flat_map(|kind| here.site.gatherings.list(kind)).copied().filter(rests).collect()
}
