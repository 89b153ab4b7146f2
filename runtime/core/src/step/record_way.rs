//! Records operations on unknown registers, instead of running them.

use super::frame::Head;
use super::memory::Memory;
use super::stack::Stack;
use super::way_tree::{WayId, WayStep};
use crate::automaton::{Automaton, KeyOrder, ObjectId, Op, OpId};

/// Adds an operation to the head's way. Returns `false` if its guard cannot hold.
pub(super) fn record_op(automaton: &Automaton, stack: &mut Stack, op: OpId, way: WayId, head: &mut Head) -> bool {
    let operation = &automaton.ops[op.index()];
    let effect = effect(automaton, operation);
    match (effect, stack.ways().assumed()) {
        (Effect::Nothing, _) => true,
        (Effect::Guard | Effect::Change, Some(assumed)) => assumed,
        // A guard that has just held still holds.
        (Effect::Guard, None) if stack.ways().last(way).is_some_and(|(_, last)| last == WayStep::Op(op)) => true,
        (Effect::Guard | Effect::Change, None) => record(stack, way, WayStep::Op(op), head),
    }
}

/// Adds a step to the head's way. If there are too many ways, overflows the stack and returns `false`.
pub(super) fn record(stack: &mut Stack, way: WayId, step: WayStep, head: &mut Head) -> bool {
    match stack.ways_mut().after(way, step) {
        Some(after) => {
            head.memory = Memory::of_way(after);
            true
        }
        None => {
            stack.overflow();
            false
        }
    }
}

/// The effect of an operation on unknown registers.
enum Effect {
    /// It always succeeds, and changes nothing.
    Nothing,
    /// It changes nothing, and may fail.
    Guard,
    /// It may fail, or change registers.
    Change,
}

fn effect(automaton: &Automaton, op: &Op) -> Effect {
    // Undeclared keys of an object that neither counts nor orders its members may always come.
    let is_open = |object: &ObjectId| {
        let shape = &automaton.objects[object.index()];
        shape.order == KeyOrder::Any && !shape.counted && shape.extra && shape.conditions.is_empty()
    };
    match op {
        Op::None => Effect::Nothing,
        Op::KeyAlive { object, extra: true, .. } | Op::KeyNext { object } | Op::KeyTakeExtra { object }
            if is_open(object) =>
        {
            Effect::Nothing
        }
        Op::ObjectClose { object } => {
            let shape = &automaton.objects[object.index()];
            if shape.required.is_empty() && !shape.counted && shape.conditions.is_empty() {
                Effect::Nothing
            } else {
                Effect::Guard
            }
        }
        Op::KeyAlive { .. } | Op::KeyNext { .. } => Effect::Guard,
        Op::Count { .. } | Op::KeyTake { .. } | Op::KeyTakeExtra { .. } | Op::Owing { .. } => Effect::Change,
    }
}
