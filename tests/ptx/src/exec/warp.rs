//! A warp: 32 lanes, which run instructions in groups.

use super::groups::{Frame, GroupState, Groups};
use super::machine::{Common, Machine};
use super::random::Random;
use super::registers::Registers;
use crate::ir::{BarrierReduction, FunctionId, Instruction, Op};
use crate::lanes::Lanes;
use crate::memory::knowledge::Messages;
use crate::memory::shadow::View;
use crate::memory::thread::ThreadId;
use crate::report::{Fault, FaultKind};

/// A fault, and its lane.
#[derive(Debug)]
pub(super) struct Trouble {
    pub(super) lane: Option<usize>,
    pub(super) kind: FaultKind,
}

impl Trouble {
    pub(super) fn of(lane: usize, kind: impl Into<FaultKind>) -> Trouble {
        Trouble { lane: Some(lane), kind: kind.into() }
    }
}

/// The lanes that run an instruction, and their call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doing {
    pub(super) lanes: u32,
    pub(super) depth: usize,
    pub(super) frame: Frame,
}

/// Whether a warp can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Ready,
    AtBarrier,
    Ended,
}

/// The arrival of a warp at a barrier of its block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) warp: u32,
    pub(super) line: u32,
    pub(super) lanes: u32,
    pub(super) number: u64,
    /// The number of threads that the barrier is for, if it is given.
    pub(super) threads: Option<u64>,
    pub(super) reduction: Option<BarrierReduction>,
    /// The number of lanes for which the predicate is true.
    pub(super) trues: u32,
}

/// Cap on the turns that lanes at a meeting wait for the other lanes, while these run.
const PATIENCE: u32 = 10_000;

/// A warp that runs.
#[derive(Debug)]
pub(super) struct Warp {
    pub(super) number: u32,
    pub(super) groups: Groups,
    pub(super) registers: Registers,
    /// The places of its threads in the block, by axis and lane.
    pub(super) places: Box<[Lanes; 3]>,
    /// For each lane, the time up to which it knows the accesses of each lane.
    pub(super) seen: Box<[[u32; 32]; 32]>,
    /// The knowledge of each lane from messages.
    pub(super) messages: Vec<Messages>,
    /// The number of turns that some lanes have waited at a meeting.
    waited: u32,
}

impl Warp {
    pub(super) fn new(machine: &Machine<'_>, number: u32, lanes: u32) -> Warp {
        let mut registers = Registers::new();
        registers.enter(0, lanes, machine.module.function(machine.kernel), 0);
        let groups = Groups::new(lanes, Frame { function: machine.kernel, return_to: 0, local: 0 });
        let messages = vec![Messages::default(); 32];
        let place = |axis: usize, lane: usize| machine.sizes.block.place(number * 32 + lane as u32)[axis].into();
        let places = Box::new(std::array::from_fn(|axis| std::array::from_fn(|lane| place(axis, lane))));
        Warp { number, groups, registers, places, seen: Box::new([[0; 32]; 32]), messages, waited: 0 }
    }

    /// Returns whether some lanes can go on; if not, first releases lanes that wait in vain at a meeting.
    pub(super) fn status(&mut self, machine: &Machine<'_>, common: &Common) -> Result<Status, Box<Fault>> {
        let groups = &mut self.groups;
        if groups.groups.is_empty() {
            return Ok(Status::Ended);
        }
        if groups.groups.iter().any(|group| group.state == GroupState::Ready) || groups.release() {
            return Ok(Status::Ready);
        }
        match groups.groups.iter().position(|group| matches!(group.state, GroupState::Lanes(_))) {
            None => Ok(Status::AtBarrier),
            Some(number) => Err(self.deadlock(machine, common, number)),
        }
    }

    /// Runs one group for some instructions, or until it has to wait.
    pub(super) fn run(
        &mut self,
        machine: &mut Machine<'_>,
        common: &mut Common,
        random: &mut Random,
        steps: usize,
    ) -> Result<(), Box<Fault>> {
        self.lose_patience();
        let mut ready = self.groups.groups.iter().filter(|group| group.state == GroupState::Ready);
        let count = ready.clone().count();
        let Some(chosen) = ready.nth(random.below(count)) else { return Ok(()) };
        let lead = 1 << chosen.lanes.trailing_zeros();
        for _ in 0..steps {
            let group =
                self.groups.groups.iter().position(|group| group.lanes & lead != 0 && group.state == GroupState::Ready);
            let Some(group) = group else { break };
            self.step(machine, common, group)?;
        }
        Ok(())
    }

