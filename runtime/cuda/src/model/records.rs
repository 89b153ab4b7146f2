//! What the kernels of the language model are given; `kernels/model.cuh` mirrors it, and a test compares the two. Addresses are of device
//! memory.

use crate::record::{constant_assertion, record};

/// Positions of a page of keys and values.
pub(crate) const PAGE_POSITIONS: u32 = 16;

/// Positions that one block of the attention looks at.
pub(crate) const SPAN_POSITIONS: u32 = 256;

/// The most numbers of a head.
pub(crate) const MOST_HEAD: u32 = 256;

/// How many heads that share keys are looked for at a time.
pub(crate) const HEADS_TOGETHER: u32 = 8;

/// The table of a row that is not used, and the number of a row that is not wanted.
pub(crate) const UNUSED: u32 = u32::MAX;

record!(
    /// A row of a pass: a token, its position in its text, and the table of pages with the positions of that text.
    ModelRow { token: u32, position: u32, table: u32 }
);

record!(
    /// Looks up the numbers of each row's token.
    EmbedParameters { numbers: u64, factors: u64, rows: u64, states: u64, columns: u32, tokens: u32 }
);

record!(
    /// Normalises rows; row r is made of row `picked[r]` if there is such a list. `epsilon` has the bits of a number.
    NormParameters { from: u64, picked: u64, weights: u64, to: u64, columns: u32, epsilon: u32 }
);

record!(
    /// Multiplies rows with a matrix; strides are in numbers. The products are added to what is there if `adds` is not 0.
    ProductParameters {
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
);

record!(
    /// Rotates heads and keys, and keeps keys and values. `pool` is where the layer begins in page 0.
    TurnParameters {
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
);

record!(
    /// Looks at kept positions, span by span. `scale` has the bits of a number.
    AttendParameters {
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
);

record!(
    /// Joins what was found in spans.
    JoinParameters { pieces: u64, rows: u64, found: u64, heads: u32, head: u32, window: u32, spans: u32 }
);

record!(
    /// Multiplies the first half of each row, activated, with the second.
    GateParameters { from: u64, to: u64, inner: u32, from_stride: u32 }
);

record!(
    /// Pages: the keys and values of the first positions of one are copied to the other.
    PageCopy { from: u32, to: u32, positions: u32 }
);

record!(
    /// Copies pages by a list.
    CopyParameters { pool: u64, copies: u64, page_stride: u32, kept: u32, head: u32, count: u32 }
);

/// Returns assertions of C++ that hold if `model.cuh` has these layouts and constants.
pub(crate) fn assertions() -> String {
    let constants = [
        ("PAGE_POSITIONS", PAGE_POSITIONS),
        ("SPAN_POSITIONS", SPAN_POSITIONS),
        ("MOST_HEAD", MOST_HEAD),
        ("HEADS_TOGETHER", HEADS_TOGETHER),
        ("UNUSED", UNUSED),
    ];
    let records = [
        ModelRow::assertions(),
        EmbedParameters::assertions(),
        NormParameters::assertions(),
        ProductParameters::assertions(),
        TurnParameters::assertions(),
        AttendParameters::assertions(),
        JoinParameters::assertions(),
        GateParameters::assertions(),
        PageCopy::assertions(),
        CopyParameters::assertions(),
    ];
    records.concat() + &constants.map(|(name, value)| constant_assertion(name, value)).concat()
}
