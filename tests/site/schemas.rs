//! The shipped schemas against the program: their examples pass, and every property of theirs is strict.
//!
//! Each property that an example has is given a wrong type, null, values beyond its bounds and a misspelt name, one file
//! a fault, and the program is asked once about all files.

use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::program::{Site, repository};
use crate::tree;

/// Kinds of content: schema, folder, ending; a collection is the `index.md` of a folder inside that.
const KINDS: [[&str; 3]; 9] = [
    ["run", "runs", "json"],
    ["curator-note", "runs", "md"],
    ["audit", "audits", "md"],
    ["kv-efficiency", "kv-efficiency", "md"],
    ["model", "models", "json"],
    ["hardware", "hardware", "json"],
    ["price", "prices", "json"],
    ["page", "pages", "md"],
    ["collection", "runs", "of/index.md"],
];

/// All schema files by name.
struct Schemas(BTreeMap<String, Value>);

/// A schema and the file it stands in.
#[derive(Clone, Copy)]
struct Node<'a> {
    file: &'a str,
    schema: &'a Value,
}

/// A property of an example, by its place in the example and in the schemas.
struct Property {
    pointer: String,
    declared: (usize, String),
    required: bool,
    may_be_null: bool,
    /// Values beyond a bound, in each form that the property may have.
    beyond: Vec<Value>,
    /// Whether another name in its place is known to be wrong.
    closed: bool,
}

impl Schemas {
    fn read() -> Self {
        let folder = repository().join("schemas");
        let names = tree::names(&folder).into_iter().filter(|name| name.ends_with(".json"));
        let schema = |name: &String| {
            let text = fs::read_to_string(folder.join(name)).expect("schemas are readable");
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
        };
        Schemas(names.map(|name| (name.clone(), schema(&name))).collect())
    }

    fn kind(&self, name: &str) -> Node<'_> {
        let (file, schema) = self.0.get_key_value(&format!("{name}.json")).expect("every kind has a schema");
        Node { file, schema }
    }

    /// The schema and all that it refers to or is made of.
    fn parts<'a>(&'a self, node: Node<'a>) -> Vec<Node<'a>> {
        let mut parts = vec![node];
        if let Some(reference) = node.schema["$ref"].as_str() {
            let (file, pointer) = reference.split_once('#').expect("references are to definitions");
            let file = if file.is_empty() { node.file } else { file };
            let (file, whole) = self.0.get_key_value(file).unwrap_or_else(|| panic!("no schema {file}"));
            let schema = whole.pointer(pointer).unwrap_or_else(|| panic!("no definition {reference}"));
            parts.extend(self.parts(Node { file, schema }));
        }
        for choice in ["allOf", "anyOf", "oneOf"] {
            for schema in node.schema[choice].as_array().into_iter().flatten() {
                parts.extend(self.parts(Node { file: node.file, schema }));
            }
        }
        parts
    }

    fn may_be_null(&self, node: Node<'_>) -> bool {
        let parts = self.parts(node);
        let null = json!("null");
        let of_type = |it: &Value| *it == null || it.as_array().is_some_and(|it| it.contains(&null));
        let of_enum = |it: &Value| it.as_array().is_some_and(|it| it.contains(&Value::Null));
        parts.iter().any(|part| of_type(&part.schema["type"]) || of_enum(&part.schema["enum"]))
    }

    /// Values that a property with bounds must refuse; of quantities also an interval that runs backwards.
    fn beyond(&self, node: Node<'_>) -> Vec<Value> {
        let parts = self.parts(node);
        let bound = |name: &str| parts.iter().find_map(|part| part.schema[name].as_f64());
        let (least, most) = (bound("minimum"), bound("maximum"));
        let mut beyond: Vec<Value> = least.map(|least| json!(least - 1.0)).into_iter().collect();
        beyond.extend(most.map(|most| json!(most + 1.0)));
        if parts.iter().any(|part| part.schema["x-ordered"] == json!(true)) {
            let inside = least.unwrap_or(1.0);
            beyond.push(json!([inside + 1.0, inside]));
            beyond.extend(least.map(|least| json!([least - 1.0, least])));
            beyond.extend(least.filter(|least| *least > 0.0).map(|least| json!(format!("~{}", least - 1.0))));
            beyond.extend(most.map(|most| json!([most, most + 1.0])));
            beyond.extend(most.map(|most| json!(format!("~{}", most + 1.0))));
        }
        beyond
    }

    /// Every property of a value that a schema declares.
    fn properties(&self, node: Node<'_>, value: &Value, pointer: &str, found: &mut Vec<Property>) {
        for part in self.parts(node) {
            match value {
                Value::Object(members) => {
                    for (name, member) in members {
                        self.member(part, name, member, pointer, found);
                    }
                }
                Value::Array(items) if part.schema["items"].is_object() => {
                    let items_node = Node { file: part.file, schema: &part.schema["items"] };
                    for (position, item) in items.iter().enumerate() {
                        self.properties(items_node, item, &format!("{pointer}/{position}"), found);
                    }
                }
                _ => {}
            }
        }
    }

    fn member(&self, part: Node<'_>, name: &str, member: &Value, pointer: &str, found: &mut Vec<Property>) {
        let named = part.schema["properties"].get(name).map(|schema| (name, schema));
        let patterned = || {
            let patterns = part.schema["patternProperties"].as_object()?;
            patterns.iter().next().map(|(pattern, schema)| (pattern.as_str(), schema))
        };
        let Some((declared, schema)) = named.or_else(patterned) else { return };
        let node = Node { file: part.file, schema };
        let pointer = format!("{pointer}/{name}");
        found.push(Property {
            pointer: pointer.clone(),
            declared: (std::ptr::from_ref(part.schema) as usize, declared.to_owned()),
            required: part.schema["required"].as_array().is_some_and(|names| names.contains(&json!(name))),
            may_be_null: self.may_be_null(node),
            beyond: self.beyond(node),
            closed: part.schema["additionalProperties"] == json!(false) && named.is_some(),
        });
        self.properties(node, member, &pointer, found);
    }

    /// Everything that any schema declares as a property.
    fn declared(&self) -> BTreeMap<(usize, String), String> {
        let mut found = BTreeMap::new();
        for (file, schema) in &self.0 {
            declarations(schema, file, &mut found);
        }
        found
    }
}

