//! Calls of the CUDA driver, each with an argument for its safety. Besides this module, only [`crate::device`] deals with pointers.
//!
//! `cudarc` finds the driver at the first call. Its functions panic if the library lacks them. So [`start`] first checks that the library
//! has all of them, and every other function here takes a value that only a started driver provides.

#![allow(unsafe_code, reason = "the driver is C; each call is argued where it stands")]

pub(crate) mod event;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use cudarc::driver::sys;

use crate::calls::{self, DriverCall, Failure};
use crate::error::{CudaError, CudaVersion};

/// Minimum version: it has all functions that are called, and reads PTX of version 7.0, which the kernels use.
const LEAST_VERSION: CudaVersion = CudaVersion { major: 12, minor: 0 };

/// Status of the driver if it is started without a device.
const NO_DEVICE: u32 = sys::CUresult::CUDA_ERROR_NO_DEVICE as u32;

/// Maximum length of a device's name in bytes, including the final zero byte.
const MOST_NAME: usize = 256;

/// Proof that the driver was found and started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Driver {
    /// Version of CUDA that the driver supports.
    pub(crate) version: CudaVersion,
}

/// Finds the driver and starts it.
pub(crate) fn start() -> Result<Driver, CudaError> {
    // SAFETY: this loads the library with the driver's name. Its initialisation code is trusted, as in every program that uses CUDA.
    if !unsafe { sys::is_culib_present() } {
        return Err(CudaError::NoDriver);
    }
    if let Some(symbol) = DriverCall::ALL.iter().copied().find(|call| !has_symbol(*call)) {
        return Err(CudaError::IncompleteDriver { symbol });
    }
    // SAFETY: the library was found; the driver allows only 0 here.
    match unsafe { calls::init(0) } {
        Err(Failure { number: NO_DEVICE, .. }) => return Err(CudaError::NoDevice),
        result => result?,
    }
    // SAFETY: the pointer is to a live number.
    let number = made(0, |number| unsafe { calls::driver_version(number) })?;
    let number = u32::try_from(number).unwrap_or_default();
    let version = CudaVersion { major: number / 1000, minor: number % 1000 / 10 };
    if version < LEAST_VERSION {
        return Err(CudaError::DriverTooOld { given: version, limit: LEAST_VERSION });
    }
    Ok(Driver { version })
}

/// Returns whether the driver's library has a function.
fn has_symbol(call: DriverCall) -> bool {
    // SAFETY: the library was found a moment ago. The function is not called, so its type does not matter.
    unsafe { sys::culib().get::<*const c_void>(call.symbol().to_bytes_with_nul()) }.is_ok()
}

/// Returns the value that a driver call writes through its pointer.
fn made<T>(mut value: T, call: impl FnOnce(*mut T) -> Result<(), Failure>) -> Result<T, Failure> {
    call(&raw mut value).map(|()| value)
}

impl From<Failure> for CudaError {
    fn from(failure: Failure) -> Self {
        // SAFETY: a call failed, so the library was found. The function takes any number, and writes the address of a text or a null
        // pointer.
        let name = text(|to| unsafe { calls::error_name(failure.number, to) });
        // SAFETY: as above.
        let meaning = text(|to| unsafe { calls::error_string(failure.number, to) });
        Self::Refused {
            call: failure.call,
            name: name.unwrap_or_else(|| "an unknown error".to_owned()),
            meaning: meaning.unwrap_or_else(|| format!("code {}", failure.number)),
        }
    }
}

