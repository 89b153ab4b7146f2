//! Arithmetic with identical bits on every device: sums in a defined order, and an exponential made of exact operations.

#pragma once

#include "both.cuh"

namespace ogc {

constexpr uint32_t ALL_LANES = 0xffffffffu;

/// Returns the sum of a number of each lane: lanes 16 apart are added, then lanes 8, 4, 2 and 1 apart. All lanes get the same bits.
__device__ inline float warp_sum(float number) {
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) {
        number += __shfl_xor_sync(ALL_LANES, number, apart);
    }
    return number;
}

/// Returns the largest number of all lanes.
__device__ inline float warp_most(float number) {
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) {
        number = fmaxf(number, __shfl_xor_sync(ALL_LANES, number, apart));
    }
    return number;
}

/// Returns 2 to a power from -126 to 127.
__device__ inline float power_of_two(int power) {
    return __int_as_float((power + 127) << 23);
}

/// Returns e to a power, with an error of two units in the last place; NaN stays NaN.
///
/// The power is divided by the logarithm of 2, which is split into two parts; the remainder is evaluated in the power series up to the seventh power.
__device__ inline float exponential(float power) {
    // Beyond these bounds, the result is zero or infinite in any case.
    power = power < -104.0f ? -104.0f : power;
    power = power > 89.0f ? 89.0f : power;
    float whole = rintf(power * 1.44269504f);
    float rest = __fmaf_rn(whole, -0.693145752f, power);
    rest = __fmaf_rn(whole, -1.42860677e-6f, rest);
    float sum = 1.0f / 5040;
    sum = __fmaf_rn(sum, rest, 1.0f / 720);
    sum = __fmaf_rn(sum, rest, 1.0f / 120);
    sum = __fmaf_rn(sum, rest, 1.0f / 24);
    sum = __fmaf_rn(sum, rest, 1.0f / 6);
    sum = __fmaf_rn(sum, rest, 0.5f);
    sum = __fmaf_rn(sum, rest, 1.0f);
    sum = __fmaf_rn(sum, rest, 1.0f);
    // Two factors, each of which is a normal number.
    int powers = __float2int_rn(whole);
    int half = powers / 2;
    return sum * power_of_two(half) * power_of_two(powers - half);
}

}  // namespace ogc
