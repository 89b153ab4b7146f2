//! Reads the tokens of a vocabulary in device memory, as `src/vocabulary.rs` writes them.
//!
//! A vocabulary is a block of 32-bit words: a header, a record for each token, and their bytes.

#pragma once

#include "both.cuh"
#include "records/vocabulary.cuh"

namespace ogc {

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
