//! A dated quote for an hour of one GPU or of a whole node.

use serde::{Deserialize, Serialize};

use super::{Citation, Date, Status};
use crate::quantity::{Quantity, Unit};
use crate::schema::Document;

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
    #[serde(flatten)]
    pub hour: HourPrice,
    /// The day on which the source read the price.
    pub date: Date,
    pub note: Option<String>,
    #[serde(default)]
    pub sources: Vec<Citation>,
}

impl Price {
    /// Whether both are quotes of one offer, on whatever days.
    pub fn is_same_offer(&self, other: &Price) -> bool {
        let offer = |price: &Price| [&price.accelerator, &price.provider, &price.tier].map(String::clone);
        offer(self) == offer(other)
    }
}

/// A price that stands in a record itself, or in the note beside it.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct StatedPrice {
    #[serde(flatten)]
    pub hour: HourPrice,
    pub provider: Option<String>,
    pub tier: Option<String>,
    /// The day on which it was read.
    pub date: Option<Date>,
    pub source: Option<String>,
    /// Address of a quote that says the same, `prices/…`.
    pub quote: Option<String>,
    /// Why it is taken, where no offer is known to have it.
    pub assumed: Option<String>,
    pub note: Option<String>,
}

impl StatedPrice {
    /// The offer that it is of, as far as it is named: `RunPod secure, 2026-11-01`.
    pub fn offer(&self) -> Option<String> {
        let named: Vec<_> = self.provider.iter().chain(&self.tier).map(String::as_str).collect();
        let named = (!named.is_empty()).then(|| named.join(" "));
        let parts: Vec<_> = named.into_iter().chain(self.date.map(|date| date.to_string())).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// What an hour costs, per GPU or for a whole node: the schema lets a record say exactly one.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum HourPrice {
    Gpu { usd_per_gpu_hour: Quantity },
    Node { usd_per_node_hour: Quantity, gpus_per_node: u32 },
}

impl HourPrice {
    /// Price and basis as the file states them: `$2.69/GPU-hour`, `$21.52/node-hour of 8 GPUs`.
    ///
    /// `folder` is the pointer of the object that holds the price.
    pub fn words(self, document: &Document, folder: &str) -> String {
        let stated = |unit, hour| document.stated(&format!("{folder}/{}", self.field()), unit, hour);
        match self {
            HourPrice::Gpu { usd_per_gpu_hour } => stated(Unit::UsdPerGpuHour, usd_per_gpu_hour),
            HourPrice::Node { usd_per_node_hour, gpus_per_node } => {
                format!("{} of {gpus_per_node} GPUs", stated(Unit::UsdPerNodeHour, usd_per_node_hour))
            }
        }
    }

    /// Dollars for an hour of what the field says, one GPU or the whole node.
    pub fn own(self) -> Quantity {
        match self {
            HourPrice::Gpu { usd_per_gpu_hour } => usd_per_gpu_hour,
            HourPrice::Node { usd_per_node_hour, .. } => usd_per_node_hour,
        }
    }

    /// The field that holds the price.
    pub fn field(self) -> &'static str {
        match self {
            HourPrice::Gpu { .. } => "usd_per_gpu_hour",
            HourPrice::Node { .. } => "usd_per_node_hour",
        }
    }

    /// Dollars for one GPU and hour, to hold prices of either basis against each other.
    pub fn usd_per_gpu_hour(self) -> Quantity {
        match self {
            HourPrice::Gpu { usd_per_gpu_hour } => usd_per_gpu_hour,
            HourPrice::Node { usd_per_node_hour, gpus_per_node } => usd_per_node_hour / f64::from(gpus_per_node),
        }
    }
}
