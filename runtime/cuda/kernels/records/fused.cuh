//! Generated from runtime/cuda/src/fused.rs by the tests of ogc-cuda, with OGC_BLESS=1; do not edit.

#pragma once

#include <stdint.h>

#include "format.cuh"
#include "sampling.cuh"
#include "slot.cuh"

namespace ogc {

/// Arguments of a launch.
struct StepWork {
    SampleWork sample;
    /// The slots, the same as those of `sample`. No two rows have the same slot.
    Slot* slots;
    const FormatEntry* formats;
    const uint32_t* vocabulary;
    /// The slot of each row, negative for none; without this list, the slot whose mask the row has, if any.
    const int32_t* slot_numbers;
    /// The outcome of each row's token in its slot, encoded as by `ogc_advance`.
    uint32_t* outcomes;
    /// The sampled tokens; the entry of a row without a sampled token is unchanged.
    uint32_t* next_tokens;
};
static_assert(sizeof(StepWork) == 168, "as in Rust");

}  // namespace ogc
