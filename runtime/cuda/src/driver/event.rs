//! Events: marks in the work of a stream, and the time between two marks.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use cudarc::driver::sys;

use super::{Context, made};
use crate::calls;
use crate::error::CudaError;

/// A mark in the work of a stream.
#[derive(Debug)]
pub(crate) struct Event {
    context: Arc<Context>,
    event: sys::CUevent,
}

// SAFETY: the driver takes handles of events from any thread.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

impl Event {
    pub(crate) fn new(context: Arc<Context>) -> Result<Self, CudaError> {
        // SAFETY: the pointer is to a live handle. Without flags, the event records its time.
        let event = context.during(|| made(ptr::null_mut(), |event| unsafe { calls::create_event(event, 0) }))?;
        Ok(Self { context, event })
    }

    /// Queues the mark on a stream, after the work that is queued there.
    ///
    /// # Safety
    /// The stream belongs to this context, or is null.
    pub(crate) unsafe fn record(&self, stream: *mut c_void) -> Result<(), CudaError> {
        // SAFETY: the event is of this context; the caller upholds the rest.
        self.context.during(|| unsafe { calls::record_event(self.event, stream.cast()) })
    }

    /// Waits until the stream passes this mark, and returns the time since it passed `start`.
    pub(crate) fn since(&self, start: &Self) -> Result<Duration, CudaError> {
        let milliseconds = self.context.apart(|| {
            // SAFETY: the event is of this context.
            unsafe { calls::wait_for_event(self.event) }?;
            // SAFETY: both events live, and so does the number behind the pointer.
            made(0.0, |time| unsafe { calls::elapsed_time(time, start.event, self.event) })
        })?;
        Ok(Duration::try_from_secs_f64(f64::from(milliseconds) / 1e3).unwrap_or_default())
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: the event was made in `new`. As for `Context`, nothing is left to do about a failure.
        let _ = self.context.during(|| unsafe { calls::destroy_event(self.event) });
    }
}
