//! The shipped schemas: sound, lived up to by their examples, and strict about every property.

#[test]
fn to_come() {}
