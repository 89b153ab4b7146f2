//! Computes the cheapest completion of a frame: the least number of bytes to its end, and a text of that length.
//!
//! Frames do not see each other's registers, so that the cheapest completion of a stack consists of the cheapest completion of each frame
//! in turn. For one frame (a state with registers), the frames that it can become and the frames that it can call form a graph. Least costs
//! in the graph come from Knuth's generalisation of Dijkstra's algorithm to grammars (1977). The graph is built with the matcher's own
//! operations, so that each cost has a text that the matcher reads. It is explored once from each frame that is looked up; results are
//! kept, and do not depend on the order of the lookups: a cost that one matcher has found may be used by others, beside costs that they
//! find themselves.
//!
//! A frame that counts tokens is completed as if it had no tokens left: the frame reads whatever its spent twin reads, with any number of
//! tokens left.
//!
//! Two simplifications are both on the safe side: a text that is found exists, but a cheaper one may be missed. A countdown to a maximum is
//! clamped to a little beyond the constants that guards compare it with ([`SLACK`]). Objects take the missing required keys one after the
//! other ([`super::objects`]); objects that count members take the next key while members are missing.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::choices::{ChoiceId, ItemChoices};
use super::cut::Cutter;
use super::frame::{Frame, Goal, content, uncounted};
use super::moves::{Callee, Move, Moves, To};
use super::objects::{self, Split};
use crate::automaton::{Automaton, RuleId, StateId};
use crate::step::{Head, Stack};
use crate::vocabulary::TokenId;
use crate::watch;

/// The cost of a frame for which no completion was found.
pub(crate) const NEVER: u32 = u32::MAX;

/// Cap on the frames that are explored for one format; beyond it no completion is found.
const MAX_FRAMES: usize = 1 << 20;

/// Cap on the length in bytes of a completion that is written out, whatever the budget allows: a format of a few bytes can require
/// gigabytes.
pub(crate) const MAX_TEXT: u32 = 1 << 22;

/// Cap on the length in bytes of a frame's text that is cut into tokens as a whole.
const PIECE: u32 = 256;

/// A number of tokens that was not counted yet.
const UNCOUNTED: u32 = u32::MAX - 1;

/// Margin beyond the constants of guards up to which a countdown to a maximum is followed.
pub(crate) const SLACK: u32 = 8;

/// Identifies a frame by content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FrameId(u32);

/// A frame that has ended.
const ENDED: FrameId = FrameId(0);

/// The first move of a frame's cheapest completion, and the frames to complete after it. The move is bytes to write, or an item that is
/// chosen when the completion is written.
#[derive(Clone, Debug)]
enum Choice {
    Unknown,
    Write(SmallVec<[u8; 8]>, SmallVec<[FrameId; 2]>),
    Item(ChoiceId, SmallVec<[FrameId; 2]>),
}

/// A part of a completion.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Text(Vec<u8>),
    /// An item to choose that differs from all items before it.
    Item(ChoiceId),
}

#[derive(Debug)]
struct Known {
    cost: u32,
    /// The number of moves of the completion. Of several that are equally cheap, one with the fewest moves is known, so that the text does
    /// not depend on the order in which frames are looked up.
    moves: u32,
    choice: Choice,
    /// Whether a search began here. If it found no completion, no later search will.
    asked: bool,
    /// The number of tokens of the text; [`NEVER`] if it cannot be cut, [`UNCOUNTED`] before it was tried.
    tokens: u32,
}

/// A memo of the costs of one format's frames.
#[derive(Debug)]
pub(super) struct Memo {
    /// For each object rule that was looked up: its split; `None` for objects that are not split.
    splits: FxHashMap<RuleId, Option<Arc<Split>>>,
    moves: Moves,
    ids: FxHashMap<Frame, FrameId>,
    known: Vec<Known>,
    frames: Vec<Option<Frame>>,
    /// The number of links ever made, plus the number of their ends: a measure of the memo's size.
    ends: usize,
}

