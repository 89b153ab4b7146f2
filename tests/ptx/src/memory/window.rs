//! Assigns generic addresses to spaces.
//!
//! Addresses of shared, local and constant memory count from zero in their space; as generic addresses they lie in
//! windows. Everything else is global: the variables of the module from [`MODULE`], buffers from [`BUFFERS`]. Small
//! addresses, such as a null pointer and its neighbours, belong to no buffer.

use crate::ir::Space;

/// The number of bytes of a window.
const WINDOW: u64 = 1 << 24;
const SHARED: u64 = 1 << 40;
const LOCAL: u64 = 2 << 40;
const CONSTANT: u64 = 3 << 40;

/// The address from which the variables of the module begin.
pub(crate) const MODULE: u64 = 4 << 40;

/// The address from which buffers begin.
pub(crate) const BUFFERS: u64 = 8 << 40;

/// Returns the window of a space; none for global memory, which has all other addresses.
fn window(space: Space) -> Option<u64> {
    match space {
        Space::Shared => Some(SHARED),
        Space::Local => Some(LOCAL),
        Space::Constant => Some(CONSTANT),
        Space::Generic | Space::Global | Space::Parameter => None,
    }
}

/// Returns the space of a generic address.
pub(crate) fn space_of(address: u64) -> Space {
    let spaces = [Space::Shared, Space::Local, Space::Constant];
    spaces.into_iter().find(|space| from_generic(*space, address).is_some()).unwrap_or(Space::Global)
}

/// Converts an address of a space to a generic address.
pub(crate) fn to_generic(space: Space, address: u64) -> u64 {
    window(space).map_or(address, |base| base.wrapping_add(address))
}

/// Converts a generic address to an address of a space, if it lies there.
pub(crate) fn from_generic(space: Space, address: u64) -> Option<u64> {
    match window(space) {
        Some(base) => address.checked_sub(base).filter(|offset| *offset < WINDOW),
        None => Some(address).filter(|address| space != Space::Global || space_of(*address) == Space::Global),
    }
}
