//! Inks: what a stroke or a fill means, as a class for the style sheet and as plain attributes for a saved file.

use plotters::style::RGBColor;

/// A meaning with its look. Plotters carries it as a colour that nothing else uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    Grid,
    Axis,
    Whisker,
    /// The light edge under a whisker, so that it shows on its bar.
    Halo,
    Limit,
    Frontier,
    Baseline,
    Fill(Slot),
    Line(Look),
    Dot(Slot),
    Ring(Slot),
    Text,
    Muted,
    /// Text over lines, with a halo.
    Label,
}

/// One of the four colours of series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot(u8);

/// How a series looks: four colours by six pairs of shape and dash are 24 series that differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    pub slot: Slot,
    /// Index into the shapes and the dashes.
    pub form: u8,
}

/// The palette on white: blue and orange, dark and light, apart under all common kinds of colour vision.
const SERIES: [&str; 4] = ["#123c8c", "#4a8fd8", "#8a3b00", "#d4730a"];
const DASHES: [&str; 6] = ["", "7 3", "2 3", "9 3 2 3", "4 2", "9 3 2 3 2 3"];

impl Slot {
    /// The colour of a part or a series; beyond the fourth the last one goes on.
    pub fn up_to_last(at: usize) -> Self {
        Slot(u8::try_from(at.min(SERIES.len() - 1)).unwrap_or(0))
    }
}

impl Look {
    /// Neighbours differ in both, so that they are told apart without colours too.
    pub fn of_series(at: usize) -> Self {
        let small = |value: usize| u8::try_from(value).unwrap_or(0);
        let slot = at % SERIES.len();
        Look { slot: Slot(small(slot)), form: small((slot + at / SERIES.len()) % DASHES.len()) }
    }
}

impl Ink {
    /// The reserved colour that stands for this ink inside plotters.
    pub fn token(self) -> RGBColor {
        match self {
            Ink::Grid => RGBColor(1, 0, 0),
            Ink::Axis => RGBColor(2, 0, 0),
            Ink::Whisker => RGBColor(3, 0, 0),
            Ink::Halo => RGBColor(4, 0, 0),
            Ink::Limit => RGBColor(5, 0, 0),
            Ink::Frontier => RGBColor(6, 0, 0),
            Ink::Baseline => RGBColor(7, 0, 0),
            Ink::Fill(slot) => RGBColor(8, slot.0, 0),
            Ink::Line(look) => RGBColor(9, look.slot.0, look.form),
            Ink::Dot(slot) => RGBColor(10, slot.0, 0),
            Ink::Ring(slot) => RGBColor(11, slot.0, 0),
            Ink::Muted => RGBColor(12, 0, 0),
            Ink::Label => RGBColor(13, 0, 0),
            Ink::Text => RGBColor(14, 0, 0),
        }
    }

    pub fn of_token((ink, slot, form): (u8, u8, u8)) -> Self {
        let look = Look { slot: Slot(slot % 4), form: form % 6 };
        match ink {
            1 => Ink::Grid,
            2 => Ink::Axis,
            3 => Ink::Whisker,
            4 => Ink::Halo,
            5 => Ink::Limit,
            6 => Ink::Frontier,
            7 => Ink::Baseline,
            8 => Ink::Fill(look.slot),
            9 => Ink::Line(look),
            10 => Ink::Dot(look.slot),
            11 => Ink::Ring(look.slot),
            12 => Ink::Muted,
            13 => Ink::Label,
            _ => Ink::Text,
        }
    }

