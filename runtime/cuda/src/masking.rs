//! What is masked by what, checked before anything is launched.

use std::ffi::CStr;
use std::fmt;

use ogc_runtime::logits::LogitFormat;

use crate::geometry::Geometry;

/// The most rows, logits of a row, and tokens: the kernel counts them in 32 bits with a sign, and adds a span to them.
const MOST: u32 = 1 << 30;

/// The last address that memory may end at: the kernel adds distances to addresses in 64 bits with a sign.
const MAX_ADDRESS: u64 = 1 << 62;

/// Tokens of a mask's word.
const WORD_TOKENS: u32 = 32;

/// Returns the name of the kernel that masks logits of a format.
///
/// ```
/// assert_eq!(ogc_cuda::apply_kernel(ogc_cuda::LogitFormat::F32), c"ogc_apply_f32");
/// ```
#[must_use]
pub fn apply_kernel(format: LogitFormat) -> &'static CStr {
    match format {
        LogitFormat::F32 => c"ogc_apply_f32",
        LogitFormat::F16 => c"ogc_apply_f16",
        LogitFormat::Bf16 => c"ogc_apply_bf16",
    }
}

/// Logits in device memory: row `r` begins at number `r * stride`.
///
/// ```
/// use ogc_cuda::{LogitFormat, Logits};
/// // Two rows of a tensor whose rows are padded to 8.
/// let logits = Logits { format: LogitFormat::Bf16, address: 0x1000, len: 16, rows: 2, width: 5, stride: 8 };
/// assert!(u64::from(logits.width) <= logits.stride);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Logits {
    /// The number format.
    pub format: LogitFormat,
    /// Where the first number lies, a multiple of its bytes.
    pub address: u64,
    /// The number of logits in that memory, from there on.
    pub len: u64,
    /// The number of rows; the row map may leave some of them as they are.
    pub rows: u32,
    /// The number of logits of a row; those beyond the vocabulary are never allowed.
    pub width: u32,
    /// The number of logits from the beginning of a row to that of the next.
    pub stride: u64,
}

impl Logits {
    /// Refuses logits that are too many for kernels, or do not lie where they are said to.
    pub(crate) fn check(&self) -> Result<(), MaskingError> {
        at_most(Operand::Logits, self.rows.max(self.width))?;
        self.memory().check()
    }

    fn memory(&self) -> Memory {
        let Self { format, address, len, rows, width, stride } = *self;
        let entry = u64::from(format.bytes());
        Memory { operand: Operand::Logits, address, len, entry, rows, row_len: width.into(), stride }
    }
}

/// Masks in device memory: row `r` begins at word `r * stride`; a bit for each token, the lowest first, set if it is allowed.
///
/// ```
/// use ogc_cuda::Masks;
/// let masks = Masks { address: 0x2000, len: 8, vocabulary: 100, stride: 4 };
/// assert!(u64::from(masks.vocabulary.div_ceil(32)) <= masks.stride);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Masks {
    /// Where the first word lies, a multiple of 4.
    pub address: u64,
    /// The number of words of 32 bits in that memory, from there on.
    pub len: u64,
    /// The number of tokens, for each of which a mask has a bit; the bits of its last word beyond them are not looked at.
    pub vocabulary: u32,
    /// The number of words from the beginning of a row to that of the next.
    pub stride: u64,
}

impl Masks {
    /// Refuses masks that do not lie where they are said to, if so many rows are used.
    pub(crate) fn check(&self, rows: u32) -> Result<(), MaskingError> {
        at_most(Operand::Masks, self.vocabulary)?;
        self.memory(rows, self.vocabulary).check()
    }

    /// So many rows of so many tokens.
    fn memory(&self, rows: u32, tokens: u32) -> Memory {
        let Self { address, len, stride, .. } = *self;
        let row_len = tokens.div_ceil(WORD_TOKENS).into();
        Memory { operand: Operand::Masks, address, len, entry: 4, rows, row_len, stride }
    }
}

