//! The logits of a chunk, held by the lanes of a warp, and their weights.
//!
//! Lane l holds 16 bytes per step: logit j of step s is that of token (32 * s + l) * V + j of the chunk, for V logits in 16 bytes. Memory is read in
//! 16 aligned bytes, and only if one of their tokens is wanted; rows may begin anywhere.

#pragma once

#include "sample_mask.cuh"

namespace ogc {

/// Number of logits of a chunk per lane.
constexpr int OWN = CHUNK / 32;

constexpr float MINUS_INFINITY = -__builtin_huge_valf();

/// Logits of 32 bits.
struct F32 {
    using Bits = uint32_t;
    static constexpr Bits MINUS_INFINITY_BITS = 0xff800000u;

    __device__ static float number(uint32_t word, int) {
        return number_of(word);
    }
};

/// Logits of IEEE binary16.
struct F16 {
    using Bits = uint16_t;
    static constexpr Bits MINUS_INFINITY_BITS = 0xfc00u;

    __device__ static float number(uint32_t word, int at) {
        float number;
        asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(static_cast<uint16_t>(word >> 16 * at)));
        return number;
    }
};

/// Logits of bfloat16.
struct Bf16 {
    using Bits = uint16_t;
    static constexpr Bits MINUS_INFINITY_BITS = 0xff80u;

    __device__ static float number(uint32_t word, int at) {
        return number_of(at == 0 ? word << 16 : word & 0xffff0000u);
    }
};

/// Number of logits in 16 bytes, and number of steps in which a lane reads its logits.
template <class Logit>
constexpr int VECTOR = 16 / sizeof(typename Logit::Bits);
template <class Logit>
constexpr int STEPS = OWN / VECTOR<Logit>;

/// Returns a logit, or the greatest finite number if it is infinite; NaN stays NaN.
__device__ inline float bounded(float logit) {
    float number;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(number) : "f"(logit), "f"(GREATEST));
    return number;
}

/// Returns the order of a logit; 0 if its token may not be sampled, because it is NaN or minus infinity.
__device__ inline uint32_t order_or_0(float logit) {
    return logit > MINUS_INFINITY ? order_of(bounded(logit)) : 0;
}

/// A row of logits.
template <class Logit>
struct LogitRow {
    const typename Logit::Bits* logits;
    int width;

    __device__ static LogitRow of(const SampleWork& work, uint32_t row) {
        auto first = static_cast<const typename Logit::Bits*>(work.logits);
        return {first + row * work.stride, static_cast<int>(work.width)};
    }

    /// Returns the bits of the wanted logits of a step, given the lanes' words of wanted bits of a chunk.
    __device__ static uint32_t wanted(uint32_t bits, int vector) {
        constexpr int IN_WORD = 32 / VECTOR<Logit>;
        uint32_t word = __shfl_sync(ALL_LANES, bits, vector / IN_WORD & 31);
        return word >> vector % IN_WORD * VECTOR<Logit> & ((1u << VECTOR<Logit>) - 1);
    }

    /// Returns the word of bits of the tokens of a chunk whose logits some lanes hold.
    __device__ static uint32_t of_lanes(uint32_t lanes) {
        constexpr int IN_WORD = 32 / VECTOR<Logit>;
        uint32_t bits = 0;
#pragma unroll
        for (int at = 0; at < IN_WORD; at++) {
            uint32_t lane = (threadIdx.x * IN_WORD + at) % 32;
            bits |= (lanes >> lane & 1) * ((1u << VECTOR<Logit>) - 1) << at * VECTOR<Logit>;
        }
        return bits;
    }

    /// Returns one logit.
    __device__ float of_token(uint32_t token) const {
        return Logit::number(__ldg(logits + token), 0);
    }

    /// Returns the 16 aligned bytes beginning with a logit.
    __device__ uint4 load(int first) const {
        return __ldg(reinterpret_cast<const uint4*>(logits + first));
    }

    /// Unpacks the logits of a vector.
    __device__ static void unpack(uint4 vector, int step, float (&own)[OWN]) {
        constexpr int IN_WORD = VECTOR<Logit> / 4;
        uint32_t words[4] = {vector.x, vector.y, vector.z, vector.w};
#pragma unroll
        for (int at = 0; at < VECTOR<Logit>; at++) {
            own[step * VECTOR<Logit> + at] = Logit::number(words[at / IN_WORD], at % IN_WORD);
        }
    }

