//! Writes rules for regular texts of bounded length: the states of their automaton, with a countdown of characters.

use always_assert::never;
use ogc_regular::Dfa;
use ogc_regular::length::{completions, is_lead};
use ogc_runtime::automaton::{Op, OpId, RuleId, StateId, StateKind, UNBOUNDED};

use crate::ir::{ExprId, ExprKind, Grammar, TextLimit};
use crate::pass::emit::Emitter;
use crate::pass::nfa::UnitId;

impl Emitter {
    /// Writes the rule of a text of bounded length; an earlier pass has made its body a regular language.
    pub(super) fn limited(&mut self, grammar: &Grammar, unit: UnitId, expr: ExprId) {
        let rule = self.rules[unit.index()];
        let ExprKind::Limited { body, limit } = *grammar.kind(expr) else {
            never!("{:?} is no text of bounded length", expr);
            return;
        };
        let ExprKind::Machine(machine) = *grammar.kind(body) else {
            never!("the body {:?} of a text of bounded length is no automaton", body);
            return;
        };
        let dfa = &grammar.machines[machine.index()];
        match limit {
            TextLimit::Chars(_) => self.counted_characters(rule, dfa),
            TextLimit::Tokens(_) => self.counted_tokens(rule, dfa),
        }
    }

    /// Writes a rule in which every character takes one from the countdown. The start is a state of its own, because
    /// the start of a rule does not accept.
    fn counted_characters(&mut self, rule: RuleId, dfa: &Dfa) {
        let lengths = completions(dfa);
        let ticks: Vec<OpId> = lengths
            .iter()
            .map(|rest| {
                let (max_a, min_total) = (rest.max.unwrap_or(UNBOUNDED), rest.min);
                self.builder.op(Op::Count { tick: true, max_a, min_total })
            })
            .collect();
        let states = self.states_of(rule, dfa);
        self.edges_of(dfa, &states, |edge| if is_lead(edge.lo) { ticks[edge.to.index()] } else { OpId::NONE });
    }

    /// Adds a start, and a state for each state of the automaton.
    fn states_of(&mut self, rule: RuleId, dfa: &Dfa) -> (StateId, Vec<StateId>) {
        let start = self.builder.state(rule, StateKind::Bytes);
        self.builder.start(rule, start);
        let states = dfa.states().iter().map(|_| self.builder.state(rule, StateKind::Bytes)).collect();
        (start, states)
    }

    fn edges_of(
        &mut self,
        dfa: &Dfa,
        (start, states): &(StateId, Vec<StateId>),
        op: impl Fn(&ogc_regular::Edge) -> OpId,
    ) {
        let first = dfa.states().first().map(|state| (*start, state));
        for (from, state) in first.into_iter().chain(states.iter().copied().zip(dfa.states())) {
            for edge in &state.edges {
                self.builder.edge(from, edge.lo, edge.hi, op(edge), states[edge.to.index()]);
            }
            if state.accept && from != *start {
                self.builder.accept(from);
            }
        }
    }

    /// Writes a rule whose tokens the matcher counts. Once they are used up, a text may only finish its current
    /// character.
    fn counted_tokens(&mut self, rule: RuleId, dfa: &Dfa) {
        let states = self.states_of(rule, dfa);
        self.edges_of(dfa, &states, |_| OpId::NONE);
        self.builder.count_tokens(rule);
        let twins: Vec<StateId> = dfa.states().iter().map(|_| self.builder.state(rule, StateKind::Bytes)).collect();
        for ((state, &from), &twin) in dfa.states().iter().zip(&states.1).zip(&twins) {
            self.builder.spent(from, twin);
            if state.accept {
                self.builder.accept(twin);
            }
            for edge in state.edges.iter().filter(|edge| !is_lead(edge.lo)) {
                self.builder.edge(twin, edge.lo, edge.hi, OpId::NONE, twins[edge.to.index()]);
            }
        }
    }
}
