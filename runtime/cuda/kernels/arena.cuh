//! The frames below the heads of a slot, and its sets of seen keys: adding, comparing, and dropping unreachable ones when there is no room.
//!
//! Push appends; pop follows a parent. An unreachable node or set stays until there is no room: then `compact` moves the others down in their order,
//! so that a prefix of them still belongs to each entry of the log.

#pragma once

#include "keys.cuh"
#include "slot.cuh"

namespace ogc {

/// Heads to step; at most `MOST_HEADS`.
struct HeadList {
    uint32_t count;
    Head heads[MOST_HEADS];
};

/// The nodes and sets of a slot, including those of the token that is being read.
struct Arena {
    Team team;
    Slot* slot;
    uint32_t node_count, set_count;

    OGC_BOTH const Node& node(uint32_t index) const {
        return slot->nodes[index];
    }

    /// Returns the set that a register refers to; the empty set if it refers to none.
    OGC_BOTH KeySet set(uint32_t aux) const {
        KeySet set = {};
        if (aux >= SET_BASE) {
            for (uint32_t at = 0; at < SET_WORDS; at++) {
                set.words[at] = slot->sets[aux - SET_BASE][at];
            }
        }
        return set;
    }

    /// Adds a node. The caller ensures that there is room.
    OGC_BOTH uint32_t push(const Frame& frame, uint32_t parent) {
        team.sync();
        if (team.lane() == 0) {
            slot->nodes[node_count] = {frame, parent};
        }
        team.sync();
        return node_count++;
    }

    /// Adds a set, and returns the register value that refers to it. The caller ensures that there is room.
    OGC_BOTH uint32_t add(const KeySet& set) {
        team.sync();
        if (team.lane() == 0) {
            for (uint32_t at = 0; at < SET_WORDS; at++) {
                slot->sets[set_count][at] = set.words[at];
            }
        }
        team.sync();
        return SET_BASE + set_count++;
    }

    /// Returns whether two registers have equal values.
    OGC_BOTH bool is_same_aux(uint32_t one, uint32_t other) const {
        if (one == other || one < SET_BASE || other < SET_BASE) {
            return one == other;
        }
        KeySet left = set(one), right = set(other);
        bool same = true;
        for (uint32_t at = 0; at < SET_WORDS; at++) {
            same &= left.words[at] == right.words[at];
        }
        return same;
    }

    /// Returns whether two stacks of frames are equal. They are from the node on at which they meet.
    OGC_BOTH bool is_same_stack(uint32_t one, uint32_t other) const {
        while (one != other) {
            if (one == BOTTOM || other == BOTTOM) {
                return false;
            }
            const Node &left = node(one), &right = node(other);
            if (left.frame.state != right.frame.state || left.frame.a != right.frame.a || left.frame.b != right.frame.b ||
                !is_same_aux(left.frame.aux, right.frame.aux)) {
                return false;
            }
            one = left.parent;
            other = right.parent;
        }
        return true;
    }
};

/// The nodes and sets that are reached in a compaction, one bit each.
struct Reached {
    static constexpr uint32_t WORDS = MOST_NODES / 32;
    uint32_t nodes[WORDS];
    uint32_t sets;

    OGC_BOTH bool has(uint32_t node) const {
        return nodes[node / 32] >> node % 32 & 1;
    }

    OGC_BOTH void add(uint32_t aux, uint32_t parent) {
        if (aux >= SET_BASE) {
            sets |= 1u << (aux - SET_BASE);
        }
        if (parent != BOTTOM) {
            nodes[parent / 32] |= 1u << parent % 32;
        }
    }

    OGC_BOTH void add(const Head* heads, uint32_t count) {
        for (uint32_t at = 0; at < count; at++) {
            add(heads[at].top.aux, heads[at].parent);
        }
    }

    /// Returns the number of reached nodes before a node: its new index.
    OGC_BOTH uint32_t nodes_before(uint32_t node) const {
        uint32_t before = 0;
        for (uint32_t at = 0; at < WORDS && at <= node / 32; at++) {
            before += count_bits(at < node / 32 ? nodes[at] : nodes[at] & ((1u << node % 32) - 1));
        }
        return before;
    }

    OGC_BOTH uint32_t sets_before(uint32_t set) const {
        return count_bits(set < 32 ? sets & ((1u << set) - 1) : sets);
    }

    OGC_BOTH uint32_t new_node(uint32_t node) const {
        return node == BOTTOM ? BOTTOM : nodes_before(node);
    }

