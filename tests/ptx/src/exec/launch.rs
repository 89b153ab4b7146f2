//! How a launch is described: the kernel, its sizes, what it is given.

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
    /// Returns how many there are in all.
    ///
    /// ```
    /// assert_eq!(ogc_ptx::Size::from((3, 4)).count(), 12);
    /// ```
    #[must_use]
    pub fn count(self) -> u64 {
        self.0.iter().map(|size| u64::from(*size)).fold(1, u64::saturating_mul)
    }

    /// Returns the place of a number, x first.
    pub(super) fn place(self, number: u32) -> [u32; 3] {
        let [x, y, _] = self.0;
        [number % x, number / x % y, number / x / y]
    }
}

/// How a kernel is launched.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The kernel's name.
    pub kernel: String,
    /// How many blocks there are.
    pub grid: Size,
    /// How many threads a block has.
    pub block: Size,
    /// How much shared memory a block has besides the kernel's variables, in bytes.
    pub shared: u32,
    /// What the order of blocks and warps follows from.
    pub seed: u64,
    /// How many blocks run at a time.
    pub resident: usize,
    /// How many instructions may be done in all.
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

/// What a kernel is given for a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// The address of a buffer.
    Buffer(BufferId),
    /// The address of a byte of a buffer.
    BufferAt(BufferId, u64),
    /// A number.
    U32(u32),
    /// A number.
    U64(u64),
    /// A number in floating point.
    F32(f32),
    /// The bytes of a struct, as they lie in memory.
    Bytes(Vec<u8>),
}
