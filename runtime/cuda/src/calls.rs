//! The driver functions that this crate calls, in one table.
//!
//! Each function returns a status number. `cudarc` declares that status as a Rust enum, and an unknown number from a newer driver would be
//! undefined behaviour. So this crate uses only the types of `cudarc`, and the library that `cudarc` finds. The compiler checks that the
//! parameters are those that `cudarc` declares.

#![allow(unsafe_code, reason = "the driver is C; who calls a function argues its arguments")]

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::fmt;
use std::sync::OnceLock;

use cudarc::driver::sys::{
    self, CUcontext, CUdevice, CUdevice_attribute, CUdeviceptr, CUevent, CUfunction, CUgraph, CUgraphExec, CUmodule,
    CUstream, CUstreamCaptureMode,
};

/// Status of a call that succeeded.
const SUCCESS: u32 = 0;

/// Status that this crate reports if the driver's library lacks the function.
const MISSING: u32 = u32::MAX;

/// A failed call, with the status number that it returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) call: DriverCall,
    pub(crate) number: u32,
}

/// Returns `name` as a C string at compile time; its last byte must be its only zero byte.
const fn terminated(name: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(name.as_bytes()) {
        Ok(name) => name,
        Err(_) => panic!("a zero byte inside of a name"),
    }
}

/// The type that `cudarc` declares for a parameter: the second type if there is one, else the first.
macro_rules! declared {
    ($own:ty) => {
        $own
    };
    ($own:ty, $declared:ty) => {
        $declared
    };
}

