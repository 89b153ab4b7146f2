//! Building an [`Automaton`]: rules and states in any order, checked and laid out by [`AutomatonBuilder::finish`].

use super::{Automaton, Call, Escapes, ObjectId, ObjectShape, Op, OpId, RuleId, StateId, StateKind};

/// Why the rules do not make an automaton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The root rule accepts nothing at all.
    #[error("the format is empty: no text matches rule `{rule}`")]
    Empty {
        /// The root's name.
        rule: String,
    },
    /// A rule reaches itself before it reads a byte.
    #[error("rule `{rule}` is left-recursive")]
    LeftRecursion {
        /// Its name.
        rule: String,
    },
    /// A rule that is called accepts the empty text.
    #[error("rule `{rule}` accepts the empty text but is called")]
    Nullable {
        /// Its name.
        rule: String,
    },
    /// Too large.
    #[error("{what}: {given}, the limit is {limit}")]
    Limit {
        /// What is too many.
        what: &'static str,
        /// How many there are.
        given: u64,
        /// How many are allowed.
        limit: u64,
    },
}

/// Collects rules. States belong to the rule they were made for; ids are the builder's own until `finish` renumbers.
#[derive(Clone, Debug, Default)]
pub struct AutomatonBuilder {
    // filled in by the runtime's author
}

impl AutomatonBuilder {
    /// An empty builder.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
    /// A new rule without states. `origin` is the source map's handle, 0 for none.
    pub fn rule(&mut self, name: &str, origin: u32) -> RuleId {
        let _ = (name, origin);
        unimplemented!()
    }
    /// A new state of a rule, without edges, not accepting.
    pub fn state(&mut self, rule: RuleId, kind: StateKind) -> StateId {
        let _ = (rule, kind);
        unimplemented!()
    }
    /// The state in which calls of the rule begin.
    pub fn start(&mut self, rule: RuleId, state: StateId) {
        let _ = (rule, state);
        unimplemented!()
    }
    /// The rule may return in this state.
    pub fn accept(&mut self, state: StateId) {
        let _ = state;
        unimplemented!()
    }
    /// The source handle of a state (otherwise its rule's).
    pub fn origin(&mut self, state: StateId, origin: u32) {
        let _ = (state, origin);
        unimplemented!()
    }
    /// Bytes `lo..=hi` lead from `from` to `to`, in one rule.
    pub fn edge(&mut self, from: StateId, lo: u8, hi: u8, op: OpId, to: StateId) {
        let _ = (from, lo, hi, op, to);
        unimplemented!()
    }
    /// A call from a `Bytes` state.
    pub fn call(&mut self, from: StateId, call: Call) {
        let _ = (from, call);
        unimplemented!()
    }
    /// What a raw quote does in a `Text` state.
    pub fn close(&mut self, from: StateId, op: OpId, to: StateId) {
        let _ = (from, op, to);
        unimplemented!()
    }
    /// Interns an operation.
    pub fn op(&mut self, op: Op) -> OpId {
        let _ = op;
        unimplemented!()
    }
    /// Adds an object's keys. A rule has at most one: the frame's `aux` register belongs to it.
    pub fn object(&mut self, rule: RuleId, shape: ObjectShape) -> ObjectId {
        let _ = (rule, shape);
        unimplemented!()
    }
    /// Trims what cannot be completed or reached, checks the invariants, computes first sets, costs and fingerprints.
    ///
    /// # Errors
    ///
    /// Every [`BuildError`].
    pub fn finish(self, root: (RuleId, u32, u32), nullable: bool, escapes: Escapes) -> Result<Automaton, BuildError> {
        let _ = (root, nullable, escapes);
        unimplemented!()
    }
}
