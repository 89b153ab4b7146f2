//! Writes the white space between the tokens of JSON, under each policy.

use ogc_runtime::automaton::{OpId, RuleId, StateId, StateKind, UNBOUNDED};

use super::Space;
use super::lowering::Lowering;

/// A gap between tokens, where white space may stand. Whoever writes the next token adds the same edges and calls to
/// all states of the gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// The state where the white space begins.
    pub(super) enter: StateId,
    /// The states where the next token may begin: without and with white space before it.
    states: [StateId; 2],
}

impl Gap {
    /// Returns the states where the next token may begin.
    pub(super) fn states(self) -> impl Iterator<Item = StateId> {
        let [first, second] = self.states;
        [Some(first), (second != first).then_some(second)].into_iter().flatten()
    }
}

impl Lowering<'_, '_> {
    /// Writes optional white space, at a place where no policy demands any.
    pub(super) fn gap(&mut self, rule: RuleId) -> Gap {
        let enter = self.builder.state(rule, StateKind::Bytes);
        self.optional(rule, enter, enter)
    }

    /// Writes the white space after `:` of a member.
    pub(super) fn gap_after_colon(&mut self, rule: RuleId) -> Gap {
        let enter = self.builder.state(rule, StateKind::Bytes);
        let inner = match self.policy.space {
            Space::Spaced | Space::Pretty { .. } => self.text(rule, enter, b" "),
            Space::Compact | Space::Any { .. } => enter,
        };
        self.optional(rule, enter, inner)
    }

    /// Writes the white space after `,`, at a nesting depth.
    pub(super) fn gap_after_comma(&mut self, rule: RuleId, depth: u32) -> Gap {
        let enter = self.builder.state(rule, StateKind::Bytes);
        let inner = match self.policy.space {
            Space::Spaced => self.text(rule, enter, b" "),
            Space::Pretty { indent } => self.line(rule, enter, OpId::NONE, indent.saturating_mul(depth)),
            Space::Compact | Space::Any { .. } => enter,
        };
        self.optional(rule, enter, inner)
    }

    /// Writes the white space after an opening bracket. [`Lowering::close_empty`] may close the bracket from the gap's
    /// states.
    pub(super) fn gap_after_open(&mut self, rule: RuleId, depth: u32) -> Gap {
        let enter = self.builder.state(rule, StateKind::Bytes);
        let inner = match self.policy.space {
            Space::Pretty { indent } => self.line(rule, enter, OpId::NONE, indent.saturating_mul(depth)),
            Space::Compact | Space::Spaced | Space::Any { .. } => enter,
        };
        self.optional(rule, enter, inner)
    }

    /// Writes the closing bracket of an empty array or object.
    pub(super) fn close_empty(&mut self, gap: Gap, op: OpId, bracket: u8, end: StateId) {
        self.builder.edge(gap.enter, bracket, bracket, op, end);
        for state in
            gap.states().filter(|&state| state != gap.enter && !matches!(self.policy.space, Space::Pretty { .. }))
        {
            self.builder.edge(state, bracket, bracket, op, end);
        }
    }

    /// Writes the closing bracket after a member, from a state of the gap after it; `depth` is the members' depth.
    pub(super) fn close(&mut self, rule: RuleId, from: StateId, op: OpId, bracket: u8, end: StateId, depth: u32) {
        match self.policy.space {
            Space::Pretty { indent } => {
                let line = self.line(rule, from, op, indent.saturating_mul(depth.saturating_sub(1)));
                self.builder.edge(line, bracket, bracket, OpId::NONE, end);
            }
            Space::Compact | Space::Spaced | Space::Any { .. } => self.builder.edge(from, bracket, bracket, op, end),
        }
    }

    fn optional(&mut self, rule: RuleId, enter: StateId, inner: StateId) -> Gap {
        let Space::Any { max_run } = self.policy.space else { return Gap { enter, states: [inner, inner] } };
        let after = self.builder.state(rule, StateKind::Bytes);
        self.call_white_space(max_run, enter, after);
        Gap { enter, states: [enter, after] }
    }

    /// Writes a call of the shared white space rule, for runs of at most `max_run` characters.
    pub(super) fn call_white_space(&mut self, max_run: Option<u32>, from: StateId, ret: StateId) {
        let rule = self.white_space();
        let b = max_run.map_or(UNBOUNDED, |run| run.saturating_sub(1));
        self.builder.call(from, super::Target { rule, a: 1, b }.call(ret, OpId::NONE));
    }

    /// Writes a line break and `spaces` spaces.
    fn line(&mut self, rule: RuleId, from: StateId, op: OpId, spaces: u32) -> StateId {
        let mut at = self.builder.state(rule, StateKind::Bytes);
        self.builder.edge(from, b'\n', b'\n', op, at);
        for _ in 0..spaces {
            at = self.text(rule, at, b" ");
        }
        at
    }

    /// Writes some bytes; returns the state after them.
    pub(super) fn text(&mut self, rule: RuleId, from: StateId, text: &[u8]) -> StateId {
        let mut at = from;
        for &byte in text {
            let next = self.builder.state(rule, StateKind::Bytes);
            self.builder.edge(at, byte, byte, OpId::NONE, next);
            at = next;
        }
        at
    }
}
