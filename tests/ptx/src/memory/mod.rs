//! Memory whose every access is checked.
//!
//! A [`region::Region`] is a piece of memory: it has bytes, marks for written bytes, and the threads that touched them
//! (`shadow`). A [`shadow::View`] from the executor decides whether two accesses are ordered. `knowledge` is the
//! knowledge that threads have of each other from fences and atomics. `window` assigns addresses to spaces, and `plain`
//! is memory of one lane.

pub(crate) mod global;
pub(crate) mod knowledge;
pub(crate) mod plain;
pub(crate) mod region;
pub(crate) mod shadow;
pub(crate) mod thread;
pub(crate) mod window;

pub use global::BufferId;

/// The fault of an access, without its thread.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryFault {
    /// No buffer has all the bytes.
    #[error("{size} bytes at {address:#x} are not in a buffer: {nearest}")]
    OutOfBounds {
        /// The address of the access.
        address: u64,
        /// The number of its bytes.
        size: u32,
        /// Description of the nearest buffer.
        nearest: String,
    },
    /// The address is not a multiple of the size.
    #[error(
        "{size} bytes at {address:#x} (`{buffer}` + {offset}) are misaligned: the address is no multiple of {size}"
    )]
    Misaligned {
        /// The address of the access.
        address: u64,
        /// The number of its bytes.
        size: u32,
        /// The buffer.
        buffer: String,
        /// The place in it.
        offset: u64,
    },
    /// A byte is read that was never written.
    #[error("`{buffer}` + {offset} is read and was never written (address {address:#x})")]
    Uninitialised {
        /// The address of the access.
        address: u64,
        /// The buffer.
        buffer: String,
        /// The first byte that was not written.
        offset: u64,
    },
    /// Two threads touch a byte, one of them writes, and nothing orders them.
    #[error("a race on `{buffer}` + {offset}: thread {other} {} it, with no barrier between", if *.wrote { "wrote" } else { "read" })]
    Race {
        /// The buffer.
        buffer: String,
        /// The place in it.
        offset: u64,
        /// The thread that touched it before: block and thread.
        other: String,
        /// Whether it wrote.
        wrote: bool,
    },
    /// The space cannot be accessed in this way.
    #[error("{space} memory cannot be {how} at {address:#x}")]
    Space {
        /// The space.
        space: &'static str,
        /// The attempted access.
        how: &'static str,
        /// The address.
        address: u64,
    },
}
