//! The masks of a format in device memory; kernels read them by `kernels/masks.cuh`.
//!
//! Like the tables of a format's automaton, they are a block of words of 32 bits: a header, then tables. The tables of runs, bases and sets
//! are those of the pack, but with row numbers of the pool. Two tables are added: for each state, the facts that determine the class of a
//! head (`runtime/core/src/mask/classes.rs`); and ways as lists of steps.

mod states;
mod ways;

use ogc_runtime::automaton::{Automaton, Escapes, ObjectShape};
use ogc_runtime::mask::{MaskPack, NO_PACK_ROW};
use zerocopy::IntoBytes;

use crate::format::{FormatError, Layout, Shape, Table};
use crate::pool::{DevicePool, PoolError};
use crate::record::{bits, shared};
use crate::slot::KeySet;
use states::States;
use ways::Ways;

shared! {
    header "masks", after "format";

    /// The first word of every block of masks, and the layout version in the second.
    const MASKS_MAGIC: u32 = u32::from_le_bytes(*b"ogcm");
    const MASKS_VERSION: u32 = 2;

    /// Values that stand where there is none of these: a row, exits, a tree of ways, a shape, a similar state.
    const NO_ROW: u32 = NO_PACK_ROW;
    const NO_EXITS: u32 = 0;
    extern const NO_WAYS: u32 = 0;
    const NO_SHAPE: u32 = u32::MAX;
    const NO_ALIKE: u32 = u32::MAX;

    /// The bit of a row in these tables that marks it as dense (no list); the other bits are its number in the pool.
    const DENSE_ROW: u32 = 1 << 31;

    /// Bits of a header: the format accepts the empty text; each character of a string has one spelling.
    const MASKS_NULLABLE: u32 = 1;
    const MASKS_CANONICAL: u32 = 2;

    /// Bits of a state: the rule may end here; strings continue with any text; masks are made by ways; the keys that the text can become are known.
    const MASK_ACCEPTS: u32 = 1;
    const MASK_FREE: u32 = 2;
    const MASK_BY_WAYS: u32 = 4;
    const MASK_KEYS_KNOWN: u32 = 8;

    /// Kinds of steps of ways: a guard on countdowns; a tick and then the guard; guards on keys and their completion; and steps that only the
    /// host performs.
    const STEP_COUNT: u32 = 0;
    const STEP_TICK: u32 = 1;
    const STEP_ALIVE: u32 = 2;
    const STEP_ALIVE_EXTRA: u32 = 3;
    const STEP_TAKE: u32 = 4;
    const STEP_TAKE_EXTRA: u32 = 5;
    const STEP_NEXT: u32 = 6;
    const STEP_CLOSE: u32 = 7;
    const STEP_HOST: u32 = 8;

    /// Ends of a way in place of a next step: the way is allowed, or it is not.
    const WAY_ALLOWED: u32 = u32::MAX - 1;
    const WAY_REFUSED: u32 = u32::MAX;

    /// Header of the masks of a format.
    struct MasksHeader {
        magic: u32,
        version: u32,
        bits: u32,
        /// The length in bytes of the longest token.
        longest: u32,
        states: Table,
        base_runs: Table,
        tail_runs: Table,
        bases: Table,
        sets: Table,
        trees: Table,
        ways: Table,
        steps: Table,
        shapes: Table,
        alike: Table,
        keys: Table,
    }

    /// A state: bits (`MASK_ACCEPTS` etc.), the countdown from which on guards do not distinguish values, the shape of its object, the record of the
    /// state that it is similar to; its runs; and the declared keys that its text can become.
    struct MaskState {
        bits: u32,
        threshold: u32,
        shape: u32,
        alike: u32,
        first_base_run: u32,
        base_run_count: u32,
        first_tail_run: u32,
        tail_run_count: u32,
        first_key: u32,
        key_count: u32,
    }

    /// The registers of the first frame of a run: three that all its frames share, and one that varies in a range.
    struct RunKey { words: [u32; 4] }

    /// A run of frames that share a base: those with these registers, whose last register is at most `last`.
    struct BaseRun { begin: RunKey, last: u32, base: u32 }

    /// A run of return frames that share a tail.
    struct TailRun { begin: RunKey, last: u32, row: u32, exits: u32, ways: u32 }

    /// A base.
    struct Base { row: u32, exits: u32, at_once: u32, ways: u32 }

    /// A span of another table: the ways of a tree.
    struct Span { first: u32, count: u32 }

    /// The row and exits of a way, which apply if its steps lead to its end.
    struct Way { first_step: u32, row: u32, exits: u32 }

    /// A step of a way: its kind, its object, and for counts the maximum `a` and the minimum sum, for guards on keys a span of keys, else a key;
    /// then the next steps if it holds and if it fails.
    struct MaskStep { kind: u32, shape: u32, first: u32, second: u32, if_holds: u32, if_fails: u32 }

    /// A state that another is similar to, and the bytes that lead both to the same state, one bit each.
    struct Alike { state: u32, same: [u32; 8] }
}

