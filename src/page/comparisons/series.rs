//! Results in series, wherever a table of them is cut.

use std::ops::Range;

/// Results that are held against one of them, below what they are alike in.
#[derive(Debug)]
pub struct Series {
    pub heading: String,
    /// What the others are held against, where that is known.
    pub baseline: Option<usize>,
    /// Those that have a row of their own: the baseline first, if it has it here.
    pub members: Vec<usize>,
}

/// What stands in a row.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<'a> {
    Heading(&'a str),
    /// The baseline of the results below, whose own row is elsewhere.
    Again(usize),
    /// A result, and what it is held against.
    Of(Option<usize>, usize),
}

impl Series {
    pub fn against_first(heading: String, members: Vec<usize>) -> Self {
        Series { heading, baseline: members.first().copied(), members }
    }
}

/// Results that have a row of their own.
pub fn count(series: &[Series]) -> usize {
    series.iter().map(|series| series.members.len()).sum()
}

/// The rows of some of the results. No result stands without its baseline: where a series goes on, that is said again.
pub fn lines(series: &[Series], range: Range<usize>) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut before = 0;
    for Series { heading, baseline, members } in series {
        let within = |at: usize| at.clamp(before, before + members.len()) - before;
        let own = &members[within(range.start)..within(range.end)];
        before += members.len();
        let Some(first) = own.first() else { continue };
        lines.extend((!heading.is_empty()).then_some(Line::Heading(heading)));
        lines.extend(baseline.filter(|baseline| baseline != first).map(Line::Again));
        lines.extend(own.iter().map(|member| Line::Of(*baseline, *member)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_that_goes_on_begins_with_its_baseline() {
        let of = |heading: &str, members: Range<usize>| Series::against_first(heading.to_owned(), members.collect());
        let series = [of("a", 0..4), of("b", 4..6), Series { baseline: Some(0), ..of("", 6..7) }];
        assert_eq!(count(&series), 7);
        let (a, b) = (Some(0), Some(4));
        assert_eq!(lines(&series, 0..2), [Line::Heading("a"), Line::Of(a, 0), Line::Of(a, 1)]);
        assert_eq!(
            lines(&series, 2..5),
            [Line::Heading("a"), Line::Again(0), Line::Of(a, 2), Line::Of(a, 3), Line::Heading("b"), Line::Of(b, 4)]
        );
        assert_eq!(
            lines(&series, 5..7),
            [Line::Heading("b"), Line::Again(4), Line::Of(b, 5), Line::Again(0), Line::Of(a, 6)]
        );
        let alone = [Series { baseline: None, ..of("", 7..8) }];
        assert_eq!(lines(&alone, 0..1), [Line::Of(None, 7)]);
        assert_eq!(lines(&alone, 1..1), []);
    }
}
