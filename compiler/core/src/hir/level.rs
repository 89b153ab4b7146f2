//! Applies `@allow`, `@warn` and `@deny` on an item to the findings in it.
//!
//! This is the only place where attributes change findings; errors stay errors.

use std::sync::Arc;

use ogc_grammar::ogc::ast::ExprKind;
use ogc_grammar::{Code, Diagnostic, Level, Span};

use super::attribute::AttributeKind;
use super::items::{ItemId, ItemKey, file_items, item_tree};
use crate::db::{Db, Language, SourceFile};

/// Applies to each finding of a file the level that its item sets; allowed findings are dropped.
pub fn leveled(db: &dyn Db, file: SourceFile, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if file.language(db) != Language::Ogc || found.iter().all(Diagnostic::is_error) {
        return found;
    }
    let items = &file_items(db, file).items;
    let leveled = items.iter().filter(|(item, _)| !levels(db, file, Arc::clone(&item.key)).is_empty());
    let leveled: Vec<&(ItemId, Span)> = leveled.collect();
    let around = |at: u32| {
        let before = leveled.partition_point(|(_, span)| span.start <= at);
        leveled.get(before.checked_sub(1)?).filter(|(_, span)| at < span.end)
    };
    let at_level = |one: Diagnostic| match around(one.span.start) {
        Some((item, _)) => inside(db, item, one),
        None => Some(one),
    };
    found.into_iter().filter_map(at_level).collect()
}

/// Applies to a finding in an item the level that the item sets; `None` if the finding is allowed.
pub fn inside<P>(db: &dyn Db, item: &ItemId, found: Diagnostic<P>) -> Option<Diagnostic<P>> {
    let levels = levels(db, item.file, Arc::clone(&item.key));
    // The last attribute counts.
    match levels.iter().rev().find(|(code, _)| *code == found.code) {
        Some((_, level)) => level.applied(found),
        None => Some(found),
    }
}

/// Returns the levels that an item's attributes set, by code, in source order. Equal after edits of the rest of the
/// item.
#[salsa::tracked]
fn levels(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> Vec<(Code, Level)> {
    let item = ItemId { file, key };
    let mut levels = Vec::new();
    for attribute in &item_tree(db, &item).item.attributes {
        let Some(AttributeKind::Level(level)) = AttributeKind::of(&attribute.name.text) else { continue };
        for argument in &attribute.arguments {
            if let ExprKind::String(code) = &argument.value.kind {
                levels.extend(Code::from_name(code).map(|code| (code, level)));
            }
        }
    }
    levels
}
