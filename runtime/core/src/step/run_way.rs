//! Runs the steps of a recorded way on known registers.

use super::escape_lives::lives_with;
use super::frame::{BOTTOM, Head, NodeId};
use super::keys::key_may_come;
use super::ops;
use super::stack::Stack;
use super::way_tree::{WayId, WayStep};
use crate::automaton::{Automaton, Op};

/// Returns whether the registers of a head allow a step of a way.
pub(crate) fn may_run(automaton: &Automaton, stack: &mut Stack, step: WayStep, head: &Head) -> bool {
    if let WayStep::Op(op) = step
        && let Op::KeyTake { object, key } = automaton.ops[op.index()]
    {
        // Check without building the set that contains the key.
        return key_may_come(&automaton.objects[object.index()], stack, head, key);
    }
    run(automaton, stack, step, &mut { *head })
}

/// Runs a step of a way on the registers of a head. Returns `false` if they do not allow it.
pub(crate) fn run(automaton: &Automaton, stack: &mut Stack, step: WayStep, head: &mut Head) -> bool {
    match step {
        WayStep::Op(op) => ops::apply(automaton, stack, op, head),
        WayStep::Escape(state, esc) => lives_with(automaton, stack, Head { state, esc, ..*head }),
    }
}

/// Appends the ways of the lowest frames of a head: the frames that come from the one with which the walk began.
pub(crate) fn ways_of(stack: &Stack, head: &Head, out: &mut Vec<WayId>) {
    if head.parent == BOTTOM {
        return out.extend(head.memory.way());
    }
    let mut open: Vec<NodeId> = vec![head.parent];
    while let Some(node) = open.pop() {
        stack.frames(node, |frame, parent| match parent == BOTTOM {
            true => out.extend(frame.memory.way()),
            false => open.push(parent),
        });
    }
}
