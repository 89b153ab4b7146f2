//! Finds the rules whose registers can take too many values to build masks for each value ahead of time.
//!
//! The masks of such a rule are made by ways ([`crate::mask`]): once for all values, together with the guards that they depend on.

use crate::automaton::{Automaton, KeyOrder, ObjectShape, Rule, StateId};

/// The most keys of an object in any order for which all sets of seen keys are enumerated: 5 keys have 32 sets.
const SMALL_OBJECT: u32 = 5;

/// Returns for each rule whether its masks are made by ways.
pub(super) fn table(automaton: &Automaton) -> Vec<bool> {
    automaton.rules.iter().map(|rule| has_many_values(automaton, rule) && stays_below(automaton, rule)).collect()
}

fn has_many_values(automaton: &Automaton, rule: &Rule) -> bool {
    let has_many_sets =
        |shape: &ObjectShape| shape.order == KeyOrder::Any && shape.keys > SMALL_OBJECT || !shape.conditions.is_empty();
    rule.object.is_some_and(|object| has_many_sets(&automaton.objects[object.index()]))
}

/// Returns whether a frame of the rule stays on the stack below all frames that it calls, so that its way can be found there. A call that
/// is the rule's last step would push no frame.
fn stays_below(automaton: &Automaton, rule: &Rule) -> bool {
    let is_last = |state: StateId| automaton.calls(state).iter().any(|call| automaton.derived.is_bare(call.ret));
    !rule.counts_tokens && !rule.state_ids().any(is_last)
}
