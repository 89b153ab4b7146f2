//! A walk that groups tokens by the text that remains to be written after them.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::level::{Level, LevelKind, Number};
use super::{VocabularyTables, Walker, has_children};
use crate::automaton::{Automaton, UNBOUNDED};
use crate::mask::table::Link;
use crate::step::{BOTTOM, Head, Mark, Stack, can_finish, describe_since};
use crate::trie::NodeId;

/// A group of tokens of a base or tail, after which the same text remains to be written.
#[derive(Debug)]
pub(crate) struct Alike {
    pub(crate) tokens: Vec<u32>,
    /// Whether the group also contains all tokens of free text that end between two characters, before those of `tokens`.
    pub(crate) has_whole: bool,
    /// The number of tokens of the cheapest completion of the frame after any token of the group.
    pub(crate) cost: u32,
}

/// The groups of a base or tail, and its exits.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    pub(crate) groups: Vec<Alike>,
    pub(crate) exits: Vec<NodeId>,
}

/// The content of a head and of the frames below it.
type Content = SmallVec<[u32; 12]>;

/// The numbers of the groups that a walk has made.
#[derive(Default)]
struct Numbers {
    /// For single heads that are the starting frame and have no key set, by the head.
    plain: FxHashMap<Head, u32>,
    by_content: FxHashMap<Content, u32>,
}

/// Marks a level whose group is not determined yet.
pub(super) const NEW: u32 = u32::MAX;

/// The groups of a walk, as they are collected.
pub(super) struct Grouping<'a> {
    pub(super) automaton: &'a Automaton,
    pub(super) vocabulary: VocabularyTables<'a>,
    cost: &'a mut dyn FnMut(&Stack, &[Head]) -> u32,
    pub(super) found: Groups,
    numbers: Numbers,
    /// The stack at the start of the walk.
    start: Mark,
    /// For each depth in the trie: the number of the level's group, or [`NEW`].
    pub(super) known: Vec<u32>,
}

/// The beginning of a walk inside text of bounded length.
struct CountedText {
    head: Head,
    level: Level,
}

impl CountedText {
    /// Returns the level after `characters` characters, if there is room for them. It differs from the first level only
    /// in the countdown.
    fn after(&self, characters: u32) -> Option<Level> {
        let Self { head, level } = *self;
        let left = if head.b == UNBOUNDED { Some(UNBOUNDED) } else { head.b.checked_sub(characters) };
        left.map(|b| level.with(Head { b, ..head }, level.table))
    }
}

impl Grouping<'_> {
    /// Maps a head in text of bounded length to a head with less room, if the cost of completion stays the same: the text is completed only
    /// by tokens that close it, and these have few characters before the quote.
    fn far_from_full(&self, head: Head) -> Head {
        if !super::free::is_counted_text(self.automaton, head) || head.a > 0 {
            return head;
        }
        Head { b: head.b.min(self.vocabulary.free.longest_close()), ..head }
    }
}

impl Walker {
    /// Walks below each of the given trie nodes, beginning with `start` at each node, and groups the tokens by the text that remains to be
    /// written after them. Calls `cost` once for each group.
    pub(crate) fn groups(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        nodes: &[NodeId],
        start: Head,
        mut cost: impl FnMut(&Stack, &[Head]) -> u32,
    ) -> Groups {
        let mut grouping = self.begin_groups(automaton, vocabulary, &mut cost);
        let mark = self.stack.mark();
        for &node in nodes {
            let table = self.table_for(automaton, &start);
            let depth = vocabulary.trie.depth(node);
            self.levels.set(depth, Level::of(start, table, mark));
            grouping.known[depth] = NEW;
            self.group_below(&mut grouping, node);
        }
        self.known_steps.forget();
        self.stack.truncate(mark);
        if can_finish(automaton, &self.stack, start) {
            self.found.exits.extend_from_slice(nodes);
        }
        let mut found = grouping.found;
        found.exits = std::mem::take(&mut self.found.exits);
        found.exits.sort_unstable();
        found.exits.dedup();
        found
    }

    /// Walks the whole trie from several heads together, whose stacks are in `self.stack`, and groups the tokens by the text that remains
    /// to be written after them. Calls `cost` once for each group.
    pub(crate) fn groups_of_all(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        heads: &[Head],
        mut cost: impl FnMut(&Stack, &[Head]) -> u32,
    ) -> Vec<Alike> {
        let mut grouping = self.begin_groups(automaton, vocabulary, &mut cost);
        self.heads.extend_from_slice(heads);
        let last = heads.len() as u32;
        let level = self.level_of(automaton, LevelKind::Many(0, last), Number::NONE);
        self.levels.set(0, level);
        self.group_below(&mut grouping, NodeId::ROOT);
        self.found.exits.clear();
        self.known_steps.forget();
        grouping.found.groups
    }

