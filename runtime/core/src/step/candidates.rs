//! The bytes that may come next.

use super::{BOTTOM, Head, Stack};
use crate::automaton::{Automaton, StateKind};

/// Returns the bytes of a set, ascending.
pub(crate) fn ones(set: [u64; 4]) -> impl Iterator<Item = u8> {
    (0..=u8::MAX).filter(move |&b| set[usize::from(b >> 6)] >> (b & 63) & 1 == 1)
}

/// Returns a superset of the bytes that may come next, as guards are not checked.
pub(crate) fn candidates(automaton: &Automaton, stack: &Stack, heads: &[Head]) -> [u64; 4] {
    let mut set = [0u64; 4];
    let mut todo: Vec<Head> = heads.to_vec();
    let mut seen = Vec::new();
    while let Some(head) = todo.pop() {
        if head.is_returned() || seen.contains(&(head.state, head.parent)) {
            continue;
        }
        seen.push((head.state, head.parent));
        add_state(automaton, &head, &mut set);
        if automaton.states[head.state.index()].accept && head.parent != BOTTOM {
            stack.frames(head.parent, |frame, parent| todo.push(frame.resume(parent)));
        }
    }
    set
}

fn add_state(automaton: &Automaton, head: &Head, set: &mut [u64; 4]) {
    let mut add = |byte: u8| set[usize::from(byte >> 6)] |= 1 << (byte & 63);
    let state = &automaton.states[head.state.index()];
    if head.esc != 0 {
        b"\\\"/bfnrtu0123456789abcdefABCDEF".iter().for_each(|&byte| add(byte));
        return;
    }
    if state.kind == StateKind::Text {
        add(b'\\');
        if state.close.is_some() {
            add(b'"');
        }
    }
    for edge in automaton.edges(head.state) {
        (edge.lo..=edge.hi).filter(|&b| state.kind == StateKind::Bytes || b >= 0x20).for_each(&mut add);
    }
    for call in automaton.calls(head.state) {
        for (word, more) in set.iter_mut().zip(automaton.rules[call.rule.index()].first) {
            *word |= more;
        }
    }
}
