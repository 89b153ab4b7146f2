//! Enumerates the frames that a format can have: each state with the values that its registers can take.
//!
//! The search begins with the frame of the whole text, and applies the matcher's own operations to every frame that it finds: each edge,
//! each call (which yields the callee's first frame, and the frame to which the call returns) and each close.
//!
//! # Two kinds of classes
//!
//! Countdowns can be large, so that the search enumerates classes of frames. The frames that are *followed* keep countdowns up to the
//! greatest value that guards can tell apart within a token; all greater countdowns are one value, "many" ([`FrameClasses::class_of`]). A
//! tick leads from "many" to "many" and to the greatest exact value. The *heads* for which bases and tails are made are coarser: classes of
//! registers that one token cannot tell apart ([`canonical`]), as in the keys of the store. Several followed frames can be one head.
//!
//! Consider `[a-z]{0,1000000}`, with tokens of at most 8 bytes and guards that compare with 0. Countdowns from 0 to 9 are exact, greater
//! ones are "many". The frame at the beginning is ("many"); a tick leads it to ("many") and to (9), which leads to (8), and so on down to
//! (0): 11 frames instead of 1,000,001. This over-approximates (it is an abstract interpretation; Cousot and Cousot 1977): the search may
//! list a frame that no text reaches. So a pack may hold a superfluous row, but never a wrong one.
//!
//! Frames whose masks are made by ways ([`crate::mask::compute::by_ways`]) have registers 0, which stand for all values, and their guards
//! are assumed to hold.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::super::classes::canonical;
use super::limits::PackLimits;
use super::registers;
use super::registers::is_by_ways;
use crate::automaton::{Automaton, Free, OpId, StateId, StateKind, UNBOUNDED};
use crate::step::{
    BOTTOM, Head, Mark, Memory, Scratch, Stack, WayId, apply, bytes_inside_escape, entered, escape_after, go, step,
};

/// A frame's state and registers as a hash key. A set of seen keys is represented by its content, not by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::mask) struct Key {
    state: u32,
    esc: u32,
    a: u32,
    b: u32,
    memory: [u32; 4],
}

/// Returns the words of the set that a frame remembers; `None` if the set has more keys (over 128) than a pack can
/// name.
#[inline]
pub(super) fn set_words(stack: &Stack, memory: Memory) -> Option<[u32; 4]> {
    let low_high = |word: u64| [word as u32, (word >> 32) as u32];
    let words = match stack.set(memory).map_or(&[][..], |set| set.as_slice()) {
        [] => [[0; 2]; 2],
        &[low] => [low_high(low), [0; 2]],
        &[low, high] => [low_high(low), low_high(high)],
        _ => return None,
    };
    Some([words[0][0], words[0][1], words[1][0], words[1][1]])
}

/// Returns the key of a frame; `None` if its set has more keys (over 128) than a pack can name.
pub(in crate::mask) fn key(stack: &Stack, head: &Head) -> Option<Key> {
    let memory = match stack.set(head.memory) {
        None => [head.memory.word(), 0, 0, 0],
        Some(_) => set_words(stack, head.memory)?,
    };
    Some(Key { state: head.state.0, esc: head.esc, a: head.a, b: head.b, memory })
}

/// Cap on escape prefixes that are followed in a state that tells characters apart. In a state with more prefixes, such as in a pattern
/// that excludes a few characters, none is followed (there can be thousands); their masks are computed on demand.
const ESCAPES: usize = 4;

/// Cap on escape prefixes that are followed in a state inside a key. Few escapes can become letters of declared keys; all other escapes
/// belong to the state of an undeclared key.
const KEY_ESCAPES: usize = 8;

/// Cap on the lists of guards that are kept for one escape in one state.
const GUARDS: usize = 8;

/// Cap on return frames that are propagated through tail calls, over all rules. The tails of further return frames are
/// computed on demand.
const RETURNS: usize = 1 << 22;

