//! The tables of an [`Automaton`]: plain data, with an index type for each table.

use std::ops::Range;

use super::conditions::KeyConditions;
use super::derived::Derived;
use super::ids::{ObjectId, OpId, RuleId, StateId};
use super::token_policy::TokenPolicy;

/// The value of a countdown that never runs out.
///
/// ```
/// assert!(ogc_runtime::automaton::UNBOUNDED > 1_000_000);
/// ```
pub const UNBOUNDED: u32 = u32::MAX;

/// A range of one of the automaton's flat tables.
///
/// ```
/// use ogc_runtime::automaton::TableRange;
/// assert_eq!(TableRange { first: 3, len: 2 }.indexes(), 3..5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableRange {
    /// The first entry.
    pub first: u32,
    /// The number of entries.
    pub len: u32,
}

impl TableRange {
    /// Returns the range of indexes.
    ///
    /// ```
    /// use ogc_runtime::automaton::TableRange;
    /// assert!(TableRange { first: 3, len: 0 }.indexes().is_empty());
    /// ```
    #[must_use]
    #[inline]
    pub fn indexes(self) -> Range<usize> {
        let first = self.first as usize;
        first..first + self.len as usize
    }
}

/// The rule and the countdowns with which a text begins.
///
/// ```
/// use ogc_runtime::automaton::{Root, RuleId};
/// assert_eq!(Root::from((RuleId(0), 1, 2)), Root { rule: RuleId(0), a: 1, b: 2 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Root {
    /// The rule of whole texts.
    pub rule: RuleId,
    /// Its initial `a`.
    pub a: u32,
    /// Its initial `b`.
    pub b: u32,
}

impl From<(RuleId, u32, u32)> for Root {
    fn from((rule, a, b): (RuleId, u32, u32)) -> Self {
        Self { rule, a, b }
    }
}

/// The kind of bytes that a state reads: raw, or decoded from a JSON string.
///
/// ```
#[doc = include_str!("../example.md")]
/// assert!(format.states.iter().all(|state| state.kind == StateKind::Bytes));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StateKind {
    /// Raw bytes.
    Bytes,
    /// The inside of a JSON string: edges read decoded UTF-8; see the head of [`crate::automaton`].
    Text,
}

/// A state of a rule. Its edges and calls are spans of the automaton's flat tables.
///
/// ```
#[doc = include_str!("../example.md")]
/// assert_eq!(format.states.iter().filter(|state| state.accept).count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AutomatonState {
    /// The rule that the state belongs to.
    pub rule: RuleId,
    /// Raw or decoded bytes.
    pub kind: StateKind,
    /// Whether the rule may return here. Never true of a rule's start.
    pub accept: bool,
    /// Its edges, in [`Automaton::edges`].
    pub edges: TableRange,
    /// Its calls, in [`Automaton::calls`]. Only `Bytes` states call.
    pub calls: TableRange,
    /// The operation and the target of the closing quote of a `Text` state.
    pub close: Option<(OpId, StateId)>,
}

/// An edge: bytes `lo..=hi` lead to `to` if the operation's guard holds.
///
/// ```
#[doc = include_str!("../example.md")]
/// assert!(format.edges.iter().all(|edge| edge.lo == edge.hi));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// Least byte.
    pub lo: u8,
    /// Greatest byte.
    pub hi: u8,
    /// The operation done on the frame's registers before the move.
    pub op: OpId,
    /// The target, in the same rule.
    pub to: StateId,
}

/// A call: pushes a frame that returns to `ret` and enters `rule` with countdowns `a` and `b`.
///
/// ```
#[doc = include_str!("../example.md")]
/// assert!(format.calls.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The callee.
    pub rule: RuleId,
    /// The state in which the caller continues after the call.
    pub ret: StateId,
    /// The operation done on the *caller's* registers when the callee is entered.
    pub op: OpId,
    /// The callee's initial `a`.
    pub a: u32,
    /// The callee's initial `b`.
    pub b: u32,
}

