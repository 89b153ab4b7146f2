//! Joins of stacks: nodes that represent any of several stacks.

use std::cmp::Reverse;

use super::frame::{BOTTOM, Frame, NodeId};
use super::inclusions::Inclusions;
use super::memory::Memory;
use super::stack::{Node, Stack};

/// The state of a frame, its countdowns, and its memory.
type Registers = ([u32; 3], Memory);

/// Joins many nodes of the stack, with a set of nodes that is emptied in constant time.
#[derive(Clone, Debug, Default)]
pub(super) struct Joiner {
    /// For each node: the round in which it was last inserted.
    rounds: Vec<u32>,
    round: u32,
    bottom: bool,
    todo: Vec<NodeId>,
    /// The frames, and the bottom, inserted by [`Joiner::insert_all`].
    frames: Vec<NodeId>,
    /// The number of nodes visited since [`Joiner::begin`].
    looks: usize,
    /// The number of nodes visited since [`Joiner::take_looks`].
    all_looks: usize,
    inclusions: Inclusions,
}

impl Joiner {
    /// Empties the set.
    pub(super) fn begin(&mut self) {
        self.bottom = false;
        self.frames.clear();
        self.looks = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.rounds.fill(0);
            self.round = 1;
        }
    }

    /// Inserts a node. Returns `false` if it was there already.
    pub(super) fn insert(&mut self, node: NodeId) -> bool {
        if node == BOTTOM {
            return !std::mem::replace(&mut self.bottom, true);
        }
        let at = node.0 as usize;
        if at >= self.rounds.len() {
            self.rounds.resize(at + 1, 0);
        }
        std::mem::replace(&mut self.rounds[at], self.round) != self.round
    }

    /// Inserts a node and, if it is a join, its members and theirs. Returns `false` if that adds no frame.
    fn insert_all(&mut self, stack: &Stack, node: NodeId) -> bool {
        let before = self.frames.len();
        self.todo.push(node);
        while let Some(node) = self.todo.pop() {
            self.looks += 1;
            if !self.insert(node) {
                continue;
            }
            match stack.content(node) {
                Node::Join { first, len, .. } if node != BOTTOM => self.todo.extend(stack.members(first, len)),
                Node::Join { .. } | Node::Frame(..) => self.frames.push(node),
            }
        }
        self.frames.len() > before
    }

    /// Returns the number of nodes that joins have visited since the last call.
    pub(super) fn take_looks(&mut self) -> usize {
        std::mem::take(&mut self.all_looks)
    }

    /// Returns a node that represents all of `nodes`: one of them if it covers the others.
    ///
    /// Joins among `nodes` become members of the new join, as long as that takes fewer visits than a list of all frames.
    pub(super) fn join(&mut self, stack: &mut Stack, nodes: &mut [NodeId]) -> NodeId {
        if let &[node] = &*nodes {
            return node;
        }
        // A later join is more likely to cover an earlier one.
        nodes.sort_unstable_by(|left, right| right.cmp(left));
        self.begin();
        let mut kept: Vec<NodeId> = Vec::new();
        for &node in &*nodes {
            if self.insert_all(stack, node) {
                kept.push(node);
            }
        }
        let frames = self.frames.len() as u32;
        let is_whole = |node: &&NodeId| {
            **node != BOTTOM && matches!(stack.content(**node), Node::Join { frames: own, .. } if own == frames)
        };
        if let Some(&node) = nodes.iter().find(is_whole) {
            return node;
        }
        self.all_looks += self.looks;
        let flat = self.looks > 2 * self.frames.len();
        let needed = self.needed(stack);
        if flat || needed.len() < frames as usize {
            stack.any_of(&needed, needed.len() as u32)
        } else {
            stack.any_of(&kept, frames)
        }
    }

    /// Returns the inserted frames, without those that another one was found to include. Of two equal frames, one on the stacks p and q and
    /// one on q, only the first is needed.
    fn needed(&mut self, stack: &mut Stack) -> Vec<NodeId> {
        let mut frames: Vec<(Option<Registers>, Reverse<NodeId>)> =
            self.frames.drain(..).map(|node| (registers(stack, node), Reverse(node))).collect();
        // Of equal frames, a later one is more likely to have the stacks of an earlier one.
        frames.sort_unstable();
        let (mut looks, mut allowed) = (FEW_LOOKS, FEW_LOOKS);
        let mut needed: Vec<NodeId> = Vec::with_capacity(frames.len());
        for equal in frames.chunk_by(|left, right| left.0 == right.0) {
            let first = needed.len();
            for &(_, Reverse(node)) in equal {
                let mut candidates = needed[first..].iter().take(CANDIDATES);
                if candidates.any(|&by| self.inclusions.finds(stack, by, node, &mut looks)) {
                    looks += LOOKS_OF_FOUND;
                    allowed += LOOKS_OF_FOUND;
                } else {
                    needed.push(node);
                }
            }
        }
        self.all_looks += allowed - looks;
        needed.sort_unstable_by(|left, right| right.cmp(left));
        needed
    }
}

/// Returns the registers of the frame at a node; none for the bottom.
fn registers(stack: &Stack, node: NodeId) -> Option<Registers> {
    match stack.content(node) {
        Node::Frame(Frame { state, a, b, memory }, _) => Some(([state.0, a, b], memory)),
        Node::Join { .. } => None,
    }
}

/// Cap on the equal frames with which one is compared.
const CANDIDATES: usize = 4;

/// Cap on the nodes that are visited to find inclusions, before [`LOOKS_OF_FOUND`] extends it: if there are none, the search ends soon.
const FEW_LOOKS: usize = 256;

/// Additional nodes that may be visited for each inclusion that is found.
const LOOKS_OF_FOUND: usize = 64;

/// Returns a node that represents both `left` and `right`.
pub(super) fn join(stack: &mut Stack, left: NodeId, right: NodeId) -> NodeId {
    if !stack.is_few(left) || !stack.is_few(right) {
        return Joiner::default().join(stack, &mut [left, right]);
    }
    if covers(stack, left, right) {
        return left;
    }
    if left != BOTTOM
        && right != BOTTOM
        && let (Node::Frame(frame, below_left), Node::Frame(other, below_right)) =
            (stack.content(left), stack.content(right))
        && stack.same_frame(frame, other)
    {
        let below = stack.any_of(&[below_left, below_right], 0);
        return stack.push(frame, below);
    }
    stack.any_of(&[left, right], 0)
}

/// Returns whether every stack of `right` is one of `left`. Compares top frames only, so that it may return `false` wrongly.
fn covers(stack: &Stack, left: NodeId, right: NodeId) -> bool {
    if left == right {
        return true;
    }
    let mut have = Vec::new();
    stack.frames_or_bottom(left, |frame| have.push(frame));
    let mut all = true;
    stack.frames_or_bottom(right, |frame| all &= have.iter().any(|other| same_top(stack, *other, frame)));
    all
}

fn same_top(stack: &Stack, left: Option<(Frame, NodeId)>, right: Option<(Frame, NodeId)>) -> bool {
    match (left, right) {
        (None, None) => true,
        (Some((l, below_l)), Some((r, below_r))) => below_l == below_r && stack.same_frame(l, r),
        (None, Some(_)) | (Some(_), None) => false,
    }
}
