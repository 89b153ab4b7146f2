//! The end of building: checks the input of an [`AutomatonBuilder`], and lays out the automaton.
//!
//! # Steps
//!
//! 1. group edges and calls by state ([`Draft`]);
//! 2. cost: the least number of bytes from every state to its rule's end; a state without one is dead and is dropped;
//! 3. reach: states that the root cannot reach are dropped;
//! 4. check: no rule is nullable or left-recursive (first sets come out of the same pass);
//! 5. lay out: renumber, states of a rule contiguous.

use super::build::AutomatonBuilder;
use super::draft::Draft;
use super::error::BuildError;
use super::layout::{Whole, lay_out};
use super::{Automaton, Escapes, Root};

impl AutomatonBuilder {
    /// Drops states that cannot be completed or reached, checks the invariants, and computes first sets and costs.
    ///
    /// # Errors
    ///
    /// Every [`BuildError`].
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(format.root, Root { rule: RuleId(0), a: 0, b: 0 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn finish(self, root: impl Into<Root>, nullable: bool, escapes: Escapes) -> Result<Automaton, BuildError> {
        let root = root.into();
        let draft = Draft::new(&self);
        let costs = draft.costs();
        let start = draft.start_of(root.rule);
        if start.is_none_or(|state| costs[state.index()].is_none()) {
            return Err(BuildError::Empty { rule: self.rules[root.rule.index()].name.clone() });
        }
        let kept = draft.reach(root.rule, &costs);
        draft.check_twins(&kept)?;
        lay_out(&self, &draft, &kept, &costs, Whole { root, nullable, escapes })
    }
}
