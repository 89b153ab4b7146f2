//! Steps the automaton by one byte. Only this module interprets the automaton's tables.
//!
//! Masks ([`crate::mask`]) and matchers ([`crate::matcher`]) both step with [`step`], so that a mask never disagrees with its matcher.

mod candidates;
mod canonical;
mod conditions;
mod content;
mod distinguish;
mod escape;
mod escape_guards;
mod escape_lives;
mod explore;
mod fork_vec;
mod frame;
mod inclusions;
mod join;
mod keys;
mod many;
mod memory;
mod merge;
mod ops;
mod record_way;
mod registers;
mod run_way;
mod seen;
mod seen_text;
mod stack;
mod text;
mod tokens;
mod wanted;
mod way_tree;

pub(crate) use candidates::{candidates, ones};
pub(crate) use canonical::Canon;
pub(crate) use conditions::{Seen, unasked};
pub(crate) use content::{describe, describe_since, digest};
pub(crate) use escape::{
    bytes_inside_escape, bytes_left_of_escape, canonical_escape, characters_of_escape, escape_after, is_escape,
};
pub use explore::{ConfigurationId, Explorer, Likeness, TooAmbiguous, byte_groups};
pub(crate) use fork_vec::ForkVec;
pub(crate) use frame::{BOTTOM, Frame, Head, NodeId};
pub(crate) use keys::{canonical_position, extra_may_come, key_is_past, key_may_come, with_seen};
pub(crate) use memory::{Memory, SeenId};
pub(crate) use merge::merge_all as merge;
pub(crate) use ops::apply;
#[doc(hidden)]
pub use registers::PlainRegisters;
pub(crate) use run_way::{may_run, run as run_way_step, ways_of};
pub use stack::MAX_STACK_BYTES;
pub(crate) use stack::{KeySet, Mark, Moment, Stack};
pub(crate) use tokens::{count as count_token, entered};
pub(crate) use way_tree::{WayId, WayStep};

use crate::automaton::{Automaton, Call, OpId, Root, StateId, StateKind};
use crate::watch;

/// Up to this many heads are stepped one by one; more are stepped together ([`many`]).
const FEW: usize = 8;

/// Cap on the heads that a step visits when it steps heads one by one. Beyond it, the step starts over with all heads together.
const FEW_LOOKS: usize = 48;

/// Buffers that a step needs; kept between steps so that stepping does not allocate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pending: Vec<Head>,
    moved: Vec<Head>,
    /// Allocated when heads are first stepped together.
    many: Option<Box<many::Many>>,
    /// The number of heads that the last step visited.
    seen: usize,
}

impl Scratch {
    /// Returns the number of heads that the last step visited.
    pub(crate) fn seen(&self) -> usize {
        self.seen
    }
}

/// Steps heads by one byte: appends the heads after it to `out`, merged. Appends nothing if the byte is refused.
///
/// Terminates: every pending head either reads the byte, follows a first call (which is not left-recursive, and nests at most
/// [`crate::automaton::MAX_FIRST_DEPTH`] deep), or pops a frame.
pub(crate) fn step(
    automaton: &Automaton,
    stack: &mut Stack,
    scratch: &mut Scratch,
    heads: &[Head],
    byte: u8,
    out: &mut Vec<Head>,
) {
    stack.keep_byte(byte);
    let (first, mark) = (out.len(), stack.mark());
    if heads.len() <= FEW
        && step_few(automaton, stack, scratch, heads, byte, out)
        && merge::is_quick(stack, &out[first..])
    {
        merge::merge(automaton, stack, out, first);
    } else {
        out.truncate(first);
        stack.truncate(mark);
        let many = scratch.many.get_or_insert_default();
        many.step(automaton, stack, heads, byte, out);
        scratch.seen = many.work;
    }
    if watch::spend(1 + scratch.seen) || stack.is_too_large() {
        stack.overflow();
        out.truncate(first);
    }
}

/// Steps heads one by one. Returns `false` if that visits more than [`FEW_LOOKS`] heads, or if a head has many frames to return to.
fn step_few(
    automaton: &Automaton,
    stack: &mut Stack,
    scratch: &mut Scratch,
    heads: &[Head],
    byte: u8,
    out: &mut Vec<Head>,
) -> bool {
    scratch.seen = 0;
    scratch.pending.clear();
    for &head in heads {
        scratch.pending.push(head);
        while let Some(head) = scratch.pending.pop() {
            scratch.seen += 1;
            if scratch.seen > FEW_LOOKS || step_head(automaton, stack, scratch, head, byte, out).is_none() {
                return false;
            }
        }
    }
    true
}

