//! The driver functions that `ogc-cuda` calls.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use crate::launch::{Launches, Shape};
use crate::memory::{Memory, at};
use crate::modules::Modules;
use crate::status::{INVALID_HANDLE, INVALID_VALUE, LAUNCH_FAILED, NOT_SUPPORTED, OUT_OF_MEMORY, SUCCESS};

/// The handles of the device, its context and its streams.
const DEVICE: c_int = 7;
const CONTEXT: usize = 1;
const STREAM: usize = 0x10;

/// CUDA 12.0.
const VERSION: c_int = 12_000;

/// Numbers of the attributes for a compute capability, which is 9.0.
const MAJOR: c_uint = 75;
const MINOR: c_uint = 76;

/// The driver's state.
#[derive(Debug, Default)]
struct Driver {
    memory: Memory,
    modules: Modules,
    launches: Launches,
}

fn driver() -> MutexGuard<'static, Driver> {
    static DRIVER: LazyLock<Mutex<Driver>> = LazyLock::new(Mutex::default);
    DRIVER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a result through a pointer of the caller.
///
/// # Safety
/// The pointer is null, or points to a value that may be written.
unsafe fn give<T>(to: *mut T, value: T) -> u32 {
    if to.is_null() {
        return INVALID_VALUE;
    }
    // SAFETY: the caller upholds this function's conditions.
    unsafe { to.write(value) };
    SUCCESS
}

fn found(is_there: bool) -> u32 {
    if is_there { SUCCESS } else { INVALID_HANDLE }
}

/// Declares functions with the arguments of the driver's documentation. Callers pass pointers as documented there, as the test programs do.
macro_rules! calls {
    ($($name:ident($($parameter:ident: $type:ty),*) $body:block)+) => {
        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name($($parameter: $type),*) -> u32 $body
        )+
    };
}

/// Declares functions that the device does not support.
macro_rules! unsupported {
    ($($name:ident)+) => {
        $(
            #[unsafe(no_mangle)]
            extern "C" fn $name() -> u32 {
                NOT_SUPPORTED
            }
        )+
    };
}

