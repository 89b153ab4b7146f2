//! Masks logits in the memory of an NVIDIA device, on a stream of the caller. Only libraries with the feature `cuda` have it; the driver is looked
//! for when a device is opened.

use std::ffi::{CString, c_char, c_void};

use ogc_cuda::{CudaError, Device, DeviceInfo, Logits, Masking, Masks, RawStream, RowMap};

use crate::logits::ogc_logit_format;
use crate::pointers::{give, shared, take, unique};
use crate::status::{Failure, call, ogc_status};
use crate::text::c_text;

/// An NVIDIA device with the kernels loaded. It shares the context that other libraries use on the device (the primary one).
///
/// Any number of threads may use it at once; whichever context a thread has is current again after each call.
#[derive(Debug)]
pub struct ogc_device {
    pub(crate) device: Device,
    name: CString,
    kernels: CString,
}

/// The name of a device, its abilities, and the kernels that were loaded on it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_device_facts {
    /// `sizeof(ogc_device_facts)`.
    pub struct_size: usize,
    /// Its name, which lives as long as the device.
    pub name: *const c_char,
    /// What was loaded on it, in words: code, or PTX that the driver compiled. It lives as long as the device.
    pub kernels: *const c_char,
    /// Its compute capability, the part before the point.
    pub capability_major: u32,
    /// The part after it.
    pub capability_minor: u32,
    /// The version of CUDA that the driver supports, the part before the point.
    pub driver_major: u32,
    /// The part after it.
    pub driver_minor: u32,
}

/// Logits and what masks them, by addresses in device memory. Row `r` of the logits begins at number `r * logits_stride`, row `m` of the
/// masks at word `m * mask_stride`; token `t` is allowed if bit `t % 32` of word `t / 32` of its mask is set, as `ogc_fill_masks` writes them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_masking {
    /// `sizeof(ogc_masking)`.
    pub struct_size: usize,
    /// Where the first logit lies, a multiple of its bytes.
    pub logits: u64,
    /// The number of logits in that memory, from there on.
    pub logits_len: u64,
    /// The number of logits from the beginning of a row to that of the next.
    pub logits_stride: u64,
    /// An `ogc_logit_format`.
    pub format: u32,
    /// The number of rows that are masked.
    pub rows: u32,
    /// The number of logits of a row; those beyond the vocabulary are never allowed.
    pub width: u32,
    /// The number of tokens, for each of which a mask has a bit.
    pub vocabulary: u32,
    /// Where the first word of the masks lies, a multiple of 4.
    pub masks: u64,
    /// The number of words of 32 bits in that memory, from there on.
    pub masks_len: u64,
    /// The number of words from the beginning of a row to that of the next.
    pub mask_stride: u64,
    /// Where the row map lies, a multiple of 4: the number of a mask row, of 32 bits with a sign, for each row of logits; a row whose
    /// number is negative is not masked. 0 if row `r` is masked by mask row `r`.
    pub row_map: u64,
    /// The number of entries of the row map.
    pub row_map_len: u64,
}

impl From<CudaError> for Failure {
    fn from(error: CudaError) -> Self {
        Self::device(&error)
    }
}

/// Opens the device of a number, from 0 on, and loads the kernels. The status is `OGC_STATUS_DEVICE` if there is no driver, no such
/// device, or one of them is too old; `ogc_last_error` says which.
///
/// # Safety
///
/// `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_device_open(number: u32, out: *mut *mut ogc_device) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let out = unsafe { unique(out, "out") }?;
        let device = Device::open(number)?;
        let (name, kernels) = (c_text(&device.info().name, " "), c_text(&device.info().kernels.to_string(), " "));
        give(ogc_device { device, name, kernels }, out);
        Ok(())
    })
}

/// Frees a device, which unloads its kernels.
///
/// # Safety
///
/// `device` is null, or a device that is not used again; no launch on it is under way, and no graph that captured one is launched again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_device_free(device: *mut ogc_device) {
    // SAFETY: as this function's.
    unsafe { take(device) };
}

/// Writes what there is to say about a device to `facts`, whose `struct_size` says how large it is.
///
/// # Safety
///
/// `device` is a device, `facts` points to facts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_device_info(device: *const ogc_device, facts: *mut ogc_device_facts) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (device, facts) = unsafe { (shared(device, "device")?, unique(facts, "facts")?) };
        if facts.struct_size < size_of::<ogc_device_facts>() {
            return Err(Failure::argument("facts.struct_size is less than sizeof(ogc_device_facts)"));
        }
        let DeviceInfo { capability, driver, .. } = device.device.info();
        *facts = ogc_device_facts {
            struct_size: facts.struct_size,
            name: device.name.as_ptr(),
            kernels: device.kernels.as_ptr(),
            capability_major: capability.0,
            capability_minor: capability.1,
            driver_major: driver.major,
            driver_minor: driver.minor,
        };
        Ok(())
    })
}

/// Masks logits where they are: launches a kernel on a stream, a `CUstream` or `cudaStream_t`, and does not wait for it; null is the
/// default stream. Nothing is allocated or copied, so that it can be captured in a graph, which then has these addresses and sizes.
///
/// What is stated is checked first: the status is `OGC_STATUS_ARGUMENT` if rows overlap, do not fit the memory, are not aligned, or
/// if the logits share memory with what is read. `OGC_STATUS_DEVICE` says that the driver did not launch the kernel, or that
/// earlier work failed.
///
/// # Safety
///
/// `device` is a device, `masking` points to a masking, whose addresses are of memory that kernels on the device can reach, as long as
/// stated; masks and row map are written, and the row map names only rows that the masks have. Until the kernel has ended, that
/// memory stays, nobody else writes it, and nobody else reads the logits. The stream is one of the device's primary context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_device_apply(
    device: *const ogc_device,
    stream: *mut c_void,
    masking: *const ogc_masking,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (device, masking) = unsafe { (shared(device, "device")?, shared(masking, "masking")?) };
        let masking = checked(masking)?;
        // SAFETY: as this function's.
        unsafe { device.device.apply(RawStream(stream.expose_provenance()), &masking) }?;
        Ok(())
    })
}

/// Returns a description of logits; `None` if `format` is not an `ogc_logit_format`.
pub(crate) fn logits_of(address: u64, len: u64, stride: u64, rows: u32, width: u32, format: u32) -> Option<Logits> {
    let format = ogc_logit_format::read(format)?;
    Some(Logits { format, address, len, rows, width, stride })
}

/// Returns a masking whose sizes were checked.
fn checked(given: &ogc_masking) -> Result<Masking, Failure> {
    if given.struct_size < size_of::<ogc_masking>() {
        return Err(Failure::argument("masking.struct_size is less than sizeof(ogc_masking)"));
    }
    let ogc_masking { logits, logits_len, logits_stride, rows, width, format, .. } = *given;
    let logits = logits_of(logits, logits_len, logits_stride, rows, width, format)
        .ok_or_else(|| Failure::argument("masking.format is no ogc_logit_format"))?;
    let masks =
        Masks { address: given.masks, len: given.masks_len, vocabulary: given.vocabulary, stride: given.mask_stride };
    let rows = match given.row_map {
        0 if given.row_map_len > 0 => return Err(Failure::argument("masking.row_map is null")),
        0 => RowMap::SameRow,
        address => RowMap::Listed { address, len: given.row_map_len },
    };
    Masking::new(logits, masks, rows).map_err(|error| Failure::argument(&error.to_string()))
}
