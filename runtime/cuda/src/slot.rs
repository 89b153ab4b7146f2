//! The layout of a slot: the state of one sequence in device memory.
//!
//! The host makes slots, and reads back the status and mask of slots; on the device only kernels change slots.

mod image;

use crate::record::shared;
pub use image::{SlotError, SlotImage, SlotStatus};

shared! {
    header "slot";

    /// Maximum numbers, per slot, of heads (readings of the text so far), of frames below them (including those of logged states), of sets of seen
    /// keys, of rows of a mask, and of logged states before the last tokens.
    const MOST_HEADS: usize = 16;
    const MOST_NODES: usize = 256;
    const MOST_SETS: usize = 32;
    const MOST_ROWS: usize = 32;
    const MOST_LOG: usize = 16;

    /// Number of words of a set of seen keys, and number of keys that it has bits for. Objects with more keys in any order are left to the host.
    const SET_WORDS: usize = 4;
    const MOST_KEYS: u32 = 32 * SET_WORDS as u32;

    /// The node below the lowest frame.
    const BOTTOM: u32 = u32::MAX;

    /// The state of a head that has returned from the lowest frame; it reads no further bytes.
    const RETURNED: u32 = u32::MAX;

    /// The smallest value of the register `aux` that refers to a set of the slot: `SET_BASE + 3` is its set 3.
    const SET_BASE: u32 = 1 << 31;

    /// Who steps a sequence: nobody, the device, or the host because the device could not.
    const STATUS_FREE: u32 = 0;
    const STATUS_DEVICE: u32 = 1;
    const STATUS_HOST: u32 = 2;

    /// Values of `may_end` for a mask that was not located and has no rows: none is wanted, or the host must find it.
    const MASK_IS_MISSING: u32 = 2;
    const MASK_IS_HOSTS: u32 = 3;

    /// A frame: a state, the countdowns to the minimum and from there to the maximum count, and its memory: a position among declared keys,
    /// a set of seen keys, or the number of remaining tokens.
    struct Frame { state: u32, a: u32, b: u32, aux: u32 }

    /// A frame below a head, and its parent node.
    struct Node { frame: Frame, parent: u32 }

    /// A reading of the text: its top frame, the escape that is being read (as in `runtime/core/src/step/escape.rs`), and the node below.
    struct Head { top: Frame, esc: u32, parent: u32 }

    /// The set of declared keys seen so far, one bit each.
    struct KeySet { words: [u32; SET_WORDS] }

    /// All readings of a text.
    struct Readings {
        /// Whether no byte has been read.
        is_fresh: u32,
        /// Whether the text was ended by a stop token.
        is_ended: u32,
        head_count: u32,
        heads: [Head; MOST_HEADS],
    }

    /// The mask of the next token: the union of rows of the pool, and the stop tokens if the text may end. Its first words do not cross sectors.
    struct Located {
        may_end: u32,
        row_count: u32,
        /// Whether any row is dense (has a word for each 32 tokens), itself or in the row that it is a difference of.
        is_dense: u32,
        rows: [u32; MOST_ROWS],
        unused: u32,
    }

    /// The state of a sequence before one of its last tokens.
    struct Moment { readings: Readings, node_count: u32, set_count: u32 }

    /// The state of a sequence. Its first sector has its status and a mask of few rows.
    struct Slot {
        /// One of `STATUS_FREE` etc.
        status: u32,
        /// The number of its format in the table of formats.
        format: u32,
        mask: Located,
        now: Readings,
        /// Counts of nodes and sets in use: the first ones of `nodes` and `sets`. A parent precedes its children.
        node_count: u32,
        set_count: u32,
        nodes: [Node; MOST_NODES],
        sets: [[u32; SET_WORDS]; MOST_SETS],
        /// Number of tokens read, and of tokens that can be rolled back. The state before token t is in entry `t % MOST_LOG`.
        token_count: u32,
        log_count: u32,
        log: [Moment; MOST_LOG],
        /// Padding, so that each slot begins a sector.
        unused: [u32; 3],
    }
}

/// Size of a slot in device memory, in bytes. Slots are stored one after another, and the address of the first is a multiple of 32.
///
/// ```
/// assert_eq!(ogc_cuda::SLOT_BYTES % 32, 0);
/// ```
pub const SLOT_BYTES: usize = size_of::<Slot>();
