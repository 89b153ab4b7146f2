//! What threads know of each other by messages: a fence, then a strong write; a strong read of it, then a fence.
//!
//! What a thread did, and what it knew, before its last fence goes with each of its strong writes ("release"). Who reads such a
//! write by a strong read knows it after its own next fence ("acquire"). Atomics pass on what they find, whoever wrote it. A fence is needed
//! on both sides, as in the memory model of PTX, and the scope of each must hold the other's thread: what a fence of a block releases reaches
//! threads of that block only, and such a fence acquires only what was written in its block.

use super::thread::ThreadId;
use crate::ir::Scope;
use std::collections::BTreeMap;

/// Up to when accesses are known, for ranges of threads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Knowledge {
    /// By the first and the last thread.
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

/// What goes with strong writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sent {
    /// For the block: what was known at the last fence.
    near: Knowledge,
    /// For the device: what was known at the last fence of the device.
    far: Knowledge,
}

impl Sent {
    pub(crate) fn is_empty(&self) -> bool {
        self.near.before.is_empty() && self.far.before.is_empty()
    }
}

/// What lies at a place for those who read it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Message {
    /// What threads of a block sent to their block.
    near: BTreeMap<u32, Knowledge>,
    /// What threads sent to the device.
    far: Knowledge,
}

impl Message {
    /// Adds what a thread of a block sends.
    pub(crate) fn add(&mut self, sent: &Sent, block: u32) {
        self.near.entry(block).or_default().merge(&sent.near);
        self.far.merge(&sent.far);
    }
}

/// What a thread read, and knows after a fence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heard {
    /// After a fence of the block, or of the device.
    near: Knowledge,
    /// After a fence of the device.
    far: Knowledge,
}

impl Heard {
    /// Notes what a thread of a block reads.
    pub(crate) fn hear(&mut self, message: &Message, block: u32) {
        self.near.merge(message.near.get(&block).unwrap_or(&Knowledge::default()));
        self.far.merge(&message.far);
    }
}

/// What a thread knows by messages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Messages {
    /// What it knows.
    pub(crate) known: Knowledge,
    /// What it read, and knows after its next fence.
    pub(crate) read: Heard,
    /// What goes with its strong writes.
    pub(crate) sent: Sent,
}

impl Messages {
    /// Makes what was read known, as far as a fence does.
    pub(crate) fn learn(&mut self, scope: Scope) {
        self.known.merge(&std::mem::take(&mut self.read.near));
        if scope == Scope::Device {
            self.known.merge(&std::mem::take(&mut self.read.far));
        }
    }

    /// Lets something go with strong writes from a fence on.
    pub(crate) fn send(&mut self, scope: Scope, known: Knowledge) {
        if scope == Scope::Device {
            self.sent.far.clone_from(&known);
        }
        self.sent.near = known;
    }
}
