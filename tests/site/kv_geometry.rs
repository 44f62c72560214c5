//! The collected geometry of public models: every figure that its rows state comes out of a build.
//!
//! The rows stand in `data/kv_geometry.json` under the folder that `RESULTS_SITE_SHARED` names.

use std::{env, fs, path::PathBuf};

use results_site::record::Model;
use results_site::record::model::{GroupKind, Growth};
use serde_json::{Map, Value, json};

use crate::program::{Site, run_record, skip};
use crate::walker;

/// A card with 40 GiB free beside weights of one byte, the least that a record can state.
const CARD: &str =
    r#"{"id": "forty", "title": "40 GiB free", "memory_gb": 43, "memory_usable_mib": 40960.00000095367431640625}"#;

#[test]
fn every_row_comes_out() {
    let Some(folder) = env::var_os("RESULTS_SITE_SHARED").map(PathBuf::from) else {
        return skip("the rows of KV geometry", "RESULTS_SITE_SHARED is not set");
    };
    let text = fs::read_to_string(folder.join("data/kv_geometry.json")).expect("the rows are there");
    let collected: Value = serde_json::from_str(&text).expect("it is JSON");
    let rows = collected["rows"].as_array().expect("rows are a list");
    let mut site = Site::new().file("content/hardware/forty.json", CARD);
    for (position, row) in rows.iter().enumerate() {
        site = site.file(&format!("content/models/row-{position}.json"), record(position, row).to_string());
    }
    site.build().good();
    let faults: Vec<String> =
        rows.iter().enumerate().flat_map(|(position, row)| faults(&site, position, row)).collect();
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    assert!(rows.len() >= 114);
}

/// Layer groups, and a figure of the model that has them: formula, subject, and its value or the words in its place.
type Worked = (&'static str, &'static str, &'static str, &'static str);

const LLAMA: &str = r#"[{"kind": "full", "layers": 32, "kv_heads": 8, "k_dim": 128, "v_dim": 128}]"#;
const QWEN: &str = r#"[{"kind": "full", "layers": 16, "kv_heads": 4, "k_dim": 256, "v_dim": 256},
    {"kind": "state", "layers": 48, "conv_elements": 30720, "recurrent_elements": 786432}]"#;
const GPT_OSS: &str = r#"[{"kind": "full", "layers": 18, "kv_heads": 8, "k_dim": 64, "v_dim": 64},
    {"kind": "window", "layers": 18, "kv_heads": 8, "k_dim": 64, "v_dim": 64, "window": 128}]"#;
const LATENT: &str = r#"[{"kind": "latent", "layers": 61, "dim": 512, "rope_dim": 64}]"#;
const V4_PRO: &str = r#"[{"kind": "latent", "layers": 30, "dim": 448, "rope_dim": 64, "stride": 4},
    {"kind": "index", "layers": 30, "entry_bytes": 132, "stride": 4},
    {"kind": "latent", "layers": 31, "dim": 448, "rope_dim": 64, "stride": 128}]"#;
const WINDOWS: &str =
    r#"[{"kind": "window", "layers": 32, "kv_heads": 8, "k_dim": 128, "v_dim": 128, "window": 4096}]"#;
const TWO_WINDOWS: &str = r#"[{"kind": "window", "layers": 1, "kv_heads": 1, "k_dim": 256, "v_dim": 256, "window": 1000000},
    {"kind": "window", "layers": 1, "kv_heads": 1, "k_dim": 256, "v_dim": 256, "window": 100000000},
    {"kind": "full", "layers": 1, "kv_heads": 1, "k_dim": 256, "v_dim": 256}]"#;
const MAMBA: &str = r#"[{"kind": "state", "layers": 64, "conv_elements": 15360, "recurrent_elements": 81920}]"#;
const NOTHING: &str = r#"[{"kind": "none", "layers": 2}]"#;
const WHISPER: &str = r#"[{"kind": "full", "layers": 32, "kv_heads": 20, "k_dim": 64, "v_dim": 64},
    {"kind": "cross", "layers": 32, "kv_heads": 20, "k_dim": 64, "v_dim": 64, "source_tokens": 1500}]"#;
const HUGE: &str = r#"[{"kind": "full", "layers": 1000, "kv_heads": 64, "k_dim": 128, "v_dim": 128}]"#;

