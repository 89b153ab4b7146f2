//! Rows with few allowed tokens: the block has a thread for each.
//!
//! The result is the same as that of `sample_truncate.cuh` and `sample_choose.cuh` for these tokens, but no summaries of chunks are stored in device
//! memory, and no logit is read twice. Each thread loops over all tokens for the sums that it needs: those of its chunk, or those of likelier tokens.

#pragma once

#include "sample_top.cuh"

namespace ogc {

/// Maximum number of tokens, one for each thread.
constexpr uint32_t MOST_FEW = SAMPLE_THREADS;

/// The keys found on the way to a token, in this order: the last of the `top_k` likeliest, the last within the share, and the one that is drawn.
enum FoundKey : uint32_t { KEY_OF_TOP_K, KEY_OF_SHARE, KEY_OF_TOKEN, FOUND_KEYS };

/// Shared memory of a block for these tokens.
struct FewMemory {
    uint32_t tokens[MOST_FEW], orders[MOST_FEW];
    uint64_t amounts[MOST_FEW], measures[MOST_FEW];
    /// 0 where none was found. Each has its own place, so that none is written while another is read.
    uint64_t keys[FOUND_KEYS];
};

/// Returns the token of a thread, among those below `end` that a mask lists: first those of its rows, one row after another, then those that end a
/// text.
__device__ inline uint32_t listed_token(const SharedMask& mask, const uint32_t* stops, uint32_t end) {
    uint32_t place = threadIdx.x, token = NO_TOKEN;
#pragma unroll 1
    for (uint32_t row = 0; row < mask.row_count; row++) {
        uint32_t count = mask.added[row].count;
        if (place < count) {
            token = __ldg(mask.added[row].tokens + place);
        }
        // `NO_TOKEN` exceeds the number of tokens of all rows together, and so is no place in a later row.
        place = place < count ? NO_TOKEN : place - count;
    }
    if (place < mask.stop_count) {
        token = __ldg(stops + place);
    }
    return token < end ? token : NO_TOKEN;
}

/// The tokens of a row, from the view of a thread.
struct FewTokens {
    const SamplingRow& row;
    FewMemory& memory;
    uint32_t count;
    /// The thread's own token, and the order of its logit; 0 if it may not be sampled, or if another thread has the same token.
    uint32_t token, order;
    /// The order of the greatest logit.
    uint32_t greatest;

    /// Collects the tokens and logits of all threads of a block.
    __device__ static FewTokens of(const SamplingRow& row, FewMemory& memory, uint32_t count, uint32_t token, float logit) {
        FewTokens few = {row, memory, count, token, 0, 0};
        if (few.has_token()) {
            memory.tokens[threadIdx.x] = token;
        }
        if (threadIdx.x < FOUND_KEYS) {
            memory.keys[threadIdx.x] = 0;
        }
        __syncthreads();
        if (few.has_token()) {
            bool is_other = token == NO_TOKEN || few.any_before([&](uint32_t at) { return memory.tokens[at] == token; });
            few.order = is_other ? 0 : order_or_0(adjusted(row, token, logit));
            memory.orders[threadIdx.x] = few.order;
        }
        __syncthreads();
        few.greatest = few.greatest_order([](uint32_t) { return true; });
        return few;
    }

    /// Returns the sampled token to all threads of the block; `NO_TOKEN` if none may be sampled.
    __device__ uint32_t choose() const {
        if (greatest == 0) {
            return NO_TOKEN;
        }
        uint64_t key;
        switch (row.kind) {
            case SAMPLE_HIGHEST:
                put(order == greatest);
                key = reaching(1, KEY_OF_TOKEN);
                break;
            case SAMPLE_DRAWN:
                key = drawn();
                break;
            default:
                key = drawn_of_likeliest();
        }
        return token_of_key(key);
    }

private:
    __device__ bool has_token() const {
        return threadIdx.x < count;
    }

    __device__ uint64_t key_at(uint32_t at) const {
        return memory.orders[at] == 0 ? 0 : key_of(memory.orders[at], memory.tokens[at]);
    }

    __device__ uint64_t key() const {
        return order == 0 ? 0 : key_of(order, token);
    }

    __device__ uint32_t chunk() const {
        return token / CHUNK;
    }

    __device__ bool is_of_chunk(uint32_t at) const {
        return memory.tokens[at] / CHUNK == chunk();
    }

    template <class Holds>
    __device__ bool any_before(Holds holds) const {
        bool any = false;
#pragma unroll 4
        for (uint32_t at = 0; at < threadIdx.x; at++) {
            any = any || holds(at);
        }
        return any;
    }

    template <class IsWanted>
    __device__ uint32_t greatest_order(IsWanted is_wanted) const {
        uint32_t most = 0;
#pragma unroll 4
        for (uint32_t at = 0; at < count; at++) {
            most = is_wanted(at) ? max(most, memory.orders[at]) : most;
        }
        return most;
    }

