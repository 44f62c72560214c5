//! A curator's note beside a run record: what people add to a harness's file.

use serde::{Deserialize, Serialize};

use super::kv_efficiency::Technique;
use super::price::StatedPrice;
use super::{Curation, Observation, SetPart, StatedFigure};

/// What the record's hardware costs.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(untagged)]
pub enum NotedPrice {
    /// Address of the quote that the record's tier names, `prices/…`.
    Quote(String),
    Stated(Box<StatedPrice>),
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
pub struct CuratorNote {
    /// Address of the model entry, `models/…`.
    pub model: Option<String>,
    /// Address of the card entry, `hardware/…`.
    pub hardware: Option<String>,
    pub price: Option<NotedPrice>,
    /// Anchor of the config that changes are measured against.
    pub baseline: Option<String>,
    /// Parts of the comparability key that differ on purpose between configs.
    #[serde(default)]
    pub varies: Vec<String>,
    /// How tokens were drafted, where the record itself does not say that they were.
    pub speculative_decoding: Option<SetPart>,
    #[serde(default)]
    pub techniques: Vec<Technique>,
    #[serde(default)]
    pub observations: Vec<Observation>,
    #[serde(default)]
    pub stated: Vec<StatedFigure>,
    #[serde(flatten)]
    pub curation: Curation,
}
