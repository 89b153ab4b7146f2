//! The walk: the trie against the automaton, from one head, with subtrees skipped where the outcome is known.
//!
//! Three things make it fast: one-edge steps by table ([`super::table`]); subtrees of free text, which are taken from the
//! vocabulary's [`FreeText`] without being visited; and, for states that are mostly free text (the key of an open
//! object), walking only the *difference* from the free row.

use rustc_hash::FxHashMap;

use super::free::FreeText;
use super::table::{DEAD, SLOW, Table, table};
use crate::automaton::{Automaton, Free, OpId, StateId, StateKind, UNBOUNDED};
use crate::step::{BOTTOM, Head, Mark, Scratch, Stack, can_finish, go, step};
use crate::trie::{NodeId, TokenTrie};

/// What a vocabulary lends to every walk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground<'a> {
    pub(crate) trie: &'a TokenTrie,
    pub(crate) free: &'a FreeText,
    /// Per trie node: bytes of its longest continuation.
    pub(crate) heights: &'a [u16],
}

/// What a walk found. In a difference walk `tokens` are those besides the free row and `removed` those it must lose.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) tokens: Vec<u32>,
    pub(crate) removed: Vec<u32>,
    pub(crate) exits: Vec<NodeId>,
    /// The tokens are told as a difference from the free row.
    pub(crate) difference: bool,
}

/// The heads at one depth of the walk.
#[derive(Clone, Copy, Debug)]
enum Level {
    One(Head),
    /// A range of `Walker::heads`.
    Many(u32, u32),
    Dead,
}

/// Buffers of walks over one automaton; keeps its tables between walks.
#[derive(Debug, Default)]
pub(crate) struct Walker {
    pub(crate) stack: Stack,
    scratch: Scratch,
    levels: Vec<(Level, Mark, u32)>,
    heads: Vec<Head>,
    out: Vec<Head>,
    tables: FxHashMap<StateId, Box<Table>>,
    found: Found,
}

impl Walker {
    /// Tokens and exits from `start` at the root of the trie. `start.parent` must be the bottom; its key set, if any,
    /// must be in `self.stack`.
    pub(crate) fn base(
        &mut self,
        automaton: &Automaton,
        ground: Ground<'_>,
        start: Head,
    ) -> &mut Found {
        self.found = Found::default();
        self.found.difference = mostly_free(automaton, &mut self.stack, start);
        self.walk(automaton, ground, NodeId::ROOT, start);
        if can_finish(automaton, &self.stack, start) {
            self.found.exits.push(NodeId::ROOT);
        }
        self.finish()
    }

    /// Tokens and exits below the given trie nodes, from `start` at each of them.
    pub(crate) fn tail(
        &mut self,
        automaton: &Automaton,
        ground: Ground<'_>,
        nodes: &[NodeId],
        start: Head,
    ) -> &mut Found {
        self.found = Found::default();
        for &node in nodes {
            self.walk(automaton, ground, node, start);
        }
        if can_finish(automaton, &self.stack, start) {
            self.found.exits.extend_from_slice(nodes);
        }
        self.finish()
    }

    fn finish(&mut self) -> &mut Found {
        let found = &mut self.found;
        found.tokens.sort_unstable();
        found.tokens.dedup();
        found.removed.sort_unstable();
        found.removed.dedup();
        found.exits.sort_unstable();
        found.exits.dedup();
        found
    }

    fn walk(&mut self, automaton: &Automaton, ground: Ground<'_>, from: NodeId, start: Head) {
        let depth = ground.trie.depth(from);
        self.heads.clear();
        self.levels.clear();
        self.levels.resize(depth, (Level::Dead, Mark::default(), 0));
        let mark = self.stack.mark();
        self.levels.push((Level::One(start), mark, 0));
        self.below(automaton, ground, from, Level::One(start));
        self.stack.truncate(mark);
    }

