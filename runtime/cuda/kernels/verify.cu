//! Verifies drafts: each sequence goes by its sampled tokens as long as they are the drafted ones, and by the first that is another. Its slot has then
//! accepted these and no others, and has the mask of the next token.
//!
//! Launch: blocks of 32 threads, one for each sequence, with what `draft.cu` was launched with, behind it and behind the sampling of the rows.
//!
//! So many blocks of a multiprocessor are asked for that each gets no more registers than these.
//!
//! Registers: at most 96.

#include "draft.cuh"

extern "C" __global__ void __launch_bounds__(32, 20) ogc_verify(ogc::DraftWork work) {
    __shared__ ogc::LocateScratch scratch;
    if (blockIdx.x >= work.count) {
        return;
    }
    ogc::Team team;
    ogc::Verified verified = ogc::verify({team, work, blockIdx.x}, scratch);
    if (team.lane() == 0) {
        work.verified[blockIdx.x] = verified;
    }
}
