//! Finds how far a text is accepted, byte by byte or token by token.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ogc_compiler::db::SourceFile;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MatchError, Matcher, MatcherPosition};
use ogc_runtime::trie::greedy_tokens;
use ogc_runtime::vocabulary::TokenId;

use super::next::Next;
use super::reason::{Mistake, Reason};
use super::tokens::Encoder;
use crate::args::Run;
use crate::problem::Problem;
use crate::session::Session;
use crate::vocabulary::BUILT_IN;

/// The place where a text leaves its format.
pub(super) struct Stop {
    /// The number of accepted bytes.
    pub(super) accepted: usize,
    /// The position in the format there.
    pub(super) position: MatcherPosition,
    /// The token that holds the refused byte: its first byte in the text, and its bytes.
    pub(super) token: Option<(usize, Vec<u8>)>,
    /// The limit on tokens, and what may come instead, if the text is refused for the number of its tokens only.
    bound: Option<(Option<u32>, Next)>,
}

impl Stop {
    /// Returns the reason for the refusal, if that is the number of tokens.
    pub(super) fn token_bound(&self) -> Option<Reason> {
        let (most, next) = self.bound.as_ref()?;
        let bound = match most {
            Some(1) => "1 token is allowed".to_owned(),
            Some(most) => format!("{most} tokens are allowed"),
            None => "the bound on tokens is reached".to_owned(),
        };
        let message = format!("this text has too many tokens here: {bound}");
        let (expected, words) = (next.describe(), next.words.clone());
        Some(Reason {
            code: Some(Mistake::TokenBound),
            message,
            at: self.accepted,
            expected,
            words,
            ..Reason::default()
        })
    }
}

/// A vocabulary in whose tokens texts are written.
pub(super) struct Counted {
    store: Arc<MaskStore>,
    encoder: Encoder,
}

/// Steps a text byte by byte; returns `None` if all of it is accepted.
pub(super) fn by_bytes(
    automaton: &Arc<Automaton>,
    store: &Arc<MaskStore>,
    text: &[u8],
) -> Result<Option<Stop>, MatchError> {
    let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(store));
    let accepted = accept_most(&mut matcher, text)?;
    if accepted == text.len() && matcher.is_complete() {
        return Ok(None);
    }
    Ok(Some(Stop { accepted, position: matcher.position(), token: None, bound: None }))
}

/// Accepts as much of a text as is allowed; returns the number of bytes.
pub(in crate::commands) fn accept_most(matcher: &mut Matcher, text: &[u8]) -> Result<usize, MatchError> {
    match matcher.accept_bytes(text) {
        Ok(()) => Ok(text.len()),
        Err(MatchError::NotAllowed { at }) => {
            matcher.accept_bytes(text.get(..at).unwrap_or_default())?;
            Ok(at)
        }
        Err(error) => Err(error),
    }
}

impl Counted {
    /// Loads the vocabulary that a flag or `ogc.toml` names, if one does.
    pub(super) fn load(session: &Session, args: &Run, file: SourceFile) -> Result<Option<Self>, Problem> {
        let project: Option<PathBuf> = session.project(file).vocab.clone();
        let Some(path) = args.vocab.as_deref().or(project.as_deref()) else { return Ok(None) };
        let store = session.vocabulary(Some(path), file)?.store(&session.db);
        Ok(Some(Self { store, encoder: Encoder::load(path)? }))
    }

