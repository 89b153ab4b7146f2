//! Computes the cheapest completion of a frame: the least number of bytes to its end, and a text of that length.
//!
//! Frames do not see each other's registers, so that a stack's cheapest completion is that of each frame in turn. For one
//! frame (a state with registers) the frames that it can become, and those that it can call, make a graph; least costs
//! in it come from Knuth's generalisation of Dijkstra's algorithm to grammars (1977). The graph is followed with the
//! matcher's own operations, so a cost always has a text that the matcher reads. It is explored from each frame that is asked
//! for, once; results are kept.
//!
//! A frame that counts tokens is completed as if it had none left: what its spent twin reads, it reads as well, with however
//! many tokens.
//!
//! Two things are cut, both to the safe side (a text that is found exists; a cheaper one may be missed): countdowns to a
//! maximum are followed as if little were left beyond what guards compare; and objects take the next required key, or the
//! next key while members are missing, not every set of keys.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::moves::{Move, Moves, To};
use crate::automaton::{Automaton, StateId};
use crate::step::{BOTTOM, Head, KeySet, NodeId, Stack};

/// The cost of a frame for which no completion was found.
pub(super) const NEVER: u32 = u32::MAX;

/// The most frames that are explored for one format; beyond them no completion is found.
const MAX_FRAMES: usize = 1 << 20;

/// The greatest countdown to a maximum that is followed, beyond the constants of guards.
pub(super) const SLACK: u32 = 8;

/// A frame by content, with which memos are indexed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    pub(super) state: StateId,
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) esc: u32,
    /// A position among declared keys, or the set of keys seen.
    pub(super) position: u32,
    pub(super) keys: KeySet,
}

/// The number of a frame by content; 0 stands for a frame that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FrameId(pub(super) u32);

/// The number of frames that have ended.
pub(super) const ENDED: FrameId = FrameId(0);

/// The first move of a frame's cheapest completion.
#[derive(Clone, Debug)]
enum Choice {
    Unknown,
    Stop,
    Write(SmallVec<[u8; 8]>, FrameId),
    Call(FrameId, FrameId),
}

#[derive(Debug)]
struct Known {
    cost: u32,
    choice: Choice,
    /// Whether the search began here: what it did not find, no search will.
    asked: bool,
}

/// A memo of the costs of one format's frames.
#[derive(Debug)]
pub(super) struct Costs {
    automaton: Arc<Automaton>,
    moves: Moves,
    ids: FxHashMap<Frame, FrameId>,
    known: Vec<Known>,
    frames: Vec<Option<Frame>>,
}

/// A move between numbered frames: an edge of the graph of which least costs are computed.
struct Link {
    from: FrameId,
    bytes: SmallVec<[u8; 8]>,
    callee: Option<FrameId>,
    to: FrameId,
}

impl Costs {
    pub(super) fn new(automaton: Arc<Automaton>) -> Self {
        Self {
            automaton,
            moves: Moves::default(),
            ids: FxHashMap::default(),
            known: vec![Known { cost: 0, choice: Choice::Stop, asked: true }],
            frames: vec![None],
        }
    }

    pub(super) fn automaton(&self) -> &Arc<Automaton> {
        &self.automaton
    }

    /// Returns the number of the head's top frame, after computing its cost if it is not known.
    pub(super) fn frame(&mut self, stack: &Stack, head: Head) -> FrameId {
        if head.is_returned() {
            return ENDED;
        }
        let frame = self.clamp(content(stack, head));
        let id = self.number(frame);
        let known = &self.known[id.0 as usize];
        if known.cost == NEVER && !known.asked {
            self.solve(id);
        }
        id
    }

    /// Returns the least number of bytes to the frame's end, or [`NEVER`].
    pub(super) fn cost(&self, id: FrameId) -> u32 {
        self.known[id.0 as usize].cost
    }

    /// Maps a frame to the one that stands for its cost: without the tokens left, in the spent twin of its state, and with a
    /// countdown to the maximum of at most [`SLACK`] beyond what guards compare.
    fn clamp(&self, frame: Frame) -> Frame {
        let frame = uncounted(&self.automaton, frame);
        let state = self.automaton.derived.twin(frame.state).unwrap_or(frame.state);
        let frame = Frame { state, ..frame };
        let rule = self.automaton.states[frame.state.index()].rule;
        let threshold = self.automaton.derived.threshold(rule);
        if threshold == 0 {
            return Frame { a: 0, b: 0, ..frame };
        }
        Frame { b: frame.b.min(threshold.saturating_add(SLACK)), ..frame }
    }