/// Which mask a row of logits is masked by.
///
/// ```
/// use ogc_cuda::RowMap;
/// assert_ne!(RowMap::SameRow, RowMap::Listed { address: 0x3000, len: 4 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowMap {
    /// Row r of the masks.
    SameRow,
    /// The row that the list in device memory says: a number of 32 bits with a sign for each row of logits. A row whose number is
    /// negative is not masked.
    Listed {
        /// Where the first number lies, a multiple of 4.
        address: u64,
        /// The number of entries.
        len: u64,
    },
}

/// What a masking reads or writes.
///
/// ```
/// assert_eq!(ogc_cuda::Operand::RowMap.to_string(), "the row map");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The logits.
    Logits,
    /// The masks.
    Masks,
    /// The list of the masks' rows.
    RowMap,
}

impl fmt::Display for Operand {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Logits => "the logits",
            Self::Masks => "the masks",
            Self::RowMap => "the row map",
        })
    }
}

/// The reason why logits cannot be masked as was asked.
///
/// ```
/// use ogc_cuda::{MaskingError, Operand};
/// let error = MaskingError::TooShort { operand: Operand::Masks, given: 7, limit: 8 };
/// assert_eq!(error.to_string(), "the masks have 7 entries, 8 are used");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MaskingError {
    /// There are more rows, logits of a row or tokens than the kernel counts.
    #[error("{operand}: {given} rows, entries of a row or tokens, the kernel takes at most {limit}")]
    TooMany {
        /// What has too many.
        operand: Operand,
        /// The number that was given.
        given: u32,
        /// The most.
        limit: u32,
    },
    /// Rows overlap: one begins before the last one ends.
    #[error("a row of {operand} begins {given} entries after the one before, which has {limit}")]
    RowsOverlap {
        /// What has such rows.
        operand: Operand,
        /// The distance of rows.
        given: u64,
        /// The entries of a row.
        limit: u64,
    },
    /// The rows do not fit the memory.
    #[error("{operand} have {given} entries, {limit} are used")]
    TooShort {
        /// What is too short.
        operand: Operand,
        /// The number of entries in that memory.
        given: u64,
        /// The number of entries that the rows take, or the greatest number that fits 64 bits if it is still greater.
        limit: u64,
    },
    /// There is no address where one must be.
    #[error("the address of {operand} is null")]
    Null {
        /// What has none.
        operand: Operand,
    },
    /// The address is no multiple of an entry's bytes.
    #[error("{operand} are at address {given:#x}, which is no multiple of {limit}")]
    Misaligned {
        /// What is misaligned.
        operand: Operand,
        /// Its address.
        given: u64,
        /// The bytes of an entry.
        limit: u64,
    },
    /// The memory would end beyond all memory.
    #[error("{operand} would end at {given:#x}, memory ends before {limit:#x}")]
    BeyondMemory {
        /// What ends there.
        operand: Operand,
        /// Where it would end.
        given: u128,
        /// Where memory ends at the latest.
        limit: u64,
    },
    /// The kernel would write what it reads.
    #[error("the logits from {logits:#x} on lie in the same memory as {operand} from {given:#x} on")]
    Shared {
        /// What shares memory with the logits.
        operand: Operand,
        /// The address of the logits.
        logits: u64,
        /// The other address.
        given: u64,
    },
}

/// The kernel's parameters, in their order.
///
/// ```
/// # use ogc_cuda::{LogitFormat, Logits, Masking, Masks, RowMap};
/// let logits = Logits { format: LogitFormat::F16, address: 0x1000, len: 50, rows: 1, width: 50, stride: 50 };
/// let masks = Masks { address: 0x2000, len: 2, vocabulary: 40, stride: 2 };
/// assert_eq!(Masking::new(logits, masks, RowMap::SameRow)?.parameters().row_map, 0);
/// # Ok::<(), ogc_cuda::MaskingError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ApplyParameters {
    /// The address of the logits.
    pub logits: u64,
    /// The distance of their rows, in numbers.
    pub logits_stride: u64,
    /// The address of the masks.
    pub masks: u64,
    /// The distance of their rows, in words.
    pub mask_stride: u64,
    /// The address of the row map, 0 for none.
    pub row_map: u64,
    /// The rows.
    pub rows: u32,
    /// The tokens of a mask.
    pub vocabulary: u32,
    /// The logits of a row.
    pub width: u32,
}

