//! A machine that several owners share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Machine;
use super::launch::{KernelLaunch, Plan};
use crate::error::CudaError;

/// A machine with several owners, such as a model and the slots of its sequences. Each owner sees the writes of the others' earlier
/// launches, and one plan can contain launches of several owners. Each call locks the machine.
///
/// ```
/// # use ogc_cuda::{Device, DeviceMachine, SharedMachine};
/// let Ok(device) = Device::open(0) else { return Ok(()) };
/// let machine = SharedMachine::new(DeviceMachine::new(&device)?);
/// let (of_model, of_slots) = (machine.clone(), machine);
/// # Ok::<(), ogc_cuda::CudaError>(())
/// ```
#[derive(Debug)]
pub struct SharedMachine<M> {
    machine: Arc<Mutex<M>>,
}

impl<M> Clone for SharedMachine<M> {
    fn clone(&self) -> Self {
        Self { machine: Arc::clone(&self.machine) }
    }
}

impl<M> SharedMachine<M> {
    /// Shares a machine.
    ///
    /// ```
    /// let machine = ogc_cuda::SharedMachine::new(7);
    /// assert_eq!(*machine.clone().lock(), 7);
    /// ```
    pub fn new(machine: M) -> Self {
        Self { machine: Arc::new(Mutex::new(machine)) }
    }

    /// Returns whether this is the same machine as another.
    ///
    /// ```
    /// use ogc_cuda::SharedMachine;
    /// let machine = SharedMachine::new(7);
    /// assert!(machine.is(&machine.clone()) && !machine.is(&SharedMachine::new(7)));
    /// ```
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.machine, &other.machine)
    }

    /// Returns the machine; it stays locked while the guard lives.
    ///
    /// ```
    /// let machine = ogc_cuda::SharedMachine::new(String::from("a machine"));
    /// machine.lock().push('!');
    /// assert_eq!(*machine.lock(), "a machine!");
    /// ```
    pub fn lock(&self) -> MutexGuard<'_, M> {
        // A panic under the lock leaves the machine as it was between two driver calls.
        self.machine.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M: Machine> Machine for SharedMachine<M> {
    fn reserve(&mut self, name: &str, bytes: u64) -> Result<u64, CudaError> {
        self.lock().reserve(name, bytes)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), CudaError> {
        self.lock().write(address, bytes)
    }

    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), CudaError> {
        self.lock().read(address, bytes)
    }

    unsafe fn launch(&mut self, launch: &KernelLaunch) -> Result<(), CudaError> {
        // SAFETY: the caller upholds this function's conditions.
        unsafe { self.lock().launch(launch) }
    }

    unsafe fn run(&mut self, plan: &Plan) -> Result<(), CudaError> {
        // SAFETY: the caller upholds this function's conditions.
        unsafe { self.lock().run(plan) }
    }
}
