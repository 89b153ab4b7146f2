//! The decode loop: reads the prompt, then writes a text that the format allows, until it is complete.
//!
//! # Steps of one pass
//!
//! 1. Where the format allows a single token, it is written without asking the model. Where it allows nothing but an end, the
//!    text is complete.
//! 2. Where the format forces the next bytes, their tokens are a draft ([`Jump::Verify`]): the model reads them together with
//!    the last token, in one pass that gives the logits of every position.
//! 3. At each position the matcher says what may come, and the sampler chooses. While its choice is the draft's, the
//!    next position needs no pass of its own; at the first other choice the rest of the draft is taken back from the cache, and
//!    the rest of the run is written without drafts.
//!
//! # Why a draft changes nothing
//!
//! The text is the same with and without drafts, at every temperature: each token is chosen by the same logits (see
//! [`Model`](crate::Model)), under the same mask, with a number drawn for its position. A draft only says which passes can be
//! shared. A token without alternatives is the only one that the sampler could choose.

mod statistics;
mod text;

use std::ops::ControlFlow;
use std::time::Instant;

use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

pub use statistics::Statistics;
use text::Pieces;

use crate::error::GenerateError;
use crate::loaded::LoadedModel;
use crate::model::Cache;
use crate::sample::{Sampler, Sampling};

/// Whether tokens that the format forces share a pass.
///
/// ```
/// use ogc_generate::Jump;
/// assert_eq!(Jump::default(), Jump::Verify);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Jump {
    /// The tokens of a forced run are read in one pass, and kept as far as the model chooses them.
    #[default]
    Verify,
    /// Each token takes a pass.
    Off,
}

/// What to write, and how.
///
/// ```
/// use ogc_generate::Request;
/// use ogc_runtime::vocabulary::TokenId;
/// let request = Request::new(vec![TokenId(1)], 100);
/// assert_eq!(request.max_tokens, 100);
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    /// The tokens of the prompt; at least one.
    pub prompt: Vec<TokenId>,
    /// The most tokens to write; the text is complete within them.
    pub max_tokens: u32,
    /// How tokens are chosen.
    pub sampling: Sampling,
    /// The number of the request, which its draws depend on.
    pub number: u64,
    /// Whether forced tokens share a pass.
    pub jump: Jump,
}

impl Request {
    /// Makes a request with the most likely tokens.
    ///
    /// ```
    /// use ogc_generate::{Jump, Request};
    /// assert_eq!(Request::new(Vec::new(), 1).jump, Jump::Verify);
    /// ```
    #[must_use]
    pub fn new(prompt: Vec<TokenId>, max_tokens: u32) -> Self {
        Self { prompt, max_tokens, sampling: Sampling::default(), number: 0, jump: Jump::default() }
    }
}

/// The reason why a text ended.
///
/// ```
/// use ogc_generate::Ended;
/// assert_ne!(Ended::Chosen, Ended::Complete);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The model chose an end of sequence where the format allows one.
    Chosen,
    /// Nothing else may come.
    Complete,
    /// The caller wants no more; the text may be incomplete.
    Stopped,
}

/// A text that was generated.
///
/// ```
#[doc = include_str!("example.md")]
/// assert_eq!(generated.text, "abab");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Generated {
    /// The tokens, without an end of sequence.
    pub tokens: Vec<TokenId>,
    /// Their text; special tokens that the format asks for have none.
    pub text: String,
    /// The reason why it ended.
    pub ended: Ended,
    /// The work that it took.
    pub statistics: Statistics,
}

/// Writes a text of the matcher's format behind a prompt, and shows each piece of it as soon as it is certain.
///
/// The matcher stands at the beginning of the format and steps through the text. It is given a budget, so that the text is
/// complete within `max_tokens` and within the model's context.
///
/// # Errors
/// The prompt is empty or leaves no room in the context, no text of the format fits into the budget, or the format allows no
/// token of the vocabulary at some place.
///
/// ```
#[doc = include_str!("example.md")]
/// assert_eq!(generated.tokens.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate(
    loaded: &LoadedModel,
    matcher: &mut Matcher,
    request: &Request,
    show: impl FnMut(&str) -> ControlFlow<()>,
) -> Result<Generated, GenerateError> {
    let context = loaded.model.context();
    let Some((&last, before)) = request.prompt.split_last() else { return Err(GenerateError::EmptyPrompt) };
    let room = context.checked_sub(request.prompt.len()).filter(|room| *room > 0);
    let room = room.ok_or(GenerateError::Context { given: request.prompt.len() + 1, limit: context })?;
    let most = u32::try_from(room).unwrap_or(u32::MAX).min(request.max_tokens);
    matcher.set_budget(Some(most))?;
    let mut decoder = Decoder {
        loaded,
        matcher,
        cache: loaded.model.cache(request.prompt.len() + most as usize),
        sampler: Sampler::new(request.sampling.clone(), request.number),
        jump: request.jump,
        mask: vec![0; loaded.vocabulary.padded_len().div_ceil(32)],
        pending: vec![last],
        tokens: Vec::new(),
        refused: false,
        statistics: Statistics { prompt_tokens: request.prompt.len(), ..Statistics::default() },
        pieces: Pieces::new(show),
    };
    decoder.read(before)?;
    let ended = decoder.run()?;
    let Decoder { tokens, statistics, pieces, .. } = decoder;
    Ok(Generated { tokens, text: pieces.finish(), ended, statistics })
}

/// The tokens that may come next, as far as the model need not be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Allowed {
    /// Nothing but an end of sequence.
    End,
    /// One token.
    One(TokenId),
    /// Several tokens.
    Several,
}

