//! Sizes of a model's weights against each other.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Report, rules};
use crate::quantity::significant;
use crate::record::Model;
use crate::schema::Document;

/// What a step reads is part of all weights, and a narrower dtype does not make them larger.
pub fn of_model(model: &Model, document: &Document, report: &mut Report) {
    for (dtype, active) in &model.active_weights_bytes {
        let Some(all) = model.weights_bytes.get(dtype).filter(|all| active > all) else { continue };
        let pointer = format!("/active_weights_bytes/{dtype}");
        let message = format!("a step reads {active} B of `{dtype}` weights, of which there are {all} B");
        report.push(
            Diagnostic::new(&rules::MODEL_WEIGHTS, document.location(&pointer), message)
                .pointer(pointer)
                .related(document.spans.nearest(&format!("/weights_bytes/{dtype}")), "all of them")
                .help("active weights are part of all; the two may have been exchanged"),
        );
    }
    for (field, sizes) in
        [("weights_bytes", &model.weights_bytes), ("active_weights_bytes", &model.active_weights_bytes)]
    {
        narrower_and_larger(field, sizes, document, report);
    }
}

/// Each dtype that is larger than one of more bits.
fn narrower_and_larger(field: &str, sizes: &BTreeMap<String, u64>, document: &Document, report: &mut Report) {
    let known: Vec<_> = sizes.iter().filter_map(|(dtype, bytes)| Some((bits(dtype)?, dtype, *bytes))).collect();
    for (narrow, dtype, bytes) in &known {
        let wider = known.iter().find(|(wide, _, less)| wide > narrow && less < bytes);
        let Some((_, wide, less)) = wider else { continue };
        let pointer = format!("/{field}/{dtype}");
        let message = format!(
            "weights of {} GB as `{dtype}`, and of {} GB as `{wide}`, which has more bits",
            significant(*bytes as f64 / 1e9),
            significant(*less as f64 / 1e9)
        );
        report.push(
            Diagnostic::new(&rules::MODEL_WEIGHT_ORDER, document.location(&pointer), message)
                .pointer(pointer)
                .related(document.spans.nearest(&format!("/{field}/{wide}")), "the wider")
                .help("look at which checkpoint each size is of"),
        );
    }
}

/// The bits of a value of a dtype, by its name; `None` of a name that says none.
fn bits(dtype: &str) -> Option<u32> {
    let dtype = dtype.to_ascii_lowercase();
    if dtype == "bfloat16" || dtype == "float16" {
        return Some(16);
    }
    let kinds = ["nvfp", "mxfp", "float", "bf", "fp", "int", "f", "q"];
    let rest = kinds.iter().find_map(|kind| dtype.strip_prefix(kind))?;
    let digits = &rest[..rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len())];
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_bits() {
        for (name, expected) in [
            ("bf16", Some(16)),
            ("BF16", Some(16)),
            ("bfloat16", Some(16)),
            ("float16", Some(16)),
            ("fp8_e4m3", Some(8)),
            ("mxfp4", Some(4)),
            ("nvfp4", Some(4)),
            ("int4", Some(4)),
            ("q4_k_m", Some(4)),
            ("f32", Some(32)),
            ("awq", None),
            ("fp", None),
        ] {
            assert_eq!(bits(name), expected, "{name}");
        }
    }
}
