//! Generated from runtime/cuda/src/fused.rs by the tests of ogc-cuda, with OGC_BLESS=1; do not edit.

#pragma once

#include <stdint.h>

#include "format.cuh"
#include "sampling.cuh"
#include "slot.cuh"

namespace ogc {

/// All that a launch works on.
struct StepWork {
    SampleWork sample;
    /// The slots, which are those of `sample`, too. No two rows have the same one.
    Slot* slots;
    const FormatEntry* formats;
    const uint32_t* vocabulary;
    /// The slot of each row, below 0 none; without this list the slot that says which tokens are allowed, if one does.
    const int32_t* slot_numbers;
    /// What became of each row's token in its slot, as `ogc_advance` says it.
    uint32_t* outcomes;
    /// The tokens that were chosen; of a row that none was chosen for it stays as it was.
    uint32_t* next_tokens;
};
static_assert(sizeof(StepWork) == 168, "as in Rust");

}  // namespace ogc
