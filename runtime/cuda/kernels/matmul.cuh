//! Multiplies rows of states with a matrix of weights, which takes most of the time of a pass.
//!
//! With few rows, memory bandwidth determines the speed, so each weight is read once for up to 8 rows, 16 bytes at a time. A warp processes some rows
//! of weights, which are outputs, and all its rows of states; these are in shared memory, 1024 columns at a time, in an order without bank conflicts.
//! There is a kernel for 1, for 4 and for 8 rows; each format of weights has a file of its own, so that only the formats of the model are loaded.
//!
//! The order of a sum: lane l of 32 takes the vectors (16 bytes of weights) l, l + 32, l + 64, ... of the row of weights, and adds the products of
//! their numbers to zero, one after another, each product and sum rounded once together; the sums of the lanes are added as in `warp_sum`. Then the
//! bias is added, then the product is added to the old value. So a sum depends only on the format and the length of a row, and not on the grid.
//!
//! Launch: 256 threads; grid x: outputs, in 8 warps of 2 (1 row) or 4 each; grid y: rows, grouped by the number of rows of the kernel.

#pragma once

#include "maths.cuh"
#include "records/model.cuh"
#include "weights.cuh"

namespace ogc {

constexpr int WARPS = 8;

/// Number of columns of states in shared memory, and number of their quads per lane.
constexpr int CHUNK = 1024;
constexpr int SLOTS = CHUNK / 4 / 32;

/// Maximum number of places for the quads of 32 lanes.
constexpr int MOST_PLACES = 40;

/// The states of a kernel: for each row, the quads of the lanes.
__shared__ float4 one_row[1 * SLOTS * MOST_PLACES];
__shared__ float4 four_rows[4 * SLOTS * MOST_PLACES];
__shared__ float4 eight_rows[8 * SLOTS * MOST_PLACES];

}  // namespace ogc

namespace {

using namespace ogc;

/// Layout of states in shared memory: the quads at the same index of all lanes' vectors are adjacent, so that lanes read different banks; padding
/// after them makes lanes also write to different banks.
template <class Format>
struct Layout {
    static constexpr int QUADS = Format::NUMBERS / 4;
    static constexpr int STEPS = SLOTS / QUADS;
    static constexpr int PLACES = 32 + 8 / QUADS;

