//! Data files: each record with its figures and inputs, the figures of each kind, the index, the sitemap.

mod comparisons;
pub mod figures;
mod index;
mod record;
mod search;
mod sitemap;

pub use comparisons::{comparisons, comparisons_script};
pub use index::index;
pub use record::{derivations, pretty, record};
pub use search::{Entry, search};
pub use sitemap::sitemap;
