//! The memo of a store: entries, and the rows and exits that they share, within a limit in bytes.
//!
//! # Eviction
//!
//! Entries are queued in the order of insertion. While all entries together exceed the limit, the first one is evicted. If it was used
//! since its insertion, or since it was last spared, it moves to the end of the queue instead (second chance). So a look-up only sets a
//! mark, under a lock that readers share. Rows and exits are dropped with the last entry that holds them; matchers and packs keep alive
//! those that they use.
//!
//! An entry is a function of its key, which consists of contents and not of numbers of the store. So an evicted entry is recomputed with
//! the same value, and no mask depends on evictions.

use std::collections::VecDeque;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use always_assert::never;
use rustc_hash::FxBuildHasher;

use super::StoreStats;
use super::holdings::{AfterKey, ContinuedKey, Holdings, NeedsKey, Shared};
use super::interner::Interner;
use super::used_table::{Taken, UsedTable};
use crate::mask::classes::StateKey;
use crate::mask::effort::Effort;
use crate::mask::exit_set::ExitSet;
use crate::mask::part::{Base, CostGroup, Costed, Tail};
use crate::mask::row::Row;
use crate::trie::NodeId;

/// Cap on the used entries that one eviction spares, so that no look-up waits long for the lock.
const SPARED: usize = 64;

/// A table of the memo, and the constructor of names for its entries.
type TableOf<K, V> = (fn(&mut Memo) -> &mut UsedTable<K, V>, fn(K) -> EntryName);

/// Identifies an entry in the queue.
#[derive(Debug)]
enum EntryName {
    Base(StateKey),
    Counted(StateKey),
    Needs(NeedsKey),
    Tail(AfterKey),
    Continued(ContinuedKey),
    Costed(AfterKey),
    Together(u128),
    /// A row that no other entry held when it was interned.
    Row(Arc<Row>),
    Exits(ExitSet),
}

#[derive(Debug, Default)]
pub(super) struct Memo {
    pub(super) bases: UsedTable<StateKey, Base>,
    /// The bases that were computed from the needs of their state's tokens.
    pub(super) counted: UsedTable<StateKey, Base>,
    /// For each state, identified by its rule: whether the state's tokens have needs, and the effort of finding them.
    pub(super) needs: UsedTable<NeedsKey, (bool, Effort)>,
    pub(super) tails: UsedTable<AfterKey, Tail>,
    /// Exits filtered by a follow set, by the unfiltered exits and the follow set.
    pub(super) continued: UsedTable<ContinuedKey, ExitSet>,
    pub(super) costed: UsedTable<AfterKey, Arc<Costed>>,
    /// The groups of several heads together, by the hash of their content.
    pub(super) together: UsedTable<u128, Arc<[CostGroup]>>,
    rows: Interner<Arc<Row>>,
    exits: Interner<ExitSet>,
    /// The entries in the order of eviction. Empty if there is no limit.
    queue: VecDeque<EntryName>,
    /// Limit in bytes; `None` for no limit.
    limit: Option<usize>,
    /// Bytes of the entries, without the rows and exits that they share.
    entry_bytes: usize,
    /// The number of builds of packs in progress, during which nothing is evicted.
    builds: usize,
    evicted: u64,
}

impl Memo {
    pub(super) fn new(limit: Option<usize>) -> Self {
        Self { limit, ..Self::default() }
    }

    pub(super) fn set_limit(&mut self, limit: usize) {
        self.limit = Some(limit);
        self.make_room();
    }

    pub(super) fn stats(&self) -> StoreStats {
        StoreStats {
            bases: self.bases.len(),
            tails: self.tails.len(),
            rows: self.rows.len(),
            row_bytes: self.rows.bytes(),
            bytes: self.bytes(),
            evicted: self.evicted,
        }
    }

    /// Returns the bytes of all entries, and of the rows and exits that they share.
    fn bytes(&self) -> usize {
        self.entry_bytes + self.rows.bytes() + self.exits.bytes()
    }

    /// Begins a build, which identifies rows by address: no entry is evicted until the build ends.
    pub(super) fn begin_build(&mut self) {
        self.builds += 1;
    }

    pub(super) fn end_build(&mut self) {
        self.builds -= 1;
        self.make_room();
    }

