//! Functions that each lane computes from its own values.

use super::machine::{Common, Machine};
use super::registers::bits_of;
use super::warp::{Doing, Trouble, Warp};
use crate::ir::alu::{Alu, Comparison};
use crate::ir::{Logic, Operand, Register, Width};
use crate::lanes::Lanes;
use crate::number::rows;

/// The values of operands that an operation does not have.
const NOTHING: Lanes = [0; 32];

impl Warp {
    pub(super) fn compute(
        &mut self,
        machine: &Machine<'_>,
        common: &Common,
        doing: Doing,
        alu: Alu,
        to: Register,
        from: &[Operand],
    ) -> Result<(), Trouble> {
        let mut rooms = [None; 4];
        let mut values = [&NOTHING; 4];
        for ((values, room), operand) in values.iter_mut().zip(&mut rooms).zip(from) {
            *values = self.row(machine, common, doing, *operand, room)?;
        }
        let mut results = NOTHING;
        let computed = rows::compute_rows(alu, doing.lanes, values, &mut results);
        computed.map_err(|(lane, fault)| Trouble::of(lane, fault))?;
        self.registers.set_row(doing.depth, to, doing.lanes, &results);
        Ok(())
    }

    /// Copies a value. An undefined value stays undefined, because compilers copy some values that are never used.
    pub(super) fn copy(
        &mut self,
        machine: &Machine<'_>,
        common: &Common,
        doing: Doing,
        to: Register,
        from: Operand,
    ) -> Result<(), Trouble> {
        let defined = match from {
            Operand::Register(register) | Operand::Not(register) => self.registers.defined(doing.depth, register),
            Operand::Immediate(_) | Operand::Local(_) | Operand::OpenShared | Operand::Special(_) => u32::MAX,
        };
        let lanes = doing.lanes & defined;
        let values = self.values(machine, common, Doing { lanes, ..doing }, from)?;
        self.registers.set_row(doing.depth, to, lanes, &values);
        self.registers.unset(doing.depth, to, doing.lanes & !defined);
        Ok(())
    }

    pub(super) fn pack(
        &mut self,
        machine: &Machine<'_>,
        common: &Common,
        doing: Doing,
        part: Width,
        to: Register,
        from: &[Operand],
    ) -> Result<(), Trouble> {
        let mut whole = NOTHING;
        for (at, operand) in from.iter().enumerate() {
            let mut room = None;
            let values = self.row(machine, common, doing, *operand, &mut room)?;
            for (whole, value) in whole.iter_mut().zip(values) {
                *whole |= part.truncate(*value) << (at as u32 * part.bits());
            }
        }
        self.registers.set_row(doing.depth, to, doing.lanes, &whole);
        Ok(())
    }

    pub(super) fn unpack(
        &mut self,
        machine: &Machine<'_>,
        common: &Common,
        doing: Doing,
        part: Width,
        to: &[Option<Register>],
        from: Operand,
    ) -> Result<(), Trouble> {
        let whole = self.values(machine, common, doing, from)?;
        for (at, register) in to.iter().enumerate().filter_map(|(at, to)| to.map(|to| (at, to))) {
            let values = whole.map(|whole| part.truncate(whole >> (at as u32 * part.bits())));
            self.registers.set_row(doing.depth, register, doing.lanes, &values);
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments, reason = "these are the parts of the instruction")]
    pub(super) fn set_predicate(
        &mut self,
        machine: &Machine<'_>,
        common: &Common,
        doing: Doing,
        comparison: Comparison,
        to: [Option<Register>; 2],
        from: [Operand; 2],
        join: Option<(Logic, Operand)>,
    ) -> Result<(), Trouble> {
        let mut rooms = [None; 2];
        let [first, second] = &mut rooms;
        let a = self.row(machine, common, doing, from[0], first)?;
        let b = self.row(machine, common, doing, from[1], second)?;
        let holds = rows::holds_rows(comparison, doing.lanes, a, b);
        let others = match join {
            None => None,
            Some((logic, operand)) => Some((logic, bits_of(&self.values(machine, common, doing, operand)?))),
        };
        for (register, holds) in to.into_iter().zip([holds, !holds]) {
            let joined = match others {
                None => holds,
                Some((Logic::And, others)) => holds & others,
                Some((Logic::Or, others)) => holds | others,
                Some((Logic::Xor, others)) => holds ^ others,
            };
            if let Some(register) = register {
                self.registers.set_trues(doing.depth, register, doing.lanes, joined);
            }
        }
        Ok(())
    }
}
