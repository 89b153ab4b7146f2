//! The base of a head as the difference from that of a similar head, its *reference*, which is known already.
//!
//! A key of an open object can be nearly any text. Inside the trie of its declared keys, all letters but one or two lead to
//! the same state, that of undeclared keys; so the base of a state in the trie is nearly that of undeclared keys, which all
//! of them share. The walk steps both heads side by side. Where they become heads of one class, all below is as the
//! reference's base says, and is not visited. Where they differ, what the head itself reads is collected: the nodes there
//! are *governed*. After `na` of the keys `name` and `nation`, the walk visits the tokens that begin with `m` or `t`, and
//! those that close the key; a full walk would visit all that close an undeclared one.

use super::level::{Kind, Level};
use super::{Found, VocabularyTables, Walker, refuses, with_finite_countdown};
use crate::automaton::{Automaton, Free, StateId, StateKind};
use crate::mask::classes::canonical;
use crate::mask::table::{DEAD, SLOW, Tables, WITH_OP};
use crate::step::{Head, can_finish, characters_of_escape, go, step};
use crate::trie::NodeId;

/// The tokens and exits of a head where they may differ from those of its reference.
#[derive(Debug, Default)]
pub(crate) struct Patch {
    /// The tokens that the head reads at governed nodes, and its exits there.
    pub(crate) found: Found,
    /// Ranges of governed nodes, ascending: outside of them the reference decides.
    pub(crate) governed: Vec<(NodeId, NodeId)>,
    /// Whether the head can return before it reads a byte.
    pub(crate) at_once: bool,
}

/// The reference's head at a node.
enum Other {
    Dead,
    One(Head),
    /// Several heads: no longer followed.
    Lost,
}

/// A head and its reference, between two characters, at the beginning of the walk.
struct Pair {
    start: Head,
    reference: StateId,
    /// By first byte of a character: whether it leads the two to different classes.
    differs: [bool; 256],
}

impl Pair {
    /// Returns whether both heads are in the same escape of their first character, which can only become characters that lead
    /// them to one class.
    fn spells_the_same(&self, head: Head, other: Head) -> bool {
        head.esc != 0
            && head.esc == other.esc
            && Head { esc: 0, ..head } == self.start
            && Head { esc: 0, ..other } == (Head { state: self.reference, ..self.start })
            && characters_of_escape(head.esc).iter().all(|&range| !self.differs_in(range))
    }

    /// Returns whether the first byte of some of these characters leads to different classes.
    fn differs_in(&self, (lo, hi): (u32, u32)) -> bool {
        // By length of the UTF-8 sequence: the characters, and how far to shift them for the bits in their lead byte.
        const FORMS: [(u32, u32, u32, u32); 4] =
            [(0, 0x7F, 0, 0), (0x80, 0x7FF, 6, 0xC0), (0x800, 0xFFFF, 12, 0xE0), (0x10000, 0x10_FFFF, 18, 0xF0)];
        FORMS.iter().any(|&(least, most, shift, marker)| {
            let (lo, hi) = (lo.max(least), hi.min(most));
            lo <= hi
                && self.differs[(marker + (lo >> shift)) as usize..=(marker + (hi >> shift)) as usize].contains(&true)
        })
    }
}

impl Walker {
    /// Returns the state that most first characters lead to, if it reads free text, so that its base is nearly that of
    /// `start`: the text of an undeclared key, if such a key may come.
    pub(crate) fn reference(&mut self, automaton: &Automaton, start: Head) -> Option<StateId> {
        let state = &automaton.states[start.state.index()];
        if state.kind != StateKind::Text || automaton.derived.free(start.state) != Free::No {
            return None;
        }
        let plain = Head { esc: 0, ..start };
        let mut widest: Option<(u32, StateId)> = None;
        let mut width = 0;
        for edge in automaton.edges(start.state).iter().filter(|edge| automaton.derived.is_free(edge.to)) {
            self.out.clear();
            go(automaton, &mut self.stack, plain, edge.op, edge.to, &mut self.out);
            if self.out.first() == Some(&Head { state: edge.to, ..plain }) {
                let own = u32::from(edge.hi) - u32::from(edge.lo) + 1;
                width += own;
                widest = widest.max(Some((own, edge.to)));
            }
        }
        // As for difference walks: a quarter of all bytes.
        widest.filter(|_| width >= 64).map(|(_, to)| to)
    }

    /// Walks the trie from `start` and from its reference side by side; heads and key sets as for [`Walker::base`].
    pub(crate) fn patch(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        start: Head,
        reference: Head,
    ) -> Patch {
        self.begin();
        self.heads.clear();
        let trie = vocabulary.trie;
        if self.levels.len() <= trie.max_depth() {
            self.levels.resize(trie.max_depth() + 1, Level::DEAD);
        }
        let start = with_finite_countdown(automaton, vocabulary, start);
        let reference = with_finite_countdown(automaton, vocabulary, reference);
        let mark = self.stack.mark();
        let table = self.table_for(automaton, &start);
        self.levels[0] = Level { kind: Kind::One(start), table, mark, heads: 0 };
        let plain = Head { esc: 0, ..start };
        let differs = self.first_bytes_that_differ(automaton, vocabulary, plain, Head { esc: 0, ..reference });
        let pair = Pair { start: plain, reference: reference.state, differs };
        let mut others = vec![reference; trie.max_depth() + 1];
        let mut governed: Vec<(NodeId, NodeId)> = Vec::new();
        let mut node = NodeId(1);
        while (node.0 as usize) < trie.len() {
            let (from, end) = self.side_by_side(automaton, vocabulary, &pair, &mut others, node);
            match governed.last_mut().filter(|last| last.1 == node) {
                Some(last) => last.1 = end,
                None => governed.extend((from < end).then_some((from, end))),
            }
            node = if from == end { trie.subtree_end(node) } else { end };
        }
        self.stack.truncate(mark);
        let at_once = can_finish(automaton, &self.stack, start);
        Patch { found: std::mem::take(self.finish()), governed, at_once }
    }

