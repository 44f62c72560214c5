//! What introduces a folder: the `index.md` in it.

use serde::{Deserialize, Serialize};

use super::Status;

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Collection {
    #[serde(default)]
    pub status: Status,
    pub title: String,
    pub description: Option<String>,
    /// Paths below the folder of the entries that come first; the others follow, newest first.
    #[serde(default)]
    pub order: Vec<String>,
}
