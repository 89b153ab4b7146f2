//! How many blocks of how many threads a kernel is launched with. The constants are those of `kernels/apply.cu`.

/// Logits that a warp masks.
const SPAN: u32 = 4096;

/// The most logits between the beginning of a row and the aligned address before it: a sector holds 16 of 2 bytes.
const MOST_BEFORE: u32 = 15;

/// Threads of a warp.
const WARP: u32 = 32;

/// Warps of a block: enough for a device to have many blocks at a time, few enough that short rows leave none idle.
const WARPS: u32 = 4;

/// The most blocks in the second dimension of a grid; the kernel goes round if there are more rows.
const MOST_ROWS: u32 = 65_535;

/// How many blocks of how many threads a kernel is launched with.
///
/// ```
/// use ogc_cuda::Geometry;
/// // 128256 logits are 32 spans of 4096, which are 8 blocks of 4 warps.
/// assert_eq!(Geometry::of_rows(128_256, 3), Geometry { blocks: (8, 3), threads: 128 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// The blocks: those of a row, and rows.
    pub blocks: (u32, u32),
    /// The threads of a block.
    pub threads: u32,
}

impl Geometry {
    /// Returns the geometry with which rows of so many logits are masked; both numbers are at least 1.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::Geometry::of_rows(1, 70_000).blocks, (1, 65_535));
    /// ```
    #[must_use]
    pub fn of_rows(width: u32, rows: u32) -> Self {
        Self::with_warps(width, rows, WARPS)
    }

    /// Returns the geometry with blocks of so many warps; all numbers are at least 1.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::Geometry::with_warps(128_256, 1, 1).blocks, (32, 1));
    /// ```
    #[must_use]
    pub fn with_warps(width: u32, rows: u32, warps: u32) -> Self {
        let spans = width.saturating_add(MOST_BEFORE).div_ceil(SPAN);
        Self { blocks: (spans.div_ceil(warps), rows.min(MOST_ROWS)), threads: WARP * warps }
    }
}
