//! The rows of a sequence's mask, on the device and on the host: the same as in `runtime/core/src/matcher/mask.rs`, within fixed bounds.
//!
//! The parts of a mask form a work list: a base has exits, and the tail of the frame below after these exits is a new part; so is the base of that
//! frame, if the top frame can return at once. All lanes of a team look up each part together. Anything that the tables lack, and masks with more
//! rows or parts than fit, are left to the host.

#pragma once

#include "classes.cuh"
#include "slot.cuh"
#include "team.cuh"
#include "ways.cuh"

namespace ogc {

/// Maximum number of parts of a mask, without those of heads.
constexpr uint32_t MOST_PARTS = 128;

/// The value of `exits` of a part that is a base.
constexpr uint32_t OF_BASE = 0xffffffffu;

/// A part of a mask: the tail of the frame at a node after exits, or its base.
struct Part {
    uint32_t exits, node;
};

OGC_BOTH inline bool is_equal(const Part& one, const Part& other) {
    return one.exits == other.exits && one.node == other.node;
}

/// Shared memory of a team, in addition to the slot.
struct LocateScratch {
    Part parts[MOST_PARTS];
    uint32_t rows[MOST_ROWS];
};

/// A mask that is being located. All lanes hold the same values.
struct Locating {
    Team team;
    Masks masks;
    const Slot* slot;
    LocateScratch* scratch;
    uint32_t part_count, row_count;
    bool is_host;
};

/// Adds a row to the mask if it is not yet there.
OGC_BOTH inline void add_row(Locating& mask, uint32_t row) {
    bool known = row == NO_ROW;
    for (uint32_t first = 0; first < mask.row_count; first += mask.team.size()) {
        uint32_t at = first + mask.team.lane();
        known |= at < mask.row_count && mask.scratch->rows[at] == row;
    }
    bool is_new = !mask.team.any(known), fits = mask.row_count < MOST_ROWS;
    if (is_new && fits && mask.team.lane() == 0) {
        mask.scratch->rows[mask.row_count] = row;
    }
    mask.row_count += is_new && fits ? 1 : 0;
    mask.is_host |= is_new && !fits;
    mask.team.sync();
}

/// Adds a part to the work list if it is not yet there and there is a frame below.
OGC_BOTH inline void add_part(Locating& mask, uint32_t exits, uint32_t node) {
    bool known = exits == NO_EXITS || node == BOTTOM;
    for (uint32_t first = 0; first < mask.part_count; first += mask.team.size()) {
        uint32_t at = first + mask.team.lane();
        known |= at < mask.part_count && is_equal(mask.scratch->parts[at], {exits, node});
    }
    bool is_new = !mask.team.any(known), fits = mask.part_count < MOST_PARTS;
    if (is_new && fits && mask.team.lane() == 0) {
        mask.scratch->parts[mask.part_count] = {exits, node};
    }
    mask.part_count += is_new && fits ? 1 : 0;
    mask.is_host |= is_new && !fits;
    mask.team.sync();
}

/// Returns the set of keys that a register refers to; null if it refers to none.
OGC_BOTH inline KeySet seen_keys(const Slot& slot, uint32_t aux) {
    KeySet seen = {};
    for (uint32_t at = 0; aux >= SET_BASE && at < SET_WORDS; at++) {
        seen.words[at] = slot.sets[aux - SET_BASE][at];
    }
    return seen;
}

/// Returns whether one sequence of words is ordered before another. It reads all words, so that no lane waits for another.
OGC_BOTH inline bool is_less(const uint32_t* one, const uint32_t* other, uint32_t count) {
    bool less = false;
    for (uint32_t left = count; left > 0; left--) {
        uint32_t at = left - 1;
        less = one[at] < other[at] || (one[at] == other[at] && less);
    }
    return less;
}

OGC_BOTH inline bool is_equal(const uint32_t* one, const uint32_t* other, uint32_t count) {
    bool equal = true;
    for (uint32_t at = 0; at < count; at++) {
        equal &= one[at] == other[at];
    }
    return equal;
}

/// Returns the register of a class as a pack numbers it; sets are replaced by their index in the pack. Sets that the pack lacks are left to the host.
OGC_BOTH inline uint32_t pack_aux(Locating& mask, uint32_t aux) {
    if (aux < SET_BASE) {
        return aux;
    }
    KeySet seen = seen_keys(*mask.slot, aux);
    Table table = mask.masks.header().sets;
    const KeySet* sets = mask.masks.table<KeySet>(table);
    uint32_t at = count_before(mask.team, table.count, [&](uint32_t at) {
        return is_less(sets[at].words, seen.words, SET_WORDS);
    });
    if (at == table.count || !is_equal(sets[at].words, seen.words, SET_WORDS)) {
        mask.is_host = true;
        return 0;
    }
    return at;
}

/// The entry of the tables for a base or a tail.
struct Answer {
    uint32_t row, exits, ways;
    bool at_once;
};

/// Returns the words of the run that contains a key, among `count` runs of `width` words each; null if the host must find it. A run begins with the
/// key of its first frame, followed by the last register of its range.
OGC_BOTH inline const uint32_t* find_run(
    Locating& mask, const uint32_t* runs, uint32_t count, uint32_t width, const RunKey& key
) {
    // Runs do not overlap, so that only the last one that begins at or before the key can contain it.
    uint32_t after = count_before(mask.team, count, [&](uint32_t at) {
        return !is_less(key.words, runs + at * width, 4);
    });
    const uint32_t* run = runs + (after - 1) * width;
    if (after == 0 || !is_equal(run, key.words, 3) || key.words[3] > run[4]) {
        mask.is_host = true;
        return nullptr;
    }
    return run;
}

/// Looks up the base of a head, or the tail of a return frame after exits.
OGC_BOTH inline bool look_up(Locating& mask, uint32_t exits, const Head& head, Answer& answer) {
    Masks masks = mask.masks;
    Head alike = class_of(masks, head);
    const MaskState& state = masks.state(alike.top.state);
    uint32_t aux = pack_aux(mask, alike.top.aux);
    bool is_base = exits == OF_BASE;
    RunKey key = run_key(masks, is_base ? alike.esc : exits, is_base, alike, aux);
    Table table = is_base ? masks.header().base_runs : masks.header().tail_runs;
    uint32_t width = (is_base ? sizeof(BaseRun) : sizeof(TailRun)) / sizeof(uint32_t);
    uint32_t first = is_base ? state.first_base_run : state.first_tail_run;
    uint32_t count = is_base ? state.base_run_count : state.tail_run_count;
    const uint32_t* run = find_run(mask, masks.table<uint32_t>(table) + first * width, count, width, key);
    if (run == nullptr) {
        return false;
    }
    if (is_base) {
        const BaseRun& found = *reinterpret_cast<const BaseRun*>(run);
        const Base& base = masks.table<Base>(masks.header().bases)[found.base];
        answer = {base.row, base.exits, base.ways, base.at_once != 0};
    } else {
        const TailRun& found = *reinterpret_cast<const TailRun*>(run);
        answer = {found.row, found.exits, found.ways, false};
    }
    return true;
}

/// Adds the entry of a frame: its row and exits, and those of the ways that its registers allow. Each lane runs other ways.
OGC_BOTH inline void add_rows(Locating& mask, const Answer& answer, const Frame& frame, uint32_t below) {
    Masks masks = mask.masks;
    Span tree = masks.table<Span>(masks.header().trees)[answer.ways];
    const Way* ways = masks.table<Way>(masks.header().ways) + tree.first;
    KeySet seen = seen_keys(*mask.slot, tree.count > 0 ? frame.aux : 0);
    // Index 0 is the part that does not depend on registers, 1 the frame below if it is entered at once; the ways follow.
    for (uint32_t first = 0; first < 2 + tree.count && !mask.is_host; first += mask.team.size()) {
        uint32_t at = first + mask.team.lane();
        uint32_t row = at == 0 ? answer.row : NO_ROW, exits = at == 0 ? answer.exits : OF_BASE;
        bool is_allowed = at == 0 || (at == 1 && answer.at_once), is_host = false;
        if (at >= 2 && at < 2 + tree.count) {
            const Way& way = ways[at - 2];
            row = way.row;
            exits = way.exits;
            is_allowed = run_way(masks, way.first_step, frame, seen, is_host);
        }
        mask.is_host |= mask.team.any(is_host);
        uint32_t allowed = mask.team.ballot(is_allowed);
        for (; allowed != 0 && !mask.is_host; allowed &= allowed - 1) {
            uint32_t lane = lowest_bit(allowed);
            add_row(mask, mask.team.of_lane(row, lane));
            add_part(mask, mask.team.of_lane(exits, lane), below);
        }
    }
}

/// Adds the bases of all heads, and all parts that result from them.
OGC_BOTH inline void add_all(Locating& mask) {
    const Readings& now = mask.slot->now;
    for (uint32_t at = 0; at < now.head_count + mask.part_count && !mask.is_host; at++) {
        uint32_t exits = OF_BASE;
        Head head;
        if (at < now.head_count) {
            head = now.heads[at];
        } else {
            Part part = mask.scratch->parts[at - now.head_count];
            const Node& node = mask.slot->nodes[part.node];
            exits = part.exits;
            head = {node.frame, 0, node.parent};
        }
        Answer answer;
        if (head.top.state == RETURNED || !look_up(mask, exits, head, answer)) {
            continue;
        }
        add_rows(mask, answer, head.top, head.parent);
    }
}

/// Returns whether a head can return through all frames below it without reading further bytes.
OGC_BOTH inline bool can_finish(Masks masks, const Slot& slot, const Head& head) {
    if (head.top.state == RETURNED) {
        return true;
    }
    bool can = masks.state(head.top.state).bits & MASK_ACCEPTS;
    for (uint32_t node = head.parent; can && node != BOTTOM; node = slot.nodes[node].parent) {
        can = masks.state(slot.nodes[node].frame.state).bits & MASK_ACCEPTS;
    }
    return can;
}

/// Returns whether the format accepts the text so far. Each lane checks other heads.
OGC_BOTH inline bool may_end(Team team, Masks masks, const Slot& slot) {
    bool may = slot.now.is_fresh && masks.header().bits & MASKS_NULLABLE;
    for (uint32_t at = team.lane(); at < slot.now.head_count; at += team.size()) {
        may |= can_finish(masks, slot, slot.now.heads[at]);
    }
    return team.any(may);
}

/// Writes the numbers of the rows, each lane others; returns whether any row is dense.
OGC_BOTH inline bool write_rows(const Locating& mask, Located& to) {
    bool is_dense = false;
    for (uint32_t at = mask.team.lane(); at < mask.row_count || at < FIRST_ROWS; at += mask.team.size()) {
        uint32_t row = at < mask.row_count ? mask.scratch->rows[at] : 0;
        to.rows[at] = row & ~DENSE_ROW;
        is_dense |= (row & DENSE_ROW) != 0;
    }
    return mask.team.any(is_dense);
}

/// Locates the mask of a sequence's next token, and writes it; returns false if it is left to the host, and then it allows nothing.
OGC_BOTH inline bool locate(Team team, Masks masks, const Slot& slot, LocateScratch& scratch, Located& to) {
    Locating mask = {team, masks, &slot, &scratch, 0, 0, false};
    bool ends = false;
    if (!slot.now.is_ended) {
        add_all(mask);
        ends = !mask.is_host && may_end(team, masks, slot);
    }
    mask.row_count = mask.is_host ? 0 : mask.row_count;
    bool is_dense = write_rows(mask, to);
    if (team.lane() == 0) {
        to.may_end = ends;
        to.row_count = mask.row_count;
        to.is_dense = is_dense;
    }
    // All lanes have read this memory before another mask is located with it.
    team.sync();
    return !mask.is_host;
}

}  // namespace ogc
