//! Shortcuts of a walk in free text: trie subtrees whose tokens are known without visiting them.

use super::level::{Level, LevelKind};
use super::{VocabularyTables, Walker, has_children};
use crate::automaton::{Automaton, Free, StateKind, UNBOUNDED};
use crate::step::{Head, Stack, go};
use crate::trie::NodeId;

/// With at least this many characters left, a row is collected as a difference from the free row.
const FEW: u32 = 6;

/// Returns whether the head reads free text below the node, so that the free row has the answer for the tokens below.
#[inline]
pub(super) fn applies(automaton: &Automaton, vocabulary: VocabularyTables<'_>, node: NodeId, head: Head) -> bool {
    !head.is_returned()
        && head.esc == 0
        && vocabulary.free.at(node)
        && reads_all(automaton, head, u32::from(vocabulary.heights[node.0 as usize]))
}

/// Returns whether the countdowns allow every text of `height` more bytes: either the minimum is reached and the maximum is out of reach,
/// or the minimum is out of reach (then no token below closes the text).
fn reads_all(automaton: &Automaton, head: Head, height: u32) -> bool {
    let far = |count: u32| count == UNBOUNDED || count >= height;
    match automaton.derived.free(head.state) {
        Free::No => false,
        Free::Plain => true,
        Free::Counted => (head.a == 0 && far(head.b)) || head.a > height,
    }
}

/// Returns whether most first bytes lead into free text, so that the row differs from the free row in few tokens.
pub(super) fn mostly_free(automaton: &Automaton, stack: &mut Stack, start: Head) -> bool {
    if start.is_returned() || start.esc != 0 || automaton.states[start.state.index()].kind != StateKind::Text {
        return false;
    }
    let enough = |head: &Head| {
        !head.is_returned()
            && match automaton.derived.free(head.state) {
                Free::No => false,
                Free::Plain => true,
                Free::Counted => head.a.saturating_add(head.b) >= FEW,
            }
    };
    // A quarter of all bytes: the 95 printable characters of ASCII suffice, the letters of a pattern do not.
    let mut width = 0;
    let mut out = Vec::new();
    for edge in automaton.edges(start.state) {
        out.clear();
        go(automaton, stack, start, edge.op, edge.to, &mut out);
        if out.iter().any(enough) {
            width += u32::from(edge.hi) - u32::from(edge.lo) + 1;
        }
    }
    width >= 64
}

/// Returns whether the head is in free text of bounded length, between two characters.
pub(super) fn is_counted_text(automaton: &Automaton, head: Head) -> bool {
    !head.is_returned() && head.esc == 0 && automaton.derived.free(head.state) == Free::Counted
}

impl Walker {
    /// Computes the base of bounded free text without a walk: the free row without the tokens that are too long, and the closing tokens
    /// whose length is within the bounds. (The closing quote of a counted text ends its rule.)
    pub(super) fn counted_text(&mut self, vocabulary: VocabularyTables<'_>, head: Head) {
        let most = head.a.saturating_add(head.b);
        self.found.difference = most >= FEW;
        if self.found.difference {
            self.found.removed.extend(vocabulary.free.longer_than(most));
        } else {
            self.found.tokens.extend(vocabulary.free.up_to(most));
        }
        for (close, length) in vocabulary.free.closes_with_lengths() {
            if head.a <= length && length <= most {
                self.add_read(vocabulary, close, NodeId(close.0 + 1));
                if has_children(vocabulary, close) {
                    self.found.exits.push(close);
                }
            }
        }
    }

    /// Takes the tokens below a node from the vocabulary's free text, and continues the walk only after closing quotes. Returns `false` if
    /// the node's head does not read free text.
    pub(super) fn skip_free(&mut self, automaton: &Automaton, vocabulary: VocabularyTables<'_>, node: NodeId) -> bool {
        let level = self.level(vocabulary.trie.depth(node));
        let LevelKind::One(head) = level.kind else { return false };
        if !applies(automaton, vocabulary, node, head) {
            return false;
        }
        if !self.found.difference {
            let below = vocabulary.trie.tokens_between(NodeId(node.0 + 1), vocabulary.trie.subtree_end(node));
            let inside = below.iter().map(|token| token.0).filter(|&token| vocabulary.free.has(token));
            self.found.tokens.extend(inside);
        }
        // In a counted text, `a` above 0 means that the minimum is out of reach below this node. In an uncounted text, the countdowns count
        // something else (an object's members), and the quote always closes.
        if head.a == 0 || automaton.derived.is_free(head.state) {
            self.after_closes(automaton, vocabulary, node, level);
        }
        true
    }

    /// Continues the walk after the closing quotes below a node of free text. The quote is stepped only once, as every closing quote leads
    /// to the same heads.
    fn after_closes(&mut self, automaton: &Automaton, vocabulary: VocabularyTables<'_>, node: NodeId, level: Level) {
        let closes = vocabulary.free.closes(node, vocabulary.trie.subtree_end(node));
        if closes.is_empty() {
            return;
        }
        let depth = vocabulary.trie.depth(node) + 1;
        if !self.enter_slowly(automaton, level, depth, b'"') {
            return;
        }
        let closed = self.level(depth);
        let (finished, reads) = self.outlook(automaton, closed.kind);
        for &close in closes {
            let below = NodeId(close.0 + 1);
            self.add_read(vocabulary, close, below);
            if !has_children(vocabulary, close) {
                continue;
            }
            if finished {
                self.found.exits.push(close);
            }
            if reads {
                self.levels.set(vocabulary.trie.depth(close), closed);
                self.below(automaton, vocabulary, close);
            } else {
                self.remove_refused(vocabulary, below, vocabulary.trie.subtree_end(close));
            }
        }
    }
}
