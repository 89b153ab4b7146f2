//! Packs: the bases and tails of every frame that a format can have, computed ahead of time for one vocabulary.
//!
//! A pack answers two questions, as a [`MaskStore`] does: what is the base of a head, and what is the tail of a return frame after exits?
//! The store computes the answers; the pack looks them up. [`MaskPack::build`] makes the bytes of a pack with the store's own functions,
//! and an artifact holds them. Loading leaves the row data in place, and unpacks packed tables.
//!
//! # Steps
//!
//! 1. [`reach`] enumerates the frames that a format can have.
//! 2. [`build`] computes their bases, then tails in waves, until there are no new exits or the budget ([`build_budget`]) is spent.
//! 3. [`assemble`] numbers rows, exits and bases, joins neighbours with equal answers into runs, and writes the records
//!    ([`record`]).
//! 4. [`mod@check`] validates the records of a loaded pack; [`rows`] decodes the records of the rows, which are in the
//!    artifact or in a pool ([`mod@pool`]).
//!
//! # Omitted masks
//!
//! A pack may omit any base or tail: because of the budget, or because not every frame was enumerated. A look-up then returns `None`, and
//! the matcher asks its store, which computes and keeps the answer (`matcher/mask.rs`). For a tail, the pack's exits are first translated
//! into the store's, by their trie nodes. So a mask is the same with any pack, or without one.
//!
//! # Layout
//!
//! * Row data: the contents of all rows, each stored once, each at a 64-byte boundary. A [`record::RowRecord`] has the place of a row and
//!   its kind: sparse (a list of tokens), dense (a bit per token), or delta (differences from a dense row).
//! * Base runs and tail runs: per state a sorted list, shared by states with equal runs ([`run_table`]). A run is a
//!   range of one register (the countdown `b`, or the position among keys in declared order) whose frames have the same
//!   answer ([`super::runs`], [`registers`]). Registers are canonical, as in the keys of the store
//!   ([`super::classes`]).
//! * Exits: lists of trie nodes. Their numbers ([`PackExits`]) are valid in this pack only; a store has its own ([`ExitSet`]).
//! * Ways: rows and exits of frames whose registers have too many values to be enumerated, such as those of an object
//!   of more than five keys in any order. A matcher runs the operations of each way on its frame, and joins the rows of
//!   the ways that the frame allows ([`super::compute::by_ways`]).
//! * Sets of seen keys, sorted: a frame that remembers a set is recorded with the index of the set. The empty set has
//!   index 0, which is also the value of a register before the first key.
//!
//! [`ExitSet`]: super::exit_set::ExitSet

mod assemble;
mod build;
mod build_budget;
mod check;
mod limits;
mod listing;
mod placed;
mod pool;
pub(super) mod reach;
mod record;
mod registers;
mod row_record;
mod rows;
mod run_table;
mod schedule;
mod tables;
mod times;
mod usage;
mod way_table;
mod widths;

pub use limits::{PackLimit, PackLimits};
pub use listing::{ListedRow, StateRows};
pub use pool::{RowPool, RowPoolBuilder};
pub use tables::{NO_PACK_ROW, PackTables, PackedRow};
pub use times::PartTime;
pub use usage::RowUse;
pub use widths::StateWidth;

use std::sync::Arc;

use record::{
    BaseRecord, BaseRun, ExitsRecord, MasksRecord, NO_EXITS, NO_ROW, SetRecord, TailRun, WayRecord, WaysRecord,
};
use registers::canonical;
use rows::PackRows;
use run_table::RunTable;
pub(crate) use way_table::PackWays;
use way_table::some_ways;

use super::row::RowView;
use super::store::MaskStore;
use crate::automaton::{Automaton, Escapes, RuleId};
use crate::container::{Fingerprint, LoadError, SectionKind, Sections, Table, check};
use crate::step::{Head, Stack};

/// The number of a row in a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackRow(u32);

/// The number of a set of exits in a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PackExits(u32);

/// The base of a head, looked up in a pack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackBase {
    /// `None` if no token is allowed.
    pub(crate) row: Option<PackRow>,
    /// `None` if there are no exits.
    pub(crate) exits: Option<PackExits>,
    /// Further rows and exits, each present only if the head's registers allow its way.
    pub(crate) ways: Option<PackWays>,
    /// Whether the frame can return before it reads a byte.
    pub(crate) at_once: bool,
}

/// The tail of a return state, looked up in a pack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackTail {
    /// `None` if no token is allowed.
    pub(crate) row: Option<PackRow>,
    /// `None` if there are no exits.
    pub(crate) exits: Option<PackExits>,
    /// Further rows and exits, each present only if the return frame's registers allow its way.
    pub(crate) ways: Option<PackWays>,
}

