//! Explores the configurations of a format, where a configuration is all readings after some text. Equal configurations have one number, so
//! that a search over texts can skip what it has visited.

mod likeness;

use std::sync::Arc;

use always_assert::never;
use rustc_hash::FxHashMap;

use super::stack::Node;
use super::{BOTTOM, Canon, Head, Scratch, Stack, can_finish, start, step};
use crate::automaton::{Automaton, StateKind};
pub use likeness::Likeness;

/// The number of a configuration of an [`Explorer`]: all readings of some text, with their stacks.
///
/// ```
#[doc = include_str!("../example.md")]
/// use ogc_runtime::step::{ConfigurationId, Explorer};
/// assert!(!Explorer::new(format).is_complete(ConfigurationId::START));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConfigurationId(u32);

impl ConfigurationId {
    /// The configuration before any text.
    pub const START: Self = Self(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Error: the format is too ambiguous to be stepped; see [`MAX_STACK_BYTES`](super::MAX_STACK_BYTES).
///
/// ```
/// assert!(ogc_runtime::step::TooAmbiguous.to_string().contains("ambiguous"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the format is too ambiguous here")]
pub struct TooAmbiguous;

/// Steps any configuration of a format, and keeps all configurations that it has seen. Ignores limits on tokens.
///
/// ```
#[doc = include_str!("../example.md")]
/// use ogc_runtime::step::{ConfigurationId, Explorer};
/// let mut explorer = Explorer::new(format); // of `ab+`
/// let a = explorer.after(ConfigurationId::START, b'a')?.expect("it is read");
/// let ab = explorer.after(a, b'b')?.expect("it is read");
/// assert!(explorer.is_complete(ab) && explorer.after(a, b'a')?.is_none());
/// assert_eq!(explorer.after(ab, b'b')?, Some(ab));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explorer {
    automaton: Arc<Automaton>,
    stack: Stack,
    scratch: Scratch,
    canon: Canon,
    all: Vec<Box<[Head]>>,
    known: FxHashMap<Box<[Head]>, ConfigurationId>,
    /// The number of heads, over all configurations.
    heads: usize,
    /// For each node of the stack: the least number of bytes that end its frames.
    least: Vec<u32>,
}

impl Explorer {
    /// Makes an explorer that knows the configuration before any text.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(ogc_runtime::step::Explorer::new(format).len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(automaton: Arc<Automaton>) -> Self {
        // The first configuration is not in `known`: the empty text is complete only before any text.
        let all = vec![Box::from([start(&automaton)])];
        Self {
            automaton,
            stack: Stack::default(),
            scratch: Scratch::default(),
            canon: Canon::default(),
            all,
            known: FxHashMap::default(),
            heads: 1,
            least: Vec::new(),
        }
    }

