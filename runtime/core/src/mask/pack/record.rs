//! The fixed-size records of a pack's sections, as they lie in the file (little-endian), and the search for a run.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use crate::container::record;

/// The row number that stands for the empty set.
pub(super) const NO_ROW: u32 = u32::MAX;

/// The number of the empty set of exits.
pub(super) const NO_EXITS: u32 = 0;

/// The number of the tree of ways without entries.
pub(super) const NO_WAYS: u32 = 0;

/// The size of a block of row data in words; each row begins with a block.
pub(super) const BLOCK: usize = 16;

/// The form in which a row is stored, by the number that [`RowRecord`] has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum RowKind {
    /// A list of tokens.
    Sparse = 0,
    /// One bit a token.
    Dense = 1,
    /// The differences from a dense row.
    Delta = 2,
}

impl RowKind {
    /// Returns the number that stands for the kind in a file.
    pub(super) const fn code(self) -> u32 {
        self as u32
    }

    /// Returns the kind of a number; `None` if no kind has it.
    pub(super) const fn from_code(code: u32) -> Option<Self> {
        match code {
            0 => Some(Self::Sparse),
            1 => Some(Self::Dense),
            2 => Some(Self::Delta),
            _ => None,
        }
    }
}

/// The kind of the last step of a way, by the number that [`WayRecord`] has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum WayKind {
    /// An operation.
    Op = 0,
    /// Asks that an escape lives in a state.
    Escape = 1,
}

impl WayKind {
    /// Returns the number that stands for the kind in a file.
    pub(super) const fn code(self) -> u32 {
        self as u32
    }

    /// Returns the kind of a number; `None` if no kind has it.
    pub(super) const fn from_code(code: u32) -> Option<Self> {
        match code {
            0 => Some(Self::Op),
            1 => Some(Self::Escape),
            _ => None,
        }
    }
}

record!(
    /// The identity and the size of a pack: the vocabulary and the format that it was built for.
    MasksRecord {
        vocabulary: [u8; 32],
        format: [u8; 32],
        /// Ids of the vocabulary.
        tokens: u32,
        /// Nodes of its trie.
        nodes: u32,
        /// Bytes of its longest token.
        longest: u32,
        /// 1 if no frame or tail that was found was left out.
        complete: u32,
        /// The numbers of frames and of tails that were left out.
        left_out: [u32; 2],
    }
);

record!(
    /// The kind of a row, and its place in the row data. Sparse: `len` tokens. Dense: `len` words of bits. Delta: `len` tokens
    /// added, then `removed` tokens taken away, from the dense row of number `dense`.
    RowRecord {
        /// A number of [`RowKind`].
        kind: u32,
        /// The block with which the content begins.
        at: u32,
        len: u32,
        removed: u32,
        dense: u32,
    }
);

record!(
    /// The rows of a pack in a pool: a digest of their names.
    PoolUseRecord { names: [u8; 16], }
);

record!(
    /// The vocabulary of a pool: its fingerprint and the number of its ids.
    PoolRecord {
        vocabulary: [u8; 32],
        tokens: u32,
        reserved: [u32; 3],
    }
);

record!(
    /// A row of a pool: its name, and the fields of a [`RowRecord`].
    PoolRowRecord {
        name: [u8; 16],
        kind: u32,
        at: u32,
        len: u32,
        removed: u32,
        dense: u32,
    }
);

impl PoolRowRecord {
    /// Returns the record without its name.
    pub(super) fn plain(&self) -> RowRecord {
        let Self { kind, at, len, removed, dense, .. } = *self;
        RowRecord { kind, at, len, removed, dense }
    }
}

record!(
    /// A set of exits: a range of the table of trie nodes.
    ExitsRecord {
        at: u32,
        len: u32,
    }
);

record!(
    /// A base, which runs refer to by number: [`crate::mask::part::Base`] with the pack's numbers of row and exits.
    BaseRecord {
        row: u32,
        exits: u32,
        at_once: u32,
        /// The number of its tree of ways.
        ways: u32,
    }
);

record!(
    /// A run of one state: frames with these registers and any value `from..=last` of the register of their runs have base
    /// number `base`. A frame whose masks are made by ways has registers 0, whatever they are. Runs of a state are sorted by `(fixed, from)`.
    ///
    /// With runs `from = 0, last = 0`, `from = 1, last = 8` and `from = last =` endless (others equal), a frame with the value 5
    /// is found in the second: the last run that begins at or before 5.
    BaseRun {
        /// The other registers, in the order of [`super::registers::of_base`].
        fixed: [u32; 3],
        from: u32,
        last: u32,
        base: u32,
    }
);

record!(
    /// A run of one return state after the same exits: frames with these registers and any value `from..=last` of the
    /// register of their runs have the tail of `row` and `next`. Runs of a state are sorted by `(fixed, from)`.
    TailRun {
        /// The exits and the other registers, in the order of [`super::registers::of_tail`].
        fixed: [u32; 3],
        from: u32,
        last: u32,
        row: u32,
        /// The exits at which the return frame returns in its turn.
        next: u32,
        /// The number of its tree of ways.
        ways: u32,
    }
);

record!(
    /// A set of seen keys of an object whose keys come in any order, one bit a key.
    SetRecord {
        words: [u32; 4],
    }
);

record!(
    /// A tree of ways: a range of the table of its entries.
    WaysRecord {
        at: u32,
        len: u32,
    }
);

record!(
    /// A way, an entry of a tree in preorder: its last step, and what is read on it if the step can be run.
    WayRecord {
        /// A number of [`WayKind`].
        kind: u32,
        /// The operation, or the state of the escape.
        of: u32,
        /// The escape.
        esc: u32,
        /// The number of entries below this one, which follow it.
        below: u32,
        row: u32,
        exits: u32,
    }
);

#[inline]
fn run_begin([x, y, z]: [u32; 3], from: u32) -> [u32; 4] {
    [x, y, z, from]
}

/// A record of a range of one register, in a list that is sorted by [`Run::begin`].
pub(super) trait Run: Copy {
    /// Returns the registers of the run with the least value of its range, which comes last: the key by which runs are
    /// sorted.
    fn begin(&self) -> [u32; 4];
    /// Returns the greatest value of the range.
    fn last(&self) -> u32;
}

impl Run for BaseRun {
    #[inline]
    fn begin(&self) -> [u32; 4] {
        run_begin(self.fixed, self.from)
    }

    #[inline]
    fn last(&self) -> u32 {
        self.last
    }
}

impl Run for TailRun {
    #[inline]
    fn begin(&self) -> [u32; 4] {
        run_begin(self.fixed, self.from)
    }

    #[inline]
    fn last(&self) -> u32 {
        self.last
    }
}

/// Finds the run that holds a key, among the runs of one state.
#[inline]
pub(super) fn find<T: Run>(runs: &[T], key: [u32; 4]) -> Option<T> {
    // Runs do not overlap, so that only the last one that begins at or before the key can hold it.
    let after = runs.partition_point(|run| run.begin() <= key);
    let run = runs.get(after.checked_sub(1)?)?;
    let begin = run.begin();
    (begin[..3] == key[..3] && key[3] <= run.last()).then_some(*run)
}
