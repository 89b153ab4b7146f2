//! The keys that no conjoined schema names: which kinds there are, by `patternProperties` and `propertyNames`.

use std::rc::Rc;

use ogc_regular::{Dfa, LabelledState, budget, product_labels};
use rustc_hash::FxHashMap;

use super::object_draft::ObjectDraft;
use crate::algebra::Algebra;
use crate::error::SchemaError;
use crate::leaf::Text;
use crate::shape::{Rest, RestKeys};
use crate::source::NodeId;
use crate::value::{Lit, ValueId};

/// Holds the keywords of one conjoined schema that speak of unnamed keys.
struct RestKeywords {
    /// Pattern (by position in the product's inputs) and schema.
    patterns: Vec<(u32, Lit)>,
    additional: Option<Lit>,
}

impl<'t> Algebra<'t> {
    /// The kinds of unnamed keys of a conjunction.
    pub(crate) fn rest(&mut self, draft: &ObjectDraft<'t>) -> Result<Rest, SchemaError> {
        let mut inputs: Vec<Text> = Vec::new();
        let mut groups = Vec::with_capacity(draft.groups.len());
        for &node in &draft.groups {
            groups.push(self.group(node, &mut inputs)?);
        }
        let patterns = inputs.len() as u32;
        for &names in &draft.names {
            let value = self.value(&[Lit::yes(names)]);
            inputs.extend(self.string_language(value, names)?);
        }
        if inputs.is_empty() {
            let all: Vec<Lit> = groups.iter().filter_map(|group| group.additional).collect();
            return Ok(Rest { classes: vec![self.value(&all)], keys: None });
        }
        self.classes(draft, &groups, &inputs, patterns)
    }

    fn group(&mut self, node: NodeId, inputs: &mut Vec<Text>) -> Result<RestKeywords, SchemaError> {
        let table = self.table;
        let mut group = RestKeywords { patterns: Vec::new(), additional: None };
        let Some(keywords) = table.keywords(node) else { return Ok(group) };
        group.additional = keywords.object.additional_properties.as_ref().map(|additional| Lit::yes(additional.value));
        for (pattern, schema) in &keywords.object.pattern_properties {
            let dfa = self.pattern(pattern)?;
            let at = inputs.iter().position(|known| known.address() == dfa.address()).unwrap_or_else(|| {
                inputs.push(dfa);
                inputs.len() - 1
            });
            group.patterns.push((at as u32, Lit::yes(*schema)));
        }
        Ok(group)
    }

    fn classes(
        &mut self,
        draft: &ObjectDraft<'t>,
        groups: &[RestKeywords],
        inputs: &[Text],
        patterns: u32,
    ) -> Result<Rest, SchemaError> {
        let origin = draft
            .groups
            .iter()
            .chain(&draft.names)
            .next()
            .map_or_else(Default::default, |&node| self.table.node(node).origin);
        let parts: Vec<&Dfa> = inputs.iter().map(|input| &**input).collect();
        let labelled =
            product_labels(&parts, self.limits.regular.states).map_err(|error| SchemaError::new(origin, error))?;
        let bytes = |state: &LabelledState| 48 + size_of_val(state.edges.as_slice());
        budget::keep(labelled.states.iter().map(bytes).sum()).map_err(|error| SchemaError::new(origin, error))?;
        let mut known: FxHashMap<ValueId, u32> = FxHashMap::default();
        let mut classes = Vec::new();
        let mut class = Vec::with_capacity(labelled.states.len());
        for state in &labelled.states {
            let named =
                state.labels.iter().filter(|&&label| label >= patterns).count() == inputs.len() - patterns as usize;
            let value = if state.complete && named { self.class(groups, &state.labels) } else { ValueId::NONE };
            class.push((value != ValueId::NONE).then(|| {
                *known.entry(value).or_insert_with(|| {
                    classes.push(value);
                    classes.len() as u32 - 1
                })
            }));
        }
        let edges = labelled.states.into_iter().map(|state| state.edges).collect();
        Ok(Rest { classes, keys: Some(Rc::new(RestKeys { edges, class })) })
    }

    /// The value of the keys that match exactly the patterns in `labels`.
    fn class(&mut self, groups: &[RestKeywords], labels: &[u32]) -> ValueId {
        let mut literals = Vec::new();
        for group in groups {
            let before = literals.len();
            let matched = group.patterns.iter().filter(|(pattern, _)| labels.contains(pattern));
            literals.extend(matched.map(|(_, literal)| *literal));
            let matches_any = literals.len() > before;
            literals.extend(group.additional.filter(|_| !matches_any));
        }
        self.value(&literals)
    }
}
