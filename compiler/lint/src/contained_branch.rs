//! `contained-branch`: a branch of `oneOf` that is contained in another branch, so that all its values are rejected; or
//! a branch that is contained if only its objects without undeclared keys count.

use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::{At, Keywords, NodeId, Origin, Schemas};
use ogc_schema::{Algebra, Limits, Table};

use super::compiled::{Compiled, Source};
use super::one_of::{add, all, choices, closed, origin, parts};

/// Cap on the branches of a `oneOf` that are compared with each other.
const BRANCHES: usize = 6;

/// Cap on the pairs of branches of a format.
const PAIRS: usize = 64;

/// The part of a branch that is contained in another branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Containment {
    /// All its values.
    Whole,
    /// Its objects that have only the keys which the branch declares.
    Plain,
}

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    let Source::Schema(graph) = &compiled.source else { return Vec::new() };
    if !compiled.is_cheap() {
        return Vec::new();
    }
    let schemas = graph.schemas();
    let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
    let choices = choices(schemas, BRANCHES);
    for (at, choice) in choices.iter().enumerate() {
        let all = 0..choice.branches.len();
        pairs.extend(
            all.clone().flat_map(|one| all.clone().filter(move |two| *two != one).map(move |two| (at, one, two))),
        );
    }
    pairs.truncate(PAIRS);
    let node = |at: usize, branch: usize| choices[at].branches[branch];
    let nodes: Vec<_> = pairs.iter().map(|(at, one, two)| (node(*at, *one), node(*at, *two))).collect();
    let limits = compiled.file.options(compiled.db).limits(compiled.db).schema;
    let contained = containments(schemas, &nodes, limits);
    let mut found: Vec<(usize, Diagnostic<Origin>)> = Vec::new();
    for ((at, one, two), containment) in pairs.into_iter().zip(contained) {
        // One finding for each `oneOf`: two equal branches would contain each other.
        if let Some(containment) = containment.filter(|_| found.last().is_none_or(|(last, _)| *last != at)) {
            found.push((at, told(containment, (one + 1, two + 1), origin(schemas, node(at, one)))));
        }
    }
    found.into_iter().map(|(_, found)| found).collect()
}

fn told(containment: Containment, (number, other): (usize, usize), origin: Origin) -> Diagnostic<Origin> {
    let (which, help) = match containment {
        Containment::Whole => ("value of", "write `anyOf`, or narrow the other branch"),
        Containment::Plain => (
            "object with only the keys declared in",
            "write `anyOf`, close the other branch, or require a key in it that this one has not",
        ),
    };
    let message =
        format!("every {which} branch {number} is also one of branch {other}, so `oneOf` refuses all of them");
    Diagnostic::warning(Code::ContainedBranch, Compiled::place(origin.0), message).help(help)
}

/// Returns, for each pair of schemas, whether the first is contained in the second; `None` also if a complement cannot
/// be computed.
pub(super) fn containments(schemas: &Schemas, pairs: &[(NodeId, NodeId)], limits: Limits) -> Vec<Option<Containment>> {
    if pairs.is_empty() {
        return Vec::new();
    }
    let mut schemas = schemas.clone();
    let nodes: Vec<_> = pairs
        .iter()
        .map(|&(branch, other)| {
            let rest = without(&mut schemas, branch, other);
            (branch, rest, plain(&mut schemas, branch).map(|plain| (plain, without(&mut schemas, plain, other))))
        })
        .collect();
    let table = Table::new(&schemas);
    let is_inside = |values: NodeId, rest: NodeId| {
        let mut algebra = Algebra::new(&table, limits);
        let [values, rest] = [algebra.value_of(values), algebra.value_of(rest)];
        algebra.solve_all(&[values, rest]).is_ok() && algebra.holds_something(values) && !algebra.holds_something(rest)
    };
    let contained = |(branch, rest, plain): (NodeId, NodeId, Option<(NodeId, NodeId)>)| match plain {
        _ if is_inside(branch, rest) => Some(Containment::Whole),
        Some((plain, rest)) if is_inside(plain, rest) => Some(Containment::Plain),
        _ => None,
    };
    nodes.into_iter().map(contained).collect()
}

/// Adds a schema for the values of `branch` that are not in `other`.
fn without(schemas: &mut Schemas, branch: NodeId, other: NodeId) -> NodeId {
    let origin = origin(schemas, branch);
    let not = Keywords { not: Some(At { origin, value: other }), ..Keywords::default() };
    let not = add(schemas, origin, not);
    all(schemas, vec![branch, not])
}

/// Adds a schema for the objects of a branch that have only the keys which it declares; `None` if it declares none, or
/// constrains other keys.
fn plain(schemas: &mut Schemas, branch: NodeId) -> Option<NodeId> {
    let keys = declared(schemas, branch)?;
    let closed = closed(schemas, origin(schemas, branch), keys);
    Some(all(schemas, vec![branch, closed]))
}

/// Returns the keys that a schema and its parts declare; `None` if there are none, or if other keys have a schema.
fn declared(schemas: &Schemas, branch: NodeId) -> Option<Vec<String>> {
    let mut keys = Vec::new();
    for part in parts(schemas, branch)? {
        if !part.object.pattern_properties.is_empty() || part.object.additional_properties.is_some() {
            return None;
        }
        keys.extend(part.object.properties.iter().map(|(key, _)| key.clone()));
    }
    keys.sort_unstable();
    keys.dedup();
    (!keys.is_empty()).then_some(keys)
}
