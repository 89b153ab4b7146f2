//! An interpreter of PTX, the assembly language that CUDA kernels are compiled to.
//!
//! It runs a kernel over its whole grid like a device, and makes checks that a device does not make: every access
//! against the buffers that were passed (out of bounds, misaligned, never written), races between threads, barriers and
//! shuffles that some lane never reaches. It counts the events that decide the speed of a memory-bound kernel: sectors,
//! bank conflicts, divergence. So the shipped code is tested without a device.
//!
//! # Steps
//! text -> [`Module`] (`text`: lexemes, declarations, instructions; `flow`: where branches meet again) -> launch (`exec`: blocks,
//! warps, lanes, over `number` and `memory`) -> [`Report`] (`report`), or a [`Fault`] with its place.
//!
//! # What differs from a device
//! * The order of warps and blocks is random, from a seed; the order on a device is different, and not fixed.
//! * Approximate functions have other last bits (`number::float` names these functions; [`Module::approximate_lines`]
//!   returns their places).
//! * Sums and products without a rounding mode are rounded each; the device's compiler may fuse them
//!   ([`Module::fusible_lines`] returns the places; a shipped kernel should have none).
//! * Everything unspecified is a fault: a division by zero, a register that was never written, a value shuffled from an
//!   absent lane.
//!
//! ```
//! use ogc_ptx::{Argument, Device, Launch};
//! let module = ogc_ptx::parse("
//!     .version 9.0
//!     .target sm_80
//!     .address_size 64
//!     .visible .entry number(.param .u64 out) {
//!         .reg .b32 %r<2>;
//!         .reg .b64 %rd<3>;
//!         ld.param.u64 %rd0, [out];
//!         mov.u32 %r0, %tid.x;
//!         mul.wide.u32 %rd1, %r0, 4;
//!         add.s64 %rd2, %rd0, %rd1;
//!         st.global.u32 [%rd2], %r0;
//!         ret;
//!     }")?;
//! let mut device = Device::new(&module);
//! let out = device.empty("out", 4 * 64);
//! let report = device.launch(&Launch::new("number", 1, 64), &[Argument::Buffer(out)])?;
//! assert_eq!(device.read::<u32>(out)?[63], 63);
//! assert_eq!(report.counts.stored_sectors, 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod exec;
mod flow;
mod ir;
mod lanes;
mod memory;
mod number;
mod report;
mod text;

pub use exec::{Argument, Device, Element, Launch, Mirror, MirrorBuffer, Size};
pub use ir::Module;
pub use memory::{BufferId, MemoryFault};
pub use number::ArithmeticFault;
pub use report::{Counts, Fault, FaultKind, InstructionKind, Report, ThreadPlace};
pub use text::{ParseError, ParseFault, parse};
