//! Writes GGUF files (version 3): a head, metadata, a table of tensors, and their bytes, each at a multiple of 32.

use crate::blocks::GgmlType;

/// The alignment of tensors, in bytes.
const ALIGNMENT: usize = 32;

/// A value of the metadata.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number without a sign.
    U32(u32),
    /// A number with a sign.
    I32(i32),
    /// A number in floating point.
    F32(f32),
    /// A truth value.
    Bool(bool),
    /// A text.
    String(String),
    /// Values of one kind.
    Array(Vec<Value>),
}

impl Value {
    /// Returns the number of the value's kind in files.
    fn kind(&self) -> u32 {
        match self {
            Self::U32(_) => 4,
            Self::I32(_) => 5,
            Self::F32(_) => 6,
            Self::Bool(_) => 7,
            Self::String(_) => 8,
            Self::Array(_) => 9,
        }
    }

    fn write(&self, file: &mut Vec<u8>) {
        match self {
            Self::U32(number) => file.extend(number.to_le_bytes()),
            Self::I32(number) => file.extend(number.to_le_bytes()),
            Self::F32(number) => file.extend(number.to_le_bytes()),
            Self::Bool(holds) => file.push((*holds).into()),
            Self::String(text) => write_text(file, text),
            Self::Array(values) => {
                // An empty array may be of any kind.
                let kind = values.first().map_or(Self::U32(0).kind(), Self::kind);
                assert!(values.iter().all(|value| value.kind() == kind), "values of one kind");
                file.extend(kind.to_le_bytes());
                file.extend((values.len() as u64).to_le_bytes());
                values.iter().for_each(|value| value.write(file));
            }
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

/// A tensor: its rows are blocks of one type.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// The name.
    pub name: String,
    /// The number of rows and the number of columns, or the number of columns alone.
    pub shape: Vec<usize>,
    /// The type of the blocks.
    pub ggml_type: GgmlType,
    /// The blocks.
    pub bytes: Vec<u8>,
}

impl Tensor {
    /// Writes numbers as blocks.
    ///
    /// # Panics
    /// The type cannot be written ([`GgmlType::write`]), or the number of numbers is not that of the shape.
    #[must_use]
    pub fn new(name: String, shape: &[usize], ggml_type: GgmlType, numbers: &[f32]) -> Self {
        assert_eq!(shape.iter().product::<usize>(), numbers.len(), "the numbers of {name}");
        Self { name, shape: shape.to_vec(), ggml_type, bytes: ggml_type.write(numbers) }
    }
}

/// Writes a file.
///
/// # Panics
/// An array of the metadata has values of several kinds.
///
/// ```
/// let file = ogc_kit::gguf::write(&[("general.architecture", "llama".into())], &[]);
/// assert!(file.starts_with(b"GGUF"));
/// ```
#[must_use]
pub fn write(metadata: &[(&str, Value)], tensors: &[Tensor]) -> Vec<u8> {
    let mut file = b"GGUF".to_vec();
    file.extend(3_u32.to_le_bytes());
    file.extend((tensors.len() as u64).to_le_bytes());
    file.extend((metadata.len() as u64).to_le_bytes());
    for (key, value) in metadata {
        write_text(&mut file, key);
        file.extend(value.kind().to_le_bytes());
        value.write(&mut file);
    }
    let mut offset = 0;
    for tensor in tensors {
        write_text(&mut file, &tensor.name);
        file.extend((tensor.shape.len() as u32).to_le_bytes());
        // The columns come first.
        tensor.shape.iter().rev().for_each(|len| file.extend((*len as u64).to_le_bytes()));
        file.extend(tensor.ggml_type.number().to_le_bytes());
        file.extend((offset as u64).to_le_bytes());
        offset += tensor.bytes.len().next_multiple_of(ALIGNMENT);
    }
    file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
    for tensor in tensors {
        file.extend(&tensor.bytes);
        file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
    }
    file
}

/// Writes the length of a text, then the text.
fn write_text(file: &mut Vec<u8>, text: &str) {
    file.extend((text.len() as u64).to_le_bytes());
    file.extend(text.as_bytes());
}
