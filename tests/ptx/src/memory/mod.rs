//! Memory whose every access is checked.
//!
//! A [`region::Region`] is a piece of memory with its bytes, which of them were written, and who touched them (`shadow`). Whether two accesses
//! are ordered is decided by a [`shadow::View`], which the executor gives. `knowledge` is what threads know of each other by
//! fences and atomics. `window` says which addresses are whose, `plain` is memory of one lane.

pub(crate) mod global;
pub(crate) mod knowledge;
pub(crate) mod plain;
pub(crate) mod region;
pub(crate) mod shadow;
pub(crate) mod thread;
pub(crate) mod window;

pub use global::BufferId;

/// What is wrong with an access, without who did it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryFault {
    /// No buffer has all the bytes.
    #[error("{size} bytes at {address:#x} are not in a buffer: {nearest}")]
    OutOfBounds {
        /// Where the access begins.
        address: u64,
        /// How many bytes it has.
        size: u32,
        /// Where that is, in words.
        nearest: String,
    },
    /// The address is no multiple of the size.
    #[error(
        "{size} bytes at {address:#x} (`{buffer}` + {offset}) are misaligned: the address is no multiple of {size}"
    )]
    Misaligned {
        /// Where the access begins.
        address: u64,
        /// How many bytes it has.
        size: u32,
        /// The buffer.
        buffer: String,
        /// The place in it.
        offset: u64,
    },
    /// A byte is read that nobody wrote.
    #[error("`{buffer}` + {offset} is read and was never written (address {address:#x})")]
    Uninitialised {
        /// Where the access begins.
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
    /// The space cannot be reached so.
    #[error("{space} memory cannot be {how} at {address:#x}")]
    Space {
        /// The space.
        space: &'static str,
        /// What was tried.
        how: &'static str,
        /// The address.
        address: u64,
    },
}
