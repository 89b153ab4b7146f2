//! Machines have memory and run kernels. A device is one ([`DeviceMachine`](device::DeviceMachine)), and so is the interpreter of the
//! tests: both get the same launches, from the language model and from slots.

#![allow(unsafe_code, reason = "launches have addresses; who must vouch for them is said where they are launched")]

pub(crate) mod device;
pub(crate) mod kernel;
pub(crate) mod launch;
pub(crate) mod shared;

use crate::error::CudaError;
use launch::{KernelLaunch, Plan};

/// A device or an interpreter, which has memory, launches kernels and runs plans.
///
/// ```
/// use ogc_cuda::{CudaError, Machine, KernelLaunch, Plan};
/// /// A machine that runs nothing.
/// #[derive(Debug)]
/// struct Idle(u64);
/// impl Machine for Idle {
///     fn reserve(&mut self, _: &str, bytes: u64) -> Result<u64, CudaError> {
///         self.0 += bytes.next_multiple_of(256);
///         Ok(self.0 - bytes.next_multiple_of(256))
///     }
///     fn write(&mut self, _: u64, _: &[u8]) -> Result<(), CudaError> {
///         Ok(())
///     }
///     fn read(&mut self, _: u64, bytes: &mut [u8]) -> Result<(), CudaError> {
///         bytes.fill(0);
///         Ok(())
///     }
///     unsafe fn launch(&mut self, _: &KernelLaunch) -> Result<(), CudaError> {
///         Ok(())
///     }
///     unsafe fn run(&mut self, _: &Plan) -> Result<(), CudaError> {
///         Ok(())
///     }
/// }
/// assert_eq!(Idle(0).reserve("states", 5)?, 0);
/// # Ok::<(), CudaError>(())
/// ```
pub trait Machine {
    /// Reserves memory for as long as the machine lives; returns its address, a multiple of 256. `name` describes the contents.
    ///
    /// # Errors
    /// There is not enough memory.
    fn reserve(&mut self, name: &str, bytes: u64) -> Result<u64, CudaError>;

    /// Writes bytes into reserved memory; later launches see them.
    ///
    /// # Errors
    /// The machine failed.
    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), CudaError>;

    /// Reads initialised bytes of reserved memory, after all earlier launches.
    ///
    /// # Errors
    /// The machine failed.
    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), CudaError>;

    /// Launches a kernel, which sees the writes of earlier launches.
    ///
    /// # Errors
    /// The machine failed.
    ///
    /// # Safety
    /// The parameters are those that the kernel declares, in their order. All addresses, among the parameters and in the memory that they
    /// lead to, are addresses of this machine's memory, and that memory is as long as the kernel reads and writes. The kernel's source in
    /// `kernels/` states the lengths.
    unsafe fn launch(&mut self, launch: &KernelLaunch) -> Result<(), CudaError>;

    /// Runs a plan. A machine may cache what it compiles from a plan, and reuse it for an equal plan.
    ///
    /// # Errors
    /// The machine failed.
    ///
    /// # Safety
    /// As for [`Machine::launch`], for each launch of the plan.
    unsafe fn run(&mut self, plan: &Plan) -> Result<(), CudaError>;
}
