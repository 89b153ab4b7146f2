//! The tables of a format in device memory, as `src/format.rs` writes them: a test compares sizes, places and constants.
//!
//! A format is a block of words of 32 bits: a header, then tables. It is checked where it is made; here it is trusted.

#pragma once

#include "both.cuh"

namespace ogc {

/// The first words of every format.
constexpr uint32_t MAGIC = 0x6463676fu;
constexpr uint32_t VERSION = 2;

/// The value of a countdown that never runs out.
constexpr uint32_t UNBOUNDED = 0xffffffffu;

/// Bits of a format: the empty text is one of it; every spelling of a character in strings is allowed, not one alone; some state reads
/// tokens by name.
constexpr uint32_t NULLABLE = 1;
constexpr uint32_t ANY_ESCAPES = 2;
constexpr uint32_t READS_MARKERS = 4;

/// Bits of a state: the rule may end here; it is the inside of a string; the string may be closed here; it can do nothing but end; it counts
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

/// Kinds of operations: none; a guard on countdowns; a tick and then the guard; what is asked and done about keys of an object; what only the
/// host does.
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

/// The words of a set of keys: a bit for each of 128. An object with more keys that come in any order is the host's.
constexpr uint32_t SET_WORDS = 4;

/// Where a table lies: its first word, and how many records it has.
struct Table {
    uint32_t first, count;
};

/// What a format begins with.
struct Header {
    uint32_t magic, version, bits;
    Table states, edges, calls, ops, rules, shapes, keys;
    uint32_t root_rule, root_a, root_b;
};

/// A state; `twin` is where a frame goes that has used its last token.
struct State {
    uint32_t bits, first_edge, edge_count, first_call, call_count, close_op, close_to, twin;
};

/// An edge: bytes from `lo` to `hi`; edges of a state are in the order of `lo`.
struct Edge {
    uint32_t lo, hi, op, to;
};

struct Call {
    uint32_t rule, ret, op, a, b;
};

/// An operation, on the keys of a shape or on countdowns. What it takes: the greatest `a` and the least sum of a guard; where the keys that are
/// still possible begin in the table of keys, and how many they are; the key that is taken.
struct Operation {
    uint32_t kind, shape, first, second;
};

/// A rule, with the bytes that its texts can begin with, a bit each, the lowest first.
struct Rule {
    uint32_t start, bits, first_bytes[8];
};

/// The keys of an object, in a format and in its masks: how many are declared, where those that are required begin in the table of keys, ascending,
/// and how many they are.
struct Shape {
    uint32_t bits, key_count, first_required, required_count;
};

/// The keys of an object, with the place of those that are required.
struct ObjectShape {
    /// The number of declared keys.
    uint32_t keys;
    /// The required ones of them, ascending.
    const uint32_t* required;
    uint32_t required_count;
    /// Whether they come in any order, whether others may come, and whether the countdowns count members.
    bool is_any_order, has_extra, is_counted;
};

/// Returns the keys of an object, given the table of keys.
OGC_BOTH inline ObjectShape object_of(const Shape& shape, const uint32_t* keys) {
    return {
        shape.key_count,
        keys + shape.first_required,
        shape.required_count,
        (shape.bits & ANY_ORDER) != 0,
        (shape.bits & HAS_EXTRA) != 0,
        (shape.bits & COUNTS_MEMBERS) != 0,
    };
}

/// A format in the table of formats: where its automaton lies, and where its masks do.
struct FormatEntry {
    uint64_t automaton, masks;
};

/// A format, by the address of its header.
struct Format {
    const uint32_t* words;

    OGC_BOTH const Header& header() const {
        return *reinterpret_cast<const Header*>(words);
    }

    template <class Record>
    OGC_BOTH const Record& at(Table table, uint32_t index) const {
        return reinterpret_cast<const Record*>(words + table.first)[index];
    }

    OGC_BOTH const State& state(uint32_t index) const {
        return at<State>(header().states, index);
    }

    OGC_BOTH const Edge& edge(uint32_t index) const {
        return at<Edge>(header().edges, index);
    }

    OGC_BOTH const Call& call(uint32_t index) const {
        return at<Call>(header().calls, index);
    }

    OGC_BOTH const Operation& op(uint32_t index) const {
        return at<Operation>(header().ops, index);
    }

    OGC_BOTH const Rule& rule(uint32_t index) const {
        return at<Rule>(header().rules, index);
    }

    /// Returns keys from a place on.
    OGC_BOTH const uint32_t* keys(uint32_t first) const {
        return words + header().keys.first + first;
    }

    OGC_BOTH ObjectShape object(uint32_t index) const {
        return object_of(at<Shape>(header().shapes, index), keys(0));
    }
};

}  // namespace ogc
