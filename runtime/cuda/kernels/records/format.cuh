//! Generated from runtime/cuda/src/format.rs by the tests of ogc-cuda, with OGC_BLESS=1; do not edit.

#pragma once

#include <stdint.h>

namespace ogc {

/// The first word of every format, and the layout version in the second.
constexpr uint32_t MAGIC = 0x6463676fu;
constexpr uint32_t VERSION = 2;

/// The value of a countdown that never runs out.
constexpr uint32_t UNBOUNDED = 0xffffffffu;

/// Bits of a format: it accepts the empty text; every spelling of a character in strings is allowed, not only one; some state reads
/// special tokens.
constexpr uint32_t NULLABLE = 1;
constexpr uint32_t ANY_ESCAPES = 2;
constexpr uint32_t READS_MARKERS = 4;

/// Bits of a state: the rule may end here; it is the inside of a string; the string may be closed here; it can only end; it counts
/// tokens.
constexpr uint32_t ACCEPTS = 1;
constexpr uint32_t TEXT = 2;
constexpr uint32_t CLOSES = 4;
constexpr uint32_t BARE = 8;
constexpr uint32_t COUNTED = 16;

/// The twin of a state that has none.
constexpr uint32_t NO_TWIN = 0xffffffffu;

/// The bit of a rule that counts the tokens of its texts.
constexpr uint32_t COUNTS_TOKENS = 1;

/// Kinds of operations: none; a guard on countdowns; a tick and then the guard; checks and updates of the keys of an object; operations that
/// only the host performs.
constexpr uint32_t OP_NONE = 0;
constexpr uint32_t OP_COUNT = 1;
constexpr uint32_t OP_TICK = 2;
constexpr uint32_t OP_KEY_ALIVE = 3;
constexpr uint32_t OP_KEY_OR_EXTRA_ALIVE = 4;
constexpr uint32_t OP_KEY_TAKE = 5;
constexpr uint32_t OP_KEY_TAKE_EXTRA = 6;
constexpr uint32_t OP_KEY_NEXT = 7;
constexpr uint32_t OP_OBJECT_CLOSE = 8;
constexpr uint32_t OP_HOST = 9;

/// Bits of an object: its keys come in any order; it has undeclared keys; it counts its members.
constexpr uint32_t ANY_ORDER = 1;
constexpr uint32_t HAS_EXTRA = 2;
constexpr uint32_t COUNTS_MEMBERS = 4;

/// The location of a table: its first word and its number of records.
struct Table {
    uint32_t first;
    uint32_t count;
};
static_assert(sizeof(Table) == 8, "as in Rust");

/// Header of a format.
struct Header {
    uint32_t magic;
    uint32_t version;
    /// `NULLABLE` etc.
    uint32_t bits;
    Table states;
    Table edges;
    Table calls;
    Table ops;
    Table rules;
    Table shapes;
    /// Lists of keys, a word each: required keys of objects, and keys that are still possible.
    Table keys;
    /// The rule and the countdowns of the beginning of a text.
    uint32_t root_rule;
    uint32_t root_a;
    uint32_t root_b;
};
static_assert(sizeof(Header) == 80, "as in Rust");

/// A state: bits (`ACCEPTS` etc.), spans of the tables, how it is closed if it is the inside of a string, and its twin, the next state of a frame
/// that has used its last token.
struct State {
    uint32_t bits;
    uint32_t first_edge;
    uint32_t edge_count;
    uint32_t first_call;
    uint32_t call_count;
    uint32_t close_op;
    uint32_t close_to;
    uint32_t twin;
};
static_assert(sizeof(State) == 32, "as in Rust");

/// An edge on the bytes from `lo` to `hi`; edges of a state are sorted by `lo`.
struct Edge {
    uint32_t lo;
    uint32_t hi;
    uint32_t op;
    uint32_t to;
};
static_assert(sizeof(Edge) == 16, "as in Rust");

/// A call with the countdowns of the callee.
struct Call {
    uint32_t rule;
    uint32_t ret;
    uint32_t op;
    uint32_t a;
    uint32_t b;
};
static_assert(sizeof(Call) == 20, "as in Rust");

/// An operation (`OP_NONE` etc.) on the keys of a shape or on countdowns. Its operands are the maximum `a` and the minimum sum of a guard;
/// the offset in the table of keys and the number of the keys still possible; or the key that is taken.
struct Operation {
    uint32_t kind;
    uint32_t shape;
    uint32_t first;
    uint32_t second;
};
static_assert(sizeof(Operation) == 16, "as in Rust");

/// A rule: bits (`COUNTS_TOKENS`), and the set of first bytes of its texts, one bit each, the lowest first.
struct Rule {
    uint32_t start;
    uint32_t bits;
    uint32_t first_bytes[8];
};
static_assert(sizeof(Rule) == 40, "as in Rust");

/// The keys of an object, in a format and in its masks: bits (`ANY_ORDER` etc.), the number of declared keys, and the offset in the table of
/// keys and the number of the required keys, which are ascending.
struct Shape {
    uint32_t bits;
    uint32_t key_count;
    uint32_t first_required;
    uint32_t required_count;
};
static_assert(sizeof(Shape) == 16, "as in Rust");

/// A format in the table of formats: the addresses of its automaton and of its masks.
struct FormatEntry {
    uint64_t automaton;
    uint64_t masks;
};
static_assert(sizeof(FormatEntry) == 16, "as in Rust");

}  // namespace ogc
