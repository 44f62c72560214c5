//! The quantities of a document: every number whose schema says its unit.

use serde_json::Value;

use super::Document;
use super::set::{self, Rule, Schemas};
use super::spans::joined;
use crate::quantity::Quantity;

/// A number of a document.
#[derive(Debug, PartialEq)]
pub struct StatedNumber {
    pub pointer: String,
    pub quantity: Quantity,
    /// As the schema writes it under `x-unit`.
    pub unit: &'static str,
}

impl Document {
    /// Fields of an object by name, elements of a list in its order.
    pub fn quantities(&self) -> Vec<StatedNumber> {
        let mut found = Vec::new();
        if let Ok(schemas) = set::shipped() {
            let rules = schemas.kind(self.kind.name()).map(|kind| schemas.parts(kind)).unwrap_or_default();
            collect(schemas, &rules, &self.value(), "", &mut found);
        }
        found
    }
}

/// `rules` are all schemas that the value has to fit.
fn collect(
    schemas: &'static Schemas,
    rules: &[Rule<'static>],
    value: &Value,
    pointer: &str,
    found: &mut Vec<StatedNumber>,
) {
    let unit = rules.iter().find_map(|rule| rule.schema.get("x-unit")?.as_str());
    if let Some((unit, quantity)) = unit.zip(Quantity::read(value)) {
        found.push(StatedNumber { pointer: pointer.to_owned(), quantity, unit });
        return;
    }
    let within = |child: &dyn Fn(&'static Value) -> Option<&'static Value>| -> Vec<_> {
        let children = rules.iter().filter_map(|rule| Some(Rule { schema: child(rule.schema)?, ..*rule }));
        children.flat_map(|rule| schemas.parts(rule)).collect()
    };
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let rules = within(&|schema| field(schema, name));
                collect(schemas, &rules, member, &joined(pointer, name), found);
            }
        }
        Value::Array(items) => {
            let rules = within(&|schema| schema.get("items"));
            for (position, item) in items.iter().enumerate() {
                collect(schemas, &rules, item, &joined(pointer, &position.to_string()), found);
            }
        }
        _ => {}
    }
}

/// What a schema says of a field. Objects are closed and have one pattern at most, so that a name which is no property
/// is of that.
fn field(schema: &'static Value, name: &str) -> Option<&'static Value> {
    let pattern = || schema.get("patternProperties")?.as_object()?.values().next();
    schema.get("properties").and_then(|properties| properties.get(name)).or_else(pattern)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Report, SourceText, sources, validate};
    use super::*;
    use crate::source::{Kind, Source};

    fn document(kind: Kind, text: &str) -> Document {
        let text = Arc::new(SourceText::new(format!("content/{}/a.json", kind.folder()), text));
        let source = Source { kind, address: format!("{}/a", kind.folder()), text, sha256: String::new() };
        let mut report = Report::new();
        validate(&[source], &mut report).pop().unwrap_or_else(|| panic!("{report:?}"))
    }

    #[test]
    fn numbers_have_the_units_of_their_fields_and_what_has_none_is_no_quantity() {
        let run = document(
            Kind::Run,
            r#"{"schema_version": 1, "id": "a", "status": "published", "title": "a", "published": "2026-01-01",
                "hardware": {"accelerator": "a", "count": 2}, "software": {"engine": "a"}, "model": {"name": "a"},
                "slo": {"ttft_p99_ms": 2000, "tpot_p99_ms": null}, "spec": {"hardware": {"gpus": 2}},
                "configs": [{"label": "a", "goodput_tok_s": 8.40, "itl_p50_ms": 7, "samples_tok_s": [3, 4],
                             "requests": {"sent": 5}, "environment": {"A": 1}}]}"#,
        );
        let found: Vec<_> = run
            .quantities()
            .into_iter()
            .map(|StatedNumber { pointer, quantity, unit }| (pointer, quantity.low(), unit))
            .collect();
        let expected = [
            ("/configs/0/goodput_tok_s", 8.4, "output tok/s"),
            ("/configs/0/itl_p50_ms", 7.0, "ms"),
            ("/configs/0/requests/sent", 5.0, "requests"),
            ("/configs/0/samples_tok_s/0", 3.0, "output tok/s"),
            ("/configs/0/samples_tok_s/1", 4.0, "output tok/s"),
            ("/hardware/count", 2.0, "GPUs"),
            ("/slo/ttft_p99_ms", 2000.0, "ms"),
        ];
        assert_eq!(found, expected.map(|(pointer, low, unit)| (pointer.to_owned(), low, unit)));
    }

    #[test]
    fn an_interval_and_an_approximate_number_are_one_quantity() {
        let price = document(
            Kind::Price,
            r#"{"id": "a", "accelerator": "hardware/a", "provider": "a", "tier": "a", "date": "2026-01-01",
                "usd_per_node_hour": [20, 22], "gpus_per_node": 8}"#,
        );
        let found = price.quantities();
        assert_eq!(found[1].quantity, Quantity::between(20.0, 22.0));
        assert_eq!(found.iter().map(|stated| stated.unit).collect::<Vec<_>>(), ["GPUs", "$/node-hour"]);
    }

    /// The glossary's units and the schemas' are the same ones.
    #[test]
    fn units_of_schemas_are_those_of_the_metrics_and_are_known_by_one_pattern_an_object() {
        fn look(schema: &Value, at: &str) {
            let Some(keywords) = schema.as_object() else { return };
            let patterns = keywords.get("patternProperties").and_then(Value::as_object);
            if let Some(patterns) = patterns {
                assert!(patterns.len() == 1 && keywords.get("additionalProperties") == Some(&false.into()), "{at}");
            }
            for (name, schema) in keywords.get("properties").and_then(Value::as_object).into_iter().flatten() {
                let metric = crate::metric::METRICS.iter().find(|metric| metric.id == name);
                if let Some((unit, metric)) = schema.get("x-unit").zip(metric).filter(|_| !at.ends_with("/gpus")) {
                    assert_eq!(unit, metric.unit.symbol(), "{at}/{name}");
                }
                let is_number = |of: &Value| *of == "number" || *of == "integer";
                let types = schema
                    .get("type")
                    .into_iter()
                    .flat_map(|of| of.as_array().map_or(std::slice::from_ref(of), |all| all));
                let quantity = schema.get("$ref").and_then(Value::as_str).is_some_and(|of| of.ends_with("quantity"));
                // A value has its unit beside it.
                if (quantity || types.into_iter().any(is_number)) && name != "value" {
                    assert!(schema.get("x-unit").is_some(), "{at}/{name}");
                }
                look(schema, &format!("{at}/{name}"));
            }
            for (keyword, inner) in keywords.iter().filter(|(keyword, _)| *keyword != "properties") {
                match inner {
                    Value::Array(items) => items.iter().for_each(|item| look(item, &format!("{at}/{keyword}"))),
                    inner if inner.is_object() && ["$defs", "patternProperties"].contains(&keyword.as_str()) => {
                        inner.as_object().into_iter().flatten().for_each(|(name, inner)| look(inner, name));
                    }
                    inner => look(inner, &format!("{at}/{keyword}")),
                }
            }
        }
        for (name, text) in sources() {
            look(&serde_json::from_str(text).expect("schemas are JSON"), name);
        }
    }
}