    fn number(&mut self, frame: Frame) -> FrameId {
        let next = FrameId(self.known.len() as u32);
        let id = *self.ids.entry(frame).or_insert_with_key(|frame| {
            self.frames.push(Some(frame.clone()));
            next
        });
        if id == next {
            self.known.push(Known { cost: NEVER, choice: Choice::Unknown, asked: false });
        }
        id
    }

    /// Explores the frames that a frame can become, and computes the least costs of all of them.
    fn solve(&mut self, start: FrameId) {
        self.known[start.0 as usize].asked = true;
        let links = self.explore(start);
        self.least_costs(&links);
    }

    /// Follows the moves of a frame, and of all frames that they lead to and whose cost is not known.
    fn explore(&mut self, start: FrameId) -> Vec<Link> {
        let asked = self.frames[start.0 as usize].clone();
        let mut links = Vec::new();
        let mut seen: rustc_hash::FxHashSet<FrameId> = rustc_hash::FxHashSet::default();
        let mut todo = vec![start];
        seen.insert(start);
        while let Some(id) = todo.pop() {
            let Some(frame) = self.frames[id.0 as usize].clone() else {
                continue;
            };
            if self.known.len() > MAX_FRAMES {
                break;
            }
            let automaton = Arc::clone(&self.automaton);
            for Move { bytes, callee, to } in self.moves.of(&automaton, &frame, asked.as_ref()) {
                let callee = callee.map(|frame| self.number_of(To::Frame(frame)));
                let to = self.number_of(to);
                for next in callee.into_iter().chain([to]) {
                    if self.cost(next) == NEVER && seen.insert(next) {
                        todo.push(next);
                    }
                }
                links.push(Link { from: id, bytes, callee, to });
            }
        }
        links
    }

    fn number_of(&mut self, to: To) -> FrameId {
        match to {
            To::Ended => ENDED,
            To::Frame(frame) => {
                let frame = self.clamp(frame);
                self.number(frame)
            }
        }
    }

    /// Computes the least costs of all frames that the links lead from.
    ///
    /// Knuth, "A generalization of Dijkstra's algorithm" (1977): a link has a price once the costs of all its ends are
    /// final, and the cheapest link that has one makes the cost of its own frame final. For a frame that calls `"ab"` (2
    /// bytes) and then reads `c`, the link waits for the callee and for the frame behind `c`; its price is their sum.
    fn least_costs(&mut self, links: &[Link]) {
        let mut waiting: FxHashMap<FrameId, Vec<u32>> = FxHashMap::default();
        let mut queue = BinaryHeap::new();
        for (at, link) in (0u32..).zip(links) {
            for end in link.callee.into_iter().chain([link.to]) {
                waiting.entry(end).or_default().push(at);
            }
            queue.extend(self.price(link).map(|cost| Reverse((cost, at))));
        }
        // No later price is smaller: a price is a sum with the final costs of its ends. So the first of a frame is its least.
        while let Some(Reverse((cost, at))) = queue.pop() {
            let link = &links[at as usize];
            let known = &mut self.known[link.from.0 as usize];
            if known.cost != NEVER {
                continue;
            }
            known.cost = cost;
            known.choice = match link.callee {
                _ if link.to == ENDED && link.bytes.is_empty() && link.callee.is_none() => Choice::Stop,
                Some(callee) => Choice::Call(callee, link.to),
                None => Choice::Write(link.bytes.clone(), link.to),
            };
            for &waiter in waiting.get(&link.from).into_iter().flatten() {
                let price = self.price(&links[waiter as usize]);
                queue.extend(price.map(|cost| Reverse((cost, waiter))));
            }
        }
    }

