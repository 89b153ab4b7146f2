//! Whether only the end of the text may follow, on the device and on the host; `runtime/generate` checks it before it samples a token.

#pragma once

#include "keys.cuh"
#include "pool.cuh"
#include "slot.cuh"
#include "team.cuh"

namespace ogc {

/// A list of ascending tokens.
struct Tokens {
    const uint32_t* tokens;
    uint32_t count;

    OGC_BOTH bool has(uint32_t token) const {
        uint32_t at = keys_before(tokens, count, token);
        return at < count && tokens[at] == token;
    }
};

/// Returns whether a list is a subset of another. Each lane checks other tokens.
OGC_BOTH inline bool is_within(Team team, const Tokens& list, const Tokens& others) {
    bool is_outside = false;
    for (uint32_t first = 0; first < list.count && !is_outside; first += team.size()) {
        uint32_t at = first + team.lane();
        is_outside = team.any(at < list.count && !others.has(list.tokens[at]));
    }
    return !is_outside;
}

/// Returns whether a word of bits, without the removed tokens, is a subset of a list.
OGC_BOTH inline bool is_within(uint32_t first_token, uint32_t bits, const Tokens& removed, const Tokens& others) {
    for (; bits != 0; bits &= bits - 1) {
        uint32_t token = first_token + lowest_bit(bits);
        if (!others.has(token) && !removed.has(token)) {
            return false;
        }
    }
    return true;
}

/// Returns whether a row of the pool is a subset of a list. Most rows that are not differ in their first words.
OGC_BOTH inline bool is_within(Team team, Pool pool, const PoolRow& row, const Tokens& others) {
    const uint32_t* content = content_of(pool, row);
    if (row.kind != ROW_DENSE && !is_within(team, {content, row.len}, others)) {
        return false;
    }
    if (row.kind == ROW_SPARSE) {
        return true;
    }
    bool is_delta = row.kind == ROW_DELTA;
    const PoolRow& dense = is_delta ? pool.rows[row.dense] : row;
    const uint32_t* words = content_of(pool, dense);
    Tokens removed = {content + row.len, is_delta ? row.removed : 0};
    bool is_outside = false;
    for (uint32_t first = 0; first < dense.len && !is_outside; first += team.size()) {
        uint32_t at = first + team.lane();
        is_outside = team.any(at < dense.len && !is_within(at * 32, words[at], removed, others));
    }
    return !is_outside;
}

/// Returns whether a mask allows the tokens that end the text, and no others; false if there are no such tokens.
OGC_BOTH inline bool is_only_end(Team team, Pool pool, const Located& mask, const Tokens& stops) {
    bool is_only = mask.may_end == 1 && stops.count > 0;
    for (uint32_t at = 0; at < mask.row_count && is_only; at++) {
        is_only = is_within(team, pool, pool.rows[mask.rows[at]], stops);
    }
    return is_only;
}

}  // namespace ogc
