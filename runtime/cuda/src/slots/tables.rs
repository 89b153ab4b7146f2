//! Addresses for launches elsewhere that step slots.

use super::*;
use crate::fused::StepLaunch;
use crate::sampling::SampleLaunch;

/// Addresses of slots, and of the tables that are needed to step them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlotTables {
    /// Number of slots.
    pub(crate) count: u32,
    slots: u64,
    formats: u64,
    vocabulary: u64,
    pool: (u64, u64),
    stops: (u64, u32),
}

impl SlotTables {
    /// Returns a launch that chooses tokens as `sample` does, and moves the slots of rows by them.
    pub(crate) fn step(&self, sample: SampleLaunch, outcomes: u64, next_tokens: u64) -> StepLaunch {
        let &Self { slots, pool, stops, formats, vocabulary, .. } = self;
        let sample = SampleLaunch { slots, pool, stops, ..sample };
        StepLaunch { sample, formats, vocabulary, slot_numbers: 0, outcomes, next_tokens }
    }
}

impl<M> DeviceSlots<M> {
    /// Returns the addresses of the slots and of the tables that step them.
    pub(crate) fn tables(&self) -> SlotTables {
        SlotTables {
            count: self.limits.slots,
            slots: self.memory.slots,
            formats: self.memory.formats,
            vocabulary: self.memory.vocabulary,
            pool: self.memory.pool,
            stops: self.memory.stops,
        }
    }

    /// Returns the machine, for comparison only.
    pub(crate) fn shared_machine(&self) -> &M {
        &self.machine
    }
}
