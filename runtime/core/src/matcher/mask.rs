//! Makes a matcher's mask: the bases of all heads, and the tails of the frames below them.
//!
//! The parts are a work list. A base has exits: the tail of the frames below after these exits is a new part. So is the base
//! of the frames below, if the top frame can return at once. A tail has exits in its turn. Each base or tail is looked up in
//! the pack; if the pack omits it, the store computes it. A chain of tails that left the pack stays in the store.
//!
//! # Limits
//!
//! A step refuses a byte after which there are more than [`MAX_HEADS`] heads. Rows are made head by head, so that none of them
//! shows how many heads there are together; but each knows how many its head can become. Where the sum could pass the limit,
//! the mask is made by stepping all heads through the whole trie ([`exact`]), as accepting does: so a mask allows exactly
//! the tokens that accepting accepts.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{MatchError, Matcher, exact};
use crate::mask::{ExitsId, Mask, PackExits, Row, RowRef};
use crate::step::{BOTTOM, Head, MAX_HEADS, NodeId, Stack};

/// A part of the mask that is still to be added.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    /// The base of this head.
    Base(Head),
    /// The tails of the frames at this node of the stack after these exits of the store.
    Tail(ExitsId, NodeId),
    /// The tails of the frames at this node of the stack after these exits of the matcher's pack.
    PackedTail(PackExits, NodeId),
}

/// Makes the mask of a matcher: the union of the rows of all heads.
pub(super) fn collect(matcher: &mut Matcher) -> Result<Mask, MatchError> {
    let mut mask = Mask {
        rows: SmallVec::new(),
        pack: matcher.pack.clone(),
        eos: matcher.is_complete(),
        vocabulary: Arc::clone(matcher.store.vocabulary()),
    };
    if matcher.terminated {
        mask.eos = false;
        return Ok(mask);
    }
    if add_all(matcher, &mut mask.rows).is_none() {
        matcher.store.count_stepped();
        let found = exact::tokens(matcher);
        let tokens = if mask.eos { found.unwrap_or_default() } else { found? };
        let row = Row::from_tokens(&tokens, matcher.store.vocabulary().len());
        mask.rows = SmallVec::from_iter([RowRef::Shared(Arc::new(row))]);
    }
    Ok(mask)
}

/// Adds the rows of all heads; `None` if one could not be made, or if together they could become too many heads.
fn add_all(matcher: &mut Matcher, rows: &mut Rows) -> Option<()> {
    let heads = matcher.heads.iter().filter(|head| !head.is_returned());
    let mut todo = Todo { parts: heads.map(|&head| Part::Base(head)).collect(), heads: 0 };
    let mut done = 0;
    while let Some(&part) = todo.parts.get(done) {
        done += 1;
        add(matcher, part, &mut todo, rows)?;
        if todo.heads > MAX_HEADS {
            return None;
        }
    }
    Some(())
}

/// The work list of the parts of a mask.
#[derive(Default)]
struct Todo {
    /// All parts without duplicates: first those that are added to the mask already.
    parts: SmallVec<[Part; 8]>,
    /// The most parallel heads that the added parts together can become within one token.
    heads: usize,
}

impl Todo {
    fn push(&mut self, part: Part) {
        if !self.parts.contains(&part) {
            self.parts.push(part);
        }
    }
}

type Rows = SmallVec<[RowRef; 4]>;

/// Adds one part, from the pack or else from the store; `None` if the format is too ambiguous there.
fn add(matcher: &mut Matcher, part: Part, todo: &mut Todo, rows: &mut Rows) -> Option<()> {
    match part {
        Part::Base(head) => {
            if packed_base(matcher, head, todo, rows).is_none() {
                base(matcher, head, todo, rows)?;
            }
        }
        Part::PackedTail(exits, node) => {
            for head in frames_at(matcher, node) {
                if packed_tail(matcher, exits, head, todo, rows).is_none() {
                    // The pack's numbers of exits mean nothing to the store: their trie nodes do.
                    let nodes = matcher.pack.as_ref().map(|pack| pack.exit_nodes(exits));
                    let exits = matcher.store.exits_at(nodes.unwrap_or_default());
                    tail(matcher, exits, head, todo, rows)?;
                }
            }
        }
        Part::Tail(exits, node) => {
            for head in frames_at(matcher, node) {
                tail(matcher, exits, head, todo, rows)?;
            }
        }
    }
    Some(())
}

