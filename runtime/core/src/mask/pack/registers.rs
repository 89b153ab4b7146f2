//! The order of a frame's registers in the records of a pack.
//!
//! A record is a run: a range of one register, with equal other registers, in which all frames have one answer. For most frames this
//! register is the countdown `b`. For frames of an object with keys in declared order it is the position, as such an object has hundreds of
//! positions but mostly one countdown value: 1,000 keys make a few runs, not a thousand.

use crate::automaton::{Automaton, ObjectShape, StateId};
use crate::mask::classes;
use crate::step::{Head, Memory};

/// Returns the canonical head for look-ups in runs; its registers are 0 if masks are made by ways.
#[inline]
pub(super) fn canonical(automaton: &Automaton, head: Head, longest: u32) -> Head {
    let head = classes::canonical(automaton, head, longest);
    if is_by_ways(automaton, head.state) { Head { a: 0, b: 0, memory: Memory::EMPTY, ..head } } else { head }
}

/// Returns whether masks of the state's frames are made by ways.
#[inline]
pub(super) fn is_by_ways(automaton: &Automaton, state: StateId) -> bool {
    automaton.derived.is_by_ways(automaton.states[state.index()].rule)
}

fn declared(automaton: &Automaton, state: StateId) -> Option<&ObjectShape> {
    let shape = &automaton.objects[automaton.rule_of(state).object?.index()];
    (!shape.keeps_set()).then_some(shape)
}

/// Returns the registers of a frame, with the register of its runs last. `memory` is the memory of keys as a pack's number.
#[inline]
pub(super) fn of_base(automaton: &Automaton, head: &Head, memory: u32) -> [u32; 4] {
    match declared(automaton, head.state) {
        Some(_) => [head.esc, head.a, head.b, memory],
        None => [memory, head.esc, head.a, head.b],
    }
}

/// Returns the exits and the registers of a return frame, with the register of its runs last. Return frames are never inside an escape.
#[inline]
pub(super) fn of_tail(automaton: &Automaton, exits: u32, head: &Head, memory: u32) -> [u32; 4] {
    match declared(automaton, head.state) {
        Some(_) => [exits, head.a, head.b, memory],
        None => [exits, memory, head.a, head.b],
    }
}

/// Returns the number of required keys before a position; `None` unless keys come in declared order. Answers are monotone between positions
/// with the same number, so that one run may contain both.
pub(super) fn segment(automaton: &Automaton, state: StateId, memory: u32) -> Option<u32> {
    let shape = declared(automaton, state)?;
    Some(shape.required.partition_point(|&key| key < memory) as u32)
}