fn declarations(schema: &Value, place: &str, found: &mut BTreeMap<(usize, String), String>) {
    let Some(members) = schema.as_object() else { return };
    for (keyword, value) in members {
        match keyword.as_str() {
            "properties" | "patternProperties" => {
                for (name, property) in value.as_object().into_iter().flatten() {
                    let place = format!("{place} {name}");
                    declarations(property, &place, found);
                    found.insert((std::ptr::from_ref(schema) as usize, name.clone()), place);
                }
            }
            "$defs" => {
                for (name, definition) in value.as_object().into_iter().flatten() {
                    declarations(definition, &format!("{place} {name}"), found);
                }
            }
            // What stands under a condition restricts and does not declare.
            "if" | "then" | "else" | "not" | "examples" => {}
            _ => match value {
                Value::Array(items) => items.iter().for_each(|item| declarations(item, place, found)),
                other => declarations(other, place, found),
            },
        }
    }
}

fn examples(node: Node<'_>) -> &[Value] {
    let examples = node.schema["examples"].as_array().map_or(&[][..], Vec::as_slice);
    assert!(!examples.is_empty(), "{} has no example", node.file);
    examples
}

/// The file that holds a record of an ending.
fn written(record: &Value, ending: &str) -> String {
    let text = serde_json::to_string_pretty(record).expect("a value is JSON");
    if ending.ends_with("md") { format!("---\n{text}\n---\n") } else { text }
}

/// What the program said, one entry a problem.
fn problems(stderr: &str) -> Vec<&str> {
    stderr.split("\n\n").collect()
}

/// Whether a problem is in the file and names the field: as its pointer or, for a name that is unknown, in words.
fn names(problem: &str, file: &str, field: &str) -> bool {
    problem.starts_with("error") && problem.contains(&format!("{file}:")) && problem.contains(field)
}

#[test]
fn every_example_passes_its_schema() {
    let schemas = Schemas::read();
    for [kind, folder, ending] in KINDS {
        for (position, example) in examples(schemas.kind(kind)).iter().enumerate() {
            let path = format!("content/{folder}/example-{position}.{ending}");
            let stderr = Site::new().file(&path, written(example, ending)).check().stderr;
            // Links and ids of an example lead nowhere here; its schema is another matter.
            let refused: Vec<&str> =
                problems(&stderr).into_iter().filter(|it| it.starts_with("error[schema/")).collect();
            assert!(refused.is_empty(), "{kind}:\n{}", refused.join("\n"));
        }
    }
}

#[test]
fn every_property_occurs_in_an_example() {
    let schemas = Schemas::read();
    let mut missing = schemas.declared();
    assert!(missing.len() > 150, "{} properties", missing.len());
    for kind in KINDS.map(|[kind, ..]| kind).into_iter().chain(["site", "import"]) {
        let node = schemas.kind(kind);
        let mut found = Vec::new();
        examples(node).iter().for_each(|example| schemas.properties(node, example, "", &mut found));
        found.iter().for_each(|property| drop(missing.remove(&property.declared)));
    }
    assert!(missing.is_empty(), "{:#?}", missing.values());
}

