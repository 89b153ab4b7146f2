//! Explores the places of a format (frames with an unfinished word), entry by entry, and finds the dead ones.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::irreducible::IrreducibleTokens;
use super::{DeadEnd, SpelledTexts};
use crate::automaton::{Automaton, StateKind};
use crate::mask::pack::reach::{FrameClasses, Key};
use crate::step::{BOTTOM, Head, Scratch, Stack, entered, go, start, step};

/// The number of a frame, and the trie node of the unfinished word; node 0 means that no word has begun.
type Place = (usize, u32);

/// The places that calls with the same first frame and node reach, without the stacks below. (Nested calls have entries of their own.)
#[derive(Debug, Default)]
struct Entry {
    list: Vec<Place>,
    /// The indexes of the places in `list`.
    numbers: FxHashMap<Place, usize>,
    /// For each place: the places that lead to it.
    back: Vec<Vec<usize>>,
    /// The places from which the entry returns, each with the trie node at the return.
    returning: Vec<(usize, u32)>,
    /// The summary of the entry: the trie nodes with which it can return, and whether the last move was by a byte (or empty).
    returns: BTreeSet<(u32, bool)>,
    /// The places directly after the last byte of a word. Other places at node 0 are reached from these without a byte, by a call or a
    /// return.
    arrived: BTreeSet<usize>,
    /// Nested calls: the calling place, the called entry, and the frame to return to; `None` for a tail call, whose return is a return of
    /// this entry.
    calls: Vec<(usize, usize, Option<usize>)>,
    /// The calls of this entry: the calling entry, its place, and the frame to return to.
    callers: Vec<(usize, usize, Option<usize>)>,
}

/// The exploration: all frames and entries that were found.
#[derive(Debug)]
pub(super) struct Places<'a> {
    automaton: &'a Automaton,
    words: &'a IrreducibleTokens,
    stack: Stack,
    scratch: Scratch,
    classes: FrameClasses<'a>,
    frames: Vec<Head>,
    frame_numbers: FxHashMap<Key, usize>,
    entries: Vec<Entry>,
    entry_numbers: FxHashMap<Place, usize>,
    todo: Vec<(usize, usize)>,
    /// Number of places that may still be added; `None` once there are too many, or a key set is too large to compare.
    room: Option<usize>,
}

impl<'a> Places<'a> {
    /// Explores every place that the beginning of the text leads to; `None` if there are too many.
    pub(super) fn explore(automaton: &'a Automaton, words: &'a IrreducibleTokens, limit: usize) -> Option<Self> {
        let mut places = Self {
            automaton,
            words,
            stack: Stack::default(),
            scratch: Scratch::default(),
            classes: FrameClasses { automaton, longest: words.longest },
            frames: Vec::new(),
            frame_numbers: FxHashMap::default(),
            entries: Vec::new(),
            entry_numbers: FxHashMap::default(),
            todo: Vec::new(),
            room: Some(limit),
        };
        let first = places.frame(start(automaton))?;
        places.entry((first, 0));
        while let Some((entry, at)) = places.todo.pop() {
            places.room?;
            places.follow(entry, at);
        }
        places.room.map(|_| places)
    }

    /// Returns the number of a frame, and adds the frame if it is new.
    fn frame(&mut self, head: Head) -> Option<usize> {
        let head = self.classes.class_of(Head { parent: BOTTOM, ..head });
        let Some(key) = crate::mask::pack::reach::key(&self.stack, &head) else {
            self.room = None;
            return None;
        };
        let next = self.frames.len();
        let number = *self.frame_numbers.entry(key).or_insert(next);
        if number == next {
            self.frames.push(head);
        }
        Some(number)
    }

    /// Returns the number of the entry for calls that begin in a place, and adds the entry if it is new.
    fn entry(&mut self, place: Place) -> usize {
        let next = self.entries.len();
        let number = *self.entry_numbers.entry(place).or_insert(next);
        if number == next {
            self.entries.push(Entry::default());
            self.place(number, place, None);
        }
        number
    }

    /// Returns the index of a place in an entry. Adds the place if it is new, and records the place that led to it.
    fn place(&mut self, entry: usize, place: Place, from: Option<usize>) -> usize {
        let own = &mut self.entries[entry];
        let next = own.list.len();
        let number = *own.numbers.entry(place).or_insert(next);
        if number == next {
            own.list.push(place);
            own.back.push(Vec::new());
            self.todo.push((entry, number));
            self.room = self.room.and_then(|room| room.checked_sub(1));
        }
        let back = &mut self.entries[entry].back[number];
        back.extend(from.filter(|from| back.last() != Some(from)));
        number
    }

