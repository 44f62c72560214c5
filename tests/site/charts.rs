//! Every chart of the site and of the torture set, measured in a browser.

use std::fmt::Write as _;
use std::fs;

// The torture set is the one that the charts' own tests draw.
use results_site::chart::*;
use results_site::quantity::Quantity;

use crate::browser::{installed, node, passes};
use crate::program::{Site, skip};

#[allow(dead_code)]
#[path = "../../src/chart/samples.rs"]
mod samples;

/// A page like ours with every sample, and each as a file of its own.
fn torture(folder: &std::path::Path, style: &str) {
    let mut page =
        format!("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Charts</title><style>{style}</style>");
    for chart in samples::good().iter().chain(&samples::torture()) {
        let chart = chart.few();
        let Rendered { wide, narrow } = render(&chart);
        let id = &chart.id;
        let _ = write!(
            page,
            "<figure id=\"{id}\"><figcaption id=\"{id}-caption\">{id}</figcaption><div class=\"chart-pair\">{wide}{narrow}</div>\
             <p id=\"{id}-summary\">Summary</p></figure>"
        );
        let title = "What a drawing shows in a title of some length, since titles of records are sentences";
        let foot = ["https://results.example/x".to_owned()];
        fs::write(folder.join(format!("{id}.svg")), standalone(&chart, title, &foot)).expect("a drawing is written");
    }
    fs::write(folder.join("torture.html"), page).expect("the page is written");
}

#[test]
fn no_text_of_any_chart_is_cut_off_or_covered() {
    let name = "no_text_of_any_chart_is_cut_off_or_covered";
    let browser = installed(&["chromium", "chromium-browser", "google-chrome"]);
    let (Some(node), Some(browser)) = (node(), browser) else {
        return skip(name, "Node 20 and Chromium are not installed");
    };
    let site = Site::of_repository_built();
    let tree = site.published();
    let style = tree.with_ending(".css").find(|path| path.starts_with("assets/")).expect("a style sheet");
    let folder = tempfile::tempdir().expect("a folder");
    torture(folder.path(), tree.text(style));
    passes(&node, "charts.mjs", &[&browser, &site.path("public"), folder.path()]);
}
