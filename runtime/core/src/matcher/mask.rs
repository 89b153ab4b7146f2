//! Computes a matcher's mask: the bases of all heads, and the tails of the frames below them.
//!
//! The parts are a work list. If a base has exits, the tail of the frames below after these exits is a new part. If the top frame can
//! return at once, the base of the frames below is a new part too. A tail has exits in turn. Each base or tail is looked up in the pack; if
//! the pack omits it, the store computes it. Once a chain of tails has left the pack, it stays in the store.
//!
//! With many live readings, the same parts come up again and again; each is processed once. For frames that differ only in the stack below
//! them, the row is looked up once.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{MatchError, Matcher};
use crate::mask::{ExitSet, MASK_WORK, Mask, PackExits, PackWays, RowRef};
use crate::step::{BOTTOM, Frame, Head, NodeId};
use crate::watch;

/// The exits of a part, after which the frames below continue inside of tokens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Exits {
    /// Exits, as interned by the store.
    Stored(ExitSet),
    /// Exits, by number in the matcher's pack.
    Packed(PackExits),
}

/// A part of the mask that must still be added.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Part {
    /// The base of a head.
    Base(Head),
    /// The bases of the frames at a node of the stack.
    Returns(NodeId),
    /// The tails, after some exits, of the frames at a node of the stack.
    Tail(Exits, NodeId),
}

/// Computes the mask of a matcher: the union of the rows of all heads.
pub(super) fn collect(matcher: &mut Matcher) -> Result<Mask, MatchError> {
    let mut mask = Mask {
        rows: SmallVec::new(),
        pack: matcher.pack.clone(),
        eos: matcher.is_complete(),
        stops: matcher.stops.clone(),
        vocabulary: Arc::clone(matcher.store.vocabulary()),
    };
    if matcher.terminated {
        mask.eos = false;
        return Ok(mask);
    }
    let limit = MatchError::Limit { what: "work for one mask", given: MASK_WORK, limit: MASK_WORK };
    let added = add_all(matcher, &mut mask.rows);
    matcher.give_walker_back();
    added.map(|()| mask).ok_or(limit)
}

/// Adds the rows of all heads; `None` if one takes too much work.
fn add_all(matcher: &mut Matcher, rows: &mut Rows) -> Option<()> {
    let mut todo = Todo::default();
    for at in 0..matcher.heads.len() {
        let head = matcher.heads[at];
        if !head.is_returned() {
            todo.push(Part::Base(head));
        }
    }
    while let Some(part) = todo.next() {
        if watch::spend(1) {
            return None;
        }
        match part {
            Part::Base(head) => add_base(matcher, head, &mut todo, rows)?,
            Part::Returns(node) => {
                let frame = matcher.stack.frame_or_members(node, |member| todo.push(Part::Returns(member)));
                if let Some((frame, parent)) = frame {
                    todo.push(Part::Base(frame.resume(parent)));
                }
            }
            Part::Tail(exits, node) => add_tails(matcher, exits, node, &mut todo, rows)?,
        }
    }
    Some(())
}

/// Where the frames below a base or a tail continue.
#[derive(Clone, Debug, Default)]
struct Next {
    exits: SmallVec<[Exits; 1]>,
    /// Whether those frames are also entered before a byte is read.
    at_once: bool,
}

/// Fewer parts than this are compared one by one; more are hashed.
const FEW: usize = 16;

/// The work list of the parts of a mask.
#[derive(Default)]
struct Todo {
    /// All parts without duplicates; the first `done` of them have been added to the mask.
    parts: SmallVec<[Part; 8]>,
    done: usize,
    /// The parts as a set, once there are at least [`FEW`].
    known: FxHashSet<Part>,
    /// The results for bases, by head, and for tails below; kept once there are at least [`FEW`] parts.
    bases: FxHashMap<Head, Next>,
    tails: FxHashMap<(Exits, Frame), Next>,
}

impl Todo {
    fn next(&mut self) -> Option<Part> {
        let part = self.parts.get(self.done).cloned();
        self.done += 1;
        part
    }

    fn push(&mut self, part: Part) {
        let is_new = if self.parts.len() < FEW {
            !self.parts.contains(&part)
        } else {
            if self.known.is_empty() {
                self.known.extend(self.parts.iter().cloned());
            }
            self.known.insert(part.clone())
        };
        if is_new {
            self.parts.push(part);
        }
    }

    /// Adds the parts of the frames at `below`, unless that is the bottom.
    fn push_next(&mut self, next: &Next, below: NodeId) {
        if below == BOTTOM {
            return;
        }
        next.exits.iter().for_each(|exits| self.push(Part::Tail(exits.clone(), below)));
        if next.at_once {
            self.push(Part::Returns(below));
        }
    }

    fn is_large(&self) -> bool {
        self.parts.len() >= FEW
    }
}

type Rows = SmallVec<[RowRef; 4]>;