const WORKED: &[Worked] = &[
    (LLAMA, "kv_bytes_per_token", "record", "131072"),
    (LLAMA, "kv_gib_at_context", "bf16-at-8192", "1"),
    (LLAMA, "kv_average_bytes_per_token", "bf16-at-8192", "not there"),
    (QWEN, "kv_bytes_per_token", "fp8", "32768"),
    (QWEN, "kv_bytes_per_token", "q8_0", "34816"),
    (QWEN, "kv_all_layers_bytes_per_token", "record", "262144"),
    (QWEN, "fixed_state_bytes", "record", "153944064"),
    (QWEN, "kv_bytes_per_token_per_gpu", "tp-4", "16384"),
    (QWEN, "kv_bytes_per_token_per_gpu", "tp-8", "16384"),
    (GPT_OSS, "kv_bytes_per_token", "record", "36864"),
    (GPT_OSS, "kv_short_bytes_per_token", "record", "73728"),
    (GPT_OSS, "kv_average_bytes_per_token", "bf16-at-8192", "37440"),
    (GPT_OSS, "kv_reserved_gib_at_context", "bf16-at-8192", "0.5625"),
    (GPT_OSS, "longest_sequence_tokens", "forty-weights-bf16-bf16", "1164956"),
    (GPT_OSS, "sequence_ratio", "forty-weights-bf16-fp8", "2.0001098753944353"),
    (LATENT, "kv_bytes_per_token", "record", "70272"),
    (LATENT, "kv_bytes_per_token", "fp8_ds_mla", "40016"),
    (LATENT, "kv_bytes_per_token", "nvfp4", "missing"),
    (LATENT, "kv_bytes_per_token_per_gpu", "tp-8", "70272"),
    (V4_PRO, "kv_bytes_per_token", "fp8_ds_mla", "5511.4375"),
    (V4_PRO, "kv_bytes_per_token", "nvfp4_ds_mla", "missing"),
    (WINDOWS, "kv_bytes_per_token", "record", "does not grow"),
    (WINDOWS, "kv_gib_at_context", "bf16-at-131072", "0.5"),
    (WINDOWS, "longest_sequence_tokens", "forty-weights-bf16-bf16", "unbounded"),
    (WINDOWS, "sequences_at_context", "forty-weights-bf16-bf16-at-131072", "80"),
    // (40 GiB - 1,024,000,000) / 2,048: the one window is full, the other is not.
    (TWO_WINDOWS, "longest_sequence_tokens", "forty-weights-bf16-bf16", "20471520"),
    (MAMBA, "kv_bytes_per_token", "record", "does not grow"),
    (MAMBA, "kv_gib_at_context", "bf16-at-8192", "no KV cache"),
    (MAMBA, "longest_sequence_tokens", "forty-weights-bf16-bf16", "unbounded"),
    (MAMBA, "sequences_at_context", "forty-weights-bf16-bf16-at-131072", "1872"),
    (NOTHING, "sequences_at_context", "forty-weights-bf16-bf16-at-131072", "unbounded"),
    (WHISPER, "kv_bytes_per_token_per_gpu", "tp-4", "40960"),
    (WHISPER, "kv_bytes_per_token_per_gpu", "tp-8", "missing"),
    (WHISPER, "kv_cross_bytes", "fp8", "122880000"),
    (LLAMA, "fits_card", "forty-weights-bf16-bf16-at-131072", "KV alone fits"),
    (LLAMA, "room_for_weights_gib", "forty-weights-bf16-bf16-at-131072", "24.000000000931323"),
    (HUGE, "fits_card", "forty-weights-bf16-bf16-at-131072", "does not fit"),
    (HUGE, "room_for_weights_gib", "forty-weights-bf16-bf16-at-131072", "not there"),
    // Sold with 43 GB, which are 40.05 GiB at least and 43 at most: the lower end counts.
    (LLAMA, "kv_budget_bytes", "sold-weights-bf16", "42999999999"),
    (LLAMA, "room_left_gib", "sold-weights-bf16-bf16-at-131072", "24.046870707534254"),
];

