//! Merges heads after a byte, which bounds the number of parallel heads of ambiguous formats.
//!
//! In `("a" | "a" "b"?)` both alternatives read `a`; if both are then in the same state with the same registers, one head continues, over a
//! join of the two stacks (Tomita's graph-structured stack; see [`super::stack`]). In `("a" "b"?){1,9}`, heads that have ticked more often
//! allow nothing that heads with fewer ticks do not allow: they are dropped.

use super::frame::Head;
use super::join::join;
use super::stack::Stack;
use crate::automaton::{Automaton, UNBOUNDED};

/// Merges a few heads; see [`merge`].
pub(crate) fn merge_all(automaton: &Automaton, stack: &mut Stack, heads: &mut Vec<Head>) {
    merge(automaton, stack, heads, 0);
}

/// Merges the heads `out[first..]`, which must be few: heads with the same top frame become one head over a join of their stacks, and heads
/// that others include are dropped.
pub(super) fn merge(automaton: &Automaton, stack: &mut Stack, out: &mut Vec<Head>, first: usize) {
    if out.len() - first < 2 {
        return;
    }
    let mut kept = first;
    for i in first..out.len() {
        let head = out[i];
        match (first..kept).find(|&k| same_top(stack, &out[k], &head)) {
            Some(k) => out[k].parent = join(stack, out[k].parent, head.parent),
            None => {
                out[kept] = head;
                kept += 1;
            }
        }
    }
    out.truncate(kept);
    drop_included(automaton, out, first);
}

/// Returns whether merging the heads is quick: there are fewer than two, or they are few and stand on few frames.
pub(super) fn is_quick(stack: &Stack, heads: &[Head]) -> bool {
    heads.len() < 2 || heads.len() <= MANY && heads.iter().all(|head| stack.is_few(head.parent))
}

/// Cap on the heads that are compared one by one.
const MANY: usize = 24;

fn same_top(stack: &Stack, left: &Head, right: &Head) -> bool {
    let tops = |head: &Head| (head.state, head.a, head.b, head.esc);
    tops(left) == tops(right) && stack.same_memory(left.memory, right.memory)
}

/// Drops the heads of `out[first..]` that another head includes: every text that completes the included head completes the other too.
///
/// Guards check that the minimum can become zero and that the maximum is not zero, so that a text that passes with some range of ticks left
/// also passes with a wider range. The same is true of the tokens left in a rule that counts tokens.
pub(super) fn drop_included(automaton: &Automaton, out: &mut Vec<Head>, first: usize) {
    if out.len() - first < 2 {
        return;
    }
    // If the ranges of one class are sorted by their least number, a range is included if and only if an earlier one reaches as far.
    let mut spans: Vec<(Class, u64, std::cmp::Reverse<u64>, usize)> = Vec::with_capacity(out.len() - first);
    for (at, head) in out.iter().enumerate().skip(first) {
        let (class, least, most) = span(automaton, head);
        spans.push((class, least, std::cmp::Reverse(most), at));
    }
    spans.sort_unstable();
    let mut dropped = Vec::new();
    let mut widest: Option<(Class, u64)> = None;
    for (class, _, std::cmp::Reverse(most), at) in spans {
        match widest {
            Some((of, reaches)) if of == class && reaches >= most => dropped.push(at),
            _ => widest = Some((class, most)),
        }
    }
    if dropped.is_empty() {
        return;
    }
    dropped.sort_unstable();
    let mut at = first;
    let mut keep = |_: &Head| {
        at += 1;
        dropped.binary_search(&(at - 1)).is_err()
    };
    let rest = out.split_off(first);
    out.extend(rest.into_iter().filter(|head| keep(head)));
}

/// The fields in which heads must agree so that one can include the other.
type Class = (u32, u32, u32, u64);

/// Returns the class of a head, and the least and the greatest number of ticks (or of tokens) that it has left.
fn span(automaton: &Automaton, head: &Head) -> (Class, u64, u64) {
    let class = |rest| (head.state.0, head.parent.0, head.esc, rest);
    if !head.is_returned() && automaton.derived.counts_tokens() && automaton.rule_of(head.state).counts_tokens {
        return (class(u64::from(head.a) << 32 | u64::from(head.b)), 0, u64::from(head.memory.word()));
    }
    let most = if head.b == UNBOUNDED { u64::MAX } else { u64::from(head.a) + u64::from(head.b) };
    (class(u64::from(head.memory.word())), u64::from(head.a), most)
}
