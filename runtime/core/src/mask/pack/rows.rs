//! The rows of a loaded pack: in the pack's own row data, or in a pool that formats for one vocabulary share.

use std::sync::Arc;

use zerocopy::IntoBytes;

use super::check::RowWords;
use super::placed::PlacedRow;
use super::pool::{RowPool, ShortName};
use super::record::{MasksRecord, PoolUseRecord, RowRecord};
use super::row_record::{append, decode};
use crate::container::{LoadError, SectionKind, Sections, Table, check};
use crate::mask::row::RowView;

/// The decoded records of a pack's rows, by number, and the row data.
#[derive(Clone, Debug)]
pub(super) struct PackRows {
    placed: Box<[PlacedRow]>,
    /// The number of rows to which bases and tails may refer. Further entries of `placed` are dense rows of the pool, for deltas.
    len: usize,
    data: Table<u32>,
    source: Source,
}

/// The source of a pack's rows.
#[derive(Clone, Debug)]
enum Source {
    Own(Table<RowRecord>),
    Pool(Table<ShortName>, PoolUseRecord),
}

impl PackRows {
    /// Reads and checks the rows of an artifact. They are in `pool` if the artifact has none of its own.
    pub(super) fn open(
        sections: &Sections,
        header: &MasksRecord,
        pool: Option<&Arc<RowPool>>,
    ) -> Result<Self, LoadError> {
        if !sections.has(SectionKind::PoolUse) {
            return Self::own(sections, header);
        }
        let pool = pool.ok_or_else(|| LoadError::NoPool { file: RowPool::file_name(header.vocabulary) })?;
        let used = sections.table::<PoolUseRecord>(SectionKind::PoolUse)?;
        let [used] = *used.records() else {
            return Err(LoadError::Invalid { section: "use of a pool", what: "there must be one" });
        };
        check(
            !sections.has(SectionKind::Rows) && !sections.has(SectionKind::RowData),
            "use of a pool",
            "there are own rows too",
        )?;
        let names = sections.table::<ShortName>(SectionKind::RowNames)?;
        let placed = pool.placed(header, names.records(), used)?;
        let len = names.records().len();
        Ok(Self { placed, len, data: pool.data().clone(), source: Source::Pool(names, used) })
    }

    fn own(sections: &Sections, header: &MasksRecord) -> Result<Self, LoadError> {
        let records = sections.table::<RowRecord>(SectionKind::Rows)?;
        let data = sections.table::<u32>(SectionKind::RowData)?;
        let words = RowWords { data: data.records(), tokens: header.tokens };
        let all = records.records();
        let place = |record: &RowRecord| {
            let placed = decode(record, |dense| all.get(dense as usize).copied())?;
            words.check(placed)?;
            Ok(placed)
        };
        let placed = all.iter().map(place).collect::<Result<Box<[_]>, LoadError>>()?;
        Ok(Self { len: placed.len(), placed, data, source: Source::Own(records) })
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the size of the row data in bytes: with padding if the rows are the pack's own, without if they are in a pool.
    pub(super) fn bytes(&self) -> usize {
        match self.source {
            Source::Own(_) => 4 * self.data.records().len(),
            Source::Pool(..) => self.placed.iter().map(|placed| placed.bytes()).sum(),
        }
    }

    /// Returns the place of a row, or of a delta's dense row.
    #[inline]
    pub(super) fn get(&self, row: u32) -> Option<PlacedRow> {
        self.placed.get(row as usize).copied()
    }

    /// Returns the content of a row, in place.
    #[inline]
    pub(super) fn view(&self, row: u32) -> RowView<'_> {
        match self.placed.get(row as usize) {
            Some(placed) => placed.view(self.data.records()),
            // Loading checked every number, so that this happens only if the file changed while it was mapped.
            None => RowView::Sparse(&[]),
        }
    }

    /// Returns the sections of rows for an artifact that stores its own rows. Rows in a pool are copied from there.
    pub(super) fn own_sections(&self) -> Vec<(SectionKind, Vec<u8>)> {
        let (records, data) = match &self.source {
            Source::Own(records) => (records.raw().to_vec(), self.data.raw().to_vec()),
            Source::Pool(..) => self.copied(),
        };
        vec![(SectionKind::Rows, records), (SectionKind::RowData, data)]
    }

    fn copied(&self) -> (Vec<u8>, Vec<u8>) {
        let (mut records, mut data) = (Vec::with_capacity(self.placed.len()), Vec::new());
        for (row, placed) in (0..).zip(&self.placed) {
            records.push(append(&mut data, self.view(row), placed.dense().unwrap_or(0)));
        }
        (records.as_bytes().to_vec(), data.as_bytes().to_vec())
    }

    /// Returns the sections of rows for an artifact whose rows are in a pool: only their names.
    pub(super) fn pooled_sections(&self, tokens: u32) -> Vec<(SectionKind, Vec<u8>)> {
        let (names, used) = match &self.source {
            Source::Pool(names, used) => (names.raw().to_vec(), *used),
            Source::Own(_) => {
                let names: Vec<_> = (0..self.len as u32).map(|row| super::pool::name(self.view(row), tokens)).collect();
                let short: Vec<ShortName> = names.iter().map(|name| name.short()).collect();
                (short.as_bytes().to_vec(), PoolUseRecord { names: super::pool::digest(names.iter().copied()) })
            }
        };
        vec![(SectionKind::PoolUse, used.as_bytes().to_vec()), (SectionKind::RowNames, names)]
    }
}