/// A model of each worked example's groups, beside two cards.
fn worked() -> Site {
    let mut site = Site::new()
        .file("content/hardware/forty.json", CARD)
        .file("content/hardware/sold.json", r#"{"id": "sold", "title": "43 GB as sold", "memory_gb": 43}"#);
    for (position, (groups, ..)) in WORKED.iter().enumerate() {
        let groups: Value = serde_json::from_str(groups).expect("groups are JSON");
        let id = format!("worked-{position}");
        let groups = groups.as_array().expect("groups are a list").clone();
        let most = groups.iter().filter_map(|group| group["layers"].as_u64()).fold(64, u64::max);
        let groups = with_the_rest(groups, most);
        let record = json!({"id": id, "title": id, "layers": most, "groups": groups, "weights_bytes": {"bf16": 1}});
        site = site.file(&format!("content/models/{id}.json"), record.to_string());
    }
    site.build().good();
    site
}

#[test]
fn worked_examples_come_out() {
    let site = worked();
    for (position, (groups, id, subject, expected)) in WORKED.iter().enumerate() {
        let published = site.json(&format!("public/models/worked-{position}.json"));
        let figures = published["figures"].as_array().expect("figures are a list");
        let found = match (Row { id: "", figures, faults: Vec::new() }).shown(id, subject) {
            Shown::Number(number) => number.to_string(),
            Shown::Words(words) => words,
            Shown::Missing => "missing".to_owned(),
            Shown::NotThere => "not there".to_owned(),
        };
        assert_eq!(found, *expected, "{id} of {subject} in {groups}");
    }
}

/// 1 layer × 8 heads × (128 + 128) elements × 2 bytes; a draft layer with a window adds nothing at long context.
#[test]
fn draft_layers_add_what_grows() {
    let full = json!({"kind": "full", "layers": 1, "kv_heads": 8, "k_dim": 128, "v_dim": 128});
    let mut window = full.clone();
    window["kind"] = json!("window");
    window["window"] = json!(128);
    let record = json!({"id": "m", "title": "M", "layers": 1, "groups": [full], "draft_groups": [full, window]});
    let site = Site::new().file("content/models/m.json", record.to_string());
    site.build().good();
    let published = site.json("public/models/m.json");
    let figures = published["figures"].as_array().expect("figures are a list").iter();
    let values = |id: &str| {
        let of = figures.clone().filter(|figure| figure["id"] == *id && figure["subject"] == "record");
        of.map(|figure| figure["value"].as_f64()).collect::<Vec<_>>()
    };
    assert_eq!(values("kv_draft_bytes_per_token"), [Some(4096.0)]);
}

#[test]
fn pages_say_what_a_cache_is_like() {
    let site = worked();
    for (groups, words) in [
        (V4_PRO, &["5,511.4375", "nvfp4_ds_mla packs no latents of 448 + 64 elements"][..]),
        (WINDOWS, &["does not grow", "unbounded", "131,072 B/token"]),
        (QWEN, &["only 16 of 64 layers keep a cache that grows"]),
        (WHISPER, &["20 KV heads and 8 GPUs do not divide evenly"]),
    ] {
        let position = WORKED.iter().position(|(known, ..)| *known == groups).expect("it is one of them");
        let text = walker::text_of(&site.published(), &format!("models/worked-{position}"));
        assert!(words.iter().all(|word| text.contains(word)), "{words:?} in {groups}");
    }
}

#[test]
fn the_kv_dtype_of_a_record_is_read_and_what_is_not_known_is_not_guessed() {
    let model = json!({"id": "m", "title": "m", "names": ["m"], "layers": 32, "groups": serde_json::from_str::<Value>(LLAMA).expect("JSON")});
    for (dtype, expected) in [
        ("bf16", "131072"),
        ("FP8_E4M3", "65536"),
        ("q8_0/q4_0", "53248"),
        ("turboquant", "the size of a cache in `turboquant` is not known"),
        ("q8_O", "the size of a cache in `q8_O` is not known; the nearest known name is `q8_0`"),
        ("fp8_ds_mla", "`fp8_ds_mla` packs latents, not K and V of heads"),
    ] {
        let mut run: Value = serde_json::from_str(&run_record("a")).expect("a run is JSON");
        run["model"] = json!({"name": "m"});
        run["spec"] = json!({"model": {"kv_dtype": dtype}});
        let site =
            Site::new().file("content/models/m.json", model.to_string()).file("content/runs/a.json", run.to_string());
        site.build().good();
        let published = site.json("public/runs/a.json");
        let figures = published["figures"].as_array().expect("figures are a list");
        let figure = figures.iter().find(|figure| figure["id"] == "kv_bytes_per_token").expect("it is there");
        let found = figure["missing"].as_str().map_or_else(|| figure["value"].to_string(), str::to_owned);
        assert_eq!(found, expected, "{dtype}");
    }
}

/// A row as a model entry.
fn record(position: usize, row: &Value) -> Value {
    let facts = &row["facts"];
    let groups = row["groups"].as_array().expect("groups are a list");
    let counted = || groups.iter().filter_map(|group| group["count"].as_u64()).sum();
    let layers = ["num_hidden_layers", "num_decoder_layers"].iter().find_map(|name| facts[name].as_u64());
    let layers = layers.unwrap_or_else(counted);
    let mut record = json!({
        "id": format!("row-{position}"),
        "title": row["id"],
        "layers": layers,
        "groups": with_the_rest(groups.iter().map(|group| layer_group(group, groups)).collect(), layers),
        "weights_bytes": {"bf16": 1},
    });
    if row["expected"]["mtp_extra_bytes_per_token_bf16"].is_number() {
        // A draft layer is one more of what grows.
        let growing =
            groups.iter().filter(|group| ["full", "latent", "index"].contains(&group["kind"].as_str().unwrap()));
        let one = |group| json_with(layer_group(group, groups), "layers", json!(1));
        record["draft_groups"] = growing.map(one).collect();
    }
    if let Some(longest) = facts["max_position_embeddings"].as_u64() {
        record["max_context_tokens"] = json!(longest);
    }
    record
}

/// Rows name no layers without attention or state; a model entry has a group of them.
fn with_the_rest(mut groups: Vec<Value>, layers: u64) -> Vec<Value> {
    let beside = |group: &&Value| ["index", "compressor"].contains(&group["kind"].as_str().unwrap_or_default());
    let counted: u64 = groups.iter().filter(|group| !beside(group)).filter_map(|group| group["layers"].as_u64()).sum();
    if counted < layers {
        groups.push(json!({"kind": "none", "layers": layers - counted}));
    }
    groups
}

fn layer_group(group: &Value, all: &[Value]) -> Value {
    let named = |name: &Value| all.iter().position(|other| other["name"] == *name);
    let members = group.as_object().expect("a group is an object").iter().filter_map(|(key, value)| {
        Some(match (key.as_str(), value.as_str()) {
            ("name", _) => return None,
            ("count", _) => ("layers", value.clone()),
            ("kind", Some("comp")) => ("kind", json!("compressor")),
            ("conv_elems", _) => ("conv_elements", value.clone()),
            ("rec_elems", _) => ("recurrent_elements", value.clone()),
            ("shares_with", _) => ("shares_with", json!(named(value).expect("it shares with a named group"))),
            (key, _) => (key, value.clone()),
        })
    });
    members.map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>().into()
}

fn json_with(mut object: Value, key: &str, value: Value) -> Value {
    object[key] = value;
    object
}

/// What a figure shows: a number, words, or a reason for neither.
#[derive(Debug, PartialEq)]
enum Shown {
    Number(f64),
    Words(String),
    Missing,
    NotThere,
}

struct Row<'a> {
    id: &'a str,
    figures: &'a [Value],
    faults: Vec<String>,
}

