//! Where things lie that other launches than those of slots need, to step slots themselves.

use super::*;
use crate::fused::StepLaunch;
use crate::sampling::SampleLaunch;

/// Where slots and all that steps them lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlotTables {
    /// How many slots there are.
    pub(crate) count: u32,
    slots: u64,
    formats: u64,
    vocabulary: u64,
    pool: (u64, u64),
    stops: (u64, u32),
}

impl SlotTables {
    /// Returns a launch that chooses tokens as another does, and moves the slots of rows by them.
    pub(crate) fn step(&self, sample: SampleLaunch, outcomes: u64, next_tokens: u64) -> StepLaunch {
        let &Self { slots, pool, stops, formats, vocabulary, .. } = self;
        let sample = SampleLaunch { slots, pool, stops, ..sample };
        StepLaunch { sample, formats, vocabulary, slot_numbers: 0, outcomes, next_tokens }
    }
}

impl<M> DeviceSlots<M> {
    /// Returns where the slots and all that steps them lie.
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

    /// Returns the machine, which is not changed.
    pub(crate) fn shared_machine(&self) -> &M {
        &self.machine
    }
}
