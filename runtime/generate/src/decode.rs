//! The decode loop: reads prompts, then writes texts that their formats allow, until they are complete.
//!
//! # Steps of one pass
//!
//! A [`Sequence`] is one text. [`pass`] advances several texts, which share the passes of the model:
//!
//! 1. Prompts are read in parts ([`prompts`]), in the order in which the texts are given, so that other texts are not held up. Where
//!    prompts begin alike, the parts that other texts have read are reused ([`PrefixCache`](crate::PrefixCache)).
//! 2. Where the format allows a single token, it is written without asking the model. Where it allows nothing but an end, the
//!    text is complete.
//! 3. Where the format forces the next bytes ([`Jump::Verify`]), or the last tokens came before
//!    ([`Speculation::Lookup`]), the tokens that should follow are a draft. The model reads the draft together with the
//!    last token, and gives the logits of every position. Otherwise a draft model may write them, in passes of its own
//!    ([`read_drafts`]).
//! 4. At each position the matcher gives the mask, and the sampler chooses. As long as its choice is the token of the
//!    draft, the next position needs no pass of its own. At the first other choice, the rest of the draft is rolled
//!    back from the cache. If the draft was a forced run, the rest of the run is written without drafts.
//!
//! Where the model is on a device, the device chooses as the sampler does, and only tokens come back. The masks of the
//! positions are found before the pass. The host's matcher follows the tokens, and a token that it rejects is an error.
//! The choosers are counted ([`Choices`](crate::Choices)).
//!
//! # Masks that take long
//!
//! [`pass`] does all of this on one thread. A server splits a pass, so that a text with a slow mask does not hold up
//! the others. [`Sequence::prepare`] does all the work of masks; it can be stopped (see [`ogc_runtime::watch`]), goes
//! on where it was when it is called again, and may be called on another thread. [`read`] runs the model for the texts
//! that are prepared.
//!
//! # Why drafts and neighbours change nothing
//!
//! At every temperature, the text is the same with and without drafts, and with any other texts in its passes: each
//! token is chosen by the same logits (see [`Model`](crate::Model)), under the same mask, with a number drawn for its
//! request and position. A draft only says which passes can be shared. A token without alternatives is the only one
//! that the sampler could choose.
//!
//! Drafts of a draft model ([`Speculation::Draft`]) change nothing at temperature 0. Above 0, choosing by a number drawn for the position
//! would keep few of their tokens, so they are judged by the probabilities that both models give them (`sample/odds.rs`). The text is then
//! another one of the same distribution. It still does not depend on the texts beside it, as the beginnings and lengths of drafts depend on
//! the text alone.

mod lookup;
mod probabilities;
mod prompts;
mod record;
mod request;
mod sequence;
mod statistics;
mod text;

use std::ops::ControlFlow;
use std::time::Instant;

use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

pub use probabilities::{Probabilities, Probable};
pub use record::{MaskedOdds, Recording, TokenRecord, TokenSource};
pub use request::{DraftLength, Jump, Request, Speculation};
pub use sequence::Sequence;
pub use statistics::Statistics;

use crate::error::GenerateError;
use crate::loaded::LoadedModel;
use crate::model::choice::Asked;

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
    /// The format allows only an end.
    Complete,
    /// The caller wants no more; the text may be incomplete.
    Stopped,
}

/// A text that was generated.
///
/// ```
#[doc = include_str!("example.md")]
/// let generated = generate(&loaded, matcher, request, |_| ControlFlow::Continue(()))?;
/// assert_eq!(generated.text, "abab");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Generated {
    /// The tokens, without an end of sequence.
    pub tokens: Vec<TokenId>,
    /// The text of the tokens; special tokens required by the format contribute nothing to it.
    pub text: String,
    /// The reason why it ended.
    pub ended: Ended,
    /// The work that it took.
    pub statistics: Statistics,
    /// The probabilities of each token and of the likeliest ones, if the request asked for them.
    pub probabilities: Vec<Probabilities>,
    /// The record of each token, if the request asked for it; of the end of sequence too, if the model chose one.
    pub record: Vec<TokenRecord>,
}

