//! Rewrites conditions on keys by patterns, and on the number of keys, as formulas over the keys of one object.
//!
//! All undeclared keys together are one variable: whether there are any. So a formula can constrain them only if it
//! treats them alike: it forbids all of them, or none. In an object without undeclared keys, all formulas can be
//! written.

use std::rc::Rc;

use ogc_regular::{Dfa, budget, union_all};
use rustc_hash::FxHashMap;

use crate::algebra::Algebra;
use crate::atom::TypeSet;
use crate::error::SchemaError;
use crate::key_formula::{KeyFormula, Part};
use crate::shape::Rest;
use crate::source::{NodeId, Origin};
use crate::value::{Lit, ValueId};

/// The keys that an object may have.
struct Keys<'k, 't> {
    named: &'k [&'t str],
    rest: &'k Rest,
    /// The languages of the classes of undeclared keys that may be present; computed on first use.
    unnamed: Option<Vec<Dfa>>,
    origin: Origin,
}

impl<'t> Keys<'_, 't> {
    /// The formula that there are no undeclared keys.
    fn no_others(&self) -> KeyFormula<'t> {
        KeyFormula::Only(self.named.to_vec())
    }

    /// The languages of the classes of undeclared keys that may be present.
    fn unnamed(&mut self, states: usize) -> Result<&[Dfa], SchemaError> {
        if self.unnamed.is_none() {
            let named = Dfa::finite(self.named.iter().copied());
            let classes = &self.rest.classes;
            let mut unnamed = Vec::new();
            for class in (0..classes.len()).filter(|&class| classes[class] != ValueId::NONE) {
                let keys = self.rest.keys_of(class).difference(&named, states);
                unnamed.push(keys.map_err(|error| SchemaError::new(self.origin, error))?);
            }
            unnamed.retain(|keys| !keys.is_empty());
            self.unnamed = Some(unnamed);
        }
        Ok(self.unnamed.as_deref().unwrap_or_default())
    }
}

/// The undeclared keys that are in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    None,
    Some,
    All,
}

impl<'t> Algebra<'t> {
    /// Rewrites formulas over the named keys of an object and its undeclared keys; also returns whether there can be
    /// undeclared keys.
    pub(super) fn over_keys(
        &mut self,
        formulas: &[Part<'t>],
        named: &[&'t str],
        rest: &Rest,
        origin: Origin,
    ) -> Result<(Vec<Part<'t>>, bool), SchemaError> {
        let mut keys = Keys { named, rest, unnamed: None, origin };
        let mut known = FxHashMap::default();
        let made: Result<_, _> = formulas.iter().map(|formula| self.over(formula, &mut keys, &mut known)).collect();
        Ok((made?, keys.unnamed.map_or(!rest.is_closed(), |unnamed| !unnamed.is_empty())))
    }

    fn over(
        &mut self,
        formula: &Part<'t>,
        keys: &mut Keys<'_, 't>,
        known: &mut FxHashMap<*const KeyFormula<'t>, Part<'t>>,
    ) -> Result<Part<'t>, SchemaError> {
        let address = std::ptr::from_ref(&**formula);
        if let Some(known) = known.get(&address) {
            return Ok(known.clone());
        }
        let mut all = |parts: &[Part<'t>]| -> Result<Vec<Part<'t>>, SchemaError> {
            parts.iter().map(|part| self.over(part, keys, known)).collect()
        };
        let made = match &**formula {
            KeyFormula::Not(part) => KeyFormula::Not(self.over(part, keys, known)?),
            KeyFormula::All(parts) => KeyFormula::All(all(parts)?),
            KeyFormula::Any(parts) => KeyFormula::Any(all(parts)?),
            KeyFormula::One(parts) => KeyFormula::One(all(parts)?),
            KeyFormula::Count(min, max) => self.count_over(*min, *max, keys)?,
            KeyFormula::Pattern(node, at) => self.pattern_over(*node, *at, keys)?,
            KeyFormula::Additional(node) => self.additional_over(*node, keys)?,
            KeyFormula::Names(names) => self.names_over(*names, keys)?,
            KeyFormula::Known(_)
            | KeyFormula::Declares(_)
            | KeyFormula::Present(_)
            | KeyFormula::Value(..)
            | KeyFormula::Only(_) => return Ok(formula.clone()),
        };
        let made = Rc::new(made);
        known.insert(address, made.clone());
        Ok(made)
    }

    /// Rewrites one entry of `patternProperties`: each matching key is treated as a property with its schema.
    fn pattern_over(
        &mut self,
        node: NodeId,
        at: usize,
        keys: &mut Keys<'_, 't>,
    ) -> Result<KeyFormula<'t>, SchemaError> {
        let table = self.table;
        let found = table.keywords(node).and_then(|keywords| keywords.object.pattern_properties.get(at));
        let Some((pattern, schema)) = found else { return Ok(KeyFormula::Known(true)) };
        let language = self.pattern(pattern)?;
        self.of_keys(*schema, keys, &language)
    }

    /// Rewrites `additionalProperties`: each key that is not named and matches no pattern is treated as a property with
    /// its schema.
    fn additional_over(&mut self, node: NodeId, keys: &mut Keys<'_, 't>) -> Result<KeyFormula<'t>, SchemaError> {
        let table = self.table;
        let Some(object) = table.keywords(node).map(|keywords| &keywords.object) else {
            return Ok(KeyFormula::Known(true));
        };
        let Some(additional) = &object.additional_properties else { return Ok(KeyFormula::Known(true)) };
        let mut patterns = vec![Dfa::finite(object.properties.iter().map(|(key, _)| key.as_str()))];
        for (pattern, _) in &object.pattern_properties {
            patterns.push((*self.pattern(pattern)?).clone());
        }
        let limit = self.limits.regular.states;
        let parts: Vec<&Dfa> = patterns.iter().collect();
        let others = union_all(&parts, limit).and_then(|spoken| Dfa::any_text().difference(&spoken, limit));
        let others = others.map_err(|error| SchemaError::new(keys.origin, error))?;
        self.of_keys(additional.value, keys, &others)
    }

