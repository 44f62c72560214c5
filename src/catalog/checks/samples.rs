//! Samples too small for what is said of them: percentiles of few requests, thresholds on few questions.

use super::as_written;
use crate::diagnostic::{Diagnostic, Report, rules};
use crate::metric::{self, Latency};
use crate::quantity::{Unit, plain};
use crate::record::accuracy::{Gates, Threshold};
use crate::record::sweep::Sweep;
use crate::record::{Audit, Run};
use crate::schema::Document;

/// Percentiles over too few requests, and accuracy thresholds that no suite of that size can see.
pub fn small_samples(run: &Run, document: &Document, report: &mut Report) {
    for (position, config) in run.configs.iter().enumerate() {
        for name in config.latencies.keys().filter(|name| config.latency_ms(name).is_some()) {
            let Some(words) = config.too_few_requests(name) else { continue };
            let pointer = format!("/configs/{position}/{name}");
            let message = format!("`{}`: {words}", config.label);
            report.push(
                Diagnostic::new(&rules::LATENCY_SMALL_SAMPLE, document.location(&pointer), message)
                    .pointer(pointer)
                    .help("measure more requests, or publish a percentile that so many can carry"),
            );
        }
    }
    of_steps(&run.sweeps(), document, report);
    accuracy(&run.gates(), document, report);
}

fn accuracy(gates: &Gates, document: &Document, report: &mut Report) {
    thresholds(gates, document, report);
    scores(gates, document, report);
    of_no_suite(gates, document, report);
}

/// Scores of what is said not to have run.
fn of_no_suite(gates: &Gates, document: &Document, report: &mut Report) {
    for pointer in gates.of_no_suite() {
        let message = "a score, and `suite` says that none ran";
        let problem = Diagnostic::new(&rules::ACCURACY_NONE, document.location(&pointer), message);
        report.push(problem.pointer(pointer).help("name the suite that the score is of, or leave the score out"));
    }
}

/// Scores that no whole number of right answers gives at the precision they are stated with.
fn scores(gates: &Gates, document: &Document, report: &mut Report) {
    for (pointer, score, questions) in gates.scores() {
        let right = as_written(document, &pointer, score.into()) * questions / 100.0;
        if right.low().ceil() <= right.high() {
            continue;
        }
        let answers = plain((score * questions / 100.0).into());
        let message = format!("{} of {questions} questions is {answers} answers", Unit::Percent.show(score.into()));
        let warning = Diagnostic::new(&rules::ACCURACY_SCORE, document.location(&pointer), message);
        let help = "correct the score or the questions, or say in the curator's note how parts of answers count";
        report.push(warning.pointer(pointer).help(help));
    }
}

/// Thresholds finer than one question; a threshold against one number of questions is named once.
fn thresholds(gates: &Gates, document: &Document, report: &mut Report) {
    let mut said = Vec::new();
    for Threshold { points: (pointer, points), questions: (in_questions, questions) } in gates.thresholds() {
        let one = (pointer.clone(), points, questions);
        if questions <= 0.0 || points >= 100.0 / questions || said.contains(&one) {
            continue;
        }
        said.push(one);
        let message = format!(
            "a threshold of {points} points against {questions} questions: one question is {} points",
            plain((100.0 / questions).into())
        );
        let mut warning = Diagnostic::new(&rules::ACCURACY_THRESHOLD, document.location(&pointer), message);
        if let Some(span) = document.spans.value(&in_questions) {
            warning = warning.related(span, "the questions");
        }
        report.push(warning.pointer(pointer).help("ask more questions, or allow at least one"));
    }
}

/// Percentiles of an audit's SLO over too few requests a rate.
pub fn small_samples_of_audit(audit: &Audit, document: &Document, report: &mut Report) {
    accuracy(&audit.gates(), document, report);
    let pointer = "/workload/requests_per_rate";
    let mut said = false;
    for name in audit.slo.keys() {
        let least = Latency::parse(name).and_then(|latency| latency.least_requests());
        let (Some(least), Some(requests)) = (least, audit.workload.requests_per_rate) else { continue };
        if requests < least {
            let message = format!("{} of {requests} requests a rate, fewer than {least}", metric::heading(name));
            let problem = Diagnostic::new(&rules::LATENCY_SMALL_SAMPLE, document.location(pointer), message);
            report.push(
                problem.pointer(pointer).help("send more requests, or limit a percentile that so many can carry"),
            );
            said = true;
        }
    }
    if !said {
        of_steps(&audit.sweeps(), document, report);
    }
}

/// Percentiles of the step that a capacity rests on.
fn of_steps(sweeps: &[Sweep], document: &Document, report: &mut Report) {
    for step in sweeps.iter().filter_map(Sweep::last_passing) {
        for (name, (_, path)) in &step.latencies {
            let Some(words) = step.too_few_requests(name) else { continue };
            let pointer = format!("{}/{path}", step.pointer);
            let message = format!("the highest load that passed: {words}");
            let problem = Diagnostic::new(&rules::LATENCY_SMALL_SAMPLE, document.location(&pointer), message);
            report.push(
                problem.pointer(pointer).help("send more requests, or publish a percentile that so many can carry"),
            );
        }
    }
}
