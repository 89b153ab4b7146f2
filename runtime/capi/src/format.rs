//! Formats, from artifacts that `ogc build` has written with their own rows.

use ogc_runtime::artifact::Artifact;

use crate::pointers::{give, slice, take, unique};
use crate::status::{Failure, call, ogc_status};

/// A compiled format, with its masks if the artifact has them.
#[derive(Debug)]
pub struct ogc_format {
    pub(crate) artifact: Artifact,
}

/// Loads an artifact that holds its rows (`ogc build --self-contained`), or has none; the bytes are copied.
///
/// # Safety
///
/// `bytes` points to `len` bytes, `out` to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_format_load(bytes: *const u8, len: usize, out: *mut *mut ogc_format) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (bytes, out) = unsafe { (slice(bytes, len, "bytes")?, unique(out, "out")?) };
        let artifact = Artifact::load(bytes.to_vec()).map_err(|error| Failure::data(&error))?;
        give(ogc_format { artifact }, out);
        Ok(())
    })
}

/// Frees a format.
///
/// # Safety
///
/// `format` is null, or a format that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_format_free(format: *mut ogc_format) {
    // SAFETY: as this function's.
    unsafe { take(format) };
}
