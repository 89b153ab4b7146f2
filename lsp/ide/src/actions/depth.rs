//! Bounds the nesting depth of a recursive definition's values: `@depth(8)`. The format then accepts less, as the title
//! says.

use ogc_compiler::hir::items::Keyword;
use ogc_compiler::hir::{AttributeKind, PolicyKind};

use super::context::Context;
use super::inline::is_recursive;
use super::{Action, ActionKind, Change, Command};
use crate::place::TextEdit;

/// The bound, in levels.
const DEPTH: u32 = 8;

pub(super) fn offered(context: &Context<'_>) -> Vec<Action> {
    offered_one(context).into_iter().collect()
}

fn offered_one(context: &Context<'_>) -> Option<Action> {
    let item = context.item().filter(|item| item.id.key.kind == Keyword::Type)?;
    let is_depth = |name: &str| AttributeKind::of(name) == Some(AttributeKind::Policy(PolicyKind::Depth));
    let has_depth = item.tree.attributes.iter().any(|one| is_depth(&one.name.text));
    let name = item.in_file(item.definition()?.name.span);
    if has_depth || !context.touches(name) || !is_recursive(context, item.id) {
        return None;
    }
    let edit = TextEdit::insert(item.in_file(item.tree.span).start, format!("@depth({DEPTH})\n"));
    let title = format!("Bound the nesting, so that less may be written: @depth({DEPTH})");
    let change = Change::of(context.file(), vec![edit]);
    Some(Action::new(context, Command::BoundDepth, ActionKind::Rewrite, title).with(change))
}
