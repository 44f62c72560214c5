//! Prices of an hour that a record's figures are reckoned at: its own, the site's default, and the newest quote of the
//! offer that its own is of.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::sheet::{Found, compute, derived, field, missing};
use super::{Fact, Figure};
use crate::catalog::{Catalog, Item, RECORD};
use crate::formula::{Formula, cost, energy};
use crate::quantity::Quantity;
use crate::record::Price as Quote;
use crate::record::price::HourPrice;
use crate::schema::Document;
use crate::source::Kind;

/// A price, and how the figures at it are told from those at another.
pub struct Price {
    /// Address of the quote where it is another than the record's own.
    quote: Option<String>,
    /// At which price, in words.
    label: Option<String>,
    remarks: Vec<String>,
    /// What all GPUs of the result cost in an hour.
    hour: Figure,
}

/// A record's own price first, stated or quoted, or the reason why it has none.
pub fn prices(catalog: &Catalog, item: &Item, gpus: &Found) -> Vec<Price> {
    let stated = item.stated_price();
    let quoted = item.price.as_deref().and_then(|address| catalog.price(address));
    let mut prices = vec![match (stated, quoted) {
        (Some((stated, document)), _) => {
            let whose = match (&stated.assumed, stated.offer()) {
                (_, Some(offer)) => offer,
                (Some(_), None) => "assumed".to_owned(),
                (None, None) => "as the record states".to_owned(),
            };
            let place = Place { document, folder: "/price", assumed: stated.assumed.as_deref() };
            let hour = stated.hour.words(document, "/price");
            Price::new(format!("at {hour}, {whose}"), place.hourly_total(stated.hour, gpus))
        }
        (None, Some((quote_item, quote))) => Price::quoted(quote_item, quote, None, gpus),
        (None, None) => Price::none(),
    }];
    let own = quoted.map(|(_, own)| own);
    let default = if stated.is_none() { default(catalog, item) } else { None };
    if let Some((quote_item, quote)) = default {
        let reason = format!("the site's default quote ({} {}, {}) is assumed", quote.provider, quote.tier, quote.date);
        let price = Price::quoted(quote_item, quote, Some(&reason), gpus);
        prices.push(price.besides(quote_item, against(quote, own)));
    }
    let is_default = |found: &Item| default.is_some_and(|(default, _)| default.address == found.address);
    let newest = own.and_then(|own| newest(catalog, own)).filter(|(found, _)| !is_default(found));
    if let Some((quote_item, quote)) = newest {
        let remark = "the newest quote for this accelerator, provider and tier";
        prices.push(Price::quoted(quote_item, quote, None, gpus).besides(quote_item, remark.to_owned()));
    }
    prices
}

/// Figures at every price, config by config. What has no value at the record's own price says why; the other prices
/// do not say it again.
pub fn each<Row: Copy>(
    prices: &[Price],
    rows: impl Iterator<Item = Row> + Clone,
    figure: impl Fn(Row, &Price) -> Figure,
) -> Vec<Figure> {
    let mut figures = Vec::new();
    for price in prices {
        let at_price = rows.clone().map(|row| price.beside(figure(row, price))).map(|figure| {
            // What limits the hour limits all that is reckoned by it.
            let limits = if figure.outcome.is_ok() { price.hour.limits.clone() } else { Vec::new() };
            figure.limited(limits)
        });
        figures.extend(at_price.filter(|figure| figure.quote.is_none() || figure.outcome.is_ok()));
    }
    figures
}

impl Price {
    fn new(label: String, hour: Figure) -> Self {
        Price { quote: None, label: Some(label), remarks: Vec::new(), hour }
    }

    fn quoted(item: &Item, quote: &Quote, assumed: Option<&str>, gpus: &Found) -> Self {
        let place = Place { document: &item.document, folder: "", assumed };
        Price::new(format!("at {}", item.title()), place.hourly_total(quote.hour, gpus))
    }

    fn none() -> Self {
        let hour = missing(&cost::USD_PER_HOUR, RECORD, "the record names no price");
        Price { quote: None, label: None, remarks: Vec::new(), hour }
    }

