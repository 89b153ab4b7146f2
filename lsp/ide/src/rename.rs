//! Rename: another name for a definition, a parameter, a field, a capture, an import, or a definition of an imported
//! file in another language, in all files.
//!
//! # Steps
//!
//! 1. [`mod@target`] finds the thing that the cursor names, and decides whether it can be renamed.
//! 2. [`mod@edits`] finds the places where the name is written: names imported under an alias keep the alias.
//! 3. [`mod@collide`] rejects a new name that would collide with a name in scope.
//! 4. [`mod@verify`] makes the edits in a copy, and rejects them if any name of a changed file would change its
//!    meaning.

mod collide;
mod edits;
mod error;
mod fields;
mod place;
mod target;
mod verify;
mod written;

#[cfg(test)]
mod tests;

pub use error::{Line, RenameError};
pub(crate) use fields::record_of;

use crate::place::{FileEdits, FilePosition, FileSpan};
use crate::snapshot::Snapshot;

/// A name that can be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renameable {
    /// The place of the name.
    pub place: FileSpan,
    /// The current name, which the editor shows initially.
    pub placeholder: String,
}

/// Returns the name at the cursor, if it can be changed.
///
/// # Errors
/// There is no name at the cursor, or the thing that it names cannot be renamed.
pub fn prepare(snapshot: &Snapshot, at: FilePosition) -> Result<Renameable, RenameError> {
    let found = target::target_at(snapshot, at)?;
    Ok(Renameable { place: found.place, placeholder: found.name })
}

/// Returns the edits that rename the thing at the cursor, ordered by file and place.
///
/// # Errors
/// The thing cannot be renamed, the new name is invalid, or the new name would collide with another name.
pub fn rename(snapshot: &Snapshot, at: FilePosition, new: &str) -> Result<Vec<FileEdits>, RenameError> {
    let found = target::target_at(snapshot, at)?;
    if found.name == new {
        return Ok(Vec::new());
    }
    target::check_name(&found.subject, new)?;
    let places = edits::places(snapshot, &found)?;
    collide::check(snapshot, &found, &places, new)?;
    let edits = edits::written(snapshot, &found, &places, new);
    verify::verify(snapshot, &edits, &found, new)?;
    Ok(edits)
}
