//! The layout of a slot: the state of one sequence in device memory; `kernels/slot.cuh` mirrors it, and a test compares the two.
//!
//! The host makes slots, and reads back those of sequences that it has to go on with; on the device only kernels change them.

mod image;

use crate::record::{constant_assertion, record};
pub use image::{SlotError, SlotImage, SlotStatus};

/// The most heads of a slot: readings of the text so far.
pub(crate) const MOST_HEADS: usize = 16;

/// The most frames below the heads of a slot, with those of the states in its log.
pub(crate) const MOST_NODES: usize = 256;

/// The most sets of seen keys of a slot, and the words of a set: a bit for each of 128 keys.
pub(crate) const MOST_SETS: usize = 32;
pub(crate) const SET_WORDS: usize = 4;

/// The most rows of a slot's mask.
pub(crate) const MOST_ROWS: usize = 32;

/// The states before the last tokens that a slot keeps, to take tokens back.
pub(crate) const MOST_LOG: usize = 16;

/// The words of a sector, the least that is read from memory.
const SECTOR_WORDS: usize = 8;

/// The node below the lowest frame.
pub(crate) const BOTTOM: u32 = u32::MAX;

/// The state of a head that has returned from the lowest frame: it reads nothing more.
pub(crate) const RETURNED: u32 = u32::MAX;

/// The least register `aux` that names a set of the slot: `SET_BASE + 3` is its set 3.
pub(crate) const SET_BASE: u32 = 1 << 31;

/// Who steps a sequence: nobody, the device, or the host, because the device could not.
pub(crate) const STATUS_FREE: u32 = 0;
pub(crate) const STATUS_DEVICE: u32 = 1;
pub(crate) const STATUS_HOST: u32 = 2;

record!(
    /// A frame: a state, the countdowns to the least and from there to the greatest count, and what it remembers: a position among declared keys,
    /// a set of seen keys, or the tokens left.
    Frame { state: u32, a: u32, b: u32, aux: u32 }
);
record!(
    /// A frame below a head, and the node below it.
    Node { frame: Frame, parent: u32 }
);
record!(
    /// A reading of the text: its top frame, the escape that is being read (as in `runtime/core/src/step/text.rs`), and the node below.
    Head { top: Frame, esc: u32, parent: u32 }
);
record!(
    /// All readings of a text.
    Readings {
        /// Whether no byte has been read.
        is_fresh: u32,
        /// Whether the text was ended by a stop token.
        is_ended: u32,
        head_count: u32,
        heads: [Head; MOST_HEADS],
    }
);
/// What `may_end` says of a mask that was not located, and that has no rows: none is wanted, or the host has to find it.
pub(crate) const MASK_IS_MISSING: u32 = 2;
pub(crate) const MASK_IS_HOSTS: u32 = 3;

/// The first rows of a mask, which are always written.
const FIRST_ROWS: usize = 3;

record!(
    /// The mask of the next token: the union of rows of the pool, and the stop tokens if the text may end.
    Located {
        may_end: u32,
        row_count: u32,
        /// Whether any row is no list.
        is_dense: u32,
        rows: [u32; MOST_ROWS],
        unused: u32,
    }
);
record!(
    /// The state of a sequence before one of its last tokens.
    Moment { readings: Readings, node_count: u32, set_count: u32 }
);
record!(
    /// The state of a sequence.
    Slot {
        /// One of `STATUS_FREE` and so on.
        status: u32,
        /// The number of its format in the table of formats.
        format: u32,
        mask: Located,
        now: Readings,
        /// The nodes and sets that are in use: a prefix of each. A parent comes before its children.
        node_count: u32,
        set_count: u32,
        nodes: [Node; MOST_NODES],
        sets: [[u32; SET_WORDS]; MOST_SETS],
        /// The number of tokens that were read, and of those that can be taken back. The state before token t is in entry `t % MOST_LOG`.
        token_count: u32,
        log_count: u32,
        log: [Moment; MOST_LOG],
        /// So that each slot begins a sector.
        unused: [u32; 3],
    }
);

/// The bytes of the state of a sequence in device memory; slots lie one behind another, the first at an address that is a multiple of 32.
///
/// ```
/// assert_eq!(ogc_cuda::SLOT_BYTES % 32, 0);
/// ```
pub const SLOT_BYTES: usize = size_of::<Slot>();

/// Returns assertions of C++ that hold if `slot.cuh` has this layout and these constants.
pub(crate) fn assertions() -> String {
    let constants = [
        ("MOST_HEADS", MOST_HEADS as u32),
        ("MOST_NODES", MOST_NODES as u32),
        ("MOST_SETS", MOST_SETS as u32),
        ("SET_WORDS", SET_WORDS as u32),
        ("MOST_ROWS", MOST_ROWS as u32),
        ("FIRST_ROWS", FIRST_ROWS as u32),
        ("SECTOR_WORDS", SECTOR_WORDS as u32),
        ("MOST_LOG", MOST_LOG as u32),
        ("BOTTOM", BOTTOM),
        ("RETURNED", RETURNED),
        ("SET_BASE", SET_BASE),
        ("STATUS_FREE", STATUS_FREE),
        ("STATUS_DEVICE", STATUS_DEVICE),
        ("STATUS_HOST", STATUS_HOST),
        ("MASK_IS_MISSING", MASK_IS_MISSING),
        ("MASK_IS_HOSTS", MASK_IS_HOSTS),
    ];
    let records = [
        Frame::assertions(),
        Node::assertions(),
        Head::assertions(),
        Readings::assertions(),
        Located::assertions(),
        Moment::assertions(),
        Slot::assertions(),
    ];
    records.concat() + &constants.map(|(name, value)| constant_assertion(name, value)).concat()
}
