//! Many matchers in one call: their tokens, and their masks.

use std::num::NonZeroUsize;

use ogc_runtime::matcher::{Matcher, fill_masks, fill_masks_at};
use ogc_runtime::vocabulary::TokenId;

use crate::matcher::ogc_matcher;
use crate::pointers::{slice, slice_mut, unique};
use crate::rows::ogc_rows;
use crate::status::{Failure, call, ogc_status};

/// Returns the matchers of a list; rejects a matcher that is in the list twice.
///
/// # Safety
///
/// `matchers` points to `count` matchers that no other thread uses.
unsafe fn different<'a>(matchers: *const *mut ogc_matcher, count: usize) -> Result<Vec<&'a mut Matcher>, Failure> {
    // SAFETY: as this function's.
    let pointers = unsafe { slice(matchers, count, "matchers") }?;
    let mut sorted = pointers.to_vec();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Failure::argument("a matcher is in the list twice"));
    }
    // SAFETY: as this function's; no two pointers are the same.
    let matchers = pointers.iter().map(|&pointer| unsafe { unique(pointer, "a matcher") });
    matchers.map(|matcher| Ok(&mut matcher?.matcher)).collect()
}

/// Accepts a token for each of `count` different matchers, and writes each status to `statuses`, unless it is null. All tokens
/// are tried; the returned status is that of the first token not accepted.
///
/// # Safety
///
/// `matchers` points to `count` matchers that no other thread uses; `tokens` and, unless it is null, `statuses` point to `count`
/// elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_accept_tokens(
    matchers: *const *mut ogc_matcher,
    tokens: *const u32,
    statuses: *mut ogc_status,
    count: usize,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (matchers, tokens) = unsafe { (different(matchers, count)?, slice(tokens, count, "tokens")?) };
        let room = if statuses.is_null() { 0 } else { count };
        // SAFETY: as this function's.
        let statuses = unsafe { slice_mut(statuses, room, "statuses") }?;
        let mut refused = None;
        for (at, (matcher, &token)) in matchers.into_iter().zip(tokens).enumerate() {
            let failure = matcher.accept_token(TokenId(token)).err().map(Failure::from);
            if let Some(status) = statuses.get_mut(at) {
                *status = failure.as_ref().map_or(ogc_status::OK, Failure::status);
            }
            refused = refused.or(failure);
        }
        refused.map_or(Ok(()), Err)
    })
}

/// Writes the masks of `count` different matchers, each to the row of its index, on up to `threads` threads (0 counts as 1). Rows
/// whose masks cannot be computed allow nothing, and the status is that of the first of them.
///
/// # Safety
///
/// `matchers` points to `count` matchers that no other thread uses; `rows` describes valid memory (see `ogc_rows`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_fill_masks(
    matchers: *const *mut ogc_matcher,
    count: usize,
    rows: ogc_rows,
    threads: usize,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (mut matchers, mut rows) = unsafe { (different(matchers, count)?, rows.rows()?) };
        if rows.len() < count {
            return Err(Failure::argument("there are fewer rows than matchers"));
        }
        let refused = fill_masks(&mut matchers, &mut rows, NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN));
        refused.first().map_or(Ok(()), |refused| Err(refused.error.into()))
    })
}

/// As `ogc_fill_masks`, but the mask of matcher `i` goes to row `indices[i]`. Rows that are not named are left alone, so that rows of other
/// sequences and of those that have ended stay as they are. `OGC_STATUS_ARGUMENT` if a row is named twice or is not there: nothing is written.
///
/// # Safety
///
/// `matchers` points to `count` matchers that no other thread uses, `indices` to `count` numbers; `rows` describes valid memory (see
/// `ogc_rows`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_fill_masks_at(
    matchers: *const *mut ogc_matcher,
    indices: *const u32,
    count: usize,
    rows: ogc_rows,
    threads: usize,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (mut matchers, mut rows) = unsafe { (different(matchers, count)?, rows.rows()?) };
        // SAFETY: as this function's.
        let indices = unsafe { slice(indices, count, "indices") }?;
        let indices: Vec<usize> = indices.iter().map(|&row| row as usize).collect();
        let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
        let refused = fill_masks_at(&mut matchers, &indices, &mut rows, threads);
        let refused = refused.map_err(|error| Failure::argument(&error.to_string()))?;
        refused.first().map_or(Ok(()), |refused| Err(refused.error.into()))
    })
}
