//! Compares configurations of two formats by the content of their rules, without reading a byte.
//!
//! Versions of a format mostly differ in few rules. Two configurations have equal continuations if their frames are at the same states of
//! rules with equal fingerprints, with equal registers. If only the frames on top are equal, both configurations read the same texts up to
//! the ends of these frames. A search can then continue below them, and can skip values of any JSON, which nest without end.

use super::{ConfigurationId, Explorer};
use crate::automaton::Escapes;
use crate::step::{BOTTOM, Head, NodeId, Stack};

/// The result of comparing two configurations.
///
/// ```
#[doc = include_str!("../../example.md")]
/// use ogc_runtime::step::{ConfigurationId, Explorer, Likeness};
/// let (mut one, mut other) = (Explorer::new(Arc::clone(&format)), Explorer::new(format));
/// assert_eq!(one.likeness(ConfigurationId::START, &mut other, ConfigurationId::START), Likeness::Same);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// Both configurations are completed by the same texts.
    Same,
    /// Both read the same texts first, and then continue as two other configurations.
    Begin {
        /// A configuration of the first explorer; the texts that complete it are these first texts.
        inner: ConfigurationId,
        /// The configurations after these texts, one of each explorer.
        rest: [ConfigurationId; 2],
    },
    /// The comparison cannot tell without reading more text.
    Unknown,
}

/// The state of a frame and its registers, by content. Frames with equal content read the same texts up to their end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FrameContent {
    rule: u128,
    state: u32,
    registers: [u32; 3],
    remembered: Remembered,
}

/// The memory of a frame, by content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Remembered {
    Number(u32),
    Keys(Vec<u64>),
}

impl Explorer {
    /// Compares a configuration with one of another explorer. Seen items of arrays are not compared, as explorers ignore them.
    ///
    /// ```
    #[doc = include_str!("../../example.md")]
    /// use ogc_runtime::step::{ConfigurationId, Explorer, Likeness};
    /// let (mut one, mut other) = (Explorer::new(Arc::clone(&format)), Explorer::new(format));
    /// let a = other.after(ConfigurationId::START, b'a')?.expect("it is read");
    /// assert_eq!(one.likeness(ConfigurationId::START, &mut other, a), Likeness::Unknown);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn likeness(&mut self, at: ConfigurationId, other: &mut Explorer, other_at: ConfigurationId) -> Likeness {
        let (tops, other_tops) = (self.tops(at), other.tops(other_at));
        let (Some((top, parent)), Some((other_top, other_parent))) = (tops, other_tops) else {
            return Likeness::Unknown;
        };
        let empty = |explorer: &Explorer, at| at == ConfigurationId::START && explorer.automaton.nullable;
        if top != other_top || empty(self, at) != empty(other, other_at) {
            return Likeness::Unknown;
        }
        if parent == BOTTOM && other_parent == BOTTOM {
            return Likeness::Same;
        }
        let (Some(inner), Some(rest), Some(other_rest)) =
            (self.inner(at), self.behind(parent), other.behind(other_parent))
        else {
            return Likeness::Unknown;
        };
        Likeness::Begin { inner, rest: [rest, other_rest] }
    }

    /// Splits a configuration at the end of the frames on top: each text that completes it is a text that completes the first part,
    /// followed by one that completes the second. `None` if nothing is below these frames, or if they are on different nodes.
    ///
    /// ```
    #[doc = include_str!("../../example.md")]
    /// use ogc_runtime::step::{ConfigurationId, Explorer};
    /// assert_eq!(Explorer::new(format).split(ConfigurationId::START), None); // The format has one rule.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn split(&mut self, at: ConfigurationId) -> Option<[ConfigurationId; 2]> {
        let heads = &self.all[at.index()];
        let parent = heads.first()?.parent;
        if parent == BOTTOM || heads.iter().any(|head| head.parent != parent) {
            return None;
        }
        Some([self.inner(at)?, self.behind(parent)?])
    }

    /// Returns the spellings of characters that strings of the format may use.
    ///
    /// ```
    #[doc = include_str!("../../example.md")]
    /// assert_eq!(ogc_runtime::step::Explorer::new(format).escapes(), Escapes::Any);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn escapes(&self) -> Escapes {
        self.automaton.escapes
    }

    /// Returns whether a frame on top belongs to a rule whose items must differ. Explorers step such a rule as if each item were new.
    ///
    /// ```
    #[doc = include_str!("../../example.md")]
    /// use ogc_runtime::step::{ConfigurationId, Explorer};
    /// assert!(!Explorer::new(format).compares_items(ConfigurationId::START));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn compares_items(&self, at: ConfigurationId) -> bool {
        let rule = |head: &Head| self.automaton.states.get(head.state.index()).map(|state| state.rule);
        let mut rules = self.all[at.index()].iter().filter_map(rule);
        rules.any(|rule| self.automaton.rules.get(rule.index()).is_some_and(|rule| rule.distinct_items))
    }

    /// Returns the configuration of the frames on top alone.
    fn inner(&mut self, at: ConfigurationId) -> Option<ConfigurationId> {
        let inner = self.all[at.index()].iter().map(|head| Head { parent: BOTTOM, ..*head }).collect();
        self.number(inner)
    }

    /// Returns the contents of the frames on top, and the node below all of them; `None` if they are on several nodes.
    fn tops(&self, at: ConfigurationId) -> Option<(Vec<FrameContent>, NodeId)> {
        let heads = &self.all[at.index()];
        let parent = heads.first()?.parent;
        let contents = heads.iter().map(|head| self.content(head).filter(|_| head.parent == parent));
        let mut contents: Vec<FrameContent> = contents.collect::<Option<_>>()?;
        contents.sort_unstable();
        Some((contents, parent))
    }

    fn content(&self, head: &Head) -> Option<FrameContent> {
        let state = self.automaton.states.get(head.state.index()).filter(|_| !head.memory.names_more())?;
        let rule = self.automaton.rules.get(state.rule.index())?;
        Some(FrameContent {
            rule: self.automaton.fingerprint(state.rule),
            state: head.state.0 - rule.states.first,
            registers: [head.a, head.b, head.esc],
            remembered: remembered(&self.stack, head),
        })
    }

    /// Returns the configuration after the end of the frames that are on a node.
    fn behind(&mut self, node: NodeId) -> Option<ConfigurationId> {
        let mut heads = Vec::new();
        self.stack.frames_or_bottom(node, |below| {
            heads.push(below.map_or(Head::RETURNED, |(frame, parent)| frame.resume(parent)));
        });
        self.number(heads)
    }
}

fn remembered(stack: &Stack, head: &Head) -> Remembered {
    match stack.set(head.memory) {
        Some(keys) => Remembered::Keys(keys.to_vec()),
        None => Remembered::Number(head.memory.word()),
    }
}
