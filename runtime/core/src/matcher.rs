//! The matcher: the only mutable object of the runtime. One per sequence; cheap to fork and to roll back.

mod batch;
mod bound;
mod budget;
mod canonical;
mod characters;
mod configuration;
mod distinct;
mod draft;
mod explain;
mod follow;
mod forced;
mod history;
mod keys;
mod log;
mod mask;
mod read;
mod readings;
mod saved;
mod stops;
mod walker;

pub use batch::{MaskRows, RowError, RowIndexError, fill_masks, fill_masks_at};
pub use configuration::{
    Configuration, ConfigurationError, ConfigurationFrame, ConfigurationHead, ConfigurationLimits, ConfigurationNode,
    FrameMemory,
};
pub use draft::DraftNode;
pub use explain::{Explanation, MatcherPosition, RuleFrame};
pub use follow::{FollowError, FollowedState, RowFollower};
use history::Checkpoint;
pub use keys::{DeclaredKey, ObjectKeys};
use log::{Accepted, Log};
pub use readings::{Memory, Reading, ReadingFrame, SHOWN_FRAMES};
pub use saved::RestoreError;
use walker::BorrowedWalker;

use std::sync::Arc;

use smallvec::SmallVec;

use crate::automaton::Automaton;
use crate::container::{LoadError, check};
use crate::mask::{Mask, MaskPack, MaskStore};
use crate::step::{ForkVec, Head, MAX_STACK_BYTES, Scratch, Stack, can_finish, start};
use crate::vocabulary::TokenId;
use crate::watch;

/// Cap on the length in tokens of the shortest text along which [`Matcher::warm_up`] computes masks.
const WARMED: usize = 64;

/// The matcher cannot do what was requested.
///
/// ```
#[doc = include_str!("example.md")]
/// let error = matcher.accept_bytes(b"ax").err();
/// assert_eq!(error, Some(MatchError::NotAllowed { at: 1 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// The format does not allow this byte here.
    #[error("byte {at} is not allowed by the format")]
    NotAllowed {
        /// The index of the byte in the bytes given.
        at: usize,
    },
    /// The token has no text (a gap, or a special token that the format does not ask for here), does not exist, or is a stop token and the
    /// text is not complete.
    #[error("token {token} is not allowed by the format")]
    TokenNotAllowed {
        /// The token.
        token: u32,
    },
    /// The sequence was already ended by an end-of-sequence token.
    #[error("the sequence has ended")]
    Terminated,
    /// The format is so ambiguous here that following all readings, or computing a mask, exceeds a limit.
    #[error("the format is too ambiguous here: {what}, given {given}, limit {limit}")]
    Limit {
        /// Resource that exceeds its limit, such as `bytes of stacks` or `work for one mask`.
        what: &'static str,
        /// Amount counted until the work stopped.
        given: u64,
        /// The limit, in the same unit.
        limit: u64,
    },
    /// No completion within the budget was found.
    #[error("the text takes {limit} more tokens to complete, the budget leaves {given}")]
    Budget {
        /// Number of tokens left in the budget.
        given: u32,
        /// Number of tokens of the shortest known completion, or `given + 1` if it was not counted; `u32::MAX` if no completion was found.
        limit: u32,
    },
    /// A buffer has too few rows for the masks.
    #[error("the buffer has {given} rows, the masks take {limit}")]
    Rows {
        /// The number of rows.
        given: usize,
        /// The number of masks, one per row.
        limit: usize,
    },
    /// The matcher cannot take back this many tokens.
    #[error("cannot roll back {given} tokens, {limit} were accepted")]
    Rollback {
        /// The number of tokens to take back.
        given: usize,
        /// The number of tokens that can be taken back.
        limit: usize,
    },
    /// Only [canonical tokens](Matcher::set_canonical_tokens) are allowed here, and the tokenizer would write other tokens for the bytes
    /// that must come next.
    #[error("token {token} is not one that the tokenizer writes for the bytes that must come next")]
    NotCanonical {
        /// The token.
        token: u32,
    },
    /// The canonical tokens are for another vocabulary.
    #[error("the canonical tokens are of another vocabulary than the matcher's")]
    OtherVocabulary,
    /// Every token that could come next is one of the stop tokens that were set, and the text is not complete.
    #[error(
        "the format needs the text of token {token} here, which is set to be a stop token: take it out of the stop tokens"
    )]
    StopToken {
        /// The first of the stop tokens that could come next.
        token: u32,
    },
}

