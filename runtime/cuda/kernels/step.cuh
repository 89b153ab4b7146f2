//! Steps a format by a byte, on the device and on the host: the automaton of `runtime/core/src/step.rs`, within fixed bounds.
//!
//! A step goes from the heads of a sequence to the heads after the byte. If there is no room for a frame or a set, or too much work, its result is
//! void, and nothing was decided.
//!
//! Equal heads are kept once, and heads that another includes are dropped; further merges of the host are not made here, which changes no verdict.

#pragma once

#include "escapes.cuh"

namespace ogc {

/// Returns the maximum number of ticks that a frame has left.
OGC_BOTH inline uint64_t most_ticks(const Frame& frame) {
    return frame.b == UNBOUNDED ? ~0ull : static_cast<uint64_t>(frame.a) + frame.b;
}

/// Returns whether every text that ends one head also ends the other, judging by their top frames; see `runtime/core/src/step/merge.rs`.
OGC_BOTH inline bool includes(const Step& step, const Frame& wide, const Frame& narrow) {
    if (wide.state != RETURNED && step.format.state(wide.state).bits & COUNTED) {
        return wide.a == narrow.a && wide.b == narrow.b && wide.aux >= narrow.aux;
    }
    return wide.a <= narrow.a && most_ticks(wide) >= most_ticks(narrow) && step.arena.is_same_aux(wide.aux, narrow.aux);
}

/// Adds a head to those after the byte, unless another head includes it.
OGC_BOTH inline void keep(Step& step, const Head& head) {
    HeadList& after = *step.after;
    OGC_ONE_BY_ONE
    for (uint32_t at = 0; at < after.count; at++) {
        const Head& other = after.heads[at];
        if (other.top.state != head.top.state || other.esc != head.esc) {
            continue;
        }
        bool is_included = includes(step, other.top, head.top);
        if (!is_included && !includes(step, head.top, other.top)) {
            continue;
        }
        if (step.arena.is_same_stack(other.parent, head.parent)) {
            if (!is_included) {
                after.heads[at] = head;
            }
            return;
        }
    }
    if (after.count == MOST_HEADS) {
        step.trouble = Trouble::Heads;
        return;
    }
    after.heads[after.count++] = head;
}

/// Returns from a head's frame to the frame below, or to `RETURNED` from the lowest.
OGC_BOTH inline Head given_back(const Arena& arena, const Head& head) {
    if (head.parent == BOTTOM) {
        return {{RETURNED, 0, 0, 0}, 0, BOTTOM};
    }
    const Node& node = arena.node(head.parent);
    return {node.frame, 0, node.parent};
}

/// Moves a head to a state within its frame, and keeps it; if the state can only return, the head returns at once.
OGC_BOTH inline void arrive(Step& step, const Head& head) {
    bool is_bare = step.format.state(head.top.state).bits & BARE;
    keep(step, is_bare ? given_back(step.arena, head) : head);
}

/// Returns the frame at the beginning of a rule; a token limit beyond the range of a register counts as no limit.
OGC_BOTH inline Frame entered(const Rule& rule, uint32_t a, uint32_t b) {
    if (rule.bits & COUNTS_TOKENS) {
        return {rule.start, 0, b, least(a, SET_BASE - 1)};
    }
    return {rule.start, a, b, 0};
}

/// Enters a rule from a head whose frame is the caller's frame after the operation of the call.
OGC_BOTH inline void enter(Step& step, const Call& call, const Head& caller) {
    uint32_t parent = caller.parent;
    if (!(step.format.state(call.ret).bits & BARE)) {
        if (step.arena.node_count == MOST_NODES) {
            step.trouble = Trouble::Nodes;
            return;
        }
        parent = step.arena.push({call.ret, caller.top.a, caller.top.b, caller.top.aux}, parent);
    }
    step.add_pending({entered(step.format.rule(call.rule), call.a, call.b), 0, parent}, 0, 0);
}

/// The ways in which a byte can move a head: closing its string, some edges, some calls.
struct Ways {
    uint32_t closes, edges, calls;

