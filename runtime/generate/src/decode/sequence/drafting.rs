//! Guesses by a draft model: a second, smaller model writes some tokens, which the model then reads in one pass and judges.
//!
//! # Steps
//!
//! 1. A draft begins where the text stands: with a copy of its matcher, and with the positions that the draft model has
//!    read ([`Drafter::begin`]).
//! 2. Token by token, the format gives the mask. A single token is taken as it is; among several, the draft model draws
//!    as the text's sampler does, and the odds are kept ([`Drafter::step`]). Before it can draw, it must read the
//!    tokens that it has not read yet, in a pass that it shares with other texts.
//! 3. A draft is whole when it is as long as it may be, when the draft model is not sure enough that all of it is kept ([`DraftLength`]), when
//!    the text would end, or when nothing can be drawn. The model reads it in its next pass, and judges each token by the odds of both
//!    ([`odds`](crate::sample::odds)).
//!
//! The length of a draft does not depend on any token that is drawn after its last one: whether a drawn token is dropped
//! must not depend on the token itself.

use std::time::{Duration, Instant};

use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

use super::super::request::DraftLength;
use super::super::statistics::Statistics;
use super::guess::Guess;
use super::reusing::Reuse;
use super::{Allowed, Reading, Sequence, allowed_by};
use crate::error::GenerateError;
use crate::loaded::LoadedModel;
use crate::model::{BatchPart, Cache, Model, Prefixes};
use crate::sample::Sampler;
use crate::sample::odds::Odds;

/// A draft that is being written.
#[derive(Debug)]
struct Draft {
    /// The matcher after the last token of the draft.
    matcher: Matcher,
    tokens: Vec<TokenId>,
    odds: Vec<Option<Odds>>,
    /// The product of the greatest probabilities at the places of the tokens.
    sure: f64,
    /// The logits after the last token, once they are known.
    logits: Option<Vec<f32>>,
}

/// The next step of a draft.
enum Step {
    /// A token was added.
    Added,
    /// The draft model has to read these tokens first; if `is_last`, the logits after the last of them are wanted.
    Reads { tokens: Vec<TokenId>, is_last: bool },
    /// The draft is complete.
    Whole,
}

/// The parts of a text that a draft needs.
struct DraftedText<'a> {
    /// The tokens of the prompt and of the text.
    past: &'a [TokenId],
    /// The number of tokens of the prompt.
    prompt: usize,
    sampler: &'a mut Sampler,
    statistics: &'a mut Statistics,
    /// The number of guessed tokens that fit into the context of the model.
    room: usize,
}

/// Writes the drafts of one text.
#[derive(Debug)]
pub(super) struct Drafter {
    cache: Cache,
    /// The tokens that the draft model has read: tokens of the text, and then perhaps some of a draft that were rejected.
    read: Vec<TokenId>,
    length: DraftLength,
    /// Cap on the positions that the draft model can read.
    context: usize,
    /// Cap on the tokens that it reads in a pass.
    most_read: usize,
    reuse: Option<Reuse>,
    mask: Vec<u32>,
    draft: Option<Draft>,
}

impl Drafter {
    /// Makes a drafter without a draft, for a text of `positions` positions and masks of `words` words; `prefixes` has the prompts that
    /// other texts have read.
    pub(super) fn new(
        model: &Model,
        length: DraftLength,
        (positions, words): (usize, usize),
        prefixes: Option<Prefixes>,
    ) -> Self {
        Self {
            cache: model.cache(positions.min(model.context())),
            reuse: prefixes.filter(|_| !model.is_elsewhere()).map(Reuse::of_draft),
            read: Vec::new(),
            length,
            context: model.context(),
            most_read: model.most_prompt(),
            mask: vec![0; words],
            draft: None,
        }
    }

    /// Begins a draft after a text. The positions that the draft model has read beyond the text are rolled back, and
    /// also the position of the text's last token.
    fn begin(&mut self, matcher: &Matcher, past: &[TokenId], prompt: usize) {
        let before = past.len().saturating_sub(1);
        let same = self.read.iter().zip(past).take(before).take_while(|(read, past)| read == past).count();
        self.read.truncate(same);
        self.cache.truncate(same);
        if let Some(reuse) = &mut self.reuse {
            let taken = reuse.exchange(&mut self.cache, past, prompt);
            self.read.extend(&past[same..same + taken]);
        }
        let (tokens, odds) = Default::default();
        self.draft = Some(Draft { matcher: matcher.fork(), tokens, odds, sure: 1.0, logits: None });
    }

    /// Adds a token to the draft, or returns the step that must come first.
    fn step(&mut self, text: &mut DraftedText<'_>) -> Result<Step, GenerateError> {
        let Some(draft) = &mut self.draft else { return Ok(Step::Whole) };
        if draft.tokens.len() >= self.length.most.min(text.room) || draft.matcher.is_terminated() {
            return Ok(Step::Whole);
        }
        let start = Instant::now();
        let allowed = allowed_by(&mut draft.matcher, &mut self.mask)?;
        text.statistics.mask_time += start.elapsed();
        match allowed {
            None | Some(Allowed::End) => Ok(Step::Whole),
            Some(Allowed::One(token)) => draft.add(token, None),
            Some(Allowed::Several) => match &draft.logits {
                Some(logits) => match draw(logits, &self.mask, &draft.tokens, text) {
                    // Whether the draft ends here does not depend on the token that was drawn.
                    Some(drawn) if draft.sure * drawn.confidence >= f64::from(self.length.least_sure) => {
                        draft.sure *= drawn.confidence;
                        draft.add(drawn.token, Some(drawn.odds))
                    }
                    _ => Ok(Step::Whole),
                },
                None => Ok(self.reads(text.past)),
            },
        }
    }

