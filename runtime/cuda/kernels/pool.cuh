//! Reads the pool of rows in device memory.

#pragma once

#include "both.cuh"
#include "records/pool.cuh"

namespace ogc {

/// Returns the fields common to rows of all forms, in one read.
OGC_BOTH inline PoolRow common(const Pool& pool, uint32_t number) {
    const PoolRow& row = pool.rows[number];
    return {row.kind, row.at, row.len, row.removed, 0, {}};
}

/// Returns the content of a row.
OGC_BOTH inline const uint32_t* content_of(const Pool& pool, const PoolRow& row) {
    return pool.data + static_cast<uint64_t>(row.at) * BLOCK_WORDS;
}

}  // namespace ogc