    /// The price as one that is not the record's own.
    fn besides(mut self, quote: &Item, remark: String) -> Self {
        self.quote = Some(quote.address.clone());
        self.remarks = vec![remark];
        self
    }

    /// The hourly total as a figure of the record.
    pub fn figure(&self) -> Figure {
        self.beside(self.hour.clone())
    }

    /// The hourly total as an input.
    pub fn hour(&self) -> Found {
        derived(&Arc::new(self.figure()))
    }

    /// Puts the price beside a number that rests on it.
    pub fn beside(&self, mut figure: Figure) -> Figure {
        figure.quote.clone_from(&self.quote);
        let figure = figure.remarked(self.remarks.iter().cloned());
        match &self.label {
            Some(label) => figure.labelled(label),
            None => figure,
        }
    }
}

/// The share of a GPU in a quote for a node, so that quotes of either basis can be read beside each other.
pub fn of_quote(item: &Item, quote: &Quote) -> Vec<Figure> {
    match quote.hour {
        HourPrice::Gpu { .. } => Vec::new(),
        HourPrice::Node { usd_per_node_hour, gpus_per_node } => {
            let place = Place { document: &item.document, folder: "", assumed: None };
            vec![place.share_of_node(usd_per_node_hour, gpus_per_node)]
        }
    }
}

/// Where the fields of a price stand, and why it is taken, where the record does not name it.
#[derive(Clone, Copy)]
struct Place<'a> {
    document: &'a Arc<Document>,
    folder: &'a str,
    assumed: Option<&'a str>,
}

impl Place<'_> {
    fn fact(self, name: &str, value: Quantity) -> Found {
        let fact = field(self.document, format!("{}/{name}", self.folder), Some(value))?;
        Ok(Fact { assumed: self.assumed.map(str::to_owned), ..fact })
    }

    fn share_of_node(self, usd_per_node_hour: Quantity, gpus_per_node: u32) -> Figure {
        let gpus = Quantity::exact(f64::from(gpus_per_node));
        let facts = [self.fact("usd_per_node_hour", usd_per_node_hour), self.fact("gpus_per_node", gpus)];
        compute(&cost::USD_PER_GPU_HOUR, RECORD, facts)
    }

    /// What all GPUs of a result cost in an hour.
    fn hourly_total(self, hour: HourPrice, gpus: &Found) -> Figure {
        let (per_gpu, node) = match hour {
            HourPrice::Gpu { usd_per_gpu_hour } => (self.fact("usd_per_gpu_hour", usd_per_gpu_hour), None),
            HourPrice::Node { usd_per_node_hour, gpus_per_node } => {
                let share = self.share_of_node(usd_per_node_hour, gpus_per_node);
                (derived(&Arc::new(share)), Some(gpus_per_node))
            }
        };
        let part = |size: &u32| gpus.as_ref().is_ok_and(|gpus| gpus.quantity.low() % f64::from(*size) != 0.0);
        let limit = node
            .filter(part)
            .map(|size| format!("a node of {size} GPUs is rented whole; the result bears the share of its GPUs"));
        compute(&cost::USD_PER_HOUR, RECORD, [per_gpu, gpus.clone()]).limited(limit)
    }
}

/// The site's default quote, where it is another than the record's own and for the same card.
fn default<'a>(catalog: &'a Catalog, item: &Item) -> Option<(&'a Item, &'a Quote)> {
    let address = catalog.site.default_price.as_deref()?;
    let card = item.cards.first()?.entry()?;
    let default = catalog.price(address).filter(|(_, quote)| quote.accelerator == card);
    default.filter(|_| item.price.as_deref() != Some(address))
}

/// How the default quote differs from the record's own.
fn against(default: &Quote, own: Option<&Quote>) -> String {
    match own {
        Some(own) if own.tier != default.tier => {
            format!("{} tier; the record names the {} tier", default.tier, own.tier)
        }
        Some(_) => "another quote of the same tier".to_owned(),
        None => "the record names no tier".to_owned(),
    }
}

/// The newest quote of the same offer, where it is of a later day.
fn newest<'a>(catalog: &'a Catalog, own: &Quote) -> Option<(&'a Item, &'a Quote)> {
    let quotes = catalog.of_kind(Kind::Price).filter_map(|item| catalog.price(&item.address));
    let later = quotes.filter(|(_, quote)| quote.date > own.date && quote.is_same_offer(own));
    later.max_by_key(|(_, quote)| quote.date)
}

