//! The places where a thing is named, each with the form of the name there.

use ogc_compiler::hir::items::ItemId;

use crate::place::FileSpan;

/// The form in which a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A word.
    Word,
    /// A word, or any text in quotes.
    Key,
    /// Part of a file in another language, as it is.
    Foreign,
}

/// A place where the thing is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedPlace {
    pub(super) at: FileSpan,
    pub(super) form: Form,
    /// The item, in an `.ogc` file.
    pub(super) item: Option<ItemId>,
}
