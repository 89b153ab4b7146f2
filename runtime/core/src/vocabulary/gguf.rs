//! Reads GGUF files, the format of llama.cpp's models: the metadata, the offsets of the tensors, and the vocabulary.
//!
//! # Steps
//!
//! 1. [`Gguf::read`] reads the head of a file: its metadata ([`value`]) and the names, shapes and offsets of its
//!    tensors. Every length is checked against the length of the file ([`reader`]), so that a hostile file costs no
//!    more memory than a few times its own length.
//! 2. [`tokens`] makes a [`Vocabulary`](super::Vocabulary) from the metadata alone.

mod error;
mod reader;
mod tokens;
mod value;

use std::collections::BTreeMap;
use std::io::{BufReader, Read};

pub use error::GgufError;
use reader::{Reader, check_count, room};
pub(super) use tokens::{byte, read};
pub use value::GgufValue;

/// Limit on the entries of the metadata.
const MAX_ENTRIES: u64 = 1 << 16;

/// Limit on the number of tensors.
const MAX_TENSORS: u64 = 1 << 20;

/// Limit on the dimensions of a tensor.
const MAX_DIMENSIONS: u32 = 4;

/// Default alignment of tensors, in bytes.
const ALIGNMENT: u64 = 32;

/// The shape, element type and offset of a tensor in a GGUF file.
///
/// ```
#[doc = include_str!("gguf/example.md")]
/// assert!(gguf.tensor("output.weight").is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GgufTensor {
    /// The lengths of the dimensions, the contiguous dimension first.
    pub shape: Vec<u64>,
    /// The number of elements.
    pub elements: u64,
    /// The element type, by its number in llama.cpp.
    pub kind: u32,
    /// The offset of the first byte in the file.
    pub start: u64,
}

/// The head of a GGUF file: its metadata, and its tensors' shapes and offsets.
///
/// ```
#[doc = include_str!("gguf/example.md")]
/// assert_eq!(gguf.text("tokenizer.ggml.model"), Some("gpt2"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gguf {
    metadata: BTreeMap<String, GgufValue>,
    tensors: BTreeMap<String, GgufTensor>,
}

impl Gguf {
    /// Reads the head of a file of `len` bytes.
    ///
    /// # Errors
    /// The file is not a GGUF file of version 2 or 3, ends too early, or exceeds a limit.
    ///
    /// ```
    #[doc = include_str!("gguf/example.md")]
    /// assert_eq!(gguf.integer("tokenizer.ggml.eos_token_id"), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(file: impl Read, len: u64) -> Result<Self, GgufError> {
        let mut reader = Reader::new(BufReader::new(file), len);
        let magic = reader.array::<4>("the magic")?;
        if &magic != b"GGUF" {
            return Err(GgufError::Magic { given: String::from_utf8_lossy(&magic).into_owned() });
        }
        let version = reader.u32("the version")?;
        if !(2..=3).contains(&version) {
            return Err(GgufError::Version { given: version });
        }
        let tensors = reader.u64("the number of tensors")?;
        check_count(tensors, MAX_TENSORS, "tensors")?;
        let entries = reader.u64("the number of entries")?;
        check_count(entries, MAX_ENTRIES, "entries of the metadata")?;
        let metadata = metadata(&mut reader, entries)?;
        let tensors = places(&mut reader, tensors, &metadata, len)?;
        Ok(Self { metadata, tensors })
    }

    /// Returns the value of a key of the metadata.
    ///
    /// ```
    #[doc = include_str!("gguf/example.md")]
    /// assert_eq!(gguf.get("general.name"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&GgufValue> {
        self.metadata.get(key)
    }

    /// Returns the value of a key that holds a text.
    ///
    /// ```
    #[doc = include_str!("gguf/example.md")]
    /// assert_eq!(gguf.text("tokenizer.ggml.eos_token_id"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        match self.get(key) {
            Some(GgufValue::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Returns the value of a key that holds a whole number of at least zero.
    ///
    /// ```
    #[doc = include_str!("gguf/example.md")]
    /// assert_eq!(gguf.integer("tokenizer.ggml.eos_token_id"), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn integer(&self, key: &str) -> Option<u64> {
        match self.get(key) {
            Some(&GgufValue::Integer(number)) => u64::try_from(number).ok(),
            _ => None,
        }
    }

    /// Returns the value of a key that holds a number of any kind.
    ///
    /// ```
    #[doc = include_str!("gguf/example.md")]
    /// assert_eq!(gguf.float("tokenizer.ggml.eos_token_id"), Some(2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn float(&self, key: &str) -> Option<f64> {
        match self.get(key) {
            Some(&GgufValue::Float(number)) => Some(number),
            Some(&GgufValue::Integer(number)) => Some(number as f64),
            _ => None,
        }
    }

    /// Returns the value of a key that holds a boolean.
    ///
    /// ```
    #[doc = include_str!("gguf/example.md")]
    /// assert_eq!(gguf.flag("tokenizer.ggml.add_bos_token"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn flag(&self, key: &str) -> Option<bool> {
        match self.get(key) {
            Some(&GgufValue::Bool(flag)) => Some(flag),
            _ => None,
        }
    }

    /// Returns the value of a key that holds a list of texts.
    ///
    /// ```
    #[doc = include_str!("gguf/example.md")]
    /// assert_eq!(gguf.texts("tokenizer.ggml.tokens").map(<[String]>::len), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn texts(&self, key: &str) -> Option<&[String]> {
        match self.get(key) {
            Some(GgufValue::Texts(texts)) => Some(texts),
            _ => None,
        }
    }

    /// Returns the tensor with a name.
    ///
    /// ```
    #[doc = include_str!("gguf/example.md")]
    /// assert_eq!(gguf.tensor("token_embd.weight"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tensor(&self, name: &str) -> Option<&GgufTensor> {
        self.tensors.get(name)
    }
}

