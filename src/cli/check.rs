//! `site check`: the build without its last stage.

use clap::Args;

use super::Exit;
use super::options::SiteOptions;

/// Check the content by building all of it, and write nothing
#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    site: SiteOptions,
}

impl Check {
    pub fn run(&self) -> Exit {
        self.site.run(results_site::check)
    }
}
