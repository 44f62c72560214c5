//! Names that are safe in an address: from any text a slug, from many texts distinct slugs.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

/// Longest slug in bytes. File systems end at 255 for a name with its endings.
const LONGEST: usize = 80;

/// Lower-case letters and digits of any script with single hyphens between them; never empty, never a dot or a slash.
///
/// Text with no letter or digit becomes a digest of itself, and text that is too long ends in one, so both stay
/// distinct and the same from build to build.
///
/// ```
/// assert_eq!(results_site::anchor::slug("50% shared prefix (48.7% cache hits)"), "50-shared-prefix-48-7-cache-hits");
/// ```
pub fn slug(text: &str) -> String {
    let mut slug = String::new();
    for letter in text.chars().flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() {
            slug.push(letter);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    if slug.is_empty() {
        return digest(text);
    }
    if slug.len() > LONGEST {
        let digest = digest(text);
        let room = LONGEST - digest.len() - 1;
        let end = (0..=room).rev().find(|end| slug.is_char_boundary(*end)).expect("zero is a boundary");
        slug = format!("{}-{digest}", slug[..end].trim_end_matches('-'));
    }
    slug
}

/// The slugs of several texts, in order and all different: equal ones get `-2`, `-3`, ….
///
/// A slug that only one text has stays as it is, wherever its neighbours stand.
pub fn unique_slugs<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    unique(texts.into_iter().map(slug).collect())
}

/// Anchors in order and all different, by the same rule.
pub fn unique(slugs: Vec<String>) -> Vec<String> {
    let natural: BTreeSet<String> = slugs.iter().cloned().collect();
    // The next number to try for each slug that was given out, so that many equal ones take no quadratic time.
    let mut next: BTreeMap<String, usize> = BTreeMap::new();
    let mut unique = Vec::with_capacity(slugs.len());
    for slug in slugs {
        let Some(mut number) = next.get(&slug).copied() else {
            next.insert(slug.clone(), 2);
            unique.push(slug);
            continue;
        };
        let numbered = loop {
            let name = format!("{slug}-{number}");
            number += 1;
            if !natural.contains(&name) && !next.contains_key(&name) {
                break name;
            }
        };
        next.insert(slug, number);
        next.insert(numbered.clone(), 2);
        unique.push(numbered);
    }
    unique
}

/// The first eight hexadecimal digits of the SHA-256 of bytes: enough to tell names apart, short enough to read.
pub fn short_digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

fn digest(text: &str) -> String {
    short_digest(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn keeps_letters_and_digits_and_joins_them_with_hyphens() {
        assert_eq!(slug("50% shared prefix (48.7% cache hits)"), "50-shared-prefix-48-7-cache-hits");
        assert_eq!(slug("  vLLM 0.22 "), "vllm-0-22");
        assert_eq!(slug("Qwen3.8-27B (NVFP4)"), "qwen3-8-27b-nvfp4");
    }

    #[test]
    fn keeps_other_scripts() {
        assert_eq!(slug("缓存命中率"), "缓存命中率");
        assert_eq!(slug("Μέγεθος ΚΡΥΦΉ μνήμη"), "μέγεθος-κρυφή-μνήμη");
    }

    #[test]
    fn dots_and_slashes_cannot_survive() {
        for text in ["..", ".", "/", "../../escape", "/abs/escape", "a/../../b", "a\0b", "..\\..", "%2e%2e"] {
            let slug = slug(text);
            assert!(!slug.is_empty() && !slug.contains(['.', '/', '\\', '\0', '%']), "{text:?} gives {slug:?}");
        }
    }

    #[test]
    fn text_without_letters_becomes_its_digest() {
        assert_eq!(slug("!!!").len(), 8);
        assert_eq!(slug("").len(), 8);
        assert_ne!(slug("!!!"), slug("???"));
        assert_eq!(slug("!!!"), slug("!!!"));
    }

    #[test]
    fn long_texts_with_one_beginning_stay_distinct() {
        let one = slug(&format!("{}1", "long ".repeat(100)));
        let other = slug(&format!("{}2", "long ".repeat(100)));
        assert_ne!(one, other);
        assert!(one.len() <= LONGEST);
        assert!(slug(&"缓".repeat(100)).len() <= LONGEST);
    }

    #[test]
    fn equal_slugs_are_numbered() {
        assert_eq!(unique_slugs(["other"; 3]), ["other", "other-2", "other-3"]);
        assert_eq!(unique_slugs(["C", "C++", "D"]), ["c", "c-2", "d"]);
    }

    #[test]
    fn a_number_never_takes_the_name_of_another_text() {
        assert_eq!(unique_slugs(["a", "a", "a-2"]), ["a", "a-3", "a-2"]);
        assert_eq!(unique_slugs(["a-2", "a", "a"]), ["a-2", "a", "a-3"]);
    }

    proptest! {
        #[test]
        fn a_slug_is_one_safe_segment_and_its_own_slug(text in "\\PC*") {
            let first = slug(&text);
            prop_assert!(!first.is_empty() && first.len() <= LONGEST);
            prop_assert!(!first.starts_with('-') && !first.ends_with('-') && !first.contains("--"));
            prop_assert!(first.chars().all(|letter| letter.is_alphanumeric() || letter == '-'));
            prop_assert_eq!(slug(&first), first);
        }

        #[test]
        fn unique_slugs_are_unique(texts in proptest::collection::vec("[aA2-]{0,4}", 0..12)) {
            let slugs = unique_slugs(texts.iter().map(String::as_str));
            prop_assert_eq!(slugs.iter().collect::<BTreeSet<_>>().len(), texts.len());
        }
    }
}
