//! The walk: steps one head along the token trie, in preorder, and collects the tokens that the head reads, and its exits.
//!
//! If a byte is refused, the walk skips the subtree below it. Three more things make the walk fast: steps by one edge are looked up in a
//! table ([`super::table`]); subtrees of free text are taken from the vocabulary's [`FreeText`](super::free::FreeText) without being
//! visited ([`free`]); and in states that read mostly free text (the key of an open object), only the *difference* from the free row is
//! collected. Tokens are taken by ranges of nodes, not node by node.
//!
//! # Difference walks
//!
//! The key of an open object may be nearly any text: most tokens of the vocabulary are allowed, and nearly the same tokens in every state
//! of the key. Collecting and sorting them for each state would cost more than the walk. So the walk assumes the free row and records the
//! differences: `add_read` adds tokens that are read but not in the free row (such as tokens that close the string and continue),
//! `remove_refused` removes tokens of the free row that are not read (such as tokens that repeat a declared key). Subtrees in which the
//! state is free text again have no differences, and are skipped.

mod costed;
mod costed_beside;
mod counted;
mod counted_beside;
mod free;
mod known_steps;
mod level;
mod patch;
mod stepping;
mod unknown;

use rustc_hash::FxHashMap;

use super::effort::Effort;
use super::reference::References;
use super::row::SPARSE;
use super::table::{Link, Tables};
use super::vocabulary_tables::VocabularyTables;
use crate::automaton::{Automaton, ByteSet, StateId, UNBOUNDED};
use crate::step::{Head, Scratch, Stack, can_finish, merge};
use crate::trie::{NodeId, TokenTrie};
use crate::watch;
pub(crate) use costed::{Alike, Groups};
pub(crate) use costed_beside::GroupsBeside;
use counted::KnownNeeds;
pub(crate) use counted::NeedsOfTokens;
use known_steps::KnownSteps;
use level::{Level, LevelKind, Levels, Number};
pub(crate) use patch::Ranges;
use stepping::IN_ESCAPES;
pub(crate) use unknown::FoundByWay;

/// The tokens and exits that a walk found.
#[derive(Debug, Default)]
pub(crate) struct WalkFound {
    /// The tokens found; in a difference walk, only those that the free row lacks. Ascending, unless there are more than [`SPARSE`] and it
    /// is not a difference walk.
    pub(crate) tokens: Vec<u32>,
    /// In a difference walk: the tokens of the free row that are not allowed.
    pub(crate) removed: Vec<u32>,
    pub(crate) exits: Vec<NodeId>,
    /// Whether the tokens are a difference from the free row.
    pub(crate) difference: bool,
}

/// Cap on the work of all walks for one mask that is computed on demand: some seconds.
pub(crate) const MASK_WORK: u64 = 1 << 30;

/// Work that each walk reports to the thread's watch at its beginning, for its steps by table: about a millisecond.
const WALK: usize = 4_096;

/// The buffers of walks over one automaton; keeps transition tables between walks.
#[derive(Debug, Default)]
pub(crate) struct Walker {
    pub(crate) stack: Stack,
    scratch: Scratch,
    /// The heads by depth in the trie.
    levels: Levels,
    /// The nodes at which the walk adds the starting head.
    starts: Starts,
    heads: Vec<Head>,
    out: Vec<Head>,
    tables: Tables,
    known_steps: KnownSteps,
    found: WalkFound,
    /// The work of the walk so far.
    effort: Effort,
    /// The work that all walks for this mask may still take; `None` for no limit.
    left: Option<u64>,
    /// Cap on the work of one walk, and of one part of a build; `None` for no limit.
    limit: Option<u64>,
    /// The needs of the most recently used states, the latest last.
    known_needs: Vec<KnownNeeds>,
    /// For each state with which other states were compared: whether its tokens have needs.
    has_needs: FxHashMap<StateId, bool>,
    /// The bases by ways from which other bases of the format were computed.
    pub(super) references: References,
    /// The work of all rows that this part of a build has requested. It includes rows that the store already had, so that it is the same in
    /// every run.
    spent: u64,
}

impl Walker {
    /// Makes a walker with a cap on the work of a walk. A walk beyond it fails, as if the format were too ambiguous.
    pub(crate) fn limited(work: u64) -> Self {
        Self { limit: Some(work), ..Self::default() }
    }

    /// Begins a mask, whose walks together may take [`MASK_WORK`].
    pub(crate) fn begin_mask(&mut self) {
        self.effort = Effort::default();
        self.left = Some(MASK_WORK);
    }

    /// Returns the approximate bytes that the walker takes between walks.
    pub(super) fn bytes(&self) -> usize {
        let heads = self.heads.capacity() + self.out.capacity();
        size_of::<Self>() + self.stack.bytes() + self.levels.bytes() + heads * size_of::<Head>() + self.tables.bytes()
    }

