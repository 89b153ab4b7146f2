//! Generated from runtime/cuda/src/sampling.rs by the tests of ogc-cuda, with OGC_BLESS=1; do not edit.

#pragma once

#include <stdint.h>

#include "pool.cuh"
#include "slot.cuh"

namespace ogc {

/// The tokens of a chunk, and the most chunks of a row.
constexpr uint32_t CHUNK = 1024;
constexpr uint32_t MOST_CHUNKS = 4096;

/// The parts of a chunk, of which the greatest logits are kept, each in four bytes: each is what four lanes have of it.
constexpr uint32_t PARTS = 8;

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
static_assert(sizeof(Bias) == 8, "as in Rust");

/// A token, and how often it was written.
struct Count {
    uint32_t token;
    uint32_t times;
};
static_assert(sizeof(Count) == 8, "as in Rust");

/// How the token of a row is chosen. Biases and counts are in the order of tokens. The first of its three sectors is read by all blocks of the row, the
/// second where there is something to do, the third where logits are changed or tokens counted.
struct SamplingRow {
    /// One of `SAMPLE_NOTHING` and so on, and one of `MASK_NONE` and so on.
    uint16_t kind;
    uint16_t mask;
    /// The number of the row of bits, of the slot, or of the located mask.
    uint32_t mask_row;
    /// Whether the logarithm of the token's probability is told, as the model gives it. All logits are read for it.
    uint32_t tells_probability;
    uint32_t bias_count;
    uint32_t count_count;
    /// For how many entries there is room behind `counts`, if tokens that are chosen are counted there; 0 if they are not.
    uint32_t count_capacity;
    /// Which tokens a truncated draw keeps: so many of the likeliest, or all if it is 0; of these the likeliest that together have a share, in
    /// units of 2^-32; of these the ones that weigh so much.
    uint32_t top_k;
    uint32_t share;
    uint32_t least_weight;
    /// log2(e) / temperature.
    float scale;
    uint64_t seed;
    uint64_t request;
    /// It grows by one with each token that is chosen.
    uint64_t position;
    const Bias* biases;
    Count* counts;
    /// The factors of negative and of positive logits of tokens that were written, and what is taken from them.
    float factor;
    float inverse_factor;
    float presence;
    float frequency;
};
static_assert(sizeof(SamplingRow) == 96, "as in Rust");

/// What was chosen.
struct Sampled {
    /// One of `SAMPLED_NOTHING` and so on.
    uint32_t outcome;
    /// 0 where none was chosen.
    uint32_t token;
};
static_assert(sizeof(Sampled) == 8, "as in Rust");

/// What a chunk has: the sum of weights relative to its greatest logit, and that logit's order; 0 if none of its tokens may be chosen.
struct alignas(16) Chunk {
    uint64_t sum;
    uint32_t greatest;
    uint32_t unused;
};
static_assert(sizeof(Chunk) == 16, "as in Rust");

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
    uint32_t stop_count;
    uint32_t row_count;
    uint32_t vocabulary;
    uint32_t width;
};
static_assert(sizeof(SampleWork) == 120, "as in Rust");

}  // namespace ogc
