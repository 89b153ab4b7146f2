//! The state of one sequence in device memory, laid out so that few sectors of it are read.

#pragma once

#include <stddef.h>

#include "both.cuh"
#include "records/slot.cuh"

namespace ogc {

/// The number of words of a sector, the smallest unit that is read from memory.
constexpr uint32_t SECTOR_WORDS = 8;

/// The number of first rows of a mask that are always written, so that they can be read together with the number of rows.
constexpr uint32_t FIRST_ROWS = 3;

/// Marks a mask as not located, for the reason that `may_end` gives.
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
