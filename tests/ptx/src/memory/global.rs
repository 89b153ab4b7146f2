//! Global memory: the variables of a module, and the buffers of a launch.

use super::MemoryFault;
use super::region::Region;
use crate::ir::Module;

/// A buffer of a [`Device`](crate::Device).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferId(pub(crate) usize);

/// All regions, by address.
#[derive(Clone, Debug)]
pub(crate) struct Global {
    regions: Vec<Region>,
    /// The number of regions that are variables of the module.
    variables: usize,
    /// The address from which buffers begin.
    first: u64,
}

/// The alignment of a buffer's address, as on a device.
const ALIGNMENT: u64 = 256;

/// Minimum distance between buffers, so that an access beyond an end hits no other buffer.
const GAP: u64 = 1 << 20;

impl Global {
    /// Returns the memory with the variables of a module; buffers begin behind an address.
    pub(crate) fn new(module: &Module, first: u64) -> Global {
        let variables = module.globals.iter();
        let regions =
            variables.map(|variable| Region::filled(&variable.name, variable.address, variable.bytes.clone()));
        Global { regions: regions.collect(), variables: module.globals.len(), first }
    }

    /// Returns the address behind all regions.
    pub(crate) fn end(&self) -> u64 {
        self.regions.last().map_or(0, Region::end).max(self.first)
    }

    /// Returns the address at which the next buffer begins.
    pub(crate) fn next_base(&self) -> u64 {
        (self.end() + GAP).next_multiple_of(ALIGNMENT)
    }

    /// Adds a region behind all others, such as at [`Self::next_base`].
    pub(crate) fn add(&mut self, region: Region) -> BufferId {
        self.regions.push(region);
        BufferId(self.regions.len() - 1)
    }

    /// Returns the buffers, by their addresses.
    pub(crate) fn buffers(&self) -> &[Region] {
        &self.regions[self.variables..]
    }

    pub(crate) fn region(&self, id: BufferId) -> Option<&Region> {
        self.regions.get(id.0)
    }

    pub(crate) fn region_mut(&mut self, id: BufferId) -> Option<&mut Region> {
        self.regions.get_mut(id.0)
    }

    /// Returns the region that contains an address.
    pub(crate) fn find(&mut self, address: u64, size: u32) -> Result<&mut Region, MemoryFault> {
        let after = self.regions.partition_point(|region| region.base() <= address);
        let inside = after.checked_sub(1).filter(|at| address < self.regions[*at].end());
        match inside {
            Some(at) => Ok(&mut self.regions[at]),
            None => Err(MemoryFault::OutOfBounds { address, size, nearest: self.nearest(after, address) }),
        }
    }

    /// Describes the place of an address, which lies before the region with number `after`.
    fn nearest(&self, after: usize, address: u64) -> String {
        let before = after.checked_sub(1).map(|at| &self.regions[at]);
        let past = before.map(|region| (address - region.end(), region));
        let ahead = self.regions.get(after).map(|region| (region.base() - address, region));
        match (past, ahead) {
            (Some((past, region)), None) => format!("{past} bytes past the end of `{}`", region.name()),
            (Some((past, region)), Some((ahead, _))) if past <= ahead => {
                format!("{past} bytes past the end of `{}`", region.name())
            }
            (_, Some((ahead, region))) => format!("{ahead} bytes before `{}`", region.name()),
            (None, None) => "there is no buffer".to_owned(),
        }
    }
}
