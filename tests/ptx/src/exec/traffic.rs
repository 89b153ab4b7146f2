//! Counts the memory traffic of accesses: sectors of global memory, and conflicts of the banks of shared memory.

use crate::ir::Space;
use crate::report::Counts;

/// The kind of instruction that made accesses, for the counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Load,
    Store,
    Atomic,
}

/// The accesses of one instruction: addresses in global and in shared memory.
#[derive(Debug, Default)]
pub(super) struct Touched {
    global: Addresses,
    shared: Addresses,
}

/// At most one address for each lane.
#[derive(Debug, Default)]
struct Addresses {
    list: [u64; 32],
    len: usize,
}

impl Addresses {
    fn push(&mut self, address: u64) {
        self.list[self.len] = address;
        self.len += 1;
    }

    fn all(&self) -> &[u64] {
        &self.list[..self.len]
    }
}

impl Touched {
    /// Adds the access of a lane; there are at most 32.
    pub(super) fn add(&mut self, space: Space, address: u64) {
        match space {
            Space::Global => self.global.push(address),
            Space::Shared => self.shared.push(address),
            Space::Generic | Space::Local | Space::Constant | Space::Parameter => {}
        }
    }

    pub(super) fn count(&self, counts: &mut Counts, access: Access, size: u32) {
        let sectors = sectors(self.global.all(), size);
        match access {
            Access::Load => {
                counts.loads += u64::from(sectors > 0);
                counts.loaded_sectors += sectors;
            }
            Access::Store => {
                counts.stores += u64::from(sectors > 0);
                counts.stored_sectors += sectors;
            }
            Access::Atomic => counts.atomic_sectors += sectors,
        }
        counts.bank_conflicts += bank_conflicts(self.shared.all(), size);
    }
}

/// Returns the number of sectors that some accesses touch together. An access is aligned, so it touches one sector.
fn sectors(addresses: &[u64], size: u32) -> u64 {
    debug_assert!(size <= 32, "the largest access is a sector");
    let mut sectors = [0; 32];
    let sectors = &mut sectors[..addresses.len()];
    sectors.iter_mut().zip(addresses).for_each(|(sector, address)| *sector = address / 32);
    distinct(sectors)
}

/// Returns the number of different numbers; sorts them if they are not sorted.
fn distinct(numbers: &mut [u64]) -> u64 {
    if !numbers.is_sorted() {
        numbers.sort_unstable();
    }
    let steps = numbers.windows(2).filter(|pair| pair[0] != pair[1]).count();
    steps as u64 + u64::from(!numbers.is_empty())
}

/// Returns the number of additional accesses to banks: each of 32 banks gives one word at a time, which all lanes may
/// share. Accesses of 8 bytes go by half warps, accesses of 16 bytes by quarters.
fn bank_conflicts(addresses: &[u64], size: u32) -> u64 {
    let words = u64::from(size.div_ceil(4)).clamp(1, 32);
    let lanes = (32 / words) as usize;
    addresses.chunks(lanes).map(|addresses| most_words_of_a_bank(addresses, words) - 1).sum()
}

/// Returns the number of words, at least one, that accesses of `words` words need from the bank with the most.
fn most_words_of_a_bank(addresses: &[u64], words: u64) -> u64 {
    let mut touched = [0; 32];
    let wanted = addresses.iter().flat_map(|address| (0..words).map(move |word| address / 4 + word));
    let count = touched.iter_mut().zip(wanted).map(|(touched, word)| *touched = word).count();
    let touched = &mut touched[..count];
    touched.sort_unstable();
    let mut banks = [0_u64; 32];
    let mut last = None;
    for word in touched.iter().copied() {
        banks[(word % 32) as usize] += u64::from(last != Some(word));
        last = Some(word);
    }
    banks.into_iter().max().unwrap_or(1).max(1)
}