    /// Follows a place of an entry: by a return, by each byte that continues a word, and by calls.
    fn follow(&mut self, entry: usize, at: usize) {
        let (frame, node) = self.entries[entry].list[at];
        let head = self.frames[frame];
        if self.automaton.states[head.state.index()].accept && head.esc == 0 {
            self.returned(entry, at, (node, false));
        }
        let words = self.words;
        for &byte in words.nodes[node as usize].children.keys() {
            for next in self.moves(head, byte) {
                for node in words.after(node, byte) {
                    if next.is_returned() {
                        self.returned(entry, at, (node, true));
                    } else {
                        self.lead(entry, at, (head, next), node);
                    }
                }
            }
        }
        self.calls(entry, at, head, node);
    }

    /// Returns the frames after a byte, without the frames that calls would enter.
    fn moves(&mut self, head: Head, byte: u8) -> Vec<Head> {
        let mut out = Vec::new();
        if self.automaton.states[head.state.index()].kind == StateKind::Text {
            step(self.automaton, &mut self.stack, &mut self.scratch, &[head], byte, &mut out);
            return out;
        }
        for edge in self.automaton.edges(head.state).iter().filter(|edge| edge.lo <= byte && byte <= edge.hi) {
            go(self.automaton, &mut self.stack, head, edge.op, edge.to, &mut out);
        }
        out
    }

    /// Adds the places to which a move of a frame leads.
    fn lead(&mut self, entry: usize, at: usize, (before, after): (Head, Head), node: u32) {
        for next in self.classes.after(&before, after) {
            if let Some(frame) = self.frame(next) {
                self.arrive((entry, at, frame), (node, true));
            }
        }
    }

    /// Records the calls of a place, and continues after the known returns of the called entries. A known entry is not explored again; its
    /// later returns resume this caller too.
    fn calls(&mut self, entry: usize, at: usize, head: Head, node: u32) {
        for call in self.automaton.calls(head.state) {
            let mut out = Vec::new();
            go(self.automaton, &mut self.stack, head, call.op, call.ret, &mut out);
            let Some(&after) = out.first() else { continue };
            let callee = entered(&self.automaton.rules[call.rule.index()], call.a, call.b, BOTTOM);
            let Some(callee) = self.frame(callee) else { return };
            let callee = self.entry((callee, node));
            let frames: Vec<Option<usize>> = if after.is_returned() {
                vec![None]
            } else {
                self.classes.after(&head, after).into_iter().map(|after| self.frame(after)).collect()
            };
            for frame in frames {
                self.entries[entry].calls.push((at, callee, frame));
                self.entries[callee].callers.push((entry, at, frame));
                for end in self.entries[callee].returns.clone() {
                    self.resume((entry, at, frame), end);
                }
            }
        }
    }

    /// Continues after a call that returns.
    fn resume(&mut self, (entry, at, frame): (usize, usize, Option<usize>), end: (u32, bool)) {
        match frame {
            Some(frame) => self.arrive((entry, at, frame), end),
            None => self.returned(entry, at, end),
        }
    }

    /// Adds a place to which another place of the same entry leads, with or without a byte.
    fn arrive(&mut self, (entry, at, frame): (usize, usize, usize), (node, by_byte): (u32, bool)) {
        let number = self.place(entry, (frame, node), Some(at));
        if by_byte && node == 0 {
            self.entries[entry].arrived.insert(number);
        }
    }

    /// Records a return from a place of an entry; if the return is new to the entry, resumes all its callers.
    fn returned(&mut self, entry: usize, at: usize, end: (u32, bool)) {
        let mut todo = vec![(entry, at)];
        while let Some((entry, at)) = todo.pop() {
            self.entries[entry].returning.push((at, end.0));
            if !self.entries[entry].returns.insert(end) {
                continue;
            }
            for (caller, at, frame) in self.entries[entry].callers.clone() {
                match frame {
                    Some(frame) => self.arrive((caller, at, frame), end),
                    None => todo.push((caller, at)),
                }
            }
        }
    }

