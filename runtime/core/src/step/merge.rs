//! Merges equal heads into one, which bounds the number of parallel heads of ambiguous formats.
//!
//! In `("a" | "a" "b"?)` both alternatives read `a`; where both stand in the state behind it with the same registers, one
//! head goes on, over a join of the two stacks (Tomita's graph-structured stack; see [`super::stack`]).

use rustc_hash::FxHashMap;

use super::head::Head;
use super::stack::Stack;

/// Merges `out[first..]`: heads with the same top frame become one head over a join of their stacks.
pub(super) fn merge(stack: &mut Stack, out: &mut Vec<Head>, first: usize) {
    if out.len() - first <= 8 {
        merge_few(stack, out, first);
    } else {
        merge_many(stack, out, first);
    }
}

fn same_top(stack: &Stack, left: &Head, right: &Head) -> bool {
    let tops = |head: &Head| (head.state, head.a, head.b, head.esc);
    tops(left) == tops(right) && stack.same_aux(left.aux, right.aux)
}

fn merge_few(stack: &mut Stack, out: &mut Vec<Head>, first: usize) {
    let mut kept = first;
    for i in first..out.len() {
        let head = out[i];
        match (first..kept).find(|&k| same_top(stack, &out[k], &head)) {
            Some(k) => out[k].parent = stack.join(out[k].parent, head.parent),
            None => {
                out[kept] = head;
                kept += 1;
            }
        }
    }
    out.truncate(kept);
}

fn merge_many(stack: &mut Stack, out: &mut Vec<Head>, first: usize) {
    // Heads that differ in their key sets only share a bucket; sets are compared within it.
    let mut buckets: FxHashMap<(u32, u32, u32, u32), Vec<usize>> = FxHashMap::default();
    let mut kept = first;
    for i in first..out.len() {
        let head = out[i];
        let bucket = buckets.entry((head.state.0, head.a, head.b, head.esc)).or_default();
        match bucket.iter().copied().find(|&k| same_top(stack, &out[k], &head)) {
            Some(k) => out[k].parent = stack.join(out[k].parent, head.parent),
            None => {
                out[kept] = head;
                bucket.push(kept);
                kept += 1;
            }
        }
    }
    out.truncate(kept);
}
