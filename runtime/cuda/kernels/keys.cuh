//! The keys of objects, on the device and on the host: the operations of `runtime/core/src/step/keys.rs` on the registers of one frame.
//!
//! Declared order: the frame's `aux` is the first declared key that may still come. Any order: the keys seen so far are a set, which is separate from
//! the frame here; callers that store sets elsewhere load it from there, and store it again after a key was taken. Such objects have at most
//! `MOST_KEYS` keys.
//!
//! Each guard checks that the required keys are still possible and that there is room for them. Where the host tries all keys, a comment here argues
//! that some of them suffice.

#pragma once

#include "format.cuh"
#include "slot.cuh"
#include "team.cuh"

namespace ogc {

OGC_BOTH inline uint32_t saturating_sum(uint32_t one, uint32_t other) {
    return one > UNBOUNDED - other ? UNBOUNDED : one + other;
}

/// Returns whether a set contains a key. It reads all words, so that the set can stay in registers.
OGC_BOTH inline bool contains(const KeySet& seen, uint32_t key) {
    uint32_t word = 0;
    for (uint32_t at = 0; at < SET_WORDS; at++) {
        word = at == key / 32 ? seen.words[at] : word;
    }
    return word >> key % 32 & 1;
}

OGC_BOTH inline void insert(KeySet& seen, uint32_t key) {
    for (uint32_t at = 0; at < SET_WORDS; at++) {
        seen.words[at] |= at == key / 32 ? 1u << key % 32 : 0;
    }
}

OGC_BOTH inline uint32_t count_keys(const KeySet& seen) {
    uint32_t sum = 0;
    for (uint32_t at = 0; at < SET_WORDS; at++) {
        sum += count_bits(seen.words[at]);
    }
    return sum;
}

/// Decrements a frame's countdowns; returns false if nothing is left.
OGC_BOTH inline bool tick(Frame& frame) {
    if (frame.a > 0) {
        frame.a--;
    } else if (frame.b == 0) {
        return false;
    } else if (frame.b != UNBOUNDED) {
        frame.b--;
    }
    return true;
}

/// Returns the number of keys of an ascending list that are less than a key.
OGC_BOTH inline uint32_t keys_before(const uint32_t* keys, uint32_t count, uint32_t key) {
    uint32_t first = 0;
    while (count > 0) {
        uint32_t half = count / 2;
        if (keys[first + half] < key) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

/// Returns the first required key at or after a position, in declared order; the number of keys if there is none.
OGC_BOTH inline uint32_t next_required(const ObjectShape& shape, uint32_t position) {
    uint32_t past = keys_before(shape.required, shape.required_count, position);
    return past < shape.required_count ? shape.required[past] : shape.keys;
}

/// Returns the number of required keys that a set lacks.
OGC_BOTH inline uint32_t missing_required(const ObjectShape& shape, const KeySet& seen) {
    uint32_t missing = 0;
    for (uint32_t at = 0; at < shape.required_count; at++) {
        missing += contains(seen, shape.required[at]) ? 0 : 1;
    }
    return missing;
}

/// Returns whether an object that counts its members has room for the missing required keys, and enough keys left for its minimum.
OGC_BOTH inline bool has_room(
    const ObjectShape& shape, const Frame& frame, uint32_t required_left, uint32_t declared_left
) {
    return saturating_sum(frame.a, frame.b) >= required_left && (shape.has_extra || frame.a <= declared_left);
}

/// Returns whether a key that the order permits leaves room for others, given the frame after the key was counted.
OGC_BOTH inline bool has_room_after(const ObjectShape& shape, const Frame& next, const KeySet& seen, uint32_t key) {
    uint32_t required_left, declared_left;
    if (shape.is_any_order) {
        uint32_t at = keys_before(shape.required, shape.required_count, key);
        bool is_required = at < shape.required_count && shape.required[at] == key;
        uint32_t missing = missing_required(shape, seen);
        uint32_t come = count_keys(seen) + 1;
        required_left = is_required && missing > 0 ? missing - 1 : missing;
        declared_left = shape.keys > come ? shape.keys - come : 0;
    } else {
        required_left = shape.required_count - keys_before(shape.required, shape.required_count, key + 1);
        declared_left = shape.keys - key - 1;
    }
    return has_room(shape, next, required_left, declared_left);
}

/// Counts a declared key in a frame; returns false if it may not come now, and leaves the frame unusable.
OGC_BOTH inline bool count_key(const ObjectShape& shape, Frame& frame, const KeySet& seen, uint32_t key) {
    if (shape.is_counted && !tick(frame)) {
        return false;
    }
    bool may_come = shape.is_any_order ? !contains(seen, key) : frame.aux <= key && key <= next_required(shape, frame.aux);
    return may_come && (!shape.is_counted || has_room_after(shape, frame, seen, key));
}

/// Returns whether a declared key may come now.
OGC_BOTH inline bool may_come(const ObjectShape& shape, const Frame& frame, const KeySet& seen, uint32_t key) {
    Frame next = frame;
    return count_key(shape, next, seen, key);
}

/// Records that a declared key was seen.
OGC_BOTH inline void note_key(const ObjectShape& shape, Frame& frame, KeySet& seen, uint32_t key) {
    if (shape.is_any_order) {
        insert(seen, key);
    } else {
        frame.aux = key + 1;
    }
}

/// Completes a declared key; returns false if it may not come now.
OGC_BOTH inline bool take_key(const ObjectShape& shape, Frame& frame, KeySet& seen, uint32_t key) {
    Frame next = frame;
    if (!count_key(shape, next, seen, key)) {
        return false;
    }
    frame = next;
    note_key(shape, frame, seen, key);
    return true;
}

/// Completes an undeclared key; returns false if none may come now, and leaves the frame unusable.
OGC_BOTH inline bool take_extra(const ObjectShape& shape, Frame& frame, const KeySet& seen) {
    if (!shape.has_extra || (shape.is_counted && !tick(frame))) {
        return false;
    }
    if (shape.is_any_order) {
        return !shape.is_counted || has_room(shape, frame, missing_required(shape, seen), UNBOUNDED);
    }
    bool is_none_required = next_required(shape, frame.aux) == shape.keys;
    frame.aux = shape.keys;
    return is_none_required;
}

/// Returns whether an undeclared key may come now.
OGC_BOTH inline bool extra_may_come(const ObjectShape& shape, const Frame& frame, const KeySet& seen) {
    Frame next = frame;
    return take_extra(shape, next, seen);
}

/// Returns whether one of several declared keys may come now, or, with `extra`, an undeclared one.
OGC_BOTH inline bool is_key_alive(
    const ObjectShape& shape, const Frame& frame, const KeySet& seen, const uint32_t* keys, uint32_t count, bool extra
) {
    if (extra && extra_may_come(shape, frame, seen)) {
        return true;
    }
    uint32_t past = shape.is_any_order ? 0 : keys_before(keys, count, frame.aux);
    for (uint32_t at = past; at < count; at++) {
        if (may_come(shape, frame, seen, keys[at])) {
            return true;
        }
    }
    return false;
}

/// Returns whether a declared key may come now. It suffices to try a few keys. In declared order, the first permitted key leaves the most keys, and
/// only the last permitted one can be required; in any order, a required key leaves fewer required keys than others.
OGC_BOTH inline bool any_key_may_come(const ObjectShape& shape, const Frame& frame, const KeySet& seen) {
    uint32_t come = shape.is_any_order ? count_keys(seen) : frame.aux;
    Frame next = frame;
    if (come >= shape.keys || (shape.is_counted && !tick(next))) {
        return false;
    }
    if (!shape.is_counted) {
        return true;
    }
    if (shape.is_any_order) {
        uint32_t missing = missing_required(shape, seen);
        return has_room(shape, next, missing > 0 ? missing - 1 : 0, shape.keys - come - 1);
    }
    // The last permitted key is the first of the missing required keys, if there is one.
    uint32_t past = keys_before(shape.required, shape.required_count, come);
    uint32_t left = shape.required_count - past, last = left > 0 ? shape.required[past] : come;
    return has_room(shape, next, last == come && left > 0 ? left - 1 : left, shape.keys - come - 1) ||
           (left > 0 && has_room(shape, next, left - 1, shape.keys - last - 1));
}

/// Returns whether some key may come now.
OGC_BOTH inline bool key_may_follow(const ObjectShape& shape, const Frame& frame, const KeySet& seen) {
    return extra_may_come(shape, frame, seen) || any_key_may_come(shape, frame, seen);
}

/// Returns whether the object may end now.
OGC_BOTH inline bool object_may_close(const ObjectShape& shape, const Frame& frame, const KeySet& seen) {
    bool is_complete = shape.is_any_order ? missing_required(shape, seen) == 0
                                          : next_required(shape, frame.aux) == shape.keys;
    return is_complete && (!shape.is_counted || frame.a == 0);
}

/// Returns the representative of all positions, in declared order, that permit the same subset of some ascending keys, and an undeclared key if this
/// one does.
OGC_BOTH inline uint32_t canonical_position(
    const ObjectShape& shape, uint32_t position, const uint32_t* keys, uint32_t count
) {
    uint32_t last = next_required(shape, position);
    uint32_t next = keys_before(keys, count, position);
    if (next < count && keys[next] <= last) {
        return keys[next];
    }
    return last == shape.keys ? shape.keys : position;
}

}  // namespace ogc
