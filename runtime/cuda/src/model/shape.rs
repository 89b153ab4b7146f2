//! The numbers that describe a model, and how much room it gets on a device.

use super::error::ModelError;
use super::records::{MOST_HEAD, PAGE_POSITIONS, SPAN_POSITIONS};

/// The positions that are looked at.
///
/// ```
/// use ogc_cuda::AttentionWindow;
/// let window = AttentionWindow { positions: 4096, first_layer: 0 };
/// assert_eq!(window.positions, 4096);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttentionWindow {
    /// Their number, with the one that looks.
    pub positions: u32,
    /// The first layer that has a window; those before it look at all.
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
    /// The numbers that stand for a position between layers.
    pub width: u32,
    /// The numbers inside of a feed-forward part.
    pub inner: u32,
    /// The heads that ask.
    pub heads: u32,
    /// The heads of keys and values; each serves several heads that ask.
    pub key_heads: u32,
    /// The numbers of one head: a multiple of 4, at most 256.
    pub head: u32,
    /// Whether neighbours are rotated together, rather than the two halves of a head.
    pub rotates_neighbours: bool,
    /// How many positions each position looks at, if not at all before it.
    pub window: Option<AttentionWindow>,
    /// The least variance of a normalised row.
    pub epsilon: f32,
}

/// How much room a model gets on a device.
///
/// ```
/// use ogc_cuda::ModelLimits;
/// let limits = ModelLimits::for_texts(4, 1000);
/// assert_eq!((limits.positions, limits.pages), (1000, 4 * 63));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelLimits {
    /// The positions of one text.
    pub positions: u32,
    /// The pages of 16 positions of all texts together; texts that go on from the same beginning share its pages.
    pub pages: u32,
    /// The positions that are read in one pass; more take several.
    pub rows: u32,
}

impl ModelLimits {
    /// Returns limits with which so many texts of so many positions can be read.
    ///
    /// ```
    /// assert_eq!(ogc_cuda::ModelLimits::for_texts(1, 16).pages, 1);
    /// ```
    #[must_use]
    pub fn for_texts(texts: u32, positions: u32) -> Self {
        let pages = positions.div_ceil(PAGE_POSITIONS).saturating_mul(texts);
        Self { positions, pages, rows: 64 }
    }

    /// Returns the pages of a text.
    pub(crate) fn table(&self) -> u32 {
        self.positions.div_ceil(PAGE_POSITIONS)
    }

    /// Returns the spans of a text.
    pub(crate) fn spans(&self) -> u32 {
        self.positions.div_ceil(SPAN_POSITIONS)
    }

    /// Refuses limits of 0, and passes of more rows than a grid has.
    pub(crate) fn check(&self) -> Result<(), ModelError> {
        let limits = [
            ("the number of positions", self.positions, 1 << 24),
            ("the number of pages", self.pages, 1 << 30),
            ("the number of rows of a pass", self.rows, 1 << 12),
        ];
        limits.into_iter().try_for_each(|(what, given, limit)| within(what, given, 1, limit))
    }
}

/// Refuses a number that is not from `least` to `most`.
fn within(what: &'static str, given: u32, least: u32, most: u32) -> Result<(), ModelError> {
    if (least..=most).contains(&given) {
        return Ok(());
    }
    Err(ModelError::shape(what, given as usize, format!("it must be from {least} to {most}")))
}

impl ModelShape {
    /// Returns the numbers of all heads that ask, of one position.
    pub(crate) fn asked(&self) -> u32 {
        self.heads * self.head
    }

    /// Returns the numbers of all keys, or of all values, of one position.
    pub(crate) fn kept(&self) -> u32 {
        self.key_heads * self.head
    }

    /// Returns how many positions a position looks at in a layer.
    pub(crate) fn window(&self, layer: u32) -> u32 {
        let window = self.window.filter(|window| layer >= window.first_layer);
        window.map_or(u32::MAX, |window| window.positions)
    }

    /// Returns how far pages of so many layers are apart, in numbers.
    pub(crate) fn page_stride(&self, layers: u32) -> Result<u32, ModelError> {
        let numbers = u64::from(layers) * 2 * u64::from(self.kept()) * u64::from(PAGE_POSITIONS);
        let too_many = || {
            ModelError::shape("the number of numbers of a page", numbers as usize, "it must be below 2^32".to_owned())
        };
        u32::try_from(numbers).map_err(|_| too_many())
    }

    /// Refuses numbers that do not fit one another or the kernels.
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