    /// Returns the number of configurations seen so far.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert_eq!(ogc_runtime::step::Explorer::new(format).len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns whether no configuration was seen; always false.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(!ogc_runtime::step::Explorer::new(format).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Estimates the memory of the configurations in bytes.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// assert!(ogc_runtime::step::Explorer::new(format).memory() < 1_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn memory(&self) -> usize {
        let nodes = self.stack.len() * (2 * size_of::<Node>() + 2 * size_of::<u32>());
        nodes + 2 * self.heads * size_of::<Head>() + self.all.len() * 48
    }

    /// Steps a configuration by a byte; `None` if the byte is refused.
    ///
    /// # Errors
    ///
    /// [`TooAmbiguous`] if the stacks of its readings take too much memory.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// use ogc_runtime::step::{ConfigurationId, Explorer};
    /// assert_eq!(Explorer::new(format).after(ConfigurationId::START, b'b'), Ok(None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn after(&mut self, from: ConfigurationId, byte: u8) -> Result<Option<ConfigurationId>, TooAmbiguous> {
        let mut out = Vec::new();
        step(&self.automaton, &mut self.stack, &mut self.scratch, &self.all[from.index()], byte, &mut out);
        if self.stack.take_overflow() {
            return Err(TooAmbiguous);
        }
        if out.is_empty() {
            return Ok(None);
        }
        self.number(out).map(Some).ok_or(TooAmbiguous)
    }

    /// Returns the number of the configuration with these heads; `None` if there are too many.
    fn number(&mut self, heads: Vec<Head>) -> Option<ConfigurationId> {
        let heads = self.canon.heads(&self.stack, heads.into_iter());
        if let Some(&known) = self.known.get(heads.as_slice()) {
            return Some(known);
        }
        let new = ConfigurationId(u32::try_from(self.all.len()).ok()?);
        self.heads += heads.len();
        let heads = heads.into_boxed_slice();
        self.all.push(heads.clone());
        self.known.insert(heads, new);
        Some(new)
    }

    /// Returns whether a text may end in a configuration.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// use ogc_runtime::step::{ConfigurationId, Explorer};
    /// assert!(!Explorer::new(format).is_complete(ConfigurationId::START));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_complete(&self, at: ConfigurationId) -> bool {
        let may_finish = |head: &Head| can_finish(&self.automaton, &self.stack, *head);
        at == ConfigurationId::START && self.automaton.nullable || self.all[at.index()].iter().any(may_finish)
    }

    /// Returns a lower bound on the number of bytes from a configuration to the end of the text.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// use ogc_runtime::step::{ConfigurationId, Explorer};
    /// assert_eq!(Explorer::new(format).least_left(ConfigurationId::START), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn least_left(&mut self, at: ConfigurationId) -> u32 {
        if self.is_complete(at) {
            return 0;
        }
        self.learn_least();
        let least = |head: &Head| match head.is_returned() {
            true => 0,
            false => self.least_of(head.parent).saturating_add(self.automaton.min_bytes[head.state.index()]),
        };
        self.all[at.index()].iter().map(least).min().unwrap_or(u32::MAX)
    }

    /// Adds the new nodes of the stack; a node's parents are older than the node.
    fn learn_least(&mut self) {
        while let Some(node) = self.stack.node(self.least.len()) {
            let least = match node {
                Node::Frame(frame, parent) => {
                    self.least_of(parent).saturating_add(self.automaton.min_bytes[frame.state.index()])
                }
                Node::Join { first, len, .. } => {
                    let members = self.stack.members(first, len);
                    members.map(|member| self.least_of(member)).min().unwrap_or(0)
                }
            };
            self.least.push(least);
        }
    }

    fn least_of(&self, node: super::NodeId) -> u32 {
        if node == BOTTOM {
            return 0;
        }
        let least = self.least.get(node.0 as usize);
        never!(least.is_none(), "{:?} is newer than what stands on it", node);
        least.copied().unwrap_or(0)
    }

    /// Returns whether every reading is inside an escape of a JSON string whose character has a shorter spelling. The same texts can follow
    /// that spelling, so that a search can skip the escape.
    ///
    /// ```
    #[doc = include_str!("../example.md")]
    /// use ogc_runtime::step::{ConfigurationId, Explorer};
    /// assert!(!Explorer::new(format).spells_plain(ConfigurationId::START));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn spells_plain(&self, at: ConfigurationId) -> bool {
        self.all[at.index()].iter().all(|head| super::escape::spells_plain(head.esc))
    }
}

/// Groups bytes that no configuration of a format tells apart. Returns for each byte whether it begins a new group, different from that of
/// the byte before it.
///
/// ```
#[doc = include_str!("../example.md")]
/// let starts = ogc_runtime::step::byte_groups(&format);
/// assert_eq!((b'a'..=b'd').map(|byte| starts[usize::from(byte)]).collect::<Vec<_>>(), [true, true, true, false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn byte_groups(automaton: &Automaton) -> [bool; 256] {
    let mut starts = [false; 256];
    starts[0] = true;
    let mut begin = |byte: u32| {
        if let Some(start) = starts.get_mut(byte as usize) {
            *start = true;
        }
    };
    for edge in &automaton.edges {
        begin(u32::from(edge.lo));
        begin(u32::from(edge.hi) + 1);
    }
    if automaton.states.iter().any(|state| state.kind == StateKind::Text) {
        // Quotes, escapes with their hexadecimal digits, and control characters.
        let special = (b'0'..=b'9').chain(b'a'..=b'f').chain(b'A'..=b'F').chain(*b"\"\\/nrtu");
        special.for_each(|byte| (0..2).for_each(|more| begin(u32::from(byte) + more)));
        begin(0x20);
    }
    starts
}