impl MatchError {
    /// The error when a [`watch`] has stopped the work; the owner of the watch drops it.
    pub(crate) const STOPPED: Self = Self::Limit { what: "steps that were stopped by their watch", given: 0, limit: 0 };

    /// The error of a stack that has overflowed.
    pub(crate) fn of_overflow(stack: &mut Stack) -> Self {
        let what = "undeclared keys of an object, so many that none may be left of those that it needs";
        let many = stack.take_too_many().map(u64::from);
        many.map_or(Self::STACKS, |given| Self::Limit { what, given, limit: given - 1 })
    }

    /// The error when the stacks of the readings take too much memory.
    const STACKS: Self =
        Self::Limit { what: "bytes of stacks", given: MAX_STACK_BYTES as u64 + 1, limit: MAX_STACK_BYTES as u64 };
}

/// Steps one sequence through a format, and computes which tokens may come next.
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
    /// Masks built ahead of time. The store computes those that it omits.
    pack: Option<Arc<MaskPack>>,
    stack: Stack,
    heads: SmallVec<[Head; 1]>,
    /// Whether no byte has been read. This cannot be seen from the heads, which may also come back to the beginning of the format.
    nothing_read: bool,
    history: ForkVec<Checkpoint, 16>,
    /// Everything accepted so far. Its length is the length of `history` plus `forgotten`.
    log: Log,
    /// The number of accepted tokens that can no longer be taken back.
    forgotten: usize,
    /// The rollback window: at least this many of the last tokens can be taken back; `None` for all.
    window: Option<usize>,
    terminated: bool,
    /// The matcher's own stop tokens, which replace the vocabulary's, ascending.
    stops: Option<Arc<[TokenId]>>,
    /// The bound on the tokens that may still be written, if there is one.
    budget: Option<Box<budget::Budget>>,
    /// If only canonical tokens are allowed: the canonical tokens, and what is known of them at this place.
    canonical: Option<Box<canonical::Canonical>>,
    scratch: Scratch,
    walker: BorrowedWalker,
    before: Vec<Head>,
    after: Vec<Head>,
}

