//! The bytes of an artifact, in memory or mapped, and typed views of them.
//!
//! This module does not trust the bytes: a view that does not fit is empty, so that indexing cannot fail even if a file changes while it is
//! mapped.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// The alignment of sections in bytes.
pub(crate) const ALIGN: usize = 64;

/// Shared bytes, aligned to [`ALIGN`], or to 4 bytes if they are an unpacked table.
#[derive(Clone)]
pub(crate) struct Bytes {
    inner: Arc<dyn AsRef<[u8]> + Send + Sync>,
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bytes({})", self.as_slice().len())
    }
}

/// An aligned block, the unit of a copy of unaligned bytes.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(64))]
struct Block([u8; ALIGN]);

/// A copy of the bytes at an aligned address.
struct Aligned {
    blocks: Vec<Block>,
    len: usize,
}

impl AsRef<[u8]> for Aligned {
    fn as_ref(&self) -> &[u8] {
        self.blocks.as_bytes().get(..self.len).unwrap_or_default()
    }
}

/// The words of an unpacked table.
struct Words(Vec<u32>);

impl AsRef<[u8]> for Words {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

fn aligned_copy(bytes: &[u8]) -> Aligned {
    let blocks = bytes.chunks(ALIGN).map(|chunk| {
        let mut block = Block([0; ALIGN]);
        block.0[..chunk.len()].copy_from_slice(chunk);
        block
    });
    Aligned { blocks: blocks.collect(), len: bytes.len() }
}

impl Bytes {
    /// Keeps the bytes in place if they are aligned, as mapped files are; copies them otherwise.
    pub(crate) fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        let address = bytes.as_ref().as_ptr().addr();
        let inner: Arc<dyn AsRef<[u8]> + Send + Sync> =
            if address.is_multiple_of(ALIGN) { Arc::new(bytes) } else { Arc::new(aligned_copy(bytes.as_ref())) };
        Self { inner }
    }

    /// Makes bytes from words, so that they can be viewed as records of words.
    pub(crate) fn of_words(words: Vec<u32>) -> Self {
        Self { inner: Arc::new(Words(words)) }
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u8] {
        (*self.inner).as_ref()
    }
}

/// A section, viewed as a table of records.
pub(crate) struct Table<T> {
    bytes: Bytes,
    range: Range<usize>,
    records: PhantomData<fn() -> T>,
}

impl<T> Clone for Table<T> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), range: self.range.clone(), records: PhantomData }
    }
}

impl<T> fmt::Debug for Table<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({:?})", self.range)
    }
}

impl<T: FromBytes + Immutable + KnownLayout> Table<T> {
    /// Views a range of bytes as a table; `None` if the range is not a whole number of records.
    pub(crate) fn new(bytes: &Bytes, range: Range<usize>) -> Option<Self> {
        let table = Self { bytes: bytes.clone(), range, records: PhantomData };
        let raw = table.bytes.as_slice().get(table.range.clone())?;
        <[T]>::ref_from_bytes(raw).ok()?;
        Some(table)
    }

    /// Returns the records.
    #[inline]
    pub(crate) fn records(&self) -> &[T] {
        self.bytes
            .as_slice()
            .get(self.range.clone())
            .and_then(|raw| <[T]>::ref_from_bytes(raw).ok())
            .unwrap_or_default()
    }

    /// Returns the bytes of the records.
    pub(crate) fn raw(&self) -> &[u8] {
        self.bytes.as_slice().get(self.range.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Bytes, Table};

    #[test]
    fn unaligned_bytes_are_copied_and_read_the_same() {
        let content: Vec<u8> = (0..130).collect();
        for skip in 0..3 {
            let bytes = Bytes::new(content[skip..].to_vec());
            assert_eq!(bytes.as_slice(), &content[skip..]);
            let table = Table::<u32>::new(&bytes, 64..72).expect("it fits");
            assert_eq!(table.records().len(), 2);
            assert!(Table::<u32>::new(&bytes, 64..71).is_none());
            assert!(Table::<u32>::new(&bytes, 128..136).is_none());
        }
    }
}
