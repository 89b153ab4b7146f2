//! The tensors of safetensors files: of one, or of several that an index lists.
//!
//! A file begins with the length of its head in eight bytes; the head is JSON, and contains for each tensor the kind of
//! its numbers, its shape, and the offsets behind the head at which it begins and ends.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek, SeekFrom};

use serde::Deserialize;

use super::{Tensors, read_at, wrong};
use crate::error::GenerateError;
use crate::model::matmul::GgmlType;
use crate::model::names::Name;

/// Cap on the bytes of a head.
const MAX_HEAD: u64 = 1 << 26;

/// The entry of a tensor in the head of a file.
#[derive(Debug, Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: [u64; 2],
}

/// A tensor of one of the files.
#[derive(Debug)]
struct Place {
    entry: Entry,
    /// The index of the file.
    file: usize,
}

/// A file, its length, and the offset of its tensors.
#[derive(Debug)]
struct Open<R> {
    file: R,
    len: u64,
    data: u64,
}

/// The tensors of some files.
#[derive(Debug)]
pub(crate) struct SafeTensors<R> {
    files: Vec<Open<R>>,
    places: BTreeMap<String, Place>,
    /// The names that were requested.
    asked: BTreeSet<String>,
}

impl<R: Read + Seek> SafeTensors<R> {
    /// Reads the heads of files.
    pub(crate) fn new(files: Vec<R>) -> Result<Self, GenerateError> {
        let mut tensors = Self { files: Vec::new(), places: BTreeMap::new(), asked: BTreeSet::new() };
        for file in files {
            tensors.add(file)?;
        }
        Ok(tensors)
    }

    fn add(&mut self, mut file: R) -> Result<(), GenerateError> {
        let len = file.seek(SeekFrom::End(0))?;
        let head = read_at(&mut file, len, 0, 8)?.and_then(|bytes| Some(u64::from_le_bytes(bytes.try_into().ok()?)));
        let head =
            head.filter(|head| *head <= MAX_HEAD.min(len - 8)).ok_or_else(|| broken("has no head".to_owned()))?;
        let text = read_at(&mut file, len, 8, head)?.ok_or_else(|| broken("ends in its head".to_owned()))?;
        let mut entries: BTreeMap<String, serde_json::Value> =
            serde_json::from_slice(&text).map_err(|error| broken(format!("has a head that is not JSON: {error}")))?;
        entries.remove("__metadata__");
        let number = self.files.len();
        for (name, entry) in entries {
            let entry: Entry = serde_json::from_value(entry)
                .map_err(|error| broken(format!("has a wrong entry for `{name}`: {error}")))?;
            if self.places.insert(name.clone(), Place { entry, file: number }).is_some() {
                return Err(broken(format!("has `{name}`, which another file has too")));
            }
        }
        self.files.push(Open { file, len, data: 8 + head });
        Ok(())
    }

    /// Rejects tensors that nothing requested: a model with them computes something else.
    pub(crate) fn refuse_others(&self) -> Result<(), GenerateError> {
        // Frequencies that old versions saved, although they follow from the configuration.
        let is_known = |name: &str| self.asked.contains(name) || name.ends_with(".rotary_emb.inv_freq");
        let Some(other) = self.places.keys().find(|name| !is_known(name)) else { return Ok(()) };
        let reason = "the layers of Llama, Mistral, Qwen 2 and 3 do not have it";
        Err(GenerateError::Unsupported { what: "the tensor", given: other.clone(), reason })
    }

    /// Leaves out a tensor, because another stands for it.
    pub(crate) fn leave_out(&mut self, name: Name) {
        if let Some(name) = name.in_safetensors() {
            self.places.remove(&name);
        }
    }
}

impl<R: Read + Seek> Tensors for SafeTensors<R> {
    fn spelled(&self, name: Name) -> String {
        name.in_safetensors().unwrap_or_default()
    }

    fn shape(&self, name: Name) -> Option<Vec<u64>> {
        Some(self.places.get(&name.in_safetensors()?)?.entry.shape.clone())
    }

    fn read(&mut self, name: Name) -> Result<(GgmlType, Vec<u8>), GenerateError> {
        let spelled = self.spelled(name);
        let missing = || GenerateError::Missing { what: spelled.clone() };
        let Place { entry, file } = self.places.get(&spelled).ok_or_else(missing)?;
        let Open { file, len, data } = &mut self.files[*file];
        let ggml_type = ggml_type(&entry.dtype)?;
        let [start, end] = entry.data_offsets;
        let blocks = match (data.checked_add(start), end.checked_sub(start)) {
            (Some(at), Some(bytes)) => read_at(file, *len, at, bytes)?,
            _ => None,
        };
        self.asked.insert(spelled.clone());
        let blocks = blocks.ok_or_else(|| wrong(&spelled, &entry.shape, format!("the file has {len} bytes")));
        Ok((ggml_type, blocks?))
    }
}

/// Returns the number format with a name.
fn ggml_type(name: &str) -> Result<GgmlType, GenerateError> {
    match name {
        "F32" => Ok(GgmlType::F32),
        "F16" => Ok(GgmlType::F16),
        "BF16" => Ok(GgmlType::BF16),
        other => Err(GenerateError::Unsupported {
            what: "the kind of tensors",
            given: other.to_owned(),
            reason: "F32, F16 and BF16 are; quantised models can be read from GGUF",
        }),
    }
}

fn broken(reason: String) -> GenerateError {
    GenerateError::Folder { file: "safetensors".to_owned(), reason }
}
