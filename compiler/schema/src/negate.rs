//! Complements: a schema fails if one of its keywords fails.

use crate::algebra::Algebra;
use crate::atom::{Atom, Keyword, Type};
use crate::error::SchemaError;
use crate::source::{ArrayKeywords, At, Keywords, NodeId, ObjectKeywords};
use crate::table::{has_combinators, has_number, value_type};
use crate::terms::Alternative;
use crate::value::Lit;

/// Cap on the alternatives of a negated `oneOf`: each pair is a way to fail it.
const NEGATED: usize = 64;

impl Algebra<'_> {
    /// The ways in which a value of type `ty` can fail a node that admits such values.
    pub(crate) fn failures(
        &mut self,
        ty: Type,
        node: NodeId,
        keywords: &Keywords,
    ) -> Result<Vec<Alternative>, SchemaError> {
        let mut ways = Vec::new();
        for (list, values) in (0u32..).zip(&keywords.one_of_values) {
            match ty {
                Type::Array | Type::Object => {
                    let same = (0u32..).zip(&values.value).filter(|(_, value)| value_type(value) == ty);
                    let nodes = same.filter_map(|(at, _)| self.table.listed(node, list, at));
                    ways.push(Alternative::of(nodes.map(Lit::no)));
                }
                Type::Null | Type::Bool | Type::Number | Type::String => {
                    ways.push(Alternative::atom(Atom::Unlisted(node, list)))
                }
            }
        }
        let parts = keywords.reference.iter().map(|reference| &reference.value).chain(&keywords.all_of);
        let (excluded, kept): (Vec<NodeId>, Vec<NodeId>) = parts.clone().partition(|&&part| self.only_excludes(part));
        let is_difference = kept.len() == 1 && !excluded.is_empty();
        for &part in parts {
            match self.plain_failures(ty, part).filter(|_| is_difference) {
                Some(each) => ways.extend(each),
                None => ways.push(Alternative::of([Lit::no(part)])),
            }
        }
        ways.extend(keywords.any_of.iter().map(|any| Alternative::of(any.value.iter().map(|&arm| Lit::no(arm)))));
        for one in &keywords.one_of {
            self.not_exactly_one(ty, one, &mut ways)?;
        }
        ways.extend(keywords.not.iter().map(|not| Alternative::of([Lit::yes(not.value)])));
        if let Some(conditional) = &keywords.conditional {
            let condition = conditional.value.condition;
            ways.extend(conditional.value.then.map(|then| Alternative::of([Lit::yes(condition), Lit::no(then)])));
            ways.extend(conditional.value.otherwise.map(|other| Alternative::of([Lit::no(condition), Lit::no(other)])));
        }
        base(ty, node, keywords, &mut ways);
        ways.retain(|way| !way.literals.iter().any(|&literal| self.status(ty, literal) == Some(false)));
        Ok(ways)
    }

    /// Whether the node consists of a `not` alone.
    fn only_excludes(&self, node: NodeId) -> bool {
        let Some(keywords) = self.table.keywords(node) else { return false };
        keywords.not.is_some() && *keywords == Keywords { not: keywords.not.clone(), ..Keywords::default() }
    }

    /// The ways to fail a part of a difference one by one, if the part has only conditions on objects: known facts
    /// about keys then decide each way, as they do for a single schema. If there are several parts, each stays whole,
    /// so that the choice for one is remembered.
    fn plain_failures(&self, ty: Type, part: NodeId) -> Option<Vec<Alternative>> {
        let node = self.table.summary(part).alias.unwrap_or(part);
        let keywords = self.table.keywords(node)?;
        if ty != Type::Object || has_combinators(keywords) || self.status(ty, Lit::no(node)).is_some() {
            return None;
        }
        let mut ways = Vec::new();
        base(ty, node, keywords, &mut ways);
        Some(ways)
    }

    /// The ways to fail a `oneOf`: no arm holds, or two arms hold.
    fn not_exactly_one(
        &mut self,
        ty: Type,
        one: &At<Vec<NodeId>>,
        ways: &mut Vec<Alternative>,
    ) -> Result<(), SchemaError> {
        ways.push(Alternative::of(one.value.iter().map(|&arm| Lit::no(arm))));
        SchemaError::check(one.origin, "alternatives of a `oneOf` that is negated", one.value.len(), NEGATED)?;
        for (at, &left) in one.value.iter().enumerate() {
            for &right in one.value.iter().skip(at + 1) {
                if self.overlap(left, right).has(ty) {
                    ways.push(Alternative::of([Lit::yes(left), Lit::yes(right)]));
                }
            }
        }
        Ok(())
    }
}

/// The ways to fail the type's own keywords.
fn base(ty: Type, node: NodeId, keywords: &Keywords, ways: &mut Vec<Alternative>) {
    let mut fails = |keyword| ways.push(Alternative::atom(Atom::Fails(node, keyword)));
    match ty {
        Type::Null | Type::Bool => {}
        Type::Number if has_number(keywords) => fails(Keyword::Number),
        Type::Number => {}
        Type::String => {
            let string = &keywords.string;
            string.min_length.iter().for_each(|_| fails(Keyword::MinLength));
            string.max_length.iter().for_each(|_| fails(Keyword::MaxLength));
            (0u32..).zip(&string.patterns).for_each(|(at, _)| fails(Keyword::Pattern(at)));
            (0u32..).zip(&string.formats).for_each(|(at, _)| fails(Keyword::Format(at)));
        }
        Type::Array => array(&keywords.array, fails),
        Type::Object => object(node, &keywords.object, ways),
    }
}

fn array(array: &ArrayKeywords, mut fails: impl FnMut(Keyword)) {
    array.min_items.iter().for_each(|_| fails(Keyword::MinItems));
    array.max_items.iter().for_each(|_| fails(Keyword::MaxItems));
    (0u32..).zip(&array.prefix_items).for_each(|(at, _)| fails(Keyword::Prefix(at)));
    array.items.iter().for_each(|_| fails(Keyword::Items));
    array.unique_items.iter().for_each(|_| fails(Keyword::Unique));
    if array.contains.is_some() {
        fails(Keyword::FewContained);
        array.max_contains.iter().for_each(|_| fails(Keyword::ManyContained));
    }
}

fn object(node: NodeId, object: &ObjectKeywords, ways: &mut Vec<Alternative>) {
    let mut fails = |keyword| ways.push(Alternative::atom(Atom::Fails(node, keyword)));
    (0u32..).zip(&object.required).for_each(|(at, _)| fails(Keyword::Required(at)));
    (0u32..).zip(&object.properties).for_each(|(at, _)| fails(Keyword::Property(at)));
    (0u32..).zip(&object.pattern_properties).for_each(|(at, _)| fails(Keyword::PatternProperty(at)));
    object.additional_properties.iter().for_each(|_| fails(Keyword::Additional));
    object.property_names.iter().for_each(|_| fails(Keyword::Names));
    object.min_properties.iter().for_each(|_| fails(Keyword::MinProperties));
    object.max_properties.iter().for_each(|_| fails(Keyword::MaxProperties));
    for (at, (_, required)) in (0u32..).zip(&object.dependent_required) {
        let each = (0..required.len() as u32).map(|which| Alternative::atom(Atom::ListFails(node, at, which)));
        ways.extend(each);
    }
    for (at, (_, schema)) in (0u32..).zip(&object.dependent_schemas) {
        ways.push(Alternative { literals: vec![Lit::no(*schema)], atoms: vec![Atom::SchemaPresent(node, at)] });
    }
}
