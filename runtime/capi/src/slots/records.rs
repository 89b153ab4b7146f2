//! Structs and codes of slots: their arguments and their results.

use ogc_runtime::sampling::Sampling;

/// How much there is room for; all of it is reserved at once.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_slot_limits {
    /// `sizeof(ogc_slot_limits)`.
    pub struct_size: usize,
    /// The most sequences at a time.
    pub slots: u32,
    /// The most formats at a time.
    pub formats: u32,
    /// The bytes that the tables of all formats take.
    pub format_bytes: u64,
    /// The most rows of masks, which formats share: 40,000 are many.
    pub pool_rows: u32,
    /// The most blocks of 64 bytes that their contents take: 2^20 are 64 MB.
    pub pool_blocks: u32,
    /// The most logits of a row that is sampled, those beyond the vocabulary included.
    pub logits: u32,
    /// The most tokens of a draft, at most 15: there is room for `slots * (1 + draft_tokens)` rows.
    pub draft_tokens: u32,
}

/// Lists in device memory, with `count` entries of 32 bits each: entry `i` of each is of the same slot.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_slot_lists {
    /// `sizeof(ogc_slot_lists)`.
    pub struct_size: usize,
    /// The address of the numbers of slots, none twice; 0 if entry `i` is slot `i`.
    pub slots: u64,
    /// The address of what each slot is told.
    pub numbers: u64,
    /// The address at which it is written what became of each slot: an `ogc_slot_outcome` in the lowest 8 bits, and above them for
    /// `OGC_SLOT_OUTCOME_HOST` why: 1 too many readings, 2 frames, 3 sets of keys, 4 too much work, 5 too many keys, 0 as the host stepped it before.
    pub outcomes: u64,
    /// How many entries there are.
    pub count: u32,
}

/// Runs of tokens in device memory, with `count` entries: entry `i` of each list is of the same slot.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_slot_runs {
    /// `sizeof(ogc_slot_runs)`.
    pub struct_size: usize,
    /// The address of the numbers of slots, of 32 bits with a sign, below 0 none, none twice; 0 if entry `i` is slot `i`.
    pub slots: u64,
    /// The address of `most` tokens for each, of 32 bits with a sign; one below 0 ends a run before.
    pub tokens: u64,
    /// The address at which it is written what became of each, 8 bytes: of the last token that was tried, as `ogc_slot_lists` has it, and how many were
    /// accepted, 4 bytes each.
    pub moved: u64,
    /// How many entries there are.
    pub count: u32,
    /// The most tokens of a run.
    pub most: u32,
}

/// Tokens that are guessed for slots, in device memory, with `count` entries: entry `i` of each list is of the same slot.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_slot_drafts {
    /// `sizeof(ogc_slot_drafts)`.
    pub struct_size: usize,
    /// The address of the numbers of slots, of 32 bits with a sign, below 0 none, none twice; 0 if entry `i` is slot `i`.
    pub slots: u64,
    /// The address of `most` tokens for each, of 32 bits with a sign; one below 0 ends a draft before.
    pub tokens: u64,
    /// The address at which it is written what formats say of each, 8 bytes, as `ogc_slot_runs` has it: how many tokens are allowed.
    pub drafted: u64,
    /// The address at which it is written what was verified of each, 12 bytes: an `ogc_draft_end` in the lowest 8 bits, and above them for
    /// `OGC_DRAFT_END_HOST` why, as `ogc_slot_lists` has it; how many of the sampled tokens, from the first row on, are the text's; and by how many of them
    /// the slot has moved: all, or all but the last.
    pub verified: u64,
    /// How many entries there are.
    pub count: u32,
    /// The places of each draft, at most 15.
    pub most: u32,
}

/// What a text does behind the tokens that were verified.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_draft_end {
    /// There is no slot, or it was never begun.
    NOTHING = 0,
    /// It goes on.
    GOES_ON = 1,
    /// Its last token ended it.
    ENDED = 2,
    /// Nothing can follow it but an end.
    COMPLETE = 3,
    /// No token that is allowed has a logit.
    NO_TOKEN = 4,
    /// The token that was sampled behind them is not allowed: it was sampled without the mask.
    REFUSED = 5,
    /// A matcher has to go on from where the slot stands: with the last token, if the slot has not moved by it.
    HOST = 6,
}

