//! Drafts tokens: finds the masks before and behind the tokens that are guessed for sequences, so that the rows of one pass of the model can be sampled
//! all at once (`MASK_LOCATED`). `verify.cu` is launched when they were.
//!
//! A sequence's rows behind the first token that its format refuses, that ends the text or that is the host's have no mask, and are not sampled. A slot
//! whose first mask is the host's is left to it; what is the host's behind drafted tokens is so only if these are chosen.
//!
//! Launch: blocks of 32 threads, one for each sequence.
//!
//! So many blocks of a multiprocessor are asked for that each gets no more registers than these.
//!
//! Registers: at most 96.

#include "draft.cuh"

extern "C" __global__ void __launch_bounds__(32, 20) ogc_draft(ogc::DraftWork work) {
    __shared__ ogc::LocateScratch scratch;
    if (blockIdx.x >= work.count) {
        return;
    }
    ogc::Team team;
    ogc::Moved moved = ogc::draft({team, work, blockIdx.x}, scratch);
    if (team.lane() == 0) {
        work.drafted[blockIdx.x] = moved;
    }
}