impl Matcher {
    /// Makes a matcher at the beginning of the format. Masks are computed on demand and kept in the store.
    ///
    /// If the format asks by name for a token that the vocabulary [lacks](crate::vocabulary::Vocabulary::missing_tokens), that token is
    /// never allowed, and a text can reach a place where no token is allowed. The other constructors of a matcher refuse such a vocabulary.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert!(matcher.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(automaton: Arc<Automaton>, store: Arc<MaskStore>) -> Self {
        let heads = SmallVec::from_slice(&[start(&automaton)]);
        let stack = Stack::of_text(automaton.has_distinct_items());
        Self {
            automaton,
            store,
            pack: None,
            stack,
            heads,
            nothing_read: true,
            history: ForkVec::default(),
            log: Log::default(),
            forgotten: 0,
            window: None,
            terminated: false,
            stops: None,
            budget: None,
            canonical: None,
            scratch: Scratch::default(),
            walker: BorrowedWalker::default(),
            before: Vec::new(),
            after: Vec::new(),
        }
    }

    /// Makes a matcher at the beginning of the format that looks up masks in `masks`. Masks that the pack omits are computed on demand and
    /// kept in the store.
    ///
    /// # Errors
    ///
    /// [`LoadError::OtherVocabulary`], [`LoadError::MissingToken`], and [`LoadError::Invalid`] if the masks are for another format.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// let masks = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
    /// let mut matcher = Matcher::with_masks(format, store, Arc::new(masks))?;
    /// assert_eq!(matcher.mask()?.tokens(), [TokenId(0), TokenId(2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_masks(
        automaton: Arc<Automaton>,
        store: Arc<MaskStore>,
        masks: Arc<MaskPack>,
    ) -> Result<Self, LoadError> {
        store.check_tokens(&automaton)?;
        masks.check_vocabulary(&store)?;
        check(masks.is_of(&automaton), "masks", "they are of another format")?;
        Ok(Self::with_checked(automaton, store, masks))
    }

    /// Makes a matcher with masks that are known to be for this format and vocabulary.
    pub(crate) fn with_checked(automaton: Arc<Automaton>, store: Arc<MaskStore>, masks: Arc<MaskPack>) -> Self {
        // Steps from a pack are short, so that none should wait for the free-text row (made once a process) or the tables (made once a
        // format).
        store.warm_up(automaton.escapes);
        automaton.make_tables_of_keys();
        Self { pack: Some(masks), ..Self::new(automaton, store) }
    }

    /// Returns the format.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert_eq!(matcher.automaton().states.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn automaton(&self) -> &Arc<Automaton> {
        &self.automaton
    }

    /// Returns the masks that were built ahead of time, if there are any.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert!(matcher.masks().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn masks(&self) -> Option<&Arc<MaskPack>> {
        self.pack.as_ref()
    }

    /// Returns the store, which keeps computed rows and has the vocabulary.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert_eq!(matcher.store().vocabulary().len(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn store(&self) -> &Arc<MaskStore> {
        &self.store
    }

    /// Returns the number of accepted tokens; bytes accepted in one call count as one.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// matcher.accept_token(TokenId(2))?;
    /// assert_eq!(matcher.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.forgotten + self.history.len()
    }

    /// Returns whether nothing has been accepted yet.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert!(matcher.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.forgotten == 0 && self.history.is_empty()
    }

    /// Computes the tokens that may come next.
    ///
    /// # Errors
    ///
    /// [`MatchError::Limit`] if the format is too ambiguous here; [`MatchError::Budget`] if the budget was set after text that has since
    /// been taken back and replaced; [`MatchError::StopToken`] if the mask would be empty because of stop tokens.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert_eq!(matcher.mask()?.tokens(), [TokenId(0), TokenId(2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mask(&mut self) -> Result<Mask, MatchError> {
        let before = self.budget.as_ref().map(|budget| budget.found());
        let mask = match self.mask_of_few() {
            Some(mask) => Ok(mask),
            None => self.mask_of_any_tokens().map(|mask| self.restrict_to_canonical(mask)),
        };
        if !watch::is_stopped() {
            return mask;
        }
        self.budget.iter_mut().zip(before).for_each(|(budget, before)| budget.go_back(before));
        Err(MatchError::STOPPED)
    }

    /// Computes the tokens that may come next, canonical or not.
    fn mask_of_any_tokens(&mut self) -> Result<Mask, MatchError> {
        if self.stack.keeps_text() { distinct::mask(self) } else { self.mask_of_readings() }
    }

    /// Computes the tokens that the readings alone allow next, ignoring earlier items of arrays.
    fn mask_of_readings(&mut self) -> Result<Mask, MatchError> {
        let mask = mask::collect(self)?;
        self.check_goes_on(&mask)?;
        budget::restrict(self, mask)
    }

    /// Returns whether a token may come next. Looks into each row of the mask, and copies none.
    ///
    /// # Errors
    ///
    /// As [`Matcher::mask`].
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert!(matcher.allows(TokenId(2))? && !matcher.allows(TokenId(1))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn allows(&mut self, token: TokenId) -> Result<bool, MatchError> {
        match self.mask() {
            Err(MatchError::StopToken { .. }) => Ok(false),
            mask => Ok(mask?.contains(token)),
        }
    }

    /// Writes the mask as bits; see [`Mask::fill`].
    ///
    /// # Errors
    ///
    /// As [`Matcher::mask`].
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// let mut words = [0; 1];
    /// matcher.fill_mask(&mut words)?;
    /// assert_eq!(words, [0b101]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fill_mask(&mut self, words: &mut [u32]) -> Result<(), MatchError> {
        self.mask()?.fill(words);
        Ok(())
    }

    /// Accepts a token. On an error nothing has changed.
    ///
    /// If the text is complete, a [stop token](Matcher::stop_tokens) ends it. If the format asks for the token by name, the token is read
    /// by its name only: its text is not read, even if the format could also read it here.
    ///
    /// # Errors
    ///
    /// [`MatchError::NotAllowed`] with the first byte of the token that the format refuses, [`MatchError::TokenNotAllowed`] for a token
    /// without text or for an end before the text is complete, [`MatchError::Terminated`] after the end.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// matcher.accept_token(TokenId(0))?;
    /// assert_eq!(matcher.accept_token(TokenId(0)), Err(MatchError::NotAllowed { at: 0 }));
    /// assert_eq!(matcher.accept_token(TokenId(4)), Err(MatchError::TokenNotAllowed { token: 4 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn accept_token(&mut self, token: TokenId) -> Result<(), MatchError> {
        if self.terminated {
            return Err(MatchError::Terminated);
        }
        if self.stop_tokens().contains(&token) && self.is_complete() {
            self.end(token, self.plan());
            return Ok(());
        }
        if self.is_only_stop(token) {
            return Err(MatchError::TokenNotAllowed { token: token.0 });
        }
        self.check_canonical(token)?;
        let mark = self.stack.mark();
        let read = self.read_token(token);
        self.keep(read, mark, Accepted::Token(token))
    }

    /// Accepts tokens until one is refused.
    ///
    /// # Errors
    ///
    /// The number of accepted tokens, and the error for the next one.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// let refused = matcher.accept_tokens(&[TokenId(2), TokenId(0)]);
    /// assert_eq!(refused, Err((1, MatchError::NotAllowed { at: 0 })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn accept_tokens(&mut self, tokens: &[TokenId]) -> Result<(), (usize, MatchError)> {
        for (at, &token) in tokens.iter().enumerate() {
            self.accept_token(token).map_err(|error| (at, error))?;
        }
        Ok(())
    }

    /// Accepts bytes, all of them or none. They count as one step for [`Matcher::rollback`].
    ///
    /// Named tokens stand in the bytes as their whole [markers](crate::vocabulary::marker()).
    ///
    /// # Errors
    ///
    /// As [`Matcher::accept_token`].
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// matcher.accept_bytes(b"abb")?;
    /// assert!(matcher.is_complete());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), MatchError> {
        if self.terminated {
            return Err(MatchError::Terminated);
        }
        let mark = self.stack.mark();
        let read = self.read_bytes(bytes);
        self.keep(read, mark, Accepted::Text(bytes))
    }

    fn plan(&self) -> Option<budget::Plan> {
        self.budget.as_ref().and_then(|budget| budget.plan.clone())
    }

    /// Makes a second matcher in the same state, independent from now on.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// let mut fork = matcher.fork();
    /// fork.accept_token(TokenId(0))?;
    /// assert!(matcher.is_empty() && !fork.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            automaton: Arc::clone(&self.automaton),
            store: Arc::clone(&self.store),
            pack: self.pack.clone(),
            stack: self.stack.clone(),
            heads: self.heads.clone(),
            nothing_read: self.nothing_read,
            history: self.history.clone(),
            log: self.log.clone(),
            forgotten: self.forgotten,
            window: self.window,
            terminated: self.terminated,
            stops: self.stops.clone(),
            budget: self.budget.clone(),
            canonical: self.canonical.clone(),
            scratch: Scratch::default(),
            walker: BorrowedWalker::default(),
            before: Vec::new(),
            after: Vec::new(),
        }
    }

    /// Returns whether the text so far is a complete text of the format, so that it may end here.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// assert!(!matcher.is_complete());
    /// matcher.accept_token(TokenId(2))?;
    /// assert!(matcher.is_complete());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_complete(&self) -> bool {
        (self.automaton.nullable && self.nothing_read)
            || self.heads.iter().any(|&head| can_finish(&self.automaton, &self.stack, head))
    }

    /// Returns whether an end-of-sequence token has been accepted.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// matcher.accept_tokens(&[TokenId(2), TokenId(4)]).map_err(|(_, error)| error)?;
    /// assert!(matcher.is_terminated());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_terminated(&self) -> bool {
        self.terminated
    }

    /// Computes the masks of the first steps ahead of time, so that no step waits for them: the mask of free text, the mask at the
    /// beginning, and the masks along a shortest text of the format, up to [`WARMED`] tokens. Other matchers of the same format and
    /// [`MaskStore`] share them.
    ///
    /// The matcher does not move. A mask that cannot be computed is skipped; the step that needs it returns the error.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// matcher.warm_up();
    /// assert!(matcher.is_empty() && store.stats().rows > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn warm_up(&mut self) {
        self.store.warm_up(self.automaton.escapes);
        let way = self.shortest().map(|shortest| shortest.tokens).unwrap_or_default();
        self.and_back(|matcher| {
            let _ = matcher.mask();
            for token in way.into_iter().take(WARMED) {
                if matcher.accept_token(token).is_err() {
                    return;
                }
                let _ = matcher.mask();
            }
        });
    }
}
