//! The pool of mask rows in device memory: its layout, and the host's record of it; kernels read it by `kernels/pool.cuh`.
//!
//! The rows come from artifacts; a row that several formats have is stored once. The pool is two buffers of fixed size at fixed addresses:
//! a table of rows, and their contents. Stored rows are never moved or changed, and new rows have new numbers, which no running kernel
//! knows. So a captured graph stays valid when a format is added. Slots refer to rows by their numbers in the table.

mod copies;

use std::collections::HashMap;

use always_assert::never;
use ogc_runtime::artifact::Fingerprint;
use ogc_runtime::mask::{MaskPack, PackedRow, RowView};
use zerocopy::IntoBytes;

use crate::record::shared;
pub use copies::{PoolCopy, PoolPart};

/// Maximum number of rows, whatever the limits: tables of masks use one bit of a row's number as a flag.
const MOST_ROWS: u32 = (1 << 31) - 1;

shared! {
    header "pool";

    /// The words of a block: each row begins with a block, so that it can be read 16 bytes at a time.
    const BLOCK_WORDS: u32 = 16;

    /// Forms of a row: a list of tokens, a bit for each token, or the difference from a row of bits.
    const ROW_SPARSE: u32 = 0;
    const ROW_DENSE: u32 = 1;
    const ROW_DELTA: u32 = 2;

    /// A row. Sparse: `len` tokens, ascending, from block `at` on. Dense: `len` words of bits. Delta: `len` added tokens, then `removed` removed
    /// tokens, both ascending, relative to the dense row of number `dense`. Each record has its own sector; the fields of all forms are read at once.
    #[repr(align(16))]
    struct PoolRow {
        kind: u32,
        at: u32,
        len: u32,
        removed: u32,
        dense: u32,
        /// Padding, so that each row begins a sector.
        unused: [u32; 3],
    }

    /// The pool, by the addresses of its rows and of their contents.
    struct Pool { rows: u64 as *const PoolRow, data: u64 as *const u32 }
}

/// Size of a pool, which is fixed.
///
/// ```
/// // 40,000 rows, and 64 MB for their contents.
/// let limits = ogc_cuda::PoolLimits { rows: 40_000, blocks: 1 << 20 };
/// assert_eq!((limits.table_bytes(), limits.content_bytes()), (1_280_000, 64 << 20));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolLimits {
    /// Maximum number of rows.
    pub rows: u32,
    /// Maximum number of blocks of 64 bytes for the contents of rows.
    pub blocks: u32,
}

impl PoolLimits {
    /// Returns the size of the table of rows, in bytes.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::PoolLimits { rows: 1, blocks: 0 }.table_bytes(), 32);
    /// ```
    #[must_use]
    pub fn table_bytes(&self) -> u64 {
        u64::from(self.rows) * size_of::<PoolRow>() as u64
    }

    /// Returns the size of the contents, in bytes.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::PoolLimits { rows: 0, blocks: 1 }.content_bytes(), 64);
    /// ```
    #[must_use]
    pub fn content_bytes(&self) -> u64 {
        u64::from(self.blocks) * 4 * u64::from(BLOCK_WORDS)
    }
}

/// Rows cannot be added to a pool.
///
/// ```
/// let error = ogc_cuda::PoolError::Full { what: "rows", given: 12, limit: 10 };
/// assert_eq!(error.to_string(), "the pool would have 12 rows, the limit is 10: make a larger one");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// There is no room for all rows. Nothing was added.
    #[error("the pool would have {given} {what}, the limit is {limit}: make a larger one")]
    Full {
        /// Limited resource: rows or blocks.
        what: &'static str,
        /// Number of rows or blocks that the pool would have.
        given: u64,
        /// Maximum number of rows or blocks of the pool.
        limit: u64,
    },
    /// The rows are for another vocabulary than those in the pool.
    #[error("the rows are of vocabulary {given}, the pool is of {expected}: make a pool for each")]
    OtherVocabulary {
        /// The vocabulary of the rows.
        given: Fingerprint,
        /// The vocabulary of the pool.
        expected: Fingerprint,
    },
}

