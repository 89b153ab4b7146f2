//! Classes of heads, on the device and on the host: the values of a head's registers that a single token can distinguish, and the order of registers
//! in a pack (`runtime/core/src/mask/classes.rs`, `mask/pack/registers.rs`, `step/escape.rs`).

#pragma once

#include "characters.cuh"
#include "masks.cuh"

namespace ogc {

/// Returns whether a state and the one that it is similar to read all these characters to the same state.
OGC_BOTH inline bool agrees_on(const Alike& alike, uint32_t lo, uint32_t hi) {
    for (uint32_t length = 1; length <= 4; length++) {
        Range range = of_length({lo, hi}, length);
        if (range.lo > range.hi) {
            continue;
        }
        uint32_t shift = 6 * (length - 1), marker = lead_marker(length);
        for (uint32_t byte = marker + (range.lo >> shift); byte <= marker + (range.hi >> shift); byte++) {
            if (!(alike.same[byte / 32] >> byte % 32 & 1)) {
                return false;
            }
        }
    }
    return true;
}

/// Returns whether all characters that an escape can become lead a state and the one that it is similar to to the same state.
OGC_BOTH inline bool escape_agrees(const Alike& alike, uint32_t esc) {
    if (esc & ESCAPE_HIGH) {
        uint32_t base = 0x10000 + (esc >> 22 << 10);
        return agrees_on(alike, base, base + 0x3ff);
    }
    if (!(esc & ESCAPE_IN_U)) {
        return agrees_on(alike, 0, 0x10ffff);
    }
    uint32_t left = 4 * (4 - (esc >> 16 & 7));
    uint32_t lo = (esc & 0xffff) << left, hi = (((esc & 0xffff) + 1) << left) - 1;
    // The digits of a high surrogate begin a pair, which spells one of the characters from U+10000 on.
    bool begins_pair = lo <= 0xdbff && hi >= 0xd800;
    return agrees_on(alike, lo, hi) && (!begins_pair || agrees_on(alike, 0x10000, 0x10ffff));
}

/// Returns the representative of all escapes after which a state of free text continues in the same way.
OGC_BOTH inline uint32_t canonical_escape(uint32_t esc) {
    bool is_low = (esc & ESCAPE_HIGH) != 0;
    uint32_t digits = esc >> 16 & 7, value = esc & 0xffff;
    uint32_t left = 4 * (digits < 4 ? digits : 4);
    uint32_t kept = is_low ? esc & (ESCAPE_HIGH | ESCAPE_BACKSLASH | ESCAPE_IN_U | 7u << 16) : esc & ~0xffffu;
    // The first digits of a low surrogate, which must follow a high one; of a high surrogate; of any other character.
    uint32_t first = 0;
    if (digits > 0 && is_low) {
        first = 0xdc00;
    } else if (digits == 1 && value == 0xd) {
        first = 0xd000;
    } else if (digits >= 2 && value >> (left - 8) >= 0xd8 && value >> (left - 8) <= 0xdb) {
        first = 0xd800;
    }
    return kept | first >> (16 - left);
}

/// Returns the representative of equivalent positions among keys; a set is returned unchanged.
OGC_BOTH inline uint32_t class_aux(Masks masks, const MaskState& state, uint32_t aux) {
    if (state.shape == NO_SHAPE) {
        return 0;
    }
    if (!(state.bits & MASK_KEYS_KNOWN)) {
        return aux;
    }
    return canonical_position(masks.shape(state.shape), aux, masks.keys(state.first_key), state.key_count);
}

/// Returns the class of a head.
OGC_BOTH inline Head class_of(Masks masks, Head head) {
    const MaskState* state = &masks.state(head.top.state);
    if (head.esc != 0 && state->alike != NO_ALIKE) {
        const Alike& alike = masks.table<Alike>(masks.header().alike)[state->alike];
        if (escape_agrees(alike, head.esc)) {
            head.top.state = alike.state;
            state = &masks.state(alike.state);
        }
    }
    if (head.esc != 0 && state->bits & MASK_FREE && !(masks.header().bits & MASKS_CANONICAL)) {
        head.esc = canonical_escape(head.esc);
    }
    Frame& frame = head.top;
    frame.aux = class_aux(masks, *state, frame.aux);
    // A token ticks at most once per byte, so that no guard in it distinguishes greater countdowns.
    uint32_t limit = saturating_sum(state->threshold, masks.header().longest);
    frame.a = frame.a < limit ? frame.a : limit;
    frame.b = frame.b < limit ? frame.b : UNBOUNDED;
    if (state->threshold == 0 || state->bits & MASK_BY_WAYS) {
        frame.a = frame.b = 0;
    }
    if (state->bits & MASK_BY_WAYS) {
        frame.aux = 0;
    }
    return head;
}

/// Returns whether the keys of a state's object have a declared order.
OGC_BOTH inline bool is_declared(Masks masks, const MaskState& state) {
    return state.shape != NO_SHAPE && !masks.shape(state.shape).is_any_order;
}

/// Returns the registers of a class in the order of runs: the escape or the exits come first, but for a base the set or position precedes them. `aux`
/// is the register as a pack numbers it; a position in declared order is the register of the range.
OGC_BOTH inline RunKey run_key(Masks masks, uint32_t first, bool is_base, const Head& head, uint32_t aux) {
    const Frame& frame = head.top;
    if (is_declared(masks, masks.state(frame.state))) {
        return {{first, frame.a, frame.b, aux}};
    }
    return {{is_base ? aux : first, is_base ? first : aux, frame.a, frame.b}};
}

}  // namespace ogc
