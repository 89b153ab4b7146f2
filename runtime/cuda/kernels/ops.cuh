//! A step under way, and what operations do to a frame: it mirrors `runtime/core/src/step/ops.rs`.

#pragma once

#include "arena.cuh"
#include "format.cuh"
#include "records/outcome.cuh"

namespace ogc {

/// How many heads wait to be stepped by a byte, at how many a step looks, and at how many edges for what an escape can become.
constexpr uint32_t MOST_PENDING = 16;
constexpr uint32_t MOST_LOOKS = 128;
constexpr uint32_t MOST_ESCAPE_LOOKS = 4096;

/// A head that is still to be stepped: by the byte, or by the bytes of a character that an escape spelled, the first lowest.
struct Pending {
    Head head;
    uint32_t text, text_length;
};

/// A step under way: from some heads to those after a byte.
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

    /// Counts a look; false if there were too many.
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

/// Does an operation on the keys of a frame; false if its guard fails, and then the frame is of no use.
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

/// Does an operation on a frame; false if its guard fails, or if there is trouble.
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
