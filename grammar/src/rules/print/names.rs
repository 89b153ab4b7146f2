//! Chooses names that a notation can write.

use crate::rules::{ExprKind, Grammar};
use std::collections::{HashMap, HashSet};

/// A source of names that are not taken.
pub(super) struct Fresh {
    taken: HashSet<String>,
    /// Last number that was tried for each name.
    counts: HashMap<String, u64>,
    /// Character before a number.
    before_number: char,
}

impl Fresh {
    pub(super) fn besides<'t>(taken: impl IntoIterator<Item = &'t str>, before_number: char) -> Self {
        let taken = taken.into_iter().map(str::to_owned).collect();
        Self { taken, counts: HashMap::new(), before_number }
    }

    /// Returns `base`, followed by a number if `base` is taken.
    pub(super) fn name(&mut self, base: String) -> String {
        let count = self.counts.entry(base.clone()).or_insert(0);
        loop {
            *count += 1;
            let fresh = if *count == 1 { base.clone() } else { format!("{base}{}{count}", self.before_number) };
            if self.taken.insert(fresh.clone()) {
                return fresh;
            }
        }
    }
}

/// Returns the names of rules and the names in their bodies, as they are written.
pub(super) fn all_names(grammar: &Grammar) -> Vec<&str> {
    let mut names = Vec::new();
    for rule in &grammar.rules {
        names.push(rule.name.value.as_str());
        rule.body.walk(&mut |expr| {
            if let ExprKind::Name(name) = &expr.kind {
                names.push(name);
            }
        });
    }
    names
}
