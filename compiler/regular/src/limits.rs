//! Limits on the sizes of automata. Every construction of this crate that can explode stops at a given number.

/// The error of a construction that exceeded a limit.
///
/// All crates of the compiler that depend on this one report limits with this error. `ogc-grammar` and `ogc-runtime` do
/// not depend on it: their own error types have variants for limits, which print the numbers in the same words:
/// `GIVEN; the limit is LIMIT`.
///
/// ```
/// use ogc_regular::LimitError;
/// let error = LimitError { what: "states of a product of automata", given: 11, limit: 10 };
/// assert_eq!(error.to_string(), "states of a product of automata: 11; the limit is 10");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{what}: {given}; the limit is {limit}")]
pub struct LimitError {
    /// Names the things that were counted, as a noun in the plural ("states of a product of automata").
    pub what: &'static str,
    /// The number at which the construction stopped; the whole result may need more.
    pub given: usize,
    /// The number that was allowed.
    pub limit: usize,
}

impl LimitError {
    /// Refuses `given` over `limit`.
    ///
    /// ```
    /// use ogc_regular::LimitError;
    /// assert_eq!(LimitError::check("rules", 3, 3), Ok(()));
    /// assert_eq!(LimitError::check("rules", 4, 3), Err(LimitError { what: "rules", given: 4, limit: 3 }));
    /// ```
    ///
    /// # Errors
    ///
    /// `given` is greater than `limit`.
    #[inline]
    pub fn check(what: &'static str, given: usize, limit: usize) -> Result<(), Self> {
        if given > limit { Err(Self { what, given, limit }) } else { Ok(()) }
    }

    /// Makes the error from `u64` numbers; those that do not fit into a `usize` become `usize::MAX`.
    ///
    /// ```
    /// use ogc_regular::LimitError;
    /// assert_eq!(LimitError::of_large("steps", 4, 3), LimitError { what: "steps", given: 4, limit: 3 });
    /// ```
    #[must_use]
    pub fn of_large(what: &'static str, given: u64, limit: u64) -> Self {
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        Self { what, given: size(given), limit: size(limit) }
    }
}

/// The budgets of one compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Cap on the states of any one deterministic automaton, intermediate ones included.
    pub states: usize,
    /// Cap on the instructions of any one nondeterministic program (counted repetition is written out).
    pub instructions: usize,
    /// Cap on the nesting of groups and lookarounds in a pattern.
    pub depth: usize,
    /// Cap on the steps of a determinisation: the sizes of all its state sets together. Ten million take about a
    /// second.
    pub work: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { states: 100_000, instructions: 200_000, depth: 100, work: 10_000_000 }
    }
}