    /// Visits everything below a node whose level is in place.
    fn below(&mut self, automaton: &Automaton, ground: Ground<'_>, node: NodeId, level: Level) {
        let end = ground.trie.subtree_end(node);
        if self.skip_free(automaton, ground, node, level) {
            return;
        }
        let mut node = NodeId(node.0 + 1);
        while node.0 < end.0 {
            let depth = ground.trie.depth(node);
            let level = self.enter(automaton, depth, ground.trie.byte(node));
            node = if self.record(automaton, ground, node, level)
                && !self.skip_free(automaton, ground, node, level)
            {
                NodeId(node.0 + 1)
            } else {
                ground.trie.subtree_end(node)
            };
        }
    }

    /// Steps the level above by one byte and puts the result in place.
    fn enter(&mut self, automaton: &Automaton, depth: usize, byte: u8) -> Level {
        let (above, mark, heads) = self.levels[depth - 1];
        self.stack.truncate(mark);
        self.heads.truncate(heads as usize);
        let level = match above {
            Level::Dead => Level::Dead,
            Level::One(head) => self.step_one(automaton, head, byte),
            Level::Many(from, to) => {
                self.out.clear();
                let heads = &self.heads[from as usize..to as usize];
                step(
                    automaton,
                    &mut self.stack,
                    &mut self.scratch,
                    heads,
                    byte,
                    &mut self.out,
                );
                self.collect()
            }
        };
        self.put(depth, level);
        level
    }

    fn put(&mut self, depth: usize, level: Level) {
        self.levels.truncate(depth);
        self.levels
            .push((level, self.stack.mark(), self.heads.len() as u32));
    }

    fn step_one(&mut self, automaton: &Automaton, head: Head, byte: u8) -> Level {
        if head.is_returned() {
            return Level::Dead;
        }
        let fast = head.esc == 0
            && (head.parent == BOTTOM || !automaton.states[head.state.index()].accept);
        if fast {
            let table = self
                .tables
                .entry(head.state)
                .or_insert_with(|| table(automaton, head.state));
            let code = table[usize::from(byte)];
            if code == DEAD {
                return Level::Dead;
            }
            if code != SLOW {
                let edge = &automaton.edges[code as usize - 1];
                if edge.op == OpId::NONE && !automaton.derived.is_bare(edge.to) {
                    return Level::One(Head {
                        state: edge.to,
                        ..head
                    });
                }
                self.out.clear();
                go(
                    automaton,
                    &mut self.stack,
                    head,
                    edge.op,
                    edge.to,
                    &mut self.out,
                );
                return self.collect();
            }
        }
        self.out.clear();
        step(
            automaton,
            &mut self.stack,
            &mut self.scratch,
            &[head],
            byte,
            &mut self.out,
        );
        self.collect()
    }

    fn collect(&mut self) -> Level {
        match *self.out.as_slice() {
            [] => Level::Dead,
            [head] => Level::One(head),
            _ => {
                let from = self.heads.len() as u32;
                self.heads.extend_from_slice(&self.out);
                Level::Many(from, self.heads.len() as u32)
            }
        }
    }

    /// Notes the node's tokens and whether it is an exit; `false` if its subtree need not be visited.
    fn record(
        &mut self,
        automaton: &Automaton,
        ground: Ground<'_>,
        node: NodeId,
        level: Level,
    ) -> bool {
        let heads = match &level {
            Level::Dead => {
                self.lose(
                    ground,
                    ground.trie.subtree_tokens(node).iter().map(|token| token.0),
                );
                return false;
            }
            Level::One(head) => std::slice::from_ref(head),
            Level::Many(from, to) => &self.heads[*from as usize..*to as usize],
        };
        let finished = heads
            .iter()
            .any(|&head| can_finish(automaton, &self.stack, head));
        let goes_on = heads.iter().any(|head| !head.is_returned());
        let own = ground.trie.tokens(node);
        self.gain(ground, own.iter().map(|token| token.0));
        let has_children = ground.trie.subtree_end(node).0 > node.0 + 1;
        if finished && has_children {
            self.found.exits.push(node);
        }
        if !goes_on {
            let below = &ground.trie.subtree_tokens(node)[own.len()..];
            self.lose(ground, below.iter().map(|token| token.0));
        }
        goes_on && has_children
    }

