//! RMS norm: divides rows by their root mean square, and multiplies them by weights.
//!
//! The order of a sum of squares: thread t of 256 adds those of numbers t, t + 256, ... to zero, each product and sum rounded once together; the sums
//! of a warp's lanes are added as in `warp_sum`, and the sums of the warps one after another. It depends only on the length of a row.
//!
//! Launch: grid x: rows; 256 threads.
//!
//! Registers: at most 40.

#include "maths.cuh"
#include "records/model.cuh"

namespace ogc {

constexpr int WARPS = 8;

/// The sum of each warp.
__shared__ float warp_sums[WARPS];

}  // namespace ogc

namespace {

using namespace ogc;

/// Returns the sum of squares of a row.
__device__ float squares(const float* row, uint32_t columns) {
    float sum = 0;
    for (uint32_t at = threadIdx.x; at < columns; at += 32 * WARPS) {
        sum = __fmaf_rn(row[at], row[at], sum);
    }
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) {
        warp_sums[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    float total = warp_sums[0];
#pragma unroll
    for (int warp = 1; warp < WARPS; warp++) {
        total += warp_sums[warp];
    }
    return total;
}

}  // namespace

extern "C" __global__ void ogc_model_norm(NormParameters given) {
    const uint32_t* picked = reinterpret_cast<const uint32_t*>(given.picked);
    uint32_t row = picked == nullptr ? blockIdx.x : picked[blockIdx.x];
    const float* weights = reinterpret_cast<const float*>(given.weights);
    float* to = reinterpret_cast<float*>(given.to) + static_cast<uint64_t>(blockIdx.x) * given.columns;
    if (row == UNUSED) {
        for (uint32_t at = threadIdx.x; at < given.columns; at += 32 * WARPS) {
            to[at] = 0;
        }
        return;
    }
    const float* from = reinterpret_cast<const float*>(given.from) + static_cast<uint64_t>(row) * given.columns;
    float mean = __fdiv_rn(squares(from, given.columns), __uint2float_rn(given.columns));
    float scale = __fdiv_rn(1.0f, __fsqrt_rn(mean + __uint_as_float(given.epsilon)));
    for (uint32_t at = threadIdx.x; at < given.columns; at += 32 * WARPS) {
        to[at] = from[at] * (scale * __ldg(weights + at));
    }
}
