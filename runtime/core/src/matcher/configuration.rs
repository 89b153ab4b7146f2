//! The configuration of a matcher as plain data: all readings of the text with their whole stacks, for engines that continue from there.
//!
//! A matcher's stacks share frames and fork downwards (`step/stack.rs`). Here each frame has at most one frame below it, so that a fork
//! becomes several frames, or several readings. Equal frames on equal stacks are stored once, and so are equal sets.

use std::collections::HashMap;
use std::hash::Hash;

use always_assert::never;
use rustc_hash::FxHashMap;

use super::Matcher;
use crate::automaton::StateId;
use crate::step::{BOTTOM, Frame, Head, NodeId};

/// The memory of a frame beside its countdowns.
///
/// ```
#[doc = include_str!("../example.md")]
/// use ogc_runtime::matcher::{ConfigurationLimits, FrameMemory};
/// let configuration = matcher.configuration(ConfigurationLimits { heads: 1, nodes: 0, sets: 0 })?;
/// assert_eq!(configuration.heads[0].top.map(|top| top.memory), Some(FrameMemory::Number(0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrameMemory {
    /// The first declared key that may still come, or the number of tokens that may still be written; 0 if the rule has neither, and before
    /// the first key in any order.
    Number(u32),
    /// The declared keys that were seen: an index into [`Configuration::sets`].
    Keys(u32),
}

/// A rule that is not finished: its state and registers.
///
/// ```
#[doc = include_str!("../example.md")]
/// # use ogc_runtime::matcher::ConfigurationLimits;
/// let configuration = matcher.configuration(ConfigurationLimits { heads: 1, nodes: 0, sets: 0 })?;
/// assert_eq!(configuration.heads[0].top.map(|top| top.state), Some(format.rules[0].start));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConfigurationFrame {
    /// The state of the rule.
    pub state: StateId,
    /// Number of ticks still needed for the rule's minimum.
    pub a: u32,
    /// Number of ticks allowed beyond those; [`crate::automaton::UNBOUNDED`] for any number.
    pub b: u32,
    /// The keys or the number of tokens that the frame remembers.
    pub memory: FrameMemory,
}

/// A frame below the innermost one, and the node below it.
///
/// ```
/// use ogc_runtime::automaton::StateId;
/// use ogc_runtime::matcher::{ConfigurationFrame, ConfigurationNode, FrameMemory};
/// let frame = ConfigurationFrame { state: StateId(3), a: 0, b: 0, memory: FrameMemory::Number(0) };
/// assert!(ConfigurationNode { frame, parent: None }.parent.is_none(), "the lowest");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConfigurationNode {
    /// The frame.
    pub frame: ConfigurationFrame,
    /// The index of the node below, which is less than this node's own; `None` for the lowest frame.
    pub parent: Option<u32>,
}

/// One reading of the text.
///
/// ```
#[doc = include_str!("../example.md")]
/// # use ogc_runtime::matcher::ConfigurationLimits;
/// let configuration = matcher.configuration(ConfigurationLimits { heads: 1, nodes: 0, sets: 0 })?;
/// assert_eq!((configuration.heads[0].escape, configuration.heads[0].parent), (0, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConfigurationHead {
    /// The innermost frame; `None` if the lowest frame has returned, so that nothing more can be read.
    pub top: Option<ConfigurationFrame>,
    /// The state of an incomplete escape inside a string, encoded as in `step/escape.rs`; 0 for none.
    pub escape: u32,
    /// The index of the node below the innermost frame; `None` if there is none.
    pub parent: Option<u32>,
}

/// All readings of a text.
///
/// ```
#[doc = include_str!("../example.md")]
/// # use ogc_runtime::matcher::ConfigurationLimits;
/// let configuration = matcher.configuration(ConfigurationLimits { heads: 1, nodes: 0, sets: 0 })?;
/// assert!(configuration.is_fresh && !configuration.is_ended && configuration.nodes.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// Whether no byte has been read.
    pub is_fresh: bool,
    /// Whether the text was ended by a stop token.
    pub is_ended: bool,
    /// Whether a budget bounds the tokens that may still come. No other field describes the budget.
    pub has_budget: bool,
    /// The readings.
    pub heads: Vec<ConfigurationHead>,
    /// The frames below the innermost ones, parents first.
    pub nodes: Vec<ConfigurationNode>,
    /// Sets of keys that frames remember, one bit per key, lowest key first.
    pub sets: Vec<[u32; 4]>,
}

/// Caps on the readings, frames and sets of a configuration.
///
/// ```
/// let limits = ogc_runtime::matcher::ConfigurationLimits { heads: 8, nodes: 256, sets: 32 };
/// assert!(limits.heads < limits.nodes);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfigurationLimits {
    /// Cap on the readings.
    pub heads: usize,
    /// Cap on the frames below the innermost ones.
    pub nodes: usize,
    /// Cap on the sets of keys.
    pub sets: usize,
}

/// A matcher's configuration does not fit.
///
/// ```
#[doc = include_str!("../example.md")]
/// use ogc_runtime::matcher::{ConfigurationError, ConfigurationLimits};
/// let error = matcher.configuration(ConfigurationLimits { heads: 0, nodes: 0, sets: 0 }).err();
/// assert_eq!(error, Some(ConfigurationError { what: "readings", given: 1, limit: 0 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the text has too many {what}: at least {given}, the limit is {limit}")]
pub struct ConfigurationError {
    /// Resource that exceeds its limit, such as `readings` or `frames`.
    pub what: &'static str,
    /// The amount counted until the work stopped.
    pub given: usize,
    /// The limit.
    pub limit: usize,
}

