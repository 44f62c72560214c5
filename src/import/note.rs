//! What stands beside imported numbers: their sources, the price, and what a reader of the file must know.

use serde_json::{Map, Value, json};

use super::answers::PriceAnswer;
use super::named;
use super::set::{Origin, Set};
use crate::diagnostic::rules;

/// Files of a set as sources, each with its digest so that a reader can tell which file it was.
pub fn sources<'a>(origins: impl IntoIterator<Item = &'a Origin>) -> Value {
    let source = |origin: &Origin| json!({"title": origin.file, "note": format!("read as {}, SHA-256 {}", origin.format, origin.sha256)});
    origins.into_iter().map(source).collect()
}

/// Warnings that hold of every run record that is made of results alone.
pub fn acknowledgements() -> Value {
    json!([{"rule": rules::REPRODUCE_MISSING.code, "reason": "The files hold results, not the commands that gave them."}])
}

/// The price as a record states it; without a provider, a tier and a date it is an assumption.
pub fn price(answer: &PriceAnswer) -> Value {
    let mut price = Map::new();
    price.insert("usd_per_gpu_hour".to_owned(), answer.usd_per_gpu_hour.into());
    let texts = [("provider", &answer.provider), ("tier", &answer.tier), ("source", &answer.source)];
    for (name, text) in texts {
        price.extend(text.clone().map(|text| (name.to_owned(), text.into())));
    }
    price.extend(answer.date.map(|date| ("date".to_owned(), date.to_string().into())));
    let missing = ["provider", "tier", "date"].into_iter().filter(|name| !price.contains_key(*name));
    let missing: Vec<_> = missing.collect();
    if !missing.is_empty() {
        let reason = format!("given at the import without {}", missing.join(", "));
        price.insert("assumed".to_owned(), reason.into());
    }
    price.into()
}

/// The prose of a record: of which files it was made, and what they leave open.
pub fn body(set: &Set, method: &str) -> String {
    let files = match set.origins.len() {
        1 => "one file".to_owned(),
        count => format!("{count} files"),
    };
    let made = format!("Made of {files} by an import; what these do not say is absent.");
    let paragraphs = [made.as_str(), method].into_iter().filter(|text| !text.is_empty());
    let mut body = format!("{}\n", paragraphs.collect::<Vec<_>>().join("\n\n"));
    let remarks = set.remarks();
    if !remarks.is_empty() {
        body.push_str("\n## How the files were read\n\n");
        for remark in remarks {
            body.push_str(&format!("- {}\n", escaped(&remark)));
        }
    }
    body
}

/// A line of a file's prose as it may stand in a body.
pub fn prose(text: &str) -> Option<String> {
    named::prose(text).map(|line| escaped(&line))
}

/// Text that is no markup, whatever stands in it.
fn escaped(text: &str) -> String {
    let marks = |one: char| one.is_ascii_punctuation() && !",.:;'?/=()%-".contains(one);
    let escape = |one: char| if marks(one) { vec!['\\', one] } else { vec![one] };
    text.chars().flat_map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Date;

    #[test]
    fn a_price_without_its_offer_is_assumed() {
        let mut answer = PriceAnswer {
            usd_per_gpu_hour: 2.69,
            provider: None,
            tier: None,
            date: None,
            source: Some("mail".to_owned()),
        };
        let assumed = "given at the import without provider, tier, date";
        assert_eq!(price(&answer), json!({"usd_per_gpu_hour": 2.69, "source": "mail", "assumed": assumed}));
        answer.provider = Some("RunPod".to_owned());
        answer.tier = Some("secure".to_owned());
        answer.date = Some(Date::constant(2026, 11, 1));
        assert_eq!(price(&answer).get("assumed"), None);
    }

    #[test]
    fn what_a_file_says_is_no_markup() {
        assert_eq!(escaped("[x](javascript:a) <b> `c` 1.5"), "\\[x\\](javascript:a) \\<b\\> \\`c\\` 1.5");
    }
}