/// The state of one text that is being written.
struct Decoder<'a, F> {
    loaded: &'a LoadedModel,
    matcher: &'a mut Matcher,
    cache: Cache,
    sampler: Sampler,
    jump: Jump,
    /// The tokens that may come next, as bits.
    mask: Vec<u32>,
    /// Tokens that were written and that the model has not read.
    pending: Vec<TokenId>,
    tokens: Vec<TokenId>,
    /// Whether the model has chosen another token than the draft's in the forced run that it is in.
    refused: bool,
    statistics: Statistics,
    pieces: Pieces<F>,
}

impl<F: FnMut(&str) -> ControlFlow<()>> Decoder<'_, F> {
    /// Reads the prompt, but for its last token.
    fn read(&mut self, prompt: &[TokenId]) -> Result<(), GenerateError> {
        let start = Instant::now();
        self.loaded.model.forward(&mut self.cache, prompt, 0)?;
        self.statistics.prompt_time = start.elapsed();
        Ok(())
    }

    /// Writes until the text ends.
    fn run(&mut self) -> Result<Ended, GenerateError> {
        loop {
            if let ControlFlow::Break(ended) = self.without_model()? {
                return Ok(ended);
            }
            let draft = self.draft();
            if let ControlFlow::Break(ended) = self.pass(&draft)? {
                return Ok(ended);
            }
        }
    }

    /// Writes tokens without alternatives, and ends a text that nothing can follow.
    fn without_model(&mut self) -> Result<ControlFlow<Ended>, GenerateError> {
        loop {
            match self.allowed()? {
                Allowed::End => return Ok(ControlFlow::Break(Ended::Complete)),
                Allowed::One(token) if self.jump == Jump::Verify => {
                    self.statistics.forced += 1;
                    self.pending.push(token);
                    if let ControlFlow::Break(ended) = self.write(token)? {
                        return Ok(ControlFlow::Break(ended));
                    }
                }
                Allowed::One(_) | Allowed::Several => return Ok(ControlFlow::Continue(())),
            }
        }
    }

    /// Fills the mask.
    fn allowed(&mut self) -> Result<Allowed, GenerateError> {
        let start = Instant::now();
        let mask = self.matcher.mask()?;
        mask.fill(&mut self.mask);
        let allowed: u32 = self.mask.iter().map(|word| word.count_ones()).sum();
        self.statistics.mask_time += start.elapsed();
        let first = self.mask.iter().zip((0..).step_by(32)).find(|(word, _)| **word != 0);
        match first {
            None => Err(GenerateError::DeadEnd { tokens: self.tokens.len() }),
            _ if mask.allows_end() && allowed == self.loaded.vocabulary.eos().len() as u32 => Ok(Allowed::End),
            Some((word, at)) if allowed == 1 => Ok(Allowed::One(TokenId(at + word.trailing_zeros()))),
            Some(_) => Ok(Allowed::Several),
        }
    }

    /// Returns the tokens of the forced run that comes next, as many as fit into the context; none of a run that the model writes
    /// with other tokens, where drafts would be read in vain.
    fn draft(&mut self) -> Vec<TokenId> {
        if self.jump == Jump::Off {
            return Vec::new();
        }
        let start = Instant::now();
        let tokenizer = &self.loaded.tokenizer;
        let mut draft = self.matcher.forced_tokens(|text| tokenizer.text_tokens(text));
        draft.truncate(self.loaded.model.context().saturating_sub(self.cache.len() + self.pending.len()));
        self.statistics.mask_time += start.elapsed();
        self.refused &= !draft.is_empty();
        if self.refused { Vec::new() } else { draft }
    }

    /// Runs the model over the pending tokens and a draft, and chooses tokens as far as the choices are the draft's.
    fn pass(&mut self, draft: &[TokenId]) -> Result<ControlFlow<Ended>, GenerateError> {
        let mut read = std::mem::take(&mut self.pending);
        let certain = self.cache.len() + read.len();
        read.extend(draft);
        let start = Instant::now();
        let logits = self.loaded.model.forward(&mut self.cache, &read, draft.len() + 1)?;
        self.statistics.model_time += start.elapsed();
        self.statistics.passes += 1;
        let drafted = draft.iter().copied().map(Some).chain([None]);
        for (at, (logits, drafted)) in logits.chunks_exact(self.loaded.model.width()).zip(drafted).enumerate() {
            if at > 0 && self.allowed()? == Allowed::End {
                return Ok(ControlFlow::Break(Ended::Complete));
            }
            let token = self.choose(logits)?;
            let is_drafted = drafted == Some(token);
            if !is_drafted {
                self.cache.truncate(certain + at);
                self.pending = vec![token];
                self.refused |= at < draft.len();
            }
            self.statistics.forced += usize::from(is_drafted);
            let written = self.write(token)?;
            if written.is_break() || !is_drafted {
                return Ok(written);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Chooses a token by the logits and the mask.
    fn choose(&mut self, logits: &[f32]) -> Result<TokenId, GenerateError> {
        let start = Instant::now();
        let position = self.tokens.len() as u64;
        let token = self.sampler.choose(logits, &self.mask, &self.tokens, position);
        self.statistics.choice_time += start.elapsed();
        token.ok_or(GenerateError::DeadEnd { tokens: self.tokens.len() })
    }

    /// Steps the matcher by a token, and shows its text.
    fn write(&mut self, token: TokenId) -> Result<ControlFlow<Ended>, GenerateError> {
        self.matcher.accept_token(token)?;
        if self.matcher.is_terminated() {
            return Ok(ControlFlow::Break(Ended::Chosen));
        }
        self.tokens.push(token);
        self.statistics.tokens += 1;
        let text = self.loaded.vocabulary.text(token).unwrap_or_default();
        Ok(self.pieces.add(text).map_break(|()| Ended::Stopped))
    }
}