/// Returns a text from the driver, if it has one.
fn text(write: impl FnOnce(*mut *const c_char) -> Result<(), Failure>) -> Option<String> {
    let mut text = ptr::null();
    write(&raw mut text).ok().filter(|()| !text.is_null())?;
    // SAFETY: the driver's texts end with a zero byte and are never changed.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

impl Driver {
    /// Returns the number of devices.
    pub(crate) fn device_count(self) -> Result<u32, CudaError> {
        // SAFETY: the driver was started; the pointer is to a live number.
        let count = made(0, |count| unsafe { calls::device_count(count) })?;
        Ok(u32::try_from(count).unwrap_or_default())
    }

    /// Finds a device by its number, which is below the number of devices.
    pub(crate) fn device(self, ordinal: u32) -> Result<DeviceHandle, CudaError> {
        let ordinal = c_int::try_from(ordinal).unwrap_or(c_int::MAX);
        // SAFETY: the driver was started; the pointer is to a live handle.
        Ok(DeviceHandle(made(0, |device| unsafe { calls::device_get(device, ordinal) })?))
    }
}

/// A device that the driver returned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeviceHandle(sys::CUdevice);

impl DeviceHandle {
    /// Returns the device's name.
    pub(crate) fn name(self) -> Result<String, CudaError> {
        // SAFETY: the driver gave the device; it writes no more bytes than it is told.
        let name = |name: *mut [u8; MOST_NAME]| unsafe { calls::device_name(name.cast(), MOST_NAME as c_int, self.0) };
        let name = made([0; MOST_NAME], name)?;
        Ok(CStr::from_bytes_until_nul(&name).unwrap_or_default().to_string_lossy().into_owned())
    }

    /// Returns the device's compute capability.
    pub(crate) fn capability(self) -> Result<(u32, u32), CudaError> {
        use sys::CUdevice_attribute::{
            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR as MAJOR,
            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR as MINOR,
        };
        Ok((self.attribute(MAJOR)?, self.attribute(MINOR)?))
    }

    fn attribute(self, attribute: sys::CUdevice_attribute) -> Result<u32, CudaError> {
        // SAFETY: the driver gave the device; the pointer is to a live number.
        let value = made(0, |value| unsafe { calls::device_attribute(value, attribute, self.0) })?;
        Ok(u32::try_from(value).unwrap_or_default())
    }
}

/// A reference to the device's primary context (shared with PyTorch and others).
#[derive(Debug)]
pub(crate) struct Context {
    device: sys::CUdevice,
    context: sys::CUcontext,
}

// SAFETY: the driver takes context handles from any thread; here they never change after creation.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Context {
    /// Takes a reference to the device's primary context.
    pub(crate) fn retain(device: DeviceHandle) -> Result<Self, CudaError> {
        // SAFETY: the driver gave the device; the pointer is to a live handle.
        let context = made(ptr::null_mut(), |context| unsafe { calls::retain_context(context, device.0) })?;
        Ok(Self { device: device.0, context })
    }

    /// Runs `act` with this context current on the thread, then restores the context that was current before.
    fn during<T, E>(&self, act: impl FnOnce() -> Result<T, E>) -> Result<T, CudaError>
    where
        CudaError: From<E>,
    {
        // SAFETY: the context is retained as long as this value lives.
        unsafe { calls::push_context(self.context) }?;
        let done = act();
        // SAFETY: the pointer is to a live handle; the context was pushed above.
        let popped = made(ptr::null_mut(), |context| unsafe { calls::pop_context(context) });
        let done = done?;
        popped?;
        Ok(done)
    }

    /// As [`during`](Self::during), for calls that allocate, load or wait. By default the driver refuses such calls while any thread
    /// captures a graph, and aborts the capture. So this exempts the thread from that check; no call here touches a capturing stream.
    fn apart<T>(&self, act: impl FnOnce() -> Result<T, Failure>) -> Result<T, CudaError> {
        // SAFETY: the pointer is to a live number; the mode is one that exists.
        let exchange = |mode| made(mode, |mode| unsafe { calls::exchange_capture_mode(mode) });
        self.during(|| {
            let before = exchange(sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED as u32)?;
            let done = act();
            exchange(before)?;
            done
        })
    }

    /// Reserves memory, at least one byte.
    pub(crate) fn allocate(&self, bytes: usize) -> Result<u64, CudaError> {
        // SAFETY: the pointer is to a live address.
        self.apart(|| made(0, |address| unsafe { calls::allocate(address, bytes.max(1)) }))
    }

    /// Frees memory.
    ///
    /// # Safety
    /// [`allocate`](Self::allocate) of this context returned the address, and nothing uses the memory any more.
    pub(crate) unsafe fn free(&self, address: u64) -> Result<(), CudaError> {
        // SAFETY: the caller upholds this function's conditions.
        self.apart(|| unsafe { calls::free(address) })
    }

    /// Copies bytes to the device; later work on the default stream sees them.
    ///
    /// # Safety
    /// There are at least `bytes.len()` bytes of this context's memory at the address.
    pub(crate) unsafe fn copy_to_device(&self, address: u64, bytes: &[u8]) -> Result<(), CudaError> {
        // SAFETY: the caller upholds this function's conditions; `bytes` has the given length.
        self.apart(|| unsafe { calls::copy_to_device(address, bytes.as_ptr().cast(), bytes.len()) })
    }

    /// Copies bytes from one device address to another, on a stream, and does not wait for the copy.
    ///
    /// # Safety
    /// Both addresses have at least `len` bytes of this context's memory, which stays allocated until the copy has ended. The stream
    /// belongs to this context, or is null.
    pub(crate) unsafe fn copy_on(&self, to: u64, from: u64, len: usize, stream: *mut c_void) -> Result<(), CudaError> {
        // SAFETY: the caller upholds this function's conditions.
        self.during(|| unsafe { calls::copy_on_device(to, from, len, stream.cast()) })
    }

    /// Copies bytes from the device after all work of the default stream, and waits for the copy.
    ///
    /// # Safety
    /// There are at least `bytes.len()` initialised bytes of this context's memory at the address.
    pub(crate) unsafe fn copy_to_host(&self, address: u64, bytes: &mut [u8]) -> Result<(), CudaError> {
        // SAFETY: the caller upholds this function's conditions; `bytes` has room for the given length.
        self.apart(|| unsafe { calls::copy_to_host(bytes.as_mut_ptr().cast(), address, bytes.len()) })
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the reference was taken in `retain`. A failure means that the driver is shutting down, so that nothing is left to do.
        let _ = unsafe { calls::release_context(self.device) };
    }
}

