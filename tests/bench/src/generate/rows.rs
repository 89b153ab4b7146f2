//! Measures passes of a model over several rows.

use std::fmt::Write;
use std::time::{Duration, Instant};

use ogc_generate::LoadedModel;
use ogc_runtime::vocabulary::TokenId;

/// The numbers of rows.
const ROWS: [usize; 6] = [1, 2, 4, 8, 16, 32];

/// The tokens before the measured passes.
const CONTEXT: usize = 64;

/// The passes of each number of rows; the median counts.
const PASSES: usize = 15;

/// Writes a table: for each number of rows, the time of a pass, the time for each row, and the number of passes over
/// one row that take as long. A draft of `n` tokens takes a pass over `n + 1` rows, and is worth it if more of its
/// tokens are kept than the last column says.
pub(super) fn table(loaded: &LoadedModel) -> Result<String, String> {
    let mut out =
        format!("{:>4}{:>12}{:>12}{:>12}{:>14}\n", "rows", "ms a pass", "ms a row", "of one row", "tokens to pay");
    let mut times = [const { Vec::new() }; ROWS.len()];
    let mut cache = loaded.model.cache(CONTEXT + ROWS[ROWS.len() - 1]);
    let tokens: Vec<TokenId> = (0..).map(|at| TokenId(1_000 + at)).take(CONTEXT).collect();
    forward(loaded, &mut cache, &tokens, 1)?;
    // The numbers of rows take turns, so that other work of the machine affects all of them alike.
    for _ in 0..PASSES {
        for (rows, times) in ROWS.iter().zip(&mut times) {
            let begin = Instant::now();
            forward(loaded, &mut cache, &tokens[..*rows], *rows)?;
            times.push(begin.elapsed());
            cache.truncate(CONTEXT);
        }
    }
    let one = median(&mut times[0]);
    for (rows, times) in ROWS.iter().zip(&mut times) {
        let time = median(times);
        let ratio = time.as_secs_f64() / one.as_secs_f64().max(1e-9);
        let ms = time.as_secs_f64() * 1e3;
        let _ = writeln!(out, "{rows:>4}{ms:>12.2}{:>12.2}{ratio:>12.2}{:>14.2}", ms / *rows as f64, ratio - 1.0);
    }
    Ok(out)
}

fn forward(
    loaded: &LoadedModel,
    cache: &mut ogc_generate::Cache,
    tokens: &[TokenId],
    rows: usize,
) -> Result<(), String> {
    let logits = loaded.model.forward(cache, tokens, rows).map_err(|error| error.to_string())?;
    std::hint::black_box(logits);
    Ok(())
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
