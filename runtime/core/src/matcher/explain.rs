//! Explains where a matcher stands, and why it allows or refuses a token, for messages to people.

use std::fmt;
use std::sync::Arc;

use smallvec::SmallVec;

use super::{MatchError, Matcher, ReadingFrame};
use crate::step::{candidates, step};
use crate::vocabulary::{MARKER_START, TokenId, is_text, marker};

/// A frame of the rule stack, for display.
///
/// ```
#[doc = include_str!("../example.md")]
/// assert_eq!(matcher.position().frames, [RuleFrame { rule: "ab+".to_owned(), origin: 7 }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFrame {
    /// The rule's name.
    pub rule: String,
    /// The compiler's source handle of the state, 0 for none.
    pub origin: u32,
}

/// The place of a matcher in its format.
///
/// ```
#[doc = include_str!("../example.md")]
/// let position = matcher.position();
/// assert_eq!((position.may_end, position.readings), (false, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatcherPosition {
    /// The bytes of text that may come next.
    pub expected: Vec<u8>,
    /// The names of the vocabulary's tokens that may come next because the format asks for them by name, ascending.
    pub tokens: Vec<String>,
    /// Whether the text may end here.
    pub may_end: bool,
    /// The rule stack of the first reading, innermost first; at most [`SHOWN_FRAMES`](super::SHOWN_FRAMES).
    pub frames: Vec<RuleFrame>,
    /// The number of open rules in the first reading.
    pub depth: usize,
    /// The number of live readings of the text.
    pub readings: usize,
}

/// Explains whether and why a token is allowed.
///
/// ```
#[doc = include_str!("../example.md")]
/// let explanation = matcher.explain(TokenId(3));
/// assert_eq!((explanation.allowed, explanation.accepted_bytes), (false, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Whether the token is allowed.
    pub allowed: bool,
    /// The number of its bytes that are read. If it has no text or is read by name, the bytes of its marker count.
    pub accepted_bytes: usize,
    /// The position after those bytes.
    pub position: MatcherPosition,
}

/// Cap on the bytes that an explanation lists.
const SHOWN_BYTES: usize = 40;

/// Writes the rest of a sentence that begins with `token 5 is`.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MatcherPosition { expected, may_end, frames, .. } = &self.position;
        let rule = frames.first().map_or("the end of the text", |frame| &frame.rule);
        let bytes: Vec<String> =
            expected.iter().take(SHOWN_BYTES).map(|byte| byte.escape_ascii().to_string()).collect();
        let allowed = if self.allowed { "allowed" } else { "not allowed" };
        let bytes = if bytes.is_empty() { "no byte".to_owned() } else { bytes.join(" ") };
        let end = if *may_end { " or the end" } else { "" };
        write!(f, "{allowed}: {} of its bytes are read, then `{rule}` expects {bytes}{end}", self.accepted_bytes)
    }
}

impl Matcher {
    /// Returns the bytes and tokens that may come next, and the rules that would read them.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(matcher.position().expected, b"a");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn position(&mut self) -> MatcherPosition {
        let mark = self.stack.mark();
        let candidates = candidates(&self.automaton, &self.stack, &self.heads);
        let mut expected = Vec::new();
        for byte in (0..=u8::MAX).filter(|&b| candidates[usize::from(b >> 6)] >> (b & 63) & 1 == 1) {
            self.after.clear();
            step(&self.automaton, &mut self.stack, &mut self.scratch, &self.heads, byte, &mut self.after);
            let is_read = !self.stack.take_overflow() && self.leads_on_after();
            self.stack.truncate(mark);
            if is_read {
                expected.push(byte);
            }
        }
        let named = expected.pop_if(|byte| *byte == MARKER_START).is_some();
        let tokens = if named { self.named_next() } else { Vec::new() };
        let (frames, depth) = self.rule_stack();
        MatcherPosition { expected, tokens, may_end: self.is_complete(), frames, depth, readings: self.heads.len() }
    }

    /// Returns the names of the tokens whose markers are read here.
    fn named_next(&mut self) -> Vec<String> {
        let automaton = Arc::clone(&self.automaton);
        let names = automaton.tokens.iter().filter(|name| self.reads(&marker(name)) > name.len() + 1);
        names.cloned().collect()
    }

    /// Counts the bytes that are read from here; the matcher does not move.
    fn reads(&mut self, bytes: &[u8]) -> usize {
        let mark = self.stack.mark();
        let read = match self.advance(bytes) {
            Ok(()) => bytes.len(),
            Err(MatchError::NotAllowed { at }) => at,
            Err(_) => 0,
        };
        self.stack.truncate(mark);
        read
    }

    /// Returns the innermost rules of the first reading, and the number of all its rules.
    fn rule_stack(&self) -> (Vec<RuleFrame>, usize) {
        let Some(&head) = self.heads.first().filter(|head| !head.is_returned()) else { return (Vec::new(), 0) };
        let reading = self.reading_of(head);
        let frame = |frame: ReadingFrame| RuleFrame { rule: frame.rule, origin: frame.origin };
        (reading.frames.into_iter().map(frame).collect(), reading.depth)
    }

    /// Explains a token: the rule, the source place and the byte that decide about it. Ignores the budget; the matcher does not move.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// matcher.accept_token(TokenId(0))?;
    /// let explanation = matcher.explain(TokenId(3));
    /// assert_eq!((explanation.allowed, explanation.accepted_bytes), (false, 1));
    /// assert_eq!(explanation.position.expected, b"b");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn explain(&mut self, token: TokenId) -> Explanation {
        let bytes = self.reading(token);
        let accepted_bytes = if self.terminated { 0 } else { self.reads(&bytes) };
        let whole = !bytes.is_empty() && accepted_bytes == bytes.len();
        let is_end = self.stop_tokens().contains(&token) && self.is_complete();
        let allowed = !self.terminated && (is_end || whole && !self.is_only_stop(token));
        let position = self.position_after(&bytes[..accepted_bytes]);
        Explanation { allowed, accepted_bytes, position }
    }

    /// Returns the bytes by which a token is read here: its marker, if that is read or the token has no text; else its text.
    fn reading(&mut self, token: TokenId) -> Vec<u8> {
        let vocabulary = Arc::clone(self.store.vocabulary());
        let text = vocabulary.text(token).filter(|text| is_text(text));
        let Some(name) = vocabulary.name_of(token).filter(|_| self.automaton.derived.reads_markers()) else {
            return text.unwrap_or_default().to_vec();
        };
        let marker = marker(name);
        match text {
            Some(text) if self.reads(&marker) < marker.len() => text.to_vec(),
            _ => marker,
        }
    }

    /// Returns the position after bytes that are read, which may end inside a token.
    fn position_after(&mut self, bytes: &[u8]) -> MatcherPosition {
        let mark = self.stack.mark();
        let (heads, nothing_read) = (self.heads.clone(), self.nothing_read);
        if self.advance(bytes).is_ok() {
            self.heads = SmallVec::from_slice(&self.before);
            self.nothing_read &= bytes.is_empty();
        }
        let position = self.position();
        (self.heads, self.nothing_read) = (heads, nothing_read);
        self.stack.truncate(mark);
        position
    }
}
