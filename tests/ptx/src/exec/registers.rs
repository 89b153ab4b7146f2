//! The registers of a warp's lanes, and the memory that only one lane sees.

use crate::ir::{Function, Register, Width};
use crate::lanes::{Lanes, each};
use crate::memory::plain::Plain;

/// The values of the calls at one depth, for all lanes. Lanes may be in different functions at the same depth: each
/// uses its own column.
#[derive(Clone, Debug, Default)]
struct Level {
    /// The values of each register; nothing for predicates.
    values: Vec<Lanes>,
    /// The lanes for which each predicate is true; nothing for other registers.
    trues: Vec<u32>,
    /// The lanes that wrote each register.
    defined: Vec<u32>,
    /// The parameters of each lane's call; for the kernel, the parameters of the calls that it makes.
    parameters: Vec<Plain>,
}

/// The registers, parameters and local memory of a warp.
#[derive(Clone, Debug)]
pub(super) struct Registers {
    levels: Vec<Level>,
    pub(super) locals: Vec<Plain>,
}

impl Registers {
    pub(super) fn new() -> Registers {
        Registers { levels: Vec::new(), locals: vec![Plain::default(); 32] }
    }

    /// Makes room for a call of some lanes: no register is defined, no parameter is written, and no local memory from
    /// `local` on.
    pub(super) fn enter(&mut self, depth: usize, lanes: u32, function: &Function, local: usize) {
        if self.levels.len() <= depth {
            self.levels.resize(depth + 1, Level { parameters: vec![Plain::default(); 32], ..Level::default() });
        }
        let level = &mut self.levels[depth];
        let count = level.values.len().max(function.registers as usize);
        level.values.resize(count, [0; 32]);
        level.trues.resize(count, 0);
        level.defined.resize(count, 0);
        for defined in &mut level.defined {
            *defined &= !lanes;
        }
        // The kernel's arguments are common to all lanes (`Machine::given`); if it makes no calls, there are no other
        // parameters.
        let has_own = !function.is_kernel || function.parameter_bytes > function.given_bytes();
        for lane in each(lanes) {
            if has_own {
                level.parameters[lane].reset(0, function.parameter_bytes as usize);
            }
            self.locals[lane].reset(local, local + function.local_bytes as usize);
        }
    }

    /// Returns the lanes that wrote a register.
    pub(super) fn defined(&self, depth: usize, register: Register) -> u32 {
        self.levels[depth].defined[register.index as usize]
    }

    /// Returns a register's values, from their place or in `room`.
    pub(super) fn row<'r>(&'r self, depth: usize, register: Register, room: &'r mut Option<Lanes>) -> &'r Lanes {
        if register.width == Width::Bit {
            return room.insert(lanes_of(self.trues(depth, register)));
        }
        &self.levels[depth].values[register.index as usize]
    }

    /// Returns the lanes for which a predicate is true.
    pub(super) fn trues(&self, depth: usize, predicate: Register) -> u32 {
        let (level, at) = (&self.levels[depth], predicate.index as usize);
        if predicate.width == Width::Bit { level.trues[at] } else { bits_of(&level.values[at]) }
    }

    /// Writes the low bits of a value that fit into a register of a lane.
    pub(super) fn set(&mut self, depth: usize, register: Register, lane: usize, value: u64) {
        if register.width == Width::Bit {
            return self.set_trues(depth, register, 1 << lane, (value as u32 & 1) << lane);
        }
        let (level, at) = (&mut self.levels[depth], register.index as usize);
        level.values[at][lane] = register.width.truncate(value);
        level.defined[at] |= 1 << lane;
    }

    /// Writes the low bits of values that fit into a register of some lanes.
    pub(super) fn set_row(&mut self, depth: usize, register: Register, lanes: u32, values: &Lanes) {
        if register.width == Width::Bit {
            return self.set_trues(depth, register, lanes, bits_of(values));
        }
        let (level, at) = (&mut self.levels[depth], register.index as usize);
        let (row, width) = (&mut level.values[at], register.width);
        if lanes == u32::MAX {
            row.iter_mut().zip(values).for_each(|(row, value)| *row = width.truncate(*value));
        } else {
            each(lanes).for_each(|lane| row[lane] = width.truncate(values[lane]));
        }
        level.defined[at] |= lanes;
    }

    /// Writes a predicate of some lanes.
    pub(super) fn set_trues(&mut self, depth: usize, predicate: Register, lanes: u32, trues: u32) {
        if predicate.width != Width::Bit {
            return self.set_row(depth, predicate, lanes, &lanes_of(trues));
        }
        let (level, at) = (&mut self.levels[depth], predicate.index as usize);
        level.trues[at] = level.trues[at] & !lanes | trues & lanes;
        level.defined[at] |= lanes;
    }

    /// Makes a register of some lanes undefined.
    pub(super) fn unset(&mut self, depth: usize, register: Register, lanes: u32) {
        self.levels[depth].defined[register.index as usize] &= !lanes;
    }

    pub(super) fn parameters(&mut self, depth: usize, lane: usize) -> &mut Plain {
        &mut self.levels[depth].parameters[lane]
    }

    /// Copies parameters between the calls at two depths.
    pub(super) fn pass(&mut self, lane: usize, (from, from_at): (usize, u32), (to, to_at): (usize, u32), size: u32) {
        let source = self.levels[from].parameters[lane].clone();
        self.levels[to].parameters[lane].copy(to_at as usize, &source, from_at as usize, size as usize);
    }
}

/// Returns the lowest bits of values, one for each lane.
pub(super) fn bits_of(values: &Lanes) -> u32 {
    values.iter().enumerate().fold(0, |bits, (lane, value)| bits | (*value as u32 & 1) << lane)
}

/// Returns 1 for the lanes of a mask, 0 for the others.
fn lanes_of(mask: u32) -> Lanes {
    std::array::from_fn(|lane| u64::from(mask >> lane & 1))
}
