//! Exports arrays: the optional positions of the prefix nested in one another, then a bounded repetition.

use ogc_compiler::{SchemaFault, SchemaFaultKind};
use ogc_grammar::rules::Expr;
use ogc_schema::ArrayArm;

use super::combine::{alternation, optional, sequence, times};
use super::values::Exporter;
use super::{call, rule};

/// Optional positions after which a new rule begins, which bounds the nesting of expressions.
const LEVELS: usize = 8;

impl Exporter<'_, '_> {
    /// Exports the arrays of an arm, whose items are at `depth`; `None` if an error was reported.
    pub(super) fn array(&mut self, arm: &ArrayArm, depth: u32) -> Option<Expr> {
        let most = self.algebra.longest(arm);
        self.check_array(arm, most)?;
        let hollow = (arm.min == 0).then(|| self.hollow("[", "]"));
        if most == Some(0) {
            return hollow;
        }
        let open = self.open("[", depth);
        let items = self.items(arm, most, depth);
        let close = self.close("]", depth);
        let filled = sequence(sequence(open, items), close);
        Some(alternation(hollow.into_iter().chain([filled]).collect()))
    }

    fn check_array(&mut self, arm: &ArrayArm, most: Option<u64>) -> Option<()> {
        if let Some(origin) = arm.unique.filter(|_| most.is_none_or(|most| most > 1)) {
            self.errors.push(SchemaFault::new(origin, SchemaFaultKind::RulesForUniqueItems));
            return None;
        }
        if let Some(count) = arm.counts.first() {
            self.errors.push(SchemaFault::new(count.origin, SchemaFaultKind::RulesForContains));
            return None;
        }
        Some(())
    }

    /// Exports one or more items.
    fn items(&mut self, arm: &ArrayArm, most: Option<u64>, depth: u32) -> Expr {
        let reach = most.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
        let prefix = arm.prefix.len().min(reach);
        let more = prefix < reach;
        let comma = self.comma(depth);
        let fixed = prefix.max(1) as u64;
        let mut rest = super::combine::empty();
        if more && most.is_none_or(|most| most > fixed) {
            let item = self.value(arm.items.value, depth);
            let min = self.bound(arm.min.saturating_sub(fixed), "least number of items", arm.origin);
            let max = most.and_then(|most| u32::try_from(most - fixed).ok()).filter(|&max| max < u32::MAX);
            rest = times(sequence(comma.clone(), item), min, max);
        }
        for at in (1..prefix).rev() {
            let item = self.value(arm.prefix[at].value, depth);
            rest = sequence(sequence(comma.clone(), item), rest);
            if at as u64 >= arm.min {
                rest = optional(rest);
            }
            if at % LEVELS == 0 {
                let name = self.names.fresh("items");
                self.rules.push(rule(&name, rest));
                rest = call(&name);
            }
        }
        let first = arm.prefix.first().map_or(arm.items.value, |item| item.value);
        let first = self.value(first, depth);
        sequence(first, rest)
    }
}
