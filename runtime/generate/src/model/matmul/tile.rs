//! Multiplies tiles: some rows of weights by some rows of states.
//!
//! # Order of operations
//!
//! A product of two rows is sixteen sums, one for each column modulo sixteen, each in the order of columns; [`total`]
//! adds them. It does not depend on other products: tiles only decide which products share the weights and states that
//! are read.

use super::Part;
use super::expand::expand;
use super::ggml_type::GgmlType;
use super::simd::{LANES, Simd, Sixteen};

/// The number of rows of weights that are expanded at once.
pub(super) const GROUP: usize = 4;

/// Cap on the columns that are expanded at once: a multiple of all block lengths, and few enough for the nearest cache.
const CHUNK: usize = 768;

/// The number of rows of states that are multiplied before the next rows of weights are expanded.
const ROWS: usize = 64;

/// Computes a part of a product in tiles of `N` rows of weights and `R` rows of states.
#[inline(always)]
pub(super) fn multiply<S: Simd, const N: usize, const R: usize>(simd: S, part: Part<'_>) {
    let Part { ggml_type, blocks, columns, states, products, outputs } = part;
    let padded = columns.div_ceil(LANES);
    let bytes = ggml_type.bytes(columns);
    let mut panel = vec![Sixteen::ZERO; GROUP * CHUNK / LANES];
    let mut sums = vec![Sixteen::ZERO; ROWS.min(states.len() / padded) * GROUP];
    for (states, products) in states.chunks(ROWS * padded).zip(products.chunks_mut(ROWS * outputs)) {
        for (at, blocks) in blocks.chunks(GROUP * bytes).enumerate() {
            sums.fill(Sixteen::ZERO);
            let group = Rows { ggml_type, blocks, bytes };
            for first in (0..columns).step_by(CHUNK) {
                let len = CHUNK.min(columns - first);
                group.expand(simd, first, len, &mut panel);
                let width = len.div_ceil(LANES);
                let window = Window { states, padded, first: first / LANES, width };
                add_tiles::<S, N, R>(simd, &panel, window, &mut sums);
            }
            write(&sums, products, outputs, at * GROUP);
        }
    }
}

/// Up to [`GROUP`] rows of weights.
#[derive(Clone, Copy)]
struct Rows<'a> {
    ggml_type: GgmlType,
    blocks: &'a [u8],
    /// The number of bytes of a row.
    bytes: usize,
}

impl Rows<'_> {
    /// Expands the columns of a chunk, row by row.
    #[inline(always)]
    fn expand<S: Simd>(self, simd: S, first: usize, len: usize, panel: &mut [Sixteen]) {
        let range = self.ggml_type.bytes(first)..self.ggml_type.bytes(first + len);
        let width = len.div_ceil(LANES);
        for (row, to) in self.blocks.chunks_exact(self.bytes).zip(panel.chunks_exact_mut(width)) {
            expand(simd, self.ggml_type, &row[range.clone()], to);
        }
    }
}

/// Some columns of all rows of states.
#[derive(Clone, Copy)]
struct Window<'a> {
    states: &'a [Sixteen],
    /// The length of a row, in sixteens.
    padded: usize,
    /// The first column, in sixteens.
    first: usize,
    /// The number of columns, in sixteens.
    width: usize,
}

impl<'a> Window<'a> {
    #[inline(always)]
    fn row(self, row: usize) -> &'a [Sixteen] {
        let start = row * self.padded + self.first;
        &self.states[start..start + self.width]
    }
}

/// Adds the products of all rows with an expanded panel to their sums, in tiles.
#[inline(always)]
fn add_tiles<S: Simd, const N: usize, const R: usize>(
    simd: S,
    panel: &[Sixteen],
    window: Window<'_>,
    sums: &mut [Sixteen],
) {
    let rows = window.states.len() / window.padded;
    let mut row = 0;
    while row < rows {
        let sums = &mut sums[row * GROUP..];
        let tall = R.min(rows - row);
        match tall {
            1 => add_row::<S, GROUP, 1>(simd, panel, window, row, sums),
            2 => add_row::<S, N, 2>(simd, panel, window, row, sums),
            3 => add_row::<S, N, 3>(simd, panel, window, row, sums),
            _ => add_row::<S, N, R>(simd, panel, window, row, sums),
        }
        row += tall;
    }
}

/// Adds the products of `R` rows with all rows of a panel to their sums.
#[inline(always)]
fn add_row<S: Simd, const N: usize, const R: usize>(
    simd: S,
    panel: &[Sixteen],
    window: Window<'_>,
    row: usize,
    sums: &mut [Sixteen],
) {
    let width = window.width;
    let mut states = [&[][..]; R];
    for (at, states) in states.iter_mut().enumerate() {
        *states = window.row(row + at);
    }
    for first in (0..GROUP).step_by(N) {
        let mut weights = [&[][..]; N];
        for (at, weights) in weights.iter_mut().enumerate() {
            *weights = &panel[(first + at) * width..(first + at + 1) * width];
        }
        add_tile(simd, weights, states, &mut sums[first..]);
    }
}

/// Adds the products of `R` rows of states with `N` rows of weights to their sums; the sums of successive rows are [`GROUP`] apart.
#[inline(always)]
fn add_tile<S: Simd, const N: usize, const R: usize>(
    simd: S,
    weights: [&[Sixteen]; N],
    states: [&[Sixteen]; R],
    sums: &mut [Sixteen],
) {
    let width = weights[0].len();
    assert!(weights.iter().chain(&states).all(|row| row.len() == width), "rows of one length");
    let mut lanes = [[simd.splat(0.0); N]; R];
    for r in 0..R {
        for n in 0..N {
            lanes[r][n] = simd.load(&sums[r * GROUP + n]);
        }
    }
    for at in 0..width {
        let mut weight = [simd.splat(0.0); N];
        for n in 0..N {
            weight[n] = simd.load(&weights[n][at]);
        }
        for r in 0..R {
            let state = simd.load(&states[r][at]);
            for n in 0..N {
                lanes[r][n] = simd.mul_add(weight[n], state, lanes[r][n]);
            }
        }
    }
    for r in 0..R {
        for n in 0..N {
            simd.store(lanes[r][n], &mut sums[r * GROUP + n]);
        }
    }
}

/// Writes the totals of a group of outputs for all rows.
#[inline(always)]
fn write(sums: &[Sixteen], products: &mut [f32], outputs: usize, first: usize) {
    let count = GROUP.min(outputs - first);
    for (sums, products) in sums.chunks_exact(GROUP).zip(products.chunks_exact_mut(outputs)) {
        for (sums, product) in sums.iter().zip(&mut products[first..first + count]) {
            *product = total(sums);
        }
    }
}

/// Adds sixteen sums in a fixed order: halves, then quarters, and so on.
#[inline(always)]
fn total(sums: &Sixteen) -> f32 {
    let mut sums = sums.0;
    for half in [8, 4, 2, 1] {
        for lane in 0..half {
            sums[lane] += sums[lane + half];
        }
    }
    sums[0]
}
