//! Applies masks to logits in host memory.

use ogc_runtime::logits::{LogitFormat, mask_logits};

use crate::pointers::{slice, slice_mut};
use crate::rows::ogc_rows;
use crate::status::{Failure, call, ogc_status};

/// The number format of logits.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_logit_format {
    /// IEEE binary32.
    F32 = 0,
    /// IEEE binary16.
    F16 = 1,
    /// bfloat16.
    BF16 = 2,
}

impl ogc_logit_format {
    /// Reads a number from C; `None` if it is not an `ogc_logit_format`.
    pub(crate) fn read(number: u32) -> Option<LogitFormat> {
        let formats = [(Self::F32, LogitFormat::F32), (Self::F16, LogitFormat::F16), (Self::BF16, LogitFormat::Bf16)];
        formats.into_iter().find(|(code, _)| *code as u32 == number).map(|(_, format)| format)
    }
}

/// Logits in memory of the host: `count` rows, of which row `r` begins at number `r * stride`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_host_logits {
    /// `sizeof(ogc_host_logits)`.
    pub struct_size: usize,
    /// The numbers.
    pub numbers: *mut std::ffi::c_void,
    /// The numbers of a row. Numbers beyond the vocabulary are never allowed.
    pub width: usize,
    /// The distance between the beginnings of two rows, in numbers: at least `width`.
    pub stride: usize,
    /// The number of rows.
    pub count: usize,
    /// An `ogc_logit_format`.
    pub format: u32,
    /// The value written to disallowed logits, rounded to the format; usually `-INFINITY`.
    pub fill: f32,
}

/// Overwrites the logits of disallowed tokens: row `i` of the logits according to row `indices[i]` of the masks, or row `i` if
/// `indices` is null.
///
/// # Safety
///
/// `masks` describes valid memory (see `ogc_rows`) that nobody changes; `logits` has `stride * count` numbers that nobody else uses (the last
/// row may end after its `width`); `indices` is null, or points to `logits.count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_mask_logits(masks: ogc_rows, indices: *const u32, logits: ogc_host_logits) -> ogc_status {
    call(|| {
        if logits.struct_size < size_of::<ogc_host_logits>() {
            return Err(Failure::argument("logits.struct_size is less than sizeof(ogc_host_logits)"));
        }
        let format = ogc_logit_format::read(logits.format);
        let format = format.ok_or_else(|| Failure::argument("logits.format is no ogc_logit_format"))?;
        let room = if indices.is_null() { 0 } else { logits.count };
        // SAFETY: as this function's.
        let indices = unsafe { slice(indices, room, "indices") }?;
        let row = |at: usize| indices.get(at).map_or(at, |&row| row as usize);
        if let Some(at) = (0..logits.count).find(|&at| row(at) >= masks.count) {
            let message = format!("row {} of the masks is asked for, of {}", row(at), masks.count);
            return Err(Failure::argument(&message));
        }
        let masks_len = masks.stride.checked_mul(masks.count);
        let masks_len =
            masks_len.ok_or_else(|| Failure::argument("masks.stride times masks.count is more than memory has"))?;
        // SAFETY: as this function's.
        let words = unsafe { slice(masks.words.cast_const(), masks_len, "masks.words") }?;
        let rows = (0..logits.count).map(|at| &words[row(at) * masks.stride..][..masks.stride]);
        let fill = format.bits(logits.fill);
        match format {
            // SAFETY: as this function's.
            LogitFormat::F32 => unsafe { apply(rows, &logits, f32::from_bits(fill)) },
            // SAFETY: as this function's.
            LogitFormat::F16 | LogitFormat::Bf16 => unsafe { apply(rows, &logits, fill as u16) },
        }
    })
}

/// Applies the rows of masks to logits of the number type `T`.
///
/// # Safety
///
/// As for [`ogc_mask_logits`].
unsafe fn apply<'a, T: Copy>(
    masks: impl Iterator<Item = &'a [u32]>,
    logits: &ogc_host_logits,
    fill: T,
) -> Result<(), Failure> {
    if logits.width > logits.stride {
        return Err(Failure::argument("logits.width is more than logits.stride"));
    }
    if !logits.numbers.cast::<T>().is_aligned() {
        return Err(Failure::argument("logits.numbers is not aligned"));
    }
    let Some(others) = logits.count.checked_sub(1) else { return Ok(()) };
    let len = others.checked_mul(logits.stride).and_then(|numbers| numbers.checked_add(logits.width));
    let len = len.ok_or_else(|| Failure::argument("logits.stride times logits.count is more than memory has"))?;
    // SAFETY: as this function's.
    let numbers = unsafe { slice_mut(logits.numbers.cast::<T>(), len, "logits.numbers") }?;
    if logits.width > 0 {
        numbers
            .chunks_mut(logits.stride)
            .zip(masks)
            .for_each(|(row, mask)| mask_logits(mask, &mut row[..logits.width], fill));
    }
    Ok(())
}