    /// Begins a walk.
    fn begin(&mut self) {
        self.left = self.left.map(|left| left.saturating_sub(self.effort.work));
        self.found = WalkFound::default();
        self.effort = Effort::default();
        self.tables.shrink();
        self.known_steps.forget();
        if watch::spend(WALK) {
            self.stack.overflow();
        }
    }

    /// Returns the effort of the walk, including the work of writing its result.
    pub(crate) fn effort(&self, found: &WalkFound) -> Effort {
        let mut effort = self.effort;
        effort.work(found.tokens.len() + found.removed.len() + found.exits.len());
        effort
    }

    /// Returns the effort of the walk, without adding the work of writing its result.
    pub(super) fn effort_so_far(&self) -> Effort {
        self.effort
    }

    /// Adds the work of a row to the work of the part. Work beyond the limit counts as the limit, as the walk stopped there.
    pub(crate) fn spend(&mut self, effort: Effort) {
        self.spent += effort.work.min(self.limit.unwrap_or(u64::MAX));
    }

    /// Begins a part of a build, on which nothing is spent yet.
    pub(crate) fn begin_part(&mut self) {
        self.spent = 0;
    }

    /// Returns the work of all rows that this part has requested.
    pub(crate) fn spent(&self) -> u64 {
        self.spent
    }

    /// Resets the work of the part to `spent`.
    pub(crate) fn set_spent(&mut self, spent: u64) {
        self.spent = spent;
    }

    /// Returns whether the part has reached the cap on its work.
    pub(crate) fn is_spent(&self) -> bool {
        self.limit.is_some_and(|limit| self.spent >= limit)
    }

    /// Returns whether this much work is within the cap for one row.
    pub(crate) fn affords(&self, effort: Effort) -> bool {
        self.limit.is_none_or(|limit| effort.work <= limit)
    }

    /// Walks the whole trie from `start`, for tokens and exits. `start.parent` must be the bottom; its key set, if any,
    /// must be in `self.stack`.
    pub(crate) fn base(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        start: Head,
    ) -> &mut WalkFound {
        self.begin();
        self.known_steps.allow();
        if free::is_counted_text(automaton, start) {
            self.counted_text(vocabulary, start);
        } else {
            self.found.difference = free::mostly_free(automaton, &mut self.stack, start);
            self.walk(automaton, vocabulary, NodeId::ROOT, start);
        }
        if can_finish(automaton, &self.stack, start) {
            self.found.exits.push(NodeId::ROOT);
        }
        self.finish()
    }

    /// Walks below each of the given trie nodes, which ascend, beginning with `start` at each node; collects tokens and exits.
    ///
    /// If one node lies below another, one walk serves both: at the lower node, `start` joins the heads that reach it.
    pub(crate) fn tail(
        &mut self,
        automaton: &Automaton,
        vocabulary: VocabularyTables<'_>,
        nodes: &[NodeId],
        start: Head,
    ) -> &mut WalkFound {
        self.begin();
        self.known_steps.allow();
        self.starts = Starts { head: start, nodes: nodes.to_vec(), entered: vec![false; nodes.len()], next: 0 };
        for (at, &node) in nodes.iter().enumerate() {
            if !self.starts.entered[at] {
                self.starts.next = at + 1;
                self.walk(automaton, vocabulary, node, start);
            }
        }
        self.starts.nodes.clear();
        if can_finish(automaton, &self.stack, start) {
            self.found.exits.extend_from_slice(nodes);
        }
        self.finish()
    }

    fn finish(&mut self) -> &mut WalkFound {
        self.known_steps.forget();
        let found = &mut self.found;
        // More tokens become bits, which need no sorting.
        if found.difference || found.tokens.len() <= SPARSE {
            for tokens in [&mut found.tokens, &mut found.removed] {
                tokens.sort_unstable();
                tokens.dedup();
            }
        }
        found.exits.sort_unstable();
        found.exits.dedup();
        found
    }

    fn walk(&mut self, automaton: &Automaton, vocabulary: VocabularyTables<'_>, from: NodeId, start: Head) {
        self.levels.make_room(vocabulary.trie.max_depth());
        let mark = self.stack.mark();
        self.rewind(mark, 0);
        let table = self.table_for(automaton, &start);
        self.levels.set(vocabulary.trie.depth(from), Level::of(start, table, mark));
        self.below(automaton, vocabulary, from);
        self.rewind(mark, 0);
    }

