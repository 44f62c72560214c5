//! A page of prose.

use serde::{Deserialize, Serialize};

use super::Status;

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Page {
    pub id: Option<String>,
    #[serde(default)]
    pub status: Status,
    pub title: String,
    pub description: Option<String>,
    /// Name in the navigation; absent keeps the page out of it.
    pub nav: Option<String>,
    /// Order in the navigation, small first.
    #[serde(default)]
    pub weight: i64,
}
