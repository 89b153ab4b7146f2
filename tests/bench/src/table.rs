//! Writes the report as a table for people.

use crate::samples::Summary;
use crate::tally::{Report, Slowest};
use std::fmt::Write;

/// Cap on the listed kinds of compile errors, and on the listed wrong verdicts.
const LISTED: usize = 12;

/// Writes the table of one engine.
pub(crate) fn render(report: &Report) -> String {
    let mut out = String::new();
    let percent = |part: usize| 100.0 * part as f64 / report.schemas.max(1) as f64;
    let mut line = |text: String| writeln!(out, "{text}").unwrap_or(());
    line(format!("{} ({}), {}, {}", report.engine, report.mode, report.vocab, report.settings));
    line(format!(
        "  schemas {}: compiled {} ({:.1}%), without a wrong verdict {} ({:.1}%), as labelled in every order {} ({:.1}%)",
        report.schemas,
        report.handled,
        percent(report.handled),
        report.handled_clean,
        percent(report.handled_clean),
        report.handled_strict,
        percent(report.handled_strict)
    ));
    line(format!(
        "  valid: {} accepted, {} refused, {} refused for the order of keys; invalid: {} refused, {} accepted",
        report.valid_accepted,
        report.valid_refused,
        report.valid_refused_for_order,
        report.invalid_refused,
        report.invalid_accepted
    ));
    line(format!(
        "  {:<22}{:>9}{:>11}{:>11}{:>11} {:>11} {:>11} {:>12}",
        "us", "count", "mean", "p50", "p90", "p99", "p99.9", "max"
    ));
    let rows: [(&str, &Summary); 6] = [
        ("first mask", &report.ttfm_us),
        ("start of a sequence", &report.start_us),
        ("step: token, then mask", &report.tbm_us),
        ("copy of a mask", &report.fill_us),
        ("build ahead of time", &report.build_us),
        ("refused schema", &report.refusal_us),
    ];
    rows.iter().filter(|(_, summary)| summary.count > 0).for_each(|(name, summary)| line(row(name, summary)));
    line(format!(
        "  clock {:.3} us a reading; peak of the process {:.0} MB, kept by this engine about {:.0} MB",
        report.timer_us, report.peak_rss_mb, report.kept_rss_mb
    ));
    if !report.notes.is_empty() {
        let notes: Vec<String> = report.notes.iter().map(|(name, sum)| format!("{name} {sum}")).collect();
        line(format!("  sums: {}", notes.join(", ")));
    }
    line(format!("  slowest first masks (us): {}", slowest(&report.slow_first)));
    if !report.slow_build.0.is_empty() {
        line(format!("  slowest builds (us): {}", slowest(&report.slow_build)));
    }
    line("  slowest steps (us):".to_owned());
    report.slow_step.0.iter().for_each(|slow| line(format!("  {:>9.0} {}", slow.us, slow.what)));
    report.incomplete.iter().for_each(|schema| line(format!("  not complete: {schema}")));
    for error in report.compile_error_codes.iter().take(LISTED) {
        let message: String = error.message.chars().take(100).collect();
        line(format!("  {:>5} not compiled: {} ({}: {message})", error.count, error.code, error.first));
    }
    for wrong in report.wrong.iter().take(LISTED) {
        let why: String = wrong.why.chars().take(140).collect();
        line(format!("  wrong: {} test {}: {why}", wrong.id, wrong.test));
    }
    out
}

fn slowest(slowest: &Slowest) -> String {
    let slowest = slowest.0.iter().take(4);
    slowest.map(|slow| format!("{:.0} {}", slow.us, slow.what)).collect::<Vec<_>>().join(", ")
}

fn row(name: &str, summary: &Summary) -> String {
    let Summary { count, mean, p50, p90, p99, p999, max } = summary;
    format!("  {name:<22}{count:>9}{mean:>11.2}{p50:>11.2}{p90:>11.2} {p99:>11.2} {p999:>11.2} {max:>12.1}")
}
