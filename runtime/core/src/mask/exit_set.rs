//! A set of exits: the trie nodes, inside of tokens, at which a frame returns. A store interns sets, so that bases and tails share equal
//! ones.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use crate::trie::NodeId;

/// A shared set of exits, ascending.
///
/// A set stays valid after the store that interned it drops it. Equality compares contents; for shared sets the addresses suffice.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExitSet(Option<Arc<HashedNodes>>);

#[derive(Debug)]
struct HashedNodes {
    hash: u64,
    nodes: Box<[NodeId]>,
}

impl ExitSet {
    /// The empty set.
    pub(crate) const NONE: ExitSet = ExitSet(None);

    /// Makes a set that is not interned.
    pub(super) fn new(nodes: &[NodeId]) -> Self {
        let hashed = || Arc::new(HashedNodes { hash: Self::hash_of(nodes), nodes: nodes.into() });
        Self((!nodes.is_empty()).then(hashed))
    }

    /// Returns the hash of a set with these nodes.
    pub(super) fn hash_of(nodes: &[NodeId]) -> u64 {
        if nodes.is_empty() { 0 } else { FxBuildHasher.hash_one(nodes) }
    }

    /// Returns the hash of the set.
    pub(super) fn hash(&self) -> u64 {
        self.0.as_ref().map_or(0, |set| set.hash)
    }

    /// Returns the nodes.
    pub(crate) fn nodes(&self) -> &[NodeId] {
        self.0.as_ref().map_or(&[], |set| &set.nodes)
    }

    /// Returns the heap memory of the set in bytes.
    pub(super) fn bytes(&self) -> usize {
        const COUNTS: usize = 2 * size_of::<usize>();
        self.0.as_ref().map_or(0, |set| COUNTS + size_of::<HashedNodes>() + size_of_val(&*set.nodes))
    }
}

impl PartialEq for ExitSet {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other) || (own.hash == other.hash && own.nodes == other.nodes),
            (own, other) => own.is_none() && other.is_none(),
        }
    }
}

impl Eq for ExitSet {}

impl Hash for ExitSet {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(ExitSet::hash(self));
    }
}
