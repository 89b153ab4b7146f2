//! A slot: the state of one sequence in device memory, as `src/slot.rs` declares it: a test compares sizes, places and constants.

#pragma once

#include <stddef.h>

#include "format.cuh"

namespace ogc {

/// How many heads, frames below them, sets of seen keys, rows of a mask, and states before the last tokens a slot has.
constexpr uint32_t MOST_HEADS = 16;
constexpr uint32_t MOST_NODES = 256;
constexpr uint32_t MOST_SETS = 32;
constexpr uint32_t MOST_ROWS = 32;
constexpr uint32_t MOST_LOG = 16;

/// The words of a sector, the least that is read from memory.
constexpr uint32_t SECTOR_WORDS = 8;

/// The node below the lowest frame.
constexpr uint32_t BOTTOM = 0xffffffffu;

/// The state of a head that has returned from the lowest frame: it reads nothing more.
constexpr uint32_t RETURNED = 0xffffffffu;

/// The least register `aux` that names a set of the slot: `SET_BASE + 3` is its set 3.
constexpr uint32_t SET_BASE = 1u << 31;

/// Who steps a sequence: nobody, the device, or the host, because the device could not.
constexpr uint32_t STATUS_FREE = 0;
constexpr uint32_t STATUS_DEVICE = 1;
constexpr uint32_t STATUS_HOST = 2;

/// A frame: a state, the countdowns to the least and from there to the greatest count, and what it remembers: a position among declared
/// keys, a set of seen keys, or the tokens left.
struct Frame {
    uint32_t state, a, b, aux;
};

/// A frame below a head, and the node below it.
struct Node {
    Frame frame;
    uint32_t parent;
};

/// A reading of the text: its top frame, the escape that is being read (as in `runtime/core/src/step/text.rs`), and the node below.
struct Head {
    Frame top;
    uint32_t esc, parent;
};

/// All readings of a text.
struct Readings {
    /// Whether no byte has been read, and whether the text was ended by a stop token.
    uint32_t is_fresh, is_ended;
    uint32_t head_count;
    Head heads[MOST_HEADS];
};

/// What `may_end` says of a mask that was not located, and that has no rows: none is wanted, or the host has to find it.
constexpr uint32_t MASK_IS_MISSING = 2;
constexpr uint32_t MASK_IS_HOSTS = 3;

/// The first rows of a mask, which are always written: whoever reads how many there are has them at once.
constexpr uint32_t FIRST_ROWS = 3;

/// The mask of the next token: the union of rows of the pool, and the stop tokens if the text may end. Its first words do not cross sectors.
struct Located {
    uint32_t may_end, row_count;
    /// Whether any row has a word for each 32 tokens, itself or in the row that it differs from: whether it is no list.
    uint32_t is_dense;
    uint32_t rows[MOST_ROWS];
    uint32_t unused;

    /// Makes it a mask that was not located, for the reason that `may_end` says.
    OGC_BOTH void leave_out(uint32_t why) {
        may_end = why;
        row_count = is_dense = 0;
        for (uint32_t at = 0; at < FIRST_ROWS; at++) {
            rows[at] = 0;
        }
    }
};

static_assert(sizeof(Located) % 16 == 0, "the first three words of each lie in one sector");

/// The state of a sequence before one of its last tokens.
struct Moment {
    Readings readings;
    uint32_t node_count, set_count;
};

/// The state of a sequence. Its first sector says who steps it, and what a mask of few rows is.
struct Slot {
    uint32_t status;
    /// The number of its format in the table of formats.
    uint32_t format;
    Located mask;
    Readings now;
    /// The nodes and sets that are in use: a prefix of each. A parent comes before its children.
    uint32_t node_count, set_count;
    Node nodes[MOST_NODES];
    uint32_t sets[MOST_SETS][SET_WORDS];
    /// The number of tokens that were read, and of those that can be taken back. The state before token t is in entry `t % MOST_LOG`.
    uint32_t token_count, log_count;
    Moment log[MOST_LOG];
    uint32_t unused[3];
};

static_assert(sizeof(Slot) % (4 * SECTOR_WORDS) == 0, "each slot begins a sector");
static_assert(offsetof(Slot, mask.rows) + 4 * FIRST_ROWS == 4 * SECTOR_WORDS, "the first rows lie in the first sector");

}  // namespace ogc
