//! Memory that only one lane sees: local memory and parameters.

use super::MemoryFault;
use super::region::first_unwritten;

/// Bytes, with marks for written ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plain {
    bytes: Vec<u8>,
    written: Vec<bool>,
}

impl Plain {
    /// Makes the memory `size` bytes long; the bytes from `from` on are not written.
    pub(crate) fn reset(&mut self, from: usize, size: usize) {
        self.bytes.resize(self.bytes.len().max(size), 0);
        self.written.resize(self.bytes.len(), false);
        self.written[from.min(size)..size].fill(false);
    }

    pub(crate) fn write(&mut self, name: &'static str, at: u64, bytes: &[u8]) -> Result<(), MemoryFault> {
        let range = self.range(name, at, bytes.len())?;
        self.bytes[range.clone()].copy_from_slice(bytes);
        self.written[range].fill(true);
        Ok(())
    }

    pub(crate) fn read(&self, name: &'static str, at: u64, size: usize) -> Result<&[u8], MemoryFault> {
        let range = self.range(name, at, size)?;
        match first_unwritten(&self.written[range.clone()]) {
            None => Ok(&self.bytes[range]),
            Some(first) => {
                Err(MemoryFault::Uninitialised { address: at, buffer: name.to_owned(), offset: at + first as u64 })
            }
        }
    }

    /// Copies bytes from another memory, written or not.
    pub(crate) fn copy(&mut self, at: usize, from: &Plain, from_at: usize, size: usize) {
        self.bytes[at..at + size].copy_from_slice(&from.bytes[from_at..from_at + size]);
        self.written[at..at + size].copy_from_slice(&from.written[from_at..from_at + size]);
    }

    fn range(&self, name: &'static str, at: u64, size: usize) -> Result<std::ops::Range<usize>, MemoryFault> {
        let start = usize::try_from(at).ok().filter(|start| start.saturating_add(size) <= self.bytes.len());
        let (Some(start), Ok(narrow)) = (start, u32::try_from(size)) else {
            let nearest = format!("the {name} memory of the lane has {} bytes", self.bytes.len());
            return Err(MemoryFault::OutOfBounds {
                address: at,
                size: u32::try_from(size).unwrap_or(u32::MAX),
                nearest,
            });
        };
        Ok(start..start + narrow as usize)
    }
}
