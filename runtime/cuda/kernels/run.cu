//! Advances sequences by runs of tokens, and locates the masks after them: one launch appends all tokens that a format forces, however many they are.
//!
//! A run stops at the first token that its format refuses, at one that ends the text, and at one that is left to the host; the outcome of that token
//! and the number of accepted tokens are written. A slot whose mask after the run is left to the host is handed over to it.
//!
//! Launch: blocks of 32 threads, one for each sequence.
//!
//! The launch bounds request enough blocks per multiprocessor that each gets no more registers than these.
//!
//! Registers: at most 96.

#include "run.cuh"

extern "C" __global__ void __launch_bounds__(32, 20) ogc_run(ogc::RunWork work) {
    __shared__ ogc::LocateScratch scratch;
    if (blockIdx.x >= work.count) {
        return;
    }
    ogc::Team team;
    ogc::Moved moved = ogc::read_run(team, work, blockIdx.x, scratch);
    if (team.lane() == 0) {
        work.moved[blockIdx.x] = moved;
    }
}
