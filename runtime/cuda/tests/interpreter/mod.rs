//! The interpreter as a machine: launches run as they would on a device, and every access is checked.
#![allow(dead_code, unreachable_pub, reason = "each test takes what it needs")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(unsafe_code, reason = "a machine launches what others vouch for")]

use std::collections::BTreeMap;

use super::mirror;

use ogc_cuda::{CudaError, KernelLaunch, KernelParameter, Machine, Plan};
use ogc_ptx::{Argument, BufferId, Counts, Device, Launch, Module};

/// The interpreter with some kernels.
#[derive(Debug)]
pub struct Interpreter {
    device: Device<'static>,
    /// Buffers by address.
    buffers: BTreeMap<u64, BufferId>,
    /// The counts of each launch, with the kernel's name.
    pub counts: Vec<(String, Counts)>,
    /// Determines the order of blocks and warps.
    pub seed: u64,
}

/// Returns texts of PTX as one module: the interpreter's memory belongs to a module.
pub fn module(texts: &[&str]) -> Module {
    let is_head = |line: &&str| [".version", ".target", ".address_size"].iter().any(|head| line.starts_with(head));
    let bodies = texts.iter().flat_map(|text| text.lines().filter(|line| !is_head(line)));
    let head = texts[0].lines().filter(is_head);
    let lines: Vec<&str> = head.chain(bodies).collect();
    ogc_ptx::parse(&lines.join("\n")).unwrap_or_else(|error| panic!("{error}"))
}

impl Interpreter {
    pub fn new(module: &'static Module) -> Self {
        Self { device: mirror::device(module), buffers: BTreeMap::new(), counts: Vec::new(), seed: 1 }
    }

    /// Reserves memory with these contents.
    pub fn put(&mut self, name: &str, bytes: &[u8]) -> u64 {
        let address = self.reserve(name, bytes.len() as u64).unwrap();
        self.write(address, bytes).unwrap();
        address
    }

    /// Reads numbers that a kernel wrote.
    pub fn numbers(&mut self, address: u64, count: usize) -> Vec<f32> {
        let mut bytes = vec![0; 4 * count];
        self.read(address, &mut bytes).unwrap();
        bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    }

    /// Launches a kernel. Its parameters may be anything, as the interpreter checks every access.
    pub fn start(&mut self, launch: &KernelLaunch) {
        // SAFETY: as above.
        unsafe { self.launch(launch) }.unwrap();
    }

    /// Returns the buffer of an address, and the offset in it.
    fn place(&self, address: u64) -> (BufferId, usize) {
        let (base, buffer) = self.buffers.range(..=address).next_back().unwrap();
        (*buffer, (address - base) as usize)
    }
}

fn argument(parameter: &KernelParameter) -> Argument {
    match parameter {
        KernelParameter::U32(number) => Argument::U32(*number),
        KernelParameter::U64(number) => Argument::U64(*number),
        KernelParameter::Record(bytes) => Argument::Bytes(bytes.clone()),
    }
}

impl Machine for Interpreter {
    fn reserve(&mut self, name: &str, bytes: u64) -> Result<u64, CudaError> {
        let len = bytes as usize;
        // All logits are read together, including those that no row wants.
        let id =
            if name == "logits" { self.device.buffer(name, &vec![0xff_u8; len]) } else { self.device.empty(name, len) };
        let address = self.device.address(id).unwrap();
        self.buffers.insert(address, id);
        Ok(address)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), CudaError> {
        let (buffer, offset) = self.place(address);
        self.device.write_at(buffer, offset, bytes).unwrap();
        Ok(())
    }

    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), CudaError> {
        let (buffer, offset) = self.place(address);
        bytes.copy_from_slice(&self.device.read_at(buffer, offset, bytes.len()).unwrap());
        Ok(())
    }

    unsafe fn launch(&mut self, launch: &KernelLaunch) -> Result<(), CudaError> {
        self.seed += 1;
        let name = launch.kernel.name();
        let run = Launch { seed: self.seed, ..Launch::new(&name, launch.blocks, launch.threads) };
        let given: Vec<Argument> = launch.parameters.iter().map(argument).collect();
        let report = self.device.launch(&run, &given);
        let report = report.unwrap_or_else(|fault| panic!("{fault}"));
        self.counts.push((name.into_owned(), report.counts));
        Ok(())
    }

    unsafe fn run(&mut self, plan: &Plan) -> Result<(), CudaError> {
        // SAFETY: the caller upholds this function's conditions; the interpreter checks every access.
        plan.launches.iter().try_for_each(|launch| unsafe { self.launch(launch) })
    }
}
