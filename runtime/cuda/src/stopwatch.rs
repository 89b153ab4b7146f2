//! Measures, on the device, the time that work on a stream takes.

#![allow(unsafe_code, reason = "streams are handles that callers give")]

use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use crate::driver::Context;
use crate::driver::event::Event;
use crate::error::CudaError;
use crate::stream::RawStream;

/// Measures the time between two marks on a stream.
///
/// ```
/// use ogc_cuda::{Device, RawStream};
/// let Ok(device) = Device::open(0) else { return Ok(()) };
/// let (from, to) = (device.upload(&[7; 4096])?, device.upload(&[0; 4096])?);
/// let watch = device.stopwatch()?;
/// // SAFETY: the stream is the default one, and both buffers live until the time is read, which waits for the copy.
/// unsafe {
///     watch.start(RawStream::DEFAULT)?;
///     to.copy_from(&from, RawStream::DEFAULT)?;
///     watch.stop(RawStream::DEFAULT)?;
/// }
/// println!("{:?}", watch.elapsed()?);
/// assert_eq!(to.download()?, [7; 4096]);
/// # Ok::<(), ogc_cuda::CudaError>(())
/// ```
#[derive(Debug)]
pub struct Stopwatch {
    begin: Event,
    end: Event,
}

impl Stopwatch {
    pub(crate) fn new(context: &Arc<Context>) -> Result<Self, CudaError> {
        Ok(Self { begin: Event::new(Arc::clone(context))?, end: Event::new(Arc::clone(context))? })
    }

    /// Marks the beginning of the measured work: after all work that is queued on the stream now.
    ///
    /// # Errors
    /// [`CudaError::Refused`]: earlier work failed.
    ///
    /// # Safety
    /// The stream belongs to the device's shared (primary) context and is alive, or it is [`RawStream::DEFAULT`].
    ///
    /// ```
    /// # use ogc_cuda::{Device, RawStream};
    /// let Ok(device) = Device::open(0) else { return Ok(()) };
    /// // SAFETY: the stream is the default stream.
    /// unsafe { device.stopwatch()?.start(RawStream::DEFAULT) }
    /// # ?; Ok::<(), ogc_cuda::CudaError>(())
    /// ```
    pub unsafe fn start(&self, stream: RawStream) -> Result<(), CudaError> {
        // SAFETY: the caller upholds this function's conditions.
        unsafe { self.begin.record(ptr::with_exposed_provenance_mut(stream.0)) }
    }

    /// Marks the end of the measured work.
    ///
    /// # Errors
    /// [`CudaError::Refused`]: earlier work failed.
    ///
    /// # Safety
    /// As for [`Self::start`].
    ///
    /// ```
    /// # use ogc_cuda::{Device, RawStream};
    /// let Ok(device) = Device::open(0) else { return Ok(()) };
    /// // SAFETY: the stream is the default stream.
    /// unsafe { device.stopwatch()?.stop(RawStream::DEFAULT) }
    /// # ?; Ok::<(), ogc_cuda::CudaError>(())
    /// ```
    pub unsafe fn stop(&self, stream: RawStream) -> Result<(), CudaError> {
        // SAFETY: the caller upholds this function's conditions.
        unsafe { self.end.record(ptr::with_exposed_provenance_mut(stream.0)) }
    }

    /// Waits for the work between the marks, and returns the time that it took.
    ///
    /// # Errors
    /// [`CudaError::Refused`]: a mark was not set, or earlier work failed.
    ///
    /// ```
    /// # use ogc_cuda::Device;
    /// let Ok(device) = Device::open(0) else { return Ok(()) };
    /// assert!(device.stopwatch()?.elapsed().is_err(), "nothing was measured");
    /// # Ok::<(), ogc_cuda::CudaError>(())
    /// ```
    pub fn elapsed(&self) -> Result<Duration, CudaError> {
        self.end.since(&self.begin)
    }
}
