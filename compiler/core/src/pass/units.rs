//! Units: an epsilon automaton for each rule that is not inlined, and for each counted repetition.
//!
//! # Counted repetition
//!
//! `x{m,n}` is `x{m}` and then at most `n - m` more. Each of the two is a unit of its own with a countdown, because
//! acceptance carries no guard: whether a state may return must depend on the state alone.
//!
//! * *Exactly* (called with `a = m`, `b = 0`): a hub that does not accept. A repetition begins with a tick. The guard
//!   "something is left" leads through a copy of `x` back to the hub, the guard "nothing is left" through another copy
//!   to the end. Exactly one guard holds, so no head is stranded and counting adds no heads.
//! * *UpTo* (called with `a = 0`, `b = n - m`): a hub that accepts; a repetition begins with a tick, which fails when
//!   nothing is left.

use std::collections::hash_map::Entry;

use ogc_regular::LimitError;
use ogc_regular::budget;
use ogc_schema::source::Origin;
use rustc_hash::FxHashMap;

use crate::ir::{ExprId, ExprKind, Grammar};
use crate::pass::Limits;
use crate::pass::facts::Facts;
use crate::pass::nfa::{Closure, END, Guard, Label, Move, Nfa, START, UnitId};
use crate::pass::plan::Plan;
use crate::pass::scc::{Components, components};
use crate::pass::thompson::{Context, NfaWriter, UnitKind};

/// Maximum number of rounds; in each, repetitions one level deeper may turn out to be left-recursive.
const ROUNDS: usize = 16;

/// All units; unit 0 is the root.
#[derive(Debug, Default)]
pub(crate) struct Units {
    pub(crate) kinds: Vec<UnitKind>,
    pub(crate) machines: Vec<Nfa>,
    /// For each unit, the units that can be called before anything is read.
    pub(crate) first: Vec<Vec<u32>>,
    known: FxHashMap<UnitKind, UnitId>,
}

/// Builds the root's unit and all units that it calls. Left-recursive counted repetitions are copied instead.
pub(crate) fn build(grammar: &Grammar, facts: &Facts, mut plan: Plan, limits: &Limits) -> Result<Units, LimitError> {
    for _ in 0..ROUNDS {
        let units = Units::new(grammar, facts, &plan, limits)?;
        let found = units.recursive_repetitions(&components(&units.first));
        if found.is_empty() {
            return Ok(units);
        }
        plan.copied.extend(found);
    }
    Err(LimitError { what: "left-recursive repetitions inside one another", given: ROUNDS + 1, limit: ROUNDS })
}

impl Units {
    fn new(grammar: &Grammar, facts: &Facts, plan: &Plan, limits: &Limits) -> Result<Units, LimitError> {
        let mut units = Units::default();
        units.name(UnitKind::Rule(grammar.root));
        let mut context = Context { grammar, facts, plan, others: 0, limit: limits.nfa_states };
        let mut closure = Closure::default();
        while let Some(&kind) = units.kinds.get(units.machines.len()) {
            let _place = budget::at(budget::Spender(Units::place(grammar, kind).0));
            let nfa = units.unit(kind, context, &mut closure)?;
            context.others += nfa.states.len();
            units.first.push(first_calls(&nfa, &mut closure));
            units.machines.push(nfa);
        }
        Ok(units)
    }

