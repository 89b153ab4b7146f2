//! The flow of lanes: branches, calls, returns, ends.

use super::groups::Frame;
use super::machine::{Common, Machine};
use super::warp::{Doing, Trouble, Warp};
use crate::ir::{Function, FunctionId, Op, Operand, ParameterSlot};
use crate::lanes::each;
use crate::report::FaultKind;

/// Caps on the depth of calls, on their registers together, and on the bytes of a lane's local memory.
const MOST_DEPTH: u64 = 32;
const MOST_REGISTERS: u64 = 32 << 10;
const MOST_LOCAL: u32 = 512 << 10;

impl Warp {
    /// Runs an instruction that decides where lanes go on.
    pub(super) fn go(
        &mut self,
        machine: &mut Machine<'_>,
        common: &mut Common,
        number: usize,
        doing: Doing,
        op: &Op,
    ) -> Result<(), Trouble> {
        let function = machine.module.function(doing.frame.function);
        let at = self.groups.groups[number].at;
        match op {
            Op::Branch { target } => {
                self.branch(machine, number, doing.lanes, *target, function.meets[at as usize]);
                Ok(())
            }
            Op::BranchTable { index, targets } => self.branch_table(
                machine,
                common,
                number,
                doing,
                (*index, targets.as_slice(), function.meets[at as usize]),
            ),
            Op::Call { function, results: _, arguments } => {
                self.call(machine, number, doing.lanes, *function, arguments)
            }
            Op::Return if doing.depth > 0 => {
                self.end_call(machine, number, doing, function);
                Ok(())
            }
            Op::Trap => match each(doing.lanes).next() {
                Some(lane) => Err(Trouble::of(lane, FaultKind::Trap)),
                None => {
                    self.next(number);
                    Ok(())
                }
            },
            _ => self.end_lanes(machine, common, number, doing.lanes),
        }
    }

    /// Lets some lanes of a group go on at another instruction, the others at the next one.
    fn branch(&mut self, machine: &mut Machine<'_>, number: usize, lanes: u32, target: u32, meet: Option<u32>) {
        let group = &mut self.groups.groups[number];
        if lanes == group.lanes {
            group.at = target;
            self.groups.arrive(lanes);
        } else if lanes == 0 {
            self.next(number);
        } else {
            machine.counts.divergent_branches += 1;
            group.at += 1;
            self.groups.part(number, lanes, target, meet);
        }
    }

    /// Lets the lanes of a group go on at the labels that their indexes choose.
    fn branch_table(
        &mut self,
        machine: &mut Machine<'_>,
        common: &Common,
        number: usize,
        doing: Doing,
        (index, targets, meet): (Operand, &[u32], Option<u32>),
    ) -> Result<(), Trouble> {
        let mut ways: Vec<(u32, u32)> = Vec::new();
        for lane in each(doing.lanes) {
            let given = self.value(machine, common, doing, index, lane)?;
            let target = usize::try_from(given).ok().and_then(|at| targets.get(at));
            let limit = targets.len() as u64;
            let target = *target.ok_or_else(|| Trouble::of(lane, FaultKind::BranchIndex { given, limit }))?;
            match ways.iter_mut().find(|way| way.0 == target) {
                Some(way) => way.1 |= 1 << lane,
                None => ways.push((target, 1 << lane)),
            }
        }
        let rest = self.groups.groups[number].lanes & !doing.lanes;
        if rest != 0 || ways.is_empty() {
            ways.push((self.groups.groups[number].at + 1, rest));
        }
        machine.counts.divergent_branches += u64::from(ways.len() > 1);
        self.groups.scatter(number, &ways, meet);
        Ok(())
    }

    /// Opens a call for some lanes of a group; the others go on, and all meet after it.
    fn call(
        &mut self,
        machine: &mut Machine<'_>,
        number: usize,
        lanes: u32,
        callee: FunctionId,
        arguments: &[ParameterSlot],
    ) -> Result<(), Trouble> {
        let at = self.groups.groups[number].at;
        if lanes == 0 {
            self.next(number);
            return Ok(());
        }
        let number = if lanes == self.groups.groups[number].lanes {
            number
        } else {
            machine.counts.divergent_branches += 1;
            self.groups.groups[number].at += 1;
            self.groups.part(number, lanes, at, Some(at + 1));
            let found = self.groups.groups.iter().position(|group| group.lanes == lanes);
            found.unwrap_or(number)
        };
        let caller = self.groups.groups[number].frame();
        let function = machine.module.function(callee);
        let local = caller.local + machine.module.function(caller.function).local_bytes.next_multiple_of(16);
        let depth = self.groups.groups[number].frames.len();
        let open = self.groups.groups[number].frames.iter().map(|frame| machine.module.function(frame.function));
        let registers: u64 = open.map(|open| u64::from(open.registers)).sum::<u64>() + u64::from(function.registers);
        let is_large = registers > MOST_REGISTERS || local + function.local_bytes > MOST_LOCAL;
        if depth as u64 > MOST_DEPTH || is_large {
            let kind = FaultKind::CallDepth { given: depth as u64, limit: MOST_DEPTH };
            return Err(Trouble { lane: each(lanes).next(), kind });
        }
        self.registers.enter(depth, lanes, function, local as usize);
        for lane in each(lanes) {
            for (argument, parameter) in arguments.iter().zip(&function.parameters) {
                let (from, to) = ((depth - 1, argument.offset), (depth, parameter.slot.offset));
                self.registers.pass(lane, from, to, argument.size);
            }
        }
        let group = &mut self.groups.groups[number];
        group.frames.push(Frame { function: callee, return_to: at + 1, local });
        group.at = 0;
        self.groups.arrive(lanes);
        Ok(())
    }

    /// Ends a call for some lanes: lanes before its last instruction go there, where all lanes of the call meet.
    fn end_call(&mut self, machine: &mut Machine<'_>, number: usize, doing: Doing, function: &Function) {
        let at = self.groups.groups[number].at;
        let last = (function.code.len() - 1) as u32;
        if at != last {
            self.branch(machine, number, doing.lanes, last, function.meets[at as usize]);
            return;
        }
        let caller = self.groups.groups[number].frames[doing.depth - 1];
        let call = Warp::instruction(machine, caller.function, doing.frame.return_to - 1);
        if let Op::Call { results, .. } = &call.op {
            for lane in each(doing.lanes) {
                for (slot, result) in results.iter().zip(&function.results) {
                    let (from, to) = ((doing.depth, result.slot.offset), (doing.depth - 1, slot.offset));
                    self.registers.pass(lane, from, to, slot.size);
                }
            }
        }
        let group = &mut self.groups.groups[number];
        group.frames.pop();
        group.at = doing.frame.return_to;
        self.groups.arrive(doing.lanes);
    }

    /// Ends lanes of a group; the others go on.
    fn end_lanes(
        &mut self,
        machine: &mut Machine<'_>,
        common: &mut Common,
        number: usize,
        lanes: u32,
    ) -> Result<(), Trouble> {
        if lanes != self.groups.groups[number].lanes {
            self.groups.groups[number].at += 1;
        }
        self.groups.end(number, lanes);
        self.settle(machine, common)
    }
}
