//! Files and the atomic publish — the only writer.
//!
//! A build writes into a staging directory beside the output directory, on the same file system, and exchanges the two
//! in one step at the end. Whatever happens before that step leaves the published site as it was; whatever is left by a
//! process that was killed is put right when the next one claims the output directory. Nothing is deleted that a
//! manifest of ours does not list, so a file of somebody else can stop a build but never be lost by one.
//!
//! ```text
//! public/                 the published site; .site-manifest lists every file of it
//! .public.site-lock       held while a build owns the output directory
//! .public.site-staging/   owner   says that the directory is ours
//!                         new/    the site being written; after the exchange, the old one on its way out
//!                         old/    where the old site waits when the file system cannot exchange
//! ```
#![allow(
    clippy::disallowed_methods,
    reason = "this module is the only one that writes the disk; the others hand it bytes"
)]

mod add;
mod claim;
mod error;
mod growing;
mod lock;
mod manifest;
mod paths;
mod staging;
mod swap;
mod target;
#[cfg(test)]
mod tests;

pub use add::add;
pub use claim::{Claim, check};
pub use error::{OutputError, Refusal, Relation};
pub use paths::Paths;
pub use staging::{Outcome, Published, Staging};
