//! Masks made ahead of time: the rows of every frame that a format can have, for one vocabulary.
//!
//! A pack answers what a [`MaskStore`] answers, by looking up: the base of a head's state, and the tail of a return state
//! after exits. It is built by the store's own functions ([`MaskPack::build`]), kept as the bytes that an artifact holds,
//! and read where they lie. What it does not have, the matcher asks the store for.
//!
//! # Layout
//!
//! Rows are interned by content and begin at 64-byte boundaries of the row data. Every state has its runs of bases and of
//! tails: sorted lists by the same classes as the store's keys, in which a run stands for all countdowns with the same
//! answer ([`super::runs`]). A pack's numbers of exits are its own: they never meet those of a store. Sets of seen keys are
//! numbered in the order of their words; the empty set is number 0, as a register without a set is.

mod assemble;
mod build;
mod check;
mod ledger;
mod placed;
pub(super) mod reach;
mod record;
mod times;
mod usage;
mod widths;

pub use build::{PackLimit, PackLimits};
pub use times::PartTime;
pub use usage::RowUse;
pub use widths::StateWidth;

use std::sync::Arc;

use placed::PlacedRow;
use record::{BaseRecord, BaseRun, ExitsRecord, MasksRecord, NO_EXITS, NO_ROW, RowRecord, Run, SetRecord, TailRun};

use super::classes::canonical;
use super::row::RowView;
use super::store::MaskStore;
use crate::automaton::{Automaton, Escapes};
use crate::container::{Fingerprint, Kind, LoadError, Sections, Table, check};
use crate::step::{Head, Stack};

/// The number of a row in a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackRow(u32);

/// The number of a set of exits in a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackExits(u32);

/// The base of a head, from a pack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackBase {
    /// `None` if empty.
    pub(crate) row: Option<PackRow>,
    /// `None` if there are none.
    pub(crate) exits: Option<PackExits>,
    /// Whether the frame can return before anything is read.
    pub(crate) at_once: bool,
    /// The most parallel heads that it can become.
    pub(crate) heads: u32,
}

/// The tail of a return state, from a pack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackTail {
    /// `None` if empty.
    pub(crate) row: Option<PackRow>,
    /// `None` if there are none.
    pub(crate) exits: Option<PackExits>,
    /// The most parallel heads that it can become.
    pub(crate) heads: u32,
}

/// Counts of a pack's content, and of the masks that it omits and the matcher computes on demand.
///
/// ```
/// let report = ogc_runtime::mask::PackReport::default();
/// assert!(!report.complete && report.rows == 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackReport {
    /// Whether nothing that was enumerated was left out: every frame has its base and its tails. Escapes are enumerated
    /// in free text and where few characters are possible; any-order key sets with gaps count as left out in objects of
    /// over five keys.
    pub complete: bool,
    /// Runs of bases: one for the registers of a state that have the same base.
    pub bases: usize,
    /// Runs of tails: one for the registers of a return state that have the same tail after the same exits.
    pub tails: usize,
    /// Distinct rows.
    pub rows: usize,
    /// Bytes of their data.
    pub row_bytes: usize,
    /// Bytes of the exits: of the trie nodes at which tokens leave a frame, and of their lists.
    pub exit_bytes: usize,
    /// Frames that were not followed.
    pub frames_left_out: usize,
    /// Tails that were not computed.
    pub tails_left_out: usize,
}

/// The masks of one format for one vocabulary, read from the bytes of an artifact.
///
/// Invariants, checked when it is loaded: every number of a row, exits or base is in range; lists ascend; tokens and trie
/// nodes are those of a vocabulary of the recorded size.
///
/// ```
/// use std::sync::Arc;
/// use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
/// use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
/// use ogc_runtime::matcher::Matcher;
/// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
/// let mut builder = AutomatonBuilder::new();
/// let rule = builder.rule("a", 0);
/// let (start, end) = (builder.state(rule, StateKind::Bytes), builder.state(rule, StateKind::Bytes));
/// builder.start(rule, start);
/// builder.edge(start, b'a', b'a', OpId::NONE, end);
/// builder.accept(end);
/// let format = Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any)?);
/// let store = MaskStore::new(Arc::new(Vocabulary::from_tokens(&[Some("a"), Some("b")], &[])?));
/// let pack = Arc::new(MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?);
/// assert!(pack.report().complete);
/// let mut matcher = Matcher::with_masks(format, store, pack)?;
/// assert_eq!(matcher.mask()?.tokens(), [TokenId(0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MaskPack {
    head: MasksRecord,
    rows: Table<RowRecord>,
    /// The rows again, with their kinds known.
    placed: Box<[PlacedRow]>,
    data: Table<u32>,
    exits: Table<ExitsRecord>,
    nodes: Table<u32>,
    bases: Table<BaseRecord>,
    base_ranges: Table<u32>,
    base_runs: Table<BaseRun>,
    tail_ranges: Table<u32>,
    tail_runs: Table<TailRun>,
    sets: Table<SetRecord>,
    report: PackReport,
    /// The times of the build, if the pack was built here and not loaded.
    times: Option<times::Times>,
    stopped: Option<PackLimit>,
}

