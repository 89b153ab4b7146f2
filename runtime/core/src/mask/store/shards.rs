//! Hash tables in shards. A hash table moves all its entries when it grows: 45 ms for 460,000 entries of a store, in the step of some text.
//! Shards grow one at a time, so that a step moves the entries of one shard.

use std::hash::{BuildHasher, Hash};

use rustc_hash::{FxBuildHasher, FxHashMap};

/// The number of shards, a power of two.
const SHARDS: usize = 64;

/// Position of the bits of a hash that choose the shard. The table of a shard finds entries by the lowest and the highest bits.
const SHIFT: u32 = 20;

/// Entries by key, in shards that grow apart.
#[derive(Debug)]
pub(super) struct Shards<K, V>(Box<[FxHashMap<K, V>; SHARDS]>);

impl<K, V> Default for Shards<K, V> {
    fn default() -> Self {
        Self(Box::new(std::array::from_fn(|_| FxHashMap::default())))
    }
}

impl<K: Hash, V> Shards<K, V> {
    /// Returns the shard of a key.
    pub(super) fn of(&self, key: &K) -> &FxHashMap<K, V> {
        &self.0[index(key)]
    }

    /// Returns the shard of a key, to change it.
    pub(super) fn of_mut(&mut self, key: &K) -> &mut FxHashMap<K, V> {
        &mut self.0[index(key)]
    }
}

fn index<K: Hash>(key: &K) -> usize {
    (FxBuildHasher.hash_one(key) >> SHIFT) as usize % SHARDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_spread_over_all_shards_evenly() {
        let mut shards = Shards::default();
        for key in 0..64_000_u64 {
            shards.of_mut(&key).insert(key, ());
        }
        assert!((0..64_000).all(|key| shards.of(&key).contains_key(&key)));
        let largest = shards.0.iter().map(FxHashMap::len).max();
        assert!(largest.is_some_and(|largest| largest < 2_000), "{largest:?} keys of 64,000 are in one of 64 shards");
    }
}
