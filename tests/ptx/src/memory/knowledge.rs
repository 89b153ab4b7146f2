//! The knowledge that threads have of each other from messages: a fence, then a strong write; a strong read of it, then
//! a fence.
//!
//! All accesses and all knowledge of a thread before its last fence go with each of its strong writes ("release"). A
//! thread that reads such a write by a strong read has this knowledge after its own next fence ("acquire"). Atomics
//! pass on the knowledge that they find, from any thread. A fence is needed on both sides, as in the memory model of
//! PTX, and the scope of each fence must contain the other's thread. The knowledge that a fence of a block releases
//! reaches only threads of that block, and such a fence acquires only knowledge from its own block.

use super::thread::ThreadId;
use crate::ir::Scope;
use std::collections::BTreeMap;

/// The times up to which accesses are known, for ranges of threads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Knowledge {
    /// The times, by the first and the last thread.
    before: BTreeMap<(u32, u32), u32>,
}

impl Knowledge {
    /// Adds that the accesses of some threads before a time are known.
    pub(crate) fn add(&mut self, first: ThreadId, last: ThreadId, time: u32) {
        let known = self.before.entry((first.0, last.0)).or_default();
        *known = time.max(*known);
    }

    pub(crate) fn merge(&mut self, other: &Knowledge) {
        for ((first, last), time) in &other.before {
            self.add(ThreadId(*first), ThreadId(*last), *time);
        }
    }

    pub(crate) fn knows(&self, thread: ThreadId, time: u32) -> bool {
        let mut ranges = self.before.iter().filter(|((first, last), _)| (*first..=*last).contains(&thread.0));
        ranges.any(|(_, before)| time < *before)
    }
}

/// The knowledge that goes with strong writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sent {
    /// For the block: the knowledge at the last fence.
    near: Knowledge,
    /// For the device: the knowledge at the last fence of the device.
    far: Knowledge,
}

impl Sent {
    pub(crate) fn is_empty(&self) -> bool {
        self.near.before.is_empty() && self.far.before.is_empty()
    }
}

/// The knowledge at a place for threads that read it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Message {
    /// The knowledge that threads of a block sent to their block.
    near: BTreeMap<u32, Knowledge>,
    /// The knowledge that threads sent to the device.
    far: Knowledge,
}

impl Message {
    /// Adds the knowledge that a thread of a block sends.
    pub(crate) fn add(&mut self, sent: &Sent, block: u32) {
        self.near.entry(block).or_default().merge(&sent.near);
        self.far.merge(&sent.far);
    }
}

/// The knowledge that a thread has read, and has after a fence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heard {
    /// After a fence of the block, or of the device.
    near: Knowledge,
    /// After a fence of the device.
    far: Knowledge,
}

impl Heard {
    /// Notes the message that a thread of a block reads.
    pub(crate) fn hear(&mut self, message: &Message, block: u32) {
        self.near.merge(message.near.get(&block).unwrap_or(&Knowledge::default()));
        self.far.merge(&message.far);
    }
}

/// The knowledge of a thread from messages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Messages {
    /// The knowledge that it has.
    pub(crate) known: Knowledge,
    /// The knowledge that it has read, and has after its next fence.
    pub(crate) read: Heard,
    /// The knowledge that goes with its strong writes.
    pub(crate) sent: Sent,
}

impl Messages {
    /// Turns messages that were read into knowledge, as far as the fence's scope allows.
    pub(crate) fn learn(&mut self, scope: Scope) {
        self.known.merge(&std::mem::take(&mut self.read.near));
        if scope == Scope::Device {
            self.known.merge(&std::mem::take(&mut self.read.far));
        }
    }

    /// Makes knowledge go with strong writes from a fence on.
    pub(crate) fn send(&mut self, scope: Scope, known: Knowledge) {
        if scope == Scope::Device {
            self.sent.far.clone_from(&known);
        }
        self.sent.near = known;
    }
}