/// The host's record of a pool of rows in device memory: the numbers of rows, and the bytes that have not been copied yet.
///
/// ```
/// use ogc_cuda::{DevicePool, PoolLimits};
/// let pool = DevicePool::new(PoolLimits { rows: 40_000, blocks: 1 << 20 });
/// assert_eq!((pool.row_count(), pool.block_count()), (0, 0));
/// ```
#[derive(Clone, Debug)]
pub struct DevicePool {
    limits: PoolLimits,
    vocabulary: Option<Fingerprint>,
    rows: Vec<PoolRow>,
    /// For each hash of a row's tokens: the number of the row; of its dense form, if the pool has that.
    numbers: HashMap<[u8; 16], u32>,
    block_count: u32,
    copies: Vec<PoolCopy>,
}

impl DevicePool {
    /// Makes an empty pool.
    ///
    /// ```
    /// # use ogc_cuda::{DevicePool, PoolLimits};
    /// assert!(DevicePool::new(PoolLimits { rows: 1, blocks: 1 }).take_copies().is_empty());
    /// ```
    #[must_use]
    pub fn new(limits: PoolLimits) -> Self {
        let (rows, numbers, copies) = (Vec::new(), HashMap::new(), Vec::new());
        Self { limits, vocabulary: None, rows, numbers, block_count: 0, copies }
    }

    /// Returns the size of the pool.
    ///
    /// ```
    /// # use ogc_cuda::{DevicePool, PoolLimits};
    /// assert_eq!(DevicePool::new(PoolLimits { rows: 1, blocks: 2 }).limits().blocks, 2);
    /// ```
    #[must_use]
    pub fn limits(&self) -> PoolLimits {
        self.limits
    }

    /// Returns the number of rows in the pool.
    ///
    /// ```
    /// # use ogc_cuda::{DevicePool, PoolLimits};
    /// assert_eq!(DevicePool::new(PoolLimits { rows: 1, blocks: 1 }).row_count(), 0);
    /// ```
    #[must_use]
    pub fn row_count(&self) -> u32 {
        self.rows.len() as u32
    }

    /// Returns the number of blocks of 64 bytes that the contents of rows take.
    ///
    /// ```
    /// # use ogc_cuda::{DevicePool, PoolLimits};
    /// assert_eq!(DevicePool::new(PoolLimits { rows: 1, blocks: 1 }).block_count(), 0);
    /// ```
    #[must_use]
    pub fn block_count(&self) -> u32 {
        self.block_count
    }

    /// Returns the bytes that must be copied to the device before formats added since the last call are used.
    ///
    /// ```
    /// # use ogc_cuda::{DevicePool, PoolLimits};
    /// assert_eq!(DevicePool::new(PoolLimits { rows: 1, blocks: 1 }).take_copies(), []);
    /// ```
    #[must_use]
    pub fn take_copies(&mut self) -> Vec<PoolCopy> {
        std::mem::take(&mut self.copies)
    }

    /// Adds the rows of a pack that the pool lacks; returns the pool numbers of all rows of the pack, in their order.
    pub(crate) fn add(&mut self, pack: &MaskPack) -> Result<Vec<u32>, PoolError> {
        let given = pack.vocabulary();
        if let Some(expected) = self.vocabulary.filter(|expected| *expected != given) {
            return Err(PoolError::OtherVocabulary { given, expected });
        }
        let mut adding = Adding { pool: self, rows: Vec::new(), numbers: HashMap::new(), content: Vec::new() };
        let all: Vec<PackedRow<'_>> = (0..).map_while(|row| pack.packed_row(row)).collect();
        // Dense rows come first, because deltas refer to them.
        for row in all.iter().filter(|row| row.dense.is_none()) {
            adding.add(row, 0)?;
        }
        for row in &all {
            if let Some(dense) = row.dense.and_then(|dense| all.get(dense as usize)) {
                let Some(number) = adding.number(dense.name) else {
                    never!("the dense row {:x?} was not added", dense.name);
                    continue;
                };
                adding.add(row, number)?;
            }
        }
        let numbers = all.iter().filter_map(|row| adding.number(row.name)).collect();
        let Adding { rows, numbers: new, content, .. } = adding;
        self.commit(rows, new, &content);
        self.vocabulary = Some(given);
        Ok(numbers)
    }

