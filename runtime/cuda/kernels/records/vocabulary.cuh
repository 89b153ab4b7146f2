//! Generated from runtime/cuda/src/vocabulary.rs by the tests of ogc-cuda, with OGC_BLESS=1; do not edit.

#pragma once

#include <stdint.h>

namespace ogc {

/// The first word of every vocabulary, and the layout version in the second.
constexpr uint32_t VOCABULARY_MAGIC = 0x7663676fu;
constexpr uint32_t VOCABULARY_VERSION = 1;

/// The bit of a vocabulary whose stop tokens only end texts: they are read neither as text nor by name.
constexpr uint32_t OWN_STOPS = 1;

/// Bits of a token: its bytes are text; it ends the text; it has a name, and its marker follows its text.
constexpr uint32_t TOKEN_TEXT = 1;
constexpr uint32_t TOKEN_STOP = 2;
constexpr uint32_t TOKEN_NAMED = 4;

/// The last byte of a marker, which occurs in no name.
constexpr uint32_t MARKER_END = 254;

/// Header of a vocabulary: the first word of the records, their number, and the first word of the bytes.
struct VocabularyHeader {
    uint32_t magic;
    uint32_t version;
    uint32_t bits;
    uint32_t first_token;
    uint32_t token_count;
    uint32_t first_byte_word;
};
static_assert(sizeof(VocabularyHeader) == 24, "as in Rust");

/// A token: bits (`TOKEN_TEXT` etc.), and the offset and length of its text among the bytes.
struct Token {
    uint32_t bits;
    uint32_t at;
    uint32_t length;
};
static_assert(sizeof(Token) == 12, "as in Rust");

}  // namespace ogc