impl Row<'_> {
    fn shown(&self, id: &str, subject: &str) -> Shown {
        let found = self.figures.iter().find(|figure| figure["id"] == *id && figure["subject"] == *subject);
        match found {
            None => Shown::NotThere,
            Some(figure) if figure["missing"].is_string() => Shown::Missing,
            Some(figure) => match (figure["value"].as_f64(), figure["value"].as_str()) {
                (Some(number), _) => Shown::Number(number),
                (None, words) => Shown::Words(words.expect("a value is a number or words").to_owned()),
            },
        }
    }

    /// The figure, times a scale, is what the row states: `null` is missing, and nothing is said in words.
    fn holds(&mut self, id: &str, subject: &str, scale: f64, stated: &Value, nothing: &str) {
        let shown = self.shown(id, subject);
        let good = match (&shown, stated.as_f64()) {
            (Shown::Number(number), Some(stated)) => number * scale == stated,
            (Shown::Words(words), stated) => words == nothing && stated.is_none_or(|stated| stated == 0.0),
            (Shown::Missing, None) => true,
            _ => false,
        };
        if !good {
            self.faults.push(format!("{}: {id} of {subject}: stated {stated}, found {shown:?}", self.id));
        }
    }

    fn number(&self, id: &str, subject: &str) -> f64 {
        if let Shown::Number(number) = self.shown(id, subject) { number } else { 0.0 }
    }
}

const GIB: f64 = 1_073_741_824.0;

