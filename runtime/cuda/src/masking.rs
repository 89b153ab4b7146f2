//! Checks the operands of a masking before anything is launched.

use std::ffi::CStr;
use std::fmt;

use ogc_runtime::logits::LogitFormat;

use crate::geometry::Geometry;

/// Maximum number of rows, logits of a row, and tokens: the kernel counts them in signed numbers of 32 bits, and adds a span to them.
const MOST: u32 = 1 << 30;

/// Greatest address at which memory may end: the kernel adds distances to addresses in signed numbers of 64 bits.
const MAX_ADDRESS: u64 = 1 << 62;

/// Tokens of one mask word.
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
    /// Number format of the logits.
    pub format: LogitFormat,
    /// Address of the first logit, a multiple of the bytes of a logit.
    pub address: u64,
    /// Number of logits in the memory from `address` on.
    pub len: u64,
    /// Number of rows. The row map may leave some rows unmasked.
    pub rows: u32,
    /// Number of logits in a row. Logits beyond the vocabulary are never allowed.
    pub width: u32,
    /// Distance between the beginnings of two rows, in logits.
    pub stride: u64,
}

impl Logits {
    /// Rejects logits that are too many for the kernels, or whose address, stride or memory is invalid.
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

/// Masks in device memory: row `r` begins at word `r * stride`. Each token has a bit, lowest bit first, which is set if the token is
/// allowed.
///
/// ```
/// use ogc_cuda::Masks;
/// let masks = Masks { address: 0x2000, len: 8, vocabulary: 100, stride: 4 };
/// assert!(u64::from(masks.vocabulary.div_ceil(32)) <= masks.stride);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Masks {
    /// Address of the first word, a multiple of 4.
    pub address: u64,
    /// Number of words of 32 bits in the memory from `address` on.
    pub len: u64,
    /// Number of tokens, each of which has a bit in a mask. The kernel ignores further bits of the last word.
    pub vocabulary: u32,
    /// Distance between the beginnings of two rows, in words.
    pub stride: u64,
}

impl Masks {
    /// Rejects masks that are too many for the kernels, or whose address, stride or memory is invalid for `rows` rows.
    pub(crate) fn check(&self, rows: u32) -> Result<(), MaskingError> {
        at_most(Operand::Masks, self.vocabulary)?;
        self.memory(rows, self.vocabulary).check()
    }

    /// Describes the memory of `rows` rows with `tokens` tokens each.
    fn memory(&self, rows: u32, tokens: u32) -> Memory {
        let Self { address, len, stride, .. } = *self;
        let row_len = tokens.div_ceil(WORD_TOKENS).into();
        Memory { operand: Operand::Masks, address, len, entry: 4, rows, row_len, stride }
    }
}

/// Assigns a mask to each row of logits.
///
/// ```
/// use ogc_cuda::RowMap;
/// assert_ne!(RowMap::SameRow, RowMap::Listed { address: 0x3000, len: 4 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowMap {
    /// Row `r` of logits has row `r` of the masks.
    SameRow,
    /// A list in device memory has the mask row of each row of logits, a signed number of 32 bits. A row with a negative number is not
    /// masked.
    Listed {
        /// Address of the first number, a multiple of 4.
        address: u64,
        /// Number of entries of the list.
        len: u64,
    },
}

/// An operand of a masking: memory that it reads or writes.
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
    /// The list of mask rows.
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

/// A masking is not possible.
///
/// ```
/// use ogc_cuda::{MaskingError, Operand};
/// let error = MaskingError::TooShort { operand: Operand::Masks, given: 7, limit: 8 };
/// assert_eq!(error.to_string(), "the masks have 7 entries, 8 are used");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MaskingError {
    /// There are more rows, logits in a row or tokens than the kernel can count.
    #[error("{operand}: {given} rows, entries of a row or tokens, the kernel takes at most {limit}")]
    TooMany {
        /// The operand that has too many.
        operand: Operand,
        /// The given number of rows, logits or tokens.
        given: u32,
        /// Greatest possible number.
        limit: u32,
    },
    /// Rows overlap: a row begins before the previous one ends.
    #[error("a row of {operand} begins {given} entries after the one before, which has {limit}")]
    RowsOverlap {
        /// The operand whose rows overlap.
        operand: Operand,
        /// Distance between the beginnings of two rows, in entries.
        given: u64,
        /// Entries in a row.
        limit: u64,
    },
    /// The rows do not fit in the memory.
    #[error("{operand} have {given} entries, {limit} are used")]
    TooShort {
        /// The operand that is too short.
        operand: Operand,
        /// Number of entries in the memory.
        given: u64,
        /// Number of entries that the rows take, saturating at 64 bits.
        limit: u64,
    },
    /// An address is null, although memory is needed there.
    #[error("the address of {operand} is null")]
    Null {
        /// The operand without an address.
        operand: Operand,
    },
    /// The address is not a multiple of the size of an entry.
    #[error("{operand} are at address {given:#x}, which is no multiple of {limit}")]
    Misaligned {
        /// The misaligned operand.
        operand: Operand,
        /// Address of the operand.
        given: u64,
        /// Size of an entry, in bytes.
        limit: u64,
    },
    /// The memory would end beyond the greatest possible address.
    #[error("{operand} would end at {given:#x}, memory ends before {limit:#x}")]
    BeyondMemory {
        /// The operand that would end there.
        operand: Operand,
        /// Address at which it would end.
        given: u128,
        /// Greatest address at which memory may end.
        limit: u64,
    },
    /// The kernel would write memory that it also reads.
    #[error("the logits from {logits:#x} on lie in the same memory as {operand} from {given:#x} on")]
    Shared {
        /// The operand that shares memory with the logits.
        operand: Operand,
        /// Address of the logits.
        logits: u64,
        /// Address of the other operand.
        given: u64,
    },
}

/// Parameters of the masking kernel, in their order.
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
    /// Address of the logits.
    pub logits: u64,
    /// Distance between the beginnings of two rows of logits, in logits.
    pub logits_stride: u64,
    /// Address of the masks.
    pub masks: u64,
    /// Distance between the beginnings of two rows of masks, in words.
    pub mask_stride: u64,
    /// Address of the row map, or 0 if there is none.
    pub row_map: u64,
    /// Number of rows.
    pub rows: u32,
    /// Number of tokens of a mask.
    pub vocabulary: u32,
    /// Number of logits of a row.
    pub width: u32,
}

/// A checked masking, the argument of [`Device::apply`](crate::Device::apply).
///
/// Invariant: all rows of logits and the row map are in the stated memory; so are all masks if there is no row map. The logits share no
/// memory with the other operands. The entries of the row map are in device memory and are not checked.
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
    /// Checks the operands of a masking.
    ///
    /// # Errors
    /// [`MaskingError`]: an operand is too long or too short, misaligned, null, or shares memory with the logits.
    ///
    /// ```
    /// # use ogc_cuda::{LogitFormat, Logits, Masking, Masks, RowMap};
    /// // One mask for two rows; the map contains 0 and 0.
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

    /// Returns whether there is nothing to mask: there are no rows, or rows have no logits.
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

    /// Returns the number format of the logits, which determines the kernel.
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

    /// Returns the geometry of the kernel launch; `None` if there is nothing to mask.
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

    /// Returns the parameters of the kernel.
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

/// Memory that holds rows of entries.
struct Memory {
    operand: Operand,
    address: u64,
    /// Number of entries in the memory.
    len: u64,
    /// Size of an entry, in bytes.
    entry: u64,
    rows: u32,
    /// Number of entries of a row.
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

    /// Returns the address at which the memory ends.
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