/// Counts of a pack's content, and of the masks that it omits and the matcher computes on demand.
///
/// ```
/// let report = ogc_runtime::mask::PackReport::default();
/// assert!(!report.complete && report.rows == 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackReport {
    /// Whether every frame that was found has its base and its tails. The search skips some frames: inside escapes it finds only frames in
    /// free text, and frames where few characters are possible.
    pub complete: bool,
    /// Runs of bases; a run that several states share counts once. A run is a range of one countdown, or of positions
    /// among keys, in which all frames of a state have the same base.
    pub bases: usize,
    /// Runs of tails, counted in the same way. A run is a range of one countdown, or of positions among keys, in which all return frames of a
    /// state have the same tail after the same exits.
    pub tails: usize,
    /// Distinct rows.
    pub rows: usize,
    /// Bytes of the data of the distinct rows.
    pub row_bytes: usize,
    /// Bytes of the exits: the trie nodes at which tokens leave a frame, and the records of their lists.
    pub exit_bytes: usize,
    /// Frames that were found, but not followed or without a base in the pack.
    pub frames_left_out: usize,
    /// Tails that were not computed, or not stored for lack of room.
    pub tails_left_out: usize,
}

/// The masks of one format for one vocabulary, used in place in the bytes of an artifact.
///
/// Invariants, checked on loading: every number of a row, exits or base is in range; lists ascend; tokens and trie nodes exist in a
/// vocabulary of the recorded size.
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
    header: MasksRecord,
    rows: PackRows,
    exits: Table<ExitsRecord>,
    nodes: Table<u32>,
    bases: Table<BaseRecord>,
    base_runs: RunTable<BaseRun>,
    tail_runs: RunTable<TailRun>,
    sets: Table<SetRecord>,
    ways: Table<WaysRecord>,
    way_entries: Table<WayRecord>,
    report: PackReport,
    /// The times of the build; `None` if the pack was loaded.
    times: Option<times::Times>,
    stopped: Option<PackLimit>,
}

/// Hashes the parts of a format that a pack depends on: the content of its rules, and their order, which numbers states.
pub(crate) fn format_identity(automaton: &Automaton) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"ogc masks of format 1");
    hasher.update(&[u8::from(automaton.escapes == Escapes::Canonical)]);
    hasher.update(&automaton.root.rule.0.to_le_bytes());
    for (id, rule) in (0..).map(RuleId).zip(&automaton.rules) {
        hasher.update(&automaton.fingerprint(id).to_le_bytes());
        hasher.update(&rule.states.len.to_le_bytes());
    }
    *hasher.finalize().as_bytes()
}

impl MaskPack {
    /// Reads and checks the mask sections of an artifact of this format. `pool` has the rows if the artifact has none.
    pub(crate) fn open(
        sections: &Sections,
        automaton: &Automaton,
        pool: Option<&Arc<RowPool>>,
    ) -> Result<Self, LoadError> {
        let invalid = |what| LoadError::Invalid { section: "masks", what };
        let header = sections.table::<MasksRecord>(SectionKind::Masks)?;
        let [header] = header.records() else {
            return Err(invalid("there must be one"));
        };
        let states = automaton.states.len();
        let mut pack = Self {
            header: *header,
            rows: PackRows::open(sections, header, pool)?,
            exits: sections.table(SectionKind::Exits)?,
            nodes: sections.table(SectionKind::ExitNodes)?,
            bases: sections.table(SectionKind::Bases)?,
            base_runs: RunTable::open(sections, run_table::BASES, states)?,
            tail_runs: RunTable::open(sections, run_table::TAILS, states)?,
            sets: sections.table(SectionKind::Sets)?,
            ways: sections.table(SectionKind::Ways)?,
            way_entries: sections.table(SectionKind::WayEntries)?,
            report: PackReport::default(),
            times: None,
            stopped: None,
        };
        pack.check(automaton)?;
        pack.report = pack.count();
        Ok(pack)
    }

    fn count(&self) -> PackReport {
        PackReport {
            complete: self.header.complete == 1,
            bases: self.base_runs.all().len(),
            tails: self.tail_runs.all().len(),
            rows: self.rows.len(),
            row_bytes: self.rows.bytes(),
            exit_bytes: self.exits.raw().len() + self.nodes.raw().len(),
            frames_left_out: self.header.left_out[0] as usize,
            tails_left_out: self.header.left_out[1] as usize,
        }
    }

    /// Returns the sections for an artifact that stores its own rows.
    pub(crate) fn sections(&self) -> Vec<(SectionKind, Vec<u8>)> {
        self.sections_with(self.rows.own_sections())
    }

