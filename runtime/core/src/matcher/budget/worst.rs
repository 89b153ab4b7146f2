//! Bounds the cost of the completion after any next token, without looking at the tokens each time.
//!
//! The bound is split as masks are: per frame, the dearest that any token leaves behind while it stays in the frame, and
//! the trie nodes at which tokens leave it; per such exits and return frame, the same again. Entries are kept, so that far
//! from the end of the budget a mask costs a few look-ups more.
//!
//! Where a completion takes 20 bytes now, no token leads to a place from which it takes more than 32, and every byte is a
//! token, a budget of 40 tokens allows every token: none has to be looked at.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::costs::{Below, Costs, Frame, NEVER, SLACK, content, uncounted};
use crate::automaton::{Automaton, Free};
use crate::mask::MaskStore;
use crate::step::{BOTTOM, Head, Mark, NodeId, Scratch, Stack, can_finish, step};
use crate::trie;

/// A bound on the bytes that end a character or an escape in the middle of free text.
const MID_CHARACTER: u32 = 12;

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The greatest cost that a token leaves behind in the frame, in bytes.
    most: u32,
    exits: u32,
}

/// A memo of bounds, by frame and by exits with a return frame.
#[derive(Debug, Default)]
pub(super) struct Worst {
    bases: FxHashMap<Frame, Entry>,
    tails: FxHashMap<(u32, Frame), Entry>,
    exits: Vec<Arc<[trie::NodeId]>>,
    exit_ids: FxHashMap<Arc<[trie::NodeId]>, u32>,
    stack: Stack,
    scratch: Scratch,
    levels: Vec<Level>,
}

#[derive(Debug)]
struct Level {
    heads: Vec<Head>,
    mark: Mark,
    cost: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Base(Head),
    Tail(u32, NodeId),
}

impl Worst {
    /// Returns a bound on the bytes of the cheapest completion after the next token, whichever it is.
    pub(super) fn bound(
        &mut self,
        costs: &mut Costs,
        store: &MaskStore,
        stack: &Stack,
        heads: &[Head],
        below: &mut Below,
    ) -> u32 {
        let live = heads.iter().filter(|head| !head.is_returned());
        let mut todo: Vec<Part> = live.map(|&head| Part::Base(head)).collect();
        let (mut done, mut most) = (0, 0);
        while let Some(&part) = todo.get(done) {
            done += 1;
            let (entries, at_once) = self.entries(costs, store, stack, part);
            for (entry, parent) in entries {
                let rest = costs.below(stack, parent, below);
                most = most.max(entry.most.saturating_add(rest));
                let next = Part::Tail(entry.exits, parent);
                if entry.exits != 0 && parent != BOTTOM && !todo.contains(&next) {
                    todo.push(next);
                }
            }
            for next in at_once {
                if !todo.contains(&next) {
                    todo.push(next);
                }
            }
            if most == NEVER || done > 256 {
                return NEVER;
            }
        }
        most
    }

    fn entries(
        &mut self,
        costs: &mut Costs,
        store: &MaskStore,
        stack: &Stack,
        part: Part,
    ) -> (Vec<(Entry, NodeId)>, Vec<Part>) {
        let mut next = Vec::new();
        match part {
            Part::Base(head) => {
                let automaton = Arc::clone(costs.automaton());
                if automaton.states[head.state.index()].accept {
                    stack.frames(head.parent, |frame, parent| next.push(Part::Base(frame.resume(parent))));
                }
                (vec![(self.base(costs, store, stack, head), head.parent)], next)
            }
            Part::Tail(exits, node) => {
                let mut frames = Vec::new();
                stack.frames(node, |frame, parent| frames.push(frame.resume(parent)));
                let entry = |head: Head| (self.tail(costs, store, stack, exits, head), head.parent);
                (frames.into_iter().map(entry).collect(), next)
            }
        }
    }

    /// Returns the bound for tokens that begin in the frame. In free text, the cost after any token is that of the frame, but for
    /// a character that the token leaves unfinished.
    fn base(&mut self, costs: &mut Costs, store: &MaskStore, stack: &Stack, head: Head) -> Entry {
        let automaton = Arc::clone(costs.automaton());
        let frame = class(&automaton, store, content(stack, head));
        if head.esc == 0 && automaton.derived.free(head.state) != Free::No {
            let own = costs.frame(stack, head);
            return Entry {
                most: costs.cost(own).saturating_add(MID_CHARACTER),
                exits: self.intern(store.free_closes(automaton.escapes)),
            };
        }
        if let Some(entry) = self.bases.get(&frame) {
            return *entry;
        }
        let entry = self.walk(costs, store, &[trie::NodeId::ROOT], &frame);
        self.bases.insert(frame, entry);
        entry
    }

