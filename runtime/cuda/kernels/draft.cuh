//! Tokens that are guessed before a forward pass and verified after it, like in `choose_all` of `runtime/generate/src/decode/sequence.rs`, on the
//! device and on the host.
//!
//! Between `draft` and `verify`, a slot stands after the drafted tokens that its format accepts. So verification rolls back those that were not
//! sampled, and reads one token. The log lacks the rolled-back entries: after a draft of n tokens, at most 16 - n earlier ones can be rolled back.

#pragma once

#include "ending.cuh"
#include "locate.cuh"
#include "records/draft.cuh"
#include "sample_row.cuh"
#include "token.cuh"

namespace ogc {

/// A sequence of a draft.
struct DraftSequence {
    Team team;
    const DraftWork& work;
    uint32_t number;

    /// Returns the number of its first row.
    OGC_BOTH uint32_t first() const {
        return number * (1 + work.most);
    }

    /// Returns a drafted token; negative for none.
    OGC_BOTH int32_t token(uint32_t at) const {
        return at < work.most ? work.drafts[number * work.most + at] : -1;
    }

    /// Returns the automaton of a slot's format.
    OGC_BOTH Format format(const Slot& slot) const {
        return {reinterpret_cast<const uint32_t*>(work.formats[slot.format].automaton)};
    }

    /// Returns the masks of a slot's format.
    OGC_BOTH Masks masks(const Slot& slot) const {
        return {reinterpret_cast<const uint32_t*>(work.formats[slot.format].masks)};
    }

