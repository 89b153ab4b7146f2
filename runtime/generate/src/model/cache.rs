//! The keys and values of the positions that a model has read, so that it reads each once.

use super::Config;
#[cfg(feature = "cuda")]
use super::device_text::DeviceText;

/// The most positions for which room is made ahead.
const MAX_ROOM: usize = 256;

/// The keys and values of one layer, a row for each position.
#[derive(Clone, Debug, Default)]
pub(super) struct LayerCache {
    pub(super) keys: Vec<f32>,
    pub(super) values: Vec<f32>,
}

/// The positions that a model has read: room is made ahead, positions can be taken back, and a clone goes on by itself.
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
    pub(super) layers: Vec<LayerCache>,
    /// The numbers that one position takes in a layer's keys, and as many in its values.
    width: usize,
    len: usize,
    /// The text on a device, which has the keys and values then.
    #[cfg(feature = "cuda")]
    pub(super) device: Option<DeviceText>,
}

impl Cache {
    /// Makes room for so many positions, up to [`MAX_ROOM`]; more is made when they are exceeded.
    pub(super) fn new(config: &Config, positions: usize) -> Self {
        let room = positions.min(config.context).min(MAX_ROOM) * config.kept();
        let layer = || LayerCache { keys: Vec::with_capacity(room), values: Vec::with_capacity(room) };
        Self {
            layers: (0..config.layers).map(|_| layer()).collect(),
            width: config.kept(),
            len: 0,
            #[cfg(feature = "cuda")]
            device: None,
        }
    }

    /// Makes the cache of an empty text on a device.
    #[cfg(feature = "cuda")]
    pub(super) fn on_device(text: DeviceText) -> Self {
        Self { layers: Vec::new(), width: 0, len: 0, device: Some(text) }
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

    /// Takes back all positions from the `len`th on.
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
        let kept = self.len * self.width;
        for layer in &mut self.layers {
            layer.keys.truncate(kept);
            layer.values.truncate(kept);
        }
        #[cfg(feature = "cuda")]
        self.device.iter().for_each(|text| text.truncate(self.len));
    }

    /// Counts positions whose keys and values were added to all layers.
    pub(super) fn grow(&mut self, positions: usize) {
        self.len += positions;
    }
}
