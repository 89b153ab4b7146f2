//! `contained-branch`: a branch of `oneOf` whose values are all values of another branch, so that all of them are refused; or all of its
//! objects are that have only the keys which it declares.

use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::{At, Keywords, Node, NodeId, NodeKind, Origin, Schemas, Types};
use ogc_schema::{Algebra, Table};

use super::compiled::{Compiled, Source};

/// The most states of a format that is solved again for this, and the most branches that are compared with each other.
const CHEAP_STATES: usize = 10_000;
const BRANCHES: usize = 6;

/// The most pairs of branches of a format.
const PAIRS: usize = 64;

/// The most schemas that one branch may consist of.
const PARTS: usize = 64;

/// A branch, its number from 1, and the number of another.
struct Pair {
    branch: NodeId,
    number: usize,
    other: usize,
    /// The values of the branch that are none of the other.
    rest: NodeId,
    /// The objects of the branch that have only the keys which it declares, and those of them that are none of the other.
    plain: Option<(NodeId, NodeId)>,
}

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    let Source::Schema(graph) = &compiled.source else { return Vec::new() };
    if compiled.automaton.states.len() > CHEAP_STATES {
        return Vec::new();
    }
    let mut schemas = graph.schemas().clone();
    let pairs = pairs(&mut schemas);
    let table = Table::new(&schemas);
    let limits = compiled.file.options(compiled.db).limits(compiled.db).schema;
    // A complement that cannot be computed says nothing about the others.
    let is_inside = |values: NodeId, rest: NodeId| {
        let mut algebra = Algebra::new(&table, limits);
        let [values, rest] = [algebra.value_of(values), algebra.value_of(rest)];
        algebra.solve_all(&[values, rest]).is_ok() && algebra.holds_something(values) && !algebra.holds_something(rest)
    };
    let found = pairs.iter().filter_map(|pair| {
        let Pair { branch, number, other, .. } = *pair;
        let (which, help) = if is_inside(branch, pair.rest) {
            ("value of", "write `anyOf`, or narrow the other branch")
        } else if pair.plain.is_some_and(|(plain, rest)| is_inside(plain, rest)) {
            (
                "object with only the keys declared in",
                "write `anyOf`, close the other branch, or require a key in it that this one has not",
            )
        } else {
            return None;
        };
        let message =
            format!("every {which} branch {number} is also one of branch {other}, so `oneOf` refuses all of them");
        let place = Compiled::place(schemas.nodes.get(branch.0 as usize)?.origin.0);
        Some(Diagnostic::warning(Code::ContainedBranch, place, message).help(help))
    });
    found.collect()
}

/// Returns the pairs of branches, with a node each for what one has and the other has not.
fn pairs(schemas: &mut Schemas) -> Vec<Pair> {
    let mut branches: Vec<(NodeId, usize, NodeId, usize)> = Vec::new();
    for node in &schemas.nodes {
        let NodeKind::Keywords(keywords) = &node.kind else { continue };
        for At { value: arms, .. } in keywords.one_of.iter().filter(|arms| arms.value.len() <= BRANCHES) {
            for (one, &branch) in arms.iter().enumerate() {
                let others = arms.iter().enumerate().filter(|(two, _)| *two != one);
                branches.extend(others.map(|(two, &other)| (branch, one + 1, other, two + 1)));
            }
        }
    }
    branches.truncate(PAIRS);
    let pair = |(branch, number, other, at): (NodeId, usize, NodeId, usize)| {
        let rest = without(schemas, branch, other);
        let plain = plain(schemas, branch).map(|plain| (plain, without(schemas, plain, other)));
        Pair { branch, number, other: at, rest, plain }
    };
    branches.into_iter().map(pair).collect()
}

/// Adds a node for the values of one schema that are none of another.
fn without(schemas: &mut Schemas, branch: NodeId, other: NodeId) -> NodeId {
    let origin = schemas.nodes.get(branch.0 as usize).map(|node| node.origin).unwrap_or_default();
    let not = Keywords { not: Some(At { origin, value: other }), ..Keywords::default() };
    let not = add(schemas, origin, not);
    add(schemas, origin, Keywords { all_of: vec![branch, not], ..Keywords::default() })
}

/// Adds a node for the objects of a branch that have only the keys which it declares; `None` if it declares none, or says something of
/// others.
fn plain(schemas: &mut Schemas, branch: NodeId) -> Option<NodeId> {
    let origin = schemas.nodes.get(branch.0 as usize)?.origin;
    let keys = declared(schemas, branch)?;
    schemas.nodes.push(Node { origin, kind: NodeKind::Bool(true) });
    let anything = NodeId(u32::try_from(schemas.nodes.len() - 1).ok()?);
    schemas.nodes.push(Node { origin, kind: NodeKind::Bool(false) });
    let nothing = NodeId(u32::try_from(schemas.nodes.len() - 1).ok()?);
    let mut closed = Keywords { types: Some(At { origin, value: OBJECT }), ..Keywords::default() };
    closed.object.properties = keys.into_iter().map(|key| (key, anything)).collect();
    closed.object.additional_properties = Some(At { origin, value: nothing });
    let closed = add(schemas, origin, closed);
    Some(add(schemas, origin, Keywords { all_of: vec![branch, closed], ..Keywords::default() }))
}

const OBJECT: Types =
    Types { null: false, boolean: false, integer: false, number: false, string: false, array: false, object: true };

/// Returns the keys that a schema and its parts declare; `None` if there are none, or if other keys have schemas.
fn declared(schemas: &Schemas, branch: NodeId) -> Option<Vec<String>> {
    let (mut open, mut seen, mut keys) = (vec![branch], Vec::new(), Vec::new());
    while let Some(node) = open.pop() {
        if seen.contains(&node) {
            continue;
        }
        if seen.len() >= PARTS {
            return None;
        }
        seen.push(node);
        let NodeKind::Keywords(keywords) = &schemas.nodes.get(node.0 as usize)?.kind else { continue };
        let object = &keywords.object;
        if !object.pattern_properties.is_empty() || object.additional_properties.is_some() {
            return None;
        }
        keys.extend(object.properties.iter().map(|(key, _)| key.clone()));
        let choices = keywords.any_of.iter().chain(&keywords.one_of).flat_map(|choice| &choice.value);
        open.extend(keywords.all_of.iter().chain(choices));
        open.extend(keywords.reference.iter().map(|reference| reference.value));
    }
    keys.sort_unstable();
    keys.dedup();
    (!keys.is_empty()).then_some(keys)
}

fn add(schemas: &mut Schemas, origin: Origin, keywords: Keywords) -> NodeId {
    schemas.nodes.push(Node { origin, kind: NodeKind::Keywords(Box::new(keywords)) });
    NodeId(u32::try_from(schemas.nodes.len() - 1).unwrap_or(u32::MAX))
}
