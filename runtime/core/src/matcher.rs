//! The matcher: the only mutable thing of the runtime. One per sequence; cheap to fork and to roll back.

mod budget;
mod explain;
mod forced;
mod mask;

pub use explain::{Explanation, Position, RuleFrame};

use std::sync::Arc;

use smallvec::SmallVec;

use crate::automaton::Automaton;
use crate::artifact::LoadError;
use crate::mask::{Mask, MaskPack, MaskStore, Walker};
use crate::step::{Head, Mark, Scratch, Stack, can_finish, start, step};
use crate::vocabulary::TokenId;

/// Why a matcher cannot do what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// The format does not allow this byte here.
    #[error("byte {at} is not allowed by the format")]
    NotAllowed {
        /// Index of the byte in what was given.
        at: usize,
    },
    /// The token has no text (a gap, a special token) or does not exist, or it ends a text that is not complete.
    #[error("token {token} is not allowed by the format")]
    TokenNotAllowed {
        /// The token.
        token: u32,
    },
    /// The sequence has ended with an end-of-sequence token.
    #[error("the sequence has ended")]
    Terminated,
    /// The format is too ambiguous here to be stepped in bounded time.
    #[error("more than {limit} parallel readings of the text")]
    TooManyHeads {
        /// The limit.
        limit: usize,
    },
    /// More tokens than were accepted.
    #[error("cannot roll back {given} tokens, {limit} were accepted")]
    Rollback {
        /// How many were asked for.
        given: usize,
        /// How many there are.
        limit: usize,
    },
}

/// What a rollback restores.
#[derive(Clone, Debug)]
struct Checkpoint {
    heads: SmallVec<[Head; 1]>,
    mark: Mark,
    terminated: bool,
}

/// Steps one sequence through a format and says which tokens may come next.
///
/// ```
/// use std::sync::Arc;
/// use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
/// use ogc_runtime::mask::MaskStore;
/// use ogc_runtime::matcher::Matcher;
/// use ogc_runtime::vocabulary::{TokenId, Vocabulary};
///
/// // The format `ab+`.
/// let mut builder = AutomatonBuilder::new();
/// let rule = builder.rule("ab+", 0);
/// let states: Vec<_> = (0..3).map(|_| builder.state(rule, StateKind::Bytes)).collect();
/// builder.start(rule, states[0]);
/// builder.edge(states[0], b'a', b'a', OpId::NONE, states[1]);
/// builder.edge(states[1], b'b', b'b', OpId::NONE, states[2]);
/// builder.edge(states[2], b'b', b'b', OpId::NONE, states[2]);
/// builder.accept(states[2]);
/// let format = Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any)?);
///
/// let vocabulary = Vocabulary::from_tokens(&[Some("a"), Some("b"), Some("ab"), Some("ba")], &[("</s>", 4)])?;
/// let mut matcher = Matcher::new(format, MaskStore::new(Arc::new(vocabulary)));
/// assert_eq!(matcher.mask()?.tokens(), [TokenId(0), TokenId(2)]);
/// matcher.accept_token(TokenId(2))?;
/// assert_eq!(matcher.mask()?.tokens(), [TokenId(1), TokenId(4)]);
/// matcher.accept_token(TokenId(4))?;
/// assert!(matcher.is_terminated());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Matcher {
    automaton: Arc<Automaton>,
    store: Arc<MaskStore>,
    /// Masks made ahead of time; what they lack comes from the store.
    pack: Option<Arc<MaskPack>>,
    stack: Stack,
    heads: SmallVec<[Head; 1]>,
    history: Vec<Checkpoint>,
    terminated: bool,
    /// Tokens that may still be written, if bounded.
    budget: Option<u32>,
    scratch: Scratch,
    walker: Box<Walker>,
    before: Vec<Head>,
    after: Vec<Head>,
}

impl Matcher {
    /// A matcher at the beginning of the format; masks are computed at first use and memoised in the store.
    #[must_use]
    pub fn new(automaton: Arc<Automaton>, store: Arc<MaskStore>) -> Self {
        let heads = SmallVec::from_slice(&[start(&automaton)]);
        Self {
            automaton,
            store,
            pack: None,
            stack: Stack::default(),
            heads,
            history: Vec::new(),
            terminated: false,
            budget: None,
            scratch: Scratch::default(),
            walker: Box::default(),
            before: Vec::new(),
            after: Vec::new(),
        }
    }

