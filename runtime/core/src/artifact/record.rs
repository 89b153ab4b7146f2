//! Fixed-size records of the format's sections. Little-endian; unused fields are zero.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use crate::container::record;

record!(
    /// The properties of the format as a whole: its root, its flags.
    FormatRecord {
        root: [u32; 3],
        nullable: u32,
        canonical_escapes: u32,
        /// 1 if each text is one JSON value.
        is_value: u32,
        /// The token policy: 0 if the format has none, or [`CANONICAL_TOKENS`] or [`ANY_TOKENS`].
        token_policy: u32,
        reserved: u32,
    }
);

/// The format wants canonical tokens.
pub(crate) const CANONICAL_TOKENS: u32 = 1;
/// The format accepts any tokens with the same bytes.
pub(crate) const ANY_TOKENS: u32 = 2;

record!(
    /// A rule; its states are contiguous, after the states of the rule before.
    RuleRecord {
        name: [u32; 2],
        origin: u32,
        start: u32,
        states: [u32; 2],
        /// The object's number plus one, 0 for none.
        object: u32,
        /// The flags [`COUNTS_TOKENS`] and [`DISTINCT_ITEMS`]; from bit [`FEW`] on a number: the `few_keys` of a rule with an object, else
        /// the `item_choices` (see `Rule`).
        flags: u32,
    }
);

/// The rule counts tokens.
pub(crate) const COUNTS_TOKENS: u32 = 1;
/// The rule is an array whose items must differ, or an object whose undeclared keys must differ.
pub(crate) const DISTINCT_ITEMS: u32 = 2;
/// The lowest bit of `few_keys` or `item_choices` in the flags.
pub(crate) const FEW: u32 = 2;

record!(
    /// A state; its edges and calls are contiguous, after those of the state before.
    StateRecord {
        rule: u32,
        /// The flags [`ACCEPT`], [`TEXT`] and [`CLOSE`].
        flags: u32,
        edges: u32,
        calls: u32,
        close: [u32; 2],
        origin: u32,
        min_bytes: u32,
    }
);

/// The rule may return here.
pub(crate) const ACCEPT: u32 = 1;
/// The state is inside a JSON string.
pub(crate) const TEXT: u32 = 2;
/// A raw quote closes the string here.
pub(crate) const CLOSE: u32 = 4;

record!(
    /// An edge, which reads the bytes from `lo` to `lo + more`. Storing `more` keeps numbers small, as most edges read
    /// one byte.
    EdgeRecord {
        op: u32,
        to: u32,
        lo: u8,
        more: u8,
        reserved: [u8; 2],
    }
);

record!(CallRecord { rule: u32, ret: u32, op: u32, a: u32, b: u32 });

record!(
    /// An operation: the number of its kind in the order of `Op`, its arguments, and a range of the lists.
    OpRecord {
        kind: u32,
        values: [u32; 3],
        list: [u32; 2],
    }
);

record!(
    /// The name of a token that the format asks for: a range of the text.
    NameRecord { name: [u32; 2], }
);

record!(
    /// A part of texts: its kind, [`CAPTURE`], [`CALL`] or [`VALUE`]; and its name, a range of the text, which is empty
    /// for values.
    PartRecord {
        kind: u32,
        name: [u32; 2],
    }
);

/// The part is a capture.
pub(crate) const CAPTURE: u32 = 0;
/// The part is a call of a tool.
pub(crate) const CALL: u32 = 1;
/// The part is a JSON value.
pub(crate) const VALUE: u32 = 2;

record!(
    /// A state of a token-counted rule, and its spent twin.
    TwinRecord { state: u32, twin: u32, }
);

record!(ObjectRecord { keys: u32, any_order: u32, extra: u32, counted: u32, required: [u32; 2], conditions: [u32; 2] });

record!(
    /// A source's name: a range of the text.
    SourceRecord { name: [u32; 2], }
);

record!(PlaceRecord { handle: u32, source: u32, start: u32, end: u32 });

record!(
    /// One line of provenance: two ranges of the text.
    ProvenanceRecord {
        key: [u32; 2],
        value: [u32; 2],
    }
);