    pub(super) fn keep_base(&mut self, key: StateKey, base: Base) {
        self.keep((|memo| &mut memo.bases, EntryName::Base), key, base);
    }

    pub(super) fn keep_counted(&mut self, key: StateKey, base: Base) {
        self.keep((|memo| &mut memo.counted, EntryName::Counted), key, base);
    }

    pub(super) fn keep_needs(&mut self, key: NeedsKey, known: (bool, Effort)) {
        self.keep((|memo| &mut memo.needs, EntryName::Needs), key, known);
    }

    pub(super) fn keep_tail(&mut self, key: AfterKey, tail: Tail) {
        self.keep((|memo| &mut memo.tails, EntryName::Tail), key, tail);
    }

    pub(super) fn keep_continued(&mut self, key: ContinuedKey, kept: ExitSet) {
        self.keep((|memo| &mut memo.continued, EntryName::Continued), key, kept);
    }

    pub(super) fn keep_costed(&mut self, key: AfterKey, costed: Arc<Costed>) {
        self.keep((|memo| &mut memo.costed, EntryName::Costed), key, costed);
    }

    pub(super) fn keep_together(&mut self, key: u128, groups: Arc<[CostGroup]>) {
        self.keep((|memo| &mut memo.together, EntryName::Together), key, groups);
    }

    /// Interns a row and exits for callers outside of the memo. If no entry holds them, they are evicted like entries.
    pub(super) fn intern(&mut self, row: Row, exits: &[NodeId]) -> (Arc<Row>, ExitSet) {
        let row = self.intern_row(row);
        if self.hold(Shared::Row(&row)) {
            self.enqueue(EntryName::Row(Arc::clone(&row)));
        } else {
            self.release(Shared::Row(&row));
        }
        (row, self.intern_loose_exits(exits))
    }

    /// Interns exits for callers outside of the memo. If no entry holds them, they are evicted like entries.
    pub(super) fn intern_loose_exits(&mut self, nodes: &[NodeId]) -> ExitSet {
        let exits = self.intern_exits(nodes);
        if self.hold(Shared::Exits(&exits)) {
            self.enqueue(EntryName::Exits(exits.clone()));
        } else {
            self.release(Shared::Exits(&exits));
        }
        self.make_room();
        exits
    }

    /// Interns exits, for an entry that will hold them.
    pub(super) fn intern_exits(&mut self, nodes: &[NodeId]) -> ExitSet {
        if nodes.is_empty() {
            return ExitSet::NONE;
        }
        let hash = ExitSet::hash_of(nodes);
        self.exits.get(hash, |known| known.nodes() == nodes).unwrap_or_else(|| {
            let fresh = ExitSet::new(nodes);
            self.exits.add(hash, fresh.clone(), fresh.bytes());
            fresh
        })
    }

    /// Interns a row, for an entry that will hold it.
    pub(super) fn intern_row(&mut self, row: Row) -> Arc<Row> {
        let hash = FxBuildHasher.hash_one(&row);
        self.rows.get(hash, |known| **known == row).unwrap_or_else(|| {
            let bytes = row.bytes() + size_of::<Row>() + 2 * size_of::<usize>();
            let fresh = Arc::new(row);
            self.rows.add(hash, Arc::clone(&fresh), bytes);
            fresh
        })
    }

    /// Adds an entry to a table.
    fn keep<K, V>(&mut self, (table, name): TableOf<K, V>, key: K, value: V)
    where
        K: Hash + Eq + Clone + Holdings,
        V: Holdings,
    {
        self.count(&key, &value);
        match table(self).insert(key.clone(), value) {
            Some(replaced) => self.discount::<K, V>(&key, &replaced),
            None => self.enqueue(name(key)),
        }
        self.make_room();
    }

    fn enqueue(&mut self, name: EntryName) {
        if self.limit.is_some() {
            self.queue.push_back(name);
        }
    }

