//! Counts the tokens that the masks of a format allow, state by state.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use always_assert::never;
use ogc_compiler::pipeline::{self, Format};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::{MaskPack, PackReport, StateWidth};

use super::place::{At, at};
use crate::args::Report;
use crate::commands::origin::origin;
use crate::problem::Problem;
use crate::session::Session;

/// Number of states shown with the fewest tokens, and with the most.
const SHOWN: usize = 8;

/// The masks for one vocabulary.
pub(super) struct Masks {
    pub(super) vocabulary: String,
    pub(super) tokens: usize,
    pub(super) load: Duration,
    pub(super) build: Duration,
    pub(super) report: PackReport,
    /// Ranges of token counts, each with the number of states in it.
    pub(super) histogram: Vec<(String, usize)>,
    pub(super) narrowest: Vec<Width>,
    pub(super) widest: Vec<Width>,
}

/// A state, and the number of tokens that its mask allows.
pub(super) struct Width {
    pub(super) state: u32,
    pub(super) rule: String,
    pub(super) least: usize,
    pub(super) most: usize,
    pub(super) at: Option<At>,
}

/// Builds the masks of a format and counts their tokens.
pub(super) fn measure(
    session: &Session,
    format: &Format,
    args: &Report,
    automaton: &Automaton,
) -> Result<(Masks, Arc<MaskPack>), Problem> {
    let begin = Instant::now();
    let input = session.vocabulary(args.vocab.as_deref(), format.file)?;
    let load = begin.elapsed();
    let pack = pipeline::masks(&session.db, format.clone(), input)
        .map_err(|error| Problem::Engine { path: args.file.clone(), message: error.to_string() })?;
    let Some(pack) = pack else {
        never!("{} has an automaton and no masks", args.file.display());
        return Err(Problem::Engine { path: args.file.clone(), message: "the format has no masks".to_owned() });
    };
    let build = pack.build_time().unwrap_or_default();
    let store = input.store(&session.db);
    let vocabulary = store.vocabulary();
    let mut widths = pack.widths();
    let histogram = histogram(&widths, vocabulary.len());
    let shown = |widths: &mut dyn Iterator<Item = &StateWidth>| distinct(session, format, automaton, widths);
    widths.sort_by_key(|width| (width.least, width.state));
    let narrowest = shown(&mut widths.iter().filter(|width| width.least > 0));
    widths.sort_by_key(|width| (std::cmp::Reverse(width.most), width.state));
    let widest = shown(&mut widths.iter());
    let (name, tokens) = (vocabulary.name().to_owned(), vocabulary.len());
    let report = pack.report();
    Ok((Masks { vocabulary: name, tokens, load, build, report, histogram, narrowest, widest }, pack))
}

/// Returns the first states, at most one for each place in the source.
fn distinct(
    session: &Session,
    format: &Format,
    automaton: &Automaton,
    widths: &mut dyn Iterator<Item = &StateWidth>,
) -> Vec<Width> {
    let mut seen = BTreeSet::new();
    let mut shown = Vec::new();
    for width in widths {
        let rule = automaton.rule_of(width.state);
        let at = at(session, format, origin(automaton, width.state));
        if seen.insert((rule.name.clone(), at.clone())) {
            let (state, rule) = (width.state.0, rule.name.clone());
            shown.push(Width { state, rule, least: width.least, most: width.most, at });
        }
        if shown.len() == SHOWN {
            break;
        }
    }
    shown
}

/// Counts states by the number of allowed tokens, in ranges that grow tenfold.
fn histogram(widths: &[StateWidth], tokens: usize) -> Vec<(String, usize)> {
    let mut ranges = vec![(0, 0), (1, 1), (2, 9)];
    let mut least = 10;
    while least <= tokens {
        ranges.push((least, least * 10 - 1));
        least *= 10;
    }
    let count = |least, most| widths.iter().filter(|width| (least..=most).contains(&width.most)).count();
    let mut bars: Vec<(String, usize)> =
        ranges.into_iter().map(|(least, most)| (words(least, most.min(tokens)), count(least, most))).collect();
    let empty = bars.iter().rev().take_while(|(_, count)| *count == 0).count();
    bars.truncate(bars.len() - empty);
    bars
}

fn words(least: usize, most: usize) -> String {
    if least == most { grouped(least) } else { format!("{} – {}", grouped(least), grouped(most)) }
}

/// Formats a number with thousands separators.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use ogc_runtime::automaton::StateId;

    use super::*;

    #[test]
    fn the_histogram_of_states_has_powers_of_ten_as_bins() {
        let width = |most| StateWidth { state: StateId(0), least: 0, most };
        let bars = histogram(&[width(0), width(1), width(12), width(99)], 200_000);
        let bars: Vec<(&str, usize)> = bars.iter().map(|(words, count)| (words.as_str(), *count)).collect();
        assert_eq!(bars, [("0", 1), ("1", 1), ("2 – 9", 0), ("10 – 99", 2)]);
        assert_eq!((grouped(1), grouped(1_234), grouped(1_234_567)), ("1".into(), "1,234".into(), "1,234,567".into()));
    }
}