    /// Returns the place of a quad, given the step and the lane of its vector.
    __device__ static int place(int row, int step, int quad, int lane) {
        return ((row * STEPS + step) * QUADS + quad) * PLACES + lane;
    }
};

/// Copies a chunk of the states of ROWS rows, one quad of each row per thread; missing rows are zeros.
template <class Format, int ROWS>
__device__ void stage(const MatmulParameters& given, uint32_t first_row, uint32_t chunk, float4* states) {
    using Layout = Layout<Format>;
    static_assert(CHUNK / 4 == 32 * WARPS, "a thread copies one quad of each row");
    int quad = threadIdx.x, vector = quad / Layout::QUADS;
    uint32_t column = chunk + quad * 4;
    if (column >= given.columns) {
        return;
    }
    const float* from = reinterpret_cast<const float*>(given.from) + column;
    // Few loads at a time, because the sums take most registers.
#pragma unroll 2
    for (int row = 0; row < ROWS; row++) {
        float4 numbers = make_float4(0, 0, 0, 0);
        if (first_row + row < given.rows) {
            numbers = *reinterpret_cast<const float4*>(from + static_cast<uint64_t>(first_row + row) * given.from_stride);
        }
        states[Layout::place(row, vector / 32, quad % Layout::QUADS, vector % 32)] = numbers;
    }
}

/// Adds the products of four numbers to a sum, one after another.
__device__ float add_products(float4 weights, float4 states, float sum) {
    sum = __fmaf_rn(weights.x, states.x, sum);
    sum = __fmaf_rn(weights.y, states.y, sum);
    sum = __fmaf_rn(weights.z, states.z, sum);
    return __fmaf_rn(weights.w, states.w, sum);
}

/// Adds the products of a vector of each output to the sums. The sum of output o and row r has index o * ROWS + r.
template <class Format, int ROWS, int OUTPUTS>
__device__ void add_vector(const Format* vectors, const float4* states, int step, float* sums) {
    using Layout = Layout<Format>;
#pragma unroll
    for (int quad = 0; quad < Layout::QUADS; quad++) {
        float4 weights[OUTPUTS];
#pragma unroll
        for (int output = 0; output < OUTPUTS; output++) {
            weights[output] = vectors[output].quad(quad);
        }
#pragma unroll
        for (int row = 0; row < ROWS; row++) {
            float4 of_row = states[Layout::place(row, step, quad, threadIdx.x % 32)];
#pragma unroll
            for (int output = 0; output < OUTPUTS; output++) {
                sums[output * ROWS + row] = add_products(weights[output], of_row, sums[output * ROWS + row]);
            }
        }
    }
}

/// Adds the sums of all lanes as `warp_sum` does, many at a time: in each step a lane keeps one half of its sums, and gives the other to the lane
/// `APART` away. Returns sum `lane / (32 / COUNT)`, if `APART` is 16.
template <int COUNT, int APART>
__device__ float warp_sums(float* sums) {
    if constexpr (APART == 0) {
        return sums[0];
    } else if constexpr (COUNT == 1) {
        sums[0] += __shfl_xor_sync(ALL_LANES, sums[0], APART);
        return warp_sums<1, APART / 2>(sums);
    } else {
        bool keeps_upper = threadIdx.x & APART;
#pragma unroll
        for (int at = 0; at < COUNT / 2; at++) {
            float lower = sums[at], upper = sums[at + COUNT / 2];
            sums[at] = (keeps_upper ? upper : lower) + __shfl_xor_sync(ALL_LANES, keeps_upper ? lower : upper, APART);
        }
        return warp_sums<COUNT / 2, APART / 2>(sums);
    }
}

/// Writes a product.
__device__ void finish(const MatmulParameters& given, uint32_t row, uint32_t output, float product) {
    float* to = reinterpret_cast<float*>(given.to) + static_cast<uint64_t>(row) * given.to_stride + output;
    if (given.bias != 0) {
        product += __ldg(reinterpret_cast<const float*>(given.bias) + output);
    }
    *to = given.adds != 0 ? *to + product : product;
}

template <class Format, int ROWS, int OUTPUTS>
__device__ void matmul(const MatmulParameters& given, float4* states) {
    using Layout = Layout<Format>;
    int lane = threadIdx.x % 32;
    uint32_t first_row = blockIdx.y * ROWS;
    uint32_t first_output = (blockIdx.x * WARPS + threadIdx.x / 32) * OUTPUTS;
    float sums[OUTPUTS * ROWS] = {};
#pragma unroll 1
    for (uint32_t chunk = 0; chunk < given.columns; chunk += CHUNK) {
        __syncthreads();
        stage<Format, ROWS>(given, first_row, chunk, states);
        __syncthreads();
#pragma unroll 1
        for (int step = 0; step < Layout::STEPS; step++) {
            uint32_t vector = chunk / Format::NUMBERS + step * 32 + lane;
            if (vector >= given.columns / Format::NUMBERS) {
                break;
            }
            Format vectors[OUTPUTS];
#pragma unroll
            for (int output = 0; output < OUTPUTS; output++) {
                vectors[output] = {};
                if (first_output + output < given.outputs) {
                    vectors[output] =
                        Format::load(given.numbers, given.factors, first_output + output, given.columns, vector);
                }
            }
            add_vector<Format, ROWS, OUTPUTS>(vectors, states, step, sums);
        }
    }
    constexpr int LANES = 32 / (OUTPUTS * ROWS);
    float product = warp_sums<OUTPUTS * ROWS, 16>(sums);
    uint32_t output = first_output + lane / LANES / ROWS, row = first_row + lane / LANES % ROWS;
    if (lane % LANES == 0 && output < given.outputs && row < given.rows) {
        finish(given, row, output, product);
    }
}

}  // namespace

/// The kernels of a format.
#define OGC_MATMUL(name, Format) \
    extern "C" __global__ void __launch_bounds__(32 * WARPS, 2) ogc_model_matmul_##name##_1(ogc::MatmulParameters given) { \
        matmul<ogc::Format, 1, 2>(given, one_row); \
    } \
    extern "C" __global__ void __launch_bounds__(32 * WARPS, 2) ogc_model_matmul_##name##_4(ogc::MatmulParameters given) { \
        matmul<ogc::Format, 4, 4>(given, four_rows); \
    } \
    extern "C" __global__ void __launch_bounds__(32 * WARPS, 2) ogc_model_matmul_##name##_8(ogc::MatmulParameters given) { \
        matmul<ogc::Format, 8, 4>(given, eight_rows); \
    }
