//! What is sampled and how, as `src/sampling.rs` declares it: a test compares sizes, places and constants.

#pragma once

#include "both.cuh"
#include "pool.cuh"
#include "sample_weights.cuh"
#include "slot.cuh"

namespace ogc {

/// How a row is sampled: not at all, by its highest logit, by a draw of all, or by a draw of the likeliest.
constexpr uint32_t SAMPLE_NOTHING = 0;
constexpr uint32_t SAMPLE_HIGHEST = 1;
constexpr uint32_t SAMPLE_DRAWN = 2;
constexpr uint32_t SAMPLE_TRUNCATED = 3;

/// The share that is all of a total; every other is less.
constexpr uint32_t SHARE_ALL = 0xffffffffu;

/// What says which tokens are allowed: nothing does, a row of bits, the mask of a slot, or one of a list of located masks.
constexpr uint32_t MASK_NONE = 0;
constexpr uint32_t MASK_BITS = 1;
constexpr uint32_t MASK_SLOT = 2;
constexpr uint32_t MASK_LOCATED = 3;

/// The most chunks of a row.
constexpr uint32_t MOST_CHUNKS = 4096;

/// What became of a row: it was not asked for, a token was chosen, no allowed token has a logit, its slot or mask is the host's, or there was no room to
/// count the token, which then is not chosen.
constexpr uint32_t SAMPLED_NOTHING = 0;
constexpr uint32_t SAMPLED_TOKEN = 1;
constexpr uint32_t SAMPLED_NO_TOKEN = 2;
constexpr uint32_t SAMPLED_HOST = 3;
constexpr uint32_t SAMPLED_FULL = 4;

/// A token, and the number that is added to its logit.
struct Bias {
    uint32_t token;
    float number;
};

/// A token, and how often it was written.
struct Count {
    uint32_t token, times;
};

/// How the token of a row is chosen. Biases and counts are in the order of tokens. The first of its three sectors is read by all blocks of the row, the
/// second where there is something to do, the third where logits are changed or tokens counted.
struct SamplingRow {
    /// One of `SAMPLE_NOTHING` and so on, and one of `MASK_NONE` and so on.
    uint16_t kind, mask;
    /// The number of the row of bits, of the slot, or of the located mask.
    uint32_t mask_row;
    /// Whether the logarithm of the token's probability is told, as the model gives it. All logits are read for it.
    uint32_t tells_probability;
    uint32_t bias_count, count_count;
    /// For how many entries there is room behind `counts`, if tokens that are chosen are counted there; 0 if they are not.
    uint32_t count_capacity;
    /// Which tokens a truncated draw keeps: so many of the likeliest, or all if it is 0; of these the likeliest that together have a share, in
    /// units of 2^-32; of these the ones that weigh so much.
    uint32_t top_k, share, least_weight;
    /// log2(e) / temperature.
    float scale;
    uint64_t seed, request;
    /// It grows by one with each token that is chosen.
    uint64_t position;
    const Bias* biases;
    Count* counts;
    /// The factors of negative and of positive logits of tokens that were written, and what is taken from them.
    float factor, inverse_factor, presence, frequency;

    /// Returns how many words of it matter.
    OGC_BOTH uint32_t words() const {
        return (bias_count | count_count | count_capacity) != 0 ? 3 * SECTOR_WORDS : 2 * SECTOR_WORDS;
    }

    /// Returns whether the weight of all tokens together matters.
    OGC_BOTH bool needs_total() const {
        return kind == SAMPLE_DRAWN || (kind == SAMPLE_TRUNCATED && share != SHARE_ALL && top_k == 0);
    }
};

static_assert(sizeof(SamplingRow) == 4 * 3 * SECTOR_WORDS, "each row begins a sector");
static_assert(offsetof(SamplingRow, least_weight) == 4 * SECTOR_WORDS, "the first sector is what all blocks read");
static_assert(offsetof(SamplingRow, biases) == 4 * 2 * SECTOR_WORDS, "the third sector is of adjustments");

/// What was chosen.
struct Sampled {
    /// One of `SAMPLED_NOTHING` and so on.
    uint32_t outcome;
    /// 0 where none was chosen.
    uint32_t token;
};

/// What a chunk has: the sum of weights relative to its greatest logit, and that logit's order; 0 if none of its tokens may be chosen.
struct alignas(16) Chunk {
    uint64_t sum;
    uint32_t greatest, unused;
};

/// The parts of a chunk: each is what four lanes have of it.
constexpr uint32_t PARTS = 8;

/// All that a launch works on.
struct SampleWork {
    /// Rows of `width` logits, `stride` apart.
    const void* logits;
    uint64_t stride;
    SamplingRow* rows;
    Sampled* sampled;
    /// For each row a logarithm, where it is told and a token is chosen.
    float* probabilities;
    /// Rows of bits, `mask_stride` words apart.
    const uint32_t* masks;
    uint64_t mask_stride;
    const Slot* slots;
    const Located* located;
    Pool pool;
    /// The tokens that end a text.
    const uint32_t* stops;
    /// For each row a word that is 0 between launches, then for each row the memory that `RowScratch` shares out; both begin with 16 aligned bytes.
    uint32_t* scratch;
    uint32_t stop_count, row_count, vocabulary, width;

    /// Returns how many chunks a row has.
    OGC_BOTH uint32_t chunks() const {
        return (width + CHUNK - 1) / CHUNK;
    }
};

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
        uint64_t chunks = work.chunks();
        uint64_t words = chunks * (8 + PARTS);
        uint32_t* own = work.scratch + (static_cast<uint64_t>(work.row_count) + 3) / 4 * 4 + row * words;
        auto all = reinterpret_cast<Chunk*>(own);
        return {work.scratch + row, all, own + chunks * 8, all + chunks};
    }
};

}  // namespace ogc
