//! Stepping the automaton by one byte: the only place that gives its tables a meaning.
//!
//! Masks ([`crate::mask`]) and matchers ([`crate::matcher`]) both step with [`step`]; that is why a mask can never say
//! anything else than what the matcher then does.

mod canonical;
mod distinguish;
mod explore;
mod head;
mod keys;
mod merge;
mod ops;
mod stack;
mod text;
mod tokens;

pub(crate) use canonical::Canon;
pub use explore::{ConfigurationId, Explorer, TooAmbiguous, byte_groups};
pub(crate) use head::Head;
pub(crate) use keys::{canonical_position, extra_may_come, key_is_past, key_may_come};
pub(crate) use ops::apply;
pub(crate) use stack::{BOTTOM, Frame, KeySet, Mark, NodeId, Stack};
pub(crate) use text::{bytes_inside_escape, canonical_escape, characters_of_escape};
pub(crate) use tokens::{count as count_token, entered};

use crate::automaton::{Automaton, OpId, Root, StateId, StateKind};

/// The most parallel heads; more are refused, as the format is too ambiguous to be stepped in bounded time.
///
/// ```
/// assert!(ogc_runtime::step::MAX_HEADS >= 1_000);
/// ```
pub const MAX_HEADS: usize = 4_096;

/// Buffers that a step needs; kept between steps so that stepping does not allocate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pending: Vec<Head>,
    /// The number of heads that the last step looked at, and the number that it made before they were merged.
    seen: usize,
    unmerged: usize,
}

impl Scratch {
    /// Returns the number of heads that the last step looked at.
    pub(crate) fn seen(&self) -> usize {
        self.seen
    }

    /// Returns whether the last step, which made `heads` heads, merged some.
    pub(crate) fn merged(&self, heads: usize) -> bool {
        self.unmerged > heads
    }

    /// Returns how near the last step, which made `heads` heads, came to its limits: with a width of at most
    /// [`MAX_HEADS`] it was not refused.
    pub(crate) fn width(&self, heads: usize) -> usize {
        heads.max(self.seen.max(self.unmerged).div_ceil(4))
    }
}

/// Steps heads by one byte: appends the heads after it to `out`, merged. Appends nothing if the byte is refused.
///
/// Terminates: every pending head either reads the byte, follows a first call (not left-recursive, bounded by
/// [`crate::automaton::MAX_FIRST_DEPTH`]) or pops a frame.
pub(crate) fn step(
    automaton: &Automaton,
    stack: &mut Stack,
    scratch: &mut Scratch,
    heads: &[Head],
    byte: u8,
    out: &mut Vec<Head>,
) {
    let first = out.len();
    let mut seen = 0;
    for &head in heads {
        scratch.pending.push(head);
        while let Some(head) = scratch.pending.pop() {
            seen += 1;
            step_head(automaton, stack, &mut scratch.pending, head, byte, out);
            if scratch.pending.len() > 4 * MAX_HEADS || out.len() - first > 4 * MAX_HEADS {
                stack.overflow();
                scratch.pending.clear();
                (scratch.seen, scratch.unmerged) = (seen, out.len() - first);
                out.truncate(first);
                return;
            }
        }
    }
    (scratch.seen, scratch.unmerged) = (seen, out.len() - first);
    if out.len() - first > 1 {
        merge::merge(stack, out, first);
        if out.len() - first > MAX_HEADS {
            stack.overflow();
            out.truncate(first);
        }
    }
}

fn step_head(
    automaton: &Automaton,
    stack: &mut Stack,
    pending: &mut Vec<Head>,
    head: Head,
    byte: u8,
    out: &mut Vec<Head>,
) {
    if head.is_returned() {
        return;
    }
    let state = &automaton.states[head.state.index()];
    if state.kind == StateKind::Text {
        return text::step(automaton, stack, head, byte, out);
    }
    for edge in automaton.edges(head.state) {
        if edge.lo > byte {
            break;
        }
        if byte <= edge.hi {
            go(automaton, stack, head, edge.op, edge.to, out);
        }
    }
    if state.calls.len > 0 {
        enter_calls(automaton, stack, pending, head, byte);
    }
    if state.accept {
        stack.frames(head.parent, |frame, parent| pending.push(frame.resume(parent)));
    }
}

/// Moves a head within its frame; a target that can only return does so at once.
#[inline]
pub(crate) fn go(automaton: &Automaton, stack: &mut Stack, head: Head, op: OpId, to: StateId, out: &mut Vec<Head>) {
    let mut next = Head { state: to, esc: 0, ..head };
    if op != OpId::NONE && !ops::apply(automaton, stack, op, &mut next) {
        return;
    }
    if automaton.derived.is_bare(to) {
        push_returns(stack, next, out);
    } else {
        out.push(next);
    }
}

/// Returns from a frame that is finished: appends its return frames.
fn push_returns(stack: &Stack, head: Head, out: &mut Vec<Head>) {
    if head.parent == BOTTOM {
        out.push(Head::RETURNED);
        return;
    }
    let mut to_bottom = false;
    stack.frames_or_bottom(head.parent, |frame| match frame {
        Some((frame, parent)) => out.push(frame.resume(parent)),
        None => to_bottom = true,
    });
    if to_bottom {
        out.push(Head::RETURNED);
    }
}

/// Enters every call whose rule can begin with the byte.
fn enter_calls(automaton: &Automaton, stack: &mut Stack, pending: &mut Vec<Head>, head: Head, byte: u8) {
    for call in automaton.calls(head.state) {
        let rule = &automaton.rules[call.rule.index()];
        if rule.first[usize::from(byte >> 6)] >> (byte & 63) & 1 == 0 {
            continue;
        }
        let mut caller = head;
        if call.op != OpId::NONE && !ops::apply(automaton, stack, call.op, &mut caller) {
            continue;
        }
        let parent = if automaton.derived.is_bare(call.ret) {
            head.parent
        } else {
            stack.push(Frame { state: call.ret, a: caller.a, b: caller.b, aux: caller.aux }, head.parent)
        };
        pending.push(entered(rule, call.a, call.b, parent));
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
    if head.parent == BOTTOM {
        return true;
    }
    let mut todo = vec![head.parent];
    let mut seen = Vec::new();
    let mut finished = false;
    while let Some(node) = todo.pop() {
        if seen.contains(&node) {
            continue;
        }
        seen.push(node);
        stack.frames_or_bottom(node, |frame| match frame {
            Some((frame, parent)) if accepts(frame.state) => {
                if parent == BOTTOM {
                    finished = true
                } else {
                    todo.push(parent)
                }
            }
            Some(_) => {}
            None => finished = true,
        });
        if finished {
            return true;
        }
    }
    false
}
