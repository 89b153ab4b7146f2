//! Interns tagged lists: equal lists get one number.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

/// Marks the absence of a list.
const NONE: u32 = u32::MAX;

/// Interned lists, found by number or by content. All items share one table, as an allocation for each list would cost
/// more than comparing lists.
#[derive(Debug)]
pub(crate) struct Lists<T> {
    tags: Vec<u32>,
    ends: Vec<u32>,
    items: Vec<T>,
    /// Per hash: the last list with that hash.
    heads: FxHashMap<u64, u32>,
    /// Per list: the previous list with the same hash.
    next: Vec<u32>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { tags: Vec::new(), ends: Vec::new(), items: Vec::new(), heads: FxHashMap::default(), next: Vec::new() }
    }
}

impl<T: Copy + Eq + Hash> Lists<T> {
    /// Returns the number of lists.
    pub(crate) fn len(&self) -> usize {
        self.tags.len()
    }

    /// Returns the tag and the items of a list.
    pub(crate) fn get(&self, number: u32) -> (u32, &[T]) {
        let at = number as usize;
        let first = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        (self.tags[at], &self.items[first as usize..self.ends[at] as usize])
    }

    /// Iterates over the items of each list.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.len() as u32).map(|number| self.get(number).1)
    }

    /// Returns the number of a list; a new list gets the next number.
    pub(crate) fn number(&mut self, tag: u32, items: &[T]) -> u32 {
        let hash = hash(tag, items);
        let mut at = self.heads.get(&hash).copied().unwrap_or(NONE);
        while at != NONE {
            if self.get(at) == (tag, items) {
                return at;
            }
            at = self.next[at as usize];
        }
        self.add(hash, tag, items)
    }

    /// Adds a new list, and returns its number.
    pub(crate) fn push(&mut self, tag: u32, items: &[T]) -> u32 {
        self.add(hash(tag, items), tag, items)
    }

    fn add(&mut self, hash: u64, tag: u32, items: &[T]) -> u32 {
        let fresh = self.len() as u32;
        self.tags.push(tag);
        self.items.extend_from_slice(items);
        self.ends.push(self.items.len() as u32);
        self.next.push(self.heads.insert(hash, fresh).unwrap_or(NONE));
        fresh
    }
}

/// Returns the hash of a list.
pub(crate) fn hash<T: Hash>(tag: u32, items: &[T]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u32(tag);
    T::hash_slice(items, &mut hasher);
    hasher.finish()
}
