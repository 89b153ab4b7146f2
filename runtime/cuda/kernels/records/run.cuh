//! Generated from runtime/cuda/src/run.rs by the tests of ogc-cuda, with OGC_BLESS=1; do not edit.

#pragma once

#include <stdint.h>

#include "format.cuh"
#include "slot.cuh"

namespace ogc {

/// The outcome of the last of several tokens (`OUTCOME_ACCEPTED` etc.), and the number of tokens by which the slot has moved.
struct Moved {
    uint32_t outcome;
    uint32_t count;
};
static_assert(sizeof(Moved) == 8, "as in Rust");

/// Arguments of run launches.
struct RunWork {
    Slot* slots;
    /// The slot of each sequence; negative for none. Without a list, sequence `i` has slot `i`. No slot occurs twice.
    const int32_t* sequences;
    const FormatEntry* formats;
    const uint32_t* vocabulary;
    /// `most` tokens per sequence; a negative token ends a shorter run.
    const int32_t* runs;
    /// The outcome of each run.
    Moved* moved;
    uint32_t count;
    uint32_t most;
};
static_assert(sizeof(RunWork) == 56, "as in Rust");

}  // namespace ogc
