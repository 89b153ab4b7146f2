//! Rows of which few tokens are allowed: one warp chooses, a token in each lane.
//!
//! What is chosen is what `sample_truncate.cuh` and `sample_choose.cuh` choose of the same tokens, but nothing is kept in memory and no logit is
//! read twice. Sums over tokens in some order are sums over the lanes whose tokens come first in it.

#pragma once

#include "sample_top.cuh"

namespace ogc {

/// Returns the tokens that a mask lists, below an end, one in each lane: those of its rows, one after another, then those that end a text. Each stands in
/// one lane.
__device__ inline uint32_t listed_tokens(const SharedMask& mask, const uint32_t* stops, uint32_t end) {
    uint32_t lane = threadIdx.x % 32, first = 0, token = NO_TOKEN;
#pragma unroll 1
    for (uint32_t row = 0; row < mask.row_count; row++) {
        uint32_t count = mask.added[row].count;
        if (lane - first < count) {
            token = __ldg(mask.added[row].tokens + (lane - first));
        }
        first += count;
    }
    if (lane - first < mask.stop_count) {
        token = __ldg(stops + (lane - first));
    }
    token = token < end ? token : NO_TOKEN;
    uint32_t same = __match_any_sync(ALL_LANES, token);
    return __ffs(same) - 1 == lane ? token : NO_TOKEN;
}

/// The tokens of a row, one in each lane.
struct FewTokens {
    const SamplingRow& row;
    /// `NO_TOKEN` in lanes without one.
    uint32_t token;
    /// The order of its logit; 0 if it may not be chosen.
    uint32_t order;
    /// The order of the greatest logit.
    uint32_t greatest;

    /// Reads the logits of tokens, one in each lane.
    template <class Logit>
    __device__ static FewTokens read(const SamplingRow& row, LogitRow<Logit> logits, uint32_t token) {
        uint32_t order = token == NO_TOKEN ? 0 : order_or_0(adjusted(row, token, logits.of_token(token)));
        return {row, token, order, __reduce_max_sync(ALL_LANES, order)};
    }

    /// Returns the token that is chosen; `NO_TOKEN` if none may be.
    __device__ uint32_t choose() const {
        if (greatest == 0) {
            return NO_TOKEN;
        }
        if (row.kind == SAMPLE_HIGHEST) {
            return __reduce_min_sync(ALL_LANES, order == greatest ? token : NO_TOKEN);
        }
        return row.kind == SAMPLE_DRAWN ? drawn() : drawn_of_likeliest();
    }

private:
    /// Returns what the lanes have whose key is one that is wanted.
    template <class Key, class IsWanted>
    __device__ static uint64_t sum(uint64_t amount, Key key, IsWanted is_wanted) {
        uint64_t sum = 0;
#pragma unroll 1
        for (uint32_t lane = 0; lane < 32; lane++) {
            uint64_t other = from_lane(amount, lane);
            sum += is_wanted(from_lane(key, lane)) ? other : 0;
        }
        return sum;
    }

    __device__ uint32_t chunk() const {
        return token / CHUNK;
    }

    __device__ uint32_t weight(uint32_t base) const {
        return order == 0 ? 0 : weight_of(logit_of(order) - logit_of(base), row.scale);
    }

    /// What the chunk of a lane's token has, of these tokens.
    struct OwnChunk {
        /// What the lane's token weighs relative to the greatest logit of the chunk, and what all of it do.
        uint64_t own, sum;
        /// What the chunk weighs relative to the greatest logit of the row; 0 but in one of its lanes.
        uint64_t measure;
    };

    __device__ OwnChunk own_chunk() const {
        uint32_t chunk = this->chunk(), most = 0, lane = threadIdx.x % 32;
#pragma unroll 1
        for (uint32_t other = 0; other < 32; other++) {
            uint32_t order_there = from_lane(order, other);
            most = from_lane(chunk, other) == chunk ? max(most, order_there) : most;
        }
        uint64_t own = weight(most);
        uint64_t all = sum(own, chunk, [=](uint32_t there) { return there == chunk; });
        bool is_first = __ffs(__match_any_sync(ALL_LANES, chunk)) - 1 == lane;
        uint64_t measure = most == 0 ? 0 : weighed(all, weight_of(logit_of(most) - logit_of(greatest), row.scale));
        return {own, all, is_first ? measure : 0};
    }

    /// Draws one of all tokens: its chunk, then one of the chunk's.
    __device__ uint32_t drawn() const {
        Draw draw = draw_of(row.seed, row.request, row.position);
        OwnChunk own = own_chunk();
        uint32_t chunk = this->chunk(), token = this->token;
        uint64_t until = sum(own.measure, chunk, [=](uint32_t there) { return there <= chunk; });
        uint32_t chosen = __reduce_min_sync(ALL_LANES, until > below(draw.first, warp_sum(own.measure)) ? chunk : NO_CHUNK);
        uint64_t within = sum(chunk == chosen ? own.own : 0, token, [=](uint32_t there) { return there <= token; });
        bool is_reached = chunk == chosen && within > below(draw.second, own.sum);
        return __reduce_min_sync(ALL_LANES, is_reached ? token : NO_TOKEN);
    }

    /// Returns the greatest key down to which the sums of the lanes reach a goal; 0 if none does.
    __device__ static uint64_t reaching(uint64_t key, uint64_t amount, uint64_t goal) {
        uint64_t until = sum(amount, key, [=](uint64_t there) { return there >= key; });
        return greatest_key(amount != 0 && until >= goal ? key : 0);
    }

    __device__ static uint64_t greatest_key(uint64_t key) {
#pragma unroll
        for (int distance = 16; distance > 0; distance /= 2) {
            uint64_t other = __shfl_xor_sync(ALL_LANES, key, distance);
            key = other > key ? other : key;
        }
        return key;
    }

    /// Draws one of the likeliest tokens.
    __device__ uint32_t drawn_of_likeliest() const {
        uint64_t key = order == 0 ? 0 : key_of(order, token), kept = 0;
        if (row.top_k != 0) {
            kept = reaching(key, key != 0, row.top_k);
        }
        uint32_t weight = this->weight(greatest);
        if (row.share != SHARE_ALL) {
            uint64_t own = key >= kept ? weight : 0;
            uint64_t total = row.top_k != 0 ? warp_sum(own) : warp_sum(own_chunk().measure);
            uint64_t last = reaching(key, own, goal_of(row.share, total));
            kept = last != 0 ? last : kept;
        }
        uint64_t own = key >= kept && weight >= row.least_weight ? weight : 0;
        uint64_t goal = below(draw_of(row.seed, row.request, row.position).first, warp_sum(own)) + 1;
        return token_of_key(reaching(key, own, goal));
    }
};

/// Chooses the token of a row of which at most 32 are listed, by one warp. It has registers of its own: those of reading chunks are many.
template <class Logit>
__device__ __noinline__ uint32_t choose_of_few(
    const SamplingRow& row, const SharedMask& mask, LogitRow<Logit> logits, const uint32_t* stops, uint32_t end
) {
    return FewTokens::read(row, logits, listed_tokens(mask, stops, end)).choose();
}

}  // namespace ogc
