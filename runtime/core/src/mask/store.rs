//! The store: keeps bases and tails for one vocabulary, for all formats and matchers of a process. What it does not have,
//! [`super::compute`] computes at first use.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, Weak};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::build_time::BuildTime;
use super::classes::StateKey;
use super::effort::Effort;
use super::free::FreeText;
use super::part::{Base, CostGroup, Costed, CostedKey, ExitsId, Tail};
use super::row::Row;
use super::vocabulary_tables::VocabularyTables;
use crate::automaton::{Automaton, BuildError, ByteSet, Escapes};
use crate::completion::Completions;
use crate::container::LoadError;
use crate::trie::{NodeId, TokenTrie};
use crate::vocabulary::Vocabulary;

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
}

#[derive(Debug, Default)]
struct Memo {
    bases: FxHashMap<StateKey, Base>,
    /// The bases that were made by the needs of their state's tokens.
    counted: FxHashMap<StateKey, Base>,
    /// By the rule and the state in it: whether the tokens of the state have needs, and the effort of finding them.
    needs: FxHashMap<NeedsKey, (bool, Effort)>,
    tails: FxHashMap<TailKey, Tail>,
    /// The interned sets of exits, by number and by content.
    exits: Vec<Arc<[NodeId]>>,
    exit_ids: FxHashMap<Arc<[NodeId]>, ExitsId>,
    /// Results of [`MaskStore::exits_with_follow`], by the exits and the follow set.
    continued: FxHashMap<(ExitsId, ByteSet), ExitsId>,
    costed: FxHashMap<CostedKey, Arc<Costed>>,
    /// The interned rows, by hash.
    rows: FxHashMap<u64, Vec<Arc<Row>>>,
    stats: StoreStats,
}

/// The fingerprint of a rule, and a state in it.
type NeedsKey = (u128, u32);

/// The exits behind which a tail begins, and its frame.
type TailKey = (ExitsId, StateKey);

/// The completions of a format, and the format as long as there is one.
type OfFormat = (Weak<Automaton>, Arc<Completions>);

/// Computes and keeps rows for one vocabulary; shared by all formats, and thread-safe. It grows as matchers ask for bases
/// and tails that it does not have.
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
    /// Per trie node: the length in bytes of the longest continuation of a token.
    heights: Box<[u16]>,
    /// Per trie node: a bit for each child, by the lowest six bits of its byte.
    children: Box<[u64]>,
    /// The free text for [`Escapes::Any`] and [`Escapes::Canonical`].
    free: [OnceLock<Result<FreeText, BuildError>>; 2],
    memo: RwLock<Memo>,
    /// The completions of the formats that have matchers with budgets, by the address of the automaton.
    completions: Mutex<FxHashMap<usize, OfFormat>>,
}

impl MaskStore {
    /// Makes an empty store: builds the token trie.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(store.stats().rows, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(vocabulary: Arc<Vocabulary>) -> Arc<Self> {
        let trie = TokenTrie::new(&vocabulary);
        let (heights, children) = (heights(&trie), children(&trie));
        let none: Arc<[NodeId]> = Arc::from([]);
        let mut memo = Memo::default();
        memo.exits.push(Arc::clone(&none));
        memo.exit_ids.insert(none, ExitsId::NONE);
        let memo = RwLock::new(memo);
        let free = Default::default();
        Arc::new(Self { vocabulary, trie, heights, children, free, memo, completions: Mutex::default() })
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

    /// Checks that the vocabulary has every token that the format asks for by name, else returns
    /// [`LoadError::MissingToken`].
    pub(crate) fn check_tokens(&self, automaton: &Automaton) -> Result<(), LoadError> {
        match automaton.tokens.iter().find(|name| self.vocabulary.named(name).is_none()) {
            None => Ok(()),
            Some(name) => Err(LoadError::MissingToken { name: name.clone() }),
        }
    }

