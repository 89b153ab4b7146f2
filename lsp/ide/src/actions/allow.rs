//! `@allow("code")` before the item of a warning or note.

use ogc_compiler::hir::AttributeKind;
use ogc_grammar::ogc::ast::Attribute;
use ogc_grammar::{Code, Level};

use super::context::Context;
use super::{Action, ActionKind, Change, Command};
use crate::items::PlacedItem;
use crate::place::{FileSpan, TextEdit};

pub(super) fn offered(context: &Context<'_>) -> Vec<Action> {
    let mut found: Vec<Action> = Vec::new();
    for one in context.findings().iter().filter(|one| !one.is_error() && context.touches(one.span)) {
        let Some(item) =
            context.item().filter(|item| item.span.start <= one.span.start && one.span.end <= item.span.end)
        else {
            continue;
        };
        let action = Action {
            fixes: Some((one.code, FileSpan::new(context.file(), one.span))),
            ..Action::new(
                context,
                Command::Allow(one.code),
                ActionKind::QuickFix,
                format!("Allow `{}` here", one.code.name()),
            )
        };
        if !found.iter().any(|other| other.id == action.id) {
            found.push(action.with(Change::of(context.file(), vec![edit(&item, one.code)])));
        }
    }
    found
}

/// Adds a code to the item's `@allow`, or such an attribute before the others.
fn edit(item: &PlacedItem<'_>, code: Code) -> TextEdit {
    let is_allow = |one: &&Attribute| AttributeKind::of(&one.name.text) == Some(AttributeKind::Level(Level::Allow));
    let last = item.tree.attributes.iter().find(is_allow).and_then(|one| one.arguments.last());
    match last {
        Some(last) => TextEdit::insert(item.in_file(last.span).end, format!(", \"{}\"", code.name())),
        None => TextEdit::insert(item.in_file(item.tree.span).start, format!("@allow(\"{}\")\n", code.name())),
    }
}