    /// Steps both heads to a node; returns the range of nodes from there that are governed and done, empty if none is and
    /// the whole subtree is as the reference has it.
    fn side_by_side(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        pair: &Pair,
        others: &mut [Head],
        node: NodeId,
    ) -> (NodeId, NodeId) {
        let trie = vocabulary.trie;
        let (depth, byte) = (trie.depth(node), trie.byte(node));
        let (below, end) = (NodeId(node.0 + 1), trie.subtree_end(node));
        self.effort.work += 1;
        self.stack.truncate(self.levels[depth - 1].mark);
        let reads = self.enter(automaton, depth, byte);
        let other = self.step_other(automaton, others[depth - 1], byte);
        if !reads {
            return (node, if matches!(other, Other::Dead) { node } else { end });
        }
        // What the reference has pushed lies above what the head has.
        self.levels[depth].mark = self.stack.mark();
        let kind = self.levels[depth].kind;
        if let (Kind::One(head), Other::One(other)) = (kind, &other)
            && (same_class(automaton, vocabulary, head, *other) || pair.spells_the_same(head, *other))
        {
            return (node, node);
        }
        self.add_read(vocabulary, node, below);
        let goes_on = self.goes_on(automaton, vocabulary, node, depth);
        match other {
            Other::One(other) if goes_on && !other.is_returned() => {
                others[depth] = other;
                (node, below)
            }
            _ => {
                if goes_on {
                    self.below(automaton, vocabulary, node);
                } else {
                    let _ = self.skip_free(automaton, vocabulary, node);
                }
                (node, end)
            }
        }
    }

    /// Finds the bytes of decoded text by which two heads are not led to heads of one class.
    fn first_bytes_that_differ(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        one: Head,
        other: Head,
    ) -> [bool; 256] {
        let mut differs = [false; 256];
        let mark = self.stack.mark();
        // Bytes between two bounds take the same edges.
        let edges = automaton.edges(one.state).iter().chain(automaton.edges(other.state));
        let mut bounds: Vec<u16> = edges.flat_map(|edge| [u16::from(edge.lo), u16::from(edge.hi) + 1]).collect();
        bounds.sort_unstable();
        bounds.dedup();
        for range in bounds.windows(2) {
            let next = [one, other].map(|head| self.after_text_byte(automaton, head, range[0] as u8));
            let same = match next {
                [Some(one), Some(other)] => same_class(automaton, vocabulary, one, other),
                [None, None] => {
                    !reads(automaton, one.state, range[0] as u8) && !reads(automaton, other.state, range[0] as u8)
                }
                _ => false,
            };
            differs[usize::from(range[0])..usize::from(range[1])].fill(!same);
        }
        self.effort.work(bounds.len());
        self.stack.truncate(mark);
        differs
    }

    /// Returns the head after one byte of decoded text; `None` if there is none, or more than one.
    fn after_text_byte(&mut self, automaton: &Automaton, head: Head, byte: u8) -> Option<Head> {
        self.out.clear();
        for edge in automaton.edges(head.state).iter().filter(|edge| edge.lo <= byte && byte <= edge.hi) {
            go(automaton, &mut self.stack, head, edge.op, edge.to, &mut self.out);
        }
        match *self.out.as_slice() {
            [head] => Some(head),
            _ => None,
        }
    }

    /// Steps the reference by one byte.
    fn step_other(&mut self, automaton: &Automaton, other: Head, byte: u8) -> Other {
        if refuses(other, byte) {
            return Other::Dead;
        }
        let table = self.table_for(automaton, &other);
        if table != Tables::NONE {
            let code = self.tables.get(table).codes[usize::from(byte)];
            if code == DEAD {
                return Other::Dead;
            }
            if code != SLOW && code & WITH_OP == 0 {
                return Other::One(Head { state: StateId(code - 1), ..other });
            }
        }
        self.out.clear();
        step(automaton, &mut self.stack, &mut self.scratch, &[other], byte, &mut self.out);
        self.effort.step(self.scratch.seen(), self.scratch.width(self.out.len()));
        match *self.out.as_slice() {
            [] => Other::Dead,
            [head] => Other::One(head),
            _ => Other::Lost,
        }
    }
}

/// Returns whether some edge of the state reads the byte.
fn reads(automaton: &Automaton, state: StateId, byte: u8) -> bool {
    automaton.edges(state).iter().any(|edge| edge.lo <= byte && byte <= edge.hi)
}

/// Returns whether no rest of a token can tell the heads apart: they stand on the same frames, and are of one class.
fn same_class(automaton: &Automaton, vocabulary: VocabularyTables<'_>, head: Head, other: Head) -> bool {
    if head.state != other.state || head.parent != other.parent || head.is_returned() {
        return head == other;
    }
    let longest = vocabulary.trie.max_depth() as u32;
    head == other || canonical(automaton, head, longest) == canonical(automaton, other, longest)
}