    template <class IsWanted>
    __device__ uint64_t sum(const uint64_t* amounts, IsWanted is_wanted) const {
        uint64_t sum = 0;
#pragma unroll 4
        for (uint32_t at = 0; at < count; at++) {
            sum += is_wanted(at) ? amounts[at] : 0;
        }
        return sum;
    }

    /// Publishes the amount of the own token in the following sums. The previous sums ended with a barrier.
    __device__ void put(uint64_t amount) const {
        if (has_token()) {
            memory.amounts[threadIdx.x] = amount;
        }
        __syncthreads();
    }

    __device__ uint64_t total(const uint64_t* amounts) const {
        return sum(amounts, [](uint32_t) { return true; });
    }

    /// Publishes the key that one thread has found to all threads, in a place of its own; 0 if none has.
    __device__ uint64_t found(bool is_own, FoundKey place) const {
        if (is_own) {
            memory.keys[place] = key();
        }
        __syncthreads();
        return memory.keys[place];
    }

    /// Returns the greatest key down to which the amounts sum up to a goal; 0 if they never do.
    __device__ uint64_t reaching(uint64_t goal, FoundKey place) const {
        bool is_own = false;
        if (order != 0) {
            uint64_t own = key(), amount = memory.amounts[threadIdx.x];
            uint64_t until = sum(memory.amounts, [&](uint32_t at) { return key_at(at) >= own; });
            is_own = until >= goal && until - amount < goal;
        }
        return found(is_own, place);
    }

    __device__ uint32_t weight(uint32_t base) const {
        return order == 0 ? 0 : weight_of(logit_of(order) - logit_of(base), row.scale);
    }

    /// The weight of a thread's chunk: relative to its greatest logit, and relative to that of the row.
    struct ChunkWeight {
        uint64_t sum, measure;
    };

    /// Weighs the chunks of the tokens: sets `amounts` to the weights of tokens relative to the greatest logit of their chunk, and `measures` to the
    /// weights of chunks, in one place for each.
    __device__ ChunkWeight weigh_chunks() const {
        uint32_t most = greatest_order([&](uint32_t at) { return is_of_chunk(at); });
        put(weight(most));
        uint64_t all = sum(memory.amounts, [&](uint32_t at) { return is_of_chunk(at); });
        uint64_t measure = most == 0 ? 0 : weighed(all, weight_of(logit_of(most) - logit_of(greatest), row.scale));
        if (has_token()) {
            bool is_first = !any_before([&](uint32_t at) { return is_of_chunk(at); });
            memory.measures[threadIdx.x] = is_first ? measure : 0;
        }
        __syncthreads();
        return {all, measure};
    }

    /// Draws among all tokens: first a chunk, then one of its tokens.
    __device__ uint64_t drawn() const {
        Draw draw = draw_of(row.seed, row.request, row.position);
        ChunkWeight own = weigh_chunks();
        uint64_t chunk_number = below(draw.first, total(memory.measures)), number = below(draw.second, own.sum);
        bool is_own = false;
        if (order != 0) {
            uint64_t until_chunk = sum(memory.measures, [&](uint32_t at) { return memory.tokens[at] / CHUNK <= chunk(); });
            uint64_t until = sum(memory.amounts, [&](uint32_t at) { return is_of_chunk(at) && memory.tokens[at] <= token; });
            bool is_chunk = until_chunk > chunk_number && until_chunk - own.measure <= chunk_number;
            is_own = is_chunk && until > number && until - memory.amounts[threadIdx.x] <= number;
        }
        return found(is_own, KEY_OF_TOKEN);
    }

    /// Draws one of the likeliest tokens.
    __device__ uint64_t drawn_of_likeliest() const {
        uint64_t key = this->key(), kept = 0;
        if (row.top_k != 0) {
            put(order != 0);
            kept = reaching(row.top_k, KEY_OF_TOP_K);
        }
        uint32_t weight = this->weight(greatest);
        if (row.share != SHARE_ALL) {
            uint64_t all = 0;
            if (row.top_k == 0) {
                weigh_chunks();
                all = total(memory.measures);
            }
            put(key >= kept ? weight : 0);
            uint64_t last = reaching(goal_of(row.share, row.top_k != 0 ? total(memory.amounts) : all), KEY_OF_SHARE);
            kept = last != 0 ? last : kept;
        }
        put(key >= kept && weight >= row.least_weight ? weight : 0);
        return reaching(below(draw_of(row.seed, row.request, row.position).first, total(memory.amounts)) + 1, KEY_OF_TOKEN);
    }
};

/// Samples the token of a row whose mask lists `count` tokens, by all threads of a block; each passes its token and that token's logit.
__device__ inline uint32_t choose_of_few(const SamplingRow& row, FewMemory& memory, uint32_t count, uint32_t token, float logit) {
    return FewTokens::of(row, memory, count, token, logit).choose();
}

}  // namespace ogc
