//! The store: keeps bases and tails for one vocabulary, for all formats and matchers of a process. [`super::compute`] computes them at
//! first use.

mod formats;
mod holdings;
mod interner;
mod memo;
mod shards;
mod used_table;
mod walkers;

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::build_time::BuildTime;
use super::classes::StateKey;
use super::effort::Effort;
use super::exit_set::ExitSet;
use super::free::FreeText;
use super::part::{Base, CostGroup, Costed, Tail};
use super::row::Row;
use super::separators::Separators;
use super::vocabulary_tables::{LOOKAHEAD, VocabularyTables};
use super::walk::Walker;
use crate::automaton::{Automaton, BuildError, ByteSet, Escapes};
use crate::completion::Completions;
use crate::container::LoadError;
use crate::trie::{NodeId, TokenTrie};
use crate::vocabulary::Vocabulary;
use formats::CompletionsOfFormats;
pub(super) use holdings::{AfterKey, NeedsKey};
use memo::Memo;
use walkers::Walkers;

/// Counts of a store's content.
///
/// ```
#[doc = include_str!("../example.md")]
/// matcher.mask()?;
/// assert_eq!(store.stats().bases, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreStats {
    /// Classes of heads with a base.
    pub bases: usize,
    /// Pairs of exits and classes of return frames with a tail.
    pub tails: usize,
    /// Distinct rows.
    pub rows: usize,
    /// Bytes of the distinct rows.
    pub row_bytes: usize,
    /// Bytes of everything that is kept: rows, exits, table entries, and completions for budgets.
    pub bytes: usize,
    /// Entries that were evicted.
    pub evicted: u64,
}

/// Computes and keeps rows for one vocabulary; shared by all formats, and thread-safe. It grows as matchers need new bases and tails, up to
/// a limit in bytes; beyond it, the least recently used entries are evicted.
///
/// Masks do not depend on the limit: evicted entries are computed again. A mask keeps its rows alive even if they are evicted.
///
/// ```
#[doc = include_str!("../example.md")]
/// let mut other = Matcher::new(format, Arc::clone(&store));
/// matcher.mask()?;
/// other.mask()?; // found, not computed
/// assert_eq!(store.stats().bases, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MaskStore {
    vocabulary: Arc<Vocabulary>,
    trie: TokenTrie,
    /// For each trie node: the length in bytes of the longest continuation of a token below it.
    heights: Box<[u16]>,
    /// For each trie node: the length in bytes of the longest text on which states must agree so that they read the same continuations.
    reaches: Box<[u16]>,
    /// For each trie node: a set of bits, one for the lowest six bits of each child's byte.
    children: Box<[u64]>,
    /// The free text for [`Escapes::Any`] and [`Escapes::Canonical`].
    free: [OnceLock<Result<FreeText, BuildError>>; 2],
    memo: RwLock<Memo>,
    completions: Mutex<CompletionsOfFormats>,
    walkers: Walkers,
    /// Computed at first use, for formats with arrays without duplicate items.
    separators: OnceLock<Separators>,
}

/// Splits a limit in bytes: three quarters for the memo, a quarter for completions.
fn parts(limit: usize) -> (usize, usize) {
    (limit - limit / 4, limit / 4)
}

/// Prevents evictions while a pack is built.
#[derive(Debug)]
pub(super) struct BuildGuard<'a>(&'a MaskStore);

impl Drop for BuildGuard<'_> {
    fn drop(&mut self) {
        self.0.write().end_build();
    }
}

impl MaskStore {
    /// The default limit of a store: 256 MiB, enough for the entries of about seven thousand JSON Schemas.
    ///
    /// ```
    /// assert_eq!(ogc_runtime::mask::MaskStore::DEFAULT_LIMIT, 256 << 20);
    /// ```
    pub const DEFAULT_LIMIT: usize = 256 << 20;

