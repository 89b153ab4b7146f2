//! Collects the rows of packs for a pool, and chooses the form in which each is stored.
//!
//! A set of few tokens is stored as a list. Any other set that differs in few tokens from a dense row of the pool is stored as a delta: of
//! the dense row that the pack used if the pool has it, else of the nearest one. All remaining sets are dense.

use rustc_hash::{FxHashMap, FxHashSet};
use zerocopy::IntoBytes;

use super::RowPool;
use super::names::{Content, RowName, ShortName};
use crate::container::{Fingerprint, LoadError, SectionKind, assemble, check};
use crate::mask::pack::MaskPack;
use crate::mask::pack::placed::{PlacedRow, Span};
use crate::mask::pack::record::{PoolRecord, PoolRowRecord, RowKind, RowRecord};
use crate::mask::pack::row_record::append;
use crate::mask::row::{RowView, SPARSE, ones};
use crate::vocabulary::Vocabulary;

/// The number of a row, in the order in which rows were added.
type Number = u32;

/// Collects the rows of packs, and writes them as a pool.
///
/// ```
#[doc = include_str!("../../../example.md")]
/// let masks = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
/// let mut builder = RowPoolBuilder::new(&vocabulary);
/// builder.add(&masks)?;
/// let pool = Arc::new(RowPool::open(builder.finish())?);
/// assert_eq!(pool.rows(), masks.report().rows);
/// // The rows of the pack are there already, so that nothing is added.
/// let mut builder = RowPoolBuilder::of(&pool)?;
/// builder.add(&masks)?;
/// assert!(!builder.has_grown());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RowPoolBuilder {
    header: PoolRecord,
    rows: Vec<(RowName, RowRecord)>,
    data: Vec<u32>,
    numbers: FxHashMap<RowName, Number>,
    short: FxHashSet<ShortName>,
    dense: Vec<DenseRow>,
    grown: bool,
}

/// A dense row of the pool, of which other rows may be deltas.
#[derive(Clone, Copy, Debug)]
struct DenseRow {
    number: Number,
    place: PlacedRow,
    /// The number of tokens in the row. Two rows differ in at least as many tokens as their counts differ.
    count: usize,
}

