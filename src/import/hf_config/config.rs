//! The fields of a `config.json`: read where they stand, as the class sets them where they are absent, missing where
//! they are null, never guessed.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::Value;

use super::super::json::Json;
use super::defaults::{self, Usual};
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
    /// What the class of its architecture sets for keys that it does not have.
    usual: Rc<[(&'static str, Usual)]>,
    log: Rc<RefCell<Log>>,
}

/// What was done with a file as a whole.
#[derive(Debug, Default)]
struct Log {
    /// Pointers of all that was looked at.
    read: BTreeSet<String>,
    /// Keys that the file does not have, and what the class sets.
    taken: BTreeMap<&'static str, String>,
    /// How values were derived that neither states.
    derived: BTreeSet<&'static str>,
    /// Keys that stand in the file, and that the class does not read.
    passed_over: BTreeSet<&'static str>,
}

impl<'a> Config<'a> {
    pub fn whole_file(json: &'a Json) -> Self {
        Config { json, pointer: String::new(), usual: Rc::default(), log: Rc::default() }
    }

    /// The same object, read as its architecture's class reads it.
    pub fn of_class(&self, architecture: &str) -> Self {
        Config { usual: defaults::of(architecture).into(), ..self.clone() }
    }

    /// The object under a name, where there is one.
    pub fn part(&self, name: &str) -> Option<Self> {
        self.value(name).filter(|value| value.is_object())?;
        Some(self.below(self.at(name)))
    }

    fn below(&self, pointer: String) -> Self {
        Config { json: self.json, pointer, usual: Rc::default(), log: Rc::clone(&self.log) }
    }

    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.pointer)
    }

    fn value(&self, name: &str) -> Option<&'a Value> {
        let pointer = self.at(name);
        let value = self.json.value.pointer(&pointer).filter(|value| !value.is_null());
        self.log.borrow_mut().read.insert(pointer);
        value
    }

    /// What the class sets for a key that is absent; one that is null says that there is no value. Libraries leave out of a
    /// part of a config what equals its class, and write every size into a whole one: there a size that is absent is lost.
    fn usual(&self, name: &str) -> Option<Usual> {
        let (name, usual) = self.set_by_class(name)?;
        if self.json.value.pointer(&self.at(name)).is_some() {
            return None;
        }
        let words = match usual {
            Usual::Whole(_) if self.pointer.is_empty() => return Some(Usual::NotKnown),
            Usual::Whole(number) => number.to_string(),
            Usual::Flag(flag) => flag.to_string(),
            Usual::Word(word) => word.to_owned(),
            Usual::NotKnown => return Some(usual),
        };
        self.log.borrow_mut().taken.insert(name, words);
        Some(usual)
    }

    fn set_by_class(&self, name: &str) -> Option<(&'static str, Usual)> {
        self.usual.iter().copied().find(|(key, _)| *key == name)
    }

    /// Whether the class reads a key, which it sets where the key is absent; one that it does not read and that stands
    /// here is passed over.
    pub fn is_of_its_class(&self, name: &'static str) -> bool {
        let is_read = self.set_by_class(name).is_some();
        if !is_read && self.has(name) {
            self.pass_over(name);
        }
        is_read
    }

    /// The keys that were taken from the class, and what it sets.
    pub fn taken(&self) -> Vec<String> {
        self.log.borrow().taken.iter().map(|(name, words)| format!("`{name}` {words}")).collect()
    }

    /// Says how a value that is not stated was derived.
    pub fn derive(&self, how: &'static str) {
        self.log.borrow_mut().derived.insert(how);
    }

    pub fn derived(&self) -> Vec<&'static str> {
        self.log.borrow().derived.iter().copied().collect()
    }

    /// Says of a key that it stands in the file, and that the class does not read it.
    pub fn pass_over(&self, name: &'static str) {
        self.log.borrow_mut().passed_over.insert(name);
    }

    pub fn passed_over(&self) -> Vec<String> {
        self.log.borrow().passed_over.iter().map(|name| format!("`{name}`")).collect()
    }

    /// A value that nobody has looked at.
    pub fn unread(&self, name: &str) -> Option<&'a Value> {
        let pointer = self.at(name);
        if self.log.borrow().read.contains(&pointer) { None } else { self.json.value.pointer(&pointer) }
    }

    pub fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    pub fn is_null(&self, name: &str) -> bool {
        self.json.value.pointer(&self.at(name)).is_some_and(Value::is_null)
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
        let help = match self.set_by_class(name) {
            Some((_, Usual::Whole(number))) => format!(
                "the library's class sets {number}, which need not be this model's; add the key as the model's makers \
                 publish it, `null` where it has none"
            ),
            _ => "what stands in for it is not known; add what the model's makers say".to_owned(),
        };
        self.problem(name, format!("`{name}` is missing")).help(help)
    }

    /// A whole number from 0 on, small enough that products of two do not overflow.
    pub fn whole(&self, name: &str) -> Read<Option<u64>> {
        self.first(&[name])
    }

    fn stated(&self, name: &str) -> Read<Option<u64>> {
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

    /// The first of several names that has a whole number, else that of which the class sets one. Where it sets one that is
    /// not to be taken, the key is missing.
    pub fn first(&self, names: &[&str]) -> Read<Option<u64>> {
        match self.first_or_usual(names)? {
            Some((_, Usual::Whole(number))) => Ok(Some(number)),
            Some((name, Usual::NotKnown)) => Err(self.missing(name)),
            _ => Ok(None),
        }
    }

    /// The same of what no cache depends on, and a config may leave out.
    pub fn if_known(&self, names: &[&str]) -> Read<Option<u64>> {
        let whole = |(_, usual)| if let Usual::Whole(number) = usual { Some(number) } else { None };
        Ok(self.first_or_usual(names)?.and_then(whole))
    }

    fn first_or_usual<'n>(&self, names: &[&'n str]) -> Read<Option<(&'n str, Usual)>> {
        for name in names {
            if let Some(number) = self.stated(name)? {
                return Ok(Some((name, Usual::Whole(number))));
            }
        }
        Ok(names.iter().find_map(|name| Some((*name, self.usual(name)?))))
    }

    /// A whole number that must be there, under the first of several names.
    pub fn need(&self, names: &[&str]) -> Read<u64> {
        self.first(names)?.ok_or_else(|| self.missing(names.first().unwrap_or(&"")))
    }

    pub fn flag(&self, name: &str) -> Read<Option<bool>> {
        match self.value(name) {
            None => Ok(match self.usual(name) {
                Some(Usual::Flag(flag)) => Some(flag),
                _ => None,
            }),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(value) => self.wrong(name, "true or false", value),
        }
    }

    pub fn text(&self, name: &str) -> Option<&'a str> {
        match (self.value(name), self.usual(name)) {
            (Some(value), _) => value.as_str(),
            (None, Some(Usual::Word(word))) => Some(word),
            (None, _) => None,
        }
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
