//! Small logs, made up, and the power that runs get from them.

use super::*;

fn addition(text: &str) -> Addition {
    let file = Foreign::of("power.csv", text);
    assert!(PowerLog.recognises(&file), "{text}");
    PowerLog.read(&file, &mut Report::new()).expect("it is a log").additions.remove(0)
}

/// A log of `seconds` at 300 and 200 W, GPUs 0 and 1, from 12:00:00 on; GPU 2 is idle. The lead-in draws 50 W.
fn log(seconds: u32, lead_in: u32) -> String {
    let mut text = "timestamp, index, power.draw [W], utilization.gpu [%]\n".to_owned();
    for second in 0..seconds {
        for (gpu, watts) in [(0, 300), (1, 200), (2, 70)] {
            let busy = gpu < 2 && second >= lead_in;
            let (watts, percent) = if busy { (watts, 98) } else { (50, 0) };
            text.push_str(&format!("2026/06/10 12:00:{second:02}.000, {gpu}, {watts}.50 W, {percent} %\n"));
        }
    }
    text
}

/// 2026-06-10 12:00:00 UTC.
const NOON: f64 = 1_781_092_800.0;

fn run(start: f64, end: f64) -> Measured {
    Measured { window_unix_s: Some((start, end)), duration_s: Some(end - start), ..Measured::default() }
}

#[test]
fn a_log_is_cut_to_the_window_and_to_the_gpus_that_worked() {
    let mut run = run(NOON + 20.2, NOON + 39.7);
    assert!((addition(&log(50, 10)).join)(&mut run));
    let power = run.power.expect("it has power");
    assert!((power.kw - 0.501).abs() < 1e-9, "{power:?}");
    assert_eq!((power.kind, power.sampling_hz, run.subject.gpus), (PowerKind::Board, Some(1.0), Some(2)));
    assert_eq!(power.window.as_deref(), Some("the run's own window, with the log's clock as UTC; 19 readings a GPU"));
    assert!(
        run.remarks.contains("power is that of the GPUs that worked, 0, 1 of the 3 in the log"),
        "{:?}",
        run.remarks
    );
}

#[test]
fn start_and_end_of_a_log_are_no_part_of_the_mean() {
    let mut text = "timestamp, index, power.draw [W]\n".to_owned();
    for second in 0..240 {
        let watts = if second < 60 {
            120
        } else if second < 180 {
            720
        } else {
            300
        };
        text.push_str(&format!("2026/06/10 12:{:02}:{:02}.000, 0, {watts} W\n", second / 60, second % 60));
    }
    let mut run = run(NOON + 60.0, NOON + 179.0);
    assert!((addition(&text).join)(&mut run));
    let power = run.power.expect("it has power");
    assert!((power.kw - 0.720).abs() < 1e-9, "{power:?}");
    assert!(power.window.is_some_and(|window| window.starts_with("the run's own window")));
}

#[test]
fn a_clock_of_another_zone_is_the_one_at_which_the_log_holds_the_run() {
    let mut east = run(NOON + 20.0 - 3.5 * 3600.0, NOON + 30.0 - 3.5 * 3600.0);
    assert!((addition(&log(50, 10)).join)(&mut east));
    assert!(east.power.and_then(|power| power.window).is_some_and(|window| window.contains("UTC+3.5")));
    let mut other_day = run(NOON + 86_400.0 * 3.0, NOON + 86_400.0 * 3.0 + 10.0);
    assert!(!(addition(&log(50, 10)).join)(&mut other_day));
    assert_eq!(other_day, run(NOON + 86_400.0 * 3.0, NOON + 86_400.0 * 3.0 + 10.0));
}

#[test]
fn without_a_window_the_busy_part_must_be_as_long_as_the_run() {
    let elapsed = "elapsed_s,power_w,temp_c,gpu_util\n10,15,60,0\n20,45,60,96\n30,25,60,0\n40,44,60,96\n50,15,60,0\n";
    for (duration, joined) in [(30.0, true), (45.0, true), (70.0, false), (5.0, false)] {
        let mut run = Measured { duration_s: Some(duration), ..Measured::default() };
        assert_eq!((addition(elapsed).join)(&mut run), joined, "{duration}");
        // What lies between counts, though nothing was done in it.
        assert_eq!(run.power.map(|power| (power.kw * 1e3).round()), joined.then_some(38.0));
        assert_eq!(run.subject.gpus, joined.then_some(1));
    }
    let mut no_duration = Measured::default();
    assert!(!(addition(elapsed).join)(&mut no_duration));
    let mut failed = Measured { duration_s: Some(30.0), failed: Some("it did".to_owned()), ..Measured::default() };
    assert!(!(addition(elapsed).join)(&mut failed));
}

#[test]
fn units_may_be_absent_or_milliwatts_and_values_missing() {
    let text = "timestamp, index, name, power.draw\n2026/06/10 12:00:01.000, 0, Test card, 250000\n\
                2026/06/10 12:00:02.000, 0, Test card, [N/A]\n2026/06/10 12:00:03.000, 0, Test card, 251000.0\n2026/06/10 12";
    let mut run = run(NOON + 1.0, NOON + 3.0);
    assert!((addition(text).join)(&mut run));
    assert_eq!(
        (run.power.map(|power| power.kw), run.subject.accelerator.as_deref()),
        (Some(0.2505), Some("Test card"))
    );
    assert!(run.remarks.contains("the power log has no utilization: all its GPUs count, 1"), "{:?}", run.remarks);
}

#[test]
fn a_log_that_says_nothing_is_refused() {
    let head = "timestamp, index, power.draw [W]\n";
    for (rows, message) in [
        ("", "the log has no readings at two times"),
        ("2026/06/10 12:00:01.000, 0, 5 W\n", "the log has no readings at two times"),
        ("2026/06/10 12:00:01.000, 0, -5 W\n2026/06/10 12:00:02.000, 0, 5 W\n", "the log has a power of -5 W"),
    ] {
        let mut report = Report::new();
        assert!(PowerLog.read(&Foreign::of("a.csv", format!("{head}{rows}")), &mut report).is_none());
        assert_eq!(report.diagnostics().map(|one| one.message.as_str()).collect::<Vec<_>>(), [message]);
    }
    assert!(!PowerLog.recognises(&Foreign::of("a.csv", "index, power.draw [W]\n0, 5 W\n")));
}
