//! Writes leaf rules: literals, strings, numbers, white space. Each is built once, and in the same way for every
//! format.

use std::sync::OnceLock;

use ogc_regular::length::{Completion, completions, is_lead};
use ogc_regular::number::Spelling;
use ogc_regular::{Dfa, LimitError, budget};
use ogc_runtime::automaton::{Op, OpId, RuleId, StateId, StateKind, UNBOUNDED};
use ogc_schema::source::Origin;
use ogc_schema::{NumberArm, SchemaError, StringArm, StringLanguage, Text};

use super::Target;
use super::lowering::Lowering;
use crate::SchemaFault;
use crate::lower::automaton_bytes;

impl Lowering<'_, '_> {
    /// Returns the rule of a word for `null`, `true` or `false`.
    pub(super) fn literal(&mut self, text: &'static str) -> Target {
        if let Some(&rule) = self.leaves.literals.get(text) {
            return Target::plain(rule);
        }
        let rule = self.builder.rule(text, 0);
        let start = self.builder.state(rule, StateKind::Bytes);
        self.builder.start(rule, start);
        let end = self.text(rule, start, text.as_bytes());
        self.builder.accept(end);
        self.leaves.literals.insert(text, rule);
        Target::plain(rule)
    }

    /// Returns the rule of one or more white space characters, whose countdowns bound the run's length.
    pub(super) fn white_space(&mut self) -> RuleId {
        if let Some(rule) = self.leaves.white_space {
            return rule;
        }
        let rule = self.builder.rule("ws", 0);
        let start = self.builder.state(rule, StateKind::Bytes);
        let more = self.builder.state(rule, StateKind::Bytes);
        let tick = self.builder.op(Op::Count { tick: true, max_a: UNBOUNDED, min_total: 0 });
        for (lo, hi) in [(b'\t', b'\n'), (b'\r', b'\r'), (b' ', b' ')] {
            self.builder.edge(start, lo, hi, tick, more);
            self.builder.edge(more, lo, hi, tick, more);
        }
        self.builder.start(rule, start);
        self.builder.accept(more);
        self.leaves.white_space = Some(rule);
        rule
    }

    /// Writes the rule of a set of numbers.
    pub(super) fn number(&mut self, arm: &NumberArm, spelling: Spelling, origin: Origin) -> Option<Target> {
        let key = (arm.set.clone(), arm.decimals);
        if let Some(&(rule, _)) = self.leaves.numbers.get(&key).filter(|(_, known)| *known == spelling) {
            return Some(Target::plain(rule));
        }
        if self.leaves.numbers_refused {
            return None;
        }
        let language = match arm.language(spelling, &self.limits.regular) {
            Ok(language) => language,
            Err(error) => {
                self.leaves.numbers_refused = true;
                self.errors.push(SchemaError::new(origin, error).into());
                return None;
            }
        };
        let rule = self.builder.rule("number", origin.0);
        let edges = language.states().iter().map(|state| state.edges.len()).sum();
        automaton_bytes(language.len(), edges).ok()?;
        let states = self.states(rule, StateKind::Bytes, language.len());
        for (state, from) in language.states().iter().zip(&states) {
            for edge in &state.edges {
                self.builder.edge(*from, edge.lo, edge.hi, OpId::NONE, states[edge.to.index()]);
            }
            if state.accept {
                self.builder.accept(*from);
            }
        }
        self.builder.start(rule, states[0]);
        self.leaves.numbers.insert(key, (rule, spelling));
        Some(Target::plain(rule))
    }

    /// Writes the rule of an arm's strings.
    pub(super) fn string(&mut self, arm: &StringArm) -> Option<Target> {
        let counted = arm.min > 0 || arm.max.is_some();
        let rule = match &arm.language {
            StringLanguage::Any if counted => self.any_counted(),
            StringLanguage::Any => self.any_string(),
            StringLanguage::Finite(texts) => self.listed(texts, arm.origin),
            StringLanguage::Dfa(dfa) => self.automaton(dfa, counted, arm.origin),
        };
        let Some((a, b)) = countdown(arm.min, arm.max) else {
            let error = LimitError::of_large("least length of a string", arm.min, LONGEST);
            self.errors.push(SchemaFault::limit(arm.origin, error));
            return None;
        };
        Some(if counted { Target { rule, a, b } } else { Target::plain(rule) })
    }

