//! Writes safetensors files: the length of a head, the head, which is JSON, and the numbers of the tensors.

use serde_json::{Map, Value, json};

/// The kinds of numbers of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// 32 bits.
    F32,
    /// The 16 bits of IEEE 754.
    F16,
    /// The upper 16 bits of 32.
    BF16,
}

impl Numbers {
    /// Returns the kind's name in the file.
    fn name(self) -> &'static str {
        match self {
            Self::F32 => "F32",
            Self::F16 => "F16",
            Self::BF16 => "BF16",
        }
    }

    /// Returns a number rounded to the kind.
    #[must_use]
    pub fn rounded(self, number: f32) -> f32 {
        match self {
            Self::F32 => number,
            Self::F16 => half::f16::from_f32(number).to_f32(),
            Self::BF16 => half::bf16::from_f32(number).to_f32(),
        }
    }

    /// Returns a number's bytes, rounded to the kind.
    fn bytes(self, number: f32) -> Vec<u8> {
        match self {
            Self::F32 => number.to_le_bytes().to_vec(),
            Self::F16 => half::f16::from_f32(number).to_le_bytes().to_vec(),
            Self::BF16 => half::bf16::from_f32(number).to_le_bytes().to_vec(),
        }
    }
}

/// Writes a file of tensors, one after the other; each is a name, a shape and numbers.
///
/// ```
/// use ogc_kit::safetensors::{Numbers, write};
/// let file = write(Numbers::F32, [("weight", &[2][..], &[0.5, 1.0][..])]);
/// assert_eq!(file[file.len() - 4..], 1_f32.to_le_bytes());
/// ```
#[must_use]
pub fn write<'t>(numbers: Numbers, tensors: impl IntoIterator<Item = (&'t str, &'t [usize], &'t [f32])>) -> Vec<u8> {
    let (mut head, mut data) = (Map::new(), Vec::new());
    for (name, shape, values) in tensors {
        let start = data.len();
        data.extend(values.iter().flat_map(|value| numbers.bytes(*value)));
        let entry = json!({"dtype": numbers.name(), "shape": shape, "data_offsets": [start, data.len()]});
        head.insert(name.to_owned(), entry);
    }
    let mut head = Value::Object(head).to_string().into_bytes();
    // The numbers begin at a multiple of 8.
    head.resize(head.len().next_multiple_of(8), b' ');
    [(head.len() as u64).to_le_bytes().as_slice(), &head, &data].concat()
}