    /// Adds the bytes of an entry to the total, and the entry to the holders of its rows and exits.
    fn count<K: Hash + Eq + Holdings, V: Holdings>(&mut self, key: &K, value: &V) {
        self.entry_bytes += Self::entry_bytes::<K, V>(value);
        let mut hold = |shared: Shared<'_>| {
            self.hold(shared);
        };
        key.each(&mut hold);
        value.each(&mut hold);
    }

    /// Undoes [`Memo::count`].
    fn discount<K: Hash + Eq + Holdings, V: Holdings>(&mut self, key: &K, value: &V) {
        self.entry_bytes -= Self::entry_bytes::<K, V>(value);
        let mut release = |shared: Shared<'_>| self.release(shared);
        key.each(&mut release);
        value.each(&mut release);
    }

    /// Returns the bytes of an entry in its table and in the queue, without the rows and exits that it shares.
    fn entry_bytes<K: Hash + Eq, V: Holdings>(value: &V) -> usize {
        UsedTable::<K, V>::ENTRY + 3 * size_of::<EntryName>() / 2 + value.own_bytes()
    }

    /// Adds one holder to a row or to exits; returns whether it is the first.
    fn hold(&mut self, shared: Shared<'_>) -> bool {
        match shared {
            Shared::Row(row) => {
                let held = self.rows.hold(FxBuildHasher.hash_one(&**row), |known| Arc::ptr_eq(known, row));
                never!(held.is_none(), "a row of an entry is not interned");
                held.unwrap_or(false)
            }
            Shared::Exits(exits) if *exits == ExitSet::NONE => false,
            Shared::Exits(exits) => {
                let hold = |interner: &mut Interner<ExitSet>| interner.hold(exits.hash(), |known| known == exits);
                // A matcher may still use exits that have been evicted.
                hold(&mut self.exits).unwrap_or_else(|| {
                    self.exits.add(exits.hash(), exits.clone(), exits.bytes());
                    hold(&mut self.exits).unwrap_or(false)
                })
            }
        }
    }

    fn release(&mut self, shared: Shared<'_>) {
        match shared {
            Shared::Row(row) => self.rows.release(FxBuildHasher.hash_one(&**row), |known| Arc::ptr_eq(known, row)),
            Shared::Exits(exits) => self.exits.release(exits.hash(), |known| known == exits),
        }
    }

    /// Evicts entries until the rest is within the limit.
    fn make_room(&mut self) {
        let Some(limit) = self.limit.filter(|_| self.builds == 0) else { return };
        let mut spared = 0;
        while self.bytes() > limit
            && let Some(name) = self.queue.pop_front()
        {
            spared = if self.evict(name, spared < SPARED) { 0 } else { spared + 1 };
        }
    }

    /// Evicts an entry; or moves it to the end of the queue, if it was used and `spares` is set. Returns whether it was evicted.
    fn evict(&mut self, name: EntryName, spares: bool) -> bool {
        match name {
            EntryName::Base(key) => self.take((|memo| &mut memo.bases, EntryName::Base), key, spares),
            EntryName::Counted(key) => self.take((|memo| &mut memo.counted, EntryName::Counted), key, spares),
            EntryName::Needs(key) => self.take((|memo| &mut memo.needs, EntryName::Needs), key, spares),
            EntryName::Tail(key) => self.take((|memo| &mut memo.tails, EntryName::Tail), key, spares),
            EntryName::Continued(key) => self.take((|memo| &mut memo.continued, EntryName::Continued), key, spares),
            EntryName::Costed(key) => self.take((|memo| &mut memo.costed, EntryName::Costed), key, spares),
            EntryName::Together(key) => self.take((|memo| &mut memo.together, EntryName::Together), key, spares),
            EntryName::Row(row) => {
                self.release(Shared::Row(&row));
                true
            }
            EntryName::Exits(exits) => {
                self.release(Shared::Exits(&exits));
                true
            }
        }
    }

    fn take<K, V>(&mut self, (table, name): TableOf<K, V>, key: K, spares: bool) -> bool
    where
        K: Hash + Eq + Holdings,
        V: Holdings,
    {
        match table(self).take(&key, spares) {
            Taken::Used => {
                self.queue.push_back(name(key));
                return false;
            }
            Taken::Out(value) => {
                self.discount::<K, V>(&key, &value);
                self.evicted += 1;
            }
            Taken::Missing => never!("an entry of the queue is in no table"),
        }
        true
    }
}