    /// Builds the token trie, and makes an empty store with the [default limit](Self::DEFAULT_LIMIT).
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(store.stats().rows, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(vocabulary: Arc<Vocabulary>) -> Arc<Self> {
        Self::with_limit(vocabulary, Some(Self::DEFAULT_LIMIT))
    }

    /// Makes an empty store that keeps at most `limit` bytes; `None` for no limit. The tables of the vocabulary (the token trie and free
    /// text) do not count; a quarter of the limit is reserved for completions for budgets.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// let small = MaskStore::with_limit(vocabulary, Some(0));
    /// let mut matcher = Matcher::new(format, Arc::clone(&small));
    /// assert_eq!(matcher.mask()?.tokens(), [TokenId(0), TokenId(2)]);
    /// assert_eq!(small.stats().bytes, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_limit(vocabulary: Arc<Vocabulary>, limit: Option<usize>) -> Arc<Self> {
        let trie = TokenTrie::new(&vocabulary);
        let (heights, children) = (heights(&trie), children(&trie));
        let reaches = reaches(&trie, &heights);
        let (of_memo, of_completions) = limit.map(parts).unzip();
        let memo = RwLock::new(Memo::new(of_memo));
        let completions = Mutex::new(CompletionsOfFormats::new(of_completions));
        Arc::new(Self {
            vocabulary,
            trie,
            heights,
            reaches,
            children,
            free: Default::default(),
            memo,
            completions,
            walkers: Walkers::default(),
            separators: OnceLock::new(),
        })
    }

