//! The text that a matcher has read, with the items of arrays without duplicates, and the undeclared keys of objects in which none may come
//! twice. They form an arena of sets, each of which is an earlier set and one more item. [`super::seen`] decides when an item is added.

use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::Arc;

use rustc_hash::FxHasher;

use super::fork_vec::ForkVec;
use super::memory::{Memory, SeenId};
use crate::item::ItemReader;

/// A set of seen items: the items of the entry `before`, and `item`.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    before: Option<SeenId>,
    /// The last item; `None` in an array that has just begun.
    pub(super) item: Option<Arc<[u8]>>,
    /// The place in the text where the next item begins; [`NOWHERE`] while no item is read.
    pub(super) start: u32,
    /// For an object: the memory of its declared keys.
    pub(super) declared: Memory,
    /// The number of items in the set.
    pub(super) count: u32,
}

/// The value of [`Seen::start`] while no item is read, as in the value after a key.
const NOWHERE: u32 = u32::MAX;

/// The text so far, and the items of its arrays.
#[derive(Clone, Debug, Default)]
pub(super) struct SeenText {
    pub(super) text: ForkVec<u8, 1024>,
    pub(super) seen: ForkVec<Seen, 32>,
    /// For each entry: the hash of its item, 0 if there is none.
    hashes: ForkVec<u64, 1024>,
    /// Whether an item was refused since [`super::Stack::take_refused`].
    pub(super) refused: bool,
    /// The number of an object's undeclared keys, once too few new ones may be left for its minimum; else 0.
    pub(super) too_many: u32,
}

impl SeenText {
    /// Returns the length of the text and the number of entries.
    pub(super) fn lens(&self) -> [u32; 2] {
        [self.text.len() as u32, self.seen.len() as u32]
    }

    pub(super) fn truncate(&mut self, [text, seen]: [u32; 2]) {
        self.text.truncate(text as usize);
        self.seen.truncate(seen as usize);
        self.hashes.truncate(seen as usize);
    }

    pub(super) fn share(&mut self) {
        self.text.share();
        self.seen.share();
        self.hashes.share();
    }

    pub(super) fn bytes(&self) -> usize {
        self.text.bytes() + self.seen.bytes() + self.hashes.bytes()
    }

    #[inline]
    pub(super) fn push(&mut self, byte: u8) {
        self.text.push(byte);
    }

    /// Reads a part of the text as an item.
    pub(super) fn reader(&self, start: usize, end: usize) -> ItemReader {
        let mut reader = ItemReader::default();
        (start..end).filter_map(|at| self.text.get(at)).for_each(|byte| reader.push(*byte));
        reader
    }

    /// Returns the entries that make up a set, last first.
    pub(super) fn chain(&self, id: SeenId) -> impl Iterator<Item = (SeenId, &Seen)> {
        let entry = |id: SeenId| Some((id, self.seen.get(id.0 as usize)?));
        std::iter::successors(entry(id), move |(_, seen)| entry(seen.before?))
    }

    /// Adds an entry, unless an equal one was added at the same place in the text.
    fn add(&mut self, new: Seen, hash: u64) -> SeenId {
        let entries = (0..self.seen.len()).rev().filter_map(|at| Some((at as u32, self.seen.get(at)?)));
        let same = |old: &Seen| {
            (old.before, old.start, old.declared) == (new.before, new.start, new.declared) && old.item == new.item
        };
        let here = entries.take_while(|(_, old)| old.start == new.start);
        if let Some((at, _)) = here.into_iter().find(|(_, old)| same(old)) {
            return SeenId(at);
        }
        self.seen.push(new);
        self.hashes.push(hash);
        SeenId(self.seen.len() as u32 - 1)
    }

    /// Returns whether an item is in a set. Scans the hashes of all entries, which is quick; equal items are rare.
    fn has(&self, id: SeenId, item: &Arc<[u8]>, hash: u64) -> bool {
        let mut at = 0;
        for hashes in self.hashes.slices() {
            for known in hashes {
                let is_equal = || self.seen.get(at).is_some_and(|seen| seen.item.as_ref() == Some(item));
                if *known == hash && is_equal() && self.chain(id).any(|(entry, _)| entry.0 as usize == at) {
                    return true;
                }
                at += 1;
            }
        }
        false
    }

    /// Begins an array after the text so far.
    pub(super) fn begin(&mut self) -> SeenId {
        let start = self.text.len() as u32;
        self.add(Seen { before: None, item: None, start, declared: Memory::EMPTY, count: 0 }, 0)
    }

    /// Begins the next key of an object after the text so far.
    pub(super) fn begin_key(&mut self, id: SeenId) -> SeenId {
        let start = self.text.len() as u32;
        self.changed(id, |entry| entry.start = start)
    }

    /// Ends a declared key, which is remembered in [`Seen::declared`] and not as an item.
    pub(super) fn end_key(&mut self, id: SeenId) -> SeenId {
        self.changed(id, |entry| entry.start = NOWHERE)
    }

    /// Replaces the memory of an object's declared keys.
    pub(super) fn set_declared(&mut self, id: SeenId, declared: Memory) -> SeenId {
        self.changed(id, |entry| entry.declared = declared)
    }

    /// Makes an entry with the same items as another, and with changed other fields.
    fn changed(&mut self, id: SeenId, change: impl FnOnce(&mut Seen)) -> SeenId {
        let Some(entry) = self.seen.get(id.0 as usize) else { return id };
        let before = if entry.item.is_some() { Some(id) } else { entry.before };
        let mut changed = Seen { before, item: None, ..*entry };
        change(&mut changed);
        self.add(changed, 0)
    }

    /// Returns whether an item is being read, or may begin.
    pub(super) fn is_open(&self, id: SeenId) -> bool {
        self.seen.get(id.0 as usize).is_some_and(|seen| seen.start != NOWHERE)
    }

    /// Ends the key whose closing quote is the last byte; `None` if the key has come before.
    pub(super) fn take_key(&mut self, id: SeenId) -> Option<SeenId> {
        let entry = self.seen.get(id.0 as usize)?.clone();
        let key = self.reader(entry.start as usize, self.text.len()).finish();
        self.insert(id, key, Seen { before: Some(id), item: None, start: NOWHERE, ..entry })
    }

    /// Adds an item to a set, with the other fields of `new`; `None` if the item is there already.
    fn insert(&mut self, id: SeenId, item: Option<Arc<[u8]>>, new: Seen) -> Option<SeenId> {
        let Some(item) = item else { return Some(id) };
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(&item);
        if self.has(id, &item, hash) {
            return None;
        }
        Some(self.add(Seen { item: Some(item), count: new.count + 1, ..new }, hash))
    }

    /// Returns the number of items of an entry.
    pub(super) fn count(&self, id: SeenId) -> u32 {
        self.seen.get(id.0 as usize).map_or(0, |seen| seen.count)
    }

    /// Ends the item before the last byte; `None` if the item has come before, or repeats a key.
    pub(super) fn take(&mut self, id: SeenId) -> Option<SeenId> {
        let before = self.seen.get(id.0 as usize)?.clone();
        let end = self.text.len();
        let reader = self.reader(before.start as usize, end - 1);
        if reader.repeats_key() {
            return None;
        }
        let new = Seen { before: Some(id), item: None, start: end as u32, ..before };
        self.insert(id, reader.finish(), new)
    }
}
