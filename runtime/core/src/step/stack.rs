//! The graph-structured stack of frames below the heads: an arena of immutable nodes with parent pointers.
//!
//! Pushing appends, popping follows a pointer, forking shares the older nodes, rolling back truncates. Heads that differ only in the stacks
//! below them become one head over a *join* of their parents, which keeps ambiguous grammars small (a graph-structured stack, Tomita 1985).

mod compact;

use std::ops::Range;

pub(crate) use compact::Moment;
use smallvec::SmallVec;

use super::fork_vec::ForkVec;
use super::frame::{BOTTOM, Frame, Head, NodeId};
use super::memory::{Memory, Remembered, SeenId, SetId};
use super::seen_text::SeenText;
use super::way_tree::WayTree;

/// The content of a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    Frame(Frame, NodeId),
    /// Represents several stacks, the parents of heads that were merged: a range of [`Stack::members`]. `frames` is the number of frames on
    /// top of these stacks, 0 if it was not counted.
    Join {
        first: u32,
        len: u32,
        frames: u32,
    },
}

/// A set of declared keys.
pub(crate) type KeySet = SmallVec<[u64; 2]>;

/// The lengths of the arena at some time, to which it is truncated to undo pushes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    nodes: u32,
    members: u32,
    sets: u32,
    inclusions: u32,
    /// The length of the kept text, and the number of entries of seen items.
    seen: [u32; 2],
}

impl Mark {
    /// Returns whether the node existed at the mark; the bottom counts as newer.
    pub(super) fn has_node(&self, node: NodeId) -> bool {
        node.0 < self.nodes
    }

    /// Returns whether the entry of seen items was there at the mark.
    pub(super) fn has_entry(&self, entry: SeenId) -> bool {
        entry.0 < self.seen[1]
    }

    /// Returns whether the head was there at the mark: neither its stack nor its memory is newer.
    pub(crate) fn covers(&self, head: &Head) -> bool {
        let old_frames = head.parent == BOTTOM || self.has_node(head.parent);
        let old_keys = match head.memory.get() {
            Remembered::Keys(set) => set.0 < self.sets,
            Remembered::Seen(seen) => self.has_entry(seen),
            Remembered::Number(_) | Remembered::Way(_) => true,
        };
        old_frames && old_keys
    }
}

impl Mark {
    /// The mark of an empty arena.
    pub(crate) const ZERO: Mark = Mark { nodes: 0, members: 0, sets: 0, inclusions: 0, seen: [0; 2] };

    /// Returns the number of nodes before the mark.
    pub(crate) fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Returns the later of two marks of one arena.
    #[inline]
    pub(crate) fn max(self, other: Mark) -> Mark {
        Mark {
            nodes: self.nodes.max(other.nodes),
            members: self.members.max(other.members),
            sets: self.sets.max(other.sets),
            inclusions: self.inclusions.max(other.inclusions),
            seen: [self.seen[0].max(other.seen[0]), self.seen[1].max(other.seen[1])],
        }
    }
}

/// Cap on the bytes of a matcher's stacks; formats that need more are refused as too ambiguous.
///
/// ```
/// assert!(ogc_runtime::step::MAX_STACK_BYTES >= 1 << 20);
/// ```
pub const MAX_STACK_BYTES: usize = 1 << 30;

/// The arena of nodes and of key sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack {
    nodes: ForkVec<Node, 64>,
    /// The members of joins, which are older than the join.
    members: ForkVec<NodeId, 256>,
    sets: ForkVec<KeySet, 32>,
    /// Pairs of a frame and an equal frame that includes it: any text that ends a stack of the first ends one of the second.
    inclusions: ForkVec<(NodeId, NodeId), 128>,
    /// Number of times that nodes have been renumbered ([`Stack::drop_unneeded`]).
    renumberings: u32,
    ways: WayTree,
    /// The text and its items, for a matcher whose format has arrays without duplicate items, or objects whose undeclared keys must differ.
    seen: Option<Box<SeenText>>,
    overflow: bool,
}

impl Stack {
    pub(crate) fn clear(&mut self) {
        self.truncate(Mark::ZERO);
        self.ways.clear();
        self.overflow = false;
    }

