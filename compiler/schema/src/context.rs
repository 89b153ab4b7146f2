//! Decides choices before they are split, by the keys that the conjunction under construction already requires or
//! excludes.
//!
//! Arms of a `oneOf` that are not proved disjoint exclude each other keyword by keyword. Without regard to the keys,
//! each arm would multiply the alternatives of the others.

use rustc_hash::FxHashMap;

use crate::algebra::Algebra;
use crate::atom::{Atom, Keyword};
use crate::source::{NodeId, ObjectKeywords};
use crate::terms::Alternative;
use crate::value::{Lit, ValueId};

/// Depth to which values are searched for an empty one.
const FUEL: usize = 3;

/// Holds the conditions on one key.
#[derive(Clone, Debug, Default)]
struct KeyFacts {
    present: bool,
    absent: bool,
    literals: Vec<Lit>,
}

/// Holds the conditions on all keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context<'t> {
    facts: FxHashMap<&'t str, KeyFacts>,
    /// Schemas that allow only the keys that they declare.
    closed: Vec<&'t ObjectKeywords>,
}

impl<'t> Context<'t> {
    fn fact(&self, key: &str) -> KeyFacts {
        let mut fact = self.facts.get(key).cloned().unwrap_or_default();
        fact.absent |= self.closed.iter().any(|object| !object.properties.iter().any(|(name, _)| name == key));
        fact
    }

    fn at(&mut self, key: &'t str) -> &mut KeyFacts {
        self.facts.entry(key).or_default()
    }
}

impl<'t> Algebra<'t> {
    /// Collects the conditions on keys in some atoms of objects, though not all: patterns and schemas of
    /// `additionalProperties` are left out.
    pub(crate) fn context(&self, atoms: &[Atom]) -> Context<'t> {
        let mut context = Context::default();
        for &atom in atoms {
            if let Some(object) = self.object(atom.node()) {
                self.learn(atom, object, &mut context);
            }
        }
        context
    }

    fn object(&self, node: NodeId) -> Option<&'t ObjectKeywords> {
        self.table.keywords(node).map(|keywords| &keywords.object)
    }

    fn learn(&self, atom: Atom, object: &'t ObjectKeywords, context: &mut Context<'t>) {
        match atom {
            Atom::Base(_) => {
                object.required.iter().for_each(|key| context.at(&key.value).present = true);
                object.properties.iter().for_each(|(key, node)| context.at(key).literals.push(Lit::yes(*node)));
                let none = object
                    .additional_properties
                    .as_ref()
                    .is_some_and(|node| self.table.summary(node.value).may.is_empty());
                if none && object.pattern_properties.is_empty() {
                    context.closed.push(object);
                }
            }
            Atom::Fails(_, Keyword::Required(at)) => {
                object.required.get(at as usize).into_iter().for_each(|key| context.at(&key.value).absent = true);
            }
            Atom::Fails(_, Keyword::Property(at)) => {
                if let Some((key, node)) = object.properties.get(at as usize) {
                    let fact = context.at(key);
                    fact.present = true;
                    fact.literals.push(Lit::no(*node));
                }
            }
            Atom::Without(_, at) => {
                object.properties.get(at as usize).into_iter().for_each(|(key, _)| context.at(key).absent = true);
            }
            _ => {}
        }
    }

    /// Whether an alternative holds (or fails) whatever else is chosen; `None` if that depends on other choices.
    pub(crate) fn decide(&mut self, alternative: &Alternative, context: &Context<'t>) -> Option<bool> {
        if let ([], [Atom::Fails(node, keyword)]) = (alternative.literals.as_slice(), alternative.atoms.as_slice()) {
            return self.decide_failure(*node, *keyword, context);
        }
        let refuted =
            alternative.literals.iter().any(|literal| !literal.negated() && self.refuted(literal.node(), context));
        refuted.then_some(false)
    }

    fn decide_failure(&mut self, node: NodeId, keyword: Keyword, context: &Context<'t>) -> Option<bool> {
        let object = self.object(node)?;
        match keyword {
            Keyword::Required(at) => {
                let fact = context.fact(&object.required.get(at as usize)?.value);
                (fact.present || fact.absent).then_some(fact.absent)
            }
            Keyword::Property(at) => {
                let (key, schema) = object.properties.get(at as usize)?;
                let fact = context.fact(key);
                if fact.absent || self.hollow_with(&fact, Lit::no(*schema)) {
                    return Some(false);
                }
                (fact.present && self.hollow_with(&fact, Lit::yes(*schema))).then_some(true)
            }
            _ => None,
        }
    }

    /// Returns the atom "the key is absent" if the property certainly fails wherever its key is present. This
    /// alternative then covers all values with the key, so the others may assume that the key is absent.
    pub(crate) fn fails_if_present(&mut self, alternative: &Alternative, context: &Context<'t>) -> Option<Atom> {
        let ([], [Atom::Fails(node, Keyword::Property(at))]) =
            (alternative.literals.as_slice(), alternative.atoms.as_slice())
        else {
            return None;
        };
        let (key, schema) = self.object(*node)?.properties.get(*at as usize)?;
        let fact = context.fact(key);
        let certain = !fact.present && !fact.literals.is_empty() && self.hollow_with(&fact, Lit::yes(*schema));
        certain.then_some(Atom::Without(*node, *at))
    }

    /// Whether a node's own keys contradict the known facts.
    fn refuted(&mut self, node: NodeId, context: &Context<'t>) -> bool {
        let Some(object) = self.object(node) else { return false };
        if object.required.iter().any(|key| context.fact(&key.value).absent) {
            return true;
        }
        let table = self.table;
        let listed = |node: NodeId| match table.keywords(node) {
            Some(keywords) => !keywords.one_of_values.is_empty(),
            None => table.summary(node).may.is_empty(),
        };
        object.properties.iter().filter(|(_, node)| listed(*node)).any(|(key, node)| {
            let fact = context.fact(key);
            let present = fact.present || object.required.iter().any(|required| required.value == *key);
            present && !fact.literals.is_empty() && self.hollow_with(&fact, Lit::yes(*node))
        })
    }

    fn hollow_with(&mut self, fact: &KeyFacts, literal: Lit) -> bool {
        let literals: Vec<Lit> = fact.literals.iter().copied().chain([literal]).collect();
        let value = self.value(&literals);
        value == ValueId::NONE || self.surely_empty(value, FUEL)
    }
}
