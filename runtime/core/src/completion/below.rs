//! Completes whole stacks, frame by frame from the top down.
//!
//! While tokens are read above them, the costs of the frames below are needed again and again, so that a memo keeps them by stack node.
//! With `[{"id":1` read, the memo holds the rest of the array, and each candidate head adds the rest of its object.

use always_assert::never;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::costs::{Costs, FrameId, MAX_TEXT, NEVER, Piece};
use super::cut::Cutter;
use crate::step::{BOTTOM, Head, NodeId, Stack};
use crate::vocabulary::TokenId;

/// The cheapest completion of a stack: its total cost, the frame that it completes first, and the stack node that it completes next.
///
/// Ordered by cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cheapest {
    pub(crate) cost: u32,
    frame: FrameId,
    parent: NodeId,
}

/// The unit in which completions are measured.
#[derive(Clone, Copy, Debug)]
enum Measure<'a> {
    Bytes,
    /// Tokens, where the text of each frame is cut into tokens by itself.
    Tokens(Cutter<'a>),
}

/// A memo of the cheapest completions of the stacks below heads, in one unit.
#[derive(Debug)]
pub(crate) struct Below<'a> {
    measure: Measure<'a>,
    known: FxHashMap<NodeId, Cheapest>,
}

impl<'a> Below<'a> {
    /// Makes a memo that measures completions in bytes.
    pub(crate) fn bytes() -> Self {
        Self { measure: Measure::Bytes, known: FxHashMap::default() }
    }

    /// Makes a memo that measures completions in tokens, where the text of each frame is cut into tokens by itself.
    pub(crate) fn tokens(cutter: Cutter<'a>) -> Self {
        Self { measure: Measure::Tokens(cutter), known: FxHashMap::default() }
    }

    /// Returns the cost of the stack at a node, which must have been computed before; 0 at the bottom.
    pub(crate) fn cost(&self, node: NodeId) -> u32 {
        if node == BOTTOM {
            return 0;
        }
        let known = self.known.get(&node);
        never!(known.is_none(), "the cost below {:?} was not computed", node);
        known.map_or(NEVER, |known| known.cost)
    }

    /// Returns the nodes whose costs were computed.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.known.keys().copied()
    }

    /// Returns the frames of a completion, top first.
    fn frames(&self, found: Cheapest) -> impl Iterator<Item = FrameId> + '_ {
        std::iter::successors(Some(found), |at| self.known.get(&at.parent).copied()).map(|at| at.frame)
    }
}

/// Returns the possible top frames of a node as heads. The bottom is the head that has returned.
fn tops(stack: &Stack, node: NodeId) -> SmallVec<[Head; 2]> {
    let mut tops = SmallVec::new();
    stack.frames_or_bottom(node, |frame| {
        tops.push(frame.map_or(Head::RETURNED, |(frame, parent)| frame.resume(parent)));
    });
    tops
}

impl Costs<'_> {
    /// Finds the head with the cheapest completion to the end of the text; the first of several.
    pub(crate) fn cheapest(&mut self, stack: &Stack, heads: &[Head], below: &mut Below<'_>) -> Option<Cheapest> {
        let mut best: Option<Cheapest> = None;
        for head in heads {
            self.below(stack, head.parent, below);
            let found = self.whole(stack, *head, below);
            if found.cost != NEVER && best.is_none_or(|best| found.cost < best.cost) {
                best = Some(found);
            }
        }
        best
    }

    /// Returns the least cost to end every frame at and below a node, or [`NEVER`].
    pub(crate) fn below(&mut self, stack: &Stack, node: NodeId, below: &mut Below<'_>) -> u32 {
        for at in stack.parents_first(node, |known| below.known.contains_key(&known)) {
            let all = tops(stack, at).into_iter().map(|top| self.whole(stack, top, below)).min();
            below.known.extend(all.map(|best| (at, best)));
        }
        below.cost(node)
    }

    /// Returns the cheapest completion of a head. The cost of the stack below it must have been computed.
    fn whole(&mut self, stack: &Stack, head: Head, below: &Below<'_>) -> Cheapest {
        let frame = self.frame(stack, head);
        let own = match below.measure {
            Measure::Bytes => self.cost(frame),
            Measure::Tokens(cutter) => self.tokens(cutter, frame),
        };
        let rest = below.cost(head.parent);
        Cheapest { cost: own.saturating_add(rest), frame, parent: head.parent }
    }

    /// Returns the least number of tokens that complete one of the heads with its stack, where the cheapest text of each frame is cut by
    /// itself; [`NEVER`] if there is no completion.
    pub(crate) fn tokens_of(&mut self, stack: &Stack, heads: &[Head], cutter: Cutter<'_>) -> u32 {
        self.cheapest(stack, heads, &mut Below::tokens(cutter)).map_or(NEVER, |found| found.cost)
    }

    /// Returns the tokens that [`Costs::tokens_of`] counts; `None` if there is no completion, if it is too long to be written out, or if
    /// items must be chosen.
    pub(crate) fn completion(&mut self, stack: &Stack, heads: &[Head], cutter: Cutter<'_>) -> Option<Vec<TokenId>> {
        let mut all = Vec::new();
        for frame in self.written_frames(stack, heads, cutter)? {
            self.add_tokens(cutter, frame, &mut all)?;
        }
        Some(all)
    }

    /// Returns the pieces of the completion whose tokens [`Costs::tokens_of`] counts; `None` if there is none, or if it is too long to be
    /// written out.
    pub(crate) fn pieces_of(&mut self, stack: &Stack, heads: &[Head], cutter: Cutter<'_>) -> Option<Vec<Piece>> {
        let frames = self.written_frames(stack, heads, cutter)?;
        Some(frames.into_iter().flat_map(|frame| self.pieces(frame)).collect())
    }

    /// Returns the frames of the completion whose tokens [`Costs::tokens_of`] counts, top first; `None` if there is none, or if the text of
    /// a frame is too long to be written out.
    fn written_frames(&mut self, stack: &Stack, heads: &[Head], cutter: Cutter<'_>) -> Option<Vec<FrameId>> {
        let below = &mut Below::tokens(cutter);
        let found = self.cheapest(stack, heads, below)?;
        let frames: Vec<FrameId> = below.frames(found).collect();
        frames.iter().all(|frame| self.cost(*frame) <= MAX_TEXT).then_some(frames)
    }

    /// Writes the text of the completion that [`Costs::cheapest`] found; `None` if items must be chosen.
    pub(crate) fn text(&self, found: Cheapest, below: &Below<'_>) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        below.frames(found).try_for_each(|frame| self.write(frame, &mut out))?;
        Some(out)
    }
}
