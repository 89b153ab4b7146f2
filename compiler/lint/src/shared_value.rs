//! `shared-value`: an ordinary value that is in two branches of a `oneOf` and is therefore rejected.
//!
//! # Steps
//!
//! 1. [`pairs`] lists pairs of branches, each with a schema for their common values. Only values of types that both
//!    branches are written for count, and only objects with the keys that a branch declares: authors also write a
//!    `oneOf` of open objects in order to exclude the keys of the other branches.
//! 2. [`in_common`] keeps the pairs that share something.
//! 3. Pairs in which one branch contains the other are left to [`contained_branch`](super::contained_branch).
//! 4. [`witness`](mod@witness) writes a shortest value of the first pair of each `oneOf`.

mod kinds;
mod witness;

use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::{At, Keywords, NodeId, NodeKind, Origin, Schemas};
use ogc_schema::{Algebra, Limits, Table};

use super::compiled::{Compiled, Source};
use super::contained_branch::containments;
use super::one_of::{Choice, add, all, choices, closed, parts};
use kinds::ValueKinds;
use witness::witness;

/// Cap on the branches that are compared with each other, and on the pairs of branches in a format.
const BRANCHES: usize = 16;
const PAIRS: usize = 128;

/// Two branches of a `oneOf`.
#[derive(Clone, Copy)]
struct Pair {
    /// The index of the `oneOf`.
    choice: usize,
    /// The indices of the branches, ascending.
    branches: (usize, usize),
    /// A schema for the ordinary values that are in both.
    common: NodeId,
    /// Whether objects are among these values.
    has_objects: bool,
}

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    let Source::Schema(graph) = &compiled.source else { return Vec::new() };
    if !compiled.is_cheap() {
        return Vec::new();
    }
    let choices = choices(graph.schemas(), BRANCHES);
    if choices.is_empty() {
        return Vec::new();
    }
    let limits = compiled.file.options(compiled.db).limits(compiled.db).schema;
    let mut schemas = graph.schemas().clone();
    let pairs = pairs(&mut schemas, &choices);
    let shared = in_common(&schemas, pairs, limits);
    let shared = not_contained(graph.schemas(), &choices, shared, limits);
    let mut found = Vec::new();
    for same in shared.chunk_by(|one, two| one.choice == two.choice) {
        let Some(value) = witness(graph, &schemas, same[0].common, compiled) else { continue };
        found.push(told(&choices[same[0].choice], same, &value));
    }
    found
}

fn told(choice: &Choice, pairs: &[Pair], value: &str) -> Diagnostic<Origin> {
    let (one, two) = pairs[0].branches;
    let more = match pairs.len() - 1 {
        0 => String::new(),
        1 => "; another pair of branches shares values too".to_owned(),
        more => format!("; {more} more pairs of branches share values too"),
    };
    let message =
        format!("branches {} and {} of `oneOf` both take `{value}`, so it is refused{more}", one + 1, two + 1);
    let help = match value.as_bytes().first() {
        Some(b'{') if pairs[0].has_objects => {
            "write `anyOf`, or require a key in each branch whose values tell them apart"
        }
        Some(b'[') if value == "[]" => {
            "write `anyOf`, or allow the empty array in one of the branches: `\"minItems\": 1` in the other"
        }
        _ => "write `anyOf`, or narrow one of the branches",
    };
    Diagnostic::warning(Code::SharedValue, Compiled::place(choice.origin.0), message).help(help)
}

/// Returns the pairs of branches that may have ordinary values in common.
fn pairs(schemas: &mut Schemas, choices: &[Choice]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (choice, one) in choices.iter().enumerate() {
        let beside = beside(schemas, one.node);
        for first in 0..one.branches.len() {
            for second in first + 1..one.branches.len() {
                if pairs.len() == PAIRS {
                    return pairs;
                }
                let branches = [one.branches[first], one.branches[second]];
                if let Some((common, has_objects)) = common(schemas, beside, branches) {
                    pairs.push(Pair { choice, branches: (first, second), common, has_objects });
                }
            }
        }
    }
    pairs
}

/// Adds a schema with all keywords of a schema but its `oneOf`s.
fn beside(schemas: &mut Schemas, node: NodeId) -> NodeId {
    let (origin, rest) = match schemas.nodes.get(node.0 as usize).map(|node| (node.origin, &node.kind)) {
        Some((origin, NodeKind::Keywords(keywords))) => {
            (origin, Keywords { one_of: Vec::new(), ..(**keywords).clone() })
        }
        _ => (Origin::default(), Keywords::default()),
    };
    add(schemas, origin, rest)
}

