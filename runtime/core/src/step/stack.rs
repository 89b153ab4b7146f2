//! The graph-structured stack of frames below the heads: an arena of immutable nodes with parent pointers.
//!
//! Pushing appends, popping follows a pointer, forking copies the heads, rolling back truncates. Where two heads differ
//! only in what is below them, they share a *join* of their parents, which is what keeps ambiguous grammars small (a
//! graph-structured stack, Tomita 1985).

use smallvec::SmallVec;

use super::head::Head;
use crate::automaton::StateId;

/// The number of a node of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) u32);

/// The node below the lowest frame.
pub(crate) const BOTTOM: NodeId = NodeId(u32::MAX);

/// A suspended frame: the state to return to, and the registers at that time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Frame {
    pub(crate) state: StateId,
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) aux: u32,
}

impl Frame {
    #[inline]
    pub(crate) fn resume(self, parent: NodeId) -> Head {
        Head { state: self.state, a: self.a, b: self.b, aux: self.aux, esc: 0, parent }
    }
}

/// The content of a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    Frame(Frame, NodeId),
    /// Either of two stacks: the parents of heads that were merged.
    Join(NodeId, NodeId),
}

/// A set of declared keys.
pub(crate) type KeySet = SmallVec<[u64; 2]>;

/// The lengths of the arena, to which it is truncated to undo pushes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    nodes: u32,
    sets: u32,
}

impl Mark {
    /// Returns whether the head was there at the mark: neither its stack nor its key set is newer.
    pub(crate) fn covers(&self, head: &Head) -> bool {
        let old_frames = head.parent == BOTTOM || head.parent.0 < self.nodes;
        old_frames && head.aux.checked_sub(SET_BASE).is_none_or(|set| set < self.sets)
    }
}

impl Mark {
    /// The mark of an empty arena.
    pub(crate) const ZERO: Mark = Mark { nodes: 0, sets: 0 };
}

/// The arena of nodes and of key sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack {
    nodes: Vec<Node>,
    sets: Vec<KeySet>,
    overflow: bool,
}

