//! A device with the kernels loaded.

#![allow(unsafe_code, reason = "kernels work on addresses that callers give; each use is argued where it stands")]

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use crate::driver::{self, Context, Kernel};
use crate::error::{CudaError, CudaVersion};
use crate::kernels::{KernelFile, LoadedKernels, Modules, Target};
use crate::masking::{Masking, apply_kernel};
use crate::stopwatch::Stopwatch;
use crate::stream::RawStream;
use ogc_runtime::logits::LogitFormat;

/// Minimum compute capability of a device: the kernels are compiled for it.
const LEAST_CAPABILITY: (u32, u32) = (8, 0);

/// Name and abilities of a device, and the kernels that were loaded on it.
///
/// ```
/// match ogc_cuda::Device::open(0) {
///     Ok(device) => println!("{}", device.info().name),
///     Err(error) => println!("no device: {error}"),
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Name, such as `NVIDIA H100`.
    pub name: String,
    /// Compute capability (major, minor): 9 and 0 for an H100.
    pub capability: (u32, u32),
    /// The version of CUDA that the driver supports.
    pub driver: CudaVersion,
    /// Kernels that were loaded on the device: compiled code or PTX.
    pub kernels: LoadedKernels,
}

/// A device with the kernels loaded.
///
/// It shares the primary context that PyTorch and other frameworks use on the device. Dropping it unloads the kernels: by then no kernel
/// may still be running, and no captured graph that contains one may be launched afterwards.
///
/// ```
/// match ogc_cuda::Device::open(0) {
///     Ok(device) => println!("CUDA {}", device.info().driver),
///     Err(error) => println!("no device: {error}"),
/// }
/// ```
#[derive(Debug)]
pub struct Device {
    info: DeviceInfo,
    context: Arc<Context>,
    modules: Modules,
    kernels: [Kernel; LogitFormat::ALL.len()],
}

impl Device {
    /// Opens the device with this number, counted from 0, and loads the kernels.
    ///
    /// # Errors
    /// [`CudaError`]: there is no driver or no such device, or the driver or the device is too old.
    ///
    /// ```
    /// use ogc_cuda::{CudaError, Device};
    /// // No machine has so many devices: the error names this, or says why there is no device at all.
    /// assert!(Device::open(u32::MAX).is_err());
    /// ```
    pub fn open(ordinal: u32) -> Result<Self, CudaError> {
        let driver = driver::start()?;
        match driver.device_count()? {
            0 => return Err(CudaError::NoDevice),
            limit if ordinal >= limit => return Err(CudaError::NoSuchDevice { given: ordinal, limit }),
            _ => {}
        }
        let handle = driver.device(ordinal)?;
        let (name, capability) = (handle.name()?, handle.capability()?);
        if capability < LEAST_CAPABILITY {
            return Err(CudaError::DeviceTooOld { given: capability, limit: LEAST_CAPABILITY });
        }
        let context = Arc::new(Context::retain(handle)?);
        let (modules, loaded) = Modules::load(&context, Target { capability, driver: driver.version })?;
        let apply = modules.of(KernelFile::Apply);
        let [single, half, brain] = LogitFormat::ALL.map(|format| apply.kernel(apply_kernel(format)));
        let kernels = [single?, half?, brain?];
        let info = DeviceInfo { name, capability, driver: driver.version, kernels: loaded };
        Ok(Self { info, context, modules, kernels })
    }