/// Kernels that were compiled and loaded for a context.
#[derive(Debug)]
pub(crate) struct Module {
    context: std::sync::Arc<Context>,
    module: sys::CUmodule,
}

// SAFETY: as for `Context`.
unsafe impl Send for Module {}
// SAFETY: as for `Context`.
unsafe impl Sync for Module {}

impl Module {
    /// Compiles and loads kernels.
    pub(crate) fn compile(context: std::sync::Arc<Context>, ptx: &CStr) -> Result<Self, CudaError> {
        // SAFETY: the text ends with a zero byte and lives during the call.
        let load = |module| unsafe { calls::load_module(module, ptx.as_ptr().cast()) };
        let module = context.apart(|| made(ptr::null_mut(), load))?;
        Ok(Self { context, module })
    }

    /// Loads kernels that `fatbinary` packed; the code contains its own length.
    pub(crate) fn load(context: std::sync::Arc<Context>, code: &[u8]) -> Result<Self, CudaError> {
        // The driver reads words of 64 bits, but the bytes in this program need not be aligned for them.
        let words = code.chunks(8).map(|bytes| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        let code: Vec<u64> = words.collect();
        // SAFETY: the words live during the call; `fatbinary` wrote them, with their length in the header (a test reads it).
        let load = |module| unsafe { calls::load_module(module, code.as_ptr().cast()) };
        let module = context.apart(|| made(ptr::null_mut(), load))?;
        Ok(Self { context, module })
    }

    /// Finds a kernel, and loads it if the driver loads kernels lazily. The kernel must not be used after the module.
    pub(crate) fn kernel(&self, name: &CStr) -> Result<Kernel, CudaError> {
        // SAFETY: the module is loaded; the name lives during the call.
        let find = |kernel| unsafe { calls::find_kernel(kernel, self.module, name.as_ptr()) };
        self.context.apart(|| made(ptr::null_mut(), find)).map(Kernel)
    }

    /// Launches a kernel on a stream, and does not wait for it.
    ///
    /// # Safety
    /// The kernel is in this module. Each parameter points to a value of the type that the kernel declares at this position. The stream
    /// belongs to this context, or is null. The kernel reads and writes memory of this context only, and nothing else touches that memory
    /// until the kernel has ended.
    pub(crate) unsafe fn launch(
        &self,
        kernel: Kernel,
        blocks: (u32, u32),
        threads: u32,
        stream: *mut c_void,
        parameters: &mut [*mut c_void],
    ) -> Result<(), CudaError> {
        let (grid, parameters, no_extra) = (blocks, parameters.as_mut_ptr(), ptr::null_mut());
        let stream = stream.cast();
        // SAFETY: the caller upholds this function's conditions.
        self.context.during(|| unsafe {
            calls::launch_kernel(kernel.0, grid.0, grid.1, 1, threads, 1, 1, 0, stream, parameters, no_extra)
        })
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: the module was loaded in `load`, and its kernels are unloaded with it. As for `Context`, nothing is left to do about a
        // failure.
        let _ = self.context.apart(|| unsafe { calls::unload_module(self.module) });
    }
}

/// A kernel of a [`Module`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernel(sys::CUfunction);

// SAFETY: as for `Context`.
unsafe impl Send for Kernel {}
// SAFETY: as for `Context`.
unsafe impl Sync for Kernel {}

/// A stream of a context.
#[derive(Debug)]
pub(crate) struct Stream {
    context: std::sync::Arc<Context>,
    stream: sys::CUstream,
}

// SAFETY: as for `Context`.
unsafe impl Send for Stream {}
// SAFETY: as for `Context`.
unsafe impl Sync for Stream {}

impl Stream {
    /// Makes a stream that is ordered with the default stream: its work runs after all work queued there earlier, and the default stream
    /// waits for it.
    pub(crate) fn new(context: std::sync::Arc<Context>) -> Result<Self, CudaError> {
        Self::with_flags(context, 0)
    }

