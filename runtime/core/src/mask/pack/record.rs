//! The fixed-size records of a pack's sections, as stored in the file (little-endian), and the search for a run.

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

/// The form in which a row is stored; [`RowRecord`] has its code.
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
    /// Returns the kind's code in a file.
    pub(super) const fn code(self) -> u32 {
        self as u32
    }

    /// Returns the kind with a code; `None` if there is none.
    pub(super) const fn from_code(code: u32) -> Option<Self> {
        match code {
            0 => Some(Self::Sparse),
            1 => Some(Self::Dense),
            2 => Some(Self::Delta),
            _ => None,
        }
    }
}

/// The kind of the last step of a way; [`WayRecord`] has its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum WayKind {
    /// An operation on the registers.
    Op = 0,
    /// The condition that some character can still end an escape in a state.
    Escape = 1,
}

impl WayKind {
    /// Returns the kind's code in a file.
    pub(super) const fn code(self) -> u32 {
        self as u32
    }

    /// Returns the kind with a code; `None` if there is none.
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
        /// Number of ids of the vocabulary.
        tokens: u32,
        /// Number of nodes of the token trie.
        nodes: u32,
        /// Length of the longest token, in bytes.
        longest: u32,
        /// 1 if the pack has every frame and tail that was found, else 0.
        complete: u32,
        /// The number of frames, and of tails, that were left out.
        left_out: [u32; 2],
    }
);

record!(
    /// The kind of a row, and the place of its content in the row data. Sparse: `len` tokens. Dense: `len` words of bits. Delta: `len`
    /// tokens to add to the dense row with the number `dense`, then `removed` tokens to remove from it.
    RowRecord {
        /// A code of [`RowKind`].
        kind: u32,
        /// The block at which the content begins.
        at: u32,
        len: u32,
        removed: u32,
        dense: u32,
    }
);

record!(
    /// A digest of the names of a pack's rows, if the rows are in a pool.
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
    /// A base ([`crate::mask::part::Base`]), with the pack's numbers for the row and the exits. Runs refer to bases by number.
    BaseRecord {
        row: u32,
        exits: u32,
        at_once: u32,
        /// The number of the tree of ways.
        ways: u32,
    }
);

record!(
    /// A run of one state: frames with the registers `fixed`, and with any value `from..=last` of the run's register, have base number
    /// `base`. For a frame whose masks are made by ways, all registers are 0. Runs of a state are sorted by `(fixed, from)`.
    ///
    /// Say a state has the runs `0..=0`, `1..=8` and endless, with equal other registers. A frame with the value 5 is in the second: the
    /// last run that begins at or before 5.
    BaseRun {
        /// The other registers, in the order of [`super::registers::of_base`].
        fixed: [u32; 3],
        from: u32,
        last: u32,
        base: u32,
    }
);

record!(
    /// A run of one return state after the same exits: frames with the registers `fixed`, and with any value `from..=last` of the run's
    /// register, have the tail of `row`, `next` and `ways`. Runs of a state are sorted by `(fixed, from)`.
    TailRun {
        /// The exits and the other registers, in the order of [`super::registers::of_tail`].
        fixed: [u32; 3],
        from: u32,
        last: u32,
        row: u32,
        /// The exits at which the return frame returns in turn.
        next: u32,
        /// The number of the tree of ways.
        ways: u32,
    }
);

record!(
    /// A set of seen keys of an object whose keys come in any order, one bit per key.
    SetRecord {
        words: [u32; 4],
    }
);

record!(
    /// A tree of ways: `len` entries ([`WayRecord`]) from index `at` on in the table of all trees.
    WaysRecord {
        at: u32,
        len: u32,
    }
);

record!(
    /// A way, as an entry of a tree in preorder: its last step, and the row and exits that the frame has if its registers allow all steps.
    WayRecord {
        /// A code of [`WayKind`].
        kind: u32,
        /// The operation, or the state of the escape.
        of: u32,
        /// The escape.
        esc: u32,
        /// The number of entries below this one; they follow it.
        below: u32,
        row: u32,
        exits: u32,
    }
);

#[inline]
fn run_begin([x, y, z]: [u32; 3], from: u32) -> [u32; 4] {
    [x, y, z, from]
}

/// A range of one register with one answer, in a list that is sorted by [`Run::begin`].
pub(super) trait Run: Copy {
    /// Returns the sort key of runs: the fixed registers, then the least value of the range.
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

/// Finds the run that contains a key, among the runs of one state.
#[inline]
pub(super) fn find<T: Run>(runs: &[T], key: [u32; 4]) -> Option<T> {
    // Runs do not overlap, so that only the last one that begins at or before the key can contain it.
    let after = runs.partition_point(|run| run.begin() <= key);
    let run = runs.get(after.checked_sub(1)?)?;
    let begin = run.begin();
    (begin[..3] == key[..3] && key[3] <= run.last()).then_some(*run)
}