/// Adds a schema for the ordinary values that two branches have in common under the keywords `beside` them, and tells
/// whether objects are among these; `None` if there can be no common values.
fn common(schemas: &mut Schemas, beside: NodeId, [one, two]: [NodeId; 2]) -> Option<(NodeId, bool)> {
    let kinds = [beside, one, two].map(|node| ValueKinds::of(schemas, node));
    let kinds = kinds.into_iter().reduce(ValueKinds::and)?;
    let closed_by = if kinds.has_objects() { keys(schemas, beside, [one, two]) } else { None };
    let origin = super::one_of::origin(schemas, one);
    let mut ways = Vec::new();
    if let Some(types) = kinds.types_without_objects() {
        ways.push(add(schemas, origin, Keywords { types: Some(At { origin, value: types }), ..Keywords::default() }));
    }
    let has_objects = closed_by.is_some();
    for keys in closed_by.into_iter().flatten() {
        ways.push(closed(schemas, origin, keys));
    }
    if ways.is_empty() {
        return None;
    }
    let ways = Keywords { any_of: vec![At { origin, value: ways }], ..Keywords::default() };
    let ordinary = add(schemas, origin, ways);
    Some((all(schemas, vec![beside, one, two, ordinary]), has_objects))
}

/// Returns the keys that an ordinary object of each branch may have; `None` if a branch declares none, or if each
/// requires a key that the other lacks: they were then meant to exclude each other.
fn keys(schemas: &Schemas, beside: NodeId, branches: [NodeId; 2]) -> Option<[Vec<String>; 2]> {
    let parts = |node: NodeId| parts(schemas, node);
    let declared = |parts: &[&Keywords]| -> Vec<String> {
        parts.iter().flat_map(|part| &part.object.properties).map(|(key, _)| key.clone()).collect()
    };
    let is_declared = |parts: &[&Keywords]| {
        parts.iter().any(|part| {
            let object = &part.object;
            !object.properties.is_empty()
                || !object.pattern_properties.is_empty()
                || object.additional_properties.is_some()
        })
    };
    let required = |parts: &[&Keywords]| -> Vec<String> {
        parts.iter().flat_map(|part| &part.object.required).map(|key| key.value.clone()).collect()
    };
    let [beside, one, two] = [parts(beside)?, parts(branches[0])?, parts(branches[1])?];
    let [of_one, of_two] = [required(&one), required(&two)];
    let lacks = |keys: &[String], others: &[String]| keys.iter().any(|key| !others.contains(key));
    if !is_declared(&one) || !is_declared(&two) || lacks(&of_one, &of_two) && lacks(&of_two, &of_one) {
        return None;
    }
    let outer = declared(&beside);
    Some([&one, &two].map(|branch| {
        let mut keys: Vec<String> = declared(branch).into_iter().chain(outer.iter().cloned()).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }))
}

/// Returns the pairs that have an ordinary value in common. Pairs that cannot be computed are left out.
fn in_common(schemas: &Schemas, mut pairs: Vec<Pair>, limits: Limits) -> Vec<Pair> {
    if pairs.is_empty() {
        return pairs;
    }
    // One algebra for all pairs: it bounds them together, and solves common parts once.
    let table = Table::new(schemas);
    let mut algebra = Algebra::new(&table, limits);
    pairs.retain(|pair| {
        let value = algebra.value_of(pair.common);
        algebra.solve(value).is_ok() && algebra.holds_something(value)
    });
    pairs
}

/// Returns the pairs in which neither branch contains the other.
fn not_contained(schemas: &Schemas, choices: &[Choice], pairs: Vec<Pair>, limits: Limits) -> Vec<Pair> {
    let both = pairs.iter().flat_map(|pair| {
        let branches = &choices[pair.choice].branches;
        let [one, two] = [branches[pair.branches.0], branches[pair.branches.1]];
        [(one, two), (two, one)]
    });
    let contained = containments(schemas, &both.collect::<Vec<_>>(), limits);
    let is_free = |way: &[Option<_>]| way.iter().all(Option::is_none);
    pairs.into_iter().zip(contained.chunks(2)).filter(|(_, ways)| is_free(ways)).map(|(pair, _)| pair).collect()
}