    fn name(&mut self, kind: UnitKind) -> UnitId {
        match self.known.entry(kind) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(slot) => {
                self.kinds.push(kind);
                *slot.insert(UnitId((self.kinds.len() - 1) as u32))
            }
        }
    }

    fn unit(&mut self, kind: UnitKind, context: Context<'_>, closure: &mut Closure) -> Result<Nfa, LimitError> {
        let mut name = |kind| self.name(kind);
        let mut writer = NfaWriter::new(context, &mut name);
        match kind {
            UnitKind::Rule(rule) => writer.write(context.grammar.rules[rule.index()].body, START, END)?,
            UnitKind::Exactly(body) => exactly(&mut writer, body, closure)?,
            UnitKind::UpTo(body) => up_to(&mut writer, body, closure)?,
            // The states of these units are written together with the tables.
            UnitKind::Limited(_) | UnitKind::External(_) => {}
        }
        Ok(writer.nfa)
    }

    /// Returns the bodies of counted repetitions that can begin with themselves.
    fn recursive_repetitions(&self, found: &Components) -> Vec<ExprId> {
        let cyclic = self.kinds.iter().zip(&found.cyclic).filter(|(_, cyclic)| **cyclic);
        cyclic
            .filter_map(|(kind, _)| match kind {
                UnitKind::Rule(_) | UnitKind::Limited(_) | UnitKind::External(_) => None,
                UnitKind::Exactly(body) | UnitKind::UpTo(body) => Some(*body),
            })
            .collect()
    }

    /// Returns the place of a unit in the source.
    pub(crate) fn place(grammar: &Grammar, kind: UnitKind) -> Origin {
        match kind {
            UnitKind::Rule(rule) => grammar.rules[rule.index()].origin,
            UnitKind::Exactly(body) | UnitKind::UpTo(body) | UnitKind::Limited(body) => {
                grammar.exprs[body.index()].origin
            }
            UnitKind::External(_) => Origin(0),
        }
    }

    /// Returns a unit's name and source handle, for people.
    pub(crate) fn describe(&self, grammar: &Grammar, unit: UnitId) -> (String, u32) {
        match self.kinds[unit.index()] {
            UnitKind::Rule(rule) => {
                let rule = &grammar.rules[rule.index()];
                (rule.name.clone(), rule.origin.0)
            }
            UnitKind::Exactly(body) => (repeated(grammar, body, "{n}"), grammar.exprs[body.index()].origin.0),
            UnitKind::UpTo(body) => (repeated(grammar, body, "{1,n}"), grammar.exprs[body.index()].origin.0),
            UnitKind::Limited(expr) => ("text{}".to_owned(), grammar.exprs[expr.index()].origin.0),
            UnitKind::External(_) => ("value".to_owned(), 0),
        }
    }
}

impl Units {
    /// Returns a phrase for the unit's source, for messages.
    pub(crate) fn in_words(&self, grammar: &Grammar, unit: UnitId) -> String {
        match self.kinds[unit.index()] {
            UnitKind::Rule(rule) => format!("`{}`", grammar.rules[rule.index()].name),
            UnitKind::Exactly(body) | UnitKind::UpTo(body) => match grammar.kind(body) {
                ExprKind::Rule(rule) => format!("this repetition of `{}`", grammar.rules[rule.index()].name),
                _ => "this repetition".to_owned(),
            },
            UnitKind::Limited(_) => "this text".to_owned(),
            UnitKind::External(_) => "this value".to_owned(),
        }
    }
}

fn repeated(grammar: &Grammar, body: ExprId, suffix: &str) -> String {
    let inner = match grammar.kind(body) {
        ExprKind::Rule(rule) => grammar.rules[rule.index()].name.as_str(),
        _ => "(...)",
    };
    format!("{inner}{suffix}")
}

/// Returns the units that a unit can call first, ascending.
pub(crate) fn first_calls(nfa: &Nfa, closure: &mut Closure) -> Vec<u32> {
    let mut calls: Vec<u32> = closure.moves(nfa, START).iter().filter_map(called).collect();
    calls.sort_unstable();
    calls.dedup();
    calls
}

/// Returns the unit that a move calls.
pub(crate) fn called(step: &Move) -> Option<u32> {
    match step.label {
        Label::Call(unit, ..) => Some(unit.0),
        Label::Bytes(..) => None,
    }
}

/// Writes a copy of `body` that leads to `to`; returns its first moves, which the caller connects to a hub.
fn detached(writer: &mut NfaWriter<'_, '_>, body: ExprId, to: u32) -> Result<u32, LimitError> {
    let (from, last) = (writer.nfa.state(), writer.nfa.state());
    writer.write(body, from, last)?;
    writer.nfa.silent(last, to);
    Ok(from)
}

fn exactly(writer: &mut NfaWriter<'_, '_>, body: ExprId, closure: &mut Closure) -> Result<(), LimitError> {
    let hub = writer.nfa.state();
    writer.nfa.silent(START, hub);
    let more = detached(writer, body, hub)?;
    let last = detached(writer, body, END)?;
    let (more, last) = (closure.moves(&writer.nfa, more), closure.moves(&writer.nfa, last));
    tie(&mut writer.nfa, hub, more, Guard::Mandatory);
    tie(&mut writer.nfa, hub, last, Guard::Last);
    Ok(())
}

fn up_to(writer: &mut NfaWriter<'_, '_>, body: ExprId, closure: &mut Closure) -> Result<(), LimitError> {
    let hub = writer.nfa.state();
    writer.nfa.silent(START, hub);
    writer.nfa.silent(hub, END);
    let more = detached(writer, body, hub)?;
    let more = closure.moves(&writer.nfa, more);
    tie(&mut writer.nfa, hub, more, Guard::Optional);
    Ok(())
}

fn tie(nfa: &mut Nfa, hub: u32, moves: Vec<Move>, guard: Guard) {
    nfa.states[hub as usize].moves.extend(moves.into_iter().map(|step| Move { guard, ..step }));
}
