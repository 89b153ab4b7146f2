//! The state of a step, and the operations on a frame; mirrors `runtime/core/src/step/ops.rs`.

#pragma once

#include "arena.cuh"
#include "format.cuh"
#include "records/outcome.cuh"

namespace ogc {

/// Limits per byte: the number of heads waiting to be stepped, of heads that a step processes, and of edges that are checked for the characters of an
/// escape.
constexpr uint32_t MOST_PENDING = 16;
constexpr uint32_t MOST_LOOKS = 128;
constexpr uint32_t MOST_ESCAPE_LOOKS = 4096;

/// A head to step: by the byte, or by the remaining bytes of a character that an escape spelled, the first lowest.
struct Pending {
    Head head;
    uint32_t text, text_length;
};

/// A step in progress: from heads to the heads after a byte.
struct Step {
    Arena arena;
    Format format;
    HeadList* after;
    Trouble trouble;
    uint32_t looks, pending_count;
    Pending pending[MOST_PENDING];

    OGC_BOTH Team team() const {
        return arena.team;
    }

    /// Counts a unit of work; returns false if the limit is exceeded.
    OGC_BOTH bool look(uint32_t most) {
        if (++looks > most) {
            trouble = Trouble::Looks;
        }
        return trouble == Trouble::None;
    }

    OGC_BOTH void add_pending(const Head& head, uint32_t text, uint32_t text_length) {
        if (pending_count == MOST_PENDING) {
            trouble = Trouble::Heads;
            return;
        }
        pending[pending_count++] = {head, text, text_length};
    }
};

/// Performs an operation on the keys of a frame; returns false if its guard fails, and leaves the frame unusable.
OGC_BOTH inline bool apply_to_keys(Step& step, const Operation& op, Frame& frame) {
    ObjectShape shape = step.format.object(op.shape);
    KeySet seen = step.arena.set(frame.aux);
    switch (op.kind) {
        case OP_KEY_ALIVE:
        case OP_KEY_OR_EXTRA_ALIVE: {
            bool extra = op.kind == OP_KEY_OR_EXTRA_ALIVE;
            return is_key_alive(shape, frame, seen, step.format.keys(op.first), op.second, extra);
        }
        case OP_KEY_TAKE:
            if (shape.is_any_order && step.arena.set_count == MOST_SETS) {
                step.trouble = Trouble::Sets;
                return false;
            }
            if (!take_key(shape, frame, seen, op.first)) {
                return false;
            }
            if (shape.is_any_order) {
                frame.aux = step.arena.add(seen);
            }
            return true;
        case OP_KEY_TAKE_EXTRA:
            return take_extra(shape, frame, seen);
        case OP_KEY_NEXT:
            return key_may_follow(shape, frame, seen);
        default:
            return object_may_close(shape, frame, seen);
    }
}

/// Performs an operation on a frame; returns false if its guard fails, or if there is trouble.
OGC_BOTH inline bool apply(Step& step, uint32_t index, Frame& frame) {
    const Operation& op = step.format.op(index);
    switch (op.kind) {
        case OP_NONE:
            return true;
        case OP_COUNT:
        case OP_TICK:
            return (op.kind == OP_COUNT || tick(frame)) && frame.a <= op.first && saturating_sum(frame.a, frame.b) >= op.second;
        case OP_HOST:
            step.trouble = Trouble::Keys;
            return false;
        default:
            return apply_to_keys(step, op, frame);
    }
}

}  // namespace ogc
