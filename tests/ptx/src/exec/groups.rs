//! How the lanes of a warp part and meet.
//!
//! A group is a set of lanes that run together. At a branch that they take differently it parts in two, which meet at the first
//! instruction that both ways lead to (`flow`). A group that comes there waits for the others of the [`Meeting`], but not for
//! ever: if nobody else can run, it goes on alone, so that lanes that wait for each other in other ways make progress, as they do
//! on devices since sm_70.
//!
//! Invariants: the lanes of different groups are different; together they are the lanes that have not ended. A meeting's lanes are those that
//! are still to come to it or wait there; a group's list of meetings goes from the outermost to the innermost.

/// A call that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// The function.
    pub(super) function: crate::ir::FunctionId,
    /// Where the caller goes on.
    pub(super) return_to: u32,
    /// Where the local memory of the call begins.
    pub(super) local: u32,
}

/// What a group waits for.
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

    /// Returns how many calls are open besides the kernel.
    pub(super) fn depth(&self) -> usize {
        self.frames.len() - 1
    }
}

/// Where lanes that parted run together again.
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

    /// Takes lanes out of a group into one of their own, which meets the others nowhere new; returns its number.
    pub(super) fn detach(&mut self, number: usize, lanes: u32) -> usize {
        if self.groups[number].lanes == lanes {
            return number;
        }
        self.groups[number].lanes &= !lanes;
        let group = Group { lanes, ..self.groups[number].clone() };
        self.groups.push(group);
        self.groups.len() - 1
    }

    /// Parts a group: some of its lanes go on at another instruction, all meet at `meet`, if they do.
    pub(super) fn part(&mut self, number: usize, lanes: u32, target: u32, meet: Option<u32>) {
        self.agree(number, meet);
        let parted = self.detach(number, lanes);
        self.groups[parted].at = target;
        // Both may be where they meet; a group that arrives may vanish in another, so lanes name them.
        let rest = self.groups[number].lanes;
        self.arrive(lanes);
        self.arrive(rest);
    }

    /// Notes where the lanes of a group meet after they part.
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

    /// Parts a group in several, by the instruction at which each goes on; together they are all lanes of the group.
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

    /// Looks whether the group of some lanes has come to where it meets others; call it when its next instruction changed.
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

    /// Drops the meetings at the end that no group has.
    fn forget_meetings(&mut self) {
        let last = self.groups.iter().flat_map(|group| group.meetings.iter().copied()).max();
        self.meetings.truncate(last.map_or(0, |last| last + 1));
    }

    /// Ends lanes of a group, and lets those go on that waited for them at a meeting.
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

    /// Looks again at all groups whose meeting may be complete.
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
