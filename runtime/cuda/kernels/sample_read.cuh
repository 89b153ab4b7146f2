//! A row to sample, as a warp reads it: the adjusted logits of a chunk's allowed tokens.

#pragma once

#include "sample_adjust.cuh"

namespace ogc {

/// Returns whether a row has to be sampled, and can be: neither a slot that is left to the host nor a mask that was not located can.
__device__ inline uint32_t outcome_before(const SamplingRow& row, const MaskHead& head) {
    if (row.kind == SAMPLE_NOTHING) {
        return SAMPLED_NOTHING;
    }
    if (head.status != STATUS_DEVICE || head.may_end == MASK_IS_HOSTS) {
        return SAMPLED_HOST;
    }
    return head.may_end == MASK_IS_MISSING ? SAMPLED_NOTHING : SAMPLED_TOKEN;
}

/// A row, as a warp reads it.
template <class Logit>
struct Reader {
    const SamplingRow& row;
    RowMask mask;
    LogitRow<Logit> logits;

    /// The block shares the rows of a located mask.
    __device__ Reader(const SampleWork& work, const SamplingRow& row, uint32_t number, const RowMask& own, const SharedMask& shared)
        : row(row), mask(own), logits(LogitRow<Logit>::of(work, number)) {
        mask.take_shared(shared);
    }

    /// Reads the logits of a chunk to which the mask has been advanced. Calls `use` with the adjusted logits of allowed tokens, all others being
    /// minus infinity; before that, with the model's own logits if the probability is requested.
    template <class Use>
    __device__ void take(uint32_t chunk, const Use& use) {
        uint32_t bits = mask.take(chunk), all = RowMask::below(chunk, logits.width);
        float own[OWN];
        logits.read(chunk, row.tells_probability != 0 ? all : bits, own);
        bool is_model = row.tells_probability != 0;
#pragma unroll 1
        do {
            if (!is_model) {
                adjust<Logit>(row, chunk, own);
            }
            LogitRow<Logit>::mask(is_model ? all : bits, own);
            use(own, is_model);
            is_model = !is_model;
        } while (!is_model);
    }

    /// Reads a chunk again, as orders in shared memory, of the tokens whose logits some lanes hold; other tokens get 0.
    __device__ void read_again(uint32_t chunk, uint32_t lanes, uint32_t* orders) {
        float own[OWN];
        mask.seek(chunk);
        uint32_t bits = mask.take(chunk) & LogitRow<Logit>::of_lanes(lanes);
        logits.read(chunk, bits, own);
        adjust<Logit>(row, chunk, own);
        LogitRow<Logit>::mask(bits, own);
        LogitRow<Logit>::put(own, orders);
        __syncwarp();
    }
};

}  // namespace ogc
