//! Generated from runtime/cuda/src/masks.rs by the tests of ogc-cuda, with OGC_BLESS=1; do not edit.

#pragma once

#include <stdint.h>

#include "format.cuh"

namespace ogc {

/// The first word of every block of masks, and the layout version in the second.
constexpr uint32_t MASKS_MAGIC = 0x6d63676fu;
constexpr uint32_t MASKS_VERSION = 2;

/// Values that stand where there is none of these: a row, exits, a tree of ways, a shape, a similar state.
constexpr uint32_t NO_ROW = 0xffffffffu;
constexpr uint32_t NO_EXITS = 0;
constexpr uint32_t NO_WAYS = 0;
constexpr uint32_t NO_SHAPE = 0xffffffffu;
constexpr uint32_t NO_ALIKE = 0xffffffffu;

/// The bit of a row in these tables that marks it as dense (no list); the other bits are its number in the pool.
constexpr uint32_t DENSE_ROW = 0x80000000u;

/// Bits of a header: the format accepts the empty text; each character of a string has one spelling.
constexpr uint32_t MASKS_NULLABLE = 1;
constexpr uint32_t MASKS_CANONICAL = 2;

/// Bits of a state: the rule may end here; strings continue with any text; masks are made by ways; the keys that the text can become are known.
constexpr uint32_t MASK_ACCEPTS = 1;
constexpr uint32_t MASK_FREE = 2;
constexpr uint32_t MASK_BY_WAYS = 4;
constexpr uint32_t MASK_KEYS_KNOWN = 8;

/// Kinds of steps of ways: a guard on countdowns; a tick and then the guard; guards on keys and their completion; and steps that only the
/// host performs.
constexpr uint32_t STEP_COUNT = 0;
constexpr uint32_t STEP_TICK = 1;
constexpr uint32_t STEP_ALIVE = 2;
constexpr uint32_t STEP_ALIVE_EXTRA = 3;
constexpr uint32_t STEP_TAKE = 4;
constexpr uint32_t STEP_TAKE_EXTRA = 5;
constexpr uint32_t STEP_NEXT = 6;
constexpr uint32_t STEP_CLOSE = 7;
constexpr uint32_t STEP_HOST = 8;

/// Ends of a way in place of a next step: the way is allowed, or it is not.
constexpr uint32_t WAY_ALLOWED = 0xfffffffeu;
constexpr uint32_t WAY_REFUSED = 0xffffffffu;

/// Header of the masks of a format.
struct MasksHeader {
    uint32_t magic;
    uint32_t version;
    uint32_t bits;
    /// The length in bytes of the longest token.
    uint32_t longest;
    Table states;
    Table base_runs;
    Table tail_runs;
    Table bases;
    Table sets;
    Table trees;
    Table ways;
    Table steps;
    Table shapes;
    Table alike;
    Table keys;
};
static_assert(sizeof(MasksHeader) == 104, "as in Rust");

/// A state: bits (`MASK_ACCEPTS` etc.), the countdown from which on guards do not distinguish values, the shape of its object, the record of the
/// state that it is similar to; its runs; and the declared keys that its text can become.
struct MaskState {
    uint32_t bits;
    uint32_t threshold;
    uint32_t shape;
    uint32_t alike;
    uint32_t first_base_run;
    uint32_t base_run_count;
    uint32_t first_tail_run;
    uint32_t tail_run_count;
    uint32_t first_key;
    uint32_t key_count;
};
static_assert(sizeof(MaskState) == 40, "as in Rust");

/// The registers of the first frame of a run: three that all its frames share, and one that varies in a range.
struct RunKey {
    uint32_t words[4];
};
static_assert(sizeof(RunKey) == 16, "as in Rust");

/// A run of frames that share a base: those with these registers, whose last register is at most `last`.
struct BaseRun {
    RunKey begin;
    uint32_t last;
    uint32_t base;
};
static_assert(sizeof(BaseRun) == 24, "as in Rust");

/// A run of return frames that share a tail.
struct TailRun {
    RunKey begin;
    uint32_t last;
    uint32_t row;
    uint32_t exits;
    uint32_t ways;
};
static_assert(sizeof(TailRun) == 32, "as in Rust");

/// A base.
struct Base {
    uint32_t row;
    uint32_t exits;
    uint32_t at_once;
    uint32_t ways;
};
static_assert(sizeof(Base) == 16, "as in Rust");

/// A span of another table: the ways of a tree.
struct Span {
    uint32_t first;
    uint32_t count;
};
static_assert(sizeof(Span) == 8, "as in Rust");

/// The row and exits of a way, which apply if its steps lead to its end.
struct Way {
    uint32_t first_step;
    uint32_t row;
    uint32_t exits;
};
static_assert(sizeof(Way) == 12, "as in Rust");

/// A step of a way: its kind, its object, and for counts the maximum `a` and the minimum sum, for guards on keys a span of keys, else a key;
/// then the next steps if it holds and if it fails.
struct MaskStep {
    uint32_t kind;
    uint32_t shape;
    uint32_t first;
    uint32_t second;
    uint32_t if_holds;
    uint32_t if_fails;
};
static_assert(sizeof(MaskStep) == 24, "as in Rust");

/// A state that another is similar to, and the bytes that lead both to the same state, one bit each.
struct Alike {
    uint32_t state;
    uint32_t same[8];
};
static_assert(sizeof(Alike) == 36, "as in Rust");

}  // namespace ogc
