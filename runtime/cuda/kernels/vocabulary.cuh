//! The tokens of a vocabulary in device memory, as `src/vocabulary.rs` writes them: a test compares sizes, places and constants.
//!
//! A vocabulary is a block of words of 32 bits: a header, a record for each token, and their bytes.

#pragma once

#include "both.cuh"

namespace ogc {

/// The first words of every vocabulary.
constexpr uint32_t VOCABULARY_MAGIC = 0x7663676fu;
constexpr uint32_t VOCABULARY_VERSION = 1;

/// The bit of a vocabulary whose stop tokens are nothing else: they are read neither as text nor by name.
constexpr uint32_t OWN_STOPS = 1;

/// Bits of a token: its bytes are text; it ends the text; it has a name, and its marker lies behind its text.
constexpr uint32_t TOKEN_TEXT = 1;
constexpr uint32_t TOKEN_STOP = 2;
constexpr uint32_t TOKEN_NAMED = 4;

/// The last byte of a marker, which no name has.
constexpr uint32_t MARKER_END = 0xfe;

/// What a vocabulary begins with: the first word of the records, their number, and the first word of the bytes.
struct VocabularyHeader {
    uint32_t magic, version, bits, first_token, token_count, first_byte_word;
};

/// A token: where its text begins among the bytes, and how long it is.
struct Token {
    uint32_t bits, at, length;
};

/// A vocabulary, by the address of its header.
struct Vocabulary {
    const uint32_t* words;

    OGC_BOTH const VocabularyHeader& header() const {
        return *reinterpret_cast<const VocabularyHeader*>(words);
    }

    OGC_BOTH const Token& token(uint32_t index) const {
        return reinterpret_cast<const Token*>(words + header().first_token)[index];
    }

    OGC_BOTH uint32_t byte(uint32_t at) const {
        return reinterpret_cast<const uint8_t*>(words + header().first_byte_word)[at];
    }
};

}  // namespace ogc
