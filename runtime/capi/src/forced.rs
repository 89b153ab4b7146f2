//! Forced runs as tokens, by the tokenizer of the caller.

use std::ffi::c_void;

use ogc_runtime::vocabulary::TokenId;

use crate::matcher::ogc_matcher;
use crate::pointers::{shared, slice_mut, unique};
use crate::status::{Failure, call, ogc_status};

/// Makes tokens of a text.
pub(crate) type EncodeText =
    extern "C" fn(user: *mut c_void, text: *const u8, text_len: usize, tokens: *mut u32, room: usize) -> usize;

/// A tokenizer.
#[repr(C)]
#[derive(Debug)]
pub struct ogc_tokenizer {
    /// `sizeof(ogc_tokenizer)`.
    pub struct_size: usize,
    /// Writes the tokens that the model's tokenizer makes of a text that goes on, at most `room` of them, which is as many as the text has
    /// bytes, and returns their number; 0 if it cannot.
    pub encode: Option<
        extern "C" fn(user: *mut c_void, text: *const u8, text_len: usize, tokens: *mut u32, room: usize) -> usize,
    >,
    /// Is given to `encode`.
    pub user: *mut c_void,
}

impl ogc_tokenizer {
    /// Returns the function, if the struct is whole.
    pub(crate) fn checked(&self) -> Result<EncodeText, Failure> {
        if self.struct_size < size_of::<ogc_tokenizer>() {
            return Err(Failure::argument("tokenizer.struct_size is less than sizeof(ogc_tokenizer)"));
        }
        self.encode.ok_or_else(|| Failure::argument("tokenizer.encode is null"))
    }
}

/// Writes the tokens that must come next, as far as they are certain, to `tokens`, as many as fit, and their number to `needed`.
/// They can be accepted without asking the model, and read in one pass. The matcher does not move. One with canonical tokens
/// (`ogc_matcher_set_canonical`) asks their tokenizer.
///
/// # Safety
///
/// `matcher` is a matcher, `tokenizer` points to a tokenizer, `tokens` to `len` tokens, `needed` to a size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_forced_tokens(
    matcher: *mut ogc_matcher,
    tokenizer: *const ogc_tokenizer,
    tokens: *mut u32,
    len: usize,
    needed: *mut usize,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (matcher, tokenizer) = unsafe { (unique(matcher, "matcher")?, shared(tokenizer, "tokenizer")?) };
        // SAFETY: as this function's.
        let (tokens, needed) = unsafe { (slice_mut(tokens, len, "tokens")?, unique(needed, "needed")?) };
        let encode = tokenizer.checked()?;
        let mut is_too_many = false;
        let forced = matcher.matcher.forced_tokens(|text| {
            let mut found = vec![0; text.len()];
            let count = encode(tokenizer.user, text.as_ptr(), text.len(), found.as_mut_ptr(), found.len());
            is_too_many |= count > found.len();
            found.truncate(count);
            found.into_iter().map(TokenId).collect()
        });
        if is_too_many {
            return Err(Failure::argument("tokenizer.encode returned more tokens than it has room for"));
        }
        tokens.iter_mut().zip(&forced).for_each(|(to, token)| *to = token.0);
        *needed = forced.len();
        Ok(())
    })
}
