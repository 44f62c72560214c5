//! The site's own accent colours: readable on both grounds, or refused.

use std::collections::BTreeSet;

use crate::catalog::Catalog;
use crate::diagnostic::{Diagnostic, Report, printable, rules};

/// Grounds that the accent stands on: the style sheet's `--paper`, `--soft` and `--mark`.
const GROUNDS_LIGHT: [&str; 3] = ["#ffffff", "#f4f6f9", "#fff4d6"];
const GROUNDS_DARK: [&str; 3] = ["#12161b", "#1b2129", "#3a3117"];
const ACCENT_LIGHT: &str = "#123c8c";
const ACCENT_DARK: &str = "#8fb4ff";
/// Least contrast of text, WCAG 2.2, success criterion 1.4.3.
const LEAST_CONTRAST: f64 = 4.5;

/// The rule that puts the accents in place of the built-in ones; empty where the site sets none.
pub fn style(catalog: &Catalog) -> String {
    let brand = &catalog.site.brand;
    if brand.accent_light.is_none() && brand.accent_dark.is_none() {
        return String::new();
    }
    let light = brand.accent_light.as_deref().unwrap_or(ACCENT_LIGHT);
    let dark = brand.accent_dark.as_deref().unwrap_or(ACCENT_DARK);
    format!(":root {{ --accent: light-dark({light}, {dark}); }}\n")
}

/// Refuses an accent that cannot be read on its ground, and a logo that is not there.
pub fn check(catalog: &Catalog, static_files: &BTreeSet<String>, report: &mut Report) {
    let brand = &catalog.site.brand;
    let is_there = |logo: &str| static_files.contains(logo) || catalog.left_out.refused_static(logo);
    if let Some(logo) = brand.logo.as_deref().filter(|logo| !is_there(logo)) {
        let pointer = "/brand/logo";
        let problem = format!("there is no file `static/{}`", printable(logo));
        report.push(
            Diagnostic::new(&rules::SITE_LOGO, catalog.settings.location(pointer), problem)
                .pointer(pointer)
                .help("put the picture under `static/`, and name it by its path there"),
        );
    }
    let pairs = [
        ("/brand/accent_light", &brand.accent_light, GROUNDS_LIGHT, "light"),
        ("/brand/accent_dark", &brand.accent_dark, GROUNDS_DARK, "dark"),
    ];
    for (pointer, accent, grounds, ground) in pairs {
        let Some(accent) = accent else { continue };
        let contrast = least_contrast(accent, grounds);
        if contrast.is_some_and(|contrast| contrast >= LEAST_CONTRAST) {
            continue;
        }
        let found = contrast.map_or_else(|| "no colour".to_owned(), |contrast| format!("a contrast of {contrast:.2}"));
        report.push(
            Diagnostic::new(
                &rules::SITE_CONTRAST,
                catalog.settings.location(pointer),
                format!("{accent} has {found} on the {ground} ground, expected at least {LEAST_CONTRAST}"),
            )
            .pointer(pointer)
            .help(format!("choose a {} colour", if ground == "light" { "darker" } else { "lighter" })),
        );
    }
}

/// Relative luminance of `#rrggbb`, WCAG 2.2.
fn luminance(color: &str) -> Option<f64> {
    let digits = color.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let mut sum = 0.0;
    for (at, weight) in [(0, 0.2126), (2, 0.7152), (4, 0.0722)] {
        let channel = f64::from(u8::from_str_radix(digits.get(at..at + 2)?, 16).ok()?) / 255.0;
        let linear = if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) };
        sum += weight * linear;
    }
    Some(sum)
}

fn contrast(one: f64, other: f64) -> f64 {
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// That of an accent with the ground on which it is read worst; nothing where it is no colour.
fn least_contrast(accent: &str, grounds: [&str; 3]) -> Option<f64> {
    let accent = luminance(accent)?;
    grounds.into_iter().filter_map(luminance).map(|ground| contrast(accent, ground)).min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_is_that_of_wcag() {
        let between = |one, other| luminance(one).zip(luminance(other)).map(|(one, other)| contrast(one, other));
        assert_eq!(between("#000000", "#ffffff").map(|found| format!("{found:.2}")).as_deref(), Some("21.00"));
        assert_eq!(between("#777777", "#ffffff").map(|found| format!("{found:.2}")).as_deref(), Some("4.48"));
        assert_eq!(luminance("red"), None);
    }

    #[test]
    fn accents_are_read_on_every_ground_of_the_style() {
        for (accent, grounds) in [(ACCENT_LIGHT, GROUNDS_LIGHT), (ACCENT_DARK, GROUNDS_DARK)] {
            assert!(least_contrast(accent, grounds).is_some_and(|found| found >= LEAST_CONTRAST));
        }
        // Enough on white, and too little on what is marked.
        assert!(least_contrast("#767676", GROUNDS_LIGHT).is_some_and(|found| found < LEAST_CONTRAST));
        let style = format!("{}{}", include_str!("../../templates/style.css"), crate::chart::CSS);
        for (name, at) in [("paper", 0), ("soft", 1), ("mark", 2)] {
            let light = if name == "paper" { "#fff" } else { GROUNDS_LIGHT[at] };
            let token = format!("--{name}: light-dark({light}, {});", GROUNDS_DARK[at]);
            assert!(style.contains(&token), "{token}");
        }
    }
}
