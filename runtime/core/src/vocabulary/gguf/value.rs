//! The values of GGUF metadata. Read by [`Gguf::read`](super::Gguf::read).

use std::io::Read;

use super::GgufError;
use super::reader::{Reader, check_count, room};

/// Limit on the elements of one array.
const MAX_ELEMENTS: u64 = 1 << 22;

/// A value of GGUF metadata, without the width of numbers.
///
/// ```
#[doc = include_str!("example.md")]
/// use ogc_runtime::vocabulary::GgufValue;
/// assert_eq!(gguf.get("tokenizer.ggml.eos_token_id"), Some(&GgufValue::Integer(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum GgufValue {
    /// A whole number.
    Integer(i128),
    /// A floating-point number.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// A text.
    Text(String),
    /// A list of whole numbers or booleans.
    Integers(Vec<i64>),
    /// A list of floating-point numbers.
    Floats(Vec<f32>),
    /// A list of texts.
    Texts(Vec<String>),
}

/// The type number of texts.
const TEXT: u32 = 8;
/// The type number of arrays.
const ARRAY: u32 = 9;

/// Reads the value of a key: its type, then its content.
pub(super) fn read<R: Read>(reader: &mut Reader<R>, key: &str) -> Result<GgufValue, GgufError> {
    match reader.u32(VALUE)? {
        TEXT => Ok(GgufValue::Text(reader.text(VALUE)?)),
        ARRAY => array(reader, key),
        kind => scalar(reader, key, kind),
    }
}

/// The name of a value in error messages.
const VALUE: &str = "a value of the metadata";

fn scalar<R: Read>(reader: &mut Reader<R>, key: &str, kind: u32) -> Result<GgufValue, GgufError> {
    Ok(match kind {
        6 => GgufValue::Float(f32::from_le_bytes(reader.array(VALUE)?).into()),
        12 => GgufValue::Float(f64::from_le_bytes(reader.array(VALUE)?)),
        7 => GgufValue::Bool(reader.array::<1>(VALUE)? != [0]),
        _ => GgufValue::Integer(integer(reader, key, kind)?),
    })
}

fn integer<R: Read>(reader: &mut Reader<R>, key: &str, kind: u32) -> Result<i128, GgufError> {
    Ok(match kind {
        0 | 7 => u8::from_le_bytes(reader.array(VALUE)?).into(),
        1 => i8::from_le_bytes(reader.array(VALUE)?).into(),
        2 => u16::from_le_bytes(reader.array(VALUE)?).into(),
        3 => i16::from_le_bytes(reader.array(VALUE)?).into(),
        4 => u32::from_le_bytes(reader.array(VALUE)?).into(),
        5 => i32::from_le_bytes(reader.array(VALUE)?).into(),
        10 => u64::from_le_bytes(reader.array(VALUE)?).into(),
        11 => i64::from_le_bytes(reader.array(VALUE)?).into(),
        given => return Err(GgufError::Kind { key: key.to_owned(), given }),
    })
}

/// Returns the least number of bytes that one element of an array takes in the file.
fn least_bytes(key: &str, kind: u32) -> Result<u64, GgufError> {
    Ok(match kind {
        0 | 1 | 7 => 1,
        2 | 3 => 2,
        4..=6 => 4,
        TEXT | 10..=12 => 8,
        given => return Err(GgufError::Kind { key: key.to_owned(), given }),
    })
}

fn array<R: Read>(reader: &mut Reader<R>, key: &str) -> Result<GgufValue, GgufError> {
    let kind = reader.u32(VALUE)?;
    let len = reader.u64(VALUE)?;
    check_count(len, MAX_ELEMENTS, "elements in one array")?;
    reader.check_left(len * least_bytes(key, kind)?, "an array of the metadata")?;
    Ok(match kind {
        TEXT => GgufValue::Texts(collect(len, || reader.text(VALUE))?),
        6 => GgufValue::Floats(collect(len, || reader.array(VALUE).map(f32::from_le_bytes))?),
        12 => GgufValue::Floats(collect(len, || reader.array(VALUE).map(|bytes| f64::from_le_bytes(bytes) as f32))?),
        _ => GgufValue::Integers(collect(len, || integer(reader, key, kind).map(|number| number as i64))?),
    })
}

fn collect<T>(len: u64, mut next: impl FnMut() -> Result<T, GgufError>) -> Result<Vec<T>, GgufError> {
    let mut elements = Vec::with_capacity(room(len));
    for _ in 0..len {
        elements.push(next()?);
    }
    Ok(elements)
}
