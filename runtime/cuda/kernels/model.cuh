//! What the kernels of the language model are given, as `src/model/records.rs` declares it: a test compares sizes, places and constants.
//!
//! Addresses are of device memory. Numbers between kernels are rows of `float`, one row for each row of a pass; they follow one
//! another without a gap.

#pragma once

#include "both.cuh"

namespace ogc {

/// Positions of a page of keys and values, and of a span, which one block of `model_attend.cu` looks at.
constexpr uint32_t PAGE_POSITIONS = 16;
constexpr uint32_t SPAN_POSITIONS = 256;

/// The most numbers of a head, and how many heads that share keys are looked for at a time.
constexpr uint32_t MOST_HEAD = 256;
constexpr uint32_t HEADS_TOGETHER = 8;

/// The table of a row that is not used, and the number of a row that is not wanted.
constexpr uint32_t UNUSED = 0xffffffffu;

/// A row of a pass: a token, its position in its text, and which table of pages has the positions of that text. If the table is `UNUSED`,
/// the row fills a pass up: its states are zeros.
struct ModelRow {
    uint32_t token, position, table;
};

/// Looks up `columns` numbers of each row's token, of `tokens` that there are. Grid x: rows.
struct EmbedParameters {
    uint64_t numbers, factors, rows, states;
    uint32_t columns, tokens;
};

/// Normalises rows of `columns` numbers. Row r is made of row `picked[r]`, or of row r if there is no such list. `epsilon` has the bits of
/// a `float`. Grid x: rows.
struct NormParameters {
    uint64_t from, picked, weights, to;
    uint32_t columns, epsilon;
};

/// Multiplies `rows` rows of states with the rows of a matrix, one for each output. A bias is added if there is one, then what stands in
/// the place of the product if `adds` is not 0. Strides are in numbers.
struct ProductParameters {
    uint64_t numbers, factors, bias, from, to;
    uint32_t columns, outputs, rows, from_stride, to_stride, adds;
};

/// Of the numbers that were made for each row (those of heads that ask, keys, values), rotates heads and keys, and keeps keys and values in the
/// pages of the row's table. Norms of heads and keys are 0 if there are none. `pool` is where the layer begins in page 0, pages are
/// `page_stride` numbers apart, a table has `pages` pages; `angles` has sine and cosine of `pairs` pairs for each position.
struct TurnParameters {
    uint64_t joined, ask_norm, key_norm, angles, rows, tables, pool, asked;
    uint32_t heads, key_heads, head, pairs, page_stride, pages, neighbours, epsilon;
};

/// Looks at kept positions, span by span; a position looks at `window` positions, with its own. A piece is the largest score of a head in a
/// span, the sum of weights, and `head` numbers, the weighted sum of values.
struct AttendParameters {
    uint64_t asked, rows, tables, pool, pieces;
    uint32_t heads, key_heads, head, page_stride, pages, window, scale, spans;
};

/// Joins the pieces of spans to what each head finds.
struct JoinParameters {
    uint64_t pieces, rows, found;
    uint32_t heads, head, window, spans;
};

/// Multiplies the first half of each row, activated, with the second half. Grid: x over `inner` numbers, y over rows.
struct GateParameters {
    uint64_t from, to;
    uint32_t inner, from_stride;
};

/// Pages: the keys and values of the first `positions` of one are copied to the other.
struct PageCopy {
    uint32_t from, to, positions;
};

/// Copies pages by a list of `count`. Pages have `page_stride` numbers, keys of a layer `kept`, a head `head`.
struct CopyParameters {
    uint64_t pool, copies;
    uint32_t page_stride, kept, head, count;
};

}  // namespace ogc
