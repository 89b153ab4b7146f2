//! Runs an [`Op`] on the registers of one frame.

use super::frame::Head;
use super::stack::Stack;
use super::{keys, record_way};
use crate::automaton::{Automaton, Op, OpId, StateId};

/// Runs the operation on the head's registers; `false` if its guard fails.
pub(crate) fn apply(automaton: &Automaton, stack: &mut Stack, op: OpId, head: &mut Head) -> bool {
    if let Some(way) = head.memory.way() {
        return record_way::record_op(automaton, stack, op, way, head);
    }
    match &automaton.ops[op.index()] {
        Op::None => true,
        Op::Count { tick, max_a, min_total } => {
            if *tick && !head.tick() {
                return false;
            }
            head.a <= *max_a && head.a.saturating_add(head.b) >= *min_total
        }
        Op::KeyAlive { object, keys, extra } => {
            keys::alive(&automaton.objects[object.index()], stack, head, keys, *extra)
        }
        Op::KeyTake { object, key } => keys::take(&automaton.objects[object.index()], stack, head, *key),
        Op::KeyTakeExtra { object } => keys::take_extra(&automaton.objects[object.index()], stack, head),
        Op::KeyNext { object } => keys::next(&automaton.objects[object.index()], stack, head),
        Op::ObjectClose { object } => keys::close(&automaton.objects[object.index()], stack, head),
    }
}

/// Returns the head after a move within its frame; `None` if the move's guard fails.
#[inline]
pub(super) fn after(automaton: &Automaton, stack: &mut Stack, head: Head, op: OpId, to: StateId) -> Option<Head> {
    let mut next = Head { state: to, esc: 0, ..head };
    (op == OpId::NONE || apply(automaton, stack, op, &mut next)).then_some(next)
}
