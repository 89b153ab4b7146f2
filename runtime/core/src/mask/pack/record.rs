//! The plain records of a mask pack, and how a run is found. Little-endian.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use crate::container::record;

/// The number of no row, which stands for the empty set.
pub(super) const NO_ROW: u32 = u32::MAX;

/// The number of no exits.
pub(super) const NO_EXITS: u32 = 0;

/// Words of an aligned block of row data.
pub(super) const BLOCK: usize = 16;

/// The form in which a row is stored: the kinds of [`RowRecord`], by their numbers in the file.
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
        /// 1 if nothing reachable was left out.
        complete: u32,
        /// Left out: keys, tails.
        left_out: [u32; 2],
    }
);

record!(
    /// A row's place in the row data, in blocks. Sparse: `len` tokens. Dense: `len` words. Delta: `len` tokens added, then
    /// `removed` tokens, against dense row `base`.
    RowRecord {
        /// A number of [`RowKind`].
        kind: u32,
        at: u32,
        len: u32,
        removed: u32,
        base: u32,
    }
);

record!(
    /// A range of the exit nodes.
    ExitsRecord {
        at: u32,
        len: u32,
    }
);

record!(
    /// The base of a state: [`crate::mask::store::Base`] with pack numbers.
    BaseRecord {
        row: u32,
        exits: u32,
        at_once: u32,
        /// The most parallel heads that it can become: [`crate::mask::effort::Effort::heads`].
        heads: u32,
    }
);

record!(
    /// A run of bases of one state: equal for `b` up to `last`. Ordered by all but `last` and `base`.
    BaseRun {
        aux: u32,
        esc: u32,
        a: u32,
        b: u32,
        last: u32,
        base: u32,
    }
);

record!(
    /// A run of tails of one return state after the same exits: equal for `b` up to `last`. Ordered by the first four.
    TailRun {
        exits: u32,
        aux: u32,
        a: u32,
        b: u32,
        last: u32,
        row: u32,
        next: u32,
        /// The most parallel heads that it can become.
        heads: u32,
    }
);

record!(
    /// The keys seen of an object in any order.
    SetRecord {
        words: [u32; 4],
    }
);

/// A record that stands for a range of countdowns, in a list that is sorted by [`Run::begin`].
pub(super) trait Run: Copy {
    /// Returns the key of the run's first countdown; its last number is the countdown `b`.
    fn begin(&self) -> [u32; 4];
    /// Returns the greatest `b`.
    fn last(&self) -> u32;
}

impl Run for BaseRun {
    #[inline]
    fn begin(&self) -> [u32; 4] {
        [self.aux, self.esc, self.a, self.b]
    }

    #[inline]
    fn last(&self) -> u32 {
        self.last
    }
}

impl Run for TailRun {
    #[inline]
    fn begin(&self) -> [u32; 4] {
        [self.exits, self.aux, self.a, self.b]
    }

    #[inline]
    fn last(&self) -> u32 {
        self.last
    }
}

/// Finds the run that holds a key, among the runs of one state.
#[inline]
pub(super) fn find<T: Run>(runs: &[T], key: [u32; 4]) -> Option<T> {
    let after = runs.partition_point(|run| run.begin() <= key);
    let run = runs.get(after.checked_sub(1)?)?;
    let begin = run.begin();
    (begin[..3] == key[..3] && key[3] <= run.last()).then_some(*run)
}
