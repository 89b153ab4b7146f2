//! Collects the operations on a frame's registers instead of running them: the *ways* in which texts go through the frame.
//!
//! An object of 20 keys in any order has a million sets of seen keys, too many to step a head from each. But a head steps
//! alike from all of them but for the guards that are asked on its way. So a walk can begin with a head whose registers are
//! not known: its register `aux` names a way, and each operation on it leads to a longer way. Whoever has the registers runs
//! the steps of the way on them: where all guards hold, the head lives, and its registers are those at the end.
//!
//! From the quote of a key of `{"a": ..., "b": ...}`, the token `a":` goes the way "`a` or `b` can come; take `a`". Frames
//! that were entered within the walk have registers of their own, which are known, and run as always.

use rustc_hash::FxHashMap;

use super::head::Head;
use super::keys::key_may_come;
use super::ops;
use super::stack::{NodeId, Stack};
use super::text::escape_lives;
use crate::automaton::{Automaton, KeyOrder, ObjectId, Op, OpId, StateId};

/// The least `aux` value that names a way; those below name positions, tokens and sets.
const WAY_BASE: u32 = 3 << 30;

/// The most ways of one walk. A frame with more, whose masks are computed on demand, is refused like an ambiguous one.
const MAX_WAYS: usize = 1 << 16;

/// One step of a way: it is asked of the registers whether it may be made, and changes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum WayStep {
    /// An operation.
    Op(OpId),
    /// Asks that in this state some character which the escape can still become may be read.
    Escape(StateId, u32),
}

/// The number of a way within one walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct WayId(pub(crate) u32);

impl WayId {
    /// The way without steps.
    pub(crate) const EMPTY: WayId = WayId(0);

    /// Returns the `aux` register that names the way.
    pub(crate) fn aux(self) -> u32 {
        WAY_BASE + self.0
    }

    /// Returns the way that an `aux` register names; `None` of one with a value.
    #[inline]
    pub(crate) fn of_aux(aux: u32) -> Option<WayId> {
        aux.checked_sub(WAY_BASE).map(WayId)
    }
}

/// The ways of one walk, as a tree: each is another one and a last step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ways {
    /// By number, from 1: the way before the last step, and that step.
    all: Vec<(WayId, WayStep)>,
    known: FxHashMap<(WayId, WayStep), WayId>,
    /// What guards on unknown registers answer, while it is asked whether they matter.
    assumed: Option<bool>,
}

impl Ways {
    /// Forgets all ways.
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.known.clear();
        self.assumed = None;
    }

    /// Makes all guards on unknown registers hold from now on, and leaves ways as they are.
    pub(crate) fn assume_guards(&mut self) {
        self.assumed = Some(true);
    }

    /// Returns the way before the last step, and that step; `None` of the empty way.
    pub(crate) fn last(&self, way: WayId) -> Option<(WayId, WayStep)> {
        self.all.get((way.0 as usize).checked_sub(1)?).copied()
    }

    /// Returns the way with one step more; `None` if there are too many.
    fn after(&mut self, way: WayId, step: WayStep) -> Option<WayId> {
        if let Some(&known) = self.known.get(&(way, step)) {
            return Some(known);
        }
        if self.all.len() >= MAX_WAYS {
            return None;
        }
        self.all.push((way, step));
        let new = WayId(self.all.len() as u32);
        self.known.insert((way, step), new);
        Some(new)
    }
}

/// Adds an operation to the head's way; `false` if its guard cannot hold.
pub(super) fn add_op(automaton: &Automaton, stack: &mut Stack, op: OpId, way: WayId, head: &mut Head) -> bool {
    let operation = &automaton.ops[op.index()];
    let effect = effect(automaton, operation);
    match (effect, stack.ways.assumed) {
        (Effect::Nothing, _) => true,
        (Effect::Guard | Effect::Change, Some(assumed)) => assumed,
        // A guard that has just held still holds.
        (Effect::Guard, None) if stack.ways.last(way).is_some_and(|(_, last)| last == WayStep::Op(op)) => true,
        (Effect::Guard | Effect::Change, None) => add(stack, way, WayStep::Op(op), head),
    }
}

/// Adds to the head's way that its escape lives; `false` if it cannot, whatever the registers are.
pub(super) fn add_escape(automaton: &Automaton, stack: &mut Stack, way: WayId, head: &mut Head) -> bool {
    if stack.ways.assumed.is_some() {
        return escape_lives(automaton, stack, *head);
    }
    let mut lives = |assumed: bool| {
        let before = stack.ways.assumed.replace(assumed);
        let lives = escape_lives(automaton, stack, *head);
        stack.ways.assumed = before;
        lives
    };
    if lives(false) {
        return true;
    }
    lives(true) && add(stack, way, WayStep::Escape(head.state, head.esc), head)
}

fn add(stack: &mut Stack, way: WayId, step: WayStep, head: &mut Head) -> bool {
    match stack.ways.after(way, step) {
        Some(after) => {
            head.aux = after.aux();
            true
        }
        None => {
            stack.overflow();
            false
        }
    }
}

/// What an operation does to registers that are not known.
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
        shape.order == KeyOrder::Any && !shape.counted && shape.extra
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
            if shape.required.is_empty() && !shape.counted { Effect::Nothing } else { Effect::Guard }
        }
        Op::KeyAlive { .. } | Op::KeyNext { .. } => Effect::Guard,
        Op::Count { .. } | Op::KeyTake { .. } | Op::KeyTakeExtra { .. } => Effect::Change,
    }
}

/// Returns whether a step of a way may be made with the registers of a head.
pub(crate) fn may_run(automaton: &Automaton, stack: &mut Stack, step: WayStep, head: &Head) -> bool {
    if let WayStep::Op(op) = step
        && let Op::KeyTake { object, key } = automaton.ops[op.index()]
    {
        // The set with the key need not be made.
        return key_may_come(&automaton.objects[object.index()], stack, head, key);
    }
    run(automaton, stack, step, &mut { *head })
}

/// Runs a step of a way on the registers of a head; `false` if it may not be made.
pub(crate) fn run(automaton: &Automaton, stack: &mut Stack, step: WayStep, head: &mut Head) -> bool {
    match step {
        WayStep::Op(op) => ops::apply(automaton, stack, op, head),
        WayStep::Escape(state, esc) => escape_lives(automaton, stack, Head { state, esc, ..*head }),
    }
}

/// Appends the ways of the lowest frames of a head that stands on frames without a choice of registers: of the frame with
/// which the walk began.
pub(crate) fn ways_of(stack: &Stack, head: &Head, out: &mut Vec<WayId>) {
    let lowest = super::stack::BOTTOM;
    if head.parent == lowest {
        return out.extend(WayId::of_aux(head.aux));
    }
    let mut open: Vec<NodeId> = vec![head.parent];
    while let Some(node) = open.pop() {
        stack.frames(node, |frame, parent| match parent == lowest {
            true => out.extend(WayId::of_aux(frame.aux)),
            false => open.push(parent),
        });
    }
}
