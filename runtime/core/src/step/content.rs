//! Describes a head and its stack by content, so that heads in different stacks, or of different times, can be compared.

use super::frame::{Frame, Head, NodeId};
use super::memory::Memory;
use super::stack::{Mark, Stack};

/// Ends the description of a stack; no state has this number.
const END: u32 = u32::MAX;

/// Precedes the node of a join, or one that was there at a mark; no state has this number.
const NODE: u32 = u32::MAX - 1;

/// Appends the content of a head and of the frames below it. Heads with equal content go on alike. At a join of stacks, the node stands for
/// everything below, so that some heads that go on alike have different content.
pub(crate) fn describe(stack: &Stack, head: &Head, out: &mut impl Extend<u32>) {
    describe_since(stack, Mark::default(), head, out);
}

/// Appends the content of a head and of the frames below it, down to those that were there at a mark, which are described by their nodes.
/// Returns whether the description stays true when nodes above the mark are dropped, and others take their numbers.
pub(crate) fn describe_since(stack: &Stack, mark: Mark, head: &Head, out: &mut impl Extend<u32>) -> bool {
    out.extend([head.state.0, head.a, head.b, head.esc]);
    describe_memory(stack, head.memory, out);
    let mut node = head.parent;
    while !mark.has_node(node) {
        let (mut below, mut ways): (Option<(Frame, NodeId)>, u32) = (None, 0);
        stack.frames_or_bottom(node, |frame| {
            below = frame;
            ways += 1;
        });
        match below {
            _ if ways > 1 => {
                out.extend([NODE, node.0]);
                return false;
            }
            None => {
                out.extend([END]);
                return true;
            }
            Some((frame, parent)) => {
                out.extend([frame.state.0, frame.a, frame.b]);
                describe_memory(stack, frame.memory, out);
                node = parent;
            }
        }
    }
    out.extend([NODE, node.0]);
    true
}

/// Appends the memory of a frame: a number; or a set of seen keys, as the number of its words and the words; or the items of an array.
fn describe_memory(stack: &Stack, memory: Memory, out: &mut impl Extend<u32>) {
    match stack.set(memory) {
        None if let Some(seen) = Stack::seen_of(memory) => {
            out.extend([u32::MAX]);
            stack.describe_items(seen, out);
            describe_memory(stack, stack.registers(memory), out);
        }
        None => out.extend([0, memory.word()]),
        Some(set) => {
            out.extend([1 + set.len() as u32]);
            out.extend(set.iter().flat_map(|word| [*word as u32, (*word >> 32) as u32]));
        }
    }
}
