//! Builds the schemas that replace an `unevaluated` keyword.

use super::super::graph::Graph;
use super::{Arm, Condition, Rule, Seen, UnevaluatedKind};
use ogc_schema::source::{At, Keywords, Node, NodeId, NodeKind, Origin};

/// Writes `arms` into the node of `rule`.
pub(super) fn close(graph: &mut Graph, rule: &Rule, arms: Vec<Arm>) {
    if arms.iter().any(|arm| arm.conditions.is_empty() && arm.seen.everything) {
        return;
    }
    let closes_directly = |arm: &Arm| arm.conditions.is_empty() && close_directly(graph, rule, &arm.seen);
    if arms.len() == 1 && arms.first().is_some_and(closes_directly) {
        return;
    }
    let origin = rule.rest.origin;
    let nodes: Vec<_> = arms.into_iter().map(|arm| arm_node(graph, rule, arm)).collect();
    let Some(keywords) = graph.keywords_mut(rule.node) else {
        return;
    };
    match nodes.as_slice() {
        [single] => keywords.all_of.push(*single),
        _ => keywords.any_of.push(At { origin, value: nodes }),
    }
}

/// Rewrites the keyword as `additionalProperties` or `items`, if only the schema's own keywords evaluate anything.
fn close_directly(graph: &mut Graph, rule: &Rule, seen: &Seen) -> bool {
    let Some(keywords) = graph.keywords_mut(rule.node) else {
        return false;
    };
    match rule.kind {
        UnevaluatedKind::Properties => {
            let object = &mut keywords.object;
            let is_own = seen.names.len() == object.properties.len()
                && seen.patterns.len() == object.pattern_properties.len()
                && object.additional_properties.is_none();
            if is_own {
                object.additional_properties = Some(rule.rest.clone());
            }
            is_own
        }
        UnevaluatedKind::Items => {
            let array = &mut keywords.array;
            let is_own = seen.matching.is_empty() && seen.prefix == array.prefix_items.len() && array.items.is_none();
            if is_own {
                array.items = Some(rule.rest.clone());
            }
            is_own
        }
    }
}

fn arm_node(graph: &mut Graph, rule: &Rule, arm: Arm) -> NodeId {
    let origin = rule.rest.origin;
    let closing = closing_node(graph, rule, arm.seen);
    if arm.conditions.is_empty() {
        return closing;
    }
    let mut keywords = Keywords::default();
    for condition in arm.conditions {
        match condition {
            Condition::Holds(node) => keywords.all_of.push(node),
            Condition::Fails(node) => {
                let not = Keywords { not: Some(At { origin, value: node }), ..Keywords::default() };
                keywords.all_of.push(add(graph, origin, not));
            }
            Condition::Has(name) => keywords.object.required.push(At { origin, value: name }),
        }
    }
    keywords.all_of.push(closing);
    add(graph, origin, keywords)
}

fn closing_node(graph: &mut Graph, rule: &Rule, seen: Seen) -> NodeId {
    let origin = rule.rest.origin;
    let anything = graph.add(Node { origin, kind: NodeKind::Bool(true) });
    if seen.everything {
        return anything;
    }
    let mut keywords = Keywords::default();
    match rule.kind {
        UnevaluatedKind::Properties => {
            let at = |value| At { origin, value };
            keywords.object.properties = seen.names.into_iter().map(|name| (name, anything)).collect();
            keywords.object.pattern_properties = seen.patterns.into_iter().map(|p| (at(p), anything)).collect();
            keywords.object.additional_properties = Some(rule.rest.clone());
        }
        UnevaluatedKind::Items => {
            keywords.array.prefix_items = vec![anything; seen.prefix];
            let mut matching: Vec<_> = seen.matching.into_iter().map(NodeId).collect();
            matching.push(rule.rest.value);
            let rest = if matching.len() == 1 { rule.rest.value } else { any_of(graph, origin, matching) };
            keywords.array.items = Some(At { origin, value: rest });
        }
    }
    add(graph, origin, keywords)
}

fn any_of(graph: &mut Graph, origin: Origin, arms: Vec<NodeId>) -> NodeId {
    add(graph, origin, Keywords { any_of: vec![At { origin, value: arms }], ..Keywords::default() })
}

fn add(graph: &mut Graph, origin: Origin, keywords: Keywords) -> NodeId {
    graph.add(Node { origin, kind: NodeKind::Keywords(Box::new(keywords)) })
}