    fn any_string(&mut self) -> RuleId {
        if let Some(rule) = self.leaves.any {
            return rule;
        }
        let rule = self.text_rule("string", Origin(0), &any_text().0, None);
        self.leaves.any = Some(rule);
        rule
    }

    fn any_counted(&mut self) -> RuleId {
        if let Some(rule) = self.leaves.any_counted {
            return rule;
        }
        let (dfa, lengths) = any_text();
        let rule = self.text_rule("string{}", Origin(0), dfa, Some(lengths));
        self.leaves.any_counted = Some(rule);
        rule
    }

    fn listed(&mut self, texts: &[String], origin: Origin) -> RuleId {
        if let Some(&rule) = self.leaves.lists.get(texts) {
            return rule;
        }
        let rule = self.text_rule("enum", origin, &Dfa::finite(texts), None);
        self.leaves.lists.insert(texts.to_vec(), rule);
        rule
    }

    fn automaton(&mut self, dfa: &Text, counted: bool, origin: Origin) -> RuleId {
        let key = (dfa.address(), counted);
        if let Some(&rule) = self.leaves.automata.get(&key) {
            return rule;
        }
        let lengths = counted.then(|| completions(dfa));
        let rule = self.text_rule("pattern", origin, dfa, lengths.as_deref());
        self.leaves.automata.insert(key, rule);
        rule
    }

    /// Writes the rule of strings whose decoded text is in a language. If `lengths` are given, every character ticks.
    fn text_rule(&mut self, name: &str, origin: Origin, dfa: &Dfa, lengths: Option<&[Completion]>) -> RuleId {
        let rule = self.builder.rule(name, origin.0);
        let start = self.builder.state(rule, StateKind::Bytes);
        let end = self.builder.state(rule, StateKind::Bytes);
        let edges = dfa.states().iter().map(|state| state.edges.len()).sum();
        // If the budget is used up, the rule is discarded anyway.
        if automaton_bytes(dfa.len(), edges).is_err() {
            return rule;
        }
        let states = self.states(rule, StateKind::Text, dfa.len());
        self.builder.start(rule, start);
        self.builder.accept(end);
        self.builder.edge(start, b'"', b'"', OpId::NONE, states[0]);
        let close = match lengths {
            Some(_) => self.builder.op(Op::Count { tick: false, max_a: 0, min_total: 0 }),
            None => OpId::NONE,
        };
        for (state, from) in dfa.states().iter().zip(&states) {
            for edge in &state.edges {
                let op = match lengths.and_then(|lengths| lengths.get(edge.to.index())) {
                    Some(rest) if is_lead(edge.lo) => self.tick(*rest),
                    _ => OpId::NONE,
                };
                self.builder.edge(*from, edge.lo, edge.hi, op, states[edge.to.index()]);
            }
            if state.accept {
                self.builder.close(*from, close, end);
            }
        }
        rule
    }

    /// Returns the operation of a character: it takes one from the countdown, and demands that the rest can still be
    /// completed.
    fn tick(&mut self, rest: Completion) -> OpId {
        self.builder.op(Op::Count { tick: true, max_a: rest.max.unwrap_or(UNBOUNDED), min_total: rest.min })
    }

    /// Adds `len` states.
    pub(super) fn states(&mut self, rule: RuleId, kind: StateKind, len: usize) -> Vec<StateId> {
        (0..len).map(|_| self.builder.state(rule, kind)).collect()
    }
}

/// Returns the automaton of all texts with its lengths, which nearly every format needs; built once per process.
fn any_text() -> &'static (Dfa, Vec<Completion>) {
    static ANY: OnceLock<(Dfa, Vec<Completion>)> = OnceLock::new();
    let make = || {
        let dfa = Dfa::any_text();
        let lengths = completions(&dfa);
        (dfa, lengths)
    };
    ANY.get_or_init(|| budget::apart(make))
}

/// Maximum start value of a countdown.
pub(super) const LONGEST: u64 = UNBOUNDED as u64 - 1;

/// Returns the countdowns for "`min` to `max`"; `None` if the minimum is too large to count.
pub(super) fn countdown(min: u64, max: Option<u64>) -> Option<(u32, u32)> {
    let a = u32::try_from(min).ok().filter(|&a| a < UNBOUNDED)?;
    let b = max.map(|max| u32::try_from(max.saturating_sub(min)).unwrap_or(UNBOUNDED));
    Some((a, b.unwrap_or(UNBOUNDED)))
}
