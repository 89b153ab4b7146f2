//! Tables computed from an automaton when it is built or loaded. They are not stored in artifacts.

use super::alike::{self, Alike};
use super::by_ways;
use super::follow::{self, ByteSet};
use super::free::{self, Free};
use super::on_demand::OnDemand;
use super::possible::PossibleKeys;
use super::similar::Similar;
use super::twins;
use super::{Automaton, Op, OpId, RuleId, StateId, StateKind};
use crate::vocabulary::MARKER_START;

/// Facts about states and rules that stepping and masks look up often.
///
/// ```
#[doc = include_str!("../example.md")]
/// // A format that is built again derives the same.
/// assert_eq!(format.derived, format.derived.clone());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derived {
    /// Per state: whether it accepts and has no edges and no calls, so that a head there returns at once.
    bare: Vec<bool>,
    /// Per rule: largest constant that a countdown of its frame is compared with, plus one; 0 if it has no countdown.
    threshold: Vec<u32>,
    /// Per state inside a key: the declared keys that its text can still become. Made when a mask inside a key asks.
    possible: OnDemand<PossibleKeys>,
    /// Per state inside a key: the state that it reads nearly all text as. Empty if there are no keys. Made when a mask
    /// inside a key asks.
    alike: OnDemand<Vec<Option<Alike>>>,
    /// Per rule: which of its states agree on short texts. Made when a mask asks.
    pub(super) similar: Vec<OnDemand<Similar>>,
    /// Per state: how it reads free text.
    free: Vec<Free>,
    /// Whether some edge reads the byte with which markers of named tokens begin.
    reads_markers: bool,
    /// Per rule: how deep the calls nest with which its texts can begin; 0 if they begin with no call.
    first_depth: Vec<u32>,
    /// Per rule: whether its masks are made by ways.
    by_ways: Vec<bool>,
    /// Per rule: the bytes that can come after a text of it.
    follow: Vec<ByteSet>,
    /// Per state: its spent twin or `u32::MAX`; empty if no rule counts tokens.
    twins: Vec<u32>,
}

impl Derived {
    /// Computes everything but the follow sets, which need first sets.
    pub(super) fn new(automaton: &Automaton) -> Self {
        let bare =
            automaton.states.iter().map(|s| s.accept && s.edges.len == 0 && s.calls.len == 0 && s.close.is_none());
        Self {
            bare: bare.collect(),
            threshold: thresholds(automaton),
            possible: OnDemand::default(),
            alike: OnDemand::default(),
            similar: automaton.rules.iter().map(|_| OnDemand::default()).collect(),
            free: free::classify(automaton),
            twins: twins::table(automaton),
            first_depth: Vec::new(),
            by_ways: Vec::new(),
            follow: Vec::new(),
            reads_markers: automaton.edges.iter().any(|edge| edge.hi == MARKER_START),
        }
    }

    /// Sets how deep first calls nest, by rule.
    pub(super) fn set_first_depths(&mut self, depths: Vec<u32>) {
        self.first_depth = depths;
    }

    /// Returns how deep the calls nest with which texts of the rule can begin: more than for any rule that it calls first.
    #[inline]
    pub(crate) fn first_depth(&self, rule: RuleId) -> u32 {
        self.first_depth[rule.index()]
    }

    /// Computes the follow sets of an automaton that has its first sets, and what is computed from other derived tables.
    pub(super) fn fill_follow(automaton: &mut Automaton) {
        automaton.derived.follow = follow::follow(automaton);
        automaton.derived.by_ways = by_ways::table(automaton);
    }

    /// Returns whether the state accepts and can do nothing else.
    #[inline]
    pub(crate) fn is_bare(&self, state: StateId) -> bool {
        self.bare[state.index()]
    }

    /// Returns the countdown of the rule from which on guards cannot tell values apart; 0 if the rule has no countdown.
    /// Within a token, the longest token's length is to be added to it.
    #[inline]
    pub(crate) fn threshold(&self, rule: RuleId) -> u32 {
        self.threshold[rule.index()]
    }

    /// Returns whether some state reads named tokens of the vocabulary: a token may have two readings.
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

    /// Returns the bytes that can come after a text of the rule, for any caller; a superset, as guards are not asked.
    #[inline]
    pub(crate) fn follow(&self, rule: RuleId) -> &ByteSet {
        &self.follow[rule.index()]
    }

    /// Returns whether masks of the rule's frames are made by ways: its registers can have too many values for one mask each.
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

impl Automaton {
    /// Makes the tables that are else made when a mask inside a key asks for them.
    pub(crate) fn make_tables_of_keys(&self) {
        let _ = self.derived.alike.get(|| alike::table(self));
        let _ = self.derived.possible.get(|| PossibleKeys::new(self));
    }

    /// Returns the state that the text of a state inside a key is nearly all read as.
    #[inline]
    pub(crate) fn alike(&self, state: StateId) -> Option<&Alike> {
        let table = || alike::table(self);
        if self.is_text_of_object(state) { self.derived.alike.get(table).get(state.index())?.as_ref() } else { None }
    }

    /// Returns the declared keys, ascending, that the text of a state inside a key can still become; `None` outside of
    /// keys, where keys come in any order, and if the list would be too long.
    #[inline]
    pub(crate) fn possible_keys(&self, state: StateId) -> Option<&[u32]> {
        let table = || PossibleKeys::new(self);
        if self.is_text_of_object(state) { self.derived.possible.get(table).of(state) } else { None }
    }

    /// Returns whether the state is text in a rule with keys, so that the tables of keys may have something for it.
    #[inline]
    fn is_text_of_object(&self, state: StateId) -> bool {
        self.states[state.index()].kind == StateKind::Text && self.rule_of(state).object.is_some()
    }
}

fn finite(value: u32) -> u32 {
    if value == u32::MAX { 0 } else { value }
}

/// Returns the least countdown from which on the operation's guard cannot tell two values apart.
///
/// `a <= 5` tells 5 and 6 apart, and 6 and 7 not: 6. An object that counts members compares with its number of keys.
fn op_threshold(automaton: &Automaton, op: OpId) -> u32 {
    match &automaton.ops[op.index()] {
        Op::None => 0,
        Op::Count { max_a, min_total, .. } => finite(*max_a).max(*min_total).saturating_add(1),
        Op::KeyAlive { object, .. }
        | Op::KeyTake { object, .. }
        | Op::KeyTakeExtra { object }
        | Op::KeyNext { object }
        | Op::ObjectClose { object } => {
            let shape = &automaton.objects[object.index()];
            if shape.counted { shape.keys.saturating_add(2) } else { 0 }
        }
    }
}

/// Computes per rule the greatest threshold of its operations.
fn thresholds(automaton: &Automaton) -> Vec<u32> {
    let of_op: Vec<u32> = (0..automaton.ops.len()).map(|op| op_threshold(automaton, OpId(op as u32))).collect();
    let mut found = vec![0u32; automaton.rules.len()];
    for (id, state) in automaton.states.iter().enumerate() {
        let id = StateId(id as u32);
        let edges = automaton.edges(id).iter().map(|edge| edge.op);
        let calls = automaton.calls(id).iter().map(|call| call.op);
        let close = state.close.map(|(op, _)| op);
        let most = edges.chain(calls).chain(close).map(|op| of_op[op.index()]).max();
        let slot = &mut found[state.rule.index()];
        *slot = (*slot).max(most.unwrap_or(0));
    }
    found
}
