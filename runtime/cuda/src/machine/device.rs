//! A device as a machine: a plan is captured as a graph at its first run, and later runs launch that graph.

#![allow(unsafe_code, reason = "kernels work on addresses; each use is argued where it stands")]

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use always_assert::never;

use super::Machine;
use super::kernel::DeviceKernel;
use super::launch::{KernelLaunch, KernelParameter, Plan};
use crate::device::Device;
use crate::driver::{Context, Graph, Kernel, Module, Stream};
use crate::error::CudaError;
use crate::kernels::{KernelFile, Target};
use crate::stream::RawStream;

/// A reservation of device memory.
#[derive(Debug)]
struct Reserved {
    context: Arc<Context>,
    address: u64,
    bytes: u64,
}

impl Drop for Reserved {
    fn drop(&mut self) {
        // SAFETY: `allocate` returned the address. A failure means that earlier work failed, which later calls report too.
        let _ = unsafe { self.context.free(self.address) };
    }
}

/// Maximum number of graphs that are kept. The launches of further plans are launched one by one.
const MOST_GRAPHS: usize = 1024;

/// A device as a machine, with a stream of its own. A kernel is loaded when it is first used.
///
/// ```
/// # use ogc_cuda::{Device, DeviceMachine, DeviceModel, LayerWeights, ModelError, ModelLimits, ModelShape, ModelWeights};
/// fn on_device(
///     device: &Device,
///     shape: ModelShape,
///     weights: ModelWeights<Vec<LayerWeights>>,
/// ) -> Result<DeviceModel<DeviceMachine>, ModelError> {
///     DeviceModel::new(DeviceMachine::new(device)?, shape, ModelLimits::for_texts(8, 4096), weights)
/// }
/// ```
#[derive(Debug)]
pub struct DeviceMachine {
    // Fields are dropped in this order: no graph outlives its kernels, and nothing outlives the memory that it uses.
    graphs: BTreeMap<Plan, Graph>,
    kernels: BTreeMap<DeviceKernel, (usize, Kernel)>,
    modules: Vec<(KernelFile, Module)>,
    stream: Stream,
    /// The stream that captures graphs; it does no work.
    recorder: Stream,
    memory: BTreeMap<u64, Reserved>,
    context: Arc<Context>,
    target: Target,
}

impl DeviceMachine {
    /// Makes a machine on a device, with a stream of its own.
    ///
    /// # Errors
    /// [`CudaError::Refused`]: the driver returns no stream, or reports that earlier work failed.
    ///
    /// ```
    /// use ogc_cuda::{Device, DeviceMachine};
    /// let Ok(device) = Device::open(0) else { return Ok(()) };
    /// let machine = DeviceMachine::new(&device)?;
    /// # Ok::<(), ogc_cuda::CudaError>(())
    /// ```
    pub fn new(device: &Device) -> Result<Self, CudaError> {
        let context = Arc::clone(device.context());
        Ok(Self {
            graphs: BTreeMap::new(),
            kernels: BTreeMap::new(),
            modules: Vec::new(),
            stream: Stream::new(Arc::clone(&context))?,
            recorder: Stream::recorder(Arc::clone(&context))?,
            memory: BTreeMap::new(),
            context,
            target: Target { capability: device.info().capability, driver: device.info().driver },
        })
    }

    /// Loads kernels, so that they can be launched on a stream that is being captured.
    ///
    /// # Errors
    /// [`CudaError::Refused`]: the driver does not load them.
    ///
    /// ```
    /// # use ogc_cuda::{CudaError, DeviceKernel, DeviceMachine};
    /// fn load(machine: &mut DeviceMachine) -> Result<(), CudaError> {
    ///     machine.load(&[DeviceKernel::Advance, DeviceKernel::Locate, DeviceKernel::Fill])
    /// }
    /// ```
    pub fn load(&mut self, kernels: &[DeviceKernel]) -> Result<(), CudaError> {
        kernels.iter().try_for_each(|kernel| self.kernel(*kernel).map(drop))
    }

    /// Launches a kernel on a stream of the caller, and does not wait for it. The first launch of a kernel loads it, which allocates. On a
    /// stream that is being captured, launch only kernels that were loaded before.
    ///
    /// # Errors
    /// [`CudaError::Refused`]: the driver did not load or launch the kernel, or reports that earlier work failed.
    ///
    /// # Safety
    /// * As for [`Machine::launch`]; the addresses may also be in memory of other owners, if it stays allocated until the kernel has ended.
    /// * The stream belongs to the device's shared (primary) context and is alive, or it is [`RawStream::DEFAULT`].
    /// * Until the kernel has ended, nothing else touches the memory that it reads and writes, neither on other streams nor by this
    ///   machine: the caller orders the work of two streams by events.
    /// * A graph that captured the launch is not launched after the machine was dropped.
    ///
    /// ```
    /// # use ogc_cuda::{CudaError, DeviceMachine, KernelLaunch, RawStream};
    /// /// # Safety
    /// /// As for `DeviceMachine::launch_on`, on the default stream.
    /// unsafe fn on_default(machine: &mut DeviceMachine, launch: &KernelLaunch) -> Result<(), CudaError> {
    ///     // SAFETY: the caller upholds this function's conditions.
    ///     unsafe { machine.launch_on(RawStream::DEFAULT, launch) }
    /// }
    /// ```
    pub unsafe fn launch_on(&mut self, stream: RawStream, launch: &KernelLaunch) -> Result<(), CudaError> {
        self.kernel(launch.kernel)?;
        // SAFETY: the caller upholds this function's conditions.
        unsafe { self.put(launch, ptr::with_exposed_provenance_mut(stream.0)) }
    }

