//! Exports objects: keys in declared order as a chain of rules, other keys behind them.
//!
//! A rule of the chain means "these keys are left", either after a member or at the beginning. If the number of members
//! is bounded more tightly than the keys imply, a rule also encodes the number of members before it.

use ogc_compiler::{SchemaFault, SchemaFaultKind};
use ogc_grammar::rules::Expr;
use ogc_regular::{Dfa, DfaState, LimitError};
use ogc_runtime::automaton::KeyOrder;
use ogc_schema::{Key, ObjectArm, SchemaErrorKind};

use super::combine::{alternation, optional, sequence, times};
use super::strings::quoted;
use super::values::Exporter;
use super::{call, rule};

/// Cap on the rules of one object.
const CHAIN: u64 = 10_000;

/// An object while it is exported.
struct Chain {
    /// Members, in key order, and whether each is required.
    members: Vec<(Expr, bool)>,
    /// A member with an undeclared key, if allowed.
    extra: Option<Expr>,
    comma: Expr,
    min: u64,
    max: Option<u64>,
}

impl Exporter<'_, '_> {
    /// Exports the objects of an arm, whose members are at `depth`; `None` if an error was reported.
    pub(super) fn object(&mut self, arm: &ObjectArm, depth: u32) -> Option<Expr> {
        let keys: Vec<&Key> = arm.keys.iter().filter(|key| self.algebra.holds_something(key.value)).collect();
        let required = keys.iter().filter(|key| key.required.is_some()).count() as u64;
        let extra = self.extra_member(arm, depth)?;
        self.check_object(arm, keys.len(), required, extra.is_some())?;
        let members = keys.iter().map(|key| (self.member(key, depth), key.required.is_some())).collect();
        let most = if extra.is_some() { u64::MAX } else { keys.len() as u64 };
        let chain = Chain {
            members,
            extra,
            comma: self.comma(depth),
            min: if arm.min <= required { 0 } else { arm.min },
            max: arm.max.filter(|&max| max < most),
        };
        let hollow = (required == 0 && arm.min == 0).then(|| self.hollow("{", "}"));
        let filled = if chain.min == 0 && chain.max.is_none() {
            self.free_chain(&chain)
        } else {
            self.counted_chain(&chain, arm)?
        };
        let open = self.open("{", depth);
        let close = self.close("}", depth);
        let filled = filled.map(|members| sequence(sequence(open, members), close));
        Some(alternation(hollow.into_iter().chain(filled).collect()))
    }

    fn check_object(&mut self, arm: &ObjectArm, keys: usize, required: u64, extra: bool) -> Option<()> {
        if let Some(demand) = arm.demands.all.first() {
            let kind = SchemaErrorKind::UnnamedKey { condition: demand.condition };
            self.errors.push(SchemaFault::new(demand.origin, kind.into()));
            return None;
        }
        let kind = if self.policy.order == KeyOrder::Any && keys + usize::from(extra) > 1 {
            SchemaFaultKind::RulesForAnyOrder
        } else if extra && arm.min > required + 1 {
            SchemaFaultKind::RulesForMinProperties
        } else if !extra && arm.min > keys as u64 {
            SchemaFaultKind::TooFewKeys
        } else {
            return Some(());
        };
        self.errors.push(SchemaFault::new(arm.origin, kind));
        None
    }

    fn member(&mut self, key: &Key, depth: u32) -> Expr {
        let name = self.quoted_text(&key.name);
        let colon = self.colon();
        let value = self.value(key.value, depth);
        sequence(sequence(name, colon), value)
    }

    /// Exports a member with an undeclared key; the outer `None` if an error was reported.
    #[allow(clippy::option_option, reason = "no such member and an error are told apart")]
    fn extra_member(&mut self, arm: &ObjectArm, depth: u32) -> Option<Option<Expr>> {
        let named = Dfa::finite(arm.keys.iter().map(|key| key.name.as_str()));
        let mut arms = Vec::new();
        for (class, &value) in (0_u32..).zip(&arm.rest.classes) {
            if !self.algebra.holds_something(value) {
                continue;
            }
            let keys = match class_keys(arm, class).difference(&named, self.limits.regular.states) {
                Ok(keys) => keys,
                Err(error) => {
                    self.errors.push(SchemaFault::new(arm.origin, SchemaFaultKind::RulesForKeys(error)));
                    return None;
                }
            };
            if !keys.is_empty() {
                let key = self.texts_of(&keys, arm.origin)?;
                let colon = self.colon();
                let value = self.value(value, depth);
                arms.push(sequence(sequence(quoted(key), colon), value));
            }
        }
        if arms.is_empty() {
            return Some(None);
        }
        let name = self.names.fresh("member");
        self.rules.push(rule(&name, alternation(arms)));
        Some(Some(call(&name)))
    }

