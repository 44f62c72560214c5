//! The page on which a reader chooses what to set beside each other, in the browser and by the same contract.

use askama::Template;

use crate::route::Route;

use super::asset::Asset;
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

/// The comparisons of models, of accelerators, of engines, or of techniques.
#[derive(Debug)]
struct Made {
    title: &'static str,
    /// Those with results that may be compared.
    comparable: Vec<Link>,
    others: Vec<Link>,
}

const TITLE: &str = "Compare any results";

pub fn compose(here: &Here) -> ComparePage {
    let mut made: Vec<Made> = Vec::new();
    for compared in here.site.compared() {
        let link = Link { text: compared.name().to_owned(), href: Some(here.to(&compared.route())) };
        if made.last().is_none_or(|made| made.title != compared.kind()) {
            made.push(Made { title: compared.kind(), comparable: Vec::new(), others: Vec::new() });
        }
        let of_kind = made.last_mut().map(|made| match compared.groups(here) {
            0 => &mut made.others,
            _ => &mut made.comparable,
        });
        of_kind.into_iter().for_each(|links| links.push(link.clone()));
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
