//! The memory of a model on a device: weights, pages of the KV cache, and the rows that kernels exchange.

use zerocopy::IntoBytes;

use super::error::ModelError;
use super::records::{ModelRow, PageCopy};
use super::shape::{ModelLimits, ModelShape};
use super::weights::WeightMatrix;
use crate::machine::Machine;
use crate::weight_format::WeightFormat;

/// A matrix in device memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrix {
    pub(crate) format: WeightFormat,
    pub(crate) numbers: u64,
    pub(crate) factors: u64,
    pub(crate) outputs: u32,
    pub(crate) columns: u32,
}

/// A matrix, the address of its bias (0 if there is none), and the offset of its first product in an output row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matmul {
    pub(crate) matrix: Matrix,
    pub(crate) bias: u64,
    pub(crate) first: u32,
}

/// The weights of a layer in device memory; the address of a norm that does not exist is 0.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) attention_norm: u64,
    /// Queries, keys and values: joined into as few matrices as their weight formats allow.
    pub(crate) joined: Vec<Matmul>,
    pub(crate) ask_norm: u64,
    pub(crate) key_norm: u64,
    pub(crate) answer: Matrix,
    pub(crate) inner_norm: u64,
    /// The gate and the up projection.
    pub(crate) gates: Vec<Matmul>,
    pub(crate) down: Matrix,
}

/// The rows that kernels exchange, for the largest pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    /// Written by the host before a pass: the rows of the pass, the rows whose logits are wanted, the page tables of texts, and the list of
    /// pages to copy.
    pub(crate) rows: u64,
    pub(crate) wanted: u64,
    pub(crate) tables: u64,
    pub(crate) copies: u64,
    /// Written by kernels.
    pub(crate) states: u64,
    pub(crate) normalised: u64,
    pub(crate) joined: u64,
    pub(crate) asked: u64,
    pub(crate) pieces: u64,
    pub(crate) found: u64,
    pub(crate) gates: u64,
    pub(crate) inner: u64,
    pub(crate) logits: u64,
}

impl Rows {
    /// Reserves the rows of a model with `logits` logits.
    pub(crate) fn reserve(
        machine: &mut impl Machine,
        shape: &ModelShape,
        limits: &ModelLimits,
        logits: u32,
    ) -> Result<Self, ModelError> {
        let mut words =
            |name, rows: u32, width: u64| Ok::<_, ModelError>(machine.reserve(name, u64::from(rows) * width * 4)?);
        let piece = u64::from(shape.heads) * u64::from(limits.spans()) * u64::from(shape.head + 2);
        let joined = u64::from(shape.asked()) + 2 * u64::from(shape.kept());
        let rows = padded(limits.rows);
        Ok(Self {
            rows: words("rows", rows, size_of::<ModelRow>() as u64 / 4)?,
            wanted: words("wanted rows", rows, 1)?,
            tables: words("tables", rows, u64::from(limits.table()))?,
            copies: words("copies", rows, size_of::<PageCopy>() as u64 / 4)?,
            states: words("states", rows, u64::from(shape.width))?,
            normalised: words("normalised states", rows, u64::from(shape.width))?,
            joined: words("heads, keys and values", rows, joined)?,
            asked: words("heads", rows, u64::from(shape.asked()))?,
            pieces: words("pieces", rows, piece)?,
            found: words("what heads find", rows, u64::from(shape.asked()))?,
            gates: words("gates", rows, 2 * u64::from(shape.inner))?,
            inner: words("gated numbers", rows, u64::from(shape.inner))?,
            logits: words("logits", rows, u64::from(logits))?,
        })
    }
}

/// Returns the padded number of rows of a pass. Few sizes exist, so that few graphs are captured.
pub(crate) fn padded(rows: u32) -> u32 {
    if rows <= 8 { rows } else { rows.next_multiple_of(8) }
}

/// Uploads a matrix.
pub(crate) fn upload_matrix(
    machine: &mut impl Machine,
    name: &str,
    matrix: &WeightMatrix,
) -> Result<Matrix, ModelError> {
    let numbers = upload(machine, name, &matrix.numbers)?;
    let factors = if matrix.factors.is_empty() { 0 } else { upload(machine, name, &matrix.factors)? };
    let (outputs, columns) = (matrix.outputs(), matrix.columns());
    Ok(Matrix { format: matrix.format, numbers, factors, outputs, columns })
}

/// Uploads numbers and returns their address; 0 if there are none.
pub(crate) fn upload_row(machine: &mut impl Machine, name: &str, row: Option<&[f32]>) -> Result<u64, ModelError> {
    row.map_or(Ok(0), |row| upload(machine, name, row.as_bytes()))
}

fn upload(machine: &mut impl Machine, name: &str, bytes: &[u8]) -> Result<u64, ModelError> {
    let address = machine.reserve(name, bytes.len() as u64)?;
    machine.write(address, bytes)?;
    Ok(address)
}
