//! The self-test of the schemas: no misspelt keyword, none that editors do not know, no reference that leads outside.

use serde_json::Value;
use std::ops::Range;

use super::parsed::span;
use super::set::{self, SchemaFile};
use super::spans::joined;
use crate::diagnostic::{Diagnostic, Report, nearest, rules};

/// What is wrong with schema files, given as name and text.
pub fn lint<'a>(sources: impl IntoIterator<Item = (&'a str, &'a str)>) -> Report {
    let mut report = Report::new();
    let texts = set::files(sources);
    let files: Vec<_> = texts.iter().filter_map(|text| SchemaFile::parse(text, &mut report)).collect();
    for file in &files {
        Linter { file, files: &files, report: &mut report }.file();
    }
    report
}

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Keywords whose value is one schema, schemas by name, a list of schemas, or no schema at all. Validator and editors
/// agree on these; a keyword that is not here would do nothing, silently.
const ONE: [&str; 8] = ["additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"];
const NAMED: [&str; 4] = ["$defs", "dependentSchemas", "patternProperties", "properties"];
const LISTED: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const PLAIN: [&str; 30] = [
    "$comment",
    "$id",
    "$ref",
    "$schema",
    "const",
    "default",
    "dependentRequired",
    "deprecated",
    "description",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "required",
    "title",
    "type",
    "uniqueItems",
];

struct Linter<'a> {
    file: &'a SchemaFile,
    files: &'a [SchemaFile],
    report: &'a mut Report,
}

