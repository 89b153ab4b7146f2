//! Findings about masks that exceed the budgets of their definitions.

use std::time::Duration;

use always_assert::never;
use ogc_grammar::{Code, Diagnostic, Span};

use super::{Format, masks};
use crate::db::{Db, VocabularyInput};
use crate::hir::budget::{Budget, budget_of};
use crate::hir::scope::item_named;

/// Returns findings about a definition whose masks exceed its budget, in bytes or in build time. Without a vocabulary,
/// returns a note that these budgets are not checked.
pub fn build_findings(db: &dyn Db, format: &Format, vocabulary: Option<VocabularyInput>) -> Vec<Diagnostic> {
    let item = format.name.as_ref().and_then(|name| item_named(db, format.file, name));
    let Some(item) = item else { return Vec::new() };
    let budget = budget_of(db, &item);
    let name = &item.key.name;
    let (Some(_), Some(vocabulary)) = (budget.mask.or(budget.build), vocabulary) else {
        return unchecked(name, &budget).into_iter().collect();
    };
    let Ok(Some(masks)) = masks(db, format.clone(), vocabulary) else { return Vec::new() };
    let over = |(limit, span): (u64, Span), given: f64, takes: String, unit: &str| {
        (given > limit as f64).then(|| {
            let message = format!("`{name}` takes {takes}; the budget is {limit} {unit}");
            Diagnostic::error(Code::Budget, span, message).help("`ogc cost` shows which part costs most")
        })
    };
    let report = masks.report();
    let bytes = report.row_bytes + report.exit_bytes;
    let of_bytes = |limit| over(limit, bytes as f64, format!("{bytes} bytes of masks"), "bytes");
    let time = masks.build_time().unwrap_or_else(|| {
        never!("the masks of `{}` are built here and have no time", name);
        Duration::ZERO
    });
    let time = time.as_secs_f64() * 1e3;
    let of_time = |limit| over(limit, time, format!("{time:.1} ms to build its masks"), "ms");
    budget.mask.and_then(of_bytes).into_iter().chain(budget.build.and_then(of_time)).collect()
}

/// Returns a note that a budget of masks or of build time is not checked, because there is no vocabulary.
fn unchecked(name: &str, budget: &Budget) -> Option<Diagnostic> {
    let (what, (_, span)) = match (budget.mask, budget.build) {
        (Some(mask), Some(_)) => ("`mask` and `build`", mask),
        (Some(mask), None) => ("`mask`", mask),
        (None, build) => ("`build`", build?),
    };
    let message = format!("the budget {what} of `{name}` is not checked without a vocabulary");
    Some(Diagnostic::note(Code::UncheckedBudget, span, message).help("`ogc check --vocab` and `ogc build` check it"))
}
