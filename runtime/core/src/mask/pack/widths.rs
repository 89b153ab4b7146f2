//! Counts the tokens that the bases of a pack allow, state by state, to show where a format leaves much choice.

use super::record::NO_ROW;
use super::{MaskPack, PackRow};
use crate::automaton::StateId;

/// The number of tokens in the bases of one state: tokens that end inside its rule or with it. Tokens that continue after the rule's end
/// depend on the caller, and are not counted.
///
/// ```
/// use ogc_runtime::automaton::StateId;
/// use ogc_runtime::mask::StateWidth;
/// let width = StateWidth { state: StateId(3), least: 2, most: 40 };
/// assert!(width.least <= width.most);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateWidth {
    /// The state.
    pub state: StateId,
    /// The least number of tokens, over all values of the countdowns and sets of seen keys. In an object with more than five keys in any
    /// order it is a lower bound: the tokens that every set allows.
    pub least: usize,
    /// The greatest number of tokens, over the same values. In an object with more than five keys in any order it is an upper bound.
    pub most: usize,
}

impl MaskPack {
    /// Computes the widths of the states that the pack has masks for, in order.
    ///
    /// ```
    #[doc = include_str!("../../example.md")]
    /// let masks = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
    /// let most: Vec<usize> = masks.widths().iter().map(|width| width.most).collect();
    /// assert_eq!(most, [2, 1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn widths(&self) -> Vec<StateWidth> {
        let counts: Vec<usize> = (0..self.rows.len() as u32).map(|row| self.row(PackRow(row)).count()).collect();
        let width = |row: u32| if row == NO_ROW { 0 } else { counts.get(row as usize).copied().unwrap_or(0) };
        let states = (0..self.base_runs.states() as u32).map(StateId);
        let widths = states.filter_map(|state| {
            let runs = self.base_runs.of(state);
            let bases = || runs.iter().filter_map(|run| self.bases.records().get(run.base as usize));
            let least = bases().map(|base| width(base.row)).min()?;
            let most = bases().map(|base| self.rows_of_base(base).map(width).sum()).max()?;
            Some(StateWidth { state, least, most })
        });
        widths.collect()
    }
}
