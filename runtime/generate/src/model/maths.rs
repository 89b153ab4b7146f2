//! The arithmetic of one position, on slices: normalisation, rotation, attention, activation.
//!
//! Each position is computed by itself in a fixed order of operations, so that its numbers do not depend, to the last
//! bit, on the other positions in the pass.

use std::ops::Range;

use super::cache::PAGE;
use super::rope::Rope;

/// Divides a row by its root mean square, and multiplies it by the weights.
pub(super) fn normalise(row: &mut [f32], weights: &[f32], epsilon: f32) {
    let mean = dot(row, row) / row.len() as f32;
    let scale = 1.0 / (mean + epsilon).sqrt();
    row.iter_mut().zip(weights).for_each(|(number, weight)| *number *= scale * weight);
}

/// The sines and cosines of one position's rotations.
#[derive(Debug, Default)]
pub(super) struct Angles {
    pairs: Vec<(f32, f32)>,
}

impl Angles {
    /// Computes the angles of a position.
    pub(super) fn of(position: usize, rope: &Rope) -> Self {
        let pair = |frequency: &f64| {
            let (sine, cosine) = (position as f64 * frequency).sin_cos();
            ((sine * rope.length) as f32, (cosine * rope.length) as f32)
        };
        Self { pairs: rope.frequencies.iter().map(pair).collect() }
    }

    /// Returns the sine and cosine of each pair.
    #[cfg(feature = "cuda")]
    pub(super) fn pairs(&self) -> impl Iterator<Item = [f32; 2]> {
        self.pairs.iter().map(|&(sine, cosine)| [sine, cosine])
    }

    /// Rotates a head, in pairs of neighbours or of its two halves, and scales it by the length of the rotations.
    pub(super) fn rotate(&self, head: &mut [f32], neighbours: bool) {
        let half = head.len() / 2;
        for (at, &(sine, cosine)) in self.pairs.iter().enumerate() {
            let (one, two) = if neighbours { (2 * at, 2 * at + 1) } else { (at, at + half) };
            let (x, y) = (head[one], head[two]);
            head[one] = x * cosine - y * sine;
            head[two] = x * sine + y * cosine;
        }
    }
}

/// The keys or values of the positions so far, one row each, page by page; a head looks at a part of each row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept<'c> {
    pub(super) pages: &'c [&'c [f32]],
    /// The length of a row.
    pub(super) stride: usize,
    /// The index at which the head's part of a row begins.
    pub(super) offset: usize,
}

impl<'c> Kept<'c> {
    /// Returns the head's part of some rows.
    fn parts(self, rows: Range<usize>, len: usize) -> impl Iterator<Item = &'c [f32]> {
        let pages = rows.start / PAGE..rows.end.div_ceil(PAGE);
        pages.flat_map(move |page| {
            let first = page * PAGE;
            let (start, end) = (rows.start.saturating_sub(first), (rows.end - first).min(PAGE));
            let rows = &self.pages[page][start * self.stride..end * self.stride];
            rows.chunks_exact(self.stride).map(move |row| &row[self.offset..self.offset + len])
        })
    }
}

/// Computes the attention of one head to some positions: their values, weighted by the softmax of the scores of their keys.
pub(super) fn attend(asked: &[f32], keys: Kept<'_>, values: Kept<'_>, positions: Range<usize>, found: &mut [f32]) {
    let scale = 1.0 / (asked.len() as f32).sqrt();
    let mut scores: Vec<f32> = keys.parts(positions.clone(), asked.len()).map(|key| dot(asked, key) * scale).collect();
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for score in &mut scores {
        *score = (*score - most).exp();
        sum += *score;
    }
    found.fill(0.0);
    for (value, score) in values.parts(positions, asked.len()).zip(&scores) {
        let weight = score / sum;
        found.iter_mut().zip(value).for_each(|(found, value)| *found += weight * value);
    }
}

/// SwiGLU: multiplies the gate, activated by SiLU, with the up projection.
pub(super) fn swiglu(gate: &mut [f32], up: &[f32]) {
    gate.iter_mut().zip(up).for_each(|(gate, up)| *gate = *gate / (1.0 + (-*gate).exp()) * up);
}

/// Adds a row to each row.
pub(super) fn add_to_each(rows: &mut [f32], row: Option<&Vec<f32>>) {
    let Some(row) = row else { return };
    rows.chunks_exact_mut(row.len()).for_each(|target| add(target, row));
}

/// Adds numbers one by one.
pub(super) fn add(target: &mut [f32], other: &[f32]) {
    target.iter_mut().zip(other).for_each(|(target, other)| *target += other);
}

/// Returns the sum of products, as eight sums that the processor can keep side by side.
fn dot(one: &[f32], two: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    let (ones, twos) = (one.chunks_exact(8), two.chunks_exact(8));
    let rest: f32 = ones.remainder().iter().zip(twos.remainder()).map(|(one, two)| one * two).sum();
    for (one, two) in ones.zip(twos) {
        for lane in 0..8 {
            sums[lane] += one[lane] * two[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::super::rope::Scaling;
    use super::*;

    #[test]
    fn rope_keeps_lengths_and_depends_on_relative_positions() {
        let (one, two) = ([1.0_f32, 2.0, -0.5, 0.25], [0.5_f32, -1.0, 2.0, 1.0]);
        for neighbours in [false, true] {
            let rotated = |row: [f32; 4], position| {
                let mut row = row;
                Angles::of(position, &Rope::new(4, 100.0, Scaling::None)).rotate(&mut row, neighbours);
                row
            };
            let product = |a, b| dot(&rotated(one, a), &rotated(two, b));
            assert!((product(0, 0) - dot(&one, &two)).abs() < 1e-5);
            assert!((product(3, 8) - product(10, 15)).abs() < 1e-5);
            assert!((product(3, 8) - product(10, 16)).abs() > 1e-3);
        }
    }

    #[test]
    fn attention_to_a_single_position_returns_its_value() {
        let kept = |pages| Kept { pages, stride: 4, offset: 2 };
        let mut found = [0.0; 2];
        attend(&[1.0, 1.0], kept(&[&[0.0, 0.0, 5.0, 6.0]]), kept(&[&[0.0, 0.0, 7.0, 8.0]]), 0..1, &mut found);
        assert_eq!(found, [7.0, 8.0]);
    }

    #[test]
    fn dot_products_of_all_lengths_are_exact() {
        for len in 0..20 {
            let row: Vec<f32> = (0..len).map(|at| at as f32).collect();
            assert_eq!(dot(&row, &row), row.iter().map(|x| x * x).sum::<f32>());
        }
    }
}
