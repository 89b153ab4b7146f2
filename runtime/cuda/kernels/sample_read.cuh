//! A row that is sampled, as a warp reads it: the logits of a chunk, adjusted, of those tokens that its mask allows.

#pragma once

#include "sample_adjust.cuh"

namespace ogc {

/// Returns whether a row has to be sampled, and can be: a slot that is not the device's has no mask here, nor has what was not located.
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

    /// The rows of a located mask are shared by the block.
    __device__ Reader(const SampleWork& work, const SamplingRow& row, uint32_t number, const RowMask& own, const SharedMask& shared)
        : row(row), mask(own), logits(LogitRow<Logit>::of(work, number)) {
        mask.take_shared(shared);
    }

    /// Reads the logits of a chunk to which the mask has been brought. `use` is called with the logits of allowed tokens, adjusted; before, if the
    /// probability is told, with those of the model. Others are minus infinity.
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

    /// Reads a chunk once more, as orders in shared memory, of those tokens of which some lanes have the logits; others have 0.
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
