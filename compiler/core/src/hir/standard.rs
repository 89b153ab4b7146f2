//! Holds the standard library: `.ogc` files that every program can import by name, as `"std.tools"`.

use crate::db::{Db, Language, Options, SourceFile};

/// Name and text of each file.
const FILES: [(&str, &str); 1] = [("std.tools", include_str!("../std/tools.ogc"))];

/// Returns the text of a file of the standard library.
///
/// ```
/// use ogc_compiler::hir::standard;
/// assert!(standard::text("std.tools").is_some_and(|text| text.contains("rule hermes")));
/// assert!(standard::text("tools.json").is_none());
/// ```
#[must_use]
pub fn text(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, text)| *text)
}

/// Returns whether a path is reserved for the standard library, whether or not the file exists: `std.x`.
pub(super) fn is_reserved(path: &str) -> bool {
    path.starts_with("std.") && Language::of_name(path).is_err()
}

/// Returns the names of the files in the standard library.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// Returns a file of the standard library as an input; importers with the same options share one input.
#[salsa::tracked(returns(copy))]
pub(super) fn file(db: &dyn Db, options: Options, path: String) -> Option<SourceFile> {
    let text = text(&path)?.to_owned();
    Some(SourceFile::new(db, path, text, Language::Ogc, options))
}
