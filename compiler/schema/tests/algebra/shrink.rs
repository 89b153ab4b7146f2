//! Smaller schema graphs that still fail.

use ogc_schema::source::{Keywords, NodeId, NodeKind, Schemas};

/// Elements of a list that are tried for removal.
const LONGEST: usize = 8;

/// Removes parts as long as the rest still fails; returns the last failure.
pub(crate) fn shrink(
    mut schemas: Schemas,
    mut failure: String,
    fails: impl Fn(&Schemas) -> Option<String>,
) -> (Schemas, String) {
    loop {
        let smaller = candidates(&schemas).find_map(|next| fails(&next).map(|found| (next, found)));
        let Some(found) = smaller else { return (schemas, failure) };
        (schemas, failure) = found;
    }
}

/// Graphs with one part removed.
fn candidates(schemas: &Schemas) -> impl Iterator<Item = Schemas> {
    let smaller = |at: usize| smaller_nodes(&schemas.nodes[at].kind).into_iter().map(move |kind| (at, kind));
    let nodes = (0..schemas.nodes.len()).flat_map(smaller);
    let replaced = nodes.map(|(at, kind)| {
        let mut next = schemas.clone();
        next.nodes[at].kind = kind;
        next
    });
    without_last(schemas).into_iter().chain(replaced)
}

/// The graph without its last node, if nothing refers to that node.
fn without_last(schemas: &Schemas) -> Option<Schemas> {
    let last = NodeId(schemas.nodes.len() as u32 - 1);
    if last == NodeId(0) || format!("{schemas:?}").contains(&format!("{last:?}")) {
        return None;
    }
    let mut next = schemas.clone();
    next.nodes.pop();
    Some(next)
}

/// A node without one of its keywords, or without one element of a list.
fn smaller_nodes(kind: &NodeKind) -> Vec<NodeKind> {
    let NodeKind::Keywords(keywords) = kind else { return Vec::new() };
    let changed = |change: &dyn Fn(&mut Keywords)| {
        let mut next = keywords.clone();
        change(&mut next);
        (next != *keywords).then_some(NodeKind::Keywords(next))
    };
    let mut all = vec![NodeKind::Bool(true), NodeKind::Bool(false)];
    all.extend(CHANGES.iter().filter_map(|change| changed(change)));
    for take in LISTS {
        all.extend((0..LONGEST).filter_map(|at| changed(&|keywords| take(keywords, at))));
    }
    all
}

/// Keywords that can be dropped.
const CHANGES: &[fn(&mut Keywords)] = &[
    |all| all.types = None,
    |all| all.one_of_values.clear(),
    |all| all.reference = None,
    |all| all.all_of.clear(),
    |all| all.any_of.clear(),
    |all| all.one_of.clear(),
    |all| all.not = None,
    |all| all.conditional = None,
    |all| all.conditional.iter_mut().for_each(|at| at.value.then = None),
    |all| all.conditional.iter_mut().for_each(|at| at.value.otherwise = None),
    |all| all.string = Default::default(),
    |all| all.string.min_length = None,
    |all| all.string.max_length = None,
    |all| all.number = Default::default(),
    |all| all.number.minimum = None,
    |all| all.number.maximum = None,
    |all| all.number.exclusive_minimum = None,
    |all| all.number.exclusive_maximum = None,
    |all| all.number.multiple_of = None,
    |all| all.array = Default::default(),
    |all| all.array.items = None,
    |all| all.array.min_items = None,
    |all| all.array.max_items = None,
    |all| all.array.unique_items = None,
    |all| all.array.contains = None,
    |all| all.array.min_contains = None,
    |all| all.array.max_contains = None,
    |all| all.object = Default::default(),
    |all| all.object.additional_properties = None,
    |all| all.object.property_names = None,
    |all| all.object.min_properties = None,
    |all| all.object.max_properties = None,
];

/// Lists that can lose one element. A choice keeps one.
const LISTS: &[fn(&mut Keywords, usize)] = &[
    |all, at| {
        all.one_of_values.iter_mut().filter(|list| list.value.len() > 1).for_each(|list| without(&mut list.value, at))
    },
    |all, at| without(&mut all.all_of, at),
    |all, at| all.any_of.iter_mut().filter(|any| any.value.len() > 1).for_each(|any| without(&mut any.value, at)),
    |all, at| all.one_of.iter_mut().filter(|one| one.value.len() > 1).for_each(|one| without(&mut one.value, at)),
    |all, at| without(&mut all.any_of, at),
    |all, at| without(&mut all.one_of, at),
    |all, at| without(&mut all.string.patterns, at),
    |all, at| without(&mut all.array.prefix_items, at),
    |all, at| without(&mut all.object.properties, at),
    |all, at| without(&mut all.object.pattern_properties, at),
    |all, at| without(&mut all.object.required, at),
    |all, at| without(&mut all.object.dependent_required, at),
    |all, at| without(&mut all.object.dependent_schemas, at),
];

fn without<T>(list: &mut Vec<T>, at: usize) {
    if at < list.len() {
        list.remove(at);
    }
}