    pub(crate) fn mark(&self) -> Mark {
        let lens = [self.nodes.len(), self.members.len(), self.sets.len(), self.inclusions.len()];
        let [nodes, members, sets, inclusions] = lens.map(|len| len as u32);
        let seen = self.seen.as_ref().map_or([0; 2], |seen| seen.lens());
        Mark { nodes, members, sets, inclusions, seen }
    }

    #[inline]
    pub(crate) fn truncate(&mut self, mark: Mark) {
        self.nodes.truncate(mark.nodes as usize);
        self.members.truncate(mark.members as usize);
        self.sets.truncate(mark.sets as usize);
        self.inclusions.truncate(mark.inclusions as usize);
        if let Some(seen) = &mut self.seen {
            seen.truncate(mark.seen);
        }
    }

    /// Moves entries that are unlikely to be rolled back into chunks that forks share.
    #[inline]
    pub(crate) fn share(&mut self) {
        self.nodes.share();
        self.members.share();
        self.sets.share();
        self.inclusions.share();
        if let Some(seen) = &mut self.seen {
            seen.share();
        }
    }

    /// Appends a byte that is about to be read to the text, if the text is kept.
    #[inline]
    pub(crate) fn keep_byte(&mut self, byte: u8) {
        if let Some(seen) = &mut self.seen {
            seen.push(byte);
        }
    }

    /// Returns whether the text is kept.
    #[inline]
    pub(crate) fn keeps_text(&self) -> bool {
        self.seen.is_some()
    }

    pub(super) fn seen(&self) -> Option<&SeenText> {
        self.seen.as_deref()
    }

    pub(super) fn seen_mut(&mut self) -> Option<&mut SeenText> {
        self.seen.as_deref_mut()
    }

    pub(super) fn set_seen(&mut self, seen: Option<SeenText>) {
        self.seen = seen.map(Box::new);
    }

    /// Returns whether the stacks take more than [`MAX_STACK_BYTES`].
    #[inline]
    pub(crate) fn is_too_large(&self) -> bool {
        let set = size_of::<KeySet>() + self.sets.get(0).map_or(0, |set| size_of_val(set.as_slice()));
        let bytes = self.nodes.len() * size_of::<Node>() + self.members.len() * size_of::<NodeId>();
        bytes + self.sets.len() * set > MAX_STACK_BYTES
    }

    /// Returns the bytes of the arena, without those of large key sets.
    pub(crate) fn bytes(&self) -> usize {
        let seen = self.seen.as_ref().map_or(0, |seen| seen.bytes());
        self.nodes.bytes() + self.members.bytes() + self.sets.bytes() + self.inclusions.bytes() + seen
    }

    /// Makes all guards on unknown registers hold from now on.
    pub(crate) fn assume_guards(&mut self) {
        self.ways.assume_guards();
    }

    /// Returns the ways of heads with unknown registers.
    pub(crate) fn ways(&self) -> &WayTree {
        &self.ways
    }

    pub(super) fn ways_mut(&mut self) -> &mut WayTree {
        &mut self.ways
    }

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of nodes and members of joins that were added since the mark.
    #[inline]
    pub(crate) fn len_since(&self, mark: Mark) -> usize {
        self.nodes.len() - mark.nodes as usize + self.members.len() - mark.members as usize
    }

    /// Records that the frame at `by` includes the frame at `included`: any text that ends a stack of the latter ends one of the former.
    pub(super) fn include(&mut self, by: NodeId, included: NodeId) {
        self.inclusions.push((included, by));
    }

    /// Returns an entry of the list of inclusions: a frame, and a frame that includes it.
    pub(super) fn inclusion(&self, entry: usize) -> Option<(NodeId, NodeId)> {
        self.inclusions.get(entry).copied()
    }

    /// Returns the length of the list of inclusions.
    pub(super) fn inclusions(&self) -> usize {
        self.inclusions.len()
    }

    /// Records that a limit was exceeded, so that the heads must not be trusted.
    pub(crate) fn overflow(&mut self) {
        self.overflow = true;
    }

    /// Returns whether a limit was exceeded since the last call.
    pub(crate) fn take_overflow(&mut self) -> bool {
        std::mem::take(&mut self.overflow)
    }

