//! Negated `additionalProperties`, `patternProperties` and `propertyNames`, which demand that some key is an exception.
//!
//! Over the named keys this is a finite choice. Among unnamed keys it cannot be expressed; where none are possible, none
//! is needed.

use super::object_draft::{ExceptionDemand, ObjectDraft};
use crate::algebra::Algebra;
use crate::atom::Keyword;
use crate::error::{ALTERNATIVES, KeyCondition, SchemaError, SchemaErrorKind};
use crate::shape::Rest;
use crate::source::ObjectKeywords;
use crate::value::{Lit, ValueId};

/// Chooses the keys that break all such keywords: keys (by position) that must be present, with a literal that must hold besides.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExceptionChoice {
    pub(crate) keys: Vec<(usize, Option<Lit>)>,
    pub(crate) poison: Option<SchemaError>,
}

impl<'t> Algebra<'t> {
    /// All ways to have the exceptions of a draft.
    pub(crate) fn exceptions(
        &mut self,
        draft: &ObjectDraft<'t>,
        rest: &Rest,
    ) -> Result<Vec<ExceptionChoice>, SchemaError> {
        let mut ways = vec![ExceptionChoice::default()];
        for exists in &draft.exists {
            let table = self.table;
            let Some(keywords) = table.keywords(exists.node) else { continue };
            let single = self.single(draft, *exists, &keywords.object)?;
            let poison = self.unnamed(*exists, &keywords.object, rest);
            ways = ways.iter().flat_map(|way| extend(way, &single, poison.as_ref())).collect();
            let origin = self.table.node(exists.node).origin;
            SchemaError::check(origin, ALTERNATIVES, ways.len(), self.limits.arms)?;
        }
        Ok(ways)
    }

    /// The named keys that can be the exception, each with what must hold of it.
    fn single(
        &mut self,
        draft: &ObjectDraft<'t>,
        exists: ExceptionDemand,
        object: &'t ObjectKeywords,
    ) -> Result<Vec<(usize, Option<Lit>)>, SchemaError> {
        let mut found = Vec::new();
        match exists.keyword {
            Keyword::PatternProperty(at) => {
                let Some((pattern, schema)) = object.pattern_properties.get(at as usize) else { return Ok(found) };
                let dfa = self.pattern(pattern)?;
                let matching = draft.slots.keys().enumerate().filter(|(_, key)| dfa.contains(key.as_bytes()));
                found.extend(matching.map(|(at, _)| (at, Some(Lit::no(*schema)))));
            }
            Keyword::Additional => {
                let Some(additional) = &object.additional_properties else { return Ok(found) };
                let mut spoken = vec![false; draft.slots.len()];
                for (key, _) in &object.properties {
                    draft.slots.get_index_of(key.as_str()).into_iter().for_each(|at| spoken[at] = true);
                }
                for (pattern, _) in &object.pattern_properties {
                    let dfa = self.pattern(pattern)?;
                    let matching = draft.slots.keys().zip(&mut spoken).filter(|(key, _)| dfa.contains(key.as_bytes()));
                    matching.for_each(|(_, spoken)| *spoken = true);
                }
                let open = spoken.iter().enumerate().filter(|(_, spoken)| !**spoken);
                found.extend(open.map(|(at, _)| (at, Some(Lit::no(additional.value)))));
            }
            _ => {
                let Some(names) = &object.property_names else { return Ok(found) };
                let value = self.value(&[Lit::yes(names.value)]);
                if let Some(language) = self.string_language(value, names.value)? {
                    let outside = draft.slots.keys().enumerate().filter(|(_, key)| !language.contains(key.as_bytes()));
                    found.extend(outside.map(|(at, _)| (at, None)));
                }
            }
        }
        Ok(found)
    }

    /// Refuses a demand that an unnamed key could meet.
    fn unnamed(&mut self, exists: ExceptionDemand, object: &ObjectKeywords, rest: &Rest) -> Option<SchemaError> {
        if rest.classes.iter().all(|&class| class == ValueId::NONE) {
            return None;
        }
        let condition = match exists.keyword {
            Keyword::Additional => {
                let additional = object.additional_properties.as_ref()?;
                if self.value(&[Lit::no(additional.value)]) == ValueId::NONE {
                    return None;
                }
                KeyCondition::AdditionalProperties
            }
            Keyword::PatternProperty(_) => KeyCondition::PatternProperties,
            _ => KeyCondition::PropertyNames,
        };
        let origin = self.table.node(exists.node).origin;
        Some(SchemaError::new(origin, SchemaErrorKind::UnnamedKey { condition }))
    }
}

fn extend(
    way: &ExceptionChoice,
    single: &[(usize, Option<Lit>)],
    poison: Option<&SchemaError>,
) -> Vec<ExceptionChoice> {
    let with = |&key: &(usize, Option<Lit>)| {
        let mut next = way.clone();
        next.keys.push(key);
        next
    };
    let mut all: Vec<ExceptionChoice> = single.iter().map(with).collect();
    if let Some(poison) = poison {
        all.push(ExceptionChoice { poison: Some(poison.clone()), ..way.clone() });
    }
    all
}
