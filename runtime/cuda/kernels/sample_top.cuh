//! Radix search in a block: finds the digit of a key at which a sum, from the greatest key down, reaches a goal.
//!
//! A key consists of the order of a logit, followed by bits that are greater for lower tokens, so that the likelier token has the greater key. The
//! search takes eight bits of the key at a time: it sums up the amounts of all candidates by their next digit, finds the digit at which the sum
//! reaches the goal, and keeps only the candidates with this digit.

#pragma once

#include "sample_choose.cuh"

namespace ogc {

/// The number of bits of a key after the order of the logit.
constexpr int TOKEN_BITS = 24;
constexpr uint32_t MOST_TOKEN = (1u << TOKEN_BITS) - 1;

/// The number of bits of a digit; each thread has one digit.
constexpr int DIGIT_BITS = 8;
static_assert(1u << DIGIT_BITS == SAMPLE_THREADS, "a thread for each digit");
static_assert(MOST_CHUNKS * CHUNK <= MOST_TOKEN, "keys hold all tokens");

__device__ inline uint64_t key_of(uint32_t order, uint32_t token) {
    return static_cast<uint64_t>(order) << TOKEN_BITS | (MOST_TOKEN - token);
}

__device__ inline uint32_t order_of_key(uint64_t key) {
    return static_cast<uint32_t>(key >> TOKEN_BITS);
}

__device__ inline uint32_t token_of_key(uint64_t key) {
    return MOST_TOKEN - (static_cast<uint32_t>(key) & MOST_TOKEN);
}

/// A digit, the number of its candidates, and the sum of those with greater digits.
struct Found {
    uint64_t before;
    uint32_t digit, count;
};

/// The sums by digit, in shared memory: all 0 between uses.
struct Digits {
    unsigned long long sums[SAMPLE_THREADS];
    uint32_t counts[SAMPLE_THREADS];
    uint64_t warps[SAMPLE_WARPS];
    Found found;

    __device__ void clear() {
        sums[threadIdx.x] = 0;
        counts[threadIdx.x] = 0;
    }

    /// Returns the sum of all threads; sets `until` to the sum from the greatest digit down to this thread's, whose own sum is `own`.
    __device__ uint64_t scan(uint64_t own, uint64_t& until) {
        uint32_t warp = threadIdx.x / 32;
        until = warp_scan(own);
        if (threadIdx.x % 32 == 31) {
            warps[warp] = until;
        }
        __syncthreads();
        uint64_t total = 0;
#pragma unroll 1
        for (uint32_t at = 0; at < SAMPLE_WARPS; at++) {
            until += at < warp ? warps[at] : 0;
            total += warps[at];
        }
        return total;
    }

    /// Finds the digit at which the sums reach a goal, which `goal_of` computes from the total, and clears all sums. Returns whether the total
    /// reaches it.
    template <class Goal>
    __device__ bool find(Goal goal_of, Found& place) {
        uint32_t digit = SAMPLE_THREADS - 1 - threadIdx.x;
        uint64_t own = sums[digit], until;
        uint32_t count = counts[digit];
        sums[digit] = 0;
        counts[digit] = 0;
        uint64_t total = scan(own, until);
        uint64_t goal = goal_of(total);
        if (total < goal) {
            return false;
        }
        if (until >= goal && until - own < goal) {
            found = {until - own, digit, count};
        }
        __syncthreads();
        place = found;
        return true;
    }
};

/// Amounts of one digit that a thread has collected: consecutive candidates often have the same digit.
struct Run {
    uint64_t sum;
    uint32_t digit, count;

    __device__ void add(Digits& digits, uint32_t next, uint64_t amount) {
        if (next != digit) {
            flush(digits);
            *this = {0, next, 0};
        }
        sum += amount;
        count++;
    }

    __device__ void flush(Digits& digits) const {
        if (count != 0) {
            atomicAdd(digits.sums + digit, static_cast<unsigned long long>(sum));
            atomicAdd(digits.counts + digit, count);
        }
    }
};

}  // namespace ogc
