//! What a store remembers, within a bound of bytes: entries, and the rows and exits that they share.
//!
//! # Eviction
//!
//! Entries stand in a queue in the order in which they came. When all together take more than the bound, the first is taken out; one that
//! was used since it came, or since it was last spared, goes to the end of the queue instead (second chance). So a look-up
//! sets a mark, under the lock that readers share, and moves nothing. Rows and exits go with the last entry that holds them;
//! matchers and packs that have them keep them alive.
//!
//! An entry is a function of its key, which names contents and no numbers of the store: one that is made again is the same. So no mask
//! depends on what was evicted.

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
use crate::mask::part::{Base, Costed, Tail};
use crate::mask::row::Row;
use crate::trie::NodeId;

/// The most used entries that are spared for one that goes: so no look-up waits long for the lock.
const SPARED: usize = 64;

/// A table of the memo, and the names of its entries.
type TableOf<K, V> = (fn(&mut Memo) -> &mut UsedTable<K, V>, fn(K) -> EntryName);

/// The name of an entry.
#[derive(Debug)]
enum EntryName {
    Base(StateKey),
    Counted(StateKey),
    Needs(NeedsKey),
    Tail(AfterKey),
    Continued(ContinuedKey),
    Costed(AfterKey),
    /// A row, or exits, that no other entry held when they were interned.
    Row(Arc<Row>),
    Exits(ExitSet),
}

#[derive(Debug, Default)]
pub(super) struct Memo {
    pub(super) bases: UsedTable<StateKey, Base>,
    /// The bases that were made by the needs of their state's tokens.
    pub(super) counted: UsedTable<StateKey, Base>,
    /// By the rule and the state in it: whether the tokens of the state have needs, and the effort of finding them.
    pub(super) needs: UsedTable<NeedsKey, (bool, Effort)>,
    pub(super) tails: UsedTable<AfterKey, Tail>,
    /// The exits that can go on, by the exits and the follow set.
    pub(super) continued: UsedTable<ContinuedKey, ExitSet>,
    pub(super) costed: UsedTable<AfterKey, Arc<Costed>>,
    rows: Interner<Arc<Row>>,
    exits: Interner<ExitSet>,
    /// The entries, those that go first in front. Empty where nothing is ever evicted.
    queue: VecDeque<EntryName>,
    /// The most bytes; `None` for any.
    limit: Option<usize>,
    /// The bytes of entries without what they share.
    entry_bytes: usize,
    /// The builds of packs that are under way, during which nothing is evicted.
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

    /// Returns the bytes of all entries and of what they share.
    fn bytes(&self) -> usize {
        self.entry_bytes + self.rows.bytes() + self.exits.bytes()
    }

    /// Begins a build, for which rows keep their addresses: what was made once is found until the build ends.
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

    /// Interns a row and exits that no entry need hold: they stay for a while.
    pub(super) fn intern(&mut self, row: Row, exits: &[NodeId]) -> (Arc<Row>, ExitSet) {
        let row = self.intern_row(row);
        if self.hold(Shared::Row(&row)) {
            self.enqueue(EntryName::Row(Arc::clone(&row)));
        } else {
            self.release(Shared::Row(&row));
        }
        (row, self.intern_loose_exits(exits))
    }

    /// Interns exits that no entry need hold: they stay for a while.
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

    /// Counts an entry, and what it shares.
    fn count<K: Hash + Eq + Holdings, V: Holdings>(&mut self, key: &K, value: &V) {
        self.entry_bytes += Self::entry_bytes::<K, V>(value);
        let mut hold = |shared: Shared<'_>| {
            self.hold(shared);
        };
        key.each(&mut hold);
        value.each(&mut hold);
    }

    /// Counts an entry no more.
    fn discount<K: Hash + Eq + Holdings, V: Holdings>(&mut self, key: &K, value: &V) {
        self.entry_bytes -= Self::entry_bytes::<K, V>(value);
        let mut release = |shared: Shared<'_>| self.release(shared);
        key.each(&mut release);
        value.each(&mut release);
    }

    /// Returns the bytes of an entry in its table and in the queue, without what it shares.
    fn entry_bytes<K: Hash + Eq, V: Holdings>(value: &V) -> usize {
        UsedTable::<K, V>::ENTRY + 3 * size_of::<EntryName>() / 2 + value.own_bytes()
    }

    /// Returns whether the entry is the first that holds it.
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
                // A matcher may go on from exits that were evicted since.
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

    /// Evicts entries until all take no more than the bound.
    fn make_room(&mut self) {
        let Some(limit) = self.limit.filter(|_| self.builds == 0) else { return };
        let mut spared = 0;
        while self.bytes() > limit
            && let Some(name) = self.queue.pop_front()
        {
            spared = if self.evict(name, spared < SPARED) { 0 } else { spared + 1 };
        }
    }

    /// Takes an entry out, or puts it at the end of the queue if it was used; returns whether it is out.
    fn evict(&mut self, name: EntryName, spares: bool) -> bool {
        match name {
            EntryName::Base(key) => self.take((|memo| &mut memo.bases, EntryName::Base), key, spares),
            EntryName::Counted(key) => self.take((|memo| &mut memo.counted, EntryName::Counted), key, spares),
            EntryName::Needs(key) => self.take((|memo| &mut memo.needs, EntryName::Needs), key, spares),
            EntryName::Tail(key) => self.take((|memo| &mut memo.tails, EntryName::Tail), key, spares),
            EntryName::Continued(key) => self.take((|memo| &mut memo.continued, EntryName::Continued), key, spares),
            EntryName::Costed(key) => self.take((|memo| &mut memo.costed, EntryName::Costed), key, spares),
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