    /// Returns whether a row is a list of tokens. A row never changes its form.
    pub(crate) fn is_list(&self, number: u32) -> bool {
        self.rows.get(number as usize).is_some_and(|row| row.kind == ROW_SPARSE)
    }

    /// Adds rows that are known to fit.
    fn commit(&mut self, rows: Vec<PoolRow>, numbers: HashMap<[u8; 16], u32>, content: &[u32]) {
        if rows.is_empty() {
            return;
        }
        let row_bytes = (self.rows.len() * size_of::<PoolRow>()) as u64;
        let block_bytes = u64::from(self.block_count) * 4 * u64::from(BLOCK_WORDS);
        self.copies.push(PoolCopy::new(PoolPart::Contents, block_bytes, content.as_bytes()));
        self.copies.push(PoolCopy::new(PoolPart::Table, row_bytes, rows.as_slice().as_bytes()));
        self.block_count += content.len() as u32 / BLOCK_WORDS;
        self.rows.extend(rows);
        self.numbers.extend(numbers);
    }
}

/// Rows that will be added to a pool if there is room for all of them.
struct Adding<'p> {
    pool: &'p DevicePool,
    rows: Vec<PoolRow>,
    numbers: HashMap<[u8; 16], u32>,
    content: Vec<u32>,
}

impl Adding<'_> {
    /// Returns the number of the row with this name, which is a hash of its tokens.
    fn number(&self, name: [u8; 16]) -> Option<u32> {
        self.numbers.get(&name).or_else(|| self.pool.numbers.get(&name)).copied()
    }

    fn row(&self, number: u32) -> Option<&PoolRow> {
        let before = self.pool.rows.len();
        let number = number as usize;
        if number < before { self.pool.rows.get(number) } else { self.rows.get(number - before) }
    }

    /// Adds a row, unless the pool has a row with the same tokens. A dense row is added even if the pool has it in another form, as deltas
    /// may refer to it.
    fn add(&mut self, row: &PackedRow<'_>, dense: u32) -> Result<(), PoolError> {
        let is_dense = matches!(row.view, RowView::Dense(_));
        let known = self.number(row.name).and_then(|number| self.row(number));
        if known.is_some_and(|known| !is_dense || known.kind == ROW_DENSE) {
            return Ok(());
        }
        let rows = (self.pool.rows.len() + self.rows.len() + 1) as u64;
        full_above("rows", rows, self.pool.limits.rows.min(MOST_ROWS))?;
        let own_blocks = self.content.len() as u64 / u64::from(BLOCK_WORDS);
        let at = u64::from(self.pool.block_count) + own_blocks;
        let (kind, own, removed): (_, _, &[u32]) = match row.view {
            RowView::Sparse(tokens) => (ROW_SPARSE, tokens, &[]),
            RowView::Dense(words) => (ROW_DENSE, words, &[]),
            RowView::Delta { add, remove, .. } => (ROW_DELTA, add, remove),
        };
        let words = own.len() + removed.len();
        full_above("blocks", at + words.div_ceil(BLOCK_WORDS as usize) as u64, self.pool.limits.blocks)?;
        self.content.extend_from_slice(own);
        self.content.extend_from_slice(removed);
        self.content.resize(self.content.len().next_multiple_of(BLOCK_WORDS as usize), 0);
        let (len, removed) = (own.len() as u32, removed.len() as u32);
        self.numbers.insert(row.name, rows as u32 - 1);
        self.rows.push(PoolRow { kind, at: at as u32, len, removed, dense, unused: [0; 3] });
        Ok(())
    }
}

fn full_above(what: &'static str, given: u64, limit: u32) -> Result<(), PoolError> {
    let limit = u64::from(limit);
    if given <= limit { Ok(()) } else { Err(PoolError::Full { what, given, limit }) }
}
