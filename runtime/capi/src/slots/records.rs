//! Structs and codes of slots: their arguments and their results.

use ogc_runtime::sampling::Sampling;

/// The capacity of slots; all memory is reserved at once.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_slot_limits {
    /// `sizeof(ogc_slot_limits)`.
    pub struct_size: usize,
    /// The maximum number of sequences at a time.
    pub slots: u32,
    /// The maximum number of formats at a time.
    pub formats: u32,
    /// The bytes reserved for the tables of all formats.
    pub format_bytes: u64,
    /// The maximum number of mask rows, which formats share; 40,000 is a lot.
    pub pool_rows: u32,
    /// The maximum number of 64-byte blocks of row contents; 2^20 blocks take 64 MB.
    pub pool_blocks: u32,
    /// The maximum number of logits of a sampled row, including logits beyond the vocabulary.
    pub logits: u32,
    /// The maximum number of tokens of a draft, at most 15: there is room for `slots * (1 + draft_tokens)` rows.
    pub draft_tokens: u32,
}

/// Lists in device memory, with `count` entries of 32 bits each; entries `i` of all lists belong to the same slot.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_slot_lists {
    /// `sizeof(ogc_slot_lists)`.
    pub struct_size: usize,
    /// The address of slot numbers, without duplicates; 0 if entry `i` is slot `i`.
    pub slots: u64,
    /// The address of the argument of each slot: a format, a token or a count.
    pub numbers: u64,
    /// The address to which the outcome of each slot is written: an `ogc_slot_outcome` in the lowest 8 bits; above them, for
    /// `OGC_SLOT_OUTCOME_HOST`, the reason: 1 too many readings, 2 frames, 3 sets of keys, 4 too much work, 5 too many keys, 0 because the host
    /// stepped it before.
    pub outcomes: u64,
    /// The number of entries.
    pub count: u32,
}

/// Runs of tokens in device memory, with `count` entries; entries `i` of all lists belong to the same slot.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_slot_runs {
    /// `sizeof(ogc_slot_runs)`.
    pub struct_size: usize,
    /// The address of slot numbers, signed 32-bit integers without duplicates, negative for none; 0 if entry `i` is slot `i`.
    pub slots: u64,
    /// The address of `most` tokens per entry, signed 32-bit integers; a negative token ends a shorter run.
    pub tokens: u64,
    /// The address of the results, 8 bytes per entry: the outcome of the last token tried, encoded as in `ogc_slot_lists`, and the number of accepted
    /// tokens, 4 bytes each.
    pub moved: u64,
    /// The number of entries.
    pub count: u32,
    /// The maximum number of tokens of a run.
    pub most: u32,
}

/// Draft tokens of slots in device memory, with `count` entries; entries `i` of all lists belong to the same slot.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_slot_drafts {
    /// `sizeof(ogc_slot_drafts)`.
    pub struct_size: usize,
    /// The address of slot numbers, signed 32-bit integers without duplicates, negative for none; 0 if entry `i` is slot `i`.
    pub slots: u64,
    /// The address of `most` tokens per entry, signed 32-bit integers; a negative token ends a shorter draft.
    pub tokens: u64,
    /// The address of the formats' verdicts, 8 bytes per entry, encoded as `moved` of `ogc_slot_runs`: how many tokens are allowed.
    pub drafted: u64,
    /// The address of the results of verification, 12 bytes per entry: an `ogc_draft_end` in the lowest 8 bits, above them, for
    /// `OGC_DRAFT_END_HOST`, the reason as in `ogc_slot_lists`; the number of sampled tokens, from the first row on, that belong to the text; and the
    /// number of those by which the slot has moved: all, or all but the last.
    pub verified: u64,
    /// The number of entries.
    pub count: u32,
    /// The maximum number of tokens of each draft, at most 15.
    pub most: u32,
}

