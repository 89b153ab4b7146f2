//! Matmul: products of states with matrices of weights, which stay as they are in their file.
//!
//! # Steps
//!
//! 1. [`ggml_type`] describes the formats of numbers; [`expand`] and [`nested`] convert them to floats, exactly, by [`group`]s of sixteen.
//! 2. [`tile`] expands a few rows of weights and multiplies all rows of states with them: weights are read once for many rows.
//! 3. [`simd`] is the interface to vector instructions over which all of this is written; [`avx2`] has those of most processors.
//! 4. [`Matrix::matmul`] divides the outputs among threads.
//!
//! # What is exact
//!
//! States are not rounded, and weights are the exact numbers of the file. The product of two rows is the same, to the
//! last bit, beside any other rows, with any number of threads and with any instructions.
//!
//! # What was left out
//!
//! Products of integers: rounding states to 8 bits would make passes over many rows cheaper by half, but would change texts.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod expand;
mod ggml_type;
mod group;
mod nested;
mod simd;
#[cfg(test)]
mod tests;
mod tile;

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;

pub(crate) use ggml_type::GgmlType;
use simd::{LANES, Portable, Sixteen};

use crate::error::GenerateError;

/// The least number of multiplications for which another thread is worth its cost.
const THREAD_WORK: usize = 1 << 17;

/// The number of times that an idle thread looks for work before it yields the processor to other programs.
const MAX_IDLE: u32 = 200;

/// A part of a product: some outputs, for all rows of states.
#[derive(Debug)]
struct Part<'a> {
    ggml_type: GgmlType,
    /// The rows of weights, one for each output.
    blocks: &'a [u8],
    /// The length of a row of weights, in numbers.
    columns: usize,
    /// The rows of states, each padded with zeros to a multiple of [`LANES`].
    states: &'a [Sixteen],
    /// The output: the products of each row of states.
    products: &'a mut [f32],
    /// The number of outputs.
    outputs: usize,
}

/// A matrix of weights.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    pub(crate) ggml_type: GgmlType,
    /// As many blocks as the shape requires.
    blocks: Arc<Vec<u8>>,
    /// The length of a row that is multiplied, at least 1.
    pub(crate) columns: usize,
    /// The length of a product.
    pub(crate) rows: usize,
}

impl Matrix {
    /// Makes a matrix of blocks, row by row; `None` if their number is not that of the shape, or rows are not whole
    /// blocks.
    pub(crate) fn new(ggml_type: GgmlType, blocks: Arc<Vec<u8>>, rows: usize, columns: usize) -> Option<Self> {
        let bytes = ggml_type.bytes(columns).checked_mul(rows)?;
        let fits = columns > 0 && columns.is_multiple_of(ggml_type.block()) && blocks.len() == bytes;
        fits.then_some(Self { ggml_type, blocks, columns, rows })
    }

    /// Multiplies each row of `columns` numbers; a product does not depend on the rows beside it.
    pub(crate) fn matmul(&self, rows: &[f32]) -> Vec<f32> {
        let count = rows.len() / self.columns;
        let states = padded(&rows[..count * self.columns], self.columns);
        let work = count * self.columns * self.rows;
        let outputs = self.rows.div_ceil(threads(work)).next_multiple_of(tile::GROUP);
        if outputs >= self.rows {
            return self.part(&self.blocks, &states);
        }
        let bytes = outputs * self.ggml_type.bytes(self.columns);
        let parts: Vec<Vec<f32>> = self.blocks.par_chunks(bytes).map(|blocks| self.part(blocks, &states)).collect();
        let mut products = vec![0.0; count * self.rows];
        for (row, products) in products.chunks_exact_mut(self.rows).enumerate() {
            for (part, products) in parts.iter().zip(products.chunks_mut(outputs)) {
                let start = row * products.len();
                products.copy_from_slice(&part[start..start + products.len()]);
            }
        }
        products
    }

    /// Multiplies padded rows with some rows of weights.
    fn part(&self, blocks: &[u8], states: &[Sixteen]) -> Vec<f32> {
        let outputs = blocks.len() / self.ggml_type.bytes(self.columns);
        let mut products = vec![0.0; states.len() / self.columns.div_ceil(LANES) * outputs];
        let (ggml_type, columns) = (self.ggml_type, self.columns);
        multiply(Part { ggml_type, blocks, columns, states, products: &mut products, outputs });
        products
    }

    /// Returns the blocks, row by row.
    #[cfg(feature = "cuda")]
    pub(crate) fn blocks(&self) -> &[u8] {
        &self.blocks
    }

    /// Returns the matrix as groups: a factor, an offset, and sixteen integers of 8 bits; the matrix must be quantised.
    #[cfg(feature = "cuda")]
    pub(crate) fn groups(&self) -> Vec<u8> {
        let mut groups = Vec::with_capacity(self.rows * self.columns / LANES * (8 + LANES));
        expand::groups(self.ggml_type, &self.blocks, &mut |group: group::Group<[f32; LANES]>| {
            groups.extend_from_slice(&group.factor[0].to_le_bytes());
            groups.extend_from_slice(&group.offset[0].to_le_bytes());
            groups.extend(group.integers.map(|integer| (integer as i8).cast_unsigned()));
        });
        groups
    }

