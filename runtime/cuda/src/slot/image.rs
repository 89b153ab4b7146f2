//! Slots in host memory: made from a matcher, to begin a sequence on the device or to return to it, and read back from the device.
//!
//! No slot is ever turned into a matcher: if the device cannot continue, the host reads the tokens again.

use ogc_runtime::matcher::{
    Configuration, ConfigurationError, ConfigurationFrame, ConfigurationHead, ConfigurationLimits, FrameMemory, Matcher,
};
use zerocopy::{FromBytes, IntoBytes};

use super::{
    BOTTOM, Frame, Head, MOST_HEADS, MOST_NODES, MOST_ROWS, MOST_SETS, Node, RETURNED, Readings, SET_BASE,
    STATUS_DEVICE, STATUS_FREE, STATUS_HOST, Slot,
};

/// A sequence cannot be stepped on the device.
///
/// ```
/// assert_eq!(ogc_cuda::SlotError::Budget.to_string(), "the matcher has a budget, which only the host keeps: mask it there");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SlotError {
    /// The readings of the text do not fit in a slot.
    #[error(transparent)]
    Readings(#[from] ConfigurationError),
    /// The matcher has a budget of tokens.
    #[error("the matcher has a budget, which only the host keeps: mask it there")]
    Budget,
}

/// The party that steps the sequence of a slot.
///
/// ```
/// assert_eq!(ogc_cuda::SlotImage::free().status(), Some(ogc_cuda::SlotStatus::Free));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotStatus {
    /// Nobody: the slot has no sequence.
    Free,
    /// The device.
    Device,
    /// The host, because the device could not.
    Host,
}

impl SlotStatus {
    /// Returns the status for the number at the beginning of a slot.
    pub(crate) fn from_number(number: u32) -> Option<Self> {
        match number {
            STATUS_FREE => Some(Self::Free),
            STATUS_DEVICE => Some(Self::Device),
            STATUS_HOST => Some(Self::Host),
            _ => None,
        }
    }
}

/// A slot in host memory, as it is copied to the device and back.
///
/// ```
/// # use std::sync::Arc;
/// use ogc_cuda::{SlotImage, SlotStatus};
/// # use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
/// # use ogc_runtime::mask::MaskStore;
/// use ogc_runtime::matcher::Matcher;
/// # use ogc_runtime::vocabulary::Vocabulary;
/// # let mut builder = AutomatonBuilder::new();
/// # let rule = builder.rule("a", 0);
/// # let [start, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
/// # builder.start(rule, start);
/// # builder.edge(start, b'a', b'a', OpId::NONE, end);
/// # builder.accept(end);
/// # let format = Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any)?);
/// # let store = MaskStore::new(Arc::new(Vocabulary::from_tokens(&[Some("a")], &[])?));
/// let slot = SlotImage::new(&Matcher::new(format, store), 0)?;
/// assert_eq!(slot.status(), Some(SlotStatus::Device));
/// assert_eq!(slot.bytes().len(), SlotImage::SIZE);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotImage {
    slot: Box<Slot>,
}

impl SlotImage {
    /// Size of a slot, in bytes.
    pub const SIZE: usize = size_of::<Slot>();

    /// Maximum number of rows of a mask that the device locates. Masks with more rows are left to the host.
    pub const MOST_ROWS: usize = MOST_ROWS;

    /// Returns a slot without a sequence.
    ///
    /// ```
    /// assert!(ogc_cuda::SlotImage::free().bytes().iter().all(|byte| *byte == 0));
    /// ```
    #[must_use]
    pub fn free() -> Self {
        Self { slot: Box::default() }
    }

