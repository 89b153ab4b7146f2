//! A text beside its matcher, which determines the expected result of a draft.

use super::stage::Drafted;
use crate::located::Bench;
use crate::rows::Located;
use ogc_cuda::{DraftEnd, Handover, MaskState, MovedTokens, Outcome, SampleOutcome, SlotImage, VerifiedDraft};
use ogc_kit::Random;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

/// Capacity of a slot's log in tokens.
const MOST_LOG: usize = 16;

/// The party that continues a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Nobody: there is no slot, or it is free.
    Nobodys,
    Devices,
    /// The device, but the text has ended.
    Ended,
    Hosts,
}

/// A text that a slot should have.
pub struct Text {
    pub matcher: Matcher,
    pub whose: Whose,
    pub written: Vec<TokenId>,
    log: usize,
}

impl Text {
    pub fn new(matcher: Matcher) -> Self {
        Self { matcher, whose: Whose::Nobodys, written: Vec::new(), log: 0 }
    }

    /// Begins a text with `prefix` and `len` random tokens; returns its slot, if a slot can hold it.
    pub fn begin(&mut self, random: &mut Random, format: u32, prefix: &[TokenId], len: usize) -> Option<SlotImage> {
        self.matcher.reset();
        self.matcher.accept_tokens(prefix).unwrap();
        (self.whose, self.log) = (Whose::Devices, 0);
        self.written = prefix.to_vec();
        for _ in 0..len {
            let Some(token) = self.pick(random).filter(|token| !self.matcher.stop_tokens().contains(token)) else {
                break;
            };
            self.matcher.accept_token(token).unwrap();
            self.written.push(token);
        }
        SlotImage::new(&self.matcher, format).ok()
    }

    /// Returns an allowed token at random.
    pub fn pick(&mut self, random: &mut Random) -> Option<TokenId> {
        let allowed = self.matcher.mask().unwrap().tokens();
        (!allowed.is_empty()).then(|| allowed[random.below(allowed.len())])
    }

    /// Returns a draft: tokens that are allowed one after another, but a random one may be replaced by any other token.
    pub fn random_draft(&mut self, random: &mut Random, most: usize) -> Vec<TokenId> {
        let (len, vocabulary) = (random.below(most + 1), self.matcher.store().vocabulary().len());
        let wrong = random.below(3 * len.max(1));
        let mut draft = Vec::new();
        let mut accepted = 0;
        while draft.len() < len {
            let any = TokenId(random.below(vocabulary + 3) as u32);
            // Stop tokens are rare among the allowed ones.
            let stop = self.matcher.stop_tokens().first().copied().filter(|_| random.below(12) == 0);
            let token = if draft.len() == wrong { Some(any) } else { stop.or_else(|| self.pick(random)) };
            let token = token.unwrap_or(any);
            draft.push(token);
            let is_open = accepted + 1 == draft.len();
            accepted += usize::from(is_open && self.matcher.accept_token(token).is_ok());
        }
        self.matcher.rollback(accepted).unwrap();
        draft
    }

    /// Returns the matcher's mask as bits.
    pub fn bits(&mut self, words: usize) -> Vec<u32> {
        let mut bits = vec![u32::MAX; words];
        self.matcher.fill_mask(&mut bits).unwrap();
        bits
    }

    /// Returns whether only the end can follow, by the same check as in `ogc_generate`.
    fn is_only_end(&mut self) -> bool {
        let mask = self.matcher.mask().unwrap();
        let stops = self.matcher.stop_tokens();
        mask.allows_end() && !stops.is_empty() && mask.tokens().iter().all(|token| stops.contains(token))
    }

    /// Compares the verdict on a draft with the matcher.
    pub fn assert_drafted(&mut self, bench: &Bench, draft: &[TokenId], drafted: &Drafted, name: &str) {
        let Drafted { moved, masks } = drafted;
        let count = moved.accepted as usize;
        let is_missing = |masks: &[MaskState]| masks.iter().all(|mask| *mask == MaskState::Missing);
        match self.whose {
            Whose::Nobodys | Whose::Ended => assert!(is_missing(masks), "{name}"),
            Whose::Hosts => assert!(masks[0] == MaskState::Host && is_missing(&masks[1..]), "{name}"),
            Whose::Devices => {
                assert!(count <= draft.len() && is_missing(&masks[count + 1..]), "{name}: {drafted:?}");
                self.assert_masks(bench, draft, &masks[..=count], moved.last, name);
            }
        }
        self.assert_moved(draft, *moved, name);
    }

