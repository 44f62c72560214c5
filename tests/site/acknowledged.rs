//! What the author of a record knows of, and lets stand.

use serde_json::{Value, json};

use crate::edges::breaks;
use crate::records::audit;

/// A number that a record states wrongly is known by itself: the next one is an error again.
#[test]
fn of_stated_numbers_that_are_known() {
    let stated = |wording: &str| json!({"subject": "only", "figure": "output_tok_per_request", "as_written": wording});
    let known = |stated: Value| json!([{"rule": "figure/stated", "stated": stated, "reason": "as the source has it"}]);
    let whole = || json!([{"rule": "figure/stated", "reason": "as the source has it"}]);
    for (wordings, acknowledges, expected) in [
        (&["300"][..], json!([]), &[][..]),
        (&["310"], json!([]), &["figure/stated"]),
        (&["310"], known(json!(["310"])), &[]),
        (&["310", "320"], known(json!(["310"])), &["figure/stated"]),
        (&["310", "320"], known(json!(["310", "320"])), &[]),
        (&["310"], whole(), &["acknowledges/rule", "figure/stated"]),
        (&["310"], known(json!(["310", "330"])), &["acknowledges/unused"]),
        (&["300"], known(json!(["300"])), &["acknowledges/unused"]),
    ] {
        let record =
            json!({"stated": wordings.iter().map(|one| stated(one)).collect::<Vec<_>>(), "acknowledges": acknowledges});
        let site = audit(record, json!({"request_rate_rps": 10, "output_tok_s": 3000}));
        breaks(&site, expected, &json!([wordings, acknowledges]));
    }
    let record = json!({"stated": [stated("310")], "acknowledges": known(json!(["310", "330"]))});
    let site = audit(record, json!({"request_rate_rps": 10, "output_tok_s": 3000}));
    site.check().says(&["no stated number `330` of this record differs", "= help: take it out"]);
    let named = json!({"acknowledges": [{"rule": "sweep/outlier", "stated": ["1"], "reason": "one"}]});
    breaks(&audit(named, json!({"request_rate_rps": 10})), &["acknowledges/rule"], &json!("a warning"));
}

/// What is known of one place of a record is known of that place alone.
#[test]
fn of_places_that_are_known() {
    let known = |at: &str| json!([{"rule": "latency/small-sample", "at": [at], "reason": "so few were sent"}]);
    let site = |at: &str| {
        let record = json!({
            "workload": {"requests_per_rate": 99}, "slo": {"ttft_p99_ms": 2000}, "acknowledges": known(at)
        });
        audit(record, json!({"request_rate_rps": 10}))
    };
    let (other, said) = (site("/title"), "nothing at `/title` of this record breaks it");
    breaks(&other, &["latency/small-sample", "acknowledges/unused"], &json!("another place"));
    let outcome = other.check().says(&[said]);
    let place = outcome.stderr.split("it is broken at `").nth(1).and_then(|rest| rest.split('`').next());
    let place = place.expect("the help names the place").to_owned();
    breaks(&site(&place), &[], &json!(place));
    let whole = json!({"acknowledges": [{"rule": "reproduce/missing", "at": ["/title"], "reason": "one"}]});
    audit(whole, json!({"request_rate_rps": 10})).check().says(&["`reproduce/missing` is not acknowledged by places"]);
    for (requests, said) in [
        (100, "nothing in this record breaks `latency/small-sample`"),
        (99, "`latency/small-sample` is acknowledged place by place"),
    ] {
        let record = json!({
            "workload": {"requests_per_rate": requests}, "slo": {"ttft_p99_ms": 2000},
            "acknowledges": [{"rule": "latency/small-sample", "reason": "so few were sent"}]
        });
        audit(record, json!({"request_rate_rps": 10})).check().says(&["[acknowledges/unused]", said]);
    }
}
