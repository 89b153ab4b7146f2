//! Masks as rows of a buffer: the mask of one matcher, and the masks along a draft.

use ogc_runtime::matcher::{DraftNode, MaskRows};

use crate::matcher::{ogc_matcher, tokens};
use crate::pointers::{slice, slice_mut, unique};
use crate::status::{Failure, call, ogc_status};

/// A buffer of masks: `count` rows, of which row `r` begins at word `r * stride`; token `t` is bit `t % 32` of word `t / 32` of a row.
/// Every word of a row is overwritten; those beyond the vocabulary are cleared.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_rows {
    /// The words.
    pub words: *mut u32,
    /// The distance between the beginnings of two rows, in words.
    pub stride: usize,
    /// The number of rows.
    pub count: usize,
}

impl ogc_rows {
    /// Returns the rows.
    ///
    /// # Safety
    ///
    /// `words` points to `stride * count` words that nobody else uses.
    pub(crate) unsafe fn rows<'a>(&self) -> Result<MaskRows<'a>, Failure> {
        let len = self.stride.checked_mul(self.count);
        let len = len.ok_or_else(|| Failure::argument("rows.stride times rows.count is more than memory has"))?;
        // SAFETY: as this function's.
        let words = unsafe { slice_mut(self.words, len, "rows.words") }?;
        MaskRows::new(words, self.stride).ok_or_else(|| Failure::argument("rows.stride is 0"))
    }
}

/// Writes the mask of a matcher to `len` words.
///
/// # Safety
///
/// `matcher` is a matcher, `words` points to `len` words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_fill_mask(matcher: *mut ogc_matcher, words: *mut u32, len: usize) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (matcher, words) = unsafe { (unique(matcher, "matcher")?, slice_mut(words, len, "words")?) };
        Ok(matcher.matcher.fill_mask(words)?)
    })
}

/// Writes the masks along a draft: row 0 is the current mask, row `i + 1` the mask after token `i` and its predecessors. Rows after a
/// disallowed token allow nothing. With `parents`, the draft is a tree: the parent of each token is the index of its predecessor,
/// which is less than its own, or -1; without, each token follows the previous one. Writes to `allowed` whether each token is allowed.
/// The matcher does not move.
///
/// # Safety
///
/// `matcher` is a matcher; `draft`, `allowed` and, unless it is null, `parents` point to `len` elements; `rows` describes valid memory (see
/// `ogc_rows`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_matcher_fill_draft(
    matcher: *mut ogc_matcher,
    draft: *const u32,
    parents: *const i32,
    len: usize,
    rows: ogc_rows,
    allowed: *mut bool,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (matcher, draft) = unsafe { (unique(matcher, "matcher")?, slice(draft, len, "draft")?) };
        // SAFETY: as this function's.
        let (mut rows, allowed) = unsafe { (rows.rows()?, slice_mut(allowed, len, "allowed")?) };
        // SAFETY: as this function's.
        let parents = if parents.is_null() { None } else { Some(unsafe { slice(parents, len, "parents") }?) };
        let node = |(at, token): (usize, _)| DraftNode {
            token,
            parent: match parents {
                Some(parents) => usize::try_from(parents[at]).ok(),
                None => at.checked_sub(1),
            },
        };
        let nodes: Vec<DraftNode> = tokens(draft).into_iter().enumerate().map(node).collect();
        allowed.copy_from_slice(&matcher.matcher.fill_draft_tree(&nodes, &mut rows)?);
        Ok(())
    })
}
