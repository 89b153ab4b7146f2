//! The builder of an automaton: takes rules and states in any order; [`super::finish`] checks them and lays them out.

use std::collections::{BTreeSet, HashMap};

use rustc_hash::FxBuildHasher;

use super::{Call, Edge, ObjectId, ObjectShape, Op, OpId, RuleId, StateId, StateKind};
use crate::vocabulary::marker;

/// A rule while it is being written.
#[derive(Clone, Debug)]
pub(super) struct RuleDraft {
    pub(super) name: String,
    pub(super) origin: u32,
    pub(super) start: Option<StateId>,
    pub(super) object: Option<ObjectId>,
    pub(super) counts_tokens: bool,
    pub(super) distinct_items: bool,
    pub(super) few_keys: u32,
    pub(super) item_choices: u32,
}

/// A state while it is being written; its edges and calls are in the builder's flat lists.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateDraft {
    pub(super) rule: RuleId,
    pub(super) kind: StateKind,
    pub(super) accept: bool,
    pub(super) close: Option<(OpId, StateId)>,
    pub(super) origin: u32,
    pub(super) twin: Option<StateId>,
}

/// Builds an automaton rule by rule. A state belongs to the rule it was made for. Ids are valid in the builder only: `finish` renumbers
/// everything.
///
/// ```
/// use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
/// let mut builder = AutomatonBuilder::new();
/// let rule = builder.rule("a+", 0);
/// let (start, end) = (builder.state(rule, StateKind::Bytes), builder.state(rule, StateKind::Bytes));
/// builder.start(rule, start);
/// builder.edge(start, b'a', b'a', OpId::NONE, end);
/// builder.edge(end, b'a', b'a', OpId::NONE, end);
/// builder.accept(end);
/// let automaton = builder.finish((rule, 0, 0), false, Escapes::Any)?;
/// assert_eq!(automaton.states.len(), 2);
/// # Ok::<(), ogc_runtime::automaton::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AutomatonBuilder {
    pub(super) rules: Vec<RuleDraft>,
    pub(super) states: Vec<StateDraft>,
    pub(super) edges: Vec<(StateId, Edge)>,
    pub(super) calls: Vec<(StateId, Call)>,
    pub(super) ops: Vec<Op>,
    pub(super) objects: Vec<ObjectShape>,
    pub(super) tokens: BTreeSet<String>,
    interned: HashMap<Op, OpId, FxBuildHasher>,
}

/// Initial capacity in states, enough for a small format.
const USUAL: usize = 256;

impl Default for AutomatonBuilder {
    fn default() -> Self {
        Self {
            rules: Vec::new(),
            states: Vec::with_capacity(USUAL),
            edges: Vec::with_capacity(2 * USUAL),
            calls: Vec::with_capacity(USUAL / 4),
            ops: vec![Op::None],
            objects: Vec::new(),
            tokens: BTreeSet::new(),
            interned: HashMap::from_iter([(Op::None, OpId::NONE)]),
        }
    }
}

