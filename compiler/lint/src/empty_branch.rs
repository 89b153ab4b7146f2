//! `empty-branch`: an alternative, an optional member or a kind of array items that no value satisfies, by itself or
//! together with the adjacent keywords.

use std::collections::BTreeSet;

use ogc_compiler::db::{Db, SourceFile};
use ogc_compiler::hir::items::{item_start, item_tree};
use ogc_compiler::hir::{OriginPlace, Root};
use ogc_grammar::ogc::ast::{Alternative, Expr, ExprKind};
use ogc_grammar::{Code, Diagnostic, Fix, Span};
use ogc_schema::source::{Keywords, Node, NodeId, NodeKind, Origin, Schemas};
use ogc_schema::{Algebra, Table};

use super::compiled::{Compiled, Source};

/// Cap on the branches that are checked together with the keywords next to their choice.
const PAIRS: usize = 64;

/// A part that may be empty without making the whole empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Branch,
    /// A branch that contradicts the keywords next to its choice.
    Excluded,
    Member,
    Items,
}

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    let Some(schemas) = compiled.schemas().filter(|_| compiled.is_cheap()) else { return Vec::new() };
    let parts = parts(schemas, roots(compiled));
    if parts.is_empty() {
        return Vec::new();
    }
    let table = Table::new(schemas);
    let mut algebra = Algebra::new(&table, compiled.file.options(compiled.db).limits(compiled.db).schema);
    let values: Vec<_> = parts.iter().map(|(node, _)| algebra.value_of(*node)).collect();
    if algebra.solve_all(&values).is_err() {
        return Vec::new();
    }
    let (some, empty): (Vec<_>, Vec<_>) =
        parts.iter().zip(&values).partition(|(_, value)| algebra.holds_something(**value));
    let empty = empty.into_iter().map(|(part, _)| *part);
    let branches = some.iter().filter(|((_, part), _)| *part == Part::Branch).map(|((node, _), _)| *node).collect();
    let excluded = excluded(compiled, schemas, branches).into_iter().map(|node| (node, Part::Excluded));
    empty.chain(excluded).map(|(node, part)| found(schemas.nodes[node.0 as usize].origin.0, part)).collect()
}

/// Returns the branches that no value satisfies together with the other keywords of their schema.
fn excluded(compiled: &Compiled<'_>, schemas: &Schemas, branches: BTreeSet<NodeId>) -> Vec<NodeId> {
    let mut with_rest = schemas.clone();
    let mut pairs: Vec<(NodeId, NodeId)> = Vec::new();
    for node in &schemas.nodes {
        let NodeKind::Keywords(keywords) = &node.kind else { continue };
        let rest = Keywords { any_of: Vec::new(), one_of: Vec::new(), ..(**keywords).clone() };
        let choices = keywords.any_of.iter().chain(&keywords.one_of).flat_map(|choice| &choice.value);
        let arms: Vec<NodeId> = choices.copied().filter(|arm| branches.contains(arm)).collect();
        if rest == Keywords::default() || arms.is_empty() {
            continue;
        }
        let beside = NodeId(u32::try_from(with_rest.nodes.len()).unwrap_or(u32::MAX));
        with_rest.nodes.push(Node { origin: node.origin, kind: NodeKind::Keywords(Box::new(rest)) });
        pairs.extend(arms.into_iter().map(|arm| (beside, arm)));
    }
    pairs.truncate(PAIRS);
    let table = Table::new(&with_rest);
    let limits = compiled.file.options(compiled.db).limits(compiled.db).schema;
    let is_excluded = |(beside, arm): &(NodeId, NodeId)| {
        let mut algebra = Algebra::new(&table, limits);
        let [whole, both] = [algebra.value_of(*beside), algebra.value_of_all(&[*beside, *arm])];
        algebra.solve_all(&[whole, both]).is_ok() && algebra.holds_something(whole) && !algebra.holds_something(both)
    };
    let mut found: Vec<NodeId> = pairs.into_iter().filter(is_excluded).map(|(_, arm)| arm).collect();
    found.dedup();
    found
}

fn found(handle: u32, part: Part) -> Diagnostic<Origin> {
    let (message, help) = match part {
        Part::Branch => ("no value satisfies this branch", "remove it, or look for a bound that contradicts another"),
        Part::Excluded => (
            "no value satisfies this branch and the keywords beside the choice",
            "remove it, or move what excludes it into the other branches",
        ),
        Part::Member => (
            "no value satisfies this optional member, so it can never be written",
            "remove it, or look for a bound that contradicts another",
        ),
        Part::Items => (
            "no value satisfies the items of this array, so it is always empty",
            "write `[0]` behind the items (`maxItems: 0`), or look for a bound that contradicts another",
        ),
    };
    Diagnostic::warning(Code::EmptyBranch, Compiled::place(handle), message).help(help)
}

