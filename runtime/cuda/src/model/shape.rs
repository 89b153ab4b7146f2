//! The numbers that describe a model, and its memory limits on a device.

use super::error::ModelError;
use super::records::{MOST_HEAD, PAGE_POSITIONS, SPAN_POSITIONS};

/// The window of positions that attention reads.
///
/// ```
/// use ogc_cuda::AttentionWindow;
/// let window = AttentionWindow { positions: 4096, first_layer: 0 };
/// assert_eq!(window.positions, 4096);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttentionWindow {
    /// Length of the window in positions, including the current position.
    pub positions: u32,
    /// First layer that has a window; earlier layers read all positions.
    pub first_layer: u32,
}

/// The numbers that describe a model of the Llama family.
///
/// ```
/// use ogc_cuda::ModelShape;
/// let shape = ModelShape {
///     width: 2048,
///     inner: 8192,
///     heads: 32,
///     key_heads: 8,
///     head: 64,
///     rotates_neighbours: false,
///     window: None,
///     epsilon: 1e-5,
/// };
/// assert!(shape.heads % shape.key_heads == 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelShape {
    /// Length of a state, in numbers.
    pub width: u32,
    /// Length of the inner rows of the feed-forward part, in numbers.
    pub inner: u32,
    /// Number of query heads.
    pub heads: u32,
    /// Number of key and value heads; each serves several query heads.
    pub key_heads: u32,
    /// Length of one head, in numbers: a multiple of 4, at most 256.
    pub head: u32,
    /// Whether RoPE rotates pairs of neighbouring numbers. Otherwise it pairs the two halves of a head.
    pub rotates_neighbours: bool,
    /// Window of positions that each position reads; without one, a position reads all positions before it.
    pub window: Option<AttentionWindow>,
    /// The epsilon that is added to the variance of a normalised row.
    pub epsilon: f32,
}

/// Memory limits of a model on a device.
///
/// ```
/// use ogc_cuda::ModelLimits;
/// let limits = ModelLimits::for_texts(4, 1000);
/// assert_eq!((limits.positions, limits.pages), (1000, 4 * 63));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelLimits {
    /// Maximum number of positions of one text.
    pub positions: u32,
    /// Number of pages of 16 positions, for all texts together. Forked texts share the pages of their common beginning.
    pub pages: u32,
    /// Maximum number of rows of one pass. More tokens take several passes.
    pub rows: u32,
}

impl ModelLimits {
    /// Returns limits that allow `texts` texts of `positions` positions each.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::ModelLimits::for_texts(1, 16).pages, 1);
    /// ```
    #[must_use]
    pub fn for_texts(texts: u32, positions: u32) -> Self {
        let pages = positions.div_ceil(PAGE_POSITIONS).saturating_mul(texts);
        Self { positions, pages, rows: 64 }
    }

    /// Returns the number of pages of a text.
    pub(crate) fn table(&self) -> u32 {
        self.positions.div_ceil(PAGE_POSITIONS)
    }

    /// Returns the number of spans of a text.
    pub(crate) fn spans(&self) -> u32 {
        self.positions.div_ceil(SPAN_POSITIONS)
    }

    /// Rejects limits of 0, and limits that are too high for the kernels.
    pub(crate) fn check(&self) -> Result<(), ModelError> {
        let limits = [
            ("the number of positions", self.positions, 1 << 24),
            ("the number of pages", self.pages, 1 << 30),
            ("the number of rows of a pass", self.rows, 1 << 12),
        ];
        limits.into_iter().try_for_each(|(what, given, limit)| within(what, given, 1, limit))
    }
}

/// Rejects a number outside `least..=most`.
fn within(what: &'static str, given: u32, least: u32, most: u32) -> Result<(), ModelError> {
    if (least..=most).contains(&given) {
        return Ok(());
    }
    Err(ModelError::shape(what, given as usize, format!("it must be from {least} to {most}")))
}

impl ModelShape {
    /// Returns the length of all queries of one position, in numbers.
    pub(crate) fn asked(&self) -> u32 {
        self.heads * self.head
    }

    /// Returns the length of all keys, or of all values, of one position, in numbers.
    pub(crate) fn kept(&self) -> u32 {
        self.key_heads * self.head
    }

    /// Returns the number of positions that a position reads in a layer; `u32::MAX` without a window.
    pub(crate) fn window(&self, layer: u32) -> u32 {
        let window = self.window.filter(|window| layer >= window.first_layer);
        window.map_or(u32::MAX, |window| window.positions)
    }

    /// Returns the distance between two pages of `layers` layers, in numbers.
    pub(crate) fn page_stride(&self, layers: u32) -> Result<u32, ModelError> {
        let numbers = u64::from(layers) * 2 * u64::from(self.kept()) * u64::from(PAGE_POSITIONS);
        let too_many = || {
            ModelError::shape("the number of numbers of a page", numbers as usize, "it must be below 2^32".to_owned())
        };
        u32::try_from(numbers).map_err(|_| too_many())
    }

    /// Rejects numbers that do not fit one another or the kernels.
    pub(crate) fn check(&self) -> Result<(), ModelError> {
        within("the width", self.width, 4, 1 << 20)?;
        within("the width inside", self.inner, 4, 1 << 20)?;
        within("the number of heads", self.heads, 1, 1 << 10)?;
        within("the number of heads of keys", self.key_heads, 1, self.heads)?;
        within("the length of a head", self.head, 4, MOST_HEAD)?;
        if !self.head.is_multiple_of(4) {
            let expected = "it must be a multiple of 4".to_owned();
            return Err(ModelError::shape("the length of a head", self.head as usize, expected));
        }
        if !self.heads.is_multiple_of(self.key_heads) {
            let expected = format!("it must be a multiple of {}", self.key_heads);
            return Err(ModelError::shape("the number of heads", self.heads as usize, expected));
        }
        match self.window {
            Some(window) => within("the length of a window", window.positions, 1, u32::MAX),
            None => Ok(()),
        }
    }
}
