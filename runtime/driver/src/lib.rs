//! A CUDA driver for tests. Its one device uses the host's memory, and its kernels run in the interpreter of PTX (`ogc-ptx`).
//!
//! Under the name `libcuda.so.1`, in a folder of `LD_LIBRARY_PATH`, programs load it in place of a driver. So code that knows only
//! addresses of device memory and a driver, such as the Python package, is tested with the kernels that ship. Tests read and write device
//! memory by its address, as it is memory of the process.
//!
//! # Steps
//! 1. Modules (`modules`) are PTX. The driver has version 12.0 of CUDA, and so takes no code that CUDA 13 packed.
//! 2. Memory (`memory`) is reserved from the process, and filled with a byte that gives implausible numbers.
//! 3. A launch (`launch`) copies all memory into the interpreter at the same addresses, runs the kernel to its end, and copies back what
//!    the kernel wrote. If the interpreter faults, the call returns an error whose description is the fault.
//! 4. `calls` has the functions of the driver. The functions for graphs and events return that they are not supported.
//!
//! `ogc_driver_launches` reports the launches: their kernels, shapes and streams.

#![allow(
    unsafe_code,
    reason = "programs call the functions of a driver by their addresses; each use is argued where it stands"
)]

mod calls;
mod launch;
mod memory;
mod modules;

/// Statuses of the driver.
mod status {
    pub(crate) const SUCCESS: u32 = 0;
    pub(crate) const INVALID_VALUE: u32 = 1;
    pub(crate) const OUT_OF_MEMORY: u32 = 2;
    pub(crate) const INVALID_IMAGE: u32 = 200;
    pub(crate) const INVALID_PTX: u32 = 218;
    pub(crate) const INVALID_HANDLE: u32 = 400;
    pub(crate) const NOT_FOUND: u32 = 500;
    pub(crate) const LAUNCH_FAILED: u32 = 719;
    pub(crate) const NOT_SUPPORTED: u32 = 801;
}
