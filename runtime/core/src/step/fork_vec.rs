//! A vector that forks share. All but its last elements are in chunks; a chunk is copied only when an owner truncates into it.
//!
//! Forking copies a pointer to the list of chunks, and the elements after the chunks, which are fewer than two chunks. Elements are added
//! to `recent`; [`ForkVec::share`] moves them into chunks.

use std::sync::Arc;

use always_assert::never;

/// A vector whose clones share the chunks at its beginning, of `CHUNK` elements each.
#[derive(Clone, Debug)]
pub(crate) struct ForkVec<T, const CHUNK: usize> {
    /// Full chunks; `None` before the first.
    shared: Option<Arc<Vec<Arc<[T]>>>>,
    /// The number of elements in `shared`.
    shared_len: usize,
    /// The elements after those in `shared`.
    recent: Vec<T>,
}

impl<T, const CHUNK: usize> Default for ForkVec<T, CHUNK> {
    fn default() -> Self {
        Self { shared: None, shared_len: 0, recent: Vec::new() }
    }
}

impl<T: Clone, const CHUNK: usize> ForkVec<T, CHUNK> {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.shared_len + self.recent.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes of the elements, without memory that they own. A shared chunk counts for each fork.
    pub(crate) fn bytes(&self) -> usize {
        let list = |shared: &Arc<Vec<Arc<[T]>>>| shared.capacity() * size_of::<Arc<[T]>>();
        let counts = self.shared_len / CHUNK * 2 * size_of::<usize>();
        self.shared.as_ref().map_or(0, list) + counts + (self.shared_len + self.recent.capacity()) * size_of::<T>()
    }

    #[inline]
    pub(crate) fn push(&mut self, element: T) {
        self.recent.push(element);
    }

    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<&T> {
        match at.checked_sub(self.shared_len) {
            Some(at) => self.recent.get(at),
            None => self.shared.as_ref()?.get(at / CHUNK)?.get(at % CHUNK),
        }
    }

    /// Returns the elements, in order, in slices.
    pub(crate) fn slices(&self) -> impl Iterator<Item = &[T]> {
        let shared = self.shared.iter().flat_map(|shared| shared.iter().map(|chunk| &**chunk));
        shared.chain([self.recent.as_slice()])
    }

    /// Drops the elements from `len` on.
    #[inline]
    pub(crate) fn truncate(&mut self, len: usize) {
        match len.checked_sub(self.shared_len) {
            Some(len) => self.recent.truncate(len),
            None => self.take_back(len),
        }
    }

    #[cold]
    fn take_back(&mut self, len: usize) {
        let chunk = self.shared.as_ref().and_then(|shared| shared.get(len / CHUNK));
        let partial = chunk.and_then(|chunk| chunk.get(..len % CHUNK));
        never!(partial.is_none(), "{} elements to keep, and fewer there", len);
        self.recent = partial.unwrap_or_default().to_vec();
        self.shared_len = len - self.recent.len();
        self.shared.iter_mut().for_each(|shared| Arc::make_mut(shared).truncate(len / CHUNK));
    }

    /// Moves full chunks from `recent` to `shared`, once there are two full ones.
    #[inline]
    pub(crate) fn share(&mut self) {
        if self.recent.len() >= 2 * CHUNK {
            self.share_chunks();
        }
    }

    /// Moves all full chunks but the last at once, so that the remaining elements are moved only once.
    #[cold]
    fn share_chunks(&mut self) {
        let chunks = self.recent.len() / CHUNK - 1;
        let mut moved = self.recent.drain(..chunks * CHUNK);
        let taken = (0..chunks).map(|_| moved.by_ref().take(CHUNK).collect::<Arc<[T]>>());
        Arc::make_mut(self.shared.get_or_insert_default()).extend(taken);
        drop(moved);
        self.shared_len += chunks * CHUNK;
        self.recent.shrink_to(4 * CHUNK);
    }
}

#[cfg(test)]
mod tests {
    use super::ForkVec;

    const CHUNK: usize = 1 << 10;

    fn elements(vector: &ForkVec<u32, CHUNK>) -> Vec<u32> {
        (0..vector.len()).filter_map(|at| vector.get(at).copied()).collect()
    }

    #[test]
    fn sharing_a_fork_vector_leaves_few_unshared_elements() {
        let mut vector = ForkVec::<u32, CHUNK>::default();
        let count = 4_000_000;
        (0..count).for_each(|element: u32| vector.push(element));
        vector.share();
        assert!(vector.recent.len() < 2 * CHUNK && vector.recent.capacity() <= 4 * CHUNK);
        assert!((0..count).all(|element| vector.get(element as usize) == Some(&element)));
    }

    #[test]
    fn a_fork_vector_behaves_like_a_vector_under_sharing() {
        let (mut vector, mut plain) = (ForkVec::<u32, CHUNK>::default(), Vec::new());
        for round in 0..40u32 {
            for element in 0..700 {
                vector.push(round * 1_000 + element);
                plain.push(round * 1_000 + element);
            }
            vector.share();
            if round % 3 == 2 {
                let len = plain.len() - (round as usize * 97) % plain.len();
                vector.truncate(len);
                plain.truncate(len);
            }
            assert_eq!(elements(&vector), plain);
        }
        let fork = vector.clone();
        vector.truncate(CHUNK + 3);
        vector.push(7);
        assert_eq!((elements(&fork), vector.get(CHUNK + 3)), (plain, Some(&7)));
        vector.truncate(0);
        assert!(vector.is_empty());
    }
}
