//! `open-record`: a record that allows any other key next to so many declared keys that this is expensive.
//!
//! At every letter of a declared key, the text can still become a free key. The cost is measured: the states that read
//! free keys, and the edges that lead to them from all other states.

use std::collections::BTreeSet;
use std::mem::size_of;

use ogc_grammar::cost::size;
use ogc_grammar::{Code, Cost, Diagnostic};
use ogc_runtime::automaton::{Automaton, Edge, Rule, StateId, StateKind};
use ogc_schema::source::Origin;

use super::compiled::Compiled;

/// Report free keys if their tables take at least this many bytes; a record with about sixty keys stays below.
const BYTES: usize = 64 << 10;

/// Report free keys if their rows take at least this many bytes; free keys make most rows equal, so this is rarely
/// reached.
const ROW_BYTES: usize = 1 << 20;

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    compiled.automaton.rules.iter().filter_map(|rule| record(compiled, rule)).collect()
}

fn record(compiled: &Compiled<'_>, rule: &Rule) -> Option<Diagnostic<Origin>> {
    let shape = &compiled.automaton.objects[rule.object?.index()];
    let free = free_states(&compiled.automaton, rule).filter(|_| shape.extra)?;
    let keys = compiled.cost(key_states(&compiled.automaton, rule));
    let own = compiled.cost(free.iter().copied());
    let leading = key_states(&compiled.automaton, rule).filter(|state| !free.contains(state));
    let leading =
        leading.flat_map(|state| compiled.automaton.edges(state)).filter(|edge| free.contains(&edge.to)).count();
    let bytes = own.bytes + leading * size_of::<Edge>();
    (bytes > BYTES || keys.row_bytes() > ROW_BYTES).then(|| found(rule.origin, shape.keys, (leading, bytes), keys))
}

fn found(handle: u32, declared: u32, (edges, bytes): (usize, usize), keys: Cost) -> Diagnostic<Origin> {
    let mut message =
        format!("any other key may stand beside the {declared} declared ones, at {edges} edges ({})", size(bytes));
    if let Some(masks) = keys.masks {
        message += &format!("; its keys use {masks}");
    }
    let help = "if no other keys are needed, close the record: no `...`, in JSON Schema `additionalProperties: false`; \
                many engines ignore or refuse open records";
    Diagnostic::note(Code::OpenRecord, Compiled::place(handle), message).help(help).cost(keys)
}

/// Returns the states in which a key of the record is read.
pub(super) fn key_states(automaton: &Automaton, rule: &Rule) -> impl Iterator<Item = StateId> + Clone {
    Compiled::states(rule).filter(|state| automaton.states[state.index()].kind == StateKind::Text)
}

/// Returns the states that read arbitrary keys: a state in which every character leads back to it, and the states
/// reachable from it. `None` if a key cannot begin with every character.
pub(super) fn free_states(automaton: &Automaton, rule: &Rule) -> Option<BTreeSet<StateId>> {
    let outside = Compiled::states(rule).filter(|state| automaton.states[state.index()].kind == StateKind::Bytes);
    let mut quotes = outside.flat_map(|state| automaton.edges(state)).filter(|edge| edge.lo <= b'"' && b'"' <= edge.hi);
    let first = quotes.next()?.to;
    let begins = (b' '..=b'~').all(|byte| automaton.edges(first).iter().any(|edge| reads(edge, byte)));
    let anything = |state: &StateId| {
        automaton.edges(*state).iter().any(|edge| edge.to == *state && reads(edge, b' ') && reads(edge, b'~'))
    };
    let mut open: Vec<StateId> = key_states(automaton, rule).filter(anything).collect();
    let mut free = BTreeSet::new();
    while let Some(state) = open.pop() {
        if free.insert(state) {
            open.extend(automaton.edges(state).iter().map(|edge| edge.to));
        }
    }
    (begins && !free.is_empty()).then_some(free)
}

fn reads(edge: &Edge, byte: u8) -> bool {
    (edge.lo..=edge.hi).contains(&byte)
}
