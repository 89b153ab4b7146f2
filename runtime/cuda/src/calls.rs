//! The functions of the driver that this crate calls, in one table.
//!
//! They return a number. `cudarc` declares that as a Rust enum, for which a number that it does not know, of a newer driver, would be undefined
//! behaviour: so only its types and the library that it finds are used here. That the parameters are those of `cudarc` is checked by the compiler.

#![allow(unsafe_code, reason = "the driver is C; who calls a function argues its arguments")]

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::fmt;
use std::sync::OnceLock;

use cudarc::driver::sys::{
    self, CUcontext, CUdevice, CUdevice_attribute, CUdeviceptr, CUevent, CUfunction, CUgraph, CUgraphExec, CUmodule,
    CUstream, CUstreamCaptureMode,
};

/// The number that is returned if all went well.
const SUCCESS: u32 = 0;

/// The number that a call returns whose function is missing.
const MISSING: u32 = u32::MAX;

/// A call that failed, and the number that was returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) call: DriverCall,
    pub(crate) number: u32,
}

/// Returns a name whose only zero byte is its last, when the crate is compiled.
const fn terminated(name: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(name.as_bytes()) {
        Ok(name) => name,
        Err(_) => panic!("a zero byte inside of a name"),
    }
}

/// What `cudarc` declares a parameter as: as here, if nothing else is said.
macro_rules! declared {
    ($own:ty) => {
        $own
    };
    ($own:ty, $declared:ty) => {
        $declared
    };
}

/// Declares each function of the driver: what it is called here, its name in the library, and its parameters.
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
            /// The driver's library was found; the rest as the driver's documentation says of the function.
            #[allow(clippy::too_many_arguments, reason = "the driver's functions are as they are")]
            pub(crate) unsafe fn $name($($parameter: $type),+) -> Result<(), Failure> {
                type Function = unsafe extern "C" fn($($type),+) -> u32;
                static FOUND: OnceLock<Option<Function>> = OnceLock::new();
                let name = DriverCall::$call.symbol().to_bytes_with_nul();
                // SAFETY: the parameters are as `cudarc` declares them; the result is an enum of C, which is a number.
                let found = FOUND.get_or_init(|| unsafe { sys::culib().get::<Function>(name) }.ok().map(|found| *found));
                // SAFETY: as this function's.
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
    /// Takes a share in the context that all frameworks of a process use.
    RetainContext: retain_context = cuDevicePrimaryCtxRetain(context: *mut CUcontext, device: CUdevice);
    /// Gives that share back.
    ReleaseContext: release_context = cuDevicePrimaryCtxRelease_v2(device: CUdevice);
    /// Makes a context the current one of the thread.
    PushContext: push_context = cuCtxPushCurrent_v2(context: CUcontext);
    /// Makes the context before it the current one again.
    PopContext: pop_context = cuCtxPopCurrent_v2(context: *mut CUcontext);
    /// Compiles and loads kernels.
    LoadModule: load_module = cuModuleLoadData(module: *mut CUmodule, image: *const c_void);
    /// Unloads them.
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
    /// Copies from one place of a device to another.
    CopyOnDevice: copy_on_device = cuMemcpyDtoDAsync_v2(to: CUdeviceptr, from: CUdeviceptr, bytes: usize, stream: CUstream);
    /// Makes an event.
    CreateEvent: create_event = cuEventCreate(event: *mut CUevent, flags: c_uint);
    /// Puts an event behind the work of a stream.
    RecordEvent: record_event = cuEventRecord(event: CUevent, stream: CUstream);
    /// Waits for an event.
    WaitForEvent: wait_for_event = cuEventSynchronize(event: CUevent);
    /// Returns the time between two events.
    ElapsedTime: elapsed_time = cuEventElapsedTime(milliseconds: *mut f32, start: CUevent, end: CUevent);
    /// Gives an event back.
    DestroyEvent: destroy_event = cuEventDestroy_v2(event: CUevent);
    /// Makes a stream.
    CreateStream: create_stream = cuStreamCreate(stream: *mut CUstream, flags: c_uint);
    /// Gives a stream back.
    DestroyStream: destroy_stream = cuStreamDestroy_v2(stream: CUstream);
    /// Says how recordings of other threads bind this one, and returns how they did.
    ExchangeCaptureMode: exchange_capture_mode = cuThreadExchangeStreamCaptureMode(mode: *mut c_uint as *mut CUstreamCaptureMode);
    /// Begins to record what is put on a stream.
    BeginCapture: begin_capture = cuStreamBeginCapture_v2(stream: CUstream, mode: CUstreamCaptureMode);
    /// Ends it, and returns what was recorded.
    EndCapture: end_capture = cuStreamEndCapture(stream: CUstream, graph: *mut CUgraph);
    /// Makes a graph that can be launched of what was recorded.
    InstantiateGraph: instantiate_graph = cuGraphInstantiateWithFlags(executable: *mut CUgraphExec, graph: CUgraph, flags: u64);
    /// Launches a graph.
    LaunchGraph: launch_graph = cuGraphLaunch(executable: CUgraphExec, stream: CUstream);
    /// Gives back what was recorded.
    DestroyGraph: destroy_graph = cuGraphDestroy(graph: CUgraph);
    /// Gives back a graph that can be launched.
    DestroyExecutable: destroy_executable = cuGraphExecDestroy(executable: CUgraphExec);
    /// Returns the name of an error.
    ErrorName: error_name = cuGetErrorName(error: u32 as sys::CUresult, name: *mut *const c_char);
    /// Returns what an error means.
    ErrorString: error_string = cuGetErrorString(error: u32 as sys::CUresult, text: *mut *const c_char);
}

impl fmt::Display for DriverCall {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.symbol().to_string_lossy())
    }
}
