//! What kernels use of CUDA, for the host: included before each kernel's source, in place of the headers of nvcc.
//!
//! Arithmetic is the device's, operation for operation. What threads do together is done by the judge's threads (`threads.hpp`), which are told of each
//! barrier by `JUDGE_AT`: `build` puts it around each that is a statement of its own.

#pragma once

#include <math.h>
#include <stdint.h>

#include <type_traits>
#include <utility>

#include "threads.hpp"

// Copies that the compiler writes as calls are seen by the judge too.
extern "C" {
void* memcpy(void* to, const void* from, size_t bytes) noexcept __asm__("judge_memcpy");
void* memmove(void* to, const void* from, size_t bytes) noexcept __asm__("judge_memmove");
void* memset(void* to, int byte, size_t bytes) noexcept __asm__("judge_memset");
}

#include <string.h>

#define __CUDACC__ 1
#define __CUDA_ARCH__ 800
#define __host__
#define __device__
#define __global__ __attribute__((used))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)

#define threadIdx (judge::Place{judge::thread_x(), 0})
#define blockIdx (judge::Place{judge::block_x(), judge::block_y()})
#define blockDim (judge::Place{judge::threads_of_block(), 1})
#define gridDim (judge::Place{judge::grid_x(), judge::grid_y()})

/// A barrier or fence that is a statement; it is left out if the judge is asked to.
#define JUDGE_AT(statement)                                \
    do {                                                   \
        static judge::Barrier barrier = {__FILE__, __LINE__, 0}; \
        if (judge::is_there(barrier)) {                    \
            statement;                                     \
        }                                                  \
    } while (false)

/// Makes a kernel known by its name.
#define JUDGE_KERNEL(name) \
    static judge::Kernel kernel_##name(#name, reinterpret_cast<judge::AnyKernel>(name), judge::caller(name));

namespace judge {

struct Place {
    uint32_t x, y;
};

/// A variable of the block that runs. `NUMBER` tells it from others of the same file.
template <class Value, uint32_t NUMBER>
struct Shared {
    // All instances of one variable have the address of this as their name.
    static inline char name;