/// Cap on [`Memo::ends`], and on the ends of one exploration; beyond it the memo is emptied, or the exploration ends.
const MAX_ENDS: usize = 1 << 22;

impl Default for Memo {
    fn default() -> Self {
        Self {
            splits: FxHashMap::default(),
            moves: Moves::default(),
            ids: FxHashMap::default(),
            known: vec![Known { cost: 0, moves: 0, choice: Choice::Unknown, asked: true, tokens: 0 }],
            frames: vec![None],
            ends: 0,
        }
    }
}

impl Memo {
    /// Forgets all frames. Nothing outside needs to be reset, as frame numbers are not kept from one use to the next.
    pub(super) fn begin_anew(&mut self) {
        *self = Memo { splits: std::mem::take(&mut self.splits), ..Memo::default() };
    }

    /// Returns the memory of the memo in bytes, by capacity.
    pub(super) fn bytes(&self) -> usize {
        let known = self.known.capacity() * size_of::<Known>() + self.frames.capacity() * size_of::<Option<Frame>>();
        let ids = 8 * self.ids.capacity() / 7 * (size_of::<(Frame, FrameId)>() + 1);
        known + ids + self.splits.values().flatten().map(|split| split.bytes()).sum::<usize>()
    }
}

/// Computes the costs of one format's frames, and remembers them.
#[derive(Debug)]
pub(crate) struct Costs<'a> {
    automaton: &'a Automaton,
    choices: &'a ItemChoices,
    memo: MutexGuard<'a, Memo>,
    size: &'a MemoSize,
}

impl Drop for Costs<'_> {
    fn drop(&mut self) {
        if self.memo.bytes() > self.size.most {
            *self.memo = Memo::default();
        }
        self.size.set(&self.memo);
    }
}

/// The size of a memo after its last use in bytes, and the cap on it.
#[derive(Debug)]
pub(super) struct MemoSize {
    bytes: AtomicUsize,
    pub(super) most: usize,
}

impl Default for MemoSize {
    fn default() -> Self {
        Self { bytes: AtomicUsize::new(0), most: usize::MAX }
    }
}

impl MemoSize {
    pub(super) fn set(&self, memo: &Memo) {
        self.bytes.store(memo.bytes(), Ordering::Relaxed);
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}

/// A move between numbered frames: an edge of the graph in which least costs are computed.
struct Link {
    from: FrameId,
    bytes: SmallVec<[u8; 8]>,
    /// An item to choose, in place of bytes.
    item: Option<ChoiceId>,
    /// The frames that are completed after the bytes, one after the other.
    ends: SmallVec<[FrameId; 2]>,
}

/// The price of a link: what its frame costs if its completion begins with that move. Ordered by cost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Price {
    cost: u32,
    moves: u32,
}

impl<'a> Costs<'a> {
    pub(super) fn new(
        automaton: &'a Automaton,
        choices: &'a ItemChoices,
        (memo, size): (&'a Mutex<Memo>, &'a MemoSize),
    ) -> Self {
        let mut memo = memo.lock().unwrap_or_else(PoisonError::into_inner);
        if memo.ends > MAX_ENDS || memo.known.len() > MAX_FRAMES {
            memo.begin_anew();
        }
        Self { automaton, choices, memo, size }
    }

