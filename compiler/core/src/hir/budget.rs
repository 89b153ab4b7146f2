//! Reads the budgets of definitions: the maximum costs that `@budget(...)` and `policy` items set.
//!
//! Authors set these limits on the result. (The budget of [`ogc_regular::budget`] limits the work of compiling.)

use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Argument, ItemKind};

use super::attribute::AttributeKind;
use super::items::{ItemId, Keyword, item_start, item_tree, policies};
use super::setting::BudgetKind;
use crate::db::Db;

/// The maximum costs of a definition, each with the place where it is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Maximum states of the definition's automaton.
    pub states: Option<(u64, Span)>,
    /// Maximum bytes of the definition's masks.
    pub mask: Option<(u64, Span)>,
    /// Maximum time to build the definition's masks, in milliseconds.
    pub build: Option<(u64, Span)>,
}

/// Returns the budget of a definition: its own limits; for an output also those of the file's `policy` items. Places
/// are in the file.
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