    /// Lets lanes that have waited long at a meeting go on.
    fn lose_patience(&mut self) {
        let is_waiting = self.groups.groups.iter().any(|group| group.state == GroupState::Meeting);
        self.waited = if is_waiting { self.waited + 1 } else { 0 };
        if self.waited > PATIENCE {
            self.groups.release();
            self.waited = 0;
        }
    }

    /// Runs the next instruction of a group.
    fn step(&mut self, machine: &mut Machine<'_>, common: &mut Common, number: usize) -> Result<(), Box<Fault>> {
        let group = &self.groups.groups[number];
        let frame = group.frame();
        let instruction = Warp::instruction(machine, frame.function, group.at);
        let done = machine.counts.instructions();
        let result = if done >= machine.limit {
            Err(Trouble { lane: None, kind: FaultKind::Endless { limit: machine.limit } })
        } else {
            let all = Doing { lanes: group.lanes, depth: group.depth(), frame };
            self.guarded(all, instruction).and_then(|doing| {
                machine.counts.add(&instruction.op, doing.lanes);
                self.act(machine, common, number, doing, instruction)
            })
        };
        result.map_err(|trouble| {
            let thread = trouble.lane.map(|lane| self.thread(machine, common, lane));
            machine.fault(instruction.line, thread, trouble.kind)
        })
    }

    /// Returns the lanes for which the guard of an instruction holds.
    pub(super) fn guarded(&self, doing: Doing, instruction: &Instruction) -> Result<Doing, Trouble> {
        let Some((register, is_true)) = instruction.guard else { return Ok(doing) };
        let trues = self.trues(doing, register)?;
        let lanes = doing.lanes & if is_true { trues } else { !trues };
        Ok(Doing { lanes, ..doing })
    }

    /// Does an instruction for lanes of a group.
    fn act(
        &mut self,
        machine: &mut Machine<'_>,
        common: &mut Common,
        number: usize,
        doing: Doing,
        instruction: &Instruction,
    ) -> Result<(), Trouble> {
        match &instruction.op {
            Op::Compute { alu, to, from } => self.compute(machine, common, doing, *alu, *to, from)?,
            Op::Move { to, from } => self.copy(machine, common, doing, *to, *from)?,
            Op::Pack { part, to, from } => self.pack(machine, common, doing, *part, *to, from)?,
            Op::Unpack { part, to, from } => self.unpack(machine, common, doing, *part, to, *from)?,
            Op::SetPredicate { comparison, to, opposite, from, join } => {
                self.set_predicate(machine, common, doing, *comparison, [*to, *opposite], *from, *join)?;
            }
            Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. } => {
                self.access(machine, common, doing, &instruction.op)?;
            }
            Op::Fence { scope } => self.fence(machine, common, doing.lanes, *scope),
            Op::Sleep => {}
            Op::ActiveMask { to } => {
                self.registers.set_row(doing.depth, *to, doing.lanes, &[doing.lanes.into(); 32]);
            }
            Op::WarpBarrier { mask }
            | Op::Shuffle { mask, .. }
            | Op::Vote { mask, .. }
            | Op::Match { mask, .. }
            | Op::Reduce { mask, .. } => return self.meet_lanes(machine, common, number, doing, *mask),
            Op::Barrier { .. } => {
                self.wait_for_block(number, doing.lanes);
                return Ok(());
            }
            Op::Branch { .. } | Op::BranchTable { .. } | Op::Call { .. } | Op::Return | Op::Exit | Op::Trap => {
                return self.go(machine, common, number, doing, &instruction.op);
            }
        }
        self.next(number);
        Ok(())
    }

    /// Lets a group go on at the next instruction.
    pub(super) fn next(&mut self, number: usize) {
        let group = &mut self.groups.groups[number];
        group.at += 1;
        let lanes = group.lanes;
        self.groups.arrive(lanes);
    }

    /// Returns the thread of a lane.
    pub(super) fn thread(&self, machine: &Machine<'_>, common: &Common, lane: usize) -> ThreadId {
        let warp = common.number * machine.sizes.warps + self.number;
        ThreadId(warp * 32 + lane as u32)
    }

    /// Returns a lane's knowledge of the accesses of others.
    pub(super) fn view(&self, machine: &Machine<'_>, common: &Common, lane: usize) -> View<'_> {
        let first = common.number * machine.sizes.warps;
        View {
            thread: self.thread(machine, common, lane),
            now: machine.now,
            launched: machine.launched,
            warps: (first, first + machine.sizes.warps),
            barrier: common.barrier,
            seen: &self.seen[lane],
            known: &self.messages[lane].known,
        }
    }

    /// Returns the instruction of a group.
    pub(super) fn instruction<'m>(machine: &Machine<'m>, function: FunctionId, at: u32) -> &'m Instruction {
        &machine.module.function(function).code[at as usize]
    }
}
