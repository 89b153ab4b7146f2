//! Launches in the interpreter, with all memory of the device.

use std::fmt::Write;

use ogc_ptx::{Argument, BufferId, Device, Launch, Size};

use crate::memory::Memory;
use crate::modules::Kernel;

/// A launch, as passed to the driver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) shared: u32,
    pub(crate) stream: usize,
}

/// The launches so far.
#[derive(Debug, Default)]
pub(crate) struct Launches {
    /// Number of launches, which determines the order of blocks and warps.
    count: u64,
    /// Launches that have not been reported yet.
    pub(crate) told: String,
    /// Description of the last fault, with a final zero byte.
    pub(crate) fault: String,
}

impl Launches {
    /// Runs a kernel to its end with the bytes of its parameters. Returns `false` on a fault.
    pub(crate) fn run(&mut self, kernel: &Kernel, shape: Shape, parameters: &[Vec<u8>], memory: &mut Memory) -> bool {
        let Shape { grid: [x, y, z], block: [threads, ..], stream, .. } = shape;
        let _ = writeln!(self.told, "{} {x}x{y}x{z} of {threads} on {stream:#x}", kernel.name);
        self.count += 1;
        match run(self.count, kernel, shape, parameters, memory) {
            Ok(()) => true,
            Err(fault) => {
                self.fault = format!("{fault}\0");
                false
            }
        }
    }
}

fn run(seed: u64, kernel: &Kernel, shape: Shape, parameters: &[Vec<u8>], memory: &mut Memory) -> Result<(), String> {
    let mut device = Device::new(kernel.module);
    let mut buffers: Vec<(u64, Vec<u8>, BufferId)> = Vec::new();
    for (address, bytes) in memory.copies() {
        let id = device.buffer_at("memory", address, &bytes).map_err(|fault| fault.to_string())?;
        buffers.push((address, bytes, id));
    }
    let launch =
        Launch { seed, shared: shape.shared, ..Launch::new(&kernel.name, Size(shape.grid), Size(shape.block)) };
    let given: Vec<Argument> = parameters.iter().cloned().map(Argument::Bytes).collect();
    let done = device.launch(&launch, &given).map_err(|fault| fault.to_string());
    for (address, before, id) in buffers {
        let after: Vec<u8> = device.read(id).map_err(|fault| fault.to_string())?;
        if after != before {
            memory.replace(address, &after);
        }
    }
    done.map(drop)
}
