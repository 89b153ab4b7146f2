//! Why a token is masked, and where a matcher stands.

use super::Matcher;
use super::forced::candidates;
use crate::step::{BOTTOM, step};
use crate::vocabulary::TokenId;

/// A frame of the rule stack, for people.
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

/// Where a matcher stands.
///
/// ```
#[doc = include_str!("../example.md")]
/// let position = matcher.position();
/// assert_eq!((position.may_end, position.readings), (false, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The bytes that may come next.
    pub expected: Vec<u8>,
    /// The text may end here.
    pub may_end: bool,
    /// The rule stack of the first reading, innermost first.
    pub frames: Vec<RuleFrame>,
    /// How many readings of the text are alive.
    pub readings: usize,
}

/// What the format says of a token.
///
/// ```
#[doc = include_str!("../example.md")]
/// let explanation = matcher.explain(TokenId(3));
/// assert_eq!((explanation.allowed, explanation.accepted_bytes), (false, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The token is allowed.
    pub allowed: bool,
    /// How many of its bytes are read.
    pub accepted_bytes: usize,
    /// Where the reading stands after those.
    pub position: Position,
}

impl Matcher {
    /// What may come next, and inside of which rules.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(matcher.position().expected, b"a");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn position(&mut self) -> Position {
        let mark = self.stack.mark();
        let candidates = candidates(&self.automaton, &self.stack, &self.heads);
        let mut expected = Vec::new();
        for byte in (0..=u8::MAX).filter(|&b| candidates[usize::from(b >> 6)] >> (b & 63) & 1 == 1) {
            self.after.clear();
            step(&self.automaton, &mut self.stack, &mut self.scratch, &self.heads, byte, &mut self.after);
            self.stack.truncate(mark);
            if !self.stack.take_overflow() && !self.after.is_empty() {
                expected.push(byte);
            }
        }
        Position { expected, may_end: self.is_complete(), frames: self.rule_stack(), readings: self.heads.len() }
    }

    fn rule_stack(&self) -> Vec<RuleFrame> {
        let mut frames = Vec::new();
        let Some(&head) = self.heads.first().filter(|head| !head.is_returned()) else {
            return frames;
        };
        let (mut state, mut parent) = (head.state, head.parent);
        loop {
            frames.push(RuleFrame {
                rule: self.automaton.rule_of(state).name.clone(),
                origin: self.automaton.origins[state.index()],
            });
            if parent == BOTTOM {
                return frames;
            }
            let mut below = None;
            self.stack.frames(parent, |frame, parent| {
                below.get_or_insert((frame.state, parent));
            });
            let Some(next) = below else { return frames };
            (state, parent) = next;
        }
    }

    /// Which rule, which source place and which byte decide about a token; a budget is not asked. The matcher does not move.
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
        let budget = self.budget.take();
        let explanation = self.explain_format(token);
        self.budget = budget;
        explanation
    }

    fn explain_format(&mut self, token: TokenId) -> Explanation {
        let text = self.store.vocabulary().text(token).unwrap_or_default().to_vec();
        let is_end = self.store.vocabulary().eos().contains(&token);
        let accepted_bytes = (0..=text.len()).rev().find(|&n| self.try_bytes(&text[..n])).unwrap_or(0);
        let whole = !text.is_empty() && accepted_bytes == text.len();
        let allowed = !self.terminated && if is_end { self.is_complete() } else { whole };
        let moved = accepted_bytes > 0 && self.accept_bytes(&text[..accepted_bytes]).is_ok();
        let position = self.position();
        if moved {
            let _ = self.rollback(1);
        }
        Explanation { allowed, accepted_bytes, position }
    }

    fn try_bytes(&mut self, bytes: &[u8]) -> bool {
        let accepted = self.accept_bytes(bytes).is_ok();
        if accepted {
            let _ = self.rollback(1);
        }
        accepted
    }
}