    /// Computes the row of free text, which nearly all formats need, so that the first mask does not wait for it.
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
        self.read().stats
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Memo> {
        self.memo.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, Memo> {
        self.memo.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn free_text(&self, escapes: Escapes) -> Result<&FreeText, &BuildError> {
        let words = self.vocabulary.len().div_ceil(32);
        self.free[usize::from(escapes == Escapes::Canonical)]
            .get_or_init(|| FreeText::new(&self.trie, words, escapes))
            .as_ref()
    }

    /// Looks up the completions of a format.
    pub(super) fn known_completions(&self, automaton: &Arc<Automaton>) -> Option<Arc<Completions>> {
        // An entry keeps the address taken, so that no other format can have it.
        self.formats().get(&Arc::as_ptr(automaton).addr()).map(|(_, found)| Arc::clone(found))
    }

    /// Keeps the completions of a format as long as the format is there; returns those that were kept first.
    pub(super) fn keep_completions(&self, automaton: &Arc<Automaton>, made: Completions) -> Arc<Completions> {
        let mut known = self.formats();
        known.retain(|_, (format, _)| format.strong_count() > 0);
        let made = (Arc::downgrade(automaton), Arc::new(made));
        Arc::clone(&known.entry(Arc::as_ptr(automaton).addr()).or_insert(made).1)
    }

    fn formats(&self) -> MutexGuard<'_, FxHashMap<usize, OfFormat>> {
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
        memo.bases.insert(key, base.clone());
        memo.stats.bases = memo.bases.len();
        base
    }

    /// Looks up a base that was made by the needs of its state's tokens. Such bases are kept apart from those that took a walk
    /// each, as their efforts differ, and must not depend on what the store was asked before.
    pub(super) fn known_counted(&self, key: &StateKey) -> Option<Base> {
        self.read().counted.get(key).cloned()
    }

    /// Keeps a base that was made by the needs of its state's tokens.
    pub(super) fn keep_counted(
        &self,
        key: StateKey,
        row: Row,
        exits: &[NodeId],
        (took, effort): (BuildTime, Effort),
    ) -> Base {
        let mut memo = self.write();
        let base = memo.intern_base(row, exits, took, effort);
        memo.counted.insert(key, base.clone());
        base
    }

    /// Looks up whether the tokens of a state have needs, and the effort of finding them.
    pub(super) fn known_needs(&self, key: NeedsKey) -> Option<(bool, Effort)> {
        self.read().needs.get(&key).copied()
    }

    /// Keeps whether the tokens of a state have needs, and the effort of finding them.
    pub(super) fn keep_needs(&self, key: NeedsKey, known: (bool, Effort)) {
        self.write().needs.insert(key, known);
    }

    /// Looks up the tail of a class of return frames.
    pub(super) fn known_tail(&self, key: &TailKey) -> Option<Tail> {
        self.read().tails.get(key).cloned()
    }

    /// Keeps the tail of a class of return frames; `None` is an empty row.
    pub(super) fn keep_tail(
        &self,
        key: TailKey,
        row: Option<Row>,
        exits: &[NodeId],
        (took, effort): (BuildTime, Effort),
    ) -> Tail {
        let mut memo = self.write();
        let row = row.map(|row| memo.intern_row(row));
        let tail = Tail { row, exits: memo.intern_exits(exits), ways: None, took, effort };
        memo.tails.insert(key, tail.clone());
        memo.stats.tails = memo.tails.len();
        tail
    }

    /// Looks up exits that were filtered by a follow set.
    pub(super) fn known_continued(&self, exits: ExitsId, follow: &ByteSet) -> Option<ExitsId> {
        self.read().continued.get(&(exits, *follow)).copied()
    }

    /// Keeps exits that were filtered by a follow set.
    pub(super) fn keep_continued(&self, exits: ExitsId, follow: &ByteSet, kept: &[NodeId]) -> ExitsId {
        let mut memo = self.write();
        let id = memo.intern_exits(kept);
        memo.continued.insert((exits, *follow), id);
        id
    }

    /// Returns the bytes of a trie node's children, folded into one word by their lowest six bits.
    pub(super) fn children_of(&self, node: NodeId) -> u64 {
        self.children[node.0 as usize]
    }

    /// Looks up a part split by cost.
    pub(super) fn known_costed(&self, key: &CostedKey) -> Option<Arc<Costed>> {
        self.read().costed.get(key).cloned()
    }

    /// Keeps a part split by cost.
    pub(super) fn keep_costed(
        &self,
        key: CostedKey,
        mut groups: Vec<CostGroup>,
        exits: &[NodeId],
        at_once: bool,
    ) -> Arc<Costed> {
        let mut memo = self.write();
        for group in &mut groups {
            group.row = memo.intern_row(Row::clone(&group.row));
        }
        let costed = Arc::new(Costed { groups, exits: memo.intern_exits(exits), at_once });
        memo.costed.insert(key, Arc::clone(&costed));
        costed
    }

    /// Interns a row and exits, which ascend.
    pub(super) fn interned(&self, row: Row, exits: &[NodeId]) -> (Arc<Row>, ExitsId) {
        let mut memo = self.write();
        (memo.intern_row(row), memo.intern_exits(exits))
    }

    /// Returns the trie nodes of a set of exits.
    pub(crate) fn exit_nodes(&self, exits: ExitsId) -> Arc<[NodeId]> {
        self.read().exits.get(exits.0 as usize).map_or_else(|| Arc::from([]), Arc::clone)
    }

    /// Interns the exits at these trie nodes, which ascend; drops nodes that are not of this trie.
    pub(crate) fn exits_at(&self, nodes: &[u32]) -> ExitsId {
        let inside = |node: &u32| (*node as usize) < self.trie.len();
        let nodes: Vec<NodeId> = nodes.iter().copied().filter(inside).map(NodeId).collect();
        self.write().intern_exits(&nodes)
    }

    /// Returns the length of the longest token, in bytes.
    pub(super) fn longest(&self) -> u32 {
        self.trie.max_depth() as u32
    }

    pub(super) fn tables(&self, escapes: Escapes) -> Option<VocabularyTables<'_>> {
        let free = self.free_text(escapes).ok()?;
        Some(VocabularyTables { trie: &self.trie, free, heights: &self.heights })
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

    fn intern_exits(&mut self, nodes: &[NodeId]) -> ExitsId {
        if let Some(&id) = self.exit_ids.get(nodes) {
            return id;
        }
        let nodes: Arc<[NodeId]> = nodes.into();
        let id = ExitsId(self.exits.len() as u32);
        self.exits.push(Arc::clone(&nodes));
        self.exit_ids.insert(nodes, id);
        id
    }

    fn intern_row(&mut self, row: Row) -> Arc<Row> {
        let hash = std::hash::BuildHasher::hash_one(&FxBuildHasher, &row);
        let bucket = self.rows.entry(hash).or_default();
        if let Some(same) = bucket.iter().find(|other| ***other == row) {
            return Arc::clone(same);
        }
        self.stats.rows += 1;
        self.stats.row_bytes += row.bytes();
        let row = Arc::new(row);
        bucket.push(Arc::clone(&row));
        row
    }
}

/// Computes per trie node the set of its children's bytes, folded into one word by their lowest six bits.
fn children(trie: &TokenTrie) -> Box<[u64]> {
    let of = |node: NodeId| trie.children(node).fold(0, |all, child| all | 1 << (trie.byte(child) & 63));
    (0..trie.len() as u32).map(|node| of(NodeId(node))).collect()
}

/// Computes per trie node the number of bytes of its longest continuation.
fn heights(trie: &TokenTrie) -> Box<[u16]> {
    let mut heights = vec![0u16; trie.len()];
    for id in (0..trie.len() as u32).rev() {
        let node = NodeId(id);
        let most = trie.children(node).map(|child| heights[child.0 as usize].saturating_add(1)).max();
        heights[id as usize] = most.unwrap_or(0);
    }
    heights.into()
}

#[cfg(test)]
mod tests {
    use crate::mask::row::{get, set};

    #[test]
    fn bits_are_words_of_32() {
        let mut words = vec![0; 2];
        set(&mut words, 33);
        assert!(get(&words, 33) && !get(&words, 1));
    }
}
