//! Attention over the KV cache: for each row and head, the sum of the values up to the row's own position, weighted by the scores of their keys.
//!
//! Positions are processed in fixed spans of 256: span s has the positions 256 * s to 256 * s + 255 in every case. A block processes a span for up to
//! 8 heads that share keys and values, which are read once for all of them, and writes a piece; a second kernel combines the pieces of a head. So
//! long texts occupy the device even with few rows.
//!
//! The order of sums:
//! * The dot product of a query and a key is accumulated number by number from zero, each product and sum rounded once together; then it is scaled.
//! * The weights of a span: lane l of 32 adds those of positions l, l + 32, ... of the span to zero; the lanes' sums are added as in `warp_sum`.
//! * The values of a span: those of each 32 positions are multiplied by their weights and added to zero, one position after another, rounded as
//!   above; then these 8 sums are added in order.
//! * Spans are combined in order, each multiplied by the exponential of the difference between its largest score and the largest of all.
//! So a sum depends only on the position, and not on the grid.
//!
//! Launch of `ogc_model_attend`: 256 threads; grid x: for each key head, for each 8 heads that share it, spans; grid y: rows. Launch of
//! `ogc_model_join`: 128 threads; grid x: heads, 4 per block; grid y: rows.
//!
//! Registers: at most 64.

#include "maths.cuh"
#include "records/model.cuh"

namespace ogc {

constexpr uint32_t WARPS = SPAN_POSITIONS / 32;
static_assert(WARPS == HEADS_TOGETHER, "each warp weighs the positions for a head");

/// The queries of the heads, and for each position of the span its score, later its weight.
__shared__ float4 asked[HEADS_TOGETHER][MOST_HEAD / 4];
__shared__ float weights[HEADS_TOGETHER][SPAN_POSITIONS];

/// For the positions of each warp and each head, 32 numbers of the sum of their values.
__shared__ float sums_of_warps[WARPS][HEADS_TOGETHER][32];

}  // namespace ogc

