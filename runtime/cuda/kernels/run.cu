//! Moves sequences by runs of tokens, and finds the masks behind them: what a format forces is appended by one launch, however long it is.
//!
//! A run stops at the first token that its format refuses, at one that ends the text, and at one that is the host's; what became of that token and how
//! many were accepted is written. A slot whose mask behind the run is the host's is left to it.
//!
//! Launch: blocks of 32 threads, one for each sequence.
//!
//! So many blocks of a multiprocessor are asked for that each gets no more registers than these.
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
