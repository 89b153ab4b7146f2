//! Accesses of lanes to memory: loads, stores, atomics, in all spaces.

use super::machine::{Common, Machine};
use super::traffic::{Access, Touched};
use super::warp::{Doing, Trouble, Warp};
use crate::ir::alu::{Alu, Comparison, FloatForm, FloatOp, IntegerOp, Relation, Rounding};
use crate::ir::{Address, AtomicOp, DataType, IntegerType, Op, Operand, Register, Space, Strength, Width};
use crate::lanes::{Lanes, each};
use crate::memory::MemoryFault;
use crate::memory::region::Region;
use crate::memory::window;
use crate::number;

/// Cap on the bytes of an access.
const MOST_BYTES: usize = 32;

/// The place of a lane's access.
#[derive(Clone, Copy, Debug)]
struct Spot {
    lane: usize,
    space: Space,
    address: u64,
}

impl Warp {
    /// Does a load, a store or an atomic for lanes of a group.
    pub(super) fn access(
        &mut self,
        machine: &mut Machine<'_>,
        common: &mut Common,
        doing: Doing,
        op: &Op,
    ) -> Result<(), Trouble> {
        let (access, size, fences, space, address) = match op {
            Op::Load { space, ty, fences, to, address, .. } => {
                (Access::Load, ty.width().bytes() * to.len() as u32, *fences, *space, *address)
            }
            Op::Store { space, ty, fences, address, from, .. } => {
                (Access::Store, ty.width().bytes() * from.len() as u32, *fences, *space, *address)
            }
            Op::Atomic { space, ty, fences, address, .. } => {
                (Access::Atomic, ty.width().bytes(), *fences, *space, *address)
            }
            _ => return Ok(()),
        };
        if let Some(scope) = fences.before {
            self.fence(machine, common, doing.lanes, scope);
        }
        let addresses = self.addresses(machine, common, doing, address)?;
        let spot = |lane: usize| locate(lane, space, addresses[lane]);
        match op {
            Op::Load { ty, strength, to, .. } => {
                for lane in each(doing.lanes) {
                    self.load(machine, common, doing, spot(lane), (*ty, *strength, to))?;
                }
            }
            Op::Store { ty, strength, from, .. } => {
                self.store(machine, common, doing, spot, (*ty, *strength, from))?;
            }
            Op::Atomic { op, ty, to, from, .. } => {
                self.update(machine, common, doing, spot, (*op, *ty, *to, from))?;
            }
            _ => {}
        }
        let mut touched = Touched::default();
        each(doing.lanes).map(spot).for_each(|spot| touched.add(spot.space, spot.address));
        touched.count(&mut machine.counts, access, size);
        if let Some(scope) = fences.after {
            self.fence(machine, common, doing.lanes, scope);
        }
        Ok(())
    }

    /// Returns the addresses of an access, which are generic or of its space.
    fn addresses(
        &self,
        machine: &Machine<'_>,
        common: &Common,
        doing: Doing,
        address: Address,
    ) -> Result<Lanes, Trouble> {
        let mut room = None;
        let bases = self.row(machine, common, doing, address.base, &mut room)?;
        let is_narrow = matches!(address.base, Operand::Register(Register { width: Width::Word, .. }));
        let width = if is_narrow { Width::Word } else { Width::Double };
        Ok(bases.map(|base| width.truncate(base.wrapping_add(address.offset.cast_unsigned()))))
    }

    fn load(
        &mut self,
        machine: &mut Machine<'_>,
        common: &mut Common,
        doing: Doing,
        spot: Spot,
        (ty, strength, to): (DataType, Strength, &[Option<Register>]),
    ) -> Result<(), Trouble> {
        let part = ty.width().bytes() as usize;
        let mut bytes = [0; MOST_BYTES];
        let bytes = &mut bytes[..part * to.len()];
        let read = self.read(machine, common, doing, spot, strength, bytes);
        read.map_err(|fault| Trouble::of(spot.lane, fault))?;
        for (register, bytes) in to.iter().zip(bytes.chunks_exact(part)) {
            if let Some(register) = register {
                self.registers.set(doing.depth, *register, spot.lane, ty.extend(word(bytes)));
            }
        }
        Ok(())
    }

