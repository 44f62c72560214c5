//! Numbers as sources and prose state them, against the recomputed ones at the precision they are stated with.

use super::sheet::IS_BASELINE;
use super::{Figure, FigureValue};
use crate::catalog::{self, Item};
use crate::diagnostic::{Diagnostic, Report, nearest, printable, quoted, rules};
use crate::metric::{self, Latency};
use crate::quantity::written::{self, Match};
use crate::quantity::{Quantity, Sense, Unit, Way, plain};
use crate::record::StatedFigure;

/// A stated number beside the figure that recomputes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// The source's own wording.
    pub as_written: String,
    pub agreement: Agreement,
    /// JSON pointer of the statement, in the file with the record's prose.
    pub pointer: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Agreement {
    Agrees,
    /// A ratio of one digit, such as `4x`, to which the recomputed one rounds and from which it is far.
    AgreesRounded,
    Differs,
    /// It would agree if its GB were GiB.
    DiffersInUnit,
    /// Why it could not be checked.
    NotCheckable(String),
}

impl Agreement {
    /// Every number of a wording against a figure, in the unit that the wording says.
    pub fn of(wording: &str, figure: &Figure) -> Self {
        let computed = match &figure.outcome {
            Ok(computed) => &computed.value,
            Err(missing) if missing.reason == IS_BASELINE => {
                return Agreement::of_baseline(wording, figure.formula.unit);
            }
            Err(missing) => return Agreement::NotCheckable(missing.words()),
        };
        let formula = figure.formula;
        let numbers = written::numbers_and_words(wording, formula.unit);
        match computed {
            FigureValue::Verdict(verdict) if wording.to_lowercase().contains(verdict) => Agreement::Agrees,
            FigureValue::Verdict(verdict) if contradicts(wording, verdict) => Agreement::Differs,
            FigureValue::Verdict(_) => Agreement::NotCheckable("the figure is a verdict in words".to_owned()),
            FigureValue::Quantity(_) if numbers.is_empty() => {
                Agreement::NotCheckable("its wording holds no number".to_owned())
            }
            FigureValue::Quantity(quantity) => {
                let sense = figure.sense();
                let agrees =
                    |number: &written::Written| number.matches_change(formula.unit, *quantity, sense) == Match::Agrees;
                let agrees_in_binary =
                    |number: &written::Written| agrees(number) || number.matches_in_binary(formula.unit, *quantity);
                match numbers.iter().all(agrees) {
                    true if formula.unit == Unit::Ratio
                        && numbers.iter().any(|number| number.is_coarse(Unit::Ratio, *quantity)) =>
                    {
                        Agreement::AgreesRounded
                    }
                    true => Agreement::Agrees,
                    false if numbers.iter().all(agrees_in_binary) => Agreement::DiffersInUnit,
                    false
                        if quantity.is_approximate()
                            && numbers.iter().all(|number| is_near(number, formula.unit, *quantity, sense)) =>
                    {
                        Agreement::NotCheckable(format!(
                            "recomputed {} from approximate numbers",
                            figure.beside(wording)
                        ))
                    }
                    false => Agreement::Differs,
                }
            }
        }
    }

    /// A stated change of the baseline, which against itself has changed by nothing.
    fn of_baseline(wording: &str, unit: Unit) -> Self {
        let unchanged = match unit {
            Unit::PercentChange => Quantity::exact(0.0),
            Unit::Ratio => Quantity::exact(1.0),
            _ => return Agreement::NotCheckable(IS_BASELINE.to_owned()),
        };
        let numbers = written::numbers_and_words(wording, unit);
        match numbers.iter().all(|number| number.matches(unit, unchanged) == Match::Agrees) {
            _ if numbers.is_empty() => Agreement::NotCheckable(IS_BASELINE.to_owned()),
            true => Agreement::Agrees,
            false => Agreement::Differs,
        }
    }

    pub fn is_disagreement(&self) -> bool {
        matches!(self, Agreement::Differs | Agreement::DiffersInUnit)
    }

