//! Builds the trie: sorts the texts, then adds the bytes of each text after the prefix that it shares with the text
//! before. Only this module makes a [`TokenTrie`].

use super::{Node, TokenTrie};
use crate::vocabulary::{self, TokenId, Vocabulary};

/// A text: its first eight bytes as a number (which decides most comparisons), the whole text, and its token.
type Entry<'v> = (u64, &'v [u8], TokenId);

pub(super) fn build(vocabulary: &Vocabulary) -> TokenTrie {
    let markers: Vec<(TokenId, Vec<u8>)> =
        vocabulary.named_tokens().map(|(id, name)| (id, vocabulary::marker(name))).collect();
    let mut builder = Builder::default();
    builder.push(0);
    let mut last: &[u8] = &[];
    for (_, text, id) in sorted(vocabulary, &markers) {
        builder.add(last, text, id);
        last = text;
    }
    builder.finish()
}

/// Sorts all markers, and all texts without the reserved byte, by their bytes, then by their ids.
fn sorted<'v>(vocabulary: &'v Vocabulary, markers: &'v [(TokenId, Vec<u8>)]) -> Vec<Entry<'v>> {
    let texts = vocabulary.texts().filter(|(_, text)| vocabulary::is_text(text));
    let markers = markers.iter().map(|(id, marker)| (*id, &marker[..]));
    let mut entries: Vec<Entry<'v>> = texts.chain(markers).map(|(id, text)| (prefix(text), text, id)).collect();
    entries.sort_unstable();
    entries
}

/// Returns the first eight bytes as a big-endian number, padded with zeros. Its order agrees with the order of the
/// texts; if two numbers are equal, the texts are compared.
fn prefix(text: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let len = text.len().min(8);
    bytes[..len].copy_from_slice(&text[..len]);
    u64::from_be_bytes(bytes)
}

/// The trie while it is built. `path` has the nodes from the root to the last node, whose subtrees are not finished.
///
/// There are at most 2^28 bytes of texts and markers, of at most 2^16 - 1 bytes each, and at most two entries for each of
/// 2^22 tokens: all numbers fit their fields.
#[derive(Default)]
struct Builder {
    nodes: Vec<Node>,
    depths: Vec<u16>,
    tokens: Vec<TokenId>,
    path: Vec<u32>,
    max_depth: usize,
}

impl Builder {
    /// Adds a text that sorts after `last`, or is equal to it.
    fn add(&mut self, last: &[u8], text: &[u8], id: TokenId) {
        let shared = last.iter().zip(text).take_while(|(one, other)| one == other).count();
        self.close(shared + 1);
        text[shared..].iter().for_each(|&byte| self.push(byte));
        self.tokens.push(id);
        self.max_depth = self.max_depth.max(text.len());
    }

    /// Adds a node below the last node of the path.
    fn push(&mut self, byte: u8) {
        self.depths.push(self.path.len() as u16);
        self.path.push(self.nodes.len() as u32);
        self.nodes.push(Node::new(byte, self.tokens.len()));
    }

    /// Ends the subtrees of all open nodes but the first `kept`.
    fn close(&mut self, kept: usize) {
        let end = self.nodes.len() as u32;
        for node in self.path.drain(kept.min(self.path.len())..) {
            self.nodes[node as usize].subtree_end = end;
        }
    }

    /// Closes everything, adds the sentinel and the table of the root's children.
    fn finish(mut self) -> TokenTrie {
        self.close(0);
        self.nodes.push(Node::new(0, self.tokens.len()));
        let mut first = Box::new([0; 256]);
        let (mut child, end) = (1, self.nodes[0].subtree_end);
        while child < end {
            let node = self.nodes[child as usize];
            first[usize::from(node.byte())] = child;
            child = node.subtree_end;
        }
        TokenTrie {
            nodes: self.nodes.into(),
            depths: self.depths.into(),
            tokens: self.tokens.into(),
            first,
            max_depth: self.max_depth,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trie::NodeId;

    /// Texts that agree in their first eight bytes, or are shorter, for tests of the comparison.
    const TEXTS: [&[u8]; 10] = [
        b"",
        b"a\0\0\0\0\0\0\0\0x",
        b"a\0\0\0\0\0\0\0",
        b"a\0",
        b"a",
        b"\0",
        b"\xfe\xfe",
        b"a",
        b"a\0\0\0\0\0\0\x01",
        b"b",
    ];

    #[test]
    fn the_trie_handles_zero_bytes_shared_texts_and_the_empty_text() {
        let trie = build(&Vocabulary::from_tokens(&TEXTS.map(Some), &[]).unwrap());
        for (id, text) in TEXTS.iter().enumerate().skip(1) {
            let node = trie.find(text).unwrap();
            assert!(trie.tokens(node).contains(&TokenId(id as u32)), "{text:?}");
            assert_eq!(trie.path(node), *text);
        }
        let a = trie.find(b"a").unwrap();
        assert_eq!(trie.tokens(a), [TokenId(4), TokenId(7)]);
        assert!(trie.tokens(NodeId::ROOT).is_empty());
        assert_eq!(trie.subtree_tokens(NodeId::ROOT).len(), TEXTS.len() - 1);
        assert_eq!(trie.max_depth(), 10);
    }

    #[test]
    fn the_trie_has_token_markers_but_not_the_reserved_byte() {
        let mut builder = vocabulary::VocabularyBuilder::new();
        builder.text(0, b"a\xff").unwrap();
        builder.text(1, b"\xff").unwrap();
        builder.text(2, b"\xfe").unwrap();
        builder.named_text(3, "<a", b"\xff").unwrap();
        builder.named_text(4, "<a>", b"<a>").unwrap();
        builder.special(5, "</s>").unwrap();
        let trie = build(&builder.build().unwrap());
        let at = |bytes: &[u8]| trie.find(bytes).map(|node| trie.tokens(node)).unwrap_or_default();
        assert_eq!([at(b"\xff<a\xfe"), at(b"\xff<a>\xfe"), at(b"<a>")], [3, 4, 4].map(|id| [TokenId(id)]));
        assert_eq!([at(b"\xff</s>\xfe"), at(b"\xfe")], [5, 2].map(|id| [TokenId(id)]));
        assert_eq!(trie.subtree_tokens(NodeId::ROOT).len(), 5);
        let end = NodeId(trie.len() as u32);
        assert_eq!(trie.tokens_between(trie.markers(), end), [5, 4, 3].map(TokenId));
    }

    #[test]
    fn a_vocabulary_without_text_has_a_root() {
        let trie = build(&Vocabulary::from_tokens(&[Some("")], &[]).unwrap());
        assert_eq!((trie.len(), trie.subtree_end(NodeId::ROOT)), (1, NodeId(1)));
        assert_eq!(trie.longest_prefix(b"a"), None);
        assert_eq!(trie.children(NodeId::ROOT).count(), 0);
    }
}
