//! The log of a matcher: everything that it has accepted since the beginning of the text. [Saved states](super::saved) are made from it.

use std::sync::Arc;

use always_assert::never;

use crate::step::ForkVec;
use crate::vocabulary::TokenId;

/// One accepted step: a token or a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Accepted<'a> {
    Token(TokenId),
    /// Text that was not accepted as a token; it may be empty.
    Text(&'a [u8]),
}

impl Accepted<'_> {
    /// Returns the token, if the step is one.
    pub(super) fn token(self) -> Option<TokenId> {
        match self {
            Self::Token(token) => Some(token),
            Self::Text(_) => None,
        }
    }

    /// Returns whether the step adds nothing to the text.
    pub(super) fn is_empty(self) -> bool {
        matches!(self, Self::Text([]))
    }
}

/// The entry of a text; no token has this number.
const TEXT: u32 = u32::MAX;

/// Returns the text of a [`TEXT`] entry.
fn logged(text: Option<&(usize, Arc<[u8]>)>) -> &[u8] {
    never!(text.is_none(), "an entry of a text has none");
    text.map(|(_, text)| &**text).unwrap_or_default()
}

/// Everything that was accepted. A token takes four bytes; the [rollback window](super::Matcher::set_rollback_window) does not bound the
/// log.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    /// The number of a token, or [`TEXT`].
    entries: ForkVec<u32, 256>,
    /// The texts and the indexes of their entries, ascending.
    texts: ForkVec<(usize, Arc<[u8]>), 32>,
}

impl Log {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub(super) fn push(&mut self, accepted: Accepted<'_>) {
        match accepted {
            Accepted::Token(token) => self.entries.push(token.0),
            Accepted::Text(text) => {
                self.texts.push((self.entries.len(), text.into()));
                self.texts.share();
                self.entries.push(TEXT);
            }
        }
        self.entries.share();
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.entries.truncate(len);
        let kept = (0..self.texts.len()).rev().find(|&at| self.texts.get(at).is_some_and(|(entry, _)| *entry < len));
        self.texts.truncate(kept.map_or(0, |last| last + 1));
    }

    /// Returns the last step.
    pub(super) fn last(&self) -> Option<Accepted<'_>> {
        let &entry = self.entries.get(self.len().checked_sub(1)?)?;
        if entry != TEXT {
            return Some(Accepted::Token(TokenId(entry)));
        }
        let (_, text) = self.texts.get(self.texts.len().checked_sub(1)?)?;
        Some(Accepted::Text(text))
    }

    /// Returns the steps, last first.
    pub(super) fn rev(&self) -> impl Iterator<Item = Accepted<'_>> {
        let mut texts = (0..self.texts.len()).rev().filter_map(|at| self.texts.get(at));
        let entries = (0..self.len()).rev().filter_map(|at| self.entries.get(at));
        entries.map(move |&entry| match entry {
            TEXT => Accepted::Text(logged(texts.next())),
            token => Accepted::Token(TokenId(token)),
        })
    }

    /// Returns the steps, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Accepted<'_>> {
        let mut texts = (0..self.texts.len()).filter_map(|at| self.texts.get(at));
        let entries = (0..self.len()).filter_map(|at| self.entries.get(at));
        entries.map(move |&entry| match entry {
            TEXT => Accepted::Text(logged(texts.next())),
            token => Accepted::Token(TokenId(token)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Accepted, Log};
    use crate::vocabulary::TokenId;

    #[test]
    fn the_log_holds_what_was_accepted_and_not_rolled_back() {
        let entry = |at: u32| if at % 5 == 3 { Accepted::Text(b"text") } else { Accepted::Token(TokenId(at)) };
        let mut log = Log::default();
        let mut plain = Vec::new();
        for round in 0..30 {
            for at in 0..300 {
                log.push(entry(at));
                plain.push(entry(at));
            }
            let len = plain.len() - (round * 37) % plain.len();
            log.truncate(len);
            plain.truncate(len);
            assert_eq!(log.iter().collect::<Vec<_>>(), plain);
            assert!(log.rev().eq(plain.iter().rev().copied()));
            assert_eq!((log.len(), log.last()), (plain.len(), plain.last().copied()));
        }
    }
}
