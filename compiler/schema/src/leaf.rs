//! The doors to `ogc-regular`: patterns, formats and lengths as automata.

use std::sync::Arc;

use ogc_regular::{Dfa, LimitError, Limits};

/// The language of an unanchored ECMA-262 pattern.
pub(crate) fn pattern(text: &str, limits: &Limits) -> Result<Arc<Dfa>, String> {
    ogc_regular::pattern::compile(text, limits).map(Arc::new).map_err(|error| error.to_string())
}

/// The language of a `format`.
pub(crate) fn format(name: &str) -> Option<Arc<Dfa>> {
    let _ = name;
    None
}

/// The texts of `min` to `max` code points.
pub(crate) fn with_length(dfa: &Dfa, min: u64, max: Option<u64>, limit: usize) -> Result<Arc<Dfa>, LimitError> {
    let given = usize::try_from(min).unwrap_or(usize::MAX);
    let min = u32::try_from(min).map_err(|_| LimitError { what: "least length", given, limit: u32::MAX as usize })?;
    let max = max.and_then(|max| u32::try_from(max).ok());
    ogc_regular::length::with_length(dfa, min, max, limit).map(Arc::new)
}
