//! Masks by ways: the bases and tails of frames whose registers can take too many values to be enumerated.
//!
//! An object of 20 keys in any order has a million sets of seen keys, and as many masks after each quote. But a token depends on little of
//! the set: `name":` needs a set without `name`, `}` needs a set with all required keys. So the trie is walked once for all sets, from a
//! frame whose registers are unknown, and tokens are grouped by their *ways*: the sequences of guards and other operations on the registers
//! that the walk met ([`crate::step::WayStep`]). A base then has a row and exits for each way. A matcher runs each way on the registers of
//! its frame, and joins the rows of the ways that the registers allow. A walk from that frame would run the same operations, and so would
//! find the same tokens.
//!
//! Ways form a tree, listed in preorder: if a way is refused, so are all ways that begin with it. In an open object
//! without required keys nearly all tokens have the empty way, which is always allowed; the other tokens are the few
//! that complete a key.

use std::sync::Arc;
use std::time::Instant;

use crate::automaton::{Automaton, StateId};
use crate::mask::build_time::BuildTime;
use crate::mask::effort::Effort;
use crate::mask::exit_set::ExitSet;
use crate::mask::making;
use crate::mask::part::{Base, Tail, Way};
use crate::mask::reference::{Reference, WayContent};
use crate::mask::row::Row;
use crate::mask::store::MaskStore;
use crate::mask::vocabulary_tables::VocabularyTables;
use crate::mask::walk::{FoundByWay, Ranges, Walker};
use crate::step::{BOTTOM, Head, Memory, Stack, WayId, WayStep, can_finish};
use crate::trie::NodeId;

/// The row of the empty way (`None` if empty), its exits, and the other ways (`None` if there are none).
type Tree = (Option<Arc<Row>>, ExitSet, Option<Arc<[Way]>>);

impl MaskStore {
    /// Computes the base of a head by ways, for all values of its registers. `None` if the format is too ambiguous
    /// here, or the base takes more work than the walker may do.
    pub(crate) fn base_by_ways(&self, automaton: &Automaton, walker: &mut Walker, head: Head) -> Option<Base> {
        let tables = self.tables(automaton.escapes)?;
        let begin = Instant::now();
        let reference = self.reference_by_ways(automaton, walker, tables, head);
        let start = unknown(walker, head);
        let (ways, effort) = match reference {
            Some((other, known)) => {
                let (found, governed) = walker.patch_by_ways(automaton, tables, start, Head { state: other, ..start });
                let effort = walker.effort_so_far();
                (self.patched_ways(tables, walker, &known.ways, found, &governed), effort)
            }
            None => self.ways_at(automaton, walker, tables, start),
        };
        walker.spend(effort);
        if walker.stack.take_overflow() || !walker.affords(effort) {
            return None;
        }
        let at_once = can_finish(automaton, &walker.stack, start);
        let (row, exits, ways) = self.tree(ways);
        let row = row.unwrap_or_else(|| Arc::new(Row::Sparse(Box::default())));
        Some(Base { row, exits, ways, at_once, took: BuildTime(begin.elapsed()), effort })
    }

    /// Computes the tail of a return frame after exits by ways, for all values of its registers.
    pub(crate) fn tail_by_ways(
        &self,
        automaton: &Automaton,
        walker: &mut Walker,
        exits: &ExitSet,
        head: Head,
    ) -> Option<Tail> {
        let tables = self.tables(automaton.escapes)?;
        let begin = Instant::now();
        let start = unknown(walker, head);
        let found = walker.by_ways(automaton, tables, exits.nodes(), start);
        let effort = walker.effort_so_far();
        walker.spend(effort);
        if walker.stack.take_overflow() || !walker.affords(effort) {
            return None;
        }
        let (row, exits, ways) = self.tree(contents(tables, walker, found));
        Some(Tail { row, exits, ways, took: BuildTime(begin.elapsed()), effort })
    }

    /// Walks the whole trie, and makes the content of each way.
    fn ways_at(
        &self,
        automaton: &Automaton,
        walker: &mut Walker,
        tables: VocabularyTables<'_>,
        start: Head,
    ) -> (Vec<WayContent>, Effort) {
        let found = walker.by_ways(automaton, tables, &[NodeId::ROOT], start);
        let effort = walker.effort_so_far();
        let mut ways = contents(tables, walker, found);
        // `at_once` stands for a return at the root, in place of an exit.
        ways.iter_mut().for_each(|way| way.exits.retain(|exit| *exit != NodeId::ROOT));
        ways.retain(|way| !way.is_empty());
        (ways, effort)
    }

    /// Returns the state of the head's reference, as in [`MaskStore::base`], and the reference's ways; `None` if the head has no reference.
    /// This part of a build is not charged for the reference.
    fn reference_by_ways(
        &self,
        automaton: &Automaton,
        walker: &mut Walker,
        tables: VocabularyTables<'_>,
        head: Head,
    ) -> Option<(StateId, Arc<Reference>)> {
        if automaton.derived.reads_markers() || head.esc != 0 {
            return None;
        }
        let start = unknown(walker, head);
        let other = walker.reference(automaton, start)?;
        let known = match walker.references.get(&other) {
            Some(known) => known.clone(),
            None => {
                let start = unknown(walker, Head { state: other, ..head });
                let (ways, effort) = self.ways_at(automaton, walker, tables, start);
                let is_right = !walker.stack.take_overflow() && walker.affords(effort);
                let known = is_right.then(|| Arc::new(Reference { ways }));
                walker.references.insert(other, known.clone());
                known
            }
        };
        known.map(|known| (other, known))
    }

