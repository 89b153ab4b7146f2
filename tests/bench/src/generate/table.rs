//! Writes the tables of the bench of generation.

use std::fmt::Write;
use std::time::Duration;

use ogc_generate::Statistics;

use super::tasks::Spelling;
use super::{Arm, Measured};

/// Writes a line for each task: the effect of jumps.
pub(super) fn by_task(measured: &[Measured]) -> String {
    let mut out = format!(
        "{:<34}{:<11}{:>7}{:>8}{:>8}{:>10}{:>10}{:>8}\n",
        "format", "escapes", "tokens", "forced", "passes", "t/s off", "t/s on", "on/off"
    );
    for Measured { task, work: [_, off, on, _] } in measured {
        let (slow, fast) = (off.tokens_per_second(), on.tokens_per_second());
        let name: String = task.name.chars().take(32).collect();
        let _ = writeln!(
            out,
            "{name:<34}{:<11}{:>7}{:>8}{:>8}{slow:>10.1}{fast:>10.1}{:>8.2}",
            task.spelling.name(),
            on.tokens,
            on.forced,
            on.passes,
            fast / slow.max(1e-9)
        );
    }
    out
}

/// Writes a line for each arm and each way to escape: sums, and the median of the texts' tokens a second.
pub(super) fn by_arm(measured: &[Measured]) -> String {
    let mut out = format!(
        "{:<13}{:<11}{:>6}{:>8}{:>13}{:>8}{:>12}{:>9}{:>9}{:>9}{:>11}\n",
        "arm",
        "escapes",
        "texts",
        "tokens",
        "passes/token",
        "t/s",
        "ms a pass",
        "forced",
        "guessed",
        "masks",
        "us a mask"
    );
    for arm in Arm::ALL {
        for spelling in Spelling::ALL {
            let work = measured.iter().filter(|one| one.task.spelling == spelling);
            let work: Vec<Statistics> = work.map(|one| one.work[arm as usize]).collect();
            let _ = writeln!(out, "{:<13}{:<11}{}", arm.name(), spelling.name(), line(&work));
        }
    }
    out
}

fn line(work: &[Statistics]) -> String {
    let sum = |of: fn(&Statistics) -> usize| work.iter().map(of).sum::<usize>();
    let time = |of: fn(&Statistics) -> Duration| work.iter().map(of).sum::<Duration>().as_secs_f64();
    let (tokens, passes) = (sum(|one| one.tokens), sum(|one| one.passes));
    let masks = time(|one| one.mask_time);
    let model = time(|one| one.model_time);
    let all = masks + model + time(|one| one.choice_time);
    let mut rates: Vec<f64> = work.iter().map(Statistics::tokens_per_second).collect();
    rates.sort_unstable_by(f64::total_cmp);
    format!(
        "{:>6}{tokens:>8}{:>13.2}{:>8.1}{:>12.2}{:>8.1}%{:>8.1}%{:>8.2}%{:>11.1}",
        work.len(),
        passes as f64 / tokens.max(1) as f64,
        rates.get(rates.len() / 2).copied().unwrap_or_default(),
        1e3 * model / passes.max(1) as f64,
        100.0 * sum(|one| one.forced) as f64 / tokens.max(1) as f64,
        100.0 * sum(|one| one.guessed) as f64 / tokens.max(1) as f64,
        100.0 * masks / all.max(1e-9),
        1e6 * masks / tokens.max(1) as f64,
    )
}