/// Advances several texts by one pass of the model, and returns a result for each. Texts that have ended take no part. If their prompts are
/// longer than a pass reads, the texts that are given first go first.
///
/// # Errors
/// The model cannot compute; no text has changed then. A single text fails if its format allows no token of the vocabulary: it must not be
/// continued, the others can.
///
/// ```
#[doc = include_str!("example.md")]
/// let mut one = Sequence::new(&loaded, matcher.fork(), request.clone())?;
/// let mut two = Sequence::new(&loaded, matcher, request)?;
/// while one.ended().is_none() || two.ended().is_none() {
///     assert!(pass(&loaded, &mut [&mut one, &mut two])?.iter().all(Result::is_ok));
/// }
/// assert_eq!(one.text(), two.text());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pass(
    loaded: &LoadedModel,
    sequences: &mut [&mut Sequence],
) -> Result<Vec<Result<(), GenerateError>>, GenerateError> {
    let mut results: Vec<_> = sequences.iter_mut().map(|sequence| sequence.prepare(loaded)).collect();
    while read_drafts(loaded, &mut prepared(sequences, &results))? {
        for (sequence, result) in sequences.iter_mut().zip(&mut results).filter(|(_, result)| result.is_ok()) {
            *result = sequence.prepare(loaded);
        }
    }
    read(loaded, &mut prepared(sequences, &results))?;
    for (sequence, result) in sequences.iter_mut().zip(&mut results).filter(|(_, result)| result.is_ok()) {
        *result = sequence.choose_tokens();
    }
    Ok(results)
}

/// Returns the sequences that were prepared.
fn prepared<'a>(sequences: &'a mut [&mut Sequence], results: &[Result<(), GenerateError>]) -> Vec<&'a mut Sequence> {
    let prepared = sequences.iter_mut().zip(results).filter(|(_, result)| result.is_ok());
    prepared.map(|(sequence, _)| &mut **sequence).collect()
}

/// Runs one pass of the draft model for the texts that are [prepared](Sequence::prepare) and write drafts; the others take no part. Returns
/// whether there were any. They must then be prepared again, which adds a token to each draft, or has the model read the draft in its next
/// pass.
///
/// # Errors
/// The draft model cannot compute; no text has changed then.
///
/// ```
#[doc = include_str!("example.md")]
/// use ogc_generate::read_drafts;
/// let mut sequence = Sequence::new(&loaded, matcher, request)?;
/// sequence.prepare(&loaded)?;
/// assert!(!read_drafts(&loaded, &mut [&mut sequence])?, "there is no draft model");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_drafts(loaded: &LoadedModel, sequences: &mut [&mut Sequence]) -> Result<bool, GenerateError> {
    let Some(model) = loaded.draft() else { return Ok(false) };
    let start = Instant::now();
    let mut asking: Vec<&mut Sequence> =
        sequences.iter_mut().map(|sequence| &mut **sequence).filter(|sequence| sequence.reads_draft()).collect();
    if asking.is_empty() {
        return Ok(false);
    }
    let mut parts: Vec<_> = asking.iter_mut().filter_map(|sequence| sequence.draft_part()).collect();
    let logits = model.forward_all(&mut parts)?;
    drop(parts);
    let time = start.elapsed();
    for (sequence, logits) in asking.into_iter().zip(logits) {
        sequence.receive_draft(logits, time);
    }
    Ok(true)
}

/// Runs one pass of the model for the texts that are [prepared](Sequence::prepare); the others take no part. If their prompts are longer
/// than a pass reads, the texts that are given first go first. For texts that write drafts, the draft model reads instead.
///
/// The tokens that the answers decide are written by the next [`Sequence::prepare`].
///
/// # Errors
/// The model cannot compute; no text has changed then.
///
/// ```
#[doc = include_str!("example.md")]
/// use ogc_generate::read;
/// let mut sequence = Sequence::new(&loaded, matcher, request)?;
/// while sequence.ended().is_none() {
///     sequence.prepare(&loaded)?;
///     read(&loaded, &mut [&mut sequence])?;
/// }
/// assert_eq!(sequence.text(), "abab");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(loaded: &LoadedModel, sequences: &mut [&mut Sequence]) -> Result<(), GenerateError> {
    read_drafts(loaded, sequences)?;
    share_prompts(loaded, sequences);
    read_shared(loaded, sequences, &mut || {})
}