/// What a figure in dollars, or of the energy that dollars buy, is at any price.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AtAnyPrice {
    /// Dollars for so many GPU-hours.
    GpuHours(Quantity),
    /// Tokens of one GPU-hour, for one dollar at a price of one.
    TokensPerGpuHour(Quantity),
    /// Dollars for so many kilowatt-hours.
    Kwh(Quantity),
    /// The same, for a million tokens of the kind that the figure's joules are of.
    KwhPerMtok(Quantity),
}

/// `None` for what is no multiple of the price of a GPU-hour or a kilowatt-hour, or of what a dollar buys.
pub fn at_any_price(figure: &Figure) -> Option<AtAnyPrice> {
    if JOULES.iter().any(|formula| formula.id == figure.formula.id) {
        // 1 kWh = 3,600,000 J.
        return figure.quantity().map(|joules| AtAnyPrice::KwhPerMtok(joules / 3.6));
    }
    if figure.formula.id == energy::ELECTRICITY_USD_PER_MTOK_OUTPUT.id {
        let price = figure.inputs().nth(1)?.1.quantity;
        return figure
            .quantity()
            .map(|dollars| dollars / price)
            .filter(|energy| energy.is_finite())
            .map(AtAnyPrice::Kwh);
    }
    let (value, price) = (figure.quantity()?, usd_per_gpu_hour(figure)?);
    let ends = |of: fn(f64, f64) -> f64| {
        let ends = Quantity::between(of(value.low(), price.low()), of(value.high(), price.high()));
        ends.low().is_finite().then_some(ends).filter(|ends| ends.high().is_finite())
    };
    let id = figure.formula.id;
    if id == cost::OUTPUT_TOK_PER_USD.id {
        return ends(|tokens, price| tokens * price).map(AtAnyPrice::TokensPerGpuHour);
    }
    let is_multiple = MULTIPLES.iter().any(|formula| formula.id == id);
    ends(|dollars, price| dollars / price).filter(|_| is_multiple).map(AtAnyPrice::GpuHours)
}

const JOULES: [&Formula; 2] = [&energy::ENERGY_J_PER_OUTPUT_TOKEN, &energy::ENERGY_J_PER_TOTAL_TOKEN];

const MULTIPLES: [&Formula; 8] = [
    &cost::USD_PER_HOUR,
    &cost::USD_PER_MTOK_OUTPUT,
    &cost::USD_PER_MTOK_INPUT,
    &cost::USD_PER_MTOK_TOTAL,
    &cost::USD_PER_1K_REQUESTS,
    &cost::USD_PER_MONTH,
    &cost::SAVING_USD_PER_MONTH,
    &crate::formula::capacity::USD_PER_MTOK_OVER_BRACKET,
];

/// The one price of a GPU-hour that a figure was reckoned at.
fn usd_per_gpu_hour(figure: &Figure) -> Option<Quantity> {
    if figure.formula.id == cost::USD_PER_HOUR.id {
        return figure.inputs().next().map(|(_, price)| price.quantity);
    }
    let mut prices = figure.inputs().filter_map(|(_, fact)| usd_per_gpu_hour(fact.derivation.as_deref()?));
    let first = prices.next()?;
    prices.all(|other| other == first).then_some(first)
}

