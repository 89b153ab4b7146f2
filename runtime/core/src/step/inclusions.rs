//! Finds frames of the stack that include others: every text that ends a stack of the included frame also ends one of the including frame.
//!
//! Of two equal frames, the first includes the second if each stack below the second is also below the first, or is included by a stack
//! below the first. The results are kept in the stack, so that frames further up need not search again.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::frame::{BOTTOM, NodeId};
use super::stack::{Node, Stack};

/// Cap on the length of a chain of frames, each of which includes the one before.
const CHAIN: usize = 4;

/// Cap on the frames below that are compared with each other.
const FRAMES_BELOW: usize = 16;

/// Cap on the depth to which stacks are compared, in frames.
const DEPTH: usize = 4;

/// A new index begins with this many of the latest inclusions: indexing all of them for a single join would take too long.
const RECENT: usize = 256;

/// An index of the inclusions that a stack has recorded.
#[derive(Clone, Debug, Default)]
pub(super) struct Inclusions {
    /// For each frame: the index, in the stack's list, of the inclusion by another frame. Entries can be for frames that no longer exist.
    entries: FxHashMap<NodeId, usize>,
    /// The number of entries that were indexed.
    learnt: usize,
    /// The [`Stack::renumberings`] of the node numbers in the index. When the stack's differs, the index is rebuilt.
    renumberings: u32,
}

impl Inclusions {
    /// Returns whether the frame at `by` includes the frame at `node`, and records it in the stack if so. May return `false` wrongly.
    /// `looks` is the number of nodes that may still be visited.
    pub(super) fn finds(&mut self, stack: &mut Stack, by: NodeId, node: NodeId, looks: &mut usize) -> bool {
        self.learn(stack);
        let found = self.frame(stack, by, node, DEPTH, looks);
        if found && by != node {
            stack.include(by, node);
        }
        found
    }

    /// Indexes the inclusions that the stack has recorded since the last call.
    fn learn(&mut self, stack: &Stack) {
        if self.renumberings != stack.renumberings() {
            *self = Self { renumberings: stack.renumberings(), ..Self::default() };
        }
        self.learnt = self.learnt.min(stack.inclusions());
        if self.entries.is_empty() {
            self.learnt = self.learnt.max(stack.inclusions().saturating_sub(RECENT));
        }
        while let Some((included, _)) = stack.inclusion(self.learnt) {
            self.entries.insert(included, self.learnt);
            self.learnt += 1;
        }
    }

    fn frame(&self, stack: &Stack, by: NodeId, node: NodeId, depth: usize, looks: &mut usize) -> bool {
        if by == node || self.is_known(stack, by, node) {
            return true;
        }
        *looks = looks.saturating_sub(1);
        if *looks == 0 || depth == 0 || by == BOTTOM || node == BOTTOM {
            return false;
        }
        match (stack.content(by), stack.content(node)) {
            (Node::Frame(one, below_one), Node::Frame(other, below_other)) => {
                one == other && self.below(stack, below_one, below_other, depth - 1, looks)
            }
            _ => false,
        }
    }

    /// Returns whether each frame at `node` is included by some frame at `by`.
    fn below(&self, stack: &Stack, by: NodeId, node: NodeId, depth: usize, looks: &mut usize) -> bool {
        if by == node {
            return true;
        }
        let (Some(by), Some(frames)) = (few_frames(stack, by), few_frames(stack, node)) else { return false };
        frames.iter().all(|&frame| by.iter().any(|&by| self.frame(stack, by, frame, depth, looks)))
    }

    fn is_known(&self, stack: &Stack, by: NodeId, node: NodeId) -> bool {
        let mut at = node;
        for _ in 0..CHAIN {
            let entry = self.entries.get(&at).and_then(|&entry| stack.inclusion(entry));
            match entry.filter(|(included, _)| *included == at) {
                Some((_, next)) if next == by => return true,
                Some((_, next)) => at = next,
                None => return false,
            }
        }
        false
    }
}

/// Returns the nodes of the frames at a node, and the bottom if it is among them; `None` if there are many.
fn few_frames(stack: &Stack, node: NodeId) -> Option<SmallVec<[NodeId; FRAMES_BELOW]>> {
    let mut found = SmallVec::new();
    let mut todo: SmallVec<[NodeId; FRAMES_BELOW]> = SmallVec::from_slice(&[node]);
    let mut looks = 0;
    while let Some(node) = todo.pop() {
        looks += 1;
        if looks > 2 * FRAMES_BELOW || found.len() == FRAMES_BELOW {
            return None;
        }
        match stack.content(node) {
            Node::Join { first, len, .. } if node != BOTTOM => {
                if len as usize > FRAMES_BELOW {
                    return None;
                }
                todo.extend(stack.members(first, len));
            }
            Node::Join { .. } | Node::Frame(..) => found.push(node),
        }
    }
    Some(found)
}
