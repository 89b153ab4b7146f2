//! Exports `anyOf`, `oneOf` and `if`, and collects the keys that conjoined schemas declare.

use super::build::{difference, intersection, is_never, name, union, union_of};
use super::docs;
use super::mask::Mask;
use super::node::ConjunctionParts;
use super::printer::{NodeContext, Printer};
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{Alternative, Attribute, Expr, ExprKind};
use ogc_schema::source::{Conditional, Keywords, NodeId, NodeKind, Value};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

impl<'g> Printer<'_, 'g> {
    /// Builds the choices of a node. A choice with one alternative is none, and is handled with the references.
    pub(super) fn choices(&mut self, keywords: &'g Keywords, place: &NodeContext<'g>, parts: &mut ConjunctionParts) {
        let mut single = Vec::new();
        for any in &keywords.any_of {
            let arms = any.value.iter().map(|node| self.arm(*node, place)).collect();
            let target = if any.value.len() == 1 { &mut single } else { &mut parts.choices };
            target.push(union_of(arms));
        }
        for one in &keywords.one_of {
            let union = self.one_of(&one.value, place);
            let target = if one.value.len() == 1 { &mut single } else { &mut parts.choices };
            target.push(union);
        }
        if let Some(conditional) = &keywords.conditional {
            parts.choices.extend(self.conditional(conditional.value, place));
        }
        parts.units.extend(single.into_iter().rev());
    }

    /// Builds a branch with its docs.
    fn arm(&mut self, node: NodeId, place: &NodeContext<'g>) -> Alternative {
        let expr = self.node(node, place);
        self.said(node, expr)
    }

    /// Returns a branch with its docs; the docs of a named branch are at its definition.
    fn said(&self, node: NodeId, expr: Expr) -> Alternative {
        docs::branch(self.graph.docs(node).filter(|_| !self.is_named(node) && !is_never(&expr)), expr)
    }

    /// Builds `oneOf`: each branch without those other branches that are not proved disjoint from it.
    fn one_of(&mut self, nodes: &[NodeId], place: &NodeContext<'g>) -> Expr {
        let mut others: Vec<Vec<(NodeId, Mask)>> = vec![Vec::new(); nodes.len()];
        for right in 1..nodes.len() {
            for left in 0..right {
                let common = Mask::of(&self.algebra.common_types(nodes[left], nodes[right])).and(place.mask);
                if !common.is_empty() {
                    others[left].push((nodes[right], common));
                    others[right].push((nodes[left], common));
                }
            }
        }
        for (node, _) in others.iter().flatten() {
            self.name(*node);
        }
        let overlaps: usize = others.iter().map(Vec::len).sum();
        if nodes.len() > 2 && overlaps * 2 > nodes.len() * (nodes.len() - 1) {
            nodes.iter().for_each(|node| self.name(*node));
            if nodes.iter().all(|node| self.is_named(*node)) {
                return self.exclusive(nodes, place);
            }
        }
        let mut arms = Vec::with_capacity(nodes.len());
        for (node, others) in nodes.iter().zip(others) {
            let kept = self.node(*node, place);
            let removed =
                others.into_iter().map(|(other, mask)| self.node(other, &NodeContext { mask, around: None })).collect();
            arms.push(self.said(*node, difference(kept, removed)));
        }
        union_of(arms)
    }

    /// Builds `oneOf` if most branches overlap: each branch without all the others. The reader recognises this form as
    /// one choice.
    fn exclusive(&mut self, nodes: &[NodeId], place: &NodeContext<'g>) -> Expr {
        let whole = NodeContext { mask: Mask::ALL, around: None };
        let mut arms = Vec::with_capacity(nodes.len());
        for node in nodes {
            let kept = self.node(*node, &whole);
            let others = nodes.iter().filter(|other| *other != node);
            let removed = others.map(|other| self.node(*other, &whole)).collect();
            arms.push(self.said(*node, difference(kept, removed)));
        }
        let all = union_of(arms);
        let may = nodes.iter().all(|node| place.mask.has(self.may(*node)));
        if may { all } else { intersection(vec![place.mask.expr(), all]) }
    }

    /// Builds `(C & T) | (E - C)`; `None` if there is neither `then` nor `else`.
    fn conditional(&mut self, parts: Conditional, place: &NodeContext<'g>) -> Option<Expr> {
        if parts.then.is_none() && parts.otherwise.is_none() {
            return None;
        }
        let condition = self.node(parts.condition, place);
        let mut keys = place.around.as_deref().cloned().unwrap_or_default();
        self.declared_by(parts.condition, &mut keys);
        let inside = NodeContext { mask: place.mask, around: Some(keys.into()) };
        let then = parts.then.map(|then| self.node(then, &inside));
        let removed = self.node(parts.condition, &NodeContext { mask: place.mask, around: None });
        let otherwise = parts.otherwise.map_or_else(|| place.mask.expr(), |node| self.node(node, place));
        let holds = match then {
            // A branch without keywords adds nothing to the condition.
            Some(then) if then != place.mask.expr() => intersection(vec![condition, then]),
            _ => condition,
        };
        Some(union(vec![holds, difference(otherwise, vec![removed])]))
    }

    /// Collects the keys that a node and its references declare.
    pub(super) fn declared(&self, keywords: &'g Keywords, keys: &mut BTreeSet<&'g str>) {
        keys.extend(keywords.object.properties.iter().map(|(key, _)| key.as_str()));
        for node in keywords.reference.iter().map(|target| target.value).chain(keywords.all_of.iter().copied()) {
            self.declared_by(node, keys);
        }
    }

    pub(super) fn declared_by(&self, node: NodeId, keys: &mut BTreeSet<&'g str>) {
        let mut seen = FxHashSet::default();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if let NodeKind::Keywords(keywords) = self.graph.kind(node)
                && seen.insert(node)
            {
                keys.extend(keywords.object.properties.iter().map(|(key, _)| key.as_str()));
                open.extend(keywords.reference.iter().map(|target| target.value));
                open.extend(&keywords.all_of);
            }
        }
    }

    /// Returns `@discriminator("key")` if the body is a plain union of records that differ in the constant of a key.
    pub(super) fn discriminator(&self, node: NodeId, body: &Expr) -> Option<Attribute> {
        let NodeKind::Keywords(keywords) = self.graph.kind(node) else { return None };
        let ExprKind::Union(arms) = &body.kind else { return None };
        let choice = keywords.one_of.first()?;
        let is_plain = |arm: &Alternative| match &arm.expr.kind {
            ExprKind::Attributed { item, .. } => matches!(item.kind, ExprKind::Record(_) | ExprKind::Reference(_)),
            kind => matches!(kind, ExprKind::Record(_) | ExprKind::Reference(_)),
        };
        if arms.len() != choice.value.len() || !arms.iter().all(is_plain) {
            return None;
        }
        let branches: Vec<&Keywords> = choice.value.iter().map(|arm| self.plain_record(*arm)).collect::<Option<_>>()?;
        let mut keys = branches.first()?.object.properties.iter().map(|(key, _)| key.as_str());
        let key = keys.find(|key| self.tells_apart(key, &branches))?;
        let argument = super::build::argument(super::build::text(key));
        Some(Attribute { name: name("discriminator"), arguments: vec![argument], span: Span::default() })
    }

    /// Returns the keywords of a branch, if it is printed as one record.
    fn plain_record(&self, mut node: NodeId) -> Option<&'g Keywords> {
        for _ in 0..16 {
            let NodeKind::Keywords(keywords) = self.graph.kind(node) else { return None };
            let mut parts = 0;
            crate::edges::in_place(keywords, &mut |_| parts += 1);
            match &keywords.reference {
                Some(target) if parts == 1 => node = target.value,
                _ if parts == 0 => return (self.may(node) == Mask::OBJECT).then_some(keywords),
                _ => return None,
            }
        }
        None
    }

    fn tells_apart(&self, key: &str, branches: &[&Keywords]) -> bool {
        let mut seen = FxHashSet::default();
        branches.iter().all(|branch| {
            let object = &branch.object;
            let is_required = object.required.iter().any(|required| required.value == key);
            let Some((_, node)) = object.properties.iter().find(|(name, _)| name == key) else { return false };
            let NodeKind::Keywords(value) = self.graph.kind(*node) else { return false };
            let [list] = value.one_of_values.as_slice() else { return false };
            let mut fresh = |value: &Value| matches!(value, Value::String(text) if seen.insert(text.clone()));
            is_required && list.value.iter().all(&mut fresh)
        })
    }
}
