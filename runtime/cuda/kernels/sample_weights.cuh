//! The arithmetic of sampling, identical to `runtime/generate/src/sample/weights.rs` and `draw.rs`; tests compare tokens drawn by kernels with the
//! host's.
//!
//! Every floating-point operation is rounded by itself: fused operations would give other bits.

#pragma once

#include <string.h>

#include "both.cuh"
#include "records/sampling.cuh"

namespace ogc {

/// The weight of the likeliest token.
constexpr uint32_t ONE = 1u << 31;

/// The greatest number.
constexpr float GREATEST = 3.402823466e38f;

OGC_BOTH inline uint32_t bits_of(float number) {
#ifdef __CUDA_ARCH__
    return __float_as_uint(number);
#else
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
#endif
}

OGC_BOTH inline float number_of(uint32_t bits) {
#ifdef __CUDA_ARCH__
    return __uint_as_float(bits);
#else
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
#endif
}

/// Returns the greater number, ignoring a NaN.
OGC_BOTH inline float greater(float one, float two) {
#ifdef __CUDA_ARCH__
    return fmaxf(one, two);
#else
    return one > two || two != two ? one : two;
#endif
}

OGC_BOTH inline float added(float one, float two) {
#ifdef __CUDA_ARCH__
    return __fadd_rn(one, two);
#else
    return one + two;
#endif
}

OGC_BOTH inline float multiplied(float one, float two) {
#ifdef __CUDA_ARCH__
    return __fmul_rn(one, two);
#else
    return one * two;
#endif
}

/// Returns the upper half of a product.
OGC_BOTH inline uint64_t upper_product(uint64_t one, uint64_t two) {
#ifdef __CUDA_ARCH__
    return __umul64hi(one, two);
#else
    return static_cast<uint64_t>((static_cast<unsigned __int128>(one) * two) >> 64);
#endif
}

/// Returns the weight of a token, given the difference of its logit from the greatest, which is 0 or less.
OGC_BOTH inline uint32_t weight_of(float above, float scale) {
    constexpr float ROUNDER = 12582912.0f + 31.0f;
    float logarithm = greater(multiplied(above, scale), -64.0f);
    float rounded = added(logarithm, ROUNDER);
    float rest = added(logarithm, -added(rounded, -ROUNDER));
    float power = 0.0011125507f;
    power = added(multiplied(power, rest), 0.009666283f);
    power = added(multiplied(power, rest), 0.055574004f);
    power = added(multiplied(power, rest), 0.24022351f);
    power = added(multiplied(power, rest), 0.69314283f);
    power = added(multiplied(power, rest), 1.0f);
    // The lowest bits of `rounded` are the split-off integer plus 31; it is added to the exponent.
    return static_cast<uint32_t>(number_of(bits_of(power) + (bits_of(rounded) << 23)));
}

/// Maps a logit to an integer of the same order; both zeros have the same.
OGC_BOTH inline uint32_t order_of(float logit) {
    uint32_t bits = bits_of(added(logit, 0.0f));
    return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}

/// Returns the logit of an order, the inverse of [`order_of`].
OGC_BOTH inline float logit_of(uint32_t order) {
    return number_of(order >> 31 ? order ^ 0x80000000u : ~order);
}

/// Returns the weight of a chunk, given the sum of weights relative to its greatest logit, and the weight of that logit.
OGC_BOTH inline uint64_t weighed(uint64_t sum, uint32_t weight) {
    return upper_product(sum << 1, static_cast<uint64_t>(weight) << 32);
}

/// Returns a number below a limit, uniformly distributed by random bits.
OGC_BOTH inline uint64_t below(uint64_t bits, uint64_t limit) {
    return upper_product(bits, limit);
}

/// Returns the least sum that is a share, in units of 2^-32, of a total; at least 1.
OGC_BOTH inline uint64_t goal_of(uint32_t share, uint64_t total) {
    uint64_t lower = (total & 0xffffffffu) * share;
    uint64_t goal = (total >> 32) * share + (lower >> 32) + ((lower & 0xffffffffu) != 0);
    return goal > 1 ? goal : 1;
}

/// Mixes the bits of a number: the step of SplitMix64 (Steele, Lea and Flood 2014).
OGC_BOTH inline uint64_t mix(uint64_t number) {
    uint64_t mixed = number + 0x9e3779b97f4a7c15ull;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebull;
    return mixed ^ (mixed >> 31);
}

/// The random numbers of one choice: for the first draw, and for the draw within its result.
struct Draw {
    uint64_t first, second;
};

/// Returns the numbers for a position of a request. The inputs are added one after another with mixing in between; otherwise two of them could cancel
/// each other out.
OGC_BOTH inline Draw draw_of(uint64_t seed, uint64_t request, uint64_t position) {
    uint64_t first = mix(mix(mix(seed) + request) + position);
    return {first, mix(first)};
}

}  // namespace ogc
