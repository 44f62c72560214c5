//! Numbers as sources state them, against the recomputed ones at the precision they are stated with.

use super::Figure;
use crate::catalog::Item;
use crate::diagnostic::{Diagnostic, Report, nearest, printable, quoted, rules};
use crate::quantity::{Quantity, Written};
use crate::record::StatedFigure;

/// A stated number beside the figure that recomputes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// The source's own wording.
    pub as_written: String,
    pub verdict: Agreement,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Agreement {
    Agrees,
    Differs,
    /// Why it could not be checked.
    NotCheckable(String),
}

/// Ties stated numbers to their figures; one that differs, or that no figure matches, is an error.
pub fn attach(stated: &[StatedFigure], figures: &mut [Figure], item: &Item, report: &mut Report) {
    for (position, entry) in stated.iter().enumerate() {
        let figure = figures.iter_mut().find(|figure| {
            figure.subject == entry.subject && figure.formula.id == entry.figure && figure.quote.is_none()
        });
        let Some(figure) = figure else {
            if item.knows_its_models() {
                unknown(position, entry, figures, item, report);
            }
            continue;
        };
        let verdict = match (Wording::parse(&entry.as_written), figure.quantity()) {
            (Some(number), Some(quantity)) if number.agrees_with(quantity) => Agreement::Agrees,
            (Some(_), Some(quantity)) if quantity.is_approximate() => {
                Agreement::NotCheckable(format!("recomputed {} from approximate numbers", figure.shown()))
            }
            (Some(_), Some(_)) => Agreement::Differs,
            (None, _) => Agreement::NotCheckable("its wording holds no number".to_owned()),
            (_, None) => Agreement::NotCheckable(figure.shown()),
        };
        if verdict == Agreement::Differs {
            let pointer = format!("/stated/{position}/as_written");
            report.push(
                Diagnostic::new(
                    &rules::FIGURE_STATED,
                    item.document.location(&pointer),
                    format!(
                        "stated {} for `{}` of `{}`, recomputed {}",
                        quoted(&entry.as_written),
                        entry.figure,
                        entry.subject,
                        figure.shown()
                    ),
                )
                .pointer(pointer)
                .help("correct the number, or acknowledge the rule with the reason so that both are shown"),
            );
        }
        figure.stated = Some(Stated { as_written: entry.as_written.clone(), verdict });
    }
}

fn unknown(position: usize, entry: &StatedFigure, figures: &[Figure], item: &Item, report: &mut Report) {
    let known_subject = figures.iter().any(|figure| figure.subject == entry.subject);
    let pointer = format!("/stated/{position}/{}", if known_subject { "figure" } else { "subject" });
    let here: Vec<_> = figures.iter().map(|figure| figure.anchor()).collect();
    let wanted = format!("{}/{}", entry.subject, entry.figure);
    let mut diagnostic = Diagnostic::new(
        &rules::FIGURE_UNKNOWN,
        item.document.location(&pointer),
        format!("no figure `{}` for `{}`", printable(&entry.figure), printable(&entry.subject)),
    )
    .pointer(pointer);
    if let Some(nearest) = nearest(&wanted, here.iter().map(String::as_str)) {
        diagnostic = diagnostic.help(format!("did you mean `{nearest}`?"));
    }
    report.push(diagnostic);
}

/// A number or an interval with the precision it is written with.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Wording {
    low: f64,
    high: f64,
}

impl Wording {
    /// The first number in a wording such as `-36%`, `$0.289`, `about 140,250` or `9.16 GiB`; the interval that it begins
    /// in `43–45%` or `$0.28 to $0.30`.
    fn parse(wording: &str) -> Option<Self> {
        let numbers = Written::all(wording);
        let low = numbers.first()?;
        let ends_interval = |next: &&Written| joins(&wording[low.at.end..next.at.start]) && next.value >= low.value;
        // In `8 - 5` the second is another number.
        let high = numbers.get(1).filter(ends_interval).unwrap_or(low);
        let half = |number: &Written| 0.5 * 10f64.powi(-i32::try_from(number.decimals).unwrap_or(i32::MAX));
        Some(Wording { low: low.value - half(low), high: high.value + half(high) })
    }

    /// Some value that the figure allows rounds to the number as written.
    fn agrees_with(self, quantity: Quantity) -> bool {
        let slack = 1e-9 * self.high.abs().max(1.0);
        quantity.low() <= self.high + slack && quantity.high() >= self.low - slack
    }
}

/// Whether what stands between two numbers makes them the ends of an interval.
fn joins(between: &str) -> bool {
    let between = between.trim_start_matches('%').trim_start();
    let rest = ["–", "—", "-", "to "].iter().find_map(|word| between.strip_prefix(word));
    rest.is_some_and(|rest| rest.trim_matches([' ', '$', '~', '-', '−', '+']).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_agrees_at_its_own_precision() {
        for (wording, value, agrees) in [
            ("+57%", 56.716, true),
            ("-0%", -0.1866, true),
            ("−36%", -36.16, true),
            ("-36%", 36.16, false),
            ("$0.289", 0.28928, true),
            ("$0.29", 0.28928, true),
            ("$0.28", 0.28928, false),
            ("about 140,250 tokens", 140_250.0, true),
            ("9.16 GiB", 9.1552734375, true),
            ("23x", 23.13, true),
            ("$5,891 a month", 5891.1, true),
            ("5 replicas", 5.0, true),
            ("5 replicas", 8.0, false),
        ] {
            let written = Wording::parse(wording).expect("holds a number");
            assert_eq!(written.agrees_with(Quantity::exact(value)), agrees, "{wording} {value}");
        }
        assert_eq!(Wording::parse("none passed"), None);
    }

    #[test]
    fn an_interval_agrees_as_a_whole() {
        for (wording, value, agrees) in [
            ("43–45%", Quantity::exact(44.2), true),
            ("43–45%", Quantity::exact(45.6), false),
            ("43 to 45%", Quantity::between(45.4, 46.0), true),
            ("43% - 45%", Quantity::exact(44.0), true),
            ("$0.28–$0.30", Quantity::exact(0.2893), true),
            ("−47 to −36%", Quantity::exact(-40.0), true),
            ("5 replicas", Quantity::between(5.0, 6.0), true),
            ("4 replicas", Quantity::between(5.0, 6.0), false),
            ("16-bit", Quantity::exact(16.0), true),
            ("8 - 5", Quantity::exact(8.0), true),
            ("8 - 5", Quantity::exact(6.0), false),
        ] {
            let written = Wording::parse(wording).expect("holds a number");
            assert_eq!(written.agrees_with(value), agrees, "{wording} {value:?}");
        }
    }
}