/// Continuation of a text after its verified tokens.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_draft_end {
    /// There is no slot, or it was never begun.
    NOTHING = 0,
    /// It continues.
    GOES_ON = 1,
    /// Its last token ended it.
    ENDED = 2,
    /// Only its end can follow.
    COMPLETE = 3,
    /// No allowed token has a logit.
    NO_TOKEN = 4,
    /// The token sampled after them is not allowed, as it was sampled without the mask.
    REFUSED = 5,
    /// A matcher must continue from the state of the slot: with the last token, if the slot has not moved by it.
    HOST = 6,
}

/// The outcome of an operation on a slot.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_slot_outcome {
    /// Nothing was asked of the slot, or it was never begun.
    NONE = 0,
    /// The token was accepted, or the tokens were rolled back.
    ACCEPTED = 1,
    /// The token ended the text.
    ENDED = 2,
    /// The token is not allowed, or fewer tokens can be rolled back; the slot is unchanged.
    REFUSED = 3,
    /// The slot left the device: a matcher must continue from before the token.
    HOST = 4,
}

/// Who steps a slot.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_slot_status {
    /// Nobody: the slot was never begun.
    FREE = 0,
    /// The device.
    DEVICE = 1,
    /// A matcher on the host, as the device could not continue, or cannot find the mask of the next token.
    HOST = 2,
}

/// Logits in device memory: row `r` begins at number `r * stride`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_logits {
    /// `sizeof(ogc_logits)`.
    pub struct_size: usize,
    /// The address of the first logit, a multiple of its size.
    pub address: u64,
    /// The number of logits in memory from that address on.
    pub len: u64,
    /// The distance between the beginnings of two rows, in logits.
    pub stride: u64,
    /// An `ogc_logit_format`.
    pub format: u32,
    /// The number of rows.
    pub rows: u32,
    /// The number of logits of a row.
    pub width: u32,
}

/// The mask that decides which tokens of a row are allowed.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_allowed_tokens {
    /// All of the vocabulary.
    ALL = 0,
    /// A row of the slots' own bit masks, which `ogc_slots_fill` and `ogc_slots_write_mask` write.
    BITS = 1,
    /// The mask of a slot.
    SLOT = 2,
    /// The mask of a draft row, which `ogc_slots_draft` finds: row `j` of draft `i` has number `i * (1 + most) + j`.
    DRAFT = 3,
}

/// Sampling of one row of logits, and the slot that its token moves. A row of zeros is not sampled.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_row {
    /// `sizeof(ogc_row)`.
    pub struct_size: usize,
    /// The seed of the draws; together with `request` it distinguishes the draws of a row from those of others.
    pub seed: u64,
    /// Distinguishes the draws of requests with equal seeds.
    pub request: u64,
    /// The position of the token in the output; the device increments it with each sampled token.
    pub position: u64,
    /// Whether the row is sampled; 0 means no.
    pub is_sampled: u32,
    /// The temperature; 0 is greedy (the highest logit).
    pub temperature: f32,
    /// An `ogc_allowed_tokens`.
    pub allowed: u32,
    /// The number of the row of bits, of the slot, or of the row of drafts.
    pub allowed_number: u32,
    /// The slot that the token moves; negative for none.
    pub slot: i32,
    /// The divisor of positive logits, and factor of negative logits, of tokens already written; 1 or 0 has no effect.
    pub repetition_penalty: f32,
    /// The amount subtracted from logits of tokens already written.
    pub presence_penalty: f32,
    /// The amount subtracted for each time that a token was written.
    pub frequency_penalty: f32,
    /// The address of the written tokens in ascending order, each followed by its count, 32 bits each; 0 for none.
    pub written: u64,
    /// The address of the biased tokens in ascending order, 32 bits each, each followed by the binary32 added to its logit; 0 for none.
    pub biases: u64,
    /// The number of entries at `written`.
    pub written_len: u32,
    /// The number of entries at `biases`.
    pub biases_len: u32,
    /// The number of likeliest tokens to draw from; 0 is all. This field and the next two affect draws only, in this order.
    pub top_k: u32,
    /// The share of probability that the likeliest tokens to draw from have together; 1 or 0 is all.
    pub top_p: f32,
    /// The minimum probability of a token relative to the likeliest; 0 is all.
    pub min_p: f32,
    /// Whether the token's probability under the model is written, before biases, penalties and masks; 0 means no.
    pub tells_probability: u32,
}