    /// Returns a node by its number.
    #[inline]
    pub(super) fn node(&self, at: usize) -> Option<Node> {
        self.nodes.get(at).copied()
    }

    /// Returns the content of a node; the bottom is an empty join.
    #[inline]
    pub(super) fn content(&self, node: NodeId) -> Node {
        self.node(node.0 as usize).unwrap_or(Node::Join { first: 0, len: 0, frames: 0 })
    }

    /// Returns the members of a join.
    pub(super) fn members(&self, first: u32, len: u32) -> impl Iterator<Item = NodeId> {
        (first..first + len).filter_map(|at| self.members.get(at as usize).copied())
    }

    fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub(crate) fn push(&mut self, frame: Frame, parent: NodeId) -> NodeId {
        self.add(Node::Frame(frame, parent))
    }

    /// Returns whether a node has few frames, so that finding them is quick.
    #[inline]
    pub(super) fn is_few(&self, node: NodeId) -> bool {
        match self.content(node) {
            Node::Frame(..) => true,
            Node::Join { first, len, .. } => len <= FEW && self.members(first, len).all(|member| !self.is_join(member)),
        }
    }

    fn is_join(&self, node: NodeId) -> bool {
        node != BOTTOM && matches!(self.content(node), Node::Join { .. })
    }

    /// Returns the frame at a node and its parent; `None` for a join and for the bottom.
    #[inline]
    pub(crate) fn frame(&self, node: NodeId) -> Option<(Frame, NodeId)> {
        match self.content(node) {
            Node::Frame(frame, parent) => Some((frame, parent)),
            Node::Join { .. } => None,
        }
    }

