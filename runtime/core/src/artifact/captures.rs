//! Stores the automaton that finds the parts of texts inside an artifact: as a nested artifact that has an automaton and nothing else.

use std::sync::Arc;

use super::{Format, decode, encode};
use crate::automaton::Automaton;
use crate::captures::Content;
use crate::container::{Bytes, Kind, LoadError, Sections, assemble, check};

/// Writes the automaton of captures as an artifact of its own.
pub(super) fn write(automaton: &Arc<Automaton>) -> Vec<u8> {
    assemble(&encode::sections(&Format::new(Arc::clone(automaton))))
}

/// Loads the automaton of captures and checks all its invariants.
pub(super) fn open(bytes: &[u8]) -> Result<Arc<Automaton>, LoadError> {
    let sections = Sections::open(Bytes::new(bytes.to_vec()))?;
    // Nothing is nested deeper.
    let plain = !sections.has(Kind::Captures) && sections.has_no_masks();
    check(plain, "captures", "more than an automaton")?;
    let Format { automaton, sources, provenance, content } = decode::format(&sections)?;
    let bare = sources.sources.is_empty() && provenance.is_empty() && content == Content::Text;
    check(bare, "captures", "more than an automaton")?;
    Ok(automaton)
}