    /// Visits the subtree below a node; `levels` has the heads at the node.
    fn below(&mut self, automaton: &Automaton, vocabulary: VocabularyTables<'_>, top: NodeId) {
        let trie = vocabulary.trie;
        let end = trie.subtree_end(top);
        if self.skip_free(automaton, vocabulary, top) {
            return;
        }
        // Preorder: the next node is the first child, or the node after the subtree if nothing below is visited. The level of a node's
        // parent is at the depth above; a sibling overwrites the level of the sibling before it.
        let mut node = self.first_live(trie, top);
        let skipped = node.min(end);
        self.remove_refused(vocabulary, NodeId(top.0 + 1), skipped);
        // The nodes from `run` up to the current node have been read. Their tokens are contiguous in the trie, and are added together when
        // a node is refused or skipped.
        let mut run = node;
        while node.0 < end.0 {
            let depth = trie.depth(node);
            self.effort.work += 1;
            let is_read = self.enter(automaton, depth, trie.byte(node));
            if self.starts.is_at(node) {
                self.add_start(automaton, depth, is_read);
                if !is_read {
                    self.add_read(vocabulary, run, node);
                    run = NodeId(node.0 + 1);
                }
            } else if !is_read {
                self.add_read(vocabulary, run, node);
                let skipped = self.next_live(trie, node, depth);
                self.remove_refused(vocabulary, node, skipped);
                (node, run) = (skipped, skipped);
                continue;
            }
            let below = NodeId(node.0 + 1);
            if self.levels.is_own(depth) {
                self.forget_far_end(automaton, vocabulary, node, depth);
            }
            if self.goes_on(automaton, vocabulary, node, depth) {
                node = below;
                continue;
            }
            let skipped = trie.subtree_end(node);
            self.add_read(vocabulary, run, below);
            if !self.skip_free(automaton, vocabulary, node) {
                self.remove_refused(vocabulary, below, skipped);
            }
            (node, run) = (skipped, skipped);
        }
        self.add_read(vocabulary, run, end);
    }

    /// Returns the first child of a node; for the root, the first child that its heads may read.
    fn first_live(&self, trie: &TokenTrie, node: NodeId) -> NodeId {
        if node == NodeId::ROOT { trie.first_below_root(0, &self.live_at_root()) } else { NodeId(node.0 + 1) }
    }

    /// Returns the node after the subtree of a refused node; after a child of the root, the next child that may be
    /// read.
    #[inline]
    fn next_live(&self, trie: &TokenTrie, node: NodeId, depth: usize) -> NodeId {
        if depth > 1 {
            return trie.subtree_end(node);
        }
        trie.first_below_root(usize::from(trie.byte(node)) + 1, &self.live_at_root())
    }

    /// Returns the bytes that the heads at the root may read.
    fn live_at_root(&self) -> ByteSet {
        let level = self.level(0);
        match level.kind {
            _ if level.table != Link::NONE => self.tables.get(level.table).live,
            LevelKind::One(head) if head.esc != 0 => IN_ESCAPES,
            _ => [u64::MAX; 4],
        }
    }

    /// Adds the starting head to the heads at a depth. `is_read` is true if there are others.
    fn add_start(&mut self, automaton: &Automaton, depth: usize, is_read: bool) {
        let start = self.starts.head;
        if !is_read {
            let above = self.level(depth - 1);
            self.rewind(above.mark, above.heads);
            let table = self.table_for(automaton, &start);
            self.levels.set(depth, above.with(start, table));
            return;
        }
        let level = self.level(depth);
        if level.kind.heads(&self.heads).contains(&start) {
            return;
        }
        self.out.clear();
        self.out.extend_from_slice(level.kind.heads(&self.heads));
        self.out.push(start);
        merge(automaton, &mut self.stack, &mut self.out);
        let kind = self.collect();
        let level = self.level_of(automaton, kind, Number::NONE);
        self.levels.set(depth, level);
    }

    /// Records an exit at a node, if the starting frame can return there and tokens continue. Returns whether to visit the node's subtree:
    /// not if no head continues, or if the subtree is free text.
    fn goes_on(&mut self, automaton: &Automaton, vocabulary: VocabularyTables<'_>, node: NodeId, depth: usize) -> bool {
        let table = self.levels.plain(depth).table;
        if table != Link::NONE && !table.accepts() && !table.may_be_free() {
            return true;
        }
        let level = self.level(depth);
        if let LevelKind::One(head) = level.kind
            && table != Link::NONE
        {
            if table.accepts() && has_children(vocabulary, node) && can_finish(automaton, &self.stack, head) {
                self.found.exits.push(node);
            }
            return !(table.may_be_free() && free::applies(automaton, vocabulary, node, head));
        }
        let (finished, reads) = self.outlook_at(automaton, &level);
        if finished && has_children(vocabulary, node) {
            self.found.exits.push(node);
        }
        match level.kind {
            LevelKind::One(head) => reads && !free::applies(automaton, vocabulary, node, head),
            LevelKind::Many(..) | LevelKind::Dead => reads,
        }
    }

