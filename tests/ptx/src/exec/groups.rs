//! Groups of the lanes of a warp, which part and meet.
//!
//! A group is a set of lanes that run together. At a branch that its lanes take differently, it parts in two; these
//! meet at the first instruction on both ways (`flow`). A group that arrives there waits for the others of the
//! [`Meeting`], but not for ever. If no other group can run, it goes on alone. So lanes that wait for each other in
//! other ways make progress, as on devices since sm_70.
//!
//! Invariants: different groups have different lanes; together they have all lanes that have not ended. A meeting has
//! the lanes that are still to arrive or wait there. A group's list of meetings goes from the outermost to the
//! innermost.

/// An open call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// The function.
    pub(super) function: crate::ir::FunctionId,
    /// The instruction at which the caller goes on.
    pub(super) return_to: u32,
    /// The beginning of the call's local memory.
    pub(super) local: u32,
}

/// The event that a group waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupState {
    /// Nothing.
    Ready,
    /// The others of its innermost meeting.
    Meeting,
    /// The lanes of this mask.
    Lanes(u32),
    /// The other threads of the block.
    Block,
}

/// Lanes that run together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) lanes: u32,
    /// The next instruction.
    pub(super) at: u32,
    /// The open calls; the kernel is the first.
    pub(super) frames: Vec<Frame>,
    pub(super) state: GroupState,
    meetings: Vec<usize>,
}

impl Group {
    /// Returns the function that runs, and its local memory.
    pub(super) fn frame(&self) -> Frame {
        self.frames[self.frames.len() - 1]
    }

    /// Returns the number of open calls besides the kernel.
    pub(super) fn depth(&self) -> usize {
        self.frames.len() - 1
    }
}

/// The place where parted lanes run together again.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    at: u32,
    depth: usize,
    lanes: u32,
}

/// The groups of a warp.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    pub(super) groups: Vec<Group>,
    meetings: Vec<Meeting>,
}

impl Groups {
    pub(super) fn new(lanes: u32, frame: Frame) -> Groups {
        let group = Group { lanes, at: 0, frames: vec![frame], state: GroupState::Ready, meetings: Vec::new() };
        Groups { groups: vec![group], meetings: Vec::new() }
    }

    /// Returns the lanes that have not ended.
    pub(super) fn alive(&self) -> u32 {
        self.groups.iter().fold(0, |lanes, group| lanes | group.lanes)
    }

    /// Returns the number of the group that a lane is in.
    fn group_of(&self, lanes: u32) -> Option<usize> {
        self.groups.iter().position(|group| group.lanes & lanes != 0)
    }

    /// Moves lanes of a group into a group of their own, without a new meeting; returns the new group's number.
    pub(super) fn detach(&mut self, number: usize, lanes: u32) -> usize {
        if self.groups[number].lanes == lanes {
            return number;
        }
        self.groups[number].lanes &= !lanes;
        let group = Group { lanes, ..self.groups[number].clone() };
        self.groups.push(group);
        self.groups.len() - 1
    }

    /// Parts a group: some of its lanes go on at another instruction. All meet at `meet`, if there is one.
    pub(super) fn part(&mut self, number: usize, lanes: u32, target: u32, meet: Option<u32>) {
        self.agree(number, meet);
        let parted = self.detach(number, lanes);
        self.groups[parted].at = target;
        // Both groups may be at their meeting already; a group that arrives may merge into another, so groups are named
        // by their lanes.
        let rest = self.groups[number].lanes;
        self.arrive(lanes);
        self.arrive(rest);
    }

    /// Notes the place where the lanes of a group meet after they part.
    fn agree(&mut self, number: usize, meet: Option<u32>) {
        if let Some(at) = meet {
            let depth = self.groups[number].depth();
            let innermost = self.groups[number].meetings.last().map(|meeting| self.meetings[*meeting]);
            // Lanes that leave a loop one after the other meet once.
            if !innermost.is_some_and(|innermost| innermost.at == at && innermost.depth == depth) {
                self.meetings.push(Meeting { at, depth, lanes: self.groups[number].lanes });
                self.groups[number].meetings.push(self.meetings.len() - 1);
            }
        }
    }

    /// Parts a group into several, by the instruction at which each goes on; together they have all lanes of the group.
    pub(super) fn scatter(&mut self, number: usize, ways: &[(u32, u32)], meet: Option<u32>) {
        if let [(target, lanes)] = ways {
            self.groups[number].at = *target;
            return self.arrive(*lanes);
        }
        self.agree(number, meet);
        for (target, lanes) in ways {
            let parted = self.detach(number, *lanes);
            self.groups[parted].at = *target;
        }
        for (_, lanes) in ways {
            self.arrive(*lanes);
        }
    }

