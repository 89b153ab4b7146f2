//! The work on a row's slot, after the row's token is known, of a launch that samples, advances and locates.

#pragma once

#include "locate.cuh"
#include "records/fused.cuh"
#include "sample_row.cuh"
#include "token.cuh"

namespace ogc {

/// Returns the number of a row's slot; negative for none.
OGC_BOTH inline int32_t slot_number_of(const StepWork& work, const SamplingRow& row, uint32_t number) {
    if (work.slot_numbers != nullptr) {
        return work.slot_numbers[number];
    }
    return row.mask == MASK_SLOT ? static_cast<int32_t>(row.mask_row) : -1;
}

/// Advances a slot by a token as `ogc_advance` does, and locates the mask of the next one as `ogc_locate` does. Returns the outcome of the token.
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