    /// Makes a stream that only captures and does no work. The default stream does not wait for it: otherwise a copy on the default stream,
    /// from any thread, would abort the capture.
    pub(crate) fn recorder(context: std::sync::Arc<Context>) -> Result<Self, CudaError> {
        Self::with_flags(context, sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32)
    }

    fn with_flags(context: std::sync::Arc<Context>, flags: u32) -> Result<Self, CudaError> {
        // SAFETY: the pointer is to a live handle; the flags are flags that exist.
        let make = |stream| unsafe { calls::create_stream(stream, flags) };
        let stream = context.apart(|| made(ptr::null_mut(), make))?;
        Ok(Self { context, stream })
    }

    /// Returns the stream as [`Module::launch`] takes it.
    pub(crate) fn handle(&self) -> *mut c_void {
        self.stream.cast()
    }

    /// Captures the work that `put` queues on the stream as a graph; none of it runs.
    pub(crate) fn capture(&self, put: impl FnOnce() -> Result<(), CudaError>) -> Result<Graph, CudaError> {
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        // SAFETY: the stream is alive, and captures nothing yet: the capture below always ends before this function returns.
        self.context.during(|| unsafe { calls::begin_capture(self.stream, mode) })?;
        let put = put();
        // SAFETY: the capture was begun above; the pointer is to a live handle.
        let end = |graph| unsafe { calls::end_capture(self.stream, graph) };
        let recorded = self.context.during(|| made(ptr::null_mut(), end));
        let recorded = Recorded { context: &self.context, graph: put.and(recorded)? };
        recorded.instantiate()
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: the stream was made in `new`. As for `Context`, nothing is left to do about a failure.
        let _ = self.context.apart(|| unsafe { calls::destroy_stream(self.stream) });
    }
}

/// A captured graph, before it can be launched.
struct Recorded<'c> {
    context: &'c std::sync::Arc<Context>,
    graph: sys::CUgraph,
}

impl Recorded<'_> {
    fn instantiate(&self) -> Result<Graph, CudaError> {
        // SAFETY: the graph was captured and lives; the pointer is to a live handle. There are no flags.
        let make = |executable| unsafe { calls::instantiate_graph(executable, self.graph, 0) };
        let graph = self.context.apart(|| made(ptr::null_mut(), make))?;
        Ok(Graph { context: std::sync::Arc::clone(self.context), graph })
    }
}

impl Drop for Recorded<'_> {
    fn drop(&mut self) {
        // SAFETY: the graph was captured, and the executable graph is a graph of its own. As for `Context`, nothing is left to do about a failure.
        let _ = self.context.apart(|| unsafe { calls::destroy_graph(self.graph) });
    }
}

/// An executable graph: kernel launches that are launched together.
#[derive(Debug)]
pub(crate) struct Graph {
    context: std::sync::Arc<Context>,
    graph: sys::CUgraphExec,
}

// SAFETY: as for `Context`.
unsafe impl Send for Graph {}
// SAFETY: as for `Context`.
unsafe impl Sync for Graph {}

impl Graph {
    /// Launches the graph on a stream, and does not wait for it.
    ///
    /// # Safety
    /// The stream belongs to the graph's context. The captured kernels are still loaded. As for [`Module::launch`], the memory that they
    /// read and write is allocated, and nothing else touches it until they have ended.
    pub(crate) unsafe fn launch(&self, stream: &Stream) -> Result<(), CudaError> {
        // SAFETY: the caller upholds this function's conditions.
        self.context.during(|| unsafe { calls::launch_graph(self.graph, stream.stream) })
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        // SAFETY: the graph was made in `instantiate`. As for `Context`, nothing is left to do about a failure.
        let _ = self.context.apart(|| unsafe { calls::destroy_executable(self.graph) });
    }
}
