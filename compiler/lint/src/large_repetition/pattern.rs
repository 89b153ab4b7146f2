//! Finds the repetition in a pattern that causes most of its automaton.

use std::ops::Range;

use always_assert::never;
use ogc_regular::pattern::{PatternError, Repetition, repetitions};
use ogc_regular::{Dfa, Limits};

use super::STATES;

/// Repetitions with fewer copies are ignored: they are small themselves, though their bodies may not be.
const COPIES: u32 = 16;

/// Cap on the repetitions of one pattern that are tried, greatest first.
const TRIES: usize = 8;

/// Greatest length of a repetition that is shown whole, in characters; of a longer one only the bounds are shown.
const SHOWN: usize = 24;

/// The repetition of a pattern that causes most of its states, if these are many.
pub(super) struct Worst {
    /// The repetition as it is written, or its bounds.
    pub(super) written: String,
    /// The text that replaces it.
    pub(super) unbounded: String,
    /// The pattern with that replacement.
    pub(super) loosened: String,
    /// The number of copies of its body.
    pub(super) copies: u32,
}

/// A function that compiles patterns: anchored at both ends, or matching anywhere in a text.
pub(super) type Compile = fn(&str, &Limits) -> Result<Dfa, PatternError>;

pub(super) fn worst(pattern: &str, compile: Compile) -> Option<Worst> {
    let limits = Limits::default();
    let mut found = repetitions(pattern, COPIES, &limits).ok().filter(|found| !found.is_empty())?;
    let states = |pattern: &str| compile(pattern, &limits).ok().map(|dfa| dfa.len());
    let most = states(pattern).filter(|states| *states > STATES)?;
    found.sort_by_key(|one| std::cmp::Reverse(one.copies()));
    found.truncate(TRIES);
    let measured = found.iter().filter_map(|one| Some((states(&one.loosened(pattern))?, one)));
    let (least, one) = measured.min_by_key(|(states, _)| *states)?;
    (most.saturating_sub(least) > STATES).then(|| described(pattern, one))
}

fn described(pattern: &str, one: &Repetition) -> Worst {
    let text = |span: Range<usize>| {
        let text = pattern.get(span.clone()).unwrap_or_else(|| {
            never!("{:?} is no part of the pattern {:?}", span, pattern);
            ""
        });
        text.to_owned()
    };
    let (written, unbounded) = match text(one.span.clone()) {
        short if short.chars().count() <= SHOWN => (short, one.unbounded(pattern)),
        _ => (text(one.bounds(pattern)), if one.min == 0 { "*".to_owned() } else { "+".to_owned() }),
    };
    Worst { written, unbounded, loosened: one.loosened(pattern), copies: one.copies() }
}
