//! Advances sequences by their sampled tokens. A warp steps each sequence, whose state is in a slot (`slot.cuh`).
//!
//! Registers: at most 96.

#include "token.cuh"

namespace {

/// Returns the number of the sequence that this warp steps.
__device__ inline uint32_t sequence() {
    return (blockIdx.x * blockDim.x + threadIdx.x) / 32;
}

/// Returns the slot of a sequence; without a list of slots, sequence `i` has slot `i`.
__device__ inline ogc::Slot& slot_of(ogc::Slot* slots, const uint32_t* slot_numbers, uint32_t sequence) {
    return slots[slot_numbers == nullptr ? sequence : slot_numbers[sequence]];
}

__device__ inline ogc::Format format_of(const ogc::FormatEntry* formats, uint32_t number) {
    return {reinterpret_cast<const uint32_t*>(formats[number].automaton)};
}

/// Writes the outcome of a sequence, from one lane.
__device__ inline void tell(uint32_t* outcomes, uint32_t sequence, uint32_t outcome) {
    if (ogc::Team().lane() == 0) {
        outcomes[sequence] = outcome;
    }
}

}  // namespace

/// Resets slots to the beginning of formats, given by number. Each block consists of whole warps.
extern "C" __global__ void ogc_begin(
    ogc::Slot* slots, const uint32_t* slot_numbers, const ogc::FormatEntry* formats, const uint32_t* format_numbers, uint32_t count
) {
    uint32_t at = sequence();
    if (at < count) {
        uint32_t format = format_numbers[at];
        ogc::begin(ogc::Team(), slot_of(slots, slot_numbers, at), format, format_of(formats, format));
    }
}

/// Steps each sequence by its token; a negative token skips the sequence. The outcome is written to `outcomes`. No two sequences have the same slot.
extern "C" __global__ void ogc_advance(
    ogc::Slot* slots, const uint32_t* slot_numbers, const ogc::FormatEntry* formats, const uint32_t* vocabulary,
    const int32_t* tokens, uint32_t* outcomes, uint32_t count
) {
    uint32_t at = sequence();
    if (at >= count) {
        return;
    }
    uint32_t outcome = ogc::OUTCOME_NONE;
    if (tokens[at] >= 0) {
        ogc::Slot& slot = slot_of(slots, slot_numbers, at);
        bool has_format = slot.status == ogc::STATUS_DEVICE;
        ogc::Format format = {has_format ? format_of(formats, slot.format).words : nullptr};
        outcome = ogc::accept(ogc::Team(), slot, format, {vocabulary}, tokens[at]);
    }
    tell(outcomes, at, outcome);
}

/// Rolls back tokens of each sequence, as many as `token_counts` says; a count below 1 skips the sequence.
extern "C" __global__ void ogc_rollback(
    ogc::Slot* slots, const uint32_t* slot_numbers, const int32_t* token_counts, uint32_t* outcomes, uint32_t count
) {
    uint32_t at = sequence();
    if (at >= count) {
        return;
    }
    uint32_t outcome = ogc::OUTCOME_NONE;
    if (token_counts[at] > 0) {
        outcome = ogc::roll_back(ogc::Team(), slot_of(slots, slot_numbers, at), token_counts[at]);
    }
    tell(outcomes, at, outcome);
}
