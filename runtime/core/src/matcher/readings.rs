//! The readings of a text so far, with their stacks and registers, for people who inspect a format.

use super::Matcher;
use crate::automaton::StateId;
use crate::step::{BOTTOM, Head};

/// Cap on the frames of a rule stack in a [`Reading`] or a [`MatcherPosition`](super::MatcherPosition): a stack may be as deep as its text
/// is long.
pub const SHOWN_FRAMES: usize = 64;

/// One way to read the text so far.
///
/// ```
#[doc = include_str!("../example.md")]
/// matcher.accept_bytes(b"a")?;
/// let readings = matcher.readings();
/// assert_eq!((readings.len(), readings[0].frames[0].rule.as_str()), (1, "ab+"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The frames of its stack, innermost first, at most [`SHOWN_FRAMES`]. If several stacks share the frames on top, these are the frames
    /// of the first.
    pub frames: Vec<ReadingFrame>,
    /// The number of frames.
    pub depth: usize,
}

/// A frame of a reading: a rule that is not finished yet.
///
/// ```
#[doc = include_str!("../example.md")]
/// assert_eq!(matcher.readings()[0].frames[0].origin, 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadingFrame {
    /// The rule's name.
    pub rule: String,
    /// The compiler's source handle of the state, 0 for none.
    pub origin: u32,
    /// The state in which the rule continues.
    pub state: StateId,
    /// Number of ticks still needed for the rule's minimum.
    pub needed: u32,
    /// Number of ticks allowed beyond those; [`crate::automaton::UNBOUNDED`] for any number.
    pub spare: u32,
    /// The keys or the number of tokens that the frame remembers.
    pub memory: Memory,
}

/// The memory of a frame: keys, or a number of tokens.
///
/// ```
#[doc = include_str!("../example.md")]
/// assert_eq!(matcher.readings()[0].frames[0].memory, Memory::Nothing);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Nothing.
    Nothing,
    /// The index of the first declared key that may still come.
    NextKey(u32),
    /// The indexes of the declared keys that were seen.
    KeysSeen(Vec<u32>),
    /// The number of tokens that may still add to the text.
    TokensLeft(u32),
}

/// Cap on the readings that are returned.
const SHOWN_READINGS: usize = 64;

impl Matcher {
    /// Returns the live readings of the text so far, at most 64, each with its stack.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(matcher.readings()[0].depth, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn readings(&self) -> Vec<Reading> {
        let alive = self.heads.iter().filter(|head| !head.is_returned());
        alive.take(SHOWN_READINGS).map(|&head| self.reading_of(head)).collect()
    }

    /// Returns the stack of a head.
    pub(super) fn reading_of(&self, top: Head) -> Reading {
        let mut reading = Reading { frames: Vec::new(), depth: 0 };
        let mut next = Some(top);
        while let Some(head) = next.take() {
            reading.depth += 1;
            if reading.depth <= SHOWN_FRAMES {
                reading.frames.push(self.frame_of(head));
            }
            if head.parent != BOTTOM {
                self.stack.frames(head.parent, |frame, parent| {
                    next.get_or_insert(frame.resume(parent));
                });
            }
        }
        reading
    }

    fn frame_of(&self, head: Head) -> ReadingFrame {
        let rule = self.automaton.rule_of(head.state);
        ReadingFrame {
            rule: rule.name.clone(),
            origin: self.automaton.origins[head.state.index()],
            state: head.state,
            needed: head.a,
            spare: head.b,
            memory: self.memory_of(head),
        }
    }

    fn memory_of(&self, head: Head) -> Memory {
        let rule = self.automaton.rule_of(head.state);
        if rule.counts_tokens {
            return Memory::TokensLeft(head.memory.word());
        }
        let Some(object) = rule.object else { return Memory::Nothing };
        let shape = &self.automaton.objects[object.index()];
        let memory = self.stack.registers(head.memory);
        match shape.keeps_set() {
            false => Memory::NextKey(memory.word()),
            true => {
                let words = self.stack.set(memory).map(|set| set.as_slice()).unwrap_or_default();
                let has = |key: &u32| words.get(*key as usize / 64).is_some_and(|word| word >> (key % 64) & 1 == 1);
                Memory::KeysSeen((0..shape.keys).filter(has).collect())
            }
        }
    }
}