/// Harnesses write null for what they do not know; where editors find a schema is no fact of a record at all.
#[test]
fn what_a_run_record_may_leave_out_may_be_null_and_so_may_every_schema_address() {
    let schemas = Schemas::read();
    let mut site = Site::new();
    let mut written = 0;
    for [kind, folder, _] in KINDS.into_iter().filter(|[.., ending]| *ending == "json") {
        for example in examples(schemas.kind(kind)) {
            let mut properties = Vec::new();
            schemas.properties(schemas.kind(kind), example, "", &mut properties);
            let optional = |it: &Property| !it.required && (kind == "run" || it.pointer == "/$schema");
            for property in properties.into_iter().filter(optional) {
                let mut record = example.clone();
                *record.pointer_mut(&property.pointer).expect("it is the example's") = Value::Null;
                site = site.file(&format!("content/{folder}/null-{written}.json"), self::written(&record, "json"));
                written += 1;
            }
        }
    }
    assert!(written > 80, "{written} properties");
    let stderr = site.check().stderr;
    let refused: Vec<&str> = problems(&stderr)
        .into_iter()
        .filter(|it| it.contains("error[schema/") || it.contains("error[record/"))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn every_property_refuses_a_wrong_type_a_null_a_value_beyond_its_bounds_and_a_wrong_name() {
    let schemas = Schemas::read();
    let mut site = Site::new();
    let mut wanted = Vec::new();
    for [kind, folder, ending] in KINDS {
        let node = schemas.kind(kind);
        let mut seen = BTreeSet::new();
        for example in examples(node) {
            let mut properties = Vec::new();
            schemas.properties(node, example, "", &mut properties);
            for property in properties.into_iter().filter(|property| seen.insert(property.pointer.clone())) {
                for fault in faults(example, &property) {
                    let path = format!("content/{folder}/fault-{}.{ending}", wanted.len());
                    site = site.file(&path, written(&fault.record, ending));
                    wanted.push((path, fault.field));
                }
            }
        }
    }
    assert!(wanted.len() > 800, "{} faults", wanted.len());
    let stderr = site.check().refused(&[]).stderr;
    let problems = problems(&stderr);
    let mut by_file: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for problem in problems {
        let path = problem.split("--> ").nth(1).and_then(|rest| rest.split(':').next()).unwrap_or_default();
        by_file.entry(path).or_default().push(problem);
    }
    let passed: Vec<String> = wanted
        .iter()
        .filter(|(path, field)| {
            let said = by_file.get(path.as_str());
            !said.is_some_and(|said| said.iter().any(|problem| names(problem, path, field)))
        })
        .map(|(path, field)| format!("{field}: {path}:\n{}", site.read(path)))
        .collect();
    assert!(passed.is_empty(), "{} of {} were not refused by name:\n{}", passed.len(), wanted.len(), passed.join("\n"));
}

/// A record with one thing wrong, and how the message must call it.
struct Fault {
    record: Value,
    field: String,
}

fn faults(example: &Value, property: &Property) -> Vec<Fault> {
    let (parent, name) = property.pointer.rsplit_once('/').expect("a pointer begins with a slash");
    let changed = |change: &dyn Fn(&mut Map<String, Value>)| {
        let mut record = example.clone();
        change(record.pointer_mut(parent).and_then(Value::as_object_mut).expect("properties stand in objects"));
        record
    };
    let own = example.pointer(&property.pointer).expect("it is the example's");
    let wrong = if own.is_object() || own.is_array() { json!(true) } else { json!({"no": true}) };
    let mut faults = vec![Fault {
        record: changed(&|members| drop(members.insert(name.to_owned(), wrong.clone()))),
        field: property.pointer.clone(),
    }];
    if !property.may_be_null {
        faults.push(Fault {
            record: changed(&|members| drop(members.insert(name.to_owned(), Value::Null))),
            field: property.pointer.clone(),
        });
    }
    for value in &property.beyond {
        faults.push(Fault {
            record: changed(&|members| drop(members.insert(name.to_owned(), value.clone()))),
            field: property.pointer.clone(),
        });
    }
    if property.closed {
        let misspelt = format!("{name}x");
        faults.push(Fault {
            record: changed(&|members| {
                let value = members.remove(name).expect("it is the example's");
                members.insert(misspelt.clone(), value);
            }),
            field: format!("did you mean `{name}`"),
        });
    }
    faults
}
