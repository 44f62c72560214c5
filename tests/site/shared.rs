//! The repository's content against the documents it was made from, where `RESULTS_SITE_SHARED` says they are.

use serde_json::Value;
use std::path::PathBuf;
use std::{env, fs};

use crate::program::{Site, repository, skip};

const RUN: &str = "h100-qwen3-30b-a3b-prefix-cache-vllm";

/// The harness's file as its makers published it.
fn seed(test: &str) -> Option<String> {
    let Some(folder) = env::var_os("RESULTS_SITE_SHARED").map(PathBuf::from) else {
        skip(test, "RESULTS_SITE_SHARED is not set");
        return None;
    };
    let path = folder.join("seeds/run-h100-qwen3-30b-a3b-prefix-cache-vllm.json");
    Some(fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

#[test]
fn a_file_straight_from_the_harness_has_no_errors() {
    let Some(seed) = seed("a file straight from the harness") else { return };
    let outcome = Site::new().file(&format!("content/runs/{RUN}.json"), &seed).build().good();
    outcome.silent_about(&["error"]);

    // Beside the models, cards and prices; without the note, which quotes our own wording.
    let site = Site::of_repository();
    site.remove(&format!("content/runs/{RUN}.md"));
    site.write(&format!("content/runs/{RUN}.json"), seed);
    site.build().good().silent_about(&["error"]);
}

#[test]
fn the_published_run_keeps_every_key_and_value_of_the_harness() {
    let Some(seed) = seed("keys and values of the harness") else { return };
    let published = fs::read_to_string(repository().join(format!("content/runs/{RUN}.json"))).expect("it is content");
    let [seed, published] = [seed, published].map(|text| {
        let mut value: Value = serde_json::from_str(&text).expect("it is JSON");
        for reworded in ["title", "summary", "not_covered"] {
            let removed = value.as_object_mut().expect("a record is an object").remove(reworded);
            assert!(removed.is_some(), "{reworded} is gone");
        }
        value
    });
    assert_eq!(seed, published);
}