    fn store(
        &mut self,
        machine: &mut Machine<'_>,
        common: &mut Common,
        doing: Doing,
        spot: impl Fn(usize) -> Spot,
        (ty, strength, from): (DataType, Strength, &[Operand]),
    ) -> Result<(), Trouble> {
        let part = ty.width().bytes() as usize;
        let mut bytes = [[0; MOST_BYTES]; 32];
        for (at, operand) in from.iter().enumerate() {
            let mut room = None;
            let values = self.row(machine, common, doing, *operand, &mut room)?;
            for lane in each(doing.lanes) {
                bytes[lane][at * part..][..part].copy_from_slice(&values[lane].to_le_bytes()[..part]);
            }
        }
        for lane in each(doing.lanes) {
            let written = self.write(machine, common, doing, spot(lane), strength, &bytes[lane][..part * from.len()]);
            written.map_err(|fault| Trouble::of(lane, fault))?;
        }
        Ok(())
    }

    fn update(
        &mut self,
        machine: &mut Machine<'_>,
        common: &mut Common,
        doing: Doing,
        spot: impl Fn(usize) -> Spot,
        (op, ty, to, from): (AtomicOp, DataType, Option<Register>, &[Operand]),
    ) -> Result<(), Trouble> {
        let mut operands = [[0; 32]; 2];
        for (values, operand) in operands.iter_mut().zip(from) {
            *values = self.values(machine, common, doing, *operand)?;
        }
        for lane in each(doing.lanes) {
            let given = [operands[0][lane], operands[1][lane]];
            let old = self.exchange(machine, common, spot(lane), ty, |old| updated(op, ty, old, given));
            let old = old.map_err(|fault| Trouble::of(lane, fault))?;
            if let Some(to) = to {
                self.registers.set(doing.depth, to, lane, ty.extend(old));
            }
        }
        Ok(())
    }

    fn read(
        &mut self,
        machine: &mut Machine<'_>,
        common: &mut Common,
        doing: Doing,
        Spot { lane, space, address }: Spot,
        strength: Strength,
        bytes: &mut [u8],
    ) -> Result<(), MemoryFault> {
        let size = bytes.len();
        let found = match space {
            Space::Parameter if is_given(machine, doing, address) => machine.given.read("parameter", address, size)?,
            Space::Parameter => self.registers.parameters(doing.depth, lane).read("parameter", address, size)?,
            Space::Local => self.registers.locals[lane].read("local", address, size)?,
            Space::Constant => constant(machine, address, size)?,
            Space::Global | Space::Shared | Space::Generic => {
                let sizes = machine.sizes;
                let view = self.view(machine, common, lane);
                let name = |thread| sizes.place(thread).to_string();
                let region = region(&mut *machine.memory, &mut common.shared, space, address, size as u32)?;
                let place = region.place(address, size as u32)?;
                bytes.copy_from_slice(region.read(place, strength, &view, name)?);
                if let (Strength::Strong, Some(message)) = (strength, region.message(place)) {
                    self.messages[lane].read.hear(message, common.number);
                }
                return Ok(());
            }
        };
        bytes.copy_from_slice(found);
        Ok(())
    }

    fn write(
        &mut self,
        machine: &mut Machine<'_>,
        common: &mut Common,
        doing: Doing,
        Spot { lane, space, address }: Spot,
        strength: Strength,
        bytes: &[u8],
    ) -> Result<(), MemoryFault> {
        match space {
            Space::Parameter if is_given(machine, doing, address) => {
                Err(MemoryFault::Space { space: space.name(), how: "written by a kernel", address })
            }
            Space::Parameter => self.registers.parameters(doing.depth, lane).write("parameter", address, bytes),
            Space::Local => self.registers.locals[lane].write("local", address, bytes),
            Space::Constant => Err(MemoryFault::Space { space: space.name(), how: "written", address }),
            Space::Global | Space::Shared | Space::Generic => {
                let (sizes, size) = (machine.sizes, bytes.len() as u32);
                let view = self.view(machine, common, lane);
                let name = |thread| sizes.place(thread).to_string();
                let region = region(&mut *machine.memory, &mut common.shared, space, address, size)?;
                let place = region.place(address, size)?;
                let sent = Some(&self.messages[lane].sent).filter(|_| strength == Strength::Strong);
                region.leave(place, sent, common.number, false);
                region.write(place, bytes, strength, &view, name)
            }
        }
    }

