//! Memory of tensors on a device, as `ogc.cuda` describes it.

use ogc_cuda::{Logits, Masks};
use ogc_runtime::logits::LogitFormat;
use pyo3::prelude::*;

use crate::error::value;

/// A list in device memory: its address, and its number of entries of 32 bits.
pub(crate) type ListAt = (u64, u64);

/// Logits in device memory.
#[derive(Debug, FromPyObject)]
pub(crate) struct LogitsAt {
    address: u64,
    /// Number of logits from the address on.
    len: u64,
    rows: u32,
    width: u32,
    /// Distance between the beginnings of two rows, in logits.
    stride: u64,
    /// Name of the number type, as `LogitRows` has it.
    format: String,
}

impl LogitsAt {
    /// Converts the logits to the form that launches take; launches check the sizes.
    pub(crate) fn logits(&self) -> PyResult<Logits> {
        let known = LogitFormat::ALL.into_iter().find(|known| known.name() == self.format);
        let format =
            known.ok_or_else(|| value(&format!("logits are {:?}; they can be f32, f16 or bf16", self.format)))?;
        let &Self { address, len, rows, width, stride, .. } = self;
        Ok(Logits { format, address, len, rows, width, stride })
    }
}

/// Rows of mask words in device memory.
#[derive(Debug, FromPyObject)]
pub(crate) struct MasksAt {
    address: u64,
    /// Number of words from the address on.
    len: u64,
    /// Distance between the beginnings of two rows, in words.
    stride: u64,
}

impl MasksAt {
    /// Converts the masks to the form that launches take; launches check the sizes.
    pub(crate) fn masks(&self, vocabulary: u32) -> Masks {
        let &Self { address, len, stride } = self;
        Masks { address, len, vocabulary, stride }
    }
}

/// Returns the address of a list with at least `count` entries.
pub(crate) fn list(name: &str, (address, len): ListAt, count: u64) -> PyResult<u64> {
    if len < count {
        return Err(value(&format!("{name} has {len} entries, {count} are used")));
    }
    if count > 0 && address == 0 {
        return Err(value(&format!("{name} has no memory")));
    }
    if !address.is_multiple_of(4) {
        return Err(value(&format!("{name} is at address {address:#x}, which is no multiple of 4")));
    }
    Ok(address)
}
