//! Findings about definitions that exceed their budgets.

use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::automaton::Automaton;

use super::definitions;
use crate::db::{Db, SourceFile};
use crate::hir::budget::budget_of;
use crate::hir::items::ItemId;
use crate::hir::scope::item_named;
use crate::pipeline::Format;

/// Returns an error if the automaton has more states than the definition's budget allows.
pub(super) fn over_budget(db: &dyn Db, item: &ItemId, automaton: &Automaton) -> Option<Diagnostic> {
    let (limit, span) = budget_of(db, item).states?;
    let given = automaton.states.len() as u64;
    (given > limit).then(|| {
        let message = format!("`{}` has {given} states; the budget is {limit}", item.key.name);
        Diagnostic::error(Code::Budget, span, message).help("`ogc cost` shows which part has most of them")
    })
}

/// Returns the definitions of a file that have a budget of masks or of build time, outputs or not.
pub(in crate::pipeline) fn budgeted(db: &dyn Db, file: SourceFile) -> Vec<Format> {
    let has_budget = |format: &Format| {
        let item = format.name.as_ref().and_then(|name| item_named(db, file, name));
        item.is_some_and(|item| {
            let budget = budget_of(db, &item);
            budget.mask.is_some() || budget.build.is_some()
        })
    };
    definitions(db, file).into_iter().filter(has_budget).collect()
}
