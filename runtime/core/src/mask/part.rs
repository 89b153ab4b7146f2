//! The parts of masks that a store keeps: bases and tails, plain or split by cost.

use std::sync::Arc;

use super::build_time::BuildTime;
use super::effort::Effort;
use super::exit_set::ExitSet;
use super::row::Row;
use crate::step::WayStep;
use crate::vocabulary::TokenId;

/// The base of a head: the tokens whose bytes are all read by the top frame or by rules that it calls, and the exits at which the frame
/// returns inside of tokens.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Base {
    pub(crate) row: Arc<Row>,
    /// The exits except the root of the trie; `at_once` stands for that.
    pub(crate) exits: ExitSet,
    /// Further tokens and exits, each set for frames whose registers allow its way. Present if the base was made by ways
    /// ([`super::compute::by_ways`]).
    pub(crate) ways: Option<Arc<[Way]>>,
    /// Whether the frame can return before it reads a byte.
    pub(crate) at_once: bool,
    /// The time that the computation took.
    pub(crate) took: BuildTime,
    pub(crate) effort: Effort,
}

/// The tail of a return frame after some exits: the tokens whose bytes after the exit are all read by the frame, and the exits at which it
/// returns in turn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tail {
    /// `None` if there are no tokens.
    pub(crate) row: Option<Arc<Row>>,
    pub(crate) exits: ExitSet,
    /// Further tokens and exits, each set for frames whose registers allow its way. Present if the tail was made by ways.
    pub(crate) ways: Option<Arc<[Way]>>,
    /// The time that the computation took.
    pub(crate) took: BuildTime,
    pub(crate) effort: Effort,
}

/// A way through a frame, and the tokens and exits on it: one entry of a tree in preorder.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Way {
    /// The last step of the way; the entries above have the earlier steps.
    pub(crate) step: WayStep,
    /// The number of entries below this one; they follow it.
    pub(crate) below: u32,
    /// The tokens that are read on this way; `None` if there are none.
    pub(crate) row: Option<Arc<Row>>,
    pub(crate) exits: ExitSet,
}

/// A base or a tail, split into groups of tokens. After all tokens of a group, the same text remains to be written.
#[derive(Debug)]
pub(crate) struct Costed {
    /// Ascending by cost.
    pub(crate) groups: Vec<CostGroup>,
    /// The exits except the root of the trie; `at_once` stands for that.
    pub(crate) exits: ExitSet,
    /// Whether the frame can return before it reads a byte.
    pub(crate) at_once: bool,
}

/// A group of tokens after which the same text remains to be written.
#[derive(Debug)]
pub(crate) struct CostGroup {
    /// The number of tokens in the cheapest completion of the frame and of the frames that it has called; [`NEVER`] if there is none.
    ///
    /// [`NEVER`]: crate::completion::NEVER
    pub(crate) cost: u32,
    pub(crate) row: Arc<Row>,
    /// One token of the group; an unnamed one if possible.
    pub(crate) sample: TokenId,
}