    /// Steps a text token by token; returns `None` if all of it is accepted.
    pub(super) fn stop(
        &self,
        automaton: &Arc<Automaton>,
        bytes: &Arc<MaskStore>,
        text: &[u8],
    ) -> Result<Option<Stop>, MatchError> {
        let by_bytes = by_bytes(automaton, bytes, text)?;
        let tokens = self.tokens(text);
        let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(&self.store));
        let mut begin = 0;
        for &(token, len) in &tokens {
            match matcher.accept_token(token) {
                Ok(()) => begin += len,
                Err(MatchError::NotAllowed { .. } | MatchError::TokenNotAllowed { .. }) => break,
                Err(error) => return Err(error),
            }
        }
        let token = |at: usize| token_at(&tokens, text, at);
        let is_spent =
            begin < text.len() && by_bytes.as_ref().is_none_or(|stop| stop.accepted > token_end(&tokens, begin));
        if !is_spent {
            // Where all tokens are read but the text is cut short, or bytes are refused: bytes say it.
            return Ok(by_bytes.map(|stop| Stop { token: token(stop.accepted), ..stop }));
        }
        let next = Next::of(&mut matcher);
        let bound = Some((most_tokens(automaton), next));
        Ok(Some(Stop { accepted: begin, position: matcher.position(), token: token(begin), bound }))
    }

    /// Returns the text's tokens and their lengths. Named tokens stand in it as markers; the text between them is
    /// encoded.
    fn tokens(&self, text: &[u8]) -> Vec<(TokenId, usize)> {
        let vocabulary = self.store.vocabulary();
        let greedy = |part: &[u8]| greedy_tokens(self.store.trie(), part).unwrap_or_default();
        let mut tokens = Vec::new();
        for part in text.split_inclusive(|&byte| byte == 0xFE) {
            let marked = part.iter().position(|&byte| byte == 0xFF).unwrap_or(part.len());
            let (plain, marker) = part.split_at(marked);
            let encoded = std::str::from_utf8(plain).ok().and_then(|plain| self.encoder.encode(vocabulary, plain));
            let lengths = |ids: &[TokenId]| -> Vec<(TokenId, usize)> {
                ids.iter().map(|&id| (id, vocabulary.text(id).map_or(0, <[u8]>::len))).collect()
            };
            // A tokenizer that changes its text (lower case, added spaces) does not say where its tokens lie.
            let encoded = encoded.map(|ids| lengths(&ids));
            let exact = encoded.filter(|ids| ids.iter().map(|(_, len)| len).sum::<usize>() == plain.len());
            tokens.extend(exact.unwrap_or_else(|| lengths(&greedy(plain))));
            tokens.extend(greedy(marker).iter().map(|&id| (id, marker.len())));
        }
        tokens
    }
}

/// Returns the limit on tokens of the format's bounded texts, if all have the same.
fn most_tokens(automaton: &Automaton) -> Option<u32> {
    let counts = |rule: ogc_runtime::automaton::RuleId| automaton.rules[rule.index()].counts_tokens;
    let mut bounds = automaton.calls.iter().filter(|call| counts(call.rule)).map(|call| call.a);
    let first = bounds.next()?;
    bounds.all(|bound| bound == first).then_some(first)
}

/// Returns the byte behind the token that begins at a byte.
fn token_end(tokens: &[(TokenId, usize)], begin: usize) -> usize {
    let mut end = 0;
    for (_, len) in tokens {
        end += len;
        if end > begin {
            break;
        }
    }
    end.saturating_sub(1)
}

/// Returns the token that holds a byte, with its first byte.
fn token_at(tokens: &[(TokenId, usize)], text: &[u8], byte: usize) -> Option<(usize, Vec<u8>)> {
    let mut begin = 0;
    for (_, len) in tokens {
        if begin + len > byte {
            return Some((begin, text.get(begin..begin + len)?.to_vec()));
        }
        begin += len;
    }
    None
}

/// Returns the token of the built-in vocabulary that holds a byte, for texts without a vocabulary.
pub(super) fn default_token(session: &Session, file: SourceFile, text: &[u8], byte: usize) -> Option<(usize, Vec<u8>)> {
    let store = session.vocabulary(Some(Path::new(BUILT_IN)), file).ok()?.store(&session.db);
    let vocabulary = store.vocabulary();
    let tokens = greedy_tokens(store.trie(), text)?;
    let lengths: Vec<(TokenId, usize)> =
        tokens.into_iter().map(|id| (id, vocabulary.text(id).map_or(0, <[u8]>::len))).collect();
    token_at(&lengths, text, byte)
}
