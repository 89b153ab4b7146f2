//! Exports a conjunction of keywords as an expression.
//!
//! The order of the parts determines the order of keys. The algebra resolves references and `allOf` first, collects
//! choices on the way, and resolves these last, in the order in which it met them. So choices are written before
//! references and `allOf`.

use super::build::{difference, intersection, union, word};
use super::mask::Mask;
use super::printer::{Keys, NodeContext, Printer, has_neighbours};
use super::scalar;
use super::value::literal;
use ogc_grammar::ogc::ast::Expr;
use ogc_schema::source::{Keywords, NodeId, Value};
use std::rc::Rc;

/// The parts of a conjunction while it is built.
#[derive(Debug, Default)]
pub(super) struct ConjunctionParts {
    /// The node's own conditions, by type.
    pub(super) own: Vec<Expr>,
    /// Further conditions: choices, references, and everything else.
    pub(super) choices: Vec<Expr>,
    pub(super) units: Vec<Expr>,
    pub(super) last: Vec<Expr>,
    pub(super) removed: Vec<Expr>,
}

impl ConjunctionParts {
    /// Joins the parts; adds the types if no part restricts them.
    fn join(self, mask: Mask) -> Expr {
        let ConjunctionParts { own, mut choices, units, last, removed } = self;
        let mut all = own;
        all.append(&mut choices);
        all.extend(units);
        all.extend(last);
        let kept = if all.is_empty() { mask.expr() } else { intersection(all) };
        difference(kept, removed)
    }
}

impl<'g> Printer<'_, 'g> {
    pub(super) fn keywords(&mut self, keywords: &'g Keywords, place: &NodeContext<'g>) -> Expr {
        let types = keywords.types.as_ref().map_or(Mask::ALL, |types| Mask::of(&types.value));
        let mask = place.mask.and(types);
        if mask.is_empty() {
            return super::build::never();
        }
        let place = &NodeContext { mask, around: place.around.clone() };
        let mut parts = ConjunctionParts::default();
        self.lists(keywords, mask, &mut parts);
        self.own(keywords, place, &mut parts);
        let declared = self.declared_here(keywords, place);
        let inner = NodeContext { mask, around: declared };
        self.choices(keywords, &inner, &mut parts);
        self.dependencies(&keywords.object, &inner, &mut parts);
        self.units(keywords, place, &mut parts);
        if let Some(not) = &keywords.not {
            let removed = self.node(not.value, &NodeContext { mask, around: None });
            parts.removed.push(removed);
        }
        parts.join(mask)
    }

    /// Exports `enum`: its values of the types in `mask`.
    fn lists(&mut self, keywords: &Keywords, mask: Mask, parts: &mut ConjunctionParts) {
        for list in &keywords.one_of_values {
            let values: Vec<&Value> = list.value.iter().filter(|value| mask.holds(value)).collect();
            let both = values.contains(&&Value::Bool(true)) && values.contains(&&Value::Bool(false));
            let expr = union(values.iter().map(|value| literal(value)).collect());
            let deep = values.iter().any(|value| matches!(value, Value::Array(_) | Value::Object(_)));
            match (deep, values.len()) {
                (true, 1) => parts.last.push(expr),
                _ if both && values.len() == 2 => parts.choices.push(word("bool")),
                _ => parts.choices.push(expr),
            }
        }
    }

    /// Exports the node's own conditions on each type, if it has any.
    fn own(&mut self, keywords: &'g Keywords, place: &NodeContext<'g>, parts: &mut ConjunctionParts) {
        let mask = place.mask;
        let mut refined = Vec::new();
        let mut plain = mask;
        if keywords.number != Default::default() && mask.meets(Mask::NUMBER) {
            plain = plain.less(Mask::NUMBER);
            refined.push(scalar::number(&keywords.number, mask));
        }
        if keywords.array != Default::default() && mask.has(Mask::ARRAY) {
            plain = plain.less(Mask::ARRAY);
            refined.push(self.array(&keywords.array));
        }
        if mask.has(Mask::OBJECT)
            && let Some(object) = self.object(keywords, place, parts)
        {
            plain = plain.less(Mask::OBJECT);
            refined.push(object);
        }
        if keywords.string != Default::default() && mask.has(Mask::STRING) {
            plain = plain.less(Mask::STRING);
            refined.push(self.string(&keywords.string));
        }
        if !refined.is_empty() {
            let null = plain.and(Mask::NULL);
            let arms = plain.less(null).parts().into_iter().chain(refined).chain(null.parts());
            parts.own.push(union(arms.collect()));
        }
    }

    /// Returns the declared keys that parts of the node must consider; `None` if no other schema constrains the value.
    fn declared_here(&self, keywords: &'g Keywords, place: &NodeContext<'g>) -> Option<Keys<'g>> {
        if place.around.is_none() && !has_neighbours(keywords) {
            return None;
        }
        let mut keys = place.around.as_deref().cloned().unwrap_or_default();
        self.declared(keywords, &mut keys);
        Some(Rc::new(keys))
    }

    /// Exports `$ref` and `allOf`, each with the keys that the earlier parts declare.
    fn units(&mut self, keywords: &'g Keywords, place: &NodeContext<'g>, parts: &mut ConjunctionParts) {
        let is_alone = place.around.is_none() && !has_neighbours(keywords);
        let mut keys = place.around.as_deref().cloned().unwrap_or_default();
        keys.extend(keywords.object.properties.iter().map(|(key, _)| key.as_str()));
        let nodes = keywords.reference.iter().map(|target| target.value).chain(keywords.all_of.iter().copied());
        for node in nodes.collect::<Vec<NodeId>>() {
            let around = (!is_alone).then(|| Rc::new(keys.clone()));
            let unit = self.node(node, &NodeContext { mask: place.mask, around });
            parts.units.push(unit);
            self.declared_by(node, &mut keys);
        }
    }
}