impl RowPoolBuilder {
    /// Begins a pool without rows.
    ///
    /// ```
    #[doc = include_str!("../../../example.md")]
    /// assert!(!RowPoolBuilder::new(&vocabulary).has_grown());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(vocabulary: &Vocabulary) -> Self {
        Self::empty(PoolRecord {
            vocabulary: vocabulary.fingerprint(),
            tokens: vocabulary.len() as u32,
            reserved: [0; 3],
        })
    }

    fn empty(header: PoolRecord) -> Self {
        Self {
            header,
            rows: Vec::new(),
            data: Vec::new(),
            numbers: FxHashMap::default(),
            short: FxHashSet::default(),
            dense: Vec::new(),
            grown: false,
        }
    }

    /// Begins with the rows of an existing pool.
    ///
    /// # Errors
    ///
    /// [`LoadError::Invalid`] if one of its rows is damaged.
    ///
    /// ```
    #[doc = include_str!("../../../example.md")]
    /// let pool = RowPool::open(RowPoolBuilder::new(&vocabulary).finish())?;
    /// assert_eq!(RowPoolBuilder::of(&pool)?.finish(), RowPoolBuilder::new(&vocabulary).finish());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(pool: &RowPool) -> Result<Self, LoadError> {
        let mut builder = Self::empty(pool.header);
        let data = pool.data.records();
        for (number, record) in (0..).zip(pool.rows.records()) {
            let view = pool.row(number)?.view(data);
            let plain = append(&mut builder.data, view, record.dense);
            builder.keep(RowName(record.name), plain, view)?;
        }
        builder.grown = false;
        Ok(builder)
    }

    /// Returns whether rows were added since the builder was made.
    ///
    /// ```
    #[doc = include_str!("../../../example.md")]
    /// let mut builder = RowPoolBuilder::new(&vocabulary);
    /// builder.add(&MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?)?;
    /// assert!(builder.has_grown());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn has_grown(&self) -> bool {
        self.grown
    }

    /// Returns the size in bytes of the rows so far, with their names.
    ///
    /// ```
    #[doc = include_str!("../../../example.md")]
    /// assert_eq!(RowPoolBuilder::new(&vocabulary).bytes(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> usize {
        4 * self.data.len() + size_of::<PoolRowRecord>() * self.rows.len()
    }

    /// Adds the rows of a pack.
    ///
    /// # Errors
    ///
    /// [`LoadError::OtherVocabulary`] if the pack is for another vocabulary.
    ///
    /// ```
    #[doc = include_str!("../../../example.md")]
    /// let masks = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
    /// let other = Vocabulary::from_tokens(&[Some("a")], &[])?;
    /// assert!(RowPoolBuilder::new(&other).add(&masks).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add(&mut self, masks: &MaskPack) -> Result<(), LoadError> {
        let (given, expected) = (masks.vocabulary(), Fingerprint(self.header.vocabulary));
        if given != expected {
            return Err(LoadError::OtherVocabulary { given, expected });
        }
        for row in 0..masks.rows.len() as u32 {
            let view = masks.rows.view(row);
            let content = Content::of(view, self.header.tokens);
            let name = content.name();
            if self.numbers.contains_key(&name) {
                continue;
            }
            let dense = masks.rows.get(row).and_then(|placed| placed.dense());
            let dense = dense.and_then(|dense| self.dense_of_pack(masks.rows.view(dense)));
            self.add_row(name, &content, view, dense)?;
        }
        Ok(())
    }

    /// Returns the number of the pool's dense row with this content, if it has one.
    fn dense_of_pack(&self, dense: RowView<'_>) -> Option<Number> {
        let number = *self.numbers.get(&Content::of(dense, self.header.tokens).name())?;
        let (_, record) = self.rows.get(number as usize)?;
        (RowKind::from_code(record.kind) == Some(RowKind::Dense)).then_some(number)
    }

    /// Adds a row with new content. If `view` is a delta whose dense row is in the pool, `dense` is the number of that dense row.
    fn add_row(
        &mut self,
        name: RowName,
        content: &Content<'_>,
        view: RowView<'_>,
        dense: Option<Number>,
    ) -> Result<(), LoadError> {
        let words = match content {
            Content::List(list) => return self.store(name, RowView::Sparse(list), 0),
            Content::Bits(words) => words,
        };
        if let Some(dense) = dense {
            return self.store(name, view, dense);
        }
        match self.near(words) {
            Some((near, add, remove)) => {
                let row = RowView::Delta { dense: &[], add: &add, remove: &remove };
                self.store(name, row, near)
            }
            None => self.store(name, RowView::Dense(words), 0),
        }
    }

    fn store(&mut self, name: RowName, row: RowView<'_>, dense: Number) -> Result<(), LoadError> {
        let record = append(&mut self.data, row, dense);
        self.keep(name, record, row)
    }

    /// Adds the record of a row whose content was appended to the data.
    fn keep(&mut self, name: RowName, record: RowRecord, row: RowView<'_>) -> Result<(), LoadError> {
        let number = self.rows.len() as Number;
        check(self.short.insert(name.short()), "pool", "two rows have one name")?;
        self.numbers.insert(name, number);
        if let RowView::Dense(words) = row {
            let place = PlacedRow::Dense(Span { block: record.at, len: words.len() as u32 });
            self.dense.push(DenseRow { number, place, count: row.count() });
        }
        self.rows.push((name, record));
        self.grown = true;
        Ok(())
    }

    /// Finds the dense row that differs in the fewest tokens; `None` if there are too many differences. Returns its number, the tokens that
    /// only the new row has, and the tokens that only the dense row has.
    fn near(&self, words: &[u32]) -> Option<(Number, Vec<u32>, Vec<u32>)> {
        let count = RowView::Dense(words).count();
        let similar = self.dense.iter().filter(|dense| dense.count.abs_diff(count) <= SPARSE);
        let bits = similar.filter_map(|dense| match dense.place.view(&self.data) {
            RowView::Dense(bits) => Some((dense.number, bits)),
            RowView::Sparse(_) | RowView::Delta { .. } => None,
        });
        let different =
            |bits: &[u32]| words.iter().zip(bits).map(|(x, y)| (x ^ y).count_ones() as usize).sum::<usize>();
        let (least, number, near) =
            bits.map(|(number, bits)| (different(bits), number, bits)).min_by_key(|(least, ..)| *least)?;
        let only = |x: &[u32], y: &[u32]| -> Vec<u32> {
            let left: Vec<u32> = x.iter().zip(y).map(|(x, y)| x & !y).collect();
            ones(&left).collect()
        };
        (least <= SPARSE).then(|| (number, only(words, near), only(near, words)))
    }

    /// Writes the pool. Adding the same rows in the same order gives the same bytes.
    ///
    /// ```
    #[doc = include_str!("../../../example.md")]
    /// let bytes = RowPoolBuilder::new(&vocabulary).finish();
    /// assert_eq!(RowPool::open(bytes)?.rows(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        let mut order: Vec<Number> = (0..self.rows.len() as Number).collect();
        order.sort_unstable_by_key(|number| self.rows[*number as usize].0);
        let mut new = vec![0; order.len()];
        for (to, from) in (0..).zip(&order) {
            new[*from as usize] = to;
        }
        let record = |number: &Number| {
            let (name, RowRecord { kind, at, len, removed, dense }) = self.rows[*number as usize];
            let is_delta = RowKind::from_code(kind) == Some(RowKind::Delta);
            let dense = if is_delta { new[dense as usize] } else { 0 };
            PoolRowRecord { name: name.0, kind, at, len, removed, dense }
        };
        let rows: Vec<PoolRowRecord> = order.iter().map(record).collect();
        assemble(&[
            (SectionKind::Pool, self.header.as_bytes().to_vec()),
            (SectionKind::PoolRows, rows.as_bytes().to_vec()),
            (SectionKind::PoolData, self.data.as_bytes().to_vec()),
        ])
    }
}