fn roots(compiled: &Compiled<'_>) -> Vec<NodeId> {
    match &compiled.source {
        Source::Module(module) => match module.root {
            Root::Value(value) => vec![value.node],
            Root::Text(_) => module.values.iter().map(|value| value.node).collect(),
            Root::Nothing => Vec::new(),
        },
        Source::Schema(graph) => graph.schemas().root.into_iter().collect(),
        Source::Other => Vec::new(),
    }
}

/// Returns the reachable parts that may be empty, each node once. A literal `false` is left out, as it is intended.
fn parts(schemas: &Schemas, roots: Vec<NodeId>) -> Vec<(NodeId, Part)> {
    let mut found = BTreeSet::new();
    let mut seen = vec![false; schemas.nodes.len()];
    let mut open = roots;
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut seen[node.0 as usize], true) {
            continue;
        }
        let NodeKind::Keywords(keywords) = &schemas.nodes[node.0 as usize].kind else { continue };
        let parts = parts_of(keywords);
        open.extend(parts.iter().map(|(node, _)| *node));
        open.extend(others_of(keywords));
        let says_something = |(node, _): &(NodeId, Part)| match &schemas.nodes[node.0 as usize].kind {
            NodeKind::Bool(holds) => *holds,
            NodeKind::Keywords(_) => true,
        };
        found.extend(parts.into_iter().filter(says_something));
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.dedup_by_key(|(node, _)| *node);
    found
}

fn parts_of(keywords: &Keywords) -> Vec<(NodeId, Part)> {
    let choices = keywords.any_of.iter().chain(&keywords.one_of).flat_map(|choice| &choice.value);
    let mut parts: Vec<_> = choices.map(|&node| (node, Part::Branch)).collect();
    let object = &keywords.object;
    let required = |name: &str| object.required.iter().any(|key| key.value == name);
    let optional = object.properties.iter().filter(|(name, _)| !required(name));
    parts.extend(optional.map(|&(_, node)| (node, Part::Member)));
    let array = &keywords.array;
    let none = array.max_items.as_ref().is_some_and(|max| max.value == 0);
    parts.extend(array.items.iter().filter(|_| !none).map(|items| (items.value, Part::Items)));
    parts
}

/// Returns the other schemas that describe parts of a node's values.
fn others_of(keywords: &Keywords) -> Vec<NodeId> {
    let object = &keywords.object;
    let mut others = keywords.all_of.clone();
    others.extend(keywords.reference.iter().map(|reference| reference.value));
    others.extend(object.properties.iter().map(|(_, node)| *node));
    others.extend(object.pattern_properties.iter().map(|(_, node)| *node));
    others.extend(object.additional_properties.iter().map(|rest| rest.value));
    others.extend(&keywords.array.prefix_items);
    others
}

/// Makes the correction of an empty branch in an `.ogc` file: removes the branch.
pub(super) fn fix(db: &dyn Db, file: SourceFile, found: &Diagnostic<Origin>, place: &OriginPlace) -> Option<Fix> {
    let item = place.item.as_ref().filter(|item| found.code == Code::EmptyBranch && item.file == file)?;
    let mut removed = None;
    item_tree(db, item).item.definition()?.body.walk(&mut |expr: &Expr| {
        if let ExprKind::Union(arms) = &expr.kind {
            removed = removed.or_else(|| without(arms, place.span));
        }
    });
    let span = removed?.shifted(item_start(db, item));
    Some(Fix::new("remove the branch", span, ""))
}

/// Returns the span to remove for the arm at `arm`, including the `|` between it and a neighbour.
fn without(arms: &[Alternative], arm: Span) -> Option<Span> {
    let at = arms.iter().position(|one| one.expr.ungrouped().span == arm)?;
    let arm = arms[at].expr.span;
    let before = at.checked_sub(1).and_then(|before| arms.get(before));
    match (before, arms.get(at + 1)) {
        (Some(before), _) => Some(Span::new(before.expr.span.end, arm.end)),
        (None, Some(next)) => Some(Span::new(arm.start, next.expr.span.start)),
        (None, None) => None,
    }
}
