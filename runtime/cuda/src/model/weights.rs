//! Weight matrices in the layout that kernels read: the numbers and the factors of their groups, each in an array of its own, so that kernels can
//! read 16 bytes at a time (`kernels/weights.cuh`).

use super::error::ModelError;
use crate::weight_format::WeightFormat;

/// A matrix of weights, a row for each output, laid out for kernels.
///
/// ```
/// use ogc_cuda::{WeightFormat, WeightMatrix};
/// let blocks: Vec<u8> = [1.0f32, 2.0, 3.0, 4.0].iter().flat_map(|number| number.to_le_bytes()).collect();
/// let matrix = WeightMatrix::new(WeightFormat::F32, &blocks, 1, 4)?;
/// assert_eq!((matrix.outputs(), matrix.columns()), (1, 4));
/// assert!(WeightMatrix::new(WeightFormat::F32, &blocks, 2, 2).is_err());
/// # Ok::<(), ogc_cuda::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightMatrix {
    pub(crate) format: WeightFormat,
    pub(crate) numbers: Vec<u8>,
    /// The factors of all blocks; in a file, each block begins with its factors.
    pub(crate) factors: Vec<u8>,
    outputs: u32,
    columns: u32,
}

impl WeightMatrix {
    /// Lays out the blocks of a file, row by row.
    ///
    /// # Errors
    /// The number of blocks is not that of `outputs` rows of `columns` numbers, or the length of a row is not a multiple of
    /// [`WeightFormat::row_multiple`].
    ///
    /// ```
    /// use ogc_cuda::{WeightFormat, WeightMatrix};
    /// assert!(WeightMatrix::new(WeightFormat::Q8_0, &[0; 34], 1, 32).is_ok());
    /// ```
    pub fn new(format: WeightFormat, blocks: &[u8], outputs: usize, columns: usize) -> Result<Self, ModelError> {
        if columns == 0 || !columns.is_multiple_of(format.row_multiple()) {
            let expected = format!("it must be a multiple of {}", format.row_multiple());
            return Err(ModelError::shape("the length of a row of weights", columns, expected));
        }
        let expected =
            (columns / format.numbers()).checked_mul(outputs).and_then(|count| count.checked_mul(format.bytes()));
        if expected != Some(blocks.len()) {
            let expected = format!("{outputs} rows of {columns} numbers take {expected:?}");
            return Err(ModelError::shape("the number of bytes of weights", blocks.len(), expected));
        }
        let number = |what, number: usize| {
            u32::try_from(number).map_err(|_| ModelError::shape(what, number, "it must be below 2^32".to_owned()))
        };
        let (outputs, columns) = (number("the number of outputs", outputs)?, number("the number of columns", columns)?);
        let (mut numbers, mut factors) = (Vec::new(), Vec::new());
        if format.factor_bytes() == 0 {
            numbers.extend_from_slice(blocks);
        } else {
            for block in blocks.chunks_exact(format.bytes()) {
                let (factor, rest) = block.split_at(format.factor_bytes());
                factors.extend_from_slice(factor);
                numbers.extend_from_slice(rest);
            }
        }
        Ok(Self { format, numbers, factors, outputs, columns })
    }

    /// Returns the number of rows; each row computes one output.
    ///
    /// ```
    /// use ogc_cuda::{WeightFormat, WeightMatrix};
    /// assert_eq!(WeightMatrix::new(WeightFormat::F16, &[0; 32], 2, 8)?.outputs(), 2);
    /// # Ok::<(), ogc_cuda::ModelError>(())
    /// ```
    #[must_use]
    pub fn outputs(&self) -> u32 {
        self.outputs
    }

    /// Returns the length of a row, in numbers.
    ///
    /// ```
    /// use ogc_cuda::{WeightFormat, WeightMatrix};
    /// assert_eq!(WeightMatrix::new(WeightFormat::F16, &[0; 32], 2, 8)?.columns(), 8);
    /// # Ok::<(), ogc_cuda::ModelError>(())
    /// ```
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Appends the rows of a matrix for which [`takes`](Self::takes) holds.
    pub(crate) fn append(&mut self, other: &Self) {
        self.numbers.extend_from_slice(&other.numbers);
        self.factors.extend_from_slice(&other.factors);
        self.outputs += other.outputs;
    }

    /// Returns whether a matrix can be appended: it has the same format and columns, and the number of rows still fits in 32 bits.
    pub(crate) fn takes(&self, other: &Self) -> bool {
        let is_alike = self.format == other.format && self.columns == other.columns;
        is_alike && self.outputs.checked_add(other.outputs).is_some()
    }
}
