//! Runs an [`Op`] on the registers of one frame.

use super::head::Head;
use super::keys;
use super::stack::Stack;
use super::ways::{self, WayId};
use crate::automaton::{Automaton, Op, OpId, UNBOUNDED};

/// Runs the operation on the head's registers; `false` if its guard fails.
pub(crate) fn apply(automaton: &Automaton, stack: &mut Stack, op: OpId, head: &mut Head) -> bool {
    if let Some(way) = WayId::of_aux(head.aux) {
        return ways::add_op(automaton, stack, op, way, head);
    }
    match &automaton.ops[op.index()] {
        Op::None => true,
        Op::Count { tick: ticks, max_a, min_total } => {
            if *ticks && !tick(head) {
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

/// Ticks the countdowns: takes one from `a`, or if that is 0 from `b`; `false` if nothing is left.
#[inline]
pub(super) fn tick(head: &mut Head) -> bool {
    if head.a > 0 {
        head.a -= 1;
    } else if head.b == 0 {
        return false;
    } else if head.b != UNBOUNDED {
        head.b -= 1;
    }
    true
}