    /// Checks whether the group of some lanes has arrived at its meeting; call it when the group's next instruction has
    /// changed.
    pub(super) fn arrive(&mut self, lanes: u32) {
        while let Some(number) = self.group_of(lanes) {
            let group = &self.groups[number];
            let Some(meeting) = group.meetings.last().copied() else { return };
            let Meeting { at, depth, lanes: all } = self.meetings[meeting];
            if group.at != at || group.depth() != depth {
                return;
            }
            let other = self.groups.iter().position(|other| {
                other.state == GroupState::Meeting
                    && other.lanes != group.lanes
                    && other.meetings.last() == Some(&meeting)
            });
            if let Some(other) = other {
                self.groups[other].lanes |= self.groups[number].lanes;
                self.groups.swap_remove(number);
            } else if group.lanes == all {
                self.groups[number].meetings.pop();
                self.groups[number].state = GroupState::Ready;
                self.forget_meetings();
            } else {
                self.groups[number].state = GroupState::Meeting;
                return;
            }
        }
    }

    /// Drops the last meetings if no group has them.
    fn forget_meetings(&mut self) {
        let last = self.groups.iter().flat_map(|group| group.meetings.iter().copied()).max();
        self.meetings.truncate(last.map_or(0, |last| last + 1));
    }

    /// Ends lanes of a group, and lets groups go on that waited for them at a meeting.
    pub(super) fn end(&mut self, number: usize, lanes: u32) {
        self.groups[number].lanes &= !lanes;
        if self.groups[number].lanes == 0 {
            self.groups.swap_remove(number);
        }
        for meeting in &mut self.meetings {
            meeting.lanes &= !lanes;
        }
        self.recheck();
    }

    /// Lets all groups that wait at a meeting go on alone; returns whether there were any.
    pub(super) fn release(&mut self) -> bool {
        let mut released = false;
        for group in self.groups.iter_mut().filter(|group| group.state == GroupState::Meeting) {
            if let Some(meeting) = group.meetings.pop() {
                self.meetings[meeting].lanes &= !group.lanes;
            }
            group.state = GroupState::Ready;
            released = true;
        }
        self.recheck();
        released
    }

    /// Checks again all groups whose meeting may be complete.
    fn recheck(&mut self) {
        let lanes: Vec<u32> = self.groups.iter().map(|group| group.lanes).collect();
        for lanes in lanes {
            let is_running = |group: &Group| matches!(group.state, GroupState::Ready | GroupState::Meeting);
            if self.group_of(lanes).is_some_and(|number| is_running(&self.groups[number])) {
                self.arrive(lanes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Frame, GroupState, Groups};
    use crate::ir::FunctionId;

    fn groups() -> Groups {
        Groups::new(0xf, Frame { function: FunctionId(0), return_to: 0, local: 0 })
    }

    fn states(groups: &Groups) -> Vec<(u32, u32, GroupState)> {
        let mut states: Vec<_> = groups.groups.iter().map(|group| (group.lanes, group.at, group.state)).collect();
        states.sort_by_key(|state| state.0);
        states
    }

    #[test]
    fn diverged_lanes_reconverge() {
        let mut groups = groups();
        groups.part(0, 0x3, 5, Some(5));
        assert_eq!(states(&groups), [(0x3, 5, GroupState::Meeting), (0xc, 0, GroupState::Ready)]);
        groups.groups.iter_mut().find(|group| group.lanes == 0xc).unwrap().at = 5;
        groups.arrive(0xc);
        assert_eq!(states(&groups), [(0xf, 5, GroupState::Ready)]);
    }

    #[test]
    fn lanes_that_ended_do_not_block_reconvergence() {
        let mut groups = groups();
        groups.part(0, 0x3, 5, Some(5));
        let number = groups.groups.iter().position(|group| group.lanes == 0xc).unwrap();
        groups.end(number, 0x8);
        assert_eq!(states(&groups), [(0x3, 5, GroupState::Meeting), (0x4, 0, GroupState::Ready)]);
        let number = groups.groups.iter().position(|group| group.lanes == 0x4).unwrap();
        groups.end(number, 0x4);
        assert_eq!(states(&groups), [(0x3, 5, GroupState::Ready)]);
    }

    #[test]
    fn released_lanes_continue_without_the_others() {
        let mut groups = groups();
        groups.part(0, 0x3, 5, Some(5));
        assert!(groups.release());
        assert_eq!(states(&groups), [(0x3, 5, GroupState::Ready), (0xc, 0, GroupState::Ready)]);
        groups.groups.iter_mut().find(|group| group.lanes == 0xc).unwrap().at = 5;
        groups.arrive(0xc);
        assert_eq!(states(&groups), [(0x3, 5, GroupState::Ready), (0xc, 5, GroupState::Ready)]);
    }
}
