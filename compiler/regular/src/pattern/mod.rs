//! Regular expressions of ECMA-262 with the `u` flag, as exact automata.
//!
//! # Steps
//!
//! 1. [`parse`](parse::parse): text to a tree over sets of characters, without names, captures and greediness.
//! 2. [`program`]: the tree to instructions; counted repetition is written out, and halves of surrogate pairs are joined ([`pairs`]).
//! 3. [`alphabet`]: characters that no set distinguishes become one letter.
//! 4. [`machine`], [`determinize`]: sets of threads become states, lookarounds become obligations and contexts.
//! 5. The table is minimised and only then spelled as bytes, which keeps it minimal.

mod alphabet;
mod ast;
mod class;
mod determinize;
mod empty;
mod error;
mod escape;
mod machine;
mod pairs;
mod parse;
mod program;
mod repetitions;
mod slashes;

pub use ast::Span;
pub use empty::empty_part;
pub use error::{PatternError, PatternErrorKind};
pub use repetitions::{Repetition, repetitions};
pub use slashes::help_for_slashes;

use crate::dfa::Dfa;
use crate::limits::Limits;
use program::Extent;

/// Builds the automaton of the strings in which `pattern` matches somewhere, as JSON Schema's `pattern` does. Minimal.
///
/// # Errors
///
/// The pattern is invalid, means different things to different engines, is not regular, or exceeds the limits.
pub fn compile(pattern: &str, limits: &Limits) -> Result<Dfa, PatternError> {
    build(pattern, Extent::Anywhere, limits)
}

/// Builds the automaton of the strings that `pattern` matches as a whole. Minimal.
///
/// # Errors
///
/// As [`compile`].
pub fn compile_anchored(pattern: &str, limits: &Limits) -> Result<Dfa, PatternError> {
    build(pattern, Extent::Whole, limits)
}

fn build(pattern: &str, extent: Extent, limits: &Limits) -> Result<Dfa, PatternError> {
    let whole = 0..pattern.len();
    let mut parsed = parse::parse(pattern, limits)?;
    let halves = std::mem::take(&mut parsed.halves);
    let mut program = program::write(parsed, extent, limits).map_err(|error| place(error, &whole))?;
    pairs::join(&mut program, &halves, limits.instructions).map_err(|error| place(error, &whole))?;
    let alphabet = alphabet::Alphabet::new(&program.sets);
    let dfa = determinize::determinize(&program, &alphabet, limits)
        .map_err(|limit| PatternErrorKind::Limit(limit).at(whole))?;
    match halves.first() {
        Some(half) if dfa.is_empty() => Err(PatternErrorKind::Unsupported("a lone surrogate").at(half.span.clone())),
        _ => Ok(dfa),
    }
}

/// Gives an error without a position the position of the whole pattern.
fn place(error: PatternError, whole: &Span) -> PatternError {
    if error.span == (0..0) { error.kind.at(whole.clone()) } else { error }
}