    /// Exports the members without counting them; `None` if there can be none.
    fn free_chain(&mut self, chain: &Chain) -> Option<Expr> {
        let after = |member: Expr| sequence(chain.comma.clone(), member);
        let more = chain.extra.clone().map(|extra| times(after(extra), 0, None));
        let mut rest = more.clone().unwrap_or_else(super::combine::empty);
        let mut first = chain.extra.clone().map(|extra| sequence(extra, rest.clone()));
        for (at, (member, required)) in chain.members.iter().enumerate().rev() {
            let begins = sequence(member.clone(), rest.clone());
            first = Some(match first {
                Some(later) if !required => alternation(vec![begins, later]),
                _ => begins,
            });
            let next = after(member.clone());
            rest = sequence(if *required { next } else { optional(next) }, rest);
            // If all earlier members are optional, both this rest and the first members before it are used twice.
            if at > 0 && chain.members[..at].iter().all(|(_, required)| !required) {
                rest = self.named("rest", rest);
                first = first.map(|first| self.named("first", first));
            }
        }
        first
    }

    fn named(&mut self, kind: &str, expr: Expr) -> Expr {
        let name = self.names.fresh(kind);
        self.rules.push(rule(&name, expr));
        call(&name)
    }

    /// Exports the members while counting them; the outer `None` if an error was reported.
    #[allow(clippy::option_option, reason = "no members and an error are told apart")]
    fn counted_chain(&mut self, chain: &Chain, arm: &ObjectArm) -> Option<Option<Expr>> {
        // From this count on, another member makes no difference or is not allowed.
        let cap = chain.max.unwrap_or(chain.min).min(chain.members.len() as u64);
        let given = (chain.members.len() as u64 + 1).saturating_mul(cap + 1);
        if given > CHAIN {
            let error = LimitError::of_large("rules of one object", given, CHAIN);
            self.errors.push(SchemaFault::limit(arm.origin, error));
            return None;
        }
        let mut row: Vec<Option<Expr>> = (0..=cap).map(|count| self.last(chain, count, arm)).collect();
        for (member, required) in chain.members.iter().rev() {
            let next = row;
            row = Vec::new();
            for count in 0..=cap {
                let taken =
                    (chain.max.is_none_or(|max| count < max)).then(|| next[(count + 1).min(cap) as usize].clone());
                let comma = if count == 0 { super::combine::empty() } else { chain.comma.clone() };
                let taken = taken.flatten().map(|rest| sequence(sequence(comma, member.clone()), rest));
                let skipped = next[count as usize].clone().filter(|_| !required);
                let arms: Vec<Expr> = taken.into_iter().chain(skipped).collect();
                row.push((!arms.is_empty()).then(|| self.named("members", alternation(arms))));
            }
        }
        // The empty object is written separately.
        Some(row.into_iter().next().flatten())
    }

    /// Exports the continuation after `count` members when no declared key is left.
    fn last(&mut self, chain: &Chain, count: u64, arm: &ObjectArm) -> Option<Expr> {
        let Some(extra) = &chain.extra else {
            return (count >= chain.min && count > 0).then(super::combine::empty);
        };
        let min = self.bound(chain.min.saturating_sub(count), "least number of members", arm.origin);
        let max = chain.max.map(|max| u32::try_from(max - count).unwrap_or(u32::MAX - 1));
        let after = sequence(chain.comma.clone(), extra.clone());
        if count > 0 {
            return (max != Some(0) || min == 0).then(|| times(after, min, max));
        }
        let rest = times(after, min.saturating_sub(1), max.map(|max| max.saturating_sub(1)));
        (max != Some(0)).then(|| sequence(extra.clone(), rest))
    }
}

/// Returns the keys of a class; declared keys may be among them.
fn class_keys(arm: &ObjectArm, class: u32) -> Dfa {
    let Some(keys) = &arm.rest.keys else { return Dfa::any_text() };
    let states = keys.edges.iter().zip(&keys.class);
    let state = |(edges, own): (&Vec<_>, &Option<u32>)| DfaState { accept: *own == Some(class), edges: edges.clone() };
    Dfa::from_states(states.map(state).collect())
}
