//! Limits on the sizes of automata: every construction of this crate that can explode stops at a stated number.

/// Reports a construction that needed more than it was given.
///
/// All crates of the compiler that may see this one report limits with it, so that they read alike. `ogc-grammar` and
/// `ogc-runtime` stand beside this crate and know nothing of automata of the compiler; their limits are variants of their own
/// errors, which print the numbers in the same words: `GIVEN; the limit is LIMIT`.
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
    /// The number when the construction stopped; the whole may need more.
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

    /// Makes the error of numbers that may not fit into memory sizes; those are counted as the greatest size.
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