    OGC_BOTH uint32_t count() const {
        return closes + edges + calls;
    }
};

/// Returns whether the byte permits one of the ways, apart from guards.
OGC_BOTH inline bool is_open(Format format, const State& state, const Ways& ways, uint32_t at, uint32_t byte) {
    if (at < ways.closes) {
        return true;
    }
    at -= ways.closes;
    if (at < ways.edges) {
        const Edge& edge = format.edge(state.first_edge + at);
        return edge.lo <= byte && byte <= edge.hi;
    }
    const Rule& rule = format.rule(format.call(state.first_call + at - ways.edges).rule);
    return rule.first_bytes[byte / 32] >> byte % 32 & 1;
}

/// Takes one of the ways of a head.
OGC_BOTH inline void go(Step& step, const Pending& item, const State& state, const Ways& ways, uint32_t at) {
    Format format = step.format;
    uint32_t edge = state.first_edge + at - ways.closes;
    uint32_t call = state.first_call + at - ways.closes - ways.edges;
    bool is_close = at < ways.closes, is_call = at >= ways.closes + ways.edges;
    Head head = item.head;
    head.esc = 0;
    if (!apply(step, is_close ? state.close_op : is_call ? format.call(call).op : format.edge(edge).op, head.top)) {
        return;
    }
    if (is_call) {
        enter(step, format.call(call), head);
        return;
    }
    head.top.state = is_close ? state.close_to : format.edge(edge).to;
    if (item.text_length > 1) {
        step.add_pending(head, item.text >> 8, item.text_length - 1);
    } else {
        arrive(step, head);
    }
}

/// Steps a head by a byte of an escape.
OGC_BOTH inline void step_escape(Step& step, const Head& head, uint32_t byte) {
    EscapeStep read = read_escape(head.esc, byte, step.format.header().bits & ANY_ESCAPES);
    Head next = head;
    if (read.spelling == Spelling::GoesOn) {
        next.esc = read.value;
        if (escape_lives(step, next)) {
            keep(step, next);
        }
    } else if (read.spelling == Spelling::Character) {
        next.esc = 0;
        uint32_t length = 0, text = utf8(read.value, length);
        step.add_pending(next, text, length);
    }
}

/// Steps a head by the byte, or by the next byte of a character that an escape spelled.
OGC_BOTH inline void step_head(Step& step, const Pending& item, uint32_t byte) {
    const Head& head = item.head;
    if (head.top.state == RETURNED) {
        return;
    }
    const State& state = step.format.state(head.top.state);
    bool is_text = state.bits & TEXT, is_decoded = item.text_length > 0;
    Ways ways = {0, state.edge_count, is_decoded ? 0 : state.call_count};
    if (is_decoded) {
        byte = item.text & 0xff;
        ways.edges = is_text ? ways.edges : 0;
    } else if (is_text && (head.esc != 0 || byte == '\\')) {
        ways.edges = 0;
        step_escape(step, head, byte);
    } else if (is_text && byte == '"') {
        ways.edges = 0;
        ways.closes = state.bits & CLOSES ? 1 : 0;
    } else if (is_text && byte < 0x20) {
        ways.edges = 0;
    }
    OGC_ONE_BY_ONE
    for (uint32_t base = 0; base < ways.count(); base += step.team().size()) {
        uint32_t own = base + step.team().lane();
        uint32_t open = step.team().ballot(own < ways.count() && is_open(step.format, state, ways, own, byte));
    OGC_ONE_BY_ONE
        for (; open != 0 && step.trouble == Trouble::None; open &= open - 1) {
            go(step, item, state, ways, base + lowest_bit(open));
        }
    }
    if (!is_decoded && state.bits & ACCEPTS && head.parent != BOTTOM) {
        step.add_pending(given_back(step.arena, head), 0, 0);
    }
}

/// Steps heads by a byte to those after it, unless trouble occurs.
OGC_BOTH inline void step_byte(Step& step, const HeadList& before, uint32_t byte, HeadList& after) {
    step.after = &after;
    step.trouble = Trouble::None;
    step.looks = 0;
    step.pending_count = 0;
    after.count = 0;
    uint32_t next = 0;
    OGC_ONE_BY_ONE
    while (step.trouble == Trouble::None && (step.pending_count > 0 || next < before.count)) {
        if (step.pending_count == 0) {
            step.add_pending(before.heads[next++], 0, 0);
        }
        Pending item = step.pending[--step.pending_count];
        if (step.look(MOST_LOOKS)) {
            step_head(step, item, byte);
        }
    }
}

/// Counts a token: decrements the count of a frame that counts tokens, and moves it to its spent twin when none is left.
OGC_BOTH inline void count_token(Step& step, const HeadList& before, HeadList& after) {
    step.after = &after;
    after.count = 0;
    OGC_ONE_BY_ONE
    for (uint32_t at = 0; at < before.count; at++) {
        Head head = before.heads[at];
        if (head.top.state != RETURNED && step.format.state(head.top.state).bits & COUNTED) {
            uint32_t twin = step.format.state(head.top.state).twin;
            head.top.aux -= head.top.aux > 0 ? 1 : 0;
            if (head.top.aux == 0 && twin != NO_TWIN) {
                head.top.state = twin;
                arrive(step, head);
                continue;
            }
        }
        keep(step, head);
    }
}

/// Returns whether a head can return through all frames below it.
OGC_BOTH inline bool can_finish(Format format, const Slot& slot, const Head& head) {
    bool can = head.top.state == RETURNED || format.state(head.top.state).bits & ACCEPTS;
    uint32_t parent = head.parent;
    while (can && parent != BOTTOM) {
        can = format.state(slot.nodes[parent].frame.state).bits & ACCEPTS;
        parent = slot.nodes[parent].parent;
    }
    return can;
}

/// Returns whether the format accepts the text so far.
OGC_BOTH inline bool may_end(Team team, Format format, const Slot& slot) {
    bool may = slot.now.is_fresh && format.header().bits & NULLABLE;
    for (uint32_t base = 0; base < slot.now.head_count && !may; base += team.size()) {
        uint32_t own = base + team.lane();
        may = team.ballot(own < slot.now.head_count && can_finish(format, slot, slot.now.heads[own])) != 0;
    }
    return may;
}

}  // namespace ogc
