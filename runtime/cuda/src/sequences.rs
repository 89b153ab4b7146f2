//! Sequences that the device steps while it can, and a matcher on the host otherwise. Outcomes of tokens and masks are the same in both
//! cases.
//!
//! # Steps
//! 1. A sequence begins on the device. If it cannot continue there, a matcher reads the tokens accepted so far, and continues with the
//!    token that the device left to the host: nothing is lost, and [`DeviceSequences::place`] returns the reason. The same holds for runs
//!    of tokens ([`runs`]).
//! 2. When masks are requested, sequences on the host return to the device if they fit. A sequence that does not stay there waits twice as
//!    many tokens before the next try.

pub(crate) mod place;
mod runs;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use always_assert::never;
use ogc_runtime::artifact::Fingerprint;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::TokenId;

use crate::machine::Machine;
use crate::masks::MasksError;
use crate::outcome::{Handover, Outcome};
use crate::pool::PoolError;
use crate::slot::SlotStatus;
use crate::slots::error::SlotsError;
use crate::slots::formats::FormatId;
use crate::slots::{DeviceSlots, SlotId};
use place::{HostReason, PlaceCounts, SequencePlace, TokenOutcome};

/// A sequence that the host steps.
#[derive(Debug)]
struct Hosted {
    matcher: Box<Matcher>,
    why: HostReason,
}

#[derive(Debug)]
struct Sequence {
    format: FormatId,
    /// The accepted tokens.
    tokens: Vec<TokenId>,
    /// A matcher at the beginning of the format.
    beginning: Matcher,
    host: Option<Hosted>,
    /// Number of accepted tokens at which the sequence is next tried on the device, and number of tokens to wait after the next failure.
    retry: usize,
    patience: usize,
}

impl Sequence {
    /// Returns a matcher that has read the first `tokens` accepted tokens.
    fn matcher(&self, tokens: usize) -> Result<Matcher, MatchError> {
        let mut matcher = self.beginning.fork();
        matcher.accept_tokens(&self.tokens[..tokens]).map_err(|(_, error)| error)?;
        Ok(matcher)
    }

    /// Doubles the number of tokens until the sequence is tried on the device again.
    fn wait(&mut self) {
        self.retry = self.tokens.len() + self.patience;
        self.patience = self.patience.saturating_mul(2);
    }
}

/// Sequences that the device steps while it can, and matchers on the host otherwise.
///
/// ```
/// # use std::sync::Arc;
/// # use ogc_cuda::{DeviceSequences, DeviceSlots, FormatId, Machine, SlotsError, TokenOutcome};
/// # use ogc_runtime::mask::MaskStore;
/// # use ogc_runtime::vocabulary::TokenId;
/// /// Writes tokens; returns how many were accepted.
/// fn accepted<M: Machine>(
///     sequences: &mut DeviceSequences<M>,
///     format: FormatId,
///     tokens: &[TokenId],
/// ) -> Result<usize, SlotsError> {
///     let sequence = sequences.open(format)?;
///     for (at, token) in tokens.iter().enumerate() {
///         if sequences.advance(&[(sequence, *token)])? != [TokenOutcome::Accepted] {
///             return Ok(at);
///         }
///     }
///     Ok(tokens.len())
/// }
/// ```
#[derive(Debug)]
pub struct DeviceSequences<M> {
    slots: DeviceSlots<M>,
    store: Arc<MaskStore>,
    sequences: BTreeMap<SlotId, Sequence>,
    counts: PlaceCounts,
}

impl<M: Machine> DeviceSequences<M> {
    /// Makes sequences over slots, none of which may be open. `store` has the masks of matchers.
    ///
    /// # Errors
    /// The store is for another vocabulary than the slots.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ogc_cuda::{DeviceSequences, DeviceSlots, Machine, SlotsError};
    /// # use ogc_runtime::mask::MaskStore;
    /// fn sequences<M: Machine>(slots: DeviceSlots<M>) -> Result<DeviceSequences<M>, SlotsError> {
    ///     let store = MaskStore::new(Arc::clone(slots.vocabulary()));
    ///     DeviceSequences::new(slots, store)
    /// }
    /// ```
    pub fn new(slots: DeviceSlots<M>, store: Arc<MaskStore>) -> Result<Self, SlotsError> {
        let [given, expected] =
            [store.vocabulary(), slots.vocabulary()].map(|vocabulary| Fingerprint(vocabulary.fingerprint()));
        if given != expected {
            return Err(MasksError::Pool(PoolError::OtherVocabulary { given, expected }).into());
        }
        Ok(Self { slots, store, sequences: BTreeMap::new(), counts: PlaceCounts::default() })
    }

