//! A record as a `Dataset` of schema.org, for search engines of data.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::{Map, Value, json};

use crate::catalog::Item;
use crate::export::figures::Form;
use crate::record::Record;
use crate::record::run::PowerKind;
use crate::route::Route;
use crate::source::Kind;

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

/// Bytes that the names of variables take at most, which few records come near.
const NAMES: usize = 3_000;

pub fn dataset(here: &Here, item: &Item, finding: &str) -> LinkedData {
    let settings = &here.site.catalog.site;
    let absolute = |route: Route| route.absolute(&settings.base_url);
    let license = license(&settings.license);
    let measured_by = item.provenance().and_then(|provenance| provenance.measured_by.as_deref());
    let urls = item.citations().iter().filter_map(|citation| citation.url.as_deref());
    let titles = item.citations().iter().map(|citation| citation.title.as_str());
    let fate = here.site.catalog.fate(item);
    let changes = item.curation().into_iter().flat_map(|curation| &curation.changes).map(|change| change.date);
    let changed = changes.chain(fate.and_then(|fate| fate.date)).max();
    let download = |form: &str, route: Route| json!({ "@type": "DataDownload", "encodingFormat": form, "contentUrl": absolute(route) });
    let table = |form: Form| download(form.media_type(), Route::figures_table(item.kind(), form.ending()));
    let mut techniques = techniques(item);
    techniques.push(absolute(Route::methodology()));
    let said = [
        ("@context", json!("https://schema.org")),
        ("@type", json!("Dataset")),
        ("name", json!(item.title())),
        ("description", json!(finding)),
        ("url", json!(absolute(Route::record(&item.address)))),
        // Of the file that it is made from; its data file has the whole digest.
        ("version", json!(item.document.sha256.get(..12))),
        ("license", json!(license.href.unwrap_or(license.text))),
        ("creator", json!(measured_by.map(|name| json!({ "@type": "Organization", "name": name })))),
        ("datePublished", json!(item.published().map(|date| date.to_string()))),
        ("dateModified", json!(changed.map(|date| date.to_string()))),
        // A price is that of its day; on which day a result was measured, records do not say.
        (
            "temporalCoverage",
            json!(item.published().filter(|_| item.kind() == Kind::Price).map(|date| date.to_string())),
        ),
        ("creativeWorkStatus", json!(fate.map(|fate| fate.word))),
        (
            "distribution",
            json!(
                [download("application/json", Route::data(&item.address)), table(Form::Csv), table(Form::JsonLines),]
            ),
        ),
        ("isBasedOn", urls.collect()),
        ("citation", titles.collect()),
        ("measurementTechnique", json!(techniques)),
        ("variableMeasured", json!(variables(here, item))),
    ];
    let is_said = |value: &Value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty());
    let said = said.into_iter().filter(|(_, value)| is_said(value));
    LinkedData::new(&Value::Object(said.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>()))
}

/// What was measured and computed, each once with its unit.
fn variables(here: &Here, item: &Item) -> Vec<String> {
    let readings = here.site.figures.readings(item).into_iter();
    let measured = readings.filter(|reading| reading.sample.is_some());
    let measured = measured.map(|reading| with_unit(&reading.name, &reading.unit));
    let figures = here.site.figures.of(&item.address).iter().filter(|figure| figure.outcome.is_ok());
    let computed = figures.map(|figure| with_unit(figure.formula.name, figure.formula.unit.symbol()));
    let mut seen = BTreeSet::new();
    let mut room = NAMES;
    let fits = |name: &String| {
        room = room.saturating_sub(name.len());
        room > 0
    };
    measured.chain(computed).filter(|name| seen.insert(name.clone())).take_while(fits).collect()
}

fn with_unit(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} ({unit})") }
}

/// How it was measured, in the record's own words.
fn techniques(item: &Item) -> Vec<String> {
    let words = match &item.record {
        Record::Run(run) => {
            let workload = run.workload.as_ref();
            let power = run.power.as_ref().map(|power| {
                let kind = PowerKind::words(power.kind);
                power.window.as_ref().map_or_else(|| kind.to_owned(), |window| format!("{kind}, {window}"))
            });
            vec![
                workload.and_then(|workload| Some(format!("trace {}", workload.trace.as_ref()?))),
                workload.and_then(|workload| workload.arrival.clone()),
                power,
            ]
        }
        Record::Audit(audit) => vec![audit.workload.dataset.as_ref().map(|dataset| format!("{dataset} requests"))],
        _ => Vec::new(),
    };
    words.into_iter().flatten().filter(|words| !words.is_empty()).collect()
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
