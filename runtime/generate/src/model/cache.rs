//! The KV cache: the keys and values of the positions that a model has read, so that it reads each once. They lie in
//! pages, and texts that begin alike share pages.

mod page;

use std::sync::Arc;

use super::Config;
#[cfg(feature = "cuda")]
use super::device_text::DeviceText;
use super::engine::EngineText;

use page::{KeptRows, PageShape, Pages};
pub(crate) use page::{PAGE, Page};

/// The KV cache of a text: the positions that a model has read. Positions can be rolled back, and a clone goes on independently.
///
/// ```
/// use ogc_generate::LoadedModel;
/// use ogc_runtime::vocabulary::TokenId;
/// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
/// let mut cache = loaded.model.cache(8);
/// loaded.model.forward(&mut cache, &[TokenId(1), TokenId(2)], 1)?;
/// let mut other = cache.clone();
/// other.truncate(1);
/// assert_eq!((cache.len(), other.len()), (2, 1));
/// # Ok::<(), ogc_generate::GenerateError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cache {
    pages: Pages,
    len: usize,
    /// The text in another engine; the engine then keeps the keys and values.
    pub(super) engine: Option<EngineText>,
    /// The text on a device; the device then keeps the keys and values.
    #[cfg(feature = "cuda")]
    pub(super) device: Option<DeviceText>,
}

impl Cache {
    /// Makes an empty cache for about `positions` positions.
    pub(super) fn new(config: &Config, positions: usize) -> Self {
        let shape = PageShape { layers: config.layers, width: config.kept() };
        Self { pages: Pages::new(shape, positions.min(config.context)), ..Self::without_pages() }
    }

    /// Makes an empty cache that keeps nothing itself.
    fn without_pages() -> Self {
        Self {
            pages: Pages::new(PageShape { layers: 0, width: 0 }, 0),
            len: 0,
            engine: None,
            #[cfg(feature = "cuda")]
            device: None,
        }
    }

    /// Makes the cache of an empty text in another engine.
    pub(super) fn in_engine(text: EngineText) -> Self {
        Self { engine: Some(text), ..Self::without_pages() }
    }

    /// Makes the cache of an empty text on a device.
    #[cfg(feature = "cuda")]
    pub(super) fn on_device(text: DeviceText) -> Self {
        Self { device: Some(text), ..Self::without_pages() }
    }

    /// Returns the number of positions.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// assert_eq!(loaded.model.cache(8).len(), 0);
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether no position has been read.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// assert!(loaded.model.cache(8).is_empty());
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Rolls back all positions from the `len`th on.
    ///
    /// ```
    /// use ogc_generate::LoadedModel;
    /// use ogc_runtime::vocabulary::TokenId;
    /// let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf()))?;
    /// let mut cache = loaded.model.cache(8);
    /// loaded.model.forward(&mut cache, &[TokenId(1), TokenId(2)], 1)?;
    /// cache.truncate(0);
    /// assert!(cache.is_empty());
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
        self.pages.truncate(self.len);
        self.engine.iter_mut().for_each(|text| text.truncate(self.len));
        #[cfg(feature = "cuda")]
        self.device.iter().for_each(|text| text.truncate(self.len));
    }

    /// Adds the keys and values of positions to a layer, after the positions that are [counted](Cache::grow).
    pub(super) fn add(&mut self, layer: usize, keys: &[f32], values: &[f32]) {
        self.pages.write((layer, KeptRows::Keys), self.len, keys);
        self.pages.write((layer, KeptRows::Values), self.len, values);
    }

    /// Returns the keys and the values of a layer, page by page.
    pub(super) fn rows(&self, layer: usize) -> [Vec<&[f32]>; 2] {
        [KeptRows::Keys, KeptRows::Values].map(|kept| self.pages.rows(layer, kept))
    }

    /// Counts positions whose keys and values were added to all layers.
    pub(super) fn grow(&mut self, positions: usize) {
        self.len += positions;
    }

    /// Returns the full pages, which never change again. The cache must hold no unverified draft.
    pub(crate) fn full_pages(&mut self) -> &[Arc<Page>] {
        self.pages.share(self.len)
    }

    /// Adopts a page that another text of the model has read, in place of this text's next positions. Returns whether
    /// it did; that is possible only after full pages.
    pub(crate) fn adopt(&mut self, page: Arc<Page>) -> bool {
        let is_adopted = self.len.is_multiple_of(PAGE)
            && self.pages.share(self.len).len() * PAGE == self.len
            && self.pages.adopt(page);
        self.len += if is_adopted { PAGE } else { 0 };
        is_adopted
    }
}