/// Adds a base, from the pack or else from the store; `None` if it takes too much work.
fn add_base(matcher: &mut Matcher, head: Head, todo: &mut Todo, rows: &mut Rows) -> Option<()> {
    let top = Head { parent: BOTTOM, ..head };
    if let Some(next) = todo.bases.get(&top).cloned() {
        todo.push_next(&next, head.parent);
        return Some(());
    }
    let next = match packed_base(matcher, head, rows) {
        Some(next) => next,
        None => stored_base(matcher, head, rows)?,
    };
    todo.push_next(&next, head.parent);
    if todo.is_large() {
        todo.bases.insert(top, next);
    }
    Some(())
}

/// Adds the tail of the frame at a node; the members of a join of stacks become parts of their own.
fn add_tails(matcher: &mut Matcher, exits: Exits, node: NodeId, todo: &mut Todo, rows: &mut Rows) -> Option<()> {
    let members = |member| {
        if member != BOTTOM {
            todo.push(Part::Tail(exits.clone(), member));
        }
    };
    let Some((frame, parent)) = matcher.stack.frame_or_members(node, members) else { return Some(()) };
    if let Some(next) = todo.tails.get(&(exits.clone(), frame)).cloned() {
        todo.push_next(&next, parent);
        return Some(());
    }
    let next = add_tail(matcher, exits.clone(), frame.resume(parent), rows)?;
    todo.push_next(&next, parent);
    if todo.is_large() {
        todo.tails.insert((exits, frame), next);
    }
    Some(())
}

/// Adds a tail, from the pack or else from the store; `None` if it takes too much work.
fn add_tail(matcher: &mut Matcher, exits: Exits, head: Head, rows: &mut Rows) -> Option<Next> {
    let exits = match exits {
        Exits::Stored(exits) => exits,
        Exits::Packed(exits) => {
            if let Some(next) = packed_tail(matcher, exits, head, rows) {
                return Some(next);
            }
            // The store has its own numbers for exits, so that it gets their trie nodes.
            let nodes = matcher.pack.as_ref().map(|pack| pack.exit_nodes(exits));
            matcher.store.exits_at(nodes.unwrap_or_default())
        }
    };
    stored_tail(matcher, exits, head, rows)
}

/// Adds the base from the store, which computes it if it is new.
fn stored_base(matcher: &mut Matcher, head: Head, rows: &mut Rows) -> Option<Next> {
    let Matcher { automaton, store, stack, walker, .. } = matcher;
    let base = match store.find_base(automaton, stack, head) {
        Some(base) => base,
        None => store.base(automaton, walker.get(store, automaton), stack, head)?,
    };
    if !base.row.view().is_empty() {
        rows.push(RowRef::Shared(base.row));
    }
    let exits = store.exits_with_follow_if_many(automaton, head.state, base.exits);
    Some(Next { exits: stored(exits), at_once: base.at_once })
}

/// Adds the tail from the store, which computes it if it is new.
fn stored_tail(matcher: &mut Matcher, exits: ExitSet, head: Head, rows: &mut Rows) -> Option<Next> {
    let Matcher { automaton, store, stack, walker, .. } = matcher;
    let tail = match store.find_tail(automaton, stack, &exits, head) {
        Some(tail) => tail,
        None => store.tail(automaton, walker.get(store, automaton), stack, exits, head)?,
    };
    rows.extend(tail.row.map(RowRef::Shared));
    let exits = store.exits_with_follow_if_many(automaton, head.state, tail.exits);
    Some(Next { exits: stored(exits), at_once: false })
}

fn stored(exits: ExitSet) -> SmallVec<[Exits; 1]> {
    (exits != ExitSet::NONE).then_some(Exits::Stored(exits)).into_iter().collect()
}

/// Adds the base from the pack; `None` if there is no pack or it omits this base.
fn packed_base(matcher: &mut Matcher, head: Head, rows: &mut Rows) -> Option<Next> {
    let pack = matcher.pack.as_ref()?;
    let base = pack.base(&matcher.automaton, &matcher.stack, head)?;
    rows.extend(base.row.map(RowRef::Packed));
    let exits = base.exits.into_iter().map(Exits::Packed).collect();
    let mut next = Next { exits, at_once: base.at_once };
    if let Some(ways) = base.ways {
        packed_ways(matcher, ways, head, &mut next, rows);
    }
    Some(next)
}

/// Adds the tail from the pack; `None` if it omits this tail.
fn packed_tail(matcher: &mut Matcher, exits: PackExits, head: Head, rows: &mut Rows) -> Option<Next> {
    let pack = matcher.pack.as_ref()?;
    let tail = pack.tail(&matcher.automaton, &matcher.stack, exits, head)?;
    rows.extend(tail.row.map(RowRef::Packed));
    let mut next = Next { exits: tail.exits.into_iter().map(Exits::Packed).collect(), at_once: false };
    if let Some(ways) = tail.ways {
        packed_ways(matcher, ways, head, &mut next, rows);
    }
    Some(next)
}

/// Adds the ways from the pack that the head's registers allow.
fn packed_ways(matcher: &mut Matcher, ways: PackWays, head: Head, next: &mut Next, rows: &mut Rows) {
    let Matcher { automaton, stack, pack: Some(pack), .. } = matcher else { return };
    pack.each_way(automaton, stack, head, ways, |row, exits| {
        rows.extend(row.map(RowRef::Packed));
        next.exits.extend(exits.map(Exits::Packed));
    });
}
