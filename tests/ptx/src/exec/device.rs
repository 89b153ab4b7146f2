//! Memory that stays between launches.

use std::sync::Arc;

use super::grid;
use super::launch::{Argument, Launch};
use super::mirror::{self, Mirror};
use crate::ir::{FunctionId, Module};
use crate::memory::BufferId;
use crate::memory::global::Global;
use crate::memory::plain::Plain;
use crate::memory::region::{Region, first_unwritten};
use crate::memory::window;
use crate::report::{Fault, FaultKind, Report};

/// A number that buffers hold.
pub trait Element: Sized {
    /// The number of bytes.
    const BYTES: usize;
    /// Reads the number from enough bytes, the lowest first.
    fn read(bytes: &[u8]) -> Self;
    /// Adds the bytes of the number, the lowest first.
    fn write(&self, bytes: &mut Vec<u8>);
}

macro_rules! elements {
    ($($ty:ty),*) => {$(
        impl Element for $ty {
            const BYTES: usize = size_of::<$ty>();

            #[inline]
            fn read(bytes: &[u8]) -> $ty {
                let mut array = [0; size_of::<$ty>()];
                array.copy_from_slice(&bytes[..size_of::<$ty>()]);
                <$ty>::from_le_bytes(array)
            }

            fn write(&self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
        }
    )*};
}

elements!(u8, u16, u32, u64, i32, i64, f32, f64);

/// Buffers, the variables of a module, and its kernels.
#[derive(Clone, Debug)]
pub struct Device<'m> {
    module: &'m Module,
    memory: Global,
    /// The time of the next launch; see `memory::shadow`.
    now: u32,
    mirror: Option<Arc<dyn Mirror + 'm>>,
}

impl<'m> Device<'m> {
    /// Returns a device that has loaded a module.
    #[must_use]
    pub fn new(module: &'m Module) -> Device<'m> {
        Device { module, memory: Global::new(module, window::BUFFERS), now: 1, mirror: None }
    }

    /// Returns a device that has loaded a module, and repeats each launch in a mirror. If the memory of the mirror then
    /// differs, that is a fault ([`FaultKind::Mirror`]).
    #[must_use]
    pub fn mirrored(module: &'m Module, mirror: Arc<dyn Mirror + 'm>) -> Device<'m> {
        let first = mirror.window().start.max(window::BUFFERS);
        Device { memory: Global::new(module, first), mirror: Some(mirror), ..Device::new(module) }
    }

    /// Adds a buffer that holds numbers.
    pub fn buffer<T: Element>(&mut self, name: &str, numbers: &[T]) -> BufferId {
        let base = self.memory.next_base();
        self.memory.add(Region::filled(name, base, bytes_of(numbers)))
    }

    /// Adds a buffer of `bytes` bytes that were never written; reading one of them is a fault.
    pub fn empty(&mut self, name: &str, bytes: usize) -> BufferId {
        let base = self.memory.next_base();
        self.memory.add(Region::empty(name, base, bytes))
    }

