//! Runs an [`Op`] on the registers of one frame.

use super::frame::Head;
use super::memory::{Remembered, SeenId};
use super::stack::Stack;
use super::{keys, record_way};
use crate::automaton::{Automaton, Op, OpId, StateId};

/// Runs the operation on the head's registers. Returns `false` if its guard fails.
pub(crate) fn apply(automaton: &Automaton, stack: &mut Stack, op: OpId, head: &mut Head) -> bool {
    if head.memory.names_more() {
        match head.memory.get() {
            Remembered::Way(way) => return record_way::record_op(automaton, stack, op, way, head),
            Remembered::Seen(id) => return apply_beside(automaton, stack, op, id, head),
            Remembered::Number(_) | Remembered::Keys(_) => {}
        }
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
        Op::Owing { declared, undeclared, op } => owing(automaton, stack, *op, [*declared, *undeclared], head),
    }
}

/// Runs an operation on the registers of a frame that also remembers items or keys.
#[cold]
fn apply_beside(automaton: &Automaton, stack: &mut Stack, op: OpId, id: SeenId, head: &mut Head) -> bool {
    let registers = stack.registers(head.memory);
    let before = std::mem::replace(&mut head.memory, registers);
    let holds = apply(automaton, stack, op, head);
    let is_changed = holds && head.memory != registers;
    head.memory = if is_changed { stack.with_registers(id, head.memory) } else { before };
    holds
}

/// Runs an operation on a key after which members are owed. `owed` is their number after a declared key, and after an undeclared one.
fn owing(automaton: &Automaton, stack: &mut Stack, op: OpId, owed: [u32; 2], head: &mut Head) -> bool {
    let [declared, undeclared] = owed;
    match &automaton.ops[op.index()] {
        Op::KeyAlive { object, keys, extra } => {
            let shape = &automaton.objects[object.index()];
            *extra && head.owing(undeclared, |head| keys::alive(shape, stack, head, &[], true))
                || head.owing(declared, |head| keys::alive(shape, stack, head, keys, false))
        }
        Op::KeyNext { object } => {
            let shape = &automaton.objects[object.index()];
            head.owing(undeclared, |head| keys::extra_may_come(shape, stack, head))
                || head.owing(declared, |head| keys::declared_may_come(shape, stack, head))
        }
        Op::KeyTakeExtra { .. } => head.owing(undeclared, |head| apply(automaton, stack, op, head)),
        Op::None | Op::Count { .. } | Op::KeyTake { .. } | Op::ObjectClose { .. } => {
            head.owing(declared, |head| apply(automaton, stack, op, head))
        }
        // A valid automaton has no `Owing` of an `Owing`.
        Op::Owing { .. } => false,
    }
}

/// Returns the head after a move within its frame; `None` if the move's guard fails.
#[inline]
pub(super) fn after(automaton: &Automaton, stack: &mut Stack, head: Head, op: OpId, to: StateId) -> Option<Head> {
    let mut next = Head { state: to, esc: 0, ..head };
    (op == OpId::NONE || apply(automaton, stack, op, &mut next)).then_some(next)
}
