//! Verifies drafts: each sequence follows its sampled tokens as long as they equal the drafted ones, and takes the first that differs. Then its slot
//! has accepted exactly these tokens, and has the mask of the next token.
//!
//! Launch: blocks of 32 threads, one for each sequence, with the same arguments as `draft.cu`, after it and after the rows were sampled.
//!
//! The launch bounds request enough blocks per multiprocessor that each gets no more registers than these.
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
