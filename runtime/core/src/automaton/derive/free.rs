//! Finds free states: `Text` states that read *any* text, so that one row per vocabulary gives nearly all of their
//! masks.
//!
//! A state is free if its edges read any valid UTF-8 and loop back to the state, so that free states differ only in their `close`. The
//! check looks at the edges byte for byte, and does not care how the state was built.

use crate::automaton::derived::Free;
use crate::automaton::{Automaton, Edge, Op, OpId, StateId, StateKind};

/// A range of lead bytes of UTF-8 with the same continuation bytes.
struct Leads {
    lo: u8,
    hi: u8,
    /// The number of continuation bytes.
    rest: u8,
    /// The range of the first continuation byte, which excludes overlong forms, surrogates and code points beyond U+10FFFF.
    next: (u8, u8),
}

const fn leads(lo: u8, hi: u8, rest: u8, next: (u8, u8)) -> Leads {
    Leads { lo, hi, rest, next }
}

/// All lead bytes (the Unicode Standard, table 3-7).
const LEADS: [Leads; 9] = [
    leads(0x00, 0x7F, 0, (0, 0)),
    leads(0xC2, 0xDF, 1, (0x80, 0xBF)),
    leads(0xE0, 0xE0, 2, (0xA0, 0xBF)),
    leads(0xE1, 0xEC, 2, (0x80, 0xBF)),
    leads(0xED, 0xED, 2, (0x80, 0x9F)),
    leads(0xEE, 0xEF, 2, (0x80, 0xBF)),
    leads(0xF0, 0xF0, 3, (0x90, 0xBF)),
    leads(0xF1, 0xF3, 3, (0x80, 0xBF)),
    leads(0xF4, 0xF4, 3, (0x80, 0x8F)),
];

/// Classifies every state by how it reads free text.
pub(super) fn classify(automaton: &Automaton) -> Vec<Free> {
    (0..automaton.states.len() as u32).map(|state| kind(automaton, StateId(state))).collect()
}

fn kind(automaton: &Automaton, state: StateId) -> Free {
    let loops_on_letter = |edge: &Edge| edge.lo <= b'a' && b'a' <= edge.hi && edge.to == state;
    let candidate =
        automaton.states[state.index()].kind == StateKind::Text && automaton.states[state.index()].close.is_some();
    let Some(edge) = automaton.edges(state).iter().find(|edge| loops_on_letter(edge)).filter(|_| candidate) else {
        return Free::No;
    };
    let kind = match automaton.ops[edge.op.index()] {
        Op::None => Free::Plain,
        Op::Count { tick: true, max_a: u32::MAX, min_total: 0 } if closes_at_minimum(automaton, state) => Free::Counted,
        _ => return Free::No,
    };
    if reads_any_character(automaton, state, edge.op) { kind } else { Free::No }
}

/// Returns whether the state's close requires that the minimum is reached, and ends the rule, so that nothing after it reads the
/// countdowns.
fn closes_at_minimum(automaton: &Automaton, state: StateId) -> bool {
    automaton.states[state.index()].close.is_some_and(|(op, to)| {
        let end = &automaton.states[to.index()];
        automaton.ops[op.index()] == Op::Count { tick: false, max_a: 0, min_total: 0 }
            && end.accept
            && end.edges.len == 0
            && end.calls.len == 0
    })
}

/// Returns whether the edges of a state read every character of UTF-8 and nothing else: they cover each lead byte once, and its
/// continuation bytes follow.
fn reads_any_character(automaton: &Automaton, state: StateId, op: OpId) -> bool {
    let edges = automaton.edges(state);
    let width = |lo: u8, hi: u8| u32::from(hi - lo) + 1;
    let disjoint = edges.windows(2).all(|pair| pair[0].hi < pair[1].lo);
    let covered: u32 = edges.iter().map(|edge| width(edge.lo, edge.hi)).sum();
    let valid: u32 = LEADS.iter().map(|leads| width(leads.lo, leads.hi)).sum();
    // The edges cover as many bytes as there are lead bytes, no byte twice, and only lead bytes.
    disjoint && covered == valid && edges.iter().all(|edge| edge.op == op && reads_characters(automaton, state, edge))
}

/// Returns whether all bytes of an edge are lead bytes, and their characters lead back to `home`.
fn reads_characters(automaton: &Automaton, home: StateId, edge: &Edge) -> bool {
    let inside = LEADS.iter().filter(|leads| edge.lo <= leads.hi && leads.lo <= edge.hi);
    let mut covered = 0;
    for leads in inside {
        covered += u32::from(edge.hi.min(leads.hi) - edge.lo.max(leads.lo)) + 1;
        if !tail(automaton, edge.to, home, leads.rest, leads.next.0, leads.next.1) {
            return false;
        }
    }
    covered == u32::from(edge.hi - edge.lo) + 1
}

/// Returns whether exactly `rest` continuation bytes, the first in `lo..=hi`, lead from `at` back to `home` without
/// operations.
fn tail(automaton: &Automaton, at: StateId, home: StateId, rest: u8, lo: u8, hi: u8) -> bool {
    if rest == 0 {
        return at == home;
    }
    let inside = &automaton.states[at.index()];
    inside.kind == StateKind::Text
        && inside.close.is_none()
        && covers(automaton.edges(at), lo, hi)
        && automaton
            .edges(at)
            .iter()
            .all(|edge| edge.op == OpId::NONE && tail(automaton, edge.to, home, rest - 1, 0x80, 0xBF))
}

/// Returns whether the edges cover `lo..=hi` exactly, without overlap.
fn covers(edges: &[Edge], lo: u8, hi: u8) -> bool {
    let mut next = u16::from(lo);
    for edge in edges {
        if u16::from(edge.lo) != next {
            return false;
        }
        next = u16::from(edge.hi) + 1;
    }
    next == u16::from(hi) + 1
}