    pub(super) fn begin_groups<'g>(
        &mut self,
        automaton: &'g Automaton,
        vocabulary: VocabularyTables<'g>,
        cost: &'g mut dyn FnMut(&Stack, &[Head]) -> u32,
    ) -> Grouping<'g> {
        self.begin();
        self.known_steps.allow();
        self.heads.clear();
        let longest = vocabulary.trie.max_depth();
        self.levels.make_room(longest);
        let (found, numbers) = (Groups::default(), Numbers::default());
        Grouping {
            automaton,
            vocabulary,
            cost,
            found,
            numbers,
            start: self.stack.mark(),
            known: vec![NEW; longest + 1],
        }
    }

    /// Visits the subtree below a node; `levels` has the heads at the node.
    pub(super) fn group_below(&mut self, grouping: &mut Grouping<'_>, top: NodeId) {
        let VocabularyTables { trie, .. } = grouping.vocabulary;
        if self.group_free(grouping, top) || self.group_counted(grouping, top) {
            return;
        }
        let (mut node, end) = (NodeId(top.0 + 1), trie.subtree_end(top));
        while node < end {
            let depth = trie.depth(node);
            if !self.enter(grouping.automaton, depth, trie.byte(node)) {
                node = trie.subtree_end(node);
                continue;
            }
            // In loops, a byte often leads to the same head.
            let same = self.level(depth).kind.is_same(&self.level(depth - 1).kind);
            grouping.known[depth] = if same { grouping.known[depth - 1] } else { NEW };
            let below = self.group_at(grouping, node);
            let skip = !below || self.group_free(grouping, node);
            node = if skip { trie.subtree_end(node) } else { NodeId(node.0 + 1) };
        }
    }

    /// Adds the tokens at a node to the group of its level, and the node to the exits if the starting frame can return there. Returns
    /// whether some head continues.
    pub(super) fn group_at(&mut self, grouping: &mut Grouping<'_>, node: NodeId) -> bool {
        let tokens = grouping.vocabulary.trie.tokens(node);
        let depth = grouping.vocabulary.trie.depth(node);
        if !tokens.is_empty() {
            let group = self.group_of(grouping, depth);
            group.extend(tokens.iter().map(|token| token.0));
        }
        let (finished, reads) = self.outlook_of(grouping.automaton, &self.level(depth));
        if finished && has_children(grouping.vocabulary, node) {
            self.found.exits.push(node);
        }
        reads
    }

    /// Returns the tokens of the group of the level at a depth, and makes the group if it is new.
    fn group_of<'g>(&self, grouping: &'g mut Grouping<'_>, depth: usize) -> &'g mut Vec<u32> {
        let level = &self.level(depth);
        if grouping.known[depth] == NEW {
            grouping.known[depth] = self.number(grouping, level);
        }
        let number = grouping.known[depth] as usize;
        let groups = &mut grouping.found.groups;
        if number == groups.len() {
            let cost = (grouping.cost)(&self.stack, level.kind.heads(&self.heads));
            groups.push(Alike { tokens: Vec::new(), has_whole: false, cost });
        }
        &mut groups[number].tokens
    }

    /// Takes the tokens below a node from the vocabulary's free text. Returns `false` if the head at the node does not read unlimited free
    /// text.
    pub(super) fn group_free(&mut self, grouping: &mut Grouping<'_>, node: NodeId) -> bool {
        let (automaton, vocabulary) = (grouping.automaton, grouping.vocabulary);
        let VocabularyTables { trie, free, .. } = vocabulary;
        let (depth, end) = (trie.depth(node), trie.subtree_end(node));
        let level = self.level(depth);
        let LevelKind::One(head) = level.kind else { return false };
        if !super::free::applies(automaton, vocabulary, node, head) || !automaton.derived.is_free(head.state) {
            return false;
        }
        let _ = self.group_of(grouping, depth);
        let group = &mut grouping.found.groups[grouping.known[depth] as usize];
        if node == NodeId::ROOT && group.tokens.is_empty() {
            group.has_whole = true;
        } else {
            let below = trie.tokens_between(NodeId(node.0 + 1), end).iter().map(|token| token.0);
            group.tokens.extend(below.filter(|&token| free.is_whole(token)));
        }
        let mut groups: FxHashMap<u32, Option<u32>> = FxHashMap::default();
        for (at, _, rest) in free.unfinished(node, end) {
            let after = || self.group_after(grouping, level, depth, free.rest(rest));
            let group = *groups.entry(rest).or_insert_with(after);
            let tokens = trie.tokens(at).iter().map(|token| token.0);
            if let Some(group) = group.and_then(|group| grouping.found.groups.get_mut(group as usize)) {
                group.tokens.extend(tokens);
            }
        }
        // If no token closes the text, the node may be at the greatest depth, which has no level below.
        let closes = free.closes(node, end);
        if !closes.is_empty() && self.enter_slowly(automaton, level, depth + 1, b'"') {
            let closed = self.level(depth + 1);
            grouping.known[depth + 1] = NEW;
            let _ = self.group_of(grouping, depth + 1);
            let group = grouping.known[depth + 1];
            for &close in closes {
                self.levels.set(trie.depth(close), closed);
                grouping.known[trie.depth(close)] = group;
                if self.group_at(grouping, close) {
                    self.group_below(grouping, close);
                }
            }
        }
        true
    }

    /// If the walk begins in text of bounded length whose minimum is reached, takes all tokens from the vocabulary's free text. Otherwise
    /// does nothing and returns `false`.
    fn group_counted(&mut self, grouping: &mut Grouping<'_>, node: NodeId) -> bool {
        let level = self.level(0);
        let LevelKind::One(head) = level.kind else { return false };
        if node != NodeId::ROOT || !super::free::is_counted_text(grouping.automaton, head) || head.a > 0 {
            return false;
        }
        let text = CountedText { head, level };
        self.group_whole_counted(grouping, &text);
        self.group_unfinished_counted(grouping, &text);
        self.group_closed_counted(grouping, &text);
        true
    }

    /// Groups the tokens that consist of whole characters of a counted text, by the number of characters.
    fn group_whole_counted(&mut self, grouping: &mut Grouping<'_>, text: &CountedText) {
        for (length, tokens) in grouping.vocabulary.free.whole_by_length() {
            // Lengths ascend.
            let Some(level) = text.after(length) else { return };
            self.levels.set(0, level);
            grouping.known[0] = NEW;
            self.group_of(grouping, 0).extend_from_slice(tokens);
        }
    }

    /// Groups the tokens that end inside a character of a counted text, by the number of whole characters and the bytes
    /// of the unfinished one.
    fn group_unfinished_counted(&mut self, grouping: &mut Grouping<'_>, text: &CountedText) {
        let VocabularyTables { trie, free, .. } = grouping.vocabulary;
        let mut by_rest: FxHashMap<(u32, u32), Option<u32>> = FxHashMap::default();
        for (at, characters, rest) in free.unfinished(NodeId::ROOT, NodeId(trie.len() as u32)) {
            let Some(level) = text.after(characters) else { continue };
            let after = || self.group_after(grouping, level, 0, free.rest(rest));
            let group = *by_rest.entry((characters, rest)).or_insert_with(after);
            let tokens = trie.tokens(at).iter().map(|token| token.0);
            if let Some(group) = group.and_then(|group| grouping.found.groups.get_mut(group as usize)) {
                group.tokens.extend(tokens);
            }
        }
    }

    /// Groups the tokens that close a counted text, by what they read after the quote.
    fn group_closed_counted(&mut self, grouping: &mut Grouping<'_>, text: &CountedText) {
        let VocabularyTables { trie, free, .. } = grouping.vocabulary;
        for (close, length) in free.closes_with_lengths() {
            let Some(level) = text.after(length) else { continue };
            let depth = trie.depth(close);
            if self.enter_slowly(grouping.automaton, level, depth, b'"') {
                grouping.known[depth] = NEW;
                if self.group_at(grouping, close) {
                    self.group_below(grouping, close);
                }
            }
        }
    }

    /// Returns the number of the group after reading `bytes` from a level; `None` if they are refused.
    fn group_after(&mut self, grouping: &mut Grouping<'_>, level: Level, depth: usize, bytes: &[u8]) -> Option<u32> {
        // The levels reach this deep, as some token continues with these bytes.
        for (&byte, below) in bytes.iter().zip(depth + 1..) {
            let above = if below == depth + 1 { level } else { self.level(below - 1) };
            if !self.enter_slowly(grouping.automaton, above, below, byte) {
                return None;
            }
        }
        let last = depth + bytes.len();
        grouping.known[last] = NEW;
        let _ = self.group_of(grouping, last);
        Some(grouping.known[last])
    }

    /// Returns whether the starting frame can return here, and whether some head can continue.
    pub(super) fn outlook_of(&self, automaton: &Automaton, level: &Level) -> (bool, bool) {
        match level.kind {
            LevelKind::One(head) if level.table != Link::NONE => {
                (level.table.accepts() && can_finish(automaton, &self.stack, head), true)
            }
            _ => self.outlook_at(automaton, level),
        }
    }

    /// Returns the number of the level's group; the next free number if the group is new.
    pub(super) fn number(&self, grouping: &mut Grouping<'_>, level: &Level) -> u32 {
        let next = (grouping.numbers.plain.len() + grouping.numbers.by_content.len()) as u32;
        match level.kind {
            LevelKind::One(head) if head.parent == BOTTOM && self.stack.set(head.memory).is_none() => {
                let head = grouping.far_from_full(head);
                *grouping.numbers.plain.entry(head).or_insert(next)
            }
            kind => {
                let mut content = Content::new();
                let describe = |head| describe_since(&self.stack, grouping.start, head, &mut content);
                kind.heads(&self.heads).iter().for_each(describe);
                *grouping.numbers.by_content.entry(content).or_insert(next)
            }
        }
    }
}