    /// Makes a slot from a matcher's readings. `format` is the number of its format in the table of formats. Tokens before this place
    /// cannot be taken back.
    ///
    /// # Errors
    /// The readings do not fit in a slot, or the matcher has a budget.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ogc_cuda::{SlotError, SlotImage};
    /// # use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
    /// # use ogc_runtime::mask::MaskStore;
    /// # use ogc_runtime::matcher::Matcher;
    /// # use ogc_runtime::vocabulary::Vocabulary;
    /// # let mut builder = AutomatonBuilder::new();
    /// # let rule = builder.rule("a", 0);
    /// # let [start, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    /// # builder.start(rule, start);
    /// # builder.edge(start, b'a', b'a', OpId::NONE, end);
    /// # builder.accept(end);
    /// # let format = Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any)?);
    /// # let store = MaskStore::new(Arc::new(Vocabulary::from_tokens(&[Some("a")], &[])?));
    /// let mut matcher = Matcher::new(format, store);
    /// matcher.set_budget(Some(10))?;
    /// assert_eq!(SlotImage::new(&matcher, 0), Err(SlotError::Budget));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(matcher: &Matcher, format: u32) -> Result<Self, SlotError> {
        let limits = ConfigurationLimits { heads: MOST_HEADS, nodes: MOST_NODES, sets: MOST_SETS };
        let configuration = matcher.configuration(limits)?;
        if configuration.has_budget {
            return Err(SlotError::Budget);
        }
        let mut slot = Self::free();
        slot.fill(&configuration);
        (slot.slot.status, slot.slot.format) = (STATUS_DEVICE, format);
        Ok(slot)
    }

    /// Writes readings that are known to fit.
    fn fill(&mut self, configuration: &Configuration) {
        let Configuration { is_fresh, is_ended, heads, nodes, sets, has_budget: _ } = configuration;
        let slot = &mut *self.slot;
        slot.now = Readings {
            is_fresh: (*is_fresh).into(),
            is_ended: (*is_ended).into(),
            head_count: heads.len() as u32,
            ..Readings::default()
        };
        for (to, from) in slot.now.heads.iter_mut().zip(heads) {
            *to = head(from);
        }
        (slot.node_count, slot.set_count) = (nodes.len() as u32, sets.len() as u32);
        for (to, from) in slot.nodes.iter_mut().zip(nodes) {
            *to = Node { frame: frame(&from.frame), parent: from.parent.unwrap_or(BOTTOM) };
        }
        for (to, from) in slot.sets.iter_mut().zip(sets) {
            *to = *from;
        }
    }

    /// Reads a slot back; `None` if the number of bytes is wrong.
    ///
    /// ```
    /// use ogc_cuda::SlotImage;
    /// let free = SlotImage::free();
    /// assert_eq!(SlotImage::from_bytes(free.bytes()), Some(free));
    /// assert_eq!(SlotImage::from_bytes(&[0; 3]), None);
    /// ```
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Some(Self { slot: Box::new(Slot::read_from_bytes(bytes).ok()?) })
    }

    /// Returns the bytes to copy to the device.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::SlotImage::free().bytes().len() % 4, 0);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.slot.as_bytes()
    }

    /// Returns who steps the sequence; `None` if the bytes are not those of a slot.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::SlotImage::free().status(), Some(ogc_cuda::SlotStatus::Free));
    /// ```
    #[must_use]
    pub fn status(&self) -> Option<SlotStatus> {
        SlotStatus::from_number(self.slot.status)
    }

    /// Returns the pool numbers of the rows of the located mask.
    ///
    /// ```
    /// assert!(ogc_cuda::SlotImage::free().mask_rows().is_empty());
    /// ```
    #[must_use]
    pub fn mask_rows(&self) -> &[u32] {
        self.slot.mask.rows.get(..self.slot.mask.row_count as usize).unwrap_or_default()
    }

    /// Returns whether the located mask includes the stop tokens.
    ///
    /// ```
    /// assert!(!ogc_cuda::SlotImage::free().mask_may_end());
    /// ```
    #[must_use]
    pub fn mask_may_end(&self) -> bool {
        self.slot.mask.may_end != 0
    }

    /// Returns whether any row of the located mask is not a list of tokens.
    ///
    /// ```
    /// assert!(!ogc_cuda::SlotImage::free().mask_is_dense());
    /// ```
    #[must_use]
    pub fn mask_is_dense(&self) -> bool {
        self.slot.mask.is_dense != 0
    }
}

fn head(head: &ConfigurationHead) -> Head {
    let top = match &head.top {
        Some(top) => frame(top),
        None => Frame { state: RETURNED, ..Frame::default() },
    };
    Head { top, esc: head.escape, parent: head.parent.unwrap_or(BOTTOM) }
}

fn frame(frame: &ConfigurationFrame) -> Frame {
    let ConfigurationFrame { state, a, b, memory } = *frame;
    let aux = match memory {
        FrameMemory::Number(number) => number,
        FrameMemory::Keys(set) => SET_BASE + set,
    };
    Frame { state: state.0, a, b, aux }
}
