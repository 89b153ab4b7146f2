//! A slot: the state of one sequence in device memory, and what its places are for reading few sectors of it.

#pragma once

#include <stddef.h>

#include "both.cuh"
#include "records/slot.cuh"

namespace ogc {

/// The words of a sector, the least that is read from memory.
constexpr uint32_t SECTOR_WORDS = 8;

/// The first rows of a mask, which are always written: whoever reads how many there are has them at once.
constexpr uint32_t FIRST_ROWS = 3;

/// Makes a mask one that was not located, for the reason that `may_end` says.
OGC_BOTH inline void leave_out(Located& mask, uint32_t why) {
    mask.may_end = why;
    mask.row_count = mask.is_dense = 0;
    for (uint32_t at = 0; at < FIRST_ROWS; at++) {
        mask.rows[at] = 0;
    }
}

static_assert(sizeof(Located) % 16 == 0, "the first three words of each lie in one sector");
static_assert(sizeof(Slot) % (4 * SECTOR_WORDS) == 0, "each slot begins a sector");
static_assert(offsetof(Slot, mask.rows) + 4 * FIRST_ROWS == 4 * SECTOR_WORDS, "the first rows lie in the first sector");

}  // namespace ogc