/// The frames that a format can have: all frames that can be on top of a stack, and for each rule the frames to which it can return.
#[derive(Debug, Default)]
pub(super) struct Reach {
    /// An arena without frames. It holds the key sets to which the heads refer.
    pub(super) stack: Stack,
    /// Canonical heads, ascending by state; the heads of one group are adjacent.
    pub(super) heads: Vec<Head>,
    /// For each head: its memory of keys as a number, which is a position or the index of its set in `sets`.
    pub(super) memories: Vec<u32>,
    /// The sets of seen keys, ascending; the first is empty if there are any.
    pub(super) sets: Vec<[u32; 4]>,
    /// For each head: the number of required keys before its position (declared order only).
    pub(super) segments: Vec<Option<u32>>,
    /// Ranges of heads with monotone answers: see [`Reach::is_run`].
    pub(super) groups: Vec<Range<usize>>,
    /// For each rule: the indexes of the heads to which its calls return, ascending.
    pub(super) returns: Vec<Vec<u32>>,
    /// The number of frames that were found but not followed.
    pub(super) left_out: u32,
    /// The frames that were found but not followed, counted by state.
    pub(super) lost: BTreeMap<u32, usize>,
}

impl Reach {
    /// Returns whether two heads belong to one group, in which answers are monotone ([`super::super::runs`]): they differ only in the
    /// countdown `b`, or, with keys in declared order, only in the position, with no required key between.
    fn is_run(&self, x: u32, y: u32) -> bool {
        let of = |index: u32| {
            let head = self.heads[index as usize];
            let segment = self.segments[index as usize];
            let (memory, b) = if segment.is_some() { (0, head.b) } else { (self.memories[index as usize], 0) };
            (head.state, segment, memory, head.esc, head.a, b)
        };
        of(x) == of(y)
    }

    /// Splits a sorted list of pairs of exits and heads into ranges, one for each group.
    pub(super) fn groups_of<T: PartialEq>(&self, pairs: &[(T, u32)]) -> Vec<Range<usize>> {
        ranges(pairs.chunk_by(|x, y| x.0 == y.0 && self.is_run(x.1, y.1)).map(<[_]>::len))
    }
}

/// Makes adjacent ranges with these lengths.
fn ranges(lengths: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let from = |end: &mut usize, len: usize| {
        *end += len;
        Some(*end - len..*end)
    };
    lengths.scan(0, from).collect()
}

/// Classifies the frames that are followed: all countdowns above the greatest exact value are one value, "many".
#[derive(Clone, Copy, Debug)]
pub(in crate::mask) struct FrameClasses<'a> {
    pub(in crate::mask) automaton: &'a Automaton,
    /// Length of the longest token, in bytes.
    pub(in crate::mask) longest: u32,
}

/// The moves from a state within its rule.
type Moves = Rc<[(OpId, StateId)]>;

struct Explorer<'a> {
    automaton: &'a Automaton,
    limits: &'a PackLimits,
    longest: u32,
    classes: FrameClasses<'a>,
    reach: Reach,
    scratch: Scratch,
    /// A buffer of the heads after one move.
    out: Vec<Head>,
    /// One frame of each class ([`FrameClasses::class_of`]) that was found, in the order in which frames are followed.
    queue: Vec<Head>,
    /// For the key of each frame in the queue: the number of its canonical head.
    known: FxHashMap<Key, u32>,
    /// The numbers of canonical heads, by their keys.
    numbers: FxHashMap<Key, u32>,
    /// For each rule: the numbers of the heads to which its calls return.
    returns: Vec<BTreeSet<u32>>,
    /// For each rule: the rules that call it by a tail call, which pushes no frame.
    tail_callers: Vec<BTreeSet<u32>>,
    /// For each key set, by content: the register value that names it.
    sets: FxHashMap<[u32; 4], Memory>,
    /// For each state: its moves, computed at first use.
    moves: Vec<Option<Moves>>,
    /// By state and escape: lists of guards. The escape is possible if one of the lists holds entirely ([`Automaton::escape_guards`]). Used
    /// for states whose frames differ in countdowns.
    guards: FxHashMap<(StateId, u32), Option<Vec<Vec<OpId>>>>,
}