/// A masking that was checked: it can be given to [`Device::apply`](crate::Device::apply).
///
/// Invariant: all rows of logits, the row map, and without one all masks, lie in the memory that was stated; logits share no memory
/// with what is read. What the row map says lies in device memory and is not checked.
///
/// ```
/// # use ogc_cuda::{LogitFormat, Logits, Masking, MaskingError, Masks, Operand, RowMap};
/// let logits = Logits { format: LogitFormat::F32, address: 0x1000, len: 100, rows: 2, width: 50, stride: 50 };
/// let masks = Masks { address: 0x2000, len: 3, vocabulary: 50, stride: 2 };
/// let error = Masking::new(logits, masks, RowMap::SameRow).err();
/// assert_eq!(error, Some(MaskingError::TooShort { operand: Operand::Masks, given: 3, limit: 4 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Masking {
    logits: Logits,
    masks: Masks,
    rows: RowMap,
}

impl Masking {
    /// Checks what is to be masked by what.
    ///
    /// # Errors
    /// [`MaskingError`]: something is too long or too short, not aligned, or in the wrong place.
    ///
    /// ```
    /// # use ogc_cuda::{LogitFormat, Logits, Masking, Masks, RowMap};
    /// // Two rows by one mask; the map has the numbers 0 and 0.
    /// let logits = Logits { format: LogitFormat::F32, address: 0x1000, len: 100, rows: 2, width: 50, stride: 50 };
    /// let masks = Masks { address: 0x2000, len: 2, vocabulary: 50, stride: 2 };
    /// assert!(Masking::new(logits, masks, RowMap::Listed { address: 0x3000, len: 2 }).is_ok());
    /// ```
    pub fn new(logits: Logits, masks: Masks, rows: RowMap) -> Result<Self, MaskingError> {
        let masking = Self { logits, masks, rows };
        at_most(Operand::Logits, logits.rows.max(logits.width))?;
        at_most(Operand::Masks, masks.vocabulary)?;
        if masking.is_nothing() {
            return Ok(masking);
        }
        let written = logits.memory();
        written.check()?;
        for read in [Some(masking.masks_memory()), masking.map_memory()].into_iter().flatten() {
            read.check()?;
            written.check_apart(&read)?;
        }
        Ok(masking)
    }