    /// Returns the sections for an artifact whose rows are in a pool.
    pub(crate) fn pooled_sections(&self) -> Vec<(SectionKind, Vec<u8>)> {
        self.sections_with(self.rows.pooled_sections(self.header.tokens))
    }

    fn sections_with(&self, rows: Vec<(SectionKind, Vec<u8>)>) -> Vec<(SectionKind, Vec<u8>)> {
        use zerocopy::IntoBytes;
        let mut all = vec![
            (SectionKind::Masks, self.header.as_bytes().to_vec()),
            (SectionKind::Exits, self.exits.raw().to_vec()),
            (SectionKind::ExitNodes, self.nodes.raw().to_vec()),
            (SectionKind::Bases, self.bases.raw().to_vec()),
            (SectionKind::Sets, self.sets.raw().to_vec()),
            (SectionKind::Ways, self.ways.raw().to_vec()),
            (SectionKind::WayEntries, self.way_entries.raw().to_vec()),
        ];
        all.extend(self.base_runs.sections());
        all.extend(self.tail_runs.sections());
        all.extend(rows);
        all.sort_by_key(|(kind, _)| *kind);
        all
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

    /// Returns the limit that made the build omit masks; `None` if the pack was loaded, or no limit was reached.
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
        Fingerprint(self.header.vocabulary)
    }

    /// Checks that the masks were built for this vocabulary.
    pub(crate) fn check_vocabulary(&self, store: &MaskStore) -> Result<(), LoadError> {
        let expected = store.vocabulary().fingerprint();
        if self.header.vocabulary != expected {
            return Err(LoadError::OtherVocabulary { given: self.vocabulary(), expected: Fingerprint(expected) });
        }
        let sizes = [
            (self.header.tokens as usize, store.vocabulary().len()),
            (self.header.nodes as usize, store.trie().len()),
            (self.header.longest as usize, store.trie().max_depth()),
        ];
        check(sizes.iter().all(|(given, real)| given == real), "masks", "sizes are not the vocabulary's")
    }

    /// Returns whether the masks were built for this format.
    #[doc(hidden)]
    #[must_use]
    pub fn is_of(&self, automaton: &Automaton) -> bool {
        self.header.format == format_identity(automaton)
    }

    /// Looks up the base of a head; `None` if the pack omits it.
    #[inline]
    pub(crate) fn base(&self, automaton: &Automaton, stack: &Stack, head: Head) -> Option<PackBase> {
        // Runs hold canonical heads: with 100 letters left and tokens of at most 8 letters, the canonical countdown is "endless".
        let head = canonical(automaton, head, self.header.longest);
        let key = registers::of_base(automaton, &head, self.remembered(stack, head)?);
        let run = record::find(self.base_runs.of(head.state), key)?;
        let base = self.bases.records().get(run.base as usize)?;
        Some(PackBase {
            row: some_row(base.row),
            exits: some_exits(base.exits),
            ways: some_ways(base.ways),
            at_once: base.at_once != 0,
        })
    }

    /// Looks up the tail of a return frame (as the head it becomes) after exits; `None` if the pack omits it.
    #[inline]
    pub(crate) fn tail(&self, automaton: &Automaton, stack: &Stack, exits: PackExits, head: Head) -> Option<PackTail> {
        let head = canonical(automaton, head, self.header.longest);
        let key = registers::of_tail(automaton, exits.0, &head, self.remembered(stack, head)?);
        let tail = record::find(self.tail_runs.of(head.state), key)?;
        Some(PackTail { row: some_row(tail.row), exits: some_exits(tail.next), ways: some_ways(tail.ways) })
    }

    /// Returns the head's memory of keys as the number that runs use: a position stays, a set of seen keys becomes its index in the pack.
    /// `None` if the pack does not have the set.
    #[inline]
    fn remembered(&self, stack: &Stack, head: Head) -> Option<u32> {
        if stack.set(head.memory).is_none() {
            return Some(head.memory.word());
        }
        let words = reach::set_words(stack, head.memory)?;
        self.sets.records().binary_search_by_key(&words, |set| set.words).ok().map(|index| index as u32)
    }

    /// Returns the trie nodes of exits, from which a store computes a tail that the pack omits.
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

    /// Returns the content of a row, which stays in place.
    #[inline]
    pub(crate) fn row(&self, row: PackRow) -> RowView<'_> {
        self.rows.view(row.0)
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

/// A row of a mask: a row that a store computed, or the number of a row in the matcher's pack.
#[derive(Clone, Debug)]
pub(crate) enum RowRef {
    Shared(Arc<super::row::Row>),
    Packed(PackRow),
}