/// Decides how many tokens of their prompts the next pass reads, for texts that are [prepared](Sequence::prepare).
/// Afterwards, [`Sequence::asked_tokens`] counts these tokens. The texts that are given first go first. This is the
/// first half of [`read`], for callers that need the cost of a pass before it runs.
///
/// ```
#[doc = include_str!("example.md")]
/// use ogc_generate::{read_shared, share_prompts};
/// let request = Request::new([&request.prompt[..1]; 40].concat(), 10);
/// let mut sequence = Sequence::new(&loaded, matcher, request)?;
/// sequence.prepare(&loaded)?;
/// share_prompts(&loaded, &mut [&mut sequence]);
/// assert_eq!(sequence.asked_tokens(), 32);
/// read_shared(&loaded, &mut [&mut sequence], &mut || {})?;
/// assert_eq!(sequence.unread(), 39 - 32);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn share_prompts(loaded: &LoadedModel, sequences: &mut [&mut Sequence]) {
    prompts::share(sequences, loaded.model.most_prompt());
}

/// Runs the pass whose prompts were [shared](share_prompts): the second half of [`read`]. A model on the CPU calls `between_layers` about a
/// hundred times a pass. The callback may run other passes, for texts that cannot wait for this one. They do not change this pass, as no
/// text depends on the texts beside it.
///
/// # Errors
/// The model cannot compute; no text has changed then.
///
/// ```
#[doc = include_str!("example.md")]
/// use ogc_generate::{read, read_shared, share_prompts};
/// let mut long = Sequence::new(&loaded, matcher.fork(), Request::new([&request.prompt[..1]; 40].concat(), 10))?;
/// let mut urgent = Sequence::new(&loaded, matcher, request)?;
/// long.prepare(&loaded)?;
/// share_prompts(&loaded, &mut [&mut long]);
/// read_shared(&loaded, &mut [&mut long], &mut || {
///     while urgent.ended().is_none() {
///         urgent.prepare(&loaded).expect("a mask");
///         read(&loaded, &mut [&mut urgent]).expect("a pass");
///     }
/// })?;
/// assert_eq!(urgent.text(), "abab");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_shared(
    loaded: &LoadedModel,
    sequences: &mut [&mut Sequence],
    between_layers: &mut (dyn FnMut() + Send),
) -> Result<(), GenerateError> {
    let start = Instant::now();
    let mut tokens = vec![Vec::new(); sequences.len()];
    let (mut asked, mut owners): (Vec<Asked<'_>>, Vec<usize>) = (Vec::new(), Vec::new());
    for (at, (sequence, tokens)) in sequences.iter_mut().zip(&mut tokens).enumerate() {
        let own = sequence.asked(tokens);
        owners.extend(own.is_some().then_some(at));
        asked.extend(own);
    }
    let answers = loaded.model.answer(&mut asked, between_layers)?;
    let time = start.elapsed();
    for (owner, answers) in owners.into_iter().zip(answers) {
        sequences[owner].receive(answers, time);
    }
    Ok(())
}

/// Writes a text of the matcher's format behind a prompt, and shows each piece of it as soon as it is certain.
///
/// The matcher stands at the beginning of the format. It is given a budget, so that the text is complete within `max_tokens` and
/// within the model's context.
///
/// # Errors
/// The prompt is empty or leaves no room in the context, no text of the format fits into the budget, or the format allows no
/// token of the vocabulary at some place.
///
/// ```
#[doc = include_str!("example.md")]
/// let generated = generate(&loaded, matcher, request, |_| ControlFlow::Continue(()))?;
/// assert_eq!((&*generated.text, generated.tokens.len()), ("abab", 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate(
    loaded: &LoadedModel,
    matcher: Matcher,
    request: Request,
    mut show: impl FnMut(&str) -> ControlFlow<()>,
) -> Result<Generated, GenerateError> {
    let mut sequence = Sequence::new(loaded, matcher, request)?;
    let mut shown = 0;
    while sequence.ended().is_none() {
        pass(loaded, &mut [&mut sequence])?.into_iter().collect::<Result<(), _>>()?;
        let piece = &sequence.text()[shown..];
        shown += piece.len();
        if !piece.is_empty() && show(piece).is_break() {
            sequence.stop();
        }
    }
    Ok(sequence.into_generated())
}
