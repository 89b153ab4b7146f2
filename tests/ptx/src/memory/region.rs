//! A piece of memory that several threads see.

use super::MemoryFault;
use super::knowledge::{Message, Sent};
use super::shadow::{Conflict, Shadow, View};
use super::thread::ThreadId;
use crate::ir::Strength;
use std::collections::BTreeMap;

/// A buffer, or the shared memory of a block.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    name: String,
    base: u64,
    bytes: Vec<u8>,
    written: Vec<bool>,
    shadow: Shadow,
    /// The message of the last strong write to each place.
    messages: BTreeMap<usize, Message>,
}

/// A place in a region: aligned, inside, and of at most 32 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegionPlace {
    offset: usize,
    size: usize,
}

impl Region {
    /// Returns a region with bytes that were written.
    pub(crate) fn filled(name: &str, base: u64, bytes: Vec<u8>) -> Region {
        let written = vec![true; bytes.len()];
        Region { name: name.to_owned(), base, bytes, written, shadow: Shadow::default(), messages: BTreeMap::new() }
    }

    /// Returns a region of `size` bytes that were never written.
    pub(crate) fn empty(name: &str, base: u64, size: usize) -> Region {
        let written = vec![false; size];
        Region { written, ..Region::filled(name, base, vec![0; size]) }
    }

    pub(crate) fn base(&self) -> u64 {
        self.base
    }

    pub(crate) fn end(&self) -> u64 {
        self.base + self.bytes.len() as u64
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns all bytes, with marks for written ones.
    pub(crate) fn contents(&self) -> (&[u8], &[bool]) {
        (&self.bytes, &self.written)
    }

    /// Replaces all bytes from outside of a launch.
    pub(crate) fn overwrite(&mut self, bytes: &[u8]) -> bool {
        let fits = bytes.len() == self.bytes.len();
        if fits {
            self.bytes.copy_from_slice(bytes);
            self.written.fill(true);
        }
        fits
    }

    /// Replaces some bytes from outside of a launch; `false` if they are not all inside the region.
    pub(crate) fn overwrite_at(&mut self, offset: usize, bytes: &[u8]) -> bool {
        let end = offset.checked_add(bytes.len()).filter(|end| *end <= self.bytes.len());
        if let Some(end) = end {
            self.bytes[offset..end].copy_from_slice(bytes);
            self.written[offset..end].fill(true);
        }
        end.is_some()
    }

    /// Returns the place of an address; all its bytes must be in the region and aligned.
    pub(crate) fn place(&self, address: u64, size: u32) -> Result<RegionPlace, MemoryFault> {
        let offset = address.wrapping_sub(self.base);
        if offset.saturating_add(size.into()) > self.bytes.len() as u64 {
            let nearest =
                format!("`{}` has {} bytes, and this is byte {}", self.name, self.bytes.len(), offset.cast_signed());
            return Err(MemoryFault::OutOfBounds { address, size, nearest });
        }
        if !address.is_multiple_of(size.into()) {
            return Err(MemoryFault::Misaligned { address, size, buffer: self.name.clone(), offset });
        }
        Ok(RegionPlace { offset: offset as usize, size: size as usize })
    }

    /// Returns bytes that a thread reads.
    pub(crate) fn read(
        &mut self,
        place: RegionPlace,
        strength: Strength,
        view: &View<'_>,
        name: impl Fn(ThreadId) -> String,
    ) -> Result<&[u8], MemoryFault> {
        let range = place.offset..place.offset + place.size;
        if let Some(first) = first_unwritten(&self.written[range.clone()]) {
            return Err(self.unwritten(place, first));
        }
        match self.shadow.touch(place.offset, place.size, false, strength, view) {
            None => Ok(&self.bytes[range]),
            Some(conflict) => Err(self.race(conflict, name)),
        }
    }

    /// Returns bytes that an atomic operation replaces; the operation notes its access when it writes.
    pub(crate) fn peek(&self, place: RegionPlace) -> Result<&[u8], MemoryFault> {
        let range = place.offset..place.offset + place.size;
        match first_unwritten(&self.written[range.clone()]) {
            None => Ok(&self.bytes[range]),
            Some(first) => Err(self.unwritten(place, first)),
        }
    }

    fn unwritten(&self, place: RegionPlace, first: usize) -> MemoryFault {
        let offset = (place.offset + first) as u64;
        MemoryFault::Uninitialised { address: self.base + place.offset as u64, buffer: self.name.clone(), offset }
    }

    /// Writes bytes for a thread.
    pub(crate) fn write(
        &mut self,
        place: RegionPlace,
        bytes: &[u8],
        strength: Strength,
        view: &View<'_>,
        name: impl Fn(ThreadId) -> String,
    ) -> Result<(), MemoryFault> {
        let range = place.offset..place.offset + place.size;
        self.bytes[range.clone()].copy_from_slice(bytes);
        self.written[range].fill(true);
        match self.shadow.touch(place.offset, place.size, true, strength, view) {
            None => Ok(()),
            Some(conflict) => Err(self.race(conflict, name)),
        }
    }

    /// Returns the message that a strong read of a place gets.
    pub(crate) fn message(&self, place: RegionPlace) -> Option<&Message> {
        self.messages.get(&place.offset)
    }

    /// Leaves the message of a strong write of a block. An atomic adds to the message at the place, other writes
    /// replace it.
    pub(crate) fn leave(&mut self, place: RegionPlace, sent: Option<&Sent>, block: u32, is_atomic: bool) {
        if !is_atomic && !self.messages.is_empty() {
            self.messages.remove(&place.offset);
        }
        if let Some(sent) = sent.filter(|sent| !sent.is_empty()) {
            self.messages.entry(place.offset).or_default().add(sent, block);
        }
    }

    fn race(&self, conflict: Conflict, name: impl Fn(ThreadId) -> String) -> MemoryFault {
        MemoryFault::Race {
            buffer: self.name.clone(),
            offset: conflict.offset as u64,
            other: name(conflict.other),
            wrote: conflict.wrote,
        }
    }
}

/// Returns the first of some bytes that was not written.
pub(crate) fn first_unwritten(written: &[bool]) -> Option<usize> {
    const WRITTEN: [bool; 32] = [true; 32];
    let is_written = |written: &[bool]| *written == WRITTEN[..written.len()];
    let at = written.chunks(32).position(|written| !is_written(written))?;
    written.iter().skip(at * 32).position(|written| !written).map(|first| at * 32 + first)
}
