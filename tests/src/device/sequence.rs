//! The matcher's side of a sequence: the next command, and its expected outcome.

use std::sync::Arc;

use ogc_cuda::{Outcome, SlotError, SlotImage};
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::TokenId;

use super::{Proof, Subject};
use ogc_kit::Random;

/// Cap on the tokens that a slot can take back.
const MOST_LOG: usize = 16;

/// Cap on the tokens by which a sequence leaves its text before they are taken back.
const MOST_ASTRAY: usize = 6;

/// Cap on the tokens before the place at which a sequence without a text begins.
const MOST_BEFORE: usize = 40;

/// A command for a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Nothing.
    Nothing,
    /// A token is chosen by logits.
    Sample,
    /// This token is given.
    Token(TokenId),
    /// This many tokens are taken back.
    Back(usize),
}

/// The course of a sequence.
#[derive(Clone, Debug)]
enum Course {
    /// Anywhere.
    Free,
    /// Along a text: `at` of its tokens were given, and `astray` others since then.
    Along { text: Vec<TokenId>, at: usize, astray: usize },
}

/// A sequence.
#[derive(Debug)]
pub(super) struct Sequence {
    /// The number of its format among those of the batch.
    pub(super) subject: usize,
    /// Whether its masks are located on the device. If the host has them, the device goes on without masks.
    pub(super) is_masked: bool,
    pub(super) is_over: bool,
    matcher: Matcher,
    course: Course,
    /// The number of tokens that can be taken back.
    log: usize,
    /// The commands so far, for people.
    history: Vec<Command>,
}

impl Sequence {
    /// Makes a sequence at the beginning of a format, along one of its texts if it has any.
    pub(super) fn new(proof: &Proof<'_>, subjects: &[Subject], subject: usize, random: &mut Random) -> Self {
        let Subject { automaton, pack, texts, .. } = &subjects[subject];
        let [automaton, again] = [Arc::clone(automaton), Arc::clone(automaton)];
        let [store, own_store] = [Arc::clone(&proof.store), Arc::clone(&proof.store)];
        // The pack was built for the format; a matcher that finds its masks itself has the same masks.
        let matcher = Matcher::with_masks(automaton, store, Arc::clone(pack));
        let matcher = matcher.unwrap_or_else(|_| Matcher::new(again, own_store));
        let course = match random.choose(texts) {
            Some(text) => Course::Along { text: text.clone(), at: 0, astray: 0 },
            None => Course::Free,
        };
        let is_masked = !random.one_in(4);
        Self { subject, is_masked, is_over: false, matcher, course, log: 0, history: Vec::new() }
    }

    /// Moves a sequence to some place in its text, and returns its slot.
    pub(super) fn placed(&mut self, proof: &Proof<'_>, random: &mut Random) -> Result<SlotImage, SlotError> {
        match &mut self.course {
            Course::Free => {
                for _ in 0..random.below(MOST_BEFORE) {
                    let Ok(mask) = self.matcher.mask() else { break };
                    let allowed: Vec<TokenId> = mask.tokens();
                    let Some(token) = likely(proof, &allowed, random) else { break };
                    if self.matcher.accept_token(token).is_err() {
                        break;
                    }
                    self.history.push(Command::Token(token));
                }
            }
            Course::Along { text, at, .. } => {
                for token in &text[..random.below(text.len() + 1)] {
                    if self.matcher.accept_token(*token).is_err() {
                        break;
                    }
                    *at += 1;
                    self.history.push(Command::Token(*token));
                }
            }
        }
        SlotImage::new(&self.matcher, self.subject as u32)
    }

    /// Returns the matcher's mask; `None` if it gives up.
    pub(super) fn mask(&mut self, words: usize) -> Option<Vec<u32>> {
        let mut mask = vec![0; words];
        self.matcher.fill_mask(&mut mask).ok()?;
        Some(mask)
    }

