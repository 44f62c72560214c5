//! `site build`: check the content, derive, render and publish.

use clap::Args;

use super::Exit;
use super::options::SiteOptions;

/// Build the site; a failed build leaves the old one in place
#[derive(Debug, Args)]
pub struct Build {
    #[command(flatten)]
    site: SiteOptions,
}

impl Build {
    pub fn run(&self) -> Exit {
        self.site.run(results_site::build)
    }
}
