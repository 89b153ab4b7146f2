//! The doors to `ogc-regular`: patterns and lengths as automata.

use std::sync::Arc;

use ogc_regular::{Dfa, LimitError, Limits};

/// An automaton of decoded texts: made for this schema, or one of those that all schemas share.
#[derive(Clone, Debug)]
pub enum Text {
    /// Made for this schema.
    Made(Arc<Dfa>),
    /// The language of a format.
    Known(&'static Dfa),
}

impl Text {
    pub(crate) fn new(dfa: Dfa) -> Self {
        Self::Made(Arc::new(dfa))
    }

    /// Where the automaton lies: equal for the same one.
    #[must_use]
    pub fn address(&self) -> usize {
        std::ptr::from_ref::<Dfa>(self) as usize
    }
}

impl std::ops::Deref for Text {
    type Target = Dfa;

    fn deref(&self) -> &Dfa {
        match self {
            Self::Made(dfa) => dfa,
            Self::Known(dfa) => dfa,
        }
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.address() == other.address() || **self == **other
    }
}

impl Eq for Text {}

/// The language of an unanchored ECMA-262 pattern.
pub(crate) fn pattern(text: &str, limits: &Limits) -> Result<Text, String> {
    ogc_regular::pattern::compile(text, limits).map(Text::new).map_err(|error| error.to_string())
}

/// The texts of `min` to `max` code points.
pub(crate) fn with_length(dfa: &Dfa, min: u64, max: Option<u64>, limit: usize) -> Result<Text, LimitError> {
    let given = usize::try_from(min).unwrap_or(usize::MAX);
    let min = u32::try_from(min).map_err(|_| LimitError { what: "least length", given, limit: u32::MAX as usize })?;
    let max = max.and_then(|max| u32::try_from(max).ok());
    ogc_regular::length::with_length(dfa, min, max, limit).map(Text::new)
}
