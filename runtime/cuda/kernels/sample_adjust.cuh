//! Penalties of written tokens, and biases, applied to the logits of a chunk.

#pragma once

#include "sample_chunk.cuh"

namespace ogc {

/// Returns the number of entries of a list, sorted by token, whose token is less than `token`.
template <class Entry>
__device__ uint32_t entries_before(const Entry* entries, uint32_t count, uint32_t token) {
    uint32_t begin = 0;
    while (count > 0) {
        uint32_t half = count / 2;
        bool is_before = entries[begin + half].token < token;
        begin = is_before ? begin + half + 1 : begin;
        count = is_before ? count - half - 1 : half;
    }
    return begin;
}

/// Changes one of a lane's logits. All lanes use the same place, which is found by branches that do not diverge, and logits stay in registers.
template <int FIRST, int END, class Change>
__device__ void change_at(float (&own)[OWN], int place, bool is_own, const Change& change) {
    if constexpr (END - FIRST == 1) {
        own[FIRST] = is_own ? change(own[FIRST]) : own[FIRST];
    } else {
        constexpr int HALF = (FIRST + END) / 2;
        if (place < HALF) {
            change_at<FIRST, HALF>(own, place, is_own, change);
        } else {
            change_at<HALF, END>(own, place, is_own, change);
        }
    }
}

/// Changes the logit of a token of a chunk.
template <class Logit, class Change>
__device__ void change(float (&own)[OWN], uint32_t token, const Change& change) {
    int vector = token % CHUNK / VECTOR<Logit>;
    int place = vector / 32 * VECTOR<Logit> + token % VECTOR<Logit>;
    change_at<0, OWN>(own, place, vector % 32 == static_cast<int>(threadIdx.x % 32), change);
}

/// Changes the logits of the tokens of a chunk that are in a list.
template <class Logit, class Entry, class Change>
__device__ void change_all(float (&own)[OWN], const Entry* entries, uint32_t count, uint32_t chunk, const Change& changed) {
#pragma unroll 1
    for (uint32_t at = entries_before(entries, count, chunk * CHUNK); at < count; at++) {
        Entry entry = entries[at];
        if (entry.token / CHUNK != chunk) {
            return;
        }
        change<Logit>(own, entry.token, [&](float logit) { return changed(logit, entry); });
    }
}

/// The change of the logit of a written token.
struct Penalty {
    float factor, inverse_factor, presence, frequency;

    __device__ static Penalty of(const SamplingRow& row) {
        return {row.factor, row.inverse_factor, row.presence, row.frequency};
    }

    __device__ float operator()(float logit, const Count& count) const {
        float taken = presence + frequency * static_cast<float>(count.times);
        return logit * (logit > 0.0f ? inverse_factor : factor) - taken;
    }
};

__device__ inline float biased(float logit, const Bias& bias) {
    return logit + bias.number;
}

/// Penalises the written tokens of a chunk, and adds the biases.
template <class Logit>
__device__ void adjust(const SamplingRow& row, uint32_t chunk, float (&own)[OWN]) {
    // The parameters of the changes were read only if there is something to change.
    if ((row.count_count | row.bias_count) == 0) {
        return;
    }
    change_all<Logit>(own, row.counts, row.count_count, chunk, Penalty::of(row));
    change_all<Logit>(own, row.biases, row.bias_count, chunk, biased);
}

/// Returns the logit of a token, changed by its entry in a list.
template <class Entry, class Change>
__device__ float changed_by(float logit, const Entry* entries, uint32_t count, uint32_t token, const Change& change) {
#pragma unroll 1
    for (uint32_t at = entries_before(entries, count, token); at < count && entries[at].token == token; at++) {
        logit = change(logit, entries[at]);
    }
    return logit;
}

/// Returns the logit of a token, penalised if it was written, with its bias added.
__device__ inline float adjusted(const SamplingRow& row, uint32_t token, float logit) {
    if ((row.count_count | row.bias_count) == 0) {
        return logit;
    }
    logit = changed_by(logit, row.counts, row.count_count, token, Penalty::of(row));
    return changed_by(logit, row.biases, row.bias_count, token, biased);
}

}  // namespace ogc