    /// Returns its slot; null if there is no sequence.
    OGC_BOTH Slot* slot() const {
        int32_t slot = work.sequences == nullptr ? static_cast<int32_t>(number) : work.sequences[number];
        return slot < 0 ? nullptr : work.slots + slot;
    }
};

/// Leaves the rows of a sequence from `from` on without a mask, the first of them for the reason `why`.
OGC_BOTH inline void leave_out(const DraftSequence& sequence, uint32_t from, uint32_t why) {
    for (uint32_t at = from + sequence.team.lane(); at <= sequence.work.most; at += sequence.team.size()) {
        leave_out(sequence.work.masks[sequence.first() + at], at == from ? why : MASK_IS_MISSING);
    }
}

/// Writes the positions of all rows but the first.
OGC_BOTH inline void place_rows(const DraftSequence& sequence) {
    SamplingRow* rows = sequence.work.rows + sequence.first();
    for (uint32_t at = 1 + sequence.team.lane(); at <= sequence.work.most; at += sequence.team.size()) {
        rows[at].position = rows[0].position + at;
    }
}

/// Writes the masks before and after the drafted tokens of a slot, up to the first token that is not accepted; later rows have no mask.
OGC_BOTH inline Moved move(const DraftSequence& sequence, Slot& slot, LocateScratch& scratch) {
    uint32_t outcome, count = 0;
    OGC_ONE_BY_ONE
    for (;;) {
        Located& mask = sequence.work.masks[sequence.first() + count];
        if (!locate(sequence.team, sequence.masks(slot), slot, scratch, mask)) {
            leave_out(sequence, count, MASK_IS_HOSTS);
            return {OUTCOME_HOST, count};
        }
        int32_t token = sequence.token(count);
        outcome = OUTCOME_NONE;
        if (token >= 0) {
            outcome = accept(sequence.team, slot, sequence.format(slot), {sequence.work.vocabulary}, token);
        }
        if (outcome != OUTCOME_ACCEPTED) {
            leave_out(sequence, count + 1, MASK_IS_MISSING);
            return {token < 0 && count > 0 ? OUTCOME_ACCEPTED : outcome, count};
        }
        count++;
    }
}

/// Drafts the tokens of a sequence: determines the rows to sample, and advances its slot by the accepted tokens.
OGC_BOTH inline Moved draft(const DraftSequence& sequence, LocateScratch& scratch) {
    place_rows(sequence);
    Slot* slot = sequence.slot();
    uint32_t status = slot == nullptr ? STATUS_FREE : slot->status;
    if (status != STATUS_DEVICE) {
        leave_out(sequence, 0, status == STATUS_HOST ? MASK_IS_HOSTS : MASK_IS_MISSING);
        return {status == STATUS_HOST ? OUTCOME_HOST : OUTCOME_NONE, 0};
    }
    if (slot->now.is_ended) {
        leave_out(sequence, 0, MASK_IS_MISSING);
        return {OUTCOME_ENDED, 0};
    }
    Moved moved = move(sequence, *slot, scratch);
    // Whether the token that ends the text or is left to the host is sampled is not known yet; the first mask is needed in any case.
    if (moved.outcome == OUTCOME_ENDED) {
        roll_back(sequence.team, *slot, 1);
    }
    set_status(sequence.team, *slot, moved.outcome == OUTCOME_HOST && moved.count == 0 ? STATUS_HOST : STATUS_DEVICE);
    return moved;
}

/// Returns the number of drafted tokens that the slot has accepted and that were sampled, up to the first that was not.
OGC_BOTH inline uint32_t agreed_tokens(const DraftSequence& sequence) {
    const Sampled* sampled = sequence.work.sampled + sequence.first();
    uint32_t drafted = sequence.work.drafted[sequence.number].count;
    for (uint32_t first = 0; first < drafted; first += sequence.team.size()) {
        uint32_t at = first + sequence.team.lane();
        bool differs = at < drafted && (sampled[at].outcome != SAMPLED_TOKEN ||
                                        sampled[at].token != static_cast<uint32_t>(sequence.token(at)));
        uint32_t others = sequence.team.ballot(differs);
        if (others != 0) {
            return first + lowest_bit(others);
        }
    }
    return drafted;
}

/// Advances a slot that stands after the agreed tokens by the token sampled there.
OGC_BOTH inline Verified take_sampled(const DraftSequence& sequence, Slot& slot, uint32_t agreed) {
    const DraftWork& work = sequence.work;
    Sampled sampled = work.sampled[sequence.first() + agreed];
    Tokens stops = {work.stops, work.stop_count};
    if (is_only_end(sequence.team, work.pool, work.masks[sequence.first() + agreed], stops)) {
        return {VERIFIED_COMPLETE, agreed, agreed};
    }
    if (sampled.outcome != SAMPLED_TOKEN) {
        bool is_hosts = sampled.outcome == SAMPLED_HOST;
        if (is_hosts) {
            set_status(sequence.team, slot, STATUS_HOST);
        }
        return {is_hosts ? VERIFIED_HOST : sampled.outcome == SAMPLED_NO_TOKEN ? VERIFIED_NO_TOKEN : VERIFIED_GOES_ON, agreed, agreed};
    }
    uint32_t outcome = accept(sequence.team, slot, sequence.format(slot), {work.vocabulary}, sampled.token);
    if (outcome == OUTCOME_ACCEPTED || outcome == OUTCOME_ENDED) {
        return {outcome == OUTCOME_ENDED ? VERIFIED_ENDED : VERIFIED_GOES_ON, agreed + 1, agreed + 1};
    }
    if (outcome == OUTCOME_REFUSED) {
        return {VERIFIED_REFUSED, agreed, agreed};
    }
    // The host continues with the sampled token.
    return {VERIFIED_HOST | outcome >> OUTCOME_BITS << OUTCOME_BITS, agreed + 1, agreed};
}

/// Writes the position of the next token; sampling has already counted the first one.
OGC_BOTH inline void count_tokens(const DraftSequence& sequence, uint32_t tokens) {
    uint32_t first = sequence.first();
    if (sequence.team.lane() == 0) {
        uint32_t counted = sequence.work.sampled[first].outcome == SAMPLED_TOKEN ? 1 : 0;
        sequence.work.rows[first].position += static_cast<uint64_t>(tokens) - counted;
    }
}

/// Verifies the draft of a sequence: advances its slot by the sampled tokens up to and including the first that differs from the draft, and locates
/// the next mask.
OGC_BOTH inline Verified verify(const DraftSequence& sequence, LocateScratch& scratch) {
    Slot* slot = sequence.slot();
    if (slot == nullptr || slot->status == STATUS_FREE) {
        return {VERIFIED_NOTHING, 0, 0};
    }
    if (slot->status == STATUS_HOST || slot->now.is_ended) {
        return {slot->status == STATUS_HOST ? VERIFIED_HOST : VERIFIED_ENDED, 0, 0};
    }
    uint32_t agreed = agreed_tokens(sequence);
    // All lanes have read the slot before any of them writes to it.
    sequence.team.sync();
    roll_back(sequence.team, *slot, sequence.work.drafted[sequence.number].count - agreed);
    Verified verified = take_sampled(sequence, *slot, agreed);
    count_tokens(sequence, verified.tokens);
    if (slot->status == STATUS_DEVICE) {
        if (!locate(sequence.team, sequence.masks(*slot), *slot, scratch, slot->mask)) {
            set_status(sequence.team, *slot, STATUS_HOST);
            verified.outcome = VERIFIED_HOST;
        }
    }
    return verified;
}

}  // namespace ogc
