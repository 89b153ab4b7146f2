//! RoPE: rotates queries and keys by their positions, and stores keys and values in the KV cache.
//!
//! Keys and values are stored in pages of 16 positions. Within a page, each layer has its keys, then its values. The keys of a head are split into
//! quads: the quads 0 of all 16 positions, then the quads 1, ..., so that threads that each process a position read adjacent quads; values are stored
//! position after position.
//!
//! A warp processes a head of a row. If a model normalises heads, the order of a sum of squares is: lane l of 32 adds those of numbers l, l + 32, ...
//! to zero, each product and sum rounded once together; the sums of the lanes are added as in `warp_sum`.
//!
//! Launch: 128 threads; grid x: heads of queries, of keys and of values, 4 per block; grid y: rows.
//!
//! Registers: at most 48.

#include "maths.cuh"
#include "records/model.cuh"

namespace {

using namespace ogc;

constexpr int WARPS = 4;

/// Returns the factor by which a head is multiplied, apart from its weights.
__device__ float scale_of(const float* from, uint32_t head, float epsilon) {
    float sum = 0;
    for (uint32_t at = threadIdx.x % 32; at < head; at += 32) {
        sum = __fmaf_rn(from[at], from[at], sum);
    }
    float mean = __fdiv_rn(warp_sum(sum), __uint2float_rn(head));
    return __fdiv_rn(1.0f, __fsqrt_rn(mean + epsilon));
}

/// Normalises and rotates a head; calls `put(number, at)` with the results.
template <class Put>
__device__ void rope(const RopeParameters& given, const float* from, uint64_t norm, uint32_t position, Put put) {
    const float* weights = reinterpret_cast<const float*>(norm);
    float scale = weights == nullptr ? 1.0f : scale_of(from, given.head, __uint_as_float(given.epsilon));
    const float2* angles = reinterpret_cast<const float2*>(given.angles) + static_cast<uint64_t>(position) * given.pairs;
    for (uint32_t pair = threadIdx.x % 32; pair < given.pairs; pair += 32) {
        uint32_t one = given.neighbours != 0 ? 2 * pair : pair;
        uint32_t two = given.neighbours != 0 ? 2 * pair + 1 : pair + given.pairs;
        float x = from[one], y = from[two];
        if (weights != nullptr) {
            x *= scale * __ldg(weights + one);
            y *= scale * __ldg(weights + two);
        }
        float2 angle = __ldg(angles + pair);
        put(x * angle.y - y * angle.x, one);
        put(x * angle.x + y * angle.y, two);
    }
}

/// Returns the beginning of the layer's keys of a key head in the page of a position; its values follow `key_heads` heads later.
__device__ float* page_of(const RopeParameters& given, ModelRow row, uint32_t key_head) {
    const uint32_t* table = reinterpret_cast<const uint32_t*>(given.tables) + static_cast<uint64_t>(row.table) * given.pages;
    uint64_t page = table[row.position / PAGE_POSITIONS];
    float* pool = reinterpret_cast<float*>(given.pool) + page * given.page_stride;
    return pool + static_cast<uint64_t>(key_head) * PAGE_POSITIONS * given.head;
}

}  // namespace

extern "C" __global__ void ogc_model_rope(RopeParameters given) {
    uint32_t unit = blockIdx.x * WARPS + threadIdx.x / 32, lane = threadIdx.x % 32;
    uint32_t units = given.heads + 2 * given.key_heads;
    ModelRow row = reinterpret_cast<const ModelRow*>(given.rows)[blockIdx.y];
    if (unit >= units) {
        return;
    }
    const float* from = reinterpret_cast<const float*>(given.joined) +
                        (static_cast<uint64_t>(blockIdx.y) * units + unit) * given.head;
    uint64_t asked_at = (static_cast<uint64_t>(blockIdx.y) * given.heads + unit) * given.head;
    float* asked = reinterpret_cast<float*>(given.asked) + asked_at;
    if (row.table == UNUSED) {
        for (uint32_t at = lane; unit < given.heads && at < given.head; at += 32) {
            asked[at] = 0;
        }
    } else if (unit < given.heads) {
        rope(given, from, given.ask_norm, row.position, [&](float number, uint32_t at) { asked[at] = number; });
    } else if (unit < given.heads + given.key_heads) {
        float* keys = page_of(given, row, unit - given.heads) + row.position % PAGE_POSITIONS * 4;
        rope(given, from, given.key_norm, row.position, [&](float number, uint32_t at) {
            keys[at / 4 * (4 * PAGE_POSITIONS) + at % 4] = number;
        });
    } else {
        // The values of this head follow the keys of all heads.
        float* values = page_of(given, row, unit - given.heads) + row.position % PAGE_POSITIONS * given.head;
        for (uint32_t at = lane; at < given.head; at += 32) {
            values[at] = from[at];
        }
    }
}
