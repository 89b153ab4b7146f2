//! The trie of words: the irreducible tokens of a vocabulary, which are not sequences of shorter tokens.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::vocabulary::{Vocabulary, is_text, marker};

/// A node of the trie.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) children: BTreeMap<u8, u32>,
    /// Whether a word ends here.
    pub(super) ends: bool,
}

/// The trie of words. Its root, node 0, means that no word has begun.
#[derive(Debug)]
pub(super) struct IrreducibleTokens {
    /// For each byte: whether some token is exactly this byte.
    bytes: [bool; 256],
    pub(super) nodes: Vec<Node>,
    pub(super) longest: u32,
}

impl IrreducibleTokens {
    /// Collects the words of a vocabulary, and the markers of the named tokens in `named`.
    pub(super) fn of(vocabulary: &Vocabulary, named: &[String]) -> Self {
        let mut words = Self { bytes: [false; 256], nodes: vec![Node::default()], longest: 0 };
        let mut texts: Vec<&[u8]> =
            vocabulary.texts().map(|(_, text)| text).filter(|text| !text.is_empty() && is_text(text)).collect();
        texts.iter().filter(|text| text.len() == 1).for_each(|text| words.bytes[usize::from(text[0])] = true);
        // A text is not a word if each of its bytes is a token. In most vocabularies, this leaves only the single bytes.
        texts.retain(|text| text.len() == 1 || !text.iter().all(|&byte| words.has_byte(byte)));
        texts.sort_unstable_by_key(|text| (text.len(), *text));
        texts.dedup();
        let mut kept: FxHashSet<&[u8]> = FxHashSet::default();
        for text in texts {
            if !is_joined(text, &kept) {
                kept.insert(text);
                words.add(text);
            }
        }
        named.iter().for_each(|name| words.add(&marker(name)));
        words
    }

    /// Returns whether a token writes exactly this byte.
    pub(super) fn has_byte(&self, byte: u8) -> bool {
        self.bytes[usize::from(byte)]
    }

    fn add(&mut self, text: &[u8]) {
        self.longest = self.longest.max(text.len() as u32);
        let mut at = 0;
        for &byte in text {
            let next = self.nodes.len() as u32;
            let child = *self.nodes[at].children.entry(byte).or_insert(next);
            if child == next {
                self.nodes.push(Node::default());
            }
            at = child as usize;
        }
        self.nodes[at].ends = true;
    }

    /// Returns the nodes to which a byte leads from a node: the child if a word continues after it, and the root if a word ends with this
    /// byte.
    pub(super) fn after(&self, node: u32, byte: u8) -> impl Iterator<Item = u32> {
        let child = self.nodes[node as usize].children.get(&byte).copied();
        let node = child.map(|child| (child, &self.nodes[child as usize]));
        let inside = node.filter(|(_, node)| !node.children.is_empty()).map(|(child, _)| child);
        let end = node.filter(|(_, node)| node.ends).map(|_| 0);
        inside.into_iter().chain(end)
    }
}

/// Returns whether the text is a sequence of words of the set, by marking the offsets up to which it is one.
fn is_joined(text: &[u8], words: &FxHashSet<&[u8]>) -> bool {
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    for from in 0..text.len() {
        if reached[from] {
            (from + 1..=text.len()).filter(|&to| words.contains(&text[from..to])).for_each(|to| reached[to] = true);
        }
    }
    reached[text.len()]
}
