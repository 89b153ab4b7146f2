//! Steps many heads together, so that work that they have in common is done once.
//!
//! One by one, heads would return to the same frames and enter the same rules again and again: n readings that have called one rule would
//! step it n times, and so would the rules that it calls. Stepped together, they follow Earley's recogniser (1970): its items are heads
//! here, and its origins are nodes of the graph-structured stack (Scott and Johnstone, "GLL Parsing", 2010):
//!
//! 1. *Return.* Each node under heads that can return yields its frames once, however many heads return to it.
//! 2. *Read.* Heads with the same top frame have been merged into one. Each head reads the byte.
//! 3. *Call.* Each rule is entered once, over a join of the frames of all its callers; it is entered after the rules that call it at their
//!    beginning. Such an order exists, as no rule is left-recursive or accepts the empty text.
//!
//! So the time of a step is proportional to the number of top frames and of frames that are returned to. Over a whole text this is cubic in
//! its length at worst, and linear if few frames are open to a return.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::frame::{BOTTOM, Frame, Head, NodeId};
use super::join::Joiner;
use super::memory::Memory;
use super::merge::drop_included;
use super::stack::{KeySet, Stack};
use super::{entered, may_begin, moves, ops};
use crate::automaton::{Automaton, OpId, RuleId};
use crate::watch;

/// Number of nodes that a join may visit for one unit of work. A visit of a head is one unit.
const LOOKS_OF_HEAD: usize = 8;

/// Buffers of a step of many heads; kept between steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Many {
    /// The heads before the byte.
    before: Groups,
    /// The heads after the byte.
    after: Groups,
    /// The frames of callers; their owner is the call.
    frames: Groups,
    calls: Calls,
    joiner: Joiner,
    /// Nodes whose frames must still be returned to.
    returns: Vec<NodeId>,
    moved: Vec<Head>,
    /// The work of the step, in visited heads.
    pub(super) work: usize,
}

impl Many {
    /// Steps heads by one byte: appends the heads after it to `out`, merged.
    pub(super) fn step(
        &mut self,
        automaton: &Automaton,
        stack: &mut Stack,
        heads: &[Head],
        byte: u8,
        out: &mut Vec<Head>,
    ) {
        self.clear();
        for &head in heads.iter().filter(|head| !head.is_returned()) {
            self.add_before(automaton, stack, head);
        }
        self.return_before(automaton, stack);
        for head in self.before.heads(automaton, stack, &mut self.joiner) {
            self.read(automaton, stack, head, byte);
        }
        while let Some(call) = self.calls.next().filter(|_| !watch::spend(1)) {
            let head = self.enter(automaton, stack, call);
            self.read(automaton, stack, head, byte);
        }
        self.return_after(stack);
        out.extend(self.after.heads(automaton, stack, &mut self.joiner));
        self.work += self.joiner.take_looks() / LOOKS_OF_HEAD;
    }

    fn clear(&mut self) {
        for groups in [&mut self.before, &mut self.after, &mut self.frames] {
            groups.clear();
        }
        self.calls.clear();
        self.returns.clear();
        self.work = 0;
    }

    fn add_before(&mut self, automaton: &Automaton, stack: &Stack, head: Head) {
        self.before.add(stack, 0, head);
        if automaton.states[head.state.index()].accept {
            self.returns.push(head.parent);
        }
    }

    /// Adds the frames to which heads can return before the byte, and in turn the frames to which those can return.
    fn return_before(&mut self, automaton: &Automaton, stack: &Stack) {
        self.joiner.begin();
        while let Some(node) = self.returns.pop().filter(|_| !watch::spend(1)) {
            if let Some((frame, parent)) = self.frame_at(stack, node) {
                self.add_before(automaton, stack, frame.resume(parent));
            }
        }
    }

    /// Adds the frames to which heads have returned with the byte.
    fn return_after(&mut self, stack: &Stack) {
        self.joiner.begin();
        while let Some(node) = self.returns.pop().filter(|_| !watch::spend(1)) {
            if node == BOTTOM {
                self.after.add(stack, 0, Head::RETURNED);
            } else if let Some((frame, parent)) = self.frame_at(stack, node) {
                self.after.add(stack, 0, frame.resume(parent));
            }
        }
    }

    /// Returns the frame at a node that was not visited yet. The members of a join are put on the list of nodes instead.
    fn frame_at(&mut self, stack: &Stack, node: NodeId) -> Option<(Frame, NodeId)> {
        if node == BOTTOM || !self.joiner.insert(node) {
            return None;
        }
        self.work += 1;
        stack.frame_or_members(node, |member| self.returns.push(member))
    }

