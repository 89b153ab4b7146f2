//! Bytes that must be copied to the buffers of a pool.

/// One of the two buffers of a pool.
///
/// ```
/// assert_ne!(ogc_cuda::PoolPart::Table, ogc_cuda::PoolPart::Contents);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolPart {
    /// The table of rows.
    Table,
    /// The contents of rows.
    Contents,
}

/// Bytes that must be copied to a buffer of a pool. They overwrite no bytes of earlier copies.
///
/// ```
/// use ogc_cuda::{DevicePool, PoolLimits};
/// let mut pool = DevicePool::new(PoolLimits { rows: 1, blocks: 1 });
/// for copy in pool.take_copies() {
///     println!("{} bytes to {:?}, from byte {} on", copy.bytes().len(), copy.part(), copy.at());
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolCopy {
    part: PoolPart,
    at: u64,
    bytes: Vec<u8>,
}

impl PoolCopy {
    pub(super) fn new(part: PoolPart, at: u64, bytes: &[u8]) -> Self {
        Self { part, at, bytes: bytes.to_vec() }
    }

    /// Returns the buffer to copy to.
    ///
    /// ```
    /// # use ogc_cuda::{DevicePool, PoolLimits, PoolPart};
    /// # let mut pool = DevicePool::new(PoolLimits { rows: 1, blocks: 1 });
    /// let copies = pool.take_copies();
    /// assert!(copies.iter().all(|copy| copy.part() == PoolPart::Contents || copy.at() % 20 == 0));
    /// ```
    #[must_use]
    pub fn part(&self) -> PoolPart {
        self.part
    }

    /// Returns the offset of the first byte in the buffer, in bytes.
    ///
    /// ```
    /// # use ogc_cuda::{DevicePool, PoolLimits};
    /// # let mut pool = DevicePool::new(PoolLimits { rows: 1, blocks: 1 });
    /// assert!(pool.take_copies().iter().all(|copy| copy.at() < 100));
    /// ```
    #[must_use]
    pub fn at(&self) -> u64 {
        self.at
    }

    /// Returns the bytes.
    ///
    /// ```
    /// # use ogc_cuda::{DevicePool, PoolLimits};
    /// # let mut pool = DevicePool::new(PoolLimits { rows: 1, blocks: 1 });
    /// assert!(pool.take_copies().iter().all(|copy| !copy.bytes().is_empty()));
    /// ```
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
