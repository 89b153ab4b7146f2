//! Canonical tokens: the tokens that a vocabulary's own tokenizer writes for a text.
//!
//! A mask constrains bytes only, so that a model may write a constant in unusual tokens (`b`, `lo`, `od`). Where the format determines the
//! next bytes, called the *run*, a [matcher](crate::matcher::Matcher::set_canonical_tokens) with [`CanonicalTokens`] allows only tokens
//! that the tokenizer writes for the run and some text that may follow it.
//!
//! # Allowed tokens
//!
//! The tokenizer encodes `context run text`. The context is as many of the sequence's last tokens as the tokenizer reproduces from their
//! text. A token is canonical if it is the first token after the context for some `text` that begins with a byte that may follow the run.
//! Where the format leaves a choice, the run is empty, and every token of the mask is allowed.
//!
//! # Algorithm
//!
//! Merges (byte-pair encoding) and best paths (unigrams) have this property: an encoding with a boundary at some place begins with the
//! encoding of the text before that place. So whether two tokens may be neighbours does not depend on the text around them (Vieira and
//! others, "Language Models over Canonical Byte-Pair Encodings", ICML 2025; Cognetta and Okazaki, "Tokenization as Finite-State
//! Transduction", 2024, build the whole automaton). Infinitely many texts can follow a run, but only the last token boundary within the run
//! matters. For each place in the run that can be the last boundary, the run up to there is encoded, and the first token of the encoding is
//! canonical. A place can be the last boundary if the tokenizer writes a token there that extends beyond the run. Each such token is tried;
//! results are kept, as there are few different runs.
//!
//! For the run `": ` and the tokens `":`, ` "`, the last boundary can be after `":` (a token that begins with a space extends beyond the
//! run) or at the end of the run.
//!
//! The encodings of a run up to each such place are its *ways*. They are found at the start of the run, and followed token by token: where
//! a way begins with the tokens written so far, its next token may come next.
//!
//! # Before free text
//!
//! The tokenizer writes the run `":"` as `":"`, but as `":` and `",` if a comma follows. A model that wants white space after the colon
//! gives `":` most of its weight, and would then be left with nothing but `",` and similar tokens. So where nearly any text may follow a
//! run (see [`FREE`]), and the run can end at a boundary, only two encodings are allowed: the encoding of the run by itself, and a token
//! that reads all of the run and more.
//!
//! Tokenizers read whole characters, so that a token that ends inside a character cannot be tried. It counts as canonical.

mod encoder;
mod reach;
mod ways;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use smallvec::SmallVec;

use crate::automaton::ByteSet;
pub use crate::automaton::{TokenPolicy, UnknownTokenPolicy};
use crate::mask::MaskStore;
use crate::vocabulary::TokenId;
use crate::watch;
pub(crate) use encoder::Encoder;
use reach::{Question, ReachMemo, Tokens};
pub(crate) use ways::Ways;

/// Cap on the tokens before a run that are encoded together with it.
pub(crate) const CONTEXT: usize = 8;

/// More possible next bytes than this count as free text: more than there are letters and digits.
const FREE: u32 = 64;

/// A text that must come next, because the format determines it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'a> {
    /// The bytes; not empty.
    pub(crate) text: &'a [u8],
    /// The bytes that may follow.
    pub(crate) next: ByteSet,
    /// Whether the text may end after the run, or a named token may come.
    pub(crate) may_end: bool,
}

type EncodeText = dyn Fn(&[u8]) -> Vec<TokenId> + Send + Sync;

