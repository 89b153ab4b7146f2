//! The written tokens and their counts, sorted by token; the sampled token is inserted in its place.

#pragma once

#include "sample_adjust.cuh"

namespace ogc {

/// Moves the entries from an index on by one, by all threads of a block.
__device__ inline void move_behind(Count* counts, uint32_t place, uint32_t count) {
#pragma unroll 1
    while (count > place) {
        // Begins with the last ones: each entry is read before the barrier after which it is overwritten.
        uint32_t moved = min(count - place, blockDim.x);
        uint32_t at = count - moved + threadIdx.x;
        Count own = {0, 0};
        if (threadIdx.x < moved) {
            own = counts[at];
        }
        __syncthreads();
        if (threadIdx.x < moved) {
            counts[at + 1] = own;
        }
        count -= moved;
    }
}

/// Counts a sampled token, by all threads of a block; returns whether there is room for it. `row` is a copy of the row in memory.
__device__ inline bool count_token(const SamplingRow& row, SamplingRow* memory, uint32_t token) {
    uint32_t count = row.count_count;
    uint32_t place = entries_before<Count>(row.counts, count, token);
    bool is_known = place < count && row.counts[place].token == token;
    if (!is_known && count >= row.count_capacity) {
        return false;
    }
    if (is_known) {
        if (threadIdx.x == 0) {
            row.counts[place].times++;
        }
        return true;
    }
    move_behind(row.counts, place, count);
    if (threadIdx.x == 0) {
        row.counts[place] = {token, 1};
        memory->count_count = count + 1;
    }
    return true;
}

}  // namespace ogc
