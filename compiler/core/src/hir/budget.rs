//! Reads the budgets of definitions: the most that `@budget(...)` and `policy` items let them cost.
//!
//! These are limits that authors set on the result. (The budget of [`ogc_regular::budget`] limits the work of
//! compiling.)

use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Argument, ItemKind};

use super::attribute::AttributeKind;
use super::items::{ItemId, Keyword, item_start, item_tree, policies};
use super::setting::BudgetKind;
use crate::db::Db;

/// The most that a definition may cost, each limit with the place where it is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// States of its automaton.
    pub states: Option<(u64, Span)>,
    /// Bytes of its masks.
    pub mask: Option<(u64, Span)>,
    /// Milliseconds of building its masks.
    pub build: Option<(u64, Span)>,
}

/// Returns the budget of a definition: its own limits, and for outputs also those of the file's `policy` items.
/// Places are in the file.
pub fn budget_of(db: &dyn Db, item: &ItemId) -> Budget {
    let mut total = Budget::default();
    if item.key.kind == Keyword::Output {
        for policy in policies(db, item.file) {
            let start = item_start(db, policy);
            if let ItemKind::Policy(policy) = &item_tree(db, policy).item.kind {
                policy.settings.iter().for_each(|setting| add(&mut total, setting, start));
            }
        }
    }
    let base = item_start(db, item);
    let attributes = item_tree(db, item).item.attributes.iter();
    for attribute in attributes.filter(|attribute| AttributeKind::Budget.is(attribute)) {
        attribute.arguments.iter().for_each(|argument| add(&mut total, argument, base));
    }
    total
}

fn add(total: &mut Budget, argument: &Argument, base: u32) {
    let Some((kind, limit)) = BudgetKind::read(argument) else { return };
    let limit = Some((limit, argument.span.shifted(base)));
    match kind {
        BudgetKind::States => total.states = limit,
        BudgetKind::Mask => total.mask = limit,
        BudgetKind::Build => total.build = limit,
    }
}
