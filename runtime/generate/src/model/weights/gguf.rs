//! The tensors of a GGUF file.

use std::io::{Read, Seek};

use ogc_runtime::vocabulary::Gguf;

use super::{Tensors, read_at, wrong};
use crate::error::GenerateError;
use crate::model::matmul::GgmlType;
use crate::model::names::Name;

/// The tensors of a GGUF file whose head was read.
#[derive(Debug)]
pub(crate) struct GgufTensors<'g, R> {
    pub(crate) gguf: &'g Gguf,
    pub(crate) file: R,
    /// The length of the file.
    pub(crate) len: u64,
}

impl<R: Read + Seek> Tensors for GgufTensors<'_, R> {
    fn spelled(&self, name: Name) -> String {
        name.in_gguf()
    }

    fn shape(&self, name: Name) -> Option<Vec<u64>> {
        Some(self.gguf.tensor(&name.in_gguf())?.shape.iter().rev().copied().collect())
    }

    fn read(&mut self, name: Name) -> Result<(GgmlType, Vec<u8>), GenerateError> {
        let spelled = name.in_gguf();
        let missing = || GenerateError::Missing { what: spelled.clone() };
        let tensor = self.gguf.tensor(&spelled).ok_or_else(missing)?;
        let ggml_type = GgmlType::of_gguf(tensor.kind).ok_or_else(|| GenerateError::Unsupported {
            what: "the kind of tensors",
            given: tensor.kind.to_string(),
            reason: "F32, F16, BF16, Q4_0 to Q8_0 and Q2_K to Q6_K are",
        })?;
        let bytes = tensor.elements / ggml_type.block() as u64 * ggml_type.block_bytes() as u64;
        let blocks = read_at(&mut self.file, self.len, tensor.start, bytes)?;
        let blocks = blocks.ok_or_else(|| wrong(&spelled, &tensor.shape, format!("the file has {} bytes", self.len)));
        Ok((ggml_type, blocks?))
    }
}