    /// Returns the next command, given the mask.
    pub(super) fn next(&mut self, proof: &Proof<'_>, mask: &[u32], random: &mut Random) -> Command {
        let any =
            |random: &mut Random| Command::Token(TokenId(random.below(proof.store.vocabulary().len() + 3) as u32));
        let is_empty = mask.iter().all(|word| *word == 0);
        let sampled = |random: &mut Random| if is_empty { any(random) } else { Command::Sample };
        match &mut self.course {
            Course::Free => match random.below(40) {
                0 => Command::Back(1 + random.below(20)),
                1 => Command::Back(1 + random.below(4)),
                2 => any(random),
                3 => self.matcher.stop_tokens().first().map_or(Command::Nothing, |stop| Command::Token(*stop)),
                _ if random.one_in(2) => sampled(random),
                _ => likely(proof, &tokens_of(mask), random).map_or_else(|| any(random), Command::Token),
            },
            Course::Along { astray, .. } if *astray > 0 => {
                if *astray < MOST_ASTRAY && random.one_in(2) {
                    sampled(random)
                } else {
                    Command::Back(*astray)
                }
            }
            Course::Along { text, at, .. } => match random.below(48) {
                0..3 if *at > 0 => Command::Back(1 + random.below((*at).min(MOST_LOG))),
                3..6 => any(random),
                6 | 7 => sampled(random),
                _ => match text.get(*at) {
                    Some(token) => Command::Token(*token),
                    None if self.matcher.is_terminated() => Command::Back(1 + random.below((*at + 1).min(MOST_LOG))),
                    None => self.matcher.stop_tokens().first().map_or(Command::Nothing, |stop| Command::Token(*stop)),
                },
            },
        }
    }

    /// Follows a command; returns the expected outcome, `None` if the matcher gives up.
    pub(super) fn follow(&mut self, command: Command) -> Option<Outcome> {
        self.history.push(command);
        match command {
            Command::Nothing | Command::Sample => Some(Outcome::None),
            Command::Token(token) => self.accept(token),
            Command::Back(count) => Some(self.take_back(count)),
        }
    }

    fn accept(&mut self, token: TokenId) -> Option<Outcome> {
        match self.matcher.accept_token(token) {
            Ok(()) => {}
            Err(MatchError::NotAllowed { .. } | MatchError::TokenNotAllowed { .. } | MatchError::Terminated) => {
                // A text that the format does not allow is followed up to this place.
                if let Course::Along { text, at, astray: 0 } = &self.course {
                    self.is_over |= text.get(*at) == Some(&token);
                }
                return Some(Outcome::Refused);
            }
            Err(_) => return None,
        }
        self.log = MOST_LOG.min(self.log + 1);
        if let Course::Along { text, at, astray } = &mut self.course {
            let is_next = *astray == 0 && text.get(*at).is_none_or(|next| *next == token);
            *(if is_next { at } else { astray }) += 1;
        }
        Some(if self.matcher.is_terminated() { Outcome::Ended } else { Outcome::Accepted })
    }

    fn take_back(&mut self, count: usize) -> Outcome {
        if count > self.log || self.matcher.rollback(count).is_err() {
            // The sequence has left its text, and no way leads back.
            self.is_over |= matches!(self.course, Course::Along { astray: 1.., .. });
            return Outcome::Refused;
        }
        self.log -= count;
        if let Course::Along { at, astray, .. } = &mut self.course {
            let from_astray = count.min(*astray);
            *astray -= from_astray;
            *at -= count - from_astray;
        }
        Outcome::Accepted
    }

    /// Describes the commands so far, for people.
    pub(super) fn history(&self) -> String {
        format!("{:?}", self.history)
    }
}

/// Returns the tokens of a mask.
fn tokens_of(mask: &[u32]) -> Vec<TokenId> {
    let all = 0..mask.len() as u32 * 32;
    all.filter(|token| mask[*token as usize / 32] >> (token % 32) & 1 == 1).map(TokenId).collect()
}

/// Picks one of the allowed tokens, usually one that is tried more often than others.
fn likely(proof: &Proof<'_>, allowed: &[TokenId], random: &mut Random) -> Option<TokenId> {
    let likely = random.choose(&proof.likely).copied().filter(|token| allowed.binary_search(token).is_ok());
    likely.filter(|_| !random.one_in(3)).or_else(|| random.choose(allowed).copied())
}
