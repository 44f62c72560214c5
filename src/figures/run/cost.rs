//! What a config costs, at dated quotes.

use super::{Row, Sheet};
use crate::figures::Figure;
use crate::figures::sheet::{assumed, compute, field, missing};
use crate::formula::cost;

impl Sheet<'_> {
    /// Cost at the quote that the record's tier names.
    pub(super) fn own_cost(&self, row: Row) -> Figure {
        let Some((price_item, price)) = self.item.price.as_deref().and_then(|address| self.catalog.price(address))
        else {
            return missing(&cost::USD_PER_MTOK_OUTPUT, row.anchor, "the record names no price quote");
        };
        let usd = field(&price_item.document, "/usd_per_gpu_hour", Some(price.usd_per_gpu_hour));
        compute(&cost::USD_PER_MTOK_OUTPUT, row.anchor, [usd, self.gpus(), self.goodput(row)])
            .labelled(format!("at {}", price_item.title()))
            .limited(self.goodput_limits(row))
    }

    /// Cost at the site's default quote, where it is another one for the same card.
    pub(super) fn default_costs(&self) -> Vec<Figure> {
        let Some(address) = self.catalog.site.default_price.as_deref() else { return Vec::new() };
        let Some((price_item, price)) = self.catalog.price(address) else { return Vec::new() };
        let card = self.item.cards.first().and_then(|card| card.entry());
        if self.item.price.as_deref() == Some(address) || card != Some(price.accelerator.as_str()) {
            return Vec::new();
        }
        let own = self.item.price.as_deref().and_then(|own| self.catalog.price(own)).map(|(_, own)| own);
        let mismatch = match own {
            Some(own) if own.tier != price.tier => {
                format!("{} tier; the record names the {} tier", price.tier, own.tier)
            }
            Some(_) => "another quote of the same tier".to_owned(),
            None => "the record names no tier".to_owned(),
        };
        let figure = |row: Row| {
            let reason =
                format!("the site's default quote ({} {}, {}) is assumed", price.provider, price.tier, price.date);
            let usd = assumed(&price_item.document, "/usd_per_gpu_hour", price.usd_per_gpu_hour, reason);
            compute(&cost::USD_PER_MTOK_OUTPUT, row.anchor, [Ok(usd), self.gpus(), self.goodput(row)])
                .at_quote(address)
                .labelled(format!("at {}", price_item.title()))
                .remarked([mismatch.clone()])
                .limited(self.goodput_limits(row))
        };
        self.rows().map(figure).collect()
    }
}