/// The masks of a format cannot be put in device memory.
///
/// ```
/// assert_eq!(ogc_cuda::MasksError::OtherFormat.to_string(), "the masks are of another format: build them for this one");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MasksError {
    /// The masks are for another format.
    #[error("the masks are of another format: build them for this one")]
    OtherFormat,
    /// Their rows do not fit in the pool.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// Their tables have too many words.
    #[error(transparent)]
    Size(#[from] FormatError),
}

/// The masks of a format in their device layout. Their rows are in a [`DevicePool`].
///
/// If the pack omits a mask, the host must find it.
///
/// ```
/// # use std::sync::Arc;
/// use ogc_cuda::{DeviceMasks, DevicePool, PoolLimits};
/// # use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
/// use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
/// use ogc_runtime::vocabulary::Vocabulary;
/// # let mut builder = AutomatonBuilder::new();
/// # let rule = builder.rule("a", 0);
/// # let [start, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
/// # builder.start(rule, start);
/// # builder.edge(start, b'a', b'a', OpId::NONE, end);
/// # builder.accept(end);
/// # let format = Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any)?);
/// let store = MaskStore::new(Arc::new(Vocabulary::from_tokens(&[Some("a"), Some("b")], &[])?));
/// let pack = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
/// let mut pool = DevicePool::new(PoolLimits { rows: 100, blocks: 100 });
/// let masks = DeviceMasks::new(&format, &pack, &mut pool)?;
/// assert!(masks.bytes().starts_with(b"ogcm"));
/// // One row, of the token `a`: the row and its table entry must be copied.
/// assert_eq!((pool.row_count(), pool.take_copies().len()), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceMasks {
    bytes: Vec<u8>,
}