fn index(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

impl AutomatonBuilder {
    /// Makes a builder without rules.
    ///
    /// ```
    /// use ogc_runtime::automaton::*;
    /// let mut builder = AutomatonBuilder::new();
    /// assert_eq!(builder.state_count(), 0);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a rule without states. `origin` is the source map's handle, 0 for none.
    ///
    /// ```
    /// use ogc_runtime::automaton::*;
    /// let mut builder = AutomatonBuilder::new();
    /// assert_ne!(builder.rule("one", 1), builder.rule("two", 2));
    /// ```
    pub fn rule(&mut self, name: &str, origin: u32) -> RuleId {
        self.rules.push(RuleDraft {
            name: name.to_owned(),
            origin,
            start: None,
            object: None,
            counts_tokens: false,
            distinct_items: false,
            few_keys: 0,
            item_choices: 0,
        });
        RuleId(index(self.rules.len() - 1))
    }

    /// Adds a state without edges, not accepting, to a rule.
    ///
    /// ```
    /// use ogc_runtime::automaton::*;
    /// let mut builder = AutomatonBuilder::new();
    /// let rule = builder.rule("string", 0);
    /// let body = builder.state(rule, StateKind::Text);
    /// assert_eq!(body, StateId(0));
    /// ```
    pub fn state(&mut self, rule: RuleId, kind: StateKind) -> StateId {
        let origin = self.rules[rule.index()].origin;
        self.states.push(StateDraft { rule, kind, accept: false, close: None, origin, twin: None });
        StateId(index(self.states.len() - 1))
    }

    /// Returns the number of states so far, which a compiler compares with its limit while it builds.
    ///
    /// ```
    /// use ogc_runtime::automaton::*;
    /// let mut builder = AutomatonBuilder::new();
    /// let rule = builder.rule("a", 0);
    /// builder.state(rule, StateKind::Bytes);
    /// assert_eq!(builder.state_count(), 1);
    /// ```
    #[must_use]
    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// Sets the state in which calls of the rule begin; it must be a `Bytes` state.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(format.rules[0].start, StateId(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start(&mut self, rule: RuleId, state: StateId) {
        self.rules[rule.index()].start = Some(state);
    }

    /// Makes a state accepting: the rule may return in it.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(format.states[2].accept);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn accept(&mut self, state: StateId) {
        self.states[state.index()].accept = true;
    }

    /// Sets the source handle of a state; a state without one takes its rule's.
    ///
    /// ```
    /// use ogc_runtime::automaton::*;
    /// let mut builder = AutomatonBuilder::new();
    /// let rule = builder.rule("a", 1);
    /// let state = builder.state(rule, StateKind::Bytes);
    /// builder.origin(state, 2);
    /// ```
    pub fn origin(&mut self, state: StateId, origin: u32) {
        self.states[state.index()].origin = origin;
    }

    /// Adds an edge: bytes `lo..=hi` lead from `from` to `to`, a state of the same rule.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(format.edges[0].lo, b'a');
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edge(&mut self, from: StateId, lo: u8, hi: u8, op: OpId, to: StateId) {
        self.edges.push((from, Edge { lo, hi, op, to }));
    }

    /// Adds a call to a `Bytes` state.
    ///
    /// ```
    /// use ogc_runtime::automaton::*;
    /// let mut builder = AutomatonBuilder::new();
    /// let rule = builder.rule("a", 0);
    /// let [from, ret] = [0; 2].map(|_| builder.state(rule, StateKind::Bytes));
    /// builder.call(from, Call { rule, ret, op: OpId::NONE, a: 0, b: UNBOUNDED });
    /// ```
    pub fn call(&mut self, from: StateId, call: Call) {
        self.calls.push((from, call));
    }

    /// Sets the operation and the target of the closing quote of a `Text` state.
    ///
    /// ```
    /// use ogc_runtime::automaton::*;
    /// let mut builder = AutomatonBuilder::new();
    /// let rule = builder.rule("string", 0);
    /// let (body, end) = (builder.state(rule, StateKind::Text), builder.state(rule, StateKind::Bytes));
    /// builder.close(body, OpId::NONE, end);
    /// ```
    pub fn close(&mut self, from: StateId, op: OpId, to: StateId) {
        self.states[from.index()].close = Some((op, to));
    }

    /// Interns an operation.
    ///
    /// ```
    /// use ogc_runtime::automaton::*;
    /// let mut builder = AutomatonBuilder::new();
    /// let tick = Op::Count { tick: true, max_a: u32::MAX, min_total: 0 };
    /// assert_eq!(builder.op(tick.clone()), builder.op(tick));
    /// assert_eq!(builder.op(Op::None), OpId::NONE);
    /// ```
    pub fn op(&mut self, op: Op) -> OpId {
        if let Some(&id) = self.interned.get(&op) {
            return id;
        }
        let id = OpId(index(self.ops.len()));
        self.ops.push(op.clone());
        self.interned.insert(op, id);
        id
    }

    /// Requests the vocabulary's token of this name, and returns its marker: the bytes that edges must spell, one after the other, for the
    /// token.
    ///
    /// ```
    /// use ogc_runtime::automaton::*;
    /// let mut builder = AutomatonBuilder::new();
    /// let rule = builder.rule("thought", 0);
    /// let mut at = builder.state(rule, StateKind::Bytes);
    /// builder.start(rule, at);
    /// for byte in builder.token("<think>") {
    ///     let next = builder.state(rule, StateKind::Bytes);
    ///     builder.edge(at, byte, byte, OpId::NONE, next);
    ///     at = next;
    /// }
    /// builder.accept(at);
    /// let automaton = builder.finish((rule, 0, 0), false, Escapes::Any)?;
    /// assert_eq!(automaton.tokens, ["<think>"]);
    /// # Ok::<(), BuildError>(())
    /// ```
    pub fn token(&mut self, name: &str) -> Vec<u8> {
        self.tokens.insert(name.to_owned());
        marker(name)
    }

    /// Makes the rule count tokens: the `a` of a call, at least 1, is the maximum number of tokens that may add characters to a text of the
    /// rule.
    ///
    /// The rule makes no calls, has no strings and no keys. Every state has a [spent twin](AutomatonBuilder::spent), except a start that
    /// nothing leads back to. Its operations may count with `b`.
    ///
    /// ```
    /// use ogc_runtime::automaton::*;
    /// // `a+`, of at most two tokens.
    /// let mut builder = AutomatonBuilder::new();
    /// let rule = builder.rule("a+", 0);
    /// let [start, more, spent] = [0; 3].map(|_| builder.state(rule, StateKind::Bytes));
    /// builder.start(rule, start);
    /// builder.edge(start, b'a', b'a', OpId::NONE, more);
    /// builder.edge(more, b'a', b'a', OpId::NONE, more);
    /// builder.accept(more);
    /// builder.accept(spent);
    /// builder.count_tokens(rule);
    /// builder.spent(more, spent);
    /// let automaton = builder.finish((rule, 2, 0), false, Escapes::Any)?;
    /// assert!(automaton.rules[0].counts_tokens);
    /// # Ok::<(), BuildError>(())
    /// ```
    pub fn count_tokens(&mut self, rule: RuleId) {
        self.rules[rule.index()].counts_tokens = true;
    }

    /// Declares that the texts of the rule are arrays without duplicate items (compared as JSON values), in whose items no object repeats a
    /// key; or, if the rule has [keys](Self::object), objects in which no undeclared key comes twice.
    ///
    /// The rule's own edges read `[`, then `,` after each item but the last, and `]`; its items are calls. It counts no tokens. If it needs
    /// more than one item, set its [choices](Self::item_choices): without them, the search for a completion within a budget ignores that
    /// items must differ.
    ///
    /// ```
    /// use ogc_runtime::automaton::*;
    /// // Arrays of the digits 0 and 1.
    /// let mut builder = AutomatonBuilder::new();
    /// let (array, digit) = (builder.rule("array", 0), builder.rule("digit", 0));
    /// let [start, open, behind, next, end] = [0; 5].map(|_| builder.state(array, StateKind::Bytes));
    /// let [before, after] = [0; 2].map(|_| builder.state(digit, StateKind::Bytes));
    /// builder.start(array, start);
    /// builder.start(digit, before);
    /// builder.edge(start, b'[', b'[', OpId::NONE, open);
    /// for from in [open, next] {
    ///     builder.call(from, Call { rule: digit, ret: behind, op: OpId::NONE, a: 0, b: 0 });
    /// }
    /// builder.edge(behind, b',', b',', OpId::NONE, next);
    /// builder.edge(behind, b']', b']', OpId::NONE, end);
    /// builder.edge(before, b'0', b'1', OpId::NONE, after);
    /// builder.accept(after);
    /// builder.accept(end);
    /// builder.distinct_items(array);
    /// let automaton = builder.finish((array, 0, 0), false, Escapes::Any)?;
    /// assert!(automaton.has_distinct_items());
    /// # Ok::<(), BuildError>(())
    /// ```
    pub fn distinct_items(&mut self, rule: RuleId) {
        self.rules[rule.index()].distinct_items = true;
    }

    /// Sets how many different items are listed for each call of a rule of [distinct](Self::distinct_items) items: enough that one of them
    /// is new wherever an item must come. Completions under a budget are made of these items. At most
    /// [`MAX_ITEM_CHOICES`](super::MAX_ITEM_CHOICES).
    ///
    /// ```
    /// use ogc_runtime::automaton::*;
    /// let mut builder = AutomatonBuilder::new();
    /// let pair = builder.rule("pair", 0);
    /// builder.distinct_items(pair);
    /// builder.item_choices(pair, 2);
    /// ```
    pub fn item_choices(&mut self, rule: RuleId, choices: u32) {
        self.rules[rule.index()].item_choices = choices;
    }

    /// For a rule of [distinct](Self::distinct_items) keys: makes an object an error once it has `fewest` undeclared keys (at least 1,
    /// below 2³⁰). From then on, fewer new keys may be left than the object still needs, so that the text could not be completed.
    ///
    /// ```
    /// use ogc_runtime::automaton::*;
    /// let mut builder = AutomatonBuilder::new();
    /// let [rule, other] = ["object", "text"].map(|name| builder.rule(name, 0));
    /// builder.few_keys(rule, 676);
    /// assert_ne!(rule, other);
    /// ```
    pub fn few_keys(&mut self, rule: RuleId, fewest: u32) {
        self.rules[rule.index()].few_keys = fewest;
    }

    /// Sets the spent twin of a state of a token-counted rule: the state to which a frame moves when its last token is used. The twin
    /// belongs to the same rule, only finishes a character that has begun, and returns. It must read less than `state` does. A twin is its
    /// own twin.
    ///
    /// ```
    /// use ogc_runtime::automaton::*;
    /// let mut builder = AutomatonBuilder::new();
    /// let (rule, other) = (builder.rule("a", 0), builder.rule("b", 0));
    /// let [start, end, elsewhere] = [rule, rule, other].map(|rule| builder.state(rule, StateKind::Bytes));
    /// builder.start(rule, start);
    /// builder.edge(start, b'a', b'a', OpId::NONE, end);
    /// builder.accept(end);
    /// builder.accept(elsewhere);
    /// builder.count_tokens(rule);
    /// builder.spent(end, elsewhere);
    /// let error = builder.finish((rule, 1, 0), false, Escapes::Any).err();
    /// let what = "a twin is of another rule";
    /// assert_eq!(error, Some(BuildError::TokenCount { rule: "a".to_owned(), what }));
    /// ```
    pub fn spent(&mut self, state: StateId, twin: StateId) {
        self.states[state.index()].twin = Some(twin);
    }

    /// Adds the keys of an object to a rule. A rule has at most one object: the frame's `memory` belongs to it.
    ///
    /// ```
    /// use ogc_runtime::automaton::*;
    /// let mut builder = AutomatonBuilder::new();
    /// let rule = builder.rule("object", 0);
    /// let order = KeyOrder::Declared;
    /// let conditions = KeyConditions::default();
    /// let shape = ObjectShape { keys: 1, required: [0].into(), order, extra: false, counted: false, conditions };
    /// assert_eq!(builder.object(rule, shape), ObjectId(0));
    /// ```
    pub fn object(&mut self, rule: RuleId, shape: ObjectShape) -> ObjectId {
        let id = ObjectId(index(self.objects.len()));
        self.objects.push(shape);
        self.rules[rule.index()].object = Some(id);
        id
    }
}
