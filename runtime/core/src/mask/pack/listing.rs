//! Lists the rows of a pack, state by state, to show what a format costs.

use super::record::NO_ROW;
use super::{MaskPack, PackRow};
use crate::automaton::StateId;
use crate::mask::row::RowView;

/// One row of a pack, with its number. States that share a row list the same number.
#[derive(Clone, Copy, Debug)]
pub struct ListedRow<'p> {
    /// The row's number in the pack.
    pub number: u32,
    /// The row's tokens.
    pub view: RowView<'p>,
    /// Bytes of the row's own content; a delta counts without its dense row.
    pub bytes: usize,
    /// For a delta: the number of its dense row.
    pub dense: Option<u32>,
}

/// The rows of one state's bases, and of its tails after calls that return to the state.
///
/// ```
/// use ogc_runtime::automaton::StateId;
/// use ogc_runtime::mask::StateRows;
/// let rows = StateRows { state: StateId(3), base_runs: 1, bases: Vec::new(), tail_runs: 0, tails: Vec::new() };
/// assert!(rows.bases.is_empty(), "all tokens go on after the rule's end");
/// ```
#[derive(Clone, Debug)]
pub struct StateRows<'p> {
    /// The state.
    pub state: StateId,
    /// The number of base runs: ranges of a register with one base.
    pub base_runs: usize,
    /// The rows of the bases, each once.
    pub bases: Vec<ListedRow<'p>>,
    /// The number of tail runs: ranges of a register with one tail.
    pub tail_runs: usize,
    /// The rows of the tails, each once.
    pub tails: Vec<ListedRow<'p>>,
}

impl MaskPack {
    /// Lists the rows of a state.
    ///
    /// ```
    #[doc = include_str!("../../example.md")]
    /// let masks = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
    /// let rows = masks.state_rows(format.rules[0].start);
    /// // At the start, `a` and `ab` may come.
    /// assert_eq!((rows.base_runs, rows.bases[0].view.count(), rows.bases[0].bytes), (1, 2, 8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn state_rows(&self, state: StateId) -> StateRows<'_> {
        let base_runs = self.base_runs.of(state);
        let bases = base_runs.iter().filter_map(|run| self.bases.records().get(run.base as usize));
        let bases = bases.flat_map(|base| self.rows_of_base(base));
        let tail_runs = self.tail_runs.of(state);
        StateRows {
            state,
            base_runs: base_runs.len(),
            bases: self.listed(bases),
            tail_runs: tail_runs.len(),
            tails: self.listed(tail_runs.iter().flat_map(|run| self.rows_of_tail(run))),
        }
    }

    /// Lists rows, each once and in ascending order.
    fn listed(&self, rows: impl Iterator<Item = u32>) -> Vec<ListedRow<'_>> {
        let mut numbers: Vec<u32> = rows.filter(|row| *row != NO_ROW).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let listed = numbers.into_iter().filter_map(|number| {
            let placed = self.rows.get(number)?;
            Some(ListedRow { number, view: self.row(PackRow(number)), bytes: placed.bytes(), dense: placed.dense() })
        });
        listed.collect()
    }
}