/// Hashes the parts of a format that masks depend on: rules are named by content, states by the rules' order.
pub(crate) fn format_identity(automaton: &Automaton) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"ogc masks of format 1");
    hasher.update(&[u8::from(automaton.escapes == Escapes::Canonical)]);
    hasher.update(&automaton.root.rule.0.to_le_bytes());
    for rule in &automaton.rules {
        hasher.update(&rule.fingerprint.to_le_bytes());
        hasher.update(&rule.states.len.to_le_bytes());
    }
    *hasher.finalize().as_bytes()
}

impl MaskPack {
    /// Reads and checks the mask sections of an artifact of this format.
    pub(crate) fn open(sections: &Sections, automaton: &Automaton) -> Result<Self, LoadError> {
        let invalid = |what| LoadError::Invalid { section: "masks", what };
        let head = sections.table::<MasksRecord>(Kind::Masks)?;
        let [head] = head.records() else {
            return Err(invalid("there must be one"));
        };
        let mut pack = Self {
            head: *head,
            rows: sections.table(Kind::Rows)?,
            placed: Box::default(),
            data: sections.table(Kind::RowData)?,
            exits: sections.table(Kind::Exits)?,
            nodes: sections.table(Kind::ExitNodes)?,
            bases: sections.table(Kind::Bases)?,
            base_ranges: sections.table(Kind::BaseRanges)?,
            base_runs: sections.table(Kind::BaseRuns)?,
            tail_ranges: sections.table(Kind::TailRanges)?,
            tail_runs: sections.table(Kind::TailRuns)?,
            sets: sections.table(Kind::Sets)?,
            report: PackReport::default(),
            times: None,
            stopped: None,
        };
        if head.format != format_identity(automaton) {
            return Err(invalid("they are of another format"));
        }
        pack.check(automaton)?;
        pack.placed = pack.place_rows()?;
        pack.report = pack.count();
        Ok(pack)
    }

    fn count(&self) -> PackReport {
        PackReport {
            complete: self.head.complete == 1,
            bases: self.base_runs.records().len(),
            tails: self.tail_runs.records().len(),
            rows: self.rows.records().len(),
            row_bytes: 4 * self.data.records().len(),
            exit_bytes: self.exits.raw().len() + self.nodes.raw().len(),
            frames_left_out: self.head.left_out[0] as usize,
            tails_left_out: self.head.left_out[1] as usize,
        }
    }

    /// Returns the sections as an artifact stores them.
    pub(crate) fn sections(&self) -> Vec<(Kind, &[u8])> {
        use zerocopy::IntoBytes;
        vec![
            (Kind::Masks, self.head.as_bytes()),
            (Kind::Rows, self.rows.raw()),
            (Kind::RowData, self.data.raw()),
            (Kind::Exits, self.exits.raw()),
            (Kind::ExitNodes, self.nodes.raw()),
            (Kind::Bases, self.bases.raw()),
            (Kind::BaseRanges, self.base_ranges.raw()),
            (Kind::BaseRuns, self.base_runs.raw()),
            (Kind::TailRanges, self.tail_ranges.raw()),
            (Kind::TailRuns, self.tail_runs.raw()),
            (Kind::Sets, self.sets.raw()),
        ]
    }