/// A guard and update of one frame's registers. A failed guard kills the head.
///
/// ```
#[doc = include_str!("../example.md")]
/// assert_eq!(format.ops, [Op::None]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Does nothing.
    None,
    /// Ticks if `tick`; then requires `a <= max_a` and `a + b >= min_total` (saturating). `max_a = 0` without a tick means "the minimum is
    /// reached". With the greatest completion length of the target as `max_a` and the least as `min_total`, the guard is exact for targets
    /// whose completion lengths form an interval.
    Count {
        /// Whether the operation ticks.
        tick: bool,
        /// Greatest `a` allowed afterwards.
        max_a: u32,
        /// Least `a + b` allowed afterwards.
        min_total: u32,
    },
    /// Inside a key: requires that the text so far can still become a key that may come now.
    KeyAlive {
        /// The object's keys.
        object: ObjectId,
        /// The declared keys (their declared indexes, ascending) that are still possible.
        keys: Box<[u32]>,
        /// Whether an undeclared key is still possible.
        extra: bool,
    },
    /// Completes a declared key: requires that it may come now, records it, and counts it.
    KeyTake {
        /// The object's keys.
        object: ObjectId,
        /// The key's declared index.
        key: u32,
    },
    /// Completes an undeclared key.
    KeyTakeExtra {
        /// The object's keys.
        object: ObjectId,
    },
    /// Requires that another key may follow (on `,`, and before the first key).
    KeyNext {
        /// The object's keys.
        object: ObjectId,
    },
    /// Requires that the object may end: it has all required keys and its least number of members.
    ObjectClose {
        /// The object's keys.
        object: ObjectId,
    },
    /// Checks or takes a key with fewer members left: other members are owed after this key, and their number is reserved.
    Owing {
        /// The number of members owed after a declared key.
        declared: u32,
        /// The number of members owed after an undeclared key.
        undeclared: u32,
        /// The operation: a `KeyAlive`, `KeyTake`, `KeyTakeExtra` or `KeyNext`.
        op: OpId,
    },
}

/// The order in which an object's keys may be written.
///
/// ```
/// assert_ne!(ogc_runtime::automaton::KeyOrder::Declared, ogc_runtime::automaton::KeyOrder::Any);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyOrder {
    /// Declared keys in declared order, then undeclared ones.
    Declared,
    /// Any order, each declared key once.
    Any,
}

/// The keys of an object rule. Declared keys are numbered in declared order from 0. A key that can never be written (its value is empty)
/// has no number, and the key automaton must not spell it.
///
/// ```
/// use ogc_runtime::automaton::{KeyConditions, KeyOrder, ObjectShape};
/// // Keys 0 and 1, the first required, nothing else.
/// let shape = ObjectShape {
///     keys: 2,
///     required: [0].into(),
///     order: KeyOrder::Any,
///     extra: false,
///     counted: false,
///     conditions: KeyConditions::default(),
/// };
/// assert!(shape.required.iter().all(|&key| key < shape.keys));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObjectShape {
    /// The number of declared keys.
    pub keys: u32,
    /// The declared indexes of the required keys, ascending.
    pub required: Box<[u32]>,
    /// The order policy.
    pub order: KeyOrder,
    /// Whether the object may have undeclared keys.
    pub extra: bool,
    /// Whether the object counts its members: the frame's `a` and `b` count down to the least and greatest number (`KeyTake*` ticks).
    pub counted: bool,
    /// Conditions on the presence of keys; none if the object counts its members.
    pub conditions: KeyConditions,
}

impl ObjectShape {
    /// Returns whether a frame stores the set of seen keys; otherwise it stores the next declared key.
    pub(crate) fn keeps_set(&self) -> bool {
        self.order == KeyOrder::Any || !self.conditions.is_empty()
    }
}

/// Cap on the items that are listed for a call; see [`AutomatonBuilder::item_choices`].
///
/// ```
/// assert_eq!(ogc_runtime::automaton::MAX_ITEM_CHOICES, 128);
/// ```
///
/// [`AutomatonBuilder::item_choices`]: super::AutomatonBuilder::item_choices
pub const MAX_ITEM_CHOICES: u32 = 128;

/// A rule: its states and its start.
///
/// ```
#[doc = include_str!("../example.md")]
/// let rule = &format.rules[0];
/// assert_eq!((rule.name.as_str(), rule.origin), ("ab+", 7));
/// assert_eq!(rule.first[1], 1 << (b'a' - 64));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// Name for people.
    pub name: String,
    /// Opaque source handle (the compiler's source map), 0 for none.
    pub origin: u32,
    /// The state in which calls begin.
    pub start: StateId,
    /// Its states, in [`Automaton::states`].
    pub states: TableRange,
    /// The object whose keys the frame's `memory` records.
    pub object: Option<ObjectId>,
    /// Whether the `a` of a call is the maximum number of tokens that may add to a text of this rule; see
    /// [`AutomatonBuilder::count_tokens`].
    ///
    /// [`AutomatonBuilder::count_tokens`]: super::AutomatonBuilder::count_tokens
    pub counts_tokens: bool,
    /// Whether a text of this rule is an array without duplicate items, or an object in which no undeclared key may come twice; see
    /// [`AutomatonBuilder::distinct_items`].
    ///
    /// [`AutomatonBuilder::distinct_items`]: super::AutomatonBuilder::distinct_items
    pub distinct_items: bool,
    /// Number of undeclared keys from which on an object of this rule is an error, 0 for none; see [`AutomatonBuilder::few_keys`].
    ///
    /// [`AutomatonBuilder::few_keys`]: super::AutomatonBuilder::few_keys
    pub few_keys: u32,
    /// Number of different items that are listed for each call, 0 if arrays need at most one item; see [`AutomatonBuilder::item_choices`].
    ///
    /// [`AutomatonBuilder::item_choices`]: super::AutomatonBuilder::item_choices
    pub item_choices: u32,
    /// Bytes with which a text of this rule can begin, as a 256-bit set.
    pub first: [u64; 4],
}

