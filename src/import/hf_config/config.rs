//! The fields of a `config.json`: read where they stand, missing where they are null, never guessed.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::Value;

use super::super::json::Json;
use crate::diagnostic::{Diagnostic, quoted, rules};

/// A value of the file, or what is wrong with it.
pub type Read<T> = Result<T, Diagnostic>;

/// Far more layers than any model has.
const MAX_LAYERS: u64 = 10_000;

/// An object of the file: the whole, or the part that describes the text model.
#[derive(Debug, Clone)]
pub struct Config<'a> {
    json: &'a Json,
    pointer: String,
    /// Pointers of all that was looked at, for the file as a whole.
    read: Rc<RefCell<BTreeSet<String>>>,
}

impl<'a> Config<'a> {
    pub fn whole_file(json: &'a Json) -> Self {
        Config { json, pointer: String::new(), read: Rc::default() }
    }

    /// The object under a name, where there is one.
    pub fn part(&self, name: &str) -> Option<Self> {
        self.value(name).filter(|value| value.is_object())?;
        Some(self.below(self.at(name)))
    }

    fn below(&self, pointer: String) -> Self {
        Config { json: self.json, pointer, read: Rc::clone(&self.read) }
    }

    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.pointer)
    }

    fn value(&self, name: &str) -> Option<&'a Value> {
        let pointer = self.at(name);
        let value = self.json.value.pointer(&pointer).filter(|value| !value.is_null());
        self.read.borrow_mut().insert(pointer);
        value
    }

    /// A value that nobody has looked at.
    pub fn unread(&self, name: &str) -> Option<&'a Value> {
        let pointer = self.at(name);
        if self.read.borrow().contains(&pointer) { None } else { self.json.value.pointer(&pointer) }
    }

    pub fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// A problem with the value under a name, or with its absence.
    pub fn problem(&self, name: &str, message: impl Into<String>) -> Diagnostic {
        let pointer = self.at(name);
        Diagnostic::new(&rules::IMPORT_CONFIG, self.json.location(&pointer), message).pointer(pointer)
    }

    fn wrong<T>(&self, name: &str, expected: &str, value: &Value) -> Read<T> {
        Err(self.problem(name, format!("`{name}`: expected {expected}, found {}", quoted(&value.to_string()))))
    }

    pub fn missing(&self, name: &str) -> Diagnostic {
        self.problem(name, format!("`{name}` is missing"))
            .help("the default of the library's class is often not the checkpoint's; add what the model's makers say")
    }

    /// A whole number from 0 on, small enough that products of two do not overflow.
    pub fn whole(&self, name: &str) -> Read<Option<u64>> {
        match self.value(name) {
            None => Ok(None),
            Some(value) => match value.as_u64().filter(|number| *number <= u64::from(u32::MAX)) {
                Some(number) => Ok(Some(number)),
                None => self.wrong(name, "a whole number below 2^32", value),
            },
        }
    }

    /// How many layers there are, which is a number to count up to.
    pub fn layers(&self, names: &[&str]) -> Read<u64> {
        let layers = self.need(names)?;
        if (1..=MAX_LAYERS).contains(&layers) {
            return Ok(layers);
        }
        let name = names.first().unwrap_or(&"");
        Err(self.problem(name, format!("`{name}`: expected 1 to {MAX_LAYERS} layers, found {layers}")))
    }

    /// The first of several names that has a whole number.
    pub fn first(&self, names: &[&str]) -> Read<Option<u64>> {
        names.iter().find_map(|name| self.whole(name).transpose()).transpose()
    }

    /// A whole number that must be there, under the first of several names.
    pub fn need(&self, names: &[&str]) -> Read<u64> {
        self.first(names)?.ok_or_else(|| self.missing(names.first().unwrap_or(&"")))
    }

    pub fn flag(&self, name: &str) -> Read<Option<bool>> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(value) => self.wrong(name, "true or false", value),
        }
    }

    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.value(name)?.as_str()
    }

    /// A list of words.
    pub fn words(&self, name: &str) -> Read<Option<Vec<&'a str>>> {
        self.list(name, "a list of words", Value::as_str)
    }

    /// A list of whole numbers.
    pub fn wholes(&self, name: &str) -> Read<Option<Vec<u64>>> {
        self.list(name, "a list of whole numbers", Value::as_u64)
    }

    /// The objects of a list.
    pub fn parts(&self, name: &str) -> Read<Option<Vec<Self>>> {
        let objects = self.list(name, "a list of objects", |value| value.is_object().then_some(()))?;
        let part = |position| self.below(format!("{}/{position}", self.at(name)));
        Ok(objects.map(|objects| (0..objects.len()).map(part).collect()))
    }

    fn list<T>(&self, name: &str, expected: &str, item: impl Fn(&'a Value) -> Option<T>) -> Read<Option<Vec<T>>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        match value.as_array().and_then(|items| items.iter().map(item).collect()) {
            Some(items) => Ok(Some(items)),
            None => self.wrong(name, expected, value),
        }
    }

    /// A list with an item a layer: a shorter one is refused, and what is past the last layer is cut off.
    pub fn of_layers<T>(&self, name: &str, mut list: Vec<T>, layers: u64) -> Read<Vec<T>> {
        let layers = usize::try_from(layers).unwrap_or(usize::MAX);
        if list.len() < layers {
            let message = format!("`{name}`: expected an item for each of {layers} layers, found {}", list.len());
            return Err(self.problem(name, message));
        }
        list.truncate(layers);
        Ok(list)
    }
}
