//! Blocks and threads of a kernel launch. The constants are those in `kernels/apply.cu`.

/// Logits in a chunk; the kernel distributes chunks to warps.
const CHUNK: u32 = 1024;

/// Maximum number of logits between the aligned address before a row and the beginning of the row: a sector has 16 logits of 2 bytes.
const MOST_BEFORE: u32 = 15;

/// Threads of a warp.
const WARP: u32 = 32;

/// Warps of a block: enough to fill a device with blocks, few enough that short rows leave no warp idle.
const WARPS: u32 = 4;

/// Up to this number of rows, a warp masks one chunk, because a device has warps to spare. With more rows it masks two, as then warps start
/// sooner and read fewer sectors of masks twice. Measured on an H200 with 1, 8, 64, 256 and 1,024 rows.
const FEW_ROWS: u32 = 64;

/// Maximum number of blocks in the second dimension of a grid; if there are more rows, the kernel loops.
const MOST_ROWS: u32 = 65_535;

/// Blocks and threads of a kernel launch.
///
/// ```
/// use ogc_cuda::Geometry;
/// // 128256 logits are 126 chunks of 1024; each chunk has a warp, and a block has 4 warps.
/// assert_eq!(Geometry::of_rows(128_256, 3), Geometry { blocks: (32, 3), threads: 128 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Blocks in x (within a row) and in y (rows).
    pub blocks: (u32, u32),
    /// Threads of a block.
    pub threads: u32,
}

impl Geometry {
    /// Returns the geometry for masking `rows` rows of `width` logits; both numbers are at least 1.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::Geometry::of_rows(1, 70_000).blocks, (1, 65_535));
    /// ```
    #[must_use]
    pub fn of_rows(width: u32, rows: u32) -> Self {
        Self::with_warps(width, rows, WARPS, if rows <= FEW_ROWS { 1 } else { 2 })
    }

    /// Returns the geometry with blocks of `warps` warps, each of which masks `chunks` chunks of 1024 logits; all numbers are at least 1.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::Geometry::with_warps(128_256, 1, 1, 4).blocks, (32, 1));
    /// ```
    #[must_use]
    pub fn with_warps(width: u32, rows: u32, warps: u32, chunks: u32) -> Self {
        let all = width.saturating_add(MOST_BEFORE).div_ceil(CHUNK);
        Self { blocks: (all.div_ceil(chunks).div_ceil(warps), rows.min(MOST_ROWS)), threads: WARP * warps }
    }
}