    /// Class and plain attributes, beginning with a space.
    pub fn attributes(self) -> String {
        let thin = |class: &str, color: &str| format!(" class=\"{class}\" fill=\"none\" stroke=\"{color}\"");
        let stroke = |class: &str, color: &str, width: &str| thin(class, color) + &format!(" stroke-width=\"{width}\"");
        let fill = |class: &str, color: &str| format!(" class=\"{class}\" fill=\"{color}\"");
        let series = |slot: Slot| (slot.0 + 1, SERIES[usize::from(slot.0)]);
        match self {
            Ink::Grid => thin("c-grid", "#dce1e6"),
            Ink::Axis => thin("c-axis", "#6b7480"),
            Ink::Whisker => stroke("c-rule", "#1b1f24", "1.2"),
            Ink::Halo => stroke("c-halo", "#fff", "3.6"),
            Ink::Limit => stroke("c-rule", "#1b1f24", "1.2") + " stroke-dasharray=\"5 3\"",
            Ink::Frontier => stroke("c-axis", "#6b7480", "1.4"),
            Ink::Baseline => fill("c-base", "#6b7480"),
            Ink::Fill(slot) => {
                let (number, color) = series(slot);
                fill(&format!("c-fill-{number}"), color)
            }
            Ink::Line(look) => {
                let (number, color) = series(look.slot);
                let line = stroke(&format!("c-line-{number}"), color, "1.8") + " stroke-linejoin=\"round\"";
                match DASHES[usize::from(look.form)] {
                    "" => line,
                    dash => format!("{line} stroke-dasharray=\"{dash}\""),
                }
            }
            Ink::Dot(slot) => {
                let (number, color) = series(slot);
                fill(&format!("c-dot-{number}"), color) + " stroke=\"#fff\""
            }
            Ink::Ring(slot) => {
                let (number, color) = series(slot);
                format!(" class=\"c-ring-{number}\" fill=\"#fff\" stroke=\"{color}\" stroke-width=\"1.8\"")
            }
            Ink::Text => fill("c-text", "#1b1f24"),
            Ink::Muted => fill("c-muted", "#57606a"),
            Ink::Label => {
                fill("c-label", "#1b1f24")
                    + " stroke=\"#fff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\""
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn twenty_four_series_differ_in_colour_or_in_shape_and_dash() {
        let looks: BTreeSet<(u8, u8)> = (0..24).map(Look::of_series).map(|look| (look.slot.0, look.form)).collect();
        assert_eq!(looks.len(), 24);
        let apart = |one: Look, other: Look| one.slot != other.slot && one.form != other.form;
        assert!((0..23).all(|at| apart(Look::of_series(at), Look::of_series(at + 1))));
        let lines: BTreeSet<String> = (0..24).map(|at| Ink::Line(Look::of_series(at)).attributes()).collect();
        assert_eq!(lines.len(), 24);
    }

    /// Linear RGB as seen without one kind of cone: Machado, Oliveira and Fernandes, IEEE TVCG 15(6), 2009, severity 1.
    const VISIONS: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ];

    /// Relative luminance (WCAG 2.2) of a colour in someone's sight.
    fn luminance(color: &str, vision: [[f64; 3]; 3]) -> f64 {
        let linear = [1, 3, 5].map(|at| {
            let share = f64::from(u8::from_str_radix(&color[at..at + 2], 16).expect("two digits")) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        });
        let seen =
            vision.map(|row| row.iter().zip(linear).map(|(share, own)| share * own).sum::<f64>().clamp(0.0, 1.0));
        0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]
    }

    #[test]
    fn neighbours_are_apart_in_every_sight() {
        let style = include_str!("../chart.css");
        let themes = (1..=4).map(|slot| {
            let (_, rest) = style.split_once(&format!("--series-{slot}: light-dark(")).expect("the palette");
            let (light, rest) = rest.split_once(", ").expect("two colours");
            (light, rest.split_once(')').expect("an end").0)
        });
        let (light, dark): (Vec<_>, Vec<_>) = themes.unzip();
        assert_eq!(light, SERIES, "a saved file and the page are of one palette");
        for palette in [light, dark] {
            for (at, vision) in (0..4).flat_map(|at| VISIONS.map(|vision| (at, vision))) {
                let [one, other] = [palette[at], palette[(at + 1) % 4]].map(|color| luminance(color, vision) + 0.05);
                let contrast = one.max(other) / one.min(other);
                assert!(contrast > 1.9, "{palette:?} {at}: {contrast}");
            }
        }
    }

    #[test]
    fn every_ink_survives_its_token() {
        let look = Look::of_series(23);
        for ink in [
            Ink::Grid,
            Ink::Axis,
            Ink::Whisker,
            Ink::Halo,
            Ink::Limit,
            Ink::Frontier,
            Ink::Baseline,
            Ink::Fill(look.slot),
            Ink::Line(look),
            Ink::Dot(look.slot),
            Ink::Ring(look.slot),
            Ink::Text,
            Ink::Muted,
            Ink::Label,
        ] {
            let RGBColor(red, green, blue) = ink.token();
            assert_eq!(Ink::of_token((red, green, blue)), ink);
        }
    }
}
