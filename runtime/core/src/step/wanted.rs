//! Sets of characters to search for, by the bytes of their UTF-8.

use std::ops::RangeInclusive;

use crate::automaton::Edge;

/// The characters `lo..=hi` to search for, at one byte of their UTF-8: the bits read so far, the marker bits of this byte, and the number
/// of bytes after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Wanted {
    pub(super) rest: u32,
    marker: u32,
    lo: u32,
    hi: u32,
    prefix: u32,
}

impl Wanted {
    /// Splits a range of characters by the length of their UTF-8, each part at its first byte.
    pub(super) fn by_length(lo: u32, hi: u32) -> impl Iterator<Item = Wanted> {
        // For each length: the bytes after the lead, the lead's marker, the first and last character.
        const FORMS: [(u32, u32, u32, u32); 4] =
            [(0, 0, 0, 0x7F), (1, 0xC0, 0x80, 0x7FF), (2, 0xE0, 0x800, 0xFFFF), (3, 0xF0, 0x10000, 0x10_FFFF)];
        FORMS.into_iter().filter_map(move |(rest, marker, least, most)| {
            let (lo, hi) = (lo.max(least), hi.min(most));
            (lo <= hi).then_some(Wanted { rest, marker, lo, hi, prefix: 0 })
        })
    }

    /// Returns the bytes of an edge that can lead to a wanted character; empty if there are none.
    #[inline]
    pub(super) fn bytes_of(self, edge: &Edge) -> RangeInclusive<u32> {
        let shift = 6 * self.rest;
        // Payloads of this byte that can lead to a wanted character.
        let least = (self.lo >> shift).saturating_sub(self.prefix << 6);
        let payload_bits = if self.marker == 0x80 { 0x3F } else { 0x7F };
        let most = ((self.hi >> shift) - (self.prefix << 6)).min(payload_bits);
        u32::from(edge.lo).max(self.marker + least)..=u32::from(edge.hi).min(self.marker + most)
    }

    /// Returns the wanted characters after one of these bytes, which is not the last byte of a character.
    pub(super) fn after(self, byte: u32) -> Wanted {
        let shift = 6 * self.rest;
        let prefix = (self.prefix << 6) + (byte - self.marker);
        let (block_lo, block_hi) = (prefix << shift, (prefix << shift) + (1 << shift) - 1);
        let (lo, hi) = (self.lo.max(block_lo), self.hi.min(block_hi));
        Wanted { rest: self.rest - 1, marker: 0x80, lo, hi, prefix }
    }
}
