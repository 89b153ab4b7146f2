//! Generated from runtime/cuda/src/slot.rs by the tests of ogc-cuda, with OGC_BLESS=1; do not edit.

#pragma once

#include <stdint.h>

namespace ogc {

/// Maximum numbers, per slot, of heads (readings of the text so far), of frames below them (including those of logged states), of sets of seen
/// keys, of rows of a mask, and of logged states before the last tokens.
constexpr uint32_t MOST_HEADS = 16;
constexpr uint32_t MOST_NODES = 256;
constexpr uint32_t MOST_SETS = 32;
constexpr uint32_t MOST_ROWS = 32;
constexpr uint32_t MOST_LOG = 16;

/// Number of words of a set of seen keys, and number of keys that it has bits for. Objects with more keys in any order are left to the host.
constexpr uint32_t SET_WORDS = 4;
constexpr uint32_t MOST_KEYS = 128;

/// The node below the lowest frame.
constexpr uint32_t BOTTOM = 0xffffffffu;

/// The state of a head that has returned from the lowest frame; it reads no further bytes.
constexpr uint32_t RETURNED = 0xffffffffu;

/// The smallest value of the register `aux` that refers to a set of the slot: `SET_BASE + 3` is its set 3.
constexpr uint32_t SET_BASE = 0x80000000u;

/// Who steps a sequence: nobody, the device, or the host because the device could not.
constexpr uint32_t STATUS_FREE = 0;
constexpr uint32_t STATUS_DEVICE = 1;
constexpr uint32_t STATUS_HOST = 2;

/// Values of `may_end` for a mask that was not located and has no rows: none is wanted, or the host must find it.
constexpr uint32_t MASK_IS_MISSING = 2;
constexpr uint32_t MASK_IS_HOSTS = 3;

/// A frame: a state, the countdowns to the minimum and from there to the maximum count, and its memory: a position among declared keys,
/// a set of seen keys, or the number of remaining tokens.
struct Frame {
    uint32_t state;
    uint32_t a;
    uint32_t b;
    uint32_t aux;
};
static_assert(sizeof(Frame) == 16, "as in Rust");

/// A frame below a head, and its parent node.
struct Node {
    Frame frame;
    uint32_t parent;
};
static_assert(sizeof(Node) == 20, "as in Rust");

/// A reading of the text: its top frame, the escape that is being read (as in `runtime/core/src/step/escape.rs`), and the node below.
struct Head {
    Frame top;
    uint32_t esc;
    uint32_t parent;
};
static_assert(sizeof(Head) == 24, "as in Rust");

/// The set of declared keys seen so far, one bit each.
struct KeySet {
    uint32_t words[SET_WORDS];
};
static_assert(sizeof(KeySet) == 16, "as in Rust");

/// All readings of a text.
struct Readings {
    /// Whether no byte has been read.
    uint32_t is_fresh;
    /// Whether the text was ended by a stop token.
    uint32_t is_ended;
    uint32_t head_count;
    Head heads[MOST_HEADS];
};
static_assert(sizeof(Readings) == 396, "as in Rust");

/// The mask of the next token: the union of rows of the pool, and the stop tokens if the text may end. Its first words do not cross sectors.
struct Located {
    uint32_t may_end;
    uint32_t row_count;
    /// Whether any row is dense (has a word for each 32 tokens), itself or in the row that it is a difference of.
    uint32_t is_dense;
    uint32_t rows[MOST_ROWS];
    uint32_t unused;
};
static_assert(sizeof(Located) == 144, "as in Rust");

/// The state of a sequence before one of its last tokens.
struct Moment {
    Readings readings;
    uint32_t node_count;
    uint32_t set_count;
};
static_assert(sizeof(Moment) == 404, "as in Rust");

/// The state of a sequence. Its first sector has its status and a mask of few rows.
struct Slot {
    /// One of `STATUS_FREE` etc.
    uint32_t status;
    /// The number of its format in the table of formats.
    uint32_t format;
    Located mask;
    Readings now;
    /// Counts of nodes and sets in use: the first ones of `nodes` and `sets`. A parent precedes its children.
    uint32_t node_count;
    uint32_t set_count;
    Node nodes[MOST_NODES];
    uint32_t sets[MOST_SETS][SET_WORDS];
    /// Number of tokens read, and of tokens that can be rolled back. The state before token t is in entry `t % MOST_LOG`.
    uint32_t token_count;
    uint32_t log_count;
    Moment log[MOST_LOG];
    /// Padding, so that each slot begins a sector.
    uint32_t unused[3];
};
static_assert(sizeof(Slot) == 12672, "as in Rust");

}  // namespace ogc
