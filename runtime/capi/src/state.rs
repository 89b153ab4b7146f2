//! Saves matchers, and restores them, also in other processes.

use ogc_runtime::matcher::{MatchError, RestoreError};

use crate::matcher::{ogc_matcher, write};
use crate::pointers::{shared, slice, unique};
use crate::status::{Failure, call, ogc_status};

/// Writes the state of a matcher, with its options, to `bytes`, as much as fits, and its size to `needed`: four bytes for each token,
/// and the bytes of texts. [`ogc_matcher_restore`] continues from there, in another process too.
///
/// # Safety
///
/// `matcher` is a matcher, `bytes` points to `len` bytes, `needed` to a size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_save(
    matcher: *const ogc_matcher,
    bytes: *mut u8,
    len: usize,
    needed: *mut usize,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let matcher = unsafe { shared(matcher, "matcher") }?;
        // SAFETY: as this function's.
        unsafe { write(&matcher.matcher.save(), bytes, len, needed) }
    })
}

/// Restores a saved state: from there on the matcher gives the same results, and as many tokens can be rolled back. The saved options
/// replace those of the matcher. Its text is read again, which takes as long as accepting it took.
///
/// The matcher must be of a format of the same content and of the same vocabulary. `OGC_STATUS_DATA` if the bytes are no saved state, were
/// altered, or are of another format or vocabulary; nothing has changed then.
///
/// # Safety
///
/// `matcher` is a matcher, `bytes` points to `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_restore(matcher: *mut ogc_matcher, bytes: *const u8, len: usize) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (matcher, bytes) = unsafe { (unique(matcher, "matcher")?, slice(bytes, len, "bytes")?) };
        Ok(matcher.matcher.restore(bytes)?)
    })
}

impl From<RestoreError> for Failure {
    fn from(error: RestoreError) -> Self {
        match error {
            RestoreError::Refused { error: error @ MatchError::Limit { .. }, .. } => error.into(),
            other => Failure::data(&other),
        }
    }
}
