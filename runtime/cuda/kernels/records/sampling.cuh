//! Generated from runtime/cuda/src/sampling.rs by the tests of ogc-cuda, with OGC_BLESS=1; do not edit.

#pragma once

#include <stdint.h>

#include "pool.cuh"
#include "slot.cuh"

namespace ogc {

/// Number of tokens of a chunk, and maximum number of chunks of a row.
constexpr uint32_t CHUNK = 1024;
constexpr uint32_t MOST_CHUNKS = 4096;

/// Number of parts of a chunk whose greatest logits are kept, in four bytes each; a part is the share of four lanes.
constexpr uint32_t PARTS = 8;

/// Ways to sample a row: not at all, greedily, by a draw among all tokens, or by a draw among the likeliest.
constexpr uint32_t SAMPLE_NOTHING = 0;
constexpr uint32_t SAMPLE_HIGHEST = 1;
constexpr uint32_t SAMPLE_DRAWN = 2;
constexpr uint32_t SAMPLE_TRUNCATED = 3;

/// The share that means the whole total; every other share is less.
constexpr uint32_t SHARE_ALL = 0xffffffffu;

/// The mask of a row: none, a row of bits, the mask of a slot, or one of a list of located masks.
constexpr uint32_t MASK_NONE = 0;
constexpr uint32_t MASK_BITS = 1;
constexpr uint32_t MASK_SLOT = 2;
constexpr uint32_t MASK_LOCATED = 3;

/// Outcomes of sampling a row: it was not asked for, a token was sampled, no allowed token has a logit, its slot or mask is left to the host, or
/// there was no room to count the token, which then is not sampled.
constexpr uint32_t SAMPLED_NOTHING = 0;
constexpr uint32_t SAMPLED_TOKEN = 1;
constexpr uint32_t SAMPLED_NO_TOKEN = 2;
constexpr uint32_t SAMPLED_HOST = 3;
constexpr uint32_t SAMPLED_FULL = 4;

/// A token and the number added to its logit.
struct Bias {
    uint32_t token;
    float number;
};
static_assert(sizeof(Bias) == 8, "as in Rust");

/// A token and the number of times it was written.
struct Count {
    uint32_t token;
    uint32_t times;
};
static_assert(sizeof(Count) == 8, "as in Rust");

/// Sampling parameters of a row. Biases and counts are sorted by token. All blocks of the row read the first of its three sectors; the second is
/// read if there is something to do, the third if logits are changed or tokens counted.
struct SamplingRow {
    /// One of `SAMPLE_NOTHING` etc., and one of `MASK_NONE` etc.
    uint16_t kind;
    uint16_t mask;
    /// The number of the row of bits, of the slot, or of the located mask.
    uint32_t mask_row;
    /// Whether the logarithm of the token's probability under the model is written. All logits are read for it.
    uint32_t tells_probability;
    uint32_t bias_count;
    uint32_t count_count;
    /// Capacity of `counts` in entries, if sampled tokens are counted there; 0 if they are not.
    uint32_t count_capacity;
    /// Tokens that a truncated draw keeps: the `top_k` likeliest, or all if it is 0; of these the likeliest that together have `share`, in
    /// units of 2^-32; of these the ones with at least `least_weight`.
    uint32_t top_k;
    uint32_t share;
    uint32_t least_weight;
    /// log2(e) / temperature.
    float scale;
    uint64_t seed;
    uint64_t request;
    /// Incremented with each sampled token.
    uint64_t position;
    const Bias* biases;
    Count* counts;
    /// The factors of negative and of positive logits of written tokens, and the penalties subtracted from them.
    float factor;
    float inverse_factor;
    float presence;
    float frequency;
};
static_assert(sizeof(SamplingRow) == 96, "as in Rust");

/// The result of sampling a row.
struct Sampled {
    /// One of `SAMPLED_NOTHING` etc.
    uint32_t outcome;
    /// 0 if none was sampled.
    uint32_t token;
};
static_assert(sizeof(Sampled) == 8, "as in Rust");

/// Summary of a chunk: the sum of weights relative to its greatest logit, and that logit's order; 0 if none of its tokens may be sampled.
struct alignas(16) Chunk {
    uint64_t sum;
    uint32_t greatest;
    uint32_t unused;
};
static_assert(sizeof(Chunk) == 16, "as in Rust");

/// Arguments of a launch.
struct SampleWork {
    /// Rows of `width` logits, `stride` apart.
    const void* logits;
    uint64_t stride;
    SamplingRow* rows;
    Sampled* sampled;
    /// For each row a logarithm, written if the row asks for it and a token is sampled.
    float* probabilities;
    /// Rows of bits, `mask_stride` words apart.
    const uint32_t* masks;
    uint64_t mask_stride;
    const Slot* slots;
    const Located* located;
    Pool pool;
    /// The tokens that end a text.
    const uint32_t* stops;
    /// For each row a word that is 0 between launches, then for each row the memory that `RowScratch` divides; both are aligned to 16 bytes.
    uint32_t* scratch;
    uint32_t stop_count;
    uint32_t row_count;
    uint32_t vocabulary;
    uint32_t width;
};
static_assert(sizeof(SampleWork) == 120, "as in Rust");

}  // namespace ogc