/// Returns the frames at a node of the stack, as the heads that they become when they are returned to: one, or several at a
/// join of stacks.
fn frames_at(matcher: &Matcher, node: NodeId) -> SmallVec<[Head; 2]> {
    let mut frames = SmallVec::new();
    let resume = |frame: crate::step::Frame, parent| frames.push(frame.resume(parent));
    matcher.stack.frames(node, resume);
    frames
}

/// Adds the base from the store, which computes it if it is new.
fn base(matcher: &mut Matcher, head: Head, todo: &mut Todo, rows: &mut Rows) -> Option<()> {
    let Matcher { automaton, store, stack, walker, .. } = matcher;
    let base = store.base(automaton, walker, stack, head)?;
    todo.heads += base.effort.most_heads as usize;
    if !base.row.view().is_empty() {
        rows.push(RowRef::Shared(base.row));
    }
    let exits = store.exits_with_follow_if_many(automaton, head.state, base.exits);
    if exits != ExitsId::NONE && head.parent != BOTTOM {
        todo.push(Part::Tail(exits, head.parent));
    }
    if base.at_once {
        resume(stack, head, todo);
    }
    Some(())
}

/// Adds the frames below a head that can return at once: they are heads too.
fn resume(stack: &Stack, head: Head, todo: &mut Todo) {
    stack.frames(head.parent, |frame, parent| todo.push(Part::Base(frame.resume(parent))));
}

/// Adds the tail from the store, which computes it if it is new.
fn tail(matcher: &mut Matcher, exits: ExitsId, head: Head, todo: &mut Todo, rows: &mut Rows) -> Option<()> {
    let Matcher { automaton, store, stack, walker, .. } = matcher;
    let tail = store.tail(automaton, walker, stack, exits, head)?;
    todo.heads += tail.effort.most_heads as usize;
    rows.extend(tail.row.map(RowRef::Shared));
    let exits = store.exits_with_follow_if_many(automaton, head.state, tail.exits);
    if exits != ExitsId::NONE && head.parent != BOTTOM {
        todo.push(Part::Tail(exits, head.parent));
    }
    Some(())
}

/// Adds the base from the pack; `None` if there is no pack or it omits this base.
fn packed_base(matcher: &Matcher, head: Head, todo: &mut Todo, rows: &mut Rows) -> Option<()> {
    let pack = matcher.pack.as_ref()?;
    let base = pack.base(&matcher.automaton, &matcher.stack, head)?;
    todo.heads += base.most_heads as usize;
    rows.extend(base.row.map(RowRef::Packed));
    if let Some(exits) = base.exits.filter(|_| head.parent != BOTTOM) {
        todo.push(Part::PackedTail(exits, head.parent));
    }
    if base.at_once {
        resume(&matcher.stack, head, todo);
    }
    Some(())
}

/// Adds the tail from the pack; `None` if it omits this tail.
fn packed_tail(matcher: &Matcher, exits: PackExits, head: Head, todo: &mut Todo, rows: &mut Rows) -> Option<()> {
    let pack = matcher.pack.as_ref()?;
    let tail = pack.tail(&matcher.automaton, &matcher.stack, exits, head)?;
    todo.heads += tail.most_heads as usize;
    rows.extend(tail.row.map(RowRef::Packed));
    if let Some(exits) = tail.exits.filter(|_| head.parent != BOTTOM) {
        todo.push(Part::PackedTail(exits, head.parent));
    }
    Some(())
}