    /// Returns the tokens of the text and of the draft that the draft model has to read next.
    fn reads(&self, past: &[TokenId]) -> Step {
        let drafted = self.draft.iter().flat_map(|draft| &draft.tokens);
        let all = past.len() + drafted.clone().count();
        if all > self.context {
            return Step::Whole;
        }
        let unread = past.iter().chain(drafted).skip(self.read.len());
        let tokens: Vec<TokenId> = unread.take(self.most_read).copied().collect();
        let is_last = self.read.len() + tokens.len() == all;
        Step::Reads { tokens, is_last }
    }

    /// Takes the draft, as a guess.
    fn take(&mut self) -> Guess {
        let (tokens, odds) = self.draft.take().map(|draft| (draft.tokens, draft.odds)).unwrap_or_default();
        Guess::drawn(tokens, odds)
    }
}

impl Draft {
    fn add(&mut self, token: TokenId, odds: Option<Odds>) -> Result<Step, GenerateError> {
        self.matcher.accept_token(token)?;
        self.logits = None;
        self.tokens.push(token);
        self.odds.push(odds);
        Ok(Step::Added)
    }
}

/// A token that a draft model has drawn.
struct Drawn {
    token: TokenId,
    odds: Odds,
    /// The draft model's greatest probability at the place.
    confidence: f64,
}

/// Draws a token as the text's sampler does; `None` if no token that may come has a logit.
fn draw(logits: &[f32], mask: &[u32], drafted: &[TokenId], text: &mut DraftedText<'_>) -> Option<Drawn> {
    let start = Instant::now();
    let written = [&text.past[text.prompt..], drafted].concat();
    let token = text.sampler.choose(logits, mask, &written, written.len() as u64)?;
    let odds = text.sampler.odds(logits, mask, &written)?;
    let confidence = text.sampler.confidence(logits, mask, &written, &odds);
    text.statistics.choice_time += start.elapsed();
    Some(Drawn { token, odds, confidence })
}

impl Sequence {
    /// Returns whether a draft is being written.
    pub(super) fn is_drafting(&self) -> bool {
        self.drafter.as_ref().is_some_and(|drafter| drafter.draft.is_some())
    }

    /// Goes on with a draft, or begins one. Returns the draft if it is complete; else sets what the draft model reads next.
    pub(super) fn draft(&mut self, loaded: &LoadedModel) -> Result<Option<Guess>, GenerateError> {
        let room = self.room(loaded);
        let Self { drafter: Some(drafter), matcher, sampler, past, prompt, statistics, reading, .. } = self else {
            return Ok(None);
        };
        if drafter.draft.is_none() {
            drafter.begin(matcher, past, *prompt);
        }
        let mut text = DraftedText { past, prompt: *prompt, sampler, statistics, room };
        loop {
            match drafter.step(&mut text)? {
                Step::Added => {}
                Step::Reads { tokens, is_last } => {
                    *reading = Some(Reading::Draft { tokens, is_last });
                    return Ok(None);
                }
                Step::Whole => break,
            }
        }
        let guess = drafter.take();
        statistics.drafted += (0..guess.tokens.len()).filter(|at| guess.odds(*at).is_some()).count();
        Ok(Some(guess))
    }

    /// Returns the tokens that the draft model is to read for the text.
    pub(in crate::decode) fn draft_part(&mut self) -> Option<BatchPart<'_>> {
        match (&self.reading, &mut self.drafter, self.ended) {
            (Some(Reading::Draft { tokens, is_last }), Some(drafter), None) => {
                Some(BatchPart { cache: &mut drafter.cache, tokens, rows: usize::from(*is_last) })
            }
            _ => None,
        }
    }

    /// Takes the logits of a pass of the draft model that took this time.
    pub(in crate::decode) fn receive_draft(&mut self, logits: Vec<f32>, time: Duration) {
        let Some(Reading::Draft { tokens, is_last }) = self.reading.take() else { return };
        let Some(drafter) = &mut self.drafter else { return };
        drafter.read.extend(tokens);
        if !is_last {
            self.statistics.prompt_time += time;
            return;
        }
        self.statistics.draft_time += time;
        self.statistics.draft_passes += 1;
        if let Some(draft) = &mut drafter.draft {
            draft.logits = Some(logits);
        }
    }

    /// Returns whether a draft model is to read for the text before its next pass: see [`read_drafts`](crate::read_drafts).
    ///
    /// ```
    #[doc = include_str!("../../example.md")]
    /// let mut sequence = Sequence::new(&loaded, matcher, request)?;
    /// sequence.prepare(&loaded)?;
    /// assert!(!sequence.reads_draft(), "nothing is drafted unless that is asked for");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reads_draft(&self) -> bool {
        self.ended.is_none() && matches!(self.reading, Some(Reading::Draft { .. }))
    }

    /// Returns whether the draft model needs more than one pass to read the text: it has not read the prompt yet.
    ///
    /// ```
    #[doc = include_str!("../../example.md")]
    /// assert!(!Sequence::new(&loaded, matcher, request)?.reads_prompt_for_draft());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reads_prompt_for_draft(&self) -> bool {
        self.ended.is_none() && matches!(self.reading, Some(Reading::Draft { is_last: false, .. }))
    }
}
