//! A vector that forks share: all but its last elements are in chunks that are copied only when one of the owners takes
//! them back.
//!
//! Forking copies a pointer for each chunk. Elements are added to `recent`; [`ForkVec::share`] moves them into chunks.

use std::sync::Arc;

use always_assert::never;

/// The number of elements of a chunk.
const CHUNK: usize = 1 << 10;

/// A vector whose clones share the chunks at its beginning.
#[derive(Clone, Debug)]
pub(crate) struct ForkVec<T> {
    /// Full chunks, of [`CHUNK`] elements each.
    shared: Vec<Arc<[T]>>,
    /// The elements behind them.
    recent: Vec<T>,
}

impl<T> Default for ForkVec<T> {
    fn default() -> Self {
        Self { shared: Vec::new(), recent: Vec::new() }
    }
}

impl<T: Clone> ForkVec<T> {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.shared.len() * CHUNK + self.recent.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.shared.is_empty() && self.recent.is_empty()
    }

    #[inline]
    pub(crate) fn push(&mut self, element: T) {
        self.recent.push(element);
    }

    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<&T> {
        match at.checked_sub(self.shared.len() * CHUNK) {
            Some(at) => self.recent.get(at),
            None => self.shared.get(at / CHUNK)?.get(at % CHUNK),
        }
    }

    /// Drops the elements from `len` on.
    pub(crate) fn truncate(&mut self, len: usize) {
        match len.checked_sub(self.shared.len() * CHUNK) {
            Some(len) => self.recent.truncate(len),
            None => self.take_back(len),
        }
    }

    #[cold]
    fn take_back(&mut self, len: usize) {
        let partial = self.shared.get(len / CHUNK).and_then(|chunk| chunk.get(..len % CHUNK));
        never!(partial.is_none(), "{} elements to keep, and fewer there", len);
        self.recent = partial.unwrap_or_default().to_vec();
        self.shared.truncate(len / CHUNK);
    }

    /// Moves full chunks to where forks share them.
    #[inline]
    pub(crate) fn share(&mut self) {
        if self.recent.len() >= 2 * CHUNK {
            self.share_chunks();
        }
    }

    /// Moves all full chunks but the last at once, so that what stays is moved once however many chunks go.
    #[cold]
    fn share_chunks(&mut self) {
        let chunks = self.recent.len() / CHUNK - 1;
        let mut moved = self.recent.drain(..chunks * CHUNK);
        self.shared.extend((0..chunks).map(|_| moved.by_ref().take(CHUNK).collect::<Arc<[T]>>()));
        drop(moved);
        self.recent.shrink_to(4 * CHUNK);
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, ForkVec};

    fn elements(vector: &ForkVec<u32>) -> Vec<u32> {
        (0..vector.len()).filter_map(|at| vector.get(at).copied()).collect()
    }

    #[test]
    fn millions_of_elements_are_shared_at_once() {
        let mut vector = ForkVec::default();
        let count = 4_000_000;
        (0..count).for_each(|element: u32| vector.push(element));
        vector.share();
        assert!(vector.recent.len() < 2 * CHUNK && vector.recent.capacity() <= 4 * CHUNK);
        assert!((0..count).all(|element| vector.get(element as usize) == Some(&element)));
    }

    #[test]
    fn it_is_a_vector_whatever_is_shared() {
        let (mut vector, mut plain) = (ForkVec::default(), Vec::new());
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
