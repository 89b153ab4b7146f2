//! Removes unused definitions and imports with their docs, repeatedly, because each removal may leave others unused.

use ogc_grammar::{Code, Diagnostic};
use ogc_workbench::correct::{Corrections, remove_unused};

use super::context::Context;
use super::fix_all::found_in;
use super::{Action, ActionKind, Change, Command};
use crate::changes::between;
use crate::scratch::Scratch;

pub(super) fn offered(context: &Context<'_>) -> Vec<Action> {
    let found = context.findings();
    let has_unused = found.iter().any(is_unused) && !found.iter().any(Diagnostic::is_error);
    let title = "Remove what nothing uses";
    has_unused.then(|| Action::new(context, Command::RemoveUnused, ActionKind::Organize, title)).into_iter().collect()
}

fn is_unused(found: &Diagnostic) -> bool {
    found.code == Code::UnusedItem && found.fix.is_some()
}

pub(super) fn change(context: &Context<'_>) -> Option<Change> {
    let mut scratch = Scratch::of(context.snapshot);
    let mut removed = Corrections { text: context.text().to_owned(), ..Corrections::default() };
    remove_unused(&mut removed, &mut |text| found_in(&mut scratch, context.snapshot, context.file(), text));
    let edits = between(context.text(), &removed.text);
    (!edits.is_empty()).then(|| Change::of(context.file(), edits))
}