    /// Sets the limit in bytes, and evicts entries beyond it. If the store had no limit, its present entries stay.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// matcher.mask()?;
    /// store.set_limit(0);
    /// assert_eq!(store.stats().bytes, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_limit(&self, limit: usize) {
        let (of_memo, of_completions) = parts(limit);
        self.write().set_limit(of_memo);
        self.formats().set_limit(of_completions);
    }

    /// Returns the vocabulary.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(store.vocabulary().len(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// Returns the token trie.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(store.trie().max_depth(), 6); // the marker of `</s>`
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn trie(&self) -> &TokenTrie {
        &self.trie
    }

    /// Checks that the vocabulary has every token that the format asks for by name; returns [`LoadError::MissingToken`] otherwise.
    pub(crate) fn check_tokens(&self, automaton: &Automaton) -> Result<(), LoadError> {
        match automaton.tokens.iter().find(|name| self.vocabulary.named(name).is_none()) {
            None => Ok(()),
            Some(name) => Err(LoadError::MissingToken { name: name.clone() }),
        }
    }

    /// Computes the row of free text, which nearly all formats need, so that the first mask does not have to wait for it.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// store.warm_up(format.escapes);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn warm_up(&self, escapes: Escapes) {
        let _ = self.free_text(escapes);
    }

    /// Returns counts of the store's content.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(store.stats().tails, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stats(&self) -> StoreStats {
        let mut stats = self.read().stats();
        stats.bytes += self.formats().bytes();
        stats
    }

    fn read(&self) -> RwLockReadGuard<'_, Memo> {
        self.memo.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Memo> {
        self.memo.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn free_text(&self, escapes: Escapes) -> Result<&FreeText, &BuildError> {
        let words = self.vocabulary.len().div_ceil(32);
        self.free[usize::from(escapes == Escapes::Canonical)]
            .get_or_init(|| FreeText::new(&self.trie, words, escapes))
            .as_ref()
    }

    /// Returns the trie nodes with tokens that end an item of an array and begin another.
    pub(crate) fn separators(&self) -> &Separators {
        self.separators.get_or_init(|| Separators::new(&self.trie))
    }

    /// Suspends eviction until the guard is dropped, even beyond the limit: a build identifies rows by address.
    pub(super) fn begin_build(&self) -> BuildGuard<'_> {
        self.write().begin_build();
        BuildGuard(self)
    }

    /// Lends a walker for one mask of a format.
    pub(crate) fn lend_walker(&self, automaton: &Arc<Automaton>) -> Box<Walker> {
        self.walkers.lend(automaton)
    }

    /// Takes back a walker that was lent for this format.
    pub(crate) fn take_walker_back(&self, automaton: &Arc<Automaton>, walker: Box<Walker>) {
        self.walkers.take_back(automaton, walker);
    }

    /// Looks up the completions of a format.
    pub(super) fn known_completions(&self, automaton: &Arc<Automaton>) -> Option<Arc<Completions>> {
        self.formats().get(automaton)
    }

    /// Keeps the completions of a format as long as the format exists. If there were some already, keeps and returns those.
    pub(super) fn keep_completions(&self, automaton: &Arc<Automaton>, made: Completions) -> Arc<Completions> {
        self.formats().keep(automaton, made)
    }

    fn formats(&self) -> MutexGuard<'_, CompletionsOfFormats> {
        self.completions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks up the base of a class of heads.
    pub(super) fn known_base(&self, key: &StateKey) -> Option<Base> {
        self.read().bases.get(key).cloned()
    }

    /// Keeps the base of a class of heads.
    pub(super) fn keep_base(
        &self,
        key: StateKey,
        row: Row,
        exits: &[NodeId],
        (took, effort): (BuildTime, Effort),
    ) -> Base {
        let mut memo = self.write();
        let base = memo.intern_base(row, exits, took, effort);
        memo.keep_base(key, base.clone());
        base
    }

    /// Looks up a base that was computed from the needs of its state's tokens. These bases are kept apart from bases that took a walk each:
    /// their efforts differ, and the effort must not depend on earlier requests.
    pub(super) fn known_counted(&self, key: &StateKey) -> Option<Base> {
        self.read().counted.get(key).cloned()
    }

    /// Keeps a base that was computed from the needs of its state's tokens.
    pub(super) fn keep_counted(
        &self,
        key: StateKey,
        row: Row,
        exits: &[NodeId],
        (took, effort): (BuildTime, Effort),
    ) -> Base {
        let mut memo = self.write();
        let base = memo.intern_base(row, exits, took, effort);
        memo.keep_counted(key, base.clone());
        base
    }

    /// Looks up whether the tokens of a state have needs, and the effort of finding them.
    pub(super) fn known_needs(&self, key: NeedsKey) -> Option<(bool, Effort)> {
        self.read().needs.get(&key).copied()
    }

    /// Keeps whether the tokens of a state have needs, and the effort of finding them.
    pub(super) fn keep_needs(&self, key: NeedsKey, known: (bool, Effort)) {
        self.write().keep_needs(key, known);
    }

    /// Looks up the tail of a class of return frames.
    pub(super) fn known_tail(&self, key: &AfterKey) -> Option<Tail> {
        self.read().tails.get(key).cloned()
    }

    /// Keeps the tail of a class of return frames; `row` is `None` if it is empty.
    pub(super) fn keep_tail(
        &self,
        key: AfterKey,
        row: Option<Row>,
        exits: &[NodeId],
        (took, effort): (BuildTime, Effort),
    ) -> Tail {
        let mut memo = self.write();
        let row = row.map(|row| memo.intern_row(row));
        let tail = Tail { row, exits: memo.intern_exits(exits), ways: None, took, effort };
        memo.keep_tail(key, tail.clone());
        tail
    }

    /// Looks up the result of filtering exits by a follow set.
    pub(super) fn known_continued(&self, exits: &ExitSet, follow: &ByteSet) -> Option<ExitSet> {
        self.read().continued.get(&(exits.clone(), *follow)).cloned()
    }

    /// Keeps the result of filtering exits by a follow set.
    pub(super) fn keep_continued(&self, exits: &ExitSet, follow: &ByteSet, kept: &[NodeId]) -> ExitSet {
        let mut memo = self.write();
        let kept = memo.intern_exits(kept);
        memo.keep_continued((exits.clone(), *follow), kept.clone());
        kept
    }

    /// Returns the bytes of a trie node's children, folded into one word by their lowest six bits.
    pub(super) fn children_of(&self, node: NodeId) -> u64 {
        self.children[node.0 as usize]
    }

    /// Looks up a base or tail split by cost.
    pub(super) fn known_costed(&self, key: &AfterKey) -> Option<Arc<Costed>> {
        self.read().costed.get(key).cloned()
    }

    /// Keeps a base or tail split by cost.
    pub(super) fn keep_costed(
        &self,
        key: AfterKey,
        mut groups: Vec<CostGroup>,
        exits: &[NodeId],
        at_once: bool,
    ) -> Arc<Costed> {
        let mut memo = self.write();
        for group in &mut groups {
            group.row = memo.intern_row(Row::clone(&group.row));
        }
        let costed = Arc::new(Costed { groups, exits: memo.intern_exits(exits), at_once });
        memo.keep_costed(key, Arc::clone(&costed));
        costed
    }

    /// Looks up the groups of several heads together, by the hash of their content.
    pub(super) fn known_together(&self, key: u128) -> Option<Arc<[CostGroup]>> {
        self.read().together.get(&key).cloned()
    }

    /// Keeps the groups of several heads together.
    pub(super) fn keep_together(&self, key: u128, mut groups: Vec<CostGroup>) -> Arc<[CostGroup]> {
        let mut memo = self.write();
        for group in &mut groups {
            group.row = memo.intern_row(Row::clone(&group.row));
        }
        let groups: Arc<[CostGroup]> = groups.into();
        memo.keep_together(key, Arc::clone(&groups));
        groups
    }

    /// Interns a row and exits, which ascend.
    pub(super) fn interned(&self, row: Row, exits: &[NodeId]) -> (Arc<Row>, ExitSet) {
        self.write().intern(row, exits)
    }

    /// Interns the exits at these trie nodes, in ascending order. Nodes that are not in the trie are left out.
    pub(crate) fn exits_at(&self, nodes: &[u32]) -> ExitSet {
        let inside = |node: &u32| (*node as usize) < self.trie.len();
        let nodes: Vec<NodeId> = nodes.iter().copied().filter(inside).map(NodeId).collect();
        self.write().intern_loose_exits(&nodes)
    }

    /// Returns the length of the longest token, in bytes.
    pub(super) fn longest(&self) -> u32 {
        self.trie.max_depth() as u32
    }

    pub(super) fn tables(&self, escapes: Escapes) -> Option<VocabularyTables<'_>> {
        let free = self.free_text(escapes).ok()?;
        Some(VocabularyTables { trie: &self.trie, free, heights: &self.heights, reaches: &self.reaches })
    }
}