    /// A matcher at the beginning of the format that looks masks up in `masks`; what they lack is computed at first use and
    /// memoised in the store.
    ///
    /// # Errors
    ///
    /// [`LoadError::OtherVocabulary`], and [`LoadError::Invalid`] if the masks are of another format.
    ///
    /// See [`MaskPack`] for an example.
    pub fn with_masks(
        automaton: Arc<Automaton>,
        store: Arc<MaskStore>,
        masks: Arc<MaskPack>,
    ) -> Result<Self, LoadError> {
        masks.check_vocabulary(&store)?;
        let same = masks.is_of(&automaton);
        crate::artifact::check(same, "masks", "they are of another format")?;
        Ok(Self::with_checked(automaton, store, masks))
    }

    /// The same for masks that are known to be of this format and vocabulary.
    pub(crate) fn with_checked(
        automaton: Arc<Automaton>,
        store: Arc<MaskStore>,
        masks: Arc<MaskPack>,
    ) -> Self {
        Self {
            pack: Some(masks),
            ..Self::new(automaton, store)
        }
    }

    /// The format.
    #[must_use]
    pub fn automaton(&self) -> &Arc<Automaton> {
        &self.automaton
    }

    /// The rows and the vocabulary.
    #[must_use]
    pub fn store(&self) -> &Arc<MaskStore> {
        &self.store
    }

    /// How many tokens have been accepted (bytes accepted at once count as one).
    #[must_use]
    pub fn len(&self) -> usize {
        self.history.len()
    }