calls! {
    cuInit(flags: c_uint) {
        if flags == 0 { SUCCESS } else { INVALID_VALUE }
    }

    cuDriverGetVersion(version: *mut c_int) {
        // SAFETY: by the driver's documentation.
        unsafe { give(version, VERSION) }
    }

    cuDeviceGetCount(count: *mut c_int) {
        // SAFETY: by the driver's documentation.
        unsafe { give(count, 1) }
    }

    cuDeviceGet(device: *mut c_int, ordinal: c_int) {
        // SAFETY: by the driver's documentation.
        if ordinal == 0 { unsafe { give(device, DEVICE) } } else { INVALID_VALUE }
    }

    cuDeviceGetName(name: *mut c_char, len: c_int, device: c_int) {
        let text = c"the interpreter of PTX".to_bytes_with_nul();
        if device != DEVICE || name.is_null() || (len as usize) < text.len() {
            return INVALID_VALUE;
        }
        // SAFETY: by the driver's documentation there are `len` bytes.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr().cast(), name, text.len()) };
        SUCCESS
    }

    cuDeviceGetAttribute(value: *mut c_int, attribute: c_uint, device: c_int) {
        match attribute {
            // SAFETY: by the driver's documentation.
            MAJOR if device == DEVICE => unsafe { give(value, 9) },
            // SAFETY: by the driver's documentation.
            MINOR if device == DEVICE => unsafe { give(value, 0) },
            _ => INVALID_VALUE,
        }
    }

    cuDevicePrimaryCtxRetain(context: *mut usize, device: c_int) {
        // SAFETY: by the driver's documentation; handles are as large as pointers.
        if device == DEVICE { unsafe { give(context, CONTEXT) } } else { INVALID_VALUE }
    }

    cuDevicePrimaryCtxRelease_v2(device: c_int) {
        found(device == DEVICE)
    }

    cuCtxPushCurrent_v2(context: usize) {
        found(context == CONTEXT)
    }

    cuCtxPopCurrent_v2(context: *mut usize) {
        // SAFETY: by the driver's documentation.
        unsafe { give(context, CONTEXT) }
    }

    cuModuleLoadData(module: *mut usize, image: *const c_char) {
        if image.is_null() {
            return INVALID_VALUE;
        }
        // SAFETY: by the driver's documentation, PTX ends with a zero byte; packed code has one in its first words.
        let text = unsafe { CStr::from_ptr(image) }.to_bytes();
        match driver().modules.load(text) {
            // SAFETY: by the driver's documentation.
            Ok(handle) => unsafe { give(module, handle) },
            Err(status) => status,
        }
    }

    cuModuleUnload(module: usize) {
        found(driver().modules.unload(module))
    }

    cuModuleGetFunction(kernel: *mut usize, module: usize, name: *const c_char) {
        if name.is_null() {
            return INVALID_VALUE;
        }
        // SAFETY: by the driver's documentation, the name ends with a zero byte.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
        match driver().modules.find(module, &name) {
            // SAFETY: by the driver's documentation.
            Ok(handle) => unsafe { give(kernel, handle) },
            Err(status) => status,
        }
    }

    cuMemAlloc_v2(address: *mut u64, bytes: usize) {
        match driver().memory.reserve(bytes) {
            // SAFETY: by the driver's documentation.
            Some(reserved) => unsafe { give(address, reserved) },
            None => OUT_OF_MEMORY,
        }
    }

    cuMemFree_v2(address: u64) {
        found(driver().memory.free(address))
    }

    cuMemcpyHtoD_v2(to: u64, from: *const u8, bytes: usize) {
        if !driver().memory.has(to, bytes) {
            return INVALID_VALUE;
        }
        // SAFETY: `bytes` bytes are reserved there, and by the driver's documentation there are as many at `from`.
        unsafe { std::ptr::copy(from, at(to), bytes) };
        SUCCESS
    }

    cuMemcpyDtoH_v2(to: *mut u8, from: u64, bytes: usize) {
        if !driver().memory.has(from, bytes) {
            return INVALID_VALUE;
        }
        // SAFETY: `bytes` bytes are reserved there, and by the driver's documentation there is room for as many at `to`.
        unsafe { std::ptr::copy(at(from), to, bytes) };
        SUCCESS
    }

    cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, _stream: usize) {
        let driver = driver();
        if !driver.memory.has(to, bytes) || !driver.memory.has(from, bytes) {
            return INVALID_VALUE;
        }
        // SAFETY: `bytes` bytes are reserved at both.
        unsafe { std::ptr::copy(at(from), at(to), bytes) };
        SUCCESS
    }

    cuStreamCreate(stream: *mut usize, _flags: c_uint) {
        // SAFETY: by the driver's documentation.
        unsafe { give(stream, STREAM) }
    }

    cuStreamDestroy_v2(stream: usize) {
        found(stream == STREAM)
    }

    cuThreadExchangeStreamCaptureMode(mode: *mut c_uint) {
        // SAFETY: by the driver's documentation.
        unsafe { give(mode, 0) }
    }

    cuGetErrorName(error: c_uint, name: *mut *const c_char) {
        let text = match error {
            LAUNCH_FAILED => c"CUDA_ERROR_LAUNCH_FAILED",
            OUT_OF_MEMORY => c"CUDA_ERROR_OUT_OF_MEMORY",
            _ => c"CUDA_ERROR",
        };
        // SAFETY: by the driver's documentation.
        unsafe { give(name, text.as_ptr()) }
    }

    cuGetErrorString(error: c_uint, text: *mut *const c_char) {
        let fault = std::mem::take(&mut driver().launches.fault);
        let told: &'static str = if error == LAUNCH_FAILED && !fault.is_empty() { fault.leak() } else { "an error\0" };
        // SAFETY: by the driver's documentation; the text ends with a zero byte.
        unsafe { give(text, told.as_ptr().cast()) }
    }

    cuLaunchKernel(
        kernel: usize, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint, block_z: c_uint,
        shared: c_uint, stream: usize, parameters: *const *const u8, _extra: *const c_void
    ) {
        let Driver { memory, modules, launches } = &mut *driver();
        let Some(kernel) = modules.kernel(kernel) else { return INVALID_HANDLE };
        let Some(sizes) = kernel.module.parameter_bytes(&kernel.name) else { return INVALID_HANDLE };
        if parameters.is_null() {
            return INVALID_VALUE;
        }
        let read = |(at, size): (usize, usize)| {
            // SAFETY: by the driver's documentation, there is a pointer for each parameter, to as many bytes as the parameter has.
            unsafe { std::slice::from_raw_parts(*parameters.add(at), size) }.to_vec()
        };
        let given: Vec<Vec<u8>> = sizes.into_iter().enumerate().map(read).collect();
        let shape = Shape { grid: [grid_x, grid_y, grid_z], block: [block_x, block_y, block_z], shared, stream };
        if launches.run(kernel, shape, &given, memory) { SUCCESS } else { LAUNCH_FAILED }
    }

    // Writes the launches since the last call, one per line, as far as there is room; returns their total length in bytes.
    ogc_driver_launches(text: *mut u8, len: c_uint) {
        let told = std::mem::take(&mut driver().launches.told);
        let len = told.len().min(len as usize);
        // SAFETY: by this function's declaration there are `len` bytes.
        unsafe { std::ptr::copy_nonoverlapping(told.as_ptr(), text, len) };
        len as u32
    }
}

unsupported! {
    cuEventCreate cuEventRecord cuEventSynchronize cuEventElapsedTime cuEventDestroy_v2
    cuStreamBeginCapture_v2 cuStreamEndCapture cuGraphInstantiateWithFlags cuGraphLaunch cuGraphDestroy cuGraphExecDestroy
}
