//! Describes a head and its stack by content, so that heads on different stacks, or at different times, can be compared.

use super::frame::{Head, NodeId};
use super::memory::Memory;
use super::stack::{Mark, Node, Stack};
use crate::automaton::{Automaton, StateId};

/// Ends the description of a stack; no state has this number.
const END: u32 = u32::MAX;

/// Precedes the node of a join, or a node from before a mark; no state has this number.
const NODE: u32 = u32::MAX - 1;

/// Appends the content of a head and of the frames below it. Heads with equal content have equal continuations. At a join of stacks, its
/// node represents everything below, so that some heads with equal continuations have different content.
pub(crate) fn describe(stack: &Stack, head: &Head, out: &mut impl Extend<u32>) {
    describe_since(stack, Mark::default(), head, out);
}

/// Appends the content of a head and of the frames below it, down to those from before a mark, which are represented by their nodes.
/// Returns whether the description remains correct when nodes above the mark are removed and their numbers are used again.
pub(crate) fn describe_since(stack: &Stack, mark: Mark, head: &Head, out: &mut impl Extend<u32>) -> bool {
    out.extend([head.state.0, head.a, head.b, head.esc]);
    describe_memory(stack, head.memory, out);
    let mut node = head.parent;
    while !mark.has_node(node) {
        match stack.only_frame(node) {
            None => {
                out.extend([NODE, node.0]);
                return false;
            }
            Some(None) => {
                out.extend([END]);
                return true;
            }
            Some(Some((frame, parent))) => {
                out.extend([frame.state.0, frame.a, frame.b]);
                describe_memory(stack, frame.memory, out);
                node = parent;
            }
        }
    }
    out.extend([NODE, node.0]);
    true
}

/// Returns a hash of the content of some heads and of a stack that contains only the frames below them. Rules are named by their content,
/// so that equal configurations of several formats have equal hashes. Equal stacks that were built in different orders can have different
/// hashes.
pub(crate) fn digest(automaton: &Automaton, stack: &Stack, heads: &[Head]) -> u128 {
    let mut words: Vec<u32> = Vec::new();
    for at in 0..stack.mark().nodes() {
        match stack.content(NodeId(at)) {
            Node::Frame(frame, parent) => {
                describe_state(automaton, frame.state, &mut words);
                words.extend([frame.a, frame.b, parent.0]);
                describe_memory(stack, frame.memory, &mut words);
            }
            Node::Join { first, len, .. } => {
                words.extend([NODE, len]);
                words.extend(stack.members(first, len).map(|member| member.0));
            }
        }
    }
    words.push(END);
    for head in heads {
        if head.is_returned() {
            words.push(END);
            continue;
        }
        describe_state(automaton, head.state, &mut words);
        words.extend([head.a, head.b, head.esc, head.parent.0]);
        describe_memory(stack, head.memory, &mut words);
    }
    let content: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&blake3::hash(&content).as_bytes()[..16]);
    u128::from_le_bytes(bytes)
}

/// Appends the content of a state's rule, and the number of the state in its rule.
fn describe_state(automaton: &Automaton, state: StateId, out: &mut Vec<u32>) {
    let rule = automaton.states[state.index()].rule;
    let fingerprint = automaton.fingerprint(rule);
    out.extend((0..4).map(|word| (fingerprint >> (32 * word)) as u32));
    out.push(state.0 - automaton.rules[rule.index()].states.first);
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