    /// Returns the bound for tokens that go on in the frame after these exits.
    fn tail(&mut self, costs: &mut Costs, store: &MaskStore, stack: &Stack, exits: u32, head: Head) -> Entry {
        let frame = class(costs.automaton(), store, content(stack, head));
        let key = (exits, frame);
        if let Some(entry) = self.tails.get(&key) {
            return *entry;
        }
        let nodes = Arc::clone(&self.exits[exits as usize - 1]);
        let entry = self.walk(costs, store, &nodes, &key.1);
        self.tails.insert(key, entry);
        entry
    }

    /// Returns the number of a set of exits, from 1 on; 0 stands for the empty set.
    fn intern(&mut self, nodes: &[trie::NodeId]) -> u32 {
        if nodes.is_empty() {
            return 0;
        }
        if let Some(&id) = self.exit_ids.get(nodes) {
            return id;
        }
        let nodes: Arc<[trie::NodeId]> = nodes.into();
        self.exits.push(Arc::clone(&nodes));
        self.exit_ids.insert(nodes, self.exits.len() as u32);
        self.exits.len() as u32
    }

    /// Steps the frame along the trie below each of the nodes, for the greatest cost after a token and the exits.
    fn walk(&mut self, costs: &mut Costs, store: &MaskStore, nodes: &[trie::NodeId], frame: &Frame) -> Entry {
        let mut exits = Vec::new();
        let mut most = 0;
        for &node in nodes {
            self.stack.clear();
            let aux = if frame.keys.is_empty() { frame.position } else { self.stack.add_set(frame.keys.clone()) };
            let start = Head { state: frame.state, a: frame.a, b: frame.b, aux, esc: frame.esc, parent: BOTTOM };
            if node != trie::NodeId::ROOT && can_finish(costs.automaton(), &self.stack, start) {
                exits.push(node);
            }
            most = most.max(self.walk_below(costs, store, node, start, &mut exits));
        }
        exits.sort_unstable();
        exits.dedup();
        Entry { most: if self.stack.take_overflow() { NEVER } else { most }, exits: self.intern(&exits) }
    }

    /// Returns the greatest cost after a token below the node, and collects the exits there.
    fn walk_below(
        &mut self,
        costs: &mut Costs,
        store: &MaskStore,
        from: trie::NodeId,
        start: Head,
        exits: &mut Vec<trie::NodeId>,
    ) -> u32 {
        let trie = store.trie();
        let automaton = Arc::clone(costs.automaton());
        let base = trie.depth(from);
        self.levels.clear();
        self.levels.push(Level { heads: vec![start], mark: self.stack.mark(), cost: NEVER });
        let (mut node, end) = (trie::NodeId(from.0 + 1), trie.subtree_end(from));
        let mut most = 0;
        while node < end {
            let depth = trie.depth(node) - base;
            self.levels.truncate(depth);
            let Some(above) = self.levels.last() else { break };
            self.stack.truncate(above.mark);
            let mut heads = Vec::new();
            let byte = trie.byte(node);
            step(&automaton, &mut self.stack, &mut self.scratch, &above.heads, byte, &mut heads);
            if heads.is_empty() {
                node = trie.subtree_end(node);
                continue;
            }
            let cost = if heads == above.heads && above.cost != NEVER {
                above.cost
            } else {
                let found = costs.cheapest(&self.stack, &heads, &mut Below::default());
                found.map_or(NEVER, |found| found.cost)
            };
            if !trie.tokens(node).is_empty() {
                most = most.max(cost);
            }
            if heads.iter().any(|&head| can_finish(&automaton, &self.stack, head)) {
                exits.push(node);
            }
            let mark = self.stack.mark();
            self.levels.push(Level { heads, mark, cost });
            node = trie::NodeId(node.0 + 1);
        }
        most
    }
}

/// Maps the frame to its class, within which neither tokens nor costs differ.
fn class(automaton: &Automaton, store: &MaskStore, frame: Frame) -> Frame {
    let frame = uncounted(automaton, frame);
    let rule = automaton.states[frame.state.index()].rule;
    let threshold = automaton.derived.threshold(rule);
    if threshold == 0 {
        return Frame { a: 0, b: 0, ..frame };
    }
    let limit = threshold.saturating_add(SLACK).saturating_add(store.trie().max_depth() as u32);
    Frame { b: frame.b.min(limit), ..frame }
}
