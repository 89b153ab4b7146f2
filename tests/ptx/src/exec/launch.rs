//! The description of a launch: the kernel, its sizes, its arguments.

use crate::memory::BufferId;

/// A size or a place in up to three dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub [u32; 3]);

impl From<u32> for Size {
    fn from(x: u32) -> Size {
        Size([x, 1, 1])
    }
}

impl From<(u32, u32)> for Size {
    fn from((x, y): (u32, u32)) -> Size {
        Size([x, y, 1])
    }
}

impl From<(u32, u32, u32)> for Size {
    fn from((x, y, z): (u32, u32, u32)) -> Size {
        Size([x, y, z])
    }
}

impl Size {
    /// Returns the total number.
    ///
    /// ```
    /// assert_eq!(ogc_ptx::Size::from((3, 4)).count(), 12);
    /// ```
    #[must_use]
    pub fn count(self) -> u64 {
        self.0.iter().map(|size| u64::from(*size)).fold(1, u64::saturating_mul)
    }

    /// Returns the place with this number; x counts first.
    pub(super) fn place(self, number: u32) -> [u32; 3] {
        let [x, y, _] = self.0;
        [number % x, number / x % y, number / x / y]
    }
}

/// The parameters of a launch.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The kernel's name.
    pub kernel: String,
    /// The number of blocks.
    pub grid: Size,
    /// The number of threads of a block.
    pub block: Size,
    /// The bytes of shared memory of a block, besides the kernel's variables.
    pub shared: u32,
    /// The seed of the order of blocks and warps.
    pub seed: u64,
    /// The number of blocks that run at a time.
    pub resident: usize,
    /// Cap on the instructions of the launch.
    pub limit: u64,
}

impl Launch {
    /// Returns a launch of a kernel, without shared memory of open length, with seed 0, two blocks at a time and at most 10^9 instructions.
    ///
    /// ```
    /// let launch = ogc_ptx::Launch { seed: 7, ..ogc_ptx::Launch::new("kernel", (4, 2), 128) };
    /// assert_eq!(launch.grid.count() * launch.block.count(), 1024);
    /// ```
    #[must_use]
    pub fn new(kernel: &str, grid: impl Into<Size>, block: impl Into<Size>) -> Launch {
        let (grid, block) = (grid.into(), block.into());
        Launch { kernel: kernel.to_owned(), grid, block, shared: 0, seed: 0, resident: 2, limit: 1_000_000_000 }
    }
}

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// The address of a buffer.
    Buffer(BufferId),
    /// The address of a byte of a buffer.
    BufferAt(BufferId, u64),
    /// A 32-bit number.
    U32(u32),
    /// A 64-bit number.
    U64(u64),
    /// A number in floating point.
    F32(f32),
    /// The bytes of a struct, as they lie in memory.
    Bytes(Vec<u8>),
}
