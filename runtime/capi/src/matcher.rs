//! Matchers, one for each sequence.

use std::sync::Arc;

use ogc_runtime::automaton::TokenPolicy;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

use crate::canonical::ogc_canonical;
use crate::format::ogc_format;
use crate::pointers::{give, optional_slice, shared, slice, slice_mut, take, unique};
use crate::status::{Failure, call, ogc_status};
use crate::vocabulary::ogc_vocabulary;

/// The state of one sequence in a format.
#[derive(Debug)]
pub struct ogc_matcher {
    pub(crate) matcher: Matcher,
}

/// Options of a matcher.
#[repr(C)]
#[derive(Debug)]
pub struct ogc_options {
    /// `sizeof(ogc_options)`.
    pub struct_size: usize,
    /// Cap on the tokens that may be written, not counting stop tokens; 0 for none. The text is never cut off: tokens after which it
    /// could not be completed are withheld.
    pub max_tokens: u32,
    /// The minimum number of tokens that can be rolled back; 0 for all. A small number bounds the memory of long texts.
    pub rollback_window: usize,
    /// The tokens that end the text in place of the vocabulary's end tokens; null for the vocabulary's.
    pub stop_tokens: *const u32,
    /// The number of these tokens; 0 for null.
    pub stop_tokens_len: usize,
    /// The canonical tokens (`ogc_canonical_new`, `ogc_llama_canonical`) for the parts that the format determines: see
    /// `ogc_matcher_set_canonical`. Not used if the format's own policy is `tokens = "any"`; null for any tokens.
    pub canonical: *const ogc_canonical,
}

/// Makes a matcher at the beginning of a format; `options` may be null.
///
/// # Safety
///
/// `format` is a format, `vocabulary` a vocabulary, `options` is null or points to options with valid pointers, `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_new(
    format: *const ogc_format,
    vocabulary: *const ogc_vocabulary,
    options: *const ogc_options,
    out: *mut *mut ogc_matcher,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (format, vocabulary) = unsafe { (shared(format, "format")?, shared(vocabulary, "vocabulary")?) };
        // SAFETY: as this function's.
        let (out, options) = unsafe { (unique(out, "out")?, options.as_ref()) };
        // SAFETY: as this function's.
        let matcher = unsafe { matcher_of(format, vocabulary, options) }?;
        give(ogc_matcher { matcher }, out);
        Ok(())
    })
}

/// Makes a matcher at the beginning of a format.
///
/// # Safety
///
/// The pointers of the options are valid.
pub(crate) unsafe fn matcher_of(
    format: &ogc_format,
    vocabulary: &ogc_vocabulary,
    options: Option<&ogc_options>,
) -> Result<Matcher, Failure> {
    let store = Arc::clone(&vocabulary.store);
    let mut matcher = format.artifact.matcher(store).map_err(|error| Failure::data(&error))?;
    matcher.set_stop_tokens(vocabulary.ends.as_deref());
    if let Some(options) = options {
        // SAFETY: as this function's.
        unsafe { apply(options, &mut matcher) }?;
    }
    Ok(matcher)
}

/// Applies options.
///
/// # Safety
///
/// `stop_tokens` and `canonical` are valid pointers.
unsafe fn apply(options: &ogc_options, matcher: &mut Matcher) -> Result<(), Failure> {
    if options.struct_size < size_of::<ogc_options>() {
        return Err(Failure::argument("options.struct_size is less than sizeof(ogc_options)"));
    }
    // SAFETY: as this function's.
    let stops = unsafe { optional_slice(options.stop_tokens, options.stop_tokens_len, "options.stop_tokens") }?;
    if let Some(stops) = stops {
        matcher.set_stop_tokens(Some(&tokens(stops)));
    }
    // SAFETY: as this function's.
    let canonical = unsafe { options.canonical.as_ref() };
    if let Some(canonical) = canonical.filter(|_| matcher.automaton().token_policy != Some(TokenPolicy::Any)) {
        matcher.set_canonical_tokens(Some(Arc::clone(&canonical.tokens)))?;
    }
    matcher.set_rollback_window(Some(options.rollback_window).filter(|&window| window > 0));
    if options.max_tokens > 0 {
        matcher.set_budget(Some(options.max_tokens))?;
    }
    Ok(())
}

pub(crate) fn tokens(ids: &[u32]) -> Vec<TokenId> {
    ids.iter().copied().map(TokenId).collect()
}

/// Runs `act` on a matcher.
///
/// # Safety
///
/// `matcher` is null, or a matcher that no other thread uses.
unsafe fn with(matcher: *mut ogc_matcher, act: impl FnOnce(&mut Matcher) -> Result<(), Failure>) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let matcher = unsafe { unique(matcher, "matcher") }?;
        act(&mut matcher.matcher)
    })
}

