//! Pools: the rows of many formats for one vocabulary, each stored once, in a file beside the artifacts of the formats.
//!
//! Formats for one vocabulary have most rows in common: of 131,000 rows of 298 schemas, 19,000 are distinct. An artifact can hold its rows
//! itself, or the names of its rows in a pool.
//!
//! # Names
//!
//! The name of a row is a hash of its set of tokens, however the set is stored. So an artifact does not depend on one particular pool: it
//! works with any pool that has its rows, even after the pool has grown, was merged with others or was rebuilt. An artifact has the first
//! half of each name, for look-ups, and a digest of the full names, which must equal the digest of the rows found.
//!
//! # Growth
//!
//! A [`RowPoolBuilder`] adds the rows of packs to an existing pool, and writes a whole new pool. No row is ever lost, so that older
//! artifacts still work; the numbers of rows change, but nothing outside of the pool uses them. A writer replaces the old pool atomically,
//! then writes the artifacts. Two writers must take turns: if both began with the same pool, the later one would lose the rows of the
//! earlier one.
//!
//! # Layout
//!
//! A pool is a container with three sections: the vocabulary; the rows, each a [`PoolRowRecord`], sorted by name; and their contents, as in
//! the row data of a pack. A process maps a pool once. Opening a pool reads no row: section checksums are not compared. Instead, each row
//! is checked against its name when the first artifact needs it.
//!
//! Rejected design: artifacts that store row numbers. Two pools for one vocabulary would then have to be told apart, and could not be
//! merged.

mod builder;
mod names;

pub use builder::RowPoolBuilder;
pub(super) use names::{ShortName, digest, name};

use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashMap;

use names::RowName;

use super::check::RowWords;
use super::placed::PlacedRow;
use super::record::{MasksRecord, PoolRecord, PoolRowRecord, PoolUseRecord};
use super::row_record::decode;
use crate::container::{Bytes, Fingerprint, LoadError, SectionKind, Sections, Table, check};

/// The rows that artifacts for one vocabulary share, used in place in the bytes of a file.
///
/// Open it once, and pass it to [`Artifact::load_with`](crate::artifact::Artifact::load_with) for each artifact.
///
/// ```
#[doc = include_str!("../../example.md")]
/// use ogc_runtime::artifact::{Artifact, Format, write_pooled};
/// let masks = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
/// let mut builder = RowPoolBuilder::new(&vocabulary);
/// builder.add(&masks)?;
/// let pool = Arc::new(RowPool::open(builder.finish())?);
/// let bytes = write_pooled(&Format::new(format), &masks);
/// assert!(Artifact::load(bytes.clone()).is_err(), "the rows are in the pool");
/// let mut matcher = Artifact::load_with(bytes, &pool)?.matcher(store)?;
/// assert_eq!(matcher.mask()?.tokens(), [TokenId(0), TokenId(2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RowPool {
    header: PoolRecord,
    rows: Table<PoolRowRecord>,
    data: Table<u32>,
    /// For each row: whether its content was checked against its name.
    checked: Box<[AtomicBool]>,
}

/// Error message for a row whose content does not match its name.
const DAMAGED: &str = "a row is damaged; remove the pool and build its formats again";

impl RowPool {
    /// Opens a pool. The bytes are kept; if they are aligned to 64 bytes, as a memory map is, they are used in place; see
    /// [`Artifact::load`](crate::artifact::Artifact::load).
    ///
    /// Rows are checked when an artifact first needs them. If a row is damaged, loading that artifact fails.
    ///
    /// # Errors
    ///
    /// A [`LoadError`] if the bytes are not a pool of this version.
    ///
    /// ```
    /// use ogc_runtime::artifact::LoadError;
    /// use ogc_runtime::mask::RowPool;
    /// assert_eq!(RowPool::open("{}").err(), Some(LoadError::NotAnArtifact));
    /// ```
    pub fn open(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, LoadError> {
        let sections = Sections::open_unread(Bytes::new(bytes))?;
        let header = sections.table::<PoolRecord>(SectionKind::Pool)?;
        let [header] = *header.records() else {
            return Err(LoadError::Invalid { section: "pool", what: "there must be one" });
        };
        check(header.reserved == [0; 3], "pool", "a reserved field is set")?;
        let rows = sections.table::<PoolRowRecord>(SectionKind::PoolRows)?;
        let data = sections.table::<u32>(SectionKind::PoolData)?;
        let checked = rows.records().iter().map(|_| AtomicBool::new(false)).collect();
        Ok(Self { header, rows, data, checked })
    }

    /// Returns the name of the file in which `ogc build` keeps the pool of a vocabulary.
    ///
    /// ```
    /// use ogc_runtime::mask::RowPool;
    /// assert_eq!(RowPool::file_name([0xab; 32]), "rows-abababababababab.ogcp");
    /// ```
    #[must_use]
    pub fn file_name(vocabulary: [u8; 32]) -> String {
        let digits = Fingerprint(vocabulary).to_string();
        format!("rows-{}.ogcp", digits.get(..16).unwrap_or(&digits))
    }

    /// Returns the fingerprint of the rows' vocabulary.
    ///
    /// ```
    #[doc = include_str!("../../example.md")]
    /// let pool = RowPool::open(RowPoolBuilder::new(&vocabulary).finish())?;
    /// assert_eq!(pool.vocabulary().0, vocabulary.fingerprint());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn vocabulary(&self) -> Fingerprint {
        Fingerprint(self.header.vocabulary)
    }

