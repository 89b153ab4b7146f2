//! Describes a head and its stack by content, so that heads on different stacks, or at different times, can be compared.

use super::frame::{BOTTOM, Frame, Head, NodeId};
use super::memory::Memory;
use super::stack::{Mark, Node, Stack};
use crate::automaton::{Automaton, StateId};

/// Ends the description of a stack; no state has this number.
const END: u32 = u32::MAX;

/// Precedes a node that stands for everything below it; no state has this number.
const NODE: u32 = u32::MAX - 1;

/// Precedes the number of the members of a join, which follow one after another; no state has this number.
const JOIN: u32 = u32::MAX - 2;

/// Precedes the number of a join that was described before; no state has this number.
const AGAIN: u32 = u32::MAX - 3;

/// Appends the content of a head and of the frames below it. Heads with equal content go on alike. At a join of stacks, the node stands for
/// everything below, so that some heads that go on alike have different content. The stack must only grow while descriptions are compared:
/// after it is truncated, another join may have the same node.
pub(crate) fn describe(stack: &Stack, head: &Head, out: &mut impl Extend<u32>) {
    describe_top(stack, Mark::default(), head, out);
    let mut node = head.parent;
    loop {
        match stack.only_frame(node) {
            None => return out.extend([NODE, node.0]),
            Some(None) => return out.extend([END]),
            Some(Some((frame, parent))) => {
                describe_frame(stack, Mark::default(), frame, out);
                node = parent;
            }
        }
    }
}

/// Appends the content of a head and of the frames below it, down to the nodes that were there at a mark. These stand for everything below
/// them; newer joins are described by their members. So descriptions stay comparable when the stack is truncated to the mark, and other nodes
/// take the numbers of the dropped ones.
pub(crate) fn describe_since(stack: &Stack, mark: Mark, head: &Head, out: &mut impl Extend<u32>) {
    describe_top(stack, mark, head, out);
    let (mut todo, mut joins) = (vec![head.parent], Vec::new());
    while let Some(mut node) = todo.pop() {
        loop {
            if mark.has_node(node) {
                out.extend([NODE, node.0]);
                break;
            }
            if node == BOTTOM {
                out.extend([END]);
                break;
            }
            match stack.content(node) {
                Node::Frame(frame, parent) => {
                    describe_frame(stack, mark, frame, out);
                    node = parent;
                }
                Node::Join { first, len, .. } => {
                    match joins.iter().position(|join| *join == node) {
                        Some(at) => out.extend([AGAIN, at as u32]),
                        None => {
                            out.extend([JOIN, len]);
                            joins.push(node);
                            todo.extend(stack.members(first, len));
                        }
                    }
                    break;
                }
            }
        }
    }
}

fn describe_top(stack: &Stack, mark: Mark, head: &Head, out: &mut impl Extend<u32>) {
    out.extend([head.state.0, head.a, head.b, head.esc]);
    describe_memory(stack, mark, head.memory, out);
}

fn describe_frame(stack: &Stack, mark: Mark, frame: Frame, out: &mut impl Extend<u32>) {
    out.extend([frame.state.0, frame.a, frame.b]);
    describe_memory(stack, mark, frame.memory, out);
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
                describe_memory(stack, Mark::default(), frame.memory, &mut words);
            }
            Node::Join { first, len, .. } => {
                words.extend([JOIN, len]);
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
        describe_memory(stack, Mark::default(), head.memory, &mut words);
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
fn describe_memory(stack: &Stack, mark: Mark, memory: Memory, out: &mut impl Extend<u32>) {
    match stack.set(memory) {
        None if let Some(seen) = Stack::seen_of(memory) => {
            out.extend([u32::MAX]);
            stack.describe_items(mark, seen, out);
            describe_memory(stack, mark, stack.registers(memory), out);
        }
        None => out.extend([0, memory.word()]),
        Some(set) => {
            out.extend([1 + set.len() as u32]);
            out.extend(set.iter().flat_map(|word| [*word as u32, (*word >> 32) as u32]));
        }
    }
}