    /// The formula that all keys in a language are absent, or have values that satisfy a schema.
    fn of_keys(
        &mut self,
        schema: NodeId,
        keys: &mut Keys<'_, 't>,
        language: &Dfa,
    ) -> Result<KeyFormula<'t>, SchemaError> {
        budget::work(keys.named.len()).map_err(|error| SchemaError::new(keys.origin, error))?;
        let matching = keys.named.iter().filter(|key| language.contains(key.as_bytes()));
        let mut parts: Vec<Part<'t>> = matching.filter_map(|key| self.formula_of_property(key, schema)).collect();
        let summary = self.table.summary(schema);
        match self.inside(keys, language)? {
            Inside::None => {}
            _ if summary.free == TypeSet::ALL => {}
            Inside::All if summary.may.is_empty() => parts.push(Rc::new(keys.no_others())),
            Inside::Some | Inside::All => return Err(self.unlike(schema)),
        }
        Ok(KeyFormula::All(parts))
    }

    /// Rewrites `propertyNames`: the keys that it rejects are absent.
    fn names_over(&mut self, names: NodeId, keys: &mut Keys<'_, 't>) -> Result<KeyFormula<'t>, SchemaError> {
        let value = self.value(&[Lit::yes(names)]);
        let Some(language) = self.string_language(value, names)? else { return Ok(KeyFormula::Known(true)) };
        let wrong = keys.named.iter().filter(|key| !language.contains(key.as_bytes()));
        let absent = |key: &&'t str| Rc::new(KeyFormula::Not(Rc::new(KeyFormula::Present(key))));
        let mut parts: Vec<Part<'t>> = wrong.map(absent).collect();
        match self.inside(keys, &language)? {
            Inside::All => {}
            Inside::None if keys.unnamed(self.limits.regular.states)?.is_empty() => {}
            Inside::None => parts.push(Rc::new(keys.no_others())),
            Inside::Some => return Err(self.unlike(names)),
        }
        Ok(KeyFormula::All(parts))
    }

    /// The error of a schema that treats undeclared keys differently.
    fn unlike(&self, schema: NodeId) -> SchemaError {
        let what = "kinds of undeclared keys in conditions on keys";
        SchemaError::limit(self.table.node(schema).origin, what, 2, 1)
    }

    /// Rewrites a count of members: as a count of declared keys, or as whether there are any members.
    fn count_over(&self, min: u64, max: Option<u64>, keys: &mut Keys<'_, 't>) -> Result<KeyFormula<'t>, SchemaError> {
        let is_closed = keys.unnamed(self.limits.regular.states)?.is_empty();
        match (min, max) {
            _ if is_closed => Ok(KeyFormula::Count(min, max)),
            (0, None) => Ok(KeyFormula::Known(true)),
            (1, None) => Ok(KeyFormula::Not(Rc::new(KeyFormula::Only(Vec::new())))),
            (0, Some(0)) => Ok(KeyFormula::Only(Vec::new())),
            (_, Some(max)) if max < min => Ok(KeyFormula::Known(false)),
            _ => Err(SchemaError::limit(keys.origin, "counts of undeclared members beside conditions on keys", 1, 0)),
        }
    }

    /// Returns which of the undeclared keys are in a language.
    fn inside(&self, keys: &mut Keys<'_, 't>, language: &Dfa) -> Result<Inside, SchemaError> {
        let unnamed = keys.unnamed(self.limits.regular.states)?;
        Ok(if unnamed.iter().all(|class| class.is_disjoint(language)) {
            Inside::None
        } else if unnamed.iter().all(|class| class.is_subset(language)) {
            Inside::All
        } else {
            Inside::Some
        })
    }
}