    /// Returns the slots, for adding formats, for sampling, and for the machine. Slots of sequences must be moved by this type only: other
    /// moves make its record wrong.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSequences, FormatId, Machine, SlotsError};
    /// fn remove<M: Machine>(sequences: &mut DeviceSequences<M>, format: FormatId) -> Result<(), SlotsError> {
    ///     sequences.slots().remove_format(format)
    /// }
    /// ```
    #[must_use]
    pub fn slots(&mut self) -> &mut DeviceSlots<M> {
        &mut self.slots
    }

    /// Returns counts of the tokens that were accepted on the device and on the host.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSequences, Machine};
    /// fn share<M: Machine>(sequences: &DeviceSequences<M>) -> f64 {
    ///     let counts = sequences.counts();
    ///     counts.device_tokens as f64 / (counts.device_tokens + counts.host_tokens).max(1) as f64
    /// }
    /// ```
    #[must_use]
    pub fn counts(&self) -> &PlaceCounts {
        &self.counts
    }

    /// Opens a sequence at the beginning of a format.
    ///
    /// # Errors
    /// All slots are open, the format was not added, or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSequences, FormatId, Machine, SlotId, SlotsError};
    /// fn two<M: Machine>(sequences: &mut DeviceSequences<M>, format: FormatId) -> Result<[SlotId; 2], SlotsError> {
    ///     Ok([sequences.open(format)?, sequences.open(format)?])
    /// }
    /// ```
    pub fn open(&mut self, format: FormatId) -> Result<SlotId, SlotsError> {
        let beginning = self.slots.matcher(format, &self.store)?;
        let slot = self.slots.open()?;
        self.slots.begin(&[(slot, format)])?;
        let sequence = Sequence { format, tokens: Vec::new(), beginning, host: None, retry: 0, patience: 1 };
        self.sequences.insert(slot, sequence);
        Ok(slot)
    }

    /// Closes a sequence, and frees its slot for another one.
    ///
    /// # Errors
    /// The sequence is not open, or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSequences, Machine, SlotId, SlotsError};
    /// fn close_all<M: Machine>(sequences: &mut DeviceSequences<M>, all: &[SlotId]) -> Result<(), SlotsError> {
    ///     all.iter().try_for_each(|sequence| sequences.close(*sequence))
    /// }
    /// ```
    pub fn close(&mut self, sequence: SlotId) -> Result<(), SlotsError> {
        self.find(sequence)?;
        self.sequences.remove(&sequence);
        self.slots.close(sequence)
    }

    /// Returns where a sequence is stepped: on the device or on the host.
    ///
    /// # Errors
    /// The sequence is not open.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSequences, Machine, SequencePlace, SlotId, SlotsError};
    /// fn is_on_device<M: Machine>(sequences: &DeviceSequences<M>, sequence: SlotId) -> Result<bool, SlotsError> {
    ///     Ok(sequences.place(sequence)? == SequencePlace::Device)
    /// }
    /// ```
    pub fn place(&self, sequence: SlotId) -> Result<SequencePlace, SlotsError> {
        let host = self.find(sequence)?.host.as_ref();
        Ok(host.map_or(SequencePlace::Device, |host| SequencePlace::Host(host.why)))
    }

    /// Returns the accepted tokens of a sequence.
    ///
    /// # Errors
    /// The sequence is not open.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSequences, Machine, SlotId, SlotsError};
    /// fn len<M: Machine>(sequences: &DeviceSequences<M>, sequence: SlotId) -> Result<usize, SlotsError> {
    ///     Ok(sequences.tokens(sequence)?.len())
    /// }
    /// ```
    pub fn tokens(&self, sequence: SlotId) -> Result<&[TokenId], SlotsError> {
        Ok(&self.find(sequence)?.tokens)
    }

