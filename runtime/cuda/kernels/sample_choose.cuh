//! Summaries of the chunks of a row, and the search for the sampled chunk and token by one warp.

#pragma once

#include "sample_read.cuh"

namespace ogc {

/// No token.
constexpr uint32_t NO_TOKEN = 0xffffffffu;

/// Maximum number of chunk summaries that are cached in shared memory for repeated passes.
constexpr uint32_t KEPT_CHUNKS = 2048;

/// The summaries of the chunks of a row.
struct Chunks {
    const Chunk* chunks;
    /// Memory for `KEPT_CHUNKS` summaries: `greatest` caches them there, each lane its own.
    Chunk* kept;
    const uint32_t* parts;
    /// A bit for each visited chunk.
    const uint32_t* visited;
    uint32_t count;

    __device__ bool is_visited(uint32_t chunk) const {
        return chunk < count && (visited[chunk / 32] >> chunk % 32 & 1) != 0;
    }

    /// Returns the summary of a chunk, each lane another; an empty one if it was not visited.
    __device__ Chunk read(uint32_t first) const {
        uint32_t chunk = first + threadIdx.x % 32;
        return is_visited(chunk) ? load_chunk(chunks + chunk) : Chunk{0, 0, 0};
    }

    /// Returns the summary of a chunk, each lane another, after `greatest` was called.
    __device__ Chunk lanes(uint32_t first) const {
        return first < KEPT_CHUNKS ? load_chunk(kept + first + threadIdx.x % 32) : read(first);
    }

    /// Returns the order of the greatest logit; 0 if there is none.
    __device__ uint32_t greatest() const {
        uint32_t most = 0;
#pragma unroll 1
        for (uint32_t first = 0; first < count; first += 32) {
            Chunk own = read(first);
            if (first < KEPT_CHUNKS) {
                store_chunk(kept + first + threadIdx.x % 32, own.sum, own.greatest);
            }
            most = max(most, own.greatest);
        }
        return __reduce_max_sync(ALL_LANES, most);
    }

    /// Returns the sum of a measure of the chunks.
    template <class Measure>
    __device__ uint64_t sum(Measure measure) const {
        uint64_t sum = 0;
#pragma unroll 1
        for (uint32_t first = 0; first < count; first += 32) {
            sum += measure(lanes(first));
        }
        return warp_sum(sum);
    }

    /// Returns the first chunk at which the running sum of measures exceeds a number; the total must exceed it.
    template <class Measure>
    __device__ uint32_t pick(uint64_t number, Measure measure) const {
        uint64_t before = 0;
#pragma unroll 1
        for (uint32_t first = 0; first < count; first += 32) {
            uint64_t until = before + warp_scan(measure(lanes(first)));
            uint32_t reached = __ballot_sync(ALL_LANES, until > number);
            if (reached != 0) {
                return first + __ffs(reached) - 1;
            }
            before = from_lane(until, 31);
        }
        return 0;
    }
};

/// Returns the first token of a chunk at which the running sum of measures exceeds a number; the total must exceed it.
template <class Measure>
__device__ uint32_t pick_token(uint32_t chunk, const uint32_t* orders, uint64_t number, Measure measure) {
    uint32_t lane = threadIdx.x % 32;
    uint64_t before = 0;
    uint32_t found = NO_TOKEN;
#pragma unroll 1
    for (uint32_t at = 4 * lane; at < CHUNK && __all_sync(ALL_LANES, found == NO_TOKEN); at += 4 * 32) {
        uint4 own = *reinterpret_cast<const uint4*>(orders + at);
        uint64_t sums[4] = {measure(own.x), measure(own.y), measure(own.z), measure(own.w)};
#pragma unroll
        for (int next = 1; next < 4; next++) {
            sums[next] += sums[next - 1];
        }
        uint64_t until = before + warp_scan(sums[3]);
#pragma unroll
        for (int next = 3; next >= 0; next--) {
            found = until - sums[3] + sums[next] > number ? chunk * CHUNK + at + next : found;
        }
        before = from_lane(until, 31);
    }
    return __reduce_min_sync(ALL_LANES, found);
}

/// Selects the token of a row by the summaries of its chunks: either the first with the greatest logit, or a draw among all tokens, first of a chunk,
/// then of one of its tokens.
struct Pick {
    const SamplingRow& row;
    const Chunks& chunks;
    /// The order of the greatest logit.
    uint32_t greatest;

    __device__ bool is_drawn() const {
        return row.kind != SAMPLE_HIGHEST;
    }

    /// Returns the weight of a chunk, or, for a greedy row, whether it has the greatest logit.
    __device__ uint64_t measure(const Chunk& chunk) const {
        bool has_weight = is_drawn() && chunk.greatest != 0;
        float above = logit_of(chunk.greatest) - logit_of(greatest);
        return has_weight ? weighed(chunk.sum, weight_of(above, row.scale)) : chunk.greatest == greatest;
    }

    /// Returns the total weight of all chunks.
    __device__ uint64_t total() const {
        return chunks.sum([this](const Chunk& chunk) { return measure(chunk); });
    }

    /// Returns the chunk of the sampled token.
    __device__ uint32_t chunk() const {
        uint64_t number = is_drawn() ? below(draw_of(row.seed, row.request, row.position).first, total()) : 0;
        return chunks.pick(number, [this](const Chunk& chunk) { return measure(chunk); });
    }

    /// Returns the sampled token, given the orders of its chunk.
    __device__ uint32_t token(uint32_t chunk, const uint32_t* orders) const {
        Chunk chosen = load_chunk(chunks.chunks + chunk);
        bool is_drawn = this->is_drawn();
        float base = logit_of(chosen.greatest), scale = row.scale;
        uint64_t number = is_drawn ? below(draw_of(row.seed, row.request, row.position).second, chosen.sum) : 0;
        return pick_token(chunk, orders, number, [=](uint32_t order) -> uint64_t {
            return order == 0 ? 0 : is_drawn ? weight_of(logit_of(order) - base, scale) : order == chosen.greatest;
        });
    }
};

}  // namespace ogc