    /// Returns counts of the pack's content.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// let masks = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
    /// assert_eq!(masks.report().bases, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn report(&self) -> PackReport {
        self.report
    }

    /// Returns the limit that made the build omit masks; `None` of a pack that was loaded, or if none was reached.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// let limits = PackLimits { work: 1, ..PackLimits::default() };
    /// let masks = MaskPack::build(&format, &store, &limits, |_, _| {})?;
    /// assert!(masks.stopped_by().is_some() && !masks.report().complete);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stopped_by(&self) -> Option<PackLimit> {
        self.stopped
    }

    /// Returns the fingerprint of the vocabulary that the masks were built for.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// let masks = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
    /// assert_eq!(masks.vocabulary().0, vocabulary.fingerprint());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn vocabulary(&self) -> Fingerprint {
        Fingerprint(self.head.vocabulary)
    }

    /// Checks that the masks were built for this vocabulary.
    pub(crate) fn check_vocabulary(&self, store: &MaskStore) -> Result<(), LoadError> {
        let expected = store.vocabulary().fingerprint();
        if self.head.vocabulary != expected {
            return Err(LoadError::OtherVocabulary { given: self.vocabulary(), expected: Fingerprint(expected) });
        }
        let sizes = [
            (self.head.tokens as usize, store.vocabulary().len()),
            (self.head.nodes as usize, store.trie().len()),
            (self.head.longest as usize, store.trie().max_depth()),
        ];
        check(sizes.iter().all(|(given, real)| given == real), "masks", "sizes are not the vocabulary's")
    }

    /// Returns whether the masks were built for this format.
    pub(crate) fn is_of(&self, automaton: &Automaton) -> bool {
        self.head.format == format_identity(automaton)
    }

    /// Looks up the base of a head's state; `None` if the pack omits it.
    #[inline]
    pub(crate) fn base(&self, automaton: &Automaton, stack: &Stack, head: Head) -> Option<PackBase> {
        let runs = self.runs(&self.base_ranges, self.base_runs.records(), head)?;
        let head = canonical(automaton, head, self.head.longest);
        let run = record::find(runs, [self.aux(stack, head)?, head.esc, head.a, head.b])?;
        let base = self.bases.records().get(run.base as usize)?;
        Some(PackBase {
            row: some_row(base.row),
            exits: some_exits(base.exits),
            at_once: base.at_once != 0,
            heads: base.heads,
        })
    }

    /// Looks up the tail of a return state after exits; `None` if the pack omits it.
    #[inline]
    pub(crate) fn tail(&self, automaton: &Automaton, stack: &Stack, exits: PackExits, head: Head) -> Option<PackTail> {
        let runs = self.runs(&self.tail_ranges, self.tail_runs.records(), head)?;
        let head = canonical(automaton, head, self.head.longest);
        let tail = record::find(runs, [exits.0, self.aux(stack, head)?, head.a, head.b])?;
        Some(PackTail { row: some_row(tail.row), exits: some_exits(tail.next), heads: tail.heads })
    }

    /// Returns the runs of the head's state.
    #[inline]
    fn runs<'a, T: Run>(&self, ranges: &Table<u32>, runs: &'a [T], head: Head) -> Option<&'a [T]> {
        let state = head.state.index();
        let &[from, to] = ranges.records().get(state..state + 2)? else { return None };
        runs.get(from as usize..to as usize)
    }

    /// Numbers the content of the head's key register as runs do; `None` if no frame of the pack has such a set.
    #[inline]
    fn aux(&self, stack: &Stack, head: Head) -> Option<u32> {
        if stack.set(head.aux).is_none() {
            return Some(head.aux);
        }
        let words = reach::set_words(stack, head.aux)?;
        self.sets.records().binary_search_by_key(&words, |set| set.words).ok().map(|index| index as u32)
    }

    /// Returns the trie nodes of exits, with which a store can go on.
    pub(crate) fn exit_nodes(&self, exits: PackExits) -> &[u32] {
        self.exits
            .records()
            .get(exits.0 as usize)
            .and_then(|range| {
                let from = range.at as usize;
                self.nodes.records().get(from..from + range.len as usize)
            })
            .unwrap_or_default()
    }

    /// Returns the content of a row, where it lies.
    #[inline]
    pub(crate) fn row(&self, row: PackRow) -> RowView<'_> {
        match self.placed.get(row.0 as usize) {
            Some(placed) => placed.view(self.data.records()),
            // Loading checked every number; only a file that changed under its map leads here.
            None => RowView::Sparse(&[]),
        }
    }
}

#[inline]
fn some_row(row: u32) -> Option<PackRow> {
    (row != NO_ROW).then_some(PackRow(row))
}

#[inline]
fn some_exits(exits: u32) -> Option<PackExits> {
    (exits != NO_EXITS).then_some(PackExits(exits))
}

/// A row of a mask: shared by a store, or part of a pack.
#[derive(Clone, Debug)]
pub(crate) enum RowRef {
    Shared(Arc<super::row::Row>),
    Packed(PackRow),
}