impl Stack {
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.sets.clear();
        self.overflow = false;
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { nodes: self.nodes.len() as u32, sets: self.sets.len() as u32 }
    }

    pub(crate) fn truncate(&mut self, mark: Mark) {
        self.nodes.truncate(mark.nodes as usize);
        self.sets.truncate(mark.sets as usize);
    }

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Records that a limit was passed, so that the heads are not to be trusted.
    pub(crate) fn overflow(&mut self) {
        self.overflow = true;
    }

    /// Returns whether a limit was passed since the last call.
    pub(crate) fn take_overflow(&mut self) -> bool {
        std::mem::take(&mut self.overflow)
    }

    /// Returns a node by its number.
    pub(super) fn node(&self, at: usize) -> Option<Node> {
        self.nodes.get(at).copied()
    }

    fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub(crate) fn push(&mut self, frame: Frame, parent: NodeId) -> NodeId {
        self.add(Node::Frame(frame, parent))
    }

    /// Calls `f` with every frame that may be on top at `node`, and its parent.
    #[inline]
    pub(crate) fn frames(&self, node: NodeId, mut f: impl FnMut(Frame, NodeId)) {
        self.frames_or_bottom(node, |frame| {
            if let Some((frame, parent)) = frame {
                f(frame, parent);
            }
        });
    }

    /// Calls `f` with every frame that may be on top at `node`, and its parent, and with `None` where a join reaches
    /// the bottom.
    #[inline]
    pub(crate) fn frames_or_bottom(&self, node: NodeId, mut f: impl FnMut(Option<(Frame, NodeId)>)) {
        if node == BOTTOM {
            return f(None);
        }
        match self.nodes[node.0 as usize] {
            Node::Frame(frame, parent) => f(Some((frame, parent))),
            Node::Join(..) => self.frames_of_join(node, &mut f),
        }
    }

    #[cold]
    fn frames_of_join(&self, node: NodeId, f: &mut dyn FnMut(Option<(Frame, NodeId)>)) {
        let mut todo = vec![node];
        let mut seen: rustc_hash::FxHashSet<NodeId> = rustc_hash::FxHashSet::default();
        while let Some(node) = todo.pop() {
            if !seen.insert(node) {
                continue;
            }
            if node == BOTTOM {
                f(None);
                continue;
            }
            match self.nodes[node.0 as usize] {
                Node::Frame(frame, parent) => f(Some((frame, parent))),
                Node::Join(left, right) => todo.extend([right, left]),
            }
        }
    }

    /// Returns the node and the nodes below it that are not known, each after those that it stands on.
    pub(crate) fn parents_first(&self, node: NodeId, known: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut todo = vec![node];
        while let Some(at) = todo.pop() {
            if at != BOTTOM && !known(at) && seen.insert(at) {
                found.push(at);
                self.frames(at, |_, parent| todo.push(parent));
            }
        }
        // Parents are older than what stands on them.
        found.sort_unstable();
        found
    }

    /// Returns whether the stack at a node is one stack, without a choice.
    pub(crate) fn is_one(&self, mut node: NodeId) -> bool {
        while node != BOTTOM {
            match self.nodes[node.0 as usize] {
                Node::Frame(_, parent) => node = parent,
                Node::Join(..) => return false,
            }
        }
        true
    }

    /// Copies what the heads need into a stack of its own; returns the heads as they are there.
    pub(crate) fn part(&self, heads: &[Head]) -> (Stack, Vec<Head>) {
        let mut needed: Vec<NodeId> = heads.iter().map(|head| head.parent).collect();
        let mut numbers: rustc_hash::FxHashMap<NodeId, NodeId> = rustc_hash::FxHashMap::default();
        let mut at = 0;
        while let Some(&node) = needed.get(at) {
            at += 1;
            if node != BOTTOM && numbers.insert(node, node).is_none() {
                match self.nodes[node.0 as usize] {
                    Node::Frame(_, parent) => needed.push(parent),
                    Node::Join(left, right) => needed.extend([left, right]),
                }
            }
        }
        let mut part = Stack { sets: self.sets.clone(), ..Stack::default() };
        let mut ascending: Vec<NodeId> = numbers.keys().copied().collect();
        ascending.sort_unstable();
        // Parents are older than what stands on them: they are copied first.
        for node in ascending {
            let moved = |node: NodeId| numbers.get(&node).copied().unwrap_or(BOTTOM);
            let copy = match self.nodes[node.0 as usize] {
                Node::Frame(frame, parent) => Node::Frame(frame, moved(parent)),
                Node::Join(left, right) => Node::Join(moved(left), moved(right)),
            };
            let copied = part.add(copy);
            numbers.insert(node, copied);
        }
        let moved = |head: &Head| Head { parent: numbers.get(&head.parent).copied().unwrap_or(BOTTOM), ..*head };
        let heads = heads.iter().map(moved).collect();
        (part, heads)
    }

    /// Makes a stack that is `left` or `right`.
    pub(crate) fn join(&mut self, left: NodeId, right: NodeId) -> NodeId {
        if self.covers(left, right) {
            return left;
        }
        if left != BOTTOM && right != BOTTOM {
            let pair = (self.nodes[left.0 as usize], self.nodes[right.0 as usize]);
            if let (Node::Frame(frame, below_left), Node::Frame(other, below_right)) = pair
                && self.same_frame(frame, other)
            {
                let below = self.add(Node::Join(below_left, below_right));
                return self.push(frame, below);
            }
        }
        self.add(Node::Join(left, right))
    }

    /// Returns whether every stack of `right` is one of `left`; compares top frames only, so that `false` may be wrong.
    fn covers(&self, left: NodeId, right: NodeId) -> bool {
        if left == right {
            return true;
        }
        let mut have = Vec::new();
        self.frames_or_bottom(left, |frame| have.push(frame));
        let mut all = true;
        self.frames_or_bottom(right, |frame| all &= have.iter().any(|other| self.same_top(*other, frame)));
        all
    }

    fn same_top(&self, left: Option<(Frame, NodeId)>, right: Option<(Frame, NodeId)>) -> bool {
        match (left, right) {
            (None, None) => true,
            (Some((l, below_l)), Some((r, below_r))) => below_l == below_r && self.same_frame(l, r),
            (None, Some(_)) | (Some(_), None) => false,
        }
    }

    fn same_frame(&self, left: Frame, right: Frame) -> bool {
        left == right || (Frame { aux: 0, ..left } == Frame { aux: 0, ..right } && self.same_aux(left.aux, right.aux))
    }

    /// Returns whether the registers are equal. Positions are compared as numbers, sets by content: both are right to
    /// call equal, because within one state `aux` is always the one or always the other.
    pub(crate) fn same_aux(&self, left: u32, right: u32) -> bool {
        left == right || {
            let (l, r) = (self.set_checked(left), self.set_checked(right));
            l.is_some() && l == r && left >= SET_BASE && right >= SET_BASE
        }
    }

    fn set_checked(&self, aux: u32) -> Option<&KeySet> {
        self.sets.get(aux.checked_sub(SET_BASE)? as usize)
    }

    /// Returns the set that an `aux` register names; `None` is the empty set.
    #[inline]
    pub(crate) fn set(&self, aux: u32) -> Option<&KeySet> {
        self.set_checked(aux)
    }

    /// Adds a set, and returns the `aux` register that names it.
    pub(crate) fn add_set(&mut self, set: KeySet) -> u32 {
        self.sets.push(set);
        SET_BASE + self.sets.len() as u32 - 1
    }
}

/// The least `aux` value that names a set; smaller ones are positions in declared order (objects have fewer keys), or
/// tokens.
pub(super) const SET_BASE: u32 = 1 << 31;