    /// Replaces a value atomically; returns the old value.
    fn exchange(
        &mut self,
        machine: &mut Machine<'_>,
        common: &mut Common,
        Spot { lane, space, address }: Spot,
        ty: DataType,
        updated: impl Fn(u64) -> u64,
    ) -> Result<u64, MemoryFault> {
        if !matches!(space, Space::Global | Space::Shared) {
            return Err(MemoryFault::Space { space: space.name(), how: "updated by an atomic", address });
        }
        let size = ty.width().bytes();
        let sizes = machine.sizes;
        let view = self.view(machine, common, lane);
        let name = |thread| sizes.place(thread).to_string();
        let region = region(&mut *machine.memory, &mut common.shared, space, address, size)?;
        let place = region.place(address, size)?;
        let old = word(region.peek(place)?);
        let new = updated(old).to_le_bytes();
        region.write(place, &new[..size as usize], Strength::Strong, &view, name)?;
        let messages = &mut self.messages[lane];
        if let Some(message) = region.message(place) {
            messages.read.hear(message, common.number);
        }
        region.leave(place, Some(&messages.sent), common.number, true);
        Ok(old)
    }
}

/// Returns whether an address of parameters belongs to the arguments of the kernel.
fn is_given(machine: &Machine<'_>, doing: Doing, address: u64) -> bool {
    doing.depth == 0 && address < machine.module.function(machine.kernel).given_bytes().into()
}

/// Returns the region of an address.
fn region<'r>(
    global: &'r mut crate::memory::global::Global,
    shared: &'r mut Region,
    space: Space,
    address: u64,
    size: u32,
) -> Result<&'r mut Region, MemoryFault> {
    if space == Space::Shared { Ok(shared) } else { global.find(address, size) }
}

/// Returns bytes of a constant.
fn constant<'m>(machine: &Machine<'m>, address: u64, size: usize) -> Result<&'m [u8], MemoryFault> {
    let variables = machine.module.constants.iter();
    let mut found = variables.filter_map(|variable| {
        let at = usize::try_from(address.checked_sub(variable.address)?).ok()?;
        variable.bytes.get(at..at.checked_add(size)?)
    });
    let nearest = || "constants end before it, or begin after it".to_owned();
    found.next().ok_or_else(|| MemoryFault::OutOfBounds { address, size: size as u32, nearest: nearest() })
}

/// Returns the number of up to eight bytes, the lowest first.
fn word(bytes: &[u8]) -> u64 {
    match *bytes {
        [byte] => byte.into(),
        [a, b] => u16::from_le_bytes([a, b]).into(),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
        _ => bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

/// Returns the place of a lane's access.
fn locate(lane: usize, space: Space, address: u64) -> Spot {
    if space != Space::Generic {
        return Spot { lane, space, address };
    }
    let space = window::space_of(address);
    Spot { lane, space, address: window::from_generic(space, address).unwrap_or(address) }
}

/// Returns the value that an atomic operation writes.
fn updated(op: AtomicOp, ty: DataType, old: u64, [a, b]: [u64; 2]) -> u64 {
    let width = ty.width();
    let integer = match ty {
        DataType::Integer(integer) => integer,
        DataType::Predicate | DataType::Float(_) | DataType::Pair(_) => IntegerType { signed: false, width },
    };
    let compute = |alu| number::compute(alu, [old, a, 0, 0]).unwrap_or_default();
    let simple = |op| compute(Alu::Integer(op, integer));
    match op {
        AtomicOp::Add => match ty {
            DataType::Float(format) => {
                let form = FloatForm { format, rounding: Rounding::Nearest, flush: false, saturate: false };
                compute(Alu::Float(FloatOp::Add, form))
            }
            DataType::Predicate | DataType::Integer(_) | DataType::Pair(_) => simple(IntegerOp::Add),
        },
        AtomicOp::Minimum => simple(IntegerOp::Minimum),
        AtomicOp::Maximum => simple(IntegerOp::Maximum),
        AtomicOp::And => simple(IntegerOp::And),
        AtomicOp::Or => simple(IntegerOp::Or),
        AtomicOp::Xor => simple(IntegerOp::Xor),
        AtomicOp::Exchange => a,
        AtomicOp::CompareAndSwap => {
            let is_same = number::holds(Comparison::Integer(Relation::Equal, integer), old, a);
            if is_same { b } else { old }
        }
        AtomicOp::Increment => {
            if old >= width.truncate(a) {
                0
            } else {
                old + 1
            }
        }
        AtomicOp::Decrement => {
            if old == 0 || old > width.truncate(a) {
                a
            } else {
                old - 1
            }
        }
    }
}
