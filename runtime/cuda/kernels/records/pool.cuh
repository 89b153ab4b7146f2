//! Generated from runtime/cuda/src/pool.rs by the tests of ogc-cuda, with OGC_BLESS=1; do not edit.

#pragma once

#include <stdint.h>

namespace ogc {

/// The words of a block: each row begins with a block, so that it can be read 16 bytes at a time.
constexpr uint32_t BLOCK_WORDS = 16;

/// Forms of a row: a list of tokens, a bit for each token, or the difference from a row of bits.
constexpr uint32_t ROW_SPARSE = 0;
constexpr uint32_t ROW_DENSE = 1;
constexpr uint32_t ROW_DELTA = 2;

/// A row. Sparse: `len` tokens, ascending, from block `at` on. Dense: `len` words of bits. Delta: `len` added tokens, then `removed` removed
/// tokens, both ascending, relative to the dense row of number `dense`. Each record has its own sector; the fields of all forms are read at once.
struct alignas(16) PoolRow {
    uint32_t kind;
    uint32_t at;
    uint32_t len;
    uint32_t removed;
    uint32_t dense;
    /// Padding, so that each row begins a sector.
    uint32_t unused[3];
};
static_assert(sizeof(PoolRow) == 32, "as in Rust");

/// The pool, by the addresses of its rows and of their contents.
struct Pool {
    const PoolRow* rows;
    const uint32_t* data;
};
static_assert(sizeof(Pool) == 16, "as in Rust");

}  // namespace ogc
