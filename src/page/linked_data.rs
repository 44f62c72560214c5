//! A record as a `Dataset` of schema.org, for search engines of data.

use std::fmt;

use serde_json::{Map, Value, json};

use crate::catalog::Item;
use crate::export::figures::Form;
use crate::route::Route;

use super::frame::{Here, license};

/// JSON that is safe inside of a script element.
#[derive(Debug)]
pub struct LinkedData(String);

impl LinkedData {
    /// Without `<` nothing in it can end the element or begin a comment.
    fn new(value: &Value) -> Self {
        LinkedData(value.to_string().replace('<', "\\u003c"))
    }
}

impl fmt::Display for LinkedData {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Figures with a number are named, up to so many; the data file has all.
const VARIABLES: usize = 6;

pub fn dataset(here: &Here, item: &Item, finding: &str) -> LinkedData {
    let settings = &here.site.catalog.site;
    let absolute = |route: Route| route.absolute(&settings.base_url);
    let license = license(&settings.license);
    let measured_by = item.provenance().and_then(|provenance| provenance.measured_by.as_deref());
    let citations = item.citations().iter().filter_map(|citation| citation.url.as_deref());
    let mut variables: Vec<&str> = Vec::new();
    for figure in here.site.figures.of(&item.address).iter().filter(|figure| figure.outcome.is_ok()) {
        // Figures of one formula follow upon each other.
        if variables.len() < VARIABLES && variables.last() != Some(&figure.formula.name) {
            variables.push(figure.formula.name);
        }
    }
    let download = |form: &str, route: Route| json!({ "@type": "DataDownload", "encodingFormat": form, "contentUrl": absolute(route) });
    let mut downloads = vec![download("application/json", Route::data(&item.address))];
    if !here.site.figures.of(&item.address).is_empty() {
        downloads.push(download("text/csv", Route::figures_table(item.kind(), Form::Csv.ending())));
    }
    let said = [
        ("@context", json!("https://schema.org")),
        ("@type", json!("Dataset")),
        ("name", json!(item.title())),
        ("description", json!(finding)),
        ("license", json!(license.href.unwrap_or(license.text))),
        ("creator", json!(measured_by.map(|name| json!({ "@type": "Organization", "name": name })))),
        ("datePublished", json!(item.published().map(|date| date.to_string()))),
        ("distribution", json!(downloads)),
        ("isBasedOn", citations.collect()),
        ("variableMeasured", json!(variables)),
    ];
    let is_said = |value: &Value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty());
    let said = said.into_iter().filter(|(_, value)| is_said(value));
    LinkedData::new(&Value::Object(said.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_it_ends_the_element() {
        let hostile = json!({ "name": "</script><!--<script>" });
        let printed = LinkedData::new(&hostile).to_string();
        assert!(!printed.contains('<'), "{printed}");
        assert_eq!(serde_json::from_str::<Value>(&printed).ok(), Some(hostile));
    }
}