    /// Returns the number of rows.
    ///
    /// ```
    #[doc = include_str!("../../example.md")]
    /// let pool = RowPool::open(RowPoolBuilder::new(&vocabulary).finish())?;
    /// assert_eq!(pool.rows(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows.records().len()
    }

    pub(super) fn data(&self) -> &Table<u32> {
        &self.data
    }

    /// Finds the rows of a pack by their names, and appends the dense rows of their deltas. Deltas refer to dense rows by index in this
    /// list.
    pub(super) fn placed(
        &self,
        header: &MasksRecord,
        names: &[ShortName],
        used: PoolUseRecord,
    ) -> Result<Box<[PlacedRow]>, LoadError> {
        if self.header.vocabulary != header.vocabulary {
            let (given, expected) = (self.vocabulary(), Fingerprint(header.vocabulary));
            return Err(LoadError::OtherVocabulary { given, expected });
        }
        check(self.header.tokens == header.tokens, "pool", "sizes are not the vocabulary's")?;
        let found: Vec<u32> = names.iter().filter_map(|name| self.find(*name)).collect();
        let missing = names.len() - found.len();
        if missing > 0 {
            return Err(LoadError::MissingRows { given: found.len(), limit: names.len() });
        }
        let rows = self.rows.records();
        let whole = found.iter().filter_map(|row| rows.get(*row as usize)).map(|row| RowName(row.name));
        if digest(whole) != used.names {
            return Err(LoadError::MissingRows { given: 0, limit: names.len() });
        }
        self.numbered(&found)
    }

    /// Decodes rows of the pool, in the order of a pack.
    fn numbered(&self, found: &[u32]) -> Result<Box<[PlacedRow]>, LoadError> {
        let mut placed = found.iter().map(|&row| self.row(row)).collect::<Result<Vec<_>, _>>()?;
        let mut numbers: FxHashMap<u32, u32> = (0..).zip(found).map(|(number, &row)| (row, number)).collect();
        for at in 0..placed.len() {
            let PlacedRow::Delta { dense, .. } = placed[at] else { continue };
            let number = match numbers.get(&dense) {
                Some(&number) => number,
                None => {
                    let number = placed.len() as u32;
                    placed.push(self.row(dense)?);
                    numbers.insert(dense, number);
                    number
                }
            };
            if let PlacedRow::Delta { dense, .. } = &mut placed[at] {
                *dense = number;
            }
        }
        Ok(placed.into())
    }

    /// Returns the number of the row with a name.
    fn find(&self, name: ShortName) -> Option<u32> {
        let rows = self.rows.records();
        let at = rows.partition_point(|row| RowName(row.name).short() < name);
        rows.get(at).filter(|row| RowName(row.name).short() == name).map(|_| at as u32)
    }

    /// Decodes a row. At first use, checks that its tokens ascend and are in the vocabulary, and that its name is the
    /// hash of its tokens.
    pub(super) fn row(&self, row: u32) -> Result<PlacedRow, LoadError> {
        let invalid = |what| LoadError::Invalid { section: "pool", what };
        let rows = self.rows.records();
        let record = rows.get(row as usize).ok_or(invalid("there is no such row"))?;
        let placed = decode(&record.plain(), |dense| rows.get(dense as usize).map(PoolRowRecord::plain))?;
        if self.checked.get(row as usize).is_some_and(|checked| checked.load(Ordering::Relaxed)) {
            return Ok(placed);
        }
        let words = RowWords { data: self.data.records(), tokens: self.header.tokens };
        words.check(placed)?;
        let whole = name(placed.view(words.data), self.header.tokens) == RowName(record.name);
        check(whole, "pool", DAMAGED)?;
        if let Some(checked) = self.checked.get(row as usize) {
            checked.store(true, Ordering::Relaxed);
        }
        Ok(placed)
    }
}
