//! Tries texts on a format: how far each is accepted, what may follow there, why it is refused, which rules are open.
//!
//! # Steps
//!
//! 1. [`stop`] matches a text against the format: byte by byte, or token by token if there is a vocabulary, so that
//!    bounds on tokens are enforced.
//! 2. [`reason`] describes the mistake, with its path if the text is JSON ([`json`]), and the texts that may come there
//!    ([`next`]).
//! 3. [`attempt`] adds the places of the open rules, the tokens and the captures.

mod json;
mod next;
mod reason;
mod stop;

use std::sync::Arc;

use ogc_compiler::db::{Db, SourceFile};
use ogc_compiler::pipeline::{self, Format, place_in};
use ogc_grammar::{Diagnostic, Span};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::captures::{Capture, CaptureReader};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MatchError, Matcher, MatcherPosition};
use ogc_runtime::vocabulary::{VocabularyError, marker};

use crate::cut::cut;
use crate::vocabulary::{Encoder, bytes_and};
use reason::Refusal;
use stop::{Counted, by_bytes};

pub use ogc_compiler::pipeline::is_value;
pub use reason::{Mistake, Reason};
pub use stop::{Piece, accept_most, greedy_pieces};

/// A format that texts are matched against, with the vocabularies that read them.
#[derive(Clone, Debug)]
pub struct Trial {
    automaton: Arc<Automaton>,
    /// The vocabulary of single bytes and of the tokens that the format names.
    bytes: Arc<MaskStore>,
    counted: Option<Counted>,
    is_value: bool,
}

/// The place where a format refuses a text, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The number of accepted bytes.
    pub accepted: usize,
    /// The format's state after the accepted bytes.
    pub position: MatcherPosition,
    /// The mistake.
    pub reason: Reason,
}

impl Trial {
    /// Makes a trial of an automaton; `is_value` says whether its texts are JSON values.
    ///
    /// # Errors
    ///
    /// The tokens that the automaton names make no vocabulary.
    pub fn new(automaton: Arc<Automaton>, is_value: bool) -> Result<Self, VocabularyError> {
        let bytes = bytes_and(&automaton.tokens)?;
        Ok(Self { automaton, bytes, counted: None, is_value })
    }

    /// Makes a trial of a format; `None` if it has errors.
    ///
    /// # Errors
    ///
    /// The tokens that the format names make no vocabulary.
    pub fn of(db: &dyn Db, format: &Format) -> Result<Option<Self>, VocabularyError> {
        let automaton = pipeline::automaton(db, format.clone());
        automaton.map(|automaton| Self::new(automaton, is_value(db, format))).transpose()
    }

    /// Returns the trial with a vocabulary that counts the tokens of texts.
    #[must_use]
    pub fn counting(self, store: Arc<MaskStore>, encoder: Arc<Encoder>) -> Self {
        Self { counted: Some(Counted { store, encoder }), ..self }
    }

    /// Returns whether the tokens of texts are counted.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.counted.is_some()
    }

    /// Returns the automaton.
    #[must_use]
    pub fn automaton(&self) -> &Arc<Automaton> {
        &self.automaton
    }

    /// Returns the vocabulary of single bytes and of the tokens that the format names.
    #[must_use]
    pub fn bytes(&self) -> &Arc<MaskStore> {
        &self.bytes
    }

    /// Matches a text; returns `None` if all of it is accepted.
    ///
    /// # Errors
    ///
    /// The engine gives up, for too many readings or too deep a stack.
    pub fn refusal(&self, text: &[u8]) -> Result<Option<Refused>, MatchError> {
        let stop = match &self.counted {
            Some(counted) => counted.stop(&self.automaton, &self.bytes, text)?,
            None => by_bytes(&self.automaton, &self.bytes, text)?,
        };
        let Some(stop) = stop else { return Ok(None) };
        let refusal = Refusal {
            automaton: &self.automaton,
            store: &self.bytes,
            text,
            accepted: stop.accepted,
            is_value: self.is_value,
        };
        let reason = stop.token_bound().or_else(|| refusal.reason());
        let reason = reason.unwrap_or_else(|| unexplained(text, stop.accepted));
        Ok(Some(Refused { accepted: stop.accepted, position: stop.position, reason }))
    }

    /// Returns the tokens of a text in the counting vocabulary; `None` if there is none, or if it cannot spell the
    /// text.
    #[must_use]
    pub fn pieces(&self, text: &[u8]) -> Option<Vec<Piece>> {
        self.counted.as_ref()?.pieces(text)
    }
}

