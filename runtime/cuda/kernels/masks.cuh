//! Reads the masks of a format in device memory, as `src/masks.rs` writes them.
//!
//! A block of 32-bit words: a header, then tables. Most tables are those of `runtime/core/src/mask/pack.rs`, with the numbers that rows have in the
//! pool; the others define classes of heads (`mask/classes.rs`). The block is checked when it is built; here it is trusted.

#pragma once

#include "format.cuh"
#include "keys.cuh"
#include "records/masks.cuh"

namespace ogc {

/// The masks of a format, by the address of their header.
struct Masks {
    const uint32_t* words;

    OGC_BOTH const MasksHeader& header() const {
        return *reinterpret_cast<const MasksHeader*>(words);
    }

    template <class Record>
    OGC_BOTH const Record* table(Table table) const {
        return reinterpret_cast<const Record*>(words + table.first);
    }

    OGC_BOTH const MaskState& state(uint32_t index) const {
        return table<MaskState>(header().states)[index];
    }

    /// Returns the keys from an index on.
    OGC_BOTH const uint32_t* keys(uint32_t first) const {
        return table<uint32_t>(header().keys) + first;
    }

    OGC_BOTH ObjectShape shape(uint32_t index) const {
        return object_of(table<Shape>(header().shapes)[index], keys(0));
    }
};

}  // namespace ogc
