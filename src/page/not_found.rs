//! The page for an address that is not there.

use askama::Template;

use crate::route::Route;
use crate::source::Kind;

use super::frame::{Frame, Here};

#[derive(Debug, Template)]
#[template(path = "not_found.html")]
pub struct NotFoundPage {
    frame: Frame,
    runs: String,
}

pub fn compose(here: &Here) -> NotFoundPage {
    NotFoundPage {
        frame: here.frame("Page not found", "There is no page here"),
        runs: here.to(&Route::list(Kind::Run)),
    }
}
