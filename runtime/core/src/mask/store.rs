//! The store: keeps bases and tails for one vocabulary, for all formats and matchers of a process. What it does not have it
//! computes at first use ([`compute`]).

mod compute;

use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, Weak};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::build_time::BuildTime;
use super::classes::StateKey;
use super::costed::{CostGroup, Costed, CostedKey};
use super::effort::Effort;
use super::free::FreeText;
use super::row::Row;
use super::walk::VocabularyTables;
use super::ways::Way;
use crate::automaton::{Automaton, BuildError, ByteSet, Escapes, StateId, has};
use crate::completion::Completions;
use crate::container::LoadError;
use crate::trie::{NodeId, TokenTrie};
use crate::vocabulary::Vocabulary;
pub(super) use compute::load;

/// The least number of exits for which [`MaskStore::exits_with_follow_if_many`] filters them.
const FEW_EXITS: usize = 8_192;

/// The number of an interned set of exits in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ExitsId(pub(crate) u32);

impl ExitsId {
    /// The empty set of exits.
    pub(crate) const NONE: ExitsId = ExitsId(0);
}

/// The base of a head: the tokens that are read to their last byte in the top frame or in rules that it calls, and the exits,
/// at which the frame returns inside of tokens.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Base {
    pub(crate) row: Arc<Row>,
    /// The exits but the root of the trie, for which `at_once` stands.
    pub(crate) exits: ExitsId,
    /// What is read besides if the registers allow it, where the base was made by ways ([`super::ways`]).
    pub(crate) ways: Option<Arc<[Way]>>,
    /// Whether the frame can return before it reads a byte.
    pub(crate) at_once: bool,
    /// The time that it took to compute.
    pub(crate) took: BuildTime,
    pub(crate) effort: Effort,
}

/// The tail of a return frame: the tokens that it reads from some exits to their last byte, and the exits at which it returns
/// in its turn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tail {
    /// `None` if empty.
    pub(crate) row: Option<Arc<Row>>,
    pub(crate) exits: ExitsId,
    /// What is read besides if the registers allow it, where the tail was made by ways.
    pub(crate) ways: Option<Arc<[Way]>>,
    /// The time that it took to compute.
    pub(crate) took: BuildTime,
    pub(crate) effort: Effort,
}

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
    needs: FxHashMap<(u128, u32), (bool, Effort)>,
    tails: FxHashMap<(ExitsId, StateKey), Tail>,
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

    /// Looks up or computes the completions of a format; they are kept as long as the format is.
    pub(crate) fn completions(&self, automaton: &Arc<Automaton>) -> Arc<Completions> {
        let address = Arc::as_ptr(automaton).addr();
        let known = || self.completions.lock().unwrap_or_else(PoisonError::into_inner);
        // An entry keeps the address taken, so that no other format can have it.
        if let Some((_, found)) = known().get(&address) {
            return Arc::clone(found);
        }
        let made = Arc::new(Completions::new(automaton, &self.vocabulary, &self.trie));
        let mut known = known();
        known.retain(|_, (format, _)| format.strong_count() > 0);
        Arc::clone(&known.entry(address).or_insert((Arc::downgrade(automaton), made)).1)
    }

    /// Filters the exits of a state for those at which some token goes on with a byte of the rule's follow set (as in LL
    /// parsing: the bytes that can come after the rule), if there are at least [`FEW_EXITS`].
    ///
    /// A text that can end at every character has an exit at nearly every trie node, but mostly one of a few bytes comes
    /// next, such as `,` or `"`. If exits are few, walking from them costs less than filtering.
    pub(crate) fn exits_with_follow_if_many(&self, automaton: &Automaton, state: StateId, exits: ExitsId) -> ExitsId {
        let few = self.read().exits.get(exits.0 as usize).is_none_or(|nodes| nodes.len() < FEW_EXITS);
        if few { exits } else { self.exits_with_follow(automaton, state, exits) }
    }

    /// Filters exits like [`MaskStore::exits_with_follow_if_many`], but without the size threshold; used when building packs.
    pub(crate) fn exits_with_follow(&self, automaton: &Automaton, state: StateId, exits: ExitsId) -> ExitsId {
        if exits == ExitsId::NONE {
            return exits;
        }
        let follow = automaton.derived.follow(automaton.states[state.index()].rule);
        if let Some(&known) = self.read().continued.get(&(exits, *follow)) {
            return known;
        }
        // Folded to the lowest six bits, as `children` is: a quick test that is never wrong when it says no.
        let any = follow.iter().fold(0, |all, word| all | word);
        let goes_on = |node: &NodeId| {
            let wanted = |child: NodeId| has(follow, self.trie.byte(child));
            self.children[node.0 as usize] & any != 0 && self.trie.children(*node).any(wanted)
        };
        let kept: Vec<NodeId> = self.exit_nodes(exits).iter().copied().filter(goes_on).collect();
        let mut memo = self.write();
        let id = memo.intern_exits(&kept);
        memo.continued.insert((exits, *follow), id);
        id
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

    fn longest(&self) -> u32 {
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