    /// Returns the cost by way of this link, once the costs of its ends are final.
    fn price(&self, link: &Link) -> Option<u32> {
        let inner = link.callee.map_or(0, |callee| self.cost(callee));
        let rest = self.cost(link.to);
        let cost = inner.checked_add(rest)?.checked_add(link.bytes.len() as u32)?;
        (inner != NEVER && rest != NEVER && cost != NEVER).then_some(cost)
    }

    /// Writes a text of least bytes that ends the frame; its cost must be known.
    pub(super) fn write(&self, id: FrameId, out: &mut Vec<u8>) {
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            match &self.known[id.0 as usize].choice {
                Choice::Unknown | Choice::Stop => {}
                Choice::Write(bytes, to) => {
                    out.extend_from_slice(bytes);
                    todo.push(*to);
                }
                Choice::Call(callee, to) => todo.extend([*to, *callee]),
            }
        }
    }
}

pub(super) fn content(stack: &Stack, head: Head) -> Frame {
    let set = stack.set(head.aux);
    Frame {
        state: head.state,
        a: head.a,
        b: head.b,
        esc: head.esc,
        position: if set.is_some() { 0 } else { head.aux },
        keys: set.cloned().unwrap_or_default(),
    }
}

/// Returns the frame without its count of tokens left, which does not change its cost.
pub(super) fn uncounted(automaton: &Automaton, frame: Frame) -> Frame {
    let position = if automaton.rule_of(frame.state).counts_tokens { 0 } else { frame.position };
    Frame { position, ..frame }
}

/// The cheapest completion of a stack: its cost, its top frame, and the stack below that it completes next.
///
/// Ordered by cost: the least is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cheapest {
    pub(super) cost: u32,
    frame: FrameId,
    parent: NodeId,
}

/// A memo of the cheapest completions of stacks, by node.
pub(super) type Below = FxHashMap<NodeId, Cheapest>;

impl Costs {
    /// Finds the head with the cheapest completion to the end of the text.
    pub(super) fn cheapest(&mut self, stack: &Stack, heads: &[Head], below: &mut Below) -> Option<Cheapest> {
        let mut best: Option<Cheapest> = None;
        for &head in heads {
            let frame = self.frame(stack, head);
            let rest = self.below(stack, head.parent, below);
            let cost = self.cost(frame).saturating_add(rest);
            if cost != NEVER && best.is_none_or(|best| cost < best.cost) {
                best = Some(Cheapest { cost, frame, parent: head.parent });
            }
        }
        best
    }

    /// Returns the least number of bytes that end every frame at and below a node. The stack is walked
    /// with a list, as it may be deep.
    pub(super) fn below(&mut self, stack: &Stack, node: NodeId, below: &mut Below) -> u32 {
        let mut todo = vec![node];
        while let Some(&at) = todo.last() {
            if at == BOTTOM || below.contains_key(&at) {
                todo.pop();
                continue;
            }
            let mut frames: SmallVec<[(Option<Head>, NodeId); 2]> = SmallVec::new();
            stack.frames_or_bottom(at, |frame| {
                frames.push(match frame {
                    Some((frame, parent)) => (Some(frame.resume(parent)), parent),
                    None => (None, BOTTOM),
                });
            });
            let before = todo.len();
            todo.extend(
                frames
                    .iter()
                    .map(|(_, parent)| *parent)
                    .filter(|parent| *parent != BOTTOM && !below.contains_key(parent)),
            );
            if todo.len() > before {
                continue;
            }
            todo.pop();
            let best = frames
                .iter()
                .map(|&(head, parent)| {
                    let frame = head.map_or(ENDED, |head| self.frame(stack, head));
                    let rest = if parent == BOTTOM { 0 } else { below[&parent].cost };
                    Cheapest { cost: self.cost(frame).saturating_add(rest), frame, parent }
                })
                .min();
            below.insert(at, best.unwrap_or(Cheapest { cost: NEVER, frame: ENDED, parent: BOTTOM }));
        }
        if node == BOTTOM { 0 } else { below[&node].cost }
    }

    /// Writes the text of the cheapest completion that [`Costs::cheapest`] found.
    pub(super) fn text(&self, found: Cheapest, below: &Below) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(found.frame, &mut out);
        let mut at = found.parent;
        while let Some(next) = below.get(&at) {
            self.write(next.frame, &mut out);
            at = next.parent;
        }
        out
    }
}
