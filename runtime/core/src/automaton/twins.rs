//! Token-counted rules: the invariants of their states, which guarantee that a text of at most `n` tokens can always be
//! completed.
//!
//! Within one token nothing is counted, so that masks do not depend on the count. After a token, a frame that has used its last token moves
//! to the *spent twin* of its state, which finishes a character that has begun, and returns. These checks make that safe:
//!
//! * A twin reads less: it returns only where its state may return, and every byte that it reads leads its state to a state whose twin is
//!   the target of the twin's edge. So any text that completes the twin also completes the state, wherever the count runs out on the way;
//!   every guarantee that ignores the count still holds.
//! * Spent states are their own twins, lead to spent states only, and form no cycle.
//! * The rule makes no calls (the frame is always on top), and is no object (its key register holds the count).

use super::{Automaton, Edge, OpId, Root, Rule, StateId, StateKind};

/// Returns whether an edge or close leads back to the rule's start, so that a frame can be there when a token ends.
fn is_entered_again(automaton: &Automaton, rule: &Rule) -> bool {
    let closes = rule.state_ids().filter_map(|state| automaton.states[state.index()].close);
    let edges = rule.state_ids().flat_map(|state| automaton.edges(state)).map(|edge| edge.to);
    edges.chain(closes.map(|(_, to)| to)).any(|to| to == rule.start)
}

/// Drops the twins of starts that nothing leads back to: no frame is in such a state after a token.
pub(super) fn drop_unused(automaton: &mut Automaton) {
    let mut twins = std::mem::take(&mut automaton.twins);
    twins.retain(|(state, _)| {
        let rule = automaton.rule_of(*state);
        rule.start != *state || is_entered_again(automaton, rule)
    });
    automaton.twins = twins;
}

/// A rule that breaks an invariant of token counts, and a description of the violation.
pub(super) type Wrong<'a> = (&'a Rule, &'static str);

const NONE: u32 = u32::MAX;

/// Computes for each state its twin or `u32::MAX`; empty if there are no twins. States beyond the automaton's tables are left out.
pub(super) fn table(automaton: &Automaton) -> Vec<u32> {
    if automaton.twins.is_empty() {
        return Vec::new();
    }
    let mut table = vec![NONE; automaton.states.len()];
    for (state, twin) in &automaton.twins {
        if let Some(slot) = table.get_mut(state.index()) {
            *slot = twin.0;
        }
    }
    table
}

/// Checks the invariants of all rules. `automaton.twins` must ascend, and have only states of the automaton.
pub(super) fn check(automaton: &Automaton) -> Result<(), Wrong<'_>> {
    if automaton.twins.is_empty() && automaton.rules.iter().all(|rule| !rule.counts_tokens) {
        return Ok(());
    }
    let mut twins = table(automaton);
    twins.resize(automaton.states.len(), NONE);
    let check = Check { automaton, twins };
    check.calls()?;
    automaton.rules.iter().try_for_each(|rule| check.rule(rule))
}

struct Check<'a> {
    automaton: &'a Automaton,
    twins: Vec<u32>,
}

impl<'a> Check<'a> {
    fn twin(&self, state: StateId) -> Option<StateId> {
        let twin = self.twins[state.index()];
        (twin != NONE).then_some(StateId(twin))
    }

    fn is_spent(&self, state: StateId) -> bool {
        self.twin(state) == Some(state)
    }

