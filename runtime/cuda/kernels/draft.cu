//! Drafts tokens: locates the masks before and after the guessed tokens of sequences, so that all rows of one forward pass can be sampled together
//! (`MASK_LOCATED`). `verify.cu` is launched after sampling.
//!
//! The rows of a sequence after the first token that its format refuses, that ends the text or that is left to the host have no mask, and are not
//! sampled. A slot whose first mask is left to the host is handed over to it; a later row that is left to the host matters only if the drafted tokens
//! before it are sampled.
//!
//! Launch: blocks of 32 threads, one for each sequence.
//!
//! The launch bounds request enough blocks per multiprocessor that each gets no more registers than these.
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