    /// Reads the wanted logits of a chunk; the others are undefined.
    __device__ void read(uint32_t chunk, uint32_t bits, float (&own)[OWN]) const {
        int before = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(logits)) % 16;
        int first = chunk * CHUNK - before / static_cast<int>(sizeof(typename Logit::Bits));
        int end = first + static_cast<int>(CHUNK) + (before != 0 ? VECTOR<Logit> : 0);
        if (first < 0 || end > width) {
            read_edge(chunk, bits, own);
        } else if (before == 0) {
            read_aligned(chunk, bits, own);
        } else {
            read_shifted(chunk, bits, before, own);
        }
    }

    /// Reads a chunk at the edge of a row, where 16 aligned bytes may exceed the row, one logit at a time.
    __device__ void read_edge(uint32_t chunk, uint32_t bits, float (&own)[OWN]) const {
        int lane = threadIdx.x % 32;
#pragma unroll
        for (int step = 0; step < STEPS<Logit>; step++) {
            uint32_t own_bits = wanted(bits, step * 32 + lane);
#pragma unroll
            for (int at = 0; at < VECTOR<Logit>; at++) {
                uint32_t number = 0;
                if (own_bits >> at & 1) {
                    number = __ldg(logits + token(chunk, step * VECTOR<Logit> + at));
                }
                own[step * VECTOR<Logit> + at] = Logit::number(number, 0);
            }
        }
    }

    __device__ void read_aligned(uint32_t chunk, uint32_t bits, float (&own)[OWN]) const {
        int lane = threadIdx.x % 32;
        uint4 vectors[STEPS<Logit>];
#pragma unroll
        for (int step = 0; step < STEPS<Logit>; step++) {
            int vector = step * 32 + lane;
            vectors[step] = make_uint4(0, 0, 0, 0);
            if (wanted(bits, vector) != 0) {
                vectors[step] = load(chunk * CHUNK + vector * VECTOR<Logit>);
            }
        }
#pragma unroll
        for (int step = 0; step < STEPS<Logit>; step++) {
            unpack(vectors[step], step, own);
        }
    }

    /// Reads a row that begins `before` bytes after an aligned address: each vector consists of the end of an aligned one and the beginning of the
    /// next.
    __device__ void read_shifted(uint32_t chunk, uint32_t bits, uint32_t before, float (&own)[OWN]) const {
        int lane = threadIdx.x % 32;
        int first = chunk * CHUNK - before / sizeof(typename Logit::Bits);
        uint4 current = load_shifted(first, bits, lane);
#pragma unroll
        for (int step = 0; step < STEPS<Logit>; step++) {
            uint4 next = load_shifted(first, bits, (step + 1) * 32 + lane);
            uint4 other = lane == 0 ? next : current;
            int from = (lane + 1) % 32;
            other = make_uint4(
                from_lane(other.x, from), from_lane(other.y, from), from_lane(other.z, from), from_lane(other.w, from)
            );
            unpack(shifted(current, other, before), step, own);
            current = next;
        }
    }

    /// Returns an aligned vector if one of its logits is wanted, for a chunk that begins within the first vector; after the end of the chunk, only
    /// the first lane needs one.
    __device__ uint4 load_shifted(int first, uint32_t bits, int vector) const {
        constexpr int VECTORS = CHUNK / VECTOR<Logit>;
        uint32_t own = wanted(bits, vector);
        uint32_t last = wanted(bits, max(vector - 1, 0));
        bool is_wanted = (vector < VECTORS && own != 0) || (vector > 0 && vector <= VECTORS && last != 0);
        return is_wanted ? load(first + vector * VECTOR<Logit>) : make_uint4(0, 0, 0, 0);
    }

    /// Returns the 16 bytes at offset `bytes` of two consecutive vectors.
    __device__ static uint4 shifted(uint4 one, uint4 two, uint32_t bytes) {
        if (bytes & 8) {
            one = make_uint4(one.z, one.w, two.x, two.y);
            two = make_uint4(two.z, two.w, 0, 0);
        }
        if (bytes & 4) {
            one = make_uint4(one.y, one.z, one.w, two.x);
            two.x = two.y;
        }
        uint32_t bits = bytes % 4 * 8;
        return make_uint4(
            __funnelshift_r(one.x, one.y, bits),
            __funnelshift_r(one.y, one.z, bits),
            __funnelshift_r(one.z, one.w, bits),
            __funnelshift_r(one.w, two.x, bits)
        );
    }

    /// Sets the logits of disallowed tokens to minus infinity.
    __device__ static void mask(uint32_t bits, float (&own)[OWN]) {
#pragma unroll
        for (int step = 0; step < STEPS<Logit>; step++) {
            uint32_t allowed = wanted(bits, step * 32 + threadIdx.x % 32);
#pragma unroll
            for (int at = 0; at < VECTOR<Logit>; at++) {
                float& logit = own[step * VECTOR<Logit> + at];
                logit = allowed >> at & 1 ? logit : MINUS_INFINITY;
            }
        }
    }

    /// Returns the token of a chunk whose logit a lane holds.
    __device__ static uint32_t token(uint32_t chunk, int at) {
        int vector = at / VECTOR<Logit> * 32 + threadIdx.x % 32;
        return chunk * CHUNK + vector * VECTOR<Logit> + at % VECTOR<Logit>;
    }

    /// Writes the orders of a chunk's logits to shared memory, in the order of tokens.
    __device__ static void put(const float (&own)[OWN], uint32_t* orders) {
        uint4* first = reinterpret_cast<uint4*>(orders) + threadIdx.x % 32 * (VECTOR<Logit> / 4);
#pragma unroll
        for (int at = 0; at < OWN; at += 4) {
            int step = at / VECTOR<Logit>;
            uint4 four = make_uint4(order_or_0(own[at]), order_or_0(own[at + 1]), order_or_0(own[at + 2]), order_or_0(own[at + 3]));
            first[step * 8 * VECTOR<Logit> + at % VECTOR<Logit> / 4] = four;
        }
    }
};

