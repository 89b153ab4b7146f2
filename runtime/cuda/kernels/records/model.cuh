//! Generated from runtime/cuda/src/model/records.rs by the tests of ogc-cuda, with OGC_BLESS=1; do not edit.

#pragma once

#include <stdint.h>

namespace ogc {

/// Positions of a page of the KV cache, and of a span, which one block of the attention kernel reads.
constexpr uint32_t PAGE_POSITIONS = 16;
constexpr uint32_t SPAN_POSITIONS = 256;

/// Maximum size of a head, and the number of heads sharing keys that are processed together.
constexpr uint32_t MOST_HEAD = 256;
constexpr uint32_t HEADS_TOGETHER = 8;

/// The table of an unused row, and the number of an unwanted row.
constexpr uint32_t UNUSED = 0xffffffffu;

/// A row of a pass: a token, its position in its text, and the page table of that text. If the table is `UNUSED`, the row is padding, with
/// states of zeros.
struct ModelRow {
    uint32_t token;
    uint32_t position;
    uint32_t table;
};
static_assert(sizeof(ModelRow) == 12, "as in Rust");

/// Looks up the embedding, of `columns` numbers, of each row's token among `tokens`. Grid x: rows.
struct EmbedParameters {
    uint64_t numbers;
    uint64_t factors;
    uint64_t rows;
    uint64_t states;
    uint32_t columns;
    uint32_t tokens;
};
static_assert(sizeof(EmbedParameters) == 40, "as in Rust");

/// Normalises rows of `columns` numbers. Output row r comes from row `picked[r]`, or from row r without that list. `epsilon` has the bits of
/// a `float`. Grid x: rows.
struct NormParameters {
    uint64_t from;
    uint64_t picked;
    uint64_t weights;
    uint64_t to;
    uint32_t columns;
    uint32_t epsilon;
};
static_assert(sizeof(NormParameters) == 40, "as in Rust");

/// Multiplies `rows` rows of states with the rows of a matrix, one for each output. Adds the bias if there is one, then the old value of
/// the output if `adds` is not 0. Strides are in numbers.
struct MatmulParameters {
    uint64_t numbers;
    uint64_t factors;
    uint64_t bias;
    uint64_t from;
    uint64_t to;
    uint32_t columns;
    uint32_t outputs;
    uint32_t rows;
    uint32_t from_stride;
    uint32_t to_stride;
    uint32_t adds;
};
static_assert(sizeof(MatmulParameters) == 64, "as in Rust");

/// Applies RoPE to the queries and keys of each row (`joined` holds queries, keys and values), and stores keys and values in the pages of the
/// row's table. The norms of queries and keys are 0 if there are none. `pool` is the beginning of the layer in page 0, pages are
/// `page_stride` numbers apart, a table has `pages` pages; `angles` has sine and cosine of `pairs` pairs for each position.
struct RopeParameters {
    uint64_t joined;
    uint64_t ask_norm;
    uint64_t key_norm;
    uint64_t angles;
    uint64_t rows;
    uint64_t tables;
    uint64_t pool;
    uint64_t asked;
    uint32_t heads;
    uint32_t key_heads;
    uint32_t head;
    uint32_t pairs;
    uint32_t page_stride;
    uint32_t pages;
    uint32_t neighbours;
    uint32_t epsilon;
};
static_assert(sizeof(RopeParameters) == 96, "as in Rust");

/// Attends to cached positions, span by span; a position attends to `window` positions, including its own. A piece holds, for a head and a
/// span, the largest score, the sum of weights, and the weighted sum of values, `head` numbers. `scale` has the bits of a `float`.
struct AttendParameters {
    uint64_t asked;
    uint64_t rows;
    uint64_t tables;
    uint64_t pool;
    uint64_t pieces;
    uint32_t heads;
    uint32_t key_heads;
    uint32_t head;
    uint32_t page_stride;
    uint32_t pages;
    uint32_t window;
    uint32_t scale;
    uint32_t spans;
};
static_assert(sizeof(AttendParameters) == 72, "as in Rust");

/// Combines the pieces of all spans into the attention output of each head.
struct JoinParameters {
    uint64_t pieces;
    uint64_t rows;
    uint64_t found;
    uint32_t heads;
    uint32_t head;
    uint32_t window;
    uint32_t spans;
};
static_assert(sizeof(JoinParameters) == 40, "as in Rust");

/// SwiGLU: multiplies the activated first half of each row with the second half. Grid: x over `inner` numbers, y over rows.
struct SwigluParameters {
    uint64_t from;
    uint64_t to;
    uint32_t inner;
    uint32_t from_stride;
};
static_assert(sizeof(SwigluParameters) == 24, "as in Rust");

/// A copy between pages: keys and values of the first `positions` positions.
struct PageCopy {
    uint32_t from;
    uint32_t to;
    uint32_t positions;
};
static_assert(sizeof(PageCopy) == 12, "as in Rust");

/// Performs `count` page copies. A page has `page_stride` numbers, the keys of a layer `kept`, a head `head`.
struct CopyParameters {
    uint64_t pool;
    uint64_t copies;
    uint32_t page_stride;
    uint32_t kept;
    uint32_t head;
    uint32_t count;
};
static_assert(sizeof(CopyParameters) == 32, "as in Rust");

}  // namespace ogc
