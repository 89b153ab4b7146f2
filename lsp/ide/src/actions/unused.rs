//! Removes definitions and imports that nothing uses, with their docs: again and again, as each can leave others
//! unused.

use ogc_grammar::{Code, Diagnostic, Fix, fix};

use super::context::Context;
use super::fix_all::found_in;
use super::{Action, ActionKind, Change, Command};
use crate::changes::between;
use crate::trial::Trial;

/// The most rounds.
const ROUNDS: usize = 20;

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
    let mut trial = Trial::of(context.snapshot);
    let mut text = context.text().to_owned();
    let mut found = found_in(&mut trial, context, &text);
    for _ in 0..ROUNDS {
        if found.iter().any(Diagnostic::is_error) {
            return None;
        }
        let fixes: Vec<&Fix> = found.iter().filter(|one| is_unused(one)).filter_map(|one| one.fix.as_ref()).collect();
        let (after, applied) = fix::apply(&text, fixes.into_iter());
        if applied.is_empty() {
            break;
        }
        let next = found_in(&mut trial, context, &after);
        if next.iter().any(Diagnostic::is_error) {
            break;
        }
        (text, found) = (after, next);
    }
    let edits = between(context.text(), &text);
    (!edits.is_empty()).then(|| Change::of(context.file(), edits))
}
