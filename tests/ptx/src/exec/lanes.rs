//! Operations of the lanes of a warp together: shuffles, votes, matches, reductions, barriers.
//!
//! Lanes that arrive at such an instruction wait until all lanes of their mask that have not ended are there. Each lane
//! takes part with the lanes of its own mask; lanes with another mask at the same instruction are another party.

use super::groups::{Group, GroupState};
use super::machine::{Common, Machine};
use super::warp::{Arrival, Doing, Trouble, Warp};
use crate::ir::{BarrierReduction, MatchMode, Op, Operand, Reduction, Scope, ShuffleMode, VoteMode};
use crate::lanes::each;
use crate::memory::knowledge::Knowledge;
use crate::memory::thread::ThreadId;
use crate::report::{Fault, FaultKind};

impl Warp {
    /// Lets lanes of a group wait for the lanes of their masks; lanes that wait for no others go on at once.
    pub(super) fn meet_lanes(
        &mut self,
        machine: &mut Machine<'_>,
        common: &mut Common,
        number: usize,
        doing: Doing,
        mask: Operand,
    ) -> Result<(), Trouble> {
        let mut parties: Vec<(u32, u32)> = Vec::new();
        for lane in each(doing.lanes) {
            let mask = self.value(machine, common, doing, mask, lane)? as u32;
            if mask >> lane & 1 == 0 {
                return Err(Trouble::of(lane, FaultKind::LaneOutsideMask { mask }));
            }
            match parties.iter_mut().find(|party| party.0 == mask) {
                Some(party) => party.1 |= 1 << lane,
                None => parties.push((mask, 1 << lane)),
            }
        }
        let alive = self.groups.alive();
        let group = &self.groups.groups[number];
        if let [(mask, lanes)] = parties[..]
            && lanes == mask & alive
            && lanes == group.lanes
        {
            let op = &Warp::instruction(machine, doing.frame.function, group.at).op;
            self.together(machine, common, doing, op)?;
            self.next(number);
            return Ok(());
        }
        let rest = group.lanes & !doing.lanes;
        for (mask, lanes) in parties {
            let party = self.groups.detach(number, lanes);
            self.groups.groups[party].state = GroupState::Lanes(mask);
        }
        if rest != 0 {
            self.next(number);
        }
        self.settle(machine, common)
    }

    /// Lets all complete parties go on.
    pub(super) fn settle(&mut self, machine: &mut Machine<'_>, common: &mut Common) -> Result<(), Trouble> {
        while let Some(members) = self.complete_party(machine) {
            let lanes = members.iter().fold(0, |lanes, member| lanes | self.groups.groups[*member].lanes);
            let group = &self.groups.groups[members[0]];
            let frame = group.frame();
            let doing = Doing { lanes, depth: group.depth(), frame };
            let op = &Warp::instruction(machine, frame.function, group.at).op;
            self.together(machine, common, doing, op)?;
            let parts: Vec<u32> = members.iter().map(|member| self.groups.groups[*member].lanes).collect();
            for member in members {
                let group = &mut self.groups.groups[member];
                group.state = GroupState::Ready;
                group.at += 1;
            }
            for part in parts {
                self.groups.arrive(part);
            }
        }
        Ok(())
    }

    /// Returns the groups of a party that is complete.
    fn complete_party(&self, machine: &Machine<'_>) -> Option<Vec<usize>> {
        let (groups, alive) = (&self.groups.groups, self.groups.alive());
        groups.iter().find_map(|group| {
            let GroupState::Lanes(mask) = group.state else { return None };
            let is_member = |other: &Group| other.state == GroupState::Lanes(mask) && meets(machine, group, other);
            let members: Vec<usize> = (0..groups.len()).filter(|at| is_member(&groups[*at])).collect();
            let lanes = members.iter().fold(0, |lanes, member| lanes | groups[*member].lanes);
            (lanes == mask & alive).then_some(members)
        })
    }

