//! Runs of tokens that are known in advance, such as forced ones, on the device and on the host.

#pragma once

#include "locate.cuh"
#include "records/run.cuh"
#include "token.cuh"

namespace ogc {

/// Returns a token of a run; negative for none.
OGC_BOTH inline int32_t token_of(const RunWork& work, uint32_t number, uint32_t at) {
    return at < work.most ? work.runs[static_cast<uint64_t>(number) * work.most + at] : -1;
}

/// Advances a slot by the tokens of a run, up to the first that is not accepted.
OGC_BOTH inline Moved move(Team team, const RunWork& work, uint32_t number, Slot& slot) {
    Moved moved = {OUTCOME_NONE, 0};
    OGC_ONE_BY_ONE
    for (;;) {
        int32_t token = token_of(work, number, moved.count);
        if (token < 0) {
            return moved;
        }
        Format format = {reinterpret_cast<const uint32_t*>(work.formats[slot.format].automaton)};
        moved.outcome = accept(team, slot, format, {work.vocabulary}, token);
        if (moved.outcome != OUTCOME_ACCEPTED) {
            moved.count += moved.outcome == OUTCOME_ENDED ? 1 : 0;
            return moved;
        }
        moved.count++;
    }
}

/// Advances the slot of a sequence by its run, and locates the mask after it; without tokens the slot is unchanged.
OGC_BOTH inline Moved read_run(Team team, const RunWork& work, uint32_t number, LocateScratch& scratch) {
    int32_t at = work.sequences == nullptr ? static_cast<int32_t>(number) : work.sequences[number];
    if (at < 0 || token_of(work, number, 0) < 0) {
        return {OUTCOME_NONE, 0};
    }
    Slot& slot = work.slots[at];
    if (slot.status != STATUS_DEVICE) {
        return {slot.status == STATUS_HOST ? OUTCOME_HOST : OUTCOME_NONE, 0};
    }
    Moved moved = move(team, work, number, slot);
    const uint32_t* masks = reinterpret_cast<const uint32_t*>(work.formats[slot.format].masks);
    if (slot.status == STATUS_DEVICE && !locate(team, {masks}, slot, scratch, slot.mask)) {
        set_status(team, slot, STATUS_HOST);
    }
    return moved;
}

}  // namespace ogc
