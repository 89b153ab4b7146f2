//! The values that instructions read.

use super::machine::{Common, Machine};
use super::warp::{Doing, Trouble, Warp};
use crate::ir::{Operand, Register, Special};
use crate::lanes::{Lanes, each};
use crate::report::FaultKind;

impl Warp {
    /// Returns an operand's values, from their place or in `room`; values of lanes that do not run the instruction have
    /// no meaning.
    pub(super) fn row<'r>(
        &'r self,
        machine: &Machine<'_>,
        common: &Common,
        doing: Doing,
        operand: Operand,
        room: &'r mut Option<Lanes>,
    ) -> Result<&'r Lanes, Trouble> {
        match operand {
            Operand::Register(register) => {
                self.check_defined(doing, register)?;
                Ok(self.registers.row(doing.depth, register, room))
            }
            Operand::Not(register) => {
                self.check_defined(doing, register)?;
                let values = self.registers.row(doing.depth, register, &mut None).map(|value| value ^ 1);
                Ok(room.insert(values))
            }
            Operand::Immediate(bits) => Ok(room.insert([bits; 32])),
            Operand::Local(offset) => Ok(room.insert([u64::from(doing.frame.local) + u64::from(offset); 32])),
            Operand::OpenShared => Ok(room.insert([machine.module.shared_bytes(machine.kernel); 32])),
            Operand::Special(Special::Thread(axis)) => Ok(&self.places[usize::from(axis)]),
            Operand::Special(special) => Ok(room.insert(self.special(machine, common, special))),
        }
    }

    /// Returns a copy of an operand's values.
    pub(super) fn values(
        &self,
        machine: &Machine<'_>,
        common: &Common,
        doing: Doing,
        operand: Operand,
    ) -> Result<Lanes, Trouble> {
        self.row(machine, common, doing, operand, &mut None).copied()
    }

    /// Returns an operand's value for a lane.
    pub(super) fn value(
        &self,
        machine: &Machine<'_>,
        common: &Common,
        doing: Doing,
        operand: Operand,
        lane: usize,
    ) -> Result<u64, Trouble> {
        let doing = Doing { lanes: 1 << lane, ..doing };
        Ok(self.row(machine, common, doing, operand, &mut None)?[lane])
    }

    /// Returns the lanes for which a predicate is true; bits of lanes that do not run the instruction have no meaning.
    pub(super) fn trues(&self, doing: Doing, predicate: Register) -> Result<u32, Trouble> {
        self.check_defined(doing, predicate)?;
        Ok(self.registers.trues(doing.depth, predicate))
    }

    /// Checks that all lanes that run an instruction have written a register.
    fn check_defined(&self, doing: Doing, register: Register) -> Result<(), Trouble> {
        match each(doing.lanes & !self.registers.defined(doing.depth, register)).next() {
            None => Ok(()),
            Some(lane) => Err(Trouble::of(lane, FaultKind::UndefinedRegister { register: register.index })),
        }
    }

    fn special(&self, machine: &Machine<'_>, common: &Common, special: Special) -> Lanes {
        let sizes = machine.sizes;
        let bits = |value: fn(u32) -> u32| std::array::from_fn(|lane| value(1 << lane).into());
        match special {
            Special::Thread(axis) => self.places[usize::from(axis)],
            Special::BlockSize(axis) => [sizes.block.0[usize::from(axis)].into(); 32],
            Special::Block(axis) => [sizes.grid.place(common.number)[usize::from(axis)].into(); 32],
            Special::GridSize(axis) => [sizes.grid.0[usize::from(axis)].into(); 32],
            Special::Lane => std::array::from_fn(|lane| lane as u64),
            Special::Warp => [self.number.into(); 32],
            Special::Warps => [sizes.warps.into(); 32],
            Special::MaskEqual => bits(|bit| bit),
            Special::MaskLess => bits(|bit| bit - 1),
            Special::MaskLessOrEqual => bits(|bit| bit | (bit - 1)),
            Special::MaskGreater => bits(|bit| !(bit | (bit - 1))),
            Special::MaskGreaterOrEqual => bits(|bit| !(bit - 1)),
        }
    }
}
