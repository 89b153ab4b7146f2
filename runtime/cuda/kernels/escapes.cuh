//! Escapes inside JSON strings: how a byte continues one, and whether a character that it can become can be read. It mirrors
//! `runtime/core/src/step/escape.rs`, which explains the bits of the register, and `escape_lives.rs` beside it.

#pragma once

#include "characters.cuh"
#include "ops.cuh"

namespace ogc {

/// The effect of a byte on an escape.
enum class Spelling : uint32_t { Refused, GoesOn, Character };

/// The result of reading a byte of an escape: the register if the escape continues, or the spelled character.
struct EscapeStep {
    Spelling spelling;
    uint32_t value;
};

/// The characters of the two-character escapes, and the bytes that spell them.
constexpr uint32_t SHORT_ESCAPES = 8;

OGC_BOTH inline uint32_t short_byte(uint32_t at) {
    constexpr uint64_t BYTES = 0x2f74726e66625c22ull;  // "\bfnrt/
    return BYTES >> 8 * at & 0xff;
}

OGC_BOTH inline uint32_t short_character(uint32_t at) {
    constexpr uint64_t CHARACTERS = 0x2f090d0a0c085c22ull;
    return CHARACTERS >> 8 * at & 0xff;
}

/// Returns whether the canonical spelling of a character is `\u00xx`.
OGC_BOTH inline bool needs_u(uint32_t value) {
    return value < 0x20 && value != 0x08 && value != 0x09 && value != 0x0a && value != 0x0c && value != 0x0d;
}

/// Returns the value of a hexadecimal digit; 16 if the byte is no digit.
OGC_BOTH inline uint32_t digit_of(uint32_t byte, bool is_any) {
    if (byte >= '0' && byte <= '9') {
        return byte - '0';
    }
    if (byte >= 'a' && byte <= 'f') {
        return byte - 'a' + 10;
    }
    return is_any && byte >= 'A' && byte <= 'F' ? byte - 'A' + 10 : 16;
}

/// Reads a digit after `\u`.
OGC_BOTH inline EscapeStep read_digit(uint32_t esc, uint32_t byte, bool is_any) {
    uint32_t digit = digit_of(byte, is_any);
    if (digit == 16) {
        return {Spelling::Refused, 0};
    }
    uint32_t value = (esc & 0xffff) << 4 | digit;
    uint32_t digits = (esc >> ESCAPE_DIGITS & 7) + 1;
    if (digits < 4) {
        return {Spelling::GoesOn, (esc & ~0x7ffffu) | digits << ESCAPE_DIGITS | value};
    }
    bool is_low = value >= 0xdc00 && value <= 0xdfff;
    if (esc & ESCAPE_HIGH) {
        uint32_t character = 0x10000 + (esc >> ESCAPE_HIGH_BITS << 10) + (value - 0xdc00);
        return {is_low ? Spelling::Character : Spelling::Refused, character};
    }
    if (value >= 0xd800 && value <= 0xdbff) {
        return {Spelling::GoesOn, ESCAPE_HIGH | (value - 0xd800) << ESCAPE_HIGH_BITS};
    }
    return {!is_low && (is_any || needs_u(value)) ? Spelling::Character : Spelling::Refused, value};
}

/// Reads a byte of an escape, including its first backslash.
OGC_BOTH inline EscapeStep read_escape(uint32_t esc, uint32_t byte, bool is_any) {
    if (esc & ESCAPE_IN_U) {
        return read_digit(esc, byte, is_any);
    }
    if (!(esc & ESCAPE_BACKSLASH)) {
        return {byte == '\\' ? Spelling::GoesOn : Spelling::Refused, esc | ESCAPE_BACKSLASH};
    }
    if (byte == 'u') {
        return {Spelling::GoesOn, (esc & ~ESCAPE_BACKSLASH) | ESCAPE_IN_U};
    }
    for (uint32_t at = 0; at < SHORT_ESCAPES; at++) {
        if (byte == short_byte(at) && !(esc & ESCAPE_HIGH) && (is_any || byte != '/')) {
            return {Spelling::Character, short_character(at)};
        }
    }
    return {Spelling::Refused, 0};
}

/// Returns the UTF-8 bytes of a character, the first in the lowest byte, and their number in `length`.
OGC_BOTH inline uint32_t utf8(uint32_t character, uint32_t& length) {
    if (character < 0x80) {
        length = 1;
        return character;
    }
    uint32_t last = 0x80 | (character & 0x3f), third = 0x80 | (character >> 6 & 0x3f), second = 0x80 | (character >> 12 & 0x3f);
    if (character < 0x800) {
        length = 2;
        return (0xc0 | character >> 6) | last << 8;
    }
    if (character < 0x10000) {
        length = 3;
        return (0xe0 | character >> 12) | third << 8 | last << 16;
    }
    length = 4;
    return (0xf0 | character >> 18) | second << 8 | third << 16 | last << 24;
}

/// Maximum number of ranges that an escape can become.
constexpr uint32_t ESCAPE_RANGES = SHORT_ESCAPES + 3;

/// Returns the range of four-digit numbers that begin with the digits so far.
OGC_BOTH inline Range digit_range(uint32_t esc) {
    if (!(esc & ESCAPE_IN_U)) {
        return {0, 0xffff};
    }
    uint32_t left = 4 * (4 - (esc >> ESCAPE_DIGITS & 7));
    uint32_t value = esc & 0xffff;
    return {value << left, ((value + 1) << left) - 1};
}

/// Returns one of the ranges of characters that an escape can become, without surrogates.
OGC_BOTH inline Range escape_range(uint32_t esc, bool is_any, uint32_t at) {
    constexpr Range NONE = {1, 0};
    if (at < SHORT_ESCAPES) {
        bool is_short = !(esc & (ESCAPE_HIGH | ESCAPE_IN_U)) && (is_any || short_byte(at) != '/');
        return is_short ? Range{short_character(at), short_character(at)} : NONE;
    }
    Range digits = digit_range(esc);
    uint32_t part = at - SHORT_ESCAPES;
    if (esc & ESCAPE_HIGH) {
        uint32_t base = 0x10000 + (esc >> ESCAPE_HIGH_BITS << 10);
        Range low = {greatest(digits.lo, 0xdc00), least(digits.hi, 0xdfff)};
        return part == 0 && is_any && low.lo <= low.hi ? Range{base + low.lo - 0xdc00, base + low.hi - 0xdc00} : NONE;
    }
    if (!is_any) {
        // The control characters for which `needs_u` holds.
        Range controls = part == 0 ? Range{0, 0x07} : part == 1 ? Range{0x0b, 0x0b} : Range{0x0e, 0x1f};
        return {greatest(digits.lo, controls.lo), least(digits.hi, controls.hi)};
    }
    if (part < 2) {
        return part == 0 ? Range{digits.lo, least(digits.hi, 0xd7ff)} : Range{greatest(digits.lo, 0xe000), digits.hi};
    }
    // A high surrogate begins pairs for 1,024 characters.
    Range high = {greatest(digits.lo, 0xd800), least(digits.hi, 0xdbff)};
    return high.lo <= high.hi ? Range{0x10000 + ((high.lo - 0xd800) << 10), 0x10000 + ((high.hi - 0xd800) << 10) + 0x3ff} : NONE;
}

/// One byte position in the search for a character: the wanted characters, the bits of the bytes before, the frame, its next edge, and the target
/// frame and the bytes still to try of the last edge.
struct Level {
    Range wanted;
    uint32_t prefix, edge;
    Frame frame, next;
    uint32_t byte, last_byte;
};

/// Maximum length of a character in UTF-8.
constexpr uint32_t MOST_UTF8 = 4;

/// Returns the bytes of an edge that can belong to a wanted character; `rest` more bytes follow.
OGC_BOTH inline Range wanted_bytes(const Level& level, const Edge& edge, uint32_t marker, uint32_t rest) {
    uint32_t before = level.prefix << 6, from = level.wanted.lo >> 6 * rest, to = level.wanted.hi >> 6 * rest;
    uint32_t first = from > before ? from - before : 0;
    uint32_t last = least(to - before, marker == 0x80 ? 0x3f : 0x7f);
    return {greatest(edge.lo, marker + first), least(edge.hi, marker + last)};
}

/// Returns the level after a byte; `rest` more bytes follow it.
OGC_BOTH inline Level behind(const Level& level, uint32_t byte, uint32_t marker, uint32_t rest) {
    uint32_t prefix = (level.prefix << 6) + (byte - marker), shift = 6 * rest;
    Range block = {prefix << shift, (prefix << shift) + (1u << shift) - 1};
    Range wanted = {greatest(level.wanted.lo, block.lo), least(level.wanted.hi, block.hi)};
    return {wanted, prefix, 0, level.next, level.next, 1, 0};
}

/// Returns whether a path of edges from a frame spells a character of a range whose characters all take `length` bytes.
OGC_BOTH inline bool reads(Step& step, const Frame& frame, Range range, uint32_t length) {
    Level levels[MOST_UTF8];
    levels[0] = {range, 0, 0, frame, frame, 1, 0};
    uint32_t depth = 0;
    OGC_ONE_BY_ONE
    while (step.look(MOST_ESCAPE_LOOKS)) {
        Level& level = levels[depth];
        uint32_t marker = depth == 0 ? lead_marker(length) : 0x80, rest = length - 1 - depth;
        const State& state = step.format.state(level.frame.state);
        if (level.byte <= level.last_byte) {
            levels[depth + 1] = behind(level, level.byte++, marker, rest);
            depth++;
        } else if (level.edge < state.edge_count) {
            const Edge& edge = step.format.edge(state.first_edge + level.edge++);
            Range bytes = wanted_bytes(level, edge, marker, rest);
            level.next = level.frame;
            if (bytes.lo > bytes.hi || !apply(step, edge.op, level.next)) {
                continue;
            }
            if (rest == 0) {
                return true;
            }
            level.next.state = edge.to;
            level.byte = bytes.lo;
            level.last_byte = bytes.hi;
        } else if (depth == 0) {
            return false;
        } else {
            depth--;
        }
    }
    return false;
}

/// Returns whether a character that an escape can still become can be read. Sets that operations add on the way are dropped.
OGC_BOTH inline bool escape_lives(Step& step, const Head& head) {
    bool is_any = step.format.header().bits & ANY_ESCAPES;
    uint32_t set_count = step.arena.set_count, looks = step.looks;
    bool lives = false;
    step.looks = 0;
    OGC_ONE_BY_ONE
    for (uint32_t at = 0; at < ESCAPE_RANGES * MOST_UTF8 && !lives && step.trouble == Trouble::None; at++) {
        uint32_t length = at % MOST_UTF8 + 1;
        Range range = of_length(escape_range(head.esc, is_any, at / MOST_UTF8), length);
        lives = range.lo <= range.hi && reads(step, head.top, range, length);
    }
    step.looks = looks;
    step.arena.set_count = set_count;
    return lives;
}

}  // namespace ogc
