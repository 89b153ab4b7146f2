//! The parts of masks that a store keeps: bases and tails, and both split by cost.

use std::sync::Arc;

use super::build_time::BuildTime;
use super::effort::Effort;
use super::exit_set::ExitSet;
use super::row::Row;
use crate::step::WayStep;
use crate::vocabulary::TokenId;

/// The base of a head: the tokens that are read to their last byte in the top frame or in rules that it calls, and the exits,
/// at which the frame returns inside of tokens.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Base {
    pub(crate) row: Arc<Row>,
    /// The exits but the root of the trie, for which `at_once` stands.
    pub(crate) exits: ExitSet,
    /// What is read besides if the registers allow it, where the base was made by ways ([`super::compute::by_ways`]).
    pub(crate) ways: Option<Arc<[Way]>>,
    /// Whether the frame can return before it reads a byte.
    pub(crate) at_once: bool,
    /// The time that it took to compute.
    pub(crate) took: BuildTime,
    pub(crate) effort: Effort,
}

/// The tail of a return frame: the tokens that it reads from some exits to their last byte, and the exits at which it returns
/// in its turn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tail {
    /// `None` if empty.
    pub(crate) row: Option<Arc<Row>>,
    pub(crate) exits: ExitSet,
    /// What is read besides if the registers allow it, where the tail was made by ways.
    pub(crate) ways: Option<Arc<[Way]>>,
    /// The time that it took to compute.
    pub(crate) took: BuildTime,
    pub(crate) effort: Effort,
}

/// A way through a frame, and what is read on it: one entry of a tree in preorder.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Way {
    /// The last step of the way; those before it are of the entries that this one lies below.
    pub(crate) step: WayStep,
    /// The number of entries below this one, which follow it.
    pub(crate) below: u32,
    /// The tokens that are read on this way; `None` if there are none.
    pub(crate) row: Option<Arc<Row>>,
    pub(crate) exits: ExitSet,
}

/// A base or a tail, split into groups of tokens after which the same is left.
#[derive(Debug)]
pub(crate) struct Costed {
    /// Ascending by cost.
    pub(crate) groups: Vec<CostGroup>,
    /// The exits but the root of the trie, for which `at_once` stands.
    pub(crate) exits: ExitSet,
    /// Whether the frame can return before it reads a byte.
    pub(crate) at_once: bool,
}

/// A group of tokens after which the same is left to be written.
#[derive(Debug)]
pub(crate) struct CostGroup {
    /// The tokens of the cheapest completion of the frame, and of those that it has called; [`NEVER`] if there is none.
    ///
    /// [`NEVER`]: crate::completion::NEVER
    pub(crate) cost: u32,
    pub(crate) row: Arc<Row>,
    /// One of the tokens; one without a name if there is one.
    pub(crate) sample: TokenId,
}