/// Explores all frames up to the limits.
pub(super) fn explore(automaton: &Automaton, longest: u32, limits: &PackLimits) -> Reach {
    let mut explorer = Explorer {
        automaton,
        limits,
        longest,
        classes: FrameClasses { automaton, longest },
        reach: Reach::default(),
        scratch: Scratch::default(),
        out: Vec::new(),
        queue: Vec::new(),
        known: FxHashMap::default(),
        numbers: FxHashMap::default(),
        returns: vec![BTreeSet::new(); automaton.rules.len()],
        tail_callers: vec![BTreeSet::new(); automaton.rules.len()],
        sets: FxHashMap::default(),
        moves: vec![None; automaton.states.len()],
        guards: FxHashMap::default(),
    };
    explorer.reach.stack.assume_guards();
    explorer.add(crate::step::start(automaton));
    let mut next = 0;
    while let Some(&head) = explorer.queue.get(next) {
        next += 1;
        explorer.follow(head);
    }
    explorer.finish()
}

impl FrameClasses<'_> {
    /// Returns the greatest exact countdown of the state: the greatest constant that the rule's guards compare with,
    /// plus the ticks that the longest token can make. A greater countdown stays above all constants throughout a
    /// token.
    fn limit_of(&self, state: StateId) -> u32 {
        let rule = self.automaton.states[state.index()].rule;
        match self.automaton.derived.threshold(rule) {
            0 => 0,
            threshold => threshold.saturating_add(self.longest),
        }
    }

    /// Maps a frame to its class: a countdown above the greatest exact value becomes that value plus one, which stands
    /// for "many"; the other registers are canonical ([`canonical`]).
    pub(in crate::mask) fn class_of(&self, head: Head) -> Head {
        let limit = self.limit_of(head.state);
        if limit == 0 {
            return canonical(self.automaton, head, self.longest);
        }
        let many = limit.saturating_add(1);
        Head {
            a: head.a.min(many),
            b: if head.b == UNBOUNDED { UNBOUNDED } else { head.b.min(many) },
            ..canonical(self.automaton, head, self.longest)
        }
    }

    /// Returns the classes that frames of the class `before` can reach by a move, which led the representative of `before` to `after`. Of
    /// the frames whose countdown is "many", some still have "many" after a tick, and one has the greatest exact value.
    pub(in crate::mask) fn after(&self, before: &Head, after: Head) -> SmallVec<[Head; 4]> {
        let many = self.limit_of(after.state).saturating_add(1);
        // A countdown that was "many" may still be "many" after a tick, as its exact value is not known.
        let choices = |before: u32, after: u32| {
            let still = before == many && after != before && before != UNBOUNDED;
            std::iter::once(after).chain(still.then_some(before))
        };
        let with_a = |a| choices(before.b, after.b).map(move |b| Head { a, b, ..after });
        choices(before.a, after.a).flat_map(with_a).collect()
    }
}