impl Linter<'_> {
    fn file(&mut self) {
        let root = &self.file.value;
        if root.get("$schema").and_then(Value::as_str) != Some(DRAFT) {
            self.say("/$schema", format!("expected the `$schema` {DRAFT}"), None);
        }
        let name = self.file.text.path.trim_start_matches("schemas/").to_owned();
        if self.file.id.rsplit('/').next() != Some(&name) {
            self.say("/$id", format!("expected an `$id` that ends in /{name}"), None);
        }
        self.schema(root, "");
    }

    fn schema(&mut self, schema: &Value, pointer: &str) {
        let Some(keywords) = schema.as_object() else {
            if !schema.is_boolean() {
                self.say(pointer, "expected a schema".to_owned(), None);
            }
            return;
        };
        for (keyword, value) in keywords {
            let pointer = joined(pointer, keyword);
            match keyword.as_str() {
                "$ref" => self.reference(value, &pointer),
                one if ONE.contains(&one) => self.schema(value, &pointer),
                named if NAMED.contains(&named) => {
                    for (name, inner) in value.as_object().into_iter().flatten() {
                        self.schema(inner, &joined(&pointer, name));
                    }
                }
                listed if LISTED.contains(&listed) => {
                    for (index, inner) in value.as_array().into_iter().flatten().enumerate() {
                        self.schema(inner, &joined(&pointer, &index.to_string()));
                    }
                }
                plain if PLAIN.contains(&plain) || plain.starts_with("x-") => {}
                unknown => {
                    let known = ONE.into_iter().chain(NAMED).chain(LISTED).chain(PLAIN);
                    let help = nearest(unknown, known).map(|near| format!("did you mean `{near}`?"));
                    self.say(&pointer, format!("`{unknown}` is not a keyword that every editor knows"), help);
                }
            }
        }
        self.required(schema, pointer);
    }

    /// In a closed object, a required field that is no property can never be given.
    fn required(&mut self, schema: &Value, pointer: &str) {
        let properties = schema.get("properties").and_then(Value::as_object);
        let (Some(properties), Some(Value::Bool(false))) = (properties, schema.get("additionalProperties")) else {
            return;
        };
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        for (index, name) in required.filter_map(Value::as_str).enumerate() {
            if !properties.contains_key(name) {
                let help = nearest(name, properties.keys().map(String::as_str));
                let help = help.map(|near| format!("did you mean `{near}`?"));
                self.say(&format!("{pointer}/required/{index}"), format!("`{name}` is not among the properties"), help);
            }
        }
    }

    fn reference(&mut self, value: &Value, pointer: &str) {
        let reference = value.as_str().unwrap_or_default();
        let (file, target) = reference.split_once('#').unwrap_or((reference, ""));
        let (folder, _) = self.file.id.rsplit_once('/').unwrap_or_default();
        let id = if file.is_empty() { self.file.id.clone() } else { format!("{folder}/{file}") };
        let Some(file) = self.files.iter().find(|other| other.id == id) else {
            return self.say(pointer, format!("the reference `{reference}` leads out of the schemas"), None);
        };
        if file.value.pointer(target).is_none() {
            self.say(pointer, format!("the reference `{reference}` leads nowhere"), None);
        }
    }

    fn say(&mut self, pointer: &str, message: String, help: Option<String>) {
        let spans = &self.file.spans;
        let at: Range<usize> = spans.key(pointer).unwrap_or_else(|| spans.nearest(pointer));
        let mut problem =
            Diagnostic::new(&rules::SCHEMA_FILE_LINT, span(&self.file.text, at), message).pointer(pointer.to_owned());
        problem.help = help;
        self.report.push(problem);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Color;

    const GOOD: &str = r##"{
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://example.org/schemas/price.json",
        "type": "object",
        "required": ["usd"],
        "additionalProperties": false,
        "properties": {
            "minimun": {"$ref": "#/$defs/money"},
            "usd": {"anyOf": [{"$ref": "#/$defs/money"}, {"type": "null"}]}
        },
        "$defs": {"money": {"type": "number", "minimum": 0, "x-unit": "USD"}}
    }"##;

    fn said(text: &str) -> Vec<String> {
        let report = lint([("price.json", text)]);
        report.diagnostics().map(|one| format!("{} {}", one.pointer.as_deref().unwrap_or(""), one.message)).collect()
    }

    #[test]
    fn a_field_may_bear_any_name_but_a_keyword_may_not() {
        assert_eq!(said(GOOD), Vec::<String>::new());
        let typo = GOOD.replace("\"minimum\"", "\"minimun\"");
        assert_eq!(said(&typo), ["/$defs/money/minimun `minimun` is not a keyword that every editor knows"]);
        assert_eq!(
            lint([("price.json", typo.as_str())]).diagnostics().next().and_then(|one| one.help.as_deref()),
            Some("did you mean `minimum`?")
        );
        for keyword in ["unevaluatedProperties", "$dynamicRef", "prefixItems", "definitions"] {
            let newer = GOOD.replace("\"minimum\"", &format!("\"{keyword}\""));
            assert_eq!(said(&newer).len(), 1, "{keyword}");
        }
    }

    #[test]
    fn references_stay_within_the_schemas() {
        for (reference, fault) in [
            ("https://example.invalid/x.json", "leads out of the schemas"),
            ("file:///etc/passwd", "leads out of the schemas"),
            ("../price.json", "leads out of the schemas"),
            ("#/$defs/nothing", "leads nowhere"),
            ("#money", "leads nowhere"),
        ] {
            let text = GOOD.replacen("#/$defs/money", reference, 1);
            assert_eq!(said(&text), [format!("/properties/minimun/$ref the reference `{reference}` {fault}")]);
        }
    }

    #[test]
    fn a_required_field_exists_and_the_file_says_what_it_is() {
        let text =
            GOOD.replace("[\"usd\"]", "[\"usdd\"]").replace("2020-12", "2019-09").replace("price.json", "prize.json");
        let expected = [
            format!("/$schema expected the `$schema` {DRAFT}"),
            "/$id expected an `$id` that ends in /price.json".to_owned(),
            "/required/0 `usdd` is not among the properties".to_owned(),
        ];
        assert_eq!(said(&text), expected);
    }

    #[test]
    fn the_shipped_schemas_pass() {
        let report = lint(set::sources());
        assert!(report.is_empty(), "{}", report.render(Color::Plain));
        if let Err(problems) = set::shipped() {
            panic!("{}", problems.render(Color::Plain));
        }
    }
}
