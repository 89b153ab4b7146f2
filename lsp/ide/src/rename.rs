//! Rename: another name for a definition, a parameter, a field, a capture, an import, or a definition of an imported
//! file in another language, in all files.
//!
//! # Steps
//!
//! 1. [`mod@target`] finds what the cursor names, and whether it can have another name.
//! 2. [`mod@edits`] finds the places where the name is written: names imported under an alias keep the alias.
//! 3. [`mod@collide`] refuses a new name that is taken where the old one is written.
//! 4. [`mod@verify`] makes the edits in a copy, and refuses them if any name of a changed file would lead elsewhere.

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
    /// The name as it is, which the editor shows for a start.
    pub placeholder: String,
}

/// Returns the name at the cursor, if it can be changed.
///
/// # Errors
/// No name stands there, or the thing that it names cannot have another one.
pub fn prepare(snapshot: &Snapshot, at: FilePosition) -> Result<Renameable, RenameError> {
    let found = target::target_at(snapshot, at)?;
    Ok(Renameable { place: found.place, placeholder: found.name })
}

/// Returns the edits that give the thing at the cursor another name, in order of file and place.
///
/// # Errors
/// The thing cannot have another name, the new name cannot be used, or it is taken in a file where the old one is
/// written.
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
