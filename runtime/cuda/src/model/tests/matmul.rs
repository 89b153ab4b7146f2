//! Tests MatMuls and look-ups in all weight formats, and counts the sectors that a MatMul moves.

use super::super::records::{EmbedParameters, MatmulParameters, ModelRow, UNUSED};
use super::super::weights::WeightMatrix;
use super::*;
use crate::machine::Machine;
use ogc_ptx::Counts;
use zerocopy::IntoBytes;

/// A matrix, rows of states, and the parameters of their MatMul.
#[derive(Debug)]
struct Case {
    format: WeightFormat,
    blocks: Vec<u8>,
    columns: usize,
    outputs: usize,
    rows: usize,
    states: Vec<f32>,
    from_stride: usize,
    to_stride: usize,
    bias: Option<Vec<f32>>,
    /// Numbers at the outputs before the MatMul, if it adds to them.
    added: Option<Vec<f32>>,
}

impl Case {
    fn random(random: &mut Random, format: WeightFormat, columns: usize, outputs: usize, rows: usize) -> Self {
        let blocks = blocks(random, format, outputs * columns);
        let (from_stride, to_stride) = (columns + 4 * random.below(3), outputs + random.below(3));
        let states = random.numbers(rows * from_stride);
        let bias = (random.below(2) == 0).then(|| random.numbers(outputs));
        let added = (random.below(2) == 0).then(|| random.numbers(rows * to_stride));
        Self { format, blocks, columns, outputs, rows, states, from_stride, to_stride, bias, added }
    }

    fn expected(&self, row: usize, output: usize) -> f32 {
        let bytes = self.columns / self.format.numbers() * self.format.bytes();
        let weights = reference::expand(self.format, &self.blocks[output * bytes..(output + 1) * bytes]);
        let states = &self.states[row * self.from_stride..][..self.columns];
        let product = reference::dot(&weights, states, reference::vector(self.format));
        let product = self.bias.as_ref().map_or(product, |bias| product + bias[output]);
        self.added.as_ref().map_or(product, |added| added[row * self.to_stride + output] + product)
    }

    /// Runs the kernel that multiplies `together` rows at a time; returns the output buffer and the counts.
    fn run(&self, module: &'static Module, together: Together) -> (Vec<f32>, Counts) {
        let mut machine = Interpreter::new(module);
        machine.seed = self.outputs as u64;
        let matrix = WeightMatrix::new(self.format, &self.blocks, self.outputs, self.columns).unwrap();
        let numbers = machine.put("numbers", &matrix.numbers);
        let factors = if matrix.factors.is_empty() { 0 } else { machine.put("factors", &matrix.factors) };
        // The numbers between rows must not change.
        let places = self.added.clone().unwrap_or_else(|| vec![7.0; self.rows * self.to_stride]);
        let to = machine.put("products", &bytes_of(&places));
        let parameters = MatmulParameters {
            numbers,
            factors,
            bias: self.bias.as_ref().map_or(0, |bias| machine.put("bias", &bytes_of(bias))),
            from: machine.put("states", &bytes_of(&self.states)),
            to,
            columns: self.columns as u32,
            outputs: self.outputs as u32,
            rows: self.rows as u32,
            from_stride: self.from_stride as u32,
            to_stride: self.to_stride as u32,
            adds: u32::from(self.added.is_some()),
        };
        let blocks = (parameters.outputs.div_ceil(together.outputs()), parameters.rows.div_ceil(together.rows()));
        machine.start(&launch(Work::Matmul(self.format, together), blocks, 256, &parameters));
        (machine.numbers(to, places.len()), machine.counts[0].1)
    }

    /// Checks the products, and that nothing else was written.
    fn check(&self, module: &'static Module, together: Together) -> Counts {
        let (found, counts) = self.run(module, together);
        for (at, found) in found.iter().enumerate() {
            let (row, output) = (at / self.to_stride, at % self.to_stride);
            let kept = self.added.as_ref().map_or(7.0, |added| added[at]);
            let expected = if output < self.outputs { self.expected(row, output) } else { kept };
            let Self { format, columns, outputs, rows, .. } = self;
            assert_eq!(
                found.to_bits(),
                expected.to_bits(),
                "{format:?}, {outputs} x {columns}, {rows} rows, {together:?}: row {row}, output {output}: {found} {expected}"
            );
        }
        counts
    }
}

