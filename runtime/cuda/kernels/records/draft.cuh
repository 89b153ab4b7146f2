//! Generated from runtime/cuda/src/draft.rs by the tests of ogc-cuda, with OGC_BLESS=1; do not edit.

#pragma once

#include <stdint.h>

#include "format.cuh"
#include "pool.cuh"
#include "run.cuh"
#include "sampling.cuh"
#include "slot.cuh"

namespace ogc {

/// Maximum number of tokens of a draft: they and the token sampled after them can be rolled back together.
constexpr uint32_t MOST_DRAFT = 15;

/// Outcomes of a draft: there is no sequence; the text continues; its last token ended it; only an end may follow; no allowed token has a logit;
/// the sampled token is not allowed; the host must continue, for the `Trouble` above the lowest byte.
constexpr uint32_t VERIFIED_NOTHING = 0;
constexpr uint32_t VERIFIED_GOES_ON = 1;
constexpr uint32_t VERIFIED_ENDED = 2;
constexpr uint32_t VERIFIED_COMPLETE = 3;
constexpr uint32_t VERIFIED_NO_TOKEN = 4;
constexpr uint32_t VERIFIED_REFUSED = 5;
constexpr uint32_t VERIFIED_HOST = 6;

/// The result of verifying a draft: how many of the sampled tokens belong to the text, and by how many of them the slot has moved.
struct Verified {
    uint32_t outcome;
    uint32_t tokens;
    uint32_t moved;
};
static_assert(sizeof(Verified) == 12, "as in Rust");

/// Arguments of draft launches. Each sequence has 1 + `most` consecutive rows: of masks, of sampling parameters and of sampled tokens.
struct DraftWork {
    Slot* slots;
    /// The slot of each sequence; negative for none. Without a list, sequence `i` has slot `i`. No slot occurs twice.
    const int32_t* sequences;
    const FormatEntry* formats;
    const uint32_t* vocabulary;
    /// `most` tokens per sequence; a negative token ends a shorter draft.
    const int32_t* drafts;
    Located* masks;
    /// The position of a sequence's first row is that of the next token. The positions of its other rows are written with the masks.
    SamplingRow* rows;
    const Sampled* sampled;
    /// The outcome of each draft: first by its format, then by the sampled tokens.
    Moved* drafted;
    Verified* verified;
    Pool pool;
    /// The tokens that end a text, ascending.
    const uint32_t* stops;
    uint32_t stop_count;
    uint32_t count;
    uint32_t most;
    uint32_t unused;
};
static_assert(sizeof(DraftWork) == 120, "as in Rust");

}  // namespace ogc