    /// Steps one head by the byte within its rule, and records the calls that can begin with it.
    fn read(&mut self, automaton: &Automaton, stack: &mut Stack, head: Head, byte: u8) {
        self.work += 1;
        moves(automaton, stack, head, byte, &mut self.moved);
        for moved in self.moved.drain(..) {
            if automaton.derived.is_bare(moved.state) {
                self.returns.push(moved.parent);
            } else {
                self.after.add(stack, 0, moved);
            }
        }
        for call in automaton.calls(head.state) {
            let mut caller = head;
            if !may_begin(automaton, call, byte)
                || call.op != OpId::NONE && !ops::apply(automaton, stack, call.op, &mut caller)
            {
                continue;
            }
            let id = self.calls.id(automaton, (call.rule, call.a, call.b));
            if automaton.derived.is_bare(call.ret) {
                self.calls.all[id as usize].parents.push(head.parent);
            } else {
                let group = self.frames.add(stack, id, Head { state: call.ret, esc: 0, ..caller });
                self.calls.all[id as usize].frames.extend(group);
            }
        }
    }

    /// Returns the head that enters a rule, over the frames of all its callers.
    fn enter(&mut self, automaton: &Automaton, stack: &mut Stack, call: u32) -> Head {
        let Self { calls, frames, joiner, .. } = self;
        let Call { of: (rule, a, b), parents, frames: groups } = &mut calls.all[call as usize];
        let mut callers: Vec<Head> = groups.iter().map(|&group| frames.head(stack, joiner, group)).collect();
        drop_included(automaton, &mut callers, 0);
        for Head { state, a, b, memory, parent, .. } in callers {
            parents.push(stack.push(Frame { state, a, b, memory }, parent));
        }
        let parent = joiner.join(stack, parents);
        entered(&automaton.rules[rule.index()], *a, *b, parent)
    }
}

/// A rule that is entered with its arguments, and the frames to which it returns.
#[derive(Clone, Debug)]
struct Call {
    of: (RuleId, u32, u32),
    /// For callers that end with the call: their parents, to which the call returns directly.
    parents: SmallVec<[NodeId; 4]>,
    /// The frames of the other callers, by their groups.
    frames: SmallVec<[u32; 4]>,
}

/// The rules that are entered in a step.
#[derive(Clone, Debug, Default)]
struct Calls {
    all: Vec<Call>,
    known: FxHashMap<(RuleId, u32, u32), u32>,
    /// Calls that must still be entered; the first is one that none of the others makes at its beginning.
    open: BinaryHeap<(u32, u32)>,
}

impl Calls {
    fn clear(&mut self) {
        self.all.clear();
        self.known.clear();
    }

    /// Returns the number of a call, and adds the call if it is new.
    fn id(&mut self, automaton: &Automaton, of: (RuleId, u32, u32)) -> u32 {
        let Self { all, known, open } = self;
        *known.entry(of).or_insert_with(|| {
            all.push(Call { of, parents: SmallVec::new(), frames: SmallVec::new() });
            let id = all.len() as u32 - 1;
            open.push((automaton.derived.first_depth(of.0), id));
            id
        })
    }

    fn next(&mut self) -> Option<u32> {
        self.open.pop().map(|(_, call)| call)
    }
}

/// The top of a head: its owner, and all fields but the stack below. A key set is represented by the first equal set.
type Top = (u32, u32, u32, u32, Memory, u32);

/// Heads with different tops, each with the stacks below it.
#[derive(Clone, Debug, Default)]
struct Groups {
    all: Vec<(Head, SmallVec<[NodeId; 2]>)>,
    known: FxHashMap<Top, u32>,
    sets: FxHashMap<KeySet, Memory>,
}

impl Groups {
    fn clear(&mut self) {
        self.all.clear();
        self.known.clear();
        self.sets.clear();
    }

    /// Adds a head to the group of its owner and top. Returns the group's number if the group is new.
    fn add(&mut self, stack: &Stack, owner: u32, head: Head) -> Option<u32> {
        let memory = match stack.set(head.memory) {
            Some(set) => *self.sets.entry(set.clone()).or_insert(head.memory),
            None => head.memory,
        };
        let new = self.all.len() as u32;
        let group = *self.known.entry((owner, head.state.0, head.a, head.b, memory, head.esc)).or_insert(new);
        if group == new {
            self.all.push((head, SmallVec::new()));
        }
        self.all[group as usize].1.push(head.parent);
        (group == new).then_some(new)
    }

    /// Returns the head of a group, over a join of its stacks.
    fn head(&mut self, stack: &mut Stack, joiner: &mut Joiner, group: u32) -> Head {
        let (head, parents) = &mut self.all[group as usize];
        Head { parent: joiner.join(stack, parents), ..*head }
    }

    /// Returns the heads of all groups, without the heads that others include.
    fn heads(&mut self, automaton: &Automaton, stack: &mut Stack, joiner: &mut Joiner) -> Vec<Head> {
        let groups = 0..self.all.len() as u32;
        let mut heads: Vec<Head> = groups.map(|group| self.head(stack, joiner, group)).collect();
        drop_included(automaton, &mut heads, 0);
        heads
    }
}