    /// Checks that every call of a counted rule allows at least one token.
    fn calls(&self) -> Result<(), Wrong<'a>> {
        let Root { rule: root, a, .. } = self.automaton.root;
        let calls = self.automaton.calls.iter().map(|call| (call.rule, call.a));
        for (rule, tokens) in calls.chain([(root, a)]) {
            let rule = &self.automaton.rules[rule.index()];
            holds(!rule.counts_tokens || tokens > 0, rule, "it is entered without a token")?;
        }
        Ok(())
    }

    fn rule(&self, rule: &'a Rule) -> Result<(), Wrong<'a>> {
        let states = rule.state_ids();
        if !rule.counts_tokens {
            let none = states.clone().all(|state| self.twin(state).is_none());
            return holds(none, rule, "it has twins but counts no tokens");
        }
        holds(rule.object.is_none(), rule, "it counts tokens and is an object")?;
        let calls = states.clone().any(|state| self.automaton.states[state.index()].calls.len > 0);
        holds(!calls, rule, "it counts tokens and makes calls")?;
        let left_at_once = !is_entered_again(self.automaton, rule);
        holds(!left_at_once || self.twin(rule.start).is_none(), rule, "nothing leads to the start, which has a twin")?;
        let counted = states.filter(|&state| state != rule.start || !left_at_once);
        counted.clone().filter(|&state| self.is_spent(state)).try_for_each(|state| self.spent(rule, state))?;
        counted.clone().try_for_each(|state| self.state(rule, state))?;
        self.has_no_circle(rule)
    }

    fn state(&self, rule: &'a Rule, id: StateId) -> Result<(), Wrong<'a>> {
        let state = &self.automaton.states[id.index()];
        holds(state.kind == StateKind::Bytes, rule, "it counts tokens inside a string")?;
        let twin = self.twin(id).ok_or((rule, "a state has no twin"))?;
        holds(self.automaton.states[twin.index()].rule == state.rule, rule, "a twin is of another rule")?;
        holds(self.is_spent(twin), rule, "a twin has a twin of its own")?;
        let returns = |state: StateId| self.automaton.states[state.index()].accept;
        holds(!returns(twin) || returns(id), rule, "a twin returns where its state does not")?;
        self.reads_less(rule, id, twin)
    }

    fn spent(&self, rule: &'a Rule, id: StateId) -> Result<(), Wrong<'a>> {
        let edges = self.automaton.edges(id);
        let plain = edges.iter().all(|edge| edge.op == OpId::NONE);
        holds(plain, rule, "a twin has operations")?;
        let inside = edges.iter().all(|edge| self.is_spent(edge.to));
        holds(inside, rule, "a twin leads to a state that is no twin")?;
        holds(edges.windows(2).all(|pair| pair[0].hi < pair[1].lo), rule, "a twin's edges overlap")
    }

    /// Checks that the state reads every byte that its twin reads, and goes to a state whose twin is the twin's target.
    fn reads_less(&self, rule: &'a Rule, id: StateId, twin: StateId) -> Result<(), Wrong<'a>> {
        let own = self.automaton.edges(id);
        let follows = |edge: &Edge, to: StateId| edge.op == OpId::NONE && self.twin(edge.to) == Some(to);
        let reads =
            |byte: u8, to: StateId| own.iter().any(|edge| edge.lo <= byte && byte <= edge.hi && follows(edge, to));
        // The twin was checked before: at most one of its edges reads a byte.
        let edges = self.automaton.edges(twin).iter();
        let less =
            edges.flat_map(|edge| (edge.lo..=edge.hi).map(|byte| (byte, edge.to))).all(|(byte, to)| reads(byte, to));
        holds(less, rule, "a twin reads what its state does not")
    }

    /// Checks that twins do not lead in a cycle, by removing states without incoming edges until none is left.
    fn has_no_circle(&self, rule: &'a Rule) -> Result<(), Wrong<'a>> {
        let states = rule.state_ids().filter(|&state| self.is_spent(state));
        let mut entries = vec![0u32; rule.states.len as usize];
        let at = |state: StateId| (state.0 - rule.states.first) as usize;
        for state in states.clone() {
            self.automaton.edges(state).iter().for_each(|edge| entries[at(edge.to)] += 1);
        }
        let mut left = states.clone().count();
        let mut todo: Vec<StateId> = states.filter(|&state| entries[at(state)] == 0).collect();
        while let Some(state) = todo.pop() {
            left -= 1;
            for edge in self.automaton.edges(state) {
                entries[at(edge.to)] -= 1;
                if entries[at(edge.to)] == 0 {
                    todo.push(edge.to);
                }
            }
        }
        holds(left == 0, rule, "twins lead in a circle")
    }
}

fn holds<'a>(holds: bool, rule: &'a Rule, what: &'static str) -> Result<(), Wrong<'a>> {
    if holds { Ok(()) } else { Err((rule, what)) }
}

#[cfg(test)]
mod tests {
    use crate::automaton::{AutomatonBuilder, BuildError, Call, Escapes, Op, OpId, RuleId, StateId, StateKind};

    /// Builds `é+` of at most two tokens: the start, the middle and the end of a character, and the twins of the last two.
    fn counted() -> (AutomatonBuilder, RuleId, [StateId; 5]) {
        let mut builder = AutomatonBuilder::new();
        let rule = builder.rule("counted", 0);
        let states = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
        let [start, middle, end, rest, spent] = states;
        builder.start(rule, start);
        builder.count_tokens(rule);
        for (from, byte, to) in [(start, 0xC3, middle), (middle, 0xA9, end), (end, 0xC3, middle), (rest, 0xA9, spent)] {
            builder.edge(from, byte, byte, OpId::NONE, to);
        }
        builder.accept(end);
        builder.accept(spent);
        builder.spent(middle, rest);
        builder.spent(end, spent);
        (builder, rule, states)
    }

    #[track_caller]
    fn check(expected: Option<&'static str>, change: impl FnOnce(&mut AutomatonBuilder, RuleId, [StateId; 5])) {
        let (mut builder, rule, states) = counted();
        change(&mut builder, rule, states);
        let error = builder.finish((rule, 2, 0), false, Escapes::Any).err();
        let rule = "counted".to_owned();
        assert_eq!(error, expected.map(|what| BuildError::TokenCount { rule, what }));
    }

    #[test]
    fn malformed_token_counters_are_refused() {
        check(None, |_, _, _| {});
        check(None, |builder, _, [start, middle, ..]| builder.spent(start, middle));
        check(Some("a twin has a twin of its own"), |builder, _, [_, middle, end, ..]| builder.spent(middle, end));
        check(Some("a twin returns where its state does not"), |builder, _, [_, middle, .., spent]| {
            builder.spent(middle, spent);
        });
        check(Some("a twin reads what its state does not"), |builder, _, [_, _, _, rest, spent]| {
            builder.edge(rest, 0xAA, 0xAA, OpId::NONE, spent);
        });
        check(Some("a twin leads to a state that is no twin"), |builder, _, [_, _, end, rest, _]| {
            builder.edge(rest, 0xAA, 0xAA, OpId::NONE, end);
        });
        check(Some("a twin's edges overlap"), |builder, _, [_, _, _, rest, spent]| {
            builder.edge(rest, 0xA0, 0xAF, OpId::NONE, spent);
        });
        check(Some("twins lead in a circle"), |builder, _, [_, _, end, _, spent]| {
            builder.edge(end, b'a', b'a', OpId::NONE, end);
            builder.edge(spent, b'a', b'a', OpId::NONE, spent);
        });
        check(Some("a twin has operations"), |builder, _, [_, _, _, rest, spent]| {
            let tick = builder.op(Op::Count { tick: true, max_a: 0, min_total: 0 });
            builder.edge(rest, 0xAA, 0xAA, tick, spent);
        });
    }

    #[test]
    fn unsupported_parts_of_counted_rules_are_refused() {
        check(Some("a state has no twin"), |builder, rule, [start, ..]| {
            let more = builder.state(rule, StateKind::Bytes);
            builder.edge(start, b'a', b'a', OpId::NONE, more);
            builder.accept(more);
        });
        check(Some("it counts tokens inside a string"), |builder, rule, [start, _, end, ..]| {
            let text = builder.state(rule, StateKind::Text);
            builder.edge(start, b'"', b'"', OpId::NONE, text);
            builder.close(text, OpId::NONE, end);
            builder.spent(text, text);
        });
        check(Some("it counts tokens and makes calls"), |builder, _, [_, _, end, ..]| {
            let callee = builder.rule("callee", 0);
            let [start, done] = [0; 2].map(|_| builder.state(callee, StateKind::Bytes));
            builder.start(callee, start);
            builder.edge(start, b'a', b'a', OpId::NONE, done);
            builder.accept(done);
            builder.call(end, Call { rule: callee, ret: end, op: OpId::NONE, a: 0, b: 0 });
        });
        let (builder, rule, _) = counted();
        let what = "it is entered without a token";
        let error = builder.finish((rule, 0, 0), false, Escapes::Any).err();
        assert_eq!(error, Some(BuildError::TokenCount { rule: "counted".to_owned(), what }));
    }
}