    pub fn words(&self) -> String {
        match self {
            Agreement::Agrees => "agrees at the precision stated".to_owned(),
            Agreement::AgreesRounded => "agrees only when rounded to one digit".to_owned(),
            Agreement::Differs => "differs".to_owned(),
            Agreement::DiffersInUnit => "differs; agrees once its GB are taken for GiB".to_owned(),
            Agreement::NotCheckable(reason) => format!("not checkable: {reason}"),
        }
    }
}

/// An approximate number is taken to be right within a quarter.
const APPROXIMATE: f64 = 0.25;

/// Whether a stated number is within what approximate inputs leave open.
fn is_near(number: &written::Written, unit: Unit, quantity: Quantity, sense: Sense) -> bool {
    let wider = Quantity::between(
        quantity.low() - APPROXIMATE * quantity.low().abs(),
        quantity.high() + APPROXIMATE * quantity.high().abs(),
    );
    number.matches_change(unit, wider, sense) == Match::Agrees
}

/// Whether words say the opposite of a verdict: one says no where the other does not, or names another metric.
fn contradicts(wording: &str, verdict: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.to_lowercase().split(|part: char| !part.is_alphanumeric()).map(str::to_owned).collect()
    };
    let (stated, found) = (words(wording), words(verdict));
    let has = |words: &[String], any: &[&str]| any.iter().any(|wanted| words.iter().any(|word| word == wanted));
    const NO: [&str; 4] = ["not", "no", "cannot", "doesn"];
    let metrics = Latency::METRICS;
    let names_another = has(&stated, &metrics)
        && has(&found, &metrics)
        && !metrics.iter().any(|metric| has(&stated, &[metric]) && has(&found, &[metric]));
    let shares_a_word =
        stated.iter().any(|word| word.starts_with("fit")) && found.iter().any(|word| word.starts_with("fit"));
    names_another || shares_a_word && has(&stated, &NO) != has(&found, &NO)
}

/// Ties a record's stated numbers to its figures; one that differs, or that no figure matches, is an error.
pub fn attach(item: &Item, figures: &mut [Figure], report: &mut Report) {
    for (position, entry) in item.stated().iter().enumerate() {
        let figure = figures.iter_mut().find(|figure| {
            figure.subject == entry.subject && figure.formula.id == entry.figure && figure.quote.is_none()
        });
        let Some(figure) = figure else {
            if item.knows_its_models() {
                unknown(position, entry, figures, item, report);
            }
            continue;
        };
        let agreement = Agreement::of(&entry.as_written, figure);
        let pointer = format!("/stated/{position}/as_written");
        if agreement.is_disagreement() {
            let unit = if agreement == Agreement::DiffersInUnit { ", which it is in powers of 1,024" } else { "" };
            let message = format!(
                "stated {} for `{}` of `{}`, recomputed {}{}{unit}",
                quoted(&entry.as_written),
                entry.figure,
                entry.subject,
                figure.beside(&entry.as_written),
                before_rounding(figure)
            );
            let problem = Diagnostic::new(&rules::FIGURE_STATED, item.prose().location(&pointer), message);
            report.push(
                problem
                    .pointer(&pointer)
                    .stated(&entry.as_written)
                    .help("correct the number, or acknowledge it by name with the reason so that both are shown"),
            );
        }
        let in_words =
            written::number_word(&entry.as_written).filter(|_| written::numbers(&entry.as_written).is_empty());
        if let Some(word) = in_words.filter(|_| figure.quantity().is_some()) {
            let message = format!("the number `{word}` is in words, and so is not checked");
            let problem = Diagnostic::new(&rules::CLAIM_IN_WORDS, item.prose().location(&pointer), message);
            report.push(problem.pointer(&pointer).help("write it in digits"));
        }
        figure.stated.push(Stated { as_written: entry.as_written.clone(), agreement, pointer });
    }
}

impl Figure {
    /// What the words for a change mean of it. What a note compares is named by its subject alone: `fp8.ttft_mean`.
    pub fn sense(&self) -> Sense {
        let sense = self.formula.sense();
        let name = self.subject.rsplit_once('.').filter(|_| self.formula.id.starts_with("value_"));
        let Some((_, name)) = name else { return sense };
        let better = metric::better_by_name(name);
        Sense { better: if sense.way == Way::Falls { better.reversed() } else { better }, ..sense }
    }

