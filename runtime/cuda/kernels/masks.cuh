//! The masks of a format in device memory, as `src/masks.rs` writes them: a test compares sizes, places and constants.
//!
//! A block of words of 32 bits: a header, then tables. Most are those of `runtime/core/src/mask/pack.rs`, with the numbers that rows have in the pool;
//! the others are what heads of one class have in common (`mask/classes.rs`). It is checked where it is made; here it is trusted.

#pragma once

#include "format.cuh"
#include "keys.cuh"

namespace ogc {

/// The first words of every block.
constexpr uint32_t MASKS_MAGIC = 0x6d63676fu;
constexpr uint32_t MASKS_VERSION = 2;

/// What stands for no row, no exits, no tree of ways, no shape, no state that another is alike to.
constexpr uint32_t NO_ROW = 0xffffffffu;
constexpr uint32_t NO_EXITS = 0;
constexpr uint32_t NO_WAYS = 0;
constexpr uint32_t NO_SHAPE = 0xffffffffu;
constexpr uint32_t NO_ALIKE = 0xffffffffu;

/// The bit of a row in these tables that says that it is no list; the others are its number in the pool.
constexpr uint32_t DENSE_ROW = 1u << 31;

/// Bits of a header: the empty text is one of the format; each character of a string has one spelling.
constexpr uint32_t MASKS_NULLABLE = 1;
constexpr uint32_t MASKS_CANONICAL = 2;

/// Bits of a state: the rule may end here; strings go on with any text; masks are made by ways; it is known which keys the text can become.
constexpr uint32_t MASK_ACCEPTS = 1;
constexpr uint32_t MASK_FREE = 2;
constexpr uint32_t MASK_BY_WAYS = 4;
constexpr uint32_t MASK_KEYS_KNOWN = 8;

/// Kinds of steps of ways: a guard on countdowns; a tick and then the guard; guards on keys and what completes them; and what only the host
/// does.
constexpr uint32_t STEP_COUNT = 0;
constexpr uint32_t STEP_TICK = 1;
constexpr uint32_t STEP_ALIVE = 2;
constexpr uint32_t STEP_ALIVE_EXTRA = 3;
constexpr uint32_t STEP_TAKE = 4;
constexpr uint32_t STEP_TAKE_EXTRA = 5;
constexpr uint32_t STEP_NEXT = 6;
constexpr uint32_t STEP_CLOSE = 7;
constexpr uint32_t STEP_HOST = 8;

/// What comes after a step instead of another one: the way is allowed, or it is not.
constexpr uint32_t WAY_ALLOWED = 0xfffffffeu;
constexpr uint32_t WAY_REFUSED = 0xffffffffu;

struct MasksHeader {
    uint32_t magic, version, bits;
    /// The bytes of the longest token.
    uint32_t longest;
    Table states, base_runs, tail_runs, bases, sets, trees, ways, steps, shapes, alike, keys;
};

/// A state: spans of the tables of runs and of keys, the countdown from which on guards cannot tell values apart, its object, and the state that it
/// is alike to.
struct MaskState {
    uint32_t bits, threshold, shape, alike;
    uint32_t first_base_run, base_run_count, first_tail_run, tail_run_count;
    uint32_t first_key, key_count;
};

/// The registers of frames: three that are equal, and one in a range.
struct RunKey {
    uint32_t words[4];
};

struct BaseRun {
    RunKey begin;
    uint32_t last, base;
};

struct TailRun {
    RunKey begin;
    uint32_t last, row, exits, ways;
};

struct Base {
    uint32_t row, exits, at_once, ways;
};

/// What is read on a way, if its steps from the first on lead to its end.
struct Way {
    uint32_t first_step, row, exits;
};

/// A step: its kind, its object, and for counts the greatest `a` and the least sum; for guards on keys a span of keys; else a key. The step
/// that comes next if it holds, and if it fails, stands behind it.
struct MaskStep {
    uint32_t kind, shape, first, second, if_holds, if_fails;
};

/// A state that another is alike to, and the bytes that lead both to one place, a bit each.
struct Alike {
    uint32_t state, same[8];
};

/// A span of another table.
struct Span {
    uint32_t first, count;
};

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

    /// Returns keys from a place on.
    OGC_BOTH const uint32_t* keys(uint32_t first) const {
        return table<uint32_t>(header().keys) + first;
    }

    OGC_BOTH ObjectShape shape(uint32_t index) const {
        return object_of(table<Shape>(header().shapes)[index], keys(0));
    }
};

}  // namespace ogc
