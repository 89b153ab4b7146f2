//! The corrections of the findings at the selection, and guesses at the intended text.

use ogc_grammar::{Code, Diagnostic, Fix};

use super::context::Context;
use super::{Action, ActionKind, Change, Command};
use crate::place::{FileSpan, TextEdit};

pub(super) fn offered(context: &Context<'_>) -> Vec<Action> {
    let here = context.findings().iter().filter(|found| context.touches(found.span));
    here.flat_map(|found| {
        // An unused item may be meant somewhere, where its name is misspelled.
        let is_preferred = found.code != Code::UnusedItem;
        let correction = found.fix.iter().map(move |fix| action(context, found, fix, is_preferred));
        correction.chain(found.guesses.iter().map(|guess| action(context, found, guess, false)))
    })
    .collect()
}

fn action(context: &Context<'_>, found: &Diagnostic, fix: &Fix, is_preferred: bool) -> Action {
    let edits = fix.edits.iter().filter(|(span, text)| !(span.is_empty() && text.is_empty()));
    let edits = edits.map(|(span, text)| TextEdit::replace(*span, text.clone())).collect();
    Action {
        is_preferred,
        fixes: Some((found.code, FileSpan::new(context.file(), found.span))),
        ..Action::new(context, Command::Fix, ActionKind::QuickFix, title(&fix.label))
    }
    .with(Change::of(context.file(), edits))
}

/// Makes a title from a label: the first letter becomes a capital.
pub(super) fn title(label: &str) -> String {
    let mut chars = label.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