    Value& value() const {
        return *static_cast<Value*>(shared_memory(&name, sizeof(Value)));
    }
    operator Value&() const {
        return value();
    }
    /// Arrays are used by the address of their first entry.
    template <class Array = Value, class = std::enable_if_t<std::is_array<Array>::value>>
    operator std::decay_t<Array>() const {
        return value();
    }
};

template <class... Parameters, size_t... AT>
__attribute__((no_sanitize("thread"))) void call(void (*kernel)(Parameters...), const Bytes* given, std::index_sequence<AT...>) {
    kernel(*reinterpret_cast<const Parameters*>(given[AT].bytes)...);
}

/// Returns what calls a kernel with parameters as they lie in memory.
template <class... Parameters>
Caller caller(void (*)(Parameters...)) {
    return {[](AnyKernel kernel, const Bytes* given) {
                call(reinterpret_cast<void (*)(Parameters...)>(kernel), given, std::index_sequence_for<Parameters...>());
            },
            {sizeof(Parameters)...}};
}

template <class Value>
uint64_t bits_of_value(Value value) {
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}

template <class Value>
Value value_of_bits(uint64_t bits) {
    Value value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/// Returns the number of a half.
inline float of_half(uint16_t half) {
    _Float16 number;
    __builtin_memcpy(&number, &half, sizeof number);
    return static_cast<float>(number);
}

/// Returns the lesser number; what is no number stays so.
inline float min_nan(float one, float two) {
    return one != one ? one : two != two ? two : one < two ? one : two;
}

}  // namespace judge

struct alignas(16) uint4 {
    uint32_t x, y, z, w;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(8) float2 {
    float x, y;
};

inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w) {
    return {x, y, z, w};
}
inline float4 make_float4(float x, float y, float z, float w) {
    return {x, y, z, w};
}
inline float2 make_float2(float x, float y) {
    return {x, y};
}

template <class One, class Two>
auto min(One one, Two two) {
    using Both = decltype(one + two);
    return static_cast<Both>(one) < static_cast<Both>(two) ? static_cast<Both>(one) : static_cast<Both>(two);
}
template <class One, class Two>
auto max(One one, Two two) {
    using Both = decltype(one + two);
    return static_cast<Both>(one) < static_cast<Both>(two) ? static_cast<Both>(two) : static_cast<Both>(one);
}

template <class Value>
Value __ldg(const Value* from) {
    return *from;
}

// What lanes do together.

template <class Value>
Value __shfl_sync(uint32_t lanes, Value value, int lane) {
    return judge::value_of_bits<Value>(judge::of_lane(lanes, judge::bits_of_value(value), lane & 31));
}
template <class Value>
Value __shfl_xor_sync(uint32_t lanes, Value value, int distance) {
    return __shfl_sync(lanes, value, static_cast<int>(threadIdx.x % 32) ^ distance);
}
template <class Value>
Value __shfl_up_sync(uint32_t lanes, Value value, int distance) {
    int lane = threadIdx.x % 32;
    return __shfl_sync(lanes, value, lane < distance ? lane : lane - distance);
}
inline uint32_t __ballot_sync(uint32_t lanes, bool holds) {
    return judge::ballot(lanes, holds);
}
inline bool __any_sync(uint32_t lanes, bool holds) {
    return judge::ballot(lanes, holds) != 0;
}
inline bool __all_sync(uint32_t lanes, bool holds) {
    return judge::ballot(lanes, !holds) == 0;
}
inline uint32_t __reduce_max_sync(uint32_t lanes, uint32_t number) {
    return judge::greatest(lanes, number);
}
inline uint32_t __reduce_min_sync(uint32_t lanes, uint32_t number) {
    return ~judge::greatest(lanes, ~number);
}
inline uint32_t __reduce_add_sync(uint32_t lanes, uint32_t number) {
    return judge::sum(lanes, number);
}

inline void __syncthreads() {
    judge::sync_block();
}
inline void __syncwarp() {
    judge::sync_warp();
}
inline void __threadfence() {
    judge::fence();
}

inline uint32_t atomicOr(uint32_t* at, uint32_t bits) {
    return judge::atomic(at, [&](uint32_t now) { return now | bits; });
}
template <class Number>
Number atomicAdd(Number* at, std::common_type_t<Number> number) {
    return judge::atomic(at, [&](Number now) { return now + number; });
}
inline uint32_t atomicInc(uint32_t* at, uint32_t most) {
    return judge::atomic(at, [&](uint32_t now) { return now >= most ? 0 : now + 1; });
}

// Bits.

inline int __popc(uint32_t bits) {
    return __builtin_popcount(bits);
}
inline int __ffs(uint32_t bits) {
    return __builtin_ffs(static_cast<int>(bits));
}
inline int __clz(uint32_t bits) {
    return bits == 0 ? 32 : __builtin_clz(bits);
}
inline int __clzll(uint64_t bits) {
    return bits == 0 ? 64 : __builtin_clzll(bits);
}
inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t by) {
    return static_cast<uint32_t>((static_cast<uint64_t>(high) << 32 | low) >> (by & 31));
}
inline uint32_t __byte_perm(uint32_t low, uint32_t high, uint32_t selected) {
    uint64_t bytes = static_cast<uint64_t>(high) << 32 | low;
    uint32_t chosen = 0;
    for (int at = 0; at < 4; at++) {
        chosen |= static_cast<uint32_t>(bytes >> 8 * (selected >> 4 * at & 7) & 0xff) << 8 * at;
    }
    return chosen;
}
inline uint64_t __umul64hi(uint64_t one, uint64_t two) {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(one) * two >> 64);
}

// Numbers in floating point: each operation rounds by itself (`-ffp-contract=off`).

inline uint32_t __float_as_uint(float number) {
    return static_cast<uint32_t>(judge::bits_of_value(number));
}
inline float __uint_as_float(uint32_t bits) {
    return judge::value_of_bits<float>(bits);
}
inline float __int_as_float(int bits) {
    return __uint_as_float(static_cast<uint32_t>(bits));
}
inline float __fadd_rn(float one, float two) {
    return one + two;
}
inline float __fmul_rn(float one, float two) {
    return one * two;
}
inline float __fdiv_rn(float one, float two) {
    return one / two;
}
inline float __fsqrt_rn(float number) {
    return sqrtf(number);
}
inline float __fmaf_rn(float one, float two, float three) {
    return fmaf(one, two, three);
}
inline float __uint2float_rn(uint32_t number) {
    return static_cast<float>(number);
}
inline float __int2float_rn(int number) {
    return static_cast<float>(number);
}
inline int __float2int_rn(float number) {
    return static_cast<int>(rintf(number));
}
inline double __dadd_rn(double one, double two) {
    return one + two;
}
inline double __dmul_rn(double one, double two) {
    return one * two;
}
inline double __ull2double_rn(uint64_t number) {
    return static_cast<double>(number);
}
inline float __double2float_rn(double number) {
    return static_cast<float>(number);
}
