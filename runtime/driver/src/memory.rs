//! Memory of the device: memory of the process, under the same addresses.

use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeMap;
use std::ptr;

/// Alignment of reservations, as on a device.
const ALIGNMENT: usize = 256;

/// Fills memory that was never written.
const UNWRITTEN: u8 = 0xa5;

/// All reservations: their sizes by their addresses.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    reserved: BTreeMap<u64, usize>,
}

impl Memory {
    /// Reserves memory; `None` if the process has no more.
    pub(crate) fn reserve(&mut self, bytes: usize) -> Option<u64> {
        let layout = Layout::from_size_align(bytes.max(1), ALIGNMENT).ok()?;
        // SAFETY: the layout has at least one byte.
        let memory = unsafe { alloc(layout) };
        if memory.is_null() {
            return None;
        }
        // SAFETY: this many bytes were reserved a moment ago.
        unsafe { ptr::write_bytes(memory, UNWRITTEN, layout.size()) };
        let address = memory.expose_provenance() as u64;
        self.reserved.insert(address, layout.size());
        Some(address)
    }

    /// Frees a reservation; `false` if there is none at the address.
    pub(crate) fn free(&mut self, address: u64) -> bool {
        let Some(bytes) = self.reserved.remove(&address) else { return false };
        let Ok(layout) = Layout::from_size_align(bytes, ALIGNMENT) else { return false };
        // SAFETY: `reserve` reserved the memory with this layout, and it was not freed before.
        unsafe { dealloc(at(address), layout) };
        true
    }

    /// Returns whether `bytes` bytes from the address on are reserved in one piece.
    pub(crate) fn has(&self, address: u64, bytes: usize) -> bool {
        let found = self.reserved.range(..=address).next_back();
        found.is_some_and(|(base, size)| {
            let offset = (address - base) as usize;
            offset.checked_add(bytes).is_some_and(|end| end <= *size)
        })
    }

    /// Returns copies of all reservations, by their addresses.
    pub(crate) fn copies(&self) -> Vec<(u64, Vec<u8>)> {
        let copy = |(address, size): (&u64, &usize)| {
            // SAFETY: the reservation has `size` bytes, all initialised by `reserve`.
            (*address, unsafe { std::slice::from_raw_parts(at(*address), *size) }.to_vec())
        };
        self.reserved.iter().map(copy).collect()
    }

    /// Replaces the bytes of a reservation.
    pub(crate) fn replace(&mut self, address: u64, bytes: &[u8]) {
        assert!(self.has(address, bytes.len()), "{address:#x} is not reserved");
        // SAFETY: this many bytes are reserved there; a copy of them does not overlap them.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), at(address), bytes.len()) };
    }
}

/// Returns the pointer of an address.
pub(crate) fn at(address: u64) -> *mut u8 {
    ptr::with_exposed_provenance_mut(address as usize)
}
