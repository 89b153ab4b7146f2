//! Limits on the sizes of automata: every construction of this crate that can explode stops at a stated number.

/// An error: a construction needed more than it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{what}: {given} is over the limit of {limit}")]
pub struct LimitError {
    /// The kind of thing that was counted ("states of a product").
    pub what: &'static str,
    /// The number when the construction stopped; the whole may need more.
    pub given: usize,
    /// The number that was allowed.
    pub limit: usize,
}

/// The limits of one compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The most states of any one deterministic automaton, intermediate ones included.
    pub states: usize,
    /// The most instructions of any one nondeterministic program (counted repetition is written out).
    pub instructions: usize,
    /// The most levels of groups and lookarounds in a pattern.
    pub depth: usize,
    /// The most steps of determinisation: members of all state sets together. Ten million are about a second.
    pub work: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { states: 100_000, instructions: 200_000, depth: 100, work: 10_000_000 }
    }
}

/// Returns an error if `given` is over `limit`.
pub(crate) fn check(what: &'static str, given: usize, limit: usize) -> Result<(), LimitError> {
    if given > limit { Err(LimitError { what, given, limit }) } else { Ok(()) }
}