impl Matcher {
    /// Returns the readings of the text so far with their whole stacks. The matcher's own stop tokens are not included.
    ///
    /// # Errors
    /// A limit is exceeded, an object that remembers its keys has more than 128 of them, or the format has arrays without duplicate items
    /// or objects in which no undeclared key may come twice.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// # use ogc_runtime::matcher::ConfigurationLimits;
    /// matcher.accept_token(TokenId(2))?;
    /// let configuration = matcher.configuration(ConfigurationLimits { heads: 8, nodes: 256, sets: 32 })?;
    /// assert_eq!((configuration.heads.len(), configuration.is_fresh), (1, false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn configuration(&self, limits: ConfigurationLimits) -> Result<Configuration, ConfigurationError> {
        if self.stack.keeps_text() {
            return Err(ConfigurationError {
                what: "items of arrays or keys of objects to remember",
                given: 1,
                limit: 0,
            });
        }
        let mut copy = Copy {
            matcher: self,
            limits,
            images: FxHashMap::default(),
            nodes: Numbers::default(),
            sets: Numbers::default(),
        };
        let mut heads: Vec<ConfigurationHead> = Vec::new();
        for head in &self.heads {
            for copied in copy.heads(head)? {
                if !heads.contains(&copied) {
                    heads.push(copied);
                    within("readings", heads.len(), limits.heads)?;
                }
            }
        }
        let Copy { nodes, sets, .. } = copy;
        Ok(Configuration {
            is_fresh: self.nothing_read,
            is_ended: self.terminated,
            has_budget: self.budget.is_some(),
            heads,
            nodes: nodes.all,
            sets: sets.all,
        })
    }
}

fn within(what: &'static str, given: usize, limit: usize) -> Result<(), ConfigurationError> {
    if given <= limit { Ok(()) } else { Err(ConfigurationError { what, given, limit }) }
}

/// Distinct items, numbered in the order of their first occurrence.
#[derive(Debug)]
struct Numbers<T> {
    all: Vec<T>,
    numbers: HashMap<T, u32, rustc_hash::FxBuildHasher>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self { all: Vec::new(), numbers: HashMap::default() }
    }
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    fn number(&mut self, item: T) -> u32 {
        let next = self.all.len() as u32;
        *self.numbers.entry(item).or_insert_with_key(|item| {
            self.all.push(item.clone());
            next
        })
    }
}

/// A configuration being copied.
struct Copy<'m> {
    matcher: &'m Matcher,
    limits: ConfigurationLimits,
    /// The copies of each node, one for each stack that the node represents; `None` for the bottom.
    images: FxHashMap<NodeId, Vec<Option<u32>>>,
    nodes: Numbers<ConfigurationNode>,
    sets: Numbers<[u32; 4]>,
}

impl Copy<'_> {
    /// Returns the readings that a head represents.
    fn heads(&mut self, head: &Head) -> Result<Vec<ConfigurationHead>, ConfigurationError> {
        if head.is_returned() {
            return Ok(vec![ConfigurationHead { top: None, escape: 0, parent: None }]);
        }
        let frame = Frame { state: head.state, a: head.a, b: head.b, memory: head.memory };
        let top = Some(self.frame(frame)?);
        let parents = self.images_of(head.parent)?;
        Ok(parents.into_iter().map(|parent| ConfigurationHead { top, escape: head.esc, parent }).collect())
    }

    /// Copies the stacks at a node.
    fn images_of(&mut self, node: NodeId) -> Result<Vec<Option<u32>>, ConfigurationError> {
        let stack = &self.matcher.stack;
        for at in stack.parents_first(node, |at| self.images.contains_key(&at)) {
            let mut images = Vec::new();
            let mut members = Vec::new();
            match stack.frame_or_members(at, |member| members.push(member)) {
                Some((frame, parent)) => {
                    let frame = self.frame(frame)?;
                    for parent in self.known_images(parent) {
                        images.push(Some(self.nodes.number(ConfigurationNode { frame, parent })));
                        within("frames", self.nodes.all.len(), self.limits.nodes)?;
                    }
                }
                None => images.extend(members.into_iter().flat_map(|member| self.known_images(member))),
            }
            images.sort_unstable();
            images.dedup();
            self.images.insert(at, images);
        }
        Ok(self.known_images(node))
    }

    /// Returns the copies of a node that was copied before.
    fn known_images(&self, node: NodeId) -> Vec<Option<u32>> {
        if node == BOTTOM {
            return vec![None];
        }
        let images = self.images.get(&node);
        never!(images.is_none(), "{:?} was not copied, and something stands on it", node);
        images.cloned().unwrap_or_default()
    }

    fn frame(&mut self, frame: Frame) -> Result<ConfigurationFrame, ConfigurationError> {
        let Frame { state, a, b, memory } = frame;
        let memory = match self.matcher.stack.set(memory) {
            None => FrameMemory::Number(memory.word()),
            Some(set) => {
                let words = set_words(set).ok_or(ConfigurationError {
                    what: "keys to remember in an object",
                    given: 64 * set.len(),
                    limit: 128,
                })?;
                let set = self.sets.number(words);
                within("sets of keys", self.sets.all.len(), self.limits.sets)?;
                FrameMemory::Keys(set)
            }
        };
        Ok(ConfigurationFrame { state, a, b, memory })
    }
}

/// Returns a set of at most 128 keys as words.
fn set_words(set: &[u64]) -> Option<[u32; 4]> {
    let mut words = [0; 4];
    for (at, word) in set.iter().enumerate() {
        let halves = words.get_mut(2 * at..2 * at + 2)?;
        halves.copy_from_slice(&[*word as u32, (*word >> 32) as u32]);
    }
    Some(words)
}
