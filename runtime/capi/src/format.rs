//! Formats from self-contained artifacts, which `ogc build` has written with their own rows.

use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::Arc;

use ogc_runtime::artifact::Artifact;
use ogc_runtime::automaton::TokenPolicy;
use ogc_runtime::mask::{MaskPack, PackLimits};

use crate::pointers::{give, shared, slice, take, unique};
use crate::status::{Failure, call, ogc_status};
#[cfg(feature = "compiler")]
use crate::text::c_text;
use crate::vocabulary::ogc_vocabulary;

/// The token policy of a format.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_tokens {
    /// The format has no policy.
    UNSAID = 0,
    /// Canonical tokens only: those that the model's tokenizer writes (`tokens = "canonical"`).
    CANONICAL = 1,
    /// Any tokens that spell the same bytes (`tokens = "any"`).
    ANY = 2,
}

/// A compiled format, with its masks if the artifact has them.
#[derive(Debug)]
pub struct ogc_format {
    pub(crate) artifact: Artifact,
    /// Warnings of the compiler, one a line; empty for artifacts, whose warnings are not known.
    warnings: CString,
}

impl ogc_format {
    /// Makes a format of an artifact that was compiled elsewhere.
    pub(crate) fn new(artifact: Artifact) -> Self {
        Self { artifact, warnings: CString::default() }
    }

    /// Makes a format that was compiled here, with warnings.
    #[cfg(feature = "compiler")]
    pub(crate) fn compiled(artifact: Artifact, warnings: &str) -> Self {
        Self { artifact, warnings: c_text(warnings, "\\0") }
    }
}

/// Loads an artifact that holds its own mask rows (`ogc build --self-contained`), or has none; the bytes are copied.
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
        give(ogc_format::new(artifact), out);
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

/// Returns the token policy of a format; `OGC_TOKENS_UNSAID` for null.
///
/// # Safety
///
/// `format` is null or a format.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_format_tokens(format: *const ogc_format) -> ogc_tokens {
    // SAFETY: as this function's.
    let format = unsafe { format.as_ref() };
    match format.and_then(|format| format.artifact.format().automaton.token_policy) {
        None => ogc_tokens::UNSAID,
        Some(TokenPolicy::Canonical) => ogc_tokens::CANONICAL,
        Some(TokenPolicy::Any) => ogc_tokens::ANY,
    }
}

/// Makes the masks of a format for a vocabulary ahead of time, as `ogc build` does, and writes a format that has them to `out`; the given one
/// stays as it is. Devices need them (`ogc_slots_add_format`), and matchers look them up instead of making them. It takes a few milliseconds
/// to some seconds on `threads` threads, at most as many as there are processors; 0 for as many. What is beyond the limits of `ogc build` is left to matchers, and to the host.
///
/// # Safety
///
/// `format` is a format, `vocabulary` a vocabulary, `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_format_build_masks(
    format: *const ogc_format,
    vocabulary: *const ogc_vocabulary,
    threads: u32,
    out: *mut *mut ogc_format,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (format, vocabulary) = unsafe { (shared(format, "format")?, shared(vocabulary, "vocabulary")?) };
        // SAFETY: as this function's.
        let out = unsafe { unique(out, "out") }?;
        let mut limits = PackLimits::default();
        if threads > 0 {
            limits.threads = limits.threads.min(threads as usize);
        }
        let masks = MaskPack::build(&format.artifact.format().automaton, &vocabulary.store, &limits, |_, _| {});
        let masks = Arc::new(masks.map_err(|error| Failure::data(&error))?);
        let artifact = format.artifact.with_masks(masks).map_err(|error| Failure::data(&error))?;
        give(ogc_format { artifact, warnings: format.warnings.clone() }, out);
        Ok(())
    })
}

/// Returns the compiler's warnings about the source of a format made by `ogc_format_compile`: one per line with its position, like errors, and with
/// `warning` or `note` before its sentence. Zero-terminated UTF-8, valid as long as the format; empty without warnings and for artifacts. Null for
/// null.
///
/// # Safety
///
/// `format` is null or a format.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_format_warnings(format: *const ogc_format) -> *const c_char {
    // SAFETY: as this function's.
    unsafe { format.as_ref() }.map_or(ptr::null(), |format| format.warnings.as_ptr())
}