    /// Returns the name and abilities of the device, and the kernels that were loaded.
    ///
    /// ```
    /// if let Ok(device) = ogc_cuda::Device::open(0) {
    ///     assert!(device.info().capability >= (8, 0));
    /// }
    /// ```
    #[must_use]
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// Masks logits in place: launches the kernel on a stream, and does not wait for it. The launch allocates and copies nothing, so that a
    /// graph can capture it; the graph then contains the addresses and sizes of this masking.
    ///
    /// # Errors
    /// [`CudaError::Refused`]: the driver did not launch the kernel, or reports that earlier work failed.
    ///
    /// # Safety
    /// * The addresses of the masking point to memory that kernels on this device can reach, as long as stated. The masks are initialised.
    ///   The row map, if there is one, is initialised and names only rows that the masks have.
    /// * Until the kernel has ended, the memory stays allocated, nothing else writes it, and nothing else reads the logits.
    /// * The stream belongs to this device's shared (primary) context and is alive, or it is [`RawStream::DEFAULT`].
    /// * A graph that captured the launch is not launched after the device was dropped.
    ///
    /// ```
    /// # use ogc_cuda::{Device, LogitFormat, Logits, Masking, Masks, RawStream, RowMap};
    /// let Ok(device) = Device::open(0) else { return Ok(()) };
    /// // Two logits of 16 bits; the second token is not allowed.
    /// let (logits, masks) = (device.upload(&[1, 0, 2, 0])?, device.upload(&[0b01, 0, 0, 0])?);
    /// let masking = Masking::new(
    ///     Logits { format: LogitFormat::F16, address: logits.address(), len: 2, rows: 1, width: 2, stride: 2 },
    ///     Masks { address: masks.address(), len: 1, vocabulary: 2, stride: 1 },
    ///     RowMap::SameRow,
    /// )?;
    /// // SAFETY: both buffers live until the download, which waits for the kernel.
    /// unsafe { device.apply(RawStream::DEFAULT, &masking) }?;
    /// assert_eq!(logits.download()?, [1, 0, 0x00, 0xfc]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub unsafe fn apply(&self, stream: RawStream, masking: &Masking) -> Result<(), CudaError> {
        let Some(geometry) = masking.geometry() else { return Ok(()) };
        let mut given = masking.parameters();
        let mut parameters = [
            pointer(&mut given.logits),
            pointer(&mut given.logits_stride),
            pointer(&mut given.masks),
            pointer(&mut given.mask_stride),
            pointer(&mut given.row_map),
            pointer(&mut given.rows),
            pointer(&mut given.vocabulary),
            pointer(&mut given.width),
        ];
        let stream = ptr::with_exposed_provenance_mut(stream.0);
        let kernel = self.kernel(masking.format());
        // SAFETY: the kernel is in this module; the parameters have the sizes that the kernel declares (a test reads them in its PTX) and
        // live during the call, in which the driver copies them; the caller upholds the rest.
        unsafe {
            self.modules.of(KernelFile::Apply).launch(
                kernel,
                geometry.blocks,
                geometry.threads,
                stream,
                &mut parameters,
            )
        }
    }

    /// Returns the context, which every object made from the device shares.
    pub(crate) fn context(&self) -> &Arc<Context> {
        &self.context
    }

    fn kernel(&self, format: LogitFormat) -> Kernel {
        let [single, half, brain] = self.kernels;
        match format {
            LogitFormat::F32 => single,
            LogitFormat::F16 => half,
            LogitFormat::Bf16 => brain,
        }
    }

    /// Returns a stopwatch for work on a stream of the device.
    ///
    /// # Errors
    /// [`CudaError::Refused`]: earlier work failed.
    ///
    /// ```
    /// let Ok(device) = ogc_cuda::Device::open(0) else { return Ok(()) };
    /// let watch = device.stopwatch()?;
    /// # Ok::<(), ogc_cuda::CudaError>(())
    /// ```
    pub fn stopwatch(&self) -> Result<Stopwatch, CudaError> {
        Stopwatch::new(&self.context)
    }

    /// Copies bytes to device memory, at an address that is aligned for every number type. Work that is queued on [`RawStream::DEFAULT`]
    /// afterwards sees the bytes; other streams must wait for the default stream.
    ///
    /// # Errors
    /// [`CudaError::Refused`]: there is not enough memory, or earlier work failed.
    ///
    /// ```
    /// let Ok(device) = ogc_cuda::Device::open(0) else { return Ok(()) };
    /// assert_eq!(device.upload(&[1, 2, 3])?.len(), 3);
    /// # Ok::<(), ogc_cuda::CudaError>(())
    /// ```
    pub fn upload(&self, bytes: &[u8]) -> Result<Buffer, CudaError> {
        let address = self.context.allocate(bytes.len())?;
        let buffer = Buffer { context: Arc::clone(&self.context), address, len: bytes.len() };
        // SAFETY: this much memory was reserved a moment ago.
        unsafe { self.context.copy_to_device(address, bytes) }?;
        Ok(buffer)
    }
}

