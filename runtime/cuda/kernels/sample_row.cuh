//! What is sampled and how, and what the blocks of a row leave one another.

#pragma once

#include "both.cuh"
#include "pool.cuh"
#include "records/sampling.cuh"
#include "sample_weights.cuh"
#include "slot.cuh"

namespace ogc {

static_assert(sizeof(SamplingRow) == 4 * 3 * SECTOR_WORDS, "each row begins a sector");
static_assert(offsetof(SamplingRow, least_weight) == 4 * SECTOR_WORDS, "the first sector is what all blocks read");
static_assert(offsetof(SamplingRow, biases) == 4 * 2 * SECTOR_WORDS, "the third sector is of adjustments");

/// Returns how many words of a row matter.
OGC_BOTH inline uint32_t words_of(const SamplingRow& row) {
    return (row.bias_count | row.count_count | row.count_capacity) != 0 ? 3 * SECTOR_WORDS : 2 * SECTOR_WORDS;
}

/// Returns whether the weight of all tokens together matters.
OGC_BOTH inline bool needs_total(const SamplingRow& row) {
    return row.kind == SAMPLE_DRAWN || (row.kind == SAMPLE_TRUNCATED && row.share != SHARE_ALL && row.top_k == 0);
}

/// Returns how many chunks a row has.
OGC_BOTH inline uint32_t chunks_of(const SampleWork& work) {
    return (work.width + CHUNK - 1) / CHUNK;
}

/// What the blocks of a row leave for the last of them.
struct RowScratch {
    /// How many blocks have done their part.
    uint32_t* ticket;
    /// Of each chunk that was visited.
    Chunk* chunks;
    /// Of each part of these chunks the order of its greatest logit, where tokens are drawn from the likeliest.
    uint32_t* parts;
    /// What the model says of each chunk, where probabilities are told.
    Chunk* model;

    OGC_BOTH static RowScratch of(const SampleWork& work, uint32_t row) {
        uint64_t chunks = chunks_of(work);
        uint64_t words = chunks * (8 + PARTS);
        uint32_t* own = work.scratch + (static_cast<uint64_t>(work.row_count) + 3) / 4 * 4 + row * words;
        auto all = reinterpret_cast<Chunk*>(own);
        return {work.scratch + row, all, own + chunks * 8, all + chunks};
    }
};

}  // namespace ogc
