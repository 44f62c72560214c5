//! An accelerator: memory, bandwidth, power, and the names that results use for it.

use serde::{Deserialize, Serialize};

use super::{Citation, Status};

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Hardware {
    pub id: String,
    #[serde(default)]
    pub status: Status,
    pub title: String,
    #[serde(default)]
    pub names: Vec<String>,
    pub vendor: Option<String>,
    pub form: Option<String>,
    /// Marketing size, 10^9 bytes.
    pub memory_gb: f64,
    /// As reported by the driver, 2^20 bytes.
    pub memory_usable_mib: Option<f64>,
    pub memory_type: Option<String>,
    /// Per card, 10^12 bytes per second.
    pub memory_bandwidth_tb_s: Option<f64>,
    pub board_power_w: Option<f64>,
    pub note: Option<String>,
    #[serde(default)]
    pub sources: Vec<Citation>,
}
