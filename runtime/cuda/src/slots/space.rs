//! Allocates pieces of memory of a fixed total size; all bookkeeping is on the host.

use std::collections::BTreeMap;

/// Granularity of pieces, in bytes: kernels read formats 16 bytes at a time.
const PIECE: u64 = 256;

/// Memory that is divided into pieces. Invariant: free pieces do not touch one another; their offsets and lengths are multiples of `PIECE`.
#[derive(Clone, Debug)]
pub(super) struct Space {
    /// Lengths of free pieces by offset, both in bytes.
    free: BTreeMap<u64, u64>,
}

impl Space {
    /// Makes a space in which all memory is free.
    pub(super) fn new(bytes: u64) -> Self {
        let bytes = bytes / PIECE * PIECE;
        Self { free: (bytes > 0).then_some((0, bytes)).into_iter().collect() }
    }

    /// Takes the first free piece with room for `bytes` bytes; returns its offset.
    pub(super) fn take(&mut self, bytes: u64) -> Option<u64> {
        let bytes = bytes.max(1).checked_next_multiple_of(PIECE)?;
        let (&at, &len) = self.free.iter().find(|(_, len)| **len >= bytes)?;
        self.free.remove(&at);
        if len > bytes {
            self.free.insert(at + bytes, len - bytes);
        }
        Some(at)
    }

    /// Frees a piece; `bytes` is the number with which it was taken.
    pub(super) fn give_back(&mut self, at: u64, bytes: u64) {
        let mut at = at;
        let mut len = bytes.max(1).next_multiple_of(PIECE);
        if let Some(after) = self.free.remove(&(at + len)) {
            len += after;
        }
        if let Some((&before, &before_len)) = self.free.range(..at).next_back()
            && before + before_len == at
        {
            self.free.remove(&before);
            (at, len) = (before, before_len + len);
        }
        self.free.insert(at, len);
    }

    /// Returns the size of the longest free piece, in bytes.
    pub(super) fn longest(&self) -> u64 {
        self.free.values().copied().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::Space;

    #[test]
    fn pieces_that_are_given_back_are_joined() {
        let mut space = Space::new(1000);
        let pieces: Vec<u64> = [256, 1, 200].into_iter().map(|bytes| space.take(bytes).unwrap()).collect();
        assert_eq!((pieces.as_slice(), space.longest(), space.take(1)), ([0, 256, 512].as_slice(), 0, None));
        space.give_back(0, 256);
        space.give_back(512, 200);
        assert_eq!((space.longest(), space.take(257)), (256, None));
        space.give_back(256, 1);
        assert_eq!((space.longest(), space.take(768)), (768, Some(0)));
        space.give_back(0, 768);
        assert_eq!(space.take(u64::MAX), None);
        assert_eq!(Space::new(255).take(0), None);
    }
}
