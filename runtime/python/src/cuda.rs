//! NVIDIA devices: masks of logits, and sequences in slots that are stepped without the host. Only with the feature `cuda`.
//!
//! | file | |
//! |---|---|
//! | `device.rs` | `CudaDevice`: opens a device, and masks logits there |
//! | `memory.rs` | memory of tensors, as `ogc.cuda` describes it |
//! | `row.rs` | sampling of a row of logits |
//! | `slots.rs` | `CudaSlots`: formats and sequences on a device |
//!
//! `ogc.cuda` reads addresses, shapes and number types of tensors, and holds the tensors while kernels use them. The
//! code here checks that all entries lie in the memory that was read, so that a mistake in `ogc.cuda` launches nothing
//! that leaves this memory.

pub(crate) mod device;
mod memory;
mod row;
pub(crate) mod slots;
