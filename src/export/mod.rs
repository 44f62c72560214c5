//! Data files: each record with its figures and inputs, the index, the sitemap.

mod comparisons;
mod index;
mod record;
mod sitemap;

pub use comparisons::comparisons;
pub use index::index;
pub use record::{derivations, pretty, record};
pub use sitemap::sitemap;
