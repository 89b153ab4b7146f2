//! Budgets: every construction of this crate that can explode stops at a stated number instead.

/// A construction needed more than it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{what}: {given} is over the limit of {limit}")]
pub struct LimitError {
    /// What was counted, in words ("states of a product").
    pub what: &'static str,
    /// How many there were when the construction stopped; the whole may need more.
    pub given: usize,
    /// How many were allowed.
    pub limit: usize,
}

/// The budgets of one compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// States of any one deterministic automaton, intermediate ones included. 100,000 are some tens of milliseconds.
    pub states: usize,
    /// Instructions of any one nondeterministic program (counted repetition is written out).
    pub instructions: usize,
    /// Nesting of groups and lookarounds in a pattern.
    pub depth: usize,
    /// Steps of determinisation: members of all state sets together. Ten million are about a second.
    pub work: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { states: 100_000, instructions: 200_000, depth: 100, work: 10_000_000 }
    }
}

/// Refuses `given` over `limit`.
pub(crate) fn check(what: &'static str, given: usize, limit: usize) -> Result<(), LimitError> {
    if given > limit { Err(LimitError { what, given, limit }) } else { Ok(()) }
}