    /// Returns whether nothing is masked: there is no row, or rows have no logits.
    ///
    /// ```
    /// # use ogc_cuda::{LogitFormat, Logits, Masking, Masks, RowMap};
    /// let logits = Logits { format: LogitFormat::F32, address: 0, len: 0, rows: 0, width: 50, stride: 50 };
    /// let masks = Masks { address: 0, len: 0, vocabulary: 50, stride: 2 };
    /// assert!(Masking::new(logits, masks, RowMap::SameRow)?.is_nothing());
    /// # Ok::<(), ogc_cuda::MaskingError>(())
    /// ```
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.logits.rows == 0 || self.logits.width == 0
    }

    /// Returns the format of the logits, which says the kernel.
    ///
    /// ```
    /// # use ogc_cuda::{LogitFormat, Logits, Masking, Masks, RowMap};
    /// # let logits = Logits { format: LogitFormat::F32, address: 0, len: 0, rows: 0, width: 50, stride: 50 };
    /// # let masks = Masks { address: 0, len: 0, vocabulary: 50, stride: 2 };
    /// assert_eq!(Masking::new(logits, masks, RowMap::SameRow)?.format(), LogitFormat::F32);
    /// # Ok::<(), ogc_cuda::MaskingError>(())
    /// ```
    #[must_use]
    pub fn format(&self) -> LogitFormat {
        self.logits.format
    }

    /// Returns how the kernel is launched; `None` if nothing is masked.
    ///
    /// ```
    /// # use ogc_cuda::{LogitFormat, Logits, Masking, Masks, RowMap};
    /// let logits = Logits { format: LogitFormat::F32, address: 4, len: 50, rows: 1, width: 50, stride: 50 };
    /// let masks = Masks { address: 0x2000, len: 2, vocabulary: 50, stride: 2 };
    /// let geometry = Masking::new(logits, masks, RowMap::SameRow)?.geometry();
    /// assert_eq!(geometry.map(|geometry| geometry.blocks), Some((1, 1)));
    /// # Ok::<(), ogc_cuda::MaskingError>(())
    /// ```
    #[must_use]
    pub fn geometry(&self) -> Option<Geometry> {
        (!self.is_nothing()).then(|| Geometry::of_rows(self.logits.width, self.logits.rows))
    }

    /// Returns what the kernel is given.
    ///
    /// ```
    /// # use ogc_cuda::{LogitFormat, Logits, Masking, Masks, RowMap};
    /// # let logits = Logits { format: LogitFormat::F32, address: 4, len: 50, rows: 1, width: 50, stride: 50 };
    /// # let masks = Masks { address: 0x2000, len: 2, vocabulary: 50, stride: 2 };
    /// assert_eq!(Masking::new(logits, masks, RowMap::SameRow)?.parameters().width, 50);
    /// # Ok::<(), ogc_cuda::MaskingError>(())
    /// ```
    #[must_use]
    pub fn parameters(&self) -> ApplyParameters {
        let Self { logits, masks, rows } = *self;
        let row_map = match rows {
            RowMap::SameRow => 0,
            RowMap::Listed { address, .. } => address,
        };
        ApplyParameters {
            logits: logits.address,
            logits_stride: logits.stride,
            masks: masks.address,
            mask_stride: masks.stride,
            row_map,
            rows: logits.rows,
            vocabulary: masks.vocabulary,
            width: logits.width,
        }
    }

    fn masks_memory(&self) -> Memory {
        let rows = match self.rows {
            RowMap::SameRow => self.logits.rows,
            // A map may name any row, or none.
            RowMap::Listed { .. } => 0,
        };
        self.masks.memory(rows, self.masks.vocabulary.min(self.logits.width))
    }

    fn map_memory(&self) -> Option<Memory> {
        let RowMap::Listed { address, len } = self.rows else { return None };
        let row_len = self.logits.rows.into();
        Some(Memory { operand: Operand::RowMap, address, len, entry: 4, rows: 1, row_len, stride: row_len })
    }
}

fn at_most(operand: Operand, given: u32) -> Result<(), MaskingError> {
    if given > MOST { Err(MaskingError::TooMany { operand, given, limit: MOST }) } else { Ok(()) }
}

/// Memory with rows of entries.
struct Memory {
    operand: Operand,
    address: u64,
    /// Entries in all.
    len: u64,
    /// Bytes of an entry.
    entry: u64,
    rows: u32,
    /// Entries of a row.
    row_len: u64,
    stride: u64,
}

impl Memory {
    fn check(&self) -> Result<(), MaskingError> {
        let Self { operand, address, len, entry, stride, row_len, .. } = *self;
        if stride < row_len {
            return Err(MaskingError::RowsOverlap { operand, given: stride, limit: row_len });
        }
        let before_last = u128::from(self.rows.saturating_sub(1)) * u128::from(stride);
        let used = if self.rows == 0 { 0 } else { before_last + u128::from(row_len) };
        if used > u128::from(len) {
            let limit = u64::try_from(used).unwrap_or(u64::MAX);
            return Err(MaskingError::TooShort { operand, given: len, limit });
        }
        if address == 0 && len > 0 {
            return Err(MaskingError::Null { operand });
        }
        if !address.is_multiple_of(entry) {
            return Err(MaskingError::Misaligned { operand, given: address, limit: entry });
        }
        if self.end() > u128::from(MAX_ADDRESS) {
            return Err(MaskingError::BeyondMemory { operand, given: self.end(), limit: MAX_ADDRESS });
        }
        Ok(())
    }

    /// Returns where it ends.
    fn end(&self) -> u128 {
        u128::from(self.address) + u128::from(self.len) * u128::from(self.entry)
    }

    fn check_apart(&self, other: &Self) -> Result<(), MaskingError> {
        let begins_before = |a: &Self, b: &Self| u128::from(a.address) < b.end();
        let share = begins_before(self, other) && begins_before(other, self) && self.len > 0 && other.len > 0;
        if share {
            return Err(MaskingError::Shared { operand: other.operand, logits: self.address, given: other.address });
        }
        Ok(())
    }
}