impl DeviceMasks {
    /// Lays out the masks of a format, and adds their rows to the pool.
    ///
    /// # Errors
    /// The masks are for another format, their rows do not fit in the pool or are for another vocabulary, or their tables take too many
    /// words.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ogc_cuda::{DeviceMasks, DevicePool, MasksError, PoolError, PoolLimits};
    /// # use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
    /// # use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
    /// # use ogc_runtime::vocabulary::Vocabulary;
    /// # let mut builder = AutomatonBuilder::new();
    /// # let rule = builder.rule("a", 0);
    /// # let [start, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    /// # builder.start(rule, start);
    /// # builder.edge(start, b'a', b'a', OpId::NONE, end);
    /// # builder.accept(end);
    /// # let format = Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any)?);
    /// # let store = MaskStore::new(Arc::new(Vocabulary::from_tokens(&[Some("a"), Some("b")], &[])?));
    /// # let pack = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
    /// let mut pool = DevicePool::new(PoolLimits { rows: 0, blocks: 0 });
    /// let error = DeviceMasks::new(&format, &pack, &mut pool).err();
    /// assert_eq!(error, Some(MasksError::Pool(PoolError::Full { what: "rows", given: 1, limit: 0 })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(automaton: &Automaton, pack: &MaskPack, pool: &mut DevicePool) -> Result<Self, MasksError> {
        if !pack.is_of(automaton) {
            return Err(MasksError::OtherFormat);
        }
        let numbers = pool.add(pack)?;
        let row = |row: u32| numbers.get(row as usize).map_or(NO_ROW, |number| named(pool, *number));
        let tables = pack.tables();
        let mut keys = Keys::default();
        let shapes: Vec<Shape> = automaton.objects.iter().map(|shape| keys.shape(shape)).collect();
        let states = States::new(automaton, pack, &mut keys);
        let ways = Ways::new(automaton, &tables, row, &mut keys)?;
        let mut layout = Layout { bytes: vec![0; size_of::<MasksHeader>()] };
        let is_canonical = automaton.escapes == Escapes::Canonical;
        let header = MasksHeader {
            magic: MASKS_MAGIC,
            version: MASKS_VERSION,
            bits: bits([(MASKS_NULLABLE, automaton.nullable), (MASKS_CANONICAL, is_canonical)]),
            longest: tables.longest,
            states: layout.table(states.all.into_iter())?,
            base_runs: layout.table(tables.base_runs.iter().map(base_run))?,
            tail_runs: layout.table(tables.tail_runs.iter().map(|run| tail_run(run, row)))?,
            bases: layout.table(tables.bases.iter().map(|base| self::base(base, row)))?,
            sets: layout.table(tables.sets.iter().map(|&words| KeySet { words }))?,
            trees: layout.table(ways.trees.into_iter())?,
            ways: layout.table(ways.ways.into_iter())?,
            steps: layout.table(ways.steps.into_iter())?,
            shapes: layout.table(shapes.into_iter())?,
            alike: layout.table(states.alike.into_iter())?,
            keys: layout.table(keys.all.into_iter())?,
        };
        layout.bytes[..size_of::<MasksHeader>()].copy_from_slice(header.as_bytes());
        Ok(Self { bytes: layout.bytes })
    }

    /// Returns the bytes. Copy them to an address that is a multiple of 4.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ogc_cuda::{DeviceMasks, DevicePool, PoolLimits};
    /// # use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
    /// # use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
    /// # use ogc_runtime::vocabulary::Vocabulary;
    /// # let mut builder = AutomatonBuilder::new();
    /// # let rule = builder.rule("a", 0);
    /// # let [start, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    /// # builder.start(rule, start);
    /// # builder.edge(start, b'a', b'a', OpId::NONE, end);
    /// # builder.accept(end);
    /// # let format = Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any)?);
    /// # let store = MaskStore::new(Arc::new(Vocabulary::from_tokens(&[Some("a"), Some("b")], &[])?));
    /// # let pack = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
    /// # let mut pool = DevicePool::new(PoolLimits { rows: 100, blocks: 100 });
    /// assert_eq!(DeviceMasks::new(&format, &pack, &mut pool)?.bytes().len() % 4, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Returns the number of a pool row as the tables have it: with `DENSE_ROW` set unless the row is a list.
fn named(pool: &DevicePool, number: u32) -> u32 {
    number | bits([(DENSE_ROW, !pool.is_list(number))])
}

/// Lists of keys, each stored once.
#[derive(Debug, Default)]
struct Keys {
    all: Vec<u32>,
    known: std::collections::HashMap<Box<[u32]>, u32>,
}

impl Keys {
    /// Returns the offset of a list, and adds the list if it is new.
    fn list(&mut self, keys: &[u32]) -> u32 {
        let next = self.all.len() as u32;
        *self.known.entry(keys.into()).or_insert_with(|| {
            self.all.extend_from_slice(keys);
            next
        })
    }

    fn shape(&mut self, shape: &ObjectShape) -> Shape {
        let first_required = self.list(&shape.required);
        Shape::new(shape, first_required)
    }
}

fn base_run(&[x, y, z, from, last, base]: &[u32; 6]) -> BaseRun {
    BaseRun { begin: RunKey { words: [x, y, z, from] }, last, base }
}

fn tail_run(&[x, y, z, from, last, own, exits, ways]: &[u32; 8], row: impl Fn(u32) -> u32) -> TailRun {
    TailRun { begin: RunKey { words: [x, y, z, from] }, last, row: row(own), exits, ways }
}

fn base(&[own, exits, at_once, ways]: &[u32; 4], row: impl Fn(u32) -> u32) -> Base {
    Base { row: row(own), exits, at_once, ways }
}