    /// Returns the frame at a node and its parent. For a join, calls `f` with its members instead.
    pub(crate) fn frame_or_members(&self, node: NodeId, f: impl FnMut(NodeId)) -> Option<(Frame, NodeId)> {
        match self.content(node) {
            Node::Frame(frame, parent) => Some((frame, parent)),
            Node::Join { first, len, .. } => {
                self.members(first, len).for_each(f);
                None
            }
        }
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

    /// Calls `f` with every frame that may be on top at `node` and its parent, and with `None` if a join reaches the bottom.
    #[inline]
    pub(crate) fn frames_or_bottom(&self, node: NodeId, mut f: impl FnMut(Option<(Frame, NodeId)>)) {
        if node == BOTTOM {
            return f(None);
        }
        match self.content(node) {
            Node::Frame(frame, parent) => f(Some((frame, parent))),
            Node::Join { .. } => self.frames_of_join(node, &mut f),
        }
    }

    #[cold]
    fn frames_of_join(&self, node: NodeId, f: &mut dyn FnMut(Option<(Frame, NodeId)>)) {
        self.nodes_of_frames(node, |node| match self.content(node) {
            Node::Frame(frame, parent) => f(Some((frame, parent))),
            Node::Join { .. } => f(None),
        });
    }

    /// Calls `f` once with the node of every frame that may be on top at `node`, and with the bottom if a join reaches it.
    pub(super) fn nodes_of_frames(&self, node: NodeId, mut f: impl FnMut(NodeId)) {
        self.nodes_of_frames_while(node, |node| {
            f(node);
            true
        });
    }

    /// Returns the top frame at `node` and its parent, with `None` inside for the bottom. Returns `None` if several frames can be on top.
    pub(super) fn only_frame(&self, node: NodeId) -> Option<Option<(Frame, NodeId)>> {
        if node == BOTTOM {
            return Some(None);
        }
        if let Node::Frame(frame, parent) = self.content(node) {
            return Some(Some((frame, parent)));
        }
        let (mut only, mut several) = (BOTTOM, false);
        let mut found = 0;
        self.nodes_of_frames_while(node, |node| {
            found += 1;
            (only, several) = (node, found > 1);
            !several
        });
        match self.content(only) {
            _ if several => None,
            _ if only == BOTTOM => Some(None),
            Node::Frame(frame, parent) => Some(Some((frame, parent))),
            Node::Join { .. } => Some(None),
        }
    }

    /// Calls `f` as [`Stack::nodes_of_frames`] does, until it returns `false`.
    fn nodes_of_frames_while(&self, node: NodeId, mut f: impl FnMut(NodeId) -> bool) {
        let mut todo = vec![node];
        let mut seen: rustc_hash::FxHashSet<NodeId> = rustc_hash::FxHashSet::default();
        while let Some(node) = todo.pop() {
            if !seen.insert(node) {
                continue;
            }
            match self.content(node) {
                Node::Join { first, len, .. } if node != BOTTOM => {
                    let from = todo.len();
                    todo.extend(self.members(first, len));
                    todo[from..].reverse();
                }
                Node::Join { .. } | Node::Frame(..) => {
                    if !f(node) {
                        return;
                    }
                }
            }
        }
    }

    /// Returns the node and the nodes below it for which `known` is false, each after the nodes below it.
    pub(crate) fn parents_first(&self, node: NodeId, known: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut todo = vec![node];
        while let Some(at) = todo.pop() {
            if at == BOTTOM || known(at) || !seen.insert(at) {
                continue;
            }
            found.push(at);
            match self.content(at) {
                Node::Frame(_, parent) => todo.push(parent),
                Node::Join { first, len, .. } => todo.extend(self.members(first, len)),
            }
        }
        // A node's parents are older than the node.
        found.sort_unstable();
        found
    }

    /// Returns whether a node represents a single stack, without joins.
    pub(crate) fn is_one(&self, mut node: NodeId) -> bool {
        while node != BOTTOM {
            match self.content(node) {
                Node::Frame(_, parent) => node = parent,
                Node::Join { .. } => return false,
            }
        }
        true
    }

    /// Copies the nodes that the heads need into a new stack; returns it, and the heads on it.
    pub(crate) fn part(&self, heads: &[Head]) -> (Stack, Vec<Head>) {
        let mut part = Stack { sets: self.sets.clone(), ..Stack::default() };
        let mut heads = heads.to_vec();
        let mut numbers = rustc_hash::FxHashMap::default();
        for node in self.needed(&heads, 0) {
            let copied = part.copy(self, node, &numbers);
            numbers.insert(node, copied);
        }
        heads.iter_mut().for_each(|head| head.parent = moved(&numbers, head.parent));
        (part, heads)
    }

    /// Copies the nodes that the heads need into a new stack that keeps no text; returns it, and the heads on it. The frames lose the seen
    /// items of arrays and the seen undeclared keys of objects.
    pub(crate) fn without_items(&self, heads: &[Head]) -> (Stack, Vec<Head>) {
        let mut copy = Stack { sets: self.sets.clone(), ..Stack::default() };
        let mut numbers = Numbers::default();
        for node in self.needed(heads, 0) {
            let copied = match self.content(node) {
                Node::Frame(frame, parent) => {
                    copy.push(Frame { memory: self.registers(frame.memory), ..frame }, moved(&numbers, parent))
                }
                Node::Join { .. } => copy.copy(self, node, &numbers),
            };
            numbers.insert(node, copied);
        }
        let head =
            |head: &Head| Head { parent: moved(&numbers, head.parent), memory: self.registers(head.memory), ..*head };
        let heads = heads.iter().map(head).collect();
        (copy, heads)
    }

    /// Drops the nodes that were added since the mark and that the heads do not need.
    pub(crate) fn drop_unneeded(&mut self, mark: Mark, heads: &mut [Head]) {
        let needed = self.needed(heads, mark.nodes);
        let old = self.clone();
        let now = self.mark();
        self.truncate(Mark { sets: now.sets, seen: now.seen, ..mark });
        let mut numbers = Numbers::default();
        for node in needed {
            let copied = self.copy(&old, node, &numbers);
            numbers.insert(node, copied);
        }
        heads.iter_mut().for_each(|head| head.parent = moved(&numbers, head.parent));
        let since = mark.inclusions as usize..old.inclusions();
        let is_left = |node: NodeId| node.0 < mark.nodes || numbers.contains_key(&node);
        self.keep_inclusions(&old, since, &numbers, is_left);
        self.renumberings += 1;
    }

    /// Copies some entries of another stack's list of inclusions, as far as their nodes are kept. If a is included by b, which was dropped,
    /// and b by c, then a is included by c.
    fn keep_inclusions(
        &mut self,
        old: &Stack,
        entries: Range<usize>,
        numbers: &Numbers,
        is_left: impl Fn(NodeId) -> bool,
    ) {
        let including: Numbers = entries.clone().filter_map(|entry| old.inclusion(entry)).collect();
        let is_left = |node: NodeId| node == BOTTOM || is_left(node);
        let left = entries.filter_map(|entry| old.inclusion(entry)).filter(|&(included, _)| is_left(included));
        for (included, by) in left {
            let mut chain = std::iter::successors(Some(by), |by| including.get(by).copied()).take(LONGEST_CHAIN);
            if let Some(by) = chain.find(|&by| is_left(by)) {
                self.include(moved(numbers, by), moved(numbers, included));
            }
        }
    }

    /// Returns how often nodes have been renumbered.
    pub(super) fn renumberings(&self) -> u32 {
        self.renumberings
    }

    /// Returns the nodes below the heads with numbers from `first` on, each after the nodes below it.
    fn needed(&self, heads: &[Head], first: u32) -> Vec<NodeId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut found = Vec::new();
        let mut todo: Vec<NodeId> = heads.iter().map(|head| head.parent).collect();
        while let Some(node) = todo.pop() {
            if node == BOTTOM || node.0 < first || !seen.insert(node) {
                continue;
            }
            found.push(node);
            match self.content(node) {
                Node::Frame(_, parent) => todo.push(parent),
                Node::Join { first, len, .. } => todo.extend(self.members(first, len)),
            }
        }
        // A node's parents are older than the node.
        found.sort_unstable();
        found
    }

