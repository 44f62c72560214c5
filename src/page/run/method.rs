//! The method panel of a run: what the harness's spec says of how it was measured.

use serde_json::Value;

use super::RunPage;
use crate::page::frame::Link;
use crate::page::record::Fact;

/// Settings of the spec that a reader needs to judge or repeat the measurement, in the order of the spec.
const SETTINGS: [(&str, &str); 44] = [
    ("Spec name", "/name"),
    ("Hardware adapter", "/hardware/adapter"),
    ("Endpoint", "/engine/endpoint"),
    ("Endpoint kind", "/engine/api"),
    ("Served model name", "/engine/model"),
    ("Forced output lengths (ignore EOS)", "/engine/ignore_eos"),
    ("Extra request fields", "/engine/extra_body"),
    ("Weights dtype", "/model/weight_dtype"),
    ("KV dtype", "/model/kv_dtype"),
    ("Quantisation in the spec", "/model/quantization"),
    ("Replicas", "/model/replicas"),
    ("Tensor parallel", "/model/tensor_parallel"),
    ("Input tokens in the spec", "/workload/input_tokens"),
    ("Output tokens in the spec", "/workload/output_tokens"),
    ("Workload seed", "/workload/seed"),
    ("Shared prefix", "/workload/shared_prefix"),
    ("Prefix pool", "/workload/prefix_pool"),
    ("Warm-up, s", "/measurement/warmup_s"),
    ("Window, s", "/measurement/window_s"),
    ("Search window, s", "/measurement/search_window_s"),
    ("Repeats", "/measurement/repeats"),
    ("Request timeout, s", "/measurement/request_timeout_s"),
    ("Most concurrent requests", "/measurement/max_concurrency"),
    ("Sweep rates, req/s", "/sweep/rates"),
    ("Sweep starts at, req/s", "/sweep/start_rps"),
    ("Sweep growth", "/sweep/growth"),
    ("Sweep ends at, req/s", "/sweep/max_rps"),
    ("Lowest rate, req/s", "/sweep/floor_rps"),
    ("Bisection steps", "/sweep/bisect_steps"),
    ("Back-off", "/sweep/backoff"),
    ("Most back-offs", "/sweep/max_backoffs"),
    ("Confirmed by", "/sweep/confirm"),
    ("Confirmation steps", "/sweep/confirm_steps"),
    ("Accuracy suite in the spec", "/accuracy/name"),
    ("Accuracy question file", "/accuracy/suite"),
    ("Accuracy questions", "/accuracy/limit"),
    ("Accuracy scorer", "/accuracy/scorer"),
    ("Largest accuracy drop, points", "/accuracy/max_drop_pts"),
    ("Accuracy seeds", "/accuracy/seeds"),
    ("Most accuracy answer tokens", "/accuracy/max_tokens"),
    ("Accuracy answers stop at", "/accuracy/stop"),
    ("Concurrent accuracy requests", "/accuracy/concurrency"),
    ("Power source", "/power/source"),
    ("Power sampling, Hz", "/power/sampling_hz"),
];

impl RunPage<'_> {
    pub(super) fn method(&self) -> Vec<Fact> {
        let spec = self.run.spec();
        let revision = spec.model_revision().map(|revision| Fact::new("Model revision", vec![Link::plain(revision)]));
        let settings = SETTINGS
            .into_iter()
            .filter_map(|(label, pointer)| Some(Fact::new(label, vec![Link::plain(words(spec.value(pointer)?)?)])));
        revision.into_iter().chain(settings).collect()
    }

    /// The lines of the spec, which stand together.
    pub(super) fn spec(&self) -> Link {
        let href = self.here.to_source(&self.item.document, "/spec");
        Link { text: "the spec in the record".to_owned(), href: Some(href) }
    }
}

/// A setting as the page prints it; `None` for one that is empty, which sets nothing.
fn words(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Bool(true) => Some("yes".to_owned()),
        Value::Bool(false) => Some("no".to_owned()),
        Value::String(text) => (!text.is_empty()).then(|| text.clone()),
        Value::Array(items) if items.is_empty() => None,
        Value::Object(members) if members.is_empty() => None,
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the published run's spec says and another part of the page shows, or nobody needs.
    const ELSEWHERE: [&str; 10] = [
        "/hardware/host",
        "/engine/name",
        "/engine/version",
        "/engine/kernels",
        "/model/name",
        "/model/config",
        "/slo",
        "/workload/trace",
        "/power/verify_tls",
        "/not_covered",
    ];

    fn settings(value: &Value, pointer: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(members) if !ELSEWHERE.contains(&pointer) => {
                members.iter().for_each(|(name, member)| settings(member, &format!("{pointer}/{name}"), found));
            }
            other => found.extend(words(other).map(|_| pointer.to_owned())),
        }
    }

    #[test]
    fn no_setting_of_the_published_run_is_left_out() {
        let run = include_str!("../../../content/runs/h100-qwen3-30b-a3b-prefix-cache-vllm.json");
        let run: Value = serde_json::from_str(run).expect("it is content");
        let mut found = Vec::new();
        settings(&run["spec"], "", &mut found);
        let shown = |pointer: &&String| SETTINGS.iter().any(|(_, shown)| shown == pointer);
        let lost: Vec<_> = found.iter().filter(|it| !shown(it) && !ELSEWHERE.contains(&it.as_str())).collect();
        assert!(found.len() > 40 && lost.is_empty(), "{lost:?}");
    }

    #[test]
    fn an_empty_setting_sets_nothing() {
        for (value, text) in [
            ("null", None),
            ("\"\"", None),
            ("[]", None),
            ("{}", None),
            ("false", Some("no")),
            ("1.0", Some("1.0")),
            ("[\"\\n\\nQuestion:\"]", Some("[\"\\n\\nQuestion:\"]")),
        ] {
            let value: Value = serde_json::from_str(value).expect("it is JSON");
            assert_eq!(words(&value).as_deref(), text, "{value}");
        }
    }
}
