//! Tables that [`super::derive`] computes from an automaton when it is built or loaded. They are not stored in artifacts.

mod alike;
mod free;
mod keys;
mod on_demand;
mod possible;
mod similar;

pub(crate) use alike::Alike;
pub(super) use alike::AlikeStates;
pub(crate) use free::Free;
pub(super) use keys::KeyTables;
pub(super) use on_demand::OnDemand;
pub(super) use possible::PossibleKeys;
pub(super) use similar::Similar;

use super::byte_set::ByteSet;
use super::ids::{RuleId, StateId};

/// Facts about states and rules that stepping and masks look up often.
///
/// ```
#[doc = include_str!("../example.md")]
/// // Equal formats have equal derived tables.
/// assert_eq!(format.derived, format.derived.clone());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derived {
    /// Per state: whether it accepts and has no edges and no calls, so that a head there returns at once.
    pub(super) bare: Vec<bool>,
    /// Per rule: the largest constant that a countdown of its frame is compared with, plus one; 0 if it has no countdown.
    pub(super) threshold: Vec<u32>,
    /// Per rule: the hash of its content. Computed when a mask is computed or formats are compared.
    pub(super) fingerprints: OnDemand<Vec<u128>>,
    /// Per rule of objects: the tables of its states inside keys. Computed when a mask inside a key needs them.
    pub(super) keys: Vec<OnDemand<Box<KeyTables>>>,
    /// Set once the tables of possible keys of all rules have been computed.
    pub(super) all_keys: OnDemand<()>,
    /// Per rule: sets of states that agree on short texts. Computed when a mask needs them.
    pub(super) similar: Vec<OnDemand<Similar>>,
    /// Per state: how it reads free text.
    pub(super) free: Vec<Free>,
    /// Whether some edge reads 0xFF, the byte with which markers of named tokens begin.
    pub(super) reads_markers: bool,
    /// Whether some rule has arrays without duplicate items, or objects in which no undeclared key may come twice.
    pub(super) distinct_items: bool,
    /// Extra tokens that a completion may need because its undeclared keys must differ; 0 if there are no such keys.
    pub(super) spare_tokens: u32,
    /// Whether some rule lists items to choose from (`item_choices`).
    pub(super) chooses_items: bool,
    /// Per rule: nesting depth of the calls with which its texts can begin; 0 if they begin with no call.
    pub(super) first_depth: Vec<u32>,
    /// Per rule: whether its masks are made by ways.
    pub(super) by_ways: Vec<bool>,
    /// Per rule: the bytes that can come after a text of it.
    pub(super) follow: Vec<ByteSet>,
    /// Per state: its spent twin or `u32::MAX`; empty if no rule counts tokens.
    pub(super) twins: Vec<u32>,
}

impl Derived {
    /// Sets the nesting depth of first calls, by rule.
    pub(super) fn set_first_depths(&mut self, depths: Vec<u32>) {
        self.first_depth = depths;
    }

    /// Returns the nesting depth of the calls with which texts of the rule can begin. It exceeds the depth of every rule that it calls
    /// first.
    #[inline]
    pub(crate) fn first_depth(&self, rule: RuleId) -> u32 {
        self.first_depth[rule.index()]
    }

    /// Returns how many tokens longer a completion may be because its undeclared keys must differ.
    pub(crate) fn spare_tokens(&self) -> u32 {
        self.spare_tokens
    }

    /// Returns whether completions choose among listed items: some array needs several items that must differ.
    #[inline]
    pub(crate) fn chooses_items(&self) -> bool {
        self.chooses_items
    }

    /// Returns whether the state accepts and can do nothing else.
    #[inline]
    pub(crate) fn is_bare(&self, state: StateId) -> bool {
        self.bare[state.index()]
    }

    /// Returns the countdown of the rule from which on guards cannot tell values apart; 0 if the rule has no countdown. To compare
    /// countdowns before a token, add the length of the longest token.
    #[inline]
    pub(crate) fn threshold(&self, rule: RuleId) -> u32 {
        self.threshold[rule.index()]
    }

    /// Returns whether some state reads named tokens of the vocabulary; then a token may have two readings.
    #[inline]
    pub(crate) fn reads_markers(&self) -> bool {
        self.reads_markers
    }

    /// Returns whether some rule of the format counts tokens.
    #[inline]
    pub(crate) fn counts_tokens(&self) -> bool {
        !self.twins.is_empty()
    }

    /// Returns the spent twin of a state of a token-counted rule.
    #[inline]
    pub(crate) fn twin(&self, state: StateId) -> Option<StateId> {
        self.twins.get(state.index()).copied().filter(|&twin| twin != u32::MAX).map(StateId)
    }

    /// Returns the bytes that can come after a text of the rule, for any caller. A superset, as guards are not checked.
    #[inline]
    pub(crate) fn follow(&self, rule: RuleId) -> &ByteSet {
        &self.follow[rule.index()]
    }

    /// Returns whether masks of the rule's frames are made by ways, because its registers can take too many values for one mask each.
    #[inline]
    pub(crate) fn is_by_ways(&self, rule: RuleId) -> bool {
        self.by_ways[rule.index()]
    }

    /// Returns how the state reads free text.
    #[inline]
    pub(crate) fn free(&self, state: StateId) -> Free {
        self.free[state.index()]
    }

    /// Returns whether the state reads free text without limit.
    #[inline]
    pub(crate) fn is_free(&self, state: StateId) -> bool {
        self.free(state) == Free::Plain
    }
}