impl Rule {
    /// Returns the ids of the rule's states.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(format.rules[0].state_ids().eq([StateId(0), StateId(1), StateId(2)]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn state_ids(&self) -> impl Iterator<Item = StateId> + Clone + use<> {
        let TableRange { first, len } = self.states;
        (first..first.saturating_add(len)).map(StateId)
    }
}

/// A byte-level pushdown automaton with registers: the whole format.
///
/// ```
#[doc = include_str!("../example.md")]
/// assert_eq!(format.min_bytes, [2, 1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// All states, grouped by rule.
    pub states: Vec<AutomatonState>,
    /// All edges, grouped by state.
    pub edges: Vec<Edge>,
    /// All calls, grouped by state.
    pub calls: Vec<Call>,
    /// Interned operations; entry 0 is [`Op::None`].
    pub ops: Vec<Op>,
    /// The declared keys of objects.
    pub objects: Vec<ObjectShape>,
    /// All rules.
    pub rules: Vec<Rule>,
    /// The rule and the countdowns with which a text begins.
    pub root: Root,
    /// Whether the empty text is in the language too.
    pub nullable: bool,
    /// The names of the vocabulary's tokens that the format asks for by their [`marker`](crate::vocabulary::marker()):
    /// ascending, each once. A vocabulary without one of them cannot be used with the format.
    pub tokens: Vec<String>,
    /// States of token-counted rules with their spent twins, ascending: a frame moves to the twin when its last token is used.
    pub twins: Vec<(StateId, StateId)>,
    /// Per state: its opaque source handle (0 for none), which explains why a token is masked.
    pub origins: Vec<u32>,
    /// The spellings of characters that strings may use.
    pub escapes: Escapes,
    /// The default token policy for generating texts of the format, if it has one. Masks do not depend on it.
    pub token_policy: Option<TokenPolicy>,
    /// Per state: the least number of bytes to the end of its rule. Nested calls are included, frames below are not, and guards on
    /// registers are ignored.
    pub min_bytes: Vec<u32>,
    /// Tables computed from the others.
    pub derived: Derived,
}

/// The spellings of a character that are allowed inside a JSON string.
///
/// ```
/// assert_eq!(ogc_runtime::automaton::Escapes::default(), ogc_runtime::automaton::Escapes::Any);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Escapes {
    /// Every spelling that JSON allows.
    #[default]
    Any,
    /// Each character in one way: raw where JSON allows it, else the two-character escape, else `\u00xx` in lower case.
    Canonical,
}

impl Automaton {
    /// Returns the edges of a state.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(format.edges(format.rules[0].start).len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn edges(&self, state: StateId) -> &[Edge] {
        &self.edges[self.states[state.index()].edges.indexes()]
    }

    /// Returns the calls of a state.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(format.calls(format.rules[0].start).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn calls(&self, state: StateId) -> &[Call] {
        &self.calls[self.states[state.index()].calls.indexes()]
    }

    /// Returns whether some text has an array without duplicate items, or an object in which no undeclared key may come twice. Matchers of
    /// such formats keep the text.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(!format.has_distinct_items());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn has_distinct_items(&self) -> bool {
        self.derived.distinct_items
    }

    /// Returns an operation; of an [`Op::Owing`], the operation inside.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(format.plain_op(OpId::NONE), &Op::None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn plain_op(&self, op: OpId) -> &Op {
        match &self.ops[op.index()] {
            Op::Owing { op, .. } => &self.ops[op.index()],
            plain => plain,
        }
    }

    /// Returns the rule of a state.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(format.rule_of(format.rules[0].start).name, "ab+");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn rule_of(&self, state: StateId) -> &Rule {
        &self.rules[self.states[state.index()].rule.index()]
    }
}
