//! The row of free text (any text inside a JSON string), computed once per vocabulary. Most rows are stored as small differences from it.
//!
//! All states that read "any text" inside a JSON string allow the same tokens until the closing quote. [`FreeText`] walks the trie once
//! with an automaton of one rule, any JSON string, that counts characters down from a number that no token uses up. The walk collects the
//! tokens that stay inside the string, each with its number of characters; the trie nodes between two characters; and the nodes at which a
//! quote has just closed the string. (The slices of llguidance, token masks that are computed once per vocabulary, serve the same purpose.)

use std::sync::Arc;

use always_assert::never;
use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, AutomatonBuilder, BuildError, Escapes, Op, OpId, StateId, StateKind};
use crate::mask::row::{get, ones, set};
use crate::step::{BOTTOM, Head, Memory, Scratch, Stack, step};
use crate::trie::{NodeId, TokenTrie};
use crate::watch;

/// A countdown greater than the number of characters of any token.
const MANY: u32 = 1 << 30;

/// A trie node at which tokens end inside a character or an escape.
#[derive(Clone, Copy, Debug)]
struct Unfinished {
    node: NodeId,
    /// The number of whole characters before the unfinished one.
    characters: u32,
    /// The bytes of the unfinished character or escape, as an index into [`FreeText::rests`].
    rest: u32,
}

/// The tokens and trie nodes of a vocabulary inside a JSON string of any text.
#[derive(Debug)]
pub(crate) struct FreeText {
    /// The *free row*, as bits: the tokens that are read to their last byte inside the string.
    pub(crate) row: Arc<[u32]>,
    /// The number of tokens in the free row.
    pub(crate) len: usize,
    /// For each token of the free row: the number of characters that must have room, and its id; ascending.
    lengths: Box<[(u32, u32)]>,
    /// The tokens of the free row that end between two characters, as bits.
    whole: Box<[u32]>,
    /// These tokens as a list: by the number of characters, then by id.
    whole_tokens: Box<[u32]>,
    /// The numbers of characters of these tokens, ascending, each with the end of its tokens in the list.
    by_length: Box<[(u32, u32)]>,
    /// Nodes at which tokens of the free row end inside a character or an escape, ascending.
    unfinished: Box<[Unfinished]>,
    /// The distinct unfinished characters and escapes at the ends of tokens, as bytes.
    rests: Box<[Box<[u8]>]>,
    /// One bit per trie node: whether the bytes from the root to the node are whole characters inside the string.
    at: Box<[u64]>,
    /// Nodes at which a raw quote has just closed the string, ascending.
    closes: Box<[NodeId]>,
    /// Per closing node: the number of characters before the quote.
    close_lengths: Box<[u32]>,
}

impl FreeText {
    /// Walks the whole trie once.
    pub(crate) fn new(trie: &TokenTrie, words: usize, escapes: Escapes) -> Result<Self, BuildError> {
        let (automaton, body) = any_string(escapes)?;
        let mut found = Collected {
            row: vec![0; words],
            whole: vec![0; words],
            at: vec![0; trie.len().div_ceil(64)],
            ..Collected::default()
        };
        watch::unwatched(|| collect(trie, &automaton, body, &mut found));
        found.lengths.sort_unstable();
        let (whole_tokens, by_length) = whole_by_length(&found);
        Ok(Self {
            whole_tokens: whole_tokens.into(),
            by_length: by_length.into(),
            len: ones(&found.row).count(),
            row: found.row.into(),
            lengths: found.lengths.into(),
            whole: found.whole.into(),
            unfinished: found.unfinished.into(),
            rests: found.rests.into(),
            at: found.at.into(),
            closes: found.closes.into(),
            close_lengths: found.close_lengths.into(),
        })
    }

    /// Returns whether the token is read inside the string.
    #[inline]
    pub(crate) fn has(&self, token: u32) -> bool {
        get(&self.row, token)
    }

    /// Returns whether the bytes from the root to this node are whole characters inside the string.
    #[inline]
    pub(crate) fn at(&self, node: NodeId) -> bool {
        self.at[node.0 as usize / 64] >> (node.0 % 64) & 1 == 1
    }

    /// Returns whether the token is read inside the string, and ends between two characters.
    #[inline]
    pub(crate) fn is_whole(&self, token: u32) -> bool {
        get(&self.whole, token)
    }

