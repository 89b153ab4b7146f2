//! Parameters of sampling, and the memory through which the blocks of a row communicate.

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

/// Returns the number of words of a row that are used.
OGC_BOTH inline uint32_t words_of(const SamplingRow& row) {
    return (row.bias_count | row.count_count | row.count_capacity) != 0 ? 3 * SECTOR_WORDS : 2 * SECTOR_WORDS;
}

/// Returns whether the total weight of all tokens is needed.
OGC_BOTH inline bool needs_total(const SamplingRow& row) {
    return row.kind == SAMPLE_DRAWN || (row.kind == SAMPLE_TRUNCATED && row.share != SHARE_ALL && row.top_k == 0);
}

/// Returns the number of chunks of a row.
OGC_BOTH inline uint32_t chunks_of(const SampleWork& work) {
    return (work.width + CHUNK - 1) / CHUNK;
}

/// Results of the blocks of a row, for the last of them.
struct RowScratch {
    /// The number of finished blocks.
    uint32_t* ticket;
    /// The summaries of the visited chunks.
    Chunk* chunks;
    /// The order of the greatest logit of each part of these chunks, if tokens are drawn from the likeliest.
    uint32_t* parts;
    /// The summaries of each chunk under the model, if probabilities are requested.
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
