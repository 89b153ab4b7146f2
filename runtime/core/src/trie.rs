//! The token trie: all texts of a vocabulary as one tree of bytes, laid out for walks in preorder.
//!
//! The trie stands between the [`Vocabulary`] and the masks: masks are computed by walking this tree and an automaton side by side. When
//! the automaton refuses a byte, one assignment skips everything below it.
//!
//! # Layout
//!
//! Nodes are numbered in preorder, children by ascending byte, so that a walk reads memory forwards. A node is eight
//! bytes: the end of its subtree (32 bits), how many tokens end before it in preorder (24 bits), and its byte (8 bits).
//! The tokens are in one list in the same order; the tokens of a node, and of its whole subtree, are slices of the
//! list. Depths are in an array of their own, two bytes a node, so that walks that do not need them do not read them.
//!
//! Tokens of the same bytes share a node. Gaps and empty texts are not in the tree.
//!
//! # Markers
//!
//! Every named token is in the tree by its [`marker`](crate::vocabulary::marker()): special tokens only by the marker,
//! added text tokens also by their text, so that an id can be in the tree twice. The byte 0xFF, with which markers
//! begin, is reserved: texts that contain it, which can never be part of UTF-8 text, are left out. As it is the
//! greatest byte, all markers are at the end of the tree, from [`TokenTrie::markers`] on.

mod build;
mod greedy;

pub use greedy::greedy_tokens;
pub(crate) use greedy::greedy_tokens_of;

use crate::vocabulary::{MARKER_START, TokenId, Vocabulary};

/// A node of a [`TokenTrie`], by its number in preorder.
///
/// ```
/// use ogc_runtime::trie::{NodeId, TokenTrie};
/// use ogc_runtime::vocabulary::Vocabulary;
/// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("a")], &[])?);
/// assert_eq!(trie.find(b"a"), Some(NodeId(1)));
/// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The root: the empty text.
    pub const ROOT: Self = Self(0);

    #[inline]
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One node. `low` has the node's byte in the lowest 8 bits, and the number of tokens before the node in the other 24:
/// ids are below 2^22, and each is in the tree at most twice.
#[derive(Clone, Copy, Debug)]
struct Node {
    subtree_end: u32,
    low: u32,
}

impl Node {
    const fn new(byte: u8, tokens_before: usize) -> Self {
        Self { subtree_end: 0, low: (tokens_before as u32) << 8 | byte as u32 }
    }

    #[inline]
    const fn byte(self) -> u8 {
        self.low as u8
    }

    #[inline]
    const fn tokens_before(self) -> usize {
        (self.low >> 8) as usize
    }
}

/// The token trie.
///
/// Invariants: `nodes` ends with a sentinel, whose `tokens_before` is the number of all tokens; `n < subtree_end(n) <=
/// len()`; `depths` has `len()` entries; `first[b]` is the root's child with the byte `b`, or 0 if there is none; every
/// leaf has a token.
///
/// ```
/// use ogc_runtime::trie::{NodeId, TokenTrie};
/// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
/// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("ab"), Some("a"), Some("b")], &[])?);
/// // The whole tree, skipping everything that starts with `a`.
/// let (mut node, mut seen) = (NodeId(1), Vec::new());
/// while node.0 < trie.subtree_end(NodeId::ROOT).0 {
///     if trie.byte(node) == b'a' {
///         node = trie.subtree_end(node);
///     } else {
///         seen.extend_from_slice(trie.tokens(node));
///         node = NodeId(node.0 + 1);
///     }
/// }
/// assert_eq!(seen, [TokenId(2)]);
/// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TokenTrie {
    nodes: Box<[Node]>,
    depths: Box<[u16]>,
    tokens: Box<[TokenId]>,
    first: Box<[u32; 256]>,
    max_depth: usize,
}

impl TokenTrie {
    /// Builds the tree. Takes time linear in the bytes of the vocabulary, besides sorting the texts.
    ///
    /// ```
    /// use ogc_runtime::trie::TokenTrie;
    /// use ogc_runtime::vocabulary::Vocabulary;
    /// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("car"), Some("cat")], &[])?);
    /// assert_eq!(trie.len(), 5); // the root, c, a, r, t
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[must_use]
    pub fn new(vocabulary: &Vocabulary) -> Self {
        build::build(vocabulary)
    }