    fn gain(&mut self, ground: Ground<'_>, tokens: impl Iterator<Item = u32>) {
        if self.found.difference {
            self.found
                .tokens
                .extend(tokens.filter(|&token| !super::row::get(&ground.free.row, token)));
        } else {
            self.found.tokens.extend(tokens);
        }
    }

    fn lose(&mut self, ground: Ground<'_>, tokens: impl Iterator<Item = u32>) {
        if self.found.difference {
            self.found
                .removed
                .extend(tokens.filter(|&token| super::row::get(&ground.free.row, token)));
        }
    }

    /// If everything below the node is free text for this level, takes it from the vocabulary's free text and follows
    /// only what comes after the closing quotes.
    fn skip_free(
        &mut self,
        automaton: &Automaton,
        ground: Ground<'_>,
        node: NodeId,
        level: Level,
    ) -> bool {
        let Level::One(head) = level else {
            return false;
        };
        if head.is_returned() || head.esc != 0 || !ground.free.at(node) {
            return false;
        }
        if !reads_all(automaton, head, u32::from(ground.heights[node.0 as usize])) {
            return false;
        }
        if !self.found.difference {
            let own = ground.trie.tokens(node).len();
            let below = &ground.trie.subtree_tokens(node)[own..];
            let inside = below
                .iter()
                .map(|token| token.0)
                .filter(|&token| super::row::get(&ground.free.row, token));
            self.found.tokens.extend(inside);
        }
        // An uncounted text closes whatever the countdown, which then counts something else (an object's members).
        if head.a == 0 || automaton.derived.is_free(head.state) {
            self.after_closes(automaton, ground, node, head);
        }
        true
    }

    /// What follows the closing quotes below a free node. The countdown does not matter to it: the close asks only that
    /// the minimum is reached, which is so.
    fn after_closes(
        &mut self,
        automaton: &Automaton,
        ground: Ground<'_>,
        node: NodeId,
        head: Head,
    ) {
        let mark = self.stack.mark();
        let heads = self.heads.len();
        for &close in ground.free.closes(node, ground.trie.subtree_end(node)) {
            self.stack.truncate(mark);
            self.heads.truncate(heads);
            let level = self.step_one(automaton, head, b'"');
            let depth = ground.trie.depth(close);
            if self.levels.len() < depth {
                self.levels.resize(depth, (Level::Dead, mark, heads as u32));
            }
            self.put(depth, level);
            if self.record(automaton, ground, close, level) {
                self.below(automaton, ground, close, level);
            }
        }
        self.stack.truncate(mark);
        self.heads.truncate(heads);
        // The caller goes on beside this subtree, from the level of the node or above.
        self.levels.truncate(ground.trie.depth(node) + 1);
    }
}

/// The head is in free text and its countdowns cannot interfere within `height` more bytes: either the minimum is reached
/// and the maximum is far, or both are far (then nothing below closes).
fn reads_all(automaton: &Automaton, head: Head, height: u32) -> bool {
    let far = |count: u32| count == UNBOUNDED || count >= height;
    match automaton.derived.free(head.state) {
        Free::No => false,
        Free::Plain => true,
        Free::Counted => (head.a == 0 && far(head.b)) || head.a > height,
    }
}

/// Most first bytes lead into free text: the row is best told as a difference from the free row.
fn mostly_free(automaton: &Automaton, stack: &mut Stack, start: Head) -> bool {
    if start.is_returned()
        || automaton.states[start.state.index()].kind != StateKind::Text
        || start.esc != 0
        || !(0x61..=0x7A).any(|b| {
            automaton
                .edges(start.state)
                .iter()
                .any(|e| e.lo <= b && b <= e.hi)
        })
    {
        return false;
    }
    let enough = |head: &Head| match automaton.derived.free(head.state) {
        Free::No => false,
        Free::Plain => true,
        Free::Counted => head.a.saturating_add(head.b) >= 6,
    };
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
