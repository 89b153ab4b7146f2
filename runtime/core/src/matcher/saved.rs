//! Saved states: a matcher's place in a text as bytes, from which another process can continue.
//!
//! # Design: a text instead of stacks
//!
//! A saved state contains the accepted tokens and texts, and restoring reads them again. Rejected design: writing the stacks as they are in
//! memory. Nothing in a frame proves that some text leads to it, so that altered countdowns, key sets or return states would give wrong
//! masks. An altered text, however, is either refused, or is another text of the format and gets the masks of that text. Stacks also refer
//! to states by number, and another version of the compiler may number the states of the same format differently. Reading a text again
//! needs no mask: it takes 0.3 us a token, 100 us for each KB of JSON (`ogc-bench maskbench`), and longer if the format is ambiguous, as it
//! did the first time.
//!
//! # Other contents
//!
//! * The rollback window, and the number of tokens that can no longer be taken back; exactly the other tokens can be.
//! * The stop tokens, and whether one of them has ended the text.
//! * The budget: where it ends, and where it was last found to be [far](super::budget). Reading the text checks again that it is far there,
//!   and that each [plan](super::budget) completes the text. So no mask depends on an unchecked claim of the bytes.
//!
//! # Layout
//!
//! A saved state is [`MAGIC`], the version, the total length, the BLAKE3 hash of all other bytes; then the fields of [`MatcherState`], with
//! numbers of 8 bytes and lists of tokens of 4, little-endian. Every length is checked against the remaining bytes before anything is
//! allocated: reading takes no more memory than a small multiple of the bytes.

mod bytes;
mod replay;
mod state;

use super::{MatchError, Matcher};
use crate::automaton::{Automaton, Escapes};
use crate::container::Fingerprint;
use state::MatcherState;

/// The first bytes of a saved state.
const MAGIC: [u8; 8] = *b"\x89ogcm\r\n\n";

/// The version of the layout.
const VERSION: u32 = 1;

/// A state cannot be restored.
///
/// ```
#[doc = include_str!("../example.md")]
/// assert_eq!(matcher.restore(b"{}"), Err(RestoreError::NotAState));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// The bytes do not begin with the magic number of saved states.
    #[error("not a saved state of a matcher")]
    NotAState,
    /// The state was saved by another version of the layout.
    #[error("a state of version {given}, this runtime reads {supported}: read its text again")]
    Version {
        /// The state's version.
        given: u32,
        /// The version that this runtime reads.
        supported: u32,
    },
    /// The state has too few or too many bytes.
    #[error("{given} bytes of a state of {expected}")]
    Length {
        /// The number of bytes given.
        given: u64,
        /// The number of bytes expected.
        expected: u64,
    },
    /// The checksum is wrong: the bytes were altered after they were written.
    #[error("the state is altered: its checksum is wrong")]
    Corrupt,
    /// The state is for another format.
    #[error("a state of format {given}, not of {expected}")]
    OtherFormat {
        /// The format of the state.
        given: Fingerprint,
        /// The format of the matcher.
        expected: Fingerprint,
    },
    /// The state is for another vocabulary.
    #[error("a state of vocabulary {given}, not of {expected}")]
    OtherVocabulary {
        /// The vocabulary of the state.
        given: Fingerprint,
        /// The vocabulary of the matcher.
        expected: Fingerprint,
    },
    /// The state contradicts itself.
    #[error("the state is not valid: {what}")]
    Invalid {
        /// A description of the contradiction.
        what: &'static str,
    },
    /// The format refuses a token or text that the state lists as accepted.
    #[error("step {at} of the saved text is refused: {error}")]
    Refused {
        /// The number of accepted tokens and texts before it.
        at: usize,
        /// The error for the token or text.
        error: MatchError,
    },
}

impl Matcher {
    /// Saves the matcher's place, stop tokens, budget and rollback window as bytes (four per token). [`Matcher::restore`] reads them, also
    /// in another process.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// matcher.accept_token(TokenId(2))?;
    /// let saved = matcher.save();
    /// let mut other = Matcher::new(format, MaskStore::new(vocabulary));
    /// other.restore(&saved)?;
    /// assert_eq!(other.mask()?.tokens(), [TokenId(1), TokenId(4)]);
    /// other.rollback(1)?;
    /// assert_eq!(other.mask()?.tokens(), [TokenId(0), TokenId(2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        MatcherState::of(self).write()
    }

    /// Moves to a [saved](Matcher::save) place: from there on masks are the same, and the same tokens can be taken back. The stop tokens,
    /// the budget and the window of this matcher are replaced. The text is read again, which takes as long as accepting it took.
    ///
    /// The matcher must have the same format, by content, and the same vocabulary; it may or may not have masks from an artifact. The bytes
    /// are not trusted.
    ///
    /// # Errors
    ///
    /// Every [`RestoreError`]; nothing has changed then.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// let mut saved = matcher.save();
    /// saved.pop();
    /// let error = matcher.restore(&saved).err();
    /// assert!(matches!(error, Some(RestoreError::Length { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restore(&mut self, saved: &[u8]) -> Result<(), RestoreError> {
        let state = MatcherState::read(saved)?;
        state.check(self)?;
        let restored = replay::restored(self, &state)?;
        *self = Self { canonical: self.canonical.take(), ..restored };
        self.go_back_in_run(None);
        Ok(())
    }
}

/// Hashes the meaning of a format: the content of its root rule, which includes the rules that it calls, and how a text begins. Numbers of
/// rules and states are not included.
fn identity(automaton: &Automaton) -> Fingerprint {
    let root = &automaton.root;
    let rule = automaton.fingerprint(root.rule);
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"ogc state of format 1");
    hasher.update(&[u8::from(automaton.escapes == Escapes::Canonical), u8::from(automaton.nullable)]);
    hasher.update(&rule.to_le_bytes());
    hasher.update(&root.a.to_le_bytes());
    hasher.update(&root.b.to_le_bytes());
    Fingerprint(*hasher.finalize().as_bytes())
}
