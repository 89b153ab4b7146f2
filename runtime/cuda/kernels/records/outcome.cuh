//! Generated from runtime/cuda/src/outcome.rs by the tests of ogc-cuda, with OGC_BLESS=1; do not edit.

#pragma once

#include <stdint.h>

namespace ogc {

/// Outcomes of a token: it was none, or the slot is free; it was accepted; it ended the text; it was refused; the host must continue from the
/// state before it, for the `Trouble` above the lowest bits, or because it did so before.
constexpr uint32_t OUTCOME_NONE = 0;
constexpr uint32_t OUTCOME_ACCEPTED = 1;
constexpr uint32_t OUTCOME_ENDED = 2;
constexpr uint32_t OUTCOME_REFUSED = 3;
constexpr uint32_t OUTCOME_HOST = 4;
constexpr uint32_t OUTCOME_BITS = 8;

/// The reason why a step cannot continue: too many heads, no room for a node or for a set, too much work, or too many keys in any order.
enum class Trouble : uint32_t { None = 0, Heads = 1, Nodes = 2, Sets = 3, Looks = 4, Keys = 5 };

}  // namespace ogc