    /// Makes the ways of a head from the ways of its reference: inside governed ranges from the walk of the head, outside them from the
    /// reference.
    fn patched_ways(
        &self,
        tables: VocabularyTables<'_>,
        walker: &Walker,
        known: &[WayContent],
        found: Vec<FoundByWay>,
        governed: &Ranges,
    ) -> Vec<WayContent> {
        let mut found: Vec<(Box<[WayStep]>, FoundByWay)> = by_steps(walker, found).collect();
        let nothing: Row = Row::Sparse(Box::default());
        let mut ways = Vec::new();
        for way in known {
            let own = found.iter_mut().find(|(steps, _)| *steps == way.steps);
            let own = own.map(|(_, found)| std::mem::take(found)).unwrap_or_default();
            let row = making::patched_row(tables.free, tables.trie, &way.row, governed, own.tokens);
            let exits = making::patched_exits(&way.exits, governed, &own.exits);
            ways.push(WayContent { steps: way.steps.clone(), row, exits });
        }
        for (steps, own) in found {
            let row = making::patched_row(tables.free, tables.trie, &nothing, &[], own.tokens);
            let exits = making::patched_exits(&[], &[], &own.exits);
            ways.push(WayContent { steps, row, exits });
        }
        ways.retain(|way| !way.is_empty());
        ways.sort_by(|one, other| one.steps.cmp(&other.steps));
        ways
    }

    /// Makes a tree of ways from a list that ascends by steps.
    fn tree(&self, ways: Vec<WayContent>) -> Tree {
        let (mut row, mut exits) = (None, ExitSet::NONE);
        let mut tree: Vec<Way> = Vec::new();
        // Indexes in `tree` of the entries on the path to the last entry.
        let mut path: Vec<usize> = Vec::new();
        for way in ways {
            let (own_row, own_exits) = self.interned(way.row, &way.exits);
            let own_row = Some(own_row).filter(|row| !row.view().is_empty());
            let common = path.iter().zip(&way.steps).take_while(|(at, step)| tree[**at].step == **step).count();
            close(&mut tree, path.drain(common..));
            for &step in &way.steps[common..] {
                path.push(tree.len());
                tree.push(Way { step, below: 0, row: None, exits: ExitSet::NONE });
            }
            match path.last().and_then(|last| tree.get_mut(*last)) {
                Some(last) => (last.row, last.exits) = (own_row, own_exits),
                None => (row, exits) = (own_row, own_exits),
            }
        }
        close(&mut tree, path.drain(..));
        (row, exits, (!tree.is_empty()).then(|| tree.into()))
    }
}

/// Writes into finished entries how many entries lie below them.
fn close(tree: &mut [Way], entries: impl Iterator<Item = usize>) {
    let len = tree.len();
    for entry in entries {
        tree[entry].below = (len - entry - 1) as u32;
    }
}

/// Replaces the registers of a head by unknown values, and clears the walker's stack.
fn unknown(walker: &mut Walker, head: Head) -> Head {
    walker.stack.clear();
    Head { a: 0, b: 0, memory: Memory::of_way(WayId::EMPTY), parent: BOTTOM, ..head }
}

/// Pairs the results of a walk with the steps of their ways; drops ways without tokens and exits.
fn by_steps(walker: &Walker, found: Vec<FoundByWay>) -> impl Iterator<Item = (Box<[WayStep]>, FoundByWay)> {
    let is_empty = |found: &FoundByWay| found.tokens.is_empty() && found.exits.is_empty();
    let named = (0..).map(WayId).zip(found).filter(move |(_, found)| !is_empty(found));
    named.map(|(way, found)| (steps_of(&walker.stack, way), found))
}

/// Makes the contents of ways from what a walk found, ascending by their steps.
fn contents(tables: VocabularyTables<'_>, walker: &Walker, found: Vec<FoundByWay>) -> Vec<WayContent> {
    let content = |(steps, found): (Box<[WayStep]>, FoundByWay)| {
        let FoundByWay { tokens, mut exits } = found;
        exits.sort_unstable();
        exits.dedup();
        WayContent { steps, row: making::row_of(tables.free, tokens), exits }
    };
    let mut ways: Vec<WayContent> = by_steps(walker, found).map(content).collect();
    ways.sort_by(|one, other| one.steps.cmp(&other.steps));
    ways
}

/// Lists the steps of a way, first to last.
fn steps_of(stack: &Stack, mut way: WayId) -> Box<[WayStep]> {
    let mut steps = Vec::new();
    while let Some((before, step)) = stack.ways().last(way) {
        steps.push(step);
        way = before;
    }
    steps.reverse();
    steps.into()
}
