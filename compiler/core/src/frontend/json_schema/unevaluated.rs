//! Rewrites `unevaluatedProperties` and `unevaluatedItems` exactly in terms of other keywords.
//!
//! The unevaluated part of a value depends on which neighbours of the keyword hold. The more neighbours count, the more
//! is evaluated and the less remains for the keyword. So the keyword holds if, for *some* set of neighbours that hold,
//! the unevaluated rest obeys it. That is a plain disjunction with one arm for each set: an arm has conditions (these
//! neighbours hold) and a closing schema (the part that they do not evaluate obeys the keyword). No arm needs to say
//! that a neighbour fails, except that `else` counts only if `if` fails.
//!
//! After this step no `unevaluated` keyword exists. More arms than the limit are an error.

mod closing;
mod trace;

use super::graph::Graph;
use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::{At, NodeId, NodeKind};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The kind of an `unevaluated` keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum UnevaluatedKind {
    Properties,
    Items,
}

impl UnevaluatedKind {
    fn keyword(self) -> &'static str {
        match self {
            UnevaluatedKind::Properties => "unevaluatedProperties",
            UnevaluatedKind::Items => "unevaluatedItems",
        }
    }
}

#[derive(Clone, Debug)]
struct Rule {
    node: NodeId,
    kind: UnevaluatedKind,
    rest: At<NodeId>,
}

/// The `unevaluated` keywords found, and the facts about their neighbours that the rewriting needs.
#[derive(Debug, Default)]
pub(super) struct Pending {
    rules: Vec<Rule>,
    present: FxHashSet<(NodeId, UnevaluatedKind)>,
    silent_contains: FxHashSet<NodeId>,
}

impl Pending {
    pub(super) fn add_properties(&mut self, node: NodeId, rest: At<NodeId>) {
        self.add(Rule { node, kind: UnevaluatedKind::Properties, rest });
    }

    pub(super) fn add_items(&mut self, node: NodeId, rest: At<NodeId>) {
        self.add(Rule { node, kind: UnevaluatedKind::Items, rest });
    }

    fn add(&mut self, rule: Rule) {
        self.present.insert((rule.node, rule.kind));
        self.rules.push(rule);
    }

    /// Returns the `unevaluated` keywords of a node.
    pub(super) fn of(&self, node: NodeId) -> Vec<(UnevaluatedKind, At<NodeId>)> {
        if [UnevaluatedKind::Properties, UnevaluatedKind::Items]
            .iter()
            .all(|&kind| !self.present.contains(&(node, kind)))
        {
            return Vec::new();
        }
        self.rules.iter().filter(|rule| rule.node == node).map(|rule| (rule.kind, rule.rest.clone())).collect()
    }

    /// Adds a keyword of a kind.
    pub(super) fn add_of(&mut self, kind: UnevaluatedKind, node: NodeId, rest: At<NodeId>) {
        self.add(Rule { node, kind, rest });
    }

    /// Returns whether a node has `unevaluatedProperties`.
    pub(super) fn has_properties(&self, node: NodeId) -> bool {
        self.present.contains(&(node, UnevaluatedKind::Properties))
    }

    /// Copies to a copied schema the record that its `contains` evaluates nothing.
    pub(super) fn repeat_silence(&mut self, from: NodeId, to: NodeId) {
        if self.silent_contains.contains(&from) {
            self.silent_contains.insert(to);
        }
    }

    /// Records that `contains` evaluates no items of a node, as in drafts before 2020-12.
    pub(super) fn contains_evaluates_nothing(&mut self, node: NodeId) {
        self.silent_contains.insert(node);
    }
}

/// A condition of an arm: a neighbour holds or fails.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Condition {
    Holds(NodeId),
    Fails(NodeId),
    Has(String),
}

/// The properties and items that neighbours have evaluated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Seen {
    everything: bool,
    names: BTreeSet<String>,
    patterns: BTreeSet<String>,
    /// Number of leading items that are evaluated.
    prefix: usize,
    /// Indices of schemas: items that match any of them are evaluated.
    matching: BTreeSet<u32>,
}

impl Seen {
    fn everything() -> Seen {
        Seen { everything: true, ..Seen::default() }
    }

    fn merge(&mut self, other: &Seen) {
        self.everything |= other.everything;
        self.names.extend(other.names.iter().cloned());
        self.patterns.extend(other.patterns.iter().cloned());
        self.prefix = self.prefix.max(other.prefix);
        self.matching.extend(&other.matching);
    }

    fn is_within(&self, other: &Seen) -> bool {
        other.everything
            || (!self.everything
                && self.prefix <= other.prefix
                && self.names.is_subset(&other.names)
                && self.patterns.is_subset(&other.patterns)
                && self.matching.is_subset(&other.matching))
    }
}

/// One case of the rewriting: if its conditions hold, at least `seen` is evaluated.
#[derive(Clone, Debug, Default)]
struct Arm {
    conditions: Vec<Condition>,
    seen: Seen,
}

/// The reason why the arms cannot be determined.
#[derive(Clone, Copy, Debug)]
enum Stuck {
    /// More arms, or more steps to find them, than the limit allows.
    Many { limit: usize },
    /// The schema applies itself to the same value.
    Cycle,
}

/// Rewrites every `unevaluated` keyword of the graph; `limit` caps the arms of each keyword.
pub(super) fn rewrite(graph: &mut Graph, pending: &Pending, limit: usize) {
    // All arms are traced before any node changes, because the closing schemas evaluate nothing themselves.
    let traced: Vec<_> =
        pending.rules.iter().map(|rule| trace::arms(&graph.nodes, pending, rule.node, rule.kind, limit)).collect();
    for (rule, arms) in pending.rules.iter().zip(traced) {
        match arms {
            _ if is_anything(graph, rule.rest.value) => {}
            Ok(arms) => closing::close(graph, rule, arms),
            Err(stuck) => refuse(graph, rule, stuck),
        }
    }
}

fn is_anything(graph: &Graph, node: NodeId) -> bool {
    matches!(graph.nodes.get(node.0 as usize).map(|node| &node.kind), Some(NodeKind::Bool(true)))
}

fn refuse(graph: &mut Graph, rule: &Rule, stuck: Stuck) {
    let keyword = rule.kind.keyword();
    let message = match stuck {
        Stuck::Many { limit } => {
            format!(
                "`{keyword}` depends on more than {limit} combinations of the schemas beside it; the limit is {limit}"
            )
        }
        Stuck::Cycle => format!("`{keyword}` stands beside a schema that applies itself to the same value"),
    };
    let help = match rule.kind {
        UnevaluatedKind::Properties => "list all properties in one `properties` and write `additionalProperties`",
        UnevaluatedKind::Items => "list all items in one `prefixItems` and write `items`",
    };
    let span = graph.span_of(rule.rest.origin);
    graph.findings.push(Diagnostic::error(Code::Unevaluated, span, message).help(help));
}