    /// Moves sequences by tokens, on the device and on the host; waits for the device, and returns the outcome of each token.
    ///
    /// # Errors
    /// A sequence is not open or named twice, or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSequences, Machine, SlotId, SlotsError, TokenOutcome};
    /// # use ogc_runtime::vocabulary::TokenId;
    /// fn ends<M: Machine>(
    ///     sequences: &mut DeviceSequences<M>,
    ///     sequence: SlotId,
    ///     token: TokenId,
    /// ) -> Result<bool, SlotsError> {
    ///     Ok(sequences.advance(&[(sequence, token)])? == [TokenOutcome::Ended])
    /// }
    /// ```
    pub fn advance(&mut self, tokens: &[(SlotId, TokenId)]) -> Result<Vec<TokenOutcome>, SlotsError> {
        self.check(tokens.iter().map(|(sequence, _)| *sequence))?;
        let on_device = |of: &&(SlotId, TokenId)| self.sequences[&of.0].host.is_none();
        let of_device: Vec<(SlotId, TokenId)> = tokens.iter().filter(on_device).copied().collect();
        self.slots.advance(&of_device)?;
        let told: BTreeMap<SlotId, Outcome> =
            of_device.iter().map(|(sequence, _)| *sequence).zip(self.slots.outcomes()?).collect();
        tokens.iter().map(|(sequence, token)| self.note(*sequence, *token, told.get(sequence).copied())).collect()
    }

    /// Records the device's outcome of a token. If the device left the token to the host, or the host steps the sequence, a matcher reads
    /// it.
    fn note(&mut self, id: SlotId, token: TokenId, told: Option<Outcome>) -> Result<TokenOutcome, SlotsError> {
        let found = match told {
            Some(Outcome::Accepted) => TokenOutcome::Accepted,
            Some(Outcome::Ended) => TokenOutcome::Ended,
            Some(Outcome::Refused) => TokenOutcome::Refused,
            Some(Outcome::Host(Handover::Before) | Outcome::None) => {
                self.leave(id, HostReason::Mask)?;
                self.accept_on_host(id, token)?
            }
            Some(Outcome::Host(why)) => {
                self.leave(id, HostReason::Step(why))?;
                self.accept_on_host(id, token)?
            }
            None => self.accept_on_host(id, token)?,
        };
        if matches!(found, TokenOutcome::Accepted | TokenOutcome::Ended) {
            let sequence = self.find_mut(id)?;
            sequence.tokens.push(token);
            match sequence.host {
                None => self.counts.device_tokens += 1,
                Some(_) => self.counts.host_tokens += 1,
            }
        }
        Ok(found)
    }

    fn accept_on_host(&mut self, id: SlotId, token: TokenId) -> Result<TokenOutcome, SlotsError> {
        let Some(host) = &mut self.find_mut(id)?.host else {
            never!("{:?} is the device's", id);
            return Ok(TokenOutcome::Refused);
        };
        Ok(match host.matcher.accept_token(token) {
            Ok(()) if host.matcher.is_terminated() => TokenOutcome::Ended,
            Ok(()) => TokenOutcome::Accepted,
            Err(MatchError::NotAllowed { .. } | MatchError::TokenNotAllowed { .. } | MatchError::Terminated) => {
                TokenOutcome::Refused
            }
            Err(error) => TokenOutcome::Failed(error),
        })
    }

    /// Moves a sequence to the host: a matcher reads its accepted tokens.
    fn leave(&mut self, id: SlotId, why: HostReason) -> Result<(), SlotsError> {
        let sequence = self.find_mut(id)?;
        let matcher = Box::new(sequence.matcher(sequence.tokens.len())?);
        sequence.host = Some(Hosted { matcher, why });
        sequence.wait();
        *self.counts.left.entry(why).or_default() += 1;
        Ok(())
    }

    /// Takes back the last `n` tokens of each sequence, on the device and on the host; waits for the device. Returns `false` for a sequence
    /// that has fewer tokens, and leaves it unchanged.
    ///
    /// # Errors
    /// A sequence is not open or named twice, or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSequences, Machine, SlotId, SlotsError};
    /// fn undo<M: Machine>(sequences: &mut DeviceSequences<M>, sequence: SlotId) -> Result<bool, SlotsError> {
    ///     Ok(sequences.roll_back(&[(sequence, 1)])? == [true])
    /// }
    /// ```
    pub fn roll_back(&mut self, counts: &[(SlotId, u32)]) -> Result<Vec<bool>, SlotsError> {
        self.check(counts.iter().map(|(sequence, _)| *sequence))?;
        let on_device = |of: &&(SlotId, u32)| self.sequences[&of.0].host.is_none();
        let of_device: Vec<(SlotId, u32)> = counts.iter().filter(on_device).copied().collect();
        self.slots.roll_back(&of_device)?;
        let told: BTreeMap<SlotId, Outcome> =
            of_device.iter().map(|(sequence, _)| *sequence).zip(self.slots.outcomes()?).collect();
        counts.iter().map(|(id, count)| self.take_back(*id, *count as usize, told.get(id).copied())).collect()
    }

