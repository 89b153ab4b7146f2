//! Reads the tables of a format in device memory, as `src/format.rs` writes them.
//!
//! A format is a block of 32-bit words: a header, then tables. It is checked when it is built; here it is trusted.

#pragma once

#include "both.cuh"
#include "records/format.cuh"

namespace ogc {

/// The keys of an object, with the list of required ones.
struct ObjectShape {
    /// The number of declared keys.
    uint32_t keys;
    /// The required ones of them, ascending.
    const uint32_t* required;
    uint32_t required_count;
    /// Whether they come in any order, whether others may come, and whether the countdowns count members.
    bool is_any_order, has_extra, is_counted;
};

/// Returns the keys of an object, given the table of keys.
OGC_BOTH inline ObjectShape object_of(const Shape& shape, const uint32_t* keys) {
    return {
        shape.key_count,
        keys + shape.first_required,
        shape.required_count,
        (shape.bits & ANY_ORDER) != 0,
        (shape.bits & HAS_EXTRA) != 0,
        (shape.bits & COUNTS_MEMBERS) != 0,
    };
}

/// A format, by the address of its header.
struct Format {
    const uint32_t* words;

    OGC_BOTH const Header& header() const {
        return *reinterpret_cast<const Header*>(words);
    }

    template <class Record>
    OGC_BOTH const Record& at(Table table, uint32_t index) const {
        return reinterpret_cast<const Record*>(words + table.first)[index];
    }

    OGC_BOTH const State& state(uint32_t index) const {
        return at<State>(header().states, index);
    }

    OGC_BOTH const Edge& edge(uint32_t index) const {
        return at<Edge>(header().edges, index);
    }

    OGC_BOTH const Call& call(uint32_t index) const {
        return at<Call>(header().calls, index);
    }

    OGC_BOTH const Operation& op(uint32_t index) const {
        return at<Operation>(header().ops, index);
    }

    OGC_BOTH const Rule& rule(uint32_t index) const {
        return at<Rule>(header().rules, index);
    }

    /// Returns the keys from an index on.
    OGC_BOTH const uint32_t* keys(uint32_t first) const {
        return words + header().keys.first + first;
    }

    OGC_BOTH ObjectShape object(uint32_t index) const {
        return object_of(at<Shape>(header().shapes, index), keys(0));
    }
};

}  // namespace ogc
