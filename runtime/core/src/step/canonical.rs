//! Canonical stacks: maps equal stacks to one node, so that configurations can be compared by their heads.
//!
//! Pushing does not check whether an equal frame exists, so that equal stacks can be different nodes. [`Canon`] maps them to the first of
//! these nodes. Joins are equal if their frames are. Unequal nodes are never mapped to the same node.

use always_assert::never;
use rustc_hash::FxHashMap;

use super::frame::{BOTTOM, Frame, Head, NodeId};
use super::memory::Memory;
use super::stack::{KeySet, Node, Stack};

/// Maps each node of a stack to the first equal node. Nodes that it has seen must not be truncated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Canon {
    /// For each node: the first equal node.
    first: Vec<NodeId>,
    frames: FxHashMap<(Frame, NodeId), NodeId>,
    /// Joins, by the nodes of their frames, in order.
    joins: FxHashMap<Box<[NodeId]>, NodeId>,
    sets: FxHashMap<KeySet, Memory>,
}

impl Canon {
    /// Replaces the head's parent and key set by the first equal ones, so that equal configurations have equal heads.
    pub(crate) fn head(&mut self, stack: &Stack, head: Head) -> Head {
        // A node's parents are older than the node.
        while let Some(node) = stack.node(self.first.len()) {
            let id = NodeId(self.first.len() as u32);
            let first = match node {
                Node::Frame(frame, parent) => {
                    let key = (Frame { memory: self.memory(stack, frame.memory), ..frame }, self.node(parent));
                    *self.frames.entry(key).or_insert(id)
                }
                Node::Join { .. } => {
                    let mut frames = Vec::new();
                    stack.nodes_of_frames(id, |node| frames.push(self.node(node)));
                    frames.sort_unstable();
                    frames.dedup();
                    *self.joins.entry(frames.into()).or_insert(id)
                }
            };
            self.first.push(first);
        }
        Head { memory: self.memory(stack, head.memory), parent: self.node(head.parent), ..head }
    }

    /// Replaces the heads of a configuration as [`Canon::head`] does, and sorts them: equal configurations become equal lists.
    pub(crate) fn heads(&mut self, stack: &Stack, heads: impl Iterator<Item = Head>) -> Vec<Head> {
        let mut heads: Vec<Head> = heads.map(|head| self.head(stack, head)).collect();
        heads.sort_unstable_by_key(|head| (head.state, head.a, head.b, head.memory, head.esc, head.parent));
        heads.dedup();
        heads
    }

    fn node(&self, node: NodeId) -> NodeId {
        if node == BOTTOM {
            return BOTTOM;
        }
        let first = self.first.get(node.0 as usize);
        never!(first.is_none(), "{:?} is newer than what stands on it", node);
        first.copied().unwrap_or(node)
    }

    fn memory(&mut self, stack: &Stack, memory: Memory) -> Memory {
        stack.set(memory).map_or(memory, |set| *self.sets.entry(set.clone()).or_insert(memory))
    }
}
