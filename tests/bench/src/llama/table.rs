//! Writes the table of the bench of samplers.

use std::fmt::Write;
use std::time::Duration;

use super::Arm;
use super::write::Work;

/// Writes a line for each arm, in milliseconds a token; `compiling` is the time that ogc took to compile this many
/// formats.
pub(super) fn render(work: &[Work; Arm::ALL.len()], formats: usize, compiling: Duration) -> String {
    let mut out = format!(
        "{:<25}{:>6}{:>7}{:>9}{:>8}{:>9}{:>10}{:>10}{:>10}{:>8}{:>10}{:>16}\n",
        "arm",
        "texts",
        "valid",
        "cut off",
        "tokens",
        "refused",
        "model",
        "choosing",
        "sampler",
        "share",
        "slowest",
        "making, a text"
    );
    for (arm, work) in Arm::ALL.iter().zip(work) {
        let each = |time: Duration| time.as_secs_f64() * 1e3 / f64::from(work.tokens.max(1));
        let all = (work.model + work.choosing + work.sampler).as_secs_f64();
        let _ = writeln!(
            out,
            "{:<25}{:>6}{:>7}{:>9}{:>8}{:>9}{:>10.3}{:>10.3}{:>10.4}{:>7.2}%{:>10.2}{:>16.3}",
            arm.name(),
            work.texts,
            work.valid,
            work.cut_off,
            work.tokens,
            work.refused,
            each(work.model),
            each(work.choosing),
            each(work.sampler),
            100.0 * work.sampler.as_secs_f64() / all.max(1e-9),
            work.slowest.as_secs_f64() * 1e3,
            work.making.as_secs_f64() * 1e3 / f64::from(work.texts.max(1)),
        );
    }
    let compiling = compiling.as_secs_f64() * 1e3;
    let _ = writeln!(out, "ogc compiled {formats} formats in {compiling:.1} ms; masks were made at their first use");
    out
}
