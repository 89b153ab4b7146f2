//! An interpreter of PTX, the assembly language that CUDA kernels are compiled to.
//!
//! It runs a kernel over its whole grid as a device would, and checks what a device does not: every access against the buffers
//! that were passed (out of bounds, misaligned, never written), races between threads, barriers and shuffles that some lane
//! never reaches. It counts what decides the speed of a kernel that is bound by memory: sectors, bank conflicts, divergence. So
//! the code that ships is tested where there is no device.
//!
//! # Steps
//! text -> [`Module`] (`text`: lexemes, declarations, instructions; `flow`: where branches meet again) -> launch (`exec`: blocks,
//! warps, lanes, over `number` and `memory`) -> [`Report`] (`report`), or a [`Fault`] with its place.
//!
//! # What differs from a device
//! * The order of warps and blocks is random, from a seed; a device's is neither that nor fixed.
//! * Approximate functions have other last bits (`number::float` says which; [`Module::approximate_lines`] tells where they are).
//! * Sums and products without a rounding mode are rounded each; the device's compiler may fuse them
//!   ([`Module::fusible_lines`] tells where, and a kernel that ships should have none).
//! * Everything unspecified is a fault: a division by zero, a register that was never written, a value shuffled from a lane
//!   that is not there.
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