    /// Returns rows of the matrix itself, for the embeddings of tokens.
    pub(crate) fn look_up(&self, ids: &[u32]) -> Vec<f32> {
        let bytes = self.ggml_type.bytes(self.columns);
        let mut numbers = vec![Sixteen::ZERO; self.columns.div_ceil(LANES)];
        let mut found = Vec::with_capacity(ids.len() * self.columns);
        for &id in ids {
            let start = id as usize * bytes;
            expand::expand(Portable, self.ggml_type, &self.blocks[start..start + bytes], &mut numbers);
            found.extend(numbers.iter().flat_map(|numbers| numbers.0).take(self.columns));
        }
        found
    }
}

/// Lays rows out in sixteens, each padded with zeros.
fn padded(rows: &[f32], columns: usize) -> Vec<Sixteen> {
    let sixteen = |numbers: &[f32]| {
        let mut sixteen = Sixteen::ZERO;
        sixteen.0[..numbers.len()].copy_from_slice(numbers);
        sixteen
    };
    rows.chunks_exact(columns).flat_map(|row| row.chunks(LANES).map(sixteen)).collect()
}

/// Makes models on the CPU use `threads` threads, but no more than the environment variable `CANDLE_NUM_THREADS` allows. Call it once,
/// before the first pass.
///
/// # Errors
/// The threads are already running.
///
/// ```
/// let threads = std::num::NonZeroUsize::new(2).expect("two");
/// assert!(ogc_generate::use_threads(threads).is_ok() && ogc_generate::use_threads(threads).is_err());
/// ```
pub fn use_threads(threads: NonZeroUsize) -> Result<(), GenerateError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get());
    pool.build_global().map_err(|error| GenerateError::Engine(error.to_string()))
}

/// Does work with many products on one of the threads of the pool. A product that is started outside of the pool waits
/// for two threads to wake up, one after the other. Inside, the thread itself does the parts that no other thread has
/// begun.
///
/// The other threads stay awake until the work is done: a product of one row takes some tens of microseconds, about as long as a thread takes to
/// wake up.
pub(super) fn among_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if most_threads() == 1 {
        return work();
    }
    let is_done = AtomicBool::new(false);
    rayon::scope(|scope| {
        for _ in 1..most_threads() {
            scope.spawn(|_| help(&is_done));
        }
        let _end = Work::begin(&is_done);
        work()
    })
}

thread_local! {
    /// Whether this thread does work with which others help.
    static WORKS: Cell<bool> = const { Cell::new(false) };
}

/// Computes parts of products until the work that they belong to is done.
fn help(is_done: &AtomicBool) {
    // A thread that waits for a part of its own work may run this; it must return, because two threads that help each
    // other would wait for ever.
    if WORKS.get() {
        return;
    }
    let mut idle = 0;
    while !is_done.load(Ordering::Acquire) {
        match rayon::yield_now() {
            Some(rayon::Yield::Executed) => idle = 0,
            // Other programs get the processor if they want it.
            _ if idle >= MAX_IDLE => std::thread::yield_now(),
            _ => {
                idle += 1;
                std::hint::spin_loop();
            }
        }
    }
}

/// The work of this thread. When it ends, even by a panic, the threads that help with it stop helping.
struct Work<'a> {
    is_done: &'a AtomicBool,
    /// Whether the thread already did other work, of which this is a part.
    before: bool,
}

impl<'a> Work<'a> {
    fn begin(is_done: &'a AtomicBool) -> Self {
        Self { is_done, before: WORKS.replace(true) }
    }
}

impl Drop for Work<'_> {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::Release);
        WORKS.set(self.before);
    }
}

/// Returns the number of threads for `work` multiplications.
fn threads(work: usize) -> usize {
    most_threads().min(work / THREAD_WORK).max(1)
}

/// Returns the maximum number of threads: `CANDLE_NUM_THREADS` if it is set, but at most as many as the pool has
/// (`RAYON_NUM_THREADS`, or as many as the machine).
fn most_threads() -> usize {
    static MOST: LazyLock<usize> = LazyLock::new(|| {
        let limit = std::env::var("CANDLE_NUM_THREADS").ok().and_then(|limit| limit.parse().ok());
        match limit {
            Some(1) => 1,
            Some(limit) if limit > 0 => rayon::current_num_threads().min(limit),
            _ => rayon::current_num_threads(),
        }
    });
    *MOST
}

/// Computes a part of a product with the best instructions that the processor has.
fn multiply(part: Part<'_>) {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(simd) = avx2::Avx2::detect() {
            return simd.multiply(part);
        }
    }
    portable(part);
}

/// Computes a part of a product with instructions that every processor has.
fn portable(part: Part<'_>) {
    tile::multiply::<_, 2, 3>(Portable, part);
}
