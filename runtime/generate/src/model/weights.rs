//! Reads the tensors of a GGUF file, each checked against its shape and the length of the file.
//!
//! Kinds whose products have no fast code in candle (Q4_1, Q5_0, Q5_1) are quantised again as Q8_0: half as many bits more, and
//! a product that takes a small part of the time.

use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

use candle_core::quantized::{GgmlDType, QTensor, ggml_file};
use candle_core::{Device, Tensor};
use ogc_runtime::vocabulary::{Gguf, GgufTensor};

use crate::error::GenerateError;

/// A matrix of weights that stay quantised.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    weights: Arc<QTensor>,
    /// The length of a row that is multiplied.
    pub(crate) columns: usize,
    /// The length of a product.
    pub(crate) rows: usize,
}

impl Matrix {
    /// Multiplies each row of `columns` numbers; a product does not depend on the rows beside it.
    pub(crate) fn products(&self, rows: &[f32]) -> Result<Vec<f32>, GenerateError> {
        let count = rows.len() / self.columns;
        let rows = Tensor::from_slice(rows, (count, self.columns), &Device::Cpu)?;
        Ok(rows.apply_op1_no_bwd(self.weights.as_ref())?.flatten_all()?.to_vec1()?)
    }

    /// Returns rows of the matrix itself, for the embeddings of tokens.
    pub(crate) fn look_up(&self, ids: &[u32]) -> Result<Vec<f32>, GenerateError> {
        let ids = Tensor::from_slice(ids, ids.len(), &Device::Cpu)?;
        Ok(self.weights.embedding(&ids)?.flatten_all()?.to_vec1()?)
    }
}

/// The tensors of a file.
#[derive(Debug)]
pub(crate) struct Weights<'g, R> {
    pub(crate) gguf: &'g Gguf,
    pub(crate) file: R,
    /// The length of the file.
    pub(crate) len: u64,
}

impl<R: Read + Seek> Weights<'_, R> {
    /// Reads a matrix.
    pub(crate) fn matrix(&mut self, name: &str, rows: usize, columns: usize) -> Result<Matrix, GenerateError> {
        let tensor = self.gguf.tensor(name).ok_or_else(|| GenerateError::Missing { what: name.to_owned() })?;
        check_shape(name, tensor, &[columns as u64, rows as u64])?;
        let weights = fast(self.read(name, tensor, vec![rows, columns])?)?;
        Ok(Matrix { weights: Arc::new(weights), columns, rows })
    }

    /// Reads a row of numbers.
    pub(crate) fn row(&mut self, name: &str, len: usize) -> Result<Vec<f32>, GenerateError> {
        self.optional_row(name, len)?.ok_or_else(|| GenerateError::Missing { what: name.to_owned() })
    }

    /// Reads a row of numbers, if the model has it.
    pub(crate) fn optional_row(&mut self, name: &str, len: usize) -> Result<Option<Vec<f32>>, GenerateError> {
        let Some(tensor) = self.gguf.tensor(name) else { return Ok(None) };
        check_shape(name, tensor, &[len as u64])?;
        let row = self.read(name, tensor, vec![len])?;
        Ok(Some(row.dequantize(&Device::Cpu)?.to_vec1()?))
    }

    fn read(&mut self, name: &str, tensor: &GgufTensor, shape: Vec<usize>) -> Result<QTensor, GenerateError> {
        let kind = kind(tensor.kind)?;
        let block = kind.block_size();
        if !shape.last().is_some_and(|row| row.is_multiple_of(block)) {
            return Err(wrong_shape(name, tensor, format!("its rows must be multiples of {block}")));
        }
        let bytes = tensor.elements / block as u64 * kind.type_size() as u64;
        if tensor.start.checked_add(bytes).is_none_or(|end| end > self.len) {
            return Err(wrong_shape(name, tensor, format!("the file has {} bytes", self.len)));
        }
        self.file.seek(SeekFrom::Start(tensor.start))?;
        let mut data = Vec::new();
        self.file.by_ref().take(bytes).read_to_end(&mut data)?;
        if data.len() as u64 != bytes {
            return Err(wrong_shape(name, tensor, "the file ends before it does".to_owned()));
        }
        Ok(ggml_file::qtensor_from_ggml(kind, &data, shape, &Device::Cpu)?)
    }
}

fn check_shape(name: &str, tensor: &GgufTensor, expected: &[u64]) -> Result<(), GenerateError> {
    if tensor.shape != expected {
        return Err(wrong_shape(name, tensor, format!("it must be {expected:?}")));
    }
    Ok(())
}

fn wrong_shape(name: &str, tensor: &GgufTensor, expected: String) -> GenerateError {
    GenerateError::Shape { what: format!("`{name}`"), given: format!("{:?}", tensor.shape), expected }
}

/// Returns the kind of elements of a number in a file.
fn kind(number: u32) -> Result<GgmlDType, GenerateError> {
    Ok(match number {
        0 => GgmlDType::F32,
        1 => GgmlDType::F16,
        2 => GgmlDType::Q4_0,
        3 => GgmlDType::Q4_1,
        6 => GgmlDType::Q5_0,
        7 => GgmlDType::Q5_1,
        8 => GgmlDType::Q8_0,
        10 => GgmlDType::Q2K,
        11 => GgmlDType::Q3K,
        12 => GgmlDType::Q4K,
        13 => GgmlDType::Q5K,
        14 => GgmlDType::Q6K,
        30 => GgmlDType::BF16,
        other => {
            return Err(GenerateError::Unsupported {
                what: "the kind of tensors",
                given: other.to_string(),
                reason: "F32, F16, BF16, Q4_0 to Q8_0 and Q2_K to Q6_K are",
            });
        }
    })
}

/// Quantises a matrix as Q8_0 if its kind has no fast product.
fn fast(weights: QTensor) -> Result<QTensor, GenerateError> {
    let target = match weights.dtype() {
        GgmlDType::Q4_1 | GgmlDType::Q5_0 | GgmlDType::Q5_1 => GgmlDType::Q8_0,
        GgmlDType::F16 | GgmlDType::BF16 => GgmlDType::F32,
        _ => return Ok(weights),
    };
    Ok(QTensor::quantize(&weights.dequantize(&Device::Cpu)?, target)?)
}
