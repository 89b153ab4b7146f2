//! The sites of attributes at a cursor.

use ogc_compiler::hir::Site;
use ogc_grammar::ogc::token::TokenKind;

use super::{Context, between, operand};
use crate::completion::kind::{Kind, kind_of};
use crate::walk::{Open, Walk};

/// Returns the possible sites of an attribute at the cursor.
pub(super) fn sites(walk: &Walk<'_>) -> Vec<Site> {
    let Some(last) = walk.last() else { return before_item(walk) };
    if walk.frames.is_empty() && walk.keyword.is_none() && walk.ends_attribute(last) {
        return before_item(walk);
    }
    let whole = walk.kind(last).is_some_and(TokenKind::ends_expression);
    match walk.frames.last().map(|frame| &frame.open) {
        None if whole && walk.indent() == Some("") => before_item(walk),
        None if walk.keyword.is_none() => Vec::new(),
        Some(Open::Record) if matches!(between(walk), Context::Member) => vec![Site::Member],
        Some(Open::Cases | Open::JsonObject | Open::JsonArray | Open::Attribute(_) | Open::Bounds) => Vec::new(),
        _ if walk.kind(last) == Some(TokenKind::Bar) && kind_of(walk) == Kind::Value => vec![Site::Branch],
        _ => match operand(walk, last) {
            Context::Operand(_) => vec![Site::Expression],
            _ => Vec::new(),
        },
    }
}

/// Returns the sites of an attribute before an item.
fn before_item(walk: &Walk<'_>) -> Vec<Site> {
    let own = (walk.before..walk.all.len()).find_map(|at| walk.all.get(at).filter(|one| one.kind.is_keyword()));
    let own = own.map(|token| token.kind).filter(|_| walk.keyword.is_none());
    match own.or(walk.next_keyword) {
        Some(TokenKind::Type) => vec![Site::Type],
        Some(TokenKind::Rule) => vec![Site::Rule],
        Some(TokenKind::Output) => vec![Site::Output],
        Some(TokenKind::Import) => vec![Site::Import],
        Some(_) => vec![Site::OtherItem],
        None => vec![Site::Type, Site::Rule, Site::Output],
    }
}
