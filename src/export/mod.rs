//! Data files: each record with its figures and inputs, the index, the sitemap.

mod index;
mod record;
mod sitemap;

pub use index::index;
pub use record::record;
pub use sitemap::sitemap;