/// Steps one head by the byte; `None` if it has many frames to return to.
fn step_head(
    automaton: &Automaton,
    stack: &mut Stack,
    scratch: &mut Scratch,
    head: Head,
    byte: u8,
    out: &mut Vec<Head>,
) -> Option<()> {
    if head.is_returned() {
        return Some(());
    }
    let Scratch { pending, moved, .. } = scratch;
    moves(automaton, stack, head, byte, moved);
    for moved in moved.drain(..) {
        if !automaton.derived.is_bare(moved.state) {
            out.push(moved);
        } else if stack.is_few(moved.parent) {
            push_returns(stack, moved, out);
        } else {
            return None;
        }
    }
    let state = &automaton.states[head.state.index()];
    if state.calls.len > 0 {
        enter_calls(automaton, stack, pending, head, byte);
    }
    if state.accept {
        if !stack.is_few(head.parent) {
            return None;
        }
        stack.frames(head.parent, |frame, parent| pending.push(frame.resume(parent)));
    }
    Some(())
}

/// Appends the heads after the byte, within the rule of `head`. Some of them may only be able to return.
fn moves(automaton: &Automaton, stack: &mut Stack, head: Head, byte: u8, moved: &mut Vec<Head>) {
    let first = moved.len();
    if automaton.states[head.state.index()].kind == StateKind::Text {
        text::step(automaton, stack, head, byte, moved);
        if stack.keeps_text() {
            seen::pass(automaton, stack, head, byte, moved, first);
        }
        return;
    }
    for edge in automaton.edges(head.state) {
        if edge.lo > byte {
            break;
        }
        if byte <= edge.hi {
            moved.extend(ops::after(automaton, stack, head, edge.op, edge.to));
        }
    }
    if stack.keeps_text() {
        seen::pass(automaton, stack, head, byte, moved, first);
    }
}

/// Moves a head within its frame. If it can only return from its new state, it returns at once.
#[inline]
pub(crate) fn go(automaton: &Automaton, stack: &mut Stack, head: Head, op: OpId, to: StateId, out: &mut Vec<Head>) {
    let Some(next) = ops::after(automaton, stack, head, op, to) else { return };
    if automaton.derived.is_bare(to) {
        push_returns(stack, next, out);
    } else {
        out.push(next);
    }
}

/// Returns from a finished frame: appends the frames that it returns to, as heads.
fn push_returns(stack: &Stack, head: Head, out: &mut Vec<Head>) {
    if head.parent == BOTTOM {
        out.push(head.returned());
        return;
    }
    let mut to_bottom = false;
    stack.frames_or_bottom(head.parent, |frame| match frame {
        Some((frame, parent)) => out.push(frame.resume(parent)),
        None => to_bottom = true,
    });
    if to_bottom {
        out.push(head.returned());
    }
}

/// Returns whether a text of the called rule can begin with the byte.
#[inline]
fn may_begin(automaton: &Automaton, call: &Call, byte: u8) -> bool {
    automaton.rules[call.rule.index()].first[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
}

/// Enters every call whose rule can begin with the byte.
fn enter_calls(automaton: &Automaton, stack: &mut Stack, pending: &mut Vec<Head>, head: Head, byte: u8) {
    for call in automaton.calls(head.state) {
        if !may_begin(automaton, call, byte) {
            continue;
        }
        let mut caller = head;
        if call.op != OpId::NONE && !ops::apply(automaton, stack, call.op, &mut caller) {
            continue;
        }
        let parent = if automaton.derived.is_bare(call.ret) {
            head.parent
        } else {
            stack.push(Frame { state: call.ret, a: caller.a, b: caller.b, memory: caller.memory }, head.parent)
        };
        pending.push(entered(&automaton.rules[call.rule.index()], call.a, call.b, parent));
    }
}

/// Returns the head that begins the whole format.
pub(crate) fn start(automaton: &Automaton) -> Head {
    let Root { rule, a, b } = automaton.root;
    entered(&automaton.rules[rule.index()], a, b, BOTTOM)
}

/// Returns whether the head can return through every frame below it without reading anything more.
pub(crate) fn can_finish(automaton: &Automaton, stack: &Stack, head: Head) -> bool {
    if head.is_returned() {
        return true;
    }
    let accepts = |state: StateId| automaton.states[state.index()].accept;
    if !accepts(head.state) {
        return false;
    }
    let mut node = head.parent;
    while let Some((frame, parent)) = stack.frame(node) {
        if !accepts(frame.state) {
            return false;
        }
        node = parent;
    }
    node == BOTTOM || can_finish_join(automaton, stack, node)
}

/// Returns whether some stack at a join can return through all of its frames without reading anything more.
#[cold]
fn can_finish_join(automaton: &Automaton, stack: &Stack, join: NodeId) -> bool {
    let accepts = |state: StateId| automaton.states[state.index()].accept;
    let mut todo = vec![join];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(node) = todo.pop() {
        if node == BOTTOM {
            return true;
        }
        if !seen.insert(node) {
            continue;
        }
        if let Some((frame, parent)) = stack.frame_or_members(node, |member| todo.push(member))
            && accepts(frame.state)
        {
            todo.push(parent);
        }
    }
    false
}
