//! A dated quote for an hour of one GPU.

use serde::{Deserialize, Serialize};

use super::{Citation, Date, Status};
use crate::quantity::Quantity;

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Price {
    pub id: String,
    #[serde(default)]
    pub status: Status,
    pub title: Option<String>,
    /// Address of the card, `hardware/…`.
    pub accelerator: String,
    pub provider: String,
    pub tier: String,
    pub usd_per_gpu_hour: Quantity,
    /// The day on which the source read the price.
    pub date: Date,
    pub note: Option<String>,
    #[serde(default)]
    pub sources: Vec<Citation>,
}
