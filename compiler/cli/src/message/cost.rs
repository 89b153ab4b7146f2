//! Costs of formats, rules and other parts.

use ogc_grammar::Cost;
use serde::Serialize;

use super::Place;

/// The cost of a part of a format. Fields about masks are null without a vocabulary.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PartCost {
    /// States of the automaton.
    pub(crate) states: usize,
    /// Bytes of the automaton.
    pub(crate) bytes: usize,
    /// Rows of the masks.
    pub(crate) rows: Option<usize>,
    /// Bytes of these rows.
    pub(crate) row_bytes: Option<usize>,
    /// Time to build these rows, in milliseconds.
    pub(crate) build_ms: Option<f64>,
    /// Time to build the slowest row, in milliseconds.
    pub(crate) slowest_row_ms: Option<f64>,
}

/// The cost of a whole format.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Totals {
    /// Rules of the automaton.
    pub(crate) rules: usize,
    /// States of the automaton.
    pub(crate) states: usize,
    /// Edges of the automaton.
    pub(crate) edges: usize,
    /// Calls of the automaton.
    pub(crate) calls: usize,
    /// Bytes of the automaton.
    pub(crate) bytes: usize,
    /// Time to compile the automaton, in milliseconds.
    pub(crate) compile_ms: f64,
    /// Time to build the masks, in milliseconds.
    pub(crate) masks_ms: f64,
    /// Rows of the masks.
    pub(crate) rows: usize,
    /// Bytes of the rows.
    pub(crate) row_bytes: usize,
    /// Bytes of the exits, the records of tokens that leave a rule.
    pub(crate) exit_bytes: usize,
    /// States that have a row.
    pub(crate) bases: usize,
    /// Continuations after the end of a rule.
    pub(crate) tails: usize,
    /// Whether all rows were built; otherwise some are built at run time.
    pub(crate) masks_complete: bool,
    /// Time to build the slowest row, in milliseconds.
    pub(crate) slowest_row_ms: f64,
}

/// The cost of one rule of a format.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RuleCost {
    /// The rule's name.
    pub(crate) rule: String,
    /// States of the automaton.
    pub(crate) states: usize,
    /// Edges of the automaton.
    pub(crate) edges: usize,
    /// Calls of the automaton.
    pub(crate) calls: usize,
    /// Bytes of the automaton.
    pub(crate) bytes: usize,
    /// The cost including that of its masks.
    pub(crate) cost: PartCost,
    /// The place of the rule's definition.
    pub(crate) span: Option<Place>,
}

impl From<&Cost> for PartCost {
    fn from(cost: &Cost) -> Self {
        let masks = cost.masks.as_ref();
        Self {
            states: cost.states,
            bytes: cost.bytes,
            rows: masks.map(|masks| masks.rows),
            row_bytes: masks.map(|masks| masks.row_bytes),
            build_ms: masks.map(|masks| millis(masks.times.build)),
            slowest_row_ms: masks.map(|masks| millis(masks.times.slowest)),
        }
    }
}

/// A time in milliseconds.
pub(crate) fn millis(time: std::time::Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