const TOGETHER: [Together; 3] = [Together::One, Together::Four, Together::Eight];

#[test]
fn matmul_matches_a_loop_bit_for_bit() {
    let mut random = Random::new(1);
    for format in WeightFormat::ALL {
        let module = module(&[format]);
        for together in TOGETHER {
            for round in 0..6 {
                let most = [70, 40, 1 + 4096 / format.row_multiple() / 3][round % 3];
                let columns = format.row_multiple() * (1 + random.below(most));
                let (outputs, rows) = (1 + random.below(70), 1 + random.below(19));
                Case::random(&mut random, format, columns, outputs, rows).check(module, together);
            }
        }
    }
}

/// Checks a MatMul whose rows go through shared memory in several parts.
pub(super) fn check_long_rows(module: &'static Module) {
    Case::random(&mut Random::new(4), WeightFormat::F16, 2600, 40, 4).check(module, Together::Four);
}

/// Counts the sectors of a MatMul that reads nothing twice, and how often it reads each weight.
#[test]
#[allow(clippy::print_stdout, reason = "the counts are what is reported of the kernel")]
fn weights_are_read_once_for_up_to_eight_rows() {
    let mut random = Random::new(2);
    for format in WeightFormat::ALL {
        let module = module(&[format]);
        for (together, rows) in TOGETHER.into_iter().zip([1, 4, 8]) {
            let (columns, outputs) = (2048, 256);
            let mut case = Case::random(&mut random, format, columns, outputs, rows);
            case.states.truncate(rows * columns);
            (case.from_stride, case.to_stride, case.bias, case.added) = (columns, outputs, None, None);
            let counts = case.check(module, together);
            let blocks = outputs.div_ceil(together.outputs() as usize);
            let weights = case.blocks.len() as u64 / 32;
            let states = (rows * columns / 8) as u64;
            assert_eq!(counts.loaded_sectors, weights + blocks as u64 * states, "{format:?}");
            assert_eq!(counts.bank_conflicts, 0, "{format:?}");
            let floor = weights + states + (rows * outputs / 8) as u64;
            println!(
                "{format:?}, {outputs} x {columns}, {rows} rows: {weights} sectors of weights, each once; {} in all, floor {floor}, {:.3}; \
                 {:.2} instructions a weight, {:.2} a product of two numbers",
                counts.sectors(),
                counts.sectors() as f64 / floor as f64,
                counts.instructions() as f64 * 32.0 / (columns * outputs) as f64,
                counts.instructions() as f64 * 32.0 / (rows * columns * outputs) as f64,
            );
        }
    }
}

#[test]
fn embeddings_match_the_numbers_of_files() {
    let mut random = Random::new(3);
    for format in WeightFormat::ALL {
        let module = module(&[]);
        let columns = format.row_multiple() * (1 + random.below(9));
        let tokens = 20;
        let blocks = blocks(&mut random, format, tokens * columns);
        let matrix = WeightMatrix::new(format, &blocks, tokens, columns).unwrap();
        let rows: Vec<ModelRow> = (0..6)
            .map(|at| ModelRow {
                // The last token that exists, and one that does not.
                token: [19, 20, 0, 7, 7, 3][at],
                position: 0,
                table: [0, 0, 3, 1, UNUSED, 0][at],
            })
            .collect();
        let mut machine = Interpreter::new(module);
        let states = 4 * (rows.len() * columns) as u64;
        let states = machine.reserve("states", states).unwrap();
        let numbers = machine.put("numbers", &matrix.numbers);
        let factors = if matrix.factors.is_empty() { 0 } else { machine.put("factors", &matrix.factors) };
        let given = machine.put("rows", rows.as_bytes());
        let parameters =
            EmbedParameters { numbers, factors, rows: given, states, columns: columns as u32, tokens: tokens as u32 };
        machine.start(&launch(Work::Embed(format), (rows.len() as u32, 1), 128, &parameters));
        let numbers = reference::expand(format, &blocks);
        let found = machine.numbers(states, rows.len() * columns);
        for (row, found) in rows.iter().zip(found.chunks_exact(columns)) {
            let is_used = row.table != UNUSED && row.token < tokens as u32;
            let zeros = vec![0.0; columns];
            let token = row.token as usize;
            let expected = if is_used { &numbers[token * columns..(token + 1) * columns] } else { &zeros };
            assert_eq!(found, expected, "{format:?}, {row:?}");
        }
    }
}