    /// Returns the number of nodes, the root included.
    ///
    /// ```
    /// # use ogc_runtime::{trie::TokenTrie, vocabulary::Vocabulary};
    /// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("ab")], &[])?);
    /// assert_eq!(trie.len(), 3);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.depths.len()
    }

    /// Returns whether the tree has only the root, because no token has bytes.
    ///
    /// ```
    /// # use ogc_runtime::{trie::TokenTrie, vocabulary::Vocabulary};
    /// assert!(TokenTrie::new(&Vocabulary::from_tokens(&[Some("")], &[])?).is_empty());
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Returns the byte on the edge to a node; 0 for the root, which has none.
    ///
    /// # Panics
    /// The node is not in this tree.
    ///
    /// ```
    /// # use ogc_runtime::{trie::{NodeId, TokenTrie}, vocabulary::Vocabulary};
    /// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("ab")], &[])?);
    /// assert_eq!(trie.byte(NodeId(2)), b'b');
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn byte(&self, node: NodeId) -> u8 {
        self.nodes[node.index()].byte()
    }

    /// Returns the first node after a node's subtree: its next sibling, or the next sibling of an ancestor, or the end.
    ///
    /// # Panics
    /// The node is not in this tree.
    ///
    /// ```
    /// # use ogc_runtime::{trie::{NodeId, TokenTrie}, vocabulary::Vocabulary};
    /// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("ab"), Some("c")], &[])?);
    /// assert_eq!(trie.subtree_end(NodeId(1)), NodeId(3));
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn subtree_end(&self, node: NodeId) -> NodeId {
        NodeId(self.nodes[node.index()].subtree_end)
    }

    /// Returns the first node of the markers of named tokens, or the end of the tree.
    ///
    /// ```
    /// # use ogc_runtime::{trie::{NodeId, TokenTrie}, vocabulary::{TokenId, Vocabulary, marker}};
    /// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("ab")], &[("<s>", 1)])?);
    /// assert_eq!(trie.markers(), NodeId(3));
    /// assert_eq!(trie.tokens(trie.find(&marker("<s>")).expect("it is there")), [TokenId(1)]);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn markers(&self) -> NodeId {
        match self.first[usize::from(MARKER_START)] {
            0 => NodeId(self.len() as u32),
            first => NodeId(first),
        }
    }

    /// Returns the number of bytes from the root to a node.
    ///
    /// # Panics
    /// The node is not in this tree.
    ///
    /// ```
    /// # use ogc_runtime::{trie::{NodeId, TokenTrie}, vocabulary::Vocabulary};
    /// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("ab")], &[])?);
    /// assert_eq!(trie.depth(NodeId(2)), 2);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn depth(&self, node: NodeId) -> usize {
        usize::from(self.depths[node.index()])
    }

    /// Returns the length of the longest text or marker, in bytes.
    ///
    /// ```
    /// # use ogc_runtime::{trie::TokenTrie, vocabulary::Vocabulary};
    /// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("abc"), Some("d")], &[])?);
    /// assert_eq!(trie.max_depth(), 3);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn max_depth(&self) -> usize {
        self.max_depth
    }

    /// Returns the tokens whose text ends at a node, in the order of their ids; most nodes have none or one.
    ///
    /// # Panics
    /// The node is not in this tree.
    ///
    /// ```
    /// # use ogc_runtime::{trie::{NodeId, TokenTrie}, vocabulary::{TokenId, Vocabulary}};
    /// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("a"), Some("a")], &[])?);
    /// assert_eq!(trie.tokens(NodeId(1)), [TokenId(0), TokenId(1)]);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn tokens(&self, node: NodeId) -> &[TokenId] {
        self.tokens_between(node, NodeId(node.0 + 1))
    }

    /// Returns the tokens whose text goes through a node or ends at it, in preorder.
    ///
    /// # Panics
    /// The node is not in this tree.
    ///
    /// ```
    /// # use ogc_runtime::{trie::{NodeId, TokenTrie}, vocabulary::{TokenId, Vocabulary}};
    /// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("ab"), Some("a"), Some("b")], &[])?);
    /// assert_eq!(trie.subtree_tokens(NodeId(1)), [TokenId(1), TokenId(0)]);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn subtree_tokens(&self, node: NodeId) -> &[TokenId] {
        self.tokens_between(node, self.subtree_end(node))
    }

    /// Returns the tokens that end at the nodes `from..to`, in preorder.
    ///
    /// A walk need not look at each node's tokens: it remembers where the last skip ended, and at the next skip takes
    /// the tokens of all nodes between. This saves an unpredictable branch at each node.
    ///
    /// # Panics
    /// A node is not in this tree and not its end, or `from` is after `to`.
    ///
    /// ```
    /// # use ogc_runtime::{trie::{NodeId, TokenTrie}, vocabulary::{TokenId, Vocabulary}};
    /// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("ab"), Some("a"), Some("b")], &[])?);
    /// assert_eq!(trie.tokens_between(NodeId(2), trie.subtree_end(NodeId::ROOT)), [TokenId(0), TokenId(2)]);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn tokens_between(&self, from: NodeId, to: NodeId) -> &[TokenId] {
        let [start, end] = [from, to].map(|node| self.nodes[node.index()].tokens_before());
        &self.tokens[start..end]
    }

    /// Returns the root's first child whose byte is at least `least` and in the set `bytes`; the end of the tree if
    /// there is none.
    #[inline]
    pub(crate) fn first_below_root(&self, least: usize, bytes: &[u64; 4]) -> NodeId {
        let mut least = least;
        while least < 256 {
            let left = bytes[least >> 6] >> (least & 63);
            if left == 0 {
                least = (least | 63) + 1;
                continue;
            }
            least += left.trailing_zeros() as usize;
            match self.first[least] {
                0 => least += 1,
                child => return NodeId(child),
            }
        }
        NodeId(self.len() as u32)
    }

    /// Returns the children of a node, by ascending byte.
    ///
    /// # Panics
    /// The node is not in this tree.
    ///
    /// ```
    /// # use ogc_runtime::{trie::{NodeId, TokenTrie}, vocabulary::Vocabulary};
    /// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("ab"), Some("c")], &[])?);
    /// assert!(trie.children(NodeId::ROOT).eq([NodeId(1), NodeId(3)]));
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[inline]
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let end = self.subtree_end(node);
        let mut next = NodeId(node.0 + 1);
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.subtree_end(child);
            Some(child)
        })
    }

    /// Returns the child of a node with a byte.
    ///
    /// # Panics
    /// The node is not in this tree.
    ///
    /// ```
    /// # use ogc_runtime::{trie::{NodeId, TokenTrie}, vocabulary::Vocabulary};
    /// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("ab"), Some("c")], &[])?);
    /// assert_eq!(trie.child(NodeId::ROOT, b'c'), Some(NodeId(3)));
    /// assert_eq!(trie.child(NodeId::ROOT, b'b'), None);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn child(&self, node: NodeId, byte: u8) -> Option<NodeId> {
        if node == NodeId::ROOT {
            let child = self.first[usize::from(byte)];
            return (child != 0).then_some(NodeId(child));
        }
        let child = self.children(node).find(|&child| self.byte(child) >= byte)?;
        (self.byte(child) == byte).then_some(child)
    }

    /// Returns the bytes from the root to a node. Descends from the root, so use it for diagnostics rather than in
    /// walks.
    ///
    /// # Panics
    /// The node is not in this tree.
    ///
    /// ```
    /// # use ogc_runtime::{trie::{NodeId, TokenTrie}, vocabulary::Vocabulary};
    /// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("ab"), Some("ac")], &[])?);
    /// assert_eq!(trie.path(NodeId(3)), b"ac");
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[must_use]
    pub fn path(&self, node: NodeId) -> Vec<u8> {
        let mut path = Vec::with_capacity(self.depth(node));
        let mut at = NodeId::ROOT;
        while at < node {
            at = NodeId(at.0 + 1);
            while self.subtree_end(at) <= node {
                at = self.subtree_end(at);
            }
            path.push(self.byte(at));
        }
        path
    }

    /// Returns the node of a text, whether or not a token ends there.
    ///
    /// ```
    /// # use ogc_runtime::{trie::{NodeId, TokenTrie}, vocabulary::Vocabulary};
    /// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("ab")], &[])?);
    /// assert_eq!(trie.find(b"a"), Some(NodeId(1)));
    /// assert_eq!(trie.find(b"ac"), None);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[must_use]
    pub fn find(&self, text: &[u8]) -> Option<NodeId> {
        text.iter().try_fold(NodeId::ROOT, |node, &byte| self.child(node, byte))
    }

    /// Returns the node of the longest token that the text starts with; the token's length is the node's
    /// [depth](TokenTrie::depth).
    ///
    /// ```
    /// # use ogc_runtime::{trie::TokenTrie, vocabulary::Vocabulary};
    /// let trie = TokenTrie::new(&Vocabulary::from_tokens(&[Some("a"), Some("abc")], &[])?);
    /// assert_eq!(trie.longest_prefix(b"abd"), trie.find(b"a"));
    /// assert_eq!(trie.longest_prefix(b"b"), None);
    /// # Ok::<(), ogc_runtime::vocabulary::VocabularyError>(())
    /// ```
    #[must_use]
    pub fn longest_prefix(&self, text: &[u8]) -> Option<NodeId> {
        let (mut node, mut longest) = (NodeId::ROOT, None);
        for &byte in text {
            let Some(child) = self.child(node, byte) else {
                break;
            };
            node = child;
            if !self.tokens(node).is_empty() {
                longest = Some(node);
            }
        }
        longest
    }
}
