//! Ways through frames, on the device and on the host: whether a frame's registers allow the entries that a mask has by ways
//! (`runtime/core/src/mask/ways.rs`).
//!
//! A way is a list of steps from its beginning, so that no tree is walked, and each lane can run another way. An escape that needs one of several
//! characters is a chain of guards, where a failing one leads to the next; none of them changes a register.

#pragma once

#include "masks.cuh"

namespace ogc {

/// Runs a step on a frame's registers; returns false if it fails. All kinds share a few checks, each written once because they are inlined.
OGC_BOTH inline bool run_step(Masks masks, const MaskStep& step, Frame& frame, KeySet& seen) {
    if (step.kind <= STEP_TICK) {
        return (step.kind == STEP_COUNT || tick(frame)) && frame.a <= step.first &&
               saturating_sum(frame.a, frame.b) >= step.second;
    }
    ObjectShape shape = masks.shape(step.shape);
    if (step.kind == STEP_CLOSE) {
        return object_may_close(shape, frame, seen);
    }
    Frame next = frame;
    if (step.kind == STEP_TAKE_EXTRA || step.kind == STEP_NEXT || step.kind == STEP_ALIVE_EXTRA) {
        if (take_extra(shape, next, seen)) {
            frame = step.kind == STEP_TAKE_EXTRA ? next : frame;
            return true;
        }
        if (step.kind == STEP_TAKE_EXTRA) {
            return false;
        }
    }
    if (step.kind == STEP_NEXT) {
        return any_key_may_come(shape, frame, seen);
    }
    // One of several keys, or the key that is completed.
    uint32_t count = step.kind == STEP_TAKE ? 1 : step.second;
    for (uint32_t at = 0; at < count; at++) {
        uint32_t key = step.kind == STEP_TAKE ? step.first : masks.keys(step.first)[at];
        next = frame;
        if (count_key(shape, next, seen, key)) {
            if (step.kind == STEP_TAKE) {
                frame = next;
                note_key(shape, frame, seen, key);
            }
            return true;
        }
    }
    return false;
}

/// Runs the steps of a way on a frame's registers; returns whether it is allowed, and reports if the host must decide.
OGC_BOTH inline bool run_way(Masks masks, uint32_t first_step, Frame frame, KeySet seen, bool& is_host) {
    const MaskStep* steps = masks.table<MaskStep>(masks.header().steps);
    uint32_t at = first_step;
    while (at < WAY_ALLOWED) {
        const MaskStep& step = steps[at];
        if (step.kind == STEP_HOST) {
            is_host = true;
            return false;
        }
        at = run_step(masks, step, frame, seen) ? step.if_holds : step.if_fails;
    }
    return at == WAY_ALLOWED;
}

}  // namespace ogc