    /// Returns for each place of an entry whether the entry can return from there with one of the `good` nodes, by a backward search.
    fn live(&self, entry: &Entry, good: &BTreeSet<u32>) -> Vec<bool> {
        let mut live = vec![false; entry.list.len()];
        let mut todo: Vec<usize> =
            entry.returning.iter().filter(|(_, node)| good.contains(node)).map(|(at, _)| *at).collect();
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut live[at], true) {
                todo.extend(&entry.back[at]);
            }
        }
        live
    }

    /// Judges which texts can be written. A frame at the end of a word is dead if, for some way of calling its entry, it cannot reach the
    /// end of the text. If `exact`, dead frames are dead ends.
    ///
    /// A way of calling is represented by its set of *good* nodes: the return nodes from which the caller can reach the
    /// end of the text. For the entry of the whole text, only node 0 is good.
    pub(super) fn judge(&mut self, exact: bool, limit: usize) -> SpelledTexts {
        let begin = (0, BTreeSet::from([0]));
        let mut known: FxHashSet<(usize, BTreeSet<u32>)> = FxHashSet::from_iter([begin.clone()]);
        let (mut todo, mut dead, mut work) = (vec![begin], BTreeSet::new(), 0);
        let mut begins = self.automaton.nullable;
        while let Some((number, good)) = todo.pop() {
            let entry = &self.entries[number];
            work += entry.list.len();
            if work > 16 * limit {
                return SpelledTexts::Unknown { limit };
            }
            let live = self.live(entry, &good);
            begins |= number == 0 && known.len() == 1 && live[0];
            let start = (known.len() == 1).then_some(0);
            let ends = entry.arrived.iter().copied().chain(start).filter(|&at| !live[at]);
            dead.extend(ends.map(|at| entry.list[at].0));
            for &(_, callee, frame) in &entry.calls {
                let leads = |node: &u32| match frame {
                    Some(frame) => entry.numbers.get(&(frame, *node)).is_some_and(|&at| live[at]),
                    None => good.contains(node),
                };
                let good = self.entries[callee].returns.iter().map(|(node, _)| *node).filter(leads).collect();
                let context = (callee, good);
                if known.insert(context.clone()) {
                    todo.push(context);
                }
            }
        }
        if self.automaton.nullable {
            dead.remove(&0);
        }
        let ends = self.ends(&dead);
        match (begins, ends.is_empty() || !exact) {
            (false, _) => SpelledTexts::Nothing(ends.into_iter().next()),
            (true, true) => SpelledTexts::Whole,
            (true, false) => SpelledTexts::Parts(ends),
        }
    }

    /// Selects the dead frames at which some text cannot be written, one for each state; if there are none, the first dead frame.
    fn ends(&mut self, dead: &BTreeSet<usize>) -> Vec<DeadEnd> {
        let mut ends: Vec<DeadEnd> = Vec::new();
        let mut first = None;
        for &frame in dead {
            let head = self.frames[frame];
            let text = self.unwritten(head);
            first.get_or_insert(DeadEnd { state: head.state, text: Vec::new() });
            if !text.is_empty() && ends.iter().all(|end| end.state != head.state) {
                ends.push(DeadEnd { state: head.state, text });
            }
        }
        if ends.is_empty() { first.into_iter().collect() } else { ends }
    }

    /// Finds a text that the frame reads and words do not spell: one character if no word begins with it, or several if words begin with
    /// them but do not end there. Empty if there is none.
    fn unwritten(&mut self, mut head: Head) -> Vec<u8> {
        let (mut text, mut node, mut written) = (Vec::new(), Some(0), true);
        while text.len() < 16 {
            let bytes: Vec<u8> = (0..=u8::MAX).filter(|&byte| !self.moves(head, byte).is_empty()).collect();
            let child =
                |byte: &u8| node.and_then(|node: u32| self.words.nodes[node as usize].children.get(byte).copied());
            let Some(byte) = bytes.iter().copied().find(|byte| child(byte).is_none()).or(bytes.first().copied()) else {
                break;
            };
            node = child(&byte);
            written &= node.is_some();
            text.push(byte);
            let whole = std::str::from_utf8(&text).is_ok();
            let next = self.moves(head, byte).first().copied();
            let goes_on = written || !whole;
            match next.filter(|next| goes_on && !next.is_returned()) {
                Some(next) => head = next,
                None => break,
            }
            if node.is_some_and(|node| self.words.nodes[node as usize].ends) {
                return Vec::new();
            }
        }
        text
    }
}
