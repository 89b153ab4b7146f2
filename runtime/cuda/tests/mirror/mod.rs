//! Repeats the launches of tests, if `OGC_MIRROR` is set: on the first device (`device`), or in another order of blocks and warps
//! (`interpreter`). Memory must be equal after each launch, to the last bit. Without it, each launch is done once. `OGC_RECORD` names a
//! folder to which launches are written (`record`), for the judge of the kernels' sources.
#![allow(dead_code, unreachable_pub, reason = "each test takes what it needs")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(unsafe_code, reason = "launches that the interpreter has checked are done on a device")]

mod record;

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ogc_cuda::{Device as CudaDevice, DeviceKernel, DeviceMachine, KernelLaunch, KernelParameter, Machine};
use ogc_ptx::{Argument, Device, Launch, Mirror, MirrorBuffer, Module};

/// The environment variable that selects where launches are repeated.
const VARIABLE: &str = "OGC_MIRROR";

/// Size in bytes of the device memory in which buffers may lie.
const WINDOW: u64 = 8 << 30;

/// Returns a device of the interpreter that has loaded a module, with the requested mirror.
pub fn device<'m>(module: &'m Module) -> Device<'m> {
    if let Some(folder) = record::folder() {
        return Device::mirrored(module, Arc::new(record::Recorder::new(Again(module), folder)));
    }
    match std::env::var(VARIABLE).as_deref() {
        Err(_) => Device::new(module),
        Ok("device") => Device::mirrored(module, Arc::new(on_device())),
        Ok("interpreter") => Device::mirrored(module, Arc::new(Again(module))),
        Ok(other) => panic!("{VARIABLE} is `device` or `interpreter`, not {other:?}"),
    }
}

/// Returns whether the buffer with this name holds data that blocks pass to one another, which depends on the order in which they run.
fn is_unordered(name: &str) -> bool {
    matches!(name, "scratch" | "what blocks share" | "scratch of rows")
}

/// The interpreter with another order of blocks and warps.
struct Again<'m>(&'m Module);

impl fmt::Debug for Again<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Again")
    }
}

impl Mirror for Again<'_> {
    fn window(&self) -> Range<u64> {
        0..u64::MAX
    }

    fn launch(&self, launch: &Launch, parameters: &[Vec<u8>], buffers: &mut [MirrorBuffer]) -> Result<(), String> {
        let mut device = Device::new(self.0);
        let mut ids = Vec::new();
        for buffer in &*buffers {
            let id = device.buffer(&buffer.name, &buffer.bytes);
            if device.address(id) != Ok(buffer.address) {
                return Err(format!("`{}` lies elsewhere", buffer.name));
            }
            ids.push(id);
        }
        let given: Vec<Argument> = parameters.iter().cloned().map(Argument::Bytes).collect();
        let other = Launch { seed: !launch.seed, resident: 1 + launch.resident, ..launch.clone() };
        device.launch(&other, &given).map_err(|fault| fault.to_string())?;
        for (buffer, id) in buffers.iter_mut().zip(ids) {
            buffer.bytes = device.read(id).map_err(|fault| fault.to_string())?;
        }
        Ok(())
    }

    fn is_unordered(&self, name: &str) -> bool {
        is_unordered(name)
    }
}

/// The first device of the driver, which all tests share.
#[derive(Clone, Debug)]
struct OnDevice {
    machine: Arc<Mutex<DeviceMachine>>,
    window: u64,
}

/// Opens the device, once per process.
fn on_device() -> OnDevice {
    static OPENED: OnceLock<OnDevice> = OnceLock::new();
    let open = || {
        let device = CudaDevice::open(0).unwrap_or_else(|error| panic!("no device: {error}"));
        let mut machine = DeviceMachine::new(&device).unwrap();
        let window = machine.reserve("buffers of the interpreter", WINDOW).unwrap();
        OnDevice { machine: Arc::new(Mutex::new(machine)), window }
    };
    OPENED.get_or_init(open).clone()
}

/// Converts a launch to the form that machines take.
fn on_machine(launch: &Launch, parameters: &[Vec<u8>]) -> Result<KernelLaunch, String> {
    let kernel = DeviceKernel::all().find(|kernel| kernel.name() == launch.kernel);
    let kernel = kernel.ok_or_else(|| format!("no kernel that ships is named {}", launch.kernel))?;
    let ([x, y, z], [threads, 1, 1]) = (launch.grid.0, launch.block.0) else {
        return Err("blocks have one dimension".to_owned());
    };
    if z != 1 || launch.shared != 0 {
        return Err("grids have two dimensions, and no shared memory of open length".to_owned());
    }
    let parameters = parameters.iter().cloned().map(KernelParameter::Record).collect();
    Ok(KernelLaunch { kernel, blocks: (x, y), threads, parameters })
}

impl Mirror for OnDevice {
    fn window(&self) -> Range<u64> {
        self.window..self.window + WINDOW
    }

    fn launch(&self, launch: &Launch, parameters: &[Vec<u8>], buffers: &mut [MirrorBuffer]) -> Result<(), String> {
        let launch = on_machine(launch, parameters)?;
        // A failed test leaves nothing behind that the next one does not overwrite.
        let mut machine = self.machine.lock().unwrap_or_else(PoisonError::into_inner);
        let mut run = || {
            for buffer in &*buffers {
                machine.write(buffer.address, &buffer.bytes)?;
            }
            // SAFETY: the interpreter has run the launch on the same memory, and found no access outside of buffers.
            unsafe { machine.launch(&launch) }?;
            for buffer in buffers.iter_mut() {
                machine.read(buffer.address, &mut buffer.bytes)?;
            }
            Ok(())
        };
        run().map_err(|error: ogc_cuda::CudaError| error.to_string())
    }

    fn is_unordered(&self, name: &str) -> bool {
        is_unordered(name)
    }
}
