//! One text that is being written, between the passes of the model.

mod asking;
mod choosing;
mod drafting;
mod guess;
mod recording;
mod reusing;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ogc_runtime::canonical::TokenPolicy;
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::TokenId;
use ogc_runtime::watch::{Stopped, is_stopped};

use super::probabilities::Probabilities;
use super::record::{Recorder, Recording, TokenRecord};
use super::request::{Jump, Request, Speculation};
use super::statistics::Statistics;
use super::text::Text;
use super::{Ended, Generated};
use crate::chosen::ChosenBy;
use crate::error::GenerateError;
use crate::loaded::LoadedModel;
use crate::model::choice::{Asked, RowAnswer, RowAsk};
use crate::model::{Cache, MAX_PROMPT};
use crate::sample::Sampler;
use drafting::Drafter;
use guess::Guess;
use reusing::Reuse;

/// The tokens that may come next, as far as they decide whether the model must be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Allowed {
    /// Only an end of sequence.
    End,
    /// One token.
    One(TokenId),
    /// Several tokens.
    Several,
}

/// The tokens that a pass reads for a text.
#[derive(Clone, Debug)]
enum Reading {
    /// Tokens of the prompt, whose logits nobody needs.
    Prompt(Vec<TokenId>),
    /// Tokens that were written, and after them a guess; `rows` are the questions after the last of all these tokens.
    Text { tokens: Vec<TokenId>, guess: Guess, rows: Vec<RowAsk>, by: ChosenBy },
    /// Tokens that the draft model reads, in a pass of its own; `is_last` asks for the logits after the last of them.
    Draft { tokens: Vec<TokenId>, is_last: bool },
}

/// The answers of a pass from which tokens are still to be chosen.
#[derive(Debug)]
struct Unchosen {
    /// The answers from the token `at` on; none once the tokens are chosen.
    answers: VecDeque<RowAnswer>,
    guess: Guess,
    by: ChosenBy,
    /// The number of positions that were read before the guess.
    certain: usize,
    /// The number of tokens that were chosen, all of them equal to the guess.
    at: usize,
}

/// A text that is being written: its matcher, the tokens that the model has read, and the tokens that it has not.
/// [`pass`](super::pass) advances it.
///
/// ```
#[doc = include_str!("../example.md")]
/// let mut sequence = Sequence::new(&loaded, matcher, request)?;
/// while sequence.ended().is_none() {
///     for result in pass(&loaded, &mut [&mut sequence])? {
///         result?;
///     }
/// }
/// assert_eq!(sequence.text(), "abab");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Sequence {
    matcher: Matcher,
    cache: Cache,
    sampler: Sampler,
    jump: Jump,
    speculation: Speculation,
    drafter: Option<Drafter>,
    /// The tokens that may come next, as bits.
    mask: Vec<u32>,
    /// The tokens of the prompt that the model has not read, without the last token of the prompt.
    unread: VecDeque<TokenId>,
    reuse: Option<Reuse>,
    /// The tokens after those, which the model has not read either: the last token of the prompt, or tokens that were written.
    pending: Vec<TokenId>,
    /// The tokens of the prompt and of the text.
    past: Vec<TokenId>,
    /// The number of tokens of the prompt.
    prompt: usize,
    /// The tokens that the next pass reads, once it is prepared.
    reading: Option<Reading>,
    /// The answers of the last pass, as long as tokens are to be chosen from them.
    unchosen: Option<Unchosen>,
    /// Whether the model has chosen another token than the guessed one in the current forced run.
    refused: bool,
    ended: Option<Ended>,
    statistics: Statistics,
    text: Text,
    wanted_probabilities: Option<usize>,
    probabilities: Vec<Probabilities>,
    recorder: Option<Recorder>,
    /// Whether the model is run even where only an end may come.
    asks_end: bool,
}