/// Addresses of the quotes that a figure rests on, however deep: those it was computed from, and the one that the
/// record names for a price that it states itself.
pub fn quotes<'a>(item: &'a Item, figure: &'a Figure) -> BTreeSet<&'a str> {
    let mut quotes = BTreeSet::new();
    for (_, fact) in figure.inputs() {
        if fact.document.kind == Kind::Price {
            quotes.insert(fact.document.address.as_str());
        } else if fact.document.address == item.address && fact.pointer.starts_with("/price/") {
            quotes.extend(item.price.as_deref());
        }
        quotes.extend(fact.derivation.iter().flat_map(|derivation| self::quotes(item, derivation)));
    }
    quotes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::tests::card as document;
    use crate::formula::comparison::GOODPUT_CHANGE_PCT;

    fn fact(value: f64) -> Found {
        field(&document(), "/memory_gb", Some(value))
    }

    fn hour(usd_per_gpu_hour: f64, gpus: f64) -> Found {
        derived(&Arc::new(compute(&cost::USD_PER_HOUR, "a", [fact(usd_per_gpu_hour), fact(gpus)])))
    }

    #[test]
    fn what_is_a_multiple_of_a_price_is_so_at_any() {
        let multiple = |figure: &Figure| match at_any_price(figure) {
            Some(AtAnyPrice::GpuHours(hours)) => Some(("hours", hours.middle())),
            Some(AtAnyPrice::TokensPerGpuHour(tokens)) => Some(("tokens", tokens.middle())),
            Some(AtAnyPrice::Kwh(energy)) => Some(("kWh", energy.middle())),
            Some(AtAnyPrice::KwhPerMtok(energy)) => Some(("kWh for a million", energy.middle())),
            None => None,
        };
        let total = compute(&cost::USD_PER_HOUR, "a", [fact(2.0), fact(4.0)]);
        assert_eq!(multiple(&total), Some(("hours", 4.0)));
        let cost = compute(&cost::USD_PER_MTOK_OUTPUT, "a", [hour(2.0, 4.0), fact(1000.0)]);
        assert_eq!(multiple(&cost).map(|(what, hours)| (what, (hours * 900.0).round())), Some(("hours", 1000.0)));
        let bought = compute(&cost::OUTPUT_TOK_PER_USD, "a", [hour(2.0, 4.0), fact(1000.0)]);
        assert_eq!(multiple(&bought), Some(("tokens", 900_000.0)));
        // 4 J for each of a million tokens are 10/9 kWh, whatever a kWh costs.
        let spent = compute(&energy::ENERGY_J_PER_OUTPUT_TOKEN, "a", [fact(1.0), fact(250.0)]);
        let in_ninths = |found: Option<(&'static str, f64)>| found.map(|(what, kwh)| (what, (kwh * 9.0).round()));
        assert_eq!(in_ninths(multiple(&spent)), Some(("kWh for a million", 10.0)));
        let electricity = |price| {
            let joules = derived(&Arc::new(spent.clone()));
            compute(&energy::ELECTRICITY_USD_PER_MTOK_OUTPUT, "a", [joules, fact(price)])
        };
        assert_eq!(in_ninths(multiple(&electricity(0.5))), Some(("kWh", 10.0)));
        assert_eq!(multiple(&electricity(0.0)), None);
        // Of two prices it is a multiple of neither, a share of one price is no price, and at no price nothing is known.
        let saving = |old, new| compute(&cost::SAVING_USD_PER_MONTH, "a", [hour(old, 4.0), hour(new, 2.0)]);
        assert_eq!(multiple(&saving(2.0, 2.0)), Some(("hours", 2.0)));
        assert_eq!(multiple(&saving(2.0, 3.0)), None);
        let change = compute(&cost::COST_CHANGE_PCT, "a", [hour(2.0, 4.0), hour(2.0, 2.0)]);
        assert_eq!(multiple(&change), None);
        assert_eq!(multiple(&compute(&GOODPUT_CHANGE_PCT, "a", [fact(2.0), fact(1.0)])), None);
        assert_eq!(multiple(&compute(&cost::USD_PER_HOUR, "a", [fact(0.0), fact(4.0)])), None);
    }

    #[test]
    fn part_of_a_node_bears_its_share_and_says_so() {
        let node = |gpus: f64| {
            let place = Place { document: &document(), folder: "", assumed: None };
            let hour = HourPrice::Node { usd_per_node_hour: 24.0.into(), gpus_per_node: 8 };
            let figure = place.hourly_total(hour, &fact(gpus));
            (figure.shown(), figure.limits.len())
        };
        assert_eq!(node(8.0), ("$24.00 an hour".to_owned(), 0));
        assert_eq!(node(16.0), ("$48.00 an hour".to_owned(), 0));
        assert_eq!(node(4.0), ("$12.00 an hour".to_owned(), 1));
        assert_eq!(node(12.0), ("$36.00 an hour".to_owned(), 1));
    }
}