/// Makes a plain reason, for a format that is too ambiguous for a better one.
fn unexplained(text: &[u8], accepted: usize) -> Reason {
    let message = if accepted == text.len() { "the text ends too early" } else { "the format does not allow this" };
    Reason { message: message.to_owned(), ..Reason::default() }
}

/// Describes in words the texts that may come next.
#[must_use]
pub fn may_follow(matcher: &mut Matcher) -> String {
    next::Next::of(matcher).describe()
}

/// Replaces names of tokens in a text by the tokens' markers; if two names match at one place, the longer one wins.
#[must_use]
pub fn with_tokens(text: &[u8], names: &[String]) -> Vec<u8> {
    let mut read = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        let named = names.iter().filter(|name| !name.is_empty() && rest.starts_with(name.as_bytes()));
        rest = match named.max_by_key(|name| name.len()) {
            Some(name) => {
                read.extend(marker(name));
                &rest[name.len()..]
            }
            None => {
                read.push(byte);
                after
            }
        };
    }
    read
}

/// A rule that is open at a place of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRule {
    /// Name of the rule.
    pub name: String,
    /// File of the rule and its place there, if it has one.
    pub place: Option<(SourceFile, Span)>,
}

/// Returns the rules that are open at a position, innermost first, with their places in the source.
#[must_use]
pub fn open_rules(db: &dyn Db, format: &Format, position: &MatcherPosition) -> Vec<OpenRule> {
    let frames = position.frames.iter();
    frames.map(|frame| OpenRule { name: frame.rule.clone(), place: place_in(db, format, frame.origin) }).collect()
}

/// The captures of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The outermost captures, in the order in which they begin.
    pub captures: Vec<Capture>,
    /// The reason why the captures cannot be read.
    pub refused: Option<Diagnostic>,
}

/// Reads the captures of a text that the format accepts; a format without captures has none.
///
/// # Errors
///
/// The engine gives up, for too many readings or too deep a stack.
pub fn captured(db: &dyn Db, format: &Format, text: &[u8]) -> Result<Captured, MatchError> {
    let lowered = pipeline::captures(db, format.clone());
    let Some(captures) = lowered.captures.filter(|captures| captures.has_captures()) else {
        return Ok(Captured { captures: Vec::new(), refused: lowered.refused });
    };
    let mut reader = CaptureReader::new(captures);
    reader.accept_bytes(text)?;
    Ok(Captured { captures: reader.captures(), refused: lowered.refused })
}

/// The outcome of trying a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Whether the whole text is accepted.
    pub is_accepted: bool,
    /// Length of the longest accepted prefix, in bytes.
    pub accepted: usize,
    /// Whether that prefix is a complete text.
    pub is_complete: bool,
    /// Description of the texts that may follow that prefix.
    pub expected: String,
    /// The mistake in a refused text.
    pub reason: Option<Reason>,
    /// The rules that are open after the prefix, innermost first.
    pub rules: Vec<OpenRule>,
    /// Number of open rules; `rules` lists only the innermost.
    pub depth: usize,
    /// The tokens of the text in the counting vocabulary, if it can spell the text.
    pub pieces: Option<Vec<Piece>>,
    /// The captures of an accepted text.
    pub captured: Captured,
}

/// Matches a text against a format and describes the result in full; `trial` must be made from the same format.
///
/// # Errors
///
/// The engine gives up, for too many readings or too deep a stack.
pub fn attempt(db: &dyn Db, format: &Format, trial: &Trial, text: &[u8]) -> Result<Attempt, MatchError> {
    let refused = trial.refusal(text)?;
    let is_accepted = refused.is_none();
    let accepted = refused.as_ref().map_or(text.len(), |refused| refused.accepted);
    let mut matcher = Matcher::new(Arc::clone(&trial.automaton), Arc::clone(&trial.bytes));
    matcher.accept_bytes(cut(text, accepted).0)?;
    let position = matcher.position();
    Ok(Attempt {
        is_accepted,
        accepted,
        is_complete: position.may_end,
        expected: may_follow(&mut matcher),
        reason: refused.map(|refused| refused.reason),
        rules: open_rules(db, format, &position),
        depth: position.depth,
        pieces: trial.pieces(text),
        captured: if is_accepted { captured(db, format, text)? } else { Captured::default() },
    })
}