namespace {

using namespace ogc;

/// The positions that a row attends to.
struct Looked {
    uint32_t first, end;
};

__device__ Looked looked_at(uint32_t position, uint32_t window) {
    uint32_t end = position + 1;
    return {end > window ? end - window : 0, end};
}

/// The work of a block.
struct Search {
    uint32_t first_head, heads, key_head;
    /// The first position of the span, and the positions of the span that are attended to.
    uint32_t span_first, first, end;
    const uint32_t* table;
};

/// Returns the keys in a position's page; the values follow `key_heads` heads later.
__device__ const float* page_of(const AttendParameters& given, const Search& search, uint32_t position) {
    uint64_t page = search.table[position / PAGE_POSITIONS];
    const float* pool = reinterpret_cast<const float*>(given.pool) + page * given.page_stride;
    return pool + static_cast<uint64_t>(search.key_head) * PAGE_POSITIONS * given.head;
}

/// Copies the queries of the heads.
__device__ void stage(const AttendParameters& given, const Search& search) {
    uint64_t first = static_cast<uint64_t>(blockIdx.y) * given.heads + search.first_head;
    const float4* from = reinterpret_cast<const float4*>(given.asked) + first * (given.head / 4);
    for (uint32_t at = threadIdx.x; at < search.heads * (given.head / 4); at += SPAN_POSITIONS) {
        asked[at / (given.head / 4)][at % (given.head / 4)] = from[at];
    }
}

/// Scores a position for each head.
__device__ void score(const AttendParameters& given, const Search& search) {
    uint32_t position = search.span_first + threadIdx.x;
    float sums[HEADS_TOGETHER] = {};
    bool is_looked_at = position >= search.first && position < search.end;
    if (is_looked_at) {
        const float4* key = reinterpret_cast<const float4*>(page_of(given, search, position)) + position % PAGE_POSITIONS;
#pragma unroll 1
        for (uint32_t quad = 0; quad < given.head / 4; quad++) {
            float4 numbers = key[quad * PAGE_POSITIONS];
#pragma unroll
            for (uint32_t head = 0; head < HEADS_TOGETHER; head++) {
                if (head < search.heads) {
                    float4 part = asked[head][quad];
                    sums[head] = __fmaf_rn(part.x, numbers.x, sums[head]);
                    sums[head] = __fmaf_rn(part.y, numbers.y, sums[head]);
                    sums[head] = __fmaf_rn(part.z, numbers.z, sums[head]);
                    sums[head] = __fmaf_rn(part.w, numbers.w, sums[head]);
                }
            }
        }
    }
#pragma unroll
    for (uint32_t head = 0; head < HEADS_TOGETHER; head++) {
        if (head < search.heads) {
            weights[head][threadIdx.x] = is_looked_at ? sums[head] * __uint_as_float(given.scale) : -INFINITY;
        }
    }
}

/// Turns the scores of a head into weights, and writes the beginning of its piece.
__device__ void weigh(float* of_head, float* piece) {
    uint32_t lane = threadIdx.x % 32;
    float most = -INFINITY;
    for (uint32_t at = lane; at < SPAN_POSITIONS; at += 32) {
        most = fmaxf(most, of_head[at]);
    }
    most = warp_most(most);
    float sum = 0;
    for (uint32_t at = lane; at < SPAN_POSITIONS; at += 32) {
        float weight = exponential(of_head[at] - most);
        of_head[at] = weight;
        sum += weight;
    }
    sum = warp_sum(sum);
    if (lane == 0) {
        piece[0] = most;
        piece[1] = sum;
    }
}

/// Adds the values of the warp's positions, for one number of a head, to the sums of each head.
__device__ void add_values(const AttendParameters& given, const Search& search, uint32_t number, float* sums) {
    uint32_t own = search.span_first + threadIdx.x / 32 * 32;
    uint32_t values = given.key_heads * PAGE_POSITIONS * given.head + number;
    for (uint32_t position = max(search.first, own); position < min(search.end, own + 32); position++) {
        float value = page_of(given, search, position)[values + position % PAGE_POSITIONS * given.head];
#pragma unroll
        for (uint32_t head = 0; head < HEADS_TOGETHER; head++) {
            if (head < search.heads) {
                sums[head] = __fmaf_rn(weights[head][position - search.span_first], value, sums[head]);
            }
        }
    }
}

/// Returns the beginning of the piece of a head.
__device__ float* piece_of(uint64_t pieces, uint32_t heads, uint32_t head, uint32_t of, uint32_t spans, uint32_t span) {
    uint64_t place = (static_cast<uint64_t>(blockIdx.y) * heads + of) * spans + span;
    return reinterpret_cast<float*>(pieces) + place * (head + 2);
}

/// Writes the weighted sums of values.
__device__ void find(const AttendParameters& given, const Search& search, uint32_t span) {
    uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (uint32_t first = 0; first < given.head; first += 32) {
        float sums[HEADS_TOGETHER] = {};
        if (first + lane < given.head) {
            add_values(given, search, first + lane, sums);
        }
#pragma unroll
        for (uint32_t head = 0; head < HEADS_TOGETHER; head++) {
            sums_of_warps[warp][head][lane] = sums[head];
        }
        __syncthreads();
        if (warp < search.heads && first + lane < given.head) {
            float sum = sums_of_warps[0][warp][lane];
            for (uint32_t of = 1; of < WARPS; of++) {
                sum += sums_of_warps[of][warp][lane];
            }
            uint32_t head = search.first_head + warp;
            piece_of(given.pieces, given.heads, given.head, head, given.spans, span)[2 + first + lane] = sum;
        }
        __syncthreads();
    }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(SPAN_POSITIONS) ogc_model_attend(AttendParameters given) {
    ModelRow row = reinterpret_cast<const ModelRow*>(given.rows)[blockIdx.y];
    if (row.table == UNUSED) {
        return;
    }
    uint32_t shared_by = given.heads / given.key_heads;
    uint32_t parts = (shared_by + HEADS_TOGETHER - 1) / HEADS_TOGETHER;
    uint32_t span = blockIdx.x % given.spans, part = blockIdx.x / given.spans % parts;
    Looked looked = looked_at(row.position, given.window);
    Search search;
    search.key_head = blockIdx.x / given.spans / parts;
    search.first_head = search.key_head * shared_by + part * HEADS_TOGETHER;
    search.heads = min(HEADS_TOGETHER, shared_by - part * HEADS_TOGETHER);
    search.span_first = span * SPAN_POSITIONS;
    search.first = max(looked.first, search.span_first);
    search.end = min(looked.end, search.span_first + SPAN_POSITIONS);
    search.table = reinterpret_cast<const uint32_t*>(given.tables) + static_cast<uint64_t>(row.table) * given.pages;
    if (search.first >= search.end) {
        return;
    }
    stage(given, search);
    __syncthreads();
    score(given, search);
    __syncthreads();
    uint32_t warp = threadIdx.x / 32;
    if (warp < search.heads) {
        uint32_t head = search.first_head + warp;
        weigh(weights[warp], piece_of(given.pieces, given.heads, given.head, head, given.spans, span));
    }
    __syncthreads();
    find(given, search, span);
}

/// Combines the pieces of a head; a warp processes a head of a row.
extern "C" __global__ void ogc_model_join(JoinParameters given) {
    uint32_t head = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    ModelRow row = reinterpret_cast<const ModelRow*>(given.rows)[blockIdx.y];
    if (head >= given.heads) {
        return;
    }
    float* found = reinterpret_cast<float*>(given.found) +
                   (static_cast<uint64_t>(blockIdx.y) * given.heads + head) * given.head;
    if (row.table == UNUSED) {
        for (uint32_t at = lane; at < given.head; at += 32) {
            found[at] = 0;
        }
        return;
    }
    Looked looked = looked_at(row.position, given.window);
    uint32_t first = looked.first / SPAN_POSITIONS, end = (looked.end + SPAN_POSITIONS - 1) / SPAN_POSITIONS;
    const float* pieces = piece_of(given.pieces, given.heads, given.head, head, given.spans, 0);
    uint32_t stride = given.head + 2;
    float most = -INFINITY;
    for (uint32_t span = first; span < end; span++) {
        most = fmaxf(most, pieces[span * stride]);
    }
    float total = 0;
    for (uint32_t span = first; span < end; span++) {
        total = __fmaf_rn(exponential(pieces[span * stride] - most), pieces[span * stride + 1], total);
    }
    for (uint32_t at = lane; at < given.head; at += 32) {
        float sum = 0;
        for (uint32_t span = first; span < end; span++) {
            sum = __fmaf_rn(exponential(pieces[span * stride] - most), pieces[span * stride + 2 + at], sum);
        }
        found[at] = __fdiv_rn(sum, total);
    }
}