/// Returns a pointer to a parameter, as the driver takes it.
fn pointer<T>(parameter: &mut T) -> *mut c_void {
    ptr::from_mut(parameter).cast()
}

/// Initialised bytes in device memory. Dropping the buffer frees the memory; by then nothing may use it any more.
///
/// ```
/// let Ok(device) = ogc_cuda::Device::open(0) else { return Ok(()) };
/// let buffer = device.upload(b"bytes")?;
/// assert_eq!(buffer.download()?, b"bytes");
/// # Ok::<(), ogc_cuda::CudaError>(())
/// ```
#[derive(Debug)]
pub struct Buffer {
    context: Arc<Context>,
    address: u64,
    len: usize,
}

impl Buffer {
    /// Returns the address of the first byte, a multiple of 256.
    ///
    /// ```
    /// let Ok(device) = ogc_cuda::Device::open(0) else { return Ok(()) };
    /// assert_eq!(device.upload(&[7])?.address() % 256, 0);
    /// # Ok::<(), ogc_cuda::CudaError>(())
    /// ```
    #[must_use]
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Returns the number of bytes.
    ///
    /// ```
    /// let Ok(device) = ogc_cuda::Device::open(0) else { return Ok(()) };
    /// assert_eq!(device.upload(&[7])?.len(), 1);
    /// # Ok::<(), ogc_cuda::CudaError>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the buffer has no bytes.
    ///
    /// ```
    /// let Ok(device) = ogc_cuda::Device::open(0) else { return Ok(()) };
    /// assert!(device.upload(&[])?.is_empty());
    /// # Ok::<(), ogc_cuda::CudaError>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Copies bytes from another buffer on a stream, and does not wait for the copy. The length of the shorter buffer is copied.
    ///
    /// # Errors
    /// [`CudaError::Refused`]: earlier work failed.
    ///
    /// # Safety
    /// Until the copy has ended, both buffers are alive, nothing else writes the other buffer, and nothing else uses this one. Both buffers
    /// are on one device. The stream belongs to the device's shared (primary) context and is alive, or it is [`RawStream::DEFAULT`].
    ///
    /// ```
    /// # use ogc_cuda::{Device, RawStream};
    /// let Ok(device) = Device::open(0) else { return Ok(()) };
    /// let (from, to) = (device.upload(&[1, 2, 3])?, device.upload(&[0; 3])?);
    /// // SAFETY: both buffers live until the download, which waits for the copy.
    /// unsafe { to.copy_from(&from, RawStream::DEFAULT) }?;
    /// assert_eq!(to.download()?, [1, 2, 3]);
    /// # Ok::<(), ogc_cuda::CudaError>(())
    /// ```
    pub unsafe fn copy_from(&self, other: &Self, stream: RawStream) -> Result<(), CudaError> {
        let len = self.len.min(other.len);
        let stream = ptr::with_exposed_provenance_mut(stream.0);
        // SAFETY: both buffers have at least `len` bytes; the caller upholds the rest.
        unsafe { self.context.copy_on(self.address, other.address, len, stream) }
    }

    /// Waits for the work on [`RawStream::DEFAULT`], and returns the bytes; it does not wait for work on other streams.
    ///
    /// # Errors
    /// [`CudaError::Refused`]: earlier work failed.
    ///
    /// ```
    /// let Ok(device) = ogc_cuda::Device::open(0) else { return Ok(()) };
    /// assert_eq!(device.upload(&[7])?.download()?, [7]);
    /// # Ok::<(), ogc_cuda::CudaError>(())
    /// ```
    pub fn download(&self) -> Result<Vec<u8>, CudaError> {
        let mut bytes = vec![0; self.len];
        // SAFETY: the buffer has `len` bytes, which `Device::upload` wrote.
        unsafe { self.context.copy_to_host(self.address, &mut bytes) }?;
        Ok(bytes)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: `Device::upload` reserved it. A failure means that earlier work failed, which later calls report too.
        let _ = unsafe { self.context.free(self.address) };
    }
}
