//! The site's own settings, `site.toml`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Site {
    pub title: String,
    /// Where the site will stand, with or without the last slash.
    pub base_url: String,
    /// Web address of the repository that holds the content.
    pub repository_url: Option<String>,
    /// Branch, tag or commit that source links point at.
    pub source_ref: Option<String>,
    /// Licence of the content, an SPDX name.
    #[serde(default = "default_license")]
    pub license: String,
    #[serde(default = "default_lang")]
    pub lang: String,
    pub electricity_usd_per_kwh: Option<f64>,
    /// Address of the quote for records that name none.
    pub default_price: Option<String>,
    /// Hours of one month in monthly costs.
    pub hours_per_month: Option<f64>,
    /// Share of a card's memory that an engine may use, in capacities of cards.
    pub memory_utilization_pct: Option<f64>,
    /// What an engine keeps of it beside weights and caches.
    pub memory_overhead_bytes: Option<u64>,
    #[serde(default)]
    pub brand: Brand,
    /// Old address = new address.
    #[serde(default)]
    pub aliases: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
pub struct Brand {
    /// Path under `static/`.
    pub logo: Option<String>,
    /// Accent on light ground, `#rrggbb`.
    pub accent_light: Option<String>,
    /// Accent on dark ground, `#rrggbb`.
    pub accent_dark: Option<String>,
    pub footer: Option<String>,
}

/// Hours per month where `site.toml` does not say.
pub const HOURS_PER_MONTH: f64 = 730.0;

fn default_license() -> String {
    "CC-BY-4.0".to_owned()
}

fn default_lang() -> String {
    "en".to_owned()
}