    /// Returns the nodes below a node at which tokens end inside a character or an escape. With each node comes the number of whole
    /// characters since the root, and the number of the unfinished character or escape, for [`FreeText::rest`].
    pub(crate) fn unfinished(&self, node: NodeId, end: NodeId) -> impl Iterator<Item = (NodeId, u32, u32)> {
        let from = self.unfinished.partition_point(|at| at.node.0 <= node.0);
        let to = self.unfinished.partition_point(|at| at.node.0 < end.0);
        self.unfinished[from..to].iter().map(|at| (at.node, at.characters, at.rest))
    }

    /// Returns the bytes of an unfinished character or escape.
    pub(crate) fn rest(&self, number: u32) -> &[u8] {
        self.rests.get(number as usize).map_or(&[], |rest| rest)
    }

    /// Returns the greatest number of characters that a token has before a closing quote.
    pub(crate) fn longest_close(&self) -> u32 {
        self.close_lengths.iter().copied().max().unwrap_or(0)
    }

    /// Returns the tokens that end between two characters as bits.
    pub(crate) fn whole(&self) -> &[u32] {
        &self.whole
    }

    /// Returns the number of tokens that end between two characters.
    pub(crate) fn whole_len(&self) -> usize {
        self.by_length.last().map_or(0, |&(_, end)| end as usize)
    }

    /// Returns the tokens that end between two characters, by their number of characters. Both numbers and tokens ascend.
    pub(crate) fn whole_by_length(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let begins = std::iter::once(0).chain(self.by_length.iter().map(|&(_, end)| end));
        let ranges = begins.zip(self.by_length.iter());
        ranges.map(|(begin, &(length, end))| (length, &self.whole_tokens[begin as usize..end as usize]))
    }

    /// Returns the closing nodes from `node` to `end`.
    pub(crate) fn closes(&self, node: NodeId, end: NodeId) -> &[NodeId] {
        let from = self.closes.partition_point(|close| close.0 <= node.0);
        let to = self.closes.partition_point(|close| close.0 < end.0);
        &self.closes[from..to]
    }

    /// Returns all closing nodes, each with the number of characters before the quote.
    pub(crate) fn closes_with_lengths(&self) -> impl Iterator<Item = (NodeId, u32)> {
        self.closes.iter().copied().zip(self.close_lengths.iter().copied())
    }

    /// Returns the tokens of the free row that need room for at most `most` characters.
    pub(crate) fn up_to(&self, most: u32) -> impl Iterator<Item = u32> {
        let end = self.lengths.partition_point(|&(length, _)| length <= most);
        self.lengths[..end].iter().map(|&(_, token)| token)
    }

    /// Returns the tokens of the free row that need room for more than `most` characters.
    pub(crate) fn longer_than(&self, most: u32) -> impl Iterator<Item = u32> {
        let from = self.lengths.partition_point(|&(length, _)| length <= most);
        self.lengths[from..].iter().map(|&(_, token)| token)
    }
}

#[derive(Default)]
struct Collected {
    row: Vec<u32>,
    whole: Vec<u32>,
    unfinished: Vec<Unfinished>,
    rests: Vec<Box<[u8]>>,
    lengths: Vec<(u32, u32)>,
    at: Vec<u64>,
    closes: Vec<NodeId>,
    close_lengths: Vec<u32>,
}