/// Makes a second matcher in the same state, independent from now on.
///
/// # Safety
///
/// `matcher` is a matcher, `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_fork(matcher: *const ogc_matcher, out: *mut *mut ogc_matcher) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (matcher, out) = unsafe { (shared(matcher, "matcher")?, unique(out, "out")?) };
        give(ogc_matcher { matcher: matcher.matcher.fork() }, out);
        Ok(())
    })
}

/// Frees a matcher.
///
/// # Safety
///
/// `matcher` is null, or a matcher that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_free(matcher: *mut ogc_matcher) {
    // SAFETY: as this function's.
    unsafe { take(matcher) };
}

/// Accepts a token: `OGC_STATUS_NOT_ALLOWED` if the format does not allow it.
///
/// # Safety
///
/// `matcher` is a matcher.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_accept_token(matcher: *mut ogc_matcher, token: u32) -> ogc_status {
    // SAFETY: as this function's.
    unsafe { with(matcher, |matcher| Ok(matcher.accept_token(TokenId(token))?)) }
}

/// Accepts text, completely or not at all; it counts as one token.
///
/// # Safety
///
/// `matcher` is a matcher, `bytes` points to `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_accept_bytes(
    matcher: *mut ogc_matcher,
    bytes: *const u8,
    len: usize,
) -> ogc_status {
    let accept = |matcher: &mut Matcher| {
        // SAFETY: as this function's.
        let bytes = unsafe { slice(bytes, len, "bytes") }?;
        Ok(matcher.accept_bytes(bytes)?)
    };
    // SAFETY: as this function's.
    unsafe { with(matcher, accept) }
}

/// Rolls back the last `tokens` accepted tokens.
///
/// # Safety
///
/// `matcher` is a matcher.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_rollback(matcher: *mut ogc_matcher, tokens: usize) -> ogc_status {
    // SAFETY: as this function's.
    unsafe { with(matcher, |matcher| Ok(matcher.rollback(tokens)?)) }
}

/// Rolls back to the beginning.
///
/// # Safety
///
/// `matcher` is a matcher.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_reset(matcher: *mut ogc_matcher) -> ogc_status {
    let reset = |matcher: &mut Matcher| {
        matcher.reset();
        Ok(())
    };
    // SAFETY: as this function's.
    unsafe { with(matcher, reset) }
}

/// Writes whether a token may come next, without copying a mask.
///
/// # Safety
///
/// `matcher` is a matcher, `allowed` points to a bool.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_allows(matcher: *mut ogc_matcher, token: u32, allowed: *mut bool) -> ogc_status {
    let ask = |matcher: &mut Matcher| {
        // SAFETY: as this function's.
        let allowed = unsafe { unique(allowed, "allowed") }?;
        *allowed = matcher.allows(TokenId(token))?;
        Ok(())
    };
    // SAFETY: as this function's.
    unsafe { with(matcher, ask) }
}

/// Bounds the tokens that may still be written from here on, stop tokens not counted; 0 lifts the bound. `OGC_STATUS_BUDGET` if no completion
/// that fits is known: nothing has changed. For texts whose format begins later than the matcher was made, such as behind reasoning.
///
/// # Safety
///
/// `matcher` is a matcher.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_set_budget(matcher: *mut ogc_matcher, max_tokens: u32) -> ogc_status {
    // SAFETY: as this function's.
    unsafe { with(matcher, |matcher| Ok(matcher.set_budget((max_tokens > 0).then_some(max_tokens))?)) }
}

/// Writes the fewest tokens that `ogc_matcher_set_budget` takes here, stop tokens not counted: 0 where the text may end, `UINT32_MAX` where
/// no completion is known.
///
/// # Safety
///
/// `matcher` is a matcher, `tokens` points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_least_budget(matcher: *mut ogc_matcher, tokens: *mut u32) -> ogc_status {
    let ask = |matcher: &mut Matcher| {
        // SAFETY: as this function's.
        let tokens = unsafe { unique(tokens, "tokens") }?;
        *tokens = matcher.least_budget().unwrap_or(u32::MAX);
        Ok(())
    };
    // SAFETY: as this function's.
    unsafe { with(matcher, ask) }
}

/// Writes how many tokens of the draft could be accepted one after another. The matcher does not move.
///
/// # Safety
///
/// `matcher` is a matcher, `draft` points to `count` tokens, `accepted` to a size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_validate(
    matcher: *mut ogc_matcher,
    draft: *const u32,
    count: usize,
    accepted: *mut usize,
) -> ogc_status {
    let ask = |matcher: &mut Matcher| {
        // SAFETY: as this function's.
        let (draft, accepted) = unsafe { (slice(draft, count, "draft")?, unique(accepted, "accepted")?) };
        *accepted = matcher.validate_tokens(&tokens(draft));
        Ok(())
    };
    // SAFETY: as this function's.
    unsafe { with(matcher, ask) }
}

