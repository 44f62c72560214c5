//! The page on which a reader chooses what to set beside each other, in the browser and by the same contract.

use askama::Template;

use crate::route::Route;

use super::asset::Asset;
use super::comparisons::Compared;
use super::frame::{Frame, Here, Link};

#[derive(Debug, Template)]
#[template(path = "compare.html")]
pub struct ComparePage {
    frame: Frame,
    title: &'static str,
    contract: String,
    /// What may be compared, as data.
    data: String,
    data_script: String,
    script: String,
    /// Comparisons that the build made.
    made: Vec<Made>,
}

/// The comparisons of models, of accelerators, of engines, of techniques, or within records of a kind.
#[derive(Debug)]
struct Made {
    title: &'static str,
    /// Those with results of machines at work that may be compared.
    comparable: Vec<Link>,
    others: Vec<Link>,
    /// Those that are not listed, since there may be as many as records: their pages lead to them.
    more: usize,
}

impl Made {
    /// Those that stand open, and those that are folded below them.
    fn open_and_folded(&self) -> (&[Link], &[Link]) {
        /// As many as a reader looks through.
        const OPEN: usize = 12;
        self.comparable.split_at(self.comparable.len().min(OPEN))
    }
}

/// Records of a kind that are listed, the newest.
const LISTED: usize = 100;

const TITLE: &str = "Compare any results";

pub fn compose(here: &Here) -> ComparePage {
    let mut made: Vec<Made> = Vec::new();
    for compared in here.site.compared() {
        let link = Link { text: compared.name().to_owned(), href: Some(here.to(&compared.route())) };
        if made.last().is_none_or(|made| made.title != compared.kind()) {
            made.push(Made { title: compared.kind(), comparable: Vec::new(), others: Vec::new(), more: 0 });
        }
        let Some(of_kind) = made.last_mut() else { continue };
        let is_of_record = matches!(compared, Compared::Record(_));
        if is_of_record && of_kind.comparable.len() + of_kind.others.len() == LISTED {
            of_kind.more += 1;
        } else if compared.groups(here) == 0 {
            of_kind.others.push(link);
        } else {
            of_kind.comparable.push(link);
        }
    }
    ComparePage {
        frame: here.frame(TITLE, "Results chosen by the reader beside each other, compared where they may be"),
        title: TITLE,
        contract: here.to_anchor(&Route::methodology(), "page:contract"),
        data: here.to(&Route::comparisons_data()),
        data_script: here.to(&Route::comparisons_script()),
        script: here.to(&here.site.assets.route(Asset::Compare)),
        made,
    }
}
