//! The formats of weights: how 16 bytes of a row of a matrix are read, and the numbers that they represent.
//!
//! A matrix consists of two arrays: the stored numbers, in rows of a multiple of 16 bytes, and the factors of groups of numbers (`factors`), in rows.
//! `src/model/weights.rs` converts blocks of files to this layout without losing a bit, and aligns the numbers. A number is expanded exactly as the
//! file defines it, and so rounded at most once.
//!
//! A format has `NUMBERS` numbers in 16 bytes, in order, and returns them as quads: `quad(at)` is numbers 4 * at to 4 * at + 3.

#pragma once

#include "both.cuh"

namespace ogc {

/// The number of IEEE binary16 with these bits.
__device__ inline float of_half(uint32_t bits) {
    float number;
    asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(static_cast<uint16_t>(bits)));
    return number;
}

/// Returns one of four words, by an index that is known at compile time.
__device__ inline uint32_t word_of(uint4 words, int at) {
    return at == 0 ? words.x : at == 1 ? words.y : at == 2 ? words.z : words.w;
}

/// Returns the four bytes of a word as numbers, minus an offset: each byte becomes the low byte of 2^23, whose lowest bit has the value 1.
__device__ inline float4 of_bytes(uint32_t bytes, float offset) {
    constexpr uint32_t BASE = 0x4b000000u;
    float base = 8388608.0f + offset;
    return make_float4(
        __uint_as_float(__byte_perm(bytes, BASE, 0x7440)) - base,
        __uint_as_float(__byte_perm(bytes, BASE, 0x7441)) - base,
        __uint_as_float(__byte_perm(bytes, BASE, 0x7442)) - base,
        __uint_as_float(__byte_perm(bytes, BASE, 0x7443)) - base
    );
}

/// Returns integers times a factor plus an offset, rounded once.
__device__ inline float4 scaled(float4 integers, float factor, float offset) {
    return make_float4(
        __fmaf_rn(integers.x, factor, offset),
        __fmaf_rn(integers.y, factor, offset),
        __fmaf_rn(integers.z, factor, offset),
        __fmaf_rn(integers.w, factor, offset)
    );
}

/// Returns 16 bytes of a row.
template <int NUMBERS>
__device__ inline uint4 vector_at(uint64_t numbers, uint64_t row, uint32_t columns, uint32_t vector) {
    return __ldg(reinterpret_cast<const uint4*>(numbers) + row * (columns / NUMBERS) + vector);
}

/// Numbers of 32 bits.
struct F32 {
    static constexpr int NUMBERS = 4;
    uint4 words;

    __device__ static F32 load(uint64_t numbers, uint64_t, uint64_t row, uint32_t columns, uint32_t vector) {
        return {vector_at<NUMBERS>(numbers, row, columns, vector)};
    }

    __device__ float4 quad(int) const {
        return make_float4(
            __uint_as_float(words.x), __uint_as_float(words.y), __uint_as_float(words.z), __uint_as_float(words.w)
        );
    }
};

/// Numbers of IEEE binary16.
struct F16 {
    static constexpr int NUMBERS = 8;
    uint4 words;

    __device__ static F16 load(uint64_t numbers, uint64_t, uint64_t row, uint32_t columns, uint32_t vector) {
        return {vector_at<NUMBERS>(numbers, row, columns, vector)};
    }

    __device__ float4 quad(int at) const {
        uint32_t low = word_of(words, 2 * at), high = word_of(words, 2 * at + 1);
        return make_float4(of_half(low & 0xffff), of_half(low >> 16), of_half(high & 0xffff), of_half(high >> 16));
    }
};

/// Numbers of bfloat16, the upper half of 32 bits.
struct Bf16 {
    static constexpr int NUMBERS = 8;
    uint4 words;

    __device__ static Bf16 load(uint64_t numbers, uint64_t, uint64_t row, uint32_t columns, uint32_t vector) {
        return {vector_at<NUMBERS>(numbers, row, columns, vector)};
    }

    __device__ float4 quad(int at) const {
        uint32_t low = word_of(words, 2 * at), high = word_of(words, 2 * at + 1);
        return make_float4(
            __uint_as_float(low << 16),
            __uint_as_float(low & 0xffff0000u),
            __uint_as_float(high << 16),
            __uint_as_float(high & 0xffff0000u)
        );
    }
};

/// Signed 8-bit integers; 32 of them share a binary16 factor: Q8_0.
struct Q8_0 {
    static constexpr int NUMBERS = 16;
    uint4 words;
    float factor;

    __device__ static Q8_0 load(uint64_t numbers, uint64_t factors, uint64_t row, uint32_t columns, uint32_t vector) {
        const uint16_t* factor = reinterpret_cast<const uint16_t*>(factors) + row * (columns / 32) + vector / 2;
        return {vector_at<NUMBERS>(numbers, row, columns, vector), of_half(__ldg(factor))};
    }

    __device__ float4 quad(int at) const {
        // With the sign bit flipped, a byte exceeds its integer by 128.
        return scaled(of_bytes(word_of(words, at) ^ 0x80808080u, 128.0f), factor, 0.0f);
    }
};

/// Returns four of 32 4-bit integers: those of the lower halves of 16 bytes come first, then those of the upper halves.
__device__ inline uint32_t nibbles(uint4 words, int at) {
    return (at < 4 ? word_of(words, at) : word_of(words, at - 4) >> 4) & 0x0f0f0f0fu;
}

/// 4-bit integers, stored with 8 added; 32 of them share a binary16 factor: Q4_0.
struct Q4_0 {
    static constexpr int NUMBERS = 32;
    uint4 words;
    float factor;

    __device__ static Q4_0 load(uint64_t numbers, uint64_t factors, uint64_t row, uint32_t columns, uint32_t vector) {
        const uint16_t* factor = reinterpret_cast<const uint16_t*>(factors) + row * (columns / 32) + vector;
        return {vector_at<NUMBERS>(numbers, row, columns, vector), of_half(__ldg(factor))};
    }

    __device__ float4 quad(int at) const {
        // Both products are exact, and so is their difference.
        return scaled(of_bytes(nibbles(words, at), 0.0f), factor, -8.0f * factor);
    }
};

/// 4-bit integers; 32 of them share a binary16 factor and offset: Q4_1.
struct Q4_1 {
    static constexpr int NUMBERS = 32;
    uint4 words;
    float factor, offset;

    __device__ static Q4_1 load(uint64_t numbers, uint64_t factors, uint64_t row, uint32_t columns, uint32_t vector) {
        uint32_t both = __ldg(reinterpret_cast<const uint32_t*>(factors) + row * (columns / 32) + vector);
        return {vector_at<NUMBERS>(numbers, row, columns, vector), of_half(both & 0xffff), of_half(both >> 16)};
    }

    __device__ float4 quad(int at) const {
        return scaled(of_bytes(nibbles(words, at), 0.0f), factor, offset);
    }
};

/// Signed 8-bit integers; 16 of them share a 32-bit factor and offset: the common form of all other file formats.
struct Groups {
    static constexpr int NUMBERS = 16;
    uint4 words;
    float2 both;

    __device__ static Groups load(uint64_t numbers, uint64_t factors, uint64_t row, uint32_t columns, uint32_t vector) {
        const float2* both = reinterpret_cast<const float2*>(factors) + row * (columns / NUMBERS) + vector;
        return {vector_at<NUMBERS>(numbers, row, columns, vector), __ldg(both)};
    }

    __device__ float4 quad(int at) const {
        return scaled(of_bytes(word_of(words, at) ^ 0x80808080u, 128.0f), both.x, both.y);
    }
};

}  // namespace ogc
