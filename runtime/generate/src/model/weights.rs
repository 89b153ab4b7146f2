//! Reads the tensors of a model, each checked against the shape that the model's numbers require. [`gguf`] and
//! [`safetensors`] tell where the tensors lie.

pub(crate) mod gguf;
pub(crate) mod safetensors;

use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

use super::matmul::{GgmlType, Matrix};
use super::names::Name;
use crate::error::GenerateError;

/// A source of the tensors of a model.
pub(crate) trait Tensors {
    /// Returns the name of a tensor in the source.
    fn spelled(&self, name: Name) -> String;

    /// Returns the lengths of a tensor's dimensions, the fastest-varying one last; `None` if the source has no such tensor.
    fn shape(&self, name: Name) -> Option<Vec<u64>>;

    /// Reads a tensor that the source has.
    fn read(&mut self, name: Name) -> Result<(GgmlType, Vec<u8>), GenerateError>;
}

/// The tensors of a model, as matrices and rows.
#[derive(Debug)]
pub(crate) struct Weights<T>(pub(crate) T);

impl<T: Tensors> Weights<&mut T> {
    /// Reads a matrix.
    pub(crate) fn matrix(&mut self, name: Name, rows: usize, columns: usize) -> Result<Matrix, GenerateError> {
        let matrix = self.tensor(name, &[rows, columns])?;
        matrix.ok_or_else(|| GenerateError::Missing { what: self.0.spelled(name) })
    }

    /// Reads a row of numbers.
    pub(crate) fn row(&mut self, name: Name, len: usize) -> Result<Vec<f32>, GenerateError> {
        self.optional_row(name, len)?.ok_or_else(|| GenerateError::Missing { what: self.0.spelled(name) })
    }

    /// Reads a row of numbers, if the model has it.
    pub(crate) fn optional_row(&mut self, name: Name, len: usize) -> Result<Option<Vec<f32>>, GenerateError> {
        Ok(self.tensor(name, &[len])?.map(|row| row.look_up(&[0])))
    }

    fn tensor(&mut self, name: Name, expected: &[usize]) -> Result<Option<Matrix>, GenerateError> {
        let Some(shape) = self.0.shape(name) else { return Ok(None) };
        if shape.iter().ne(expected.iter().map(|&len| len as u64).collect::<Vec<_>>().iter()) {
            return Err(wrong(&self.0.spelled(name), &shape, format!("it must be {expected:?}")));
        }
        let (rows, columns) = if let &[rows, columns] = expected { (rows, columns) } else { (1, expected[0]) };
        let (ggml_type, blocks) = self.0.read(name)?;
        if !columns.is_multiple_of(ggml_type.block()) {
            let expected = format!("its rows must be multiples of {}", ggml_type.block());
            return Err(wrong(&self.0.spelled(name), &shape, expected));
        }
        let matrix = Matrix::new(ggml_type, Arc::new(blocks), rows, columns);
        let matrix = matrix.ok_or_else(|| wrong(&self.0.spelled(name), &shape, "it has other bytes".to_owned()))?;
        Ok(Some(matrix))
    }
}

/// Reads `bytes` bytes of a file of `len` bytes from the offset `start`; `None` if the file does not have them.
fn read_at<R: Read + Seek>(file: &mut R, len: u64, start: u64, bytes: u64) -> Result<Option<Vec<u8>>, GenerateError> {
    if start.checked_add(bytes).is_none_or(|end| end > len) {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(start))?;
    let mut read = Vec::new();
    file.by_ref().take(bytes).read_to_end(&mut read)?;
    Ok(Some(read).filter(|read| read.len() as u64 == bytes))
}

fn wrong(name: &str, shape: &[u64], expected: String) -> GenerateError {
    GenerateError::Shape { what: format!("`{name}`"), given: format!("{shape:?}"), expected }
}
