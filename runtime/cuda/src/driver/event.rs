//! Events: marks in the work of a stream, and the time between two of them.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use cudarc::driver::sys;

use super::{Context, made};
use crate::calls;
use crate::error::CudaError;

/// A mark that work of a stream passes.
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
        // SAFETY: the pointer is to a handle that lives. There are no flags: the event has a time.
        let event = context.during(|| made(ptr::null_mut(), |event| unsafe { calls::create_event(event, 0) }))?;
        Ok(Self { context, event })
    }

    /// Puts the mark behind the work of a stream.
    ///
    /// # Safety
    /// The stream is of this context, or null.
    pub(crate) unsafe fn record(&self, stream: *mut c_void) -> Result<(), CudaError> {
        // SAFETY: the event is of this context; the rest as this function's.
        self.context.during(|| unsafe { calls::record_event(self.event, stream.cast()) })
    }

    /// Waits until the mark was passed, and returns the time since the other one was.
    pub(crate) fn since(&self, start: &Self) -> Result<Duration, CudaError> {
        let milliseconds = self.context.apart(|| {
            // SAFETY: the event is of this context.
            unsafe { calls::wait_for_event(self.event) }?;
            // SAFETY: both events live, and so does the number that the pointer is to.
            made(0.0, |time| unsafe { calls::elapsed_time(time, start.event, self.event) })
        })?;
        Ok(Duration::try_from_secs_f64(f64::from(milliseconds) / 1e3).unwrap_or_default())
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: the event was made in `new`. As of `Context`, nothing is left to do about a failure.
        let _ = self.context.during(|| unsafe { calls::destroy_event(self.event) });
    }
}
