//! Ranges of characters, their lengths in UTF-8, and the bits of the escape register (`runtime/core/src/step/escape.rs`).

#pragma once

#include "both.cuh"

namespace ogc {

/// Bits of the current escape: digits follow `\u`; a backslash was read; a high surrogate was read. Then the positions of the number of digits and of
/// the bits of the high surrogate.
constexpr uint32_t ESCAPE_IN_U = 1u << 19;
constexpr uint32_t ESCAPE_BACKSLASH = 1u << 20;
constexpr uint32_t ESCAPE_HIGH = 1u << 21;
constexpr uint32_t ESCAPE_DIGITS = 16;
constexpr uint32_t ESCAPE_HIGH_BITS = 22;

/// A range of characters; empty if `lo` is above `hi`.
struct Range {
    uint32_t lo, hi;
};

OGC_BOTH inline uint32_t least(uint32_t one, uint32_t other) {
    return one < other ? one : other;
}

OGC_BOTH inline uint32_t greatest(uint32_t one, uint32_t other) {
    return one > other ? one : other;
}

/// Returns the characters of a range that take `length` bytes.
OGC_BOTH inline Range of_length(Range range, uint32_t length) {
    uint32_t lo = length == 1 ? 0 : length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
    uint32_t hi = length == 1 ? 0x7f : length == 2 ? 0x7ff : length == 3 ? 0xffff : 0x10ffff;
    return {greatest(range.lo, lo), least(range.hi, hi)};
}

/// Returns the marker bits of the first byte of a character of `length` bytes.
OGC_BOTH inline uint32_t lead_marker(uint32_t length) {
    return length == 1 ? 0 : length == 2 ? 0xc0 : length == 3 ? 0xe0 : 0xf0;
}

}  // namespace ogc