/// Computes the masks that the first steps will need, so that no step waits for them. They are cached for all matchers of the format and the
/// vocabulary: call it once for each such pair, after compiling a format. The matcher does not move.
///
/// # Safety
///
/// `matcher` is a matcher.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_warm_up(matcher: *mut ogc_matcher) -> ogc_status {
    let warm_up = |matcher: &mut Matcher| {
        matcher.warm_up();
        Ok(())
    };
    // SAFETY: as this function's.
    unsafe { with(matcher, warm_up) }
}

/// Returns the number of accepted tokens; 0 for null.
///
/// # Safety
///
/// `matcher` is null or a matcher.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_len(matcher: *const ogc_matcher) -> usize {
    // SAFETY: as this function's.
    unsafe { matcher.as_ref() }.map_or(0, |matcher| matcher.matcher.len())
}

/// Returns whether the text may end here; false for null.
///
/// # Safety
///
/// `matcher` is null or a matcher.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_is_complete(matcher: *const ogc_matcher) -> bool {
    // SAFETY: as this function's.
    unsafe { matcher.as_ref() }.is_some_and(|matcher| matcher.matcher.is_complete())
}

/// Returns whether a stop token was accepted; false for null.
///
/// # Safety
///
/// `matcher` is null or a matcher.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_is_ended(matcher: *const ogc_matcher) -> bool {
    // SAFETY: as this function's.
    unsafe { matcher.as_ref() }.is_some_and(|matcher| matcher.matcher.is_terminated())
}

/// Writes the bytes that must come next to `bytes`, as many as fit, and their total number to `needed`.
///
/// # Safety
///
/// `matcher` is a matcher, `bytes` points to `len` bytes, `needed` to a size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_forced_bytes(
    matcher: *mut ogc_matcher,
    bytes: *mut u8,
    len: usize,
    needed: *mut usize,
) -> ogc_status {
    let ask = |matcher: &mut Matcher| {
        // SAFETY: as this function's.
        unsafe { write(&matcher.forced_bytes(), bytes, len, needed) }
    };
    // SAFETY: as this function's.
    unsafe { with(matcher, ask) }
}

/// Writes why a token may come next or not, as one line of UTF-8 without a zero, to `text`, as much as fits, and its length to `needed`.
///
/// # Safety
///
/// `matcher` is a matcher, `text` points to `len` bytes, `needed` to a size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_explain(
    matcher: *mut ogc_matcher,
    token: u32,
    text: *mut u8,
    len: usize,
    needed: *mut usize,
) -> ogc_status {
    let ask = |matcher: &mut Matcher| {
        let line = format!("token {token} is {}", matcher.explain(TokenId(token)));
        // SAFETY: as this function's.
        unsafe { write(line.as_bytes(), text, len, needed) }
    };
    // SAFETY: as this function's.
    unsafe { with(matcher, ask) }
}

/// Writes as many bytes as fit to `to`, and the number of all bytes to `needed`.
///
/// # Safety
///
/// `to` points to `len` bytes, `needed` to a size.
pub(crate) unsafe fn write(bytes: &[u8], to: *mut u8, len: usize, needed: *mut usize) -> Result<(), Failure> {
    // SAFETY: as this function's.
    let (to, needed) = unsafe { (slice_mut(to, len, "the buffer")?, unique(needed, "needed")?) };
    let fits = bytes.len().min(to.len());
    to[..fits].copy_from_slice(&bytes[..fits]);
    *needed = bytes.len();
    Ok(())
}

/// Allows only canonical tokens where the format determines the bytes that come next (keys, punctuation, constants): those that the tokenizer
/// writes for these bytes followed by some text. Texts then take fewer tokens, and more of them are forced (`ogc_matcher_forced_tokens`, or
/// masks with one token). If budgets or stop tokens exclude all canonical tokens, the other tokens are allowed. Null allows all tokens again.
///
/// # Safety
///
/// `matcher` is a matcher that no other thread uses, `canonical` is null or canonical tokens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_set_canonical(
    matcher: *mut ogc_matcher,
    canonical: *const ogc_canonical,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (matcher, canonical) = unsafe { (unique(matcher, "matcher")?, canonical.as_ref()) };
        matcher.matcher.set_canonical_tokens(canonical.map(|canonical| Arc::clone(&canonical.tokens)))?;
        Ok(())
    })
}
