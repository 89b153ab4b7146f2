//! The automaton without its places in the source: masks depend on nothing else.

use std::sync::Arc;

use ogc_runtime::automaton::{Automaton, Rule};

use super::{Format, automaton};
use crate::db::{Db, SourceFile};

/// An automaton whose equality ignores places: two of them are equal if they step alike, state by state.
#[derive(Clone, Debug)]
pub struct Machine(pub Arc<Automaton>);

impl PartialEq for Machine {
    fn eq(&self, other: &Self) -> bool {
        let (one, two) = (&*self.0, &*other.0);
        one.states == two.states
            && one.edges == two.edges
            && one.calls == two.calls
            && one.ops == two.ops
            && one.objects == two.objects
            && one.tokens == two.tokens
            && one.twins == two.twins
            && (one.root, one.nullable, one.escapes) == (two.root, two.nullable, two.escapes)
            && one.rules.iter().map(behaviour).eq(two.rules.iter().map(behaviour))
    }
}

impl Eq for Machine {}

/// Returns the behaviour of a rule: everything but its name and origin.
fn behaviour(rule: &Rule) -> impl PartialEq + use<> {
    let items = (rule.counts_tokens, rule.distinct_items, rule.few_keys, rule.item_choices);
    (rule.start, rule.states, rule.object, items)
}

/// Returns the automaton of a format without its places; `None` if there are errors.
pub fn machine(db: &dyn Db, format: impl Into<Format>) -> Option<Machine> {
    let Format { file, name } = format.into();
    machine_of(db, file, name)
}

#[salsa::tracked(returns(clone))]
fn machine_of(db: &dyn Db, file: SourceFile, name: Option<Arc<str>>) -> Option<Machine> {
    automaton(db, Format { file, name }).map(Machine)
}