/// Returns the summary of a chunk, in one read.
__device__ inline Chunk load_chunk(const Chunk* from) {
    uint4 words = *reinterpret_cast<const uint4*>(from);
    return {static_cast<uint64_t>(words.y) << 32 | words.x, words.z, 0};
}

/// Stores the summary of a chunk, in one write.
__device__ inline void store_chunk(Chunk* to, uint64_t sum, uint32_t greatest) {
    *reinterpret_cast<uint4*>(to) = make_uint4(static_cast<uint32_t>(sum), static_cast<uint32_t>(sum >> 32), greatest, 0);
}

/// Returns the sum of a number of each lane.
__device__ inline uint64_t warp_sum(uint64_t number) {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
        number += __shfl_xor_sync(ALL_LANES, number, distance);
    }
    return number;
}

/// Returns the sum of a number of each lane up to this one.
__device__ inline uint64_t warp_scan(uint64_t number) {
    uint32_t lane = threadIdx.x % 32;
#pragma unroll
    for (uint32_t distance = 1; distance < 32; distance *= 2) {
        uint64_t before = __shfl_up_sync(ALL_LANES, number, distance);
        number += lane >= distance ? before : 0;
    }
    return number;
}

/// Returns the order of the greatest of a lane's logits; 0 if none of its tokens may be sampled.
__device__ inline uint32_t greatest_of(const float (&own)[OWN]) {
    float most = MINUS_INFINITY;
#pragma unroll
    for (int at = 0; at < OWN; at++) {
        most = fmaxf(most, own[at]);
    }
    return order_or_0(most);
}

/// Returns the sum of the weights of the logits of a chunk, relative to the greatest, `base`.
__device__ inline uint64_t weights_of(const float (&own)[OWN], float base, float scale) {
    uint64_t sum = 0;
#pragma unroll
    for (int at = 0; at < OWN; at++) {
        sum += weight_of(bounded(own[at]) - base, scale);
    }
    return warp_sum(sum);
}

/// Stores the greatest order of each part of a chunk, given that of each lane.
__device__ inline void keep_parts(uint32_t order, uint32_t* parts) {
    order = max(order, __shfl_xor_sync(ALL_LANES, order, 1));
    order = max(order, __shfl_xor_sync(ALL_LANES, order, 2));
    uint32_t lane = threadIdx.x % 32;
    if (lane % (32 / PARTS) == 0) {
        parts[lane / (32 / PARTS)] = order;
    }
}

}  // namespace ogc