/// Finds the tokens that a tokenizer writes. All matchers of the vocabulary share this, and results are kept.
///
/// ```
/// use ogc_runtime::canonical::CanonicalTokens;
#[doc = include_str!("example.md")]
/// // The format `ab+`, and a tokenizer that writes `ab` as one token.
/// let tokens = CanonicalTokens::new(store, |text| match text {
///     b"a" => vec![TokenId(0)],
///     b"b" => vec![TokenId(1)],
///     b"ab" => vec![TokenId(2)],
///     _ => Vec::new(),
/// });
/// assert_eq!(matcher.mask()?.tokens(), [TokenId(0), TokenId(2)]);
/// matcher.set_canonical_tokens(Some(Arc::new(tokens)))?;
/// assert_eq!(matcher.mask()?.tokens(), [TokenId(2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CanonicalTokens {
    store: Arc<MaskStore>,
    encode: Box<EncodeText>,
    memo: Mutex<ReachMemo>,
}

impl fmt::Debug for CanonicalTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CanonicalTokens").finish_non_exhaustive()
    }
}

impl CanonicalTokens {
    /// Makes the canonical tokens of a store's vocabulary. `encode` is the tokenizer: it encodes text from the middle of a sequence,
    /// without special tokens, and returns no tokens if it cannot read the bytes.
    ///
    /// ```
    /// use ogc_runtime::canonical::CanonicalTokens;
    #[doc = include_str!("example.md")]
    /// let tokens = CanonicalTokens::new(store.clone(), |_| Vec::new());
    /// assert!(std::sync::Arc::ptr_eq(tokens.store(), &store));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(store: Arc<MaskStore>, encode: impl Fn(&[u8]) -> Vec<TokenId> + Send + Sync + 'static) -> Self {
        Self { store, encode: Box::new(encode), memo: Mutex::default() }
    }

    /// Returns the store of the vocabulary.
    ///
    /// ```
    /// use ogc_runtime::canonical::CanonicalTokens;
    #[doc = include_str!("example.md")]
    /// assert_eq!(CanonicalTokens::new(store, |_| Vec::new()).store().vocabulary().len(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn store(&self) -> &Arc<MaskStore> {
        &self.store
    }

    fn encoder(&self) -> Encoder<'_, impl FnMut(&[u8]) -> Vec<TokenId>> {
        Encoder { vocabulary: self.store.vocabulary(), encode: |text: &[u8]| (self.encode)(text) }
    }

    /// Returns the canonical tokens that may come next in a run after a context, ascending. `None` if they are unknown: the tokenizer does
    /// not write these bytes, or a [watch] stopped the search. `ways` holds the ways found earlier in the run; if there are none, or none
    /// continues, they are computed anew.
    pub(crate) fn next(&self, context: &[TokenId], run: Run<'_>, ways: &mut Option<Ways>) -> Option<Tokens> {
        if run.text.is_empty() {
            return None;
        }
        if let Some(known) = ways
            && let Some(next) = self.next_of(known, context, run)
        {
            return Some(next);
        }
        let mut kept = context.len();
        loop {
            let context = &context[context.len() - kept..];
            *ways = self.ways_behind(context, run);
            let found = ways.as_ref().and_then(|ways| self.next_of(ways, context, run));
            if found.is_some() || kept == 0 || watch::is_stopped() {
                return found;
            }
            kept /= 2;
        }
    }

    /// Returns the next token of each way, and the tokens that read the rest of the run and extend beyond it. `None` if there are none, or
    /// if a watch stopped the search.
    fn next_of(&self, ways: &Ways, context: &[TokenId], run: Run<'_>) -> Option<Tokens> {
        let beyond = self.going_on(self.joined(context), run.text, run.next)?;
        let mut next: Vec<u32> = beyond.iter().copied().chain(ways.next().map(|token| token.0)).collect();
        if next.is_empty() || watch::is_stopped() {
            return None;
        }
        next.sort_unstable();
        next.dedup();
        Some(next.into())
    }

    /// Returns the ways to write a run after a context; they may be empty if a token reads beyond the run. `None` if the tokenizer does not
    /// reproduce the context's tokens.
    fn ways_behind(&self, context: &[TokenId], run: Run<'_>) -> Option<Ways> {
        self.ways(context, run).or_else(|| {
            // Tokens that extend beyond the run were tried after the last token only: try them after the whole context.
            let beyond = self.going_on(self.joined(context), run.text, run.next)?;
            beyond.iter().any(|&token| self.is_written(context, TokenId(token))).then(Ways::default)
        })
    }

    fn is_written(&self, context: &[TokenId], token: TokenId) -> bool {
        let text = self.store.vocabulary().text(token).unwrap_or_default();
        self.encoder().encoded(context, text).is_some_and(|tokens| tokens == [token])
    }

    /// Returns the first tokens of a run, as long as there is exactly one canonical token each time.
    pub(crate) fn certain(&self, context: &[TokenId], run: Run<'_>) -> Vec<TokenId> {
        let (mut written, mut rest, mut ways) = (context.to_vec(), run.text, None);
        while !rest.is_empty() {
            let last = &written[written.len().saturating_sub(CONTEXT)..];
            let next = self.next(last, Run { text: rest, ..run }, &mut ways);
            let Some(&[token]) = next.as_deref() else { break };
            let text = self.store.vocabulary().text(TokenId(token)).unwrap_or_default();
            let Some(after) = rest.strip_prefix(text).filter(|_| !text.is_empty()) else { break };
            written.push(TokenId(token));
            ways.iter_mut().for_each(|ways| ways.follow(TokenId(token)));
            rest = after;
        }
        written.split_off(context.len())
    }

    /// Returns the places inside a run, between characters, where a token can begin that extends beyond the run.
    fn ends<'r>(&self, run: &'r [u8]) -> impl Iterator<Item = usize> + use<'r, '_> {
        let from = run.len().saturating_sub(self.store.trie().max_depth()).max(1);
        let begins = move |end: &usize| run[*end] & 0xC0 != 0x80;
        (from..run.len()).filter(begins).filter(|&end| self.store.trie().find(&run[end..]).is_some())
    }

    /// Returns whether the tokenizer writes, after `context` and `tokens`, a token that reads the rest of a run and one of the `next`
    /// bytes.
    fn is_left(&self, context: &[TokenId], tokens: &[TokenId], rest: &[u8], next: ByteSet) -> bool {
        let written: SmallVec<[TokenId; 16]> = context.iter().chain(tokens).copied().collect();
        let question = Question { before: self.joined(&written), text: rest.into(), next };
        let known = self.memo().exists(&question);
        known.unwrap_or_else(|| {
            let is_left = question.tokens(&self.store, &mut self.encoder()).next().is_some();
            if !watch::is_stopped() {
                self.memo().keep_exists(question, is_left);
            }
            is_left
        })
    }

    /// Returns the tokens after `before` that read `text` and one of the `next` bytes; `None` if a watch stopped the search.
    fn going_on(&self, before: SmallVec<[TokenId; 1]>, text: &[u8], next: ByteSet) -> Option<Tokens> {
        if self.store.trie().find(text).is_none() {
            return Some(Tokens::default());
        }
        let question = Question { before, text: text.into(), next };
        if let Some(known) = self.memo().tokens(&question) {
            return Some(known);
        }
        let found: Vec<u32> = question.tokens(&self.store, &mut self.encoder()).collect();
        if watch::is_stopped() {
            return None;
        }
        let found: Tokens = found.into();
        self.memo().keep_tokens(question, Arc::clone(&found));
        Some(found)
    }

    /// Returns the last tokens, as few as begin at the start of a character.
    fn joined(&self, tokens: &[TokenId]) -> SmallVec<[TokenId; 1]> {
        let text = |token: &TokenId| self.store.vocabulary().text(*token).unwrap_or_default();
        let begins = |token: &TokenId| text(token).first().is_some_and(|byte| byte & 0xC0 != 0x80);
        let from = tokens.iter().rposition(begins).unwrap_or(tokens.len());
        tokens[from..].into()
    }

    fn memo(&self) -> std::sync::MutexGuard<'_, ReachMemo> {
        self.memo.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
