//! `contained-branch`: a branch of `oneOf` whose values are all values of another branch, so that all of them are refused.

use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::{At, Keywords, Node, NodeId, NodeKind, Origin, Schemas};
use ogc_schema::{Algebra, Table};

use super::compiled::{Compiled, Source};

/// The most states of a format that is solved again for this, and the most branches that are compared with each other.
const CHEAP_STATES: usize = 10_000;
const BRANCHES: usize = 6;

/// The most pairs of branches of a format.
const PAIRS: usize = 64;

/// A branch, its number from 1, and the number of another.
struct Pair {
    branch: NodeId,
    number: usize,
    other: usize,
    /// The values of the branch that are none of the other.
    rest: NodeId,
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
    let mut found: Vec<Diagnostic<Origin>> = Vec::new();
    for Pair { branch, number, other, rest } in pairs {
        // A complement that cannot be computed says nothing about the others.
        let mut algebra = Algebra::new(&table, limits);
        let values = [algebra.value_of(branch), algebra.value_of(rest)];
        if algebra.solve_all(&values).is_err()
            || !algebra.holds_something(values[0])
            || algebra.holds_something(values[1])
        {
            continue;
        }
        let Some(node) = schemas.nodes.get(branch.0 as usize) else { continue };
        let message =
            format!("every value of branch {number} is also one of branch {other}, so `oneOf` refuses all of them");
        let finding = Diagnostic::warning(Code::ContainedBranch, Compiled::place(node.origin.0), message);
        found.push(finding.help("write `anyOf`, or narrow the other branch"));
    }
    found
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
        let origin = schemas.nodes.get(branch.0 as usize).map(|node| node.origin).unwrap_or_default();
        let not = Keywords { not: Some(At { origin, value: other }), ..Keywords::default() };
        let not = add(schemas, origin, not);
        let rest = add(schemas, origin, Keywords { all_of: vec![branch, not], ..Keywords::default() });
        Pair { branch, number, other: at, rest }
    };
    branches.into_iter().map(pair).collect()
}

fn add(schemas: &mut Schemas, origin: Origin, keywords: Keywords) -> NodeId {
    schemas.nodes.push(Node { origin, kind: NodeKind::Keywords(Box::new(keywords)) });
    NodeId(u32::try_from(schemas.nodes.len() - 1).unwrap_or(u32::MAX))
}