    /// Does an instruction for a party.
    fn together(
        &mut self,
        machine: &mut Machine<'_>,
        common: &mut Common,
        doing: Doing,
        op: &Op,
    ) -> Result<(), Trouble> {
        match op {
            Op::WarpBarrier { .. } => {
                self.order(machine, doing.lanes);
                Ok(())
            }
            Op::Shuffle { mode, to, inside, value, lane, clamp, mask: _ } => {
                let values = self.values(machine, common, doing, *value)?;
                let others = self.values(machine, common, doing, *lane)?;
                let clamps = self.values(machine, common, doing, *clamp)?;
                for lane in each(doing.lanes) {
                    let (source, is_inside) = source_lane(*mode, lane as u32, others[lane] as u32, clamps[lane] as u32);
                    if doing.lanes >> source & 1 == 0 {
                        let kind = FaultKind::AbsentLane { source_lane: source, present: doing.lanes };
                        return Err(Trouble::of(lane, kind));
                    }
                    self.registers.set(doing.depth, *to, lane, values[source as usize]);
                    if let Some(inside) = inside {
                        self.registers.set(doing.depth, *inside, lane, is_inside.into());
                    }
                }
                Ok(())
            }
            Op::Vote { mode, to, predicate, mask: _ } => {
                let values = self.values(machine, common, doing, *predicate)?;
                let trues = each(doing.lanes).fold(0_u32, |trues, lane| trues | (values[lane] as u32 & 1) << lane);
                let result = match mode {
                    VoteMode::All => u32::from(trues == doing.lanes),
                    VoteMode::Any => u32::from(trues != 0),
                    VoteMode::Uniform => u32::from(trues == 0 || trues == doing.lanes),
                    VoteMode::Ballot => trues,
                };
                each(doing.lanes).for_each(|lane| self.registers.set(doing.depth, *to, lane, result.into()));
                Ok(())
            }
            Op::Match { mode, width, to, all, value, mask: _ } => {
                let values = self.values(machine, common, doing, *value)?.map(|value| width.truncate(value));
                for lane in each(doing.lanes) {
                    let equal = each(doing.lanes).filter(|other| values[*other] == values[lane]);
                    let equal = equal.fold(0_u32, |lanes, other| lanes | 1 << other);
                    let is_all = equal == doing.lanes;
                    let result = if *mode == MatchMode::Any || is_all { equal } else { 0 };
                    self.registers.set(doing.depth, *to, lane, result.into());
                    if let Some(all) = all {
                        self.registers.set(doing.depth, *all, lane, is_all.into());
                    }
                }
                Ok(())
            }
            Op::Reduce { reduction, signed, to, value, mask: _ } => {
                let values = self.values(machine, common, doing, *value)?;
                let values = each(doing.lanes).map(|lane| values[lane] as u32);
                let result = values.reduce(|a, b| reduce(*reduction, *signed, a, b)).unwrap_or(0);
                each(doing.lanes).for_each(|lane| self.registers.set(doing.depth, *to, lane, result.into()));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Orders all accesses of some lanes before their next accesses.
    fn order(&mut self, machine: &mut Machine<'_>, lanes: u32) {
        machine.now += 1;
        let mut known = [0; 32];
        for lane in each(lanes) {
            for (known, seen) in known.iter_mut().zip(self.seen[lane]) {
                *known = seen.max(*known);
            }
        }
        each(lanes).for_each(|lane| known[lane] = machine.now);
        each(lanes).for_each(|lane| self.seen[lane] = known);
        let told = self.told(lanes);
        self.learn(lanes, &told);
    }

    /// Returns the knowledge of some lanes from messages.
    pub(super) fn told(&self, lanes: u32) -> Knowledge {
        let mut told = Knowledge::default();
        each(lanes).for_each(|lane| told.merge(&self.messages[lane].known));
        told
    }

    /// Adds to the knowledge of some lanes.
    pub(super) fn learn(&mut self, lanes: u32, told: &Knowledge) {
        each(lanes).for_each(|lane| self.messages[lane].known.merge(told));
    }

    /// Runs a fence: lanes know the messages that they have read, and their knowledge goes with their strong writes
    /// from now on.
    pub(super) fn fence(&mut self, machine: &mut Machine<'_>, common: &Common, lanes: u32, scope: Scope) {
        machine.now += 1;
        let first = ThreadId(common.number * machine.sizes.warps * 32);
        let last = ThreadId(first.0 + machine.sizes.warps * 32 - 1);
        for lane in each(lanes) {
            let messages = &mut self.messages[lane];
            messages.learn(scope);
            let mut sent = messages.known.clone();
            sent.add(first, last, common.barrier);
            for (other, seen) in self.seen[lane].into_iter().enumerate().filter(|(_, seen)| *seen > common.barrier) {
                let other = self.thread(machine, common, other);
                sent.add(other, other, seen);
            }
            let this = self.thread(machine, common, lane);
            sent.add(this, this, machine.now);
            self.messages[lane].send(scope, sent);
        }
    }

    /// Returns the fault that the lanes of a group wait for others that never come.
    pub(super) fn deadlock(&self, machine: &Machine<'_>, common: &Common, number: usize) -> Box<Fault> {
        let groups = &self.groups.groups;
        let group = &groups[number];
        let GroupState::Lanes(mask) = group.state else {
            return machine.fault(0, None, FaultKind::Launch("lanes that do not wait cannot be stuck".to_owned()));
        };
        let here = groups.iter().filter(|other| other.state == group.state && meets(machine, group, other));
        let waiting = here.fold(0, |lanes, other| lanes | other.lanes);
        let missing = mask & self.groups.alive() & !waiting;
        let others = groups.iter().filter(|other| other.lanes & missing != 0);
        let elsewhere: Vec<String> =
            others.map(|other| format!("lanes {:#010x} wait at line {}", other.lanes, line(machine, other))).collect();
        let kind = FaultKind::Deadlock { waiting, missing, elsewhere: elsewhere.join(", ") };
        let thread = self.thread(machine, common, waiting.trailing_zeros() as usize);
        machine.fault(line(machine, group), Some(thread), kind)
    }

    /// Lets lanes of a group wait for the other threads of the block; the rest of the group goes on.
    pub(super) fn wait_for_block(&mut self, number: usize, lanes: u32) {
        if lanes == 0 {
            self.next(number);
            return;
        }
        let is_all = lanes == self.groups.groups[number].lanes;
        let waiting = self.groups.detach(number, lanes);
        self.groups.groups[waiting].state = GroupState::Block;
        if !is_all {
            self.next(number);
        }
    }

    /// Returns the warp's arrival at a barrier of its block; none if the warp has ended.
    pub(super) fn arrival(&self, machine: &Machine<'_>, common: &Common) -> Result<Option<Arrival>, Box<Fault>> {
        let Some(first) = self.groups.groups.first() else { return Ok(None) };
        let lanes = self.groups.alive();
        if let Some(other) = self.groups.groups.iter().find(|other| !is_same_place(first, other)) {
            let elsewhere =
                format!("lanes {:#010x} of the same warp wait at line {}", other.lanes, line(machine, other));
            let (waiting, expected) = (first.lanes.count_ones(), lanes.count_ones());
            let kind = FaultKind::BarrierDeadlock { number: 0, waiting, expected, elsewhere };
            let thread = self.thread(machine, common, first.lanes.trailing_zeros() as usize);
            return Err(machine.fault(line(machine, first), Some(thread), kind));
        }
        let fault = |trouble: Trouble| {
            let thread: Option<ThreadId> = trouble.lane.map(|lane| self.thread(machine, common, lane));
            machine.fault(line(machine, first), thread, trouble.kind)
        };
        self.read_barrier(machine, common, first, lanes).map(Some).map_err(fault)
    }

    fn read_barrier(
        &self,
        machine: &Machine<'_>,
        common: &Common,
        group: &Group,
        lanes: u32,
    ) -> Result<Arrival, Trouble> {
        let doing = Doing { lanes, depth: group.depth(), frame: group.frame() };
        let mut arrival = Arrival {
            warp: self.number,
            line: line(machine, group),
            lanes,
            number: 0,
            threads: None,
            reduction: None,
            trues: 0,
        };
        let Op::Barrier { number, threads, reduction } =
            Warp::instruction(machine, doing.frame.function, group.at).op.clone()
        else {
            return Ok(arrival);
        };
        let first = lanes.trailing_zeros() as usize;
        arrival.number = self.value(machine, common, doing, number, first)?;
        if let Some(threads) = threads {
            arrival.threads = Some(self.value(machine, common, doing, threads, first)?);
        }
        if let Some((reduction, _, predicate)) = reduction {
            arrival.reduction = Some(reduction);
            let values = self.values(machine, common, doing, predicate)?;
            arrival.trues = each(lanes).map(|lane| u32::from(values[lane] == 1)).sum();
        }
        Ok(arrival)
    }

    /// Lets all lanes pass the barrier of the block at which they wait.
    pub(super) fn pass_barrier(&mut self, machine: &Machine<'_>, result: u32, told: &Knowledge) {
        self.learn(self.groups.alive(), told);
        let parts: Vec<u32> = self.groups.groups.iter().map(|group| group.lanes).collect();
        for group in &mut self.groups.groups {
            let (depth, frame) = (group.depth(), group.frame());
            let op = &Warp::instruction(machine, frame.function, group.at).op;
            if let Op::Barrier { reduction: Some((kind, to, _)), .. } = op {
                let result = if *kind == BarrierReduction::Count { result } else { result.min(1) };
                each(group.lanes).for_each(|lane| self.registers.set(depth, *to, lane, result.into()));
            }
            group.state = GroupState::Ready;
            group.at += 1;
        }
        for part in parts {
            self.groups.arrive(part);
        }
    }
}

/// Returns whether two groups are at the same instruction of the same call.
fn is_same_place(a: &Group, b: &Group) -> bool {
    a.at == b.at && a.frames == b.frames
}

/// Returns whether groups with the same mask are one party: at one instruction, or at barriers anywhere.
fn meets(machine: &Machine<'_>, a: &Group, b: &Group) -> bool {
    let is_barrier = |group: &Group| {
        let op = &Warp::instruction(machine, group.frame().function, group.at).op;
        matches!(op, Op::WarpBarrier { .. })
    };
    is_same_place(a, b) || is_barrier(a) && is_barrier(b)
}

fn line(machine: &Machine<'_>, group: &Group) -> u32 {
    Warp::instruction(machine, group.frame().function, group.at).line
}

/// Returns the lane that a shuffle reads, and whether it is inside of the segment; if it is not, the lane reads itself.
fn source_lane(mode: ShuffleMode, lane: u32, other: u32, clamp: u32) -> (u32, bool) {
    let (other, segment, clamp) = (other & 31, clamp >> 8 & 31, clamp & 31);
    let first = lane & segment;
    let last = first | clamp & !segment;
    let source = match mode {
        ShuffleMode::Up => lane.checked_sub(other).filter(|source| *source >= last),
        ShuffleMode::Down => Some(lane + other).filter(|source| *source <= last),
        ShuffleMode::Butterfly => Some(lane ^ other).filter(|source| *source <= last),
        ShuffleMode::Index => Some(first | other & !segment).filter(|source| *source <= last),
    };
    (source.unwrap_or(lane), source.is_some())
}

fn reduce(reduction: Reduction, signed: bool, a: u32, b: u32) -> u32 {
    match reduction {
        Reduction::Add => a.wrapping_add(b),
        Reduction::Minimum if signed => a.cast_signed().min(b.cast_signed()).cast_unsigned(),
        Reduction::Maximum if signed => a.cast_signed().max(b.cast_signed()).cast_unsigned(),
        Reduction::Minimum => a.min(b),
        Reduction::Maximum => a.max(b),
        Reduction::And => a & b,
        Reduction::Or => a | b,
        Reduction::Xor => a ^ b,
    }
}
