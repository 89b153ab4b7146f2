//! Artifacts: a format, and optionally its masks for one vocabulary, as bytes that are used in place.
//!
//! The compiler writes an artifact with [`write()`]; an engine loads it with [`Artifact::load`]. The bytes are not trusted: checksums
//! detect accidental changes, and validation rejects everything that could make stepping or look-ups fail, whoever wrote the bytes. After
//! loading, no index is out of bounds. Tables are decoded once (they are small); rows stay in the bytes and are read there.
//!
//! Equal content gives identical bytes: nothing in an artifact depends on time, threads or hash order.

mod decode;
mod encode;
mod record;
mod sources;
#[cfg(test)]
mod tests;

pub use crate::container::{Fingerprint, LoadError};
pub use sources::{SourceMap, SourcePlace};

use std::sync::Arc;

use crate::automaton::Automaton;
use crate::captures::Content;
use crate::container::{self, Bytes, SectionKind, Sections, check};
use crate::mask::{MaskPack, MaskStore, RowPool};
use crate::matcher::Matcher;

/// A compiled format without masks: the automaton, its source map, its provenance, and the kind of its texts.
///
/// ```
/// use std::sync::Arc;
/// use ogc_runtime::artifact::{Artifact, Format, write};
/// use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
/// let mut builder = AutomatonBuilder::new();
/// let rule = builder.rule("a", 0);
/// let (start, end) = (builder.state(rule, StateKind::Bytes), builder.state(rule, StateKind::Bytes));
/// builder.start(rule, start);
/// builder.edge(start, b'a', b'a', OpId::NONE, end);
/// builder.accept(end);
/// let automaton = Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any)?);
/// let format = Format { provenance: vec![("compiler".into(), "0.1.0".into())], ..Format::new(automaton) };
/// let artifact = Artifact::load(write(&format, None))?;
/// assert_eq!(artifact.format(), &format);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    /// The automaton that reads the format's texts.
    pub automaton: Arc<Automaton>,
    /// Maps the source handles of rules and states to places in sources.
    pub sources: SourceMap,
    /// Pairs of a key and a value that say where the format comes from, in display order.
    pub provenance: Vec<(String, String)>,
    /// The kind of the format's texts, and the captures automaton that finds their parts.
    pub content: Content,
}

impl Format {
    /// Makes a format from an automaton, without parts, source map or provenance.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// use ogc_runtime::artifact::Format;
    /// assert!(Format::new(format).provenance.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(automaton: Arc<Automaton>) -> Self {
        Self { automaton, sources: SourceMap::default(), provenance: Vec::new(), content: Content::Text }
    }
}

/// Writes an artifact. `masks` must have been built for the same format.
///
/// ```
#[doc = include_str!("example.md")]
/// use ogc_runtime::artifact::{Format, write};
/// let format = Format::new(format);
/// assert_eq!(write(&format, None), write(&format, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn write(format: &Format, masks: Option<&MaskPack>) -> Vec<u8> {
    let mut sections = encode::sections(format);
    sections.extend(masks.into_iter().flat_map(MaskPack::sections));
    container::assemble(&sections)
}

/// Writes an artifact whose rows are in a pool. The file is small; [`Artifact::load_with`] loads it. `masks` must have been built for the
/// same format, and added to the pool with [`RowPoolBuilder::add`](crate::mask::RowPoolBuilder::add).
///
/// ```
#[doc = include_str!("example.md")]
/// use ogc_runtime::artifact::{Artifact, Format, LoadError, write_pooled};
/// let masks = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
/// let bytes = write_pooled(&Format::new(format), &masks);
/// assert!(matches!(Artifact::load(bytes), Err(LoadError::NoPool { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn write_pooled(format: &Format, masks: &MaskPack) -> Vec<u8> {
    let mut sections = encode::sections(format);
    sections.extend(masks.pooled_sections());
    container::assemble(&sections)
}

/// A loaded artifact: a validated format, and its masks if it has any.
///
/// ```
/// use ogc_runtime::artifact::{Artifact, LoadError};
/// let error = Artifact::load(b"\x89ogc\r\n\x1a\n".to_vec()).err();
/// assert_eq!(error, Some(LoadError::Truncated { given: 8, limit: 64 }));
/// ```
#[derive(Clone, Debug)]
pub struct Artifact {
    format: Format,
    masks: Option<Arc<MaskPack>>,
}