    pub(crate) fn automaton(&self) -> &'a Automaton {
        self.automaton
    }

    /// Returns the number of the head's top frame, and computes its cost if it is not known.
    pub(crate) fn frame(&mut self, stack: &Stack, head: Head) -> FrameId {
        if head.is_returned() {
            return ENDED;
        }
        self.solved(content(stack, head))
    }

    /// Returns the number of a frame, and computes its cost if it is not known.
    pub(super) fn solved(&mut self, frame: Frame) -> FrameId {
        let any_key = frame.goal == Goal::End && self.takes_keys(frame.state);
        let frame = self.clamp(Frame { any_key, ..frame });
        let id = self.number(frame);
        let known = &self.memo.known[id.0 as usize];
        if known.cost == NEVER && !known.asked {
            self.solve(id);
        }
        id
    }

    /// Returns the least number of bytes to the frame's end, or [`NEVER`].
    pub(crate) fn cost(&self, id: FrameId) -> u32 {
        self.memo.known[id.0 as usize].cost
    }

    /// Maps a frame to the representative with the same cost: without the tokens left, in the spent twin of its state, and with a countdown
    /// to the maximum of at most [`SLACK`] beyond the constants of guards.
    fn clamp(&self, frame: Frame) -> Frame {
        let frame = uncounted(self.automaton, frame);
        let state = self.automaton.derived.twin(frame.state).unwrap_or(frame.state);
        let frame = Frame { state, ..frame };
        let rule = self.automaton.states[frame.state.index()].rule;
        let threshold = self.automaton.derived.threshold(rule);
        if threshold == 0 {
            return Frame { a: 0, b: 0, ..frame };
        }
        Frame { b: frame.b.min(threshold.saturating_add(SLACK)), ..frame }
    }

    /// Returns whether the state is in a rule of keys whose completions are not split.
    fn takes_keys(&mut self, state: StateId) -> bool {
        self.automaton.rule_of(state).object.is_some() && self.split(state).is_none()
    }

    fn number(&mut self, frame: Frame) -> FrameId {
        if let Some(&id) = self.memo.ids.get(&frame) {
            return id;
        }
        let id = FrameId(self.memo.known.len() as u32);
        let unknown = Known { cost: NEVER, moves: 0, choice: Choice::Unknown, asked: false, tokens: UNCOUNTED };
        self.memo.known.push(unknown);
        self.memo.frames.push(Some(frame.clone()));
        self.memo.ids.insert(frame, id);
        id
    }

    /// Explores the frames that are reached from a frame, and computes their least costs.
    fn solve(&mut self, start: FrameId) {
        let links = self.explore(start);
        // Do not remember an exploration that was stopped.
        if watch::is_stopped() {
            return;
        }
        self.memo.known[start.0 as usize].asked = true;
        self.least_costs(&links);
    }

    /// Lists the moves of a frame, and of all frames that they lead to and whose cost is not known.
    fn explore(&mut self, start: FrameId) -> Vec<Link> {
        let mut links = Vec::new();
        let mut seen: rustc_hash::FxHashSet<FrameId> = rustc_hash::FxHashSet::default();
        let (mut todo, mut ends) = (vec![start], 0);
        seen.insert(start);
        while let Some(id) = todo.pop() {
            let Some(frame) = self.memo.frames[id.0 as usize].clone() else {
                continue;
            };
            if watch::spend(1) || self.memo.known.len() > MAX_FRAMES || ends > MAX_ENDS {
                break;
            }
            let first = links.len();
            self.add_links(id, &frame, &mut links);
            ends += links[first..].iter().map(|link| link.ends.len()).sum::<usize>();
            for &next in links.iter().skip(first).flat_map(|link: &Link| &link.ends) {
                if self.cost(next) == NEVER && seen.insert(next) {
                    todo.push(next);
                }
            }
        }
        links
    }

    /// Adds the links of a frame.
    fn add_links(&mut self, from: FrameId, frame: &Frame, links: &mut Vec<Link>) {
        let automaton = self.automaton;
        let split = self.split(frame.state);
        let parts = match (frame.goal, &split) {
            (Goal::End, Some(split)) => self.memo.moves.of_object(automaton, frame, split),
            (Goal::Rest, _) => vec![objects::rest(automaton, frame, split.as_deref())],
            (Goal::End | Goal::Close | Goal::Hub | Goal::Key(_) | Goal::Extra, _) => {
                let place = (split.as_deref(), self.choices);
                for Move { bytes, callee, to } in self.memo.moves.of(automaton, frame, place) {
                    let (callee, item) = match callee {
                        Some(Callee::Frame(frame)) => (Some(self.number_of(To::Frame(frame))), None),
                        Some(Callee::Item(item)) => (None, Some(item)),
                        None => (None, None),
                    };
                    let ends = callee.into_iter().chain([self.number_of(to)]).collect();
                    links.push(Link { from, bytes, item, ends });
                }
                Vec::new()
            }
        };
        for parts in parts {
            let ends = parts.into_iter().map(|part| self.number_of(To::Frame(part))).collect();
            links.push(Link { from, bytes: SmallVec::new(), item: None, ends });
        }
    }

    /// Returns the split of the state's rule, if it is an object whose completions are split.
    pub(super) fn split(&mut self, state: StateId) -> Option<Arc<Split>> {
        let rule = self.automaton.states[state.index()].rule;
        let split = || Split::of(self.automaton, rule).map(Arc::new);
        self.memo.splits.entry(rule).or_insert_with(split).clone()
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

    /// Computes the least costs of all frames from which links lead.
    ///
    /// Knuth, "A generalization of Dijkstra's algorithm" (1977): a link has a price once the costs of all its ends are final, and the
    /// cheapest priced link makes the cost of its own frame final. For a frame that calls `"ab"` (2 bytes) and then reads `c`, the link
    /// waits for the callee and for the frame after the call; its price is their sum.
    fn least_costs(&mut self, links: &[Link]) {
        self.memo.ends += links.iter().map(|link| 1 + link.ends.len()).sum::<usize>();
        let mut waiting: FxHashMap<FrameId, Vec<u32>> = FxHashMap::default();
        // Per link: how many of its ends have no final cost yet.
        let mut open = Vec::with_capacity(links.len());
        let mut queue = BinaryHeap::new();
        for (at, link) in (0u32..).zip(links) {
            let unknown = link.ends.iter().filter(|&&end| self.cost(end) == NEVER);
            open.push(unknown.clone().count());
            unknown.for_each(|&end| waiting.entry(end).or_default().push(at));
            queue.extend(self.price(link).map(|price| Reverse((price, at))));
        }
        // Prices increase, as each is a sum that contains final costs and one move more. So the first price of a frame is its least, and of
        // the links with that price, the one that was listed first is chosen.
        while let Some(Reverse((Price { cost, moves }, at))) = queue.pop() {
            let link = &links[at as usize];
            let known = &mut self.memo.known[link.from.0 as usize];
            if known.cost != NEVER {
                continue;
            }
            (known.cost, known.moves) = (cost, moves);
            known.choice = match link.item {
                Some(item) => Choice::Item(item, link.ends.clone()),
                None => Choice::Write(link.bytes.clone(), link.ends.clone()),
            };
            for &waiter in waiting.get(&link.from).into_iter().flatten() {
                open[waiter as usize] -= 1;
                if open[waiter as usize] == 0 {
                    let price = self.price(&links[waiter as usize]);
                    queue.extend(price.map(|price| Reverse((price, waiter))));
                }
            }
        }
    }

    /// Returns the price of this link; `None` if the cost of an end is not final.
    fn price(&self, link: &Link) -> Option<Price> {
        let add = |sum: Price, end: &FrameId| {
            let Known { cost, moves, .. } = self.memo.known[end.0 as usize];
            let cost = sum.cost.checked_add(cost).filter(|sum| *sum != NEVER)?;
            Some(Price { cost, moves: sum.moves.saturating_add(moves) })
        };
        let cost = match link.item {
            Some(item) => self.choices.longest(item)?,
            None => link.bytes.len() as u32,
        };
        link.ends.iter().try_fold(Price { cost, moves: 1 }, add)
    }

    /// Returns the number of tokens of the frame's cheapest text, cut as by [`Costs::add_tokens`]; [`NEVER`] if it has none.
    pub(super) fn tokens(&mut self, cutter: Cutter<'_>, id: FrameId) -> u32 {
        if self.cost(id) > MAX_TEXT {
            return NEVER;
        }
        let mut todo = vec![id];
        while let Some(&at) = todo.last() {
            let (first, ends) = self.first_piece(at);
            let before = todo.len();
            todo.extend(ends.iter().filter(|end| self.memo.known[end.0 as usize].tokens == UNCOUNTED));
            if todo.len() > before {
                continue;
            }
            todo.pop();
            let own = self.tokens_of_piece(cutter, &first);
            let rest = ends.iter().map(|end| self.memo.known[end.0 as usize].tokens);
            let sum = rest.fold(own, |sum, tokens| if tokens == NEVER { NEVER } else { sum.saturating_add(tokens) });
            self.memo.known[at.0 as usize].tokens = sum;
        }
        self.memo.known[id.0 as usize].tokens
    }

    /// Returns the number of tokens of a piece; for an item, the most that one of its texts has. [`NEVER`] if a text cannot be cut.
    fn tokens_of_piece(&self, cutter: Cutter<'_>, piece: &Piece) -> u32 {
        let count = |text: &[u8]| cutter.tokens(text).map_or(NEVER, |tokens| tokens.len() as u32);
        match piece {
            Piece::Text(text) => count(text),
            Piece::Item(item) => self.choices.texts(*item).iter().map(|text| count(text)).max().unwrap_or(NEVER),
        }
    }

    /// Appends the tokens of the frame's cheapest text, cut by longest match: a short text as a whole, a long one in pieces, so that frames
    /// with the same ending do not each cut it again. `None` if the text cannot be cut, or if items must be chosen.
    pub(super) fn add_tokens(&self, cutter: Cutter<'_>, id: FrameId, out: &mut Vec<TokenId>) -> Option<()> {
        for piece in self.pieces(id) {
            match piece {
                Piece::Text(text) => out.extend(cutter.tokens(&text)?),
                Piece::Item(_) => return None,
            }
        }
        Some(())
    }

    /// Returns the pieces of the frame's cheapest text; each is cut by itself.
    pub(super) fn pieces(&self, id: FrameId) -> impl Iterator<Item = Piece> {
        let mut todo = vec![id];
        std::iter::from_fn(move || {
            let (first, ends) = self.first_piece(todo.pop()?);
            todo.extend(ends.iter().rev());
            Some(first)
        })
    }

    /// Splits the frame's cheapest text into its first piece, and the frames whose texts follow.
    fn first_piece(&self, id: FrameId) -> (Piece, SmallVec<[FrameId; 2]>) {
        let choice = |id: FrameId| &self.memo.known[id.0 as usize].choice;
        if let Choice::Item(item, ends) = choice(id) {
            return (Piece::Item(*item), ends.clone());
        }
        let has_items = self.automaton.derived.chooses_items();
        let (mut text, mut at) = (Vec::new(), id);
        while (has_items || self.cost(at) > PIECE)
            && let Choice::Write(bytes, ends) = choice(at)
        {
            text.extend_from_slice(bytes);
            match ends.as_slice() {
                [end] => at = *end,
                _ => return (Piece::Text(text), ends.clone()),
            }
        }
        if has_items {
            let next = [at].into_iter().filter(|&at| at != ENDED).collect();
            return (Piece::Text(text), next);
        }
        self.write(at, &mut text);
        (Piece::Text(text), SmallVec::new())
    }

    /// Writes a text with the fewest bytes that completes the frame, whose cost must be known. `None` if items must be chosen.
    pub(super) fn write(&self, id: FrameId, out: &mut Vec<u8>) -> Option<()> {
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            match &self.memo.known[id.0 as usize].choice {
                Choice::Unknown => {}
                Choice::Write(bytes, ends) => {
                    out.extend_from_slice(bytes);
                    todo.extend(ends.iter().rev());
                }
                Choice::Item(..) => return None,
            }
        }
        Some(())
    }
}
