//! Reads a token, which a slot accepts as a whole or not at all. It mirrors `accept_token` and `rollback` of `runtime/core/src/matcher.rs`, without
//! budgets.

#pragma once

#include "records/outcome.cuh"
#include "step.cuh"
#include "vocabulary.cuh"

namespace ogc {

/// Number of words of readings before their heads, and of a head.
constexpr uint32_t READINGS_WORDS = 3;
constexpr uint32_t HEAD_WORDS = 6;
static_assert(sizeof(Readings) == 4 * (READINGS_WORDS + HEAD_WORDS * MOST_HEADS), "nothing but words");

/// The verdict on a byte or a text.
enum class Verdict : uint32_t { Accepted, Refused, Host };

/// A text that is being read: the heads before a byte and those after it, in alternating lists.
struct TextReader {
    Step step;
    HeadList lists[2];
    uint32_t now;

    OGC_BOTH HeadList& before() {
        return lists[now];
    }

    OGC_BOTH HeadList& after() {
        return lists[1 - now];
    }
};

/// Copies readings, only with the heads in use.
OGC_BOTH inline void copy(Team team, const Readings& from, Readings& to) {
    const uint32_t* source = reinterpret_cast<const uint32_t*>(&from);
    uint32_t* target = reinterpret_cast<uint32_t*>(&to);
    uint32_t count = READINGS_WORDS + HEAD_WORDS * from.head_count;
    for (uint32_t at = team.lane(); at < count; at += team.size()) {
        target[at] = source[at];
    }
}

/// Begins reading from the state of a slot.
OGC_BOTH inline void start(TextReader& reader, const Slot& slot) {
    reader.step.arena.node_count = slot.node_count;
    reader.step.arena.set_count = slot.set_count;
    reader.now = 0;
    reader.before().count = slot.now.head_count;
    OGC_ONE_BY_ONE
    for (uint32_t at = 0; at < slot.now.head_count; at++) {
        reader.before().heads[at] = slot.now.heads[at];
    }
}

/// Reads a byte; if there is no room, unreachable nodes and sets are dropped once.
OGC_BOTH inline Verdict read_byte(TextReader& reader, uint32_t byte) {
    Arena& arena = reader.step.arena;
    uint32_t nodes = arena.node_count, sets = arena.set_count;
    bool has_compacted = false;
    OGC_ONE_BY_ONE
    for (;;) {
        step_byte(reader.step, reader.before(), byte, reader.after());
        if (reader.step.trouble == Trouble::None) {
            reader.now = 1 - reader.now;
            return reader.before().count > 0 ? Verdict::Accepted : Verdict::Refused;
        }
        if (has_compacted || (reader.step.trouble != Trouble::Nodes && reader.step.trouble != Trouble::Sets)) {
            return Verdict::Host;
        }
        arena.node_count = nodes;
        arena.set_count = sets;
        if (!compact(arena, reader.before())) {
            return Verdict::Host;
        }
        has_compacted = true;
        nodes = arena.node_count;
        sets = arena.set_count;
    }
}

/// Reads a token by its marker or by its text.
OGC_BOTH inline Verdict read_bytes(TextReader& reader, Vocabulary vocabulary, const Token& token, bool is_named) {
    start(reader, *reader.step.arena.slot);
    uint32_t at = token.at + (is_named ? token.length : 0);
    Verdict verdict = Verdict::Accepted;
    for (bool is_last = false; !is_last && verdict == Verdict::Accepted; at++) {
        uint32_t byte = vocabulary.byte(at);
        is_last = is_named ? byte == MARKER_END : at + 1 == token.at + token.length;
        verdict = read_byte(reader, byte);
    }
    return verdict;
}

/// Reads a token: by its marker if the format requires it by name, else by its text.
OGC_BOTH inline Verdict read(TextReader& reader, Vocabulary vocabulary, const Token& token) {
    bool reads_markers = reader.step.format.header().bits & READS_MARKERS;
    Verdict verdict = Verdict::Refused;
    OGC_ONE_BY_ONE
    for (uint32_t attempt = 0; attempt < 2 && verdict == Verdict::Refused; attempt++) {
        bool is_named = attempt == 0;
        if (is_named ? reads_markers && token.bits & TOKEN_NAMED : token.bits & TOKEN_TEXT) {
            verdict = read_bytes(reader, vocabulary, token, is_named);
        }
    }
    return verdict;
}

/// Records the state of a slot in its log, before a token is counted.
OGC_BOTH inline void note(Team team, Slot& slot) {
    Moment& moment = slot.log[slot.token_count % MOST_LOG];
    copy(team, slot.now, moment.readings);
    team.sync();
    if (team.lane() == 0) {
        moment.node_count = slot.node_count;
        moment.set_count = slot.set_count;
        slot.token_count++;
        slot.log_count = least(slot.log_count + 1, MOST_LOG);
    }
    team.sync();
}

/// Moves a slot to the heads after a token.
OGC_BOTH inline void commit(const TextReader& reader, const HeadList& heads, Slot& slot) {
    const Arena& arena = reader.step.arena;
    note(arena.team, slot);
    for (uint32_t at = arena.team.lane(); at < heads.count; at += arena.team.size()) {
        slot.now.heads[at] = heads.heads[at];
    }
    if (arena.team.lane() == 0) {
        slot.now.is_fresh = 0;
        slot.now.head_count = heads.count;
        slot.node_count = arena.node_count;
        slot.set_count = arena.set_count;
    }
    arena.team.sync();
}

/// Resets a slot to the beginning of a format.
OGC_BOTH inline void begin(Team team, Slot& slot, uint32_t number, Format format) {
    const Header& header = format.header();
    if (team.lane() == 0) {
        slot.status = STATUS_DEVICE;
        slot.format = number;
        slot.now.is_fresh = 1;
        slot.now.is_ended = 0;
        slot.now.head_count = 1;
        slot.now.heads[0] = {entered(format.rule(header.root_rule), header.root_a, header.root_b), 0, BOTTOM};
        slot.node_count = 0;
        slot.set_count = 0;
        slot.token_count = 0;
        slot.log_count = 0;
    }
    team.sync();
}

/// Ends the text of a slot.
OGC_BOTH inline uint32_t end(Team team, Slot& slot) {
    note(team, slot);
    if (team.lane() == 0) {
        slot.now.is_ended = 1;
    }
    team.sync();
    return OUTCOME_ENDED;
}

/// Sets who steps a slot from now on.
OGC_BOTH inline void set_status(Team team, Slot& slot, uint32_t status) {
    team.sync();
    if (team.lane() == 0) {
        slot.status = status;
    }
    team.sync();
}

/// Steps a slot by a token. Unless the token is accepted or ends the text, the state is unchanged.
OGC_BOTH inline uint32_t accept(Team team, Slot& slot, Format format, Vocabulary vocabulary, uint32_t number) {
    if (slot.status != STATUS_DEVICE) {
        return slot.status == STATUS_HOST ? OUTCOME_HOST : OUTCOME_NONE;
    }
    if (slot.now.is_ended || number >= vocabulary.header().token_count) {
        return OUTCOME_REFUSED;
    }
    const Token& token = vocabulary.token(number);
    bool is_stop = token.bits & TOKEN_STOP;
    if (is_stop && may_end(team, format, slot)) {
        return end(team, slot);
    }
    if (is_stop && vocabulary.header().bits & OWN_STOPS) {
        return OUTCOME_REFUSED;
    }
    TextReader reader;
    reader.step.arena.team = team;
    reader.step.arena.slot = &slot;
    reader.step.format = format;
    Verdict verdict = read(reader, vocabulary, token);
    if (verdict == Verdict::Accepted) {
        count_token(reader.step, reader.before(), reader.after());
        commit(reader, reader.after(), slot);
        return OUTCOME_ACCEPTED;
    }
    if (verdict == Verdict::Refused) {
        return OUTCOME_REFUSED;
    }
    set_status(team, slot, STATUS_HOST);
    return OUTCOME_HOST | static_cast<uint32_t>(reader.step.trouble) << OUTCOME_BITS;
}

/// Rolls back the last tokens of a slot; refused, without changes, if its log has too few entries.
OGC_BOTH inline uint32_t roll_back(Team team, Slot& slot, uint32_t tokens) {
    if (slot.status != STATUS_DEVICE) {
        return slot.status == STATUS_HOST ? OUTCOME_HOST : OUTCOME_NONE;
    }
    if (tokens > slot.log_count) {
        return OUTCOME_REFUSED;
    }
    if (tokens == 0) {
        return OUTCOME_ACCEPTED;
    }
    const Moment& moment = slot.log[(slot.token_count - tokens) % MOST_LOG];
    copy(team, moment.readings, slot.now);
    team.sync();
    if (team.lane() == 0) {
        slot.node_count = moment.node_count;
        slot.set_count = moment.set_count;
        slot.token_count -= tokens;
        slot.log_count -= tokens;
    }
    team.sync();
    return OUTCOME_ACCEPTED;
}

}  // namespace ogc