    /// Adds a buffer of bytes that were written, at an address behind those of all buffers that were added before.
    ///
    /// # Errors
    /// The buffer would begin before the end of another buffer, or among the addresses of variables.
    ///
    /// ```
    /// # let module = ogc_ptx::parse(".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry nothing() { ret; }")?;
    /// let mut device = ogc_ptx::Device::new(&module);
    /// let first = device.buffer_at("first", 0x5000_0000_0000, &[1, 2])?;
    /// assert_eq!(device.address(first)?, 0x5000_0000_0000);
    /// assert!(device.buffer_at("second", 0x5000_0000_0001, &[3]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn buffer_at(&mut self, name: &str, address: u64, bytes: &[u8]) -> Result<BufferId, FaultKind> {
        let limit = self.memory.end();
        if address < limit {
            return Err(FaultKind::Launch(format!(
                "`{name}` begins at {address:#x}, where memory begins at {limit:#x}"
            )));
        }
        Ok(self.memory.add(Region::filled(name, address, bytes.to_vec())))
    }

    /// Returns the address of a buffer, for memory that contains addresses.
    ///
    /// # Errors
    /// The buffer is of another device.
    pub fn address(&self, buffer: BufferId) -> Result<u64, FaultKind> {
        self.memory.region(buffer).map(Region::base).ok_or_else(foreign)
    }

    /// Replaces all numbers of a buffer.
    ///
    /// # Errors
    /// Their number is not that of the buffer.
    pub fn write<T: Element>(&mut self, buffer: BufferId, numbers: &[T]) -> Result<(), FaultKind> {
        let region = self.memory.region_mut(buffer).ok_or_else(foreign)?;
        if region.overwrite(&bytes_of(numbers)) {
            Ok(())
        } else {
            let (has, given) = (region.contents().0.len(), numbers.len() * T::BYTES);
            Err(FaultKind::Launch(format!("`{}` has {has} bytes and is given {given}", region.name())))
        }
    }

    /// Returns the numbers of a buffer; bytes at its end that do not make up a number are left out.
    ///
    /// # Errors
    /// One of the bytes was never written.
    pub fn read<T: Element>(&self, buffer: BufferId) -> Result<Vec<T>, FaultKind> {
        let region = self.memory.region(buffer).ok_or_else(foreign)?;
        let (bytes, written) = region.contents();
        match first_unwritten(written) {
            None => Ok(bytes.chunks_exact(T::BYTES).map(T::read).collect()),
            Some(offset) => Err(unwritten(region, offset)),
        }
    }

    /// Replaces some bytes of a buffer, from an offset on.
    ///
    /// # Errors
    /// They are not all inside the buffer.
    pub fn write_at(&mut self, buffer: BufferId, offset: usize, bytes: &[u8]) -> Result<(), FaultKind> {
        let region = self.memory.region_mut(buffer).ok_or_else(foreign)?;
        if region.overwrite_at(offset, bytes) {
            Ok(())
        } else {
            let (has, given) = (region.contents().0.len(), bytes.len());
            let name = region.name();
            Err(FaultKind::Launch(format!("`{name}` has {has} bytes and is given {given} from byte {offset} on")))
        }
    }

    /// Reads some bytes of a buffer, from an offset on.
    ///
    /// # Errors
    /// They are not all inside the buffer, or one of them was never written.
    pub fn read_at(&self, buffer: BufferId, offset: usize, len: usize) -> Result<Vec<u8>, FaultKind> {
        let region = self.memory.region(buffer).ok_or_else(foreign)?;
        let (bytes, written) = region.contents();
        let end = offset.checked_add(len).filter(|end| *end <= bytes.len()).ok_or_else(|| {
            let (name, has) = (region.name(), bytes.len());
            FaultKind::Launch(format!("`{name}` has {has} bytes, of which {len} are read from byte {offset} on"))
        })?;
        match first_unwritten(&written[offset..end]) {
            None => Ok(bytes[offset..end].to_vec()),
            Some(first) => Err(unwritten(region, offset + first)),
        }
    }

    /// Runs a kernel over its grid.
    ///
    /// # Errors
    /// The launch does not fit the kernel, or a thread did something forbidden; memory is as it was at that moment.
    pub fn launch(&mut self, launch: &Launch, arguments: &[Argument]) -> Result<Report, Box<Fault>> {
        let refused = |kind| {
            Box::new(Fault { kernel: launch.kernel.clone(), line: 0, thread: None, kind: FaultKind::Launch(kind) })
        };
        let kernel = self.module.kernel(&launch.kernel);
        let kernel = kernel.ok_or_else(|| refused("the module has no such kernel".to_owned()))?;
        let parameters = self.parameters(kernel, arguments).map_err(refused)?;
        let before = self.mirror.as_ref().map(|_| mirror::buffers(&self.memory));
        let (report, now) = grid::run(self.module, kernel, &mut self.memory, self.now, launch, parameters);
        self.now = now;
        let report = report?;
        if let (Some(mirror), Some(before)) = (&self.mirror, before) {
            let given: Result<Vec<_>, _> = arguments.iter().map(|argument| self.bytes(argument)).collect();
            let compared = given.and_then(|given| mirror::compare(&**mirror, launch, &given, before, &self.memory));
            compared.map_err(|why| {
                Box::new(Fault { kernel: launch.kernel.clone(), line: 0, thread: None, kind: FaultKind::Mirror(why) })
            })?;
        }
        Ok(report)
    }

    /// Returns the arguments in the layout of the kernel's parameters; each must be as large as its parameter.
    fn parameters(&self, kernel: FunctionId, arguments: &[Argument]) -> Result<Plain, String> {
        let function = self.module.function(kernel);
        let parameters = &function.parameters;
        if parameters.len() != arguments.len() {
            return Err(format!("{} arguments for {} parameters", arguments.len(), parameters.len()));
        }
        let mut given = Plain::default();
        given.reset(0, function.given_bytes() as usize);
        for (parameter, argument) in parameters.iter().zip(arguments) {
            let bytes = self.bytes(argument)?;
            if bytes.len() != parameter.slot.size as usize {
                return Err(format!("{} is of {} bytes, not {}", parameter.name, parameter.slot.size, bytes.len()));
            }
            let written = given.write("parameter", parameter.slot.offset.into(), &bytes);
            written.map_err(|fault| fault.to_string())?;
        }
        Ok(given)
    }

    fn bytes(&self, argument: &Argument) -> Result<Vec<u8>, String> {
        let address = |buffer, offset: u64| {
            let region = self.memory.region(buffer).ok_or("the buffer is of another device")?;
            Ok::<_, String>(region.base().wrapping_add(offset).to_le_bytes().to_vec())
        };
        match argument {
            Argument::Buffer(buffer) => address(*buffer, 0),
            Argument::BufferAt(buffer, offset) => address(*buffer, *offset),
            Argument::U32(number) => Ok(number.to_le_bytes().to_vec()),
            Argument::U64(number) => Ok(number.to_le_bytes().to_vec()),
            Argument::F32(number) => Ok(number.to_le_bytes().to_vec()),
            Argument::Bytes(bytes) => Ok(bytes.clone()),
        }
    }
}

/// Returns the fault that a byte of a buffer was never written.
fn unwritten(region: &Region, offset: usize) -> FaultKind {
    FaultKind::Memory(crate::MemoryFault::Uninitialised {
        address: region.base() + offset as u64,
        buffer: region.name().to_owned(),
        offset: offset as u64,
    })
}

fn foreign() -> FaultKind {
    FaultKind::Launch("the buffer is of another device".to_owned())
}

fn bytes_of<T: Element>(numbers: &[T]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(numbers.len() * T::BYTES);
    for number in numbers {
        number.write(&mut bytes);
    }
    bytes
}