impl Memo {
    /// Interns the row and the exits of a state's base.
    fn intern_base(&mut self, row: Row, exits: &[NodeId], took: BuildTime, effort: Effort) -> Base {
        let row = self.intern_row(row);
        let at_once = exits.first() == Some(&NodeId::ROOT);
        let exits = self.intern_exits(&exits[usize::from(at_once)..]);
        Base { row, exits, ways: None, at_once, took, effort }
    }
}

/// Computes for each trie node the set of its children's bytes, folded into one word by their lowest six bits.
fn children(trie: &TokenTrie) -> Box<[u64]> {
    let of = |node: NodeId| trie.children(node).fold(0, |all, child| all | 1 << (trie.byte(child) & 63));
    (0..trie.len() as u32).map(|node| of(NodeId(node))).collect()
}

/// Computes for each trie node the length in bytes of its longest continuation.
fn heights(trie: &TokenTrie) -> Box<[u16]> {
    let mut heights = vec![0u16; trie.len()];
    for id in (0..trie.len() as u32).rev() {
        let node = NodeId(id);
        let most = trie.children(node).map(|child| heights[child.0 as usize].saturating_add(1)).max();
        heights[id as usize] = most.unwrap_or(0);
    }
    heights.into()
}

/// Computes for each trie node the length in bytes of the texts on which states must agree so that they read the same continuations.
fn reaches(trie: &TokenTrie, heights: &[u16]) -> Box<[u16]> {
    let mut has_escapes = vec![false; trie.len()];
    for id in (0..trie.len() as u32).rev() {
        let node = NodeId(id);
        has_escapes[id as usize] =
            trie.children(node).any(|child| trie.byte(child) == b'\\' || has_escapes[child.0 as usize]);
    }
    let reach = |(&height, has_escapes): (&u16, bool)| height.saturating_add(if has_escapes { LOOKAHEAD } else { 0 });
    heights.iter().zip(has_escapes).map(reach).collect()
}

#[cfg(test)]
mod tests {
    use crate::mask::row::{get, set};

    #[test]
    fn mask_bits_are_stored_in_words_of_32() {
        let mut words = vec![0; 2];
        set(&mut words, 33);
        assert!(get(&words, 33) && !get(&words, 1));
    }
}
