//! Parameters of the language model's kernels. Addresses are of device memory. Kernels pass on numbers as rows of `f32`, one row for each row
//! of a pass; they follow one another without a gap.

use crate::record::shared;

shared! {
    header "model";

    /// Positions of a page of the KV cache, and of a span, which one block of the attention kernel reads.
    const PAGE_POSITIONS: u32 = 16;
    const SPAN_POSITIONS: u32 = 256;

    /// Maximum size of a head, and the number of heads sharing keys that are processed together.
    const MOST_HEAD: u32 = 256;
    const HEADS_TOGETHER: u32 = 8;

    /// The table of an unused row, and the number of an unwanted row.
    const UNUSED: u32 = u32::MAX;

    /// A row of a pass: a token, its position in its text, and the page table of that text. If the table is `UNUSED`, the row is padding, with
    /// states of zeros.
    struct ModelRow { token: u32, position: u32, table: u32 }

    /// Looks up the embedding, of `columns` numbers, of each row's token among `tokens`. Grid x: rows.
    struct EmbedParameters { numbers: u64, factors: u64, rows: u64, states: u64, columns: u32, tokens: u32 }

    /// Normalises rows of `columns` numbers. Output row r comes from row `picked[r]`, or from row r without that list. `epsilon` has the bits of
    /// a `float`. Grid x: rows.
    struct NormParameters { from: u64, picked: u64, weights: u64, to: u64, columns: u32, epsilon: u32 }

    /// Multiplies `rows` rows of states with the rows of a matrix, one for each output. Adds the bias if there is one, then the old value of
    /// the output if `adds` is not 0. Strides are in numbers.
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

    /// Applies RoPE to the queries and keys of each row (`joined` holds queries, keys and values), and stores keys and values in the pages of the
    /// row's table. The norms of queries and keys are 0 if there are none. `pool` is the beginning of the layer in page 0, pages are
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

    /// Attends to cached positions, span by span; a position attends to `window` positions, including its own. A piece holds, for a head and a
    /// span, the largest score, the sum of weights, and the weighted sum of values, `head` numbers. `scale` has the bits of a `float`.
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

    /// Combines the pieces of all spans into the attention output of each head.
    struct JoinParameters { pieces: u64, rows: u64, found: u64, heads: u32, head: u32, window: u32, spans: u32 }

    /// SwiGLU: multiplies the activated first half of each row with the second half. Grid: x over `inner` numbers, y over rows.
    struct SwigluParameters { from: u64, to: u64, inner: u32, from_stride: u32 }

    /// A copy between pages: keys and values of the first `positions` positions.
    struct PageCopy { from: u32, to: u32, positions: u32 }

    /// Performs `count` page copies. A page has `page_stride` numbers, the keys of a layer `kept`, a head `head`.
    struct CopyParameters { pool: u64, copies: u64, page_stride: u32, kept: u32, head: u32, count: u32 }
}