    /// Compares the masks before and after the accepted draft tokens. The last one may be left to the host.
    fn assert_masks(&mut self, bench: &Bench, draft: &[TokenId], masks: &[MaskState], last: Outcome, name: &str) {
        let count = masks.len() - 1;
        for (at, mask) in masks.iter().enumerate() {
            match mask {
                MaskState::Located { may_end, is_dense, rows } => {
                    let located = Located { may_end: *may_end, is_dense: *is_dense, rows: rows.clone() };
                    let bits = bench.buffers.bits(&located, &bench.stops, bench.words);
                    assert!(bits == self.bits(bench.words), "{name}, mask {at}");
                }
                MaskState::Host => assert!(at == count && last == Outcome::Host(Handover::Before), "{name}"),
                MaskState::Missing => panic!("{name}: mask {at} is missing"),
            }
            if at < count {
                self.matcher.accept_token(draft[at]).unwrap();
            }
        }
        self.matcher.rollback(count).unwrap();
    }

    /// Compares the number of draft tokens by which the slot has moved, and the reason why it stopped, with the matcher.
    pub fn assert_moved(&mut self, draft: &[TokenId], moved: MovedTokens, name: &str) {
        let MovedTokens { last, accepted } = moved;
        let expected = match self.whose {
            Whose::Nobodys => Some(Outcome::None),
            Whose::Ended => Some(Outcome::Ended),
            Whose::Hosts => Some(Outcome::Host(Handover::Before)),
            Whose::Devices => None,
        };
        if let Some(expected) = expected {
            return assert_eq!((last, accepted), (expected, 0), "{name}");
        }
        let count = accepted as usize;
        for token in &draft[..count] {
            self.matcher.accept_token(*token).unwrap();
            assert!(!self.matcher.is_terminated(), "{name}");
        }
        self.assert_stopped(draft, count, last, name);
        self.matcher.rollback(count).unwrap();
        self.log = MOST_LOG.min(self.log + count);
        if last == Outcome::Ended {
            self.log = MOST_LOG.min(self.log + 1) - 1;
        }
        if count == 0 && last == Outcome::Host(Handover::Before) {
            self.whose = Whose::Hosts;
        }
    }

    /// Compares the reason why a slot stopped.
    fn assert_stopped(&mut self, draft: &[TokenId], count: usize, last: Outcome, name: &str) {
        let next = draft.get(count).copied();
        let accepted = next.map(|token| self.matcher.accept_token(token).is_ok());
        let is_terminated = self.matcher.is_terminated();
        let is_so = match last {
            Outcome::None => draft.is_empty(),
            Outcome::Accepted => next.is_none() && count > 0,
            Outcome::Ended => accepted == Some(true) && is_terminated,
            Outcome::Refused => accepted == Some(false),
            // Whether the host has its mask was checked before; bytes of a token that is refused in the end may also be left to the host.
            Outcome::Host(Handover::Before) => true,
            Outcome::Host(_) => next.is_some() && !is_terminated,
        };
        assert!(is_so, "{name}: {last:?} behind {count} of {draft:?}, accepted {accepted:?}");
        self.matcher.rollback(usize::from(accepted == Some(true))).unwrap();
    }

