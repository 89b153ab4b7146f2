//! What a launch that samples, advances and locates works on, as `src/fused.rs` declares it: a test compares sizes and places. And what it does with a
//! row's slot when the row's token is known.

#pragma once

#include "locate.cuh"
#include "sample_row.cuh"
#include "token.cuh"

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

    /// Returns the number of a row's slot; below 0 if it has none.
    OGC_BOTH int32_t slot_number(const SamplingRow& row, uint32_t number) const {
        if (slot_numbers != nullptr) {
            return slot_numbers[number];
        }
        return row.mask == MASK_SLOT ? static_cast<int32_t>(row.mask_row) : -1;
    }
};

/// Moves a slot by a token as `ogc_advance` does, and locates the mask of the next one as `ogc_locate` does. Returns what became of the token.
OGC_BOTH inline uint32_t step_slot(
    Team team, const FormatEntry* formats, Vocabulary vocabulary, Slot& slot, uint32_t token, LocateScratch& scratch
) {
    if (slot.status != STATUS_DEVICE) {
        return accept(team, slot, {nullptr}, vocabulary, token);
    }
    FormatEntry entry = formats[slot.format];
    uint32_t outcome = accept(team, slot, {reinterpret_cast<const uint32_t*>(entry.automaton)}, vocabulary, token);
    bool is_accepted = outcome == OUTCOME_ACCEPTED || outcome == OUTCOME_ENDED;
    if (is_accepted && !locate(team, {reinterpret_cast<const uint32_t*>(entry.masks)}, slot, scratch, slot.mask) && team.lane() == 0) {
        slot.status = STATUS_HOST;
    }
    return outcome;
}

}  // namespace ogc