    /// Finds a kernel, and loads it at its first use.
    fn kernel(&mut self, kernel: DeviceKernel) -> Result<(usize, Kernel), CudaError> {
        if let Some(found) = self.kernels.get(&kernel) {
            return Ok(*found);
        }
        let at = match self.modules.iter().position(|(file, _)| *file == kernel.file()) {
            Some(at) => at,
            None => {
                self.modules.push((kernel.file(), kernel.file().load(&self.context, self.target)?));
                self.modules.len() - 1
            }
        };
        let found = (at, self.modules[at].1.kernel(&kernel.symbol())?);
        self.kernels.insert(kernel, found);
        Ok(found)
    }

    /// Queues a launch on a stream; its kernel must be loaded.
    ///
    /// # Safety
    /// As for [`Machine::launch`]. The stream belongs to the context, or is null, and no work on other streams touches the memory
    /// meanwhile.
    unsafe fn put(&self, launch: &KernelLaunch, stream: *mut c_void) -> Result<(), CudaError> {
        let Some((module, kernel)) = self.kernels.get(&launch.kernel) else {
            never!("{:?} is not loaded", launch.kernel);
            return Ok(());
        };
        // The driver copies the parameters during the call.
        let mut given: Vec<Vec<u8>> = launch.parameters.iter().map(KernelParameter::bytes).collect();
        let mut parameters: Vec<*mut c_void> = given.iter_mut().map(|bytes| bytes.as_mut_ptr().cast()).collect();
        let module = &self.modules[*module].1;
        // SAFETY: the kernel is in the module, and each parameter has as many bytes as the kernel declares at this position; the caller
        // upholds the rest.
        unsafe { module.launch(*kernel, launch.blocks, launch.threads, stream, &mut parameters) }
    }

    /// Panics unless `bytes` bytes from the address on are reserved: a longer copy would touch memory of other owners.
    fn check(&self, address: u64, bytes: usize) {
        let reserved = self.memory.range(..=address).next_back();
        let end = reserved.map_or(0, |(base, reserved)| base + reserved.bytes);
        let fits = address.checked_add(bytes as u64).is_some_and(|asked| asked <= end);
        assert!(fits, "{bytes} bytes from {address:#x} on are not reserved");
    }
}

impl Machine for DeviceMachine {
    fn reserve(&mut self, _name: &str, bytes: u64) -> Result<u64, CudaError> {
        let address = self.context.allocate(usize::try_from(bytes).unwrap_or(usize::MAX))?;
        self.memory.insert(address, Reserved { context: Arc::clone(&self.context), address, bytes });
        Ok(address)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), CudaError> {
        self.check(address, bytes.len());
        // SAFETY: `check` found that the bytes are reserved.
        unsafe { self.context.copy_to_device(address, bytes) }
    }

    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), CudaError> {
        self.check(address, bytes.len());
        // SAFETY: `check` found that the bytes are reserved. Bytes that were never written have arbitrary values.
        unsafe { self.context.copy_to_host(address, bytes) }
    }

    unsafe fn launch(&mut self, launch: &KernelLaunch) -> Result<(), CudaError> {
        self.kernel(launch.kernel)?;
        // SAFETY: the caller upholds this function's conditions. All work with this machine's memory is on its stream, or waits for that
        // stream on the default stream.
        unsafe { self.put(launch, self.stream.handle()) }
    }

    unsafe fn run(&mut self, plan: &Plan) -> Result<(), CudaError> {
        if !self.graphs.contains_key(plan) {
            plan.launches.iter().try_for_each(|launch| self.kernel(launch.kernel).map(drop))?;
            let put = |stream: &Stream| {
                // SAFETY: the caller upholds this function's conditions; the rest as in `launch`. The capturing stream does no work.
                plan.launches.iter().try_for_each(|launch| unsafe { self.put(launch, stream.handle()) })
            };
            if self.graphs.len() >= MOST_GRAPHS {
                return put(&self.stream);
            }
            let graph = self.recorder.capture(|| put(&self.recorder))?;
            self.graphs.insert(plan.clone(), graph);
        }
        let Some(graph) = self.graphs.get(plan) else {
            never!("a plan was not captured");
            return Ok(());
        };
        // SAFETY: the caller upholds this function's conditions; the kernels stay loaded as long as the machine lives.
        unsafe { graph.launch(&self.stream) }
    }
}