    /// Compares a verified draft with the result of `choose_all` of `ogc_generate`, and moves the matcher.
    pub fn assert_verified(
        &mut self,
        draft: &[TokenId],
        drafted: MovedTokens,
        sampled: &[SampleOutcome],
        verified: VerifiedDraft,
        name: &str,
    ) {
        let name = format!("{name}, {draft:?}, {drafted:?}, {sampled:?}");
        let nothing = match self.whose {
            Whose::Nobodys => Some(DraftEnd::Nothing),
            Whose::Ended => Some(DraftEnd::Ended),
            Whose::Hosts => Some(DraftEnd::Host(Handover::Before)),
            Whose::Devices => None,
        };
        if let Some(end) = nothing {
            return assert_eq!(verified, VerifiedDraft { end, tokens: 0, moved: 0 }, "{name}");
        }
        let (mut at, count) = (0, drafted.accepted as usize);
        let (end, has_read) = loop {
            if self.is_only_end() {
                break (DraftEnd::Complete, false);
            }
            let token = match sampled[at] {
                SampleOutcome::Token(token) => TokenId(token),
                SampleOutcome::NoToken => break (DraftEnd::NoToken, false),
                SampleOutcome::Host => break (DraftEnd::Host(Handover::Before), false),
                SampleOutcome::Nothing | SampleOutcome::Full => panic!("{name}: row {at} was not sampled"),
            };
            let handover =
                Some(verified.end).filter(|end| matches!(end, DraftEnd::Host(why) if *why != Handover::Before));
            if let Some(end) = handover.filter(|_| verified.moved as usize == at) {
                self.matcher.accept_token(token).unwrap();
                self.matcher.rollback(1).unwrap();
                break (end, false);
            }
            self.matcher.accept_token(token).unwrap();
            if self.matcher.is_terminated() {
                break (DraftEnd::Ended, true);
            }
            self.written.push(token);
            if at == count || draft[at] != token {
                break (DraftEnd::GoesOn, true);
            }
            at += 1;
        };
        self.log = MOST_LOG.min(self.log - (count - at) + usize::from(has_read));
        let moved = (at + usize::from(has_read)) as u32;
        let tokens = moved + u32::from(matches!(end, DraftEnd::Host(why) if why != Handover::Before));
        let is_masks_host = end == DraftEnd::GoesOn && verified.end == DraftEnd::Host(Handover::Before);
        let end = if is_masks_host { verified.end } else { end };
        assert_eq!(verified, VerifiedDraft { end, tokens, moved }, "{name}");
        self.whose = match end {
            DraftEnd::GoesOn | DraftEnd::NoToken | DraftEnd::Complete => Whose::Devices,
            DraftEnd::Ended => Whose::Ended,
            DraftEnd::Host(_) => Whose::Hosts,
            DraftEnd::Nothing | DraftEnd::Refused => unreachable!(),
        };
    }

    /// Compares the result of a run, and moves the matcher. `is_hosts` tells whether the host now has the slot.
    pub fn assert_appended(&mut self, run: &[TokenId], moved: MovedTokens, is_hosts: bool, name: &str) {
        let MovedTokens { last, accepted } = moved;
        let (name, count) = (format!("{name}: {moved:?} of {run:?}"), accepted as usize);
        if self.whose != Whose::Devices || run.is_empty() {
            let expected = match self.whose {
                Whose::Hosts if !run.is_empty() => Outcome::Host(Handover::Before),
                Whose::Ended if !run.is_empty() => Outcome::Refused,
                _ => Outcome::None,
            };
            return assert_eq!((last, count), (expected, 0), "{name}");
        }
        self.matcher.accept_tokens(&run[..count]).unwrap();
        let is_ended = self.matcher.is_terminated();
        self.written.extend(&run[..count - usize::from(is_ended)]);
        self.log = MOST_LOG.min(self.log + count);
        self.whose = if is_hosts {
            Whose::Hosts
        } else if is_ended {
            Whose::Ended
        } else {
            Whose::Devices
        };
        match last {
            Outcome::Ended => assert!(is_ended, "{name}"),
            Outcome::Accepted => assert!(count == run.len() && !is_ended, "{name}"),
            _ => {
                let accepted = self.matcher.accept_token(run[count]).is_ok();
                self.matcher.rollback(usize::from(accepted)).unwrap();
                let is_so = match last {
                    Outcome::Refused => !accepted,
                    Outcome::Host(why) => why != Handover::Before && is_hosts,
                    _ => false,
                };
                assert!(is_so && !is_ended, "{name}");
            }
        }
    }

    /// Reads a token on the host that a slot left to it; returns whether the text continues.
    pub fn accept_on_host(&mut self, token: TokenId) -> bool {
        let goes_on = self.matcher.accept_token(token).is_ok() && !self.matcher.is_terminated();
        self.written.extend(goes_on.then_some(token));
        goes_on
    }

    /// Records that the text continues in a slot that was put where the matcher stands.
    pub fn place(&mut self) {
        (self.whose, self.log) = (Whose::Devices, 0);
    }

    /// Takes tokens back as the slot did.
    pub fn roll_back(&mut self, tokens: usize, outcome: Outcome, name: &str) {
        if self.whose != Whose::Devices || tokens == 0 {
            let expected =
                if self.whose == Whose::Hosts && tokens > 0 { Outcome::Host(Handover::Before) } else { Outcome::None };
            return assert_eq!(outcome, expected, "{name}");
        }
        let expected = if tokens <= self.log { Outcome::Accepted } else { Outcome::Refused };
        assert_eq!(outcome, expected, "{name}: {tokens} tokens of {}", self.log);
        if tokens <= self.log {
            self.matcher.rollback(tokens).unwrap();
            self.written.truncate(self.written.len() - tokens);
            self.log -= tokens;
        }
    }
}