impl ogc_row {
    /// Returns the sampling parameters: numbers that are 0 have their defaults; biases are left out, because they lie in device memory.
    pub(super) fn sampling(&self) -> Sampling {
        let default = Sampling::default();
        let or = |given: f32, default: f32| if given == 0.0 && default != 0.0 { default } else { given };
        Sampling {
            temperature: or(self.temperature, default.temperature),
            // 0 is the default.
            top_k: self.top_k as usize,
            top_p: or(self.top_p, default.top_p),
            min_p: or(self.min_p, default.min_p),
            repetition_penalty: or(self.repetition_penalty, default.repetition_penalty),
            presence_penalty: or(self.presence_penalty, default.presence_penalty),
            frequency_penalty: or(self.frequency_penalty, default.frequency_penalty),
            bias: Vec::new(),
            seed: self.seed,
        }
    }
}

/// Device addresses of the results of `ogc_slots_step`, entry `i` for row `i`, and of the slots' own masks.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_slot_addresses {
    /// `sizeof(ogc_slot_addresses)`.
    pub struct_size: usize,
    /// 8 bytes for each row: a status (0 not sampled, 1 sampled, 2 no token is allowed, 3 the host steps the slot), then the token, 4 bytes each.
    pub sampled: u64,
    /// 4 bytes for each row: the outcome of the token in its slot, encoded as in `ogc_slot_lists`.
    pub outcomes: u64,
    /// 4 bytes for each row: the sampled token, or the previous one if none was sampled.
    pub next_tokens: u64,
    /// 4 bytes for each row: the natural logarithm of the token's probability as binary32, where the row asks for it.
    pub probabilities: u64,
    /// Bit masks, one row for each possible slot.
    pub masks: u64,
    /// The number of 32-bit words.
    pub masks_len: u64,
    /// The distance between the beginnings of two rows, in words.
    pub mask_stride: u64,
}

#[cfg(test)]
mod tests {
    use ogc_cuda::{DraftEnd, Handover, Outcome, VerifiedDraft};

    use super::{ogc_draft_end, ogc_slot_outcome};

    /// Kernels write the numbers that are declared here.
    #[test]
    fn slot_codes_match_those_of_the_device() {
        let outcomes = [
            (ogc_slot_outcome::NONE, Outcome::None),
            (ogc_slot_outcome::ACCEPTED, Outcome::Accepted),
            (ogc_slot_outcome::ENDED, Outcome::Ended),
            (ogc_slot_outcome::REFUSED, Outcome::Refused),
            (ogc_slot_outcome::HOST, Outcome::Host(Handover::Before)),
        ];
        for (code, outcome) in outcomes {
            assert_eq!(Outcome::from_number(code as u32), Some(outcome), "{code:?}");
        }
        let ends = [
            (ogc_draft_end::NOTHING, DraftEnd::Nothing),
            (ogc_draft_end::GOES_ON, DraftEnd::GoesOn),
            (ogc_draft_end::ENDED, DraftEnd::Ended),
            (ogc_draft_end::COMPLETE, DraftEnd::Complete),
            (ogc_draft_end::NO_TOKEN, DraftEnd::NoToken),
            (ogc_draft_end::REFUSED, DraftEnd::Refused),
            (ogc_draft_end::HOST, DraftEnd::Host(Handover::Before)),
        ];
        for (code, end) in ends {
            let bytes = [code as u32, 0, 0].map(u32::to_le_bytes).concat();
            assert_eq!(VerifiedDraft::from_bytes(&bytes).map(|draft| draft.end), Some(end), "{code:?}");
        }
    }
}
