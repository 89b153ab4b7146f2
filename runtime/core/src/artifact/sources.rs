//! The source map: for each rule and state, by an opaque handle, the place in the sources that it comes from.

/// A place in a source text.
///
/// ```
/// use ogc_runtime::artifact::SourcePlace;
/// let place = SourcePlace { handle: 1, source: 0, start: 10, end: 14 };
/// assert_eq!(place.end - place.start, 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The handle that rules and states have; 0 means no place.
    pub handle: u32,
    /// Index in [`SourceMap::sources`].
    pub source: u32,
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

/// Maps the handles of rules and states to places in sources.
///
/// Invariant after loading: places ascend strictly by handle, none has handle 0, every source exists, `start <= end`.
///
/// ```
/// use ogc_runtime::artifact::{SourcePlace, SourceMap};
/// let map = SourceMap {
///     sources: vec!["order.ogc".to_owned()],
///     places: vec![SourcePlace { handle: 3, source: 0, start: 10, end: 14 }],
/// };
/// assert_eq!(map.find(3).map(|(name, place)| (name, place.start)), Some(("order.ogc", 10)));
/// assert_eq!(map.find(4), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    /// The sources' names, as the compiler was given them.
    pub sources: Vec<String>,
    /// Places, ascending by handle.
    pub places: Vec<SourcePlace>,
}

impl SourceMap {
    /// Finds the place of a handle, and the name of its source.
    ///
    /// ```
    /// assert_eq!(ogc_runtime::artifact::SourceMap::default().find(1), None);
    /// ```
    #[must_use]
    pub fn find(&self, handle: u32) -> Option<(&str, SourcePlace)> {
        let at = self.places.binary_search_by_key(&handle, |place| place.handle).ok()?;
        let place = *self.places.get(at)?;
        let name = self.sources.get(place.source as usize)?;
        Some((name, place))
    }
}