    /// Nothing has been accepted yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.history.is_empty()
    }

    /// The tokens that may come next.
    ///
    /// # Errors
    ///
    /// [`MatchError::TooManyHeads`] if the format is too ambiguous here.
    pub fn mask(&mut self) -> Result<Mask, MatchError> {
        let mask = mask::collect(self)?;
        match self.budget {
            Some(left) => budget::restrict(self, mask, left),
            None => Ok(mask),
        }
    }

    /// Writes the mask as bits; see [`Mask::fill`].
    ///
    /// # Errors
    ///
    /// As [`Matcher::mask`].
    pub fn fill_mask(&mut self, words: &mut [u32]) -> Result<(), MatchError> {
        self.mask()?.fill(words);
        Ok(())
    }

    /// Accepts a token. On an error nothing has changed.
    ///
    /// # Errors
    ///
    /// [`MatchError::NotAllowed`] with the first byte of the token that the format refuses, [`MatchError::TokenNotAllowed`]
    /// for a token without text or an early end, [`MatchError::Terminated`] after the end.
    pub fn accept_token(&mut self, token: TokenId) -> Result<(), MatchError> {
        if self.terminated {
            return Err(MatchError::Terminated);
        }
        let vocabulary = Arc::clone(self.store.vocabulary());
        if vocabulary.eos().contains(&token) {
            return self.terminate(token);
        }
        match vocabulary.text(token).filter(|text| !text.is_empty()) {
            Some(text) => self.accept_bytes(text),
            None => Err(MatchError::TokenNotAllowed { token: token.0 }),
        }
    }

    fn terminate(&mut self, token: TokenId) -> Result<(), MatchError> {
        if !self.is_complete() {
            return Err(MatchError::TokenNotAllowed { token: token.0 });
        }
        self.remember();
        self.terminated = true;
        Ok(())
    }

    /// Accepts tokens until one is refused.
    ///
    /// # Errors
    ///
    /// How many were accepted, and why the next was not.
    pub fn accept_tokens(&mut self, tokens: &[TokenId]) -> Result<(), (usize, MatchError)> {
        for (at, &token) in tokens.iter().enumerate() {
            self.accept_token(token).map_err(|error| (at, error))?;
        }
        Ok(())
    }

    /// Accepts text, all of it or nothing; one step for [`Matcher::rollback`].
    ///
    /// # Errors
    ///
    /// As [`Matcher::accept_token`].
    pub fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), MatchError> {
        if self.terminated {
            return Err(MatchError::Terminated);
        }
        let mark = self.stack.mark();
        match self.advance(bytes) {
            Ok(()) => {
                let heads = SmallVec::from_slice(&self.before);
                let heads = std::mem::replace(&mut self.heads, heads);
                self.history.push(Checkpoint {
                    heads,
                    mark,
                    terminated: false,
                });
                self.budget = self.budget.map(|left| left.saturating_sub(1));
                Ok(())
            }
            Err(error) => {
                self.stack.truncate(mark);
                Err(error)
            }
        }
    }

    /// Steps `self.before`, a copy of the heads, through the bytes.
    fn advance(&mut self, bytes: &[u8]) -> Result<(), MatchError> {
        self.before.clear();
        self.before.extend_from_slice(&self.heads);
        for (at, &byte) in bytes.iter().enumerate() {
            self.after.clear();
            step(
                &self.automaton,
                &mut self.stack,
                &mut self.scratch,
                &self.before,
                byte,
                &mut self.after,
            );
            if self.stack.take_overflow() {
                return Err(MatchError::TooManyHeads {
                    limit: crate::step::MAX_HEADS,
                });
            }
            if self.after.is_empty() {
                return Err(MatchError::NotAllowed { at });
            }
            std::mem::swap(&mut self.before, &mut self.after);
        }
        Ok(())
    }

    fn remember(&mut self) {
        let checkpoint = Checkpoint {
            heads: self.heads.clone(),
            mark: self.stack.mark(),
            terminated: self.terminated,
        };
        self.history.push(checkpoint);
    }

    /// How many of the tokens could be accepted in a row from here; the matcher does not move.
    pub fn validate_tokens(&mut self, tokens: &[TokenId]) -> usize {
        let accepted = tokens
            .iter()
            .take_while(|&&token| self.accept_token(token).is_ok())
            .count();
        let budget = self.budget;
        let _ = self.rollback(accepted);
        self.budget = budget.map(|left| left.saturating_add(accepted as u32));
        accepted
    }

    /// Takes back the last `tokens` accepted.
    ///
    /// # Errors
    ///
    /// [`MatchError::Rollback`] if fewer were accepted.
    pub fn rollback(&mut self, tokens: usize) -> Result<(), MatchError> {
        let Some(keep) = self.history.len().checked_sub(tokens) else {
            return Err(MatchError::Rollback {
                given: tokens,
                limit: self.history.len(),
            });
        };
        if let Some(checkpoint) = self.history.get(keep) {
            self.heads.clone_from(&checkpoint.heads);
            self.stack.truncate(checkpoint.mark);
            self.terminated = checkpoint.terminated;
        }
        self.history.truncate(keep);
        Ok(())
    }

    /// A second matcher in the same place, independent from now on.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            automaton: Arc::clone(&self.automaton),
            store: Arc::clone(&self.store),
            pack: self.pack.clone(),
            stack: self.stack.clone(),
            heads: self.heads.clone(),
            history: self.history.clone(),
            terminated: self.terminated,
            budget: self.budget,
            scratch: Scratch::default(),
            walker: Box::default(),
            before: Vec::new(),
            after: Vec::new(),
        }
    }

    /// Back to the beginning of the format.
    pub fn reset(&mut self) {
        let _ = self.rollback(self.history.len());
    }

    /// The text so far is a whole text of the format: it may stop here.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        (self.automaton.nullable && self.at_start())
            || self
                .heads
                .iter()
                .any(|&head| can_finish(&self.automaton, &self.stack, head))
    }

    /// Nothing has been read.
    fn at_start(&self) -> bool {
        self.heads.as_slice() == [start(&self.automaton)]
    }

    /// An end-of-sequence token has been accepted.
    #[must_use]
    pub fn is_terminated(&self) -> bool {
        self.terminated
    }

    /// Bounds what may still be written to this many tokens, the end of sequence not counted; `None` lifts the bound.
    ///
    /// As the bound nears, [`Matcher::mask`] withholds tokens after which the text could not be completed within it.
    pub fn budget(&mut self, max_tokens: Option<u32>) {
        self.budget = max_tokens;
    }
}
