//! A block: its shared memory, its warps, its barriers.

use super::machine::{Common, Machine};
use super::random::Random;
use super::warp::{Arrival, Status, Warp};
use crate::ir::BarrierReduction;
use crate::memory::knowledge::Knowledge;
use crate::memory::region::Region;
use crate::memory::thread::ThreadId;
use crate::report::{Fault, FaultKind};

/// A block that runs.
#[derive(Debug)]
pub(super) struct Block {
    common: Common,
    warps: Vec<Warp>,
    /// The warps that can go on, by number, while one is chosen.
    ready: Vec<usize>,
}

/// Cap on the instructions that a warp runs before another warp has its turn.
const SLICE: usize = 32;

impl Block {
    pub(super) fn new(machine: &Machine<'_>, number: u32, open_shared: u32) -> Block {
        let size = machine.module.shared_bytes(machine.kernel) + u64::from(open_shared);
        let shared = Region::empty("shared memory", 0, usize::try_from(size).unwrap_or(usize::MAX));
        let threads = u32::try_from(machine.sizes.block.count()).unwrap_or(u32::MAX);
        let mut warps = Vec::new();
        for warp in 0..machine.sizes.warps {
            let lanes = u32::MAX >> (32 - (threads - warp * 32).min(32));
            warps.push(Warp::new(machine, warp, lanes));
        }
        Block { common: Common { number, shared, barrier: 0 }, ready: Vec::new(), warps }
    }

    /// Runs one of its warps for a while; returns whether the block still runs.
    pub(super) fn run(&mut self, machine: &mut Machine<'_>, random: &mut Random) -> Result<bool, Box<Fault>> {
        self.ready.clear();
        for (at, warp) in self.warps.iter_mut().enumerate() {
            if warp.status(machine, &self.common)? == Status::Ready {
                self.ready.push(at);
            }
        }
        if self.ready.is_empty() {
            return self.pass_barrier(machine);
        }
        let at = self.ready[random.below(self.ready.len())];
        let steps = 1 + random.below(SLICE);
        self.warps[at].run(machine, &mut self.common, random, steps)?;
        Ok(true)
    }

    /// Lets all threads pass the barrier at which they wait; returns whether there are any.
    fn pass_barrier(&mut self, machine: &mut Machine<'_>) -> Result<bool, Box<Fault>> {
        let mut arrivals: Vec<Arrival> = Vec::new();
        for warp in &self.warps {
            arrivals.extend(warp.arrival(machine, &self.common)?);
        }
        let Some(first) = arrivals.first().copied() else { return Ok(false) };
        self.check(machine, first, &arrivals)?;
        machine.now += 1;
        machine.counts.barriers += 1;
        self.common.barrier = machine.now;
        let trues: u32 = arrivals.iter().map(|arrival| arrival.trues).sum();
        let waiting: u32 = arrivals.iter().map(|arrival| arrival.lanes.count_ones()).sum();
        let result = match first.reduction {
            None => 0,
            Some(BarrierReduction::Count) => trues,
            Some(BarrierReduction::All) => u32::from(trues == waiting),
            Some(BarrierReduction::Any) => u32::from(trues > 0),
        };
        let mut told = Knowledge::default();
        self.warps.iter().for_each(|warp| told.merge(&warp.told(u32::MAX)));
        for warp in &mut self.warps {
            warp.pass_barrier(machine, result, &told);
        }
        Ok(true)
    }

    /// Checks that all threads of the block wait at one barrier.
    fn check(&self, machine: &Machine<'_>, first: Arrival, arrivals: &[Arrival]) -> Result<(), Box<Fault>> {
        let threads = u32::try_from(machine.sizes.block.count()).unwrap_or(u32::MAX);
        let thread =
            ThreadId((self.common.number * machine.sizes.warps + first.warp) * 32 + first.lanes.trailing_zeros());
        let given = first.threads.unwrap_or(threads.into());
        if first.number > 15 || given != u64::from(threads) {
            let kind = FaultKind::PartialBarrier { number: first.number, given, limit: threads };
            return Err(machine.fault(first.line, Some(thread), kind));
        }
        let is_here = |arrival: &&Arrival| arrival.number == first.number && arrival.reduction == first.reduction;
        let waiting: u32 = arrivals.iter().filter(is_here).map(|arrival| arrival.lanes.count_ones()).sum();
        if waiting == threads && arrivals.iter().all(|arrival| arrival.threads == first.threads) {
            return Ok(());
        }
        let elsewhere = match arrivals.iter().find(|arrival| !is_here(arrival)) {
            Some(other) => format!("others wait at line {}", other.line),
            None => "the others have ended".to_owned(),
        };
        let kind = FaultKind::BarrierDeadlock { number: first.number, waiting, expected: threads, elsewhere };
        Err(machine.fault(first.line, Some(thread), kind))
    }
}
