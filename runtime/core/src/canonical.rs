//! Canonical tokens: those that a vocabulary's own tokenizer writes.
//!
//! A mask asks for bytes alone, so that a model may write a constant in odd tokens (`b`, `lo`, `od`). Where a format determines the bytes
//! that come next, the *run*, a [matcher](crate::matcher::Matcher::set_canonical_tokens) with [`CanonicalTokens`] allows only tokens that the
//! tokenizer writes for the run and a text that may follow it.
//!
//! # What is allowed
//!
//! The tokenizer encodes `context run text`, where the context is the last tokens of the sequence that it writes as they stand. A token is
//! canonical if, for some text that begins with a byte that may follow the run, it is the first behind the context. A place where the format
//! leaves a choice has an empty run, and every token of its mask is allowed there.
//!
//! # How it is found
//!
//! Of merges (byte-pair encoding) and of best paths (unigrams) it holds that an encoding which has a boundary at a place begins with the
//! encoding of what is before that place, so that whether two tokens may be neighbours does not depend on what is around them (Vieira and
//! others, "Language Models over Canonical Byte-Pair Encodings", ICML 2025; Cognetta and Okazaki, "Tokenization as Finite-State
//! Transduction", 2024, build the automaton of all of it). So of the endless many texts behind a run only their last boundary within the run
//! matters: for each place in the run that can be it, the run up to there is encoded, and its first token is canonical. A place can be the
//! last boundary if a token goes on from there beyond the run, and the tokenizer writes it there: each such token is tried, and what was
//! found is kept, as runs are few.
//!
//! Of the run `": ` and the tokens `":`, ` "`, the places are behind `":` (a token that begins with a space goes on) and the end.
//!
//! # Where free text follows
//!
//! Of the run `":"` the tokenizer writes `":"`, but `":` and `",` if the text behind it begins with a comma. A model that wants white space there
//! gives `":` most of its weight, and would stand behind it with nothing left but `",` and the like. So where nearly any text may follow a run
//! ([`FREE`]), and the run can end at a boundary, it is written as it is written by itself, or by a token that reads all of it and more.
//!
//! A token that ends inside a character cannot be tried, as tokenizers read texts: it is taken to be written.

mod encoder;
mod policy;
mod reach;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use smallvec::SmallVec;

use crate::automaton::ByteSet;
use crate::mask::MaskStore;
use crate::vocabulary::TokenId;
use crate::watch;
pub(crate) use encoder::Encoder;
pub use policy::{TokenPolicy, UnknownTokenPolicy};
use reach::{Question, ReachMemo, Tokens};

/// The bytes of a run that are looked at: the first token behind them does not depend on more.
const WINDOW: usize = 96;

/// The most tokens before a run with which it is encoded.
pub(crate) const CONTEXT: usize = 8;

/// The bytes that may follow a run from which on that is free text: more than there are letters and digits.
const FREE: u32 = 64;

/// A text that must come next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'a> {
    /// The bytes; not empty.
    pub(crate) text: &'a [u8],
    /// The bytes of which one may follow.
    pub(crate) next: ByteSet,
    /// Whether nothing of the text may follow: its end, or a named token.
    pub(crate) may_end: bool,
}

impl<'a> Run<'a> {
    /// Returns as much of the run as decides the first token: whole characters.
    fn window(self) -> Run<'a> {
        let most = self.text.get(..WINDOW).unwrap_or(self.text);
        let whole = match std::str::from_utf8(most) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => most.len(),
        };
        match self.text.get(whole) {
            None => self,
            Some(&byte) => {
                let mut next = [0; 4];
                crate::automaton::insert(&mut next, byte);
                Run { text: &self.text[..whole], next, may_end: false }
            }
        }
    }
}

type EncodeText = dyn Fn(&[u8]) -> Vec<TokenId> + Send + Sync;

