//! A page at an old address that leads to the new one.

use askama::Template;

use super::frame::{Frame, Here, Link};
use crate::route::Route;

#[derive(Debug, Template)]
#[template(path = "redirect.html")]
pub struct RedirectPage {
    frame: Frame,
    to: Link,
}

pub fn compose(here: &Here, new: &str) -> RedirectPage {
    let to = here.to_address(new);
    let mut frame = here.frame("Moved", "This page has moved");
    // Search engines should keep the new address alone.
    frame.canonical = Route::record(new).absolute(&here.site.catalog.site.base_url);
    RedirectPage { frame, to }
}