fn metadata<R: Read>(reader: &mut Reader<R>, entries: u64) -> Result<BTreeMap<String, GgufValue>, GgufError> {
    let mut metadata = BTreeMap::new();
    for _ in 0..entries {
        let key = reader.text("a key of the metadata")?;
        let value = value::read(reader, &key)?;
        if metadata.contains_key(&key) {
            return Err(GgufError::Duplicate { name: key });
        }
        metadata.insert(key, value);
    }
    Ok(metadata)
}

/// Reads the names, shapes and offsets of the tensors.
fn places<R: Read>(
    reader: &mut Reader<R>,
    count: u64,
    metadata: &BTreeMap<String, GgufValue>,
    len: u64,
) -> Result<BTreeMap<String, GgufTensor>, GgufError> {
    let mut found = Vec::with_capacity(room(count));
    for _ in 0..count {
        let name = reader.text("the name of a tensor")?;
        found.push((name, tensor(reader)?));
    }
    if found.is_empty() {
        return Ok(BTreeMap::new());
    }
    let alignment = alignment(metadata)?;
    let data = reader.at().next_multiple_of(alignment);
    let mut tensors = BTreeMap::new();
    for (name, mut tensor) in found {
        let start = tensor.start.checked_add(data).filter(|start| *start <= len && start.is_multiple_of(alignment));
        tensor.start = start.ok_or_else(|| GgufError::Place { name: name.clone(), given: tensor.start })?;
        if tensors.contains_key(&name) {
            return Err(GgufError::Duplicate { name });
        }
        tensors.insert(name, tensor);
    }
    Ok(tensors)
}

/// Reads one tensor's shape, element type, and offset from the beginning of the tensor data.
fn tensor<R: Read>(reader: &mut Reader<R>) -> Result<GgufTensor, GgufError> {
    let dimensions = reader.u32("a tensor")?;
    check_count(dimensions.into(), MAX_DIMENSIONS.into(), "dimensions of a tensor")?;
    let shape = (0..dimensions).map(|_| reader.u64("a tensor")).collect::<Result<Vec<_>, _>>()?;
    let elements = shape.iter().try_fold(1_u64, |product, &length| product.checked_mul(length));
    let elements = elements.unwrap_or(u64::MAX);
    check_count(elements, 1 << 40, "elements in a tensor")?;
    let (kind, start) = (reader.u32("a tensor")?, reader.u64("a tensor")?);
    Ok(GgufTensor { shape, elements, kind, start })
}

fn alignment(metadata: &BTreeMap<String, GgufValue>) -> Result<u64, GgufError> {
    let given = match metadata.get("general.alignment") {
        Some(&GgufValue::Integer(given)) => u64::try_from(given).unwrap_or(0),
        _ => ALIGNMENT,
    };
    if !given.is_power_of_two() || given > 1 << 20 {
        return Err(GgufError::Alignment { given });
    }
    Ok(given)
}

#[cfg(test)]
mod tests;
