//! Choices about the keys of one object, as formulas over these keys: which keys are present, and which schemas their
//! values satisfy.
//!
//! `{"required": ["a"]}` is "a is present"; `{"properties": {"k": {"const": 1}}}` is "k is absent, or its value is 1".
//! Schemas that count members, or describe keys by patterns, become formulas only if [`Algebra::wide`] is set: the
//! possible keys are known only when the object is assembled (`assemble/conditions_keys.rs`).

use std::rc::Rc;

use crate::algebra::Algebra;
use crate::atom::{Atom, Keyword, Type, TypeSet};
use crate::key_formula::{KeyFormula, Part};
use crate::source::{At, Keywords, NodeId, NodeKind, ObjectKeywords};
use crate::terms::Alternative;
use crate::value::Lit;

/// Cap on the nesting of schemas for one object.
const DEPTH: usize = 32;

impl<'t> Algebra<'t> {
    /// The formula of a choice; `None` if an alternative constrains more than the presence of keys and their values.
    pub(crate) fn formula_of_choice(&mut self, choice: &[Alternative]) -> Option<Part<'t>> {
        let mut ways = Vec::with_capacity(choice.len());
        for alternative in choice {
            let mut parts = Vec::new();
            for &literal in &alternative.literals {
                parts.push(self.formula_of(literal, DEPTH)?);
            }
            for &atom in &alternative.atoms {
                parts.push(self.formula_of_atom(atom)?);
            }
            ways.push(Rc::new(KeyFormula::All(parts)));
        }
        Some(Rc::new(KeyFormula::Any(ways)))
    }

    /// The formula of a `oneOf`.
    pub(crate) fn formula_of_one(&mut self, arms: &[NodeId]) -> Option<Part<'t>> {
        Some(Rc::new(KeyFormula::One(self.formulas_of(arms, DEPTH)?)))
    }

    fn formula_of(&mut self, literal: Lit, fuel: usize) -> Option<Part<'t>> {
        if let Some(holds) = self.status(Type::Object, literal) {
            return Some(Rc::new(KeyFormula::Known(holds)));
        }
        let node = literal.node();
        let known = (node, self.wide);
        let formula = match self.formulas.get(&known) {
            Some(known) => known.clone(),
            None => {
                // `None` marks the node as under construction: a schema that leads back to itself has no formula.
                self.formulas.insert(known, None);
                let made = self.formula_of_node(node, fuel.checked_sub(1)?).map(Rc::new);
                self.formulas.insert(known, made.clone());
                made
            }
        }?;
        Some(if literal.negated() { Rc::new(KeyFormula::Not(formula)) } else { formula })
    }

    fn formula_of_node(&mut self, node: NodeId, fuel: usize) -> Option<KeyFormula<'t>> {
        let table = self.table;
        let keywords = table.keywords(node)?;
        if table.summary(node).cyclic || !keywords.one_of_values.is_empty() {
            return None;
        }
        let mut parts = self.formulas_of_object(node, &keywords.object, fuel)?;
        self.add_combinators(keywords, fuel, &mut parts)?;
        Some(KeyFormula::All(parts))
    }

    fn add_combinators(&mut self, keywords: &Keywords, fuel: usize, parts: &mut Vec<Part<'t>>) -> Option<()> {
        for part in keywords.reference.iter().map(|reference| reference.value).chain(keywords.all_of.iter().copied()) {
            parts.push(self.formula_of(Lit::yes(part), fuel)?);
        }
        for any in &keywords.any_of {
            parts.push(Rc::new(KeyFormula::Any(self.formulas_of(&any.value, fuel)?)));
        }
        for one in &keywords.one_of {
            parts.push(Rc::new(KeyFormula::One(self.formulas_of(&one.value, fuel)?)));
        }
        if let Some(not) = &keywords.not {
            parts.push(self.formula_of(Lit::no(not.value), fuel)?);
        }
        if let Some(conditional) = &keywords.conditional {
            let condition = conditional.value.condition;
            if let Some(then) = conditional.value.then {
                let ways = vec![self.formula_of(Lit::no(condition), fuel)?, self.formula_of(Lit::yes(then), fuel)?];
                parts.push(Rc::new(KeyFormula::Any(ways)));
            }
            if let Some(otherwise) = conditional.value.otherwise {
                let ways =
                    vec![self.formula_of(Lit::yes(condition), fuel)?, self.formula_of(Lit::yes(otherwise), fuel)?];
                parts.push(Rc::new(KeyFormula::Any(ways)));
            }
        }
        Some(())
    }

    fn formulas_of(&mut self, nodes: &[NodeId], fuel: usize) -> Option<Vec<Part<'t>>> {
        nodes.iter().map(|&node| self.formula_of(Lit::yes(node), fuel)).collect()
    }

    fn formulas_of_object(&mut self, node: NodeId, object: &'t ObjectKeywords, fuel: usize) -> Option<Vec<Part<'t>>> {
        let mut parts = self.formulas_of_all_keys(node, object)?;
        // If other keys have a schema, the set of declared keys matters.
        if object.properties.len() > 1 || object.properties.len() == 1 && object.additional_properties.is_some() {
            let keys = object.properties.iter().map(|(key, _)| key.as_str());
            parts.push(Rc::new(KeyFormula::Declares(keys.collect())));
        }
        for (key, schema) in &object.properties {
            parts.extend(self.formula_of_property(key, *schema));
        }
        parts.extend(object.required.iter().map(|key| Rc::new(KeyFormula::Present(&key.value))));
        for (key, required) in &object.dependent_required {
            let all = required.iter().map(|key| Rc::new(KeyFormula::Present(key))).collect();
            parts.push(implied(&key.value, Rc::new(KeyFormula::All(all))));
        }
        for (key, schema) in &object.dependent_schemas {
            let then = self.formula_of(Lit::yes(*schema), fuel)?;
            parts.push(implied(&key.value, then));
        }
        Some(parts)
    }

    /// The conditions of an object on keys that it does not name, and on the number of keys; `None` if formulas cannot
    /// express them.
    fn formulas_of_all_keys(&self, node: NodeId, object: &'t ObjectKeywords) -> Option<Vec<Part<'t>>> {
        let mut parts = Vec::new();
        let is_free = |schema: NodeId| self.table.summary(schema).free == TypeSet::ALL;
        for (at, (_, schema)) in object.pattern_properties.iter().enumerate() {
            if !is_free(*schema) {
                parts.push(KeyFormula::Pattern(node, at));
            }
        }
        if let Some(names) = object.property_names.as_ref().filter(|names| !is_free(names.value)) {
            parts.push(KeyFormula::Names(names.value));
        }
        if object.min_properties.is_some() || object.max_properties.is_some() {
            let bound = |bound: &Option<At<u64>>| bound.as_ref().map(|bound| bound.value);
            parts.push(KeyFormula::Count(bound(&object.min_properties).unwrap_or(0), bound(&object.max_properties)));
        }
        if !parts.is_empty() && !self.wide {
            return None;
        }
        if let Some(additional) = &object.additional_properties {
            parts.extend(self.formula_of_others(node, object, additional.value)?);
        }
        Some(parts.into_iter().map(Rc::new).collect())
    }

    /// The key is absent, or its value satisfies the schema; `None` if that always holds.
    pub(crate) fn formula_of_property(&self, key: &'t str, schema: NodeId) -> Option<Part<'t>> {
        let schema = self.table.summary(schema).alias.unwrap_or(schema);
        let absent = || not(Rc::new(KeyFormula::Present(key)));
        match (&self.table.node(schema).kind, self.table.summary(schema)) {
            (NodeKind::Bool(true), _) => None,
            (NodeKind::Bool(false), _) => Some(absent()),
            (_, summary) if summary.free == TypeSet::ALL => None,
            (_, summary) if summary.may.is_empty() => Some(absent()),
            _ => Some(implied(key, Rc::new(KeyFormula::Value(key, schema)))),
        }
    }

    /// The formula of `additionalProperties`: no other keys, or no condition; `None` if it gives other keys a schema.
    #[allow(clippy::option_option, reason = "nothing and no formula are told apart")]
    fn formula_of_others(
        &self,
        node: NodeId,
        object: &'t ObjectKeywords,
        schema: NodeId,
    ) -> Option<Option<KeyFormula<'t>>> {
        let summary = self.table.summary(schema);
        if summary.free == TypeSet::ALL {
            return Some(None);
        }
        if summary.may.is_empty() && object.pattern_properties.is_empty() {
            return Some(Some(KeyFormula::Only(object.properties.iter().map(|(key, _)| key.as_str()).collect())));
        }
        self.wide.then_some(Some(KeyFormula::Additional(node)))
    }

    fn formula_of_atom(&mut self, atom: Atom) -> Option<Part<'t>> {
        let table = self.table;
        let object = &table.keywords(atom.node())?.object;
        let list = |at: u32| object.dependent_required.get(at as usize);
        let present = |key: &'t str| Rc::new(KeyFormula::Present(key));
        Some(match atom {
            Atom::Base(_) => {
                let plain = object.dependent_required.is_empty() && object.dependent_schemas.is_empty();
                Rc::new(KeyFormula::All(self.formulas_of_object(atom.node(), object, 1).filter(|_| plain)?))
            }
            Atom::Fails(_, Keyword::Required(at)) => not(present(&object.required.get(at as usize)?.value)),
            Atom::Fails(_, Keyword::Property(at)) => {
                let (key, schema) = object.properties.get(at as usize)?;
                not(self.formula_of_property(key, *schema).unwrap_or_else(|| Rc::new(KeyFormula::Known(true))))
            }
            Atom::Fails(node, Keyword::Additional) => {
                let only = self.formula_of_others(node, object, object.additional_properties.as_ref()?.value)?;
                let declared = object.properties.iter().map(|(key, _)| key.as_str()).collect();
                let fails = not(Rc::new(only.unwrap_or(KeyFormula::Known(true))));
                Rc::new(KeyFormula::All(vec![Rc::new(KeyFormula::Declares(declared)), fails]))
            }
            Atom::Fails(node, Keyword::PatternProperty(at)) if self.wide => {
                not(Rc::new(KeyFormula::Pattern(node, at as usize)))
            }
            Atom::Fails(_, Keyword::Names) if self.wide => {
                not(Rc::new(KeyFormula::Names(object.property_names.as_ref()?.value)))
            }
            Atom::Fails(_, Keyword::MinProperties) if self.wide => {
                not(Rc::new(KeyFormula::Count(object.min_properties.as_ref()?.value, None)))
            }
            Atom::Fails(_, Keyword::MaxProperties) if self.wide => {
                not(Rc::new(KeyFormula::Count(0, Some(object.max_properties.as_ref()?.value))))
            }
            Atom::Without(_, at) => not(present(&object.properties.get(at as usize)?.0)),
            Atom::ListAbsent(_, at) => not(present(&list(at)?.0.value)),
            Atom::ListPresent(_, at) => {
                let (key, required) = list(at)?;
                Rc::new(KeyFormula::All([&key.value].into_iter().chain(required).map(|key| present(key)).collect()))
            }
            Atom::ListFails(_, at, which) => {
                let (key, required) = list(at)?;
                let parts = vec![present(&key.value), not(present(required.get(which as usize)?))];
                Rc::new(KeyFormula::All(parts))
            }
            Atom::SchemaAbsent(_, at) => not(present(&object.dependent_schemas.get(at as usize)?.0.value)),
            Atom::SchemaPresent(_, at) => present(&object.dependent_schemas.get(at as usize)?.0.value),
            Atom::Fails(..) | Atom::Listed(..) | Atom::Unlisted(..) | Atom::Kept(..) => return None,
        })
    }
}

fn not(formula: Part<'_>) -> Part<'_> {
    Rc::new(KeyFormula::Not(formula))
}

fn implied<'t>(key: &'t str, then: Part<'t>) -> Part<'t> {
    Rc::new(KeyFormula::Any(vec![not(Rc::new(KeyFormula::Present(key))), then]))
}