/// The tokens that a tokenizer writes, for all matchers of its vocabulary. What was found is kept.
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
    /// Makes the canonical tokens of a store's vocabulary. `encode` is the tokenizer: it makes tokens of a text that goes on, without
    /// special tokens, and none of bytes that it cannot read.
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

    /// Returns the tokens that may be the first of a run behind a context, ascending; `None` if that is not known: the tokenizer does not
    /// write these bytes, or a [watch] stopped the search.
    pub(crate) fn first(&self, context: &[TokenId], run: Run<'_>) -> Option<Tokens> {
        let run = run.window();
        let mut kept = if run.text.is_empty() { return None } else { context.len() };
        loop {
            let mut first = self.first_behind(&context[context.len() - kept..], run)?;
            if !first.is_empty() {
                first.sort_unstable();
                return Some(first.into());
            }
            kept = if kept == 0 { return None } else { kept / 2 };
        }
    }

    /// Returns the tokens that may be the first of a run behind a context; none if that is not written as it stands. `None` if a [watch]
    /// stopped this.
    fn first_behind(&self, context: &[TokenId], run: Run<'_>) -> Option<Vec<u32>> {
        let mut first: Vec<u32> = self.going_on(self.joined(context), run.text, run.next)?.to_vec();
        let mut is_written = context.is_empty();
        let is_free = run.next.iter().map(|word| word.count_ones()).sum::<u32>() > FREE;
        // The whole run is looked at first: where free text follows, it is enough.
        for end in std::iter::once(run.text.len()).chain(self.ends(run.text)) {
            let (text, rest) = run.text.split_at(end);
            let Some(tokens) = self.encoder().encoded(context, text) else { continue };
            is_written = true;
            let Some(&token) = tokens.first().filter(|token| !first.contains(&token.0)) else { continue };
            if (rest.is_empty() && run.may_end) || self.is_left(context, &tokens, rest, run.next) {
                first.push(token.0);
                if rest.is_empty() && is_free {
                    break;
                }
            }
        }
        // The tokens beyond the run were tried behind the last token alone.
        if !is_written && !first.iter().any(|&token| self.is_written(context, TokenId(token))) {
            first.clear();
        }
        (!watch::is_stopped()).then_some(first)
    }

    fn is_written(&self, context: &[TokenId], token: TokenId) -> bool {
        let text = self.store.vocabulary().text(token).unwrap_or_default();
        self.encoder().encoded(context, text).is_some_and(|tokens| tokens == [token])
    }

    /// Returns the tokens that a run is written with, as far as no place of it has two.
    pub(crate) fn certain(&self, context: &[TokenId], run: Run<'_>) -> Vec<TokenId> {
        let (mut written, mut rest) = (context.to_vec(), run.text);
        while !rest.is_empty() {
            let first = self.first(&written[written.len().saturating_sub(CONTEXT)..], Run { text: rest, ..run });
            let Some(&[token]) = first.as_deref() else { break };
            let text = self.store.vocabulary().text(TokenId(token)).unwrap_or_default();
            let Some(after) = rest.strip_prefix(text).filter(|_| !text.is_empty()) else { break };
            written.push(TokenId(token));
            rest = after;
        }
        written.split_off(context.len())
    }

    /// Returns the places inside of a run, at the ends of characters, behind which a token can go on beyond it.
    fn ends<'r>(&self, run: &'r [u8]) -> impl Iterator<Item = usize> + use<'r, '_> {
        let from = run.len().saturating_sub(self.store.trie().max_depth()).max(1);
        let begins = move |end: &usize| run[*end] & 0xC0 != 0x80;
        (from..run.len()).filter(begins).filter(|&end| self.store.trie().find(&run[end..]).is_some())
    }

    /// Returns whether the tokenizer goes on from a boundary with a token that reads the rest of a run and one of the `next` bytes.
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

    /// Returns the tokens that go on from a context with a text and one of the `next` bytes; `None` if a watch stopped the search.
    fn going_on(&self, before: SmallVec<[TokenId; 1]>, text: &[u8], next: ByteSet) -> Option<Tokens> {
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

    /// Returns the last of some tokens: as many as it takes to begin with a whole character.
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
