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

/// The name and abilities of a device, and the kernels loaded on it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_device_facts {
    /// `sizeof(ogc_device_facts)`.
    pub struct_size: usize,
    /// Its name, valid as long as the device.
    pub name: *const c_char,
    /// A description of the loaded kernels: code, or PTX that the driver compiled. Valid as long as the device.
    pub kernels: *const c_char,
    /// The major number of its compute capability.
    pub capability_major: u32,
    /// The minor number of its compute capability.
    pub capability_minor: u32,
    /// The major number of the CUDA version that the driver supports.
    pub driver_major: u32,
    /// The minor number of that CUDA version.
    pub driver_minor: u32,
}

/// Logits and their masks, by addresses in device memory. Row `r` of the logits begins at number `r * logits_stride`, row `m` of the
/// masks at word `m * mask_stride`; token `t` is allowed if bit `t % 32` of word `t / 32` of its mask is set, as `ogc_fill_masks` writes them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_masking {
    /// `sizeof(ogc_masking)`.
    pub struct_size: usize,
    /// The address of the first logit, a multiple of its size.
    pub logits: u64,
    /// The number of logits in memory from that address on.
    pub logits_len: u64,
    /// The distance between the beginnings of two rows, in logits.
    pub logits_stride: u64,
    /// An `ogc_logit_format`.
    pub format: u32,
    /// The number of rows that are masked.
    pub rows: u32,
    /// The number of logits of a row; those beyond the vocabulary are never allowed.
    pub width: u32,
    /// The number of tokens, for each of which a mask has a bit.
    pub vocabulary: u32,
    /// The address of the first word of the masks, a multiple of 4.
    pub masks: u64,
    /// The number of 32-bit words in memory from that address on.
    pub masks_len: u64,
    /// The distance between the beginnings of two rows, in words.
    pub mask_stride: u64,
    /// The address of the row map, a multiple of 4: for each row of logits the number of its mask row, a signed 32-bit integer; a row with a
    /// negative number is not masked. 0 if row `r` is masked by mask row `r`.
    pub row_map: u64,
    /// The number of entries of the row map.
    pub row_map_len: u64,
}

impl From<CudaError> for Failure {
    fn from(error: CudaError) -> Self {
        Self::device(&error)
    }
}

/// Opens device `number`, counted from 0, and loads the kernels. The status is `OGC_STATUS_DEVICE` if there is no driver, no such
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

/// Writes the facts about a device to `facts`, whose size is its `struct_size`.
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

/// Masks logits in place: launches a kernel on a stream, a `CUstream` or `cudaStream_t`, and does not wait for it; null is the
/// default stream. Nothing is allocated or copied, so that a graph can capture the launch, with these addresses and sizes.
///
/// The arguments are checked first: the status is `OGC_STATUS_ARGUMENT` if rows overlap, exceed the memory or are not aligned, or
/// if the logits share memory with masks or row map. `OGC_STATUS_DEVICE` says that the driver did not launch the kernel, or that
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
