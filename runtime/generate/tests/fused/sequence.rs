//! A row of a batch, as the host follows it: the expected report of the kernel, and the place of the row's text.

use ogc_cuda::{AllowedTokens, Handover, Outcome, SampleOutcome, SlotImage, SlotStatus};
use ogc_generate::Sampler;
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::TokenId;

use super::device::{Told, UNTOUCHED};
use crate::fused::cases::Row;

/// Cap on the tokens that a slot can roll back.
const MOST_LOG: usize = 16;

/// A row, with its slot.
pub(crate) struct Sequence {
    pub(crate) row: Row,
    pub(crate) slot: Option<Slot>,
    /// The number of chosen tokens, and the last of them.
    pub(crate) chosen: u64,
    pub(crate) last: u32,
}

/// A slot as the host follows it.
pub(crate) struct Slot {
    pub(crate) number: u32,
    pub(crate) status: SlotStatus,
    pub(crate) matcher: Matcher,
    /// The number of tokens that can be rolled back.
    pub(crate) log: usize,
}

/// Counts of all outcomes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) accepted: usize,
    pub(crate) ended: usize,
    pub(crate) refused: usize,
    /// Tokens of rows that have no slot, or whose slot the device does not step.
    pub(crate) only_sampled: usize,
    /// Rows in which no token was chosen.
    pub(crate) none: usize,
    /// Slots that were left to the host.
    pub(crate) left: usize,
    pub(crate) rolled_back: usize,
}

impl Sequence {
    /// Returns the bits of allowed tokens; `None` if the device has none.
    pub(crate) fn mask(&mut self, words: usize) -> Option<Vec<u32>> {
        match (self.row.allowed, &mut self.slot) {
            (AllowedTokens::All, _) | (AllowedTokens::Bits(_), None) => Some(vec![u32::MAX; words]),
            (AllowedTokens::Slot(_), Some(slot)) if slot.status != SlotStatus::Device => None,
            (AllowedTokens::Bits(_) | AllowedTokens::Slot(_), Some(slot)) => Some(slot.mask(words)),
            (AllowedTokens::Slot(_), None) => None,
            (AllowedTokens::Located(_), _) => panic!("steps have no list of located masks"),
        }
    }

    /// Returns the host's choice.
    fn expected(&mut self, words: usize) -> SampleOutcome {
        if !self.row.is_sampled {
            return SampleOutcome::Nothing;
        }
        let Some(mask) = self.mask(words) else { return SampleOutcome::Host };
        let row = &self.row;
        let chosen = Sampler::new(row.sampling.clone(), row.request).choose(
            &row.logits,
            &mask,
            &row.written,
            row.position + self.chosen,
        );
        chosen.map_or(SampleOutcome::NoToken, |token| SampleOutcome::Token(token.0))
    }

    /// Follows a step, and compares the result with the report of the kernel.
    #[track_caller]
    pub(crate) fn follow(&mut self, told: Told, words: usize, tally: &mut Tally, name: &str) {
        let sampled = self.expected(words);
        assert_eq!(told.sampled, sampled, "{name}: {:?}, {:?}", self.row.allowed, self.row.sampling);
        if let SampleOutcome::Token(token) = sampled {
            (self.chosen, self.last) = (self.chosen + 1, token);
        }
        assert_eq!(told.next_token, self.last, "{name}");
        let slot = self.slot.as_mut().filter(|_| self.row.is_sampled);
        let outcome = match (slot, sampled) {
            (Some(slot), SampleOutcome::Token(token)) => slot.follow(TokenId(token), told.outcome),
            (Some(slot), _) => slot.outcome_without_token(),
            (None, _) => Outcome::None,
        };
        assert_eq!(told.outcome, outcome, "{name}: {:?}", self.row.allowed);
        tally.count(sampled, outcome);
    }

    /// Rolls back up to `most` tokens; returns the slot and the number of tokens.
    pub(crate) fn roll_back(&mut self, most: usize) -> Option<(u32, i32)> {
        let slot = self.slot.as_mut().filter(|slot| slot.status == SlotStatus::Device)?;
        let count = most.min(slot.log);
        slot.log -= count;
        slot.matcher.rollback(count).unwrap();
        (count > 0).then_some((slot.number, count as i32))
    }

    /// Makes a row from which no token has been chosen.
    pub(crate) fn new(row: Row, slot: Option<Slot>) -> Self {
        Self { row, slot, chosen: 0, last: UNTOUCHED }
    }
}

impl Slot {
    /// Returns the slot of a text that begins.
    pub(crate) fn new(number: u32, status: SlotStatus, matcher: Matcher) -> Self {
        Self { number, status, matcher, log: 0 }
    }

    /// Returns the matcher's mask.
    pub(crate) fn mask(&mut self, words: usize) -> Vec<u32> {
        let mut mask = vec![u32::MAX; words];
        self.matcher.fill_mask(&mut mask).unwrap();
        mask
    }

    /// Follows a token, and returns the expected outcome. The kernel alone decides that a text has more readings than a
    /// slot holds.
    fn follow(&mut self, token: TokenId, told: Outcome) -> Outcome {
        if self.status != SlotStatus::Device {
            // The host steps these slots. If the device has a mask for the text, the host follows the device's choice.
            let _ = self.matcher.accept_token(token);
            return self.outcome_without_token();
        }
        let expected = match self.matcher.accept_token(token) {
            Ok(()) if self.matcher.is_terminated() => Outcome::Ended,
            Ok(()) => Outcome::Accepted,
            Err(MatchError::NotAllowed { .. } | MatchError::TokenNotAllowed { .. } | MatchError::Terminated) => {
                Outcome::Refused
            }
            Err(error) => panic!("{error}"),
        };
        if matches!(told, Outcome::Host(why) if why != Handover::Before) {
            self.status = SlotStatus::Host;
            return told;
        }
        if expected != Outcome::Refused {
            self.log = MOST_LOG.min(self.log + 1);
        }
        expected
    }

    fn outcome_without_token(&self) -> Outcome {
        match self.status {
            SlotStatus::Free | SlotStatus::Device => Outcome::None,
            SlotStatus::Host => Outcome::Host(Handover::Before),
        }
    }
}

impl Tally {
    fn count(&mut self, sampled: SampleOutcome, outcome: Outcome) {
        let count = match (sampled, outcome) {
            (_, Outcome::Accepted) => &mut self.accepted,
            (_, Outcome::Ended) => &mut self.ended,
            (_, Outcome::Refused) => &mut self.refused,
            (_, Outcome::Host(why)) if why != Handover::Before => &mut self.left,
            (SampleOutcome::Token(_), _) => &mut self.only_sampled,
            _ => &mut self.none,
        };
        *count += 1;
    }
}

/// Compares a slot in memory with the host's state: who steps it, and its mask, given the bits that its rows stand for.
#[track_caller]
pub(crate) fn compare(
    slot: &mut Slot,
    image: &SlotImage,
    bits: impl FnOnce(&SlotImage) -> Vec<u32>,
    tally: &mut Tally,
    name: &str,
) {
    if slot.status == SlotStatus::Device && image.status() == Some(SlotStatus::Host) {
        // The mask could not be located.
        assert!(image.mask_rows().is_empty() && !image.mask_may_end(), "{name}");
        slot.status = SlotStatus::Host;
        tally.left += 1;
    }
    assert_eq!(image.status(), Some(slot.status), "{name}");
    if slot.status == SlotStatus::Device {
        let bits = bits(image);
        assert_eq!(bits, slot.mask(bits.len()), "{name}");
    }
}