    /// Returns the outlook of a level (see [`Walker::outlook`]); looks it up if the level's configuration is numbered.
    fn outlook_at(&self, automaton: &Automaton, level: &Level) -> (bool, bool) {
        if level.number == Number::NONE {
            return self.outlook(automaton, level.kind);
        }
        let known = self.known_steps.get(level.number);
        (known.finished, known.reads)
    }

    /// Returns whether some head of the level can return from the starting frame, and whether some head can continue.
    fn outlook(&self, automaton: &Automaton, kind: LevelKind) -> (bool, bool) {
        let heads = kind.heads(&self.heads);
        let finished = heads.iter().any(|&head| can_finish(automaton, &self.stack, head));
        (finished, heads.iter().any(|head| !head.is_returned()))
    }

    /// Returns the level at a depth.
    #[inline]
    fn level(&self, depth: usize) -> Level {
        self.levels.get(&self.tables, depth)
    }

    /// Makes the countdown of the single head at a node endless, if no token below is long enough to reach its end.
    #[inline]
    fn forget_far_end(&mut self, automaton: &Automaton, vocabulary: VocabularyTables<'_>, node: NodeId, depth: usize) {
        let level = self.level(depth);
        let LevelKind::One(mut head) = level.kind else { return };
        if head.a > 0 || head.b == UNBOUNDED || head.b == 0 || head.is_returned() {
            return;
        }
        let threshold = automaton.derived.threshold(automaton.states[head.state.index()].rule);
        if head.b >= threshold.saturating_add(u32::from(vocabulary.heights[node.0 as usize])) {
            head.b = UNBOUNDED;
            let table = self.table_for(automaton, &head);
            self.levels.set(depth, level.with(head, table));
        }
    }

    /// Adds the tokens at the nodes `from..to`, which were read.
    fn add_read(&mut self, vocabulary: VocabularyTables<'_>, from: NodeId, to: NodeId) {
        if self.found.difference {
            self.add_read_difference(vocabulary, from, to);
        } else {
            let tokens = vocabulary.trie.tokens_between(from, to).iter().map(|token| token.0);
            self.found.tokens.extend(tokens);
        }
    }

    /// Adds the tokens that the free row lacks. A token that is read by its marker is added even if the free row has it, as the walk may
    /// remove its text elsewhere.
    fn add_read_difference(&mut self, vocabulary: VocabularyTables<'_>, from: NodeId, to: NodeId) {
        let markers = vocabulary.trie.markers();
        let texts = vocabulary.trie.tokens_between(from.min(markers), to.min(markers)).iter().map(|token| token.0);
        self.found.tokens.extend(texts.filter(|&token| !vocabulary.free.has(token)));
        let named = vocabulary.trie.tokens_between(from.max(markers), to.max(markers));
        self.found.tokens.extend(named.iter().map(|token| token.0));
    }

    /// In a difference walk, removes the tokens at the refused nodes `from..to` from the free row; does nothing in other walks. Refused
    /// markers remove nothing, as the token's text may be read.
    fn remove_refused(&mut self, vocabulary: VocabularyTables<'_>, from: NodeId, to: NodeId) {
        if self.found.difference {
            let markers = vocabulary.trie.markers();
            let texts = vocabulary.trie.tokens_between(from.min(markers), to.min(markers));
            let tokens = texts.iter().map(|token| token.0);
            self.found.removed.extend(tokens.filter(|&token| vocabulary.free.has(token)));
        }
    }
}

/// The nodes at which a walk adds the starting head to the heads that reach the node.
#[derive(Debug)]
struct Starts {
    head: Head,
    /// The nodes, which ascend.
    nodes: Vec<NodeId>,
    /// For each node: whether its subtree was walked with the head.
    entered: Vec<bool>,
    /// The first node that the walk has not passed.
    next: usize,
}

impl Default for Starts {
    fn default() -> Self {
        Self { head: Head::RETURNED, nodes: Vec::new(), entered: Vec::new(), next: 0 }
    }
}

impl Starts {
    /// Moves to a node of the trie; returns whether the starting head must be added there.
    #[inline]
    fn is_at(&mut self, node: NodeId) -> bool {
        while self.nodes.get(self.next).is_some_and(|start| *start < node) {
            self.next += 1;
        }
        if self.nodes.get(self.next) != Some(&node) {
            return false;
        }
        self.next += 1;
        !std::mem::replace(&mut self.entered[self.next - 1], true)
    }
}

fn has_children(vocabulary: VocabularyTables<'_>, node: NodeId) -> bool {
    vocabulary.trie.subtree_end(node).0 > node.0 + 1
}