impl Artifact {
    /// Loads an artifact: validates all bytes once, and keeps them.
    ///
    /// The crate does not use the file system: the caller may pass a memory-mapped file, which is used in place. Bytes that are not aligned
    /// to 64 bytes are copied; a memory map is always aligned.
    ///
    /// The bytes must not change afterwards. If another process truncates a mapped file, looking up a mask kills this process with
    /// `SIGBUS`; if another process writes to it, masks are wrong. Map only files that are replaced as a whole, as `ogc build` does. Read
    /// other files with `Artifact::load(std::fs::read(path)?)`, which takes one copy.
    ///
    /// # Errors
    ///
    /// Every [`LoadError`] but `OtherVocabulary`, `MissingToken` and `MissingRows`. `NoPool` names the pool file; load the artifact with it
    /// by [`Artifact::load_with`].
    ///
    /// ```
    /// use ogc_runtime::artifact::{Artifact, LoadError};
    /// assert_eq!(Artifact::load(Vec::new()).err(), Some(LoadError::NotAnArtifact));
    /// ```
    pub fn load(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, LoadError> {
        Self::open(Bytes::new(bytes), None)
    }

    /// Loads an artifact whose rows are in `pool`. An artifact with its own rows is loaded too.
    ///
    /// # Errors
    ///
    /// Every [`LoadError`] but `NoPool` and `MissingToken`: `OtherVocabulary` if the pool is of another vocabulary, `MissingRows` if
    /// it lacks rows of the artifact.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// use ogc_runtime::artifact::{Artifact, Format, LoadError, write_pooled};
    /// let masks = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
    /// let bytes = write_pooled(&Format::new(format), &masks);
    /// let empty = Arc::new(RowPool::open(RowPoolBuilder::new(&vocabulary).finish())?);
    /// let missing = LoadError::MissingRows { given: 0, limit: masks.report().rows };
    /// assert_eq!(Artifact::load_with(bytes.clone(), &empty).err(), Some(missing));
    /// let mut builder = RowPoolBuilder::of(&empty)?;
    /// builder.add(&masks)?;
    /// let pool = Arc::new(RowPool::open(builder.finish())?);
    /// assert!(Artifact::load_with(bytes, &pool)?.masks().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load_with(bytes: impl AsRef<[u8]> + Send + Sync + 'static, pool: &Arc<RowPool>) -> Result<Self, LoadError> {
        Self::open(Bytes::new(bytes), Some(pool))
    }

    fn open(bytes: Bytes, pool: Option<&Arc<RowPool>>) -> Result<Self, LoadError> {
        let sections = Sections::open(bytes)?;
        let format = decode::format(&sections)?;
        let masks = if sections.has(SectionKind::Masks) {
            Some(Arc::new(MaskPack::open(&sections, &format.automaton, pool)?))
        } else {
            check(sections.has_no_masks(), "header", "parts of masks")?;
            None
        };
        Ok(Self { format, masks })
    }

    /// Returns the format.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// use ogc_runtime::artifact::{Artifact, Format, write};
    /// let artifact = Artifact::load(write(&Format::new(format), None))?;
    /// assert_eq!(artifact.format().automaton.states.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// Returns the masks without checking for which vocabulary they were built.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// use ogc_runtime::artifact::{Artifact, Format, write};
    /// let masks = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
    /// let artifact = Artifact::load(write(&Format::new(format), Some(&masks)))?;
    /// assert!(artifact.masks().is_some_and(|masks| masks.report().complete));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn masks(&self) -> Option<&Arc<MaskPack>> {
        self.masks.as_ref()
    }

    /// Returns the masks, if the artifact has any, after checking that they were built for the vocabulary of `store`.
    ///
    /// # Errors
    ///
    /// [`LoadError::OtherVocabulary`], and [`LoadError::MissingToken`] if the format asks for a token that the
    /// vocabulary lacks.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// use ogc_runtime::artifact::{Artifact, Format, write};
    /// let masks = MaskPack::build(&format, &store, &PackLimits::default(), |_, _| {})?;
    /// let artifact = Artifact::load(write(&Format::new(format), Some(&masks)))?;
    /// assert!(artifact.masks_for(&store)?.is_some());
    /// let other = Vocabulary::from_tokens(&[Some("a")], &[])?;
    /// assert!(artifact.masks_for(&MaskStore::new(Arc::new(other))).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn masks_for(&self, store: &MaskStore) -> Result<Option<&Arc<MaskPack>>, LoadError> {
        store.check_tokens(&self.format.automaton)?;
        if let Some(masks) = &self.masks {
            masks.check_vocabulary(store)?;
        }
        Ok(self.masks.as_ref())
    }

    /// Returns a copy of the artifact with `masks` in place of its own. They must have been built for its format.
    ///
    /// # Errors
    ///
    /// [`LoadError::Invalid`] if the masks were built for another format.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// use ogc_runtime::artifact::{Artifact, Format, write};
    /// let artifact = Artifact::load(write(&Format::new(format), None))?;
    /// let masks = MaskPack::build(&artifact.format().automaton, &store, &PackLimits::default(), |_, _| {})?;
    /// assert!(artifact.with_masks(Arc::new(masks))?.masks_for(&store)?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_masks(&self, masks: Arc<MaskPack>) -> Result<Self, LoadError> {
        check(masks.is_of(&self.format.automaton), "masks", "they are of another format")?;
        Ok(Self { format: self.format.clone(), masks: Some(masks) })
    }

    /// Makes a matcher at the beginning of the format, with the artifact's masks if it has any.
    ///
    /// # Errors
    ///
    /// [`LoadError::OtherVocabulary`], and [`LoadError::MissingToken`] if the format asks for a token that the
    /// vocabulary lacks.
    ///
    /// ```
    #[doc = include_str!("example.md")]
    /// use ogc_runtime::artifact::{Artifact, Format, write};
    /// let artifact = Artifact::load(write(&Format::new(format), None))?;
    /// let mut matcher = artifact.matcher(store)?;
    /// assert_eq!(matcher.mask()?.tokens(), [TokenId(0), TokenId(2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matcher(&self, store: Arc<MaskStore>) -> Result<Matcher, LoadError> {
        let automaton = Arc::clone(&self.format.automaton);
        match self.masks_for(&store)? {
            Some(masks) => Ok(Matcher::with_checked(automaton, store, Arc::clone(masks))),
            None => Ok(Matcher::new(automaton, store)),
        }
    }
}
