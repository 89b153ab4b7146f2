//! Forced runs of text as tokens of the caller's tokenizer.

use ogc_runtime::vocabulary::TokenId;

use crate::matcher::ogc_matcher;
use crate::pointers::{shared, slice_mut, unique};
use crate::status::{Failure, call, ogc_status};
use crate::tokenizer::ogc_tokenizer;

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