    /// Records the device's outcome of taking tokens back.
    fn take_back(&mut self, id: SlotId, count: usize, told: Option<Outcome>) -> Result<bool, SlotsError> {
        let sequence = self.find_mut(id)?;
        let Some(len) = sequence.tokens.len().checked_sub(count) else { return Ok(false) };
        let why = match told {
            Some(Outcome::Accepted) => None,
            Some(Outcome::None) if count == 0 => None,
            Some(Outcome::Refused) => Some(HostReason::RollBack),
            Some(Outcome::None | Outcome::Ended | Outcome::Host(_)) => Some(HostReason::Mask),
            None => None,
        };
        if let Some(why) = why {
            let matcher = Box::new(sequence.matcher(len)?);
            sequence.host = Some(Hosted { matcher, why });
            sequence.retry = 0;
            *self.counts.left.entry(why).or_default() += 1;
        } else if let Some(host) = &mut sequence.host {
            host.matcher.rollback(count)?;
        }
        self.find_mut(id)?.tokens.truncate(len);
        Ok(true)
    }

    /// Writes the masks of sequences as bits to device memory: row `i` of [`DeviceSlots::masks`] is the mask of entry `i`. Waits for the
    /// device. Sequences whose masks the device cannot find move to the host, and others return from it.
    ///
    /// # Errors
    /// A sequence is not open or named twice, a matcher exceeds a limit, or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSequences, Machine, SlotId, SlotsError};
    /// fn bits<M: Machine>(sequences: &mut DeviceSequences<M>, all: &[SlotId]) -> Result<Vec<Vec<u32>>, SlotsError> {
    ///     sequences.fill(all)?;
    ///     sequences.slots().read_masks(all.len())
    /// }
    /// ```
    pub fn fill(&mut self, all: &[SlotId]) -> Result<(), SlotsError> {
        self.check(all.iter().copied())?;
        let mut on_device = Vec::new();
        for id in all {
            let is_tried = self.try_to_place(*id)?;
            if is_tried || self.find(*id)?.host.is_none() {
                on_device.push(*id);
            }
        }
        self.slots.fill(all)?;
        for (id, status) in on_device.iter().zip(self.slots.statuses(&on_device)?) {
            self.settle(*id, status)?;
        }
        for (row, id) in all.iter().enumerate() {
            let words = self.slots.vocabulary().len().div_ceil(32);
            if let Some(host) = &mut self.find_mut(*id)?.host {
                let mut mask = vec![0; words];
                host.matcher.fill_mask(&mut mask)?;
                self.slots.write_mask(row, &mask)?;
            }
        }
        Ok(())
    }

    /// Tries to return a sequence from the host to the device, if it has waited long enough. Returns whether it fits there.
    fn try_to_place(&mut self, id: SlotId) -> Result<bool, SlotsError> {
        let found = self.sequences.get_mut(&id).ok_or(SlotsError::Closed { given: id.number() })?;
        let Some(host) = found.host.as_ref().filter(|_| found.tokens.len() >= found.retry) else { return Ok(false) };
        match self.slots.place(id, found.format, &host.matcher) {
            Ok(()) => Ok(true),
            Err(SlotsError::Slot(_)) => {
                found.wait();
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Records where a sequence is stepped after its mask was requested.
    fn settle(&mut self, id: SlotId, status: SlotStatus) -> Result<(), SlotsError> {
        let sequence = self.find_mut(id)?;
        match (status, &mut sequence.host) {
            (SlotStatus::Device, None) => {}
            (SlotStatus::Device, host @ Some(_)) => {
                *host = None;
                self.counts.returned += 1;
            }
            (SlotStatus::Host | SlotStatus::Free, None) => self.leave(id, HostReason::Mask)?,
            (SlotStatus::Host | SlotStatus::Free, Some(host)) => {
                host.why = HostReason::Mask;
                sequence.wait();
            }
        }
        Ok(())
    }

    fn find(&self, sequence: SlotId) -> Result<&Sequence, SlotsError> {
        self.sequences.get(&sequence).ok_or(SlotsError::Closed { given: sequence.number() })
    }

    fn find_mut(&mut self, sequence: SlotId) -> Result<&mut Sequence, SlotsError> {
        self.sequences.get_mut(&sequence).ok_or(SlotsError::Closed { given: sequence.number() })
    }

    /// Rejects sequences that are not open, or that are named twice.
    fn check(&self, sequences: impl Iterator<Item = SlotId>) -> Result<(), SlotsError> {
        let mut seen = BTreeSet::new();
        for sequence in sequences {
            self.find(sequence)?;
            if !seen.insert(sequence) {
                return Err(SlotsError::Closed { given: sequence.number() });
            }
        }
        Ok(())
    }
}