/// Returns the tokens that end between two characters, by their number of characters, and the end of the tokens of each number.
fn whole_by_length(found: &Collected) -> (Vec<u32>, Vec<(u32, u32)>) {
    let (mut tokens, mut ends): (Vec<u32>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
    for &(length, token) in found.lengths.iter().filter(|&&(_, token)| get(&found.whole, token)) {
        tokens.push(token);
        let end = tokens.len() as u32;
        match ends.last_mut() {
            Some(last) if last.0 == length => last.1 = end,
            _ => ends.push((length, end)),
        }
    }
    (tokens, ends)
}

fn collect(trie: &TokenTrie, automaton: &Automaton, body: StateId, found: &mut Collected) {
    let start = Head { state: body, a: 0, b: MANY, memory: Memory::EMPTY, esc: 0, parent: BOTTOM };
    let mut levels = vec![start];
    // The bytes on the path to the node; and for each depth the length in bytes of the whole characters.
    let (mut path, mut whole) = (Vec::new(), vec![0]);
    let mut rests: FxHashMap<Vec<u8>, u32> = FxHashMap::default();
    let (mut stack, mut scratch, mut out) = (Stack::default(), Scratch::default(), Vec::new());
    found.at[0] |= 1;
    let mut node = NodeId(1);
    while (node.0 as usize) < trie.len() {
        let depth = trie.depth(node);
        levels.truncate(depth);
        path.truncate(depth - 1);
        path.push(trie.byte(node));
        whole.truncate(depth);
        let parent = levels.last().copied().unwrap_or_else(|| {
            never!("a trie node at depth {} was come to, and its parent was not", depth);
            start
        });
        out.clear();
        step(automaton, &mut stack, &mut scratch, &[parent], trie.byte(node), &mut out);
        node = match out.first() {
            None => trie.subtree_end(node),
            Some(head) if head.is_returned() => {
                found.closes.push(node);
                found.close_lengths.push(MANY - parent.b);
                trie.subtree_end(node)
            }
            Some(&head) => {
                levels.push(head);
                // A character whose escape has begun needs room too.
                let length = MANY - head.b + u32::from(head.esc != 0);
                for token in trie.tokens(node) {
                    set(&mut found.row, token.0);
                    found.lengths.push((length, token.0));
                }
                let is_whole = head.state == body && head.esc == 0;
                whole.push(if is_whole { depth } else { whole[depth - 1] });
                if is_whole {
                    found.at[node.0 as usize / 64] |= 1 << (node.0 % 64);
                    trie.tokens(node).iter().for_each(|token| set(&mut found.whole, token.0));
                } else if !trie.tokens(node).is_empty() {
                    let next = rests.len() as u32;
                    let rest = *rests.entry(path[whole[depth]..].to_vec()).or_insert(next);
                    if rest == next {
                        found.rests.push(path[whole[depth]..].into());
                    }
                    found.unfinished.push(Unfinished { node, characters: length - 1, rest });
                }
                NodeId(node.0 + 1)
            }
        };
    }
}

/// Builds a rule for any JSON string that ticks for every character, and returns the state of the string's body.
fn any_string(escapes: Escapes) -> Result<(Automaton, StateId), BuildError> {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("string", 0);
    let start = builder.state(rule, StateKind::Bytes);
    let body = builder.state(rule, StateKind::Text);
    let end = builder.state(rule, StateKind::Bytes);
    builder.start(rule, start);
    builder.accept(end);
    builder.edge(start, b'"', b'"', OpId::NONE, body);
    builder.close(body, OpId::NONE, end);
    let tick = builder.op(Op::Count { tick: true, max_a: u32::MAX, min_total: 0 });
    let mut text = |from: StateId, lo: u8, hi: u8, to: Option<StateId>| {
        let to = to.unwrap_or_else(|| builder.state(rule, StateKind::Text));
        builder.edge(from, lo, hi, if from == body { tick } else { OpId::NONE }, to);
        to
    };
    text(body, 0x00, 0x7F, Some(body));
    let last = text(body, 0xC2, 0xDF, None);
    text(last, 0x80, 0xBF, Some(body));
    let two = text(body, 0xE1, 0xEC, None);
    text(body, 0xEE, 0xEF, Some(two));
    text(two, 0x80, 0xBF, Some(last));
    let after_e0 = text(body, 0xE0, 0xE0, None);
    text(after_e0, 0xA0, 0xBF, Some(last));
    let after_ed = text(body, 0xED, 0xED, None);
    text(after_ed, 0x80, 0x9F, Some(last));
    let three = text(body, 0xF1, 0xF3, None);
    text(three, 0x80, 0xBF, Some(two));
    let after_f0 = text(body, 0xF0, 0xF0, None);
    text(after_f0, 0x90, 0xBF, Some(two));
    let after_f4 = text(body, 0xF4, 0xF4, None);
    text(after_f4, 0x80, 0x8F, Some(two));
    let automaton = builder.finish((rule, 0, MANY), false, escapes)?;
    let body = automaton.states.iter().position(|state| state.close.is_some());
    never!(body.is_none(), "the automaton of free text cannot be closed");
    let body = body.unwrap_or(0);
    Ok((automaton, StateId(body as u32)))
}