    /// Copies a node of another stack, whose parents were copied before.
    fn copy(&mut self, from: &Stack, node: NodeId, numbers: &Numbers) -> NodeId {
        match from.content(node) {
            Node::Frame(frame, parent) => self.push(frame, moved(numbers, parent)),
            Node::Join { first, len, frames } => {
                let members: Vec<NodeId> = from.members(first, len).map(|member| moved(numbers, member)).collect();
                self.any_of(&members, frames)
            }
        }
    }

    /// Makes a node that represents several stacks. `frames` is the number of frames on top of them, 0 if it was not counted.
    pub(super) fn any_of(&mut self, nodes: &[NodeId], frames: u32) -> NodeId {
        if let &[node] = nodes {
            return node;
        }
        let first = self.members.len() as u32;
        nodes.iter().for_each(|&node| self.members.push(node));
        self.add(Node::Join { first, len: nodes.len() as u32, frames })
    }

    pub(super) fn same_frame(&self, left: Frame, right: Frame) -> bool {
        let bare = |frame: Frame| Frame { memory: Memory::EMPTY, ..frame };
        left == right || (bare(left) == bare(right) && self.same_memory(left.memory, right.memory))
    }

    /// Returns whether two memories are equal. Numbers and ways are compared as words, sets by content. That suffices, because all frames
    /// of one state have the same kind of memory.
    pub(crate) fn same_memory(&self, left: Memory, right: Memory) -> bool {
        left == right || {
            let (left, right) = (self.set(left), self.set(right));
            left.is_some() && left == right
        }
    }

    /// Returns the set of seen keys in a frame's memory; `None` is the empty set.
    #[inline]
    pub(crate) fn set(&self, memory: Memory) -> Option<&KeySet> {
        match memory.get() {
            Remembered::Keys(set) => self.sets.get(set.0 as usize),
            Remembered::Number(_) | Remembered::Seen(_) | Remembered::Way(_) => None,
        }
    }

    /// Adds a set; returns the memory of a frame with that set.
    pub(crate) fn add_set(&mut self, set: KeySet) -> Memory {
        self.sets.push(set);
        Memory::of_keys(SetId(self.sets.len() as u32 - 1))
    }
}

/// Cap on the members of a join with few frames.
const FEW: u32 = 6;

/// New numbers of copied nodes, by old number.
type Numbers = rustc_hash::FxHashMap<NodeId, NodeId>;

/// Cap on the length of a chain of dropped nodes, each included by the next, that is followed to a kept one.
const LONGEST_CHAIN: usize = 64;

/// Returns the number of a node after copying; nodes that were not copied keep theirs.
fn moved(numbers: &Numbers, node: NodeId) -> NodeId {
    numbers.get(&node).copied().unwrap_or(node)
}
