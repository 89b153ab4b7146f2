//! Tokenizers of callers.

use std::ffi::c_void;

use crate::status::Failure;

/// Makes tokens of a text.
pub(crate) type EncodeText =
    extern "C" fn(user: *mut c_void, text: *const u8, text_len: usize, tokens: *mut u32, room: usize) -> usize;

/// A tokenizer.
#[repr(C)]
#[derive(Debug)]
pub struct ogc_tokenizer {
    /// `sizeof(ogc_tokenizer)`.
    pub struct_size: usize,
    /// Writes the tokens that the model's tokenizer makes of a text in the middle of a sequence, at most `room`, which is as many as the text has
    /// bytes, and returns their number; 0 if it cannot.
    pub encode: Option<
        extern "C" fn(user: *mut c_void, text: *const u8, text_len: usize, tokens: *mut u32, room: usize) -> usize,
    >,
    /// The first argument of `encode`.
    pub user: *mut c_void,
}

impl ogc_tokenizer {
    /// Returns the function; rejects a struct that is too small, or has no function.
    pub(crate) fn checked(&self) -> Result<EncodeText, Failure> {
        if self.struct_size < size_of::<ogc_tokenizer>() {
            return Err(Failure::argument("tokenizer.struct_size is less than sizeof(ogc_tokenizer)"));
        }
        self.encode.ok_or_else(|| Failure::argument("tokenizer.encode is null"))
    }
}
