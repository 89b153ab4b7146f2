//! The probability of the sampled token under the model: before biases, penalties and masks.

#pragma once

#include "sample_choose.cuh"

namespace ogc {

/// log2(e), and ln(2) in units of 2^-64.
constexpr float MODEL_SCALE = 1.44269504f;
constexpr uint64_t LN_2 = 0xb17217f7d1cf79abull;

/// Returns the binary logarithm of a nonzero number, in units of 2^-32, rounded down.
__device__ inline uint64_t binary_logarithm(uint64_t number) {
    int zeros = __clzll(number);
    uint64_t mantissa = number << zeros, logarithm = 63 - zeros;
#pragma unroll 1
    for (int bit = 0; bit < 32; bit++) {
        // The square of the mantissa is at least 1/4 of its range, and the next bit says whether it is at least 1/2.
        uint64_t square = upper_product(mantissa, mantissa);
        uint64_t is_greater = square >> 63;
        logarithm = logarithm << 1 | is_greater;
        mantissa = is_greater != 0 ? square : square << 1;
    }
    return logarithm;
}

/// Returns the natural logarithm of the probability of a logit, given the greatest logit and the total weight relative to it.
__device__ inline float probability_logarithm(float logit, float greatest, uint64_t total) {
    if (!(logit > MINUS_INFINITY)) {
        return MINUS_INFINITY;
    }
    uint64_t units = upper_product(binary_logarithm(total) - (31ull << 32), LN_2);
    double above = static_cast<double>(bounded(logit) - greatest);
    return __double2float_rn(__dadd_rn(above, -__dmul_rn(__ull2double_rn(units), 1.0 / 4294967296.0)));
}

/// Returns the logarithm of the probability of a logit, given the summaries of the chunks without masks. Only in the first warp.
__device__ inline float probability_of(const Chunks& model, float logit) {
    uint32_t greatest = model.greatest();
    float most = logit_of(greatest);
    uint64_t total = model.sum([=](const Chunk& chunk) -> uint64_t {
        return chunk.greatest == 0 ? 0 : weighed(chunk.sum, weight_of(logit_of(chunk.greatest) - most, MODEL_SCALE));
    });
    return greatest == 0 ? MINUS_INFINITY : probability_logarithm(logit, most, total);
}

}  // namespace ogc