    OGC_BOTH uint32_t new_aux(uint32_t aux) const {
        return aux < SET_BASE ? aux : SET_BASE + sets_before(aux - SET_BASE);
    }
};
static_assert(MOST_SETS == 32 && MOST_NODES % 32 == 0, "bits of words");

/// Marks the nodes and sets that are reachable from the heads of the slot, of its log, and of the token that is being read.
OGC_BOTH inline Reached reach(const Arena& arena, const HeadList& reading) {
    const Slot& slot = *arena.slot;
    Reached reached = {};
    reached.add(reading.heads, reading.count);
    reached.add(slot.now.heads, slot.now.head_count);
    for (uint32_t back = 1; back <= slot.log_count; back++) {
        const Readings& readings = slot.log[(slot.token_count - back) % MOST_LOG].readings;
        reached.add(readings.heads, readings.head_count);
    }
    // Parents precede their children: going down from the last node, each is marked before it is read.
    uint32_t width = arena.team.size();
    for (uint32_t end = (arena.node_count + width - 1) / width * width; end > 0; end -= width) {
        uint32_t own = end - width + arena.team.lane();
        bool is_there = own < arena.node_count;
        uint32_t aux = is_there ? arena.node(own).frame.aux : 0;
        uint32_t parent = is_there ? arena.node(own).parent : BOTTOM;
        for (uint32_t lane = width; lane > 0; lane--) {
            uint32_t one_aux = arena.team.of_lane(aux, lane - 1);
            uint32_t one_parent = arena.team.of_lane(parent, lane - 1);
            if (reached.has(end - width + lane - 1)) {
                reached.add(one_aux, one_parent);
            }
        }
    }
    return reached;
}

/// Moves the reached nodes down, a group at a time, so that none overwrites a node that is still to be read.
OGC_BOTH inline void move_nodes(Arena& arena, const Reached& reached) {
    for (uint32_t first = 0; first < arena.node_count; first += arena.team.size()) {
        uint32_t own = first + arena.team.lane();
        bool moves = own < arena.node_count && reached.has(own);
        Node node = moves ? arena.node(own) : Node{};
        arena.team.sync();
        if (moves) {
            node.frame.aux = reached.new_aux(node.frame.aux);
            node.parent = reached.new_node(node.parent);
            arena.slot->nodes[reached.nodes_before(own)] = node;
        }
        arena.team.sync();
    }
}

/// Moves the reached sets down.
OGC_BOTH inline void move_sets(Arena& arena, const Reached& reached) {
    for (uint32_t first = 0; first < arena.set_count; first += arena.team.size()) {
        uint32_t own = first + arena.team.lane();
        bool moves = own < arena.set_count && reached.sets >> own & 1;
        KeySet set = arena.set(moves ? SET_BASE + own : 0);
        arena.team.sync();
        if (moves) {
            for (uint32_t at = 0; at < SET_WORDS; at++) {
                arena.slot->sets[reached.sets_before(own)][at] = set.words[at];
            }
        }
        arena.team.sync();
    }
}

/// Updates the references to nodes and sets in heads; the heads are divided among `step` lanes.
OGC_BOTH inline void rename(const Reached& reached, Head* heads, uint32_t count, uint32_t first, uint32_t step) {
    for (uint32_t at = first; at < count; at += step) {
        heads[at].top.aux = reached.new_aux(heads[at].top.aux);
        heads[at].parent = reached.new_node(heads[at].parent);
    }
}

/// Drops the nodes and sets that no state reaches: neither that of the slot, nor one of its log, nor the heads within the token that is being read.
/// Returns whether there were any.
OGC_BOTH inline bool compact(Arena& arena, HeadList& reading) {
    Slot& slot = *arena.slot;
    Reached reached = reach(arena, reading);
    uint32_t nodes = reached.nodes_before(arena.node_count);
    uint32_t sets = reached.sets_before(arena.set_count);
    if (nodes == arena.node_count && sets == arena.set_count) {
        return false;
    }
    move_nodes(arena, reached);
    move_sets(arena, reached);
    rename(reached, reading.heads, reading.count, 0, 1);
    uint32_t lane = arena.team.lane();
    rename(reached, slot.now.heads, slot.now.head_count, lane, arena.team.size());
    for (uint32_t back = 1; back <= slot.log_count; back++) {
        Moment& moment = slot.log[(slot.token_count - back) % MOST_LOG];
        rename(reached, moment.readings.heads, moment.readings.head_count, lane, arena.team.size());
        if (lane == 0) {
            moment.node_count = reached.nodes_before(moment.node_count);
            moment.set_count = reached.sets_before(moment.set_count);
        }
    }
    if (lane == 0) {
        slot.node_count = reached.nodes_before(slot.node_count);
        slot.set_count = reached.sets_before(slot.set_count);
    }
    arena.team.sync();
    arena.node_count = nodes;
    arena.set_count = sets;
    return true;
}

}  // namespace ogc