impl Explorer<'_> {
    /// Adds a frame to the queue if it is new; returns the number of its canonical head.
    fn add(&mut self, head: Head) -> Option<u32> {
        let head = self.classes.class_of(Head { parent: BOTTOM, ..head });
        let head = if is_by_ways(self.automaton, head.state) {
            Head { a: 0, b: 0, memory: Memory::EMPTY, ..head }
        } else {
            head
        };
        let Some(key) = key(&self.reach.stack, &head) else {
            self.leave_out(head.state);
            return None;
        };
        let head = Head { memory: self.own_set(&head, key.memory), ..head };
        if let Some(&number) = self.known.get(&key) {
            return Some(number);
        }
        if self.queue.len() >= self.limits.frames as usize {
            self.leave_out(head.state);
            return None;
        }
        self.queue.push(head);
        let top = canonical(self.automaton, head, self.longest);
        let top_key = Key { a: top.a, b: top.b, ..key };
        let next = self.reach.heads.len() as u32;
        let number = *self.numbers.entry(top_key).or_insert(next);
        if number == next {
            self.reach.heads.push(top);
        }
        self.known.insert(key, number);
        Some(number)
    }

    /// Counts a frame that is not followed.
    fn leave_out(&mut self, state: StateId) {
        self.reach.left_out = self.reach.left_out.saturating_add(1);
        *self.reach.lost.entry(state.0).or_default() += 1;
    }

    /// Returns the head's memory. If it names a set, returns the first name that was given to this content, so that equal sets have one
    /// name.
    fn own_set(&mut self, head: &Head, content: [u32; 4]) -> Memory {
        if self.reach.stack.set(head.memory).is_none() {
            return head.memory;
        }
        *self.sets.entry(content).or_insert(head.memory)
    }

    /// Adds the frames that a frame of the class `before` can become.
    fn add_after(&mut self, before: &Head, after: Head) {
        for head in self.classes.after(before, after) {
            let _ = self.add(head);
        }
    }

    fn follow(&mut self, head: Head) {
        // Unknown registers may pass every guard.
        let is_unknown = is_by_ways(self.automaton, head.state);
        let head = if is_unknown { Head { memory: Memory::of_way(WayId::EMPTY), ..head } } else { head };
        if head.esc != 0 {
            return self.follow_escape(head, bytes_inside_escape(head.esc));
        }
        let automaton = self.automaton;
        for &(op, to) in &*self.moves_of(head.state) {
            for next in self.after(head, op, to).0 {
                self.add_after(&head, next);
            }
        }
        self.follow_calls(head);
        if let Some(twin) = automaton.derived.twin(head.state).filter(|&twin| !automaton.derived.is_bare(twin)) {
            let _ = self.add(Head { state: twin, ..head });
        }
        if automaton.states[head.state.index()].kind == StateKind::Text {
            self.follow_escape(head, b"\\");
        }
    }

    /// Returns the distinct moves from a state by its edges and its closing quote. The list is cached, as many frames differ only in their
    /// registers.
    fn moves_of(&mut self, state: StateId) -> Moves {
        if let Some(moves) = self.moves.get(state.index()).and_then(Option::as_ref) {
            return Rc::clone(moves);
        }
        let automaton = self.automaton;
        let mut moves: Vec<(OpId, StateId)> = automaton.edges(state).iter().map(|edge| (edge.op, edge.to)).collect();
        moves.extend(automaton.states[state.index()].close);
        moves.sort_unstable();
        moves.dedup();
        let moves: Moves = moves.into();
        self.moves[state.index()] = Some(Rc::clone(&moves));
        moves
    }

    /// Returns the heads after a move, and whether the guard of the move allowed it. Leaves out heads that have
    /// returned.
    fn after(&mut self, head: Head, op: OpId, to: StateId) -> (SmallVec<[Head; 2]>, bool) {
        let mut out = std::mem::take(&mut self.out);
        out.clear();
        go(self.automaton, &mut self.reach.stack, head, op, to, &mut out);
        let live = out.iter().copied().filter(|next| !next.is_returned()).collect();
        let allowed = !out.is_empty();
        self.out = out;
        (live, allowed)
    }

    fn follow_calls(&mut self, head: Head) {
        let automaton = self.automaton;
        for call in automaton.calls(head.state) {
            let (after, allowed) = self.after(head, call.op, call.ret);
            if !allowed {
                continue;
            }
            let callee = call.rule.index();
            if automaton.derived.is_bare(call.ret) {
                let own = automaton.states[head.state.index()].rule.0;
                self.tail_callers[callee].insert(own);
            }
            for next in after {
                self.add_after(&head, next);
                self.note_returns(callee, &head, next);
            }
            let _ = self.add(entered(&automaton.rules[callee], call.a, call.b, BOTTOM));
        }
    }

    /// Records the frame after a call as one to which the callee returns. If the caller's countdown was "many", it may still be "many", or
    /// be the greatest exact value.
    fn note_returns(&mut self, callee: usize, before: &Head, after: Head) {
        let many = self.classes.limit_of(after.state).saturating_add(1);
        let still = |before: u32, after: u32| if before == many { before } else { after };
        let kept = Head { a: still(before.a, after.a), b: still(before.b, after.b), ..after };
        for head in [after, kept] {
            if let Some(number) = self.add(head) {
                self.returns[callee].insert(number);
            }
        }
    }

    /// Adds the frames inside the escapes that these bytes begin or continue. A finished escape leads where its
    /// character leads, so it adds no frame.
    fn follow_escape(&mut self, head: Head, bytes: &[u8]) {
        let mut out = Vec::new();
        for &byte in bytes {
            let Some(esc) = escape_after(self.automaton.escapes, head.esc, byte) else { continue };
            let mark: Mark = self.reach.stack.mark();
            match self.escape_lives(head, esc) {
                Some(lives) => out.extend(lives.then_some(Head { esc, ..head })),
                None => step(self.automaton, &mut self.reach.stack, &mut self.scratch, &[head], byte, &mut out),
            }
            self.reach.stack.truncate(mark);
        }
        out.retain(|next| next.esc != 0);
        out.iter_mut().for_each(|next| *next = canonical(self.automaton, *next, u32::MAX));
        out.sort_unstable_by_key(|next| next.esc);
        out.dedup();
        let few = if self.automaton.rule_of(head.state).object.is_some() { KEY_ESCAPES } else { ESCAPES };
        let own = out.iter().filter(|next| next.state == head.state).count();
        if own <= few || self.automaton.derived.free(head.state) != Free::No {
            for next in out {
                let _ = self.add(next);
            }
        }
    }

    /// Returns whether some character can still end the frame's escape, by the lists of guards that all frames of its state share; `None`
    /// if there are no such lists.
    fn escape_lives(&mut self, head: Head, esc: u32) -> Option<bool> {
        let automaton = self.automaton;
        let state = &automaton.states[head.state.index()];
        if automaton.derived.threshold(state.rule) == 0 || state.calls.len > 0 || head.memory.way().is_some() {
            return None;
        }
        let guards = self.guards.entry((head.state, esc));
        let lists = guards.or_insert_with(|| automaton.escape_guards(head.state, esc, GUARDS)).as_ref()?;
        let stack = &mut self.reach.stack;
        let mut holds = |list: &Vec<OpId>| {
            let mut head = head;
            list.iter().all(|&op| apply(automaton, stack, op, &mut head))
        };
        Some(lists.iter().any(&mut holds))
    }

    /// Propagates return frames through tail calls until no set grows; then sorts everything.
    fn finish(mut self) -> Reach {
        // A tail call pushes no frame, so the callee returns to the frames that its caller returns to. The caller's set
        // may still grow, so sets are propagated until no set grows (they are finite).
        let mut changed = true;
        let mut room = RETURNS;
        while changed {
            changed = false;
            for callee in 0..self.returns.len() {
                for caller in self.tail_callers[callee].clone() {
                    let more: Vec<u32> = self.returns[caller as usize].iter().copied().collect();
                    let before = self.returns[callee].len();
                    if more.len() > room {
                        self.leave_out(self.automaton.rules[callee].start);
                        continue;
                    }
                    self.returns[callee].extend(more);
                    let added = self.returns[callee].len() - before;
                    room -= added;
                    changed |= added > 0;
                }
            }
        }
        self.sort();
        self.reach
    }

    /// Sorts heads and sets into the order in which a pack holds them, and renumbers all references to them.
    fn sort(&mut self) {
        let reach = &mut self.reach;
        let words = |head: &Head| reach.stack.set(head.memory).and_then(|_| set_words(&reach.stack, head.memory));
        let mut sets: Vec<[u32; 4]> = reach.heads.iter().filter_map(words).collect();
        if !sets.is_empty() {
            sets.push([0; 4]);
        }
        sets.sort_unstable();
        sets.dedup();
        let index = |words| sets.partition_point(|set| *set < words) as u32;
        let memory = |head: &Head| words(head).map_or(head.memory.word(), index);
        let automaton = self.automaton;
        let order =
            |&(_, memory, head): &(usize, u32, Head)| (head.state.0, registers::of_base(automaton, &head, memory));
        let mut heads: Vec<(usize, u32, Head)> =
            reach.heads.iter().enumerate().map(|(index, head)| (index, memory(head), *head)).collect();
        heads.sort_unstable_by_key(order);
        let mut place = vec![0; heads.len()];
        heads.iter().enumerate().for_each(|(new, (old, ..))| place[*old] = new as u32);
        reach.memories = heads.iter().map(|(_, memory, _)| *memory).collect();
        reach.segments =
            heads.iter().map(|(_, memory, head)| registers::segment(automaton, head.state, *memory)).collect();
        reach.heads = heads.into_iter().map(|(.., head)| head).collect();
        reach.sets = sets;
        let all: Vec<((), u32)> = (0..reach.heads.len() as u32).map(|index| ((), index)).collect();
        reach.groups = reach.groups_of(&all);
        let moved = |set: &BTreeSet<u32>| {
            let mut moved: Vec<u32> = set.iter().map(|&old| place[old as usize]).collect();
            moved.sort_unstable();
            moved
        };
        reach.returns = self.returns.iter().map(moved).collect();
    }
}
