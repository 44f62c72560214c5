//! Keywords over every form of a quantity: bounds, which JSON Schema sets to plain numbers alone, and the order of ends.

use jsonschema::{Keyword, ValidationError, ValidationOptions};
use serde_json::Value;

use crate::quantity::Quantity;

/// Asks of a list of two numbers that the first is not above the second.
pub(super) const ORDERED: &str = "x-ordered";

type Holds = fn(Quantity, f64) -> bool;

/// The bounds: keyword, words, and whether all of a quantity keeps within a limit.
const BOUNDS: [(&str, &str, Holds); 4] = [
    ("minimum", "at least", |quantity, limit| quantity.low() >= limit),
    ("maximum", "at most", |quantity, limit| quantity.high() <= limit),
    ("exclusiveMinimum", "more than", |quantity, limit| quantity.low() > limit),
    ("exclusiveMaximum", "less than", |quantity, limit| quantity.high() < limit),
];

/// Teaches a validator these keywords. Their errors are `Custom`, with what was expected as the message.
pub(super) fn teach(options: ValidationOptions<'_>) -> ValidationOptions<'_> {
    let options = options.with_keyword(ORDERED, |_, _, _| Ok(Box::new(Ordered)));
    BOUNDS.into_iter().fold(options, |options, (keyword, words, holds)| {
        options.with_keyword(keyword, move |_, limit, _| {
            // That a limit is a number, the schema's own schema has made sure of.
            let number = limit.as_f64().unwrap_or(f64::NAN);
            Ok(Box::new(Bound { expected: format!("{words} {limit}"), holds, limit: number }))
        })
    })
}

struct Bound {
    expected: String,
    holds: Holds,
    limit: f64,
}

impl<'i> Keyword<'i> for Bound {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) { Ok(()) } else { Err(ValidationError::custom(&self.expected)) }
    }

    /// What is no quantity has no bounds; its type or its form is refused.
    fn is_valid(&self, instance: &'i Value) -> bool {
        Quantity::read(instance).is_none_or(|quantity| (self.holds)(quantity, self.limit))
    }
}

struct Ordered;

impl<'i> Keyword<'i> for Ordered {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) { Ok(()) } else { Err(ValidationError::custom("the low end first")) }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        let numbers: Vec<_> = instance.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        numbers.is_sorted()
    }
}