    /// Its value as pages print it, and in the unit of a statement of its size where that is another.
    pub fn beside(&self, wording: &str) -> String {
        let own = self.shown();
        let in_its_unit = |quantity| {
            let numbers = written::numbers(wording);
            numbers.iter().find_map(|number| number.size_in_its_unit(self.formula.unit, quantity))
        };
        match self.quantity().and_then(in_its_unit) {
            Some(other) if other != own => format!("{own} ({other})"),
            _ => own,
        }
    }
}

/// The digits that rounding takes away, which a statement of more digits is held against.
fn before_rounding(figure: &Figure) -> String {
    let Some(quantity) = figure.quantity() else { return String::new() };
    let digits = plain(quantity);
    let shown = figure.formula.unit.digits(quantity);
    let without_zeros = if shown.contains('.') { shown.trim_end_matches('0').trim_end_matches('.') } else { &shown };
    if without_zeros.ends_with(&digits) { String::new() } else { format!(" ({digits} before rounding)") }
}

fn unknown(position: usize, entry: &StatedFigure, figures: &[Figure], item: &Item, report: &mut Report) {
    if item.sharing(&entry.subject).is_some() {
        // What names no config is said of its first use.
        let before = item.stated()[..position].iter().any(|other| other.subject == entry.subject);
        let of_baseline = item.audit().is_some_and(|audit| audit.baseline.as_ref() == Some(&entry.subject));
        if !before && !of_baseline {
            report.push(catalog::shared(item, &entry.subject, &format!("/stated/{position}/subject")));
        }
        return;
    }
    let known_subject = figures.iter().any(|figure| figure.subject == entry.subject);
    let pointer = format!("/stated/{position}/{}", if known_subject { "figure" } else { "subject" });
    let here: Vec<_> = figures.iter().map(|figure| figure.anchor()).collect();
    let wanted = format!("{}/{}", entry.subject, entry.figure);
    let mut problem = Diagnostic::new(
        &rules::FIGURE_UNKNOWN,
        item.prose().location(&pointer),
        format!("no figure `{}` for `{}`", printable(&entry.figure), printable(&entry.subject)),
    )
    .pointer(pointer);
    if let Some(nearest) = nearest(&wanted, here.iter().map(String::as_str)) {
        problem = problem.help(format!("did you mean `{nearest}`?"));
    }
    report.push(problem);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::Computed;
    use crate::figures::sheet::missing;
    use crate::formula::Formula;
    use crate::formula::capacity::GAIN_SHARE_PCT;
    use crate::formula::card::FITS_CARD;
    use crate::formula::cost::USD_PER_MTOK_OUTPUT;
    use crate::formula::memory::{KV_GIB_AT_CONTEXT, KV_RATIO};

    #[test]
    fn words_that_say_the_opposite_of_a_verdict_differ() {
        for (wording, verdict, differs) in [
            ("fits", "does not fit", true),
            ("does not fit in 32 GB", "fits", true),
            ("fits", "KV alone fits", false),
            ("bound by TTFT", "TPOT", true),
            ("bound by TPOT", "TPOT", false),
            ("tight", "does not fit", false),
        ] {
            assert_eq!(contradicts(wording, verdict), differs, "{wording} against {verdict}");
        }
    }

    #[test]
    fn a_wording_is_held_against_its_figure() {
        use Agreement::{Agrees, AgreesRounded, Differs, DiffersInUnit, NotCheckable};
        let number = |formula: &'static Formula, quantity| {
            let computed = Computed { value: FigureValue::Quantity(quantity), inputs: Vec::new() };
            Figure { outcome: Ok(computed), ..missing(formula, "a", "no reason") }
        };
        let fits = FigureValue::Verdict("does not fit");
        let fits = Figure { outcome: Ok(Computed { value: fits, inputs: Vec::new() }), ..missing(&FITS_CARD, "a", "") };
        let not = |reason: &str| NotCheckable(reason.to_owned());
        let (exact, about) = (Quantity::exact, Quantity::about);
        for (wording, figure, expected) in [
            ("does not fit", &fits, Agrees),
            ("It Does Not Fit.", &fits, Agrees),
            ("fits", &fits, Differs),
            ("tight", &fits, not("the figure is a verdict in words")),
            ("4x", &number(&KV_RATIO, exact(4.02)), Agrees),
            ("4x", &number(&KV_RATIO, exact(3.56)), AgreesRounded),
            ("4x and 4.0x", &number(&KV_RATIO, exact(4.0)), Agrees),
            ("5x", &number(&KV_RATIO, exact(3.56)), Differs),
            // Only a ratio is rounded to one digit and meant so.
            ("4%", &number(&GAIN_SHARE_PCT, exact(3.56)), Agrees),
            ("a lot", &number(&KV_RATIO, exact(4.0)), not("its wording holds no number")),
            ("4.0 GB", &number(&KV_GIB_AT_CONTEXT, exact(4.0)), DiffersInUnit),
            ("4.0 GB, 4 GiB", &number(&KV_GIB_AT_CONTEXT, exact(4.0)), DiffersInUnit),
            ("4.0 GB, 5 GiB", &number(&KV_GIB_AT_CONTEXT, exact(4.0)), Differs),
            ("4.3 GB", &number(&KV_GIB_AT_CONTEXT, exact(4.0)), Agrees),
            ("5 GiB", &number(&KV_GIB_AT_CONTEXT, about(4.0)), not("recomputed ~4.00 GiB from approximate numbers")),
            ("3 GiB", &number(&KV_GIB_AT_CONTEXT, about(4.0)), not("recomputed ~4.00 GiB from approximate numbers")),
            ("6 GiB", &number(&KV_GIB_AT_CONTEXT, about(4.0)), Differs),
            ("2 GiB", &number(&KV_GIB_AT_CONTEXT, about(4.0)), Differs),
            ("5 GiB", &number(&KV_GIB_AT_CONTEXT, exact(4.0)), Differs),
            ("5 GiB", &missing(&KV_GIB_AT_CONTEXT, "a", "`context` is not stated"), not("context is not stated")),
        ] {
            assert_eq!(Agreement::of(wording, figure), expected, "{wording} against {}", figure.shown());
        }
    }

    #[test]
    fn a_size_stands_in_the_unit_of_its_statement_too() {
        let computed = Computed { value: FigureValue::Quantity(Quantity::exact(4.0)), inputs: Vec::new() };
        let size = Figure { outcome: Ok(computed), ..missing(&KV_GIB_AT_CONTEXT, "a", "no reason") };
        for (wording, beside) in [
            ("4.3 GB", "4.00 GiB (4.29 GB)"),
            ("4 GiB", "4.00 GiB"),
            ("about 4,096 MiB of it", "4.00 GiB (4,096 MiB)"),
            ("four", "4.00 GiB"),
        ] {
            assert_eq!(size.beside(wording), beside);
        }
        assert_eq!(before_rounding(&size), "");
        let computed = Computed { value: FigureValue::Quantity(Quantity::exact(0.28926)), inputs: Vec::new() };
        let cost = Figure { outcome: Ok(computed), ..missing(&USD_PER_MTOK_OUTPUT, "a", "no reason") };
        assert_eq!(before_rounding(&cost), " (0.28926 before rounding)");
    }

    #[test]
    fn the_baseline_has_changed_by_nothing() {
        let is_baseline = || Agreement::NotCheckable(IS_BASELINE.to_owned());
        for (wording, unit, agreement) in [
            ("+12%", Unit::PercentChange, Agreement::Differs),
            ("0%", Unit::PercentChange, Agreement::Agrees),
            ("baseline", Unit::PercentChange, is_baseline()),
            ("1x", Unit::Ratio, Agreement::Agrees),
            ("1.2x", Unit::Ratio, Agreement::Differs),
            ("12 req/s", Unit::RequestsPerSecond, is_baseline()),
        ] {
            assert_eq!(Agreement::of_baseline(wording, unit), agreement, "{wording}");
        }
    }
}
