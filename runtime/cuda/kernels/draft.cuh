//! Tokens that are guessed ahead of a pass of the model, and verified behind it: as `choose_all` of `runtime/generate/src/decode/sequence.rs` does, on the device
//! and on the host.
//!
//! Between `draft` and `verify` a slot stands behind the drafted tokens that its format accepts. So verifying takes those back that were not chosen, and
//! reads one token. What was taken back is missing in the log: behind a draft of n tokens, 16 - n earlier ones can be taken back at most.

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

    /// Returns a drafted token; below 0 there is none.
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

    /// Returns its slot; none if there is no sequence.
    OGC_BOTH Slot* slot() const {
        int32_t slot = work.sequences == nullptr ? static_cast<int32_t>(number) : work.sequences[number];
        return slot < 0 ? nullptr : work.slots + slot;
    }
};

/// Makes the rows of a sequence from one on ones without a mask: of the first it is said why.
OGC_BOTH inline void leave_out(const DraftSequence& sequence, uint32_t from, uint32_t why) {
    for (uint32_t at = from + sequence.team.lane(); at <= sequence.work.most; at += sequence.team.size()) {
        leave_out(sequence.work.masks[sequence.first() + at], at == from ? why : MASK_IS_MISSING);
    }
}

/// Writes the positions of the rows behind the first.
OGC_BOTH inline void place_rows(const DraftSequence& sequence) {
    SamplingRow* rows = sequence.work.rows + sequence.first();
    for (uint32_t at = 1 + sequence.team.lane(); at <= sequence.work.most; at += sequence.team.size()) {
        rows[at].position = rows[0].position + at;
    }
}

/// Writes the masks before and behind the drafted tokens of a slot, up to the first that it does not move by; the rows behind have none.
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

/// Drafts the tokens of a sequence: says which rows are sampled, and moves its slot by those that are accepted.
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
    // Whether a token is chosen that ends the text or that is the host's is not known yet; the first mask is needed in any case.
    if (moved.outcome == OUTCOME_ENDED) {
        roll_back(sequence.team, *slot, 1);
    }
    set_status(sequence.team, *slot, moved.outcome == OUTCOME_HOST && moved.count == 0 ? STATUS_HOST : STATUS_DEVICE);
    return moved;
}

/// Returns how many of the drafted tokens by which the slot has moved were sampled, up to the first that was not.
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

/// Moves a slot that stands behind the agreed tokens by what was sampled there.
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
    // The host goes on with the token that was sampled.
    return {VERIFIED_HOST | outcome >> OUTCOME_BITS << OUTCOME_BITS, agreed + 1, agreed};
}

/// Writes the position of the next token: sampling has counted the first one.
OGC_BOTH inline void count_tokens(const DraftSequence& sequence, uint32_t tokens) {
    uint32_t first = sequence.first();
    if (sequence.team.lane() == 0) {
        uint32_t counted = sequence.work.sampled[first].outcome == SAMPLED_TOKEN ? 1 : 0;
        sequence.work.rows[first].position += static_cast<uint64_t>(tokens) - counted;
    }
}

/// Verifies the draft of a sequence: its slot is moved by the sampled tokens up to the first that is not the draft's, that one too, and the mask behind them
/// is located.
OGC_BOTH inline Verified verify(const DraftSequence& sequence, LocateScratch& scratch) {
    Slot* slot = sequence.slot();
    if (slot == nullptr || slot->status == STATUS_FREE) {
        return {VERIFIED_NOTHING, 0, 0};
    }
    if (slot->status == STATUS_HOST || slot->now.is_ended) {
        return {slot->status == STATUS_HOST ? VERIFIED_HOST : VERIFIED_ENDED, 0, 0};
    }
    uint32_t agreed = agreed_tokens(sequence);
    // All lanes have read the slot before one writes to it.
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
