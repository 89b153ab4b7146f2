//! Names the targets of tests: a definition of the test's file; or an imported definition or one with arguments, for
//! which the file has no definition.

use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{ItemKind, Test};
use ogc_grammar::ogc::print_expr;

use super::items::{ItemId, Keyword, file_items, item_start, item_tree};
use crate::db::{Db, SourceFile};

/// Returns the name of a test's format: the name of the file's own definition, or the target as it is written.
#[must_use]
pub fn tested_name(test: &Test) -> String {
    test.name().map_or_else(|| print_expr(&test.target), |name| name.text.clone())
}

/// Returns the first test of a file whose target is `name`, for names that no definition of the file has: an imported
/// definition, or one with arguments.
pub(super) fn test_of<'db>(db: &'db dyn Db, file: SourceFile, name: &str) -> Option<&'db ItemId> {
    let tests = file_items(db, file).items.iter().map(|(item, _)| item).filter(|item| item.key.kind == Keyword::Test);
    tests.into_iter().find(|item| match &item_tree(db, item).item.kind {
        ItemKind::Test(test) => tested_name(test) == name,
        _ => false,
    })
}

/// Returns the place of the target in the first test for `name`; see [`test_of`].
pub(crate) fn tested_at(db: &dyn Db, file: SourceFile, name: &str) -> Option<Span> {
    let item = test_of(db, file, name)?;
    match &item_tree(db, item).item.kind {
        ItemKind::Test(test) => Some(test.target.span.shifted(item_start(db, item))),
        _ => None,
    }
}