/// What became of a slot.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_slot_outcome {
    /// It was told nothing, or was never begun.
    NONE = 0,
    /// The token was accepted, or the tokens were taken back.
    ACCEPTED = 1,
    /// The token ended the text.
    ENDED = 2,
    /// The token is not allowed, or there are not as many tokens to take back: the slot is as it was.
    REFUSED = 3,
    /// A matcher has to go on from before the token: the device takes no more of them.
    HOST = 4,
}

/// Who steps a slot.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_slot_status {
    /// Nobody: it was never begun.
    FREE = 0,
    /// The device.
    DEVICE = 1,
    /// A matcher has to, as the device could not go on, or does not find the mask of the next token.
    HOST = 2,
}

/// Logits in device memory: row `r` begins at number `r * stride`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_logits {
    /// `sizeof(ogc_logits)`.
    pub struct_size: usize,
    /// Where the first logit lies, a multiple of its bytes.
    pub address: u64,
    /// How many logits there are from there on.
    pub len: u64,
    /// How many numbers after a row's beginning the next one begins.
    pub stride: u64,
    /// An `ogc_logit_format`.
    pub format: u32,
    /// How many rows there are.
    pub rows: u32,
    /// How many logits a row has.
    pub width: u32,
}

/// What says which tokens of a row are allowed.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ogc_allowed_tokens {
    /// All of the vocabulary.
    ALL = 0,
    /// A row of the bits that `ogc_slots_fill` writes to the slots' own masks, or `ogc_slots_write_mask`.
    BITS = 1,
    /// The mask of a slot.
    SLOT = 2,
    /// The mask of a row of drafts, which `ogc_slots_draft` finds: row `j` of draft `i` has number `i * (1 + most) + j`.
    DRAFT = 3,
}

/// How the token of a row of logits is chosen, and which slot is moved by it. Zeros are a row whose token is not chosen.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_row {
    /// `sizeof(ogc_row)`.
    pub struct_size: usize,
    /// The seed of the draws, and what tells them from those of others with the same seed.
    pub seed: u64,
    /// See `seed`.
    pub request: u64,
    /// The position of the token in the output; it grows by one on the device with each token that is chosen.
    pub position: u64,
    /// Whether a token is chosen; not if it is 0.
    pub is_sampled: u32,
    /// The temperature; 0 takes the highest logit.
    pub temperature: f32,
    /// An `ogc_allowed_tokens`.
    pub allowed: u32,
    /// The number of the row of bits, of the slot, or of the row of drafts.
    pub allowed_number: u32,
    /// The slot that is moved by the token; below 0 none.
    pub slot: i32,
    /// The divisor of positive logits, and factor of negative ones, of tokens that were written; 1 or 0 is none.
    pub repetition_penalty: f32,
    /// What is taken from logits of tokens that were written.
    pub presence_penalty: f32,
    /// What is taken for each time that a token was written.
    pub frequency_penalty: f32,
    /// The address of the tokens that were written, ascending, each of 32 bits with how often, of 32 bits; 0 for none.
    pub written: u64,
    /// The address of tokens, ascending, each of 32 bits with the number of binary32 that is added to its logit; 0 for none.
    pub biases: u64,
    /// How many tokens were written.
    pub written_len: u32,
    /// How many biases there are.
    pub biases_len: u32,
    /// How many of the likeliest tokens are drawn from; 0 is all. This and the next two change draws only, in their order.
    pub top_k: u32,
    /// The share that the likeliest tokens, which are drawn from, have together; 1 or 0 is all.
    pub top_p: f32,
    /// How likely tokens are at least, relative to the likeliest; 0 is all.
    pub min_p: f32,
    /// Whether the probability of the token is told, as the model gives it: before biases, penalties and masks; not if it is 0.
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

/// Where in device memory lies what `ogc_slots_step` says of rows, entry `i` of row `i`, and the slots' own masks.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ogc_slot_addresses {
    /// `sizeof(ogc_slot_addresses)`.
    pub struct_size: usize,
    /// 8 bytes for each row: 0 no token was asked for, 1 one was chosen, 2 no token is allowed, 3 the host steps the slot; then the token, 4 bytes.
    pub sampled: u64,
    /// 4 bytes for each row: what became of the token in its slot, as `ogc_slot_lists` has it.
    pub outcomes: u64,
    /// 4 bytes for each row: the token that was chosen, or the one before if none was.
    pub next_tokens: u64,
    /// 4 bytes for each row: the natural logarithm of the token's probability, binary32, where it is told.
    pub probabilities: u64,
    /// Masks as bits, a row for each slot that there is room for.
    pub masks: u64,
    /// How many words of 32 bits there are.
    pub masks_len: u64,
    /// How many words after a row's beginning the next one begins.
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
