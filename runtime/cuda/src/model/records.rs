//! Parameters of the language model's kernels. Addresses are of device memory. Kernels pass on numbers as rows of `f32`, one row for each row
//! of a pass; they follow one another without a gap.

use crate::record::shared;

shared! {
    header "model";

    /// Positions of a page of keys and values, and of a span, which one block of the attention looks at.
    const PAGE_POSITIONS: u32 = 16;
    const SPAN_POSITIONS: u32 = 256;

    /// The most numbers of a head, and how many heads that share keys are looked for at a time.
    const MOST_HEAD: u32 = 256;
    const HEADS_TOGETHER: u32 = 8;

    /// The table of a row that is not used, and the number of a row that is not wanted.
    const UNUSED: u32 = u32::MAX;

    /// A row of a pass: a token, its position in its text, and which table of pages has the positions of that text. If the table is `UNUSED`,
    /// the row fills a pass up: its states are zeros.
    struct ModelRow { token: u32, position: u32, table: u32 }

    /// Looks up `columns` numbers of each row's token, of `tokens` that there are. Grid x: rows.
    struct EmbedParameters { numbers: u64, factors: u64, rows: u64, states: u64, columns: u32, tokens: u32 }

    /// Normalises rows of `columns` numbers. Row r is made of row `picked[r]`, or of row r if there is no such list. `epsilon` has the bits of
    /// a `float`. Grid x: rows.
    struct NormParameters { from: u64, picked: u64, weights: u64, to: u64, columns: u32, epsilon: u32 }

    /// Multiplies `rows` rows of states with the rows of a matrix, one for each output. A bias is added if there is one, then what stands in
    /// the place of the product if `adds` is not 0. Strides are in numbers.
    struct MatmulParameters {
        numbers: u64,
        factors: u64,
        bias: u64,
        from: u64,
        to: u64,
        columns: u32,
        outputs: u32,
        rows: u32,
        from_stride: u32,
        to_stride: u32,
        adds: u32,
    }

    /// Of the numbers that were made for each row (those of heads that ask, keys, values), rotates heads and keys, and keeps keys and values in the
    /// pages of the row's table. Norms of heads and keys are 0 if there are none. `pool` is where the layer begins in page 0, pages are
    /// `page_stride` numbers apart, a table has `pages` pages; `angles` has sine and cosine of `pairs` pairs for each position.
    struct RopeParameters {
        joined: u64,
        ask_norm: u64,
        key_norm: u64,
        angles: u64,
        rows: u64,
        tables: u64,
        pool: u64,
        asked: u64,
        heads: u32,
        key_heads: u32,
        head: u32,
        pairs: u32,
        page_stride: u32,
        pages: u32,
        neighbours: u32,
        epsilon: u32,
    }

    /// Looks at kept positions, span by span; a position looks at `window` positions, with its own. A piece is the largest score of a head in a
    /// span, the sum of weights, and `head` numbers, the weighted sum of values. `scale` has the bits of a `float`.
    struct AttendParameters {
        asked: u64,
        rows: u64,
        tables: u64,
        pool: u64,
        pieces: u64,
        heads: u32,
        key_heads: u32,
        head: u32,
        page_stride: u32,
        pages: u32,
        window: u32,
        scale: u32,
        spans: u32,
    }

    /// Joins the pieces of spans to what each head finds.
    struct JoinParameters { pieces: u64, rows: u64, found: u64, heads: u32, head: u32, window: u32, spans: u32 }

    /// Multiplies the first half of each row, activated, with the second half. Grid: x over `inner` numbers, y over rows.
    struct SwigluParameters { from: u64, to: u64, inner: u32, from_stride: u32 }

    /// Pages: the keys and values of the first `positions` of one are copied to the other.
    struct PageCopy { from: u32, to: u32, positions: u32 }

    /// Copies pages by a list of `count`. Pages have `page_stride` numbers, keys of a layer `kept`, a head `head`.
    struct CopyParameters { pool: u64, copies: u64, page_stride: u32, kept: u32, head: u32, count: u32 }
}
