//! Which `Text` states read *any* text: the states for which one row per vocabulary says almost everything.
//!
//! A state is free if its edges are those of "any valid UTF-8", looping back to itself, so that only its `close` tells it
//! from every other free state. It is recognised by its behaviour, byte for byte, not by who built it.

use super::{Automaton, Edge, Op, OpId, StateId, StateKind};

/// How a state reads free text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Free {
    /// It does not.
    #[default]
    No,
    /// Any text, without limit.
    Plain,
    /// Any text, each character ticks the countdown and nothing else is asked.
    Counted,
}

/// What may follow a lead byte: how many bytes, the first of them in a range that excludes overlong forms, surrogates and
/// numbers beyond U+10FFFF (the Unicode Standard, table 3-7).
fn utf8_tail(lead: u8) -> Option<(u8, u8, u8)> {
    Some(match lead {
        0..=0x7F => (0, 0, 0),
        0xC2..=0xDF => (1, 0x80, 0xBF),
        0xE0 => (2, 0xA0, 0xBF),
        0xED => (2, 0x80, 0x9F),
        0xE1..=0xEF => (2, 0x80, 0xBF),
        0xF0 => (3, 0x90, 0xBF),
        0xF1..=0xF3 => (3, 0x80, 0xBF),
        0xF4 => (3, 0x80, 0x8F),
        0x80..=0xC1 | 0xF5.. => return None,
    })
}

/// The kind of every state.
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

/// The close asks that the minimum is reached and ends the rule: nothing after it looks at the countdowns.
fn closes_at_minimum(automaton: &Automaton, state: StateId) -> bool {
    automaton.states[state.index()].close.is_some_and(|(op, to)| {
        let end = &automaton.states[to.index()];
        automaton.ops[op.index()] == Op::Count { tick: false, max_a: 0, min_total: 0 }
            && end.accept
            && end.edges.1 == 0
            && end.calls.1 == 0
    })
}

fn reads_any_character(automaton: &Automaton, state: StateId, op: OpId) -> bool {
    (0..=u8::MAX).all(|lead| match (utf8_tail(lead), only_edge(automaton, state, lead)) {
        (None, Found::None) => true,
        (Some((rest, lo, hi)), Found::One(edge)) => {
            edge.op == op
                && (lead == 0
                    || same_as_before(automaton, state, lead)
                    || tail(automaton, edge.to, state, rest, lo, hi))
        }
        _ => false,
    })
}

/// The byte before takes the same edge and has the same continuation: it has been checked already.
fn same_as_before(automaton: &Automaton, state: StateId, lead: u8) -> bool {
    let of = |byte: u8| automaton.edges(state).iter().position(|edge| edge.lo <= byte && byte <= edge.hi);
    utf8_tail(lead - 1) == utf8_tail(lead) && of(lead - 1) == of(lead)
}

enum Found {
    None,
    One(Edge),
    Many,
}

fn only_edge(automaton: &Automaton, state: StateId, byte: u8) -> Found {
    let mut found = automaton.edges(state).iter().filter(|edge| edge.lo <= byte && byte <= edge.hi);
    match (found.next(), found.next()) {
        (None, _) => Found::None,
        (Some(edge), None) => Found::One(*edge),
        (Some(_), Some(_)) => Found::Many,
    }
}

/// From `at`, exactly `rest` continuation bytes, the first in `lo..=hi`, lead back to `home` without operations.
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

/// The edges cover `lo..=hi` exactly, without overlap.
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
