//! The pool of rows in device memory, as `src/pool.rs` declares it: a test compares sizes, places and constants.

#pragma once

#include "both.cuh"

namespace ogc {

/// The words of a block: each row begins with a block, so that it can be read 16 bytes at a time.
constexpr uint32_t BLOCK_WORDS = 16;

/// Forms of a row: a list of tokens, a bit for each token, or the differences from a row of bits.
constexpr uint32_t ROW_SPARSE = 0;
constexpr uint32_t ROW_DENSE = 1;
constexpr uint32_t ROW_DELTA = 2;

/// A row. Sparse: `len` tokens, ascending, from block `at` on. Dense: `len` words of bits. Delta: `len` tokens added, then `removed` tokens
/// taken away, both ascending, from the dense row of number `dense`. Each lies in a sector of its own, and what all forms have is read at once.
struct alignas(16) PoolRow {
    uint32_t kind, at, len, removed;
    uint32_t dense, unused[3];
};

/// The pool, by the addresses of its rows and of their contents.
struct Pool {
    const PoolRow* rows;
    const uint32_t* data;

    /// Returns what rows of all forms have, read at once.
    OGC_BOTH PoolRow common(uint32_t number) const {
        const PoolRow& row = rows[number];
        return {row.kind, row.at, row.len, row.removed, 0, {}};
    }

    /// Returns the content of a row.
    OGC_BOTH const uint32_t* content(const PoolRow& row) const {
        return data + static_cast<uint64_t>(row.at) * BLOCK_WORDS;
    }
};

}  // namespace ogc
