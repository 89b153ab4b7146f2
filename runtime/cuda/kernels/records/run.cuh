//! Generated from runtime/cuda/src/run.rs by the tests of ogc-cuda, with OGC_BLESS=1; do not edit.

#pragma once

#include <stdint.h>

#include "format.cuh"
#include "slot.cuh"

namespace ogc {

/// What became of the last of some tokens, as `OUTCOME_ACCEPTED` and so on say it, and by how many of them the slot has moved.
struct Moved {
    uint32_t outcome;
    uint32_t count;
};
static_assert(sizeof(Moved) == 8, "as in Rust");

/// All that runs are about.
struct RunWork {
    Slot* slots;
    /// The slot of each sequence; one below 0 stands for none. Without a list they are the slots from the first on. No slot is there twice.
    const int32_t* sequences;
    const FormatEntry* formats;
    const uint32_t* vocabulary;
    /// `most` tokens of each sequence; one below 0 ends a run before.
    const int32_t* runs;
    /// What became of each run.
    Moved* moved;
    uint32_t count;
    uint32_t most;
};
static_assert(sizeof(RunWork) == 56, "as in Rust");

}  // namespace ogc
