//! Generated from runtime/cuda/src/draft.rs by the tests of ogc-cuda, with OGC_BLESS=1; do not edit.

#pragma once

#include <stdint.h>

#include "format.cuh"
#include "pool.cuh"
#include "run.cuh"
#include "sampling.cuh"
#include "slot.cuh"

namespace ogc {

/// The most tokens of a draft: they and the token that is chosen behind them can be taken back together.
constexpr uint32_t MOST_DRAFT = 15;

/// What became of a draft: there is no sequence; its text goes on; its last token ended it; nothing may follow it but an end; no allowed token has a
/// logit; the sampled token is not allowed; the host has to go on, for the `Trouble` above the lowest byte.
constexpr uint32_t VERIFIED_NOTHING = 0;
constexpr uint32_t VERIFIED_GOES_ON = 1;
constexpr uint32_t VERIFIED_ENDED = 2;
constexpr uint32_t VERIFIED_COMPLETE = 3;
constexpr uint32_t VERIFIED_NO_TOKEN = 4;
constexpr uint32_t VERIFIED_REFUSED = 5;
constexpr uint32_t VERIFIED_HOST = 6;

/// What became of a draft: how many of the sampled tokens are the text's, and by how many of them the slot has moved.
struct Verified {
    uint32_t outcome;
    uint32_t tokens;
    uint32_t moved;
};
static_assert(sizeof(Verified) == 12, "as in Rust");

/// All that drafts are about. Each sequence has 1 + `most` rows, one behind another: masks, how they are sampled, and what was.
struct DraftWork {
    Slot* slots;
    /// The slot of each sequence; one below 0 stands for none. Without a list they are the slots from the first on. No slot is there twice.
    const int32_t* sequences;
    const FormatEntry* formats;
    const uint32_t* vocabulary;
    /// `most` tokens of each sequence; one below 0 ends a draft before.
    const int32_t* drafts;
    Located* masks;
    /// The position of a sequence's first row is that of the next token. Those of the rows behind it are written with the masks.
    SamplingRow* rows;
    const Sampled* sampled;
    /// What became of each draft, first by its format, then by what was sampled.
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
