//! The keys that no conjoined schema names, and their classes by `patternProperties` and `propertyNames`.

use std::ops::Range;
use std::rc::Rc;

use ogc_regular::{Dfa, LabelledState, budget, product_labels};
use rustc_hash::FxHashMap;

use super::object_draft::{ExceptionDemand, ObjectDraft};
use crate::algebra::Algebra;
use crate::atom::Keyword;
use crate::error::SchemaError;
use crate::leaf::Text;
use crate::shape::{Rest, RestKeys};
use crate::source::NodeId;
use crate::value::{Lit, ValueId};

/// The keywords of one conjoined schema about unnamed keys.
struct RestKeywords {
    /// Pairs of a pattern (its position in the product's inputs) and a schema.
    patterns: Vec<(u32, Lit)>,
    additional: Option<Lit>,
}

/// The classes of unnamed keys, distinguished by the demands that they can meet.
#[derive(Clone, Debug)]
pub(crate) struct UnnamedKeys {
    pub(crate) rest: Rest,
    /// Per class: bit n is set if its keys can meet the n-th demand.
    pub(crate) meets: Vec<u32>,
}

/// The keys that can meet a demand, described by the languages of the product that contain them.
#[derive(Clone, Debug)]
enum MeetingKeys {
    Inside(u32),
    Outside(Vec<u32>),
    None,
}

impl MeetingKeys {
    fn has(&self, labels: &[u32]) -> bool {
        match self {
            Self::Inside(input) => labels.contains(input),
            Self::Outside(inputs) => !inputs.iter().any(|input| labels.contains(input)),
            Self::None => false,
        }
    }
}

/// The languages by which keys are distinguished.
#[derive(Debug, Default)]
struct KeyLanguages {
    inputs: Vec<Text>,
    /// The languages of `propertyNames`; a key must be in all of them.
    names: Range<u32>,
    demands: Vec<MeetingKeys>,
}

impl KeyLanguages {
    /// Returns the number of a language.
    fn number(&mut self, language: Text) -> u32 {
        let known = self.inputs.iter().position(|known| known.address() == language.address());
        known.unwrap_or_else(|| {
            self.inputs.push(language);
            self.inputs.len() - 1
        }) as u32
    }
}

impl<'t> Algebra<'t> {
    /// The classes of unnamed keys of a conjunction.
    pub(crate) fn rest(&mut self, draft: &ObjectDraft<'t>) -> Result<Rest, SchemaError> {
        Ok(self.unnamed_keys(draft, &[])?.rest)
    }

    /// The classes of unnamed keys of a conjunction, distinguished by the demands that they can meet.
    pub(crate) fn unnamed_keys(
        &mut self,
        draft: &ObjectDraft<'t>,
        demands: &[ExceptionDemand],
    ) -> Result<UnnamedKeys, SchemaError> {
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
        let names = patterns..inputs.len() as u32;
        let mut languages = KeyLanguages { inputs, names, demands: Vec::new() };
        for demand in demands {
            let keys = self.meeting_keys(*demand, &mut languages)?;
            languages.demands.push(keys);
        }
        if languages.inputs.is_empty() {
            let all: Vec<Lit> = groups.iter().filter_map(|group| group.additional).collect();
            let meets = vec![meets(&languages.demands, &[])];
            return Ok(UnnamedKeys { rest: Rest { classes: vec![self.value(&all)], keys: None }, meets });
        }
        self.classes(draft, &groups, &languages)
    }

    fn meeting_keys(
        &mut self,
        demand: ExceptionDemand,
        languages: &mut KeyLanguages,
    ) -> Result<MeetingKeys, SchemaError> {
        let table = self.table;
        let Some(keywords) = table.keywords(demand.node) else { return Ok(MeetingKeys::None) };
        let object = &keywords.object;
        match demand.keyword {
            Keyword::PatternProperty(at) => match object.pattern_properties.get(at as usize) {
                Some((pattern, _)) => Ok(MeetingKeys::Inside(languages.number(self.pattern(pattern)?))),
                None => Ok(MeetingKeys::None),
            },
            Keyword::Additional => {
                let mut outside = Vec::new();
                for (pattern, _) in &object.pattern_properties {
                    outside.push(languages.number(self.pattern(pattern)?));
                }
                Ok(MeetingKeys::Outside(outside))
            }
            _ => {
                let Some(names) = &object.property_names else { return Ok(MeetingKeys::None) };
                let value = self.value(&[Lit::yes(names.value)]);
                let language = self.string_language(value, names.value)?;
                Ok(language.map_or(MeetingKeys::None, |keys| MeetingKeys::Outside(vec![languages.number(keys)])))
            }
        }
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
        languages: &KeyLanguages,
    ) -> Result<UnnamedKeys, SchemaError> {
        let origin = draft
            .groups
            .iter()
            .chain(&draft.names)
            .next()
            .map_or_else(Default::default, |&node| self.table.node(node).origin);
        let parts: Vec<&Dfa> = languages.inputs.iter().map(|input| &**input).collect();
        let labelled =
            product_labels(&parts, self.limits.regular.states).map_err(|error| SchemaError::new(origin, error))?;
        let bytes = |state: &LabelledState| 48 + size_of_val(state.edges.as_slice());
        budget::keep(labelled.states.iter().map(bytes).sum()).map_err(|error| SchemaError::new(origin, error))?;
        let mut known: FxHashMap<(ValueId, u32), u32> = FxHashMap::default();
        let (mut classes, mut class_meets) = (Vec::new(), Vec::new());
        let mut class = Vec::with_capacity(labelled.states.len());
        for state in &labelled.states {
            let named =
                state.labels.iter().filter(|label| languages.names.contains(label)).count() == languages.names.len();
            let value = if state.complete && named { self.class(groups, &state.labels) } else { ValueId::NONE };
            let meets = meets(&languages.demands, &state.labels);
            class.push((value != ValueId::NONE).then(|| {
                *known.entry((value, meets)).or_insert_with(|| {
                    classes.push(value);
                    class_meets.push(meets);
                    classes.len() as u32 - 1
                })
            }));
        }
        let edges = labelled.states.into_iter().map(|state| state.edges).collect();
        let rest = Rest { classes, keys: Some(Rc::new(RestKeys { edges, class })) };
        Ok(UnnamedKeys { rest, meets: class_meets })
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

/// Returns the demands, one bit each, that a key in these languages can meet.
fn meets(demands: &[MeetingKeys], labels: &[u32]) -> u32 {
    (0..).zip(demands).filter(|(_, keys)| keys.has(labels)).fold(0, |bits, (at, _)| bits | 1 << at)
}
