//! Decides whether an escape *lives*: whether some character that it can still become may be read. A head may be inside an escape only
//! while the escape lives, so that there are no dead ends.

use super::escape::any_range;
use super::frame::Head;
use super::ops::after;
use super::record_way::record;
use super::stack::Stack;
use super::wanted::Wanted;
use super::way_tree::{WayId, WayStep};
use crate::automaton::Automaton;

/// Returns whether the head's escape lives. If that depends on unknown registers, records the check in the head's way.
pub(super) fn lives(automaton: &Automaton, stack: &mut Stack, head: &mut Head) -> bool {
    match head.memory.way() {
        Some(way) => lives_on_way(automaton, stack, way, head),
        None => lives_with(automaton, stack, *head),
    }
}

fn lives_on_way(automaton: &Automaton, stack: &mut Stack, way: WayId, head: &mut Head) -> bool {
    if stack.ways().assumed().is_some() {
        return lives_with(automaton, stack, *head);
    }
    let mut lives = |assumed: bool| {
        let before = stack.ways_mut().assume(Some(assumed));
        let lives = lives_with(automaton, stack, *head);
        stack.ways_mut().assume(before);
        lives
    };
    if lives(false) {
        return true;
    }
    lives(true) && record(stack, way, WayStep::Escape(head.state, head.esc), head)
}

/// Returns whether some character that the escape can still become may be read, with the registers as they are.
pub(super) fn lives_with(automaton: &Automaton, stack: &mut Stack, head: Head) -> bool {
    any_range(automaton.escapes, head.esc, |lo, hi| reads(automaton, stack, head, lo, hi))
}

/// Returns whether the state reads some character of `lo..=hi` (no surrogates inside).
fn reads(automaton: &Automaton, stack: &mut Stack, head: Head, lo: u32, hi: u32) -> bool {
    let head = Head { esc: 0, ..head };
    Wanted::by_length(lo, hi).any(|wanted| reads_from(automaton, stack, head, wanted))
}

/// Returns whether some path of edges from the head spells a wanted character, byte by byte.
///
/// For U+00E0 to U+00FF in two bytes (C3 A0 to C3 BF), the lead byte has the upper bits: edges are followed for C3 only, and after it for
/// the bytes A0 to BF.
fn reads_from(automaton: &Automaton, stack: &mut Stack, head: Head, wanted: Wanted) -> bool {
    if head.is_returned() {
        return false;
    }
    for edge in automaton.edges(head.state) {
        let bytes = wanted.bytes_of(edge);
        if bytes.is_empty() {
            continue;
        }
        let Some(next) = after(automaton, stack, head, edge.op, edge.to) else {
            continue;
        };
        if wanted.rest == 0 {
            return true;
        }
        for byte in bytes {
            if reads_from(automaton, stack, next, wanted.after(byte)) {
                return true;
            }
        }
    }
    false
}