impl Sequence {
    /// Begins a text of the matcher's format behind a prompt.
    ///
    /// The matcher stands at the beginning of the format. It gets a rollback window as long as a guess, and a budget, so that the text is
    /// complete within `max_tokens` and within the model's context.
    ///
    /// # Errors
    /// The prompt is empty or leaves no room in the context, no text of the format fits into the budget, or a draft model is requested
    /// and there is none.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(Sequence::new(&loaded, matcher, Request::new(Vec::new(), 10)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(loaded: &LoadedModel, mut matcher: Matcher, request: Request) -> Result<Self, GenerateError> {
        let context = loaded.model.context();
        let Some((&last, before)) = request.prompt.split_last() else { return Err(GenerateError::EmptyPrompt) };
        let room = context.checked_sub(request.prompt.len()).filter(|room| *room > 0);
        let room = room.ok_or(GenerateError::Context { given: request.prompt.len() + 1, limit: context })?;
        let most = u32::try_from(room).unwrap_or(u32::MAX).min(request.max_tokens);
        let tokens = request.tokens.or(matcher.automaton().token_policy).unwrap_or_default();
        let canonical = match tokens {
            TokenPolicy::Canonical => Some(loaded.canonical_tokens(matcher.store())),
            TokenPolicy::Any => None,
        };
        matcher.set_canonical_tokens(canonical)?;
        matcher.set_budget(Some(most))?;
        let statistics = Statistics { prompt_tokens: request.prompt.len(), ..Statistics::default() };
        let positions = request.prompt.len() + most as usize;
        let mut cache = loaded.model.cache(positions);
        // Only a guess by look-up is rolled back.
        matcher.set_rollback_window(Some(match request.speculation {
            Speculation::Lookup { most } | Speculation::Draft { lookup: most, .. } => most,
            Speculation::Off => 0,
        }));
        let words = loaded.vocabulary.padded_len().div_ceil(32);
        let drafter = match (request.speculation, loaded.draft()) {
            (Speculation::Draft { .. }, None) => return Err(GenerateError::no_draft_model()),
            (Speculation::Draft { length, .. }, Some(model)) => {
                Some(Drafter::new(model, length, (positions, words), request.prefixes.clone()))
            }
            _ => None,
        };
        loaded.model.enter(&mut cache, &matcher);
        let is_every_place = matches!(request.recording, Recording::EveryPlace { .. });
        Ok(Self {
            matcher,
            cache,
            sampler: Sampler::new(request.sampling, request.number),
            jump: if is_every_place { Jump::Off } else { request.jump },
            speculation: request.speculation,
            drafter,
            mask: vec![0; words],
            unread: before.iter().copied().collect(),
            reuse: request.prefixes.filter(|_| !loaded.model.is_elsewhere()).map(Reuse::new),
            pending: vec![last],
            prompt: request.prompt.len(),
            past: request.prompt,
            reading: None,
            unchosen: None,
            refused: false,
            ended: None,
            statistics,
            text: Text::default(),
            wanted_probabilities: request.probabilities,
            probabilities: Vec::new(),
            recorder: Recorder::new(request.recording),
            asks_end: is_every_place,
        })
    }

    /// Returns the reason why the text ended, if it has.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(Sequence::new(&loaded, matcher, request)?.ended().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ended(&self) -> Option<Ended> {
        self.ended
    }

    /// Returns the tokens of the text so far, without an end of sequence.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(Sequence::new(&loaded, matcher, request)?.tokens().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tokens(&self) -> &[TokenId] {
        &self.past[self.prompt..]
    }

    /// Returns the text so far, without an incomplete character at its end. Special tokens required by the format contribute nothing to it.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(Sequence::new(&loaded, matcher, request)?.text(), "");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// Returns the probabilities of each token, if the request asked for them.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(Sequence::new(&loaded, matcher, request)?.probabilities().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn probabilities(&self) -> &[Probabilities] {
        &self.probabilities
    }

    /// Returns the record of each token so far, if the request asked for it. Odds of tokens without alternatives come with a later pass.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// use ogc_generate::{Recording, TokenSource};
    /// let request = Request { recording: Recording::Passes { likeliest: 4 }, ..request };
    /// let mut sequence = Sequence::new(&loaded, matcher, request)?;
    /// while sequence.ended().is_none() {
    ///     pass(&loaded, &mut [&mut sequence])?;
    /// }
    /// assert!(sequence.record().iter().map(|record| &record.token).eq(sequence.tokens()));
    /// assert_ne!(sequence.record()[0].source, TokenSource::Guess, "nothing is guessed unless that is asked for");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn record(&self) -> &[TokenRecord] {
        self.recorder.as_ref().map_or(&[], Recorder::tokens)
    }

    /// Returns the work that the text took so far.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(Sequence::new(&loaded, matcher, request)?.statistics().passes, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Returns the matcher, behind the last token that was written.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(!Sequence::new(&loaded, matcher, request)?.matcher().is_complete());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn matcher(&self) -> &Matcher {
        &self.matcher
    }

    /// Ends the text where it is.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// let mut sequence = Sequence::new(&loaded, matcher, request)?;
    /// sequence.stop();
    /// assert_eq!(sequence.ended(), Some(Ended::Stopped));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stop(&mut self) {
        self.ended.get_or_insert(Ended::Stopped);
        self.text.end();
    }

    /// Returns the generated text, and consumes the sequence.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// let mut sequence = Sequence::new(&loaded, matcher, request)?;
    /// sequence.stop();
    /// assert_eq!(sequence.into_generated().text, "");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn into_generated(self) -> Generated {
        Generated {
            tokens: self.past[self.prompt..].to_vec(),
            text: self.text.as_str().to_owned(),
            ended: self.ended.unwrap_or(Ended::Stopped),
            statistics: self.statistics,
            probabilities: self.probabilities,
            record: self.recorder.map(Recorder::into_tokens).unwrap_or_default(),
        }
    }

    /// Does all the work of masks: writes the tokens that the last pass decides and those without alternatives, and decides what the next
    /// pass reads. Does nothing if that is decided already, or if the text has ended.
    ///
    /// If a [watch](ogc_runtime::watch) stops this, the tokens that were written stay, and the next call goes on.
    ///
    /// # Errors
    /// The format allows no token of the vocabulary, is too ambiguous, or the watch has stopped the work.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// use ogc_runtime::watch::watched;
    /// let request = Request::new(request.prompt[..1].to_vec(), 10);
    /// let mut sequence = Sequence::new(&loaded, matcher, request)?;
    /// assert!(watched(|| false, || sequence.prepare(&loaded)).is_err() && !sequence.is_prepared());
    /// assert!(watched(|| true, || sequence.prepare(&loaded))?.is_ok() && sequence.is_prepared());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare(&mut self, loaded: &LoadedModel) -> Result<(), GenerateError> {
        self.choose_tokens()?;
        // A reading that is still there belongs to a pass that failed, which is made again.
        if self.ended.is_some() || self.reading.is_some() {
            return Ok(());
        }
        self.reuse_pages();
        // How much of a prompt is read is decided later, for all texts of a pass together.
        if !self.unread.is_empty() {
            return Ok(());
        }
        if !self.is_drafting() {
            self.without_model()?;
        }
        if self.ended.is_none() {
            self.prepare_text(loaded)?;
        }
        Ok(())
    }

    /// Decides what the next pass reads: the tokens that were written, and a guess.
    fn prepare_text(&mut self, loaded: &LoadedModel) -> Result<(), GenerateError> {
        let refused = self.refused;
        let mut guess = if self.is_drafting() { Guess::default() } else { self.guess(loaded)? };
        if is_stopped() {
            // A run or a guess may have been cut short.
            self.refused = refused;
            return Err(Stopped.into());
        }
        if guess.tokens.is_empty() && self.drafter.is_some() {
            let Some(drafted) = self.draft(loaded)? else { return Ok(()) };
            guess = drafted;
        }
        let (rows, by) = self.ask(loaded, &guess.tokens);
        // A draft is not written twice; with a draft model, asking takes no masks.
        if is_stopped() && self.drafter.is_none() {
            self.refused = refused;
            return Err(Stopped.into());
        }
        let tokens = std::mem::take(&mut self.pending);
        self.reading = Some(Reading::Text { tokens, guess, rows, by });
        Ok(())
    }

    /// Returns whether the next pass can read for this text; also true if the text has ended.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// let request = Request::new(request.prompt[..1].to_vec(), 10);
    /// let mut sequence = Sequence::new(&loaded, matcher, request)?;
    /// assert!(!sequence.is_prepared());
    /// sequence.prepare(&loaded)?;
    /// assert!(sequence.is_prepared());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_prepared(&self) -> bool {
        self.ended.is_some() || self.reading.is_some() || !self.unread.is_empty()
    }

    /// Returns the number of prompt tokens to read before the passes that decide the text.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// let request = Request::new([&request.prompt[..1]; 40].concat(), 10);
    /// assert_eq!(Sequence::new(&loaded, matcher, request)?.unread(), 39);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn unread(&self) -> usize {
        if self.ended.is_some() || self.reading.is_some() { 0 } else { self.unread.len() }
    }

    /// Returns the number of tokens that the next pass of the model reads: those that were written and a guess, or the part of the prompt
    /// that was [shared](super::share_prompts).
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// use ogc_runtime::canonical::TokenPolicy;
    /// let request = Request { tokens: Some(TokenPolicy::Any), ..Request::new(request.prompt[..1].to_vec(), 10) };
    /// let mut sequence = Sequence::new(&loaded, matcher, request)?;
    /// sequence.prepare(&loaded)?;
    /// assert_eq!(sequence.asked_tokens(), 3, "the last token of the prompt, and two that the format forces");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn asked_tokens(&self) -> usize {
        match &self.reading {
            Some(Reading::Text { tokens, guess, .. }) => tokens.len() + guess.tokens.len(),
            Some(Reading::Prompt(tokens)) => tokens.len(),
            Some(Reading::Draft { .. }) | None => 0,
        }
    }

    /// Returns an upper bound of the tokens that the next pass reads for the text, before prompts are [shared](super::share_prompts).
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// let request = Request::new([&request.prompt[..1]; 40].concat(), 10);
    /// assert_eq!(Sequence::new(&loaded, matcher, request)?.most_asked_tokens(), 32);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn most_asked_tokens(&self) -> usize {
        self.unread().min(MAX_PROMPT).max(self.asked_tokens())
    }

    /// Returns the tokens that the pass reads, and the questions after them.
    pub(super) fn asked<'a>(&'a mut self, read: &'a mut Vec<TokenId>) -> Option<Asked<'a>> {
        let reading = self.reading.as_ref().filter(|_| self.ended.is_none())?;
        let rows: &[RowAsk] = match reading {
            Reading::Prompt(tokens) => {
                read.extend(tokens);
                &[]
            }
            Reading::Text { tokens, guess, rows, .. } => {
                read.extend(tokens.iter().chain(&guess.tokens));
                rows
            }
            Reading::Draft { .. } => return None,
        };
        Some(Asked { cache: &mut self.cache, tokens: read, rows, sampler: &self.sampler })
    }

    /// Takes the answers of a pass, and the time that the pass took.
    pub(super) fn receive(&mut self, answers: Vec<RowAnswer>, time: Duration) {
        match self.reading.take() {
            None => {}
            // The model did not read for it.
            Some(reading @ Reading::Draft { .. }) => self.reading = Some(reading),
            Some(Reading::Prompt(_)) => self.statistics.prompt_time += time,
            Some(Reading::Text { guess, by, .. }) => {
                self.statistics.model_time += time;
                self.statistics.passes += 1;
                let certain = self.cache.len() - guess.tokens.len();
                let answers = self.record_waiting(answers.into());
                self.unchosen = Some(Unchosen { answers, guess, by, certain, at: 0 });
            }
        }
    }

    /// Writes tokens without alternatives, and ends a text that nothing can follow.
    fn without_model(&mut self) -> Result<(), GenerateError> {
        while self.ended.is_none() {
            match self.allowed()? {
                Allowed::End if !self.asks_end => self.end(Ended::Complete),
                Allowed::One(token) if self.jump == Jump::Verify && self.wanted_probabilities.is_none() => {
                    self.write(token)?;
                    self.statistics.forced += 1;
                    self.pending.push(token);
                    self.record_only(token);
                }
                Allowed::End | Allowed::One(_) | Allowed::Several => break,
            }
        }
        Ok(())
    }

    /// Computes the mask, and returns the tokens that it allows.
    fn allowed(&mut self) -> Result<Allowed, GenerateError> {
        let start = Instant::now();
        let allowed = allowed_by(&mut self.matcher, &mut self.mask)?;
        self.statistics.mask_time += start.elapsed();
        allowed.ok_or(GenerateError::DeadEnd { tokens: self.tokens().len() })
    }

    /// Writes a token: steps the matcher, and adds the token to the text.
    fn write(&mut self, token: TokenId) -> Result<(), MatchError> {
        self.matcher.accept_token(token)?;
        if self.matcher.is_terminated() {
            self.end(Ended::Chosen);
            return Ok(());
        }
        self.past.push(token);
        self.statistics.tokens += 1;
        let vocabulary = self.matcher.store().vocabulary();
        self.text.add(vocabulary.text(token).unwrap_or_default());
        Ok(())
    }

    fn end(&mut self, ended: Ended) {
        self.ended = Some(ended);
        self.text.end();
        self.probabilities.truncate(self.past.len() - self.prompt);
    }
}

/// Fills a mask with the tokens that a matcher allows; `None` if it allows none.
fn allowed_by(matcher: &mut Matcher, words: &mut [u32]) -> Result<Option<Allowed>, MatchError> {
    let mask = matcher.mask()?;
    mask.fill(words);
    let allowed: u32 = words.iter().map(|word| word.count_ones()).sum();
    let first = words.iter().zip((0..).step_by(32)).find(|(word, _)| **word != 0);
    Ok(first.map(|(word, at)| match allowed {
        _ if mask.allows_end() && allowed as usize == matcher.stop_tokens().len() => Allowed::End,
        1 => Allowed::One(TokenId(at + word.trailing_zeros())),
        _ => Allowed::Several,
    }))
}