fn faults(site: &Site, position: usize, stated: &Value) -> Vec<String> {
    let published = site.json(&format!("public/models/row-{position}.json"));
    let expected = &stated["expected"];
    let figures = published["figures"].as_array().expect("figures are a list");
    let mut row = Row { id: stated["id"].as_str().expect("a row has an id"), figures, faults: Vec::new() };

    for (dtype, bytes) in members(&expected["bytes_per_token"]) {
        row.holds("kv_bytes_per_token", own(dtype), 1.0, bytes, "does not grow");
    }
    for (dtype, bytes) in members(&expected["bytes_per_token_short_context"]) {
        let windows = row.shown("kv_short_bytes_per_token", own(dtype)) != Shown::NotThere;
        let id = if windows { "kv_short_bytes_per_token" } else { "kv_bytes_per_token" };
        row.holds(id, own(dtype), 1.0, bytes, "does not grow");
    }
    for (dtype, contexts) in members(&expected["kv_bytes"]) {
        for (tokens, bytes) in members(contexts) {
            row.holds("kv_gib_at_context", &format!("{dtype}-at-{tokens}"), GIB, bytes, "no KV cache");
        }
    }
    for (tokens, gib) in members(&expected["kv_gib_bf16"]) {
        let found = format!("{:.6}", row.number("kv_gib_at_context", &format!("bf16-at-{tokens}")));
        let stated = format!("{:.6}", gib.as_f64().expect("a size is a number"));
        if found != stated {
            row.faults.push(format!("{}: GiB at {tokens}: stated {stated}, found {found}", row.id));
        }
    }
    for (dtype, bytes) in members(&expected["capped_bytes_when_full"]) {
        let full = row.number("kv_gib_at_context", &format!("{dtype}-at-131072")) * GIB;
        let windows = full - 131_072.0 * row.number("kv_bytes_per_token", own(dtype));
        if Some(windows) != bytes.as_f64() {
            row.faults.push(format!("{}: windows in {dtype}: stated {bytes}, found {windows}", row.id));
        }
    }
    for (name, subject) in
        [("bytes_conv_bf16_rec_fp32", "record"), ("bytes_all_bf16", "states-bf16"), ("bytes_all_fp32", "states-fp32")]
    {
        if let Some(bytes) = expected["fixed_state"].get(name) {
            row.holds("fixed_state_bytes", subject, 1.0, bytes, "");
        }
    }
    if let Some(bytes) = expected.get("compressor_state_bytes") {
        row.holds("fixed_state_bytes", "record", 1.0, bytes, "");
    }
    for (dtype, bytes) in members(&expected["cross_bytes"]) {
        row.holds("kv_cross_bytes", own(dtype), 1.0, bytes, "");
    }
    for (gpus, bytes) in members(&expected["per_gpu_bytes_per_token_bf16"]) {
        row.holds("kv_bytes_per_token_per_gpu", &format!("tp-{gpus}"), 1.0, bytes, "does not grow");
    }
    if let Some(bytes) = expected.get("mtp_extra_bytes_per_token_bf16") {
        row.holds("kv_draft_bytes_per_token", "record", 1.0, bytes, "");
    }
    let capacity = &expected["capacity"];
    assert_eq!(capacity["budget_gib"], 40);
    row.holds(
        "sequences_at_context",
        "forty-weights-bf16-bf16-at-32768",
        1.0,
        &capacity["seqs_at_32768_bf16"],
        "unbounded",
    );
    let (longest, stated_longest) = ("forty-weights-bf16-bf16", &capacity["max_tokens_one_seq_bf16"]);
    let strides = stated["groups"].as_array().into_iter().flatten().filter_map(|group| group["stride"].as_f64());
    match strides.reduce(f64::max) {
        None => row.holds("longest_sequence_tokens", longest, 1.0, stated_longest, "unbounded"),
        // Ours counts an entry's bytes as its tokens come, so it stops before the last entry would be kept.
        Some(stride) => {
            let (found, stated) = (row.number("longest_sequence_tokens", longest), stated_longest.as_f64().unwrap());
            assert!(found <= stated && stated < found + stride, "{}: {found} against {stated}", row.id);
        }
    }
    row.faults.extend(layers(&record(position, stated), expected).map(|fault| format!("{}: {fault}", row.id)));
    row.faults
}

/// The layers of each growth, as the record's own groups have them.
fn layers(record: &Value, expected: &Value) -> impl Iterator<Item = String> {
    let model: Model = serde_json::from_value(record.clone()).expect("it is a model");
    let count = |growth: Growth, but: GroupKind| {
        let groups = model.groups.iter().filter(move |group| group.growth() == growth && group.kind != but);
        groups.map(|group| group.layers).sum::<u64>()
    };
    // Index keys and compressors belong to layers that another group counts.
    let found = [
        ("layers_growing", count(Growth::Grows, GroupKind::Index)),
        ("layers_capped", count(Growth::Capped, GroupKind::None)),
        ("layers_fixed_state", count(Growth::Fixed, GroupKind::Compressor)),
    ];
    let wrong = found.into_iter().filter(|(name, found)| expected[*name] != *found);
    wrong
        .map(|(name, found)| format!("{name}: stated {}, found {found}", expected[name]))
        .collect::<Vec<_>>()
        .into_iter()
}

fn members(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    object.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}

/// The subject of a format's own figures.
fn own(dtype: &str) -> &str {
    if dtype == "bf16" { "record" } else { dtype }
}