/// Declares the driver functions: for each its variant, its Rust name, its symbol in the library, and its parameters.
macro_rules! driver_calls {
    ($($(#[$doc:meta])+ $call:ident: $name:ident = $symbol:ident($($parameter:ident: $type:ty $(as $declared:ty)?),+);)+) => {
        /// A function of the driver that this crate calls.
        ///
        /// ```
        /// assert_eq!(ogc_cuda::DriverCall::LaunchKernel.symbol(), c"cuLaunchKernel");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum DriverCall {
            $($(#[$doc])+ $call,)+
        }

        impl DriverCall {
            /// All calls; each must be in the driver's library.
            pub(crate) const ALL: &[Self] = &[$(Self::$call),+];

            /// Returns the name of the function in the driver's library.
            ///
            /// ```
            /// assert_eq!(ogc_cuda::DriverCall::Init.symbol(), c"cuInit");
            /// ```
            #[must_use]
            pub fn symbol(self) -> &'static CStr {
                match self {
                    $(Self::$call => const { terminated(concat!(stringify!($symbol), "\0")) },)+
                }
            }
        }

        $(
            const _: unsafe fn($(declared!($type $(, $declared)?)),+) -> sys::CUresult = sys::$symbol;

            $(#[$doc])+
            ///
            /// # Safety
            /// The driver's library was found, and the conditions in the driver's documentation for the function hold.
            #[allow(clippy::too_many_arguments, reason = "the driver's functions are as they are")]
            pub(crate) unsafe fn $name($($parameter: $type),+) -> Result<(), Failure> {
                type Function = unsafe extern "C" fn($($type),+) -> u32;
                static FOUND: OnceLock<Option<Function>> = OnceLock::new();
                let name = DriverCall::$call.symbol().to_bytes_with_nul();
                // SAFETY: the parameters are as `cudarc` declares them; the result is an enum of C, which is a number.
                let found = FOUND.get_or_init(|| unsafe { sys::culib().get::<Function>(name) }.ok().map(|found| *found));
                // SAFETY: the caller upholds this function's conditions.
                let number = found.map_or(MISSING, |function| unsafe { function($($parameter),+) });
                if number == SUCCESS { Ok(()) } else { Err(Failure { call: DriverCall::$call, number }) }
            }
        )+
    };
}

driver_calls! {
    /// Starts the driver.
    Init: init = cuInit(flags: c_uint);
    /// Returns the version of CUDA that the driver supports.
    DriverVersion: driver_version = cuDriverGetVersion(version: *mut c_int);
    /// Counts the devices.
    DeviceCount: device_count = cuDeviceGetCount(count: *mut c_int);
    /// Finds a device by its number.
    DeviceGet: device_get = cuDeviceGet(device: *mut CUdevice, ordinal: c_int);
    /// Returns the name of a device.
    DeviceName: device_name = cuDeviceGetName(name: *mut c_char, len: c_int, device: CUdevice);
    /// Returns a property of a device.
    DeviceAttribute: device_attribute = cuDeviceGetAttribute(value: *mut c_int, attribute: CUdevice_attribute, device: CUdevice);
    /// Takes a reference to the device's primary context (shared with PyTorch and others).
    RetainContext: retain_context = cuDevicePrimaryCtxRetain(context: *mut CUcontext, device: CUdevice);
    /// Releases a reference to the primary context.
    ReleaseContext: release_context = cuDevicePrimaryCtxRelease_v2(device: CUdevice);
    /// Makes a context current on the calling thread.
    PushContext: push_context = cuCtxPushCurrent_v2(context: CUcontext);
    /// Restores the context that was current on the calling thread before.
    PopContext: pop_context = cuCtxPopCurrent_v2(context: *mut CUcontext);
    /// Compiles and loads kernels.
    LoadModule: load_module = cuModuleLoadData(module: *mut CUmodule, image: *const c_void);
    /// Unloads a module of kernels.
    UnloadModule: unload_module = cuModuleUnload(module: CUmodule);
    /// Finds a kernel by its name.
    FindKernel: find_kernel = cuModuleGetFunction(function: *mut CUfunction, module: CUmodule, name: *const c_char);
    /// Launches a kernel.
    LaunchKernel: launch_kernel = cuLaunchKernel(
        function: CUfunction,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        shared_bytes: c_uint,
        stream: CUstream,
        parameters: *mut *mut c_void,
        extra: *mut *mut c_void
    );
    /// Reserves memory.
    Allocate: allocate = cuMemAlloc_v2(address: *mut CUdeviceptr, bytes: usize);
    /// Frees memory.
    Free: free = cuMemFree_v2(address: CUdeviceptr);
    /// Copies to a device.
    CopyToDevice: copy_to_device = cuMemcpyHtoD_v2(to: CUdeviceptr, from: *const c_void, bytes: usize);
    /// Copies from a device.
    CopyToHost: copy_to_host = cuMemcpyDtoH_v2(to: *mut c_void, from: CUdeviceptr, bytes: usize);
    /// Copies from one device address to another, on a stream.
    CopyOnDevice: copy_on_device = cuMemcpyDtoDAsync_v2(to: CUdeviceptr, from: CUdeviceptr, bytes: usize, stream: CUstream);
    /// Creates an event.
    CreateEvent: create_event = cuEventCreate(event: *mut CUevent, flags: c_uint);
    /// Records an event on a stream, after the work that is queued there.
    RecordEvent: record_event = cuEventRecord(event: CUevent, stream: CUstream);
    /// Waits for an event.
    WaitForEvent: wait_for_event = cuEventSynchronize(event: CUevent);
    /// Returns the time between two events, in milliseconds.
    ElapsedTime: elapsed_time = cuEventElapsedTime(milliseconds: *mut f32, start: CUevent, end: CUevent);
    /// Destroys an event.
    DestroyEvent: destroy_event = cuEventDestroy_v2(event: CUevent);
    /// Creates a stream.
    CreateStream: create_stream = cuStreamCreate(stream: *mut CUstream, flags: c_uint);
    /// Destroys a stream.
    DestroyStream: destroy_stream = cuStreamDestroy_v2(stream: CUstream);
    /// Sets how stream captures of other threads restrict this thread, and returns the previous mode.
    ExchangeCaptureMode: exchange_capture_mode = cuThreadExchangeStreamCaptureMode(mode: *mut c_uint as *mut CUstreamCaptureMode);
    /// Begins to capture the work that is queued on a stream.
    BeginCapture: begin_capture = cuStreamBeginCapture_v2(stream: CUstream, mode: CUstreamCaptureMode);
    /// Ends a stream capture, and returns the captured graph.
    EndCapture: end_capture = cuStreamEndCapture(stream: CUstream, graph: *mut CUgraph);
    /// Makes an executable graph from a captured graph.
    InstantiateGraph: instantiate_graph = cuGraphInstantiateWithFlags(executable: *mut CUgraphExec, graph: CUgraph, flags: u64);
    /// Launches an executable graph.
    LaunchGraph: launch_graph = cuGraphLaunch(executable: CUgraphExec, stream: CUstream);
    /// Destroys a captured graph.
    DestroyGraph: destroy_graph = cuGraphDestroy(graph: CUgraph);
    /// Destroys an executable graph.
    DestroyExecutable: destroy_executable = cuGraphExecDestroy(executable: CUgraphExec);
    /// Returns the name of an error.
    ErrorName: error_name = cuGetErrorName(error: u32 as sys::CUresult, name: *mut *const c_char);
    /// Returns the description of an error.
    ErrorString: error_string = cuGetErrorString(error: u32 as sys::CUresult, text: *mut *const c_char);
}

impl fmt::Display for DriverCall {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.symbol().to_string_lossy())
    }
}
