//! Kernel launches, and plans of several launches, as values: equal values do the same work.

use super::kernel::DeviceKernel;

/// A parameter of a kernel.
///
/// ```
/// use ogc_cuda::KernelParameter;
/// assert_eq!(KernelParameter::U64(0x1000).bytes(), [0, 0x10, 0, 0, 0, 0, 0, 0]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KernelParameter {
    /// A number of 32 bits.
    U32(u32),
    /// A number of 64 bits, or an address that the machine returned.
    U64(u64),
    /// A record, in its memory layout.
    Record(Vec<u8>),
}

impl KernelParameter {
    /// Returns the bytes of the parameter in little-endian order.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::KernelParameter::U32(7).bytes(), [7, 0, 0, 0]);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::U32(number) => number.to_le_bytes().to_vec(),
            Self::U64(number) => number.to_le_bytes().to_vec(),
            Self::Record(bytes) => bytes.clone(),
        }
    }
}

/// A launch of a kernel.
///
/// ```
/// # use ogc_cuda::KernelLaunch;
/// fn threads(launch: &KernelLaunch) -> u64 {
///     u64::from(launch.blocks.0) * u64::from(launch.blocks.1) * u64::from(launch.threads)
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KernelLaunch {
    /// The kernel.
    pub kernel: DeviceKernel,
    /// Blocks of the grid, in two dimensions.
    pub blocks: (u32, u32),
    /// Threads of a block.
    pub threads: u32,
    /// Parameters of the kernel, in their order.
    pub parameters: Vec<KernelParameter>,
}

/// Kernel launches, one after another. They allocate nothing and wait for nothing, and all data that changes between runs is in memory, so
/// that a graph can capture them.
///
/// ```
/// # use ogc_cuda::Plan;
/// fn products(plan: &Plan) -> usize {
///     plan.launches.iter().filter(|launch| launch.kernel.name().contains("product")).count()
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Plan {
    /// The launches; each sees the writes of those before it.
    pub launches: Vec<KernelLaunch>,
}
